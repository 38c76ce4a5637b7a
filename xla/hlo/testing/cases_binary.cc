// Elementwise opcodes of two and three operands.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/ir/float_format.h"
#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

struct Row {
  HloOpcode opcode;
  Integer (*integer)(Integer x, Integer y, PrimitiveType type) = nullptr;  // pred too
  Real (*real)(Real x, Real y) = nullptr;
  Complex (*complex)(Complex x, Complex y) = nullptr;
  double ulps = 0, complex_ulps = 0;
  // Complex second operands without zeros: there are several answers to a division by zero.
  bool second_off_axes = false;
};

Integer Low(Integer x, PrimitiveType type) { return x & ((Integer{1} << BitWidth(type)) - 1); }
bool Fits(Integer amount, PrimitiveType type) { return Low(amount, type) < BitWidth(type); }

Integer Divide(Integer x, Integer y, PrimitiveType) { return y == 0 ? Integer{-1} : x / y; }
Integer Remainder(Integer x, Integer y, PrimitiveType) { return y == 0 ? x : x % y; }
Integer Power(Integer x, Integer y, PrimitiveType type) {
  if (y < 0) return x == 1 ? 1 : x == -1 ? (y % 2 == 0 ? 1 : -1) : 0;
  const Integer square = Low(x * Low(x, type), type);
  if (y == 0) return 1;
  return y % 2 == 1 ? Low(x * Power(x, y - 1, type), type) : Power(square, y / 2, type);
}

// Rounded down.
Integer UpperHalf(Integer x, Integer y, PrimitiveType type) {
  if (IsSigned(type)) return (x * y) >> BitWidth(type);
  using Unsigned = unsigned __int128;
  return static_cast<Integer>((static_cast<Unsigned>(x) * static_cast<Unsigned>(y)) >> BitWidth(type));
}

Real Maximum(Real x, Real y) {
  if (IsNan(x) || IsNan(y)) return kNan;
  if (x == 0 && y == 0) return SignOf(x) ? y : x;
  return x < y ? y : x;
}
Real Minimum(Real x, Real y) {
  if (IsNan(x) || IsNan(y)) return kNan;
  if (x == 0 && y == 0) return SignOf(x) ? x : y;
  return x < y ? x : y;
}
// -i log((x + i y) / sqrt(x^2 + y^2)) of y and x.
Complex Atan2(Complex y, Complex x) { return -TimesI(Log((x + TimesI(y)) / Sqrt(x * x + y * y))); }

const Row kRows[] = {
    {HloOpcode::kAdd, [](Integer x, Integer y, PrimitiveType) { return x + y; }, [](Real x, Real y) { return x + y; },
     [](Complex x, Complex y) { return x + y; }, 0, 1},
    {HloOpcode::kAnd, [](Integer x, Integer y, PrimitiveType) { return x & y; }},
    {HloOpcode::kAtan2, nullptr, atan2f128, Atan2, 1, 40, true},
    {HloOpcode::kDivide, Divide, [](Real x, Real y) { return x / y; }, [](Complex x, Complex y) { return x / y; }, 0, 4,
     true},
    {HloOpcode::kMaximum, [](Integer x, Integer y, PrimitiveType) { return x < y ? y : x; }, Maximum},
    {HloOpcode::kMinimum, [](Integer x, Integer y, PrimitiveType) { return x < y ? x : y; }, Minimum},
    {HloOpcode::kMulhi, UpperHalf},
    {HloOpcode::kMultiply, [](Integer x, Integer y, PrimitiveType) { return x * y; },
     [](Real x, Real y) { return x * y; }, [](Complex x, Complex y) { return x * y; }, 0, 3},
    {HloOpcode::kOr, [](Integer x, Integer y, PrimitiveType) { return x | y; }},
    {HloOpcode::kPower, Power, powf128, [](Complex x, Complex y) { return Exp(y * Log(x)); }, 1, 100, true},
    {HloOpcode::kRemainder, Remainder, fmodf128},
    {HloOpcode::kShiftLeft,
     [](Integer x, Integer y, PrimitiveType type) { return Fits(y, type) ? x * (Integer{1} << y) : 0; }},
    {HloOpcode::kShiftRightArithmetic,
     [](Integer x, Integer y, PrimitiveType type) {
       const Integer value =
           Low(x, type) >> (BitWidth(type) - 1) != 0 ? Low(x, type) - (Integer{1} << BitWidth(type)) : Low(x, type);
       return Fits(y, type) ? value >> y : value < 0 ? Integer{-1} : Integer{0};
     }},
    {HloOpcode::kShiftRightLogical,
     [](Integer x, Integer y, PrimitiveType type) { return Fits(y, type) ? Low(x, type) >> y : Integer{0}; }},
    {HloOpcode::kSubtract, [](Integer x, Integer y, PrimitiveType) { return x - y; },
     [](Real x, Real y) { return x - y; }, [](Complex x, Complex y) { return x - y; }, 0, 1},
    {HloOpcode::kXor, [](Integer x, Integer y, PrimitiveType) { return x ^ y; }},
};

