// What each pass makes of small programs, and that random programs mean the same before and after it.
#include "triton/transforms/passes.h"

#include "triton/interpreter/interpreter.h"
#include "triton/testing/parse.h"
#include "triton/testing/random_kernel.h"

namespace rocxla::triton {
namespace {

enum class Pass { kStructure, kInline, kBlocks };

Status Apply(Pass pass, ParsedModule& parsed) {
  tt::FuncOp kernel;
  for (auto function : parsed.module->getOps<tt::FuncOp>())
    if (!function.isPrivate()) kernel = function;
  switch (pass) {
    case Pass::kStructure:
      return StructureControlFlow(*parsed.module);
    case Pass::kInline:
      return InlineCalls(*parsed.module, kernel);
    case Pass::kBlocks:
      return succeeded(BlocksToPointers(kernel)) ? OkStatus() : InternalError("no pointers");
  }
  return OkStatus();
}

std::string Print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

// The module after the pass, or its error.
std::string After(Pass pass, const std::string& text) {
  ParsedModule parsed(text);
  if (!parsed.module) return "";
  const Status status = Apply(pass, parsed);
  return status.ok() ? Print(*parsed.module) : status.ToString();
}

TEST(StructureControlFlow, AnEarlyReturnBecomesABranch) {
  EXPECT_EQ(After(Pass::kStructure, R"(
tt.func public @k(%p: !tt.ptr<i32>, %n: i32, %c: i1) {
  cf.cond_br %c, ^early, ^late
^early:
  tt.return
^late:
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i1) {
    %c0_i32 = arith.constant 0 : i32
    scf.if %arg2 {
    } else {
      tt.store %arg0, %arg1 : !tt.ptr<i32>
    }
    tt.return
  }
}
)");
}

TEST(StructureControlFlow, BranchesWithValues) {
  EXPECT_EQ(After(Pass::kStructure, R"(
tt.func public @k(%p: !tt.ptr<i32>, %n: i32, %c: i1) {
  cf.cond_br %c, ^join(%n : i32), ^other
^other:
  %m = arith.muli %n, %n : i32
  cf.br ^join(%m : i32)
^join(%x: i32):
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i1) {
    %c0_i32 = arith.constant 0 : i32
    %0 = scf.if %arg2 -> (i32) {
      scf.yield %arg1 : i32
    } else {
      %1 = arith.muli %arg1, %arg1 : i32
      scf.yield %1 : i32
    }
    tt.store %arg0, %0 : !tt.ptr<i32>
    tt.return
  }
}
)");
}

TEST(StructureControlFlow, ALoop) {
  EXPECT_EQ(After(Pass::kStructure, R"(
tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %next = arith.addi %i, %n : i32
  %more = arith.cmpi slt, %next, %n : i32
  cf.cond_br %more, ^head(%next : i32), ^done
^done:
  tt.store %p, %next : !tt.ptr<i32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %0 = ub.poison : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %1:2 = scf.while (%arg2 = %c0_i32_0, %arg3 = %0) : (i32, i32) -> (i32, i32) {
      %2 = arith.addi %arg2, %arg1 : i32
      %3 = arith.cmpi slt, %2, %arg1 : i32
      %4:3 = scf.if %3 -> (i32, i32, i32) {
        scf.yield %2, %c0_i32, %c1_i32 : i32, i32, i32
      } else {
        scf.yield %0, %c1_i32, %c0_i32 : i32, i32, i32
      }
      %5 = arith.trunci %4#2 : i32 to i1
      scf.condition(%5) %4#0, %2 : i32, i32
    } do {
    ^bb0(%arg2: i32, %arg3: i32):
      scf.yield %arg2, %arg3 : i32, i32
    }
    tt.store %arg0, %1#1 : !tt.ptr<i32>
    tt.return
  }
}
)");
}

TEST(StructureControlFlow, ASwitchBecomesAChain) {
  EXPECT_EQ(After(Pass::kStructure, R"(
tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {
  cf.switch %n : i32, [default: ^join(%n : i32), 3: ^three, 5: ^five]
^three:
  %a = arith.muli %n, %n : i32
  cf.br ^join(%a : i32)
^five:
  %b = arith.addi %n, %n : i32
  cf.br ^join(%b : i32)
^join(%x: i32):
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.cmpi eq, %arg1, %c3_i32 : i32
    %1 = scf.if %0 -> (i32) {
      %2 = arith.muli %arg1, %arg1 : i32
      scf.yield %2 : i32
    } else {
      %c5_i32 = arith.constant 5 : i32
      %2 = arith.cmpi eq, %arg1, %c5_i32 : i32
      %3 = scf.if %2 -> (i32) {
        %4 = arith.addi %arg1, %arg1 : i32
        scf.yield %4 : i32
      } else {
        scf.yield %arg1 : i32
      }
      scf.yield %3 : i32
    }
    tt.store %arg0, %1 : !tt.ptr<i32>
    tt.return
  }
}
)");
}

TEST(InlineCalls, ACallBecomesTheBody) {
  EXPECT_EQ(After(Pass::kInline, R"(
tt.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  tt.return %y : i32
}
tt.func private @four_times(%x: i32) -> i32 {
  %y = tt.call @twice(%x) : (i32) -> i32
  %z = tt.call @twice(%y) : (i32) -> i32
  tt.return %z : i32
}
tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {
  %m = tt.call @four_times(%n) : (i32) -> i32
  tt.store %p, %m : !tt.ptr<i32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %0 = arith.addi %arg1, %arg1 : i32
    %1 = arith.addi %0, %0 : i32
    tt.store %arg0, %1 : !tt.ptr<i32>
    tt.return
  }
}
)");
}

