// Numbers of 113 bits, in which the formulas that the evaluator is judged by are computed: sums, products, quotients
// and roots of doubles, rounded once more, come out as if they had been rounded once (2 * 53 + 2 <= 113).
#pragma once
#include <bit>
#include <cstdint>

// glibc has these functions; its headers show them to GCC only.
extern "C" {
#define QUAD_FUNCTION(name) __float128 name##f128(__float128) noexcept;
QUAD_FUNCTION(acos)
QUAD_FUNCTION(acosh)
QUAD_FUNCTION(asin)
QUAD_FUNCTION(asinh)
QUAD_FUNCTION(atan)
QUAD_FUNCTION(atanh)
QUAD_FUNCTION(cbrt)
QUAD_FUNCTION(ceil)
QUAD_FUNCTION(cos)
QUAD_FUNCTION(cosh)
QUAD_FUNCTION(erf)
QUAD_FUNCTION(exp)
QUAD_FUNCTION(expm1)
QUAD_FUNCTION(fabs)
QUAD_FUNCTION(floor)
QUAD_FUNCTION(log)
QUAD_FUNCTION(log1p)
QUAD_FUNCTION(rint)
QUAD_FUNCTION(round)
QUAD_FUNCTION(sin)
QUAD_FUNCTION(sinh)
QUAD_FUNCTION(sqrt)
QUAD_FUNCTION(tan)
QUAD_FUNCTION(tanh)
QUAD_FUNCTION(trunc)
#undef QUAD_FUNCTION
__float128 atan2f128(__float128, __float128) noexcept;
__float128 copysignf128(__float128, __float128) noexcept;
__float128 fmodf128(__float128, __float128) noexcept;
__float128 hypotf128(__float128, __float128) noexcept;
__float128 ldexpf128(__float128, int) noexcept;
__float128 powf128(__float128, __float128) noexcept;
int ilogbf128(__float128) noexcept;
}

namespace xla::opcode_cases {

using Real = __float128;
using Integer = __int128;

inline constexpr Real kInfinity = __builtin_inf();
inline constexpr Real kNan = __builtin_nan("");

inline bool IsNan(Real x) { return x != x; }
inline bool IsInfinite(Real x) { return x == kInfinity || x == -kInfinity; }
inline bool SignOf(Real x) { return copysignf128(1, x) < 0; }

struct Complex {
  Real re = 0, im = 0;
};
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator-(Complex a) { return {-a.re, -a.im}; }
inline Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Complex operator/(Complex a, Complex b) {
  const Real square = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}
inline Complex Conjugate(Complex a) { return {a.re, -a.im}; }
inline Real Magnitude(Complex a) { return hypotf128(a.re, a.im); }

// The principal values. The quad has room for the cancellation of the textbook formulas.
inline Complex Exp(Complex z) { return {expf128(z.re) * cosf128(z.im), expf128(z.re) * sinf128(z.im)}; }
inline Complex Log(Complex z) { return {logf128(Magnitude(z)), atan2f128(z.im, z.re)}; }
inline Complex Sqrt(Complex z) {
  const Real size = Magnitude(z);
  return {sqrtf128((size + z.re) / 2), copysignf128(sqrtf128((size - z.re) / 2), z.im)};
}
inline Complex Power(Complex z, Complex exponent) { return Exp(exponent * Log(z)); }
inline Complex TimesI(Complex z) { return {-z.im, z.re}; }

}  // namespace xla::opcode_cases
