#include "xla/stream_executor/rocm/pci_device.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include <filesystem>
#include <fstream>

namespace stream_executor::gpu {
namespace {

namespace fs = std::filesystem;

TEST(PciBusId, BothForms) {
  EXPECT_EQ(NormalisedPciBusId("0000:C1:00.0"), "0000:c1:00.0");
  EXPECT_EQ(NormalisedPciBusId("c1:00.7"), "0000:c1:00.7");
  for (const char* bad : {"", "c1", "0000:c1:00", "0000:c1:00.8", "0000:g1:00.0", "00000:c1:00.0", "0000:c1:00.0 ",
                          "0000-c1:00.0", "../../etc:c1:00.0"}) {
    EXPECT_EQ(NormalisedPciBusId(bad), std::nullopt) << bad;
  }
}

// Generation by generation, x16, as the specifications advertise it: 4, 8, 15.75, 31.5, 63, 121 GB/s.
TEST(PcieBandwidth, OfEveryGeneration) {
  EXPECT_EQ(PcieBytesPerSecond(2500, 16), 4'000'000'000);
  EXPECT_EQ(PcieBytesPerSecond(5000, 16), 8'000'000'000);
  EXPECT_NEAR(PcieBytesPerSecond(8000, 16).value(), 15.754e9, 1e6);
  EXPECT_NEAR(PcieBytesPerSecond(16000, 16).value(), 31.508e9, 1e6);
  EXPECT_NEAR(PcieBytesPerSecond(32000, 16).value(), 63.015e9, 1e6);
  EXPECT_EQ(PcieBytesPerSecond(64000, 16), 121'000'000'000);
  EXPECT_EQ(PcieBytesPerSecond(2500, 1), 250'000'000);
  EXPECT_EQ(PcieBytesPerSecond(128000, 16), std::nullopt) << "a generation that nobody has described to us";
  EXPECT_EQ(PcieBytesPerSecond(0, 16), std::nullopt);
  EXPECT_EQ(PcieBytesPerSecond(8000, 0), std::nullopt);
  EXPECT_EQ(PcieBytesPerSecond(8000, 255), std::nullopt);
}

class PciTree : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "rocxla_sysfs_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(root_); }
  void Write(const fs::path& file, std::string_view text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  // `path` below devices/, whose last part is the bus id.
  void AddDevice(const fs::path& path, std::string_view speed, std::string_view width, std::string_view node) {
    Write("devices" / path / "max_link_speed", speed);
    Write("devices" / path / "current_link_width", width);
    Write("devices" / path / "numa_node", node);
    fs::create_directories(root_ / "bus/pci/devices");
    fs::create_directory_symlink(root_ / "devices" / path, root_ / "bus/pci/devices" / path.filename());
  }
  PciFacts Facts(std::string_view id) { return ReadPciFacts(root_.string(), id); }
  fs::path root_;
};

TEST_F(PciTree, TheSlowestLinkOfThePathCounts) {
  AddDevice("pci0000:c0/0000:c0:01.0", "8.0 GT/s PCIe\n", "16\n", "1\n");
  AddDevice("pci0000:c0/0000:c0:01.0/0000:c1:00.0", "16.0 GT/s PCIe\n", "8\n", "1\n");
  AddDevice("pci0000:c0/0000:c0:01.0/0000:c1:00.0/0000:c2:00.0", "16.0 GT/s PCIe\n", "16\n", "1\n");
  EXPECT_EQ(Facts("0000:C2:00.0").numa_node, 1);
  EXPECT_EQ(Facts("0000:C2:00.0").bytes_per_second, PcieBytesPerSecond(16000, 8));
  EXPECT_EQ(Facts("c0:01.0").bytes_per_second, PcieBytesPerSecond(8000, 16));
}

TEST_F(PciTree, OneNumaNodeIsNodeZero) {
  AddDevice("pci0000:00/0000:03:00.0", "Unknown\n", "0\n", "-1\n");
  EXPECT_EQ(Facts("0000:03:00.0").numa_node, 0);
  EXPECT_EQ(Facts("0000:03:00.0").bytes_per_second, std::nullopt);
}

TEST_F(PciTree, WhatIsMissingOrNonsenseStaysUnknown) {
  EXPECT_EQ(Facts("0000:03:00.0").numa_node, std::nullopt);
  EXPECT_EQ(Facts("").numa_node, std::nullopt);
  AddDevice("pci0000:00/0000:04:00.0", "1e300 GT/s", "1e300", "node");
  EXPECT_EQ(Facts("0000:04:00.0").numa_node, std::nullopt);
  EXPECT_EQ(Facts("0000:04:00.0").bytes_per_second, std::nullopt);
}

}  // namespace
}  // namespace stream_executor::gpu
