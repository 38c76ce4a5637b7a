// What is known of numbers decides vector widths: too little costs speed, too much breaks programs.
#include "triton/plan/axis_info.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/testing/parse.h"

namespace rocxla::triton {
namespace {

// The facts of the value named by the last operation with one result before tt.return.
AxisInfo FactsOf(const std::string& body) {
  ParsedModule parsed(
      R"(tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n16: i32 {tt.divisibility = 16 : i32}, %n: i32) {
      %pid = tt.get_program_id x : i32
      %c32 = arith.constant 32 : i32
      %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %s16 = tt.splat %n16 : i32 -> tensor<32xi32>
      %s = tt.splat %n : i32 -> tensor<32xi32>
      %c4 = arith.constant dense<4> : tensor<32xi32>
      %c12 = arith.constant dense<12> : tensor<32xi32>
      %col = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %cols = tt.broadcast %col : tensor<32x1xi32> -> tensor<32x32xi32>
      %rows = tt.broadcast %row : tensor<1x32xi32> -> tensor<32x32xi32>
)" + body +
      "\n tt.return }");
  if (!parsed.module) return AxisInfo::Unknown(1);
  AxisAnalysis analysis(parsed.function());
  mlir::Value last;
  for (mlir::Operation& op : parsed.function().getBody().front())
    if (op.getNumResults() == 1) last = op.getResult(0);
  return analysis.Of(last);
}

struct Case {
  const char* name;
  const char* body;
  std::vector<int64_t> contiguity, constancy;
};
class Axis : public testing::TestWithParam<Case> {};
TEST_P(Axis, Facts) {
  AxisInfo info = FactsOf(GetParam().body);
  EXPECT_EQ(std::vector<int64_t>(info.contiguity.begin(), info.contiguity.end()), GetParam().contiguity);
  EXPECT_EQ(std::vector<int64_t>(info.constancy.begin(), info.constancy.end()), GetParam().constancy);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Axis,
    testing::Values(
        Case{"splat", "%0 = arith.addi %s, %s : tensor<32xi32>", {1}, {32}},
        Case{"range_plus_splat", "%0 = arith.addi %range, %s : tensor<32xi32>", {32}, {1}},
        Case{"range_minus_splat", "%0 = arith.subi %range, %s : tensor<32xi32>", {32}, {1}},
        Case{"splat_minus_range", "%0 = arith.subi %s, %range : tensor<32xi32>", {1}, {1}},
        Case{"times_four", "%0 = arith.muli %range, %c4 : tensor<32xi32>", {1}, {1}},
        Case{"divided", "%0 = arith.divsi %range, %c4 : tensor<32xi32>", {1}, {4}},
        Case{"divided_by_12", "%0 = arith.divsi %range, %c12 : tensor<32xi32>", {1}, {4}},
        Case{"remainder", "%0 = arith.remsi %range, %c12 : tensor<32xi32>", {4}, {1}},
        Case{"remainder_unknown", "%0 = arith.remsi %range, %s : tensor<32xi32>", {1}, {1}},
        Case{"remainder_known", "%0 = arith.remsi %range, %s16 : tensor<32xi32>", {16}, {1}},
        // Truncating division breaks runs below zero.
        Case{"remainder_of_negative",
             "%1 = arith.subi %range, %s16 : tensor<32xi32>\n %0 = arith.remsi %1, %s16 : tensor<32xi32>",
             {1},
             {1}},
        Case{"less_known", "%0 = arith.cmpi slt, %range, %s16 : tensor<32xi32>", {1}, {16}},
        Case{"less_unknown", "%0 = arith.cmpi slt, %range, %s : tensor<32xi32>", {1}, {1}},
        Case{"less_equal", "%0 = arith.cmpi sle, %range, %s16 : tensor<32xi32>", {1}, {1}},
        Case{"greater_swapped", "%0 = arith.cmpi sgt, %s16, %range : tensor<32xi32>", {1}, {16}},
        Case{"offset_run_less",
             "%1 = arith.addi %range, %s : tensor<32xi32>\n %0 = arith.cmpi slt, %1, %s16 : tensor<32xi32>",
             {1},
             {1}},
        Case{"rows_and_columns", "%0 = arith.addi %rows, %cols : tensor<32x32xi32>", {32, 32}, {1, 1}},
        // Row 1 begins at 1: its runs of 16 straddle multiples of 16.
        Case{"skewed_mask",
             "%1 = arith.addi %rows, %cols : tensor<32x32xi32>\n %2 = tt.splat %n16 : i32 -> tensor<32x32xi32>\n"
             "%0 = arith.cmpi slt, %1, %2 : tensor<32x32xi32>",
             {1, 1},
             {1, 1}},
        Case{"pitched_rows_mask",
             "%p16 = tt.splat %n16 : i32 -> tensor<32x32xi32>\n %1 = arith.muli %cols, %p16 : tensor<32x32xi32>\n"
             "%2 = arith.addi %1, %rows : tensor<32x32xi32>\n %0 = arith.cmpi slt, %2, %p16 : tensor<32x32xi32>",
             {1, 1},
             {1, 16}},
        Case{"conjunction",
             "%1 = arith.cmpi slt, %range, %s16 : tensor<32xi32>\n %2 = arith.cmpi slt, %range, %c4 : tensor<32xi32>\n"
             "%0 = arith.andi %1, %2 : tensor<32xi1>",
             {1},
             {4}},
        Case{"transposed",
             "%1 = arith.addi %rows, %cols : tensor<32x32xi32>\n %2 = tt.splat %n : i32 -> tensor<32x32xi32>\n"
             "%3 = arith.muli %cols, %2 : tensor<32x32xi32>\n %4 = arith.addi %3, %rows : tensor<32x32xi32>\n"
             "%0 = tt.trans %4 {order = array<i32: 1, 0>} : tensor<32x32xi32> -> tensor<32x32xi32>",
             {32, 1},
             {1, 1}},
        // What both branches have in common.
        Case{"branches",
             "%c = arith.cmpi eq, %n, %c32 : i32\n %1 = arith.muli %range, %c4 : tensor<32xi32>\n"
             "%2 = arith.divsi %1, %c12 : tensor<32xi32>\n %3 = arith.addi %range, %s : tensor<32xi32>\n"
             "%0 = scf.if %c -> (tensor<32xi32>) {\n scf.yield %3 : tensor<32xi32>\n } else {\n"
             "scf.yield %range : tensor<32xi32>\n }",
             {32},
             {1}},
        // Runs of 32 come in, but runs of 16 come around; what leaves is what the condition passes on.
        Case{"while_loop",
             "%0 = scf.while (%x = %range) : (tensor<32xi32>) -> tensor<32xi32> {\n"
             "%c = arith.cmpi eq, %n, %c32 : i32\n scf.condition(%c) %x : tensor<32xi32>\n } do {\n"
             "^bb0(%y: tensor<32xi32>):\n %z = arith.remsi %y, %s16 : tensor<32xi32>\n"
             "scf.yield %z : tensor<32xi32>\n }",
             {16},
             {1}},
        Case{"while_loop_passes_another_value",
             "%0 = scf.while (%x = %range) : (tensor<32xi32>) -> tensor<32xi32> {\n"
             "%c = arith.cmpi eq, %n, %c32 : i32\n %w = arith.divsi %x, %c4 : tensor<32xi32>\n"
             "scf.condition(%c) %w : tensor<32xi32>\n } do {\n"
             "^bb0(%y: tensor<32xi32>):\n %z = arith.addi %range, %s : tensor<32xi32>\n"
             "scf.yield %range : tensor<32xi32>\n }",
             {1},
             {4}}),
    [](const auto& info) { return info.param.name; });

// Elements per access through base + offsets.
int WidthOf(const std::string& pointee, const std::string& offsets, const std::string& mask) {
  ParsedModule parsed("tt.func public @k(%p: !tt.ptr<" + pointee +
                      ">, %n16: i32 {tt.divisibility = 16 : i32}, %n: i32) {" + R"(
      %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
      %c2 = arith.constant dense<2> : tensor<1024xi32>
      %s16 = tt.splat %n16 : i32 -> tensor<1024xi32>
      %s = tt.splat %n : i32 -> tensor<1024xi32>
      %offsets = )" + offsets +
                      R"( : tensor<1024xi32>
      %mask = )" + mask +
                      R"( : tensor<1024xi32>
      %base = tt.splat %p : !tt.ptr<)" +
                      pointee + "> -> tensor<1024x!tt.ptr<" + pointee + R"(>>
      %a = tt.addptr %base, %offsets : tensor<1024x!tt.ptr<)" +
                      pointee + R"(>>, tensor<1024xi32>
      %v = tt.load %a, %mask : tensor<1024x!tt.ptr<)" +
                      pointee + R"(>>
      tt.return
    })");
  if (!parsed.module) return 0;
  AxisAnalysis analysis(parsed.function());
  int width = 0;
  parsed.function().walk([&](tt::LoadOp load) { width = analysis.VectorWidth(load.getPtr(), load.getMask(), 0); });
  return width;
}

