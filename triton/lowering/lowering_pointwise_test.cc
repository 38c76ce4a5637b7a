// What operations on elements become: arith, math, tt's arithmetic and calls of library functions.
#include <fmt/format.h>

#include "triton/testing/lowering_case.h"

namespace rocxla::triton {
namespace {

// One operation on scalars, whose result is one instruction.
struct Row {
  const char* op;
  std::vector<const char*> arguments;  // their types: %x, %y, %z, which are %arg0, %arg1, %arg2 in LLVM IR
  const char* rest;                    // what follows the operation's name
  const char* result;                  // its type
  const char* instruction;             // what follows "= " in LLVM IR
  const char* after = "";              // to tell cases of one operation apart
};

using Types = std::vector<const char*>;
const Types kI32 = {"i32"}, kF32 = {"f32"}, kF16 = {"f16"}, kF64 = {"f64"}, kTwoI32 = {"i32", "i32"},
            kTwoF32 = {"f32", "f32"}, kTwoF64 = {"f64", "f64"};

const Row kRows[] = {
    {"arith.addi", kTwoI32, "%x, %y : i32", "i32", "add i32 %arg0, %arg1"},
    {"arith.addi", {"i64", "i64"}, "%x, %y : i64", "i64", "add i64 %arg0, %arg1", "Long"},
    {"arith.subi", kTwoI32, "%x, %y : i32", "i32", "sub i32 %arg0, %arg1"},
    {"arith.muli", kTwoI32, "%x, %y : i32", "i32", "mul i32 %arg0, %arg1"},
    {"arith.divsi", kTwoI32, "%x, %y : i32", "i32", "sdiv i32 %arg0, %arg1"},
    {"arith.divui", kTwoI32, "%x, %y : i32", "i32", "udiv i32 %arg0, %arg1"},
    {"arith.remsi", kTwoI32, "%x, %y : i32", "i32", "srem i32 %arg0, %arg1"},
    {"arith.remui", kTwoI32, "%x, %y : i32", "i32", "urem i32 %arg0, %arg1"},
    {"arith.andi", kTwoI32, "%x, %y : i32", "i32", "and i32 %arg0, %arg1"},
    {"arith.ori", kTwoI32, "%x, %y : i32", "i32", "or i32 %arg0, %arg1"},
    {"arith.xori", kTwoI32, "%x, %y : i32", "i32", "xor i32 %arg0, %arg1"},
    {"arith.shli", kTwoI32, "%x, %y : i32", "i32", "shl i32 %arg0, %arg1"},
    {"arith.shrsi", kTwoI32, "%x, %y : i32", "i32", "ashr i32 %arg0, %arg1"},
    {"arith.shrui", kTwoI32, "%x, %y : i32", "i32", "lshr i32 %arg0, %arg1"},
    {"arith.minsi", kTwoI32, "%x, %y : i32", "i32", "call i32 @llvm.smin.i32(i32 %arg0, i32 %arg1)"},
    {"arith.maxsi", kTwoI32, "%x, %y : i32", "i32", "call i32 @llvm.smax.i32(i32 %arg0, i32 %arg1)"},
    {"arith.minui", kTwoI32, "%x, %y : i32", "i32", "call i32 @llvm.umin.i32(i32 %arg0, i32 %arg1)"},
    {"arith.maxui", kTwoI32, "%x, %y : i32", "i32", "call i32 @llvm.umax.i32(i32 %arg0, i32 %arg1)"},

    {"arith.addf", kTwoF32, "%x, %y : f32", "f32", "fadd float %arg0, %arg1"},
    {"arith.addf", {"bf16", "bf16"}, "%x, %y : bf16", "bf16", "fadd bfloat %arg0, %arg1", "Brain"},
    {"arith.subf", kTwoF32, "%x, %y : f32", "f32", "fsub float %arg0, %arg1"},
    {"arith.mulf", kTwoF32, "%x, %y : f32", "f32", "fmul float %arg0, %arg1"},
    {"arith.divf", kTwoF32, "%x, %y : f32", "f32", "fdiv float %arg0, %arg1"},
    {"arith.remf", kTwoF32, "%x, %y : f32", "f32", "call float @__ocml_fmod_f32(float %arg0, float %arg1)"},
    {"arith.negf", kF32, "%x : f32", "f32", "fneg float %arg0"},
    {"arith.maxnumf", kTwoF32, "%x, %y : f32", "f32", "call float @llvm.maxnum.f32(float %arg0, float %arg1)"},
    {"arith.minnumf", kTwoF32, "%x, %y : f32", "f32", "call float @llvm.minnum.f32(float %arg0, float %arg1)"},
    {"arith.maximumf", kTwoF32, "%x, %y : f32", "f32", "call float @llvm.maximum.f32(float %arg0, float %arg1)"},
    {"arith.minimumf", kTwoF32, "%x, %y : f32", "f32", "call float @llvm.minimum.f32(float %arg0, float %arg1)"},
    {"tt.precise_divf", kTwoF32, "%x, %y : f32", "f32", "fdiv float %arg0, %arg1"},
    {"tt.precise_sqrt", kF32, "%x : f32", "f32", "call float @llvm.sqrt.f32(float %arg0)"},

    {"arith.extsi", kI32, "%x : i32 to i64", "i64", "sext i32 %arg0 to i64"},
    {"arith.extui", kI32, "%x : i32 to i64", "i64", "zext i32 %arg0 to i64"},
    {"arith.trunci", kI32, "%x : i32 to i8", "i8", "trunc i32 %arg0 to i8"},
    {"arith.sitofp", kI32, "%x : i32 to f32", "f32", "sitofp i32 %arg0 to float"},
    {"arith.uitofp", kI32, "%x : i32 to f16", "f16", "uitofp i32 %arg0 to half"},
    {"arith.fptosi", kF32, "%x : f32 to i32", "i32", "fptosi float %arg0 to i32"},
    {"arith.fptoui", kF32, "%x : f32 to i64", "i64", "fptoui float %arg0 to i64"},
    {"arith.bitcast", kF32, "%x : f32 to i32", "i32", "bitcast float %arg0 to i32"},
    {"tt.bitcast", kI32, "%x : i32 -> f32", "f32", "bitcast i32 %arg0 to float"},
    {"tt.int_to_ptr", {"i64"}, "%x : i64 -> !tt.ptr<f32>", "!tt.ptr<f32>", "inttoptr i64 %arg0 to ptr addrspace(1)"},
    {"tt.ptr_to_int", {"!tt.ptr<f32>"}, "%x : !tt.ptr<f32> -> i64", "i64", "ptrtoint ptr addrspace(1) %arg0 to i64"},

    {"math.absf", kF16, "%x : f16", "f16", "call half @llvm.fabs.f16(half %arg0)"},
    {"math.ceil", kF32, "%x : f32", "f32", "call float @llvm.ceil.f32(float %arg0)"},
    {"math.copysign", kTwoF32, "%x, %y : f32", "f32", "call float @llvm.copysign.f32(float %arg0, float %arg1)"},
    {"math.floor", kF32, "%x : f32", "f32", "call float @llvm.floor.f32(float %arg0)"},
    {"math.fma",
     {"f32", "f32", "f32"},
     "%x, %y, %z : f32",
     "f32",
     "call float @llvm.fma.f32(float %arg0, float %arg1, float %arg2)"},
    {"math.round", kF32, "%x : f32", "f32", "call float @llvm.round.f32(float %arg0)"},
    {"math.roundeven", kF32, "%x : f32", "f32", "call float @llvm.roundeven.f32(float %arg0)"},
    {"math.sqrt", kF64, "%x : f64", "f64", "call double @llvm.sqrt.f64(double %arg0)"},
    {"math.trunc", kF32, "%x : f32", "f32", "call float @llvm.trunc.f32(float %arg0)"},

    {"math.exp", kF32, "%x : f32", "f32", "call float @llvm.exp.f32(float %arg0)"},
    {"math.exp", kF64, "%x : f64", "f64", "call double @__ocml_exp_f64(double %arg0)", "Double"},
    {"math.exp2", kF32, "%x : f32", "f32", "call float @llvm.exp2.f32(float %arg0)"},
    {"math.exp2", kF64, "%x : f64", "f64", "call double @__ocml_exp2_f64(double %arg0)", "Double"},
    {"math.log", kF32, "%x : f32", "f32", "call float @llvm.log.f32(float %arg0)"},
    {"math.log", kF64, "%x : f64", "f64", "call double @__ocml_log_f64(double %arg0)", "Double"},
    {"math.log10", kF32, "%x : f32", "f32", "call float @llvm.log10.f32(float %arg0)"},
    {"math.log10", kF64, "%x : f64", "f64", "call double @__ocml_log10_f64(double %arg0)", "Double"},
    {"math.log2", kF32, "%x : f32", "f32", "call float @llvm.log2.f32(float %arg0)"},
    {"math.log2", kF64, "%x : f64", "f64", "call double @__ocml_log2_f64(double %arg0)", "Double"},

    {"math.acos", kF32, "%x : f32", "f32", "call float @__ocml_acos_f32(float %arg0)"},
    {"math.acosh", kF32, "%x : f32", "f32", "call float @__ocml_acosh_f32(float %arg0)"},
    {"math.asin", kF32, "%x : f32", "f32", "call float @__ocml_asin_f32(float %arg0)"},
    {"math.asinh", kF32, "%x : f32", "f32", "call float @__ocml_asinh_f32(float %arg0)"},
    {"math.atan", kF32, "%x : f32", "f32", "call float @__ocml_atan_f32(float %arg0)"},
    {"math.atan2", kTwoF64, "%x, %y : f64", "f64", "call double @__ocml_atan2_f64(double %arg0, double %arg1)"},
    {"math.atanh", kF32, "%x : f32", "f32", "call float @__ocml_atanh_f32(float %arg0)"},
    {"math.cbrt", kF32, "%x : f32", "f32", "call float @__ocml_cbrt_f32(float %arg0)"},
    {"math.cos", kF32, "%x : f32", "f32", "call float @__ocml_cos_f32(float %arg0)"},
    {"math.cosh", kF32, "%x : f32", "f32", "call float @__ocml_cosh_f32(float %arg0)"},
    {"math.erf", kF32, "%x : f32", "f32", "call float @__ocml_erf_f32(float %arg0)"},
    {"math.erfc", kF32, "%x : f32", "f32", "call float @__ocml_erfc_f32(float %arg0)"},
    {"math.expm1", kF32, "%x : f32", "f32", "call float @__ocml_expm1_f32(float %arg0)"},
    {"math.log1p", kF32, "%x : f32", "f32", "call float @__ocml_log1p_f32(float %arg0)"},
    {"math.powf", kTwoF32, "%x, %y : f32", "f32", "call float @__ocml_pow_f32(float %arg0, float %arg1)"},
    {"math.fpowi", {"f32", "i32"}, "%x, %y : f32, i32", "f32", "call float @__ocml_pown_f32(float %arg0, i32 %arg1)"},
    {"math.rsqrt", kF32, "%x : f32", "f32", "call float @__ocml_rsqrt_f32(float %arg0)"},
    {"math.sin", kF32, "%x : f32", "f32", "call float @__ocml_sin_f32(float %arg0)"},
    {"math.sin", kF64, "%x : f64", "f64", "call double @__ocml_sin_f64(double %arg0)", "Double"},
    {"math.sinh", kF32, "%x : f32", "f32", "call float @__ocml_sinh_f32(float %arg0)"},
    {"math.tan", kF32, "%x : f32", "f32", "call float @__ocml_tan_f32(float %arg0)"},
    {"math.tanh", kF32, "%x : f32", "f32", "call float @__ocml_tanh_f32(float %arg0)"},

    {"math.absi", kI32, "%x : i32", "i32", "call i32 @llvm.abs.i32(i32 %arg0, i1 false)"},
    {"math.ctpop", kI32, "%x : i32", "i32", "call i32 @llvm.ctpop.i32(i32 %arg0)"},
    {"math.ctlz", kI32, "%x : i32", "i32", "call i32 @llvm.ctlz.i32(i32 %arg0, i1 false)"},
    {"math.cttz", kI32, "%x : i32", "i32", "call i32 @llvm.cttz.i32(i32 %arg0, i1 false)"},
    {"math.isfinite", kF32, "%x : f32", "i1", "call i1 @llvm.is.fpclass.f32(float %arg0, i32 504)"},
    {"math.isinf", kF32, "%x : f32", "i1", "call i1 @llvm.is.fpclass.f32(float %arg0, i32 516)"},
    {"math.isnan", kF32, "%x : f32", "i1", "call i1 @llvm.is.fpclass.f32(float %arg0, i32 3)"},
    {"math.isnormal", kF32, "%x : f32", "i1", "call i1 @llvm.is.fpclass.f32(float %arg0, i32 264)"},
};

std::string ArgumentsOf(const Row& row) {
  std::string text;
  for (size_t i = 0; i < row.arguments.size(); ++i) text += fmt::format("%{}: {}, ", "xyz"[i], row.arguments[i]);
  return text + fmt::format("%o: !tt.ptr<{}>", row.result);
}

// The result is stored: what is computed for it is that instruction, and nothing before it.
LoweringCase CaseOf(const Row& row) {
  const std::string body = fmt::format(R"(
    %r = {} {}
    tt.store %o, %r : !tt.ptr<{}>
    // CHECK: body:
    // CHECK-NEXT: [[R:%[0-9]+]] = {}
    // CHECK: br i1
    // CHECK: store {{{{.*}}}} %{{{{[0-9]+}}}}, ptr addrspace(1) %arg{},
)",
                                       row.op, row.rest, row.result, row.instruction, row.arguments.size());
  return {.name = row.after, .op = row.op, .ttir = Kernel(ArgumentsOf(row), body), .targets = {"gfx942", "gfx1100"}};
}

// Each predicate as arith and LLVM spell it.
void AddComparisons(std::vector<LoweringCase>& cases) {
  for (const char* p : {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}) {
    const std::string rest = fmt::format("{}, %x, %y : i32", p),
                      instruction = fmt::format("icmp {} i32 %arg0, %arg1", p);
    cases.push_back(CaseOf({"arith.cmpi", kTwoI32, rest.c_str(), "i1", instruction.c_str(), p}));
  }
  for (const char* p :
       {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"}) {
    const std::string rest = fmt::format("{}, %x, %y : f32", p),
                      instruction = fmt::format("fcmp {} float %arg0, %arg1", p);
    cases.push_back(CaseOf({"arith.cmpf", kTwoF32, rest.c_str(), "i1", instruction.c_str(), p}));
  }
}

const LoweringCase kSequences[] = {
    {"Scalar", "arith.select", Kernel("%c: i1, %x: f32, %y: f32, %o: !tt.ptr<f32>", R"(
      %r = arith.select %c, %x, %y : f32
      tt.store %o, %r : !tt.ptr<f32>
      // A flag is a byte in the arguments.
      // CHECK: [[C:%[0-9]+]] = trunc i8 %arg0 to i1
      // CHECK-NEXT: = select i1 [[C]], float %arg1, float %arg2
    )")},
    {"", "arith.floordivsi", Kernel("%x: i32, %y: i32, %o: !tt.ptr<i32>", R"(
      %r = arith.floordivsi %x, %y : i32
      tt.store %o, %r : !tt.ptr<i32>
      // CHECK: [[Q:%[0-9]+]] = sdiv i32 %arg0, %arg1
      // CHECK-NEXT: [[R:%[0-9]+]] = srem i32 %arg0, %arg1
      // CHECK-NEXT: [[INEXACT:%[0-9]+]] = icmp ne i32 [[R]], 0
      // CHECK-NEXT: [[SIGNS:%[0-9]+]] = xor i32 [[R]], %arg1
      // CHECK-NEXT: [[OPPOSITE:%[0-9]+]] = icmp slt i32 [[SIGNS]], 0
      // CHECK-NEXT: [[DOWN:%[0-9]+]] = and i1 [[INEXACT]], [[OPPOSITE]]
      // CHECK-NEXT: [[ONE:%[0-9]+]] = zext i1 [[DOWN]] to i32
      // CHECK-NEXT: sub i32 [[Q]], [[ONE]]
    )")},
    {"", "arith.ceildivsi", Kernel("%x: i32, %y: i32, %o: !tt.ptr<i32>", R"(
      %r = arith.ceildivsi %x, %y : i32
      tt.store %o, %r : !tt.ptr<i32>
      // CHECK: [[Q:%[0-9]+]] = sdiv i32 %arg0, %arg1
      // CHECK-NEXT: [[R:%[0-9]+]] = srem i32 %arg0, %arg1
      // CHECK: icmp sge i32
      // CHECK: add i32 [[Q]],
    )")},
    {"", "arith.ceildivui", Kernel("%x: i32, %y: i32, %o: !tt.ptr<i32>", R"(
      %r = arith.ceildivui %x, %y : i32
      tt.store %o, %r : !tt.ptr<i32>
      // CHECK: [[R:%[0-9]+]] = urem i32 %arg0, %arg1
      // CHECK-NEXT: [[INEXACT:%[0-9]+]] = icmp ne i32 [[R]], 0
      // CHECK-NEXT: [[Q:%[0-9]+]] = udiv i32 %arg0, %arg1
      // CHECK-NEXT: [[ONE:%[0-9]+]] = zext i1 [[INEXACT]] to i32
      // CHECK-NEXT: add i32 [[Q]], [[ONE]]
    )")},
    {"", "tt.mulhiui", Kernel("%x: i32, %y: i32, %o: !tt.ptr<i32>", R"(
      %r = tt.mulhiui %x, %y : i32
      tt.store %o, %r : !tt.ptr<i32>
      // CHECK: [[X:%[0-9]+]] = zext i32 %arg0 to i64
      // CHECK-NEXT: [[Y:%[0-9]+]] = zext i32 %arg1 to i64
      // CHECK-NEXT: [[XY:%[0-9]+]] = mul i64 [[X]], [[Y]]
      // CHECK-NEXT: [[HIGH:%[0-9]+]] = lshr i64 [[XY]], 32
      // CHECK-NEXT: trunc i64 [[HIGH]] to i32
    )")},
    {"", "arith.mului_extended", Kernel("%x: i32, %y: i32, %o: !tt.ptr<i32>, %p: !tt.ptr<i32>", R"(
      %low, %high = arith.mului_extended %x, %y : i32
      tt.store %o, %low : !tt.ptr<i32>
      tt.store %p, %high : !tt.ptr<i32>
      // CHECK: [[LOW:%[0-9]+]] = mul i32 %arg0, %arg1
      // CHECK: zext i32 %arg0 to i64
      // CHECK: [[HIGH:%[0-9]+]] = trunc i64
      // CHECK: store i32 [[LOW]], ptr addrspace(1) %arg2
      // CHECK: store i32 [[HIGH]], ptr addrspace(1) %arg3
    )")},
    {"", "arith.mulsi_extended", Kernel("%x: i32, %y: i32, %o: !tt.ptr<i32>, %p: !tt.ptr<i32>", R"(
      %low, %high = arith.mulsi_extended %x, %y : i32
      tt.store %o, %low : !tt.ptr<i32>
      tt.store %p, %high : !tt.ptr<i32>
      // CHECK: mul i32 %arg0, %arg1
      // CHECK: sext i32 %arg0 to i64
    )")},
    {"DropsNan", "tt.clampf", Kernel("%x: f32, %y: f32, %z: f32, %o: !tt.ptr<f32>", R"(
      %r = tt.clampf %x, %y, %z, propagateNan = none : f32
      tt.store %o, %r : !tt.ptr<f32>
      // CHECK: [[LOW:%[0-9]+]] = call float @llvm.maxnum.f32(float %arg0, float %arg1)
      // CHECK-NEXT: [[R:%[0-9]+]] = call float @llvm.minnum.f32(float [[LOW]], float %arg2)
      // CHECK-NOT: fcmp
      // CHECK: store float [[R]]
    )")},
    {"KeepsNan", "tt.clampf", Kernel("%x: f32, %y: f32, %z: f32, %o: !tt.ptr<f32>", R"(
      %r = tt.clampf %x, %y, %z, propagateNan = all : f32
      tt.store %o, %r : !tt.ptr<f32>
      // CHECK: [[CLAMPED:%[0-9]+]] = call float @llvm.minnum.f32(
      // CHECK-NEXT: [[NAN:%[0-9]+]] = fcmp uno float %arg0, %arg0
      // CHECK-NEXT: select i1 [[NAN]], float %arg0, float [[CLAMPED]]
    )")},
    {"HalvesInSingle", "math.exp", Kernel("%x: f16, %o: !tt.ptr<f16>", R"(
      %r = math.exp %x : f16
      tt.store %o, %r : !tt.ptr<f16>
      // CHECK: [[WIDE:%[0-9]+]] = fpext half %arg0 to float
      // CHECK-NEXT: [[EXP:%[0-9]+]] = call float @llvm.exp.f32(float [[WIDE]])
      // CHECK-NEXT: fptrunc float [[EXP]] to half
    )")},
    {"HalvesInSingle", "math.sin", Kernel("%x: bf16, %o: !tt.ptr<bf16>", R"(
      %r = math.sin %x : bf16
      tt.store %o, %r : !tt.ptr<bf16>
      // CHECK: [[WIDE:%[0-9]+]] = fpext bfloat %arg0 to float
      // CHECK-NEXT: [[SIN:%[0-9]+]] = call float @__ocml_sin_f32(float [[WIDE]])
      // CHECK-NEXT: fptrunc float [[SIN]] to bfloat
    )")},
    {"LibraryFunction", "tt.extern_elementwise", Kernel("%x: f32, %y: f32, %o: !tt.ptr<f32>", R"(
      %r = tt.extern_elementwise %x, %y {libname = "", libpath = "", pure = true, symbol = "__ocml_hypot_f32"} : (f32, f32) -> f32
      tt.store %o, %r : !tt.ptr<f32>
      // CHECK: call float @__ocml_hypot_f32(float %arg0, float %arg1)
    )")},
    {"FastExp", "tt.extern_elementwise", Kernel("%x: f32, %o: !tt.ptr<f32>", R"(
      %r = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__triton_hip_fast_expf"} : (f32) -> f32
      tt.store %o, %r : !tt.ptr<f32>
      // CHECK: [[SCALED:%[0-9]+]] = fmul float %arg0, 0x3FF7154760000000
      // CHECK-NEXT: call float @llvm.amdgcn.exp2.f32(float [[SCALED]])
    )")},
    {"FastDivide", "tt.extern_elementwise", Kernel("%x: f32, %y: f32, %o: !tt.ptr<f32>", R"(
      %r = tt.extern_elementwise %x, %y {libname = "", libpath = "", pure = true, symbol = "__triton_hip_fast_fdividef"} : (f32, f32) -> f32
      tt.store %o, %r : !tt.ptr<f32>
      // CHECK: [[RCP:%[0-9]+]] = call float @llvm.amdgcn.rcp.f32(float %arg1)
      // CHECK-NEXT: fmul float %arg0, [[RCP]]
    )")},
    {"RoundToLong", "tt.extern_elementwise", Kernel("%x: f32, %o: !tt.ptr<i64>", R"(
      %r = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__triton_hip_llrint"} : (f32) -> i64
      tt.store %o, %r : !tt.ptr<i64>
      // CHECK: [[R:%[0-9]+]] = call float @llvm.rint.f32(float %arg0)
      // CHECK-NEXT: fptosi float [[R]] to i64
    )")},
    // Each register once; equal registers are computed once.
    {"EachRegister",
     "arith.muli",
     Kernel("%o: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32", IndexRange(256) + R"(
      %s = tt.splat %n : i32 -> tensor<256xi32>
      %q = arith.muli %s, %s : tensor<256xi32>
      %r = arith.muli %q, %i : tensor<256xi32>
      // CHECK: [[Q:%[0-9]+]] = mul i32 %arg1, %arg1
      // CHECK-COUNT-4: = mul i32 [[Q]], %
      // CHECK-NOT: = mul i32
      // CHECK: store <4 x i32>
    )" + StoreTo("o", "r", "256xi32")),
     {"gfx942"}},
};

}  // namespace

std::vector<LoweringCase> PointwiseCases() {
  std::vector<LoweringCase> cases(std::begin(kSequences), std::end(kSequences));
  for (const Row& row : kRows) cases.push_back(CaseOf(row));
  AddComparisons(cases);
  return cases;
}

}  // namespace rocxla::triton
