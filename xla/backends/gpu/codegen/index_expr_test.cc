#include "xla/backends/gpu/codegen/index_expr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace xla::gpu {
namespace {

IndexExpr Dim(int id, int64_t size) { return IndexExpr::Variable(id, {0, size - 1}); }

TEST(IndexExpr, SimplifiesWithRanges) {
  IndexExpr x = Dim(0, 10), y = Dim(1, 8);
  EXPECT_EQ((x * 8 + y).FloorDiv(8).ToString(), "d0");
  EXPECT_EQ((x * 8 + y).Mod(8).ToString(), "d1");
  EXPECT_EQ((x * 8 + y).FloorDiv(4).ToString(), "d0*2 + (d1 floordiv 4)");
  EXPECT_EQ((x * 8 + y).FloorDiv(16).ToString(), "(d0 floordiv 2)");
  EXPECT_EQ((x * 8 + y).Mod(16).ToString(), "d1 + (d0 mod 2)*8");
  EXPECT_EQ((x * 8 + y + 3).FloorDiv(8).ToString(), "d0 + ((d1 + 3) floordiv 8)");
  EXPECT_EQ(x.FloorDiv(2).FloorDiv(3).ToString(), "(d0 floordiv 6)");
  EXPECT_EQ(x.Mod(6).Mod(3).ToString(), "(d0 mod 3)");
  EXPECT_EQ((x.FloorDiv(4) * 4 + x.Mod(4)).ToString(), "d0");
  EXPECT_EQ((x - x).ToString(), "0");
  EXPECT_EQ(Dim(0, 1).ToString(), "0");
}

TEST(IndexExpr, ReshapeThereAndBackIsTheIdentity) {
  IndexExpr i = Dim(0, 4 * 6 * 5);
  std::vector<IndexExpr> split = Delinearize(i, {4, 6, 5});
  EXPECT_EQ(split[0].ToString(), "(d0 floordiv 30)");
  EXPECT_EQ(LinearIndex(split, {30, 5, 1}).ToString(), "d0");
  std::vector<IndexExpr> other = Delinearize(LinearIndex({Dim(0, 4), Dim(1, 6), Dim(2, 5)}, {30, 5, 1}), {24, 5});
  EXPECT_EQ(other[0].ToString(), "d0*6 + d1");
  EXPECT_EQ(other[1].ToString(), "d2");
}

TEST(IndexExpr, SubstitutionSimplifies) {
  IndexExpr i = Dim(0, 64);
  IndexExpr quotient = i.FloorDiv(8), remainder = i.Mod(8);
  IndexExpr split = Dim(1, 8) * 8 + Dim(2, 8);
  auto substitute = [&](int id) { return id == 0 ? &split : nullptr; };
  EXPECT_EQ(quotient.Substitute(substitute).ToString(), "d1");
  EXPECT_EQ(remainder.Substitute(substitute).ToString(), "d2");
}

// Builds a random expression twice: simplified, and as a function on values, which is the meaning.
struct Random {
  std::mt19937 rng;
  std::vector<int64_t> sizes;
  struct Both {
    IndexExpr expr;
    std::function<int64_t(const std::vector<int64_t>&)> meaning;
  };
  int64_t Pick(int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(rng); }

  Both Make(int depth) {
    if (depth == 0) {
      int id = static_cast<int>(Pick(0, static_cast<int64_t>(sizes.size()) - 1));
      return {Dim(id, sizes[id]), [id](const auto& v) { return v[id]; }};
    }
    Both a = Make(depth - 1);
    int64_t c = Pick(0, 3) == 0 ? Pick(1, 7) : int64_t{1} << Pick(0, 3);
    switch (Pick(0, 4)) {
      case 0:
        return {a.expr * c, [=](const auto& v) { return a.meaning(v) * c; }};
      case 1:
        return {a.expr.FloorDiv(c), [=](const auto& v) { return Floor(a.meaning(v), c); }};
      case 2:
        return {a.expr.Mod(c), [=](const auto& v) { return a.meaning(v) - Floor(a.meaning(v), c) * c; }};
      case 3:
        return {a.expr - IndexExpr(c), [=](const auto& v) { return a.meaning(v) - c; }};
      default: {
        Both b = Make(depth - 1);
        return {a.expr + b.expr * c, [=](const auto& v) { return a.meaning(v) + b.meaning(v) * c; }};
      }
    }
  }
  static int64_t Floor(int64_t a, int64_t b) { return static_cast<int64_t>(std::floor(static_cast<double>(a) / b)); }
};

TEST(IndexExpr, RandomExpressionsKeepTheirMeaningAndRange) {
  for (int seed = 0; seed < 3000; ++seed) {
    Random random{std::mt19937(seed), {}};
    for (int i = 0; i < 3; ++i) random.sizes.push_back(random.Pick(1, 9));
    Random::Both both = random.Make(4);
    Interval range = both.expr.Range();
    std::vector<int64_t> v(3);
    for (v[0] = 0; v[0] < random.sizes[0]; ++v[0]) {
      for (v[1] = 0; v[1] < random.sizes[1]; ++v[1]) {
        for (v[2] = 0; v[2] < random.sizes[2]; ++v[2]) {
          int64_t want = both.meaning(v);
          ASSERT_EQ(both.expr.Evaluate([&](int id) { return v[id]; }), want) << seed << ": " << both.expr.ToString();
          ASSERT_TRUE(range.lo <= want && want <= range.hi) << seed << ": " << both.expr.ToString();
        }
      }
    }
  }
}

}  // namespace
}  // namespace xla::gpu
