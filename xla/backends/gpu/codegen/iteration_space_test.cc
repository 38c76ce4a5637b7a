#include "xla/backends/gpu/codegen/iteration_space.h"

#include <gtest/gtest.h>

#include <random>

namespace xla::gpu {
namespace {

std::vector<int64_t> Extents(const IterationSpace& space) {
  std::vector<int64_t> out;
  for (const IterationDim& dim : space.dims()) out.push_back(dim.extent);
  return out;
}

TEST(IterationSpace, MergesWhatIsContiguousEverywhere) {
  IterationSpace space;
  IndexExpr a = space.AddDimension(33), b = space.AddDimension(65);
  space.Track(a * 65 + b);
  space.Simplify();
  EXPECT_EQ(Extents(space), (std::vector<int64_t>{33 * 65}));
  EXPECT_EQ(space.Rewrite(a * 65 + b).ToString(), "d2");
}

TEST(IterationSpace, KeepsABroadcastDimensionApart) {
  IterationSpace space;
  IndexExpr a = space.AddDimension(16), b = space.AddDimension(4), c = space.AddDimension(8);
  space.Track(a * 32 + b * 8 + c);
  space.Track(b * 8 + c);  // a bias
  space.Simplify();
  EXPECT_EQ(Extents(space), (std::vector<int64_t>{16, 32}));
}

TEST(IterationSpace, SplitsWhereAMapDivides) {
  IterationSpace space;
  IndexExpr a = space.AddDimension(24);
  space.Track(a);
  space.Track(a.FloorDiv(6) + a.Mod(6) * 4);  // a reshape of a transpose
  space.Simplify();
  EXPECT_EQ(Extents(space), (std::vector<int64_t>{4, 6}));
  EXPECT_TRUE(space.Rewrite(a.FloorDiv(6) + a.Mod(6) * 4).IsAffine());
  EXPECT_TRUE(space.Rewrite(a).IsAffine());
}

TEST(IterationSpace, GroupsAreNotMerged) {
  IterationSpace space;
  IndexExpr a = space.AddDimension(4, 0), b = space.AddDimension(8, 1);
  space.Track(a * 8 + b);
  space.Simplify();
  EXPECT_EQ(Extents(space), (std::vector<int64_t>{4, 8}));
}

TEST(IterationSpace, DimensionsOfOneElementVanish) {
  IterationSpace space;
  EXPECT_EQ(space.AddDimension(1).ToString(), "0");
  EXPECT_TRUE(space.dims().empty());
}

// After simplification the space must still visit the same elements in the same order.
TEST(IterationSpace, RewritingKeepsEveryValue) {
  for (int seed = 0; seed < 500; ++seed) {
    std::mt19937 rng(seed);
    auto pick = [&](int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(rng); };
    IterationSpace space;
    std::vector<int64_t> extents;
    std::vector<IndexExpr> dims;
    for (int d = 0; d < 3; ++d) {
      extents.push_back(pick(1, 3) * pick(1, 4));
      dims.push_back(space.AddDimension(extents.back()));
    }
    IndexExpr linear = dims[0] * (extents[1] * extents[2]) + dims[1] * extents[2] + dims[2];
    std::vector<IndexExpr> tracked{linear};
    for (int i = 0; i < 2; ++i) {
      IndexExpr base = pick(0, 1) ? linear : dims[pick(0, 2)];
      tracked.push_back(base.FloorDiv(pick(1, 4)) * pick(1, 3) + base.Mod(pick(2, 6)) * pick(0, 5));
    }
    for (const IndexExpr& expr : tracked) space.Track(expr);
    space.Simplify();
    int64_t total = extents[0] * extents[1] * extents[2];
    for (int64_t n = 0; n < total; ++n) {
      std::map<int, int64_t> before, after;
      int64_t rest = n;
      for (int d = 2; d >= 0; rest /= extents[d], --d) before[d] = rest % extents[d];
      rest = n;
      for (size_t d = space.dims().size(); d-- > 0; rest /= space.dims()[d].extent) {
        after[space.dims()[d].variable] = rest % space.dims()[d].extent;
      }
      for (const IndexExpr& expr : tracked) {
        ASSERT_EQ(space.Rewrite(expr).Evaluate([&](int id) { return after.at(id); }), expr.Evaluate([&](int id) {
          return before.at(id);
        })) << "seed "
            << seed << ": " << expr.ToString() << " -> " << space.Rewrite(expr).ToString();
      }
    }
  }
}

}  // namespace
}  // namespace xla::gpu
