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
  const char* name;  // of the intrinsic without its beginning; "": multiply-adds
};
class Matrix : public testing::TestWithParam<MatrixCase> {};
TEST_P(Matrix, Choice) {
  const MatrixCase& c = GetParam();
  auto tensor = [](int rows, int columns, const std::string& type) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
  };
  std::string in = c.in, precision;  // "f32 tf32": with that precision
  if (size_t space = in.find(' '); space != in.npos) {
    precision = ", inputPrecision = " + in.substr(space + 1);
    in.resize(space);
  }
  std::string a = tensor(c.m, c.k, in), b = tensor(c.k, c.n, in), d = tensor(c.m, c.n, c.out);
  ParsedModule parsed("tt.func public @dot(%a: " + a + ", %b: " + b + ", %c: " + d + ") {\n %d = tt.dot %a, %b, %c" +
                      precision + " : " + a + " * " + b + " -> " + d + "\n tt.return\n}");
  ASSERT_TRUE(parsed.module);
  parsed.function().walk([&](tt::DotOp dot) {
    ProductChoice choice = ChooseProduct(*ProductOf(dot), {FindTarget(c.gpu).value(), 4});
    std::string name(choice.matrix ? choice.matrix->name : "");
    for (std::string_view start : {"amdgcn_mfma_", "amdgcn_wmma_"})
      if (name.starts_with(start)) name.erase(0, start.size());
    EXPECT_EQ(name, c.name) << c.gpu << " " << c.in;
  });
}
constexpr char kE4m3[] = "f8E4M3FN", kE5m2[] = "f8E5M2", kE4m3Fnuz[] = "f8E4M3FNUZ", kE5m2Fnuz[] = "f8E5M2FNUZ";
INSTANTIATE_TEST_SUITE_P(
    SixteenBits, Matrix,
    testing::Values(MatrixCase{"gfx942", "f16", "f32", 64, 64, 32, "f32_32x32x8f16"},
                    MatrixCase{"gfx942", "f16", "f32", 32, 64, 32, "f32_16x16x16f16"},  // a tile for each warp
                    MatrixCase{"gfx942", "f16", "f32", 16, 64, 32, "f32_16x16x16f16"},
                    MatrixCase{"gfx942", "f16", "f32", 4, 64, 32, "f32_16x16x16f16"},
                    MatrixCase{"gfx942", "f16", "f32", 64, 2, 32, "f32_16x16x16f16"},
                    MatrixCase{"gfx942", "f16", "f32", 8, 8, 32, ""}, MatrixCase{"gfx942", "f16", "f32", 16, 16, 4, ""},
                    MatrixCase{"gfx942", "f16", "f32", 16, 16, 8, "f32_16x16x16f16"},
                    MatrixCase{"gfx942", "f16", "f16", 64, 64, 32, "f32_32x32x8f16"},
                    MatrixCase{"gfx942", "f16", "f64", 64, 64, 32, ""},
                    MatrixCase{"gfx950", "f16", "f32", 64, 64, 32, "f32_32x32x16_f16"},
                    MatrixCase{"gfx950", "bf16", "f32", 16, 16, 32, "f32_16x16x32_bf16"},
                    MatrixCase{"gfx950", "bf16", "f32", 16, 16, 16, "f32_16x16x16bf16_1k"},
                    MatrixCase{"gfx90a", "bf16", "f32", 64, 64, 32, "f32_32x32x8bf16_1k"},
                    MatrixCase{"gfx908", "bf16", "f32", 64, 64, 32, "f32_32x32x4bf16"},
                    MatrixCase{"gfx1100", "bf16", "f32", 64, 64, 32, "f32_16x16x16_bf16"},
                    MatrixCase{"gfx1201", "f16", "f32", 16, 16, 16, "f32_16x16x16_f16"},
                    MatrixCase{"gfx1030", "f16", "f32", 64, 64, 32, ""}));
