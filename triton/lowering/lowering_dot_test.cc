// What products become. Factors are splats, which every layout can have without an exchange.
#include <fmt/format.h>

#include "triton/testing/lowering_case.h"

namespace rocxla::triton {
namespace {

// tt.dot of an M x K matrix by a K x N one.
struct Dot {
  const char* a;  // element types
  const char* b;
  const char* result;
  int m, n, k;
  const char* precision = "";

  std::string Ttir(const std::string& checks) const {
    const std::string as = fmt::format("tensor<{}x{}x{}>", m, k, a), bs = fmt::format("tensor<{}x{}x{}>", k, n, b),
                      cs = fmt::format("tensor<{}x{}x{}>", m, n, result);
    return Kernel(fmt::format("%x: !tt.ptr<{}>, %y: !tt.ptr<{}>, %o: !tt.ptr<{}>", a, b, result),
                  fmt::format(R"(
      %u = tt.load %x : !tt.ptr<{0}>
      %v = tt.load %y : !tt.ptr<{1}>
      %w = tt.load %o : !tt.ptr<{2}>
      %a = tt.splat %u : {0} -> {3}
      %b = tt.splat %v : {1} -> {4}
      %c = tt.splat %w : {2} -> {5}
      %d = tt.dot %a, %b, %c{6} : {3} * {4} -> {5}
      %p = tt.splat %o : !tt.ptr<{2}> -> tensor<{7}x{8}x!tt.ptr<{2}>>
      tt.store %p, %d : tensor<{7}x{8}x!tt.ptr<{2}>>
)",
                              a, b, result, as, bs, cs, precision, m, n) +
                      checks);
  }
};

// The call of an instruction of CDNA, in `count` steps along K: each adds to what the one before it gave.
std::string Mfma(const std::string& name, const std::string& operand, const std::string& sum, int count) {
  std::string checks, before = "{{%[0-9]+}}";
  for (int i = 0; i < count; ++i) {
    checks += fmt::format(
        "// CHECK: [[S{0}:%[0-9]+]] = call {3} @llvm.amdgcn.mfma.{1}({2} {{{{.*}}}}, {2} {{{{.*}}}}, {3} {4}, i32 0, "
        "i32 0, i32 "
        "0)\n",
        i, name, operand, sum, before);
    before = fmt::format("[[S{}]]", i);
  }
  return checks + "// CHECK-NOT: amdgcn.mfma.\n// CHECK-NOT: llvm.fma\n// CHECK: ret void\n";
}

std::string Wmma(const std::string& name, const std::string& operand, const std::string& sum) {
  return fmt::format("// CHECK: call {2} @llvm.amdgcn.wmma.{0}({1} {{{{.*}}}}, {1} {{{{.*}}}}, {2} {{{{.*}}}})\n", name,
                     operand, sum);
}

void AddCdna(std::vector<LoweringCase>& cases) {
  auto add = [&](const char* name, const Dot& dot, const std::string& checks, std::vector<std::string> targets) {
    cases.push_back({name, "tt.dot", dot.Ttir(checks), std::move(targets)});
  };
  constexpr char k16Floats[] = "<16 x float>", k4Floats[] = "<4 x float>";
  add("Halves", {"f16", "f16", "f32", 32, 32, 16}, Mfma("f32.32x32x8f16", "<4 x half>", k16Floats, 2),
      {"gfx90a", "gfx942"});
  add("HalvesGfx950", {"f16", "f16", "f32", 32, 32, 32}, Mfma("f32.32x32x16.f16", "<8 x half>", k16Floats, 2),
      {"gfx950"});
  add("SmallTiles", {"f16", "f16", "f32", 16, 16, 16}, Mfma("f32.16x16x16f16", "<4 x half>", k4Floats, 1),
      {"gfx90a", "gfx942", "gfx950"});
  add("BrainFloats", {"bf16", "bf16", "f32", 32, 32, 8}, Mfma("f32.32x32x8bf16.1k", "<4 x i16>", k16Floats, 1),
      {"gfx90a", "gfx942", "gfx950"});
  add("Singles", {"f32", "f32", "f32", 16, 16, 8}, Mfma("f32.16x16x4f32", "float", k4Floats, 2),
      {"gfx90a", "gfx942", "gfx950"});
  add("ReducedPrecision", {"f32", "f32", "f32", 16, 16, 8, ", inputPrecision = tf32"},
      Mfma("f32.16x16x8.xf32", "<2 x float>", k4Floats, 1), {"gfx942"});
  add("ReducedPrecisionElsewhere", {"f32", "f32", "f32", 16, 16, 8, ", inputPrecision = tf32"},
      Mfma("f32.16x16x4f32", "float", k4Floats, 2), {"gfx90a", "gfx950"});
  add("Doubles", {"f64", "f64", "f64", 16, 16, 8}, Mfma("f64.16x16x4f64", "double", "<4 x double>", 2),
      {"gfx90a", "gfx942", "gfx950"});
  add("Bytes", {"i8", "i8", "i32", 16, 16, 32}, Mfma("i32.16x16x16i8", "i32", "<4 x i32>", 2), {"gfx90a"});
  add("BytesGfx942", {"i8", "i8", "i32", 16, 16, 32}, Mfma("i32.16x16x32.i8", "i64", "<4 x i32>", 1),
      {"gfx942", "gfx950"});
  add("BytesGfx950", {"i8", "i8", "i32", 16, 16, 64}, Mfma("i32.16x16x64.i8", "<4 x i32>", "<4 x i32>", 1), {"gfx950"});
  add("EightBitFloats", {"f8E4M3FNUZ", "f8E4M3FNUZ", "f32", 16, 16, 32},
      Mfma("f32.16x16x32.fp8.fp8", "i64", k4Floats, 1), {"gfx942"});
  // Results are computed transposed: the right factor comes first.
  add("EightBitFloatsMixed", {"f8E4M3FNUZ", "f8E5M2FNUZ", "f32", 16, 16, 32},
      Mfma("f32.16x16x32.bf8.fp8", "i64", k4Floats, 1), {"gfx942"});
  // What a target does not multiply is expanded to halves.
  add("EightBitFloatsAsHalves", {"f8E5M2", "f8E5M2", "f32", 16, 16, 16},
      "// CHECK: bitcast i32 {{.*}} to <2 x half>\n" + Mfma("f32.16x16x16f16", "<4 x half>", k4Floats, 1), {"gfx942"});
  add("EightBitFloatsAsBrainFloats", {"f8E5M2", "f8E5M2", "f32", 16, 16, 16},
      "// CHECK: bitcast i16 {{.*}} to bfloat\n" + Mfma("f32.16x16x16bf16.1k", "<4 x i16>", k4Floats, 1), {"gfx90a"});
  // Without scales: two zeros select the instruction that has none.
  add("EightBitFloatsGfx950", {"f8E4M3FN", "f8E4M3FN", "f32", 32, 32, 64},
      "// CHECK: call <16 x float> @llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4.v8i32.v8i32(<8 x i32> {{.*}}, <8 x i32> "
      "{{.*}}, "
      "<16 x float> {{.*}}, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0)\n",
      {"gfx950"});
  // Sums of halves are kept in single precision and rounded once.
  add("HalvesAsResult", {"f16", "f16", "f16", 16, 16, 16},
      "// CHECK: fpext half {{.*}} to float\n// CHECK: call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(\n"
      "// CHECK: fptrunc float {{.*}} to half\n",
      {"gfx942"});
  // Half of an instruction's K: the lanes of the other half multiply zeros.
  add("ShortK", {"f16", "f16", "f32", 16, 16, 8},
      "// CHECK: [[HIGH:%[0-9]+]] = and i32 %lane, 32\n// CHECK-NEXT: [[INSIDE:%[0-9]+]] = icmp eq i32 [[HIGH]], 0\n"
      "// CHECK: select i1 [[INSIDE]], half {{.*}}, half 0xH0000\n" +
          Mfma("f32.16x16x16f16", "<4 x half>", k4Floats, 1),
      {"gfx942"});
}

void AddRdna(std::vector<LoweringCase>& cases) {
  auto add = [&](const char* name, const Dot& dot, const std::string& checks, const char* target) {
    cases.push_back({name, "tt.dot", dot.Ttir(checks), {target}});
  };
  // gfx11 reads the operands of both halves of a wave, and LLVM must not sink it behind a branch.
  add("HalvesGfx1100", {"f16", "f16", "f32", 16, 16, 16},
      "// CHECK: [[S:%[0-9]+]] = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> {{.*}}, "
      "<16 x "
      "half> {{.*}}, <8 x float> {{.*}})\n"
      "// CHECK-NEXT: call <8 x float> asm \"\", \"=v,0\"(<8 x float> [[S]]) #[[CONVERGENT:[0-9]+]]\n"
      "// CHECK: attributes #[[CONVERGENT]] = { convergent }\n",
      "gfx1100");
  add("HalvesGfx1201", {"f16", "f16", "f32", 16, 16, 16},
      Wmma("f32.16x16x16.f16.v8f32.v8f16", "<8 x half>", "<8 x float>") + "// CHECK-NOT: asm\n// CHECK: ret void\n",
      "gfx1201");
  add("BrainFloatsGfx1100", {"bf16", "bf16", "f32", 16, 16, 16},
      Wmma("f32.16x16x16.bf16.v8f32.v16i16", "<16 x i16>", "<8 x float>"), "gfx1100");
  add("BrainFloatsGfx1201", {"bf16", "bf16", "f32", 16, 16, 16},
      Wmma("f32.16x16x16.bf16.v8f32.v8i16", "<8 x i16>", "<8 x float>"), "gfx1201");
  add("BytesGfx1100", {"i8", "i8", "i32", 16, 16, 16},
      "// CHECK: call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32(i1 true, <4 x i32> {{.*}}, i1 true, <4 "
      "x i32> "
      "{{.*}}, <8 x i32> {{.*}}, i1 false)\n",
      "gfx1100");
  add("BytesGfx1201", {"i8", "i8", "i32", 16, 16, 16},
      "// CHECK: call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v2i32(i1 true, <2 x i32> {{.*}}, i1 true, <2 "
      "x i32> "
      "{{.*}}, <8 x i32> {{.*}}, i1 false)\n",
      "gfx1201");
  add("EightBitFloatsGfx1201", {"f8E5M2", "f8E5M2", "f32", 16, 16, 16},
      Wmma("f32.16x16x16.bf8.bf8.v8f32.v2i32", "<2 x i32>", "<8 x float>"), "gfx1201");
  add("EightBitFloatsGfx1100", {"f8E5M2", "f8E5M2", "f32", 16, 16, 16},
      "// CHECK: bitcast i32 {{.*}} to <2 x half>\n" +
          Wmma("f32.16x16x16.f16.v8f32.v16f16", "<16 x half>", "<8 x float>"),
      "gfx1100");
}

// What no instruction multiplies: both factors go to LDS, a loop over K reads this thread's rows and columns.
void AddMultiplyAdds(std::vector<LoweringCase>& cases) {
  const Dot singles{"f32", "f32", "f32", 16, 16, 16}, shorts{"i16", "i16", "i32", 16, 16, 16};
  cases.push_back({"MultiplyAdds",
                   "tt.dot",
                   singles.Ttir(R"(
      // CHECK-NOT: amdgcn.wmma
      // CHECK: call void @llvm.amdgcn.s.barrier()
      // CHECK: store <{{[0-9]+}} x float> {{.*}}, ptr addrspace(3)
      // CHECK: call void @llvm.amdgcn.s.barrier()
      // CHECK: br label %k
      // CHECK: k:
      // CHECK-NEXT: [[K:%[0-9]+]] = phi i32 [ 0, %body ], [ [[NEXT:%[0-9]+]], %k ]
      // CHECK: phi float
      // CHECK: load <{{[0-9]+}} x float>, ptr addrspace(3)
      // CHECK: call float @llvm.fma.f32(
      // CHECK: [[NEXT]] = add i32 [[K]], 4
      // CHECK-NOT: barrier
      // CHECK: [[MORE:%[0-9]+]] = icmp ult i32 [[NEXT]], 16
      // CHECK-NEXT: br i1 [[MORE]], label %k, label %k.done, {{.*}}!llvm.loop [[LOOP:![0-9]+]]
      // CHECK: [[LOOP]] = distinct !{[[LOOP]], [[ROLLED:![0-9]+]]}
      // CHECK: [[ROLLED]] = !{!"llvm.loop.unroll.disable"}
)"),
                   {"gfx1100", "gfx1201"}});
  cases.push_back({"MultiplyAddsOfIntegers",
                   "tt.dot",
                   shorts.Ttir(R"(
      // CHECK: k:
      // CHECK: [[X:%[0-9]+]] = sext i16
      // CHECK: mul i32
      // CHECK-NEXT: add i32
      // CHECK: k.done:
)"),
                   {"gfx942", "gfx1100"}});
}

// tt.dot_scaled, of 32 rows and columns and 64 numbers along K.
std::string Scaled(const std::string& a_type, const std::string& a, const std::string& scales,
                   const std::string& checks) {
  return Kernel("%x: i8, %s: i8, %o: !tt.ptr<f32>", fmt::format(R"(
      %a = tt.splat %x : i8 -> tensor<32x{0}xi8>
      %b = tt.splat %x : i8 -> tensor<64x32xi8>
      %as = tt.splat %s : i8 -> tensor<32x2xi8>
      %c = arith.constant dense<0.0> : tensor<32x32xf32>
      %d = tt.dot_scaled %a scale %as, %b{2}, %c lhs = {1} rhs = e5m2 {{fastMath = false}} : tensor<32x{0}xi8>, tensor<32x2xi8> * tensor<64x32xi8>{3} -> tensor<32x32xf32>
      %p = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
      tt.store %p, %d : tensor<32x32x!tt.ptr<f32>>
)",
                                                                a, a_type, scales.empty() ? "" : " scale %as", scales) +
                                                        checks);
}

