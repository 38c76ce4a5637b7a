// What the passes of MLIR's own make of a program before it is planned. Then programs that no front end writes: each is
// refused with a message, and none takes the process with it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "triton/lower.h"

namespace rocxla::triton {
namespace {

std::string ErrorOf(const std::string& ttir) {
  const auto kernel = Lower(ttir, "bad.ttir", {.target = FindTarget("gfx942").value()});
  return kernel.ok() ? "OK" : kernel.status().ToString();
}

// The first line of the message about a kernel with these arguments and this body.
std::string ErrorIn(const std::string& arguments, const std::string& body) {
  const std::string error = ErrorOf("tt.func public @k(" + arguments + ") {\n  " + body + "\n  tt.return\n}");
  return error.substr(0, error.find('\n'));
}

//===-- MLIR's passes
//-------------------------------------------------------------------------------------------------===//

// The program as it is planned.
std::string Planned(const std::string& ttir) {
  const auto kernel = Lower(ttir, "kernel.ttir", {.target = FindTarget("gfx942").value(), .keep_stages = true});
  return kernel.ok() ? kernel->stages.ttir : kernel.status().ToString();
}

// Sums with zero fold, equal products are one, and what a loop does not change is computed before it.
TEST(Passes, FoldJoinAndHoist) {
  EXPECT_EQ(Planned(R"(tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %n, %n : i32
    %b = arith.muli %n, %n : i32
    %c = arith.addi %a, %zero : i32
    %d = arith.subi %c, %i : i32
    %e = arith.xori %d, %b : i32
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %e : !tt.ptr<i32>
  }
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.muli %arg1, %arg1 : i32
    scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %1 = arith.subi %0, %arg2 : i32
      %2 = arith.xori %1, %0 : i32
      %3 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      tt.store %3, %2 : !tt.ptr<i32>
    }
    tt.return
  }
}
)");
}

// What is volatile, or to be fetched again, stays where it is, as often as it is.
TEST(Passes, LeaveVolatileLoadsAlone) {
  EXPECT_EQ(Planned(R"(tt.func public @k(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>) {
  %a = tt.load %x : !tt.ptr<i32>
  %b = tt.load %x : !tt.ptr<i32>
  %c = tt.load %x cacheModifier = cv : !tt.ptr<i32>
  %d = tt.load %x cacheModifier = cv : !tt.ptr<i32>
  %ab = arith.subi %a, %b : i32
  %cd = arith.subi %c, %d : i32
  %abcd = arith.xori %ab, %cd : i32
  tt.store %o, %abcd : !tt.ptr<i32>
  tt.return
})"),
            R"(module {
  tt.func public @k(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>) {
    %0 = tt.load %arg0 : !tt.ptr<i32>
    %1 = tt.load %arg0 cacheModifier = cv : !tt.ptr<i32>
    %2 = tt.load %arg0 cacheModifier = cv : !tt.ptr<i32>
    %3 = arith.subi %0, %0 : i32
    %4 = arith.subi %1, %2 : i32
    %5 = arith.xori %3, %4 : i32
    tt.store %arg1, %5 : !tt.ptr<i32>
    tt.return
  }
}
)");
}

//===-- What the verifiers refuse
//-------------------------------------------------------------------------------------===//

TEST(LowerErrors, CastsBetweenOtherTypes) {
  EXPECT_EQ(ErrorIn("%x: i32", "%r = tt.bitcast %x : i32 -> f64"),
            "E3001 TritonSyntax: 'tt.bitcast' op cannot give 'f64' from 'i32'");
  EXPECT_EQ(ErrorIn("%x: i64", "%r = tt.bitcast %x : i64 -> !tt.ptr<f32>"),
            "E3001 TritonSyntax: 'tt.bitcast' op cannot give '!tt.ptr<f32>' from 'i64'");
  EXPECT_EQ(ErrorIn("%x: f32", "%r = tt.int_to_ptr %x : f32 -> !tt.ptr<f32>"),
            "E3001 TritonSyntax: 'tt.int_to_ptr' op cannot give '!tt.ptr<f32>' from 'f32'");
  EXPECT_EQ(ErrorIn("%x: !tt.ptr<f32>", "%r = tt.ptr_to_int %x : !tt.ptr<f32> -> f64"),
            "E3001 TritonSyntax: 'tt.ptr_to_int' op cannot give 'f64' from '!tt.ptr<f32>'");
  EXPECT_EQ(
      ErrorIn("%x: i32", "%r = tt.bitcast %x : i32 -> tensor<4xi32>"),
      "E3001 TritonSyntax: 'tt.bitcast' op if a result is non-scalar, then at least one operand must be non-scalar");
}

