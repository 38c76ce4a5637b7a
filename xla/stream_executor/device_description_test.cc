#include "xla/stream_executor/device_description.h"

#include <gtest/gtest.h>

namespace stream_executor {
namespace {

DeviceDescription Example() {
  DeviceDescription description;
  description.set_name("AMD \"Instinct\"\\\t");
  description.set_gcn_arch_name("gfx942:sramecc+:xnack-");
  description.set_core_count(304);
  description.set_clock_rate_ghz(2.1);
  description.set_block_dim_limit(Dim3D{8, 4, 2});
  description.set_l1_cache_size_per_core(32768);
  description.set_xgmi_active_links(7);
  description.set_ecc_enabled(true);
  return description;
}

TEST(DeviceDescription, PrintsKnownFactsOnly) {
  EXPECT_EQ(DeviceDescription().ToString(), "");
  EXPECT_EQ(Example().ToString(),
            "name: AMD \"Instinct\"\\\t (product name)\n"
            "gcn_arch_name: gfx942:sramecc+:xnack- (LLVM target, as in gfx942:sramecc+:xnack-)\n"
            "xgmi_active_links: 7 (devices reached over xGMI)\n"
            "core_count: 304 (compute units; on RDNA pairs of them)\n"
            "clock_rate_ghz: 2.1 (GHz)\n"
            "block_dim_limit: 8 x 4 x 2 (blocks of a grid)\n"
            "l1_cache_size_per_core: 32768 (bytes, vector data)\n"
            "ecc_enabled: true\n");
}

TEST(DeviceDescription, UnknownIsNotZero) {
  DeviceDescription description;
  EXPECT_FALSE(description.has_core_count());
  EXPECT_EQ(description.core_count(), -1);
  EXPECT_FALSE(description.has_ecc_enabled());
  EXPECT_FALSE(description.ecc_enabled());
  description.set_numa_node(0);
  EXPECT_TRUE(description.has_numa_node());
  description.set_numa_node(std::nullopt);
  EXPECT_FALSE(description.has_numa_node());
  EXPECT_EQ(description.numa_node(), -1);
}

TEST(DeviceDescription, JsonHasEveryFact) {
  const rocxla::Json json = Example().ToJson();
  EXPECT_EQ(json["core_count"], 304);
  EXPECT_EQ(json["block_dim_limit"], (rocxla::Json{8, 4, 2}));
  EXPECT_EQ(json["ecc_enabled"], true);
  EXPECT_TRUE(json["numa_node"].is_null());
  EXPECT_TRUE(json.contains("dnn_version"));
}

TEST(DeviceDescription, TextProtoHasUpstreamsFields) {
  EXPECT_EQ(Example().ToTextProto(),
            "name: \"AMD \\\"Instinct\\\"\\\\\\011\"\n"
            "rocm_compute_capability { gcn_arch_name: \"gfx942:sramecc+:xnack-\" }\n"
            "device_interconnect_info { active_links: 7 }\n"
            "core_count: 304\n"
            "clock_rate_ghz: 2.1\n"
            "block_dim_limit_x: 8\n"
            "block_dim_limit_y: 4\n"
            "block_dim_limit_z: 2\n"
            "ecc_enabled: true\n");
}

TEST(LaunchDimensions, CountsAndText) {
  LaunchDimensions dims;
  dims.blocks.x = 3, dims.blocks.z = 2, dims.threads.y = 64;
  EXPECT_EQ(dims.launch_bound(), 384u);
  EXPECT_EQ(dims.ToString(), "3 x 1 x 2 blocks of 1 x 64 x 1 threads");
  EXPECT_EQ((Dim3D{1ull << 40, 1ull << 40, 1}).count(), UINT64_MAX) << "no wrapping around";
  EXPECT_EQ((Dim3D{1ull << 40, 1ull << 40, 0}).count(), 0u);
}

}  // namespace
}  // namespace stream_executor
