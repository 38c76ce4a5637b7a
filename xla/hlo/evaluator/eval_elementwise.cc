// The elementwise opcodes. Each is an overload set over the types that values are computed in (values.h); integer
// overloads may take the width of the element type as a last argument.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"
#include "xla/hlo/ir/float_format.h"

namespace xla::evaluator {
namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

// The dimensions of the operands, of which scalars stand for all elements; the instruction's layout where it fits.
Shape ResultShape(const HloInstruction& instruction, Operands operands) {
  std::vector<int64_t> dimensions;
  for (const Literal* operand : operands) {
    if (operand->shape().rank() > 0) dimensions = operand->shape().dimensions();
  }
  if (dimensions == instruction.shape().dimensions()) return instruction.shape();
  return Shape::Array(instruction.shape().element_type(), std::move(dimensions));
}

// f(args..., bits) if it takes the width, else f(args...).
template <class F, class... T>
auto Call(const F& f, int bits, T... args) {
  if constexpr (std::is_invocable_v<F, T..., int>) {
    return f(args..., bits);
  } else {
    return f(args...);
  }
}
template <class F, class... T>
concept Takes = std::is_invocable_v<F, T...> || std::is_invocable_v<F, T..., int>;

Status WrongType(const HloInstruction& instruction) {
  return NotEvaluable(instruction, "the evaluator does not compute this opcode in this element type");
}

template <class F>
StatusOr<Literal> Unary(const HloInstruction& instruction, Operands operands, const F& f) {
  const PrimitiveType type = operands[0]->shape().element_type();
  return WithComputeType(type, [&](auto tag) -> StatusOr<Literal> {
    using T = typename decltype(tag)::type;
    if constexpr (Takes<F, T>) {
      const std::vector<T> x = ValuesOf<T>(*operands[0]);
      std::vector<decltype(Call(f, 0, T()))> result(x.size());
      for (size_t i = 0; i < x.size(); ++i) result[i] = Call(f, BitWidth(type), x[i]);
      return LiteralOf(ResultShape(instruction, operands), result);
    } else {
      return WrongType(instruction);
    }
  });
}

template <class F>
StatusOr<Literal> Binary(const HloInstruction& instruction, Operands operands, const F& f) {
  const PrimitiveType type = operands[0]->shape().element_type();
  return WithComputeType(type, [&](auto tag) -> StatusOr<Literal> {
    using T = typename decltype(tag)::type;
    if constexpr (Takes<F, T, T>) {
      const std::vector<T> x = ValuesOf<T>(*operands[0]);
      const std::vector<T> y = ValuesOf<T>(*operands[1]);
      const Shape shape = ResultShape(instruction, operands);
      std::vector<decltype(Call(f, 0, T(), T()))> result(ShapeUtil::ElementsIn(shape));
      const size_t step_x = operands[0]->shape().rank() > 0 ? 1 : 0;
      const size_t step_y = operands[1]->shape().rank() > 0 ? 1 : 0;
      for (size_t i = 0; i < result.size(); ++i) result[i] = Call(f, BitWidth(type), x[i * step_x], y[i * step_y]);
      return LiteralOf(shape, result);
    } else {
      return WrongType(instruction);
    }
  });
}

// --- Integers. Signed arithmetic goes through uint64_t, which wraps; LiteralOf wraps to narrower types. ---

template <AnyInteger T>
T Divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(-static_cast<uint64_t>(a));
  }
  return a / b;
}

template <AnyInteger T>
T Remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return a % b;
}

