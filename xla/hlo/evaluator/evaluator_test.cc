// Single instructions with values worked out by hand: edge cases of the arithmetic, clamping, layouts, control flow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kComputations = R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
sub { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] subtract(x, y) }
argmax {
  x = f32[] parameter(0)  i = s32[] parameter(1)  y = f32[] parameter(2)  j = s32[] parameter(3)
  p = pred[] compare(x, y), direction=GE
  v = f32[] select(p, x, y)  k = s32[] select(p, i, j)  ROOT t = (f32[], s32[]) tuple(v, k)
}
through_call { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] call(x, y), to_apply=add }
constant_one { x = f32[] parameter(0)  ROOT c = f32[] constant(1) }
below_ten { x = s32[] parameter(0)  c = s32[] constant(10)  ROOT p = pred[] compare(x, c), direction=LT }
doubled { x = s32[] parameter(0)  ROOT y = s32[] add(x, x) }
negated { x = s32[] parameter(0)  ROOT y = s32[] negate(x) }
)";

// The text of the result of an entry with this body (the last line is the root) and without parameters.
std::string Result(const std::string& body) {
  const auto module =
      ParseAndReturnVerifiedModule(std::string(kComputations) + "ENTRY main {\n  " + body + "\n}", "test");
  if (!module.ok()) return module.status().ToString();
  const auto results = Evaluate(**module, {});
  if (!results.ok()) return results.status().ToString();
  std::string text;
  for (const Literal& result : *results) text += (text.empty() ? "" : " ") + result.ToStringWithoutShape();
  return text;
}

// One instruction on two vectors: Result2("s8", "divide", "{7}", "{0}").
std::string Binary(const std::string& type, const std::string& opcode, const std::string& a, const std::string& b,
                   const std::string& result_type = "", const std::string& attributes = "") {
  const auto count = std::to_string(1 + std::count(a.begin(), a.end(), ','));
  const std::string shape = type + "[" + count + "]";
  const std::string result = (result_type.empty() ? type : result_type) + "[" + count + "]";
  return Result("a = " + shape + " constant(" + a + ")\n  b = " + shape + " constant(" + b + ")\n  r = " + result +
                " " + opcode + "(a, b)" + attributes);
}
std::string Unary(const std::string& type, const std::string& opcode, const std::string& a,
                  const std::string& result_type = "", const std::string& attributes = "") {
  const auto count = std::to_string(1 + std::count(a.begin(), a.end(), ','));
  const std::string result = (result_type.empty() ? type : result_type) + "[" + count + "]";
  return Result("a = " + type + "[" + count + "] constant(" + a + ")\n  r = " + result + " " + opcode + "(a)" +
                attributes);
}

TEST(Evaluator, IntegerArithmeticWraps) {
  EXPECT_EQ(Binary("s8", "add", "{127, -128}", "{1, -1}"), "{-128, 127}");
  EXPECT_EQ(Binary("u8", "subtract", "{0, 5}", "{1, 3}"), "{255, 2}");
  EXPECT_EQ(Binary("s64", "multiply", "{9223372036854775807}", "{2}"), "{-2}");
  EXPECT_EQ(Binary("s4", "add", "{7, -8}", "{1, -1}"), "{-8, 7}");
  EXPECT_EQ(Unary("s32", "abs", "{-2147483648, -5}"), "{-2147483648, 5}");
  EXPECT_EQ(Unary("u8", "negate", "{1, 0}"), "{255, 0}");
}

// Worked out with integers of twice the width, rounded down.
TEST(Evaluator, MulhiGivesTheUpperHalf) {
  EXPECT_EQ(Binary("s8", "mulhi", "{127, -128, -128, 7}", "{127, -128, 127, -3}"), "{63, 64, -64, -1}");
  EXPECT_EQ(Binary("u16", "mulhi", "{65535, 256}", "{65535, 256}"), "{65534, 1}");
  EXPECT_EQ(Binary("u64", "mulhi", "{18446744073709551615, 4294967296}", "{18446744073709551615, 4294967296}"),
            "{18446744073709551614, 1}");
  EXPECT_EQ(Binary("s64", "mulhi", "{-9223372036854775808, -1}", "{2, 1}"), "{-1, -1}");
  EXPECT_EQ(Binary("s4", "mulhi", "{-8, 7}", "{-8, -8}"), "{4, -4}");
}

