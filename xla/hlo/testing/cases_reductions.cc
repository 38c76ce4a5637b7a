// Reductions and what has a window, by loops over the definition.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/ir/float_format.h"
#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

// What the combining computations do; sums and products are of values that stay exact in every type.
struct Combiner {
  std::string_view opcode;
  bool orders;  // it has no complex form
};
constexpr Combiner kCombiners[] = {{"add", false}, {"multiply", false}, {"maximum", true}, {"minimum", true}};

bool Applies(const Combiner& combiner, PrimitiveType type) {
  if (combiner.orders) return !IsComplex(type);
  return combiner.opcode != "add" || HasExactSums(type);
}

Value Combined(const Combiner& combiner, PrimitiveType type, const Value& x, const Value& y) {
  const bool less = IsFloat(type) ? x.re < y.re : x.integer < y.integer;
  if (combiner.opcode == "maximum") return less ? y : x;
  if (combiner.opcode == "minimum") return less ? x : y;
  const Complex z = combiner.opcode == "add" ? x.complex() + y.complex() : x.complex() * y.complex();
  const Integer i = combiner.opcode == "add" ? x.integer + y.integer : x.integer * y.integer;
  return Rounded(type, {.integer = i, .re = z.re, .im = IsComplex(type) ? z.im : 0});
}

Array Inputs(const Combiner& combiner, PrimitiveType type, const Dims& dims, uint64_t seed) {
  if (combiner.opcode == "add") return SparseOnes(type, dims, seed);
  if (combiner.opcode == "multiply") return Signs(type, dims, seed);
  return ModerateArray(type, dims, seed);
}

// The initial value of windows, which stands in the padding as often as an implementation likes.
Array Neutral(const Combiner& combiner, PrimitiveType type) {
  if (combiner.opcode == "add") return {type, {}, {Value{}}};
  if (combiner.opcode == "multiply") return {type, {}, {Value{.integer = 1, .re = 1}}};
  const bool highest = combiner.opcode == "minimum";
  if (IsFloat(type)) {
    const FloatFormat format = FloatFormatOf(type);
    return {type,
            {},
            {ValueOfCode(
                type, !highest && !format.HasSign() ? 0 : format.MaxFiniteBits() | (highest ? 0 : format.SignBit()))}};
  }
  if (type == PRED) return {type, {}, {Value::Int(highest)}};
  const Integer count = Integer{1} << BitWidth(type);
  if (!IsSigned(type)) return {type, {}, {Value::Int(highest ? count - 1 : 0)}};
  return {type, {}, {Value::Int(highest ? count / 2 - 1 : -count / 2)}};
}

}  // namespace

void ReduceCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  for (const Combiner& combiner : kCombiners) {
    if (!Applies(combiner, type)) continue;
    OpcodeCase one = OneLine(opcode, type, type, {3}, "reduce(@0, @1), dimensions={0,2}, to_apply=@f");
    one.variant = combiner.opcode;
    if (IsComplex(type)) one.accuracy = {.ulps = 1};  // the signs of zeros depend on the order
    one.computations = BinaryComputation("f", type, std::string(combiner.opcode));
    // HLO promises that the initial value is neutral; another one is kept where the reduction is one plain operation.
    const bool is_plain = BitWidth(type) >= 8 && !IsComplex(type) && HasExactSums(type);
    one.inputs = {Encode(Inputs(combiner, type, {2, 3, 5}, 3)),
                  Encode(is_plain ? Inputs(combiner, type, {}, 4) : Neutral(combiner, type))};
    one.formula = OneResult([=, &combiner](std::span<const Array> x) {
      return MakeArray(type, {3}, [&](const Dims& i) {
        Value sum = x[1][0];
        ForEachIndex({2, 5}, [&](const Dims& k) { sum = Combined(combiner, type, sum, At(x[0], {k[0], i[0], k[1]})); });
        return sum;
      });
    });
    out.push_back(std::move(one));
  }
  if (IsComplex(type)) return;
  // The place of the largest element of each row, the first of equal ones: whatever the order, and however often the
  // initial value takes part.
  const std::string_view t = PrimitiveTypeName(type);
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  one.variant = "argmax";
  one.computations = fmt::format(
      "@f {{ x = {0}[] parameter(0)  i = s32[] parameter(1)  y = {0}[] parameter(2)  j = s32[] parameter(3)\n"
      "  more = pred[] compare(x, y), direction=GT  same = pred[] compare(x, y), direction=EQ\n"
      "  before = pred[] compare(i, j), direction=LT  tie = pred[] and(same, before)  p = pred[] or(more, tie)\n"
      "  v = {0}[] select(p, x, y)  k = s32[] select(p, i, j)\n"
      "  ROOT t = ({0}[], s32[]) tuple(v, k) }}\n",
      t);
  one.body = fmt::format(
      "  @i = s32[3,7] iota(), iota_dimension=1\n  @none = s32[] constant(-1)\n"
      "  @r = ({0}[3], s32[3]) reduce(@0, @i, @1, @none), dimensions={{1}}, to_apply=@f",
      t);
  Array start = ModerateArray(type, {}, 1);
  one.inputs = {Encode(ModerateArray(type, {3, 7}, 6)), Encode(start)};
  one.formula = [=](std::span<const Array> x) {
    std::vector<Array> results = {{type, {3}, {}}, {S32, {3}, {}}};
    for (int64_t row = 0; row < 3; ++row) {
      Value best = x[1][0];
      int64_t place = -1;
      for (int64_t i = 0; i < 7; ++i) {
        const Value& next = At(x[0], {row, i});
        if (IsFloat(type) ? best.re >= next.re : best.integer >= next.integer) continue;
        best = next;
        place = i;
      }
      results[0].values.push_back(best);
      results[1].values.push_back(Value::Int(place));
    }
    return results;
  };
  out.push_back(std::move(one));
}

