// convolution, reduce-window and select-and-scatter against plain loops over the padded, dilated array.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include "xla/hlo/evaluator/evaluator_test_util.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

using Dims = std::vector<int64_t>;
using Complex = std::complex<double>;

// Calls f(index) for all indices of an array with these sizes, in row-major order.
void ForEachIndex(const Dims& sizes, const std::function<void(const Dims&)>& f, Dims index = {}) {
  if (index.size() == sizes.size()) return f(index);
  index.push_back(0);
  for (int64_t& i = index.back(); i < sizes[index.size() - 1]; ++i) ForEachIndex(sizes, f, index);
}

int64_t Flat(const Dims& sizes, const Dims& index) {
  int64_t flat = 0;
  for (size_t i = 0; i < sizes.size(); ++i) flat = flat * sizes[i] + index[i];
  return flat;
}

int64_t Product(const Dims& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

// Which element of the operand lies at which place of the padded, dilated dimension.
std::map<int64_t, int64_t> Places(int64_t bound, const WindowDimension& d) {
  std::map<int64_t, int64_t> places;
  for (int64_t i = 0; i < bound; ++i) places[d.padding_low + i * d.base_dilation] = i;
  return places;
}
int64_t Positions(int64_t bound, const WindowDimension& d) {
  const int64_t length = d.padding_low + d.padding_high + (bound == 0 ? 0 : (bound - 1) * d.base_dilation + 1);
  int64_t positions = 0;
  for (int64_t at = 0; at + (d.size - 1) * d.window_dilation < length; at += d.stride) ++positions;
  return positions;
}

class Random {
 public:
  int64_t Between(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }
  template <class T>
  void Shuffle(std::vector<T>* list) {
    std::shuffle(list->begin(), list->end(), engine_);
  }
  WindowDimension Window(int64_t size) {
    return {.size = size,
            .stride = Between(1, 3),
            .padding_low = Between(-1, 3),
            .padding_high = Between(-1, 3),
            .base_dilation = Between(1, 3),
            .window_dilation = Between(1, 2),
            .window_reversal = Between(0, 1) == 1};
  }

 private:
  std::mt19937_64 engine_{17};
};

// A convolution over [batch, feature, space...], [input feature, output feature, space...] -> [batch, feature,
// space...].
struct Case {
  PrimitiveType type = F32;
  PrimitiveType result_type = F32;
  int64_t batch = 1, kernel_features = 1, outputs = 1;
  int64_t feature_groups = 1, batch_groups = 1;
  Dims space;  // of the input
  Window window;
  // Where the three arrays have these dimensions: array dimension i is dimension order[i] of the lists above.
  Dims input_order, kernel_order, output_order;

  int64_t features() const { return kernel_features * feature_groups; }
  Dims InputSizes() const { return With(batch, features(), space); }
  Dims KernelSizes() const {
    Dims sizes;
    for (const WindowDimension& d : window) sizes.push_back(d.size);
    return With(kernel_features, outputs, sizes);
  }
  Dims OutputSizes() const {
    Dims sizes;
    for (size_t i = 0; i < space.size(); ++i) sizes.push_back(Positions(space[i], window[i]));
    return With(batch / batch_groups, outputs, sizes);
  }
  static Dims With(int64_t first, int64_t second, Dims others) {
    others.insert(others.begin(), {first, second});
    return others;
  }
};

Dims InOrder(const Dims& list, const Dims& order) {
  Dims result;
  for (const int64_t i : order) result.push_back(list[i]);
  return result;
}

void SetComplex(Literal* literal, int64_t i, Complex value) {
  if (literal->shape().element_type() == C64) return literal->Set<std::complex<float>>(i, std::complex<float>(value));
  literal->SetFromDouble(i, value.real());
}

// The literal with these values, whose dimensions stand in another order.
Literal Arranged(PrimitiveType type, const std::vector<Complex>& values, const Dims& sizes, const Dims& order) {
  Literal literal = Literal::Zeros(Shape::Array(type, InOrder(sizes, order)));
  ForEachIndex(sizes, [&](const Dims& index) {
    SetComplex(&literal, Flat(literal.shape().dimensions(), InOrder(index, order)), values[Flat(sizes, index)]);
  });
  return literal;
}

// One element by the definition: the sum over the taps that hit an element, and over the features of the group.
Complex OutputElement(const Case& c, const std::vector<Complex>& input, const std::vector<Complex>& kernel,
                      const Dims& at) {
  const int64_t output = at[1];
  const int64_t feature_group = output / (c.outputs / c.feature_groups);
  const int64_t batch_group = output / (c.outputs / c.batch_groups);
  const int64_t batch = batch_group * (c.batch / c.batch_groups) + at[0];
  const Dims kernel_sizes = c.KernelSizes();
  const Dims taps(kernel_sizes.begin() + 2, kernel_sizes.end());
  Complex sum = 0;
  ForEachIndex(taps, [&](const Dims& tap) {
    Dims from = {batch, 0};
    Dims factor = {0, output};
    for (size_t d = 0; d < tap.size(); ++d) {
      const std::map<int64_t, int64_t> places = Places(c.space[d], c.window[d]);
      const auto hit = places.find(at[2 + d] * c.window[d].stride + tap[d] * c.window[d].window_dilation);
      if (hit == places.end()) return;
      from.push_back(hit->second);
      factor.push_back(c.window[d].window_reversal ? taps[d] - 1 - tap[d] : tap[d]);
    }
    for (int64_t f = 0; f < c.kernel_features; ++f) {
      from[1] = feature_group * c.kernel_features + f;
      factor[0] = f;
      sum += input[Flat(c.InputSizes(), from)] * kernel[Flat(kernel_sizes, factor)];
    }
  });
  return sum;
}

// "b01f", where array dimension i is dimension order[i] of (first, second, 0, 1, ...).
std::string Labels(const Dims& order, const std::string& letters) {
  std::string text;
  for (const int64_t i : order) text += i < 2 ? letters[i] : static_cast<char>('0' + i - 2);
  return text;
}

std::string ConvolutionText(const Case& c) {
  const auto shape = [](PrimitiveType type, const Dims& sizes, const Dims& order) {
    return Shape::Array(type, InOrder(sizes, order)).ToString();
  };
  return fmt::format(
      "ENTRY main {{\n  a = {} parameter(0)\n  b = {} parameter(1)\n  ROOT r = {} convolution(a, b), window={}, "
      "dim_labels={}_{}->{}, feature_group_count={}, batch_group_count={}\n}}\n",
      shape(c.type, c.InputSizes(), c.input_order), shape(c.type, c.KernelSizes(), c.kernel_order),
      shape(c.result_type, c.OutputSizes(), c.output_order), WindowToString(c.window), Labels(c.input_order, "bf"),
      Labels(c.kernel_order, "io"), Labels(c.output_order, "bf"), c.feature_groups, c.batch_groups);
}

// Small whole numbers, so that all sums are exact.
std::vector<Complex> SomeValues(Random* random, PrimitiveType type, int64_t count) {
  const int64_t most = type == S8 ? 127 : 2;
  std::vector<Complex> values(count);
  for (Complex& value : values) {
    value = {static_cast<double>(random->Between(-most - 1, most)),
             type == C64 ? static_cast<double>(random->Between(-3, 3)) : 0.0};
  }
  return values;
}

void ExpectConvolution(const Case& c, Random* random) {
  const std::string text = ConvolutionText(c);
  const auto input = SomeValues(random, c.type, Product(c.InputSizes()));
  const auto kernel = SomeValues(random, c.type, Product(c.KernelSizes()));
  std::vector<Complex> output;
  ForEachIndex(c.OutputSizes(), [&](const Dims& at) { output.push_back(OutputElement(c, input, kernel, at)); });
  const auto module = ParseAndReturnVerifiedModule(text, "test");
  ASSERT_TRUE(module.ok()) << text << module.status().ToString();
  const Literal arguments[] = {Arranged(c.type, input, c.InputSizes(), c.input_order),
                               Arranged(c.type, kernel, c.KernelSizes(), c.kernel_order)};
  const auto results = Evaluate(**module, arguments);
  ASSERT_TRUE(results.ok()) << text << results.status().ToString();
  EXPECT_EQ((*results)[0], Arranged(c.result_type, output, c.OutputSizes(), c.output_order)) << text;
}

Dims Numbers(int64_t count) {
  Dims numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

Case RandomCase(Random* random, int64_t spatial) {
  Case c{.batch = random->Between(1, 2), .kernel_features = random->Between(1, 3), .outputs = random->Between(1, 3)};
  for (int64_t i = 0; i < spatial; ++i) {
    c.space.push_back(random->Between(1, spatial == 3 ? 4 : 7));
    c.window.push_back(random->Window(random->Between(1, 3)));
  }
  c.input_order = c.kernel_order = c.output_order = Numbers(spatial + 2);
  random->Shuffle(&c.input_order);
  random->Shuffle(&c.kernel_order);
  random->Shuffle(&c.output_order);
  return c;
}

TEST(EvaluatorConvolution, RandomWindows) {
  Random random;
  for (int i = 0; i < 120; ++i) ExpectConvolution(RandomCase(&random, i % 4), &random);
}

TEST(EvaluatorConvolution, Groups) {
  Random random;
  for (const int64_t groups : {2, 3}) {
    for (int i = 0; i < 8; ++i) {
      Case c = RandomCase(&random, 1 + i % 2);
      c.outputs *= groups;
      Case batched = c;
      c.feature_groups = groups;
      batched.batch_groups = groups;
      batched.batch *= groups;
      ExpectConvolution(c, &random);
      ExpectConvolution(batched, &random);
    }
  }
}

TEST(EvaluatorConvolution, AllOrdersOfDimensions) {
  Random random;
  Case c{.batch = 2, .kernel_features = 2, .outputs = 3, .space = {4}, .window = {{.size = 2, .padding_low = 1}}};
  c.input_order = c.kernel_order = c.output_order = Numbers(3);
  int checked = 0;
  do {
    do {
      do {
        ExpectConvolution(c, &random);
        ++checked;
      } while (std::next_permutation(c.output_order.begin(), c.output_order.end()));
    } while (std::next_permutation(c.kernel_order.begin(), c.kernel_order.end()));
  } while (std::next_permutation(c.input_order.begin(), c.input_order.end()));
  EXPECT_EQ(checked, 6 * 6 * 6);
}

TEST(EvaluatorConvolution, ElementTypes) {
  Random random;
  const std::pair<PrimitiveType, PrimitiveType> types[] = {{BF16, BF16}, {BF16, F32}, {F16, F16}, {F64, F64}, {S8, S32},
                                                           {S8, S8},     {S8, F32},   {C64, C64}, {S32, S32}};
  for (const auto& [type, result_type] : types) {
    Case c = RandomCase(&random, 2);
    c.space = {6, 5};
    c.type = type;
    c.result_type = result_type;
    ExpectConvolution(c, &random);
  }
}

constexpr std::string_view kComputations = R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
ge { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=GE }
argmax {
  x = f32[] parameter(0)  i = s32[] parameter(1)  y = f32[] parameter(2)  j = s32[] parameter(3)
  p = pred[] compare(x, y), direction=GE
  v = f32[] select(p, x, y)  k = s32[] select(p, i, j)  ROOT t = (f32[], s32[]) tuple(v, k)
}
first { x = f32[] parameter(0)  ROOT y = f32[] parameter(1) }
)";

std::string Result(const std::string& body) { return ResultText(kComputations, body); }

TEST(EvaluatorConvolution, SumsOfIntegersKeepTheirSign) {
  EXPECT_EQ(Result("a = s8[1,2] constant({ {-1, 2} })\n  b = s8[2,1] constant({ {5}, {1} })\n"
                   "  r = f32[1,1] convolution(a, b), dim_labels=bf_io->bf"),
            "{ {-3} }");
  EXPECT_EQ(Result("a = s8[1,2] constant({ {-1, 2} })\n  b = s8[2,1] constant({ {5}, {1} })\n"
                   "  r = f32[1,1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
            "{ {-3} }");
}

// Everything that is under the windows of an array, tap by tap; f(number of the window, number of the element).
void ForEachTap(const Dims& sizes, const Window& window, const std::function<void(int64_t, int64_t)>& f) {
  Dims taps;
  Dims positions;
  for (size_t d = 0; d < sizes.size(); ++d) {
    taps.push_back(window[d].size);
    positions.push_back(Positions(sizes[d], window[d]));
  }
  ForEachIndex(positions, [&](const Dims& at) {
    ForEachIndex(taps, [&](const Dims& tap) {
      Dims element;
      for (size_t d = 0; d < sizes.size(); ++d) {
        const auto places = Places(sizes[d], window[d]);
        const auto hit = places.find(at[d] * window[d].stride + tap[d] * window[d].window_dilation);
        if (hit == places.end()) return;
        element.push_back(hit->second);
      }
      f(Flat(positions, at), Flat(sizes, element));
    });
  });
}

TEST(EvaluatorReduceWindow, ArgumentsOfMaximaInRandomWindows) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    Dims sizes;
    Dims positions;
    Window window;
    for (int d = 0; d < 1 + i % 3; ++d) {
      sizes.push_back(random.Between(1, 6));
      window.push_back(random.Window(random.Between(1, 3)));
      window.back().window_reversal = false;
      positions.push_back(Positions(sizes.back(), window.back()));
    }
    Literal values = Literal::Zeros(Shape::Array(F32, sizes));
    Literal numbers = Literal::Zeros(Shape::Array(S32, sizes));
    for (int64_t e = 0; e < values.element_count(); ++e) {
      values.SetFromInt64(e, random.Between(-4, 4));
      numbers.SetFromInt64(e, e);
    }
    Literal maxima = Literal::Zeros(Shape::Array(F32, positions));
    Literal places = Literal::Zeros(Shape::Array(S32, positions));
    for (int64_t w = 0; w < maxima.element_count(); ++w) {
      maxima.SetFromDouble(w, -100);
      places.SetFromInt64(w, -1);
    }
    ForEachTap(sizes, window, [&](int64_t w, int64_t e) {
      if (maxima.GetAsDouble(w) >= values.GetAsDouble(e)) return;
      maxima.SetFromDouble(w, values.GetAsDouble(e));
      places.SetFromInt64(w, e);
    });
    const std::string text = fmt::format(
        "{}ENTRY main {{\n  a = {} parameter(0)\n  b = {} parameter(1)\n  l = f32[] constant(-100)\n  n = s32[] "
        "constant(-1)\n  ROOT r = ({}, {}) reduce-window(a, b, l, n), window={}, to_apply=argmax\n}}\n",
        kComputations, values.shape().ToString(), numbers.shape().ToString(), maxima.shape().ToString(),
        places.shape().ToString(), WindowToString(window));
    const auto module = ParseAndReturnVerifiedModule(text, "test");
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    const Literal arguments[] = {values, numbers};
    const auto results = Evaluate(**module, arguments);
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    EXPECT_EQ((*results)[0], maxima) << text;
    EXPECT_EQ((*results)[1], places) << text;
  }
}

