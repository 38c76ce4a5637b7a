// CHLO's functions that are no opcode of HLO, as chains of instructions: elementwise on arrays of equal shapes.
//
// f64 is computed in f64 and accurate to it; f32 in f32; smaller floats in f32, rounded at the end. Sources: S. L.
// Moshier, Cephes (erfc, i1e, zeta); M. Giles, "Approximating the erfinv function" (2010); C. Lanczos, "A Precision
// Approximation of the Gamma Function" (1964), with g = 7 and nine terms (lgamma, digamma).
#pragma once
#include "xla/hlo/transforms/expanders/graph_writer.h"

namespace xla::stablehlo {

HloInstruction* Acos(GraphWriter& write, HloInstruction* x);
HloInstruction* Acosh(GraphWriter& write, HloInstruction* x);
HloInstruction* Asin(GraphWriter& write, HloInstruction* x);
HloInstruction* Asinh(GraphWriter& write, HloInstruction* x);
HloInstruction* Atan(GraphWriter& write, HloInstruction* x);
HloInstruction* Atanh(GraphWriter& write, HloInstruction* x);
HloInstruction* Conj(GraphWriter& write, HloInstruction* x);
HloInstruction* Cosh(GraphWriter& write, HloInstruction* x);
HloInstruction* Erf(GraphWriter& write, HloInstruction* x);
HloInstruction* Sinh(GraphWriter& write, HloInstruction* x);
HloInstruction* Square(GraphWriter& write, HloInstruction* x);
HloInstruction* Tan(GraphWriter& write, HloInstruction* x);

HloInstruction* IsInf(GraphWriter& write, HloInstruction* x);
HloInstruction* IsNegInf(GraphWriter& write, HloInstruction* x);
HloInstruction* IsPosInf(GraphWriter& write, HloInstruction* x);

// exp(-|x|) I1(x), the modified Bessel function of the first kind.
HloInstruction* BesselI1e(GraphWriter& write, HloInstruction* x);
HloInstruction* Digamma(GraphWriter& write, HloInstruction* x);
HloInstruction* Erfc(GraphWriter& write, HloInstruction* x);
HloInstruction* ErfInv(GraphWriter& write, HloInstruction* x);
// log |Gamma(x)|.
HloInstruction* Lgamma(GraphWriter& write, HloInstruction* x);
// The next number after x in the direction of y.
HloInstruction* NextAfter(GraphWriter& write, HloInstruction* x, HloInstruction* y);
// The n-th derivative of digamma, for whole n >= 0.
HloInstruction* Polygamma(GraphWriter& write, HloInstruction* n, HloInstruction* x);
// Hurwitz's: the sum of (q + k)^-x over k >= 0.
HloInstruction* Zeta(GraphWriter& write, HloInstruction* x, HloInstruction* q);
// The upper half of the product of integers.
HloInstruction* MulHi(GraphWriter& write, HloInstruction* x, HloInstruction* y);

}  // namespace xla::stablehlo
