#include "xla/hlo/stablehlo/chlo_math.h"

#include <cmath>
#include <numbers>

#include "xla/hlo/stablehlo/expression.h"

namespace xla::stablehlo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool IsWide(Expression x) { return x.type() == F64; }

// Floats of less than 32 bits are computed in f32.
template <class Function>
HloInstruction* InF32(GraphWriter& write, HloInstruction* x, Function function) {
  const PrimitiveType type = x->shape().element_type();
  const bool is_small = IsFloat(type) && BitWidth(type) < 32;
  const Expression operand = {&write, is_small ? write.Convert(x, F32) : x};
  return write.Convert(function(operand).value, type);
}
template <class Function>
HloInstruction* InF32(GraphWriter& write, HloInstruction* x, HloInstruction* y, Function function) {
  const PrimitiveType type = x->shape().element_type();
  const bool is_small = IsFloat(type) && BitWidth(type) < 32;
  const Expression a = {&write, is_small ? write.Convert(x, F32) : x};
  const Expression b = {&write, is_small ? write.Convert(y, F32) : y};
  return write.Convert(function(a, b).value, type);
}

// A sum of Chebyshev polynomials, the highest first, at x in [-2, 2] (Clenshaw; the convention of Cephes' chbevl).
Expression Chebyshev(Expression x, std::span<const double> coefficients) {
  Expression b0 = x.Number(coefficients[0]), b1 = x.Number(0), b2 = b1;
  for (const double coefficient : coefficients.subspan(1)) {
    b2 = b1;
    b1 = b0;
    b0 = x * b1 - b2 + coefficient;
  }
  return 0.5 * (b0 - b2);
}

// --- erfc. ---

// exp(-x * x) with the square's rounding error taken back, which matters where the square is large.
Expression ExpOfMinusSquare(Expression x) {
  if (!IsWide(x)) return Exp(-(x * x));
  const Expression high = x.To(F32).To(F64);  // its square is exact
  return Exp(-(high * high)) * Exp(-((x - high) * (x + high)));
}

Expression Erfc32(Expression x) {
  constexpr double kNear[] = {2.326819970068386e-2,  -1.387039388740657e-1, 3.687424674597105e-1,
                              -5.824733027278666e-1, 6.210004621745983e-1,  -4.944515323274145e-1,
                              3.404879937665872e-1,  -2.741127028184656e-1, 5.638259427386472e-1};
  constexpr double kFar[] = {-1.047766399936249e+1, 1.297719955372516e+1, -7.495518717768503e+0, 2.921019019210786e+0,
                             -1.015265279202700e+0, 4.218463358204948e-1, -2.820767439740514e-1, 5.641895067754075e-1};
  const Expression a = Abs(x);
  const Expression inverse = 1.0 / a, inverse_square = 1.0 / (x * x);
  const Expression p = Select(a < 2.0, Polynomial(inverse_square, kNear), Polynomial(inverse_square, kFar));
  const Expression square = -(x * x);
  // Below the smallest exponent that f32 has, infinity times nothing must not be NaN.
  const Expression tail = Select(square < -88.7228394, x.Number(0), ExpOfMinusSquare(x) * inverse * p);
  const Expression large = Select(x < 0.0, 2.0 - tail, tail);
  return Select(a < 1.0, 1.0 - x.Unary(HloOpcode::kErf), large);
}

Expression Erfc64(Expression x) {
  constexpr double kP[] = {2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687e0,
                           4.86371970985681366614e1,   1.96520832956077098242e2,  5.26445194995477358631e2,
                           9.34528527171957607540e2,   1.02755188689515710272e3,  5.57535335369399327526e2};
  constexpr double kQ[] = {1.0,
                           1.32281951154744992508e1,
                           8.67072140885989742329e1,
                           3.54937778887819891062e2,
                           9.75708501743205489753e2,
                           1.82390916687909736289e3,
                           2.24633760818710981792e3,
                           1.65666309194161350182e3,
                           5.57535340817727675546e2};
  constexpr double kR[] = {5.64189583547755073984e-1, 1.27536670759978104416e0, 5.01905042251180477414e0,
                           6.16021097993053585195e0,  7.40974269950448939160e0, 2.97886665372100240670e0};
  constexpr double kS[] = {1.0,
                           2.26052863220117276590e0,
                           9.39603524938001434673e0,
                           1.20489539808096656605e1,
                           1.70814450747565897222e1,
                           9.60896809063285878198e0,
                           3.36907645100081516050e0};
  const Expression a = Abs(x);
  const Expression middle = Min(a, a.Number(8)), far = Max(a, a.Number(8));
  const Expression fraction =
      Select(a < 8.0, Polynomial(middle, kP) / Polynomial(middle, kQ), Polynomial(far, kR) / Polynomial(far, kS));
  const Expression tail = Select(a > 27.3, x.Number(0), ExpOfMinusSquare(a) * fraction);
  const Expression large = Select(x < 0.0, 2.0 - tail, tail);
  return Select(a < 1.0, 1.0 - x.Unary(HloOpcode::kErf), Select(x != x, x, large));
}

