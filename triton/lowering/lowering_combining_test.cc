// What reductions, scans and histograms become.
#include "triton/testing/lowering_case.h"

namespace rocxla::triton {
namespace {

std::string Reduce(const std::string& tensor, const std::string& result, const std::string& type = "f32") {
  return "%r = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n^bb0(%p: " + type + ", %q: " + type +
         "):\n  %t = arith.addf %p, %q : " + type + "\n  tt.reduce.return %t : " + type + "\n}) : (tensor<" + tensor +
         ">) -> " + result + "\n";
}

std::vector<LoweringCase> Reductions() {
  const std::string arguments = "%x: !tt.ptr<f32>, %o: !tt.ptr<f32>", store = "tt.store %o, %r : !tt.ptr<f32>\n";
  return {
      // Registers as a balanced tree.
      {"Registers",
       "tt.reduce",
       Kernel(arguments, IndexRange(256) + LoadFrom("v", "x", "256xf32") + Reduce("256xf32", "f32") + store + R"(
        // CHECK: load <4 x float>
        // CHECK: [[A:%[0-9]+]] = fadd float
        // CHECK-NEXT: [[B:%[0-9]+]] = fadd float
        // CHECK-NEXT: fadd float [[A]], [[B]]
        // CHECK-NEXT: bitcast float
        // CHECK-NEXT: call i32 @llvm.amdgcn.update.dpp.i32(
      )"),
       {"gfx942"}},
      // 64 lanes: exchanges within four, mirrors within eight and sixteen, a swizzle within 32; then both halves are
      // uniform and go on in scalar registers.
      {"LanesOfAWave64",
       "tt.reduce",
       Kernel(arguments, IndexRange(64) + LoadFrom("v", "x", "64xf32") + Reduce("64xf32", "f32") + store + R"(
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 {{.*}}, i32 177, i32 15, i32 15, i1 true)
        // CHECK: fadd float
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 {{.*}}, i32 78, i32 15, i32 15, i1 true)
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 {{.*}}, i32 321, i32 15, i32 15, i1 true)
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 {{.*}}, i32 320, i32 15, i32 15, i1 true)
        // CHECK: call i32 @llvm.amdgcn.ds.swizzle(i32 {{.*}}, i32 16415)
        // CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 {{.*}}, i32 32)
        // CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 {{.*}}, i32 0)
        // CHECK-NEXT: bitcast
        // CHECK-NEXT: fadd float
        // CHECK-NOT: addrspace(3)
        // CHECK: ret void
      )"),
       {"gfx90a", "gfx942", "gfx950"}},
      // 32 lanes: rows of sixteen exchange by v_permlanex16.
      {"LanesOfAWave32",
       "tt.reduce",
       Kernel(arguments, IndexRange(32) + LoadFrom("v", "x", "32xf32") + Reduce("32xf32", "f32") + store + R"(
        // CHECK: i32 177, i32 15, i32 15, i1 true)
        // CHECK: i32 78, i32 15, i32 15, i1 true)
        // CHECK: i32 321, i32 15, i32 15, i1 true)
        // CHECK: i32 320, i32 15, i32 15, i1 true)
        // CHECK: call i32 @llvm.amdgcn.permlanex16.i32(i32 [[X:%[0-9]+]], i32 [[X]], i32 1985229328, i32 -19088744, i1 false, i1 false)
        // CHECK-NOT: {{swizzle|readlane|bpermute|addrspace\(3\)}}
        // CHECK: ret void
      )"),
       {"gfx1100", "gfx1201"}},
      {"HalvesTravelInWords",
       "tt.reduce",
       Kernel("%x: !tt.ptr<f16>, %o: !tt.ptr<f16>",
              IndexRange(64) + LoadFrom("v", "x", "64xf16") + Reduce("64xf16", "f16", "f16") + R"(
        tt.store %o, %r : !tt.ptr<f16>
        // CHECK: [[BITS:%[0-9]+]] = bitcast half {{.*}} to i16
        // CHECK-NEXT: [[WORD:%[0-9]+]] = zext i16 [[BITS]] to i32
        // CHECK-NEXT: [[THEIRS:%[0-9]+]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 [[WORD]], i32 177
        // CHECK-NEXT: [[LOW:%[0-9]+]] = trunc i32 [[THEIRS]] to i16
        // CHECK-NEXT: bitcast i16 [[LOW]] to half
      )"),
       {"gfx942"}},
      // Between warps through LDS: each writes its part, all read all.
      {"Warps",
       "tt.reduce",
       Kernel(arguments, IndexRange(256) + LoadFrom("v", "x", "256xf32") + Reduce("256xf32", "f32") + store + R"(
        // CHECK: fence syncscope("workgroup") release
        // CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
        // CHECK-NEXT: fence syncscope("workgroup") acquire
        // CHECK: store float {{.*}}, ptr addrspace(3) {{.*}}, align 4
        // CHECK: call void @llvm.amdgcn.s.barrier()
        // CHECK: load <4 x float>, ptr addrspace(3) {{.*}}, align 16
        // CHECK-COUNT-3: fadd float
        // CHECK-NOT: barrier
        // CHECK: ret void
      )"),
       {"gfx942", "gfx1100"},
       4},
      {"YieldsItsOperands",
       "tt.reduce.return",
       Kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>", IndexRange(64) + LoadFrom("v", "x", "64xf32") + R"(
        %r:2 = "tt.reduce"(%v, %i) <{axis = 0 : i32}> ({
        ^bb0(%a: f32, %n: i32, %b: f32, %m: i32):
          %less = arith.cmpf olt, %a, %b : f32
          %c = arith.select %less, %a, %b : f32
          %k = arith.select %less, %n, %m : i32
          tt.reduce.return %c, %k : f32, i32
        }) : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32)
        tt.store %o, %r#0 : !tt.ptr<f32>
        // Both of the tuple move, and one comparison decides.
        // CHECK: update.dpp
        // CHECK: update.dpp
        // CHECK: [[LESS:%[0-9]+]] = fcmp olt float
        // CHECK-NEXT: select i1 [[LESS]], float
        // CHECK-NEXT: select i1 [[LESS]], i32
      )"),
       {"gfx942"}},
  };
}