TEST(EvaluatorReduceWindow, SumsByHand) {
  const std::string v = "v = f32[5] constant({1, 2, 3, 4, 5})\n  z = f32[] constant(0)\n  ";
  EXPECT_EQ(Result(v + "r = f32[5] reduce-window(v, z), window={size=5 pad=4_0}, to_apply=add"), "{1, 3, 6, 10, 15}");
  EXPECT_EQ(Result(v + "r = f32[2] reduce-window(v, z), window={size=2 stride=2}, to_apply=add"), "{3, 7}");
  EXPECT_EQ(Result(v + "r = f32[3] reduce-window(v, z), window={size=2 rhs_dilate=2}, to_apply=add"), "{4, 6, 8}");
  EXPECT_EQ(Result(v + "r = f32[8] reduce-window(v, z), window={size=2 lhs_dilate=2}, to_apply=add"),
            "{1, 2, 2, 3, 3, 4, 4, 5}");
  EXPECT_EQ(Result(v + "r = f32[2] reduce-window(v, z), window={size=2 pad=-1_-1}, to_apply=add"), "{5, 7}");
  EXPECT_EQ(Result(v + "r = f32[4] reduce-window(v, z), window={size=2}, to_apply=first"), "{2, 3, 4, 5}");
}

TEST(EvaluatorReduceWindow, ScalarsAndEmptyArrays) {
  EXPECT_EQ(Result("v = f32[] constant(3)\n  z = f32[] constant(1)\n  r = f32[] reduce-window(v, z), to_apply=add"),
            "4");
  EXPECT_EQ(Result("v = f32[] constant(3)\n  z = f32[] constant(1)\n"
                   "  r = f32[] reduce-window(v, z), window={}, to_apply=add"),
            "4");
  EXPECT_EQ(Result("v = f32[0] constant({})\n  z = f32[] constant(7)\n"
                   "  r = f32[3] reduce-window(v, z), window={size=2 pad=2_2}, to_apply=add"),
            "{7, 7, 7}");
  EXPECT_EQ(Result("v = f32[1] constant({1})\n  z = f32[] constant(7)\n"
                   "  r = f32[0] reduce-window(v, z), window={size=2}, to_apply=add"),
            "{}");
}