TEST(LowerErrors, AtomicsOnOtherTypes) {
  const std::string arguments = "%p: !tt.ptr<i32>, %x: i32, %y: i64, %m: tensor<4xi1>";
  EXPECT_EQ(ErrorIn(arguments, "%r = tt.atomic_rmw add, relaxed, gpu, %p, %y : (!tt.ptr<i32>, i64) -> i32"),
            "E3001 TritonSyntax: 'tt.atomic_rmw' op on '!tt.ptr<i32>' takes and gives 'i32', got 'i64'");
  EXPECT_EQ(ErrorIn(arguments, "%r = tt.atomic_rmw add, relaxed, gpu, %p, %x : (!tt.ptr<i32>, i32) -> f32"),
            "E3001 TritonSyntax: 'tt.atomic_rmw' op on '!tt.ptr<i32>' takes and gives 'i32', got 'f32'");
  EXPECT_EQ(
      ErrorIn(arguments, "%r = tt.atomic_rmw add, relaxed, gpu, %p, %x, %m : (!tt.ptr<i32>, i32, tensor<4xi1>) -> i32"),
      "E3001 TritonSyntax: 'tt.atomic_rmw' op on '!tt.ptr<i32>' takes a mask 'i1', got 'tensor<4xi1>'");
  EXPECT_EQ(ErrorIn(arguments, "%r = tt.atomic_cas relaxed, gpu, %p, %x, %y : (!tt.ptr<i32>, i32, i64) -> i32"),
            "E3001 TritonSyntax: 'tt.atomic_cas' op on '!tt.ptr<i32>' takes and gives 'i32', got 'i64'");
}

TEST(LowerErrors, RangesAndGathersOfOtherTypes) {
  EXPECT_EQ(ErrorIn("", "%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xf32>"),
            "E3001 TritonSyntax: 'tt.make_range' op range 0..64 does not fill 'tensor<64xf32>'");
  const std::string range = "%i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n  ",
                    floats = "%f = arith.sitofp %i : tensor<64xi32> to tensor<64xf32>\n  ";
  EXPECT_EQ(
      ErrorIn("", range + floats +
                      "%g = tt.gather %i[%f] {axis = 0 : i32} : (tensor<64xi32>, tensor<64xf32>) -> tensor<64xi32>"),
      "E3001 TritonSyntax: 'tt.gather' op needs integers as indices");
  EXPECT_EQ(
      ErrorIn("",
              range + "%g = tt.gather %i[%i] {axis = 0 : i32} : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xf32>"),
      "E3001 TritonSyntax: 'tt.gather' op changes the element type from 'i32' to 'f32'");
}

TEST(LowerErrors, ReturnsOfOtherFunctions) {
  EXPECT_EQ(ErrorIn("%x: i32", "tt.return %x : i32\n}\ntt.func private @f() {"),
            "E3001 TritonSyntax: 'tt.return' op returns ('i32'), the function's results are ()");
  EXPECT_EQ(ErrorIn("", "tt.return\n}\ntt.func private @f() -> i32 {"),
            "E3001 TritonSyntax: 'tt.return' op returns (), the function's results are ('i32')");
  EXPECT_EQ(ErrorIn("%x: i32", "tt.reduce.return %x : i32\n}\ntt.func private @f() {"),
            "E3001 TritonSyntax: 'tt.reduce.return' op expects parent op 'tt.reduce'");
}

