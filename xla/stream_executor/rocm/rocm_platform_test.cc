#include "xla/stream_executor/rocm/rocm_platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "base/hip/hip_providers.h"
#include "xla/stream_executor/platform_manager.h"

namespace stream_executor::gpu {
namespace {

using ::testing::HasSubstr;

std::atomic<int> init_calls = 0;

// A runtime with two devices, or one that fails at some point.
HipApi FakeRuntime() {
  HipApi api;
  api.origin = "fake runtime";
  api.hipInit = [](unsigned) { return ++init_calls, hipSuccess; };
  api.hipGetDeviceCount = [](int* count) { return *count = 2, hipSuccess; };
  api.hipDeviceGetName = [](char* name, int, int) { return name[0] = 'G', name[1] = '\0', hipSuccess; };
  api.hipDeviceGetPCIBusId = [](char* id, int, int) { return std::strcpy(id, "0000:C1:00.0"), hipSuccess; };
  api.hipDeviceGetAttribute = [](int*, rocxla::hipDeviceAttribute_t, int) { return rocxla::hipErrorInvalidValue; };
  api.hipDeviceTotalMem = [](size_t* bytes, int) { return *bytes = 1 << 30, hipSuccess; };
  api.hipRuntimeGetVersion = [](int* version) { return *version = 60'342'131, hipSuccess; };
  api.hipDriverGetVersion = [](int*) { return rocxla::hipErrorNotSupported; };
  api.hipGetDeviceProperties = [](rocxla::hipDeviceProp_tR0000* properties, int) {
    return std::strcpy(properties->gcnArchName, "gfx90a:sramecc+:xnack-"), hipSuccess;
  };
  return api;
}

void Register(const std::string& name, HipApi api) {
  const auto* table = new HipApi(std::move(api));
  ASSERT_TRUE(
      rocxla::RegisterHipProvider({name, [table]() -> StatusOr<const HipApi*> { return table; }, nullptr}).ok());
}

TEST(RocmPlatform, InitialisesOnceHoweverManyThreadsAsk) {
  Register("fake", FakeRuntime());
  ROCmPlatform platform("fake");
  EXPECT_EQ(init_calls, 0) << "lazily";
  std::vector<std::thread> threads;
  std::atomic<int> ready = 0;
  constexpr int kThreads = 16;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < kThreads) std::this_thread::yield();
      EXPECT_EQ(platform.VisibleDeviceCount(), 2);
      EXPECT_TRUE(platform.ExecutorForDevice(i % 2).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(init_calls, 1);
}

TEST(RocmPlatform, CachesExecutors) {
  Register("caching", FakeRuntime());
  ROCmPlatform platform("caching");
  EXPECT_EQ(platform.FindExisting(0).status().message(),
            "no executor exists yet for device 0 of platform ROCM:caching");
  StreamExecutor* executor = platform.ExecutorForDevice(0).value();
  EXPECT_EQ(platform.FindExisting(0).value(), executor);
  EXPECT_EQ(platform.ExecutorForDevice(0).value(), executor);
  EXPECT_EQ(&executor->GetPlatform(), &platform);
  EXPECT_EQ(platform.ExecutorForDevice(2).status().ToString(),
            R"(E5001 DeviceNotFound: there is no such device
  where:    platform ROCM:caching
  found:    device 2
  expected: 0 to 1)");
  EXPECT_EQ(platform.DescriptionForDevice(-1).status().id(), ErrorId::kDeviceNotFound);
}

TEST(RocmPlatform, DescribesWhatARuntimeOfRocm5Tells) {
  Register("old", FakeRuntime());
  auto description = ROCmPlatform("old").DescriptionForDevice(1);
  ASSERT_TRUE(description.ok()) << description.status().ToString();
  EXPECT_EQ((*description)->gcn_arch_name(), "gfx90a:sramecc+:xnack-");
  EXPECT_EQ((*description)->name(), "G");
  EXPECT_EQ((*description)->pci_bus_id(), "0000:c1:00.0");
  EXPECT_EQ((*description)->runtime_version(), "6.3.42131");
  EXPECT_EQ((*description)->driver_version(), "") << "what is not told stays unknown";
  EXPECT_EQ((*description)->core_count(), -1);
  EXPECT_EQ((*description)->fpus_per_core(), 64);
}

TEST(RocmPlatform, FailedInitIsRememberedWithItsReason) {
  static std::atomic<int> attempts = 0;
  HipApi api = FakeRuntime();
  api.hipInit = [](unsigned) { return ++attempts, rocxla::hipErrorInvalidDevice; };
  Register("broken", api);
  ROCmPlatform platform("broken");
  EXPECT_EQ(platform.VisibleDeviceCount(), -1);
  EXPECT_EQ(platform.InitStatus().ToString(),
            R"(E5001 DeviceNotFound: the device does not exist
  where:    hipInit of fake runtime
  found:    hipErrorInvalidDevice, no device has this ordinal)");
  EXPECT_EQ(platform.ExecutorForDevice(0).status(), platform.InitStatus());
  EXPECT_EQ(attempts, 1);
}

TEST(RocmPlatform, CountThatFails) {
  HipApi api = FakeRuntime();
  api.hipGetDeviceCount = [](int*) { return rocxla::hipErrorNoDevice; };
  Register("empty", api);
  ROCmPlatform platform("empty");
  EXPECT_EQ(platform.VisibleDeviceCount(), 0);
  EXPECT_THAT(platform.InitStatus().message(), HasSubstr("hipErrorNoDevice, there is no usable GPU"));
}

TEST(RocmPlatform, UnknownArchitectureIsAnError) {
  HipApi api = FakeRuntime();
  api.hipGetDeviceProperties = nullptr;
  Register("nameless", api);
  EXPECT_THAT(ROCmPlatform("nameless").DescriptionForDevice(0).status().message(),
              HasSubstr("the runtime does not tell the GPU's architecture"));
}

TEST(RocmPlatform, NamesAndIds) {
  ROCmPlatform* real = RocmPlatformOf("hip").value();
  EXPECT_EQ(real->Name(), "ROCM");
  EXPECT_EQ(real->id(), rocm::kROCmPlatformId);
  EXPECT_EQ(RocmPlatformOf("hip").value(), real) << "made once";
  EXPECT_EQ(PlatformManager::PlatformWithName("rocm").value(), real);
  EXPECT_EQ(PlatformManager::PlatformWithId(rocm::kROCmPlatformId).value(), real);
  EXPECT_EQ(RocmPlatformOf("cuda").status().message(), "this program has no HIP runtime \"cuda\"");
}

}  // namespace
}  // namespace stream_executor::gpu