// --- The inverse of erf. ---

Expression ErfInv32(Expression x) {
  constexpr double kCentre[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
  constexpr double kTail[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                              -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  const Expression w = -Log1p(-(x * x));
  const Expression p = Select(w < 5.0, Polynomial(w - 2.5, kCentre), Polynomial(Sqrt(w) - 3.0, kTail));
  return Select(Abs(x) == 1.0, x * kInfinity, p * x);
}

Expression ErfInv64(Expression x) {
  constexpr double kCentre[] = {
      -3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,  1.115787767802518096e-17,
      -1.333171662854620906e-16,  2.0972767875968561637e-17,  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
      -8.1519341976054721522e-14, 2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
      1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
      -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,   -0.00074070253416626697512,
      -0.0060336708714301490533,  0.24015818242558961693,     1.6536545626831027356};
  constexpr double kMiddle[] = {
      2.2137376921775787049e-09,  9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
      1.5027403968909827627e-06,  -4.013867526981545969e-06, 2.9234449089955446044e-06,  1.2475304481671778723e-05,
      -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05,  -0.0003550375203628474796,
      0.00095328937973738049703,  -0.0016882755560235047313, 0.0024914420961078508066,   -0.0037512085075692412107,
      0.005370914553590063617,    1.0052589676941592334,     3.0838856104922207635};
  constexpr double kTail[] = {-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
                              -3.7894654401267369937e-09, 7.6157012080783393804e-09,  -1.4960026627149240478e-08,
                              2.9147953450901080826e-08,  -6.7711997758452339498e-08, 2.2900482228026654717e-07,
                              -9.9298272942317002539e-07, 4.5260625972231537039e-06,  -1.9681778105531670567e-05,
                              7.5995277030017761139e-05,  -0.00021503011930044477347, -0.00013871931833623122026,
                              1.0103004648645343977,      4.8499064014085844221};
  // Near 1 the square would round away what 1 - x still knows.
  const Expression w = -Select(Abs(x) < 0.5, Log1p(-(x * x)), Log((1.0 - x) * (1.0 + x)));
  const Expression root = Sqrt(w);
  const Expression p = Select(w < 6.25, Polynomial(w - 3.125, kCentre),
                              Select(w < 16.0, Polynomial(root - 3.25, kMiddle), Polynomial(root - 5.0, kTail)));
  return Select(Abs(x) == 1.0, x * kInfinity, p * x);
}

// --- Gamma's logarithm and its derivatives. ---

constexpr double kLanczosG = 7;
constexpr double kLanczosBase = 0.99999999999980993227684700473478;
constexpr double kLanczos[] = {676.520368121885098567009190444019, -1259.13921672240287047156078755283,
                               771.3234287776530788486528258894,   -176.61502916214059906584551354,
                               12.507343278686904814458936853,     -0.13857109526572011689554707,
                               9.984369578019570859563e-6,         1.50563273514931155834e-7};

Expression LgammaOf(Expression x) {
  const Expression is_reflected = x < 0.5;
  const Expression z = Select(is_reflected, -x, x - 1.0);
  Expression sum = z.Number(kLanczosBase);
  double place = 1;
  for (const double coefficient : kLanczos) sum = sum + z.Number(coefficient) / (z + place++);
  const Expression t = z + (kLanczosG + 0.5);
  const Expression log_t = std::log(kLanczosG + 0.5) + Log1p(z / z.Number(kLanczosG + 0.5));
  const Expression log_gamma = (z + 0.5 - t / log_t) * log_t + (0.5 * std::log(2 * std::numbers::pi)) + Log(sum);
  // Gamma(x) Gamma(1 - x) = pi / sin(pi x). The sine is taken of the fraction, which is exact.
  const Expression a = Abs(x);
  const Expression fraction = a - Floor(a);
  const Expression reduced = Min(fraction, 1.0 - fraction);
  const Expression log_sine = Log(Sin(std::numbers::pi * reduced));
  const Expression reflected =
      Select(log_sine > -kInfinity, std::log(std::numbers::pi) - log_sine - log_gamma, -log_sine);
  return Select(a == kInfinity, x.Number(kInfinity), Select(is_reflected, reflected, log_gamma));
}

Expression DigammaOf(Expression x) {
  const Expression is_reflected = x < 0.5;
  const Expression z = Select(is_reflected, -x, x - 1.0);
  Expression sum = z.Number(kLanczosBase), slope = z.Number(0);
  double place = 1;
  for (const double coefficient : kLanczos) {
    const Expression term = z + place++;
    slope = slope - z.Number(coefficient) / (term * term);
    sum = sum + z.Number(coefficient) / term;
  }
  const Expression t = z + (kLanczosG + 0.5);
  const Expression log_t = std::log(kLanczosG + 0.5) + Log1p(z / z.Number(kLanczosG + 0.5));
  const Expression digamma = log_t + slope / sum - z.Number(kLanczosG) / t;
  // digamma(1 - x) - digamma(x) = pi cot(pi x); the cotangent has period 1.
  const Expression reduced = x + Abs(Floor(x + 0.5));
  const Expression angle = std::numbers::pi * reduced;
  const Expression reflected = digamma - std::numbers::pi * Cos(angle) / Sin(angle);
  const Expression is_pole = (x <= 0.0) & (x == Floor(x));
  return Select(is_pole, x.Number(kNan), Select(is_reflected, reflected, digamma));
}

// Terms one by one, then the rest as an integral with the corrections of Euler and Maclaurin.
Expression ZetaOf(Expression x, Expression q) {
  // 1 / (B_2k / (2k)!), of the corrections from the second on.
  constexpr double kInverses[] = {-720.0,
                                  30240.0,
                                  -1209600.0,
                                  47900160.0,
                                  -1.8924375803183791606e9,
                                  7.47242496e10,
                                  -2.950130727918164224e12,
                                  1.1646782814350067249e14,
                                  -4.5979787224074726105e15,
                                  1.8152105401943546773e17,
                                  -7.1661652561756670113e18};
  Expression a = q;
  Expression power = Pow(a, -x);
  Expression sum = power;
  constexpr int kTerms = 9;
  for (int i = 0; i < kTerms; ++i) {
    a = a + 1.0;
    power = Pow(a, -x);
    sum = sum + power;
  }
  sum = sum + power * a / (x - 1.0) - 0.5 * power;
  // power * x / a / 12, then each time two more factors of x + k over a * a.
  Expression factor = x * power / a;
  Expression rest = factor / factor.Number(12);
  double k = 1;
  for (const double inverse : kInverses) {
    factor = factor * ((x + k) / a) * ((x + (k + 1)) / a);
    rest = rest + factor / factor.Number(inverse);
    k += 2;
  }
  const Expression whole = sum + rest;
  // Where the terms vanish at once, infinity times nothing may have spoilt the rest.
  const Expression first = Pow(q, -x);
  const Expression is_done = (power == 0.0) & (whole != whole);
  const Expression value = Select(is_done, first, whole);
  const Expression is_whole_q = q == Floor(q);
  const Expression at_pole = (q <= 0.0) & is_whole_q;
  const Expression is_even = x == 2.0 * Floor(0.5 * x);
  const Expression no_power = (q <= 0.0) & (x != Floor(x));
  const Expression checked = Select(at_pole, Select(is_even, x.Number(kInfinity), x.Number(kNan)), value);
  const Expression in_domain = Select((x < 1.0) | no_power, x.Number(kNan), checked);
  return Select(x == 1.0, x.Number(kInfinity), Select((x != x) | (q != q), x.Number(kNan), in_domain));
}

Expression BesselOf(Expression x) {
  static constexpr double kNear[] = {
      2.77791411276104639959e-18, -2.11142121435816608115e-17, 1.55363195773620046921e-16, -1.10559694773538630805e-15,
      7.60068429473540693410e-15, -5.04218550472791168711e-14, 3.22379336594557470981e-13, -1.98397439776494371520e-12,
      1.17361862988909016308e-11, -6.66348972350202774223e-11, 3.62559028155211703701e-10, -1.88724975172282928790e-9,
      9.38153738649577178388e-9,  -4.44505912879632808065e-8,  2.00329475355213526229e-7,  -8.56872026469545474066e-7,
      3.47025130813767847674e-6,  -1.32731636560394358279e-5,  4.78156510755005422638e-5,  -1.61760815825896745588e-4,
      5.12285956168575772895e-4,  -1.51357245063125314899e-3,  4.15642294431288815669e-3,  -1.05640848946261981558e-2,
      2.47264490306265168283e-2,  -5.29459812080949914269e-2,  1.02643658689847095384e-1,  -1.76416518357834055153e-1,
      2.52587186443633654823e-1};
  static constexpr double kFar[] = {
      7.51729631084210481353e-18,  4.41434832307170791151e-18,  -4.65030536848935832153e-17,
      -3.20952592199342395980e-17, 2.96262899764595013876e-16,  3.30820231092092828324e-16,
      -1.88035477551078244854e-15, -3.81440307243700780478e-15, 1.04202769841288027642e-14,
      4.27244001671195135429e-14,  -2.10154184277266431302e-14, -4.08355111109219731823e-13,
      -7.19855177624590851209e-13, 2.03562854414708950722e-12,  1.41258074366137813316e-11,
      3.25260358301548823856e-11,  -1.89749581235054123450e-11, -5.58974346219658380687e-10,
      -3.83538038596423702205e-9,  -2.63146884688951950684e-8,  -2.51223623787020892529e-7,
      -3.88256480887769039346e-6,  -1.10588938762623716291e-4,  -9.76109749136146840777e-3,
      7.78576235018280120474e-1};
  // f32 needs the last ones only.
  const std::span<const double> near = std::span(kNear).subspan(IsWide(x) ? 0 : 12);
  const std::span<const double> far = std::span(kFar).subspan(IsWide(x) ? 0 : 18);
  const Expression z = Abs(x);
  const Expression small = Chebyshev(0.5 * z - 2.0, near) * z;
  const Expression large = Chebyshev(z.Number(32) / z - 2.0, far) / Sqrt(z);
  return Sign(x) * Select(z <= 8.0, small, large);
}

PrimitiveType SignedOfWidth(int bits) { return bits == 8 ? S8 : bits == 16 ? S16 : bits == 32 ? S32 : S64; }

}  // namespace

HloInstruction* Acos(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kAcos, x); }
HloInstruction* Acosh(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kAcosh, x); }
HloInstruction* Asin(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kAsin, x); }
HloInstruction* Asinh(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kAsinh, x); }
HloInstruction* Atanh(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kAtanh, x); }
HloInstruction* Conj(GraphWriter& write, HloInstruction* x) { return write.Conjugate(x); }
HloInstruction* Cosh(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kCosh, x); }
HloInstruction* Erf(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kErf, x); }
HloInstruction* Sinh(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kSinh, x); }
HloInstruction* Square(GraphWriter& write, HloInstruction* x) { return write.Binary(HloOpcode::kMultiply, x, x); }
HloInstruction* Tan(GraphWriter& write, HloInstruction* x) { return write.Unary(HloOpcode::kTan, x); }