TEST(BlocksToPointers, ABlockOfOneDimension) {
  EXPECT_EQ(After(Pass::kBlocks, R"(
tt.func public @k(%p: !tt.ptr<f32>, %size: i64, %stride: i64, %at: i32) {
  %b = tt.make_tensor_ptr %p, [%size], [%stride], [%at] {order = array<i32: 0>} : <tensor<8xf32>>
  %v = tt.load %b {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<8xf32>>
  %c = tt.advance %b, [%at] : <tensor<8xf32>>
  tt.store %c, %v : !tt.ptr<tensor<8xf32>>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<f32>, %arg1: i64, %arg2: i64, %arg3: i32) {
    %0 = arith.extsi %arg3 : i32 to i64
    %1 = arith.muli %0, %arg2 : i64
    %2 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i64
    %3 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %4 = arith.extsi %3 : tensor<8xi32> to tensor<8xi64>
    %5 = tt.splat %0 : i64 -> tensor<8xi64>
    %6 = arith.addi %4, %5 : tensor<8xi64>
    %7 = tt.splat %arg1 : i64 -> tensor<8xi64>
    %8 = arith.cmpi ult, %6, %7 : tensor<8xi64>
    %9 = tt.splat %arg2 : i64 -> tensor<8xi64>
    %10 = arith.muli %4, %9 : tensor<8xi64>
    %11 = tt.splat %2 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %12 = tt.addptr %11, %10 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %cst = arith.constant 0.000000e+00 : f32
    %13 = tt.splat %cst : f32 -> tensor<8xf32>
    %14 = tt.load %12, %8, %13 : tensor<8x!tt.ptr<f32>>
    %15 = arith.extsi %arg3 : i32 to i64
    %16 = arith.addi %0, %15 : i64
    %17 = arith.muli %16, %arg2 : i64
    %18 = tt.addptr %arg0, %17 : !tt.ptr<f32>, i64
    %19 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %20 = arith.extsi %19 : tensor<8xi32> to tensor<8xi64>
    %21 = tt.splat %arg2 : i64 -> tensor<8xi64>
    %22 = arith.muli %20, %21 : tensor<8xi64>
    %23 = tt.splat %18 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %24 = tt.addptr %23, %22 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    tt.store %24, %14 : tensor<8x!tt.ptr<f32>>
    tt.return
  }
}
)");
}

// Padded with NaN where the extents end.
TEST(BlocksToPointers, NanBeyondTheExtents) {
  EXPECT_EQ(After(Pass::kBlocks, R"(
tt.func public @k(%p: !tt.ptr<f32>, %size: i64, %stride: i64, %at: i32) {
  %b = tt.make_tensor_ptr %p, [%size], [%stride], [%at] {order = array<i32: 0>} : <tensor<8xf32>>
  %v = tt.load %b {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<8xf32>>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<f32>, %arg1: i64, %arg2: i64, %arg3: i32) {
    %0 = arith.extsi %arg3 : i32 to i64
    %1 = arith.muli %0, %arg2 : i64
    %2 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i64
    %3 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %4 = arith.extsi %3 : tensor<8xi32> to tensor<8xi64>
    %5 = tt.splat %0 : i64 -> tensor<8xi64>
    %6 = arith.addi %4, %5 : tensor<8xi64>
    %7 = tt.splat %arg1 : i64 -> tensor<8xi64>
    %8 = arith.cmpi ult, %6, %7 : tensor<8xi64>
    %true = arith.constant true
    %9 = tt.splat %arg2 : i64 -> tensor<8xi64>
    %10 = arith.muli %4, %9 : tensor<8xi64>
    %11 = tt.splat %2 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %12 = tt.addptr %11, %10 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0x7FC00000 : f32
    %13 = arith.select %true, %cst_0, %cst : f32
    %14 = tt.splat %13 : f32 -> tensor<8xf32>
    %15 = tt.load %12, %8, %14 : tensor<8x!tt.ptr<f32>>
    tt.return
  }
}
)");
}

// Rows that a tensor names, columns from one on.
TEST(BlocksToPointers, RowsAreScattered) {
  EXPECT_EQ(After(Pass::kBlocks, R"(
tt.func public @k(%p: !tt.ptr<i32>, %m: i32, %n: i32, %s: i64, %rows: tensor<8xi32>, %v: tensor<8x4xi32>) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %one] : <i32>, <1x4xi32>
  tt.descriptor_scatter %d[%rows, %n], %v : !tt.tensordesc<1x4xi32>, tensor<8xi32>, i32, tensor<8x4xi32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: tensor<8xi32>, %arg5: tensor<8x4xi32>) {
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg1 : i32 to i64
    %1 = arith.extsi %arg2 : i32 to i64
    %false = arith.constant false
    %c1_i64_0 = arith.constant 1 : i64
    %2 = arith.extsi %arg4 : tensor<8xi32> to tensor<8xi64>
    %c0_i64 = arith.constant 0 : i64
    %3 = arith.extsi %arg2 : i32 to i64
    %4 = arith.muli %3, %c1_i64_0 : i64
    %5 = tt.addptr %arg0, %4 : !tt.ptr<i32>, i64
    %6 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %7 = arith.extsi %6 : tensor<4xi32> to tensor<4xi64>
    %8 = tt.splat %c0_i64 : i64 -> tensor<8xi64>
    %9 = arith.addi %2, %8 : tensor<8xi64>
    %10 = tt.splat %0 : i64 -> tensor<8xi64>
    %11 = arith.cmpi ult, %9, %10 : tensor<8xi64>
    %12 = tt.expand_dims %11 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
    %13 = tt.broadcast %12 : tensor<8x1xi1> -> tensor<8x4xi1>
    %14 = tt.splat %3 : i64 -> tensor<4xi64>
    %15 = arith.addi %7, %14 : tensor<4xi64>
    %16 = tt.splat %1 : i64 -> tensor<4xi64>
    %17 = arith.cmpi ult, %15, %16 : tensor<4xi64>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
    %19 = tt.broadcast %18 : tensor<1x4xi1> -> tensor<8x4xi1>
    %20 = arith.andi %13, %19 : tensor<8x4xi1>
    %21 = tt.splat %arg3 : i64 -> tensor<8xi64>
    %22 = arith.muli %2, %21 : tensor<8xi64>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<8xi64> -> tensor<8x1xi64>
    %24 = tt.broadcast %23 : tensor<8x1xi64> -> tensor<8x4xi64>
    %25 = tt.splat %c1_i64_0 : i64 -> tensor<4xi64>
    %26 = arith.muli %7, %25 : tensor<4xi64>
    %27 = tt.expand_dims %26 {axis = 0 : i32} : tensor<4xi64> -> tensor<1x4xi64>
    %28 = tt.broadcast %27 : tensor<1x4xi64> -> tensor<8x4xi64>
    %29 = arith.addi %24, %28 : tensor<8x4xi64>
    %30 = tt.splat %5 : !tt.ptr<i32> -> tensor<8x4x!tt.ptr<i32>>
    %31 = tt.addptr %30, %29 : tensor<8x4x!tt.ptr<i32>>, tensor<8x4xi64>
    tt.store %31, %arg5, %20 : tensor<8x4x!tt.ptr<i32>>
    tt.return
  }
}
)");
}

