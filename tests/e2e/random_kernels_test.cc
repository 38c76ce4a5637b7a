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

// %x holds `in`, %o as many f16 that become `out`, in the interpreter and on every first-class GPU.
void ExpectHalves(const std::string& body, const std::vector<uint16_t>& in, const std::vector<uint16_t>& out) {
  RandomKernel kernel;
  kernel.num_warps = 1;
  const std::string index = fmt::format("tensor<{}xi32>", in.size());
  const std::string pointers = fmt::format("tensor<{}x!tt.ptr<f16>>", in.size());
  kernel.ttir = fmt::format(
      "tt.func public @kernel(%x: !tt.ptr<f16>, %o: !tt.ptr<f16>) {{\n"
      "  %i = tt.make_range {{end = {0} : i32, start = 0 : i32}} : {1}\n"
      "  %xs = tt.splat %x : !tt.ptr<f16> -> {2}\n  %xp = tt.addptr %xs, %i : {2}, {1}\n"
      "  %v = tt.load %xp : {2}\n{3}  %os = tt.splat %o : !tt.ptr<f16> -> {2}\n"
      "  %op = tt.addptr %os, %i : {2}, {1}\n  tt.store %op, %r : {2}\n  tt.return\n}}\n",
      in.size(), index, pointers, body);
  KernelBuffer buffer{"f16", std::vector<uint8_t>(2 * in.size())};
  kernel.buffers = {buffer, buffer};
  kernel.buffers[1].is_output = true;
  std::memcpy(kernel.buffers[0].bytes.data(), in.data(), 2 * in.size());
  auto interpreted = InterpretKernel(kernel);
  ASSERT_TRUE(interpreted.ok()) << interpreted.status().ToString();
  std::vector<uint16_t> expected(out.size());
  std::memcpy(expected.data(), interpreted->expected[1].bytes.data(), 2 * out.size());
  EXPECT_EQ(expected, out);
  for (const GpuTarget& target : AllTargets()) {
    if (target.support != TargetSupport::kFirstClass) continue;
    const Outcome outcome = CompareOnDevice(*interpreted, target.name, 0);
    EXPECT_EQ(outcome.verdict, Verdict::kAgrees) << target.name << ": " << outcome.text;
  }
}

// Multiplied in f32 and rounded: v_fma_mix adds +0.
TEST(FoundByRandomKernels, ARoundedProductKeepsTheSignOfZero) {
  ExpectHalves(
      "  %w = arith.extf %v : tensor<4xf16> to tensor<4xf32>\n"
      "  %two = arith.constant dense<2.5> : tensor<4xf32>\n"
      "  %m = arith.mulf %w, %two : tensor<4xf32>\n"
      "  %r = arith.truncf %m : tensor<4xf32> to tensor<4xf16>\n",
      {0x8000, 0x0000, 0x3c00, 0xbc00}, {0x8000, 0x0000, 0x4100, 0xc100});
}

}  // namespace
}  // namespace rocxla::triton
