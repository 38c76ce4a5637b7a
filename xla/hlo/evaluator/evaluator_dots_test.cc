// ragged-dot in its three modes and scaled-dot, against plain loops over every group or block.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/evaluator/evaluator_test_util.h"

namespace xla {
namespace {

using testing::HasSubstr;

// Small integers, which floats add exactly.
Literal Numbers(PrimitiveType type, std::vector<int64_t> dimensions, int64_t salt) {
  Literal literal = Literal::Zeros(Shape::Array(type, std::move(dimensions)));
  for (int64_t i = 0; i < literal.element_count(); ++i) literal.SetFromInt64(i, (i * 7 + salt * 5) % 9 - 4);
  return literal;
}
Literal Sizes(std::vector<int64_t> dimensions, const std::vector<int64_t>& values) {
  return Literal::Array<int64_t>(Shape::Array(S64, std::move(dimensions)), values);
}

Literal Evaluated(const std::string& shape, const std::string& call, const std::vector<Literal>& arguments) {
  std::string text = "ENTRY main {\n";
  for (size_t i = 0; i < arguments.size(); ++i)
    text += fmt::format("  {} = {} parameter({})\n", "abcd"[i], arguments[i].shape().ToString(), i);
  const auto module = ParseAndReturnVerifiedModule(text + "  ROOT r = " + shape + " " + call + "\n}\n", "test");
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  if (!module.ok()) return Literal();
  auto results = Evaluate(**module, arguments);
  EXPECT_TRUE(results.ok()) << results.status().ToString();
  return results.ok() ? std::move((*results)[0]) : Literal();
}

// Rows 0 and 1 are of group 0, rows 2 to 4 of group 2, row 5 of none.
TEST(EvaluatorDotsTest, RaggedRows) {
  const Literal a = Numbers(F32, {6, 4}, 1), b = Numbers(F32, {3, 4, 5}, 2), sizes = Sizes({3}, {2, 0, 3});
  const Literal r = Evaluated("f32[6,5]",
                              "ragged-dot(a, b, c), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
                              "lhs_ragged_dims={0}, rhs_group_dims={0}",
                              {a, b, sizes});
  const int group_of_row[] = {0, 0, 2, 2, 2, -1};
  for (int m = 0; m < 6; ++m) {
    for (int n = 0; n < 5; ++n) {
      double sum = 0;
      for (int k = 0; k < 4 && group_of_row[m] >= 0; ++k)
        sum += a.GetAsDouble(m * 4 + k) * b.GetAsDouble((group_of_row[m] * 4 + k) * 5 + n);
      EXPECT_EQ(r.GetAsDouble(m * 5 + n), sum) << m << " " << n;
    }
  }
}

// lhs [batch, row, depth], rhs [depth, group, batch, column]; each batch has sizes of its own.
TEST(EvaluatorDotsTest, RaggedRowsOfBatches) {
  const Literal a = Numbers(S32, {2, 3, 4}, 1), b = Numbers(S32, {4, 2, 2, 5}, 2);
  const Literal sizes = Sizes({2, 2}, {1, 2, 3, 0});
  const Literal r = Evaluated("s32[2,3,5]",
                              "ragged-dot(a, b, c), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={2}, "
                              "rhs_contracting_dims={0}, lhs_ragged_dims={1}, rhs_group_dims={1}",
                              {a, b, sizes});
  for (int batch = 0; batch < 2; ++batch) {
    for (int m = 0; m < 3; ++m) {
      const int group = batch == 0 && m > 0 ? 1 : 0;
      for (int n = 0; n < 5; ++n) {
        int64_t sum = 0;
        for (int k = 0; k < 4; ++k)
          sum += a.GetAsInt64((batch * 3 + m) * 4 + k) * b.GetAsInt64(((k * 2 + group) * 2 + batch) * 5 + n);
        EXPECT_EQ(r.GetAsInt64((batch * 3 + m) * 5 + n), sum) << batch << " " << m << " " << n;
      }
    }
  }
}

// Each group of the summed dimension has a result of its own.
TEST(EvaluatorDotsTest, RaggedSums) {
  const Literal a = Numbers(BF16, {2, 6}, 1), b = Numbers(BF16, {6, 3}, 2), sizes = Sizes({3}, {1, 3, 1});
  const Literal r = Evaluated("f32[3,2,3]",
                              "ragged-dot(a, b, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
                              "lhs_ragged_dims={1}",
                              {a, b, sizes});
  const int begin[] = {0, 1, 4, 5};
  for (int group = 0; group < 3; ++group) {
    for (int m = 0; m < 2; ++m) {
      for (int n = 0; n < 3; ++n) {
        double sum = 0;
        for (int k = begin[group]; k < begin[group + 1]; ++k)
          sum += a.GetAsDouble(m * 6 + k) * b.GetAsDouble(k * 3 + n);
        EXPECT_EQ(r.GetAsDouble((group * 2 + m) * 3 + n), sum) << group << " " << m << " " << n;
      }
    }
  }
}

TEST(EvaluatorDotsTest, RaggedBatchesAreBatches) {
  const Literal a = Numbers(F32, {4, 2, 3}, 1), b = Numbers(F32, {4, 3, 2}, 2), sizes = Sizes({2}, {3, 1});
  const std::string dims = "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}";
  EXPECT_EQ(Evaluated("f32[4,2,2]", "ragged-dot(a, b, c), " + dims + ", lhs_ragged_dims={0}", {a, b, sizes}),
            Evaluated("f32[4,2,2]", "dot(a, b), " + dims, {a, b}));
}

TEST(EvaluatorDotsTest, RaggedDotOfNothing) {
  const Literal r = Evaluated("f32[2,3]",
                              "ragged-dot(a, b, c), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
                              "lhs_ragged_dims={0}, rhs_group_dims={0}",
                              {Numbers(F32, {2, 0}, 1), Numbers(F32, {1, 0, 3}, 2), Sizes({1}, {2})});
  EXPECT_EQ(r.ToStringWithoutShape(), "{ {0, 0, 0}, {0, 0, 0} }");
}

// Blocks of 2 x 2 on the left, of 1 x 4 on the right.
TEST(EvaluatorDotsTest, ScalesMultiplyBlocks) {
  const Literal a = Numbers(F8E4M3FN, {4, 4}, 1), b = Numbers(BF16, {3, 4}, 2);
  Literal sa = Literal::Zeros(Shape::Array(F8E8M0FNU, {2, 2})), sb = Literal::Zeros(Shape::Array(F32, {3, 1}));
  for (int i = 0; i < 4; ++i) sa.SetFromDouble(i, i == 0 ? 0.5 : 1 << i);
  for (int i = 0; i < 3; ++i) sb.SetFromDouble(i, i - 1.5);
  const Literal r = Evaluated("f32[4,3]", "scaled-dot(a, b, c, d), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
                              {a, b, sa, sb});
  for (int m = 0; m < 4; ++m) {
    for (int n = 0; n < 3; ++n) {
      double sum = 0;
      for (int k = 0; k < 4; ++k) {
        sum +=
            a.GetAsDouble(m * 4 + k) * sa.GetAsDouble(m / 2 * 2 + k / 2) * b.GetAsDouble(n * 4 + k) * sb.GetAsDouble(n);
      }
      EXPECT_EQ(r.GetAsDouble(m * 3 + n), sum) << m << " " << n;
    }
  }
}

}  // namespace
}  // namespace xla
