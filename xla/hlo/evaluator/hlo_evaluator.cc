#include "xla/hlo/evaluator/hlo_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <unordered_map>

#include "base/error_ids.h"
#include "xla/hlo/evaluator/device_group.h"
#include "xla/hlo/evaluator/dynamic_shapes.h"
#include "xla/hlo/evaluator/evaluator.h"

namespace xla {
namespace evaluator {
namespace {

constexpr EvalFn* kEvaluators[] = {
#define HLO_OP(id, ...) &Eval_##id,
#define HLO_LATER(text)
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP
#undef HLO_LATER
};

using ValueMap = std::unordered_map<const HloInstruction*, Literal>;

Status CheckSize(const HloInstruction& instruction, const Shape& shape) {
  for (const Shape& element : shape.tuple_shapes()) RETURN_IF_ERROR(CheckSize(instruction, element));
  if (!shape.IsArray() || ShapeUtil::ByteSizeOf(shape) <= kMostArrayBytes) return OkStatus();
  return NotEvaluable(instruction, fmt::format("an array of {} bytes is larger than the evaluator's limit of {}",
                                               ShapeUtil::ByteSizeOf(shape), kMostArrayBytes));
}

StatusOr<ValueMap> EvaluateAll(const HloComputation& computation, Operands arguments) {
  ValueMap values;
  std::unordered_map<const HloInstruction*, size_t> uses_left;
  for (const HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
    uses_left[instruction] = instruction->users().size();
    if (instruction->opcode() == HloOpcode::kParameter) {
      values.emplace(instruction, *arguments[instruction->parameter_number()]);
      continue;
    }
    RETURN_IF_ERROR(CheckSize(*instruction, instruction->shape()));
    std::vector<const Literal*> operands;
    for (const HloInstruction* operand : instruction->operands()) operands.push_back(&values.at(operand));
    EvalFn* const evaluate = kEvaluators[static_cast<int>(instruction->opcode())];
    ASSIGN_OR_RETURN(Literal value, HasDynamicShapes(*instruction) ? EvaluateDynamic(*instruction, operands, evaluate)
                                                                   : evaluate(*instruction, operands));
    values.emplace(instruction, std::move(value));
    // A value is dropped after its last use.
    const std::unordered_set<const HloInstruction*> distinct(instruction->operands().begin(),
                                                             instruction->operands().end());
    for (const HloInstruction* operand : distinct) {
      if (--uses_left[operand] == 0 && operand != computation.root_instruction()) values.erase(operand);
    }
  }
  return values;
}

// True if every instruction computes element by element, so that arrays can go through it as scalars do.
bool TakesArraysForScalars(const HloComputation& computation) {
  for (const HloInstruction* instruction : computation.instructions()) {
    const bool is_root_tuple = instruction->opcode() == HloOpcode::kTuple && instruction->IsRoot();
    const bool fits = instruction->IsElementwise() || instruction->opcode() == HloOpcode::kParameter ||
                      instruction->IsConstantScalar() || is_root_tuple;
    if (!fits) return false;
  }
  return true;
}

std::vector<Literal> AsResults(Literal value) {
  if (value.shape().IsTuple()) return std::move(value.mutable_tuple_elements());
  std::vector<Literal> results;
  results.push_back(std::move(value));
  return results;
}

// The dimensions of the first argument that is no scalar.
std::vector<int64_t> CommonDimensions(Operands arguments) {
  for (const Literal* argument : arguments) {
    if (argument->shape().rank() > 0) return argument->shape().dimensions();
  }
  return {};
}

Literal ElementOf(const Literal& array, int64_t i) {
  if (array.element_count() == 1) i = 0;
  const int width = ByteWidth(array.shape().element_type());
  const auto begin = array.bytes().begin() + i * width;
  return Literal::FromBytes(Shape::Scalar(array.shape().element_type()), std::vector<uint8_t>(begin, begin + width));
}

// A constant root, or a parameter that was given a scalar, is the same for all elements.
Literal Expanded(Literal value, const std::vector<int64_t>& dimensions) {
  const Shape shape = Shape::Array(value.shape().element_type(), dimensions);
  if (value.shape().dimensions() == dimensions) return value;
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < ShapeUtil::ElementsIn(shape); ++i) {
    bytes.insert(bytes.end(), value.bytes().begin(), value.bytes().end());
  }
  return Literal::FromBytes(shape, std::move(bytes));
}

StatusOr<std::vector<Literal>> ApplyOneByOne(const HloComputation& computation, Operands arguments,
                                             const std::vector<int64_t>& dimensions) {
  const int64_t count = ShapeUtil::ElementsIn(Shape::Array(PRED, dimensions));
  const Shape& result = computation.root_instruction()->shape();
  const std::vector<Shape> parts = result.IsTuple() ? result.tuple_shapes() : std::vector<Shape>{result};
  std::vector<std::vector<uint8_t>> bytes(parts.size());
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Literal> scalars;
    for (const Literal* argument : arguments) scalars.push_back(ElementOf(*argument, i));
    std::vector<const Literal*> pointers;
    for (const Literal& scalar : scalars) pointers.push_back(&scalar);
    ASSIGN_OR_RETURN(Literal value, EvaluateComputation(computation, pointers));
    const std::vector<Literal> results = AsResults(std::move(value));
    for (size_t r = 0; r < results.size(); ++r) {
      bytes[r].insert(bytes[r].end(), results[r].bytes().begin(), results[r].bytes().end());
    }
  }
  std::vector<Literal> arrays;
  for (size_t r = 0; r < parts.size(); ++r) {
    arrays.push_back(Literal::FromBytes(Shape::Array(parts[r].element_type(), dimensions), std::move(bytes[r])));
  }
  return arrays;
}

}  // namespace

