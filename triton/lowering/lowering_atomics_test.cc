// What atomic operations become.
#include <fmt/format.h>

#include "triton/testing/lowering_case.h"

namespace rocxla::triton {
namespace {

// Each kind on a type that has it, as LLVM spells it. LLVM expands those that a target lacks.
void AddKinds(std::vector<LoweringCase>& cases) {
  struct Row {
    const char *kind, *type, *operation, *llvm_type;
    int bytes;
  };
  const Row rows[] = {
      {"and", "i32", "and", "i32", 4},      {"or", "i32", "or", "i32", 4},      {"xor", "i64", "xor", "i64", 8},
      {"add", "i32", "add", "i32", 4},      {"add", "i64", "add", "i64", 8},    {"fadd", "f32", "fadd", "float", 4},
      {"fadd", "f64", "fadd", "double", 8}, {"fadd", "f16", "fadd", "half", 2}, {"fadd", "bf16", "fadd", "bfloat", 2},
      {"max", "i32", "max", "i32", 4},      {"max", "f32", "fmax", "float", 4}, {"min", "i32", "min", "i32", 4},
      {"min", "f32", "fmin", "float", 4},   {"umax", "i32", "umax", "i32", 4},  {"umin", "i64", "umin", "i64", 8},
      {"exch", "i32", "xchg", "i32", 4},    {"exch", "f32", "xchg", "float", 4}};
  for (const Row& row : rows) {
    // Floats: memory is neither fine-grained nor remote, which allows the instructions that there are.
    const bool is_float = row.type[0] != 'i';
    const char* facts = is_float
                            ? ", !amdgpu.no.fine.grained.memory {{![0-9]+}}, !amdgpu.no.remote.memory {{![0-9]+}}, "
                              "!amdgpu.ignore.denormal.mode"
                            : "{{$}}";
    cases.push_back(
        {std::string(row.kind) + row.type,
         "tt.atomic_rmw",
         Kernel(
             fmt::format("%p: !tt.ptr<{0}>, %x: {0}", row.type),
             fmt::format("%r = tt.atomic_rmw {0}, relaxed, gpu, %p, %x : (!tt.ptr<{1}>, {1}) -> {1}\n", row.kind,
                         row.type) +
                 fmt::format("// CHECK: atomicrmw {} ptr addrspace(1) %arg0, {} %arg1 syncscope(\"agent\") monotonic, "
                             "align {}, !dbg {{{{![0-9]+}}}}",
                             row.operation, row.llvm_type, row.bytes) +
                 facts),
         {"gfx942", "gfx1100"}});
  }
}

// Each ordering and scope.
void AddOrderings(std::vector<LoweringCase>& cases) {
  const std::pair<const char*, const char*> semantics[] = {
      {"relaxed", "monotonic"}, {"acquire", "acquire"}, {"release", "release"}, {"acq_rel", "acq_rel"}};
  const std::pair<const char*, const char*> scopes[] = {
      {"gpu", "syncscope(\"agent\") "}, {"cta", "syncscope(\"workgroup\") "}, {"sys", ""}};
  for (auto [sem, ordering] : semantics) {
    for (auto [scope, sync] : scopes) {
      const std::string how = fmt::format("{}, {}", sem, scope), name = fmt::format("{}_{}", sem, scope);
      cases.push_back({name,
                       "tt.atomic_rmw",
                       Kernel("%p: !tt.ptr<i32>, %x: i32", fmt::format(R"(
        %r = tt.atomic_rmw add, {}, %p, %x : (!tt.ptr<i32>, i32) -> i32
        // CHECK: atomicrmw add ptr addrspace(1) %arg0, i32 %arg1 {}{}, align 4
      )",
                                                                       how, sync, ordering)),
                       {"gfx942"}});
      cases.push_back({name,
                       "tt.atomic_cas",
                       Kernel("%p: !tt.ptr<i32>, %x: i32, %y: i32", fmt::format(R"(
        %r = tt.atomic_cas {}, %p, %x, %y : (!tt.ptr<i32>, i32, i32) -> i32
        // CHECK: cmpxchg ptr addrspace(1) %arg0, i32 %arg1, i32 %arg2 {}{} monotonic, align 4
      )",
                                                                                how, sync, ordering)),
                       {"gfx942"}});
    }
  }
}

