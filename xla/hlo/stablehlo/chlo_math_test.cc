// CHLO's functions against the C library and against sums of their series.
#include "xla/hlo/stablehlo/chlo_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "xla/hlo/evaluator/hlo_evaluator.h"

namespace xla::stablehlo {
namespace {

using Numbers = std::vector<double>;
using OneToOne = HloInstruction* (*)(GraphWriter & write, HloInstruction* x);
using TwoToOne = HloInstruction* (*)(GraphWriter & write, HloInstruction* x, HloInstruction* y);

Literal ArrayOf(PrimitiveType type, const Numbers& values) {
  Literal literal = Literal::Zeros(Shape::Array(type, {static_cast<int64_t>(values.size())}));
  for (size_t i = 0; i < values.size(); ++i) literal.SetFromDouble(static_cast<int64_t>(i), values[i]);
  return literal;
}

Numbers Computed(const std::function<HloInstruction*(GraphWriter&)>& write_all) {
  HloModule module("m");
  auto computation = std::make_unique<HloComputation>("e");
  GraphWriter write(*computation);
  computation->set_root_instruction(write_all(write));
  module.AddEntryComputation(std::move(computation));
  const auto results = Evaluate(module, {});
  EXPECT_TRUE(results.ok()) << results.status().ToString();
  Numbers values;
  for (int64_t i = 0; i < (*results)[0].element_count(); ++i) values.push_back((*results)[0].GetAsDouble(i));
  return values;
}

// Values rounded to the type, so that the reference sees what the function sees.
Numbers Rounded(PrimitiveType type, const Numbers& values) {
  const Literal literal = ArrayOf(type, values);
  Numbers rounded;
  for (int64_t i = 0; i < literal.element_count(); ++i) rounded.push_back(literal.GetAsDouble(i));
  return rounded;
}

void ExpectNear(double x, double got, double want, double relative, double absolute) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << "at " << x << " got " << got;
  } else if (std::isinf(want)) {
    EXPECT_EQ(got, want) << "at " << x;
  } else {
    EXPECT_LE(std::fabs(got - want), absolute + relative * std::fabs(want))
        << "at " << x << " got " << got << " want " << want;
  }
}

// Each type's error: a few units of f64, of f32, of bf16.
void CheckUnary(OneToOne function, double (*reference)(double), const Numbers& points, double f64_error,
                double absolute_f64 = 0, double absolute_f32 = 0) {
  const struct {
    PrimitiveType type;
    double relative, absolute;
  } kinds[] = {{F64, f64_error, absolute_f64}, {F32, 3e-5, absolute_f32}, {BF16, 1e-2, 1e-2}};
  for (const auto& [type, relative, absolute] : kinds) {
    SCOPED_TRACE(std::string(PrimitiveTypeName(type)));
    const Numbers x = Rounded(type, points);
    const Numbers got = Computed(
        [&, type = type](GraphWriter& write) { return function(write, write.Constant(ArrayOf(type, points))); });
    for (size_t i = 0; i < x.size(); ++i) {
      const double want = reference(x[i]);
      if (type != F64 && std::fabs(want) < 1e-35 && std::fabs(got[i]) < 1e-35) continue;  // f32 ends there
      if (type != F64 && std::fabs(want) > 3e38) continue;
      ExpectNear(x[i], got[i], want, relative, absolute);
    }
  }
}

Numbers Range(double first, double last, int count) {
  Numbers points;
  for (int i = 0; i < count; ++i) points.push_back(first + (last - first) * i / (count - 1));
  return points;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ChloMath, Erfc) {
  Numbers points = Range(-6, 12, 181);
  points.insert(points.end(), {0.0, -0.0, kInfinity, -kInfinity, NAN, 26.5, 28.0, 1e-30});
  CheckUnary(Erfc, std::erfc, points, 2e-14);
}

