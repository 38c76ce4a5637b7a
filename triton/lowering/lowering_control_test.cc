// What program ids, control flow, barriers and calls of the user's own code become.
#include "triton/testing/lowering_case.h"

namespace rocxla::triton {

std::vector<LoweringCase> ControlCases() {
  return {
      {"", "tt.get_program_id", Kernel("%o: !tt.ptr<i32>", R"(
        %x = tt.get_program_id x : i32
        %y = tt.get_program_id y : i32
        %z = tt.get_program_id z : i32
        %xy = arith.addi %x, %y : i32
        %xyz = arith.addi %xy, %z : i32
        tt.store %o, %xyz : !tt.ptr<i32>
        // CHECK: [[X:%[0-9]+]] = call i32 @llvm.amdgcn.workgroup.id.x()
        // CHECK-NEXT: [[Y:%[0-9]+]] = call i32 @llvm.amdgcn.workgroup.id.y()
        // CHECK-NEXT: [[Z:%[0-9]+]] = call i32 @llvm.amdgcn.workgroup.id.z()
        // CHECK-NEXT: add i32 [[X]], [[Y]]
      )")},
      // Block counts are the first implicit arguments.
      {"", "tt.get_num_programs", Kernel("%o: !tt.ptr<i32>", R"(
        %y = tt.get_num_programs y : i32
        tt.store %o, %y : !tt.ptr<i32>
        // CHECK: [[IMPLICIT:%[0-9]+]] = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
        // CHECK-NEXT: [[AT:%[0-9]+]] = getelementptr i8, ptr addrspace(4) [[IMPLICIT]], i32 4
        // CHECK-NEXT: load i32, ptr addrspace(4) [[AT]], align 4
      )")},
      {"",
       "tt.return",
       Kernel("", R"(
        // CHECK: define amdgpu_kernel void @k() #[[ATTRIBUTES:[0-9]+]]
        // CHECK: body:
        // CHECK-NEXT: ret void
        // CHECK: attributes #[[ATTRIBUTES]] = { "amdgpu-flat-work-group-size"="[[THREADS:128|256]],[[THREADS]]" "uniform-work-group-size"="true" }
      )"),
       {"gfx942", "gfx1100"},
       4},
      {"Carries", "scf.for", Kernel("%n: i32, %o: !tt.ptr<i32>", R"(
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %r = scf.for %k = %zero to %n step %one iter_args(%sum = %one) -> (i32) : i32 {
          %t = arith.muli %sum, %k : i32
          scf.yield %t : i32
        }
        tt.store %o, %r : !tt.ptr<i32>
        // CHECK: br label %for
        // CHECK: for:
        // CHECK-NEXT: [[SUM:%[0-9]+]] = phi i32 [ 1, %body ], [ [[T:%[0-9]+]], %[[BODY:body[0-9]+]] ]
        // CHECK-NEXT: [[K:%[0-9]+]] = phi i32 [ 0, %body ], [ [[NEXT:%[0-9]+]], %[[BODY]] ]
        // CHECK-NEXT: [[MORE:%[0-9]+]] = icmp slt i32 [[K]], %arg0
        // CHECK-NEXT: br i1 [[MORE]], label %[[BODY]], label %done
        // CHECK: [[BODY]]:
        // CHECK-NEXT: [[T]] = mul i32 [[SUM]], [[K]]
        // CHECK-NEXT: [[NEXT]] = add i32 [[K]], 1
        // CHECK-NEXT: br label %for
        // CHECK: done:
        // CHECK: store i32 [[SUM]]
      )")},
      {"Unsigned", "scf.for", Kernel("%n: i32, %o: !tt.ptr<i32>", R"(
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        scf.for unsigned %k = %zero to %n step %one : i32 {
          tt.store %o, %k : !tt.ptr<i32>
        }
        // CHECK: icmp ult i32 {{.*}}, %arg0
      )")},
      // Of pointers that move in a loop, the base does; indices stay.
      {"PointersMoveTheirBase",
       "scf.yield",
       Kernel("%n: i32, %x: !tt.ptr<f32>, %o: !tt.ptr<f32>", IndexRange(64) + R"(
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %a = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %c = arith.constant dense<64> : tensor<64xi32>
        %f = arith.constant dense<0.0> : tensor<64xf32>
        %r:2 = scf.for %k = %zero to %n step %one iter_args(%at = %a, %sum = %f) -> (tensor<64x!tt.ptr<f32>>, tensor<64xf32>) : i32 {
          %v = tt.load %at : tensor<64x!tt.ptr<f32>>
          %t = arith.addf %sum, %v : tensor<64xf32>
          %next = tt.addptr %at, %c : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
          scf.yield %next, %t : tensor<64x!tt.ptr<f32>>, tensor<64xf32>
        }
        // CHECK: for:
        // CHECK: [[BASE:%[0-9]+]] = phi ptr addrspace(1) [ %arg1, %body ], [ [[MOVED:%[0-9]+]], %
        // CHECK: load float
        // CHECK: [[MOVED]] = getelementptr float, ptr addrspace(1) [[BASE]], i64 64
      )" + StoreTo("o", "r#1", "64xf32")),
       {"gfx942"}},
      {"BothWays", "scf.if", Kernel("%c: i1, %x: i32, %y: i32, %o: !tt.ptr<i32>", R"(
        %r = scf.if %c -> (i32) {
          %s = arith.addi %x, %y : i32
          scf.yield %s : i32
        } else {
          %d = arith.divsi %x, %y : i32
          scf.yield %d : i32
        }
        tt.store %o, %r : !tt.ptr<i32>
        // CHECK: br i1 {{.*}}, label %if, label %else
        // CHECK: if:
        // CHECK-NEXT: [[S:%[0-9]+]] = add i32 %arg1, %arg2
        // CHECK-NEXT: br label %endif
        // CHECK: else:
        // CHECK-NEXT: [[D:%[0-9]+]] = sdiv i32 %arg1, %arg2
        // CHECK-NEXT: br label %endif
        // CHECK: endif:
        // CHECK-NEXT: [[R:%[0-9]+]] = phi i32 [ [[S]], %if ], [ [[D]], %else ]
        // CHECK: store i32 [[R]]
      )")},
      {"", "scf.while", Kernel("%x: i32, %o: !tt.ptr<i32>", R"(
        %one = arith.constant 1 : i32
        %r:2 = scf.while (%a = %x, %b = %one) : (i32, i32) -> (i32, i32) {
          %more = arith.cmpi sgt, %a, %b : i32
          scf.condition(%more) %b, %a : i32, i32
        } do {
        ^bb0(%p: i32, %q: i32):
          %h = arith.divsi %q, %p : i32
          scf.yield %h, %q : i32, i32
        }
        tt.store %o, %r#0 : !tt.ptr<i32>
        // CHECK: while:
        // CHECK-NEXT: [[A:%[0-9]+]] = phi i32 [ %arg0, %body ], [ [[H:%[0-9]+]], %[[BODY:body[0-9]+]] ]
        // CHECK-NEXT: [[B:%[0-9]+]] = phi i32 [ 1, %body ], [ [[A]], %[[BODY]] ]
        // CHECK-NEXT: [[MORE:%[0-9]+]] = icmp sgt i32 [[A]], [[B]]
        // CHECK-NEXT: br i1 [[MORE]], label %[[BODY]], label %done
        // CHECK: [[BODY]]:
        // CHECK-NEXT: [[H]] = sdiv i32 [[A]], [[B]]
        // CHECK-NEXT: br label %while
        // CHECK: done:
        // CHECK: store i32 [[B]]
      )")},
      {"PassesValuesOn", "scf.condition", Kernel("%x: i32, %o: !tt.ptr<i32>", R"(
        %r = scf.while (%a = %x) : (i32) -> i32 {
          %zero = arith.constant 0 : i32
          %d = arith.divui %a, %x : i32
          %more = arith.cmpi ne, %d, %zero : i32
          scf.condition(%more) %d : i32
        } do {
        ^bb0(%p: i32):
          scf.yield %p : i32
        }
        tt.store %o, %r : !tt.ptr<i32>
        // CHECK: while:
        // CHECK: [[D:%[0-9]+]] = udiv i32
        // CHECK-NEXT: [[MORE:%[0-9]+]] = icmp ne i32 [[D]], 0
        // CHECK-NEXT: br i1 [[MORE]],
        // CHECK: done:
        // CHECK: store i32 [[D]]
      )")},
      // An early return, which StructureControlFlow makes a branch of.
      {"EarlyReturn", "scf.if", Kernel("%c: i1, %x: i32, %o: !tt.ptr<i32>", R"(
        cf.cond_br %c, ^end, ^go
      ^go:
        tt.store %o, %x : !tt.ptr<i32>
        tt.return
      ^end:
        // scf.if
        // CHECK: br i1 {{.*}}, label %if, label %else
        // CHECK: else:
        // CHECK: store i32 %arg1
      )")},
      {"OfSharedMemory", "ttg.barrier", Kernel("", R"(
        ttg.barrier local
        // CHECK: fence syncscope("workgroup") release, {{.*}}!mmra
        // CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
        // CHECK-NEXT: fence syncscope("workgroup") acquire, {{.*}}!mmra
        // CHECK-NOT: barrier
        // CHECK: ret void
      )")},
      {"OfAllMemory", "ttg.barrier", Kernel("", R"(
        ttg.barrier local|global_read|global_write
        // CHECK-NOT: !mmra
        // CHECK: fence syncscope("workgroup") release
        // CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
        // CHECK-NEXT: fence syncscope("workgroup") acquire
        // CHECK-NOT: !mmra
        // CHECK: ret void
      )")},
      {"", "gpu.barrier", Kernel("", R"(
        gpu.barrier
        // CHECK-NOT: !mmra
        // CHECK: fence syncscope("workgroup") release
        // CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
        // CHECK-NEXT: fence syncscope("workgroup") acquire
        // CHECK-NOT: !mmra
        // CHECK: ret void
      )")},
      {"IsNoCode", "llvm.intr.assume", Kernel("%x: i32", R"(
        %zero = arith.constant 0 : i32
        %positive = arith.cmpi sgt, %x, %zero : i32
        llvm.intr.assume %positive : i1
        // CHECK: body:
        // CHECK-NEXT: [[POSITIVE:%[0-9]+]] = icmp
        // CHECK-NEXT: ret void
      )")},
  };
}

// tt.elementwise_inline_asm, tt.map_elementwise, tt.print, tt.assert.
std::vector<LoweringCase> CodeCases() {
  const std::string load = IndexRange(256) + LoadFrom("v", "x", "256xf16");
  return {
      {"OneElement", "tt.elementwise_inline_asm", Kernel("%x: i32, %y: i32, %o: !tt.ptr<i32>", R"(
        %r = tt.elementwise_inline_asm "v_mad_u32_u24 $0, $1, $2, $2" {constraints = "=v,v,v", packed_element = 1 : i32, pure = true} %x, %y : i32, i32 -> i32
        tt.store %o, %r : !tt.ptr<i32>
        // CHECK: [[R:%[0-9]+]] = call i32 asm "v_mad_u32_u24 $0, $1, $2, $2", "=v,v,v"(i32 %arg0, i32 %arg1)
        // CHECK: store i32 [[R]]
      )")},
      {"WithEffects", "tt.elementwise_inline_asm", Kernel("%x: i32, %o: !tt.ptr<i32>", R"(
        %r = tt.elementwise_inline_asm "s_nop 0\nv_mov_b32 $0, $1" {constraints = "=v,v", packed_element = 1 : i32, pure = false} %x : i32 -> i32
        tt.store %o, %r : !tt.ptr<i32>
        // CHECK: call i32 asm sideeffect "s_nop 0\0Av_mov_b32 $0, $1", "=v,v"(i32 %arg0)
      )")},
      // Two halves share a register.
      {"PacksHalves",
       "tt.elementwise_inline_asm",
       Kernel("%x: !tt.ptr<f16>, %o: !tt.ptr<f16>", load + R"(
        %r = tt.elementwise_inline_asm "v_pk_add_f16 $0, $1, $1" {constraints = "=v,v", packed_element = 2 : i32, pure = true} %v : tensor<256xf16> -> tensor<256xf16>
        // CHECK: load <4 x half>
        // CHECK: [[PAIR:%[0-9]+]] = bitcast <2 x half> {{.*}} to i32
        // CHECK-NEXT: [[SUM:%[0-9]+]] = call i32 asm "v_pk_add_f16 $0, $1, $1", "=v,v"(i32 [[PAIR]])
        // CHECK-NEXT: bitcast i32 [[SUM]] to <2 x half>
        // CHECK: call i32 asm
        // CHECK-NOT: call i32 asm
        // CHECK: store <4 x half>
      )" + StoreTo("o", "r", "256xf16")),
       {"gfx942"}},
      {"TwoResults", "tt.elementwise_inline_asm", Kernel("%x: i32, %o: !tt.ptr<i32>", R"(
        %r:2 = tt.elementwise_inline_asm "v_mov_b32 $0, $2\nv_not_b32 $1, $2" {constraints = "=&v,=v,v", packed_element = 1 : i32, pure = true} %x : i32 -> i32, i32
        %s = arith.addi %r#0, %r#1 : i32
        tt.store %o, %s : !tt.ptr<i32>
        // CHECK: [[R:%[0-9]+]] = call { i32, i32 } asm "v_mov_b32 $0, $2\0Av_not_b32 $1, $2", "=&v,=v,v"(i32 %arg0)
        // CHECK-NEXT: [[A:%[0-9]+]] = extractvalue { i32, i32 } [[R]], 0
        // CHECK-NEXT: [[B:%[0-9]+]] = extractvalue { i32, i32 } [[R]], 1
        // CHECK-NEXT: add i32 [[A]], [[B]]
      )")},
      {"TwoAtATime",
       "tt.map_elementwise",
       Kernel("%x: !tt.ptr<f16>, %o: !tt.ptr<f16>", load + R"(
        %r = "tt.map_elementwise"(%v) <{pack = 2 : i32}> ({
        ^bb0(%a: f16, %b: f16):
          %s = arith.subf %a, %b : f16
          %t = arith.addf %a, %b : f16
          tt.map_elementwise.return %s, %t : f16, f16
        }) : (tensor<256xf16>) -> tensor<256xf16>
        // CHECK: [[A:%[0-9]+]] = extractelement <4 x half> [[V:%[0-9]+]], i64 0
        // CHECK-NEXT: [[B:%[0-9]+]] = extractelement <4 x half> [[V]], i64 1
        // CHECK: fsub half [[A]], [[B]]
        // CHECK-NEXT: fadd half [[A]], [[B]]
        // CHECK-NEXT: fsub half
        // CHECK-NEXT: fadd half
        // CHECK-NOT: {{fsub|fadd}}
        // CHECK: store <4 x half>
      )" + StoreTo("o", "r", "256xf16")),
       {"gfx942"}},
      {"YieldsItsOperands",
       "tt.map_elementwise.return",
       Kernel("%x: !tt.ptr<f16>, %o: !tt.ptr<f16>", load + R"(
        %r = "tt.map_elementwise"(%v) <{pack = 1 : i32}> ({
        ^bb0(%a: f16):
          tt.map_elementwise.return %a : f16
        }) : (tensor<256xf16>) -> tensor<256xf16>
        // CHECK: [[A:%[0-9]+]] = extractelement <4 x half> {{.*}}, i64 0
        // CHECK: insertelement <4 x half> poison, half [[A]], i64 0
      )" + StoreTo("o", "r", "256xf16")),
       {"gfx942"}},
      // A line per element, from the thread that owns it; of a scalar, from one thread.
      {"Scalar", "tt.print", Kernel("%x: i32", R"(
        tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %x : i32
        // CHECK: @{{.*}} = {{.*}}addrspace(4) constant [{{[0-9]+}} x i8] c"pid (%u, %u, %u) x: %i\0A\00"
        // CHECK: br i1 {{.*}}, label %then, label %join
        // CHECK: then:
        // CHECK-NEXT: call i32 @llvm.amdgcn.workgroup.id.x()
        // CHECK: call i64 @__ockl_printf_begin(
        // CHECK: call i64 @__ockl_printf_append_string_n(
        // CHECK: call i64 @__ockl_printf_append_args(
      )")},
      {"EachElement", "tt.print", Kernel("", IndexRange(64) + R"(
        tt.print " i: " {hex = true, isSigned = array<i32: 0>} : %i : tensor<64xi32>
        // CHECK: c"pid (%u, %u, %u) idx (%2u) i: 0x%08x\0A\00"
        // CDNA-COUNT-1: call i64 @__ockl_printf_begin(
        // RDNA-COUNT-2: call i64 @__ockl_printf_begin(
        // CHECK-NOT: printf_begin
        // CHECK: ret void
      )")},
      {"SaysWhereAndTraps", "tt.assert", Kernel("%c: i1", R"(
        tt.assert %c, "100% positive" : i1
        // CHECK: c"pid (%u, %u, %u) kernel.ttir:3:9: assertion failed: 100%% positive\0A\00"
        // CHECK: [[C:%[0-9]+]] = trunc i8 %arg0 to i1
        // CHECK-NEXT: [[HOLDS:%[0-9]+]] = and i1 true, [[C]]
        // CHECK-NEXT: xor i1 [[HOLDS]], true
        // CHECK: br i1 {{.*}}, label %then, label %join
        // CHECK: then:
        // CHECK: call i64 @__ockl_printf_begin(
        // CHECK: call void @llvm.trap()
      )")},
  };
}

}  // namespace rocxla::triton
