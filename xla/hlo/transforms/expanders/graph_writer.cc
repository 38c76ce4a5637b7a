#include "xla/hlo/transforms/expanders/graph_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/error_ids.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

Shape WithDimensions(const HloInstruction* x, Dims dimensions) {
  return Shape::Array(x->shape().element_type(), std::move(dimensions));
}

bool IsIdentity(const Dims& order) {
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

}  // namespace

HloInstruction* GraphWriter::Scalar(PrimitiveType type, double value) {
  Literal literal = Literal::Zeros(Shape::Scalar(type));
  literal.SetFromDouble(0, value);
  return Constant(std::move(literal));
}

HloInstruction* GraphWriter::Iota(Dims dimensions, int64_t along) {
  return Add(HloInstruction::CreateIota(Shape::Array(S32, std::move(dimensions)), along));
}

HloInstruction* GraphWriter::Unary(HloOpcode opcode, HloInstruction* x) {
  return Add(HloInstruction::CreateUnary(WithDimensions(x, x->shape().dimensions()), opcode, x));
}

HloInstruction* GraphWriter::Binary(HloOpcode opcode, HloInstruction* x, HloInstruction* y) {
  return Add(HloInstruction::CreateBinary(WithDimensions(x, x->shape().dimensions()), opcode, x, y));
}

HloInstruction* GraphWriter::Compare(ComparisonDirection direction, HloInstruction* x, HloInstruction* y) {
  return Add(HloInstruction::CreateCompare(Shape::Array(PRED, x->shape().dimensions()), x, y, direction));
}

HloInstruction* GraphWriter::Select(HloInstruction* predicate, HloInstruction* on_true, HloInstruction* on_false) {
  return Add(HloInstruction::CreateTernary(WithDimensions(on_true, on_true->shape().dimensions()), HloOpcode::kSelect,
                                           predicate, on_true, on_false));
}

HloInstruction* GraphWriter::Convert(HloInstruction* x, PrimitiveType type) {
  if (x->shape().element_type() == type) return x;
  return Add(HloInstruction::CreateConvert(Shape::Array(type, x->shape().dimensions()), x));
}

HloInstruction* GraphWriter::RealPart(HloInstruction* x) {
  if (!IsComplex(x->shape().element_type())) return x;
  const PrimitiveType part = x->shape().element_type() == C128 ? F64 : F32;
  return Add(HloInstruction::CreateUnary(Shape::Array(part, x->shape().dimensions()), HloOpcode::kReal, x));
}

HloInstruction* GraphWriter::Conjugate(HloInstruction* x) {
  if (!IsComplex(x->shape().element_type())) return x;
  HloInstruction* real = RealPart(x);
  HloInstruction* imag = Add(HloInstruction::CreateUnary(real->shape(), HloOpcode::kImag, x));
  const Shape shape = Shape::Array(x->shape().element_type(), x->shape().dimensions());
  return Add(HloInstruction::CreateBinary(shape, HloOpcode::kComplex, real, Unary(HloOpcode::kNegate, imag)));
}

HloInstruction* GraphWriter::Splat(HloInstruction* scalar, const Dims& dimensions) {
  if (dimensions.empty()) return scalar;
  return Add(HloInstruction::CreateBroadcast(WithDimensions(scalar, dimensions), scalar, {}));
}

HloInstruction* GraphWriter::Broadcast(HloInstruction* x, const Dims& dimensions, const Dims& places) {
  Dims order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return places[a] < places[b]; });
  Dims ascending = places;
  std::sort(ascending.begin(), ascending.end());
  return Add(HloInstruction::CreateBroadcast(WithDimensions(x, dimensions), Transpose(x, order), ascending));
}

HloInstruction* GraphWriter::Reshape(HloInstruction* x, const Dims& dimensions) {
  if (x->shape().dimensions() == dimensions) return x;
  return Add(HloInstruction::CreateReshape(WithDimensions(x, dimensions), x));
}

HloInstruction* GraphWriter::Transpose(HloInstruction* x, const Dims& order) {
  if (IsIdentity(order)) return x;
  Dims dimensions;
  for (int64_t from : order) dimensions.push_back(x->shape().dimensions(from));
  return Add(HloInstruction::CreateTranspose(WithDimensions(x, std::move(dimensions)), x, order));
}