TEST(Evaluator, IntegerDivision) {
  EXPECT_EQ(Binary("s32", "divide", "{7, -7, 5, -2147483648}", "{2, 2, 0, -1}"), "{3, -3, -1, -2147483648}");
  EXPECT_EQ(Binary("s32", "remainder", "{7, -7, 5, -2147483648}", "{2, 2, 0, -1}"), "{1, -1, 5, 0}");
  EXPECT_EQ(Binary("u8", "divide", "{7, 200}", "{0, 3}"), "{255, 66}");
  EXPECT_EQ(Binary("s64", "divide", "{-9223372036854775808}", "{-1}"), "{-9223372036854775808}");
}

TEST(Evaluator, IntegerPower) {
  EXPECT_EQ(Binary("s32", "power", "{3, 2, 0, 5}", "{4, -1, 0, 0}"), "{81, 0, 1, 1}");
  EXPECT_EQ(Binary("s32", "power", "{-1, -1, 1}", "{-3, -2, -5}"), "{-1, 1, 1}");
  EXPECT_EQ(Binary("u8", "power", "{2}", "{8}"), "{0}");
}

TEST(Evaluator, ShiftsByTheWidthAndMore) {
  EXPECT_EQ(Binary("s32", "shift-left", "{1, 1, 1}", "{31, 32, -1}"), "{-2147483648, 0, 0}");
  EXPECT_EQ(Binary("s32", "shift-right-logical", "{-1, -1, -1}", "{28, 32, 0}"), "{15, 0, -1}");
  EXPECT_EQ(Binary("s8", "shift-right-arithmetic", "{-128, -128, 64}", "{3, 9, 9}"), "{-16, -1, 0}");
  EXPECT_EQ(Binary("u8", "shift-right-arithmetic", "{128}", "{3}"), "{240}");
}

TEST(Evaluator, Bits) {
  EXPECT_EQ(Unary("s8", "popcnt", "{-1, 3}"), "{8, 2}");
  EXPECT_EQ(Unary("s16", "count-leading-zeros", "{0, 1, -1}"), "{16, 15, 0}");
  EXPECT_EQ(Unary("pred", "not", "{1, 0}"), "{0, 1}");
  EXPECT_EQ(Unary("u8", "not", "{1}"), "{254}");
  EXPECT_EQ(Binary("pred", "add", "{1, 1, 0}", "{1, 0, 0}"), "{1, 1, 0}");
  EXPECT_EQ(Binary("pred", "multiply", "{1, 1}", "{1, 0}"), "{1, 0}");
}

TEST(Evaluator, NanAndSignedZero) {
  EXPECT_EQ(Binary("f32", "maximum", "{nan, 1, -0, 0}", "{1, nan, 0, -0}"), "{nan, nan, 0, 0}");
  EXPECT_EQ(Binary("f32", "minimum", "{nan, 1, -0, 0}", "{1, nan, 0, -0}"), "{nan, nan, -0, -0}");
  EXPECT_EQ(Unary("f32", "sign", "{nan, -0, 0, -7, inf}"), "{nan, -0, 0, -1, 1}");
  EXPECT_EQ(Binary("f32", "compare", "{nan, 0, 1}", "{nan, -0, 2}", "pred", ", direction=EQ"), "{0, 1, 0}");
  EXPECT_EQ(Binary("f32", "compare", "{nan, 0, 1}", "{nan, -0, 2}", "pred", ", direction=NE"), "{1, 0, 1}");
  EXPECT_EQ(Binary("f32", "compare", "{nan, 0, -nan}", "{inf, -0, -inf}", "pred", ", direction=GT, order=TOTAL"),
            "{1, 1, 0}");
  EXPECT_EQ(Result("l = f32[] constant(0)\n  x = f32[3] constant({-1, nan, 5})\n  h = f32[] constant(2)\n"
                   "  r = f32[3] clamp(l, x, h)"),
            "{0, nan, 2}");
}

TEST(Evaluator, Rounding) {
  EXPECT_EQ(Unary("f32", "round-nearest-afz", "{0.5, -0.5, 2.5}"), "{1, -1, 3}");
  EXPECT_EQ(Unary("f32", "round-nearest-even", "{0.5, 1.5, 2.5}"), "{0, 2, 2}");
  EXPECT_EQ(Binary("bf16", "add", "{256}", "{1}"), "{256}");  // the sum is rounded to bf16, to even
  EXPECT_EQ(Unary("f32", "reduce-precision", "{1.0625, 70000, 1e-05, 3}", "", ", exponent_bits=5, mantissa_bits=3"),
            "{1, inf, 0, 3}");
  EXPECT_EQ(Unary("f32", "reduce-precision", "{1.1875, nan, -inf}", "", ", exponent_bits=8, mantissa_bits=3"),
            "{1.25, nan, -inf}");
}

