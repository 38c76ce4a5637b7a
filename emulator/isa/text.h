// Second value domain: text. Prints what an operation means from the same line that executes it.
#pragma once
#include <fmt/format.h>

#include <string>
#include <tuple>
#include <type_traits>

#include "emulator/isa/narrow_floats.h"
#include "emulator/isa/scalar_math.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

struct Text {
  std::string s;
};
template <class V>
concept Textual = std::is_same_v<V, Text> || std::is_arithmetic_v<V> || std::is_same_v<V, f16>;
inline std::string Show(const Text& t) { return t.s; }
template <class V>
  requires(!std::is_same_v<V, Text>)
std::string Show(V x) {
  if constexpr (std::is_same_v<V, f16>)
    return fmt::format("{}", static_cast<float>(x));
  else
    return fmt::format("{}", x);
}

#define TEXT_OPERATOR(sign)                             \
  template <Textual W>                                  \
  Text operator sign(const Text& x, W y) {              \
    return {"(" + x.s + " " #sign " " + Show(y) + ")"}; \
  }
TEXT_OPERATOR(+)
TEXT_OPERATOR(-)
TEXT_OPERATOR(*)
TEXT_OPERATOR(/)
TEXT_OPERATOR(&)
TEXT_OPERATOR(|)
TEXT_OPERATOR(^)
TEXT_OPERATOR(<<)
TEXT_OPERATOR(>>)
TEXT_OPERATOR(<)
TEXT_OPERATOR(<=)
TEXT_OPERATOR(>)
TEXT_OPERATOR(>=)
TEXT_OPERATOR(==)
TEXT_OPERATOR(!=)
#undef TEXT_OPERATOR
inline Text operator-(unsigned x, const Text& y) { return {"(" + Show(x) + " - " + y.s + ")"}; }
inline Text operator<<(unsigned x, const Text& y) { return {"(" + Show(x) + " << " + y.s + ")"}; }
inline Text operator<<(u64 x, const Text& y) { return {"(" + Show(x) + " << " + y.s + ")"}; }
inline Text operator~(const Text& x) { return {"~" + x.s}; }
inline Text Not(const Text& x) { return {"!" + x.s}; }
inline Text Like(const Text&, auto x) { return {Show(x)}; }
inline Text Select(const Text& m, const Text& x, const Text& y) {
  return {"(" + m.s + " ? " + x.s + " : " + y.s + ")"};
}
inline Text AsBit(const Text& m) { return m; }

template <class E>
std::string TypeName() {
  bool is_float = std::is_floating_point_v<E> || std::is_same_v<E, f16>;
  return fmt::format("{}{}", is_float ? "f" : std::is_signed_v<E> ? "i" : "u", 8 * sizeof(E));
}
template <class E>
Text To(const Text& x) {
  return {TypeName<E>() + "(" + x.s + ")"};
}
template <class E>
Text BitsAs(const Text& x) {
  return {"bits_" + TypeName<E>() + "(" + x.s + ")"};
}
// Text has no element type; f32 stands for all floats.
template <class V>
using Element = float;
template <class I>
Text Saturate(const Text& x) {
  return {"saturate_" + TypeName<I>() + "(" + x.s + ")"};
}

// Functions that appear under their names.
#define TEXT_FUNCTION(name)                                          \
  template <Textual... X>                                            \
  Text name(const X&... x) {                                         \
    std::string arguments;                                           \
    ((arguments += (arguments.empty() ? "" : ", ") + Show(x)), ...); \
    return {#name "(" + arguments + ")"};                            \
  }
TEXT_FUNCTION(Fma)
TEXT_FUNCTION(Exp2)
TEXT_FUNCTION(Log2)
TEXT_FUNCTION(ReciprocalSqrt)
TEXT_FUNCTION(Sqrt)
TEXT_FUNCTION(SinTurns)
TEXT_FUNCTION(CosTurns)
TEXT_FUNCTION(Floor)
TEXT_FUNCTION(Ceil)
TEXT_FUNCTION(Trunc)
TEXT_FUNCTION(RoundEven)
TEXT_FUNCTION(RoundByMode)
TEXT_FUNCTION(Ldexp)
TEXT_FUNCTION(FrexpMantissa)
TEXT_FUNCTION(FrexpExponent)
TEXT_FUNCTION(DivFmas)
TEXT_FUNCTION(DivFixup)
TEXT_FUNCTION(HalfTowardZero)
TEXT_FUNCTION(ToBf16)
TEXT_FUNCTION(FlushDenormal)
TEXT_FUNCTION(TrigPreop)
TEXT_FUNCTION(BitReverse)
TEXT_FUNCTION(PopCount)
TEXT_FUNCTION(SaturatingAdd)
TEXT_FUNCTION(SaturatingSubtract)
TEXT_FUNCTION(FirstBitHigh)
TEXT_FUNCTION(FirstBitLow)
TEXT_FUNCTION(FirstSignChange)
TEXT_FUNCTION(ScalarExtract)
TEXT_FUNCTION(ScaleValue)
#undef TEXT_FUNCTION
// Meanings that are loops over bits appear under their names too.
inline Text WholeQuads(const Text& x) { return {"WholeQuads(" + x.s + ")"}; }
inline Text QuadMask(const Text& x) { return {"QuadMask(" + x.s + ")"}; }
inline Text DoubledBits(const Text& x) { return {"DoubledBits(" + x.s + ")"}; }
inline std::tuple<Text, Text> DivScale(const Text& x, const Text& denominator, const Text& numerator) {
  std::string arguments = "(" + x.s + ", " + denominator.s + ", " + numerator.s + ")";
  return {Text{"DivScale" + arguments}, Text{"DivScaleFlag" + arguments}};
}
// Functions with a format: its bits of exponent and mantissa follow the name.
#define TEXT_FORMAT_FUNCTION(name)                                                                        \
  template <class F, Textual... X>                                                                        \
  Text name(const X&... x) {                                                                              \
    std::string arguments;                                                                                \
    ((arguments += (arguments.empty() ? "" : ", ") + Show(x)), ...);                                      \
    return {fmt::format(#name "_e{}m{}({})", F::kBits - 1 - F::kMantissa, int{F::kMantissa}, arguments)}; \
  }
TEXT_FORMAT_FUNCTION(ValueOf)
TEXT_FORMAT_FUNCTION(Rounded)
TEXT_FORMAT_FUNCTION(RoundedStochastic)
TEXT_FORMAT_FUNCTION(ScaledValueOf)
TEXT_FORMAT_FUNCTION(ScaledRounded)
TEXT_FORMAT_FUNCTION(ScaledStochastic)
#undef TEXT_FORMAT_FUNCTION
// The combination is a function of numbers, which text cannot apply; its name is in the operation's.
template <class F>
std::tuple<Text, Text, Text> SaveExec32(const Text& a, const Text& exec, F) {
  Text now{"combine(" + a.s + ", " + exec.s + ")"};
  return {exec, now, Text{now.s + " != 0"}};
}

}  // namespace rocxla::emu