TEST(EvaluatorSelectAndScatter, MaximaOfRandomWindows) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    Dims sizes;
    Dims positions;
    Window window;
    for (int d = 0; d < 1 + i % 2; ++d) {
      sizes.push_back(random.Between(1, 6));
      window.push_back({.size = random.Between(1, 3),
                        .stride = random.Between(1, 2),
                        .padding_low = random.Between(0, 2),
                        .padding_high = random.Between(0, 2)});
      positions.push_back(Positions(sizes.back(), window.back()));
    }
    Literal operand = Literal::Zeros(Shape::Array(F32, sizes));
    Literal source = Literal::Zeros(Shape::Array(F32, positions));
    Literal want = Literal::Zeros(Shape::Array(F32, sizes));
    for (int64_t e = 0; e < operand.element_count(); ++e) {
      operand.SetFromInt64(e, random.Between(-3, 3));
      want.SetFromInt64(e, 1000);
    }
    for (int64_t w = 0; w < source.element_count(); ++w) source.SetFromInt64(w, 1 + w);
    std::map<int64_t, int64_t> selected;  // the first of the largest, by window
    ForEachTap(sizes, window, [&](int64_t w, int64_t e) {
      const auto [at, is_new] = selected.emplace(w, e);
      if (!is_new && operand.GetAsDouble(e) > operand.GetAsDouble(at->second)) at->second = e;
    });
    for (const auto& [w, e] : selected) want.SetFromDouble(e, want.GetAsDouble(e) + static_cast<double>(1 + w));
    const std::string text = fmt::format(
        "{}ENTRY main {{\n  a = {} parameter(0)\n  b = {} parameter(1)\n  z = f32[] constant(1000)\n  ROOT r = {} "
        "select-and-scatter(a, b, z), window={}, select=ge, scatter=add\n}}\n",
        kComputations, operand.shape().ToString(), source.shape().ToString(), want.shape().ToString(),
        WindowToString(window));
    const auto module = ParseAndReturnVerifiedModule(text, "test");
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    const Literal arguments[] = {operand, source};
    const auto results = Evaluate(**module, arguments);
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    EXPECT_EQ((*results)[0], want) << text;
  }
}

