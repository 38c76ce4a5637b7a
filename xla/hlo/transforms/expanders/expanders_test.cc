// The expanders: what they make of a program gives, in the evaluator, what the program gave.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "base/file.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

constexpr std::string_view kExpanders =
    "static_values,topk_expander,sort_expander,select_and_scatter_expander,reduce_window_expander,scatter_expander,"
    "convolution_expander";

bool IsExpanded(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kConvolution:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kScatter:
    case HloOpcode::kSelectAndScatter:
    case HloOpcode::kSort:
    case HloOpcode::kTopK:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kPartitionId:
      return true;
    default:
      return false;
  }
}

// Small integers, so that sums are exact in any order; many are equal, so that ties occur.
std::vector<Literal> Inputs(const HloModule& module, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Literal> inputs;
  for (const HloInstruction* parameter : module.entry_computation()->parameter_instructions()) {
    Literal literal = Literal::Zeros(parameter->shape());
    const bool is_index = IsInteger(parameter->shape().element_type());
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      literal.SetFromInt64(i, static_cast<int64_t>(random() % 11) - (is_index ? 2 : 5));
    }
    inputs.push_back(std::move(literal));
  }
  return inputs;
}

// Runs the expanders on a module and compares the results before and after, bit by bit.
void ExpectSameResults(const std::string& text) {
  SCOPED_TRACE(text);
  auto module = ParseAndReturnVerifiedModule(text, "test");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const std::vector<Literal> inputs = Inputs(**module, std::hash<std::string>()(text));
  const auto before = Evaluate(**module, inputs);
  ASSERT_TRUE(before.ok()) << before.status().ToString();
  HloPassPipeline pipeline("test", {.check_unchanged = CheckUnchangedPromise::kYes});
  ASSERT_TRUE(AddPassesByName(kExpanders, pipeline).ok());
  const auto changed = pipeline.Run(**module, {});
  ASSERT_TRUE(changed.ok()) << changed.status().ToString();
  EXPECT_EQ(*changed, Changed::kYes);
  for (const HloComputation* computation : (*module)->MakeComputationPostOrder()) {
    for (const HloInstruction* instruction : computation->instructions()) {
      EXPECT_FALSE(IsExpanded(instruction->opcode())) << instruction->ToString();
    }
  }
  const auto after = Evaluate(**module, inputs);
  ASSERT_TRUE(after.ok()) << after.status().ToString() << (*module)->ToString();
  for (size_t i = 0; i < before->size(); ++i) EXPECT_EQ((*before)[i].ToString(), (*after)[i].ToString());
}

constexpr std::string_view kComputations = R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
max { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] maximum(x, y) }
mul { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] multiply(x, y) }
iadd { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = s32[] add(y, x) }
ge { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=GE }
lt { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=LT }
gt2 { x = f32[] parameter(0)  y = f32[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)
      ROOT z = pred[] compare(x, y), direction=GT }
plus { x = f32[] parameter(0)  y = f32[] parameter(1)  z = f32[] negate(y)  ROOT w = f32[] subtract(x, z) }
last { x = f32[] parameter(0)  ROOT y = f32[] parameter(1) }
argmax { x = f32[] parameter(0)  i = s32[] parameter(1)  y = f32[] parameter(2)  j = s32[] parameter(3)
  p = pred[] compare(x, y), direction=GE  v = f32[] select(p, x, y)  k = s32[] select(p, i, j)
  ROOT t = (f32[], s32[]) tuple(v, k) }
)";

// The last line of the body is the root.
void ExpectSame(const std::string& body) {
  ExpectSameResults(fmt::format("HloModule m\n{}\nENTRY main {{\n  {}\n}}\n", kComputations, body));
}