// By squaring, modulo 2^64. A negative exponent leaves only 1 and -1 different from zero.
template <AnyInteger T>
T Power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  uint64_t result = 1;
  uint64_t square = static_cast<uint64_t>(base);
  for (auto left = static_cast<uint64_t>(exponent); left != 0; left >>= 1) {
    if ((left & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

uint64_t LowBits(uint64_t value, int bits) { return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1); }

// Of the product with twice the width.
template <AnyInteger T>
T UpperHalf(T a, T b, int bits) {
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> bits);
}

// Shifts by the width or more, and by negative amounts, move everything out.
template <AnyInteger T>
bool MovesAllOut(T amount, int bits) {
  return LowBits(static_cast<uint64_t>(amount), bits) >= static_cast<uint64_t>(bits);
}

template <AnyInteger T>
T ShiftRightArithmetic(T a, T amount, int bits) {
  const int up = 64 - bits;
  const auto value = static_cast<int64_t>(static_cast<uint64_t>(a) << up) >> up;
  return static_cast<T>(value >> (MovesAllOut(amount, bits) ? 63 : static_cast<int>(amount)));
}

// --- Floats. ---

// IEEE 754-2019 maximum: NaN comes through, and 0.0 is more than -0.0.
template <AnyFloat T>
T Maximum(T a, T b) {
  if (std::isnan(a)) return a;
  if (std::isnan(b)) return b;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <AnyFloat T>
T Minimum(T a, T b) {
  return -Maximum(-a, -b);
}

// 1 / (1 + exp(-x)), without an overflow where the result is small.
template <AnyFloat T>
T Logistic(T x) {
  const T power = std::exp(-std::fabs(x));
  return (x < 0 ? power : T{1}) / (1 + power);
}

template <AnyFloat T>
T Sign(T x) {
  if (std::isnan(x) || x == 0) return x;
  return x > 0 ? 1 : -1;
}

// A value on the line that orders all floats: -NaN, -inf, ..., -0, 0, ..., inf, NaN.
template <AnyFloat T>
int64_t TotalOrderKey(T x) {
  if constexpr (std::is_same_v<T, float>) {
    const auto bits = std::bit_cast<int32_t>(x);
    return bits < 0 ? int64_t{std::numeric_limits<int32_t>::min()} - bits - 1 : bits;
  } else {
    const auto bits = std::bit_cast<int64_t>(x);
    return bits < 0 ? std::numeric_limits<int64_t>::min() - bits - 1 : bits;
  }
}

template <class T>
uint64_t CompareValues(ComparisonDirection direction, T a, T b) {
  if constexpr (AnyComplex<T>) {
    return direction == ComparisonDirection::kEq ? a == b : a != b;
  } else {
    switch (direction) {
      case ComparisonDirection::kEq:
        return a == b;
      case ComparisonDirection::kNe:
        return a != b;
      case ComparisonDirection::kGe:
        return a >= b;
      case ComparisonDirection::kGt:
        return a > b;
      case ComparisonDirection::kLe:
        return a <= b;
      case ComparisonDirection::kLt:
        return a < b;
    }
    return 0;
  }
}

// Rounds to a float with fewer bits, as if the mantissa and exponent of `source`, the type of x, had so many. A
// narrower exponent has no subnormal numbers: they become zero.
template <AnyFloat T>
T ReducePrecision(T x, const FloatFormat& source, int64_t exponent_bits, int64_t mantissa_bits) {
  if (std::isnan(x) || std::isinf(x) || x == 0) return x;
  const auto mantissa = static_cast<int>(std::min<int64_t>(mantissa_bits, source.mantissa_bits));
  const int smallest = source.HasZero() ? 1 - source.bias : -source.bias;
  const int quantum = std::max(std::ilogb(x), smallest) - mantissa;
  T rounded = std::ldexp(std::nearbyint(std::ldexp(x, -quantum)), quantum);
  // Without a mantissa, the even one of two equally near powers of two is the one with the even exponent field.
  const bool is_tie = mantissa == 0 && std::fabs(x) == std::ldexp(T{1.5}, quantum);
  if (is_tie && (quantum + source.bias) % 2 == 0) rounded = std::copysign(std::ldexp(T{1}, quantum), x);
  if (rounded == 0 || std::isinf(rounded) || exponent_bits >= source.exponent_bits) return rounded;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  if (std::ilogb(rounded) > bias) return std::copysign(std::numeric_limits<T>::infinity(), x);
  if (std::ilogb(rounded) < 1 - bias) return std::copysign(T{0}, x);
  return rounded;
}

// --- Complex numbers, where <complex> has no function. The parts are computed apart, which keeps their precision. ---

template <AnyComplex T>
T Cbrt(T z) {
  return z == T(0) ? z : std::polar(std::cbrt(std::abs(z)), std::arg(z) / 3);
}
template <AnyComplex T>
T Expm1(T z) {
  const auto half_sine = std::sin(z.imag() / 2);
  const auto cosine_minus_one = -2 * half_sine * half_sine;
  return {std::expm1(z.real()) * std::cos(z.imag()) + cosine_minus_one, std::exp(z.real()) * std::sin(z.imag())};
}
template <AnyComplex T>
T Log1p(T z) {
  // |1 + z|^2 = 1 + x (x + 2) + y^2
  const auto more = z.real() * (z.real() + 2) + z.imag() * z.imag();
  const bool small = std::abs(more) < decltype(more){0.5};
  return {small ? std::log1p(more) / 2 : std::log(std::abs(T(1) + z)), std::arg(T(1) + z)};
}
// -i log((x + i y) / sqrt(x^2 + y^2)), in double: the logarithm is of a number near the unit circle.
template <AnyComplex T>
T Atan2(T y, T x) {
  const std::complex<double> a(x), b(y);
  const auto direction = std::log((a + std::complex<double>(-b.imag(), b.real())) / std::sqrt(a * a + b * b));
  return T(std::complex<double>(direction.imag(), -direction.real()));
}

}  // namespace

// EVAL_FLOAT: an opcode whose meaning on floats and on complex numbers is one expression of x.
#define EVAL_FLOAT(id, expression)                                                                  \
  StatusOr<Literal> Eval_##id(const HloInstruction& instruction, Operands operands) {               \
    return Unary(instruction, operands, [](AnyFloat auto x) -> decltype(x) { return expression; }); \
  }