std::pair<Literal, Literal> InputPairs(PrimitiveType type, bool second_off_axes) {
  if (IsComplex(type)) {
    Array first = Decode(ComplexPoints(type, second_off_axes)), second = Decode(ComplexPoints(type, second_off_axes));
    std::shuffle(second.values.begin(), second.values.end(), std::mt19937_64(3));
    return {Encode(first), Encode(second)};
  }
  const std::vector<uint64_t> few = FewCodes(type);
  std::vector<uint64_t> left, right;
  std::mt19937_64 random(type);
  const uint64_t mask = BitWidth(type) == 64 ? ~uint64_t{0} : (uint64_t{1} << BitWidth(type)) - 1;
  for (const uint64_t a : few) {
    for (const uint64_t b : few) {
      left.push_back(a);
      right.push_back(b);
    }
  }
  for (int i = 0; i < 100 && type != PRED; ++i) {
    left.push_back(random() & mask);
    right.push_back(random() & mask);
    left.push_back(CodeOfNumber(type, static_cast<double>(random() % 4001) / 100 - 20));
    right.push_back(CodeOfNumber(type, static_cast<double>(random() % 4001) / 100 - 20));
  }
  return {VectorOf(type, left), VectorOf(type, right)};
}

OpcodeCase TwoVectors(HloOpcode opcode, PrimitiveType type, PrimitiveType result, std::pair<Literal, Literal> inputs,
                      const std::string& attributes) {
  OpcodeCase one = OneLine(opcode, type, result, inputs.first.shape().dimensions(), Call(opcode, 2) + attributes);
  one.inputs = {std::move(inputs.first), std::move(inputs.second)};
  return one;
}

}  // namespace

void BinaryCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  const Row* row = kRows;
  while (row->opcode != opcode) ++row;
  OpcodeCase one = TwoVectors(opcode, type, type, InputPairs(type, row->second_off_axes), "");
  one.accuracy = {.ulps = IsComplex(type) ? row->complex_ulps : IsFloat(type) ? row->ulps : 0};
  one.formula = OneResult([=](std::span<const Array> inputs) {
    return MakeArray(type, inputs[0].dims, [&](const Dims& i) {
      const Value &x = inputs[0][i[0]], &y = inputs[1][i[0]];
      if (IsComplex(type)) return Value::Of(row->complex(x.complex(), y.complex()));
      if (!IsFloat(type)) return Value::Int(row->integer(x.integer, y.integer, type));
      // Narrow floats are computed in f32: what is too small for that is zero, also for a type without zero.
      const Value result = Value::Float(row->real(x.re, y.re));
      return type == F64 ? result : Rounded(F32, result);
    });
  });
  out.push_back(std::move(one));
}

void ComplexCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  const PrimitiveType result = type == F64 ? C128 : C64;
  OpcodeCase one = TwoVectors(opcode, type, result, InputPairs(type, false), "");
  if (type != F32 && type != F64) one.refused = "complex numbers are pairs of f32 or of f64";
  one.formula = OneResult([=](std::span<const Array> inputs) {
    return MakeArray(result, inputs[0].dims,
                     [&](const Dims& i) { return Value{.re = inputs[0][i[0]].re, .im = inputs[1][i[0]].re}; });
  });
  out.push_back(std::move(one));
}

