// cholesky, triangular-solve, batch normalisation, random bits and rounding by them: the same before and after their
// expanders, up to rounding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

constexpr std::string_view kExpanders =
    "batchnorm_expander,rng_bit_generator_expander,stochastic_convert_expander,cholesky_expander,"
    "triangular_solve_expander";

std::vector<Literal> Inputs(const HloModule& module) {
  std::mt19937_64 random(3);
  std::vector<Literal> inputs;
  for (const HloInstruction* parameter : module.entry_computation()->parameter_instructions()) {
    Literal literal = Literal::Zeros(parameter->shape());
    const bool is_integer = IsInteger(parameter->shape().element_type());
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      if (is_integer) literal.SetFromInt64(i, static_cast<int64_t>(random()));
      if (!is_integer) literal.SetFromDouble(i, std::uniform_real_distribution<double>(-1, 1)(random));
    }
    inputs.push_back(std::move(literal));
  }
  return inputs;
}

// The opcode must be gone, and the results of real types agree.
void ExpectSame(HloOpcode opcode, const std::string& body) {
  const std::string text = "ENTRY main {\n" + body + "\n}\n";
  SCOPED_TRACE(text);
  auto module = ParseAndReturnVerifiedModule(text, "test");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const std::vector<Literal> inputs = Inputs(**module);
  const auto before = Evaluate(**module, inputs);
  ASSERT_TRUE(before.ok()) << before.status().ToString();
  HloPassPipeline pipeline("test", {.check_unchanged = CheckUnchangedPromise::kYes});
  ASSERT_TRUE(AddPassesByName(kExpanders, pipeline).ok());
  const auto changed = pipeline.Run(**module, {});
  ASSERT_TRUE(changed.ok()) << changed.status().ToString();
  for (const HloComputation* computation : (*module)->MakeComputationPostOrder()) {
    for (const HloInstruction* instruction : computation->instructions()) EXPECT_NE(instruction->opcode(), opcode);
  }
  const auto after = Evaluate(**module, inputs);
  ASSERT_TRUE(after.ok()) << after.status().ToString();
  ASSERT_EQ(before->size(), after->size());
  for (size_t r = 0; r < before->size(); ++r) {
    const Literal &want = (*before)[r], &got = (*after)[r];
    ASSERT_EQ(want.element_count(), got.element_count());
    for (int64_t i = 0; i < want.element_count(); ++i) {
      const double x = want.GetAsDouble(i), y = got.GetAsDouble(i);
      if (IsInteger(want.shape().element_type())) EXPECT_EQ(want.GetAsInt64(i), got.GetAsInt64(i)) << i;
      EXPECT_NEAR(x, y, 1e-4 * (1 + std::fabs(x))) << "result " << r << " element " << i;
    }
  }
}

// Line by line: parameter x of these dimensions, complex or not, as the array `name`.
std::string Array(std::string_view name, std::string_view type, std::string_view dims, int number) {
  if (type[0] == 'f') return fmt::format("  {} = {}[{}] parameter({})\n", name, type, dims, number);
  const std::string_view part = type == "c64" ? "f32" : "f64";
  return fmt::format(
      "  {0}r = {1}[{3}] parameter({4})\n  {0}i = {1}[{3}] parameter({5})\n"
      "  {0} = {2}[{3}] complex({0}r, {0}i)\n",
      name, part, type, dims, number, number + 1);
}
// The root: what can be compared. `value` is an array of `type`.
std::string Root(std::string_view value, std::string_view type, std::string_view dims) {
  const std::string_view part = type == "c64" ? "f32" : type == "c128" ? "f64" : type;
  return fmt::format(
      "  re = {0}[{2}] real({1})\n  im = {0}[{2}] imag({1})\n"
      "  ROOT both = ({0}[{2}], {0}[{2}]) tuple(re, im)\n",
      part, value, dims);
}
// Large numbers on the diagonals of x[2,4,4], as `to`.
std::string WithDiagonal(std::string_view x, std::string_view to, std::string_view type) {
  return fmt::format(
      "  row = s32[2,4,4] iota(), iota_dimension=1\n  column = s32[2,4,4] iota(), iota_dimension=2\n"
      "  on = pred[2,4,4] compare(row, column), direction=EQ\n  big = {2}[] constant({3})\n"
      "  bigs = {2}[2,4,4] broadcast(big), dimensions={{}}\n  more = {2}[2,4,4] add({0}, bigs)\n"
      "  {1} = {2}[2,4,4] select(on, more, {0})\n",
      x, to, type, type[0] == 'c' ? "(4, 0)" : "4");
}

TEST(Solvers, Cholesky) {
  for (const char* type : {"f32", "f64", "c64", "c128"}) {
    for (const char* lower : {"true", "false"}) {
      std::string body = Array("x", type, "2,4,4", 0);
      // x x^H.
      const std::string_view part = std::string_view(type) == "c64" ? "f32" : "f64";
      body += type[0] == 'f'
                  ? fmt::format("  h = {}[2,4,4] copy(x)\n", type)
                  : fmt::format("  n = {0}[2,4,4] negate(xi)\n  h = {1}[2,4,4] complex(xr, n)\n", part, type);
      body += fmt::format(
          "  p = {}[2,4,4] dot(x, h), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, "
          "lhs_contracting_dims={{2}}, rhs_contracting_dims={{2}}\n",
          type);
      body += WithDiagonal("p", "a", type);
      body += fmt::format("  l = {}[2,4,4] cholesky(a), lower={}\n", type, lower);
      ExpectSame(HloOpcode::kCholesky, body + Root("l", type, "2,4,4"));
    }
  }
}