TEST(VectorWidth, SixteenBytesAtMost) {
  for (auto [type, width] : {std::pair{"i8", 16}, {"f16", 8}, {"f32", 4}, {"f64", 2}})
    EXPECT_EQ(WidthOf(type, "arith.addi %range, %s", "arith.cmpi slt, %range, %s16"), width) << type;
}
TEST(VectorWidth, MasksLimitIt) {
  EXPECT_EQ(WidthOf("f32", "arith.addi %range, %s", "arith.cmpi slt, %range, %s"), 1);
  EXPECT_EQ(WidthOf("f32", "arith.addi %range, %s", "arith.cmpi slt, %range, %c2"), 2);
}
TEST(VectorWidth, GapsLimitIt) {
  EXPECT_EQ(WidthOf("f32", "arith.muli %range, %c2", "arith.cmpi slt, %range, %s16"), 1);
  EXPECT_EQ(WidthOf("f16", "arith.remsi %range, %c2", "arith.cmpi slt, %range, %s16"), 2);
}

struct Bound {
  const char* name;
  const char* body;
  bool non_negative;
  int64_t upper;
};
class Bounds : public testing::TestWithParam<Bound> {};
TEST_P(Bounds, OfElements) {
  AxisInfo info = FactsOf(GetParam().body);
  EXPECT_EQ(info.non_negative, GetParam().non_negative);
  EXPECT_EQ(info.upper, GetParam().upper);
}
constexpr int64_t kNone = AxisInfo::kNoBound;
INSTANTIATE_TEST_SUITE_P(
    Rules, Bounds,
    testing::Values(Bound{"range", "%0 = arith.addi %range, %range : tensor<32xi32>", true, 62},
                    Bound{"argument", "%0 = arith.addi %range, %s : tensor<32xi32>", false, kNone},
                    Bound{"program_id", "%0 = arith.muli %pid, %c32 : i32", true, kNone},
                    Bound{"product", "%0 = arith.muli %range, %c12 : tensor<32xi32>", true, 372},
                    Bound{"difference", "%0 = arith.subi %range, %c4 : tensor<32xi32>", false, 31},
                    Bound{"difference_of_unknown", "%0 = arith.subi %range, %s : tensor<32xi32>", false, kNone},
                    Bound{"quotient", "%0 = arith.divsi %range, %c4 : tensor<32xi32>", true, 7},
                    Bound{"remainder", "%0 = arith.remsi %range, %c12 : tensor<32xi32>", true, 11},
                    Bound{"remainder_of_unknown", "%0 = arith.remsi %s, %c12 : tensor<32xi32>", false, kNone},
                    Bound{"bits", "%0 = arith.andi %s, %c12 : tensor<32xi32>", true, 12},
                    Bound{"shifted", "%0 = arith.shrsi %range, %c4 : tensor<32xi32>", true, 1},
                    Bound{"smaller", "%0 = arith.minsi %range, %c12 : tensor<32xi32>", true, 12},
                    Bound{"larger_than_unknown", "%0 = arith.maxsi %s, %c12 : tensor<32xi32>", true, kNone},
                    Bound{"narrowed", "%0 = arith.trunci %range : tensor<32xi32> to tensor<32xi8>", true, 31},
                    Bound{"narrowed_too_far", "%0 = arith.trunci %range : tensor<32xi32> to tensor<32xi4>", false,
                          kNone},
                    Bound{"widened", "%0 = arith.extui %s : tensor<32xi32> to tensor<32xi64>", true, 4294967295},
                    Bound{"broadcast", "%0 = arith.addi %cols, %rows : tensor<32x32xi32>", true, 62}),
    [](const auto& info) { return std::string(info.param.name); });

// What a loop adds to each time has no bound.
TEST(Bounds, GrowWithoutEndInLoops) {
  ParsedModule parsed(R"(tt.func public @k(%n: i32) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant dense<0> : tensor<32xi32>
      %one = arith.constant dense<1> : tensor<32xi32>
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<32xi32>) : i32 {
        %y = arith.addi %x, %one : tensor<32xi32>
        scf.yield %y : tensor<32xi32>
      }
      tt.return
    })");
  ASSERT_TRUE(parsed.module);
  AxisAnalysis analysis(parsed.function());
  parsed.function().walk([&](mlir::scf::ForOp loop) {
    EXPECT_TRUE(analysis.Of(loop.getResult(0)).non_negative);
    EXPECT_EQ(analysis.Of(loop.getResult(0)).upper, kNone);
  });
}

}  // namespace
}  // namespace rocxla::triton
