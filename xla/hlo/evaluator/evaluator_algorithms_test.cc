// fft, cholesky and triangular-solve against their definitions; custom calls; facts about shapes and devices.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>

#include "xla/hlo/evaluator/evaluator_test_util.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

using Dims = std::vector<int64_t>;
using Complex = std::complex<double>;

std::string Result(const std::string& body) { return ResultText("", body); }

Complex Get(const Literal& literal, int64_t i) {
  const PrimitiveType type = literal.shape().element_type();
  if (type == C64) return Complex(literal.Get<std::complex<float>>(i));
  if (type == C128) return literal.Get<Complex>(i);
  return literal.GetAsDouble(i);
}

// Real types keep the real part.
Literal LiteralOf(const Shape& shape, const std::vector<Complex>& values) {
  Literal literal = Literal::Zeros(shape);
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    if (shape.element_type() == C64) {
      literal.Set(i, std::complex<float>(values[i]));
    } else if (shape.element_type() == C128) {
      literal.Set(i, values[i]);
    } else {
      literal.SetFromDouble(i, values[i].real());
    }
  }
  return literal;
}

class Random {
 public:
  double Real() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  Complex Number(PrimitiveType type) { return {Real(), IsComplex(type) ? Real() : 0}; }

 private:
  std::mt19937_64 engine_{23};
};

// The value of an instruction whose operands are the parameters a, b. Fails the test if there is none.
Literal Evaluated(const Shape& shape, const std::string& call, const std::vector<Literal>& arguments) {
  std::string text = "ENTRY main {\n";
  for (size_t i = 0; i < arguments.size(); ++i) {
    text += fmt::format("  {} = {} parameter({})\n", i == 0 ? "a" : "b", arguments[i].shape().ToString(), i);
  }
  text += fmt::format("  ROOT r = {} {}\n}}\n", shape.ToString(), call);
  const auto module = ParseAndReturnVerifiedModule(text, "test");
  if (!module.ok()) ADD_FAILURE() << text << module.status().ToString();
  if (!module.ok()) return Literal::Zeros(shape);
  auto results = Evaluate(**module, arguments);
  if (!results.ok()) ADD_FAILURE() << text << results.status().ToString();
  return results.ok() ? std::move((*results)[0]) : Literal::Zeros(shape);
}

void ExpectNear(const Literal& got, const std::vector<Complex>& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.element_count(), static_cast<int64_t>(want.size())) << what;
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_LE(std::abs(Get(got, static_cast<int64_t>(i)) - want[i]), tolerance) << what << ", element " << i;
  }
}

// The indices of element `flat` of an array with these sizes.
Dims IndexOf(int64_t flat, const Dims& sizes) {
  Dims index(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; flat /= sizes[d]) index[d] = flat % sizes[d];
  return index;
}

// The transform by one sum over all elements: y[k] = sum of weight(j) x[j] exp(sign 2 pi i (j1 k1/n1 + ...)) * scale.
// `sizes` are the lengths of the transform; in `in` and `out` the last may be n/2+1.
template <class Weight>
std::vector<Complex> Sum(const std::vector<Complex>& x, const Dims& in, const Dims& out, const Dims& sizes, int sign,
                         double scale, const Weight& weight) {
  int64_t count = 1;
  for (const int64_t size : out) count *= size;
  std::vector<Complex> y(count);
  for (int64_t k = 0; k < count; ++k) {
    const Dims to = IndexOf(k, out);
    for (size_t j = 0; j < x.size(); ++j) {
      const Dims from = IndexOf(static_cast<int64_t>(j), in);
      double turns = 0;
      for (size_t d = 0; d < sizes.size(); ++d) {
        turns += static_cast<double>(from[d] * to[d] % sizes[d]) / static_cast<double>(sizes[d]);
      }
      y[k] += x[j] * std::polar(scale * weight(from.back()), sign * 2 * std::numbers::pi * turns);
    }
  }
  return y;
}