StatusOr<Literal> EvaluateComputation(const HloComputation& computation, Operands arguments) {
  ASSIGN_OR_RETURN(ValueMap values, EvaluateAll(computation, arguments));
  return std::move(values.at(computation.root_instruction()));
}

StatusOr<std::vector<Literal>> ApplyElementwise(const HloComputation& computation, Operands arguments) {
  const std::vector<int64_t> dimensions = CommonDimensions(arguments);
  if (!TakesArraysForScalars(computation)) return ApplyOneByOne(computation, arguments, dimensions);
  ASSIGN_OR_RETURN(Literal value, EvaluateComputation(computation, arguments));
  std::vector<Literal> results = AsResults(std::move(value));
  for (Literal& result : results) result = Expanded(std::move(result), dimensions);
  return results;
}

Status NotEvaluable(const HloInstruction& instruction, std::string what) {
  return Error(ErrorId::kHloNotEvaluable, {.what = std::move(what),
                                           .where = fmt::format("instruction '{}' of computation '{}'",
                                                                instruction.name(), instruction.parent()->name()),
                                           .found = instruction.ToString()});
}

Status CheckSteps(const HloInstruction& instruction, std::span<const int64_t> lengths) {
  if (std::find(lengths.begin(), lengths.end(), 0) != lengths.end()) return OkStatus();
  int64_t steps = 1;
  for (const int64_t length : lengths) {
    if (!__builtin_mul_overflow(steps, length, &steps) && steps <= kMostSteps) continue;
    return NotEvaluable(instruction, fmt::format("this takes more than the evaluator's limit of {} steps", kMostSteps));
  }
  return OkStatus();
}

}  // namespace evaluator

namespace {

void AppendLeaves(Literal value, std::vector<Literal>* leaves) {
  if (!value.shape().IsTuple()) {
    leaves->push_back(std::move(value));
    return;
  }
  for (Literal& element : value.mutable_tuple_elements()) AppendLeaves(std::move(element), leaves);
}

Status CheckArguments(const HloComputation& entry, std::span<const Literal> arguments) {
  std::vector<Shape> given;
  for (const Literal& argument : arguments) given.push_back(argument.shape());
  const Shape expected = Shape::Tuple(entry.ComputeProgramShape().parameters);
  if (ShapeUtil::IsValueOf(Shape::Tuple(given), expected)) return OkStatus();
  return Error(ErrorId::kWrongInputs, {.what = "the arguments do not fit the entry computation's parameters",
                                       .where = fmt::format("computation '{}'", entry.name()),
                                       .found = Shape::Tuple(given).ToString(),
                                       .expected = expected.ToString()});
}

Status CheckDeviceCount(const HloModule& module, size_t given) {
  constexpr int64_t kMostDevices = 1024;
  int64_t devices = 0;
  const auto& [replicas, partitions] = std::pair(module.config().replica_count, module.config().num_partitions);
  const std::string found = fmt::format("{} replicas of {} partitions", replicas, partitions);
  if (replicas < 1 || partitions < 1 || __builtin_mul_overflow(replicas, partitions, &devices) ||
      devices > kMostDevices) {
    return Error(ErrorId::kHloNotEvaluable, {.what = "the evaluator does not simulate so many devices",
                                             .where = fmt::format("module '{}'", module.name()),
                                             .found = found,
                                             .expected = fmt::format("1 to {} devices", kMostDevices)});
  }
  if (static_cast<int64_t>(given) == devices) return OkStatus();
  return Error(ErrorId::kWrongInputs,
               {.what = "the module runs on another number of devices than there are arguments for",
                .where = fmt::format("module '{}'", module.name()),
                .found = fmt::format("arguments of {} devices", given),
                .expected = found});
}

}  // namespace

StatusOr<std::vector<std::vector<Literal>>> EvaluateOnDevices(const HloModule& module,
                                                              std::span<const std::vector<Literal>> arguments,
                                                              std::span<const EvaluationOptions> options) {
  RETURN_IF_ERROR(CheckDeviceCount(module, arguments.size()));
  const EvaluationOptions no_options;
  const auto devices = static_cast<int64_t>(arguments.size());
  evaluator::DeviceGroup group(devices);
  std::vector<StatusOr<std::vector<Literal>>> results(devices, std::vector<Literal>());
  std::vector<std::thread> threads;
  for (int64_t device = 0; device < devices; ++device) {
    threads.emplace_back([&, device] {
      evaluator::CurrentDevice() = {.group = &group, .config = module.config(), .device = device};
      const auto of_device = static_cast<size_t>(device);
      results[device] =
          Evaluate(module, arguments[device], of_device < options.size() ? options[of_device] : no_options);
      group.Leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::vector<Literal>> values;
  for (auto& result : results) {
    ASSIGN_OR_RETURN(std::vector<Literal> of_device, std::move(result));
    values.push_back(std::move(of_device));
  }
  return values;
}

StatusOr<std::vector<Literal>> Evaluate(const HloModule& module, std::span<const Literal> arguments,
                                        const EvaluationOptions& options) {
  const HloComputation& entry = *module.entry_computation();
  RETURN_IF_ERROR(CheckArguments(entry, arguments));
  evaluator::CurrentDevice().run = evaluator::RunState{.options = options};
  std::vector<const Literal*> pointers;
  for (const Literal& argument : arguments) pointers.push_back(&argument);
  ASSIGN_OR_RETURN(Literal result, evaluator::EvaluateComputation(entry, pointers));
  std::vector<Literal> leaves;
  AppendLeaves(std::move(result), &leaves);
  return leaves;
}

}  // namespace xla