namespace {

struct Direction {
  std::string_view text;
  bool less, equal, greater, unordered;  // which relations make it true
};
constexpr Direction kDirections[] = {
    {"EQ", false, true, false, false}, {"NE", true, false, true, true},  {"GE", false, true, true, false},
    {"GT", false, false, true, false}, {"LE", true, true, false, false}, {"LT", true, false, false, false},
};

// The place of a value among -NaN, -inf, ..., -0, 0, ..., inf, NaN.
Integer TotalOrder(PrimitiveType type, const Value& x) {
  const bool negative = SignOf(x.re);
  const FloatFormat format = FloatFormatOf(type);
  const Integer behind_all = Integer{1} << 65;
  const Integer size = IsNan(x.re) ? behind_all : static_cast<Integer>(CodeOf(type, x) & format.MagnitudeMask());
  return negative ? -1 - size : size;
}

bool IsTrue(const Direction& direction, PrimitiveType type, bool total, const Value& x, const Value& y) {
  if (IsComplex(type)) return (x.re == y.re && x.im == y.im) == direction.equal;
  if (IsFloat(type) && total) {
    const Integer a = TotalOrder(type, x), b = TotalOrder(type, y);
    return a < b ? direction.less : a == b ? direction.equal : direction.greater;
  }
  if (IsFloat(type)) {
    if (IsNan(x.re) || IsNan(y.re)) return direction.unordered;
    return x.re < y.re ? direction.less : x.re == y.re ? direction.equal : direction.greater;
  }
  return x.integer < y.integer ? direction.less : x.integer == y.integer ? direction.equal : direction.greater;
}

}  // namespace

void CompareCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  for (const bool total : {false, true}) {
    if (total && !IsFloat(type)) continue;
    for (const Direction& direction : kDirections) {
      const std::string attributes = fmt::format("direction={}{}", direction.text, total ? ", order=TOTAL" : "");
      OpcodeCase one = TwoVectors(opcode, type, PRED, InputPairs(type, false), ", " + attributes);
      one.variant = attributes;
      if (IsComplex(type) && direction.less != direction.greater) one.refused = "complex numbers have no order";
      one.formula = OneResult([=, &direction](std::span<const Array> inputs) {
        return MakeArray(PRED, inputs[0].dims, [&](const Dims& i) {
          return Value::Int(IsTrue(direction, type, total, inputs[0][i[0]], inputs[1][i[0]]));
        });
      });
      out.push_back(std::move(one));
    }
  }
}

void SelectCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  for (const bool scalar : {false, true}) {
    OpcodeCase one = OneLine(opcode, type, type, {3, 7}, Call(opcode, 3));
    one.variant = scalar ? "by a scalar" : "";
    one.inputs = {Encode(ModerateArray(PRED, scalar ? Dims{} : Dims{3, 7}, 1)), Encode(ModerateArray(type, {3, 7}, 2)),
                  Encode(ModerateArray(type, {3, 7}, 3))};
    one.formula = OneResult([=](std::span<const Array> inputs) {
      return MakeArray(type, {3, 7}, [&](const Dims& i) {
        return At(inputs[At(inputs[0], scalar ? Dims{} : i).integer != 0 ? 1 : 2], i);
      });
    });
    out.push_back(std::move(one));
  }
}

// min(max(low, x), high), where the bounds may stand in any order and be NaN.
void ClampCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  const auto clamped = [type](const Value& low, const Value& x, const Value& high) {
    if (IsFloat(type)) return Value::Float(Minimum(Maximum(low.re, x.re), high.re));
    const Integer raised = low.integer < x.integer ? x.integer : low.integer;
    return Value::Int(raised < high.integer ? raised : high.integer);
  };
  auto [low, x] = InputPairs(type, false);
  OpcodeCase arrays = OneLine(opcode, type, type, x.shape().dimensions(), Call(opcode, 3));
  Array high = Decode(x);
  std::shuffle(high.values.begin(), high.values.end(), std::mt19937_64(11));
  arrays.inputs = {low, x, Encode(high)};
  arrays.formula = OneResult([=](std::span<const Array> inputs) {
    return MakeArray(type, inputs[1].dims,
                     [&](const Dims& i) { return clamped(inputs[0][i[0]], inputs[1][i[0]], inputs[2][i[0]]); });
  });
  out.push_back(arrays);
  arrays.variant = "by scalars";
  arrays.inputs = {FromCodes(type, {}, {CodeOfNumber(type, -3)}), x, FromCodes(type, {}, {CodeOfNumber(type, 2)})};
  arrays.formula = OneResult([=](std::span<const Array> inputs) {
    return MakeArray(type, inputs[1].dims,
                     [&](const Dims& i) { return clamped(inputs[0][0], inputs[1][i[0]], inputs[2][0]); });
  });
  out.push_back(arrays);
}

}  // namespace xla::opcode_cases