HloInstruction* Atan(GraphWriter& write, HloInstruction* x) {
  const Expression operand = {&write, x};
  return operand.Binary(HloOpcode::kAtan2, operand.Number(1)).value;
}

HloInstruction* IsInf(GraphWriter& write, HloInstruction* x) { return (Abs(Expression{&write, x}) == kInfinity).value; }
HloInstruction* IsNegInf(GraphWriter& write, HloInstruction* x) { return (Expression{&write, x} == -kInfinity).value; }
HloInstruction* IsPosInf(GraphWriter& write, HloInstruction* x) { return (Expression{&write, x} == kInfinity).value; }

HloInstruction* BesselI1e(GraphWriter& write, HloInstruction* x) { return InF32(write, x, BesselOf); }
HloInstruction* Digamma(GraphWriter& write, HloInstruction* x) { return InF32(write, x, DigammaOf); }
HloInstruction* Lgamma(GraphWriter& write, HloInstruction* x) { return InF32(write, x, LgammaOf); }
HloInstruction* Erfc(GraphWriter& write, HloInstruction* x) {
  return InF32(write, x, [](Expression y) { return IsWide(y) ? Erfc64(y) : Erfc32(y); });
}
HloInstruction* ErfInv(GraphWriter& write, HloInstruction* x) {
  return InF32(write, x, [](Expression y) { return IsWide(y) ? ErfInv64(y) : ErfInv32(y); });
}
HloInstruction* Zeta(GraphWriter& write, HloInstruction* x, HloInstruction* q) { return InF32(write, x, q, ZetaOf); }

