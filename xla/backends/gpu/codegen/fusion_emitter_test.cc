// The exact text of a few kernels: what changes here changes every kernel of that kind.
#include "xla/backends/gpu/codegen/fusion_emitter.h"

#include <gtest/gtest.h>

#include "xla/hlo/parser/hlo_parser.h"

namespace xla::gpu {
namespace {

// `text`: a module whose root is a fusion.
StatusOr<TileKernel> Emit(std::string_view text, std::string_view target = "gfx942") {
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ParseAndReturnVerifiedModule(text));
  ASSIGN_OR_RETURN(GpuTarget gpu, rocxla::FindTarget(target));
  return EmitFusion(*module->entry_computation()->root_instruction(), "kernel", gpu);
}

TEST(FusionEmitter, AddMergesDimensions) {
  auto kernel = Emit(R"(HloModule add
fused_computation {
  param_0 = f32[33,65]{1,0} parameter(0)
  param_1 = f32[33,65]{1,0} parameter(1)
  ROOT r = f32[33,65]{1,0} add(param_0, param_1)
}
ENTRY e {
  a = f32[33,65]{1,0} parameter(0)
  b = f32[33,65]{1,0} parameter(1)
  ROOT wrapped_add = f32[33,65]{1,0} fusion(a, b), kind=kLoop, calls=fused_computation
}
)");
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
  EXPECT_EQ(kernel->grid, (std::array<int64_t, 3>{9, 1, 1}));
  EXPECT_EQ(kernel->num_warps, 1);
  EXPECT_EQ(kernel->ttir, R"(module {
  tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst_5 = arith.constant dense<2145> : tensor<256xi32>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %5 = tt.addptr %4, %2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %6 = tt.splat %1 : i32 -> tensor<256xi32>
    %7 = arith.addi %2, %6 : tensor<256xi32>
    %8 = arith.cmpi slt, %7, %cst_5 : tensor<256xi32>
    %9 = tt.load %5, %8 : tensor<256x!tt.ptr<f32>>
    %10 = tt.addptr %arg1, %1 : !tt.ptr<f32>, i32
    %11 = tt.splat %10 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %12 = tt.addptr %11, %2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %13 = tt.load %12, %8 : tensor<256x!tt.ptr<f32>>
    %14 = arith.addf %9, %13 : tensor<256xf32>
    %15 = tt.addptr %arg2, %1 : !tt.ptr<f32>, i32
    %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %17 = tt.addptr %16, %2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %17, %14, %8 : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
)");
}

TEST(FusionEmitter, RowReductionMasksWithTheNeutralValue) {
  auto kernel = Emit(R"(HloModule row
max {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] maximum(x, y)
}
fused_computation {
  lowest = f32[] constant(-inf)
  param_0 = f32[37,300]{1,0} parameter(0)
  ROOT r = f32[37]{0} reduce(param_0, lowest), dimensions={1}, to_apply=max
}
ENTRY e {
  p = f32[37,300]{1,0} parameter(0)
  ROOT wrapped_reduce = f32[37]{0} fusion(p), kind=kInput, calls=fused_computation
}
)");
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
  EXPECT_EQ(kernel->grid, (std::array<int64_t, 3>{37, 1, 1}));
  EXPECT_EQ(kernel->num_warps, 2);
  EXPECT_EQ(kernel->ttir, R"(module {
  tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}) attributes {noinline = false} {
    %cst_2 = arith.constant dense<0xFF800000> : tensor<512xf32>
    %c300_i32 = arith.constant 300 : i32
    %cst_4 = arith.constant dense<300> : tensor<512xi32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %2 = arith.cmpi slt, %1, %cst_4 : tensor<512xi32>
    %3 = arith.muli %0, %c300_i32 : i32
    %4 = tt.addptr %arg0, %3 : !tt.ptr<f32>, i32
    %5 = tt.splat %4 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %6 = tt.addptr %5, %1 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %7 = tt.load %6, %2, %cst_2 : tensor<512x!tt.ptr<f32>>
    %8 = "tt.reduce"(%7) <{axis = 0 : i32}> ({
    ^bb0(%9: f32, %10: f32):
      %11 = arith.maximumf %9, %10 : f32
      tt.reduce.return %11 : f32
    }) : (tensor<512xf32>) -> f32
    %12 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    tt.store %12, %8 : !tt.ptr<f32>
    tt.return
  }
}
)");
}

