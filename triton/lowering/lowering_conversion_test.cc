// What conversions between floats become.
#include "triton/testing/lowering_case.h"

namespace rocxla::triton {

std::vector<LoweringCase> ConversionCases() {
  return {
      {"Wider", "arith.extf", Kernel("%x: f16, %o: !tt.ptr<f32>", R"(
        %r = arith.extf %x : f16 to f32
        tt.store %o, %r : !tt.ptr<f32>
        // CHECK: [[R:%[0-9]+]] = fpext half %arg0 to float
        // CHECK: store float [[R]]
      )")},
      {"Narrower", "arith.truncf", Kernel("%x: f32, %o: !tt.ptr<bf16>", R"(
        %r = arith.truncf %x : f32 to bf16
        tt.store %o, %r : !tt.ptr<bf16>
        // CHECK: [[R:%[0-9]+]] = fptrunc float %arg0 to bfloat
        // CHECK: store bfloat [[R]]
      )")},
      {"BetweenHalves", "tt.fp_to_fp", Kernel("%x: bf16, %o: !tt.ptr<f16>", R"(
        %r = tt.fp_to_fp %x, rounding = rtne : bf16 -> f16
        tt.store %o, %r : !tt.ptr<f16>
        // CHECK: [[WIDE:%[0-9]+]] = fpext bfloat %arg0 to float
        // CHECK-NEXT: fptrunc float [[WIDE]] to half
      )")},
      // One step back where rounding to the nearest went too far.
      {"TowardsZero", "tt.fp_to_fp", Kernel("%x: f32, %o: !tt.ptr<f16>", R"(
        %r = tt.fp_to_fp %x, rounding = rtz : f32 -> f16
        tt.store %o, %r : !tt.ptr<f16>
        // CHECK: [[NEAREST:%[0-9]+]] = fptrunc float %arg0 to half
        // CHECK-NEXT: [[BACK:%[0-9]+]] = fpext half [[NEAREST]] to float
        // CHECK: [[FAR:%[0-9]+]] = icmp ugt i32
        // CHECK: [[NUMBER:%[0-9]+]] = fcmp ord float %arg0, %arg0
        // CHECK-NEXT: and i1 [[FAR]], [[NUMBER]]
        // CHECK: [[CODE:%[0-9]+]] = bitcast half [[NEAREST]] to i16
        // CHECK: sub i16 [[CODE]],
      )")},
      // 8-bit floats are computed by integer operations on every target: none has all four formats with these rules.
      {"ToEightBits", "tt.fp_to_fp", Kernel("%x: f32, %o: !tt.ptr<f8E4M3FN>", R"(
        %r = tt.fp_to_fp %x, rounding = rtne : f32 -> f8E4M3FN
        tt.store %o, %r : !tt.ptr<f8E4M3FN>
        // The largest number is 448, and what is larger becomes it; the smallest normal one is 2^-6.
        // CHECK-NOT: llvm.amdgcn.cvt
        // CHECK: [[BITS:%[0-9]+]] = bitcast float %arg0 to i32
        // CHECK-NEXT: [[MAGNITUDE:%[0-9]+]] = and i32 [[BITS]], 2147483647
        // CHECK-NEXT: [[NAN:%[0-9]+]] = icmp ugt i32 [[MAGNITUDE]], 2139095040
        // CHECK-NEXT: [[LARGE:%[0-9]+]] = icmp ugt i32 [[MAGNITUDE]], 1138753536
        // CHECK-NEXT: [[CLAMPED:%[0-9]+]] = select i1 [[LARGE]], i32 1138753536, i32 [[MAGNITUDE]]
        // CHECK-NEXT: icmp ult i32 [[CLAMPED]], 1015021568
        // CHECK: select i1 [[NAN]],
        // CHECK-NEXT: trunc i32 {{.*}} to i8
        // CHECK-NOT: llvm.amdgcn.cvt
        // CHECK: store i8
      )")},
      {"ToEightBitsTowardsZero", "tt.fp_to_fp", Kernel("%x: f32, %o: !tt.ptr<f8E5M2>", R"(
        %r = tt.fp_to_fp %x, rounding = rtz : f32 -> f8E5M2
        tt.store %o, %r : !tt.ptr<f8E5M2>
        // Subnormal numbers are cut by a conversion to an integer; nothing rounds by an addition.
        // CHECK-NOT: fadd
        // CHECK: fptoui float
        // CHECK-NOT: fadd
        // CHECK: store i8
      )")},
      {"FromEightBits",
       "tt.fp_to_fp",
       Kernel("%x: !tt.ptr<f8E5M2>, %o: !tt.ptr<f16>", IndexRange(256) + LoadFrom("v", "x", "256xf8E5M2") + R"(
        %r = tt.fp_to_fp %v : tensor<256xf8E5M2> -> tensor<256xf16>
        // Four codes in a word; those with even numbers, then those with odd ones, are the high bytes of two halves.
        // CHECK: load <4 x i8>
        // CHECK: [[WORD:%[0-9]+]] = bitcast <4 x i8> {{.*}} to i32
        // CHECK-NEXT: [[EVEN:%[0-9]+]] = and i32 [[WORD]], 16711935
        // CHECK: bitcast i32 {{.*}} to <2 x half>
        // CHECK-NEXT: [[DOWN:%[0-9]+]] = lshr i32 [[WORD]], 8
        // CHECK-NEXT: [[ODD:%[0-9]+]] = and i32 [[DOWN]], 16711935
        // CHECK-NOT: fmul
        // CHECK: bitcast i32 {{.*}} to <2 x half>
        // CHECK-COUNT-4: extractelement <2 x half>
        // CHECK: store <4 x half>
      )" + StoreTo("o", "r", "256xf16")),
       {"gfx90a", "gfx942", "gfx950"}},
      {"FromEightBitsOfAnotherBias", "arith.extf",
       Kernel("%x: !tt.ptr<f8E4M3FN>, %o: !tt.ptr<f32>", IndexRange(256) + LoadFrom("v", "x", "256xf8E4M3FN") + R"(
        %r = arith.extf %v : tensor<256xf8E4M3FN> to tensor<256xf32>
        // 2^(15 - 7) makes up for the exponent's bias.
        // CHECK: fmul <2 x half> {{.*}}, splat (half 0xH5C00)
        // CHECK: fpext half {{.*}} to float
        // CHECK: store <4 x float>
      )" + StoreTo("o", "r", "256xf32"))},
      {"SameTypeIsFree", "tt.fp_to_fp", Kernel("%x: f32, %o: !tt.ptr<f32>", R"(
        %r = tt.fp_to_fp %x : f32 -> f32
        tt.store %o, %r : !tt.ptr<f32>
        // CHECK: store float %arg0
      )")},
  };
}

}  // namespace rocxla::triton