TEST(Evaluator, Conversions) {
  EXPECT_EQ(Unary("f32", "convert", "{1.9, -1.9, nan, 300, -300}", "s8"), "{1, -1, 0, 127, -128}");
  EXPECT_EQ(Unary("f32", "convert", "{1.9, -1.9, nan, 300}", "u8"), "{1, 0, 0, 255}");
  EXPECT_EQ(Unary("f32", "convert", "{inf, -inf, 1e30}", "s64"),
            "{9223372036854775807, -9223372036854775808, 9223372036854775807}");
  EXPECT_EQ(Unary("f32", "convert", "{0.5, 0, nan}", "pred"), "{1, 0, 1}");
  EXPECT_EQ(Unary("s32", "convert", "{300, -1}", "u8"), "{44, 255}");
  EXPECT_EQ(Unary("u32", "convert", "{4294967295}", "f32"), "{4.2949673e+09}");
  EXPECT_EQ(Unary("f64", "convert", "{1.0004882812501}", "f16"), "{1.001}");  // just above a tie
  EXPECT_EQ(Unary("f32", "convert", "{1e9, 449, 464, 465}", "f8e4m3fn"), "{nan, 448, 448, nan}");
  EXPECT_EQ(Unary("f32", "bitcast-convert", "{1, -2}", "u32"), "{1065353216, 3221225472}");
}

TEST(Evaluator, MovesElements) {
  const std::string m = "m = f32[2,3] constant({ {1, 2, 3}, {4, 5, 6} })\n  c = f32[] constant(9)\n  ";
  EXPECT_EQ(Result(m + "r = f32[3,2] transpose(m), dimensions={1,0}"), "{ {1, 4}, {2, 5}, {3, 6} }");
  EXPECT_EQ(Result(m + "r = f32[3,2]{0,1} bitcast(m)"), "{ {1, 4}, {2, 5}, {3, 6} }");
  EXPECT_EQ(Result(m + "r = f32[3,2] bitcast(m)"), "{ {1, 2}, {3, 4}, {5, 6} }");
  EXPECT_EQ(Result(m + "r = f32[2,3] reverse(m), dimensions={1}"), "{ {3, 2, 1}, {6, 5, 4} }");
  EXPECT_EQ(Result(m + "r = f32[1,2] slice(m), slice={[1:2], [0:3:2]}"), "{ {4, 6} }");
  EXPECT_EQ(Result(m + "r = f32[2,5] pad(m, c), padding=0_0x1_-1_1"), "{ {9, 1, 9, 2, 9}, {9, 4, 9, 5, 9} }");
  EXPECT_EQ(Result(m + "r = f32[2,6] concatenate(m, m), dimensions={1}"), "{ {1, 2, 3, 1, 2, 3}, {4, 5, 6, 4, 5, 6} }");
  EXPECT_EQ(Result("v = s32[2] constant({1, 2})\n  r = s32[2,3] broadcast(v), dimensions={0}"),
            "{ {1, 1, 1}, {2, 2, 2} }");
  EXPECT_EQ(Result("r = bf16[2,3] iota(), iota_dimension=1"), "{ {0, 1, 2}, {0, 1, 2} }");
  EXPECT_EQ(Result("a = f32[0,3] iota(), iota_dimension=0\n  r = f32[3,0] transpose(a), dimensions={1,0}"),
            "{ {}, {}, {} }");
}

TEST(Evaluator, DynamicIndicesAreClamped) {
  const std::string v = "v = f32[5] constant({1, 2, 3, 4, 5})\n  u = f32[2] constant({8, 9})\n  ";
  EXPECT_EQ(Result(v + "i = s32[] constant(9)\n  r = f32[2] dynamic-slice(v, i), dynamic_slice_sizes={2}"), "{4, 5}");
  EXPECT_EQ(Result(v + "i = s32[] constant(-9)\n  r = f32[2] dynamic-slice(v, i), dynamic_slice_sizes={2}"), "{1, 2}");
  EXPECT_EQ(Result(v + "i = u64[] constant(18446744073709551615)\n  r = f32[5] dynamic-update-slice(v, u, i)"),
            "{1, 2, 3, 8, 9}");
}

