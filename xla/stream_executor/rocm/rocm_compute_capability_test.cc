#include "xla/stream_executor/rocm/rocm_compute_capability.h"

#include <gtest/gtest.h>

#include <ostream>

namespace stream_executor {
namespace {

using Feature = RocmComputeCapability::Feature;

TEST(RocmComputeCapability, ParsesTheArchName) {
  const RocmComputeCapability full("gfx90a:sramecc+:xnack-");
  EXPECT_EQ(full.gcn_arch_name(), "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(full.gfx_version(), "gfx90a");
  EXPECT_EQ(full.sramecc(), Feature::kOn);
  EXPECT_EQ(full.xnack(), Feature::kOff);
  EXPECT_EQ(RocmComputeCapability("gfx90a").xnack(), Feature::kUnspecified);
  EXPECT_NE(full, RocmComputeCapability("gfx90a")) << "features count";
  EXPECT_EQ(RocmComputeCapability().gfx_version(), "gfx000");
  EXPECT_FALSE(RocmComputeCapability().is_supported_gfx_version());
}

struct Row {
  const char* version;
  int warp;
  int mfma, matrix, fp8_ocp, fp8_fnuz, hipblaslt, bf16_atomics, fp16_atomics, fast_fp16, nhwc, mx, peer_atomics;
  int discrete11, apu11, discrete12;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.version; }
// Written out a second time on purpose, GPU by GPU.
constexpr Row kRows[] = {
    {"gfx908", 64, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0},
    {"gfx90a", 64, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0},
    {"gfx942", 64, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0},
    {"gfx950", 64, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0},
    {"gfx1030", 32, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
    {"gfx1100", 32, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0},
    {"gfx1101", 32, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0},
    {"gfx1103", 32, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0},
    {"gfx1150", 32, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0},
    {"gfx1151", 32, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0},
    {"gfx1200", 32, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1},
    {"gfx1201", 32, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1},
    {"gfx1250", 32, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0},
};

class Predicates : public ::testing::TestWithParam<Row> {};
TEST_P(Predicates, AreThoseOfTheGpu) {
  const Row& row = GetParam();
  const RocmComputeCapability gpu(std::string(row.version) + ":xnack-");
  EXPECT_TRUE(gpu.is_supported_gfx_version());
  EXPECT_EQ(gpu.threads_per_warp(), row.warp);
  EXPECT_EQ(gpu.has_mfma_instr_support(), row.mfma);
  EXPECT_EQ(gpu.has_amd_matrix_instr(), row.matrix);
  EXPECT_EQ(gpu.has_bf16_dtype_support(), row.matrix);
  EXPECT_EQ(gpu.has_ocp_fp8_support(), row.fp8_ocp);
  EXPECT_EQ(gpu.has_nanoo_fp8_support(), row.fp8_fnuz);
  EXPECT_EQ(gpu.has_fp8_support(), row.fp8_ocp != 0 || row.fp8_fnuz != 0);
  EXPECT_EQ(gpu.has_hipblaslt(), row.hipblaslt);
  EXPECT_EQ(gpu.has_packed_bf16_atomics_support(), row.bf16_atomics);
  EXPECT_EQ(gpu.has_packed_fp16_atomics_support(), row.fp16_atomics);
  EXPECT_EQ(gpu.has_fast_fp16_support(), row.fast_fp16);
  EXPECT_EQ(gpu.has_nhwc_layout_support(), row.nhwc);
  EXPECT_EQ(gpu.has_mx_type_support(), row.mx);
  EXPECT_EQ(gpu.has_peer_visible_atomics(), row.peer_atomics);
  EXPECT_EQ(gpu.gfx11_discrete(), row.discrete11);
  EXPECT_EQ(gpu.gfx11_apu(), row.apu11);
  EXPECT_EQ(gpu.gfx12_discrete(), row.discrete12);
  const bool newest = gpu.gfx_version() == "gfx1250";
  EXPECT_EQ(gpu.has_tdm_support(), newest);
  EXPECT_EQ(gpu.has_bf16_transcendentals(), newest);
  const auto starts = [&](const char* prefix) { return gpu.gfx_version().starts_with(prefix); };
  EXPECT_EQ(gpu.gfx11(), starts("gfx11"));
  EXPECT_EQ(gpu.gfx12(), starts("gfx12"));
  EXPECT_EQ(gpu.gfx9_mi100_or_later(), starts("gfx9"));
}
INSTANTIATE_TEST_SUITE_P(Gpus, Predicates, ::testing::ValuesIn(kRows),
                         [](const auto& test) { return test.param.version; });

TEST(RocmComputeCapability, EveryTargetOfTheTableIsSupported) {
  for (const rocxla::GpuTarget& target : rocxla::AllTargets()) {
    const RocmComputeCapability gpu{std::string(target.name)};
    EXPECT_TRUE(gpu.is_supported_gfx_version()) << target.name;
    EXPECT_EQ(gpu.target(), target);
  }
}

TEST(RocmComputeCapability, UnknownGpus) {
  EXPECT_EQ(RocmComputeCapability("gfx906").threads_per_warp(), 64);
  EXPECT_EQ(RocmComputeCapability("gfx1036").threads_per_warp(), 32);
  EXPECT_FALSE(RocmComputeCapability("gfx11").gfx12());
  EXPECT_FALSE(RocmComputeCapability("gfx9420").gfx9_mi300()) << "whole names only";
}

}  // namespace
}  // namespace stream_executor