TEST(FusionEmitter, ColumnReductionLoopsOverRows) {
  auto kernel = Emit(R"(HloModule col
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
fused_computation {
  zero = f32[] constant(0)
  param_0 = f32[100,64]{1,0} parameter(0)
  ROOT r = f32[64]{0} reduce(param_0, zero), dimensions={0}, to_apply=add
}
ENTRY e {
  p = f32[100,64]{1,0} parameter(0)
  ROOT wrapped_reduce = f32[64]{0} fusion(p), kind=kInput, calls=fused_computation
}
)");
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
  EXPECT_EQ(kernel->grid, (std::array<int64_t, 3>{1, 1, 1}));
  EXPECT_EQ(kernel->num_warps, 8);
  EXPECT_EQ(kernel->ttir, R"(module {
  tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}) attributes {noinline = false} {
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c100_i32 = arith.constant 100 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_5 = arith.constant dense<100> : tensor<32x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %cst_8 = arith.constant dense<64> : tensor<32x1xi32>
    %0 = scf.for %1 = %c0_i32 to %c100_i32 step %c32_i32 iter_args(%2 = %cst_1) -> (tensor<32x64xf32>)  : i32 {
      %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %5 = tt.splat %1 : i32 -> tensor<32x1xi32>
      %6 = arith.addi %4, %5 : tensor<32x1xi32>
      %7 = arith.cmpi slt, %6, %cst_5 : tensor<32x1xi32>
      %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %9 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %10 = arith.muli %1, %c64_i32 : i32
      %11 = arith.muli %4, %cst_8 : tensor<32x1xi32>
      %12 = tt.broadcast %9 : tensor<1x64xi32> -> tensor<32x64xi32>
      %13 = tt.broadcast %11 : tensor<32x1xi32> -> tensor<32x64xi32>
      %14 = arith.addi %12, %13 : tensor<32x64xi32>
      %15 = tt.addptr %arg0, %10 : !tt.ptr<f32>, i32
      %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
      %17 = tt.addptr %16, %14 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
      %18 = tt.broadcast %7 : tensor<32x1xi1> -> tensor<32x64xi1>
      %19 = tt.load %17, %18, %cst_1 : tensor<32x64x!tt.ptr<f32>>
      %20 = arith.addf %2, %19 : tensor<32x64xf32>
      scf.yield %20 : tensor<32x64xf32>
    }
    %21 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%22: f32, %23: f32):
      %24 = arith.addf %22, %23 : f32
      tt.reduce.return %24 : f32
    }) : (tensor<32x64xf32>) -> tensor<64xf32>
    %25 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %26 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %27 = tt.addptr %26, %25 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %27, %21 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
)");
}