TEST(Expanders, Convolutions) {
  for (const char* window :
       {"{size=3x2}", "{size=3x3 pad=1_1x1_1}", "{size=2x3 stride=2x3 pad=2_1x0_4}", "{size=1x1 stride=2x2}",
        "{size=3x2 rhs_dilate=2x3}", "{size=3x3 pad=2_2x-1_3 lhs_dilate=2x3}", "{size=2x2 rhs_reversal=1x0}",
        "{size=9x7 pad=8_8x6_6}", "{size=1x8 pad=0_0x3_3 rhs_dilate=1x2}"}) {
    for (const char* labels : {"b01f_01io->b01f", "bf01_oi01->bf01", "f01b_i01o->01bf", "0b1f_o1i0->fb10"}) {
      // Shapes that fit every label: sizes are equal where labels may stand.
      const auto numbers = ParseConvolutionDimensionNumbers(labels);
      auto module_window = std::string(window);
      const auto sizes = module_window.substr(6, 3);
      const int64_t kh = sizes[0] - '0';
      const int64_t kw = sizes[2] - '0';
      std::vector<int64_t> input(4);
      std::vector<int64_t> kernel(4);
      input[numbers->input_batch_dimension] = 2;
      input[numbers->input_feature_dimension] = 3;
      input[numbers->input_spatial_dimensions[0]] = 9;
      input[numbers->input_spatial_dimensions[1]] = 8;
      kernel[numbers->kernel_input_feature_dimension] = 3;
      kernel[numbers->kernel_output_feature_dimension] = 4;
      kernel[numbers->kernel_spatial_dimensions[0]] = kh;
      kernel[numbers->kernel_spatial_dimensions[1]] = kw;
      const auto text = [](const std::vector<int64_t>& d) { return fmt::format("f32[{}]", fmt::join(d, ",")); };
      // The result's shape comes from the verifier's message: the rule itself is tested elsewhere.
      const std::string body = fmt::format(
          "x = {} parameter(0)  k = {} parameter(1)  ROOT r = RESULT convolution(x, k), "
          "window={}, dim_labels={}",
          text(input), text(kernel), window, labels);
      const auto probe = ParseAndReturnVerifiedModule(
          "ENTRY main { " + std::string(body).replace(body.find("RESULT"), 6, "f32[1,1,1,1]") + " }", "probe");
      const std::string message = probe.status().ToString();
      const size_t at = message.find("expected: f32");
      ASSERT_NE(at, std::string::npos) << message;
      const std::string shape = message.substr(at + 10, message.find(']', at) - at - 9);
      ExpectSame(std::string(body).replace(body.find("RESULT"), 6, shape));
    }
  }
}

TEST(Expanders, GroupedConvolutions) {
  ExpectSame(
      "x = f32[2,5,6] parameter(0)  k = f32[3,2,9] parameter(1)  ROOT r = f32[2,3,9] convolution(x, k), "
      "window={size=3}, dim_labels=b0f_0io->b0f, feature_group_count=3");
  ExpectSame(
      "x = f32[2,5,6] parameter(0)  k = f32[3,1,6] parameter(1)  ROOT r = f32[2,5,6] convolution(x, k), "
      "window={size=3 pad=2_0}, dim_labels=b0f_0io->b0f, feature_group_count=6");
  ExpectSame(
      "x = f32[6,5,4] parameter(0)  k = f32[3,4,6] parameter(1)  ROOT r = f32[2,3,6] convolution(x, k), "
      "window={size=3}, dim_labels=b0f_0io->b0f, batch_group_count=3");
  ExpectSame(
      "x = s8[2,4,3] parameter(0)  k = s8[2,3,5] parameter(1)  ROOT r = s32[2,3,5] convolution(x, k), "
      "window={size=2}, dim_labels=b0f_0io->b0f");
  ExpectSame(
      "x = f32[2,3] parameter(0)  k = f32[3,4] parameter(1)  ROOT r = f32[2,4] convolution(x, k), "
      "dim_labels=bf_io->bf");
  ExpectSame(
      "x = f32[1,4,5,6,2] parameter(0)  k = f32[2,3,2,2,3] parameter(1)  ROOT r = f32[1,3,3,5,3] "
      "convolution(x, k), window={size=2x3x2}, dim_labels=b012f_012io->b012f");
  ExpectSame(
      "x = f32[0,4,2] parameter(0)  k = f32[2,2,3] parameter(1)  ROOT r = f32[0,3,3] convolution(x, k), "
      "window={size=2}, dim_labels=b0f_0io->b0f");
}

TEST(Expanders, ReduceWindows) {
  for (const char* rest :
       {"f32[5,6] reduce-window(x, c), window={size=3x1}, to_apply=add",
        "f32[7,6] reduce-window(x, c), window={size=7x1 pad=6_0x0_0}, to_apply=add",
        "f32[3,3] reduce-window(x, c), window={size=3x2 stride=2x2}, to_apply=max",
        "f32[4,2] reduce-window(x, c), window={size=2x3 pad=1_1x0_0 rhs_dilate=2x2 stride=2x1}, to_apply=add",
        "f32[13,6] reduce-window(x, c), window={size=1x1 lhs_dilate=2x1}, to_apply=max",
        "f32[0,6] reduce-window(x, c), window={size=8x1}, to_apply=add",
        "f32[1,1] reduce-window(x, c), window={size=7x6}, to_apply=mul"}) {
    ExpectSame(fmt::format("x = f32[7,6] parameter(0)  c = f32[] constant({})  ROOT r = {}",
                           std::string_view(rest).ends_with("max")   ? "-inf"
                           : std::string_view(rest).ends_with("mul") ? "1"
                                                                     : "0",
                           rest));
  }
  ExpectSame(
      "x = f32[9] parameter(0)  i = s32[9] iota(), iota_dimension=0  c = f32[] constant(-inf)  z = s32[] "
      "constant(-1)  ROOT r = (f32[9], s32[9]) reduce-window(x, i, c, z), window={size=5 pad=2_2}, "
      "to_apply=argmax");
}

