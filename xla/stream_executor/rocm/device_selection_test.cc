#include "xla/stream_executor/rocm/device_selection.h"
#include "base/error_ids.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "xla/stream_executor/rocm/rocm_platform.h"

namespace stream_executor::gpu {
namespace {

[[maybe_unused]] const bool configured = setenv("ROCXLA_EMBEDDED_DEVICES", "gfx942", 1) == 0;

std::string DescriptionOf(std::string_view spec) {
  StatusOr<SelectedDevice> device = SelectDevice(spec);
  return device.ok() ? device->description : device.status().ToString();
}

TEST(DeviceSelection, EmbeddedByOrdinalAndTarget) {
  EXPECT_EQ(DescriptionOf("embedded:0"), "embedded:0: gfx942 as AMD Instinct MI300X, executed on the CPU");
  EXPECT_EQ(DescriptionOf("embedded:gfx942"), "embedded:0: gfx942 as AMD Instinct MI300X, executed on the CPU");
  EXPECT_EQ(DescriptionOf("embedded:gfx1100"), "embedded:1: gfx1100 as AMD Radeon RX 7900 XTX, executed on the CPU");
  EXPECT_EQ(SelectDevice("embedded:gfx1100")->executor, SelectDevice("embedded:1")->executor) << "added once";
}

TEST(DeviceSelection, AutoPrefersRealGpusAndSaysSo) {
  ROCmPlatform* real = RocmPlatformOf("hip").value();
  if (real->VisibleDeviceCount() > 0) {
    EXPECT_THAT(DescriptionOf("auto"), ::testing::StartsWith("hip:0: "));
    return;
  }
  const std::string reason = real->InitStatus().message();
  EXPECT_EQ(DescriptionOf("auto"),
            fmt::format("embedded:0: gfx942 as AMD Instinct MI300X, executed on the CPU (no AMD GPU: {})",
                        reason.substr(0, reason.find('\n'))));
  EXPECT_EQ(DescriptionOf("hip:0"), real->InitStatus().ToString());
}

TEST(DeviceSelection, WhatNamesNoDevice) {
  EXPECT_EQ(DescriptionOf("gpu"), R"(E6006 BadUsage: this names no device
  found:    'gpu'
  expected: auto, hip:0, embedded:0, embedded:gfx942 or gfx942
  next:     rocxla devices lists what there is)");
  for (const char* spec : {"", ":", "hip", "hip:", "hip:gfx942", "hip:-1", "hip:0x", "embedded:", "embedded:mi300",
                           "cuda:0", "embedded:99999999999999999999"}) {
    EXPECT_EQ(SelectDevice(spec).status().id(), ErrorId::kBadUsage) << spec;
  }
  EXPECT_EQ(DescriptionOf("embedded:77").substr(0, 50), "E5001 DeviceNotFound: there is no such device\n  wh");
  EXPECT_EQ(DescriptionOf("embedded:gfx1030"),
            R"(E5001 DeviceNotFound: there is no embedded device of this target: rocXLA only compiles for it
  where:    --device, or ROCXLA_EMBEDDED_DEVICES in the environment
  found:    'gfx1030'
  expected: one of gfx90a, gfx942, gfx950, gfx1100, gfx1201)");
}

TEST(DeviceSelection, ListsEveryProvider) {
  const std::vector<ProviderListing> all = ListDevices();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].provider, "hip");
  EXPECT_EQ(all[0].devices.empty(), !all[0].missing.ok()) << "an empty list has a reason";
  EXPECT_EQ(all[1].provider, "embedded");
  EXPECT_TRUE(all[1].missing.ok());
  ASSERT_FALSE(all[1].devices.empty());
  EXPECT_EQ(all[1].devices[0].spec, "embedded:0");
  EXPECT_EQ(all[1].devices[0].description.gcn_arch_name(), "gfx942");
  EXPECT_EQ(all[1].devices[0].description.memory_bandwidth(), 5'300'000'000'000);
}

}  // namespace
}  // namespace stream_executor::gpu
