// Functions of complex numbers whose formulas keep the precision of both parts. Source of the inverse functions: W.
// Kahan, "Branch cuts for complex elementary functions" (1987).
#include "xla/hlo/transforms/expanders/complex_math.h"

namespace xla {

// 2 atan(re sqrt(1 - z) / re sqrt(1 + z)) + i asinh(im(conj(sqrt(1 + z)) sqrt(1 - z))).
Parts ComplexMath::Acos(Parts z) {
  const Parts minus = Sqrt(OneMinus(z)), plus = Sqrt(PlusOne(z));
  HloInstruction* angle = w_.Binary(HloOpcode::kAtan2, minus.real, plus.real);
  return {Add(angle, angle), w_.Unary(HloOpcode::kAsinh, ImagOfConjugate(plus, minus))};
}

// atan(re z / re(sqrt(1 - z) sqrt(1 + z))) + i asinh(im(conj(sqrt(1 - z)) sqrt(1 + z))).
Parts ComplexMath::Asin(Parts z) {
  const Parts minus = Sqrt(OneMinus(z)), plus = Sqrt(PlusOne(z));
  return {w_.Binary(HloOpcode::kAtan2, z.real, Multiply(minus, plus).real),
          w_.Unary(HloOpcode::kAsinh, ImagOfConjugate(minus, plus))};
}

// asinh(re(conj(sqrt(z - 1)) sqrt(z + 1))) + 2 i atan(im sqrt(z - 1) / re sqrt(z + 1)).
Parts ComplexMath::Acosh(Parts z) {
  const Parts minus = Sqrt(MinusOne(z)), plus = Sqrt(PlusOne(z));
  HloInstruction* angle = w_.Binary(HloOpcode::kAtan2, minus.imag, plus.real);
  return {w_.Unary(HloOpcode::kAsinh, RealOfConjugate(minus, plus)), Add(angle, angle)};
}

// -i asin(i z).
Parts ComplexMath::Asinh(Parts z) { return DividedByI(Asin(TimesI(z))); }

// log1p(4 |x| / ((1 - |x|)^2 + y^2)) / 4 with x's sign + i/2 atan(2 y / ((1 - x) (1 + x) - y^2)).
Parts ComplexMath::Atanh(Parts z) {
  HloInstruction *one = Number(1, z.real), *size = w_.Unary(HloOpcode::kAbs, z.real);
  HloInstruction *minus = Sub(one, size), *plus = Add(one, size), *square = Square(z.imag);
  HloInstruction* quotient = Div(Mul(Number(4, size), size), Add(Square(minus), square));
  HloInstruction* real = Mul(w_.Unary(HloOpcode::kLog1p, quotient), Number(0.25, size));
  HloInstruction* angle = w_.Binary(HloOpcode::kAtan2, Add(z.imag, z.imag), Sub(Mul(minus, plus), square));
  HloInstruction* is_left = w_.Compare(ComparisonDirection::kLt, z.real, Number(0, z.real));
  return {w_.Select(is_left, Neg(real), real), Mul(angle, Number(0.5, z.real))};
}

// -i log((x + i y) / sqrt(x^2 + y^2)), in f64: the logarithm is of a number near the unit circle.
Parts ComplexMath::Atan2(Parts y, Parts x) {
  const PrimitiveType type = x.real->shape().element_type();
  const auto converted = [&](Parts z, PrimitiveType to) {
    return z.real->shape().element_type() == to ? z : Parts{w_.Convert(z.real, to), w_.Convert(z.imag, to)};
  };
  const Parts a = converted(x, F64), b = converted(y, F64);
  const Parts length = Sqrt(Plus(Multiply(a, a), Multiply(b, b)));
  return converted(DividedByI(Log(Divide(Plus(a, TimesI(b)), length))), type);
}

// The length's cube root at a third of the angle.
Parts ComplexMath::Cbrt(Parts z) {
  HloInstruction* length = w_.Unary(HloOpcode::kCbrt, Abs(z));
  HloInstruction* angle = Div(w_.Binary(HloOpcode::kAtan2, z.imag, z.real), Number(3, z.real));
  return {Mul(length, w_.Unary(HloOpcode::kCos, angle)), Mul(length, w_.Unary(HloOpcode::kSin, angle))};
}

// exp(a) cos b - 1 = expm1(a) cos b - 2 sin^2(b / 2).
Parts ComplexMath::Expm1(Parts z) {
  HloInstruction* sine = w_.Unary(HloOpcode::kSin, Mul(z.imag, Number(0.5, z.imag)));
  HloInstruction* grown = Mul(w_.Unary(HloOpcode::kExpm1, z.real), w_.Unary(HloOpcode::kCos, z.imag));
  return {Sub(grown, Mul(Number(2, sine), Square(sine))), Exp(z).imag};
}

// |1 + z|^2 = 1 + x (x + 2) + y^2; far from 1 the logarithm itself is exact enough.
Parts ComplexMath::Log1p(Parts z) {
  HloInstruction* more = Add(Mul(z.real, Add(z.real, Number(2, z.real))), Square(z.imag));
  HloInstruction* near = w_.Compare(ComparisonDirection::kLt, w_.Unary(HloOpcode::kAbs, more), Number(0.5, more));
  HloInstruction* half = Mul(w_.Unary(HloOpcode::kLog1p, more), Number(0.5, more));
  const Parts far = Log(PlusOne(z));
  return {w_.Select(near, half, far.real), far.imag};
}

// 1 / (1 + exp(-z)).
Parts ComplexMath::Logistic(Parts z) {
  const Parts power = Exp({Neg(z.real), Neg(z.imag)});
  return Divide({Number(1, z.real), Number(0, z.real)}, PlusOne(power));
}

}  // namespace xla