HloInstruction* GraphWriter::Reverse(HloInstruction* x, const Dims& dimensions) {
  if (dimensions.empty()) return x;
  return Add(HloInstruction::CreateReverse(WithDimensions(x, x->shape().dimensions()), x, dimensions));
}

HloInstruction* GraphWriter::Slice(HloInstruction* x, int64_t dimension, int64_t start, int64_t limit, int64_t stride) {
  if (start == 0 && stride == 1 && limit == x->shape().dimensions(dimension)) return x;
  SliceRanges ranges;
  for (int64_t size : x->shape().dimensions()) ranges.push_back({.start = 0, .limit = size});
  ranges[dimension] = {.start = start, .limit = limit, .stride = stride};
  Dims dimensions = x->shape().dimensions();
  dimensions[dimension] = (limit - start + stride - 1) / stride;
  return Add(HloInstruction::CreateSlice(WithDimensions(x, std::move(dimensions)), x, std::move(ranges)));
}

HloInstruction* GraphWriter::Pad(HloInstruction* x, HloInstruction* value, const PaddingConfig& config) {
  const bool is_nothing = std::all_of(config.begin(), config.end(),
                                      [](const PaddingDimension& padding) { return padding == PaddingDimension(); });
  if (is_nothing) return x;
  Dims dimensions;
  for (size_t i = 0; i < config.size(); ++i) {
    const int64_t size = x->shape().dimensions(static_cast<int64_t>(i));
    dimensions.push_back(size + config[i].edge_padding_low + config[i].edge_padding_high +
                         std::max<int64_t>(size - 1, 0) * config[i].interior_padding);
  }
  return Add(HloInstruction::CreatePad(WithDimensions(x, std::move(dimensions)), x, value, config));
}

HloInstruction* GraphWriter::Concatenate(std::span<HloInstruction* const> pieces, int64_t dimension) {
  Dims dimensions = pieces[0]->shape().dimensions();
  dimensions[dimension] = 0;
  for (const HloInstruction* piece : pieces) dimensions[dimension] += piece->shape().dimensions(dimension);
  return Add(HloInstruction::CreateConcatenate(WithDimensions(pieces[0], std::move(dimensions)), pieces, dimension));
}

HloInstruction* GraphWriter::DynamicIndex(HloInstruction* x, int64_t dimension, HloInstruction* at) {
  Dims sizes = x->shape().dimensions();
  sizes[dimension] = 1;
  std::vector<HloInstruction*> starts(sizes.size(), nullptr);
  for (size_t d = 0; d < sizes.size(); ++d) starts[d] = static_cast<int64_t>(d) == dimension ? at : Scalar(S32, 0);
  const Shape shape = Shape::Array(x->shape().element_type(), sizes);
  return Add(HloInstruction::CreateDynamicSlice(shape, x, starts, sizes));
}

HloInstruction* GraphWriter::Reduce(HloInstruction* x, int64_t dimension, HloOpcode opcode, double initial) {
  const PrimitiveType type = x->shape().element_type();
  Dims kept = x->shape().dimensions();
  kept.erase(kept.begin() + dimension);
  HloInstruction* operands[] = {x, Scalar(type, initial)};
  HloComputation* reducer = AddBinaryComputation(*computation_.parent(), opcode, type);
  return Add(HloInstruction::CreateReduce(Shape::Array(type, kept), operands, {dimension}, reducer));
}

HloInstruction* GraphWriter::Element(HloInstruction* tuple, int64_t index) {
  return Add(HloInstruction::CreateGetTupleElement(tuple, index));
}

StatusOr<std::vector<HloInstruction*>> GraphWriter::Apply(const HloComputation& scalars,
                                                          std::span<HloInstruction* const> arguments) {
  const Dims dimensions = arguments[0]->shape().dimensions();
  std::unordered_map<const HloInstruction*, HloInstruction*> array_of;
  const HloInstruction* root = scalars.root_instruction();
  for (const HloInstruction* scalar : scalars.MakeInstructionPostOrder()) {
    if (scalar == root && root->opcode() == HloOpcode::kTuple) continue;
    if (scalar->opcode() == HloOpcode::kParameter) {
      array_of[scalar] = arguments[scalar->parameter_number()];
      continue;
    }
    if (scalar->IsConstantScalar()) {
      array_of[scalar] = Splat(Constant(scalar->literal()), dimensions);
      continue;
    }
    if (!scalar->IsElementwise()) {
      return Error(ErrorId::kCompilerUnsupportedOpcode,
                   {.what = "a computation that is applied to scalars holds more than arithmetic",
                    .where = fmt::format("computation '{}'", scalars.name()),
                    .found = scalar->ToString(),
                    .expected = "elementwise operations, scalar constants and a root tuple"});
    }
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : scalar->operands()) operands.push_back(array_of.at(operand));
    array_of[scalar] =
        Add(scalar->CloneWithNewOperands(Shape::Array(scalar->shape().element_type(), dimensions), operands));
  }
  if (root->opcode() != HloOpcode::kTuple) return std::vector<HloInstruction*>{array_of.at(root)};
  std::vector<HloInstruction*> results;
  for (const HloInstruction* element : root->operands()) results.push_back(array_of.at(element));
  return results;
}