void AddScaled(std::vector<LoweringCase>& cases) {
  const char* both = ", tensor<32x2xi8>";
  auto add = [&](const char* name, const std::string& ttir, std::vector<std::string> targets) {
    cases.push_back({name, "tt.dot_scaled", ttir, std::move(targets)});
  };
  // The formats: e5m2 is 1, e4m3 is 0, e2m1 is 4. The right factor comes first.
  add("InTheInstruction", Scaled("e4m3", "64", both, R"(
      // CHECK: [[S:%[0-9]+]] = zext i8 %arg1 to i32
      // CHECK: call <16 x float> @llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4.v8i32.v8i32(<8 x i32> {{.*}}, <8 x i32> {{.*}}, <16 x float> {{.*}}, i32 1, i32 0, i32 0, i32 {{.*}}, i32 0, i32 {{.*}})
      // CHECK-NOT: ldexp
      // CHECK: ret void
)"),
      {"gfx950"});
  // Pairs of four bits take half as many words. A missing scale is 1.
  add("PairsInTheInstruction", Scaled("e2m1", "32", "", R"(
      // CHECK: call <16 x float> @llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4.v8i32.v4i32(<8 x i32> {{.*}}, <4 x i32> {{.*}}, <16 x float> {{.*}}, i32 1, i32 4, i32 0, i32 127, i32 0, i32 {{.*}})
)"),
      {"gfx950"});
  // Elsewhere numbers are multiplied by their scales and rounded to bf16; code 255 is NaN.
  add("BeforeTheInstruction", Scaled("e4m3", "64", both, R"(
      // CHECK: [[EXPONENT:%[0-9]+]] = sub i32 {{.*}}, 127
      // CHECK: [[NAN:%[0-9]+]] = icmp eq i8 {{.*}}, -1
      // CHECK: [[NUMBER:%[0-9]+]] = call float @llvm.ldexp.f32.i32(float {{.*}}, i32 [[EXPONENT]])
      // CHECK-NEXT: select i1 [[NAN]], float 0x7FF8000000000000, float [[NUMBER]]
      // CDNA: call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8bf16.1k(
      // RDNA: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf16.
)"),
      {"gfx90a", "gfx942", "gfx1100", "gfx1201"});
}

}  // namespace

std::vector<LoweringCase> DotCases() {
  std::vector<LoweringCase> cases;
  AddCdna(cases);
  AddRdna(cases);
  AddMultiplyAdds(cases);
  AddScaled(cases);
  return cases;
}

}  // namespace rocxla::triton