// The last dimension is dense, whatever its stride says. Blocks may lack extents of one.
TEST(BlocksToPointers, BlocksOfADescriptorAreStored) {
  EXPECT_EQ(After(Pass::kBlocks, R"(
tt.func public @k(%p: !tt.ptr<i32>, %m: i32, %n: i32, %s: i64, %v: tensor<4xi32>) {
  %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %s] : <i32>, <1x4xi32>
  tt.descriptor_store %d[%m, %n], %v : !tt.tensordesc<1x4xi32>, tensor<4xi32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: tensor<4xi32>) {
    %0 = arith.extsi %arg1 : i32 to i64
    %1 = arith.extsi %arg2 : i32 to i64
    %false = arith.constant false
    %c1_i64 = arith.constant 1 : i64
    %2 = arith.extsi %arg1 : i32 to i64
    %3 = arith.muli %2, %arg3 : i64
    %4 = tt.addptr %arg0, %3 : !tt.ptr<i32>, i64
    %5 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %6 = arith.extsi %5 : tensor<1xi32> to tensor<1xi64>
    %7 = arith.extsi %arg2 : i32 to i64
    %8 = arith.muli %7, %c1_i64 : i64
    %9 = tt.addptr %4, %8 : !tt.ptr<i32>, i64
    %10 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %11 = arith.extsi %10 : tensor<4xi32> to tensor<4xi64>
    %12 = tt.reshape %arg4 : tensor<4xi32> -> tensor<1x4xi32>
    %13 = tt.splat %2 : i64 -> tensor<1xi64>
    %14 = arith.addi %6, %13 : tensor<1xi64>
    %15 = tt.splat %0 : i64 -> tensor<1xi64>
    %16 = arith.cmpi ult, %14, %15 : tensor<1xi64>
    %17 = tt.expand_dims %16 {axis = 1 : i32} : tensor<1xi1> -> tensor<1x1xi1>
    %18 = tt.broadcast %17 : tensor<1x1xi1> -> tensor<1x4xi1>
    %19 = tt.splat %7 : i64 -> tensor<4xi64>
    %20 = arith.addi %11, %19 : tensor<4xi64>
    %21 = tt.splat %1 : i64 -> tensor<4xi64>
    %22 = arith.cmpi ult, %20, %21 : tensor<4xi64>
    %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
    %24 = arith.andi %18, %23 : tensor<1x4xi1>
    %25 = tt.splat %arg3 : i64 -> tensor<1xi64>
    %26 = arith.muli %6, %25 : tensor<1xi64>
    %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<1xi64> -> tensor<1x1xi64>
    %28 = tt.broadcast %27 : tensor<1x1xi64> -> tensor<1x4xi64>
    %29 = tt.splat %c1_i64 : i64 -> tensor<4xi64>
    %30 = arith.muli %11, %29 : tensor<4xi64>
    %31 = tt.expand_dims %30 {axis = 0 : i32} : tensor<4xi64> -> tensor<1x4xi64>
    %32 = arith.addi %28, %31 : tensor<1x4xi64>
    %33 = tt.splat %9 : !tt.ptr<i32> -> tensor<1x4x!tt.ptr<i32>>
    %34 = tt.addptr %33, %32 : tensor<1x4x!tt.ptr<i32>>, tensor<1x4xi64>
    tt.store %34, %12, %24 : tensor<1x4x!tt.ptr<i32>>
    tt.return
  }
}
)");
}

