// Shape rules of what moves values between devices and the host one by one, and of random numbers that come from a
// state outside of the program.
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

// Operand `i` is a token.
Problem CheckToken(const HloInstruction& instruction, int64_t i) {
  const Shape& shape = OperandShape(instruction, i);
  if (shape.IsToken()) return std::nullopt;
  return Wrong(fmt::format("operand {} of {} must be a token", i, HloOpcodeString(instruction.opcode())),
               shape.ToString(), "token[]");
}

// What a send or a recv gives: the value on its way, a context that only the backend reads, and a token.
Shape OnItsWay(const Shape& value) { return Shape::Tuple({value, Shape::Scalar(U32), Shape::Token()}); }

Problem CheckIsOnItsWay(const HloInstruction& instruction, HloOpcode first) {
  const Shape& shape = OperandShape(instruction, 0);
  const bool fits = shape.IsTuple() && shape.tuple_shapes().size() == 3 &&
                    ShapeUtil::Compatible(shape, OnItsWay(shape.tuple_shapes(0)));
  const HloInstruction* operand = instruction.operand(0);
  // Between them may lie a loop, but no instruction of the other kind.
  const bool is_other =
      (operand->opcode() == HloOpcode::kSend || operand->opcode() == HloOpcode::kRecv) && operand->opcode() != first;
  if (fits && !is_other) return std::nullopt;
  return Wrong(fmt::format("{} waits for a {}", HloOpcodeString(instruction.opcode()), HloOpcodeString(first)),
               fits ? std::string(HloOpcodeString(operand->opcode())) : shape.ToString(),
               fmt::format("what {} gives: (value, u32[], token[])", HloOpcodeString(first)));
}

}  // namespace

ShapeRuleResult RngShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& declared = instruction.shape();
  const auto distribution = instruction.attributes().Get<RandomDistribution>(AttributeId::kDistribution);
  const std::vector<Shape> operands = OperandShapes(instruction);
  const Shape parameter = Shape::Scalar(declared.element_type());
  const bool fits = declared.IsArray() && operands.size() == 2 && ShapeUtil::Compatible(operands[0], parameter) &&
                    ShapeUtil::Compatible(operands[1], parameter);
  if (!fits) {
    return Wrong(fmt::format("the operands of rng are {}", distribution == RandomDistribution::kNormal
                                                               ? "mean and standard deviation"
                                                               : "the least value and the one above all"),
                 ShapesText(operands), fmt::format("two scalars of the type of {}", declared.ToString()));
  }
  if (distribution == RandomDistribution::kNormal && !IsFloat(declared.element_type())) {
    return Wrong("a normal distribution is one of floats", declared.ToString(),
                 "floating-point elements, or distribution=rng_uniform");
  }
  return declared;
}

ShapeRuleResult RngGetAndUpdateStateShape(const HloInstruction&) { return Shape::Array(U64, {2}); }

ShapeRuleResult InfeedShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckToken(instruction, 0));
  const Shape& declared = instruction.shape();
  if (!declared.IsTuple() || declared.tuple_shapes().size() != 2) {
    return Wrong("infeed gives a value and a token", declared.ToString(), "(value, token[])");
  }
  return Shape::Tuple({declared.tuple_shapes(0), Shape::Token()});
}

ShapeRuleResult OutfeedShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckToken(instruction, 1));
  const Shape& value = OperandShape(instruction, 0);
  const auto* shape = instruction.attributes().Find<Shape>(AttributeId::kOutfeedShape);
  if (shape != nullptr && !ShapeUtil::Compatible(*shape, value)) {
    return Wrong("outfeed_shape is not the shape of the value", shape->ToString(), value.ToString());
  }
  return Shape::Token();
}

ShapeRuleResult SendShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckToken(instruction, 1));
  return OnItsWay(OperandShape(instruction, 0));
}

ShapeRuleResult SendDoneShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckIsOnItsWay(instruction, HloOpcode::kSend));
  return Shape::Token();
}

ShapeRuleResult RecvShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckToken(instruction, 0));
  const Shape& declared = instruction.shape();
  if (!declared.IsTuple() || declared.tuple_shapes().size() != 3) {
    return Wrong("recv gives a value on its way, a context and a token", declared.ToString(),
                 "(value, u32[], token[])");
  }
  return OnItsWay(declared.tuple_shapes(0));
}

ShapeRuleResult RecvDoneShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckIsOnItsWay(instruction, HloOpcode::kRecv));
  return Shape::Tuple({OperandShape(instruction, 0).tuple_shapes(0), Shape::Token()});
}

// A border between shardings; what stands in it is for the partitioner.
ShapeRuleResult DomainShape(const HloInstruction& instruction) {
  const std::string text = instruction.attributes().Get<Verbatim>(AttributeId::kDomain).text;
  if (!text.starts_with("{kind=")) {
    return Wrong("a domain has a kind, an entry and an exit", "domain=" + text,
                 "domain={kind=\"sharding\", entry={...}, exit={...}}");
  }
  return OperandShape(instruction, 0);
}

}  // namespace xla::shape_rules