void ExpectTransforms(const Dims& sizes, bool is_double, Random* random) {
  const PrimitiveType real = is_double ? F64 : F32;
  const PrimitiveType complex = is_double ? C128 : C64;
  const double tolerance = is_double ? 1e-11 : 1e-3;
  const int64_t n = sizes.back();
  Dims half = sizes;
  half.back() = n / 2 + 1;
  double elements = 1;
  for (const int64_t size : sizes) elements *= static_cast<double>(size);
  const auto one = [](int64_t) { return 1.0; };
  // The other half of a real signal's spectrum is the conjugate: all but the first and the middle count twice.
  const auto twice = [&](int64_t k) { return k == 0 || 2 * k == n ? 1.0 : 2.0; };
  const auto check = [&](const char* name, PrimitiveType from, const Dims& in, PrimitiveType to, const Dims& out,
                         const auto& sum) {
    const Shape shape = Shape::Array(from, in);
    std::vector<Complex> x(ShapeUtil::ElementsIn(shape));
    for (Complex& value : x) value = random->Number(from);
    const Literal input = LiteralOf(shape, x);
    for (size_t i = 0; i < x.size(); ++i) x[i] = Get(input, static_cast<int64_t>(i));
    std::vector<Complex> y = sum(x);
    if (!IsComplex(to)) {
      for (Complex& value : y) value = value.real();
    }
    const std::string call = fmt::format("fft(a), fft_type={}, fft_length={{{}}}", name, fmt::join(sizes, ","));
    ExpectNear(Evaluated(Shape::Array(to, out), call, {input}), y, tolerance, call);
  };
  check("FFT", complex, sizes, complex, sizes, [&](const auto& x) { return Sum(x, sizes, sizes, sizes, -1, 1, one); });
  check("IFFT", complex, sizes, complex, sizes,
        [&](const auto& x) { return Sum(x, sizes, sizes, sizes, 1, 1 / elements, one); });
  check("RFFT", real, sizes, complex, half, [&](const auto& x) { return Sum(x, sizes, half, sizes, -1, 1, one); });
  check("IRFFT", complex, half, real, sizes,
        [&](const auto& x) { return Sum(x, half, sizes, sizes, 1, 1 / elements, twice); });
}

TEST(EvaluatorFft, TransformsFollowTheirDefinition) {
  Random random;
  for (const Dims& sizes :
       {Dims{1}, {2}, {3}, {7}, {12}, {15}, {16}, {2, 7}, {3, 4}, {5, 1}, {1, 2}, {2, 3, 4}, {3, 2, 5}}) {
    ExpectTransforms(sizes, true, &random);
    ExpectTransforms(sizes, false, &random);
  }
}

TEST(EvaluatorFft, OtherDimensionsAreBatches) {
  const Shape shape = Shape::Array(C64, {3, 2});
  const Literal x = LiteralOf(shape, {1, 2, 3, 5, Complex(0, 1), 0});
  ExpectNear(Evaluated(shape, "fft(a), fft_type=FFT, fft_length={2}", {x}),
             {3, -1, 8, -2, Complex(0, 1), Complex(0, 1)}, 1e-6, "batches");
}

TEST(EvaluatorFft, EmptyArrays) {
  EXPECT_EQ(Result("a = f32[2,0] constant({ {}, {} })\n  r = c64[2,0] fft(a), fft_type=RFFT, fft_length={0}"),
            "{ {}, {} }");
  EXPECT_EQ(Result("a = c64[0,2] constant({})\n  r = f32[0,3] fft(a), fft_type=IRFFT, fft_length={3}"), "{  }");
}