HloInstruction* Polygamma(GraphWriter& write, HloInstruction* n, HloInstruction* x) {
  return InF32(write, n, x, [](Expression order, Expression y) {
    const Expression next = order + 1.0;
    const Expression is_even = order == 2.0 * Floor(0.5 * order);
    const Expression sign = Select(is_even, order.Number(-1), order.Number(1));
    const Expression value = sign * Exp(LgammaOf(next)) * ZetaOf(next, y);
    const Expression is_bad = (order < 0.0) | (order != Floor(order));
    return Select(order == 0.0, DigammaOf(y), Select(is_bad, order.Number(kNan), value));
  });
}

HloInstruction* NextAfter(GraphWriter& write, HloInstruction* x, HloInstruction* y) {
  const PrimitiveType type = x->shape().element_type();
  const PrimitiveType bits = SignedOfWidth(BitWidth(type));
  const Expression from = {&write, x}, to = {&write, y};
  const Expression from_bits = from.BitsTo(bits), to_bits = to.BitsTo(bits);
  const auto number = [&](int64_t value) {
    Literal literal = Literal::Zeros(Shape::Scalar(bits));
    literal.SetFromInt64(0, value);
    return Expression{&write, write.Splat(write.Constant(std::move(literal)), x->shape().dimensions())};
  };
  const int width = BitWidth(bits);
  const int64_t sign = width == 64 ? std::numeric_limits<int64_t>::min() : -(int64_t{1} << (width - 1));
  const Expression from_size = from_bits & number(~sign), to_size = to_bits & number(~sign);
  const Expression from_sign = from_bits & number(sign), to_sign = to_bits & number(sign);
  // From zero to the smallest number of y's sign; else one bit up or down.
  const Expression smallest = to_sign | number(1);
  const Expression goes_down = (from_size > to_size) | (from_sign != to_sign);
  const Expression step = from_bits + Select(goes_down, number(-1), number(1));
  const Expression moved = Select(from_size == number(0), Select(to_size == number(0), to_bits, smallest), step);
  const Expression result = Select(from == to, to_bits, moved).BitsTo(type);
  return Select((from != from) | (to != to), from.Number(kNan), result).value;
}

