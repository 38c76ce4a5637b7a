// Branches, loops and calls on the embedded device.
#include <gmock/gmock.h>

#include "tests/e2e/triton_kernel.h"

namespace rocxla::triton {
namespace {

std::vector<int32_t> Counting(int count) {
  std::vector<int32_t> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

// Each program but the first two leaves at once; the second writes something else.
TEST(TritonControl, EarlyReturns) {
  const char* text = R"(tt.func public @kernel(%o: !tt.ptr<i32>) {
  %pid = tt.get_program_id x : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %p = tt.addptr %o, %pid : !tt.ptr<i32>, i32
  %late = arith.cmpi sgt, %pid, %c1 : i32
  cf.cond_br %late, ^return, ^go
^return:
  tt.return
^go:
  %second = arith.cmpi eq, %pid, %c1 : i32
  cf.cond_br %second, ^write(%c7 : i32), ^write(%c1 : i32)
^write(%x: i32):
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
})";
  for (Launch launch : Launches()) {
    launch.programs = 4;
    EXPECT_EQ(ResultOf<int32_t>(text, launch, {}, 4), (std::vector<int32_t>{1, 7, 0, 0})) << ToString(launch);
  }
}

// A loop of branches with two ways out, which return different values. Smallest divisor above 1 of 4..35, or 99 when
// there is none below 6.
TEST(TritonControl, LoopOfBranchesWithTwoExits) {
  const char* text = R"(tt.func public @kernel(%o: !tt.ptr<i32>) {
  %pid = tt.get_program_id x : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c6 = arith.constant 6 : i32
  %c99 = arith.constant 99 : i32
  %zero = arith.constant 0 : i32
  %n = arith.addi %pid, %c4 : i32
  %p = tt.addptr %o, %pid : !tt.ptr<i32>, i32
  cf.br ^try(%c2 : i32)
^try(%d: i32):
  %rest = arith.remsi %n, %d : i32
  %divides = arith.cmpi eq, %rest, %zero : i32
  cf.cond_br %divides, ^done(%d : i32), ^next
^next:
  %e = arith.addi %d, %c1 : i32
  %more = arith.cmpi slt, %e, %c6 : i32
  cf.cond_br %more, ^try(%e : i32), ^done(%c99 : i32)
^done(%r: i32):
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
})";
  std::vector<int32_t> want;
  for (int n = 4; n < 36; ++n) {
    int divisor = 99;
    for (int d = 5; d > 1; --d)
      if (n % d == 0) divisor = d;
    want.push_back(divisor);
  }
  for (Launch launch : Launches()) {
    launch.programs = 32;
    EXPECT_EQ(ResultOf<int32_t>(text, launch, {}, 32), want) << ToString(launch);
  }
}

// Each element takes as many steps as it needs: tensors are carried, and the loop's results differ from its operands.
TEST(TritonControl, WhileOverTensors) {
  const std::string text = "tt.func public @kernel(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" +
                           LoadText("%v", "%x", 512, "i32") + R"(
  %zero = arith.constant dense<0> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %c0 = arith.constant 0 : i32
  %n, %last = scf.while (%y = %v, %k = %zero) : (tensor<512xi32>, tensor<512xi32>) -> (tensor<512xi32>, i32) {
    %most = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %m = arith.maxsi %a, %b : i32
      tt.reduce.return %m : i32
    }) : (tensor<512xi32>) -> i32
    %go = arith.cmpi sgt, %most, %c0 : i32
    scf.condition(%go) %k, %most : tensor<512xi32>, i32
  } do {
  ^bb0(%k: tensor<512xi32>, %most: i32):
    %count = arith.addi %k, %one : tensor<512xi32>
    %w = arith.shrsi %v, %count : tensor<512xi32>
    scf.yield %w, %count : tensor<512xi32>, tensor<512xi32>
  }
  %s = tt.splat %last : i32 -> tensor<512xi32>
  %r = arith.addi %n, %s : tensor<512xi32>
)" + StoreText("%r", "%o", 512, "i32") +
                           "tt.return\n}";
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<int32_t>(text, launch, {BufferOf(Counting(512))}, 512), std::vector<int32_t>(512, 9))
        << ToString(launch);
}