TEST(Expanders, SelectAndScatter) {
  ExpectSame(
      "x = f32[2,6,5] parameter(0)  s = f32[2,3,2] parameter(1)  c = f32[] constant(3)  ROOT r = f32[2,6,5] "
      "select-and-scatter(x, s, c), window={size=1x2x2 stride=1x2x2}, select=ge, scatter=add");
  ExpectSame(
      "x = f32[6,5] parameter(0)  s = f32[6,4] parameter(1)  c = f32[] constant(0)  ROOT r = f32[6,5] "
      "select-and-scatter(x, s, c), window={size=3x2 pad=1_1x0_0}, select=ge, scatter=add");
}

TEST(Expanders, Scatters) {
  const std::string rows = "t = f32[6,4] parameter(0)  i = s32[9] parameter(1)  u = f32[9,4] parameter(2)  ";
  const std::string row_numbers =
      "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, ";
  ExpectSame(rows + "ROOT r = f32[6,4] scatter(t, i, u), " + row_numbers + "to_apply=add");
  ExpectSame(rows + "ROOT r = f32[6,4] scatter(t, i, u), " + row_numbers + "to_apply=max");
  ExpectSame(rows + "ROOT r = f32[6,4] scatter(t, i, u), " + row_numbers + "to_apply=plus");
  ExpectSame(rows + "ROOT r = f32[6,4] scatter(t, i, u), " + row_numbers + "to_apply=last");
  // Single elements, an implicit index vector, another index type.
  ExpectSame(
      "t = s32[8] parameter(0)  i = u8[5] parameter(1)  u = s32[5] parameter(2)  ROOT r = s32[8] scatter(t, i, "
      "u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1, to_apply=iadd");
  // Windows of several elements at two indices.
  ExpectSame(
      "t = f32[7,9] parameter(0)  i = s64[2,5] parameter(1)  u = f32[3,5,2] parameter(2)  ROOT r = f32[7,9] "
      "scatter(t, i, u), update_window_dims={0,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={1,0}, "
      "index_vector_dim=0, to_apply=add");
  // Batching dimensions.
  ExpectSame(
      "t = f32[3,6,2] parameter(0)  i = s32[3,4,1] parameter(1)  u = f32[3,4,2] parameter(2)  ROOT r = "
      "f32[3,6,2] scatter(t, i, u), update_window_dims={2}, inserted_window_dims={1}, "
      "scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, "
      "index_vector_dim=2, to_apply=add");
  ExpectSame(
      "t = f32[6,4] parameter(0)  i = s32[0] parameter(1)  u = f32[0,4] parameter(2)  ROOT r = f32[6,4] "
      "scatter(t, i, u), " +
      row_numbers + "to_apply=add");
}

TEST(Expanders, Sorts) {
  for (int64_t n : {1, 2, 3, 8, 13, 33}) {
    ExpectSame(fmt::format("x = f32[{0}] parameter(0)  ROOT r = f32[{0}] sort(x), dimensions={{0}}, to_apply=lt", n));
    ExpectSame(
        fmt::format("x = f32[3,{0},2] parameter(0)  i = s32[3,{0},2] iota(), iota_dimension=1  ROOT r = "
                    "(f32[3,{0},2], s32[3,{0},2]) sort(x, i), dimensions={{1}}, is_stable=true, to_apply=gt2",
                    n));
  }
}

TEST(Expanders, TopK) {
  for (const char* largest : {"true", "false"}) {
    ExpectSame(
        fmt::format("x = f32[3,11] parameter(0)  ROOT r = (f32[3,4], s32[3,4]) topk(x), k=4, largest={}, "
                    "is_stable=true",
                    largest));
    ExpectSame(fmt::format("x = u8[8] parameter(0)  ROOT r = (u8[8], s32[8]) topk(x), k=8, largest={}", largest));
  }
}

