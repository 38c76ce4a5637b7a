// Buffers beyond 4 GiB: element offsets in 32 and 64 bits whose byte offsets do not fit 32, with and without masks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/target/target.h"
#include "tests/e2e/triton_kernel.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/stream.h"

namespace rocxla::triton {
namespace {

namespace se = ::stream_executor;

constexpr int kLanes = 64;
constexpr int kPrograms = 3;
constexpr int64_t kBytes = int64_t{6} << 30;  // only touched pages take memory

struct Access {
  const char* name;
  const char* index;  // type of the element index
  bool is_masked;
  int64_t stride;  // elements between programs; the last program is beyond 4 GiB
};
std::string ToString(const Access& access) { return access.name; }

// Program p adds 1000 p + lane to the elements p * stride + lane. Masks leave the last lane out.
std::string Kernel(const Access& access) {
  const std::string tensor = fmt::format("tensor<{}x{}>", kLanes, access.index);
  const std::string pointers = fmt::format("tensor<{}x!tt.ptr<i32>>", kLanes);
  const std::string mask = access.is_masked ? ", %m" : "";
  const std::string wide = std::string(access.index) == "i64"
                               ? fmt::format(
                                     "  %pi = arith.extsi %p : i32 to i64\n"
                                     "  %lane = arith.extsi %l : tensor<{0}xi32> to {1}\n",
                                     kLanes, tensor)
                               : fmt::format(
                                     "  %zero = arith.constant 0 : i32\n  %none = arith.constant dense<0> : {}\n"
                                     "  %pi = arith.addi %p, %zero : i32\n  %lane = arith.addi %l, %none : {}\n",
                                     tensor, tensor);
  return fmt::format(
      "tt.func public @kernel(%big: !tt.ptr<i32> {{tt.divisibility = 16 : i32}}) {{\n"
      "  %p = tt.get_program_id x : i32\n"
      "  %l = tt.make_range {{end = {0} : i32, start = 0 : i32}} : tensor<{0}xi32>\n"
      "{1}  %stride = arith.constant {2} : {3}\n"
      "  %first = arith.muli %pi, %stride : {3}\n"
      "  %firsts = tt.splat %first : {3} -> {4}\n"
      "  %index = arith.addi %firsts, %lane : {4}\n"
      "  %bases = tt.splat %big : !tt.ptr<i32> -> {5}\n"
      "  %ptr = tt.addptr %bases, %index : {5}, {4}\n"
      "  %last = arith.constant dense<{6}> : tensor<{0}xi32>\n"
      "  %m = arith.cmpi slt, %l, %last : tensor<{0}xi32>\n"
      "  %old = tt.load %ptr{7} : {5}\n"
      "  %thousand = arith.constant 1000 : i32\n"
      "  %tag = arith.muli %p, %thousand : i32\n"
      "  %tags = tt.splat %tag : i32 -> tensor<{0}xi32>\n"
      "  %what = arith.addi %tags, %l : tensor<{0}xi32>\n"
      "  %new = arith.addi %old, %what : tensor<{0}xi32>\n"
      "  tt.store %ptr, %new{7} : {5}\n  tt.return\n}}\n",
      kLanes, wide, access.stride, access.index, tensor, pointers, kLanes - 1, mask);
}

Status RunOn(const Access& access, const std::string& target) {
  CompileOptions options;
  ASSIGN_OR_RETURN(options.target, FindTarget(target));
  options.num_warps = 1;
  ASSIGN_OR_RETURN(const CompiledKernel compiled, Compile(Kernel(access), "kernel.ttir", options));
  ASSIGN_OR_RETURN(auto device, se::gpu::SelectDevice("embedded:" + target));
  ASSIGN_OR_RETURN(const se::DeviceAddressBase big, device.executor->Allocate(kBytes));
  const auto place = [&](int64_t element) {
    return se::DeviceAddressBase(static_cast<char*>(big.opaque()) + 4 * element, kLanes * 4);
  };
  std::vector<int32_t> values(kLanes, 7);
  for (int p = 0; p < kPrograms; ++p) {
    RETURN_IF_ERROR(device.executor->SynchronousMemcpy(place(p * access.stride), values.data(), kLanes * 4));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<se::Module> module, device.executor->LoadModule(compiled.code_object));
  ASSIGN_OR_RETURN(std::unique_ptr<se::Kernel> kernel, module->GetKernel("kernel"));
  ASSIGN_OR_RETURN(std::unique_ptr<se::Stream> stream, device.executor->CreateStream());
  se::KernelArgs arguments(static_cast<uint32_t>(compiled.info.shared_bytes));
  arguments.Add(big);
  se::LaunchDimensions dims;
  dims.blocks.x = kPrograms;
  dims.threads.x = compiled.info.threads_per_block;
  RETURN_IF_ERROR(kernel->Launch(dims, *stream, arguments));
  RETURN_IF_ERROR(stream->BlockHostUntilDone());
  for (int p = 0; p < kPrograms; ++p) {
    RETURN_IF_ERROR(device.executor->SynchronousMemcpy(values.data(), place(p * access.stride), kLanes * 4));
    for (int lane = 0; lane < kLanes; ++lane) {
      const bool is_left_out = access.is_masked && lane == kLanes - 1;
      EXPECT_EQ(values[lane], is_left_out ? 7 : 7 + 1000 * p + lane) << "program " << p << ", lane " << lane;
    }
  }
  return device.executor->Deallocate(big);
}

class LargeBuffers : public testing::TestWithParam<Access> {};

TEST_P(LargeBuffers, AreReadAndWrittenInPlace) {
  for (const GpuTarget& target : AllTargets()) {
    if (target.support != TargetSupport::kFirstClass) continue;
    SCOPED_TRACE(target.name);
    const Status status = RunOn(GetParam(), std::string(target.name));
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
}

// Offsets of 2.2 and 4.4 GB, and of 2.9 and 5.8 GB.
INSTANTIATE_TEST_SUITE_P(Offsets, LargeBuffers,
                         testing::Values(Access{"i32", "i32", false, 550'000'000},
                                         Access{"i32_masked", "i32", true, 550'000'000},
                                         Access{"i64", "i64", false, 725'000'000},
                                         Access{"i64_masked", "i64", true, 725'000'000}),
                         [](const auto& info) { return ToString(info.param); });

}  // namespace
}  // namespace rocxla::triton