#define EVAL_FLOAT_OR_COMPLEX(id, expression)                                              \
  StatusOr<Literal> Eval_##id(const HloInstruction& instruction, Operands operands) {      \
    return Unary(instruction, operands,                                                    \
                 Overloaded{[](AnyFloat auto x) -> decltype(x) { return expression; },     \
                            [](AnyComplex auto x) -> decltype(x) { return expression; }}); \
  }
EVAL_FLOAT_OR_COMPLEX(kAcos, std::acos(x))
EVAL_FLOAT_OR_COMPLEX(kAcosh, std::acosh(x))
EVAL_FLOAT_OR_COMPLEX(kAsin, std::asin(x))
EVAL_FLOAT_OR_COMPLEX(kAsinh, std::asinh(x))
EVAL_FLOAT_OR_COMPLEX(kAtan, std::atan(x))
EVAL_FLOAT_OR_COMPLEX(kAtanh, std::atanh(x))
EVAL_FLOAT(kCeil, std::ceil(x))
EVAL_FLOAT_OR_COMPLEX(kCos, std::cos(x))
EVAL_FLOAT_OR_COMPLEX(kCosh, std::cosh(x))
EVAL_FLOAT(kErf, std::erf(x))
EVAL_FLOAT_OR_COMPLEX(kExp, std::exp(x))
EVAL_FLOAT(kFloor, std::floor(x))
EVAL_FLOAT_OR_COMPLEX(kLog, std::log(x))
EVAL_FLOAT(kRoundNearestAfz, std::round(x))
EVAL_FLOAT(kRoundNearestEven, std::nearbyint(x))
EVAL_FLOAT_OR_COMPLEX(kRsqrt, decltype(x)(1) / std::sqrt(x))
EVAL_FLOAT_OR_COMPLEX(kSin, std::sin(x))
EVAL_FLOAT_OR_COMPLEX(kSinh, std::sinh(x))
EVAL_FLOAT_OR_COMPLEX(kSqrt, std::sqrt(x))
EVAL_FLOAT_OR_COMPLEX(kTan, std::tan(x))
EVAL_FLOAT_OR_COMPLEX(kTanh, std::tanh(x))
#undef EVAL_FLOAT
#undef EVAL_FLOAT_OR_COMPLEX