// Runs passes and compares the results before and after within a tolerance.
void ExpectNearResults(std::string_view passes, const std::string& text, double tolerance) {
  SCOPED_TRACE(text);
  auto module = ParseAndReturnVerifiedModule(text, "test");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const std::vector<Literal> inputs = Inputs(**module, std::hash<std::string>()(text));
  const auto before = Evaluate(**module, inputs);
  ASSERT_TRUE(before.ok()) << before.status().ToString();
  HloPassPipeline pipeline("test", {.check_unchanged = CheckUnchangedPromise::kYes});
  ASSERT_TRUE(AddPassesByName(passes, pipeline).ok());
  const auto changed = pipeline.Run(**module, {});
  ASSERT_TRUE(changed.ok()) << changed.status().ToString();
  EXPECT_EQ(*changed, Changed::kYes);
  const auto after = Evaluate(**module, inputs);
  ASSERT_TRUE(after.ok()) << after.status().ToString();
  for (size_t r = 0; r < before->size(); ++r) {
    const Literal& want = (*before)[r];
    const Literal& got = (*after)[r];
    ASSERT_EQ(got.shape(), want.shape());
    if (!IsFloat(want.shape().element_type()) && !IsComplex(want.shape().element_type())) {
      EXPECT_EQ(got.ToString(), want.ToString());
      continue;
    }
    const int64_t numbers = want.element_count() * (IsComplex(want.shape().element_type()) ? 2 : 1);
    for (int64_t i = 0; i < numbers; ++i) {
      const double g = got.Get<float>(i);
      const double w = want.Get<float>(i);
      if (g == w || std::isnan(w)) continue;  // which part of an undefined result is NaN differs between formulas
      EXPECT_NEAR(g, w, tolerance * (1 + std::abs(w))) << "result " << r << ", number " << i;
    }
  }
}

TEST(Expanders, Ffts) {
  for (const char* rest :
       {"c64[3,12] fft(x), fft_type=FFT, fft_length={12}", "c64[3,12] fft(x), fft_type=IFFT, fft_length={3,12}",
        "f32[3,22] fft(x), fft_type=IRFFT, fft_length={22}", "f32[3,23] fft(x), fft_type=IRFFT, fft_length={3,23}"}) {
    ExpectNearResults("fft_expander",
                      fmt::format("ENTRY main {{ p = f32[3,12] parameter(0)  q = f32[3,12] parameter(1)  "
                                  "x = c64[3,12] complex(p, q)  ROOT r = {} }}",
                                  rest),
                      1e-5);
  }
  for (int n : {1, 2, 7, 96, 100, 128}) {
    ExpectNearResults("fft_expander",
                      fmt::format("ENTRY main {{ x = f32[2,{}] parameter(0)  ROOT r = c64[2,{}] fft(x), "
                                  "fft_type=RFFT, fft_length={{{}}} }}",
                                  n, n / 2 + 1, n),
                      1e-5);
  }
}

TEST(Expanders, ComplexArithmetic) {
  const std::string inputs =
      "  p = f32[40] parameter(0)  q = f32[40] parameter(1)  s = f32[40] parameter(2)  t = f32[40] parameter(3)\n"
      "  x = c64[40] complex(p, q)  y = c64[40] complex(s, t)\n";
  for (const char* op :
       {"add(x, y)", "subtract(x, y)", "multiply(x, y)", "divide(x, y)", "power(x, y)", "exponential(x)", "log(x)",
        "sqrt(x)", "rsqrt(x)", "tanh(x)", "sine(x)", "cosine(x)", "negate(x)", "sign(x)"}) {
    ExpectNearResults("complex_expander",
                      "ENTRY main {\n" + inputs +
                          fmt::format("  z = c64[40] {}  a = f32[40] real(z)  b = f32[40] imag(z)  n = f32[40] abs(z)\n"
                                      "  ROOT r = (c64[40], f32[40], f32[40], f32[40]) tuple(z, a, b, n) }}",
                                      op),
                      2e-4);
  }
}

TEST(Expanders, ComplexArraysThatMove) {
  ExpectNearResults("complex_expander", R"(
add { x = c64[] parameter(0)  y = c64[] parameter(1)  ROOT z = c64[] add(x, y) }
ENTRY main {
  p = f32[3,4] parameter(0)  q = f32[3,4] parameter(1)
  x = c64[3,4] complex(p, q)
  c = c64[3,4] constant({{(1, 2), (3, -1), (0, 1), (2, 2)}, {(0, 0), (1, 0), (4, 4), (-1, 3)}, {(5, 1), (2, 0), (0, 2), (1, 1)}})
  m = c64[3,4] multiply(x, c)  z = c64[] constant((0, 0))
  t = c64[4,3] transpose(m), dimensions={1,0}
  d = c64[4,4] dot(t, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = c64[4] reduce(d, z), dimensions={1}, to_apply=add
  w = c64[6] pad(s, z), padding=1_1  e = pred[3,4] compare(x, c), direction=NE  a = f32[3,4] abs(m)
  ROOT r = (c64[4,4], c64[6], pred[3,4], f32[3,4], c64[3,4]) tuple(d, w, e, a, x)
})",
                    1e-5);
}

TEST(Expanders, StaticValues) {
  ExpectSame(
      "x = f32[3,11] parameter(0)  y = f32[3,11] opt-barrier(x)  s = s32[] get-dimension-size(y), dimensions={1}  "
      "p = u32[] partition-id()  z = f32[3,11] custom-call(y), custom_call_target=\"Sharding\"  ROOT r = "
      "(f32[3,11], s32[], u32[]) tuple(z, s, p)");
}

}  // namespace
}  // namespace xla
