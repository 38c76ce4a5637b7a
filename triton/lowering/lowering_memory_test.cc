// What pointers, loads and stores become.
#include "triton/testing/lowering_case.h"

namespace rocxla::triton {
namespace {

const std::string kSixteen = " {tt.divisibility = 16 : i32}";

// Pointers to 256 f32 from %x on, as %a, and a mask %m that is not known to be constant anywhere.
const std::string kMasked = R"(
  %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %s = tt.splat %n : i32 -> tensor<256xi32>
  %m = arith.cmpi slt, %i, %s : tensor<256xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
)";
// Offsets of which is not known that they fit.
const std::string kFarOffsets = R"(
  %j = arith.muli %i, %s : tensor<256xi32>
  %a = tt.addptr %p, %j : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
)";
const std::string kNearOffsets = R"(
  %a = tt.addptr %p, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
)";

std::vector<LoweringCase> Loads() {
  return {
      {"Scalar", "tt.load", Kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>", R"(
        %v = tt.load %x : !tt.ptr<f32>
        tt.store %o, %v : !tt.ptr<f32>
        // CHECK: body:
        // CHECK-NEXT: load float, ptr addrspace(1) %arg0, align 4
      )")},
      {"SixteenBytesAtATime", "tt.load",
       Kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>",
              IndexRange(256) + LoadFrom("v", "x", "256xf32") + StoreTo("o", "v", "256xf32") + R"(
        // The place of this thread, computed once: element 4 * lane.
        // CHECK: %lane = and i32 {{.*}}, [[LAST:63|31]]
        // CHECK: [[FOUR:%[0-9]+]] = shl i32 {{.*}}, 2
        // A wave of 64 has one vector per thread, a wave of 32 has two.
        // CDNA-COUNT-1: load <4 x float>, ptr addrspace(1)
        // RDNA-COUNT-2: load <4 x float>, ptr addrspace(1)
        // CHECK-NOT: load
        // CDNA-COUNT-1: store <4 x float>
        // RDNA-COUNT-2: store <4 x float>
        // CHECK-NOT: store
      )")},
      {"MaskOfTheWholeVector", "tt.load",
       Kernel("%x: !tt.ptr<f32>, %n: i32" + kSixteen + ", %o: !tt.ptr<f32>", kMasked + kFarOffsets + R"(
        %v = tt.load %a, %m : tensor<256x!tt.ptr<f32>>
        // CHECK: br i1 {{.*}}, label %[[THEN:then[0-9]*]], label %[[JOIN:join[0-9]*]]
        // CHECK: [[THEN]]:
        // CHECK: [[V:%[0-9]+]] = load float
        // CHECK: [[JOIN]]:
        // CHECK-NEXT: phi float [ [[V]], %[[THEN]] ], [ 0.000000e+00, %
      )" + StoreTo("o", "v", "256xf32"))},
      {"OfMaskedElementsOther", "tt.load",
       Kernel("%x: !tt.ptr<f32>, %n: i32, %other: f32, %o: !tt.ptr<f32>", kMasked + kFarOffsets + R"(
        %w = tt.splat %other : f32 -> tensor<256xf32>
        %v = tt.load %a, %m, %w : tensor<256x!tt.ptr<f32>>
        // CHECK: phi float [ {{.*}}, %then ], [ %arg2, %body ]
      )" + StoreTo("o", "v", "256xf32"))},
      // Offsets that are proven to fit: no branch, what is masked out lies behind the buffer's end.
      {"ThroughABuffer", "tt.load",
       Kernel("%x: !tt.ptr<f32>, %n: i32" + kSixteen + ", %o: !tt.ptr<f32>", kMasked + kNearOffsets + R"(
        %v = tt.load %a, %m : tensor<256x!tt.ptr<f32>>
        // CDNA: [[BUFFER:%[0-9]+]] = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %arg0, i16 0, i64 3221225472, i32 131072)
        // RDNA: [[BUFFER:%[0-9]+]] = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %arg0, i16 0, i64 3221225472, i32 805396480)
        // CHECK: [[OFFSET:%[0-9]+]] = mul nuw nsw i32 {{.*}}, 4
        // CHECK-NEXT: [[PLACE:%[0-9]+]] = select i1 {{.*}}, i32 [[OFFSET]], i32 -1073741824
        // CHECK-NEXT: call <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32(ptr addrspace(8) [[BUFFER]], i32 [[PLACE]], i32 0, i32 0)
        // CHECK-NOT: br i1
        // CHECK: store <4 x float>
      )" + StoreTo("o", "v", "256xf32"))},
      // A mask that may end inside a vector: element by element then, on a path of its own.
      {"ThroughABufferStraddling", "tt.load",
       Kernel("%x: !tt.ptr<f32>, %n: i32, %o: !tt.ptr<f32>", kMasked + kNearOffsets + R"(
        %v = tt.load %a, %m : tensor<256x!tt.ptr<f32>>
        // CHECK: call <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32(
        // CHECK: br i1 {{.*}}, label %[[THEN:then[0-9]*]], label %[[JOIN:join[0-9]*]]
        // CHECK: [[THEN]]:
        // CDNA-COUNT-4: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(
        // RDNA-COUNT-8: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(
        // CHECK-NOT: buffer.load
        // CHECK: [[JOIN]]:
        // CDNA-COUNT-4: phi float
      )" + StoreTo("o", "v", "256xf32"))},
      {"ThroughABufferWithOther", "tt.load",
       Kernel("%x: !tt.ptr<f32>, %n: i32" + kSixteen + ", %other: f32, %o: !tt.ptr<f32>", kMasked + kNearOffsets + R"(
        %w = tt.splat %other : f32 -> tensor<256xf32>
        %v = tt.load %a, %m, %w : tensor<256x!tt.ptr<f32>>
        // CHECK: call <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32(
        // CHECK: select i1 {{.*}}, float {{.*}}, float %arg2
      )" + StoreTo("o", "v", "256xf32"))},
      // What lies behind the argument is small, so offsets from it are right modulo 2^32, also where they are negative.
      {"ThroughABufferFromASmallArgument", "tt.load",
       Kernel("%x: !tt.ptr<f32> {tt.pointer_range = 32 : i32}, %n: i32, %o: !tt.ptr<f32>", IndexRange(256) + R"(
        %three = arith.constant dense<3> : tensor<256xi32>
        %before = arith.subi %i, %three : tensor<256xi32>
        %ns = tt.splat %n : i32 -> tensor<256xi32>
        %m = arith.cmpi slt, %i, %ns : tensor<256xi32>
        %further = tt.addptr %x, %n : !tt.ptr<f32>, i32
        %p = tt.splat %further : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %a = tt.addptr %p, %before : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        %v = tt.load %a, %m : tensor<256x!tt.ptr<f32>>
        // CHECK: [[FROM:%[0-9]+]] = getelementptr {{.*}}ptr addrspace(1) %arg0
        // CHECK: [[BYTES:%[0-9]+]] = ptrtoint ptr addrspace(1) [[FROM]] to i64
        // CHECK: [[DISTANCE:%[0-9]+]] = trunc i64 {{.*}} to i32
        // CHECK: make.buffer.rsrc.p8.p1(ptr addrspace(1) %arg0
        // CHECK: [[OFFSET:%[0-9]+]] = mul i32 {{.*}}, 4
        // CHECK-NEXT: [[SUM:%[0-9]+]] = add i32 [[DISTANCE]], [[OFFSET]]
        // CHECK-NEXT: [[HIDDEN:%[0-9]+]] = call i32 asm "", "=v,0"(i32 [[SUM]])
        // CHECK-NEXT: select i1 {{.*}}, i32 [[HIDDEN]], i32 -1073741824
        // CHECK: store <4 x float>
      )" + StoreTo("o", "v", "256xf32"))},
      {"FlagsAreBytes",
       "tt.load",
       Kernel("%x: !tt.ptr<i1>, %o: !tt.ptr<i1>",
              IndexRange(64) + LoadFrom("v", "x", "64xi1") + StoreTo("o", "v", "64xi1") + R"(
        // CHECK: [[BYTE:%[0-9]+]] = load i8, ptr addrspace(1) {{.*}}, align 1
        // CHECK-NEXT: [[FLAG:%[0-9]+]] = icmp ne i8 [[BYTE]], 0
        // CHECK-NEXT: [[AGAIN:%[0-9]+]] = zext i1 [[FLAG]] to i8
        // CHECK: store i8 [[AGAIN]], ptr addrspace(1) {{.*}}, align 1
      )"),
       {"gfx942"}},
      {"Volatile", "tt.load", Kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>", R"(
        %v = tt.load %x {isVolatile = true} : !tt.ptr<f32>
        tt.store %o, %v : !tt.ptr<f32>
        // CHECK: load volatile float, ptr addrspace(1) %arg0
      )")},
      {"VolatileGoesThroughNoBuffer", "tt.load",
       Kernel("%x: !tt.ptr<f32>, %n: i32, %o: !tt.ptr<f32>", kMasked + kNearOffsets + R"(
        %v = tt.load %a, %m {isVolatile = true} : tensor<256x!tt.ptr<f32>>
        // CHECK-NOT: buffer.load
        // CHECK: load volatile <4 x float>
        // CHECK-NOT: buffer.load
        // CHECK: store
      )" + StoreTo("o", "v", "256xf32"))},
      {"OfPointers", "tt.load", Kernel("%x: !tt.ptr<!tt.ptr<f32>>, %o: !tt.ptr<f32>", R"(
        %v = tt.load %x : !tt.ptr<!tt.ptr<f32>>
        %w = tt.load %v : !tt.ptr<f32>
        tt.store %o, %w : !tt.ptr<f32>
        // CHECK: [[P:%[0-9]+]] = load ptr addrspace(1), ptr addrspace(1) %arg0, align 8
        // CHECK-NEXT: load float, ptr addrspace(1) [[P]], align 4
      )")},
  };
}

std::vector<LoweringCase> Stores() {
  return {
      // One thread of the program.
      {"ScalarOnce",
       "tt.store",
       Kernel("%x: f32, %o: !tt.ptr<f32>", R"(
        tt.store %o, %x : !tt.ptr<f32>
        // CHECK: and i32 %lane, -1
        // CHECK-NEXT: [[LANE:%[0-9]+]] = icmp eq i32 {{.*}}, 0
        // CHECK: and i32 %warp, -1
        // CHECK-NEXT: [[WARP:%[0-9]+]] = icmp eq i32 {{.*}}, 0
        // CHECK-NEXT: [[OWNER:%[0-9]+]] = and i1 [[WARP]], 
        // CHECK-NEXT: br i1 [[OWNER]], label %then, label %join
        // CHECK: then:
        // CHECK-NEXT: store float %arg0, ptr addrspace(1) %arg1, align 4
        // CHECK-NEXT: br label %join
      )"),
       {"gfx942", "gfx1201"},
       4},
      // 16 elements, 64 lanes: lanes 0 to 15 store.
      {"EachElementOnce", "tt.store", Kernel("%o: !tt.ptr<i32>", IndexRange(16) + StoreTo("o", "i", "16xi32") + R"(
        // CDNA: [[HIGH:%[0-9]+]] = and i32 %lane, 48
        // RDNA: [[HIGH:%[0-9]+]] = and i32 %lane, 16
        // CHECK-NEXT: [[FIRST:%[0-9]+]] = icmp eq i32 [[HIGH]], 0
        // CHECK-NEXT: [[OWNER:%[0-9]+]] = and i1 [[FIRST]], true
        // CHECK-NEXT: br i1 [[OWNER]], label %then
      )")},
      {"Masked", "tt.store", Kernel("%x: !tt.ptr<f32>, %n: i32" + kSixteen + ", %v: f32", kMasked + kFarOffsets + R"(
        %w = tt.splat %v : f32 -> tensor<256xf32>
        tt.store %a, %w, %m : tensor<256x!tt.ptr<f32>>
        // CHECK: [[M:%[0-9]+]] = icmp slt i32 {{.*}}, %arg1
        // CHECK: [[HERE:%[0-9]+]] = and i1 [[M]], true
        // CHECK-NEXT: br i1 [[HERE]], label %[[THEN:then[0-9]*]], label %[[JOIN:join[0-9]*]]
        // CHECK: [[THEN]]:
        // CHECK: store float %arg2
        // CHECK: br label %[[JOIN]]
      )")},
      {"ThroughABuffer", "tt.store",
       Kernel("%x: !tt.ptr<f32>, %n: i32" + kSixteen + ", %v: f32", kMasked + kNearOffsets + R"(
        %w = tt.splat %v : f32 -> tensor<256xf32>
        tt.store %a, %w, %m : tensor<256x!tt.ptr<f32>>
        // CHECK-NOT: br i1
        // CHECK: [[PLACE:%[0-9]+]] = select i1 {{.*}}, i32 {{.*}}, i32 -1073741824
        // CHECK-NEXT: call void @llvm.amdgcn.raw.ptr.buffer.store.v4i32(<4 x i32> {{.*}}, ptr addrspace(8) {{.*}}, i32 [[PLACE]], i32 0, i32 0)
        // CHECK-NOT: br i1
        // CHECK: ret void
      )")},
      // Two bytes each: eight of them are sixteen bytes.
      {"ThroughABufferOfHalves", "tt.store", Kernel("%x: !tt.ptr<f16>, %n: i32" + kSixteen + ", %v: f16", R"(
        %i = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
        %s = tt.splat %n : i32 -> tensor<512xi32>
        %m = arith.cmpi slt, %i, %s : tensor<512xi32>
        %p = tt.splat %x : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>>
        %a = tt.addptr %p, %i : tensor<512x!tt.ptr<f16>>, tensor<512xi32>
        %w = tt.splat %v : f16 -> tensor<512xf16>
        tt.store %a, %w, %m : tensor<512x!tt.ptr<f16>>
        // CHECK: bitcast <8 x half> {{.*}} to <4 x i32>
        // CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.v4i32(
      )")},
      {"OfPointers", "tt.store", Kernel("%o: !tt.ptr<!tt.ptr<f32>>, %x: !tt.ptr<f32>", R"(
        tt.store %o, %x : !tt.ptr<!tt.ptr<f32>>
        // CHECK: store ptr addrspace(1) %arg1, ptr addrspace(1) %arg0, align 8
      )")},
  };
}

// What is used once need not stay in caches; what must be fetched again or written through is volatile.
std::vector<LoweringCase> CacheModifiers() {
  struct Row {
    const char *name, *modifier, *load, *store;  // what LLVM's load and store have of it
  };
  const Row rows[] = {{"Ca", "cacheModifier = ca", "", ""},
                      {"Cg", "cacheModifier = cg", "once", ""},
                      {"Cs", "cacheModifier = cs", "once", "once"},
                      {"Cv", "cacheModifier = cv", "volatile", ""},
                      {"Wb", "cacheModifier = wb", "", ""},
                      {"Wt", "cacheModifier = wt", "", "volatile"},
                      {"EvictFirst", "evictionPolicy = evict_first", "once", "once"},
                      {"EvictLast", "evictionPolicy = evict_last", "", ""}};
  auto expected = [](const char* op, std::string_view how) {
    const std::string end = how == "once" ? ", !nontemporal {{![0-9]+}}" : "{{$}}";
    return std::string(op) + (how == "volatile" ? " volatile float" : " float") +
           "{{,?}} {{.*}}, align 4, !dbg {{![0-9]+}}" + end + "\n";
  };
  std::vector<LoweringCase> cases;
  for (const Row& row : rows) {
    const std::string modifier = row.modifier;
    cases.push_back({row.name,
                     "tt.load",
                     Kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>", R"(
      %v = tt.load %x )" + modifier + R"( : !tt.ptr<f32>
      tt.store %o, %v : !tt.ptr<f32>
      // CHECK: )" + expected("load", row.load)),
                     {"gfx942"}});
    cases.push_back({row.name,
                     "tt.store",
                     Kernel("%x: f32, %o: !tt.ptr<f32>", R"(
      tt.store %o, %x )" + modifier + R"( : !tt.ptr<f32>
      // CHECK: )" + expected("store", row.store)),
                     {"gfx942"}});
  }
  const std::string policies = R"(
        // GFX90A-SAME: , i32 0, i32 3)
        // GFX942-SAME: , i32 0, i32 2)
        // GFX950-SAME: , i32 0, i32 2)
        // GFX1100-SAME: , i32 0, i32 6)
        // GFX1201-SAME: , i32 0, i32 1)
  )";
  cases.push_back({"OnceThroughABuffer", "tt.load",
                   Kernel("%x: !tt.ptr<f32>, %n: i32" + kSixteen + ", %o: !tt.ptr<f32>", kMasked + kNearOffsets + R"(
        %v = tt.load %a, %m cacheModifier = cs : tensor<256x!tt.ptr<f32>>
        // CHECK: call <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32()" + policies + StoreTo("o", "v", "256xf32"))});
  cases.push_back({"OnceThroughABuffer", "tt.store",
                   Kernel("%x: !tt.ptr<f32>, %n: i32" + kSixteen + ", %v: f32", kMasked + kNearOffsets + R"(
        %w = tt.splat %v : f32 -> tensor<256xf32>
        tt.store %a, %w, %m evictionPolicy = evict_first : tensor<256x!tt.ptr<f32>>
        // CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.v4i32()" + policies)});
  cases.push_back({"CvGoesThroughNoBuffer", "tt.load",
                   Kernel("%x: !tt.ptr<f32>, %n: i32, %o: !tt.ptr<f32>", kMasked + kNearOffsets + R"(
        %v = tt.load %a, %m cacheModifier = cv : tensor<256x!tt.ptr<f32>>
        // CHECK-NOT: buffer.load
        // CHECK: load volatile <4 x float>
        // CHECK-NOT: buffer.load
        // CHECK: store
      )" + StoreTo("o", "v", "256xf32"))});
  // Two loads, although nothing was stored between them.
  cases.push_back({"CvIsFetchedAgain", "tt.load", Kernel("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", R"(
        %v = tt.load %x cacheModifier = cv : !tt.ptr<i32>
        %w = tt.load %x cacheModifier = cv : !tt.ptr<i32>
        %s = arith.subi %v, %w : i32
        tt.store %o, %s : !tt.ptr<i32>
        // CHECK: [[V:%[0-9]+]] = load volatile i32
        // CHECK: [[W:%[0-9]+]] = load volatile i32
        // CHECK: sub i32 [[V]], [[W]]
      )")});
  return cases;
}

std::vector<LoweringCase> Pointers() {
  return {
      {"Scalar", "tt.addptr", Kernel("%x: !tt.ptr<f32>, %n: i32", R"(
        %a = tt.addptr %x, %n : !tt.ptr<f32>, i32
        %v = tt.load %a : !tt.ptr<f32>
        tt.store %x, %v : !tt.ptr<f32>
        // CHECK: [[N:%[0-9]+]] = sext i32 %arg1 to i64
        // CHECK-NEXT: [[A:%[0-9]+]] = getelementptr float, ptr addrspace(1) %arg0, i64 [[N]]
        // CHECK-NEXT: load float, ptr addrspace(1) [[A]]
      )")},
      // What is equal everywhere moves the base, which is a scalar; the rest is an index.
      {"UniformOffsetsMoveTheBase", "tt.addptr",
       Kernel("%x: !tt.ptr<f32>, %n: i32, %o: !tt.ptr<f32>", IndexRange(64) + R"(
        %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %s = tt.splat %n : i32 -> tensor<64xi32>
        %j = arith.addi %s, %i : tensor<64xi32>
        %a = tt.addptr %p, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %v = tt.load %a : tensor<64x!tt.ptr<f32>>
        // CHECK: [[N:%[0-9]+]] = sext i32 %arg1 to i64
        // CHECK-NEXT: [[BASE:%[0-9]+]] = getelementptr float, ptr addrspace(1) %arg0, i64 [[N]]
        // CHECK: [[AT:%[0-9]+]] = getelementptr {{.*}}, ptr addrspace(1) [[BASE]], i64
        // CHECK-NEXT: load {{.*}}, ptr addrspace(1) [[AT]]
      )" + StoreTo("o", "v", "64xf32"))},
      {"LongOffsets", "tt.addptr", Kernel("%x: !tt.ptr<f32>, %n: i64, %o: !tt.ptr<f32>", IndexRange(64) + R"(
        %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %s = tt.splat %n : i64 -> tensor<64xi64>
        %w = arith.extsi %i : tensor<64xi32> to tensor<64xi64>
        %j = arith.muli %w, %s : tensor<64xi64>
        %a = tt.addptr %p, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
        %v = tt.load %a : tensor<64x!tt.ptr<f32>>
        // CHECK: [[J:%[0-9]+]] = mul i64 {{.*}}, %arg1
        // CHECK-NOT: trunc i64
        // CHECK: getelementptr float, ptr addrspace(1) %arg0, i64 [[J]]
      )" + StoreTo("o", "v", "64xf32"))},
      // With pointer_range = 32, indices are.
      {"ShortOffsets", "tt.addptr",
       Kernel("%x: !tt.ptr<f32> {tt.pointer_range = 32 : i32}, %n: i64, %o: !tt.ptr<f32>", IndexRange(64) + R"(
        %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %s = tt.splat %n : i64 -> tensor<64xi64>
        %w = arith.extsi %i : tensor<64xi32> to tensor<64xi64>
        %j = arith.muli %w, %s : tensor<64xi64>
        %a = tt.addptr %p, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
        %v = tt.load %a : tensor<64x!tt.ptr<f32>>
        // CHECK: [[J:%[0-9]+]] = mul i64 {{.*}}, %arg1
        // CHECK: trunc i64 [[J]] to i32
      )" + StoreTo("o", "v", "64xf32"))},
      // A base stays one: no pointer is computed before the access.
      {"OfPointers", "tt.bitcast", Kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<i32>", IndexRange(64) + R"(
        %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %a = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %b = tt.bitcast %a : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
        %v = tt.load %b : tensor<64x!tt.ptr<i32>>
        // CHECK: body:
        // CHECK-NOT: ptr
        // CHECK: [[AT:%[0-9]+]] = getelementptr i8, ptr addrspace(1) %arg0, i64
        // CHECK-NEXT: load {{i32|<2 x i32>}}, ptr addrspace(1) [[AT]]
      )" + StoreTo("o", "v", "64xi32"))},
  };
}

// Blocks of tensors: BlocksToPointers has made pointers and masks of them.
std::vector<LoweringCase> Blocks() {
  return {
      {"OfADescriptor", "tt.load", Kernel("%d: !tt.tensordesc<64xf32>, %n: i32, %o: !tt.ptr<f32>", IndexRange(64) + R"(
        %v = tt.descriptor_load %d[%n] : !tt.tensordesc<64xf32> -> tensor<64xf32>
        // This becomes a tt.load. The argument: base, extent, stride, and whether padding is NaN.
        // CHECK: define amdgpu_kernel void @k(ptr addrspace(1) {{.*}}%arg0, i64 %arg1, i64 %arg2, i8 %arg3, i32 %arg4, ptr addrspace(1) {{.*}}%arg5)
        // CHECK: icmp ult i64 {{.*}}, %arg1
        // CHECK: raw.ptr.buffer.load
      )" + StoreTo("o", "v", "64xf32"))},
  };
}

}  // namespace

std::vector<LoweringCase> MemoryCases() {
  std::vector<LoweringCase> all;
  for (auto cases : {Loads, Stores, CacheModifiers, Pointers, Blocks})
    for (LoweringCase& each : cases()) all.push_back(std::move(each));
  return all;
}

}  // namespace rocxla::triton