namespace {

// The window of the cases: {size=2x3 stride=2x1 pad=1_0x1_2 lhs_dilate=1x2 rhs_dilate=1x2} over {4, 5}.
constexpr std::string_view kWindow = "{size=2x3 stride=2x1 pad=1_0x1_2 lhs_dilate=1x2 rhs_dilate=1x2}";
// The operand's index under a tap, or nothing.
std::optional<Dims> UnderTap(const Dims& position, const Dims& tap) {
  const int64_t row = position[0] * 2 + tap[0] - 1;
  const int64_t spread = position[1] + tap[1] * 2 - 1;
  if (row < 0 || row >= 4 || spread < 0 || spread % 2 != 0 || spread / 2 >= 5) return std::nullopt;
  return Dims{row, spread / 2};
}
// (4 + 1 - 2) / 2 + 1 and 9 + 3 - 5 + 1.
const Dims kWindows = {2, 8};

}  // namespace

void ReduceWindowCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  for (const Combiner& combiner : kCombiners) {
    if (!Applies(combiner, type)) continue;
    OpcodeCase one =
        OneLine(opcode, type, type, kWindows, fmt::format("reduce-window(@0, @1), window={}, to_apply=@f", kWindow));
    one.variant = combiner.opcode;
    if (IsComplex(type)) one.accuracy = {.ulps = 1};  // the signs of zeros depend on the order
    one.computations = BinaryComputation("f", type, std::string(combiner.opcode));
    one.inputs = {Encode(Inputs(combiner, type, {4, 5}, 3)), Encode(Neutral(combiner, type))};
    one.formula = OneResult([=, &combiner](std::span<const Array> x) {
      return MakeArray(type, kWindows, [&](const Dims& i) {
        Value sum = x[1][0];
        ForEachIndex({2, 3}, [&](const Dims& tap) {
          if (const auto from = UnderTap(i, tap)) sum = Combined(combiner, type, sum, At(x[0], *from));
        });
        return sum;
      });
    });
    out.push_back(std::move(one));
  }
}

// The largest element of each window (by its real part) gets the source's element added to what stands there.
void SelectAndScatterCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  const std::string_view t = PrimitiveTypeName(type), part = PrimitiveTypeName(ComplexComponentType(type));
  const std::string_view combine = HasExactSums(type) ? "add" : "multiply";
  OpcodeCase one = OneLine(opcode, type, type, {4, 6},
                           "select-and-scatter(@0, @1, @2), window={size=2x3 stride=2x2 pad=0_0x0_1}, "
                           "select=@s, scatter=@f");
  one.computations = BinaryComputation("f", type, std::string(combine)) +
                     fmt::format(
                         "@s {{ a = {0}[] parameter(0)  b = {0}[] parameter(1)  x = {1}[] {2}(a)  y = {1}[] {2}(b)\n"
                         "  ROOT p = pred[] compare(x, y), direction=GE }}\n",
                         t, part, IsComplex(type) ? "real" : "copy");
  one.inputs = {Encode(ModerateArray(type, {4, 6}, 1)), Encode(SparseOnes(type, {2, 3}, 2)),
                Encode(SparseOnes(type, {}, 3))};
  one.formula = OneResult([=](std::span<const Array> x) {
    Array result = MakeArray(type, {4, 6}, [&](const Dims&) { return x[2][0]; });
    ForEachIndex({2, 3}, [&](const Dims& i) {
      std::optional<Dims> chosen;
      ForEachIndex({2, 3}, [&](const Dims& tap) {
        const Dims at = {2 * i[0] + tap[0], 2 * i[1] + tap[1]};
        if (at[1] >= 6) return;
        if (chosen) {
          const Value &old = At(x[0], *chosen), &next = At(x[0], at);
          const bool stays = IsFloat(type) || IsComplex(type) ? old.re >= next.re : old.integer >= next.integer;
          if (stays) return;
        }
        chosen = at;
      });
      Value& place = result[Place({4, 6}, *chosen)];
      place = Combined({combine, false}, type, place, At(x[1], i));
    });
    return result;
  });
  out.push_back(std::move(one));
}