// a and b: n x n matrices.
std::vector<Complex> Product(const std::vector<Complex>& a, const std::vector<Complex>& b, int64_t n) {
  std::vector<Complex> c(n * n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return c;
}
std::vector<Complex> Adjoint(const std::vector<Complex>& a, int64_t n) {
  std::vector<Complex> b(n * n);
  for (int64_t i = 0; i < n * n; ++i) b[i % n * n + i / n] = std::conj(a[i]);
  return b;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The factor of a product of triangles, of which only one triangle is given: the other is NaN and must not be read.
TEST(EvaluatorCholesky, FindsTheFactor) {
  Random random;
  for (const PrimitiveType type : {F32, F64, C64, C128}) {
    for (const bool lower : {true, false}) {
      for (const int64_t n : {1, 2, 5}) {
        std::vector<Complex> all_a;
        std::vector<Complex> all_factors;
        for (int matrix = 0; matrix < 2; ++matrix) {
          std::vector<Complex> factor(n * n);
          for (int64_t i = 0; i < n; ++i) {
            for (int64_t j = 0; j < i; ++j) factor[i * n + j] = random.Number(type);
            factor[i * n + i] = 1.5 + random.Real();
          }
          std::vector<Complex> a = Product(factor, Adjoint(factor, n), n);
          if (!lower) factor = Adjoint(factor, n);
          for (int64_t i = 0; i < n; ++i) {
            for (int64_t j = 0; j < n; ++j) {
              if (lower ? j > i : j < i) a[i * n + j] = kNan;
            }
          }
          all_a.insert(all_a.end(), a.begin(), a.end());
          all_factors.insert(all_factors.end(), factor.begin(), factor.end());
        }
        const Shape shape = Shape::Array(type, {2, n, n});
        const std::string call = lower ? "cholesky(a), lower=true" : "cholesky(a)";
        ExpectNear(Evaluated(shape, call, {LiteralOf(shape, all_a)}), all_factors,
                   type == F32 || type == C64 ? 1e-3 : 1e-9, shape.ToString() + call);
      }
    }
  }
}

TEST(EvaluatorCholesky, WithoutAFactorThereIsNan) {
  EXPECT_EQ(Result("a = f32[1,1] constant({ {-4} })\n  r = f32[1,1] cholesky(a), lower=true"), "{ {-nan} }");
  EXPECT_EQ(Result("a = f32[0,0] constant({})\n  r = f32[0,0] cholesky(a), lower=true"), "{  }");
}

struct Solve {
  PrimitiveType type;
  bool left, lower, unit;
  std::string transpose;
};

// op(a), from what the options say of a: its triangle, with ones on a unit diagonal.
std::vector<Complex> Operator(const Solve& solve, const std::vector<Complex>& a, int64_t n) {
  std::vector<Complex> op(n * n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      Complex value = (solve.lower ? j < i : j > i) ? a[i * n + j] : 0;
      if (i == j) value = solve.unit ? 1 : a[i * n + i];
      if (solve.transpose == "NO_TRANSPOSE") op[i * n + j] = value;
      if (solve.transpose == "TRANSPOSE") op[j * n + i] = value;
      if (solve.transpose == "ADJOINT") op[j * n + i] = std::conj(value);
    }
  }
  return op;
}

// Multiplies the solutions back. What must not be read is NaN.
void ExpectSolves(const Solve& solve, Random* random) {
  constexpr int64_t n = 4;
  constexpr int64_t m = 3;
  constexpr int64_t kBatch = 2;
  std::vector<Complex> a(kBatch * n * n);
  for (size_t e = 0; e < a.size(); ++e) {
    const int64_t i = static_cast<int64_t>(e) / n % n;
    const int64_t j = static_cast<int64_t>(e) % n;
    a[e] = random->Number(solve.type);
    if (i == j) a[e] = solve.unit ? kNan : 2.0 + random->Number(solve.type);
    if (solve.lower ? j > i : j < i) a[e] = kNan;
  }
  std::vector<Complex> b(kBatch * n * m);
  for (Complex& value : b) value = random->Number(solve.type);
  const int64_t rows = solve.left ? n : m;
  const int64_t columns = solve.left ? m : n;
  const Shape shape = Shape::Array(solve.type, {kBatch, rows, columns});
  const std::string call =
      fmt::format("triangular-solve(a, b), left_side={}, lower={}, unit_diagonal={}, transpose_a={}", solve.left,
                  solve.lower, solve.unit, solve.transpose);
  const Literal x =
      Evaluated(shape, call, {LiteralOf(Shape::Array(solve.type, {kBatch, n, n}), a), LiteralOf(shape, b)});
  std::vector<Complex> back(b.size());
  for (int64_t batch = 0; batch < kBatch; ++batch) {
    const std::vector<Complex> op = Operator(solve, {a.begin() + batch * n * n, a.begin() + (batch + 1) * n * n}, n);
    const int64_t first = batch * n * m;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        for (int64_t k = 0; k < n; ++k) {
          back[first + i * columns + j] += solve.left ? op[i * n + k] * Get(x, first + k * columns + j)
                                                      : Get(x, first + i * columns + k) * op[k * n + j];
        }
      }
    }
  }
  const bool is_double = solve.type == F64 || solve.type == C128;
  ExpectNear(LiteralOf(shape, back), b, is_double ? 1e-10 : 1e-3, call);
}

