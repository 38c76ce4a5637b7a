// Random kernels, compiled for every first-class GPU and run on the embedded device, against the interpreter of Triton
// IR: bit for bit, where the program defines the result. `random_kernels` (random_kernels.cc) runs more of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/target/target.h"
#include "tests/e2e/random_kernel_runner.h"

namespace rocxla::triton {
namespace {

class RandomKernels : public testing::TestWithParam<int> {};

TEST_P(RandomKernels, AgreeWithTheInterpreter) {
  const auto seed = static_cast<uint64_t>(GetParam());
  auto kernel = MakeInterpretedKernel(seed);
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString() << "\n" << MakeRandomKernel(seed).ttir;
  const std::string& text = kernel->kernel.ttir;
  EXPECT_GT(DefinedShare(*kernel), 0) << text;
  for (const GpuTarget& target : AllTargets()) {
    if (target.support != TargetSupport::kFirstClass) continue;
    const Outcome outcome = CompareOnDevice(*kernel, target.name, seed);
    EXPECT_EQ(outcome.verdict, Verdict::kAgrees)
        << "seed " << seed << " on " << target.name << ": " << outcome.text << "\n"
        << text;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels, testing::Range(0, 30));

TEST(RandomKernel, IsTheSameForASeed) {
  EXPECT_EQ(MakeRandomKernel(7).ttir, MakeRandomKernel(7).ttir);
  EXPECT_NE(MakeRandomKernel(7).ttir, MakeRandomKernel(8).ttir);
}

// One bit of what is expected, changed.
TEST(RandomKernel, ADifferenceIsSeen) {
  auto kernel = MakeInterpretedKernel(1);
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
  ASSERT_EQ(CompareOnDevice(*kernel, "gfx942", 1).verdict, Verdict::kAgrees);
  for (size_t b = 0; b < kernel->expected.size(); ++b) {
    InterpretedKernel changed = *kernel;
    if (!changed.kernel.buffers[b].is_output || changed.expected[b].undefined[0] != 0) continue;
    changed.expected[b].bytes[0] ^= 1;
    const Outcome outcome = CompareOnDevice(changed, "gfx942", 1);
    EXPECT_EQ(outcome.verdict, Verdict::kDiffers);
    EXPECT_EQ(outcome.text.find(fmt::format("%buf{} (", b)), 0u) << outcome.text;
    return;
  }
  FAIL() << "no output to change in\n" << kernel->kernel.ttir;
}

//===-- What they found
//-----------------------------------------------------------------------------------------------===//

// %x points to `in`, %o to as many elements that become `out`, in the interpreter and on every first-class GPU. `body`
// makes %r of the tensor %v.
template <class T>
void ExpectElements(const std::string& element, const std::string& body, const std::vector<T>& in,
                    const std::vector<T>& out) {
  RandomKernel kernel;
  kernel.num_warps = 1;
  const std::string index = fmt::format("tensor<{}xi32>", in.size());
  const std::string pointer = "!tt.ptr<" + element + ">", pointers = fmt::format("tensor<{}x{}>", in.size(), pointer);
  kernel.ttir = fmt::format(
      "tt.func public @kernel(%x: {4}, %o: {4}) {{\n"
      "  %i = tt.make_range {{end = {0} : i32, start = 0 : i32}} : {1}\n"
      "  %xs = tt.splat %x : {4} -> {2}\n  %xp = tt.addptr %xs, %i : {2}, {1}\n"
      "  %v = tt.load %xp : {2}\n{3}  %os = tt.splat %o : {4} -> {2}\n"
      "  %op = tt.addptr %os, %i : {2}, {1}\n  tt.store %op, %r : {2}\n  tt.return\n}}\n",
      in.size(), index, pointers, body, pointer);
  const size_t bytes = sizeof(T) * in.size();
  kernel.buffers.assign(2, {element, std::vector<uint8_t>(bytes)});
  kernel.buffers[1].is_output = true;
  std::memcpy(kernel.buffers[0].bytes.data(), in.data(), bytes);
  auto interpreted = InterpretKernel(kernel);
  ASSERT_TRUE(interpreted.ok()) << interpreted.status().ToString();
  std::vector<T> expected(out.size());
  std::memcpy(expected.data(), interpreted->expected[1].bytes.data(), bytes);
  EXPECT_EQ(expected, out);
  for (const GpuTarget& target : AllTargets()) {
    if (target.support != TargetSupport::kFirstClass) continue;
    const Outcome outcome = CompareOnDevice(*interpreted, target.name, 0);
    EXPECT_EQ(outcome.verdict, Verdict::kAgrees) << target.name << ": " << outcome.text;
  }
}

// Multiplied in f32 and rounded: v_fma_mix adds +0.
TEST(FoundByRandomKernels, ARoundedProductKeepsTheSignOfZero) {
  ExpectElements<uint16_t>("f16",
                           "  %w = arith.extf %v : tensor<4xf16> to tensor<4xf32>\n"
                           "  %two = arith.constant dense<2.5> : tensor<4xf32>\n"
                           "  %m = arith.mulf %w, %two : tensor<4xf32>\n"
                           "  %r = arith.truncf %m : tensor<4xf32> to tensor<4xf16>\n",
                           {0x8000, 0x0000, 0x3c00, 0xbc00}, {0x8000, 0x0000, 0x4100, 0xc100});
}

// 0 - x is not -x.
TEST(FoundByRandomKernels, ADifferenceFromZeroKeepsTheSignOfZero) {
  ExpectElements<uint16_t>("f16",
                           "  %z = arith.constant dense<0.0> : tensor<4xf16>\n"
                           "  %r = arith.subf %z, %v : tensor<4xf16>\n",
                           {0x8000, 0x0000, 0x3c00, 0xbc00}, {0x0000, 0x0000, 0xbc00, 0x3c00});
  ExpectElements<uint16_t>("bf16",
                           "  %z = arith.constant dense<0.0> : tensor<4xbf16>\n"
                           "  %r = arith.subf %z, %v : tensor<4xbf16>\n",
                           {0x8000, 0x0000, 0x3f80, 0xbf80}, {0x0000, 0x0000, 0xbf80, 0x3f80});
  const float zero = 0;
  ExpectElements<float>("f32",
                        "  %z = arith.constant dense<0.0> : tensor<2xf32>\n"
                        "  %d = arith.subf %z, %v : tensor<2xf32>\n"
                        "  %one = arith.constant dense<1.0> : tensor<2xf32>\n"
                        "  %r = math.copysign %one, %d : tensor<2xf32>\n",
                        {zero, 1}, {1, -1});
}

// A product of neighbours' numbers: gfx12 has no v_mad_co_u64_u32 with DPP.
TEST(FoundByRandomKernels, ProductsBetweenLanes) {
  const std::vector<int64_t> in = {3, -5, 7, int64_t{1} << 33};
  const auto scan = [](const std::string& element, const std::string& operand) {
    return fmt::format(
        "  %r = \"tt.scan\"({1}) <{{axis = 0 : i32, reverse = false}}> ({{\n  ^bb0(%a: {0}, %b: {0}):\n"
        "    %p = arith.muli %a, %b : {0}\n    tt.scan.return %p : {0}\n"
        "  }}) : (tensor<4x{0}>) -> tensor<4x{0}>\n",
        element, operand);
  };
  ExpectElements<int64_t>("i64", scan("i64", "%v"), in, {3, -15, -105, -105 * (int64_t{1} << 33)});
  const std::string halves =
      "  %c = arith.constant dense<65535> : tensor<4xi64>\n  %w = arith.andi %v, %c : tensor<4xi64>\n";
  ExpectElements<int64_t>("i64", halves + scan("i64", "%w"), {3, 5, 7, 0x10009}, {3, 15, 105, 945});
  ExpectElements<int32_t>("i32", scan("i32", "%v"), {3, 5, 7, 9}, {3, 15, 105, 945});
  const std::string reduce =
      "  %s = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n  ^bb0(%a: i64, %b: i64):\n"
      "    %p = arith.muli %a, %b : i64\n    tt.reduce.return %p : i64\n"
      "  }) : (tensor<4xi64>) -> i64\n  %r = tt.splat %s : i64 -> tensor<4xi64>\n";
  ExpectElements<int64_t>("i64", reduce, in, std::vector<int64_t>(4, -105 * (int64_t{1} << 33)));
}

// A scaled product, the first %n results of which are stored: all lanes take part, also those that store nothing.
TEST(FoundByRandomKernels, AScaledProductThatIsStoredInPart) {
  RandomKernel kernel;
  kernel.num_warps = 8;
  kernel.numbers = {48};
  kernel.buffers = {{"f32", std::vector<uint8_t>(4 * 256), true}};
  kernel.ttir = R"(tt.func public @kernel(%o: !tt.ptr<f32>, %n: i32 {tt.divisibility = 16 : i32}) {
    %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %m = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %columns = tt.expand_dims %m {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %ka = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %kab = tt.broadcast %ka : tensor<1x64xi32> -> tensor<16x64xi32>
    %row_a = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x64xi32>
    %ai = arith.addi %kab, %row_a : tensor<16x64xi32>
    %three_a = arith.constant dense<3> : tensor<16x64xi32>
    %am = arith.andi %ai, %three_a : tensor<16x64xi32>
    %af = arith.sitofp %am : tensor<16x64xi32> to tensor<16x64xf32>
    %a = tt.fp_to_fp %af, rounding = rtne : tensor<16x64xf32> -> tensor<16x64xf8E4M3FN>
    %kb = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %kbb = tt.broadcast %kb : tensor<64x1xi32> -> tensor<64x16xi32>
    %column_b = tt.broadcast %columns : tensor<1x16xi32> -> tensor<64x16xi32>
    %bi = arith.muli %kbb, %column_b : tensor<64x16xi32>
    %three_b = arith.constant dense<3> : tensor<64x16xi32>
    %bm = arith.andi %bi, %three_b : tensor<64x16xi32>
    %bf = arith.sitofp %bm : tensor<64x16xi32> to tensor<64x16xf32>
    %b = tt.fp_to_fp %bf, rounding = rtne : tensor<64x16xf32> -> tensor<64x16xf8E5M2>
    %scale = arith.constant dense<127> : tensor<16x2xi8>
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %d = tt.dot_scaled %a scale %scale, %b scale %scale, %zero lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x2xi8> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<16x16xf32>
    %sixteen = arith.constant dense<16> : tensor<16x1xi32>
    %first = arith.muli %rows, %sixteen : tensor<16x1xi32>
    %firsts = tt.broadcast %first : tensor<16x1xi32> -> tensor<16x16xi32>
    %nexts = tt.broadcast %columns : tensor<1x16xi32> -> tensor<16x16xi32>
    %at = arith.addi %firsts, %nexts : tensor<16x16xi32>
    %ns = tt.splat %n : i32 -> tensor<16x16xi32>
    %some = arith.cmpi slt, %at, %ns : tensor<16x16xi32>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %p = tt.addptr %os, %at : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %p, %d, %some : tensor<16x16x!tt.ptr<f32>>
    tt.return
  })";
  auto interpreted = InterpretKernel(kernel);
  ASSERT_TRUE(interpreted.ok()) << interpreted.status().ToString();
  float sum = 0, row_1_column_1;
  for (int k = 0; k < 64; ++k) sum += static_cast<float>((k + 1) % 4 * (k % 4));
  std::memcpy(&row_1_column_1, interpreted->expected[0].bytes.data() + sizeof(float) * 17, sizeof(float));
  EXPECT_EQ(row_1_column_1, sum);
  for (const GpuTarget& target : AllTargets()) {
    if (target.support != TargetSupport::kFirstClass) continue;
    const Outcome outcome = CompareOnDevice(*interpreted, target.name, 0);
    EXPECT_EQ(outcome.verdict, Verdict::kAgrees) << target.name << ": " << outcome.text;
  }
}

}  // namespace
}  // namespace rocxla::triton