// --- sums of products, rounded once

namespace {

Value SumOfProducts(PrimitiveType type, const std::function<void(const std::function<void(Value, Value)>&)>& pairs) {
  Complex sum;
  Integer integer = 0;
  pairs([&](const Value& x, const Value& y) {
    sum = sum + x.complex() * y.complex();
    integer += x.integer * y.integer;
  });
  if (!IsComplex(type)) sum.im = 0;
  return {.integer = integer, .re = sum.re, .im = sum.im};
}

// The element types that a product of `type` may have: its own, and the usual wider one.
std::vector<PrimitiveType> ProductTypes(PrimitiveType type) {
  if (IsFloat(type) && BitWidth(type) < 32) return {type, F32};
  if (IsInteger(type) && BitWidth(type) < 32) return {type, IsSigned(type) ? S32 : U32};
  return {type};
}

}  // namespace

void DotCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  for (const PrimitiveType result : ProductTypes(type)) {
    OpcodeCase one =
        OneLine(opcode, type, result, {3, 4}, "dot(@0, @1), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
    one.variant = fmt::format("to {}", PrimitiveTypeName(result));
    one.inputs = {Encode(ModerateArray(type, {3, 5}, 1)), Encode(ModerateArray(type, {5, 4}, 2))};
    one.formula = OneResult([=](std::span<const Array> x) {
      return MakeArray(result, {3, 4}, [&](const Dims& i) {
        return SumOfProducts(type, [&](const auto& add) {
          for (int64_t k = 0; k < 5; ++k) add(At(x[0], {i[0], k}), At(x[1], {k, i[1]}));
        });
      });
    });
    out.push_back(std::move(one));
  }
  // Two batch dimensions in different places, two contracting ones.
  OpcodeCase one = OneLine(opcode, type, type, {2, 4, 3},
                           "dot(@0, @1), lhs_batch_dims={1}, lhs_contracting_dims={0,3}, rhs_batch_dims={0}, "
                           "rhs_contracting_dims={2,3}");
  one.variant = "batched";
  one.inputs = {Encode(ModerateArray(type, {2, 2, 4, 3}, 3)), Encode(ModerateArray(type, {2, 3, 2, 3}, 4))};
  one.formula = OneResult([=](std::span<const Array> x) {
    return MakeArray(type, {2, 4, 3}, [&](const Dims& i) {
      return SumOfProducts(type, [&](const auto& add) {
        ForEachIndex({2, 3}, [&](const Dims& k) {
          add(At(x[0], {k[0], i[0], i[1], k[1]}), At(x[1], {i[0], i[2], k[0], k[1]}));
        });
      });
    });
  });
  out.push_back(std::move(one));
}

void ConvolutionCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  for (const PrimitiveType result : ProductTypes(type)) {
    OpcodeCase one = OneLine(opcode, type, result, {2, 2, 8, 4},
                             fmt::format("convolution(@0, @1), window={}, dim_labels=b01f_01io->b01f", kWindow));
    one.variant = fmt::format("to {}", PrimitiveTypeName(result));
    one.inputs = {Encode(ModerateArray(type, {2, 4, 5, 3}, 1)), Encode(ModerateArray(type, {2, 3, 3, 4}, 2))};
    one.formula = OneResult([=](std::span<const Array> x) {
      return MakeArray(result, {2, 2, 8, 4}, [&](const Dims& i) {
        return SumOfProducts(type, [&](const auto& add) {
          ForEachIndex({2, 3, 3}, [&](const Dims& k) {
            const auto from = UnderTap({i[1], i[2]}, {k[0], k[1]});
            if (from) add(At(x[0], {i[0], (*from)[0], (*from)[1], k[2]}), At(x[1], {k[0], k[1], k[2], i[3]}));
          });
        });
      });
    });
    out.push_back(std::move(one));
  }
  // Two groups of features, each with its own kernel, over one dimension.
  OpcodeCase one = OneLine(opcode, type, type, {1, 4, 4},
                           "convolution(@0, @1), window={size=2}, dim_labels=bf0_oi0->bf0, feature_group_count=2");
  one.variant = "grouped";
  one.inputs = {Encode(ModerateArray(type, {1, 6, 5}, 3)), Encode(ModerateArray(type, {4, 3, 2}, 4))};
  one.formula = OneResult([=](std::span<const Array> x) {
    return MakeArray(type, {1, 4, 4}, [&](const Dims& i) {
      return SumOfProducts(type, [&](const auto& add) {
        ForEachIndex({3, 2}, [&](const Dims& k) {
          add(At(x[0], {0, i[1] / 2 * 3 + k[0], i[2] + k[1]}), At(x[1], {i[1], k[0], k[1]}));
        });
      });
    });
  });
  out.push_back(std::move(one));
}

}  // namespace xla::opcode_cases
