#include "xla/backends/gpu/codegen/ttir_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace xla::gpu {
namespace {

TEST(TtirBuilder, WritesAKernel) {
  TtirBuilder b;
  TtirValue x = b.PointerArgument(TtirElement::kF32, 4096), y = b.PointerArgument(TtirElement::kF32, uint64_t{1} << 32);
  TtirValue offsets = b.Binary("arith.addi", b.Iota(64, 0, 1), b.Binary("arith.muli", b.ProgramId(0), b.I32(64)));
  TtirValue mask = b.Compare("arith.cmpi", "slt", offsets, b.I32(100));
  TtirValue value = b.Load(b.AddPtr(x, offsets), mask, {});
  b.Store(b.AddPtr(y, offsets), b.Binary("arith.addf", value, b.FloatConstant(1, {TtirElement::kF32, {}})), mask);
  EXPECT_EQ(b.Finish("k"), R"(module {
  tt.func public @k(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %cst_2 = arith.constant dense<100> : tensor<64xi32>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.get_program_id x : i32
    %2 = arith.muli %1, %c64_i32 : i32
    %3 = tt.splat %2 : i32 -> tensor<64xi32>
    %4 = arith.addi %0, %3 : tensor<64xi32>
    %5 = arith.cmpi slt, %4, %cst_2 : tensor<64xi32>
    %6 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %7 = tt.addptr %6, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %8 = tt.load %7, %5 : tensor<64x!tt.ptr<f32>>
    %9 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %10 = tt.addptr %9, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %11 = arith.addf %8, %cst_4 : tensor<64xf32>
    tt.store %10, %11, %5 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
)");
}

TEST(TtirBuilder, EqualPureOperationsAreWrittenOnce) {
  TtirBuilder b;
  EXPECT_EQ(b.ProgramId(1).name, b.ProgramId(1).name);
  EXPECT_EQ(b.Iota(8, 1, 2).name, b.Iota(8, 1, 2).name);
  TtirValue p = b.PointerArgument(TtirElement::kF32, 4);
  EXPECT_NE(b.Load(p, {}, {}).name, b.Load(p, {}, {}).name);  // memory may change
}

TEST(TtirBuilder, ArithmeticWithNeutralConstantsVanishes) {
  TtirBuilder b;
  TtirValue id = b.ProgramId(0);
  EXPECT_EQ(b.Binary("arith.addi", id, b.I32(0)).name, id.name);
  EXPECT_EQ(b.Binary("arith.muli", b.I32(1), id).name, id.name);
}

TEST(TtirBuilder, FloatLiteralsAreExact) {
  TtirBuilder b;
  TtirType f32{TtirElement::kF32, {}}, f16{TtirElement::kF16, {}}, bf16{TtirElement::kBF16, {}};
  TtirValue p = b.PointerArgument(TtirElement::kF32, 4), h = b.PointerArgument(TtirElement::kF16, 4);
  TtirValue q = b.PointerArgument(TtirElement::kBF16, 4);
  b.Store(p, b.FloatConstant(0.1f, f32), {});
  b.Store(p, b.FloatConstant(-std::numeric_limits<double>::infinity(), f32), {});
  b.Store(h, b.FloatConstant(1.0 / 3, f16), {});
  b.Store(q, b.FloatConstant(std::nan(""), bf16), {});
  std::string text = b.Finish("k");
  for (const char* want : {"arith.constant 0x3DCCCCCD : f32", "arith.constant 0xFF800000 : f32",
                           "arith.constant 0x3555 : f16", "arith.constant 0x7FC0 : bf16"}) {
    EXPECT_NE(text.find(want), std::string::npos) << want << " in\n" << text;
  }
}

}  // namespace
}  // namespace xla::gpu
