#include "xla/hlo/ir/hlo_verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error_ids.h"
#include "xla/hlo/ir/dynamic_dimensions.h"
#include "xla/hlo/ir/shape_rules.h"

namespace xla {
namespace {

using Problem = std::optional<ErrorText>;

#define RETURN_IF_PROBLEM(expr)                     \
  do {                                              \
    if (Problem problem_ = (expr)) return problem_; \
  } while (false)

bool IsPermutation(const std::vector<int64_t>& list, int64_t rank) {
  std::vector<int64_t> sorted = list;
  std::sort(sorted.begin(), sorted.end());
  for (int64_t i = 0; i < static_cast<int64_t>(sorted.size()); ++i) {
    if (sorted[i] != i) return false;
  }
  return static_cast<int64_t>(sorted.size()) == rank;
}

Problem CheckShapeItself(const Shape& shape) {
  for (const Shape& element : shape.tuple_shapes()) RETURN_IF_PROBLEM(CheckShapeItself(element));
  if (!shape.IsArray()) return std::nullopt;
  if (!ShapeUtil::CheckedElementsIn(shape.element_type(), shape.dimensions())) {
    return ErrorText{.what = "the array is too large", .found = shape.ToString(), .expected = "a size in 64 bits"};
  }
  if (!IsPermutation(shape.layout().minor_to_major(), shape.rank())) {
    return ErrorText{.what = "the layout must name each dimension once",
                     .found = shape.ToStringWithLayout(),
                     .expected = fmt::format("a permutation of {} dimensions", shape.rank())};
  }
  return std::nullopt;
}

Problem CheckArity(const HloInstruction& instruction) {
  const int arity = InfoOf(instruction.opcode()).arity;
  if (arity == kVariadic || instruction.operand_count() == arity) return std::nullopt;
  return ErrorText{.what = fmt::format("wrong number of operands for {}", HloOpcodeString(instruction.opcode())),
                   .found = fmt::format("{}", instruction.operand_count()),
                   .expected = fmt::format("{}", arity)};
}

Problem CheckAttributes(const HloInstruction& instruction) {
  const auto& uses = InfoOf(instruction.opcode()).attributes;
  const std::string_view opcode = HloOpcodeString(instruction.opcode());
  for (const AttributeUse& use : uses) {
    if (use.required && !instruction.attributes().Has(use.id)) {
      return ErrorText{.what = fmt::format("{} lacks an attribute", opcode),
                       .expected = fmt::format("{}=...", AttributeText(use.id))};
    }
  }
  for (const auto& [id, value] : instruction.attributes().entries()) {
    const auto has_id = [id = id](const AttributeUse& use) { return use.id == id; };
    if (!IsCommonAttribute(id) && std::none_of(uses.begin(), uses.end(), has_id)) {
      return ErrorText{.what = fmt::format("{} has no such attribute", opcode),
                       .found = fmt::format("{}={}", AttributeText(id), AttributeValueToString(value))};
    }
  }
  return std::nullopt;
}

uint32_t TraitOf(PrimitiveType type) {
  switch (TypeClassOf(type)) {
    case TypeClass::kPred:
      return op_trait::kPred;
    case TypeClass::kSigned:
    case TypeClass::kUnsigned:
      return op_trait::kInteger;
    case TypeClass::kFloat:
      return op_trait::kFloating;
    case TypeClass::kComplex:
      return op_trait::kComplex;
    case TypeClass::kOther:
      break;
  }
  return op_trait::kAnyArray;  // not an array: the shape rule says so
}

std::string TypesText(uint32_t traits) {
  std::string text;
  const auto append = [&](uint32_t trait, std::string_view name) {
    if ((traits & trait) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  append(op_trait::kPred, "pred");
  append(op_trait::kInteger, "integer");
  append(op_trait::kFloating, "floating-point");
  append(op_trait::kComplex, "complex");
  return text + " elements";
}

Problem CheckElementType(const HloInstruction& instruction) {
  const uint32_t allowed = InfoOf(instruction.opcode()).traits & op_trait::kAnyArray;
  if (allowed == 0) return std::nullopt;
  const Shape& shape = instruction.operand_count() == 0 ? instruction.shape() : instruction.operands().back()->shape();
  if ((allowed & TraitOf(shape.element_type())) != 0) return std::nullopt;
  return ErrorText{.what = fmt::format("{} does not take this element type", HloOpcodeString(instruction.opcode())),
                   .found = shape.ToString(),
                   .expected = TypesText(allowed)};
}

Problem CheckShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckShapeItself(instruction.shape()));
  const ShapeRuleResult result = InfoOf(instruction.opcode()).shape_rule(instruction);
  RETURN_IF_PROBLEM(result.problem());
  const Shape expected = WithDynamicDimensions(instruction, result.shape());
  if (ShapeUtil::SameValues(expected, instruction.shape())) return std::nullopt;
  return ErrorText{.what = fmt::format("the shape of this {} does not follow from its operands",
                                       HloOpcodeString(instruction.opcode())),
                   .found = instruction.shape().ToString(),
                   .expected = expected.ToString()};
}

class Verifier {
 public:
  Verifier(const HloModule& module, const LocateInstruction& locate) : module_(module), locate_(locate) {}