TEST(FusionEmitter, TransposeTileIsLongBothWays) {
  auto kernel = Emit(R"(HloModule tr
fused_computation {
  param_0 = f32[100,70]{1,0} parameter(0)
  t = f32[70,100]{1,0} transpose(param_0), dimensions={1,0}
  ROOT n = f32[70,100]{1,0} negate(t)
}
ENTRY e {
  p = f32[100,70]{1,0} parameter(0)
  ROOT loop_negate_fusion = f32[70,100]{1,0} fusion(p), kind=kLoop, calls=fused_computation
}
)");
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
  EXPECT_EQ(kernel->grid, (std::array<int64_t, 3>{4, 3, 1}));
  EXPECT_EQ(kernel->num_warps, 4);
  EXPECT_EQ(kernel->ttir, R"(module {
  tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %c70_i32 = arith.constant 70 : i32
    %cst_6 = arith.constant dense<70> : tensor<1x32xi32>
    %cst_7 = arith.constant dense<70> : tensor<32x1xi32>
    %c100_i32 = arith.constant 100 : i32
    %cst_9 = arith.constant dense<100> : tensor<1x32xi32>
    %cst_10 = arith.constant dense<100> : tensor<32x1xi32>
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %1, %c32_i32 : i32
    %3 = arith.muli %0, %c32_i32 : i32
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %6 = arith.muli %3, %c70_i32 : i32
    %7 = arith.addi %2, %6 : i32
    %8 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %9 = arith.muli %8, %cst_6 : tensor<1x32xi32>
    %10 = tt.broadcast %5 : tensor<32x1xi32> -> tensor<32x32xi32>
    %11 = tt.broadcast %9 : tensor<1x32xi32> -> tensor<32x32xi32>
    %12 = arith.addi %10, %11 : tensor<32x32xi32>
    %13 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %15 = tt.addptr %14, %12 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %16 = tt.splat %2 : i32 -> tensor<32x1xi32>
    %17 = arith.addi %5, %16 : tensor<32x1xi32>
    %18 = arith.cmpi slt, %17, %cst_7 : tensor<32x1xi32>
    %19 = tt.splat %3 : i32 -> tensor<1x32xi32>
    %20 = arith.addi %8, %19 : tensor<1x32xi32>
    %21 = arith.cmpi slt, %20, %cst_9 : tensor<1x32xi32>
    %22 = tt.broadcast %18 : tensor<32x1xi1> -> tensor<32x32xi1>
    %23 = tt.broadcast %21 : tensor<1x32xi1> -> tensor<32x32xi1>
    %24 = arith.andi %22, %23 : tensor<32x32xi1>
    %25 = tt.load %15, %24 : tensor<32x32x!tt.ptr<f32>>
    %26 = arith.negf %25 : tensor<32x32xf32>
    %27 = arith.muli %2, %c100_i32 : i32
    %28 = arith.muli %5, %cst_10 : tensor<32x1xi32>
    %29 = arith.addi %27, %3 : i32
    %30 = tt.broadcast %28 : tensor<32x1xi32> -> tensor<32x32xi32>
    %31 = tt.broadcast %8 : tensor<1x32xi32> -> tensor<32x32xi32>
    %32 = arith.addi %30, %31 : tensor<32x32xi32>
    %33 = tt.addptr %arg1, %29 : !tt.ptr<f32>, i32
    %34 = tt.splat %33 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %35 = tt.addptr %34, %32 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    tt.store %35, %26, %24 : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
}
)");
}