#define EVAL_UNARY(id, ...)                                                           \
  StatusOr<Literal> Eval_##id(const HloInstruction& instruction, Operands operands) { \
    return Unary(instruction, operands, Overloaded{__VA_ARGS__});                     \
  }
EVAL_UNARY(
    kAbs, [](int64_t x) { return x < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x; },
    [](uint64_t x) { return x; }, [](AnyFloat auto x) { return std::fabs(x); },
    [](AnyComplex auto x) { return std::abs(x); })
EVAL_UNARY(kCbrt, [](AnyFloat auto x) { return std::cbrt(x); }, [](AnyComplex auto x) { return Cbrt(x); })
EVAL_UNARY(kExpm1, [](AnyFloat auto x) { return std::expm1(x); }, [](AnyComplex auto x) { return Expm1(x); })
EVAL_UNARY(kLog1p, [](AnyFloat auto x) { return std::log1p(x); }, [](AnyComplex auto x) { return Log1p(x); })
EVAL_UNARY(kClz, [](AnyInteger auto x, int bits) -> decltype(x) {
  return static_cast<decltype(x)>(std::countl_zero(LowBits(static_cast<uint64_t>(x), bits)) - (64 - bits));
})
EVAL_UNARY(
    kLogistic, [](AnyFloat auto x) { return Logistic(x); },
    [](AnyComplex auto x) { return decltype(x)(1) / (decltype(x)(1) + std::exp(-x)); })
EVAL_UNARY(kPopulationCount, [](AnyInteger auto x, int bits) -> decltype(x) {
  return static_cast<decltype(x)>(std::popcount(LowBits(static_cast<uint64_t>(x), bits)));
})
EVAL_UNARY(kIsFinite, [](AnyFloat auto x) -> uint64_t { return std::isfinite(x); })
EVAL_UNARY(kReal, [](AnyFloat auto x) { return x; }, [](AnyComplex auto x) { return x.real(); })
EVAL_UNARY(kImag, [](AnyFloat auto x) { return decltype(x){0}; }, [](AnyComplex auto x) { return x.imag(); })
EVAL_UNARY(
    kNegate, [](AnyInteger auto x) { return static_cast<decltype(x)>(-static_cast<uint64_t>(x)); },
    [](AnyFloat auto x) { return -x; }, [](AnyComplex auto x) { return -x; })
EVAL_UNARY(
    kSign, [](int64_t x) { return int64_t{(x > 0) - (x < 0)}; }, [](uint64_t x) { return uint64_t{x > 0}; },
    [](AnyFloat auto x) { return Sign(x); }, [](AnyComplex auto x) { return std::abs(x) == 0 ? x : x / std::abs(x); })
#undef EVAL_UNARY

#define EVAL_BINARY(id, ...)                                                          \
  StatusOr<Literal> Eval_##id(const HloInstruction& instruction, Operands operands) { \
    return Binary(instruction, operands, Overloaded{__VA_ARGS__});                    \
  }
// On pred, where values are 0 and 1 and any other result counts as 1: + is or, * is and.
#define EVAL_ARITHMETIC(id, op)                                                                                        \
  EVAL_BINARY(                                                                                                         \
      id, []<AnyInteger T>(T x, T y) { return static_cast<T>(static_cast<uint64_t>(x) op static_cast<uint64_t>(y)); }, \
      []<AnyFloat T>(T x, T y) { return x op y; }, []<AnyComplex T>(T x, T y) { return x op y; })
