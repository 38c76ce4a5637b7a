// Elementwise opcodes of one operand: what XLA's operation semantics say of one element.
#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

// What an opcode makes of one element; absent where HLO does not permit the type.
struct Row {
  HloOpcode opcode;
  Integer (*integer)(Integer x, PrimitiveType type) = nullptr;
  Real (*real)(Real x) = nullptr;
  Complex (*complex)(Complex z) = nullptr;
  double ulps = 0, complex_ulps = 0;
  // The function has a branch cut on an axis, where the sign of a zero decides: points there are left out.
  bool cut_on_axis = false;
};

Integer Bits(Integer x, PrimitiveType type) { return x & ((Integer{1} << BitWidth(type)) - 1); }

Integer LeadingZeros(Integer x, PrimitiveType type) {
  Integer count = 0;
  for (int bit = BitWidth(type) - 1; bit >= 0 && (Bits(x, type) >> bit) == 0; --bit) ++count;
  return count;
}
Integer Ones(Integer x, PrimitiveType type) {
  Integer count = 0;
  for (int bit = 0; bit < BitWidth(type); ++bit) count += Bits(x, type) >> bit & 1;
  return count;
}

Real Logistic(Real x) { return 1 / (1 + expf128(-x)); }
Real NearestEven(Real x) { return rintf128(x); }  // the default mode
Complex One() { return {1, 0}; }
Complex Minus(Complex z, Real x) { return {z.re - x, z.im}; }
// log(z + sqrt(z^2 + 1)), from which the others follow.
Complex Asinh(Complex z) {
  // Odd: the half plane without cancellation.
  if (z.re < 0) return -Asinh(-z);
  return Log(z + Sqrt(z * z + One()));
}
Complex Acosh(Complex z) { return Log(z + Sqrt(z + One()) * Sqrt(z - One())); }
Complex Atanh(Complex z) { return (Log(One() + z) - Log(One() - z)) / Complex{2, 0}; }
Complex Atan(Complex z) { return -TimesI(Atanh(TimesI(z))); }
Complex Asin(Complex z) { return -TimesI(Asinh(TimesI(z))); }
Complex Acos(Complex z) { return Complex{2 * atan2f128(1, 1), 0} - Asin(z); }
Complex Sin(Complex z) { return {sinf128(z.re) * coshf128(z.im), cosf128(z.re) * sinhf128(z.im)}; }
Complex Cos(Complex z) { return {cosf128(z.re) * coshf128(z.im), -sinf128(z.re) * sinhf128(z.im)}; }
Complex Sinh(Complex z) { return {sinhf128(z.re) * cosf128(z.im), coshf128(z.re) * sinf128(z.im)}; }
Complex Cosh(Complex z) { return {coshf128(z.re) * cosf128(z.im), sinhf128(z.re) * sinf128(z.im)}; }

