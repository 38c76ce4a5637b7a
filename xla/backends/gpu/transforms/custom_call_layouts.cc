// CustomCallLayouts: a custom call reads its operands in the layouts that it names; whoever computes them is free.
#include "xla/backends/gpu/transforms/control_flow.h"
#include "xla/backends/gpu/transforms/passes.h"
#include "xla/hlo/parser/shape_parser.h"

namespace xla::gpu {
namespace {

// The operands' shapes with the layouts of operand_layout_constraints, or row-major ones without it.
StatusOr<std::vector<Shape>> WantedShapes(const HloInstruction& call) {
  std::vector<Shape> wanted;
  for (const HloInstruction* operand : call.operands())
    wanted.push_back(ShapeUtil::WithDefaultLayout(operand->shape()));
  const auto* text = call.attributes().Find<Verbatim>(AttributeId::kOperandLayoutConstraints);
  if (text == nullptr) return wanted;
  TextCursor cursor(text->text, "operand_layout_constraints of " + call.name());
  RETURN_IF_ERROR(cursor.Expect("{", "the shapes stand in braces"));
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (i > 0) RETURN_IF_ERROR(cursor.Expect(",", "there must be one shape for each operand"));
    ASSIGN_OR_RETURN(wanted[i], ParseShape(cursor));
    if (ShapeUtil::Compatible(wanted[i], call.operand(static_cast<int64_t>(i))->shape())) continue;
    return cursor.SyntaxError("the shape is not that of the operand",
                              call.operand(static_cast<int64_t>(i))->shape().ToString());
  }
  RETURN_IF_ERROR(cursor.Expect("}", "there must be one shape for each operand"));
  return wanted;
}

}  // namespace

StatusOr<Changed> CustomCallLayouts::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : ControlFlowComputations(module)) {
    for (HloInstruction* call : computation->MakeInstructionPostOrder()) {
      if (call->opcode() != HloOpcode::kCustomCall) continue;
      ASSIGN_OR_RETURN(const std::vector<Shape> wanted, WantedShapes(*call));
      for (int64_t i = 0; i < call->operand_count(); ++i) {
        if (wanted[i] == call->operand(i)->shape()) continue;
        call->ReplaceOperandWith(i, computation->AddInstruction(HloInstruction::CreateUnary(wanted[i], HloOpcode::kCopy,
                                                                                            call->mutable_operand(i))));
        changed = Changed::kYes;
      }
    }
  }
  return changed;
}

}  // namespace xla::gpu