TEST(Solvers, TriangularSolve) {
  for (const char* type : {"f32", "f64", "c64"}) {
    for (const char* transpose : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) {
      for (int flags = 0; flags < 8; ++flags) {
        const bool left = (flags & 1) != 0, lower = (flags & 2) != 0, unit = (flags & 4) != 0;
        const std::string dims = left ? "2,4,3" : "2,3,4";
        std::string body = Array("x", type, "2,4,4", 0) + Array("b", type, dims, type[0] == 'c' ? 2 : 1);
        body += WithDiagonal("x", "a", type);
        body += fmt::format(
            "  s = {}[{}] triangular-solve(a, b), left_side={}, lower={}, unit_diagonal={}, "
            "transpose_a={}\n",
            type, dims, left, lower, unit, transpose);
        ExpectSame(HloOpcode::kTriangularSolve, body + Root("s", type, dims));
      }
    }
  }
}

TEST(Solvers, Nothing) {
  ExpectSame(HloOpcode::kCholesky, "  a = f32[2,0,0] parameter(0)\n  ROOT l = f32[2,0,0] cholesky(a), lower=true");
  ExpectSame(HloOpcode::kTriangularSolve,
             "  a = f32[3,3] parameter(0)\n  b = f32[3,0] parameter(1)\n  ROOT l = f32[3,0] triangular-solve(a, b), "
             "left_side=true, lower=true, transpose_a=NO_TRANSPOSE");
  ExpectSame(HloOpcode::kRngBitGenerator,
             "  s = u64[3] parameter(0)\n  ROOT r = (u64[3], u32[0,4]) rng-bit-generator(s), algorithm=rng_philox");
  ExpectSame(HloOpcode::kCholesky, "  a = f32[1,1] constant({{4}})\n  ROOT l = f32[1,1] cholesky(a), lower=true");
}

// A sum stays a sum although its computation, too, holds complex numbers.
TEST(Solvers, ComplexSumsBecomeRealOnes) {
  auto module = ParseAndReturnVerifiedModule(R"(
add { x = c64[] parameter(0)  y = c64[] parameter(1)  ROOT z = c64[] add(x, y) }
ENTRY main {
  x = c64[5,4] parameter(0)
  zero = c64[] constant((0, 0))
  s = c64[5] reduce(x, zero), dimensions={1}, to_apply=add
  ROOT re = f32[5] real(s)
})");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  HloPassPipeline pipeline("test");
  ASSERT_TRUE(AddPassesByName("complex_expander", pipeline).ok());
  ASSERT_TRUE(pipeline.Run(**module, {}).ok());
  int sums = 0;
  for (const HloInstruction* instruction : (*module)->entry_computation()->instructions()) {
    if (instruction->opcode() != HloOpcode::kReduce) continue;
    EXPECT_EQ(instruction->shape().element_type(), F32);
    ++sums;
  }
  EXPECT_GE(sums, 1);
}

TEST(Solvers, RandomBits) {
  for (const char* type : {"u8", "s8", "u16", "u32", "s32", "u64", "s64"}) {
    for (const char* dims : {"", "1", "6", "7", "3,5", "5,4,3"}) {
      for (const char* rest : {"u64[2] rng_three_fry", "u64[2] rng_default", "u64[3] rng_philox"}) {
        const std::string state(rest, 6), algorithm(rest + 7);
        ExpectSame(HloOpcode::kRngBitGenerator,
                   fmt::format("  s = {0} parameter(0)\n  ROOT r = ({0}, {1}[{2}]) rng-bit-generator(s), algorithm={3}",
                               state, type, dims, algorithm));
      }
    }
  }
}

TEST(Solvers, CounterCarries) {
  ExpectSame(HloOpcode::kRngBitGenerator,
             "  s = u64[3] constant({1, 18446744073709551614, 18446744073709551615})\n"
             "  ROOT r = (u64[3], u32[13]) rng-bit-generator(s), algorithm=rng_philox");
}

TEST(Solvers, StochasticConvert) {
  for (const auto& [from, word] : {std::pair("f32", "u32"), {"f16", "u16"}, {"bf16", "u16"}, {"f64", "u64"}}) {
    for (const char* to : {"s8", "s16", "s32"}) {
      ExpectSame(HloOpcode::kStochasticConvert,
                 fmt::format("  x = {0}[500] parameter(0)\n  u = {1}[500] parameter(1)\n  k = {0}[] constant(150)\n"
                             "  ks = {0}[500] broadcast(k), dimensions={{}}\n  y = {0}[500] multiply(x, ks)\n"
                             "  ROOT r = {2}[500] stochastic-convert(y, u)",
                             from, word, to));
    }
  }
}

}  // namespace
}  // namespace xla