// A combine region that branches, in both a reduction and a scan: the larger by magnitude, the first of equals.
TEST(TritonControl, BranchesInCombineRegions) {
  const std::string region = R"(({
    ^bb0(%a: i32, %b: i32):
      %x = math.absi %a : i32
      %y = math.absi %b : i32
      %less = arith.cmpi slt, %x, %y : i32
      %z = scf.if %less -> (i32) {
        scf.yield %b : i32
      } else {
        scf.yield %a : i32
      }
)";
  const std::string text =
      "tt.func public @kernel(%p: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" + LoadText("%v", "%p", 512, "i32") +
      "ttg.barrier local|global_read\n%s = \"tt.scan\"(%v) <{axis = 0 : i32, reverse = false}> " + region +
      "tt.scan.return %z : i32\n}) : (tensor<512xi32>) -> tensor<512xi32>\n%t = \"tt.reduce\"(%v) <{axis = 0 : "
      "i32}> " +
      region +
      "tt.reduce.return %z : i32\n}) : (tensor<512xi32>) -> i32\n%u = tt.splat %t : i32 -> tensor<512xi32>\n"
      "%r = arith.xori %s, %u : tensor<512xi32>\nttg.barrier all\n" +
      StoreText("%r", "%o", 512, "i32") + "tt.return\n}";
  std::vector<int32_t> in, want;
  for (int i = 0; i < 512; ++i) in.push_back((i * 37 % 512 - 200) * (i % 2 ? 1 : -1));
  int32_t largest = in[0];
  for (int32_t x : in) want.push_back(largest = std::abs(largest) < std::abs(x) ? x : largest);
  for (int32_t& x : want) x ^= largest;
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<int32_t>(text, launch, {BufferOf(in)}, 512), want) << ToString(launch);
}

// A function called twice, which calls another and returns early.
constexpr char kFunctions[] = R"(
tt.func private @twice(%x: tensor<256xi32>) -> tensor<256xi32> {
  %r = arith.addi %x, %x : tensor<256xi32>
  tt.return %r : tensor<256xi32>
}
tt.func private @maybe_twice(%x: tensor<256xi32>, %n: i32) -> (tensor<256xi32>, i32) attributes {noinline = true} {
  %c0 = arith.constant 0 : i32
  %none = arith.cmpi eq, %n, %c0 : i32
  cf.cond_br %none, ^same, ^other
^same:
  tt.return %x, %c0 : tensor<256xi32>, i32
^other:
  %r = tt.call @twice(%x) : (tensor<256xi32>) -> tensor<256xi32>
  tt.return %r, %n : tensor<256xi32>, i32
}
)";
TEST(TritonControl, Calls) {
  const std::string text =
      kFunctions +
      ("tt.func public @kernel(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" + LoadText("%v", "%x", 256, "i32")) +
      R"(
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %w = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %v) -> (tensor<256xi32>) : i32 {
    %b, %n = tt.call @maybe_twice(%acc, %i) : (tensor<256xi32>, i32) -> (tensor<256xi32>, i32)
    %s = tt.splat %n : i32 -> tensor<256xi32>
    %c = arith.addi %b, %s : tensor<256xi32>
    scf.yield %c : tensor<256xi32>
  }
  %r = tt.call @twice(%w) : (tensor<256xi32>) -> tensor<256xi32>
)" + StoreText("%r", "%o", 256, "i32") +
      "tt.return\n}";
  std::vector<int32_t> want;
  for (int x : Counting(256)) want.push_back(((2 * x + 1) * 2 + 2) * 2);
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<int32_t>(text, launch, {BufferOf(Counting(256))}, 256), want) << ToString(launch);
}

std::string ErrorOf(const std::string& text) {
  CompileOptions options;
  options.target = FindTarget("gfx942").value();
  StatusOr<KernelObject> object = CompileToObject(text, "bad.ttir", options);
  return object.ok() ? "OK" : object.status().ToString();
}

TEST(TritonCallErrors, Recursion) {
  EXPECT_EQ(ErrorOf("tt.func private @f(%n: i32) {\n"
                    "  tt.call @f(%n) : (i32) -> ()\n"
                    "  tt.return\n"
                    "}\n"
                    "tt.func public @kernel(%n: i32) {\n"
                    "  tt.call @f(%n) : (i32) -> ()\n"
                    "  tt.return\n"
                    "}"),
            "E3002 TritonUnsupportedOp: tt.call of 'f': a function calls itself\n"
            "  where:    bad.ttir:2:3\n"
            "  expected: calls without recursion: they are all inlined");
}

TEST(TritonCallErrors, MissingFunctionAndWrongTypes) {
  EXPECT_EQ(ErrorOf("tt.func public @kernel(%n: i32) {\n  tt.call @g(%n) : (i32) -> ()\n  tt.return\n}"),
            "E3001 TritonSyntax: tt.call of 'g': there is no such function with a body\n"
            "  where:    bad.ttir:2:3\n"
            "  expected: tt.func private @name(...) { ... } in the same module");
  EXPECT_THAT(ErrorOf("tt.func private @g(%x: f32) {\n  tt.return\n}\n"
                      "tt.func public @kernel(%n: i32) {\n  tt.call @g(%n) : (i32) -> ()\n  tt.return\n}"),
              testing::HasSubstr("found:    (i32) -> ()\n  expected: (f32) -> ()"));
}

}  // namespace
}  // namespace rocxla::triton