TEST(BlocksToPointers, DescriptorsThatAreArguments) {
  EXPECT_EQ(After(Pass::kBlocks, R"(
tt.func public @k(%d: !tt.tensordesc<4xi32>, %n: i32 {tt.divisibility = 16 : i32}) {
  %v = tt.descriptor_load %d[%n] : !tt.tensordesc<4xi32> -> tensor<4xi32>
  tt.descriptor_reduce add, %d[%n], %v : !tt.tensordesc<4xi32>, tensor<4xi32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.muli %0, %c1_i64 : i64
    %2 = tt.addptr %arg0, %1 : !tt.ptr<i32>, i64
    %3 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %4 = arith.extsi %3 : tensor<4xi32> to tensor<4xi64>
    %5 = tt.splat %0 : i64 -> tensor<4xi64>
    %6 = arith.addi %4, %5 : tensor<4xi64>
    %7 = tt.splat %arg1 : i64 -> tensor<4xi64>
    %8 = arith.cmpi ult, %6, %7 : tensor<4xi64>
    %9 = tt.splat %c1_i64 : i64 -> tensor<4xi64>
    %10 = arith.muli %4, %9 : tensor<4xi64>
    %11 = tt.splat %2 : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %12 = tt.addptr %11, %10 : tensor<4x!tt.ptr<i32>>, tensor<4xi64>
    %c0_i32 = arith.constant 0 : i32
    %13 = tt.splat %c0_i32 : i32 -> tensor<4xi32>
    %14 = tt.load %12, %8, %13 : tensor<4x!tt.ptr<i32>>
    %c1_i64_0 = arith.constant 1 : i64
    %15 = arith.extsi %arg4 : i32 to i64
    %16 = arith.muli %15, %c1_i64_0 : i64
    %17 = tt.addptr %arg0, %16 : !tt.ptr<i32>, i64
    %18 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %19 = arith.extsi %18 : tensor<4xi32> to tensor<4xi64>
    %20 = tt.splat %15 : i64 -> tensor<4xi64>
    %21 = arith.addi %19, %20 : tensor<4xi64>
    %22 = tt.splat %arg1 : i64 -> tensor<4xi64>
    %23 = arith.cmpi ult, %21, %22 : tensor<4xi64>
    %24 = tt.splat %c1_i64_0 : i64 -> tensor<4xi64>
    %25 = arith.muli %19, %24 : tensor<4xi64>
    %26 = tt.splat %17 : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %27 = tt.addptr %26, %25 : tensor<4x!tt.ptr<i32>>, tensor<4xi64>
    %28 = tt.atomic_rmw add, relaxed, gpu, %27, %14, %23 : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>
    tt.return
  }
}
)");
}

