// What changes of shape and of layout become: mostly nothing.
#include "triton/testing/lowering_case.h"

namespace rocxla::triton {
namespace {

// Nothing but renamed registers: what was loaded is stored.
constexpr char kNothing[] = R"(
  // CHECK: [[V:%[0-9]+]] = load <4 x i32>
  // CHECK-NEXT: [[A:%[0-9]+]] = extractelement <4 x i32> [[V]], i64 0
  // CHECK-NEXT: [[B:%[0-9]+]] = extractelement <4 x i32> [[V]], i64 1
  // CHECK-NEXT: [[C:%[0-9]+]] = extractelement <4 x i32> [[V]], i64 2
  // CHECK-NEXT: [[D:%[0-9]+]] = extractelement <4 x i32> [[V]], i64 3
  // CHECK-NEXT: insertelement <4 x i32> {{.*}}, i32 [[A]], i64 0
  // CHECK-NEXT: insertelement <4 x i32> {{.*}}, i32 [[B]], i64 1
  // CHECK-NEXT: insertelement <4 x i32> {{.*}}, i32 [[C]], i64 2
  // CHECK-NEXT: [[W:%[0-9]+]] = insertelement <4 x i32> {{.*}}, i32 [[D]], i64 3
  // CHECK: store <4 x i32> [[W]]
)";

std::vector<LoweringCase> Sources() {
  return {
      {"Scalar", "arith.constant", Kernel("%o: !tt.ptr<f32>", R"(
        %c = arith.constant 1.5 : f32
        tt.store %o, %c : !tt.ptr<f32>
        // CHECK: store float 1.500000e+00
      )")},
      {"EightBitFloatsAreBytes", "arith.constant", Kernel("%o: !tt.ptr<f8E5M2>", R"(
        %c = arith.constant 1.5 : f8E5M2
        tt.store %o, %c : !tt.ptr<f8E5M2>
        // CHECK: store i8 62
      )")},
      {"Tensor", "arith.constant", Kernel("%o: !tt.ptr<i32>", IndexRange(256) + R"(
        %c = arith.constant dense<7> : tensor<256xi32>
        // CHECK: store <4 x i32> splat (i32 7)
      )" + StoreTo("o", "c", "256xi32"))},
      {"", "ub.poison", Kernel("%o: !tt.ptr<i32>", R"(
        %c = ub.poison : i32
        tt.store %o, %c : !tt.ptr<i32>
        // CHECK: store i32 poison
      )")},
      {"OneInstructionPerRegister",
       "tt.make_range",
       Kernel("%o: !tt.ptr<i32>", R"(
        %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
        %j = tt.make_range {end = 164 : i32, start = 100 : i32} : tensor<64xi32>
        // CHECK: entry:
        // CHECK: [[PLACE:%[0-9]+]] = xor i32 {{.*}}, 0
        // CHECK-NEXT: br label %body
        // CHECK: body:
        // CHECK: [[J:%[0-9]+]] = add nuw nsw i32 [[PLACE]], 100
        // CHECK: store i32 [[J]]
      )" + StoreTo("o", "j", "64xi32")),
       {"gfx942"}},
      {"IsFree", "tt.splat", Kernel("%x: i32, %o: !tt.ptr<i32>", IndexRange(256) + R"(
        %v = tt.splat %x : i32 -> tensor<256xi32>
        // CHECK: body:
        // CHECK-NOT: = {{(call|select|shufflevector)}}
        // CHECK: insertelement <4 x i32> poison, i32 %arg0, i64 0
        // CHECK: store <4 x i32>
      )" + StoreTo("o", "v", "256xi32"))},
  };
}

std::vector<LoweringCase> Renamings() {
  return {
      {"IsFree",
       "tt.reshape",
       Kernel("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", IndexRange(256) + LoadFrom("v", "x", "256xi32") + R"(
        %a = tt.reshape %v : tensor<256xi32> -> tensor<4x64xi32>
        %b = tt.reshape %a : tensor<4x64xi32> -> tensor<256xi32>
      )" + kNothing + StoreTo("o", "b", "256xi32")),
       {"gfx942"}},
      {"IsFree",
       "tt.expand_dims",
       Kernel("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", IndexRange(256) + LoadFrom("v", "x", "256xi32") + R"(
        %a = tt.expand_dims %v {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
        %b = tt.reshape %a : tensor<1x256xi32> -> tensor<256xi32>
      )" + kNothing + StoreTo("o", "b", "256xi32")),
       {"gfx942"}},
      // A thread stores a column of four equal numbers.
      {"IsFree",
       "tt.broadcast",
       Kernel("%o: !tt.ptr<i32>", R"(
        %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
        %j = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
        %row = tt.expand_dims %i {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
        %column = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %four = arith.constant dense<4> : tensor<1x64xi32>
        %begin = arith.muli %column, %four : tensor<1x64xi32>
        %rows = tt.broadcast %row : tensor<4x1xi32> -> tensor<4x64xi32>
        %begins = tt.broadcast %begin : tensor<1x64xi32> -> tensor<4x64xi32>
        %at = arith.addi %rows, %begins : tensor<4x64xi32>
        %p = tt.splat %o : !tt.ptr<i32> -> tensor<4x64x!tt.ptr<i32>>
        %a = tt.addptr %p, %at : tensor<4x64x!tt.ptr<i32>>, tensor<4x64xi32>
        %v = tt.broadcast %column : tensor<1x64xi32> -> tensor<4x64xi32>
        tt.store %a, %v : tensor<4x64x!tt.ptr<i32>>
        // CHECK: insertelement <4 x i32> poison, i32 [[V:%[0-9]+]], i64 0
        // CHECK-NEXT: insertelement <4 x i32> {{.*}}, i32 [[V]], i64 1
        // CHECK-NEXT: insertelement <4 x i32> {{.*}}, i32 [[V]], i64 2
        // CHECK-NEXT: insertelement <4 x i32> {{.*}}, i32 [[V]], i64 3
        // CHECK: store <4 x i32>
        // CHECK-NOT: store
        // CHECK: ret void
      )"),
       {"gfx942"}},
      {"OfTheLayoutItself",
       "tt.trans",
       Kernel("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", IndexRange(256) + LoadFrom("v", "x", "256xi32") + R"(
        %a = tt.expand_dims %v {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
        %t = tt.trans %a {order = array<i32: 1, 0>} : tensor<1x256xi32> -> tensor<256x1xi32>
        %b = tt.reshape %t : tensor<256x1xi32> -> tensor<256xi32>
      )" + kNothing + StoreTo("o", "b", "256xi32")),
       {"gfx942"}},
      {"TakesARegister", "tt.unsplat", Kernel("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", R"(
        %p = tt.splat %x : !tt.ptr<i32> -> tensor<1x!tt.ptr<i32>>
        %v = tt.load %p : tensor<1x!tt.ptr<i32>>
        %s = tt.unsplat %v : tensor<1xi32>
        tt.store %o, %s : !tt.ptr<i32>
        // CHECK: [[V:%[0-9]+]] = load i32
        // CHECK-NOT: addrspace(3)
        // CHECK: store i32 [[V]]
      )")},
      // Halves side by side in registers.
      {"Interleaves",
       "tt.join",
       Kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %o: !tt.ptr<i32>",
              IndexRange(64) + LoadFrom("v", "x", "64xi32") + LoadFrom("w", "y", "64xi32") + R"(
        %j = tt.join %v, %w : tensor<64xi32> -> tensor<64x2xi32>
        %r = tt.reshape %j : tensor<64x2xi32> -> tensor<128xi32>
        // CHECK: [[X:%[0-9]+]] = load i32
        // CHECK: [[Y:%[0-9]+]] = load i32
        // CHECK-NOT: addrspace(3)
        // CHECK: [[ONE:%[0-9]+]] = insertelement <2 x i32> poison, i32 [[X]], i64 0
        // CHECK: insertelement <2 x i32> [[ONE]], i32 [[Y]], i64 1
        // CHECK: store <2 x i32>
        %i2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
        %q = tt.splat %o : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
        %a = tt.addptr %q, %i2 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
        tt.store %a, %r : tensor<128x!tt.ptr<i32>>
      )"),
       {"gfx942"}},
      {"TakesEveryOther",
       "tt.split",
       Kernel("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>, %p: !tt.ptr<i32>", R"(
        %k = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
        %q = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
        %a = tt.addptr %q, %k : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
        %v = tt.load %a : tensor<128x!tt.ptr<i32>>
        %w = tt.reshape %v : tensor<128xi32> -> tensor<64x2xi32>
        %even, %odd = tt.split %w : tensor<64x2xi32> -> tensor<64xi32>
        // CHECK: [[V:%[0-9]+]] = load <2 x i32>
        // CHECK: [[EVEN:%[0-9]+]] = extractelement <2 x i32> [[V]], i64 0
        // CHECK: [[ODD:%[0-9]+]] = extractelement <2 x i32> [[V]], i64 1
        // CHECK-NOT: addrspace(3)
        // CHECK: store i32 [[EVEN]]
        // CHECK: store i32 [[ODD]]
      )" + IndexRange(64) + StoreTo("o", "even", "64xi32") + StoreTo("p", "odd", "64xi32")),
       {"gfx942"}},
      {"AppendsRegisters",
       "tt.cat",
       Kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %o: !tt.ptr<i32>",
              IndexRange(64) + LoadFrom("v", "x", "64xi32") + LoadFrom("w", "y", "64xi32") + R"(
        %c = tt.cat %v, %w : tensor<64xi32> -> tensor<128xi32>
        %s = "tt.reduce"(%c) <{axis = 0 : i32}> ({
        ^bb0(%p: i32, %q: i32):
          %t = arith.addi %p, %q : i32
          tt.reduce.return %t : i32
        }) : (tensor<128xi32>) -> i32
        tt.store %o, %s : !tt.ptr<i32>
        // CHECK: [[X:%[0-9]+]] = load i32
        // CHECK: [[Y:%[0-9]+]] = load i32
        // CHECK-NEXT: add i32 [[X]], [[Y]]
        // CHECK-NOT: addrspace(3)
        // CHECK: ret void
      )"),
       {"gfx942"}},
  };
}

// Data that changes threads goes through LDS, which begins at address 0 and is used again each time.
std::vector<LoweringCase> Exchanges() {
  const std::string transpose = R"(
    %r = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %c = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %n = arith.constant dense<32> : tensor<32x1xi32>
    %l = arith.muli %r, %n : tensor<32x1xi32>
    %rb = tt.broadcast %l : tensor<32x1xi32> -> tensor<32x32xi32>
    %cb = tt.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
    %at = arith.addi %rb, %cb : tensor<32x32xi32>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %a = tt.addptr %p, %at : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %q = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %b = tt.addptr %q, %at : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %v = tt.load %a : tensor<32x32x!tt.ptr<f32>>
    %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
    tt.store %b, %t : tensor<32x32x!tt.ptr<f32>>
  )";
  const std::string range = "%k = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n";
  return {
      {"ThroughSharedMemory",
       "tt.trans",
       Kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>", range + transpose + R"(
        // CHECK: load <4 x float>, ptr addrspace(1)
        // The fences order LDS only.
        // CHECK: fence syncscope("workgroup") release, {{.*}}!mmra [[LOCAL:![0-9]+]]
        // CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
        // CHECK-NEXT: fence syncscope("workgroup") acquire, {{.*}}!mmra [[LOCAL]]
        // CHECK: store <{{[0-9]+}} x float> {{.*}}, ptr addrspace(3)
        // CHECK: fence syncscope("workgroup") release
        // CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
        // CHECK-NEXT: fence syncscope("workgroup") acquire
        // CHECK-NOT: barrier
        // CHECK: load <{{[0-9]+}} x float>, ptr addrspace(3)
        // CHECK-NOT: barrier
        // CHECK: store <4 x float> {{.*}}, ptr addrspace(1)
        // CHECK: [[LOCAL]] = !{!"amdgpu-synchronize-as", !"local"}
      )"),
       {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"},
       4},
      {"AnyElement",
       "tt.gather",
       Kernel("%x: !tt.ptr<f32>, %y: !tt.ptr<i32>, %o: !tt.ptr<f32>",
              IndexRange(64) + LoadFrom("v", "x", "64xf32") + LoadFrom("n", "y", "64xi32") + R"(
        %g = tt.gather %v[%n] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
        // CHECK: [[V:%[0-9]+]] = load float
        // CHECK: [[N:%[0-9]+]] = load i32
        // CHECK: call void @llvm.amdgcn.s.barrier()
        // CHECK: store <1 x float> {{.*}}, ptr addrspace(3)
        // CHECK: call void @llvm.amdgcn.s.barrier()
        // Whatever the index says, it is one of the 64.
        // CHECK: [[INDEX:%[0-9]+]] = and i32 [[N]], 63
        // CHECK: load float, ptr addrspace(3)
      )" + StoreTo("o", "g", "64xf32")),
       {"gfx942"}},
  };
}

}  // namespace

std::vector<LoweringCase> ShapeCases() {
  std::vector<LoweringCase> all;
  for (auto cases : {Sources, Renamings, Exchanges})
    for (LoweringCase& each : cases()) all.push_back(std::move(each));
  return all;
}

}  // namespace rocxla::triton
