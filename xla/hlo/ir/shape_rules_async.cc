// Shape rules of operations in two halves. The first half's result is a tuple: (operands, result, contexts...), where
// one operand and one result stand for themselves and several are tuples.
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

// The declared shape has to begin with operands and result; what follows are scalars that only the backend reads.
ShapeRuleResult StartedShape(const HloInstruction& instruction, const Shape& operands, const Shape& result) {
  const Shape& declared = instruction.shape();
  const auto fits = [&] {
    if (!declared.IsTuple() || declared.tuple_shapes().size() < 2) return false;
    for (size_t i = 2; i < declared.tuple_shapes().size(); ++i) {
      if (!declared.tuple_shapes(i).IsScalar()) return false;
    }
    return ShapeUtil::Compatible(declared.tuple_shapes(0), operands) &&
           ShapeUtil::Compatible(declared.tuple_shapes(1), result);
  };
  if (fits()) return declared;
  return Wrong(fmt::format("{} gives its operands, its result, and scalar contexts if any",
                           HloOpcodeString(instruction.opcode())),
               declared.ToString(), fmt::format("({}, {}, ...)", operands.ToString(), result.ToString()));
}

Problem CheckPair(const HloInstruction& instruction) {
  const Shape& started = OperandShape(instruction, 0);
  if (started.IsTuple() && started.tuple_shapes().size() >= 2) return std::nullopt;
  return Wrong(fmt::format("{} waits for what the first half gives", HloOpcodeString(instruction.opcode())),
               started.ToString(), "a tuple of operands, result and contexts");
}

}  // namespace

ShapeRuleResult AllGatherStartShape(const HloInstruction& instruction) {
  const ShapeRuleResult gathered = AllGatherShape(instruction);
  if (gathered.problem()) return gathered;
  return StartedShape(instruction, OneOrTuple(OperandShapes(instruction)), gathered.shape());
}

ShapeRuleResult CollectivePermuteStartShape(const HloInstruction& instruction) {
  const ShapeRuleResult permuted = CollectivePermuteShape(instruction);
  if (permuted.problem()) return permuted;
  return StartedShape(instruction, OneOrTuple(OperandShapes(instruction)), permuted.shape());
}

// The operands stand in a tuple even if there is one.
ShapeRuleResult AsyncStartShape(const HloInstruction& instruction) {
  const HloComputation& called = *instruction.attributes().Get<HloComputation*>(AttributeId::kCalls);
  RETURN_IF_PROBLEM(CheckParameters("calls", called, OperandShapes(instruction)));
  return StartedShape(instruction, Shape::Tuple(OperandShapes(instruction)), called.root_instruction()->shape());
}

ShapeRuleResult CopyStartShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  return Shape::Tuple({operand, operand, Shape::Scalar(U32)});
}

ShapeRuleResult FirstOfPairShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckPair(instruction));
  return OperandShape(instruction, 0).tuple_shapes(0);
}

ShapeRuleResult SecondOfPairShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckPair(instruction));
  return OperandShape(instruction, 0).tuple_shapes(1);
}

ShapeRuleResult WaitedForShape(const HloInstruction& instruction) { return OperandShape(instruction, 0); }

}  // namespace xla::shape_rules