TEST(LowerErrors, BlocksWithoutDimensionsOrNumbers) {
  EXPECT_EQ(ErrorIn("%d: !tt.tensordesc<f32>", ""),
            "E3001 TritonSyntax: a descriptor has blocks of one dimension or more, of numbers; got 'tensor<f32>'");
  EXPECT_EQ(ErrorIn("%d: !tt.tensordesc<8x!tt.ptr<f32>>", ""),
            "E3001 TritonSyntax: a descriptor has blocks of one dimension or more, of numbers; got "
            "'tensor<8x!tt.ptr<f32>>'");
  EXPECT_EQ(ErrorIn("%p: !tt.ptr<f32>", "%b = tt.make_tensor_ptr %p, [], [], [] {order = array<i32>} : <tensor<f32>>"),
            "E3001 TritonSyntax: 'tt.make_tensor_ptr' op gives no pointer to a tensor: '!tt.ptr<tensor<f32>>'");
  EXPECT_THAT(ErrorIn("%p: tensor<4x!tt.ptr<tensor<8xf32>>>", "%v = tt.load %p : tensor<4x!tt.ptr<tensor<8xf32>>>"),
              testing::HasSubstr("pointer to a scalar"));
}

//===-- What the compiler refuses
//-------------------------------------------------------------------------------------===//

TEST(LowerErrors, NamesOfLibraries) {
  for (const char* name : {"llvm.sqrt.f32", "__ocml_sin_f32", "__ockl_printf_begin", "__oclc_daz_opt"}) {
    EXPECT_EQ(ErrorOf(fmt::format("tt.func public @{}() {{\n  tt.return\n}}", name)),
              fmt::format("E3001 TritonSyntax: the kernel's name is one of LLVM or of the device libraries\n"
                          "  where:    bad.ttir:1:1\n"
                          "  found:    '{}'\n"
                          "  expected: a name that does not begin with llvm., __ocml_, __ockl_ or __oclc_",
                          name));
  }
}

std::string Extern(const std::string& symbol, const std::string& types, const std::string& operand = "%x") {
  return "tt.extern_elementwise " + operand + " {libname = \"\", libpath = \"\", pure = false, symbol = \"" + symbol +
         "\"} : " + types;
}
TEST(LowerErrors, FunctionsThatAreNotOfTheLibraries) {
  for (const char* symbol : {"llvm.amdgcn.s.barrier", "k", "", "__triton_hip_other"})
    EXPECT_EQ(
        ErrorIn("%x: f32", "%r = " + Extern(symbol, "(f32) -> f32")),
        fmt::format("E3002 TritonUnsupportedOp: tt.extern_elementwise: there is no device library function '{}', for "
                    "gfx942",
                    symbol));
  EXPECT_EQ(ErrorIn("%x: f32", "%r = " + Extern("__triton_hip_iabs", "(f32) -> f32")),
            "E3002 TritonUnsupportedOp: tt.extern_elementwise: not for these element types, for gfx942");
  EXPECT_EQ(
      ErrorIn("%x: f32, %y: f64", "%r = " + Extern("__ocml_sin_f32", "(f32) -> f32") +
                                      "\n  %s = " + Extern("__ocml_sin_f32", "(f64) -> f64", "%y")),
      "E3002 TritonUnsupportedOp: tt.extern_elementwise: '__ocml_sin_f32' is called with several types, for gfx942");
}

TEST(LowerErrors, PointersAreNotCombined) {
  EXPECT_EQ(ErrorIn("%x: !tt.ptr<f32>, %o: !tt.ptr<!tt.ptr<f32>>",
                    R"(%p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %r = "tt.reduce"(%p) <{axis = 0 : i32}> ({
  ^bb0(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>):
    tt.reduce.return %a : !tt.ptr<f32>
  }) : (tensor<64x!tt.ptr<f32>>) -> !tt.ptr<f32>
  tt.store %o, %r : !tt.ptr<!tt.ptr<f32>>)"),
            "E3002 TritonUnsupportedOp: tt.reduce: of pointers, for gfx942");
}