const Row kRows[] = {
    {HloOpcode::kAbs, [](Integer x, PrimitiveType) { return x < 0 ? -x : x; }, fabsf128,
     [](Complex z) { return Complex{Magnitude(z), 0}; }, 0, 1},
    {HloOpcode::kAcos, nullptr, acosf128, Acos, 2, 4, true},
    {HloOpcode::kAcosh, nullptr, acoshf128, Acosh, 2, 4, true},
    {HloOpcode::kAsin, nullptr, asinf128, Asin, 2, 4, true},
    {HloOpcode::kAsinh, nullptr, asinhf128, Asinh, 2, 4, true},
    {HloOpcode::kAtan, nullptr, atanf128, Atan, 2, 4, true},
    {HloOpcode::kAtanh, nullptr, atanhf128, Atanh, 2, 4, true},
    {HloOpcode::kCbrt, nullptr, cbrtf128, [](Complex z) { return Power(z, {Real{1} / 3, 0}); }, 4, 4, true},
    {HloOpcode::kCeil, nullptr, ceilf128},
    {HloOpcode::kClz, LeadingZeros},
    {HloOpcode::kCos, nullptr, cosf128, Cos, 1, 4},
    {HloOpcode::kCosh, nullptr, coshf128, Cosh, 2, 4},
    {HloOpcode::kErf, nullptr, erff128, nullptr, 1},
    {HloOpcode::kExp, nullptr, expf128, Exp, 1, 4},
    {HloOpcode::kExpm1, nullptr, expm1f128, [](Complex z) { return Minus(Exp(z), 1); }, 2, 4},
    {HloOpcode::kFloor, nullptr, floorf128},
    {HloOpcode::kImag, nullptr, [](Real) { return Real{0}; }, [](Complex z) { return Complex{z.im, 0}; }},
    {HloOpcode::kIsFinite, nullptr, [](Real x) { return static_cast<Real>(!IsNan(x) && !IsInfinite(x)); }},
    {HloOpcode::kLog, nullptr, logf128, Log, 1, 4, true},
    {HloOpcode::kLog1p, nullptr, log1pf128, [](Complex z) { return Log(z + One()); }, 2, 4, true},
    {HloOpcode::kLogistic, nullptr, Logistic, [](Complex z) { return One() / (One() + Exp(-z)); }, 3, 8},
    {HloOpcode::kNegate, [](Integer x, PrimitiveType) { return -x; }, [](Real x) { return -x; },
     [](Complex z) { return -z; }},
    {HloOpcode::kNot, [](Integer x, PrimitiveType type) { return type == PRED ? Integer{x == 0} : -1 - x; }},
    {HloOpcode::kPopulationCount, Ones},
    {HloOpcode::kReal, nullptr, [](Real x) { return x; }, [](Complex z) { return Complex{z.re, 0}; }},
    {HloOpcode::kRoundNearestAfz, nullptr, roundf128},
    {HloOpcode::kRoundNearestEven, nullptr, NearestEven},
    {HloOpcode::kRsqrt, nullptr, [](Real x) { return 1 / sqrtf128(x); }, [](Complex z) { return One() / Sqrt(z); }, 1,
     4, true},
    {HloOpcode::kSign, [](Integer x, PrimitiveType) { return Integer{x > 0} - Integer{x < 0}; },
     [](Real x) { return IsNan(x) || x == 0 ? x
                         : x > 0            ? Real{1}
                                            : Real{-1}; },
     [](Complex z) { return Magnitude(z) == 0 ? z : Complex{z.re / Magnitude(z), z.im / Magnitude(z)}; }, 0, 2},
    {HloOpcode::kSin, nullptr, sinf128, Sin, 1, 4},
    {HloOpcode::kSinh, nullptr, sinhf128, Sinh, 2, 4},
    {HloOpcode::kSqrt, nullptr, sqrtf128, Sqrt, 0, 4, true},
    {HloOpcode::kTan, nullptr, tanf128, [](Complex z) { return Sin(z) / Cos(z); }, 1, 8},
    {HloOpcode::kTanh, nullptr, tanhf128, [](Complex z) { return Sinh(z) / Cosh(z); }, 2, 8},
};

PrimitiveType ResultType(HloOpcode opcode, PrimitiveType type) {
  if (opcode == HloOpcode::kIsFinite) return PRED;
  const bool is_part = opcode == HloOpcode::kAbs || opcode == HloOpcode::kImag || opcode == HloOpcode::kReal;
  return is_part ? ComplexComponentType(type) : type;
}

Value Apply(const Row& row, PrimitiveType type, const Value& x) {
  if (IsComplex(type)) return Value::Of(row.complex(x.complex()));
  if (!IsFloat(type)) return Value::Int(row.integer(x.integer, type));
  const Real result = row.real(x.re);
  return row.opcode == HloOpcode::kIsFinite ? Value::Int(result != 0) : Value::Float(result);
}

}  // namespace

void UnaryCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  const Row* row = kRows;
  while (row->opcode != opcode) ++row;
  const Literal input =
      IsComplex(type) ? ComplexPoints(type, row->cut_on_axis) : VectorOf(type, InterestingCodes(type, 150));
  const int64_t count = input.element_count();
  const PrimitiveType result = ResultType(opcode, type);
  OpcodeCase one = OneLine(opcode, type, result, {count}, Call(opcode, 1));
  one.inputs = {input};
  one.accuracy = {.ulps = IsComplex(type) ? row->complex_ulps : IsFloat(type) ? row->ulps : 0};
  one.formula = OneResult([=](std::span<const Array> inputs) {
    return MakeArray(result, inputs[0].dims, [&](const Dims& i) { return Apply(*row, type, inputs[0][i[0]]); });
  });
  out.push_back(std::move(one));
}

}  // namespace xla::opcode_cases
