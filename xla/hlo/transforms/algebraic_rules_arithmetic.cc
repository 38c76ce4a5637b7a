// Rules on values: arithmetic, logic, conversions, selection.
#include <cmath>

#include "xla/hlo/ir/float_format.h"
#include "xla/hlo/transforms/algebraic_rules.h"

namespace xla {
namespace {

// The scalar that fills the value: a constant whose elements are all equal, or a broadcast of one. Null if there is
// none.
const Literal* Splat(const HloInstruction* instruction) {
  while (instruction->opcode() == HloOpcode::kBroadcast) instruction = instruction->operand(0);
  if (instruction->opcode() != HloOpcode::kConstant || !instruction->shape().IsArray()) return nullptr;
  return instruction->literal().IsAllEqual() ? &instruction->literal() : nullptr;
}

bool IsNumber(const Literal* splat, int64_t number) {
  if (splat == nullptr) return false;
  const PrimitiveType type = splat->shape().element_type();
  if (IsInteger(type) || type == PRED) return splat->GetAsInt64(0) == number;
  if (!IsFloat(type)) return false;  // complex: (1 + 0i) * inf is not inf
  const double value = splat->GetAsDouble(0);
  return value == static_cast<double>(number) && !std::signbit(value);
}

bool IsNegativeZero(const Literal* splat) {
  if (splat == nullptr || !IsFloat(splat->shape().element_type())) return false;
  const double value = splat->GetAsDouble(0);
  return value == 0 && std::signbit(value);
}

bool IsIntegral(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape().element_type();
  return IsInteger(type) || type == PRED;
}

// pred true, -1, or the largest unsigned value.
bool IsAllOnes(const Literal* splat) {
  if (splat == nullptr) return false;
  const PrimitiveType type = splat->shape().element_type();
  if (type == PRED) return splat->GetAsInt64(0) != 0;
  if (!IsInteger(type)) return false;
  Literal ones = Literal::Zeros(Shape::Scalar(type));
  ones.SetFromInt64(0, -1);
  return ones.GetAsInt64(0) == splat->GetAsInt64(0);
}

// The value that every other one of the type is at least (sign +1: at most) equal to: -inf, or the type's lowest.
bool IsExtreme(const Literal* splat, int sign) {
  if (splat == nullptr) return false;
  const PrimitiveType type = splat->shape().element_type();
  if (IsFloat(type)) {
    const bool has_infinity = FloatFormatOf(type).specials == FloatSpecials::kIeee;
    return splat->GetAsDouble(0) == sign * (has_infinity ? HUGE_VAL : MaxFinite(type));
  }
  if (type == PRED || IsUnsigned(type)) return sign < 0 ? IsNumber(splat, 0) : IsAllOnes(splat);
  if (!IsSigned(type)) return false;
  const auto lowest = static_cast<int64_t>(~uint64_t{0} << (BitWidth(type) - 1));
  return splat->GetAsInt64(0) == (sign < 0 ? lowest : ~lowest);
}

// The other operand of a commuting opcode, if one of them is such a splat.
template <class Predicate>
HloInstruction* OtherThan(HloInstruction& instruction, const Predicate& is_neutral) {
  for (int64_t i : {1, 0}) {
    if (is_neutral(Splat(instruction.operand(i)))) return instruction.mutable_operand(1 - i);
  }
  return nullptr;
}

HloInstruction* MultiplyByOne(HloInstruction& multiply) {
  return OtherThan(multiply, [](const Literal* splat) { return IsNumber(splat, 1); });
}

HloInstruction* AddZero(HloInstruction& add) {
  const bool integral = IsIntegral(add);
  return OtherThan(add, [&](const Literal* s) { return integral ? IsNumber(s, 0) : IsNegativeZero(s); });
}

HloInstruction* SubtractZero(HloInstruction& subtract) {
  return IsNumber(Splat(subtract.operand(1)), 0) ? subtract.mutable_operand(0) : nullptr;
}

HloInstruction* DivideByOne(HloInstruction& divide) {
  return IsNumber(Splat(divide.operand(1)), 1) ? divide.mutable_operand(0) : nullptr;
}

HloInstruction* MaximumOfLowest(HloInstruction& maximum) {
  return OtherThan(maximum, [](const Literal* splat) { return IsExtreme(splat, -1); });
}

HloInstruction* MinimumOfHighest(HloInstruction& minimum) {
  return OtherThan(minimum, [](const Literal* splat) { return IsExtreme(splat, +1); });
}

HloInstruction* AndAllOnes(HloInstruction& instruction) { return OtherThan(instruction, IsAllOnes); }

HloInstruction* OrZero(HloInstruction& instruction) {
  return OtherThan(instruction, [](const Literal* splat) { return IsNumber(splat, 0); });
}

HloInstruction* ShiftByZero(HloInstruction& shift) { return SubtractZero(shift); }

HloInstruction* OperandOfSame(HloInstruction& outer) {
  HloInstruction* inner = outer.mutable_operand(0);
  return inner->opcode() == outer.opcode() ? inner->mutable_operand(0) : nullptr;
}

HloInstruction* SelectSame(HloInstruction& select) {
  return select.operand(1) == select.operand(2) ? select.mutable_operand(1) : nullptr;
}

HloInstruction* SelectConstant(HloInstruction& select) {
  const Literal* condition = Splat(select.operand(0));
  if (condition == nullptr) return nullptr;
  return select.mutable_operand(condition->GetAsInt64(0) != 0 ? 1 : 2);
}

HloInstruction* ConvertToSameType(HloInstruction& convert) {
  HloInstruction* operand = convert.mutable_operand(0);
  return operand->shape().element_type() == convert.shape().element_type() ? operand : nullptr;
}

// True if every value of `narrow` is one of `wide`.
bool Holds(PrimitiveType wide, PrimitiveType narrow) {
  if (TypeClassOf(narrow) == TypeClass::kPred) return IsInteger(wide) && BitWidth(wide) > 1;
  if (IsSigned(narrow)) return IsSigned(wide) && BitWidth(wide) >= BitWidth(narrow);
  if (IsUnsigned(narrow)) return IsInteger(wide) && BitWidth(wide) >= BitWidth(narrow) + (IsSigned(wide) ? 1 : 0);
  // Only to the types that have infinities, NaN and signed zeros: f32 and f64 hold all smaller ones.
  return IsFloat(narrow) && narrow != wide && (wide == F64 || (wide == F32 && narrow != F64));
}

HloInstruction* ConvertThereAndBack(HloInstruction& outer) {
  HloInstruction* inner = outer.mutable_operand(0);
  if (inner->opcode() != HloOpcode::kConvert) return nullptr;
  HloInstruction* source = inner->mutable_operand(0);
  const PrimitiveType type = source->shape().element_type();
  const bool fires = type == outer.shape().element_type() && Holds(inner->shape().element_type(), type);
  return fires ? source : nullptr;
}

constexpr RewriteRule kRules[] = {
    {"multiply_by_one", "x * 1 = x", HloOpcode::kMultiply, &MultiplyByOne},
    {"add_zero", "x + 0 = x for integers, x + -0.0 = x for floats (-0.0 + 0.0 is 0.0)", HloOpcode::kAdd, &AddZero},
    {"subtract_zero", "x - 0 = x", HloOpcode::kSubtract, &SubtractZero},
    {"divide_by_one", "x / 1 = x", HloOpcode::kDivide, &DivideByOne},
    {"maximum_of_lowest", "max(x, -inf) = x (NaN comes through)", HloOpcode::kMaximum, &MaximumOfLowest},
    {"minimum_of_highest", "min(x, inf) = x", HloOpcode::kMinimum, &MinimumOfHighest},
    {"and_all_ones", "x & ~0 = x", HloOpcode::kAnd, &AndAllOnes},
    {"or_zero", "x | 0 = x", HloOpcode::kOr, &OrZero},
    {"xor_zero", "x ^ 0 = x", HloOpcode::kXor, &OrZero},
    {"shift_left_by_zero", "x << 0 = x", HloOpcode::kShiftLeft, &ShiftByZero},
    {"shift_right_arithmetic_by_zero", "x >> 0 = x", HloOpcode::kShiftRightArithmetic, &ShiftByZero},
    {"shift_right_logical_by_zero", "x >>> 0 = x", HloOpcode::kShiftRightLogical, &ShiftByZero},
    {"negate_of_negate", "-(-x) = x", HloOpcode::kNegate, &OperandOfSame},
    {"not_of_not", "~~x = x", HloOpcode::kNot, &OperandOfSame},
    {"select_same", "select(p, x, x) = x", HloOpcode::kSelect, &SelectSame},
    {"select_constant", "select(true, x, y) = x", HloOpcode::kSelect, &SelectConstant},
    {"convert_to_same_type", "convert<T>(x: T) = x", HloOpcode::kConvert, &ConvertToSameType},
    {"convert_there_and_back", "convert<T>(convert<Wider>(x: T)) = x", HloOpcode::kConvert, &ConvertThereAndBack},
};

}  // namespace

std::span<const RewriteRule> ArithmeticRules() { return kRules; }

}  // namespace xla