TEST(ChloMath, ErfInvUndoesErf) {
  Numbers points = Range(-0.999, 0.999, 150);
  points.insert(points.end(), {1 - 1e-9, -1 + 1e-12, 1e-20});
  const Numbers got = Computed([&](GraphWriter& write) { return ErfInv(write, write.Constant(ArrayOf(F64, points))); });
  // erf is flat far out: compare 1 - erf there.
  for (size_t i = 0; i < points.size(); ++i) {
    const double x = points[i];
    if (std::fabs(x) < 0.5) {
      ExpectNear(x, std::erf(got[i]), x, 1e-14, 0);
    } else {
      ExpectNear(x, std::erfc(std::fabs(got[i])), 1 - std::fabs(x), 2e-13, 0);
    }
  }
  for (const PrimitiveType type : {F64, F32}) {
    const Numbers edges =
        Computed([&](GraphWriter& write) { return ErfInv(write, write.Constant(ArrayOf(type, {1, -1, 2, 0.5}))); });
    EXPECT_EQ(edges[0], kInfinity);
    EXPECT_EQ(edges[1], -kInfinity);
    EXPECT_TRUE(std::isnan(edges[2]));
    EXPECT_NEAR(edges[3], 0.47693627620446987, type == F64 ? 1e-15 : 1e-7);
  }
}

TEST(ChloMath, Lgamma) {
  Numbers points = Range(-9.97, 40, 173);
  points.insert(points.end(), {0.0, 1.0, 2.0, -3.0, 1e-10, 1e5, kInfinity, -kInfinity, NAN});
  CheckUnary(Lgamma, std::lgamma, points, 1e-13, 4e-14, 2e-5);
}

// By recurrence to where the asymptotic series is exact.
double DigammaReference(double x) {
  if (x <= 0 && x == std::floor(x)) return NAN;
  if (x < 0) return DigammaReference(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * (x - std::floor(x)));
  double sum = 0;
  for (; x < 30; x += 1) sum -= 1 / x;
  const double s = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s / 240)));
}

TEST(ChloMath, Digamma) {
  Numbers points = Range(-5.03, 30, 97);
  points.insert(points.end(), {1.0, 0.0, -2.0, 1000.0, NAN});
  CheckUnary(Digamma, DigammaReference, points, 1e-13, 1e-13, 3e-5);
}

// The first terms, and the rest by the formula of Euler and Maclaurin far out.
double ZetaReference(double x, double q) {
  long double sum = 0;
  int k = 0;
  for (; k < 3000; ++k) sum += std::pow(static_cast<long double>(q) + k, -static_cast<long double>(x));
  const long double a = q + k, power = std::pow(a, -static_cast<long double>(x));
  return static_cast<double>(sum + power * a / (x - 1) + power / 2 + x * power / a / 12 -
                             x * (x + 1) * (x + 2) * power / (a * a * a) / 720);
}

TEST(ChloMath, Zeta) {
  const Numbers orders = {1.5, 2, 3, 4.5, 10, 30};
  for (const double q : {0.25, 1.0, 3.5, 20.0}) {
    const Numbers places(orders.size(), q);
    const Numbers got = Computed([&](GraphWriter& write) {
      return Zeta(write, write.Constant(ArrayOf(F64, orders)), write.Constant(ArrayOf(F64, places)));
    });
    for (size_t i = 0; i < orders.size(); ++i) ExpectNear(orders[i], got[i], ZetaReference(orders[i], q), 1e-13, 0);
  }
  const Numbers edges = Computed([&](GraphWriter& write) {
    return Zeta(write, write.Constant(ArrayOf(F64, {1, 0.5, 2, 3, 2.5, NAN, 2})),
                write.Constant(ArrayOf(F64, {3, 3, -1, 0, -1.5, 1, 1e300})));
  });
  EXPECT_EQ(edges[0], kInfinity);     // the harmonic series
  EXPECT_TRUE(std::isnan(edges[1]));  // no limit
  EXPECT_EQ(edges[2], kInfinity);     // a pole
  EXPECT_TRUE(std::isnan(edges[3]));  // poles of either sign
  EXPECT_TRUE(std::isnan(edges[4]));  // no real power
  EXPECT_TRUE(std::isnan(edges[5]));
  EXPECT_GE(edges[6], 0);
}

TEST(ChloMath, Polygamma) {
  const Numbers orders = {0, 1, 2, 5};
  for (const double x : {0.5, 1.0, 7.25}) {
    const Numbers got = Computed([&](GraphWriter& write) {
      return Polygamma(write, write.Constant(ArrayOf(F64, orders)),
                       write.Constant(ArrayOf(F64, Numbers(orders.size(), x))));
    });
    ExpectNear(x, got[0], DigammaReference(x), 1e-13, 1e-13);
    for (size_t i = 1; i < orders.size(); ++i) {
      const double n = orders[i];
      const double want = (static_cast<int>(n) % 2 == 0 ? -1 : 1) * std::tgamma(n + 1) * ZetaReference(n + 1, x);
      ExpectNear(n, got[i], want, 1e-12, 0);
    }
  }
}