Status ReplaceExpanded(HloInstruction* instruction, HloInstruction* replacement) {
  HloComputation* computation = instruction->parent();
  if (instruction->shape().IsArray() && replacement->shape() != instruction->shape()) {
    replacement =
        computation->AddInstruction(HloInstruction::CreateUnary(instruction->shape(), HloOpcode::kCopy, replacement));
  }
  return computation->ReplaceInstruction(instruction, replacement);
}

StatusOr<Changed> ExpandEach(HloModule& module, HloOpcode opcode, Status (*expand)(HloInstruction* instruction)) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : module.MakeComputationPostOrder()) {
    for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
      if (instruction->IsMarkedAsDead() || instruction->opcode() != opcode) continue;
      RETURN_IF_ERROR(expand(instruction));
      changed = Changed::kYes;
    }
  }
  if (changed == Changed::kYes) module.RemoveUnusedComputations();
  return changed;
}

std::vector<int64_t> AllDimensions(int64_t rank) {
  std::vector<int64_t> dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

std::vector<HloInstruction*> CountedLoop(GraphWriter& w, int64_t count, const std::vector<HloInstruction*>& state,
                                         const LoopStep& step) {
  HloModule& module = *w.computation().parent();
  std::vector<HloInstruction*> initial = {w.Scalar(S32, 0)};
  initial.insert(initial.end(), state.begin(), state.end());
  HloInstruction* start = w.Add(HloInstruction::CreateTuple(initial));
  const auto parameter = [&](GraphWriter& in) {
    return in.Add(HloInstruction::CreateParameter(0, start->shape(), "state"));
  };
  auto condition = std::make_unique<HloComputation>("condition");
  GraphWriter test(*condition);
  test.Compare(ComparisonDirection::kLt, test.Element(parameter(test), 0),
               test.Scalar(S32, static_cast<double>(count)));
  auto body = std::make_unique<HloComputation>("body");
  GraphWriter work(*body);
  HloComputation* added_condition = module.AddEmbeddedComputation(std::move(condition));
  HloComputation* added_body = module.AddEmbeddedComputation(std::move(body));
  HloInstruction* old = parameter(work);
  HloInstruction* i = work.Element(old, 0);
  std::vector<HloInstruction*> elements;
  for (size_t k = 0; k < state.size(); ++k) elements.push_back(work.Element(old, static_cast<int64_t>(k) + 1));
  std::vector<HloInstruction*> next = {work.Binary(HloOpcode::kAdd, i, work.Scalar(S32, 1))};
  for (HloInstruction* value : step(work, i, elements)) next.push_back(value);
  added_body->set_root_instruction(work.Add(HloInstruction::CreateTuple(next)));
  HloInstruction* loop = w.Add(HloInstruction::CreateWhile(start->shape(), added_condition, added_body, start));
  std::vector<HloInstruction*> results;
  for (size_t k = 0; k < state.size(); ++k) results.push_back(w.Element(loop, static_cast<int64_t>(k) + 1));
  return results;
}

HloComputation* AddBinaryComputation(HloModule& module, HloOpcode opcode, PrimitiveType type) {
  auto computation = std::make_unique<HloComputation>(std::string(HloOpcodeString(opcode)));
  const Shape scalar = Shape::Scalar(type);
  HloInstruction* x = computation->AddInstruction(HloInstruction::CreateParameter(0, scalar, "x"));
  HloInstruction* y = computation->AddInstruction(HloInstruction::CreateParameter(1, scalar, "y"));
  computation->AddInstruction(HloInstruction::CreateBinary(scalar, opcode, x, y));
  return module.AddEmbeddedComputation(std::move(computation));
}

}  // namespace xla