std::string Scan(const std::string& tensor, const char* reverse) {
  return "%r = \"tt.scan\"(%v) <{axis = 0 : i32, reverse = " + std::string(reverse) +
         "}> ({\n^bb0(%p: f32, %q: f32):\n  %t = arith.addf %p, %q : f32\n  tt.scan.return %t : f32\n}) : (tensor<" +
         tensor + ">) -> tensor<" + tensor + ">\n";
}

std::vector<LoweringCase> Scans() {
  const std::string arguments = "%x: !tt.ptr<f32>, %o: !tt.ptr<f32>";
  return {
      // In registers one after the other; then lanes learn the totals of those before them.
      {"RegistersThenLanes",
       "tt.scan",
       Kernel(arguments, IndexRange(256) + LoadFrom("v", "x", "256xf32") + Scan("256xf32", "false") + R"(
        // CHECK: [[V:%[0-9]+]] = load <4 x float>
        // CHECK: [[A:%[0-9]+]] = extractelement <4 x float> [[V]], i64 0
        // CHECK: [[AB:%[0-9]+]] = fadd float [[A]], %
        // CHECK-NEXT: [[ABC:%[0-9]+]] = fadd float [[AB]], %
        // CHECK-NEXT: [[ABCD:%[0-9]+]] = fadd float [[ABC]], %
        // CHECK: [[IN_ROW:%[0-9]+]] = and i32 %lane, 15
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 273
        // CHECK: [[SHIFTED:%[0-9]+]] = fadd float %{{.*}}, [[ABCD]]
        // CHECK-NEXT: [[LATER:%[0-9]+]] = icmp uge i32 [[IN_ROW]], 1
        // CHECK-NEXT: select i1 [[LATER]], float [[SHIFTED]], float [[ABCD]]
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 274
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 276
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 280
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 322
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 323
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 312
        // CHECK-NOT: addrspace(3)
        // CHECK: store <4 x float>
      )" + StoreTo("o", "r", "256xf32")),
       {"gfx942"}},
      {"RegistersThenLanesOfWave32",
       "tt.scan",
       Kernel(arguments, IndexRange(128) + LoadFrom("v", "x", "128xf32") + Scan("128xf32", "false") + R"(
        // CHECK: [[V:%[0-9]+]] = load <4 x float>
        // CHECK: [[A:%[0-9]+]] = extractelement <4 x float> [[V]], i64 0
        // CHECK: [[AB:%[0-9]+]] = fadd float [[A]], %
        // CHECK-NEXT: [[ABC:%[0-9]+]] = fadd float [[AB]], %
        // CHECK-NEXT: [[ABCD:%[0-9]+]] = fadd float [[ABC]], %
        // CHECK: [[IN_ROW:%[0-9]+]] = and i32 %lane, 15
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 273
        // CHECK: [[SHIFTED:%[0-9]+]] = fadd float %{{.*}}, [[ABCD]]
        // CHECK-NEXT: [[LATER:%[0-9]+]] = icmp uge i32 [[IN_ROW]], 1
        // CHECK-NEXT: select i1 [[LATER]], float [[SHIFTED]], float [[ABCD]]
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 274
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 276
        // CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 280
        // CHECK: call i32 @llvm.amdgcn.permlanex16.i32(i32 %{{.*}}, i32 %{{.*}}, i32 -1, i32 -1
        // CHECK: icmp eq i32 %lane, 16
        // CHECK-NOT: addrspace(3)
        // CHECK: store <4 x float>
      )" + StoreTo("o", "r", "128xf32")),
       {"gfx1100"}},
      {"Backwards",
       "tt.scan",
       Kernel(arguments, IndexRange(256) + LoadFrom("v", "x", "256xf32") + Scan("256xf32", "true") + R"(
        // CHECK: [[V:%[0-9]+]] = load <4 x float>
        // CHECK: [[C:%[0-9]+]] = extractelement <4 x float> [[V]], i64 2
        // CHECK: [[D:%[0-9]+]] = extractelement <4 x float> [[V]], i64 3
        // CHECK: [[DC:%[0-9]+]] = fadd float [[D]], [[C]]
        // CHECK: [[LATER:%[0-9]+]] = icmp ne i32
        // CHECK: xor i1 [[LATER]], true
      )" + StoreTo("o", "r", "256xf32")),
       {"gfx942"}},
      {"Warps",
       "tt.scan",
       Kernel(arguments, IndexRange(256) + LoadFrom("v", "x", "256xf32") + Scan("256xf32", "false") + R"(
        // CHECK: call void @llvm.amdgcn.s.barrier()
        // CHECK: store float {{.*}}, ptr addrspace(3)
        // CHECK: call void @llvm.amdgcn.s.barrier()
        // CHECK-COUNT-4: load float, ptr addrspace(3)
        // CHECK-NOT: barrier
        // CHECK: ret void
      )" + StoreTo("o", "r", "256xf32")),
       {"gfx942", "gfx1100"},
       4},
      {"YieldsItsOperands",
       "tt.scan.return",
       Kernel(arguments, IndexRange(64) + LoadFrom("v", "x", "64xf32") + Scan("64xf32", "false") + R"(
        // CHECK: fadd float
        // CHECK: store float
      )" + StoreTo("o", "r", "64xf32")),
       {"gfx942"}},
  };
}

