#include "xla/backends/gpu/codegen/elementwise.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "xla/backends/gpu/codegen/float8.h"
#include "xla/backends/gpu/codegen/reduce_precision.h"

namespace xla::gpu {
namespace {

using Args = std::span<const TtirValue>;
using EmitFn = TtirValue (*)(TtirBuilder&, Args);

TtirValue IntLike(TtirBuilder& b, int64_t value, const TtirValue& like) { return b.IntConstant(value, like.type); }
TtirValue FloatLike(TtirBuilder& b, double value, const TtirValue& like) { return b.FloatConstant(value, like.type); }
int64_t SmallestInt(TtirElement element) { return std::numeric_limits<int64_t>::min() >> (64 - BitsOf(element)); }

TtirValue Identity(TtirBuilder&, Args x) { return x[0]; }
TtirValue FloatZero(TtirBuilder& b, Args x) { return FloatLike(b, 0, x[0]); }
TtirValue NegateInt(TtirBuilder& b, Args x) { return b.Binary("arith.subi", IntLike(b, 0, x[0]), x[0]); }
TtirValue AbsInt(TtirBuilder& b, Args x) { return b.Binary("arith.maxsi", x[0], NegateInt(b, x)); }
TtirValue NotInt(TtirBuilder& b, Args x) {
  return b.Binary("arith.xori", x[0], IntLike(b, x[0].type.element == TtirElement::kI1 ? 1 : -1, x[0]));
}
TtirValue SignInt(TtirBuilder& b, Args x) {
  TtirValue zero = IntLike(b, 0, x[0]);
  TtirValue negative = b.Select(b.Compare("arith.cmpi", "slt", x[0], zero), IntLike(b, -1, x[0]), zero);
  return b.Select(b.Compare("arith.cmpi", "sgt", x[0], zero), IntLike(b, 1, x[0]), negative);
}
TtirValue SignUnsigned(TtirBuilder& b, Args x) { return b.Binary("arith.minui", x[0], IntLike(b, 1, x[0])); }
// Zeros keep their sign and NaN stays NaN.
TtirValue SignFloat(TtirBuilder& b, Args x) {
  TtirValue zero = FloatLike(b, 0, x[0]);
  TtirValue negative = b.Select(b.Compare("arith.cmpf", "olt", x[0], zero), FloatLike(b, -1, x[0]), x[0]);
  return b.Select(b.Compare("arith.cmpf", "ogt", x[0], zero), FloatLike(b, 1, x[0]), negative);
}
TtirValue IsFinite(TtirBuilder& b, Args x) {
  return b.Compare("arith.cmpf", "olt", b.Unary("math.absf", x[0]),
                   FloatLike(b, std::numeric_limits<double>::infinity(), x[0]));
}
// 1 / (1 + exp(-x)), without an overflow where the result is small.
TtirValue Logistic(TtirBuilder& b, Args x) {
  TtirValue one = FloatLike(b, 1, x[0]);
  TtirValue power = b.Unary("math.exp", b.Unary("arith.negf", b.Unary("math.absf", x[0])));
  TtirValue is_negative = b.Compare("arith.cmpf", "olt", x[0], FloatLike(b, 0, x[0]));
  return b.Binary("arith.divf", b.Select(is_negative, power, one), b.Binary("arith.addf", one, power));
}

struct SignedDivision {
  TtirValue by_zero;
  TtirValue overflows;  // smallest / -1
  TtirValue divisor;    // safe to divide by
};
SignedDivision GuardSigned(TtirBuilder& b, Args x) {
  TtirValue minus_one = IntLike(b, -1, x[1]), one = IntLike(b, 1, x[1]);
  SignedDivision out;
  out.by_zero = b.Compare("arith.cmpi", "eq", x[1], IntLike(b, 0, x[1]));
  out.overflows = b.Binary("arith.andi", b.Compare("arith.cmpi", "eq", x[1], minus_one),
                           b.Compare("arith.cmpi", "eq", x[0], IntLike(b, SmallestInt(x[0].type.element), x[0])));
  out.divisor = b.Select(b.Binary("arith.ori", out.by_zero, out.overflows), one, x[1]);
  return out;
}
TtirValue DivideSigned(TtirBuilder& b, Args x) {
  SignedDivision guard = GuardSigned(b, x);  // smallest / 1 is what XLA wants of smallest / -1
  return b.Select(guard.by_zero, IntLike(b, -1, x[1]), b.Binary("arith.divsi", x[0], guard.divisor));
}
TtirValue RemainderSigned(TtirBuilder& b, Args x) {
  SignedDivision guard = GuardSigned(b, x);
  return b.Select(guard.by_zero, x[0], b.Binary("arith.remsi", x[0], guard.divisor));
}
TtirValue DivideUnsigned(TtirBuilder& b, Args x) {
  TtirValue by_zero = b.Compare("arith.cmpi", "eq", x[1], IntLike(b, 0, x[1]));
  TtirValue divisor = b.Select(by_zero, IntLike(b, 1, x[1]), x[1]);
  return b.Select(by_zero, IntLike(b, -1, x[1]), b.Binary("arith.divui", x[0], divisor));
}
TtirValue RemainderUnsigned(TtirBuilder& b, Args x) {
  TtirValue by_zero = b.Compare("arith.cmpi", "eq", x[1], IntLike(b, 0, x[1]));
  TtirValue divisor = b.Select(by_zero, IntLike(b, 1, x[1]), x[1]);
  return b.Select(by_zero, x[0], b.Binary("arith.remui", x[0], divisor));
}
// By squaring, one bit of the exponent in each step.
TtirValue PowerUnsigned(TtirBuilder& b, Args x) {
  const TtirValue one = IntLike(b, 1, x[0]), zero = IntLike(b, 0, x[0]);
  const auto step = [&](const TtirValue&, const TtirBuilder::Values& carried) -> TtirBuilder::Values {
    const TtirValue &result = carried[0], &square = carried[1], &left = carried[2];
    const TtirValue is_odd = b.Compare("arith.cmpi", "ne", b.Binary("arith.andi", left, one), zero);
    return {b.Select(is_odd, b.Binary("arith.muli", result, square), result), b.Binary("arith.muli", square, square),
            b.Binary("arith.shrui", left, one)};
  };
  const TileShape shape = BroadcastShape(x[0].type.shape, x[1].type.shape);
  return b.For(b.I32(0), b.I32(BitsOf(x[0].type.element)), b.I32(1),
               {b.BroadcastTo(one, shape), b.BroadcastTo(x[0], shape), b.BroadcastTo(x[1], shape)}, step)[0];
}
// A negative exponent leaves only 1 and -1 different from zero.
TtirValue PowerSigned(TtirBuilder& b, Args x) {
  const TtirValue one = IntLike(b, 1, x[0]), zero = IntLike(b, 0, x[0]), minus_one = IntLike(b, -1, x[0]);
  const TtirValue is_odd = b.Compare("arith.cmpi", "ne", b.Binary("arith.andi", x[1], one), zero);
  const TtirValue of_minus_one = b.Select(is_odd, minus_one, one);
  TtirValue inverse = b.Select(b.Compare("arith.cmpi", "eq", x[0], minus_one), of_minus_one, zero);
  inverse = b.Select(b.Compare("arith.cmpi", "eq", x[0], one), one, inverse);
  return b.Select(b.Compare("arith.cmpi", "slt", x[1], zero), inverse, PowerUnsigned(b, x));
}
TtirValue IsShiftInRange(TtirBuilder& b, const TtirValue& amount) {
  return b.Compare("arith.cmpi", "ult", amount, IntLike(b, BitsOf(amount.type.element), amount));
}
TtirValue ShiftLeft(TtirBuilder& b, Args x) {
  return b.Select(IsShiftInRange(b, x[1]), b.Binary("arith.shli", x[0], x[1]), IntLike(b, 0, x[0]));
}
TtirValue ShiftRightLogical(TtirBuilder& b, Args x) {
  return b.Select(IsShiftInRange(b, x[1]), b.Binary("arith.shrui", x[0], x[1]), IntLike(b, 0, x[0]));
}
TtirValue ShiftRightArithmetic(TtirBuilder& b, Args x) {
  TtirValue most = IntLike(b, BitsOf(x[1].type.element) - 1, x[1]);
  return b.Binary("arith.shrsi", x[0], b.Binary("arith.minui", x[1], most));
}

// One cell of the table.
struct Form {
  enum class Kind : uint8_t { kNone, kOp, kWide, kFn } kind = Kind::kNone;
  std::string_view text;
  EmitFn fn = nullptr;
};
constexpr Form None{};
constexpr Form Op(std::string_view text) { return {Form::Kind::kOp, text, nullptr}; }
constexpr Form Wide(std::string_view text) { return {Form::Kind::kWide, text, nullptr}; }
constexpr Form Fn(EmitFn fn) { return {Form::Kind::kFn, "", fn}; }

Form FormOf(HloOpcode opcode, PrimitiveType type) {
  enum { kFloatColumn, kSignedColumn, kUnsignedColumn, kPredColumn };
  int column = IsFloat(type)      ? kFloatColumn
               : IsSigned(type)   ? kSignedColumn
               : IsUnsigned(type) ? kUnsignedColumn
                                  : kPredColumn;
  switch (opcode) {
#define ELEMENTWISE(id, ...)                        \
  case HloOpcode::id: {                             \
    static constexpr Form kForms[] = {__VA_ARGS__}; \
    return kForms[column];                          \
  }
#include "xla/backends/gpu/codegen/elementwise_ops.def"
#undef ELEMENTWISE
    default:
      return None;
  }
}

// The opcode has no code for this class of types: says which it has.
Status NoForm(const HloInstruction& instruction, PrimitiveType type) {
  std::string classes;
  for (auto [example, name] : {std::pair(F32, "floating-point"), {S32, "signed"}, {U32, "unsigned"}, {PRED, "pred"}}) {
    if (FormOf(instruction.opcode(), example).kind == Form::Kind::kNone) continue;
    classes += (classes.empty() ? "" : ", ") + std::string(name);
  }
  if (classes.empty()) return UnsupportedOpcode(instruction, HloOpcodeString(instruction.opcode()));
  return UnsupportedType(type, instruction, classes + " elements");
}

bool IsNarrowFloat(TtirElement element) { return element == TtirElement::kF16 || element == TtirElement::kBF16; }

TtirValue ApplyForm(TtirBuilder& b, const Form& form, Args x) {
  if (form.kind == Form::Kind::kFn) return form.fn(b, x);
  return x.size() == 1 ? b.Unary(form.text, x[0]) : b.Binary(form.text, x[0], x[1]);
}

TtirValue EmitCompare(TtirBuilder& b, const HloInstruction& instruction, Args x) {
  static constexpr std::string_view kFloat[] = {"oeq", "une", "oge", "ogt", "ole", "olt"};
  static constexpr std::string_view kSigned[] = {"eq", "ne", "sge", "sgt", "sle", "slt"};
  static constexpr std::string_view kUnsigned[] = {"eq", "ne", "uge", "ugt", "ule", "ult"};
  static_assert(static_cast<int>(ComparisonDirection::kLt) == 5, "in the order of hlo_enums.def");
  int direction = static_cast<int>(instruction.comparison_direction());
  switch (instruction.comparison_type()) {
    case ComparisonType::kSigned:
      return b.Compare("arith.cmpi", kSigned[direction], x[0], x[1]);
    case ComparisonType::kUnsigned:
      return b.Compare("arith.cmpi", kUnsigned[direction], x[0], x[1]);
    case ComparisonType::kFloat:
      return b.Compare("arith.cmpf", kFloat[direction], x[0], x[1]);
    case ComparisonType::kFloatTotalOrder:
      break;
  }
  // Total order: as integers, with the order of the negative ones reversed.
  auto ordered = [&](const TtirValue& value) {
    int bits = BitsOf(value.type.element);
    TtirElement integer = bits == 16 ? TtirElement::kI16 : bits == 32 ? TtirElement::kI32 : TtirElement::kI64;
    TtirValue i = b.Cast("tt.bitcast", value, integer);
    TtirValue sign = b.Binary("arith.shrsi", i, IntLike(b, bits - 1, i));
    return b.Binary("arith.xori", i, b.Binary("arith.shrui", sign, IntLike(b, 1, i)));
  };
  return b.Compare("arith.cmpi", kSigned[direction], ordered(x[0]), ordered(x[1]));
}

TtirValue FloatToInt(TtirBuilder& b, const TtirValue& x, PrimitiveType to, TtirElement element) {
  int bits = BitsOf(element);
  bool is_signed = IsSigned(to);
  double low = is_signed ? -std::ldexp(1.0, bits - 1) : 0.0, beyond = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  int64_t smallest = is_signed ? SmallestInt(element) : 0, largest = is_signed ? ~SmallestInt(element) : -1;
  TtirValue value = b.Cast(is_signed ? "arith.fptosi" : "arith.fptoui", x, element);
  value = b.Select(b.Compare("arith.cmpf", "oge", x, FloatLike(b, beyond, x)), IntLike(b, largest, value), value);
  value = b.Select(b.Compare("arith.cmpf", "ole", x, FloatLike(b, low, x)), IntLike(b, smallest, value), value);
  return b.Select(b.Compare("arith.cmpf", "uno", x, x), IntLike(b, 0, value), value);
}

TtirValue FloatToFloat(TtirBuilder& b, const TtirValue& x, TtirElement to) {
  TtirElement from = x.type.element;
  if (from == to) return x;
  if (IsNarrowFloat(from) && IsNarrowFloat(to)) {
    return b.Cast("arith.truncf", b.Cast("arith.extf", x, TtirElement::kF32), to);
  }
  return b.Cast(BitsOf(from) < BitsOf(to) ? "arith.extf" : "arith.truncf", x, to);
}

TtirValue IntToInt(TtirBuilder& b, const TtirValue& x, bool is_signed, TtirElement to) {
  int from_bits = BitsOf(x.type.element), to_bits = BitsOf(to);
  if (from_bits == to_bits) return x;
  if (from_bits > to_bits) return b.Cast("arith.trunci", x, to);
  return b.Cast(is_signed ? "arith.extsi" : "arith.extui", x, to);
}

// Clears the lowest `count` bits of an integer; the bit above them is set if any of them was: rounding to odd, which
// keeps what a second rounding must know.
TtirValue RoundToOdd(TtirBuilder& b, const TtirValue& x, int count) {
  const TtirValue zero = IntLike(b, 0, x);
  const TtirValue low = b.Binary("arith.andi", x, IntLike(b, (int64_t{1} << count) - 1, x));
  const TtirValue sticky = b.Select(b.Compare("arith.cmpi", "ne", low, zero), IntLike(b, int64_t{1} << count, x), zero);
  return b.Binary("arith.ori", b.Binary("arith.subi", x, low), sticky);
}

// An f32 that every narrower float is rounded from as from the integer itself: what f32 does not hold goes through f64,
// with its lost bits joined into the last.
TtirValue IntToRoundableF32(TtirBuilder& b, TtirValue x, bool is_signed) {
  const std::string_view convert = is_signed ? "arith.sitofp" : "arith.uitofp";
  const int bits = BitsOf(x.type.element);
  if (bits <= 16) return b.Cast(convert, x, TtirElement::kF32);
  if (bits == 64) {
    const int64_t limit = int64_t{1} << 53;
    TtirValue exact = b.Compare("arith.cmpi", is_signed ? "slt" : "ult", x, IntLike(b, limit, x));
    if (is_signed) exact = b.Binary("arith.andi", exact, b.Compare("arith.cmpi", "sgt", x, IntLike(b, -limit, x)));
    x = b.Select(exact, x, RoundToOdd(b, x, 64 - 53));
  }
  const TtirValue wide = b.Cast("tt.bitcast", b.Cast(convert, x, TtirElement::kF64), TtirElement::kI64);
  const TtirValue exact_in_f32 = b.Cast("tt.bitcast", RoundToOdd(b, wide, 53 - 24), TtirElement::kF64);
  return b.Cast("arith.truncf", exact_in_f32, TtirElement::kF32);
}

StatusOr<TtirValue> EmitBitcastConvert(TtirBuilder& b, const HloInstruction& instruction, const TtirValue& x) {
  PrimitiveType from = instruction.operand(0)->shape().element_type(), to = instruction.shape().element_type();
  if (BitWidth(from) != BitWidth(to)) {
    return UnsupportedOpcode(
        instruction, fmt::format("a change of width from {} to {}", PrimitiveTypeName(from), PrimitiveTypeName(to)));
  }
  ASSIGN_OR_RETURN(TtirElement element, RegisterType(to, instruction));
  return x.type.element == element ? x : b.Cast("tt.bitcast", x, element);
}

}  // namespace

StatusOr<TtirValue> EmitTableOp(TtirBuilder& b, const HloInstruction& instruction, PrimitiveType type, Args x) {
  Form form = FormOf(instruction.opcode(), type);
  if (form.kind == Form::Kind::kNone) return NoForm(instruction, type);
  TtirElement element = x[0].type.element;
  bool widen = element == TtirElement::kBF16 || (element == TtirElement::kF16 && form.kind != Form::Kind::kOp);
  if (!widen) return ApplyForm(b, form, x);
  std::vector<TtirValue> wide;
  for (const TtirValue& operand : x) wide.push_back(FloatToFloat(b, operand, TtirElement::kF32));
  TtirValue result = ApplyForm(b, form, wide);
  return gpu::IsFloat(result.type.element) ? FloatToFloat(b, result, element) : result;
}

StatusOr<TtirValue> EmitConvert(TtirBuilder& b, const HloInstruction& instruction, const TtirValue& x,
                                PrimitiveType from, PrimitiveType to) {
  ASSIGN_OR_RETURN(TtirElement element, RegisterType(to, instruction));
  if (from == to) return x;
  if (IsFloat8(from)) return EmitConvert(b, instruction, EmitFloat8Decode(b, x, from), F32, to);
  if (IsFloat8(to)) {
    if (x.type.element == TtirElement::kF64) return EmitFloat8Encode(b, x, to);
    // The others overflow before f32 loses a bit.
    if (to == F8E8M0FNU && IsInteger(from)) return EmitFloat8Encode(b, IntToRoundableF32(b, x, IsSigned(from)), to);
    ASSIGN_OR_RETURN(const TtirValue wide, EmitConvert(b, instruction, x, from, F32));
    return EmitFloat8Encode(b, wide, to);
  }
  if (IsFloat(from)) {
    if (to == PRED) return b.Compare("arith.cmpf", "une", x, FloatLike(b, 0, x));
    if (IsFloat(to)) return FloatToFloat(b, x, element);
    return FloatToInt(b, IsNarrowFloat(x.type.element) ? FloatToFloat(b, x, TtirElement::kF32) : x, to, element);
  }
  if (to == PRED) return b.Compare("arith.cmpi", "ne", x, IntLike(b, 0, x));
  if (!IsFloat(to)) return IntToInt(b, x, IsSigned(from), element);
  if (IsNarrowFloat(element)) return FloatToFloat(b, IntToRoundableF32(b, x, IsSigned(from)), element);
  return b.Cast(IsSigned(from) ? "arith.sitofp" : "arith.uitofp", x, element);
}

namespace {

// `type`: what the operands are computed in.
StatusOr<TtirValue> EmitWideOperation(TtirBuilder& b, const HloInstruction& instruction, PrimitiveType type, Args x);

// Opcodes that only pass bits on, or that deal with the bits of 8-bit floats themselves.
bool TakesFloat8Bits(HloOpcode opcode) {
  return opcode == HloOpcode::kCopy || opcode == HloOpcode::kConvert || opcode == HloOpcode::kBitcastConvert ||
         opcode == HloOpcode::kSelect || opcode == HloOpcode::kReducePrecision;
}

// Rounds the bits; those of 8-bit floats in wider registers, where a carry stays visible.
TtirValue EmitReducedPrecision(TtirBuilder& b, const HloInstruction& instruction, const TtirValue& x) {
  const PrimitiveType type = instruction.shape().element_type();
  const int bits = BitWidth(type);
  const TtirElement integer = bits == 16 ? TtirElement::kI16 : bits == 64 ? TtirElement::kI64 : TtirElement::kI32;
  const TtirValue code = bits == 8 ? b.Cast("arith.extui", x, integer) : b.Cast("tt.bitcast", x, integer);
  const TtirValue reduced =
      EmitReducePrecision(b, code, FloatFormatOf(type), instruction.exponent_bits(), instruction.mantissa_bits());
  return b.Cast(bits == 8 ? "arith.trunci" : "tt.bitcast", reduced, x.type.element);
}

// Any other operation on 8-bit floats: in f32, rounded to the type of the result.
StatusOr<TtirValue> EmitFloat8Operation(TtirBuilder& b, const HloInstruction& instruction, Args x) {
  std::vector<TtirValue> wide;
  for (size_t i = 0; i < x.size(); ++i) {
    const PrimitiveType type = instruction.operand(static_cast<int64_t>(i))->shape().element_type();
    wide.push_back(IsFloat8(type) ? EmitFloat8Decode(b, x[i], type) : x[i]);
  }
  const PrimitiveType result = instruction.shape().element_type();
  ASSIGN_OR_RETURN(TtirValue value, EmitWideOperation(b, instruction, F32, wide));
  return IsFloat8(result) ? EmitFloat8Encode(b, value, result) : value;
}

}  // namespace

StatusOr<TtirValue> EmitElementwise(TtirBuilder& b, const HloInstruction& instruction, Args x) {
  PrimitiveType type = instruction.operand_count() ? instruction.operand(0)->shape().element_type() : PRED;
  if (!TakesFloat8Bits(instruction.opcode()) && instruction.operand_count() > 0 &&
      IsFloat8(instruction.operands().back()->shape().element_type())) {
    return EmitFloat8Operation(b, instruction, x);
  }
  return EmitWideOperation(b, instruction, type, x);
}

namespace {

StatusOr<TtirValue> EmitWideOperation(TtirBuilder& b, const HloInstruction& instruction, PrimitiveType type, Args x) {
  switch (instruction.opcode()) {
    case HloOpcode::kCopy:
      return x[0];
    case HloOpcode::kCompare:
      return EmitCompare(b, instruction, x);
    case HloOpcode::kConvert:
      return EmitConvert(b, instruction, x[0], type, instruction.shape().element_type());
    case HloOpcode::kBitcastConvert:
      return EmitBitcastConvert(b, instruction, x[0]);
    case HloOpcode::kSelect:
      return b.Select(x[0], x[1], x[2]);
    case HloOpcode::kReducePrecision:
      return EmitReducedPrecision(b, instruction, x[0]);
    case HloOpcode::kClamp: {  // NaN in any operand gives NaN
      PrimitiveType value_type =
          IsFloat8(instruction.shape().element_type()) ? F32 : instruction.shape().element_type();
      bool is_float = IsFloat(value_type), is_signed = IsSigned(value_type);
      TtirValue low = b.Binary(is_float ? "arith.maximumf" : is_signed ? "arith.maxsi" : "arith.maxui", x[1], x[0]);
      return b.Binary(is_float ? "arith.minimumf" : is_signed ? "arith.minsi" : "arith.minui", low, x[2]);
    }
    default:
      break;
  }
  if (!instruction.IsElementwise()) return UnsupportedOpcode(instruction, "an operation that is not elementwise");
  return EmitTableOp(b, instruction, type, x);
}

}  // namespace

StatusOr<TtirValue> EmitConstantElement(TtirBuilder& b, const HloInstruction& constant, int64_t element) {
  PrimitiveType type = constant.shape().element_type();
  if (constant.literal().is_elided()) return UnsupportedOpcode(constant, "a constant whose values the text leaves out");
  ASSIGN_OR_RETURN(TtirElement register_type, RegisterType(type, constant));
  if (IsFloat8(type)) return b.IntConstant(constant.literal().Get<int8_t>(element), {register_type, {}});
  if (IsFloat(type)) return b.FloatConstant(constant.literal().GetAsDouble(element), {register_type, {}});
  return b.IntConstant(constant.literal().GetAsInt64(element), {register_type, {}});
}

}  // namespace xla::gpu