// The passes in the compiler's order, on random kernels, among which are calls of functions with early returns, block
// pointers and descriptors: where the original defines a result, the outcome has the same.
TEST(AllPasses, KeepTheMeaning) {
  int changed = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const RandomKernel kernel = MakeRandomKernel(seed);
    InterpretedLaunch launch;
    launch.grid = {kernel.grid[0], kernel.grid[1], kernel.grid[2]};
    std::vector<InterpretedBuffer> before;
    for (const KernelBuffer& buffer : kernel.buffers) {
      launch.arguments.push_back({InterpretedArgument::Kind::kBuffer, before.size()});
      before.push_back({buffer.bytes});
    }
    for (int32_t number : kernel.numbers)
      launch.arguments.push_back({InterpretedArgument::Kind::kNumber, static_cast<uint32_t>(number)});
    std::vector<InterpretedBuffer> after = before;
    if (!Interpret(kernel.ttir, "kernel.ttir", launch, before).ok()) continue;  // what runs is not defined

    ParsedModule parsed(kernel.ttir);
    ASSERT_TRUE(parsed.module);
    for (Pass pass : {Pass::kStructure, Pass::kInline, Pass::kBlocks}) ASSERT_TRUE(Apply(pass, parsed).ok()) << seed;
    const std::string text = Print(*parsed.module);
    for (const char* gone : {" cf.", "tt.call", "tt.advance", "tt.make_tensor", "tt.descriptor"})
      EXPECT_EQ(text.find(gone), std::string::npos) << gone << "\n" << text;
    const Status status = Interpret(text, "after.ttir", launch, after);
    ASSERT_TRUE(status.ok()) << seed << ": " << status.ToString() << "\n" << text;
    for (size_t b = 0; b < before.size(); ++b)
      for (size_t i = 0; i < before[b].bytes.size(); ++i)
        ASSERT_TRUE(before[b].undefined[i] != 0 ||
                    (after[b].undefined[i] == 0 && before[b].bytes[i] == after[b].bytes[i]))
            << "seed " << seed << ", buffer " << b << ", byte " << i << "\n"
            << text;
    changed +=
        kernel.ttir.find("tt.call") != std::string::npos || kernel.ttir.find("tt.make_tensor") != std::string::npos;
  }
  EXPECT_GT(changed, 10);
}

}  // namespace
}  // namespace rocxla::triton