const LoweringCase kCases[] = {
    // One thread does it; the others get the result through LDS, if anyone asks for it.
    {"ResultReachesEveryThread",
     "tt.atomic_rmw",
     Kernel("%p: !tt.ptr<i32>, %x: i32, %o: !tt.ptr<i32>", R"(
      %r = tt.atomic_rmw add, acq_rel, gpu, %p, %x : (!tt.ptr<i32>, i32) -> i32
      tt.store %o, %r : !tt.ptr<i32>
      // CHECK: br i1 {{.*}}, label %[[THEN:then[0-9]*]], label %[[JOIN:join[0-9]*]]
      // CHECK: [[THEN]]:
      // CHECK-NEXT: [[OLD:%[0-9]+]] = atomicrmw add
      // CHECK: [[JOIN]]:
      // CHECK-NEXT: [[R:%[0-9]+]] = phi i32 [ [[OLD]], %[[THEN]] ], [ 0, %
      // CHECK: call void @llvm.amdgcn.s.barrier()
      // CHECK: store {{.*}}, ptr addrspace(3)
      // CHECK: call void @llvm.amdgcn.s.barrier()
      // CHECK: [[ALL:%[0-9]+]] = load <1 x i32>, ptr addrspace(3)
      // CHECK: [[VALUE:%[0-9]+]] = extractelement <1 x i32> [[ALL]], i64 0
      // CHECK: store i32 [[VALUE]], ptr addrspace(1)
    )"),
     {"gfx942", "gfx1201"},
     4},
    {"NobodyAsks", "tt.atomic_rmw", Kernel("%p: !tt.ptr<i32>, %x: i32", R"(
      %r = tt.atomic_rmw add, acq_rel, gpu, %p, %x : (!tt.ptr<i32>, i32) -> i32
      // CHECK: atomicrmw add
      // CHECK-NOT: addrspace(3)
      // CHECK-NOT: barrier
      // CHECK: ret void
    )")},
    {"Masked", "tt.atomic_rmw", Kernel("%p: !tt.ptr<f32>, %n: i32, %x: f32", IndexRange(64) + R"(
      %s = tt.splat %n : i32 -> tensor<64xi32>
      %m = arith.cmpi slt, %i, %s : tensor<64xi32>
      %q = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %a = tt.addptr %q, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %v = tt.splat %x : f32 -> tensor<64xf32>
      %r = tt.atomic_rmw fadd, relaxed, gpu, %a, %v, %m : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
      // CHECK: [[M:%[0-9]+]] = icmp slt i32 {{.*}}, %arg1
      // CHECK: [[HERE:%[0-9]+]] = and i1 [[M]], true
      // CHECK-NEXT: br i1 [[HERE]], label %then
      // CDNA-COUNT-1: atomicrmw fadd ptr addrspace(1)
      // RDNA-COUNT-2: atomicrmw fadd ptr addrspace(1)
      // CHECK-NOT: atomicrmw
      // CHECK: ret void
    )")},
    {"OfFloatsComparesBits", "tt.atomic_cas", Kernel("%p: !tt.ptr<f32>, %x: f32, %y: f32, %o: !tt.ptr<f32>", R"(
      %r = tt.atomic_cas acq_rel, gpu, %p, %x, %y : (!tt.ptr<f32>, f32, f32) -> f32
      tt.store %o, %r : !tt.ptr<f32>
      // CHECK: [[X:%[0-9]+]] = bitcast float %arg1 to i32
      // CHECK-NEXT: [[Y:%[0-9]+]] = bitcast float %arg2 to i32
      // CHECK-NEXT: [[PAIR:%[0-9]+]] = cmpxchg ptr addrspace(1) %arg0, i32 [[X]], i32 [[Y]] syncscope("agent") acq_rel monotonic, align 4
      // CHECK-NEXT: [[OLD:%[0-9]+]] = extractvalue { i32, i1 } [[PAIR]], 0
      // CHECK-NEXT: bitcast i32 [[OLD]] to float
    )")},
    {"OfDescriptors", "tt.atomic_rmw", Kernel("%d: !tt.tensordesc<64xf32>, %n: i32, %x: f32", R"(
      %v = tt.splat %x : f32 -> tensor<64xf32>
      tt.descriptor_reduce add, %d[%n], %v : !tt.tensordesc<64xf32>, tensor<64xf32>
      // CHECK: icmp ult i64
      // CHECK: atomicrmw fadd ptr addrspace(1) {{.*}}, float %arg5 syncscope("agent") monotonic, align 4
      // CHECK-NOT: tt.atomic_rmw
    )")},
};

}  // namespace

std::vector<LoweringCase> AtomicCases() {
  std::vector<LoweringCase> cases(std::begin(kCases), std::end(kCases));
  AddKinds(cases);
  AddOrderings(cases);
  return cases;
}

}  // namespace rocxla::triton