TEST(Evaluator, DotWithBatchDimensions) {
  EXPECT_EQ(Result(R"(a = s32[2,2,2] constant({ { {1, 2}, {3, 4} }, { {5, 6}, {7, 8} } })
  b = s32[2,2] constant({ {1, 10}, {1, 100} })
  r = s32[2,2] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1})"),
            "{ {21, 43}, {605, 807} }");
  EXPECT_EQ(Result("a = f32[2] constant({1, 2})\n  b = f32[2] constant({3, 4})\n  r = f32[2,2] dot(a, b)"),
            "{ {3, 4}, {6, 8} }");
}

TEST(Evaluator, Reductions) {
  const std::string m = "m = f32[2,5] constant({ {1, 2, 3, 4, 5}, {5, 1, 5, 0, 2} })\n  z = f32[] constant(0)\n  ";
  EXPECT_EQ(Result(m + "r = f32[2] reduce(m, z), dimensions={1}, to_apply=add"), "{15, 13}");
  EXPECT_EQ(Result(m + "r = f32[5] reduce(m, z), dimensions={0}, to_apply=add"), "{6, 3, 8, 4, 7}");
  EXPECT_EQ(Result(m + "r = f32[] reduce(m, z), dimensions={0,1}, to_apply=through_call"), "28");
  EXPECT_EQ(Result(m + "r = f32[2,5] reduce(m, z), dimensions={}, to_apply=sub"),
            "{ {-1, -2, -3, -4, -5}, {-5, -1, -5, 0, -2} }");
  EXPECT_EQ(Result(m + "i = s32[2,5] iota(), iota_dimension=1\n  n = f32[] constant(-inf)\n  k = s32[] constant(-1)\n"
                       "  r = (f32[2], s32[2]) reduce(m, i, n, k), dimensions={1}, to_apply=argmax"),
            "{5, 5} {4, 0}");  // the first of equal ones: neighbours are combined in order
  EXPECT_EQ(Result("e = f32[2,0] iota(), iota_dimension=0\n  z = f32[] constant(7)\n"
                   "  r = f32[2] reduce(e, z), dimensions={1}, to_apply=add"),
            "{7, 7}");
  EXPECT_EQ(Result(m + "r = f32[2,5] map(m), dimensions={0,1}, to_apply=constant_one"),
            "{ {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1} }");
}

TEST(Evaluator, ControlFlow) {
  EXPECT_EQ(Result("x = s32[] constant(3)\n  r = s32[] while(x), condition=below_ten, body=doubled"), "12");
  const std::string x = "x = s32[] constant(3)\n  ";
  EXPECT_EQ(Result(x + "p = pred[] constant(true)\n"
                       "  r = s32[] conditional(p, x, x), true_computation=doubled, false_computation=negated"),
            "6");
  for (const auto& [index, result] : {std::pair("0", "6"), {"1", "-3"}, {"2", "-3"}, {"-1", "-3"}}) {
    EXPECT_EQ(Result(x + "i = s32[] constant(" + index +
                     ")\n  r = s32[] conditional(i, x, x), branch_computations={doubled, negated}"),
              result);
  }
}

TEST(Evaluator, Errors) {
  EXPECT_THAT(Result("r = f32[5] constant({...})"),
              HasSubstr("E1007 HloNotEvaluable: the text of the module leaves out"));
  EXPECT_THAT(Result("c = s8[] constant(1)\n  r = s8[4294967296,2] broadcast(c), dimensions={}"),
              HasSubstr("an array of 8589934592 bytes is larger than the evaluator's limit of 4294967296"));
  EXPECT_THAT(Result("x = s32[] constant(0)\n  r = s32[] while(x), condition=below_ten, body=negated"),
              HasSubstr("the loop has not ended after 1000000 iterations"));
  const auto module = ParseAndReturnVerifiedModule("ENTRY main { ROOT a = f32[2] parameter(0) }");
  const Literal wrong[] = {Literal::Scalar<float>(F32, 1)};
  EXPECT_EQ(Evaluate(**module, wrong).status().ToString(),
            R"(E5005 WrongInputs: the arguments do not fit the entry computation's parameters
  where:    computation 'main'
  found:    (f32[])
  expected: (f32[2]))");
}

}  // namespace
}  // namespace xla