  Status Run() {
    if (module_.entry_computation() == nullptr) {
      return Fail({.what = "the module has no entry computation", .where = ModulePlace()});
    }
    std::unordered_set<std::string> names;
    for (const HloComputation* computation : module_.MakeComputationSorted()) {
      if (!names.insert(computation->name()).second) {
        return Fail({.what = "two computations have the same name", .found = computation->name()});
      }
      RETURN_IF_ERROR(CheckComputation(*computation));
      verified_.insert(computation);
    }
    return CheckEntryLayout();
  }

 private:
  Status Fail(ErrorText text) const { return Error(ErrorId::kHloVerifier, std::move(text)); }

  std::string ModulePlace() const { return locate_ ? locate_(nullptr) : "module " + module_.name(); }

  Status FailAt(const HloInstruction& instruction, ErrorText text) const {
    if (locate_) {
      text.where = locate_(&instruction);
    } else {
      text.where = fmt::format("instruction '{}' of computation '{}'\n{}", instruction.name(),
                               instruction.parent()->name(), instruction.ToString());
    }
    return Fail(std::move(text));
  }

  Status CheckComputation(const HloComputation& computation) const {
    const std::string where = fmt::format("computation '{}'", computation.name());
    const HloInstruction* root = computation.root_instruction();
    if (root == nullptr || root->parent() != &computation) {
      return Fail({.what = "the computation has no root", .where = where});
    }
    RETURN_IF_ERROR(CheckParameterNumbers(computation));
    std::unordered_set<std::string_view> names;
    std::vector<bool> done(computation.instruction_index_limit());
    for (const HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
      if (instruction->parent() != &computation) return Fail(ForeignOperand(computation, *instruction));
      if (!names.insert(instruction->name()).second) {
        return FailAt(*instruction, {.what = "two instructions have the same name", .found = instruction->name()});
      }
      for (const HloInstruction* operand : instruction->operands()) {
        if (operand->parent() == &computation && !done[operand->index()]) {
          return FailAt(*instruction, {.what = "the computation has a cycle",
                                       .found = fmt::format("operand '{}' depends on its user", operand->name())});
        }
      }
      RETURN_IF_ERROR(CheckInstruction(*instruction));
      done[instruction->index()] = true;
    }
    return OkStatus();
  }

  static ErrorText ForeignOperand(const HloComputation& computation, const HloInstruction& instruction) {
    return {
        .what = fmt::format("an instruction of computation '{}' uses one of another computation", computation.name()),
        .found = instruction.name()};
  }

  Status CheckParameterNumbers(const HloComputation& computation) const {
    int64_t count = 0;
    for (const HloInstruction* instruction : computation.instructions()) {
      count += instruction->opcode() == HloOpcode::kParameter ? 1 : 0;
    }
    for (const HloInstruction* instruction : computation.instructions()) {
      if (instruction->opcode() != HloOpcode::kParameter) continue;
      const int64_t number = instruction->parameter_number();
      if (number >= 0 && number < count && computation.parameter_instruction(number) == instruction) continue;
      return FailAt(*instruction, {.what = "parameters must be numbered from 0 without gaps or repetition",
                                   .found = fmt::format("parameter({})", number),
                                   .expected = fmt::format("the numbers 0 to {}", count - 1)});
    }
    return OkStatus();
  }

  Status CheckInstruction(const HloInstruction& instruction) const {
    Problem problem = CheckArity(instruction);
    if (!problem) problem = CheckAttributes(instruction);
    if (!problem) problem = CheckElementType(instruction);
    if (problem) return FailAt(instruction, *problem);
    for (const HloComputation* called : instruction.called_computations()) {
      if (called != nullptr && called->parent() == &module_ && verified_.contains(called)) continue;
      return FailAt(instruction, {.what = "the called computation is of another module, or calls itself",
                                  .found = called == nullptr ? "none" : called->name()});
    }
    problem = CheckShape(instruction);
    return problem ? FailAt(instruction, *problem) : OkStatus();
  }

  Status CheckEntryLayout() const {
    const auto& declared = module_.config().entry_computation_layout;
    if (!declared) return OkStatus();
    const ProgramShape actual = module_.entry_computation()->ComputeProgramShape();
    const bool fits = ShapeUtil::SameValues(declared->result, actual.result) &&
                      ShapeUtil::SameValues(Shape::Tuple(declared->parameters), Shape::Tuple(actual.parameters));
    if (fits) return OkStatus();
    return Fail({.what = "entry_computation_layout does not fit the entry computation",
                 .where = ModulePlace(),
                 .found = declared->ToString(),
                 .expected = actual.ToString()});
  }

  const HloModule& module_;
  const LocateInstruction& locate_;
  std::unordered_set<const HloComputation*> verified_;
};

}  // namespace

Status VerifyHloModule(const HloModule& module, const LocateInstruction& locate) {
  return Verifier(module, locate).Run();
}

}  // namespace xla