EVAL_ARITHMETIC(kAdd, +)
EVAL_ARITHMETIC(kSubtract, -)
EVAL_ARITHMETIC(kMultiply, *)
EVAL_BINARY(kMulhi, []<AnyInteger T>(T x, T y, int bits) { return UpperHalf(x, y, bits); })
EVAL_BINARY(kAnd, []<AnyInteger T>(T x, T y) { return x & y; })
EVAL_BINARY(kOr, []<AnyInteger T>(T x, T y) { return x | y; })
EVAL_BINARY(kXor, []<AnyInteger T>(T x, T y) { return x ^ y; })
EVAL_BINARY(
    kDivide, []<AnyInteger T>(T x, T y) { return Divide(x, y); }, []<AnyFloat T>(T x, T y) { return x / y; },
    []<AnyComplex T>(T x, T y) { return x / y; })
EVAL_BINARY(
    kRemainder, []<AnyInteger T>(T x, T y) { return Remainder(x, y); },
    []<AnyFloat T>(T x, T y) { return std::fmod(x, y); })
EVAL_BINARY(
    kPower, []<AnyInteger T>(T x, T y) { return Power(x, y); }, []<AnyFloat T>(T x, T y) { return std::pow(x, y); },
    []<AnyComplex T>(T x, T y) { return std::pow(x, y); })
EVAL_BINARY(
    kMaximum, []<AnyInteger T>(T x, T y) { return std::max(x, y); }, []<AnyFloat T>(T x, T y) { return Maximum(x, y); })
EVAL_BINARY(
    kMinimum, []<AnyInteger T>(T x, T y) { return std::min(x, y); }, []<AnyFloat T>(T x, T y) { return Minimum(x, y); })
EVAL_BINARY(
    kAtan2, []<AnyFloat T>(T x, T y) { return std::atan2(x, y); }, []<AnyComplex T>(T x, T y) { return Atan2(x, y); })
EVAL_BINARY(kComplex, []<AnyFloat T>(T x, T y) { return std::complex<T>(x, y); })
EVAL_BINARY(kShiftLeft, []<AnyInteger T>(T x, T y, int bits) {
  return MovesAllOut(y, bits) ? T{0} : static_cast<T>(static_cast<uint64_t>(x) << y);
})
EVAL_BINARY(kShiftRightLogical, []<AnyInteger T>(T x, T y, int bits) {
  return MovesAllOut(y, bits) ? T{0} : static_cast<T>(LowBits(static_cast<uint64_t>(x), bits) >> y);
})
EVAL_BINARY(kShiftRightArithmetic, []<AnyInteger T>(T x, T y, int bits) { return ShiftRightArithmetic(x, y, bits); })
#undef EVAL_BINARY
#undef EVAL_ARITHMETIC

StatusOr<Literal> Eval_kNot(const HloInstruction& instruction, Operands operands) {
  if (instruction.shape().element_type() == PRED) {
    return Unary(instruction, operands, [](uint64_t x) -> uint64_t { return x == 0; });
  }
  return Unary(instruction, operands, [](AnyInteger auto x) { return ~x; });
}

StatusOr<Literal> Eval_kCompare(const HloInstruction& instruction, Operands operands) {
  const ComparisonDirection direction = instruction.comparison_direction();
  if (instruction.comparison_type() == ComparisonType::kFloatTotalOrder) {
    return Binary(instruction, operands, [&]<AnyFloat T>(T x, T y) -> uint64_t {
      return CompareValues(direction, TotalOrderKey(x), TotalOrderKey(y));
    });
  }
  return Binary(instruction, operands, [&]<class T>(T x, T y) -> uint64_t { return CompareValues(direction, x, y); });
}

StatusOr<Literal> Eval_kReducePrecision(const HloInstruction& instruction, Operands operands) {
  return Unary(instruction, operands, [&](AnyFloat auto x) {
    return ReducePrecision(x, FloatFormatOf(instruction.shape().element_type()), instruction.exponent_bits(),
                           instruction.mantissa_bits());
  });
}

StatusOr<Literal> Eval_kCopy(const HloInstruction& instruction, Operands operands) {
  Literal copy = *operands[0];
  copy.set_shape(ResultShape(instruction, operands));
  return copy;
}

