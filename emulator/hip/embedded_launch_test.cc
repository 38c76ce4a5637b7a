// Modules and launches of the embedded HIP functions, with the vector addition that Triton compiled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <vector>

#include "emulator/hip/embedded_test.h"

namespace rocxla::emu {
namespace {

using ::testing::HasSubstr;

std::vector<uint8_t> VectorAdd(const std::string& target) {
  std::ifstream file(ROCXLA_TEST_CASES "/triton/vector_add_fp32/triton-" + target + "/kernel.hsaco", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Device {
  int ordinal;
  const char* target;
  unsigned block_threads;  // 4 warps
};
void PrintTo(const Device& device, std::ostream* out) { *out << device.target; }

class EmbeddedLaunch : public ::testing::TestWithParam<Device> {
 protected:
  static constexpr int kElements = 5000;
  static constexpr unsigned kBlocks = 5;  // of 1024 elements

  void SetUp() override {
    ASSERT_EQ(hip.hipSetDevice(GetParam().ordinal), hipSuccess);
    ASSERT_EQ(hip.hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, 0), hipSuccess);
    ASSERT_EQ(hip.hipModuleLoadData(&module, VectorAdd(GetParam().target).data()), hipSuccess) << Detail();
    ASSERT_EQ(hip.hipModuleGetFunction(&function, module, "vector_add"), hipSuccess) << Detail();
    for (void*& buffer : buffers) ASSERT_EQ(hip.hipMalloc(&buffer, kElements * sizeof(float)), hipSuccess) << Detail();
  }
  void TearDown() override {
    hip.hipStreamDestroy(stream);
    hip.hipModuleUnload(module);
    for (void* buffer : buffers) hip.hipFree(buffer);  // some are freed already
    hip.hipSetDevice(0);
  }
  std::string Detail() { return hip.rocxlaGetLastErrorDetail(); }
  hipError_t LaunchWithPointers(int elements) {
    void* no_scratch = nullptr;
    void* params[] = {&buffers[0], &buffers[1], &buffers[2], &elements, &no_scratch, &no_scratch};
    return hip.hipModuleLaunchKernel(function, kBlocks, 1, 1, GetParam().block_threads, 1, 1, 0, stream, params,
                                     nullptr);
  }
  void Fill(int buffer, std::vector<float> values) {
    ASSERT_EQ(hip.hipMemcpy(buffers[buffer], values.data(), values.size() * sizeof(float), hipMemcpyHostToDevice),
              hipSuccess);
  }

  const HipApi& hip = **EmbeddedHip();
  hipStream_t stream = nullptr;
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  void* buffers[3] = {};
};

TEST_P(EmbeddedLaunch, AddsVectors) {
  std::vector<float> x(kElements), y(kElements), sum(kElements), expected(kElements);
  for (int i = 0; i < kElements; ++i) x[i] = i * 0.5f, y[i] = 3.0f - i, expected[i] = x[i] + y[i];
  Fill(0, x);
  Fill(1, y);
  (void)TakeLaunchTotals();
  ASSERT_EQ(LaunchWithPointers(kElements), hipSuccess) << Detail();
  hip.hipMemcpyAsync(sum.data(), buffers[2], kElements * sizeof(float), hipMemcpyDeviceToHost, stream);
  ASSERT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  EXPECT_EQ(sum, expected);
  const LaunchTotals totals = TakeLaunchTotals();
  EXPECT_EQ(totals.launches, 1u);
  EXPECT_EQ(totals.waves, kBlocks * 4u);
  EXPECT_GT(totals.instructions, totals.waves);
  EXPECT_EQ(TakeLaunchTotals().launches, 0u);
}

TEST_P(EmbeddedLaunch, TakesArgumentsAsABuffer) {
  struct {
    void *x, *y, *out;
    int n;
    void *scratch, *profile;
  } arguments = {buffers[0], buffers[1], buffers[2], kElements, nullptr, nullptr};
  size_t bytes = sizeof(arguments);
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  auto launch = [&](void** params, void** extra) {
    return hip.hipModuleLaunchKernel(function, kBlocks, 1, 1, GetParam().block_threads, 1, 1, 0, stream, params, extra);
  };
  Fill(0, std::vector<float>(kElements, 1));
  Fill(1, std::vector<float>(kElements, 2));
  ASSERT_EQ(launch(nullptr, extra), hipSuccess);
  ASSERT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  std::vector<float> sum(kElements);
  hip.hipMemcpy(sum.data(), buffers[2], kElements * sizeof(float), hipMemcpyDeviceToHost);
  EXPECT_EQ(sum, std::vector<float>(kElements, 3));

  bytes = 40;
  EXPECT_EQ(launch(nullptr, extra), hipErrorInvalidValue);
  EXPECT_EQ(Detail(), "kernel 'vector_add': the argument buffer has 40 bytes, the kernel takes 48");
  EXPECT_EQ(launch(extra, extra), hipErrorInvalidValue);
  EXPECT_EQ(launch(nullptr, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(Detail(), "kernel 'vector_add': the kernel takes 48 bytes of arguments, none are given");
}

TEST_P(EmbeddedLaunch, FaultEndsTheStreamAndKeepsItsText) {
  ASSERT_EQ(hip.hipFree(buffers[2]), hipSuccess);
  ASSERT_EQ(LaunchWithPointers(kElements), hipSuccess) << "launches are asynchronous";
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipErrorIllegalAddress);
  EXPECT_THAT(Detail(), HasSubstr("E2104 EmulatorMemoryFault"));
  EXPECT_THAT(Detail(), HasSubstr("vector_add"));
  EXPECT_EQ(hip.hipStreamQuery(stream), hipErrorIllegalAddress) << "it sticks";
  hipStream_t other = nullptr;
  hip.hipStreamCreateWithPriority(&other, hipStreamNonBlocking, 0);
  EXPECT_EQ(hip.hipStreamSynchronize(other), hipSuccess) << "to that stream";
  hip.hipStreamDestroy(other);
}

TEST_P(EmbeddedLaunch, TraceGivesLinesUntilItIsTurnedOff) {
  std::vector<std::string> lines, registers;
  (void)TakeLaunchTotals();
  SetLaunchWatch(
      {.trace = [&](std::string_view line) { (line.starts_with(" ") ? registers : lines).emplace_back(line); }});
  ASSERT_EQ(LaunchWithPointers(0), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  SetLaunchWatch({});
  EXPECT_EQ(lines.size(), TakeLaunchTotals().instructions);
  EXPECT_THAT(lines, ::testing::Each(HasSubstr("vector_add")));
  EXPECT_THAT(registers, ::testing::Contains(::testing::StartsWith("    v0 = 0x")));
  EXPECT_THAT(lines, ::testing::Contains(HasSubstr("s_endpgm")).Times(kBlocks * 4));
  const size_t count = lines.size();
  ASSERT_EQ(LaunchWithPointers(0), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  EXPECT_EQ(lines.size(), count);
}

TEST_P(EmbeddedLaunch, FunctionAttributes) {
  auto attribute = [&](hipFunction_attribute which) {
    int value = -1;
    EXPECT_EQ(hip.hipFuncGetAttribute(&value, which, function), hipSuccess);
    return value;
  };
  EXPECT_EQ(attribute(HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), static_cast<int>(GetParam().block_threads));
  EXPECT_EQ(attribute(HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 0);
  EXPECT_EQ(attribute(HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 0);
  EXPECT_GT(attribute(HIP_FUNC_ATTRIBUTE_NUM_REGS), 0);
  int blocks = 0;
  EXPECT_EQ(hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0), hipSuccess);
  EXPECT_GT(blocks, 0);
}

// A kernel in a captured graph, and the same node with other arguments.
TEST_P(EmbeddedLaunch, KernelsInGraphs) {
  Fill(0, std::vector<float>(kElements, 1));
  Fill(1, std::vector<float>(kElements, 2));
  hip.hipMemset(buffers[2], 0, kElements * sizeof(float));
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hip.hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal), hipSuccess);
  ASSERT_EQ(LaunchWithPointers(kElements), hipSuccess) << Detail();
  ASSERT_EQ(hip.hipStreamEndCapture(stream, &graph), hipSuccess) << Detail();
  hipGraphNode_t node = nullptr;
  size_t count = 1;
  hip.hipGraphGetNodes(graph, &node, &count);
  hipGraphExec_t exec = nullptr;
  ASSERT_EQ(hip.hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipSuccess);
  auto first_sum = [&] {
    float sum = -1;
    EXPECT_EQ(hip.hipGraphLaunch(exec, stream), hipSuccess);
    EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
    hip.hipMemcpy(&sum, buffers[2], sizeof(sum), hipMemcpyDeviceToHost);
    return sum;
  };
  EXPECT_EQ(first_sum(), 3);
  int elements = kElements;
  void* no_scratch = nullptr;
  void* params[] = {&buffers[1], &buffers[1], &buffers[2], &elements, &no_scratch, &no_scratch};
  const hipKernelNodeParams changed{.blockDim = {GetParam().block_threads, 1, 1},
                                    .extra = nullptr,
                                    .func = function,
                                    .gridDim = {kBlocks, 1, 1},
                                    .kernelParams = params,
                                    .sharedMemBytes = 0};
  ASSERT_EQ(hip.hipGraphExecKernelNodeSetParams(exec, node, &changed), hipSuccess) << Detail();
  EXPECT_EQ(first_sum(), 4);
  hip.hipGraphExecDestroy(exec);
  hip.hipGraphDestroy(graph);
}

// A kernel reaches another device's memory when that is enabled, and faults when it is not.
TEST_P(EmbeddedLaunch, PeerMemory) {
  const int peer = 1 - GetParam().ordinal;
  hip.hipFree(buffers[2]);
  ASSERT_EQ(hip.hipSetDevice(peer), hipSuccess);
  ASSERT_EQ(hip.hipMalloc(&buffers[2], kElements * sizeof(float)), hipSuccess);
  ASSERT_EQ(hip.hipSetDevice(GetParam().ordinal), hipSuccess);
  Fill(0, std::vector<float>(kElements, 1));
  Fill(1, std::vector<float>(kElements, 1));
  ASSERT_EQ(hip.hipDeviceEnablePeerAccess(peer, 0), hipSuccess);
  ASSERT_EQ(LaunchWithPointers(kElements), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  ASSERT_EQ(hip.hipDeviceDisablePeerAccess(peer), hipSuccess);
  ASSERT_EQ(LaunchWithPointers(kElements), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipErrorIllegalAddress);
}

TEST_P(EmbeddedLaunch, OccupancyAndLimits) {
  int grid = 0, threads = 0;
  EXPECT_EQ(hip.hipModuleOccupancyMaxPotentialBlockSize(&grid, &threads, function, 0, 0), hipSuccess) << Detail();
  EXPECT_EQ(threads, static_cast<int>(GetParam().block_threads)) << "what the kernel was compiled for";
  EXPECT_GT(grid, 0);
  EXPECT_EQ(hip.hipModuleOccupancyMaxPotentialBlockSize(&grid, &threads, function, 0, 100), hipSuccess);
  EXPECT_EQ(threads, GetParam().ordinal == 0 ? 64 : 96) << "whole waves";
  EXPECT_EQ(hip.hipModuleOccupancyMaxPotentialBlockSize(&grid, &threads, function, 1 << 20, 0),
            hipErrorInvalidConfiguration);
  EXPECT_EQ(hip.hipFuncSetAttribute(function, hipFuncAttributeMaxDynamicSharedMemorySize, 65536), hipSuccess);
  EXPECT_EQ(hip.hipFuncSetAttribute(function, hipFuncAttributeMaxDynamicSharedMemorySize, 65537), hipErrorInvalidValue);
}

// The launch says so itself, and the stream goes on.
TEST_P(EmbeddedLaunch, ImpossibleLaunchesAreRefusedAtOnce) {
  int elements = kElements;
  void* no_scratch = nullptr;
  void* params[] = {&buffers[0], &buffers[1], &buffers[2], &elements, &no_scratch, &no_scratch};
  const auto launch = [&](unsigned blocks, unsigned threads, unsigned lds_bytes) {
    return hip.hipModuleLaunchKernel(function, blocks, 1, 1, threads, 1, 1, lds_bytes, stream, params, nullptr);
  };
  EXPECT_EQ(launch(0, 64, 0), hipErrorInvalidConfiguration);
  EXPECT_EQ(launch(1, 0, 0), hipErrorInvalidConfiguration);
  EXPECT_EQ(launch(1, 1025, 0), hipErrorInvalidConfiguration);
  EXPECT_THAT(Detail(), HasSubstr("is launched with a block that is too large"));
  EXPECT_EQ(launch(1, 64, 1 << 20), hipErrorInvalidConfiguration);
  Fill(0, std::vector<float>(kElements, 1));
  Fill(1, std::vector<float>(kElements, 2));
  ASSERT_EQ(LaunchWithPointers(kElements), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
}

TEST_P(EmbeddedLaunch, CooperativeGridsMustFitTheDevice) {
  int elements = kElements, units = 0, per_unit = 0;
  void* no_scratch = nullptr;
  void* params[] = {&buffers[0], &buffers[1], &buffers[2], &elements, &no_scratch, &no_scratch};
  const unsigned threads = GetParam().block_threads;
  auto launch = [&](unsigned blocks) {
    return hip.hipModuleLaunchCooperativeKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, params);
  };
  Fill(0, std::vector<float>(kElements, 1));
  Fill(1, std::vector<float>(kElements, 2));
  EXPECT_EQ(launch(kBlocks), hipSuccess) << Detail();
  std::vector<float> sum(kElements);
  hip.hipMemcpyAsync(sum.data(), buffers[2], kElements * sizeof(float), hipMemcpyDeviceToHost, stream);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  EXPECT_EQ(sum, std::vector<float>(kElements, 3));

  ASSERT_EQ(hip.hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, GetParam().ordinal), hipSuccess);
  ASSERT_EQ(hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, function, threads, 0), hipSuccess);
  EXPECT_EQ(launch(units * per_unit + 1), hipErrorCooperativeLaunchTooLarge);
  EXPECT_THAT(Detail(), HasSubstr("workgroups are launched cooperatively, "));
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << "nothing was launched";
}

TEST_P(EmbeddedLaunch, OffloadBundles) {
  // Format: base/hip/offload_bundle.h.
  std::vector<uint8_t> bundle, codes;
  auto put = [&](const void* bytes, size_t size) {
    bundle.insert(bundle.end(), static_cast<const uint8_t*>(bytes), static_cast<const uint8_t*>(bytes) + size);
  };
  auto word = [&](uint64_t value) { put(&value, sizeof value); };
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__", prefix = "hipv4-amdgcn-amd-amdhsa--";
  const char* const targets[] = {"gfx90a", "gfx942", "gfx1100"};
  put(magic.data(), magic.size());
  word(std::size(targets));
  constexpr uint64_t kCodes = 4096;
  for (const std::string target : targets) {
    const std::vector<uint8_t> code = VectorAdd(target);
    word(kCodes + codes.size()), word(code.size()), word(prefix.size() + target.size());
    put((prefix + target).data(), prefix.size() + target.size());
    codes.insert(codes.end(), code.begin(), code.end());
  }
  bundle.resize(kCodes);
  put(codes.data(), codes.size());
  hipModule_t bundled = nullptr;
  ASSERT_EQ(hip.hipModuleLoadData(&bundled, bundle.data()), hipSuccess) << Detail();
  ASSERT_EQ(hip.hipModuleGetFunction(&function, bundled, "vector_add"), hipSuccess) << Detail();
  EXPECT_EQ(LaunchWithPointers(kElements), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipModuleUnload(bundled), hipSuccess);
  bundle[24] = 1;  // only gfx90a's is left
  EXPECT_EQ(hip.hipModuleLoadData(&bundled, bundle.data()), hipErrorNoBinaryForGpu);
  EXPECT_THAT(Detail(), HasSubstr("E2002 EmulatorWrongTarget: the offload bundle has no code object for the device"));
}

TEST_P(EmbeddedLaunch, WrongModulesAndNames) {
  const char* other_target = GetParam().ordinal == 0 ? "gfx1100" : "gfx942";
  hipModule_t other = nullptr;
  EXPECT_EQ(hip.hipModuleLoadData(&other, VectorAdd(other_target).data()), hipErrorNoBinaryForGpu);
  EXPECT_THAT(Detail(), HasSubstr("E2002 EmulatorWrongTarget"));
  EXPECT_EQ(hip.hipModuleLoadData(&other, "these are not the bytes of an ELF file"), hipErrorInvalidImage);
  hipFunction_t missing = nullptr;
  EXPECT_EQ(hip.hipModuleGetFunction(&missing, module, "vector_sub"), hipErrorNotFound);
  EXPECT_THAT(Detail(), HasSubstr("E2003 EmulatorUnknownKernel"));
  void* pointer = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(hip.hipModuleGetGlobal(&pointer, &bytes, module, "nothing"), hipErrorNotFound);
  EXPECT_EQ(hip.hipModuleUnload(module), hipSuccess);
  EXPECT_EQ(LaunchWithPointers(1), hipErrorInvalidHandle) << "functions go with their module";
}

INSTANTIATE_TEST_SUITE_P(Devices, EmbeddedLaunch,
                         ::testing::Values(Device{0, "gfx942", 256}, Device{1, "gfx1100", 128}),
                         [](const auto& test) { return test.param.target; });

}  // namespace
}  // namespace rocxla::emu