TEST(LowerErrors, AssemblyWithoutOneShape) {
  const std::string range = "%i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n  ";
  auto assembly = [](const std::string& results) {
    return "\"tt.elementwise_inline_asm\"(%i) <{asm_string = \"\", constraints = \"=v,=v,v\", packed_element = 1 : "
           "i32, "
           "pure = false}> : (tensor<64xi32>) -> " +
           results;
  };
  EXPECT_EQ(
      ErrorIn("", range + assembly("()")),
      "E3001 TritonSyntax: 'tt.elementwise_inline_asm' op if an operand is non-scalar, then there must be at least one "
      "non-scalar result");
  EXPECT_EQ(ErrorIn("", range + "%r:2 = " + assembly("(tensor<64xi32>, i32)")),
            "E3001 TritonSyntax: 'tt.elementwise_inline_asm' op if an operand is non-scalar, then all results must be "
            "non-scalar");
}

//===-- Size
//----------------------------------------------------------------------------------------------------------===//

std::string Repeat(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// Each function calls the next one twice.
TEST(LowerErrors, CallsThatDouble) {
  std::string ttir = "tt.func public @k() {\n  tt.call @f0() : () -> ()\n  tt.return\n}\n";
  for (int i = 0; i < 40; ++i)
    ttir += fmt::format(
        "tt.func private @f{0}() {{\n  tt.call @f{1}() : () -> ()\n  tt.call @f{1}() : () -> ()\n  tt.return\n}}\n", i,
        i + 1);
  ttir += "tt.func private @f40() {\n  ttg.barrier all\n  tt.return\n}\n";
  EXPECT_THAT(ErrorOf(ttir), testing::AllOf(testing::HasSubstr("the program is too large once calls are inlined\n"),
                                            testing::HasSubstr("  found:    more than 100000 operations\n"
                                                               "  expected: fewer or smaller functions")));
}

TEST(LowerErrors, CallsThatNest) {
  std::string ttir = "tt.func public @k() {\n  tt.call @f0() : () -> ()\n  tt.return\n}\n";
  for (int i = 0; i < 2000; ++i)
    ttir += fmt::format("tt.func private @f{}() {{\n  tt.call @f{}() : () -> ()\n  tt.return\n}}\n", i, i + 1);
  ttir += "tt.func private @f2000() {\n  tt.return\n}\n";
  EXPECT_THAT(ErrorOf(ttir), testing::HasSubstr("  found:    calls that nest more deeply than 500\n"));
}

TEST(LowerErrors, CallsThatNestRegions) {
  std::string ttir = "tt.func public @k(%c: i1) {\n  tt.call @f0(%c) : (i1) -> ()\n  tt.return\n}\n";
  for (int i = 0; i < 100; ++i)
    ttir += fmt::format("tt.func private @f{}(%c: i1) {{\n", i) + Repeat("scf.if %c {\n", 200) +
            fmt::format("tt.call @f{}(%c) : (i1) -> ()\n", i + 1) + Repeat("}\n", 200) + "tt.return\n}\n";
  ttir += "tt.func private @f100(%c: i1) {\n  ttg.barrier all\n  tt.return\n}\n";
  EXPECT_THAT(ErrorOf(ttir), testing::HasSubstr("  found:    regions that nest more deeply than 500\n"));
}

// Arrows close no bracket, strings and comments hold none, and aliases count as what they stand for.
TEST(LowerErrors, DeepNesting) {
  const std::string kernel = "tt.func public @k() {\n  tt.return\n}";
  EXPECT_EQ(ErrorOf("tt.func public @k(%c: i1) {\n" + Repeat("%r = scf.if %c -> (i32) {\n", 20000)),
            "E3001 TritonSyntax: the brackets are nested too deeply\n"
            "  where:    bad.ttir:257:19\n"
            "  expected: at most 256 levels");
  std::string aliases = "#a0 = 1 : i32\n";
  for (int i = 0; i < 100000; ++i) aliases += fmt::format("#a{} = [#a{}]\n", i + 1, i);
  EXPECT_EQ(ErrorOf(aliases + "module attributes {tt.x = #a100000} {\n" + kernel + "\n}"),
            "E3001 TritonSyntax: the brackets are nested too deeply\n"
            "  where:    bad.ttir:258:10\n"
            "  expected: at most 256 levels");
  EXPECT_EQ(ErrorOf("module attributes {tt.x = \"" + Repeat("(", 1000) + "\"} { // " + Repeat("(", 1000) + "\n" +
                    kernel + "}"),
            "OK");
}

// Their expressions nest without brackets.
TEST(LowerErrors, AffineMaps) {
  EXPECT_EQ(ErrorOf("#m = affine_map<() -> (" + Repeat("- ", 200000) + "1)>\ntt.func public @k() {\n  tt.return\n}"),
            "E3001 TritonSyntax: there is an affine map\n"
            "  where:    bad.ttir:1:6\n"
            "  expected: a program without affine maps and sets");
}

TEST(LowerErrors, ManyBranches) {
  std::string ttir = "tt.func public @k(%c: i1) {\n";
  for (int i = 0; i < 5000; ++i) ttir += fmt::format("  cf.cond_br %c, ^end, ^b{0}\n^b{0}:\n", i);
  EXPECT_EQ(ErrorOf(ttir + "  tt.return\n^end:\n  tt.return\n}"),
            "E3002 TritonUnsupportedOp: tt.func: too many branches\n"
            "  where:    bad.ttir:1:1\n"
            "  found:    5002 blocks and cases\n"
            "  expected: 500 at most");
  std::string cases;
  for (int i = 0; i < 5000; ++i) cases += fmt::format(", {}: ^end", i);
  EXPECT_THAT(ErrorOf("tt.func public @k(%n: i32) {\n  cf.switch %n : i32, [default: ^end" + cases +
                      "]\n^end:\n  tt.return\n}"),
              testing::HasSubstr("found:    5002 blocks and cases"));
}

// Positions that share parts: each part is looked at once.
TEST(LowerErrors, PositionsThatDouble) {
  std::string ttir = "#p0 = loc(unknown)\n";
  for (int i = 0; i < 64; ++i) ttir += fmt::format("#p{1} = loc(callsite(#p{0} at #p{0}))\n", i, i + 1);
  EXPECT_EQ(ErrorOf(ttir + "tt.func public @k() {\n  %t = gpu.thread_id x loc(#p64)\n  tt.return\n}"),
            "E3002 TritonUnsupportedOp: gpu.thread_id: no lowering for this operation, for gfx942\n"
            "  found:    gpu.thread_id : () -> (index)\n"
            "  next:     Write the kernel without it.");
}

// Values that change places in every loop of a deep nest: analyses give up in time.
TEST(LowerErrors, LoopsThatSwapInDeepNests) {
  const std::string tensors = "(tensor<64xi32>, tensor<64xi32>)";
  const int depth = 40;
  std::string ttir =
      "tt.func public @k(%n: i32, %p: !tt.ptr<i32>) {\n  %z = arith.constant 0 : i32\n  %e = arith.constant 1 : i32\n" +
      std::string("  %a0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n") +
      "  %q = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>\n  %b0 = tt.load %q : tensor<64x!tt.ptr<i32>>\n";
  for (int i = 0; i < depth; ++i)
    ttir += fmt::format(
        "%r{1}:2 = scf.for %k{1} = %z to %n step %e iter_args(%a{1} = %a{0}, %b{1} = %b{0}) -> {2} : i32 {{\n", i,
        i + 1, tensors);
  ttir += fmt::format("scf.yield %b{0}, %a{0} : tensor<64xi32>, tensor<64xi32>\n}}\n", depth);
  for (int i = depth - 1; i > 0; --i)
    ttir += fmt::format("scf.yield %r{0}#1, %r{0}#0 : tensor<64xi32>, tensor<64xi32>\n}}\n", i + 1);
  ttir += "tt.store %q, %r1#0 : tensor<64x!tt.ptr<i32>>\n  tt.return\n}";
  EXPECT_EQ(ErrorOf(ttir), "OK");
}

}  // namespace
}  // namespace rocxla::triton
