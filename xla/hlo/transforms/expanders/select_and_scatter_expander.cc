// select-and-scatter in two steps that exist: a reduce-window finds the number of the selected element of each window,
// a scatter adds the source there.
#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Arrays = std::vector<HloInstruction*>;

// (there0, value0, number0, there1, value1, number1) -> the selected one. The left one stays unless `select` prefers
// the right one; what is not there (padding) is never selected.
StatusOr<HloComputation*> AddSelector(const HloInstruction& instruction) {
  auto computation = std::make_unique<HloComputation>("selected");
  GraphWriter w(*computation);
  const PrimitiveType types[] = {PRED, instruction.shape().element_type(), S32};
  Arrays sides[2];
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < 3; ++i) {
      sides[side].push_back(w.Add(HloInstruction::CreateParameter(side * 3 + i, Shape::Scalar(types[i]), "")));
    }
  }
  HloInstruction* const pair[] = {sides[0][1], sides[1][1]};
  ASSIGN_OR_RETURN(const Arrays prefers_left, w.Apply(*instruction.select(), pair));
  HloInstruction* right_is_absent = w.Unary(HloOpcode::kNot, sides[1][0]);
  HloInstruction* keep =
      w.Binary(HloOpcode::kAnd, sides[0][0], w.Binary(HloOpcode::kOr, right_is_absent, prefers_left[0]));
  HloInstruction* results[] = {w.Binary(HloOpcode::kOr, sides[0][0], sides[1][0]),
                               w.Select(keep, sides[0][1], sides[1][1]), w.Select(keep, sides[0][2], sides[1][2])};
  computation->set_root_instruction(w.Add(HloInstruction::CreateTuple(results)));
  return instruction.GetModule()->AddEmbeddedComputation(std::move(computation));
}

Status Expand(HloInstruction* instruction) {
  GraphWriter w(*instruction->parent());
  HloInstruction* operand = instruction->mutable_operand(0);
  HloInstruction* source = instruction->mutable_operand(1);
  const std::vector<int64_t>& dimensions = operand->shape().dimensions();
  const int64_t elements = ShapeUtil::ElementsIn(operand->shape());
  const int64_t windows = ShapeUtil::ElementsIn(source->shape());
  const PrimitiveType type = operand->shape().element_type();
  HloInstruction* start = w.Splat(instruction->mutable_operand(2), {elements});

  ASSIGN_OR_RETURN(HloComputation * selector, AddSelector(*instruction));
  HloInstruction* const inputs[] = {w.Splat(w.Constant(Literal::Scalar<bool>(PRED, true)), dimensions),
                                    operand,
                                    w.Reshape(w.Iota({elements}, 0), dimensions),
                                    w.Constant(Literal::Scalar<bool>(PRED, false)),
                                    w.Scalar(type, 0),
                                    w.Scalar(S32, -1)};
  AttributeSet window;
  window.Set(AttributeId::kWindow, instruction->window());
  window.Set(AttributeId::kToApply, selector);
  std::vector<Shape> shapes;
  for (PrimitiveType of_result : {PRED, type, S32}) {
    shapes.push_back(Shape::Array(of_result, source->shape().dimensions()));
  }
  HloInstruction* selected = w.Add(
      HloInstruction::Create(HloOpcode::kReduceWindow, Shape::Tuple(std::move(shapes)), inputs, std::move(window)));

  AttributeSet numbers;
  numbers.Set(AttributeId::kUpdateWindowDims, std::vector<int64_t>{});
  numbers.Set(AttributeId::kInsertedWindowDims, std::vector<int64_t>{0});
  numbers.Set(AttributeId::kScatterDimsToOperandDims, std::vector<int64_t>{0});
  numbers.Set(AttributeId::kIndexVectorDim, int64_t{1});
  numbers.Set(AttributeId::kToApply, instruction->scatter());
  HloInstruction* const operands[] = {start, w.Reshape(w.Element(selected, 2), {windows}),
                                      w.Reshape(source, {windows})};
  HloInstruction* scattered =
      w.Add(HloInstruction::Create(HloOpcode::kScatter, start->shape(), operands, std::move(numbers)));
  return ReplaceExpanded(instruction, w.Reshape(scattered, dimensions));
}

}  // namespace

StatusOr<Changed> SelectAndScatterExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kSelectAndScatter, &Expand);
}

}  // namespace xla