namespace {

// Saturates; NaN gives 0.
template <AnyFloat From>
int64_t ToSigned(From x, int bits) {
  if (std::isnan(x)) return 0;
  const double limit = std::ldexp(1.0, bits - 1);
  const auto highest = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
  if (x >= limit) return highest;
  return x < -limit ? -highest - 1 : static_cast<int64_t>(x);
}
template <AnyFloat From>
uint64_t ToUnsigned(From x, int bits) {
  if (!(x > 0)) return 0;
  return x >= std::ldexp(1.0, bits) ? LowBits(~uint64_t{0}, bits) : static_cast<uint64_t>(x);
}

// An integer as a double that rounds to every narrower float as the integer itself does: where bits are lost, the last
// one that is kept says so (rounding to odd).
double ToRoundable(uint64_t size) {
  const int lost = std::max(0, 64 - std::countl_zero(size) - 53);
  const uint64_t kept = size >> lost << lost;
  return static_cast<double>(kept | uint64_t{kept != size} << lost);
}

template <class To, class From>
To ConvertValue(From x, PrimitiveType to) {
  if constexpr (AnyComplex<From>) {
    if constexpr (AnyComplex<To>) return To(x);
    return To();  // the verifier refuses complex to real
  } else if constexpr (AnyComplex<To>) {
    return To(static_cast<typename To::value_type>(x));
  } else if constexpr (AnyFloat<From> && AnyInteger<To>) {
    if (to == PRED) return x != 0;
    if constexpr (std::is_signed_v<To>) return ToSigned(x, BitWidth(to));
    return static_cast<To>(ToUnsigned(x, BitWidth(to)));
  } else if constexpr (AnyInteger<From> && std::is_same_v<To, double>) {
    if (to == F64) return static_cast<double>(x);
    return x < From{0} ? -ToRoundable(-static_cast<uint64_t>(x)) : ToRoundable(static_cast<uint64_t>(x));
  } else {
    return static_cast<To>(x);
  }
}

template <class To>
Literal ConvertAll(const Shape& shape, const Literal& operand) {
  return WithComputeType(operand.shape().element_type(), [&](auto tag) {
    using From = typename decltype(tag)::type;
    const std::vector<From> x = ValuesOf<From>(operand);
    std::vector<To> result(x.size());
    for (size_t i = 0; i < x.size(); ++i) result[i] = ConvertValue<To>(x[i], shape.element_type());
    return LiteralOf(shape, result);
  });
}

}  // namespace

StatusOr<Literal> Eval_kConvert(const HloInstruction& instruction, Operands operands) {
  const Shape shape = ResultShape(instruction, operands);
  const PrimitiveType to = shape.element_type();
  // Small floats are rounded from double, not through f32: once.
  if (IsFloat(to) && to != F32) return ConvertAll<double>(shape, *operands[0]);
  return WithComputeType(to, [&](auto tag) { return ConvertAll<typename decltype(tag)::type>(shape, *operands[0]); });
}

StatusOr<Literal> Eval_kSelect(const HloInstruction& instruction, Operands operands) {
  const Shape shape = ResultShape(instruction, operands);
  const int width = ByteWidth(shape.element_type());
  Literal result = Literal::Zeros(shape);
  int64_t step[3];
  for (int k = 0; k < 3; ++k) step[k] = operands[k]->shape().rank() > 0 ? 1 : 0;
  for (int64_t i = 0; i < ShapeUtil::ElementsIn(shape); ++i) {
    const int chosen = operands[0]->bytes()[i * step[0]] != 0 ? 1 : 2;
    std::memcpy(result.mutable_bytes().data() + i * width, operands[chosen]->bytes().data() + i * step[chosen] * width,
                width);
  }
  return result;
}

// min(max(low, x), high).
StatusOr<Literal> Eval_kClamp(const HloInstruction& instruction, Operands operands) {
  const Literal* low_and_value[] = {operands[0], operands[1]};
  ASSIGN_OR_RETURN(const Literal raised, Eval_kMaximum(instruction, low_and_value));
  const Literal* raised_and_high[] = {&raised, operands[2]};
  return Eval_kMinimum(instruction, raised_and_high);
}

}  // namespace xla::evaluator