std::vector<LoweringCase> Histograms() {
  return {
      // Counters in LDS; what is outside the bins is not counted.
      {"",
       "tt.histogram",
       Kernel("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", IndexRange(64) + LoadFrom("v", "x", "64xi32") + R"(
        %h = tt.histogram %v : tensor<64xi32> -> tensor<64xi32>
        // CHECK: [[V:%[0-9]+]] = load i32, ptr addrspace(1)
        // CHECK: call void @llvm.amdgcn.s.barrier()
        // CHECK: store <1 x i32> zeroinitializer, ptr addrspace(3)
        // CHECK: call void @llvm.amdgcn.s.barrier()
        // CHECK: [[INSIDE:%[0-9]+]] = icmp ult i32 [[V]], 64
        // CHECK-NEXT: [[COUNTED:%[0-9]+]] = and i1 true, [[INSIDE]]
        // CHECK-NEXT: br i1 [[COUNTED]], label %then
        // CHECK: then:
        // CHECK: [[OFFSET:%[0-9]+]] = shl i32 [[V]], 2
        // CHECK-NEXT: [[COUNTER:%[0-9]+]] = inttoptr i32 [[OFFSET]] to ptr addrspace(3)
        // CHECK-NEXT: atomicrmw add ptr addrspace(3) [[COUNTER]], i32 1 syncscope("workgroup") monotonic, align 4
        // CHECK: call void @llvm.amdgcn.s.barrier()
        // CHECK: load <1 x i32>, ptr addrspace(3)
      )" + StoreTo("o", "h", "64xi32")),
       {"gfx942"}},
      // Every byte is below 256.
      {"OfBytesNeedsNoComparison", "tt.histogram",
       Kernel("%x: !tt.ptr<i8>, %o: !tt.ptr<i32>", IndexRange(256) + LoadFrom("v", "x", "256xi8") + R"(
        %h = tt.histogram %v : tensor<256xi8> -> tensor<256xi32>
        // CHECK-NOT: icmp ult
        // CHECK: atomicrmw add ptr addrspace(3)
        // CHECK-NOT: icmp ult
        // CHECK: ret void
      )" + StoreTo("o", "h", "256xi32"))},
      {"Masked",
       "tt.histogram",
       Kernel("%x: !tt.ptr<i32>, %n: i32, %o: !tt.ptr<i32>", IndexRange(64) + LoadFrom("v", "x", "64xi32") + R"(
        %s = tt.splat %n : i32 -> tensor<64xi32>
        %m = arith.cmpi slt, %i, %s : tensor<64xi32>
        %h = tt.histogram %v, %m : tensor<64xi32> -> tensor<64xi32>
        // CHECK: [[M:%[0-9]+]] = icmp slt i32 {{.*}}, %arg1
        // CHECK: [[INSIDE:%[0-9]+]] = icmp ult i32
        // CHECK-NEXT: [[COUNTED:%[0-9]+]] = and i1 true, [[INSIDE]]
        // CHECK-NEXT: [[BOTH:%[0-9]+]] = and i1 [[COUNTED]], [[M]]
        // CHECK-NEXT: br i1 [[BOTH]]
      )" + StoreTo("o", "h", "64xi32")),
       {"gfx942"}},
  };
}

}  // namespace

std::vector<LoweringCase> CombiningCases() {
  std::vector<LoweringCase> all;
  for (auto cases : {Reductions, Scans, Histograms})
    for (LoweringCase& each : cases()) all.push_back(std::move(each));
  return all;
}

}  // namespace rocxla::triton
