// Every map is compared with what the operation does to an array whose elements are their own row-major numbers.
#include "xla/backends/gpu/codegen/indexing_map.h"

#include <gtest/gtest.h>

#include "xla/hlo/parser/hlo_parser.h"

namespace xla::gpu {
namespace {

using Index = std::vector<int64_t>;

// Calls `fn` for every index of an array of these dimensions.
void ForEachIndex(const std::vector<int64_t>& dimensions, const std::function<void(const Index&)>& fn) {
  int64_t total = 1;
  for (int64_t d : dimensions) total *= d;
  for (int64_t i = 0; i < total; ++i) {
    Index index(dimensions.size());
    int64_t rest = i;
    for (size_t d = dimensions.size(); d-- > 0; rest /= dimensions[d]) index[d] = rest % dimensions[d];
    fn(index);
  }
}

int64_t Number(const std::vector<int64_t>& dimensions, const Index& index) {
  int64_t n = 0;
  for (size_t d = 0; d < dimensions.size(); ++d) n = n * dimensions[d] + index[d];
  return n;
}

std::unique_ptr<HloModule> Parse(std::string_view body) {
  auto module = ParseAndReturnVerifiedModule("HloModule m\nENTRY e {\n" + std::string(body) + "\n}");
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  return module.ok() ? std::move(*module) : nullptr;
}

// `expected(index)` is the operand element that the root's element `index` comes from; nullopt: from no element of it.
void ExpectMap(std::string_view body, int64_t operand,
               const std::function<std::optional<Index>(const Index&)>& expected) {
  auto module = Parse(body);
  ASSERT_NE(module, nullptr);
  const HloInstruction& root = *module->entry_computation()->root_instruction();
  Indices variables;
  for (int64_t d = 0; d < root.shape().rank(); ++d) {
    variables.push_back(IndexExpr::Variable(static_cast<int>(d), {0, root.shape().dimensions(d) - 1}));
  }
  OperandRead read = OperandIndexing(root, operand, variables);
  const std::vector<int64_t>& from = root.operand(operand)->shape().dimensions();
  ForEachIndex(root.shape().dimensions(), [&](const Index& index) {
    auto value = [&](int id) { return index[id]; };
    bool reads = true;
    for (const auto& [expr, range] : read.constraints) {
      int64_t v = expr.Evaluate(value);
      reads = reads && range.lo <= v && v <= range.hi;
    }
    std::optional<Index> want = expected(index);
    ASSERT_EQ(reads, want.has_value()) << body;
    if (!reads) return;
    Index got;
    for (const IndexExpr& expr : read.indices) got.push_back(expr.Evaluate(value));
    ASSERT_EQ(got, *want) << body;
    for (size_t d = 0; d < got.size(); ++d) ASSERT_TRUE(0 <= got[d] && got[d] < from[d]) << body;
  });
}

TEST(IndexingMap, Broadcast) {
  ExpectMap("p = f32[3,4] parameter(0)\nROOT b = f32[3,2,4] broadcast(p), dimensions={0,2}", 0,
            [](const Index& i) { return Index{i[0], i[2]}; });
}

TEST(IndexingMap, Transpose) {
  ExpectMap("p = f32[2,3,4] parameter(0)\nROOT t = f32[4,2,3] transpose(p), dimensions={2,0,1}", 0,
            [](const Index& i) { return Index{i[1], i[2], i[0]}; });
}

TEST(IndexingMap, Reshape) {
  struct Case {
    std::vector<int64_t> from, to;
  };
  for (const Case& c : {Case{{4, 6}, {24}}, Case{{24}, {2, 3, 4}}, Case{{4, 6}, {8, 3}}, Case{{2, 1, 9}, {3, 6, 1}}}) {
    std::string body = "p = " + Shape::Array(F32, c.from).ToString() +
                       " parameter(0)\nROOT r = " + Shape::Array(F32, c.to).ToString() + " reshape(p)";
    ExpectMap(body, 0, [&](const Index& i) {
      int64_t n = Number(c.to, i);
      Index out(c.from.size());
      for (size_t d = c.from.size(); d-- > 0; n /= c.from[d]) out[d] = n % c.from[d];
      return out;
    });
  }
}

TEST(IndexingMap, BitcastFollowsMemory) {
  ExpectMap("p = f32[3,5]{1,0} parameter(0)\nROOT b = f32[5,3]{0,1} bitcast(p)", 0,
            [](const Index& i) { return Index{i[1], i[0]}; });
  ExpectMap("p = f32[2,3]{0,1} parameter(0)\nROOT b = f32[6]{0} bitcast(p)", 0,
            [](const Index& i) { return Index{i[0] % 2, i[0] / 2}; });
}

TEST(IndexingMap, Reverse) {
  ExpectMap("p = f32[3,4] parameter(0)\nROOT r = f32[3,4] reverse(p), dimensions={1}", 0,
            [](const Index& i) { return Index{i[0], 3 - i[1]}; });
}

TEST(IndexingMap, Slice) {
  ExpectMap("p = f32[10,9] parameter(0)\nROOT s = f32[3,4] slice(p), slice={[1:10:3],[2:9:2]}", 0,
            [](const Index& i) { return Index{1 + 3 * i[0], 2 + 2 * i[1]}; });
}

TEST(IndexingMap, PadWithInteriorAndNegativeEdges) {
  std::string body =
      "p = f32[4,5] parameter(0)\nz = f32[] constant(0)\nROOT a = f32[12,6] pad(p, z), "
      "padding=3_2_1x-1_2";
  ExpectMap(body, 0, [](const Index& i) -> std::optional<Index> {
    int64_t row = i[0] - 3, column = i[1] + 1;
    if (row < 0 || row % 2 != 0 || row / 2 >= 4 || column >= 5) return std::nullopt;
    return Index{row / 2, column};
  });
}

TEST(IndexingMap, Concatenate) {
  std::string body =
      "p = f32[2,3] parameter(0)\nq = f32[2,4] parameter(1)\nROOT c = f32[2,7] concatenate(p, q), "
      "dimensions={1}";
  ExpectMap(body, 0, [](const Index& i) { return i[1] < 3 ? std::optional(Index{i[0], i[1]}) : std::nullopt; });
  ExpectMap(body, 1, [](const Index& i) { return i[1] >= 3 ? std::optional(Index{i[0], i[1] - 3}) : std::nullopt; });
}

TEST(IndexingMap, ElementwiseScalarsHaveNoIndices) {
  auto module = Parse("p = f32[4] parameter(0)\nz = f32[] constant(0)\nROOT c = f32[4] clamp(z, p, z)");
  ASSERT_NE(module, nullptr);
  const HloInstruction& root = *module->entry_computation()->root_instruction();
  Indices indices{IndexExpr::Variable(0, {0, 3})};
  EXPECT_TRUE(OperandIndexing(root, 0, indices).indices.empty());
  EXPECT_EQ(OperandIndexing(root, 1, indices).indices, indices);
}

TEST(IndexingMap, OffsetsFollowTheLayout) {
  Shape shape = Shape::Array(F32, {2, 3, 4}, Layout({0, 2, 1}));
  Indices indices;
  for (int d = 0; d < 3; ++d) indices.push_back(IndexExpr::Variable(d, {0, shape.dimensions(d) - 1}));
  EXPECT_EQ(MemoryOffset(shape, indices).ToString(), "d0 + d1*8 + d2*2");
}

}  // namespace
}  // namespace xla::gpu
