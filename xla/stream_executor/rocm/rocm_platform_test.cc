#include "xla/stream_executor/rocm/rocm_platform.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/hip/hip_providers.h"
#include "xla/stream_executor/platform_manager.h"
#include "xla/stream_executor/rocm/rocm_device_description.h"

namespace stream_executor::gpu {
namespace {

using ::testing::HasSubstr;

std::atomic<int> init_calls = 0;

// A runtime with two devices, or one that fails at some point.
HipApi FakeRuntime() {
  HipApi api;
  api.origin = "fake runtime";
  api.hipInit = [](unsigned) { return ++init_calls, hipSuccess; };
  api.hipGetLastError = [] { return hipSuccess; };
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
  constexpr int kThreads = 100;
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
  EXPECT_EQ(platform.FindExisting(0).status().ToString(),
            R"(E5030 ExecutorNotFound: no executor exists yet for this device
  where:    platform ROCM:caching
  found:    device 0
  expected: a device that ExecutorForDevice has opened)");
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
  EXPECT_FALSE((*description)->has_core_count());
  EXPECT_FALSE((*description)->has_ecc_enabled()) << "an attribute that fails does not fail the whole";
  EXPECT_FALSE((*description)->has_model_str());
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
  static std::atomic<int> errors_taken = 0;
  api.hipGetDeviceCount = [](int*) { return rocxla::hipErrorNoDevice; };
  api.hipGetLastError = [] { return ++errors_taken, hipSuccess; };
  Register("empty", api);
  ROCmPlatform platform("empty");
  EXPECT_EQ(platform.VisibleDeviceCount(), 0);
  EXPECT_EQ(errors_taken, 1) << "it would stick to the thread";
  EXPECT_THAT(platform.InitStatus().message(), HasSubstr("hipErrorNoDevice, there is no usable GPU"));
}

TEST(RocmPlatform, NoDeviceHasAReasonAlsoWhenTheRuntimeCallsItSuccess) {
  static int listed = 0;
  HipApi api = FakeRuntime();
  api.hipGetDeviceCount = [](int* count) { return *count = listed, hipSuccess; };
  Register("none", api);
  ROCmPlatform platform("none");
  for (int none : {0, -3}) {
    listed = none;
    EXPECT_EQ(platform.VisibleDeviceCount(), 0);
    EXPECT_EQ(platform.InitStatus().ToString(),
              R"(E5001 DeviceNotFound: the device does not exist
  where:    hipGetDeviceCount of fake runtime
  found:    hipErrorNoDevice, there is no usable GPU)");
    EXPECT_EQ(platform.ExecutorForDevice(0).status(), platform.InitStatus());
  }
}

// Everything that the runtime and Linux can tell, for a GPU that base/target has no product of.
TEST(RocmPlatform, DescribesFromAttributesSysfsAndLinks) {
  namespace fs = std::filesystem;
  std::string pattern = (fs::temp_directory_path() / "rocxla_sysfs_XXXXXX").string();
  const fs::path root = mkdtemp(pattern.data());
  const fs::path device = root / "bus/pci/devices/0000:c1:00.0";
  fs::create_directories(device);
  fs::create_directories(root / "module/amdgpu");
  std::ofstream(device / "numa_node") << "1\n";
  std::ofstream(device / "max_link_speed") << "32.0 GT/s PCIe\n";
  std::ofstream(device / "current_link_width") << "16\n";
  std::ofstream(root / "module/amdgpu/version") << "6.12.12\n";

  HipApi api = FakeRuntime();
  api.hipDeviceGetAttribute = [](int* value, rocxla::hipDeviceAttribute_t attribute, int) {
    switch (attribute) {
      case rocxla::hipDeviceAttributeEccEnabled:
        return *value = 0, hipSuccess;
      case rocxla::hipDeviceAttributeMultiprocessorCount:
        return *value = 0, hipSuccess;  // a runtime that does not know
      default:
        return *value = 1000 + static_cast<int>(attribute), hipSuccess;
    }
  };
  api.hipExtGetLinkTypeAndHopCount = [](int, int, uint32_t* type, uint32_t* hops) {
    return *type = 4, *hops = 1, hipSuccess;
  };
  const auto description = CreateRocmDeviceDescription(api, 0, root.string()).value();
  fs::remove_all(root);
  EXPECT_EQ(description->numa_node(), 1);
  EXPECT_NEAR(description->pcie_bandwidth(), 63.015e9, 1e6);
  EXPECT_EQ(description->kernel_mode_driver_version(), "6.12.12");
  EXPECT_EQ(description->xgmi_active_links(), 1);
  EXPECT_TRUE(description->has_ecc_enabled());
  EXPECT_FALSE(description->ecc_enabled());
  EXPECT_FALSE(description->has_core_count()) << "no GPU has 0 compute units";
  EXPECT_EQ(description->threads_per_warp(), 1000 + rocxla::hipDeviceAttributeWarpSize);
  EXPECT_EQ(description->memory_bandwidth(), 1'638'000'000'000) << "of its architecture";
}

TEST(RocmPlatform, LinksThatNobodyTellsStayUnknown) {
  HipApi api = FakeRuntime();
  EXPECT_FALSE(CreateRocmDeviceDescription(api, 0, "/nonexistent").value()->has_xgmi_active_links());
  api.hipExtGetLinkTypeAndHopCount = [](int, int, uint32_t*, uint32_t*) { return rocxla::hipErrorInvalidValue; };
  EXPECT_FALSE(CreateRocmDeviceDescription(api, 0, "/nonexistent").value()->has_xgmi_active_links());
  api.hipExtGetLinkTypeAndHopCount = [](int, int, uint32_t* type, uint32_t*) { return *type = 2, hipSuccess; };
  EXPECT_EQ(CreateRocmDeviceDescription(api, 0, "/nonexistent").value()->xgmi_active_links(), 0);
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
  const Status unknown = RocmPlatformOf("cuda").status();
  EXPECT_EQ(unknown.id(), ErrorId::kPlatformNotFound);
  EXPECT_THAT(unknown.message(), ::testing::StartsWith("this program has no such HIP runtime\n"
                                                       "  found:    'cuda'\n  expected: one of: hip, "));
}

}  // namespace
}  // namespace stream_executor::gpu