INSTANTIATE_TEST_SUITE_P(WideFloatsAndIntegers, Matrix,
                         testing::Values(MatrixCase{"gfx942", "f32", "f32", 64, 64, 8, "f32_32x32x2f32"},
                                         MatrixCase{"gfx942", "f32 tf32", "f32", 64, 64, 8, "f32_32x32x4_xf32"},
                                         MatrixCase{"gfx942", "f32 tf32", "f32", 16, 16, 8, "f32_16x16x8_xf32"},
                                         MatrixCase{"gfx942", "f32 bf16x3", "f32", 16, 16, 8, "f32_16x16x4f32"},
                                         MatrixCase{"gfx950", "f32 tf32", "f32", 16, 16, 16, "f32_16x16x4f32"},
                                         MatrixCase{"gfx1100", "f32", "f32", 64, 64, 32, ""},
                                         MatrixCase{"gfx90a", "f64", "f64", 16, 16, 16, "f64_16x16x4f64"},
                                         MatrixCase{"gfx1201", "f64", "f64", 16, 16, 16, ""},
                                         MatrixCase{"gfx90a", "i8", "i32", 64, 64, 32, "i32_32x32x8i8"},
                                         MatrixCase{"gfx942", "i8", "i32", 64, 64, 32, "i32_32x32x16_i8"},
                                         MatrixCase{"gfx942", "i8", "i32", 16, 16, 16, "i32_16x16x32_i8"},
                                         MatrixCase{"gfx950", "i8", "i32", 64, 64, 64, "i32_32x32x32_i8"},
                                         MatrixCase{"gfx950", "i8", "i32", 16, 16, 64, "i32_16x16x64_i8"},
                                         MatrixCase{"gfx1100", "i8", "i32", 16, 16, 16, "i32_16x16x16_iu8"},
                                         MatrixCase{"gfx1201", "i8", "i32", 64, 64, 64, "i32_16x16x16_iu8"},
                                         MatrixCase{"gfx942", "i8", "i64", 64, 64, 64, ""},
                                         MatrixCase{"gfx942", "i16", "i32", 64, 64, 64, ""}));
INSTANTIATE_TEST_SUITE_P(EightBits, Matrix,
                         testing::Values(MatrixCase{"gfx942", kE4m3Fnuz, "f32", 64, 64, 32, "f32_32x32x16_fp8_fp8"},
                                         MatrixCase{"gfx942", kE5m2Fnuz, "f32", 16, 16, 32, "f32_16x16x32_bf8_bf8"},
                                         MatrixCase{"gfx942", kE4m3, "f32", 64, 64, 32, "f32_32x32x8f16"},
                                         MatrixCase{"gfx90a", kE4m3, "f32", 64, 64, 32, "f32_32x32x8bf16_1k"},
                                         MatrixCase{"gfx950", kE4m3, "f32", 64, 64, 32, "f32_32x32x16_fp8_fp8"},
                                         MatrixCase{"gfx950", kE4m3, "f32", 64, 64, 64, "scale_f32_32x32x64_f8f6f4"},
                                         MatrixCase{"gfx950", kE5m2, "f32", 16, 16, 128, "scale_f32_16x16x128_f8f6f4"},
                                         MatrixCase{"gfx950", kE4m3Fnuz, "f32", 64, 64, 64, "f32_32x32x16_f16"},
                                         MatrixCase{"gfx1100", kE5m2, "f32", 64, 64, 64, "f32_16x16x16_f16"},
                                         MatrixCase{"gfx1201", kE5m2, "f32", 64, 64, 64, "f32_16x16x16_bf8_bf8"},
                                         MatrixCase{"gfx1201", kE5m2Fnuz, "f32", 64, 64, 64, "f32_16x16x16_f16"}));

// Of a mix the first operand of the instruction is the right factor, as results are transposed.
TEST(Product, MixesAreNamedInTheInstructionsOrder) {
  ParsedModule parsed(R"(tt.func public @dot(%a: tensor<64x32xf8E4M3FNUZ>, %b: tensor<32x64xf8E5M2FNUZ>,
                                              %c: tensor<64x64xf32>) {
  %d = tt.dot %a, %b, %c : tensor<64x32xf8E4M3FNUZ> * tensor<32x64xf8E5M2FNUZ> -> tensor<64x64xf32>
  tt.return
})");
  ASSERT_TRUE(parsed.module);
  parsed.function().walk([&](tt::DotOp dot) {
    ProductChoice choice = ChooseProduct(*ProductOf(dot), {FindTarget("gfx942").value(), 4});
    ASSERT_TRUE(choice.matrix.has_value());
    EXPECT_EQ(choice.matrix->name, "amdgcn_mfma_f32_32x32x16_bf8_fp8");
    EXPECT_EQ(choice.matrix->form, ResultForm::kTransposed);
  });
}