TEST(FusionEmitter, DotMasksOnlyItsDepth) {
  auto kernel = Emit(R"(HloModule dot
fused_computation {
  param_0 = f16[32,40]{1,0} parameter(0)
  param_1 = f16[40,16]{1,0} parameter(1)
  d = f16[32,16]{1,0} dot(param_0, param_1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  param_2 = f16[16]{0} parameter(2)
  bb = f16[32,16]{1,0} broadcast(param_2), dimensions={1}
  ROOT r = f16[32,16]{1,0} add(d, bb)
}
ENTRY e {
  a = f16[32,40]{1,0} parameter(0)
  b = f16[40,16]{1,0} parameter(1)
  bias = f16[16]{0} parameter(2)
  ROOT gemm_fusion_dot = f16[32,16]{1,0} fusion(a, b, bias), kind=kCustom, calls=fused_computation
}
)");
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
  EXPECT_EQ(kernel->grid, (std::array<int64_t, 3>{1, 1, 1}));
  EXPECT_EQ(kernel->num_warps, 2);
  EXPECT_EQ(kernel->ttir, R"(module {
  tt.func public @kernel(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}) attributes {noinline = false} {
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c40_i32 = arith.constant 40 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_4 = arith.constant dense<40> : tensor<1x32xi32>
    %cst_6 = arith.constant dense<40> : tensor<32x1xi32>
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<32x32xf16>
    %c16_i32 = arith.constant 16 : i32
    %cst_10 = arith.constant dense<16> : tensor<32x1xi32>
    %cst_11 = arith.constant dense<0.000000e+00> : tensor<32x16xf16>
    %0 = scf.for %1 = %c0_i32 to %c40_i32 step %c32_i32 iter_args(%2 = %cst_0) -> (tensor<32x16xf32>)  : i32 {
      %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %5 = tt.splat %1 : i32 -> tensor<1x32xi32>
      %6 = arith.addi %4, %5 : tensor<1x32xi32>
      %7 = arith.cmpi slt, %6, %cst_4 : tensor<1x32xi32>
      %8 = tt.expand_dims %3 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %9 = arith.muli %8, %cst_6 : tensor<32x1xi32>
      %10 = tt.broadcast %9 : tensor<32x1xi32> -> tensor<32x32xi32>
      %11 = tt.broadcast %4 : tensor<1x32xi32> -> tensor<32x32xi32>
      %12 = arith.addi %10, %11 : tensor<32x32xi32>
      %13 = tt.addptr %arg0, %1 : !tt.ptr<f16>, i32
      %14 = tt.splat %13 : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
      %15 = tt.addptr %14, %12 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      %16 = tt.broadcast %7 : tensor<1x32xi1> -> tensor<32x32xi1>
      %17 = tt.load %15, %16, %cst_8 : tensor<32x32x!tt.ptr<f16>>
      %18 = tt.splat %1 : i32 -> tensor<32x1xi32>
      %19 = arith.addi %8, %18 : tensor<32x1xi32>
      %20 = arith.cmpi slt, %19, %cst_6 : tensor<32x1xi32>
      %21 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %22 = tt.expand_dims %21 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %23 = arith.muli %1, %c16_i32 : i32
      %24 = arith.muli %8, %cst_10 : tensor<32x1xi32>
      %25 = tt.broadcast %22 : tensor<1x16xi32> -> tensor<32x16xi32>
      %26 = tt.broadcast %24 : tensor<32x1xi32> -> tensor<32x16xi32>
      %27 = arith.addi %25, %26 : tensor<32x16xi32>
      %28 = tt.addptr %arg1, %23 : !tt.ptr<f16>, i32
      %29 = tt.splat %28 : !tt.ptr<f16> -> tensor<32x16x!tt.ptr<f16>>
      %30 = tt.addptr %29, %27 : tensor<32x16x!tt.ptr<f16>>, tensor<32x16xi32>
      %31 = tt.broadcast %20 : tensor<32x1xi1> -> tensor<32x16xi1>
      %32 = tt.load %30, %31, %cst_11 : tensor<32x16x!tt.ptr<f16>>
      %33 = tt.dot %17, %32, %2 : tensor<32x32xf16> * tensor<32x16xf16> -> tensor<32x16xf32>
      scf.yield %33 : tensor<32x16xf32>
    }
    %34 = arith.truncf %0 : tensor<32x16xf32> to tensor<32x16xf16>
    %35 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %36 = tt.expand_dims %35 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %37 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<1x16x!tt.ptr<f16>>
    %38 = tt.addptr %37, %36 : tensor<1x16x!tt.ptr<f16>>, tensor<1x16xi32>
    %39 = tt.load %38 : tensor<1x16x!tt.ptr<f16>>
    %40 = tt.broadcast %39 : tensor<1x16xf16> -> tensor<32x16xf16>
    %41 = arith.addf %34, %40 : tensor<32x16xf16>
    %42 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %43 = tt.expand_dims %42 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %44 = arith.muli %43, %cst_10 : tensor<32x1xi32>
    %45 = tt.broadcast %44 : tensor<32x1xi32> -> tensor<32x16xi32>
    %46 = tt.broadcast %36 : tensor<1x16xi32> -> tensor<32x16xi32>
    %47 = arith.addi %45, %46 : tensor<32x16xi32>
    %48 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<32x16x!tt.ptr<f16>>
    %49 = tt.addptr %48, %47 : tensor<32x16x!tt.ptr<f16>>, tensor<32x16xi32>
    tt.store %49, %41 : tensor<32x16x!tt.ptr<f16>>
    tt.return
  }
}
)");
}

}  // namespace
}  // namespace xla::gpu