// exp(-|x|) I1(x) by the power series.
double BesselReference(double x) {
  double term = x / 2, sum = 0;
  for (int k = 0; k < 300; ++k) {
    sum += term;
    term *= x * x / 4 / ((k + 1.0) * (k + 2.0));
  }
  return sum * std::exp(-std::fabs(x));
}

TEST(ChloMath, BesselI1e) { CheckUnary(BesselI1e, BesselReference, Range(-30, 30, 121), 1e-14); }

TEST(ChloMath, NextAfter) {
  const Numbers from = {1, 1, -1, 0, 0, -0.0, 5e-324, 1.7976931348623157e308, 2, kInfinity};
  const Numbers to = {2, 0, 0, 1, -1, 0.0, -1, kInfinity, 2, 0};
  const Numbers got = Computed([&](GraphWriter& write) {
    return NextAfter(write, write.Constant(ArrayOf(F64, from)), write.Constant(ArrayOf(F64, to)));
  });
  for (size_t i = 0; i < from.size(); ++i) EXPECT_EQ(got[i], std::nextafter(from[i], to[i])) << from[i] << " " << to[i];
  const Numbers f32 = Computed([&](GraphWriter& write) {
    return NextAfter(write, write.Constant(ArrayOf(F32, from)), write.Constant(ArrayOf(F32, to)));
  });
  for (size_t i = 0; i < from.size(); ++i)
    EXPECT_EQ(f32[i], std::nextafterf(static_cast<float>(from[i]), static_cast<float>(to[i]))) << from[i];
}

template <class T, class Wide>
void CheckMulHi(PrimitiveType type, const std::vector<T>& values) {
  std::vector<T> x, y;
  for (const T a : values)
    for (const T b : values) {
      x.push_back(a);
      y.push_back(b);
    }
  const Shape shape = Shape::Array(type, {static_cast<int64_t>(x.size())});
  HloModule module("m");
  auto computation = std::make_unique<HloComputation>("e");
  GraphWriter write(*computation);
  computation->set_root_instruction(
      MulHi(write, write.Constant(Literal::Array<T>(shape, x)), write.Constant(Literal::Array<T>(shape, y))));
  module.AddEntryComputation(std::move(computation));
  const auto results = Evaluate(module, {});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  for (size_t i = 0; i < x.size(); ++i) {
    const auto want = static_cast<T>((static_cast<Wide>(x[i]) * static_cast<Wide>(y[i])) >> (8 * sizeof(T)));
    EXPECT_EQ((*results)[0].Get<T>(static_cast<int64_t>(i)), want) << +x[i] << " * " << +y[i];
  }
}

TEST(ChloMath, MulHi) {
  CheckMulHi<int32_t, int64_t>(S32, {0, 1, -1, 7, INT32_MAX, INT32_MIN, 123456789});
  CheckMulHi<uint8_t, uint32_t>(U8, {0, 1, 255, 128, 77});
  CheckMulHi<int64_t, __int128>(S64, {0, 1, -1, INT64_MAX, INT64_MIN, 0x123456789abcdef, -0x123456789abcdef});
  CheckMulHi<uint64_t, unsigned __int128>(U64, {0, 1, UINT64_MAX, 0x8000000000000000, 0xfedcba9876543210});
}

TEST(ChloMath, Infinities) {
  const Numbers x = {kInfinity, -kInfinity, 1, NAN};
  const std::pair<OneToOne, Numbers> kinds[] = {
      {IsInf, {1, 1, 0, 0}}, {IsPosInf, {1, 0, 0, 0}}, {IsNegInf, {0, 1, 0, 0}}};
  for (const auto& [function, want] : kinds)
    EXPECT_EQ(Computed([&, f = function](GraphWriter& write) { return f(write, write.Constant(ArrayOf(F32, x))); }),
              want);
}

}  // namespace
}  // namespace xla::stablehlo
