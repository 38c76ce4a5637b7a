#include "xla/stream_executor/rocm/conformance/conformance.h"
#include "xla/stream_executor/rocm/rocm_compute_capability.h"

namespace stream_executor::gpu {
namespace {

using ConformanceDescription = Conformance;

TEST_P(ConformanceDescription, SaysWhatProgramsNeed) {
  const DeviceDescription& device = executor->GetDeviceDescription();
  const RocmComputeCapability capability(device.gcn_arch_name());
  EXPECT_TRUE(capability.is_supported_gfx_version());
  EXPECT_FALSE(device.name().empty());
  EXPECT_EQ(device.device_vendor(), "Advanced Micro Devices, Inc");
  EXPECT_EQ(device.platform_version(), "AMDGPU ISA version: " + device.gcn_arch_name());
  EXPECT_EQ(device.threads_per_warp(), capability.threads_per_warp());
  EXPECT_GT(device.core_count(), 0);
  EXPECT_GE(device.threads_per_block_limit(), 1024);
  EXPECT_GE(device.threads_per_core_limit(), device.threads_per_block_limit());
  EXPECT_GE(device.thread_dim_limit().x, 1024u);
  EXPECT_GT(device.block_dim_limit().x, 65535u);
  EXPECT_GE(device.shared_memory_per_block(), 65536);
  EXPECT_GE(device.shared_memory_per_core(), device.shared_memory_per_block());
  EXPECT_GT(device.registers_per_block_limit(), 0);
  EXPECT_GT(device.memory_bandwidth(), int64_t{100'000'000'000});
  EXPECT_GT(device.clock_rate_ghz(), 0.5);
  EXPECT_GT(device.l2_cache_size(), 1 << 20);
  EXPECT_GT(device.l1_cache_size_per_core(), 0);
  EXPECT_GT(device.fpus_per_core(), 0);
  EXPECT_TRUE(device.has_ecc_enabled());
  EXPECT_FALSE(device.runtime_version().empty());
  EXPECT_EQ(static_cast<int64_t>(executor->GetDeviceMemoryUsage()->total_bytes), device.device_memory_size());
}

// Peak single-precision rates of AMD's product pages, in TFLOPS: an independent witness of clock, cores and units.
TEST_P(ConformanceDescription, PeakRateIsTheProducts) {
  const DeviceDescription& device = executor->GetDeviceDescription();
  const double tflops =
      2e-3 * static_cast<double>(device.core_count() * device.fpus_per_core()) * device.clock_rate_ghz();
  const std::pair<const char*, double> products[] = {{"AMD Instinct MI210", 22.6},     {"AMD Instinct MI250X", 23.9},
                                                     {"AMD Instinct MI300X", 163.4},   {"AMD Instinct MI350X", 144.2},
                                                     {"AMD Radeon RX 7900 XTX", 61.4}, {"AMD Radeon RX 9070 XT", 48.7}};
  for (const auto& [name, peak] : products) {
    if (device.name() == name) EXPECT_NEAR(tflops, peak, 0.02 * peak) << name;
  }
}

TEST_P(ConformanceDescription, AnotherOneFromThePlatformIsTheSame) {
  const auto again = executor->GetPlatform().DescriptionForDevice(executor->device_ordinal());
  EXPECT_EQ(again.value()->ToString(), executor->GetDeviceDescription().ToString());
}

CONFORMANCE_SUITE(ConformanceDescription);

}  // namespace
}  // namespace stream_executor::gpu