// Loops that nobody will wait for, and results that nobody can hold, end in errors.
TEST(EvaluatorWindows, Limits) {
  const std::string steps = "this takes more than the evaluator's limit of 4294967296 steps";
  const std::string e = "v = f32[0] constant({})\n  z = f32[] constant(7)\n  ";
  EXPECT_THAT(Result(e + "r = f32[1] reduce-window(v, z), window={size=1152921504606846976 pad=0_1152921504606846976}, "
                         "to_apply=add"),
              HasSubstr("E1007 HloNotEvaluable: " + steps));
  EXPECT_THAT(Result(e + "s = f32[1] constant({1})\n  r = f32[0] select-and-scatter(v, s, z), window={size="
                         "1152921504606846976 pad=0_1152921504606846976}, select=ge, scatter=add"),
              HasSubstr(steps));
  EXPECT_THAT(
      Result(e + "a = f32[1,0,0] broadcast(z), dimensions={}\n"
                 "  b = f32[1152921504606846976,0,1] broadcast(z), dimensions={}\n"
                 "  r = f32[1,1,1] convolution(a, b), window={size=1152921504606846976 pad=0_1152921504606846976}, "
                 "dim_labels=b0f_0io->b0f"),
      HasSubstr(steps));
  EXPECT_THAT(
      Result("v = f32[1] constant({1})\n  i = s32[1] constant({0})\n  l = f32[] constant(0)\n"
             "  n = s32[] constant(0)\n  r = (f32[1099511627777], s32[1099511627777]) reduce-window(v, i, l, n), "
             "window={size=1 pad=0_1099511627776}, to_apply=argmax"),
      HasSubstr("is larger than the evaluator's limit of 4294967296"));
}

}  // namespace
}  // namespace xla