struct ScaledCase {
  const char* gpu;
  const char* a_type;  // as tt.dot_scaled spells it
  const char* a;
  const char* a_scale;
  const char* attributes;
  const char* name;
};
class ScaledMatrix : public testing::TestWithParam<ScaledCase> {};
TEST_P(ScaledMatrix, Choice) {
  const ScaledCase& c = GetParam();
  std::string a = c.a, scale = c.a_scale, b = "tensor<128x64xf8E5M2>", b_scale = "tensor<64x4xi8>";
  ParsedModule parsed("tt.func public @dot(%a: " + a + ", %as: " + scale + ", %b: " + b + ", %bs: " + b_scale +
                      ", %c: tensor<64x64xf32>) {\n %d = tt.dot_scaled %a scale %as, %b scale %bs, %c lhs = " +
                      c.a_type + " rhs = e5m2 {fastMath = false" + c.attributes + "} : " + a + ", " + scale + " * " +
                      b + ", " + b_scale + " -> tensor<64x64xf32>\n tt.return\n}");
  ASSERT_TRUE(parsed.module);
  parsed.function().walk([&](tt::DotScaledOp dot) {
    ProductChoice choice = ChooseProduct(*ProductOf(dot), {FindTarget(c.gpu).value(), 4});
    ASSERT_TRUE(choice.matrix.has_value());
    EXPECT_EQ(choice.matrix->name, c.name);
  });
}
constexpr char kScaledMfma[] = "amdgcn_mfma_scale_f32_32x32x64_f8f6f4", kBf16Mfma[] = "amdgcn_mfma_f32_32x32x16_bf16";
INSTANTIATE_TEST_SUITE_P(
    Scaled, ScaledMatrix,
    testing::Values(
        ScaledCase{"gfx950", "e4m3", "tensor<64x128xf8E4M3FN>", "tensor<64x4xi8>", "", kScaledMfma},
        ScaledCase{"gfx950", "e2m1", "tensor<64x64xi8>", "tensor<64x4xi8>", "", kScaledMfma},
        ScaledCase{"gfx950", "e2m1", "tensor<32x128xi8>", "tensor<64x4xi8>", ", lhs_k_pack = false", kBf16Mfma},
        ScaledCase{"gfx950", "e2m1", "tensor<64x64xi8>", "tensor<64x8xf8E4M3FN>", "", kBf16Mfma},
        ScaledCase{"gfx950", "bf16", "tensor<64x128xbf16>", "tensor<64x4xi8>", "", kBf16Mfma},
        ScaledCase{"gfx950", "fp16", "tensor<64x128xf16>", "tensor<64x4xi8>", "", "amdgcn_mfma_f32_32x32x16_f16"},
        ScaledCase{"gfx942", "e4m3", "tensor<64x128xf8E4M3FN>", "tensor<64x4xi8>", "",
                   "amdgcn_mfma_f32_32x32x8bf16_1k"},
        ScaledCase{"gfx1201", "e4m3", "tensor<64x128xf8E4M3FN>", "tensor<64x4xi8>", "",
                   "amdgcn_wmma_f32_16x16x16_bf16"}));

// Attention: rows of the first product stay in their warp, and the second one takes them as they lie.
TEST(Plan, ChainedProductsExchangeNothing) {
  for (const char* gpu : {"gfx942", "gfx950", "gfx1201"}) {
    SCOPED_TRACE(gpu);
    ParsedModule parsed(R"(tt.func public @dot(%q: tensor<64x64xf16>, %k: tensor<64x32xf16>, %v: tensor<32x64xf16>,
                                                %s: tensor<64x32xf32>, %o: tensor<64x64xf32>) {
  %d = tt.dot %q, %k, %s : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
  %p = arith.truncf %d : tensor<64x32xf32> to tensor<64x32xf16>
  %e = tt.dot %p, %v, %o : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  tt.return
})");
    ASSERT_TRUE(parsed.module);
    Plan plan(parsed.function(), {FindTarget(gpu).value(), 4});
    parsed.function().walk([&](mlir::arith::TruncFOp rounded) {
      Layout native = plan.Native(rounded.getResult());
      ASSERT_TRUE(native);
      for (Layout wanted : plan.Wanted(rounded.getResult()))
        EXPECT_TRUE(wanted->RegistersFrom(*native).has_value()) << native->ToString() << " -> " << wanted->ToString();
    });
  }
}

}  // namespace
}  // namespace rocxla::triton