TEST(EvaluatorTriangularSolve, EveryVariant) {
  Random random;
  int checked = 0;
  for (const PrimitiveType type : {F32, F64, C64, C128}) {
    for (int bits = 0; bits < 8; ++bits) {
      for (const char* transpose : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) {
        ExpectSolves({type, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, transpose}, &random);
        ++checked;
      }
    }
  }
  EXPECT_EQ(checked, 96);
}

TEST(EvaluatorAlgorithms, Limits) {
  const std::string steps = "E1007 HloNotEvaluable: this takes more than the evaluator's limit of 4294967296 steps";
  const std::string z = "z = c64[] constant((0, 0))\n  ";
  EXPECT_THAT(Result(z + "a = c64[100000] broadcast(z), dimensions={}\n"
                         "  r = c64[100000] fft(a), fft_type=FFT, fft_length={100000}"),
              HasSubstr(steps));
  EXPECT_THAT(Result(z + "a = c64[1700,1700] broadcast(z), dimensions={}\n  r = c64[1700,1700] cholesky(a)"),
              HasSubstr(steps));
  EXPECT_THAT(Result(z + "a = c64[1700,1700] broadcast(z), dimensions={}\n"
                         "  r = c64[1700,1700] triangular-solve(a, a), transpose_a=ADJOINT"),
              HasSubstr(steps));
}

TEST(EvaluatorAlgorithms, CustomCalls) {
  EXPECT_EQ(Result("a = f32[2] constant({1, 2})\n  r = f32[2] custom-call(a), custom_call_target=\"Sharding\", "
                   "sharding={devices=[2]<=[2]}"),
            "{1, 2}");
  EXPECT_EQ(Result("a = f32[2]{0} constant({1, 2})\n  r = f32[3]{0} custom-call(a), custom_call_target=\"magic\""),
            R"(E1007 HloNotEvaluable: the evaluator does not know the custom call 'magic'
  where:    instruction 'r' of computation 'main'
  found:    r = f32[3]{0} custom-call(a), custom_call_target="magic")");
  EXPECT_THAT(Result("a = f32[2] constant({1, 2})\n  r = f32[3] custom-call(a), custom_call_target=\"Sharding\""),
              HasSubstr("the evaluator does not know the custom call 'Sharding'"));
}

// The values stay, the layout is what the instruction declares.
TEST(EvaluatorAlgorithms, AnnotationsKeepTheirLayout) {
  for (const char* call : {"custom-call(a), custom_call_target=\"Sharding\"", "opt-barrier(a)"}) {
    const std::string text =
        "ENTRY m { a = f32[2,2]{1,0} parameter(0)  ROOT r = f32[2,2]{0,1} " + std::string(call) + " }";
    const auto module = ParseAndReturnVerifiedModule(text, "test");
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    const std::vector<float> values = {1, 2, 3, 4};
    const Literal a = Literal::Array<float>(Shape::Array(F32, {2, 2}), values);
    const auto results = Evaluate(**module, std::span(&a, 1));
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    EXPECT_EQ((*results)[0].ToString(), "f32[2,2]{0,1} { {1, 2}, {3, 4} }") << call;
  }
}

TEST(EvaluatorAlgorithms, FactsAndBarriers) {
  EXPECT_EQ(Result("r = u32[] partition-id()"), "0");
  EXPECT_EQ(Result("r = u32[] replica-id()"), "0");
  EXPECT_EQ(Result("a = f32[2,0] constant({ {}, {} })\n  r = s32[] get-dimension-size(a), dimensions={0}"), "2");
  EXPECT_EQ(Result("a = f32[2,0] constant({ {}, {} })\n  r = s32[] get-dimension-size(a), dimensions={1}"), "0");
  EXPECT_EQ(Result("a = f32[2] constant({1, 2})\n  b = s32[] constant(3)\n  t = (f32[2], s32[]) tuple(a, b)\n"
                   "  r = (f32[2], s32[]) opt-barrier(t)"),
            "{1, 2} 3");
}

}  // namespace
}  // namespace xla