HloInstruction* MulHi(GraphWriter& write, HloInstruction* x, HloInstruction* y) {
  const PrimitiveType type = x->shape().element_type();
  const int width = BitWidth(type);
  const Expression a = {&write, x}, b = {&write, y};
  const auto shifted = [](Expression value, int by, bool is_signed) {
    const auto opcode = is_signed ? HloOpcode::kShiftRightArithmetic : HloOpcode::kShiftRightLogical;
    return value.Binary(opcode, value.Number(by));
  };
  if (width < 64) {
    const PrimitiveType wide = IsSigned(type) ? S64 : U64;
    return shifted(a.To(wide) * b.To(wide), width, IsSigned(type)).To(type).value;
  }
  // Halves of 32 bits: a = a1 2^32 + a0; the upper halves have the sign.
  const bool is_signed = IsSigned(type);
  const double low_bits = 4294967295.0;
  const Expression a0 = a & low_bits, b0 = b & low_bits;
  const Expression a1 = shifted(a, 32, is_signed), b1 = shifted(b, 32, is_signed);
  const Expression middle = a1 * b0 + shifted(a0 * b0, 32, false);
  const Expression other = a0 * b1 + (middle & low_bits);
  return (a1 * b1 + shifted(middle, 32, is_signed) + shifted(other, 32, is_signed)).value;
}

}  // namespace xla::stablehlo
