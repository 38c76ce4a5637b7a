// Plans of small programs, as text.
#include "triton/plan/plan.h"

#include "triton/testing/parse.h"

namespace rocxla::triton {
namespace {

std::string PlanOf(const std::string& text, std::string_view gpu, int num_warps) {
  ParsedModule parsed(text);
  if (!parsed.module) return "";
  Plan plan(parsed.function(), {FindTarget(gpu).value(), num_warps});
  return plan.ToString(parsed.function());
}

constexpr char kCopy[] = R"(tt.func public @copy(%x: !tt.ptr<f32>) {
  %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %a = tt.addptr %p, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %a : tensor<1024x!tt.ptr<f32>>
  tt.store %a, %v : tensor<1024x!tt.ptr<f32>>
  tt.return
})";

TEST(Plan, VectorsOfSixteenBytes) {
  EXPECT_EQ(PlanOf(kCopy, "gfx942", 4),
            "%0 : tensor<1024xi32>\n"
            "    recomputed   reg=[i1 i2] lane=[i4 i8 i16 i32 i64 i128] warp=[i256 i512]\n"
            "%1 : tensor<1024x!tt.ptr<f32>>\n"
            "    recomputed   reg=[i1 i2] lane=[i4 i8 i16 i32 i64 i128] warp=[i256 i512]\n"
            "%2 : tensor<1024x!tt.ptr<f32>>\n"
            "    recomputed   reg=[i1 i2] lane=[i4 i8 i16 i32 i64 i128] warp=[i256 i512]\n"
            "%3 : tensor<1024xf32>\n"
            "    native       reg=[i1 i2] lane=[i4 i8 i16 i32 i64 i128] warp=[i256 i512]\n");
}

TEST(Plan, WaveSizeAndWarpsDecideTheThreads) {
  std::string plan = PlanOf(kCopy, "gfx1100", 2);
  EXPECT_NE(plan.find("%3 : tensor<1024xf32>\n"
                      "    native       reg=[i1 i2 i256 i512] lane=[i4 i8 i16 i32 i64] warp=[i128]\n"),
            std::string::npos)
      << plan;
}

// A transposed store converts the value and computes its addresses in the store's layout only.
TEST(Plan, TransposeConvertsOnce) {
  std::string plan = PlanOf(R"(tt.func public @t(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
  %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %c = arith.constant dense<32> : tensor<32x1xi32>
  %r = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %j = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %s = arith.muli %r, %c : tensor<32x1xi32>
  %sb = tt.broadcast %s : tensor<32x1xi32> -> tensor<32x32xi32>
  %jb = tt.broadcast %j : tensor<1x32xi32> -> tensor<32x32xi32>
  %k = arith.addi %sb, %jb : tensor<32x32xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %a = tt.addptr %p, %k : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  %v = tt.load %a : tensor<32x32x!tt.ptr<f32>>
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
  %q = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %b = tt.addptr %q, %k : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  tt.store %b, %t : tensor<32x32x!tt.ptr<f32>>
  tt.return
})",
                            "gfx942", 4);
  EXPECT_NE(plan.find(" : tensor<32x32xf32>\n"
                      "    native       reg=[j1 j2] lane=[j4 j8 j16 i1 i2 i4] warp=[i8 i16]\n"),
            std::string::npos)
      << plan;
  EXPECT_NE(plan.find(" : tensor<32x32xf32>\n"
                      "    native       reg=[i1 i2] lane=[i4 i8 i16 j1 j2 j4] warp=[j8 j16]\n"
                      "    converted to reg=[j1 j2] lane=[j4 j8 j16 i1 i2 i4] warp=[i8 i16]\n"),
            std::string::npos)
      << plan;
}

// The accumulator of a loop lives where the product leaves it, although it enters as a constant.
constexpr char kDotLoop[] = R"(tt.func public @dot(%n: i32, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %d = tt.dot %a, %b, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tt.return
})";
TEST(Plan, AccumulatorsLiveInTheMatrixLayout) {
  ParsedModule parsed(kDotLoop);
  ASSERT_TRUE(parsed.module);
  Plan plan(parsed.function(), {FindTarget("gfx942").value(), 4});
  parsed.function().walk([&](tt::DotOp dot) {
    Layout layout = plan.AccessLayout(dot);
    EXPECT_EQ(layout->ToString(), "reg=[j1 j2 j8 j16] lane=[i1 i2 i4 i8 i16 j4] warp=[j32 i32]");
    EXPECT_EQ(plan.Native(dot.getC()), layout);
    EXPECT_EQ(plan.Wanted(dot.getC()), llvm::ArrayRef<Layout>(layout));
  });
}

struct MatrixCase {
  const char* gpu;
  const char* in;
  const char* out;
  int m, n, k;
  int tile;  // rows of the instruction's tile; 0: multiply-adds
};
class Matrix : public testing::TestWithParam<MatrixCase> {};
TEST_P(Matrix, Choice) {
  const MatrixCase& c = GetParam();
  auto tensor = [](int rows, int columns, const char* type) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
  };
  std::string a = tensor(c.m, c.k, c.in), b = tensor(c.k, c.n, c.in), d = tensor(c.m, c.n, c.out);
  ParsedModule parsed("tt.func public @dot(%a: " + a + ", %b: " + b + ", %c: " + d +
                      ") {\n %d = tt.dot %a, %b, %c : " + a + " * " + b + " -> " + d + "\n tt.return\n}");
  ASSERT_TRUE(parsed.module);
  parsed.function().walk([&](tt::DotOp dot) {
    auto choice = ChooseMatrixInstruction(dot, {FindTarget(c.gpu).value(), 4});
    EXPECT_EQ(choice ? 1 << choice->instruction.m_bits : 0, c.tile);
  });
}
INSTANTIATE_TEST_SUITE_P(
    Dots, Matrix,
    testing::Values(
        MatrixCase{"gfx942", "f16", "f32", 64, 64, 32, 32}, MatrixCase{"gfx942", "f16", "f32", 16, 64, 32, 16},
        MatrixCase{"gfx942", "f16", "f32", 16, 16, 8, 0}, MatrixCase{"gfx942", "f16", "f16", 64, 64, 32, 0},
        MatrixCase{"gfx942", "f32", "f32", 32, 32, 8, 32}, MatrixCase{"gfx942", "f32", "f32", 16, 16, 16, 16},
        MatrixCase{"gfx942", "f32", "f32", 8, 16, 16, 0}, MatrixCase{"gfx90a", "f64", "f64", 16, 16, 16, 16},
        MatrixCase{"gfx908", "bf16", "f32", 64, 64, 32, 0}, MatrixCase{"gfx1100", "bf16", "f32", 64, 64, 32, 16},
        MatrixCase{"gfx1201", "f16", "f32", 16, 16, 16, 16}, MatrixCase{"gfx1100", "f32", "f32", 64, 64, 32, 0},
        MatrixCase{"gfx1030", "f16", "f32", 64, 64, 32, 0}));

}  // namespace
}  // namespace rocxla::triton
