// Arithmetic and functions of complex numbers as graphs on their real and imaginary parts.
#pragma once
#include "xla/hlo/transforms/expanders/graph_writer.h"

namespace xla {

struct Parts {
  HloInstruction* real = nullptr;
  HloInstruction* imag = nullptr;
};

// Formulas on parts. Sources: the definitions; division and absolute value scale by the larger part, so that they do
// not overflow where the result does not.
class ComplexMath {
 public:
  explicit ComplexMath(HloComputation& computation) : w_(computation) {}
  GraphWriter& writer() { return w_; }

  HloInstruction* Add(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kAdd, x, y); }
  HloInstruction* Sub(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kSubtract, x, y); }
  HloInstruction* Mul(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kMultiply, x, y); }
  HloInstruction* Div(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kDivide, x, y); }
  HloInstruction* Number(double value, HloInstruction* like) {
    return w_.Splat(w_.Scalar(like->shape().element_type(), value), like->shape().dimensions());
  }
  HloInstruction* IsEq(HloInstruction* x, HloInstruction* y) { return w_.Compare(ComparisonDirection::kEq, x, y); }

  Parts Multiply(Parts x, Parts y) {
    return {Sub(Mul(x.real, y.real), Mul(x.imag, y.imag)), Add(Mul(x.real, y.imag), Mul(x.imag, y.real))};
  }

  // Smith's method: with r = smaller / larger part of y, x / y has the denominator larger + smaller r.
  Parts Divide(Parts x, Parts y) {
    HloInstruction* real_is_larger =
        w_.Compare(ComparisonDirection::kGe, w_.Unary(HloOpcode::kAbs, y.real), w_.Unary(HloOpcode::kAbs, y.imag));
    HloInstruction* larger = w_.Select(real_is_larger, y.real, y.imag);
    HloInstruction* smaller = w_.Select(real_is_larger, y.imag, y.real);
    HloInstruction* ratio = Div(smaller, larger);
    HloInstruction* denominator = Add(larger, Mul(smaller, ratio));
    HloInstruction* real = w_.Select(real_is_larger, Add(x.real, Mul(x.imag, ratio)), Add(Mul(x.real, ratio), x.imag));
    HloInstruction* imag = w_.Select(real_is_larger, Sub(x.imag, Mul(x.real, ratio)), Sub(Mul(x.imag, ratio), x.real));
    return {Div(real, denominator), Div(imag, denominator)};
  }

  // larger * sqrt(1 + (smaller / larger)^2); equal parts (0 and infinity among them) need no quotient.
  HloInstruction* Abs(Parts x) {
    HloInstruction* a = w_.Unary(HloOpcode::kAbs, x.real);
    HloInstruction* b = w_.Unary(HloOpcode::kAbs, x.imag);
    HloInstruction* larger = w_.Binary(HloOpcode::kMaximum, a, b);
    HloInstruction* smaller = w_.Binary(HloOpcode::kMinimum, a, b);
    HloInstruction* ratio = w_.Select(IsEq(larger, smaller), Number(1, a), Div(smaller, larger));
    HloInstruction* scale = w_.Unary(HloOpcode::kSqrt, Add(Number(1, a), Mul(ratio, ratio)));
    return w_.Select(IsEq(larger, Number(0, a)), larger, Mul(larger, scale));
  }

  Parts Exp(Parts x) {
    HloInstruction* length = w_.Unary(HloOpcode::kExp, x.real);
    // exp(inf) * 0 must stay 0 for real arguments.
    HloInstruction* imag = Mul(length, w_.Unary(HloOpcode::kSin, x.imag));
    HloInstruction* is_real = IsEq(x.imag, Number(0, x.imag));
    return {Mul(length, w_.Unary(HloOpcode::kCos, x.imag)), w_.Select(is_real, x.imag, imag)};
  }

  Parts Log(Parts x) { return {w_.Unary(HloOpcode::kLog, Abs(x)), w_.Binary(HloOpcode::kAtan2, x.imag, x.real)}; }

  // With t = sqrt((|x| + |re x|) / 2): t + i im / 2t on the right half plane, |im| / 2t + i (sign of im) t on the left.
  Parts Sqrt(Parts x) {
    HloInstruction* zero = Number(0, x.real);
    HloInstruction* half = Number(0.5, x.real);
    HloInstruction* sum = Add(Abs(x), w_.Unary(HloOpcode::kAbs, x.real));
    HloInstruction* t = w_.Unary(HloOpcode::kSqrt, Mul(sum, half));
    HloInstruction* other = w_.Select(IsEq(t, zero), x.imag, Div(Mul(x.imag, half), t));
    HloInstruction* is_right = w_.Compare(ComparisonDirection::kGe, x.real, zero);
    HloInstruction* is_below = w_.Compare(ComparisonDirection::kLt, x.imag, zero);
    HloInstruction* signed_t = w_.Select(is_below, w_.Unary(HloOpcode::kNegate, t), t);
    return {w_.Select(is_right, t, w_.Unary(HloOpcode::kAbs, other)), w_.Select(is_right, other, signed_t)};
  }

  // tanh(a + ib) = (tanh a (1 + tan^2 b) + i tan b / cosh^2 a) / (1 + tanh^2 a tan^2 b), free of overflow in a.
  Parts Tanh(Parts x) {
    HloInstruction* one = Number(1, x.real);
    HloInstruction* t = w_.Unary(HloOpcode::kTanh, x.real);
    HloInstruction* u = Div(w_.Unary(HloOpcode::kSin, x.imag), w_.Unary(HloOpcode::kCos, x.imag));
    HloInstruction* t2 = Mul(t, t);
    HloInstruction* u2 = Mul(u, u);
    HloInstruction* denominator = Add(one, Mul(t2, u2));
    return {Div(Mul(t, Add(one, u2)), denominator), Div(Mul(u, Sub(one, t2)), denominator)};
  }

  // sin(a + ib) = sin a cosh b + i cos a sinh b; cos = cos a cosh b - i sin a sinh b.
  Parts Sin(Parts x) {
    return {Mul(w_.Unary(HloOpcode::kSin, x.real), w_.Unary(HloOpcode::kCosh, x.imag)),
            Mul(w_.Unary(HloOpcode::kCos, x.real), w_.Unary(HloOpcode::kSinh, x.imag))};
  }
  Parts Cos(Parts x) {
    HloInstruction* imag = Mul(w_.Unary(HloOpcode::kSin, x.real), w_.Unary(HloOpcode::kSinh, x.imag));
    return {Mul(w_.Unary(HloOpcode::kCos, x.real), w_.Unary(HloOpcode::kCosh, x.imag)),
            w_.Unary(HloOpcode::kNegate, imag)};
  }

  // exp(y log x); 0^0 = 1, 0^y = 0.
  Parts Power(Parts x, Parts y) {
    const Parts general = Exp(Multiply(y, Log(x)));
    HloInstruction* zero = Number(0, x.real);
    HloInstruction* base_is_zero = w_.Binary(HloOpcode::kAnd, IsEq(x.real, zero), IsEq(x.imag, zero));
    HloInstruction* exponent_is_zero = w_.Binary(HloOpcode::kAnd, IsEq(y.real, zero), IsEq(y.imag, zero));
    HloInstruction* real = w_.Select(exponent_is_zero, Number(1, zero), zero);
    return {w_.Select(base_is_zero, real, general.real), w_.Select(base_is_zero, zero, general.imag)};
  }

  // x / |x|, and 0 for 0.
  Parts Sign(Parts x) {
    HloInstruction* length = Abs(x);
    HloInstruction* is_zero = IsEq(length, Number(0, length));
    return {w_.Select(is_zero, length, Div(x.real, length)), w_.Select(is_zero, length, Div(x.imag, length))};
  }

  Parts Sinh(Parts x) {
    return {Mul(w_.Unary(HloOpcode::kSinh, x.real), w_.Unary(HloOpcode::kCos, x.imag)),
            Mul(w_.Unary(HloOpcode::kCosh, x.real), w_.Unary(HloOpcode::kSin, x.imag))};
  }
  Parts Cosh(Parts x) {
    return {Mul(w_.Unary(HloOpcode::kCosh, x.real), w_.Unary(HloOpcode::kCos, x.imag)),
            Mul(w_.Unary(HloOpcode::kSinh, x.real), w_.Unary(HloOpcode::kSin, x.imag))};
  }
  // -i tanh(i z).
  Parts Tan(Parts x) { return DividedByI(Tanh(TimesI(x))); }

  // Those below are in complex_functions.cc.
  Parts Acos(Parts z);
  Parts Acosh(Parts z);
  Parts Asin(Parts z);
  Parts Asinh(Parts z);
  Parts Atan2(Parts y, Parts x);
  Parts Atanh(Parts z);
  Parts Cbrt(Parts z);
  Parts Expm1(Parts z);
  Parts Log1p(Parts z);
  Parts Logistic(Parts z);

 private:
  HloInstruction* Neg(HloInstruction* x) { return w_.Unary(HloOpcode::kNegate, x); }
  HloInstruction* Square(HloInstruction* x) { return Mul(x, x); }
  Parts TimesI(Parts x) { return {Neg(x.imag), x.real}; }
  Parts DividedByI(Parts x) { return {x.imag, Neg(x.real)}; }
  Parts Plus(Parts x, Parts y) { return {Add(x.real, y.real), Add(x.imag, y.imag)}; }
  Parts PlusOne(Parts x) { return {Add(x.real, Number(1, x.real)), x.imag}; }
  Parts MinusOne(Parts x) { return {Sub(x.real, Number(1, x.real)), x.imag}; }
  Parts OneMinus(Parts x) { return {Sub(Number(1, x.real), x.real), Neg(x.imag)}; }
  // The real and the imaginary part of conj(x) y.
  HloInstruction* RealOfConjugate(Parts x, Parts y) { return Add(Mul(x.real, y.real), Mul(x.imag, y.imag)); }
  HloInstruction* ImagOfConjugate(Parts x, Parts y) { return Sub(Mul(x.real, y.imag), Mul(x.imag, y.real)); }

  GraphWriter w_;
};

}  // namespace xla
