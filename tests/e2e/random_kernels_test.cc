// Random kernels, compiled for every first-class GPU and run on the embedded device, against the interpreter of Triton
// IR: bit for bit, where the program defines the result. `random_kernels` (random_kernels.cc) runs more of them.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rocxla::triton
