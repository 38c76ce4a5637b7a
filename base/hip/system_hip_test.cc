#include "base/hip/system_hip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace rocxla {
namespace {

using ::testing::EndsWith;

TEST(LoadHip, TellsEveryPlaceItLookedAt) {
  auto loaded = LoadHipFrom({{"/no/such/rocm/lib"}});
  EXPECT_EQ(loaded.status().ToString(),
            R"(E5002 HipLibraryUnavailable: no usable ROCm runtime library
  where:    /no/such/rocm/lib/libamdhip64.so.7: no such file
            /no/such/rocm/lib/libamdhip64.so.6: no such file
            /no/such/rocm/lib/libamdhip64.so.5: no such file
  expected: libamdhip64 of ROCm 5, 6 or 7
  next:     install ROCm, or set ROCM_PATH to its folder; without one, --device=embedded:gfx942 runs on the embedded device)");
}

TEST(LoadHip, NamesTheMissingFunction) {
  auto loaded = LoadHipFrom({{FAKE_HIP_INCOMPLETE}});
  EXPECT_THAT(loaded.status().message(), ::testing::HasSubstr("/libamdhip64.so.6: lacks hipMalloc\n"));
}

TEST(LoadHip, TellsWhyAFileIsNoLibrary) {
  const std::string folder = ::testing::TempDir() + "not_a_library";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/libamdhip64.so.7") << "text";
  auto loaded = LoadHipFrom({{folder}});
  EXPECT_THAT(loaded.status().message(), ::testing::HasSubstr("libamdhip64.so.7: file too short"));
}

TEST(LoadHip, TakesTheFirstLibraryThatHasEverything) {
  auto loaded = LoadHipFrom({{FAKE_HIP_INCOMPLETE, FAKE_HIP_COMPLETE}});
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_THAT(loaded->origin, EndsWith("complete/libamdhip64.so.6"));
  EXPECT_EQ(loaded->hipInit(0), hipSuccess);
  EXPECT_NE(loaded->hipModuleLaunchKernel, nullptr);
}

TEST(LoadHip, SearchesRocmPathFirst) {
  setenv("ROCM_PATH", "/my/rocm", 1);
  EXPECT_THAT(DefaultHipSearch().folders, ::testing::ElementsAre("/my/rocm/lib", "", "/opt/rocm/lib"));
  unsetenv("ROCM_PATH");
  EXPECT_THAT(DefaultHipSearch().folders, ::testing::ElementsAre("", "/opt/rocm/lib"));
}

class DeviceFiles : public ::testing::Test {
 protected:
  DeviceFiles() { std::filesystem::remove_all(root_); }
  void Make(const std::string& name) {
    std::filesystem::create_directories(std::filesystem::path(root_ + name).parent_path());
    std::ofstream(root_ + name).flush();
  }
  std::string root_ = ::testing::TempDir() + "dev";
};

int DenyEverything(const char*, int) { return errno = EACCES, -1; }

TEST_F(DeviceFiles, NoDriver) {
  auto diagnosis = DiagnoseDeviceFiles(root_);
  EXPECT_EQ(diagnosis.found, root_ + "/kfd does not exist\nno render node in " + root_ + "/dri");
  EXPECT_EQ(diagnosis.next, "load the amdgpu kernel driver; in a container, pass --device=/dev/kfd --device=/dev/dri");
}

TEST_F(DeviceFiles, WindowsSubsystem) {
  Make("/dxg");
  EXPECT_EQ(DiagnoseDeviceFiles(root_).next, "this is WSL: install ROCm's WSL runtime, which uses /dev/dxg");
}

TEST_F(DeviceFiles, NoPermission) {
  Make("/kfd");
  Make("/dri/renderD129");
  Make("/dri/renderD128");
  Make("/dri/card0");
  auto diagnosis = DiagnoseDeviceFiles(root_, DenyEverything);
  EXPECT_EQ(diagnosis.found, root_ + "/kfd: Permission denied\n" + root_ + "/dri/renderD128: Permission denied\n" +
                                 root_ + "/dri/renderD129: Permission denied");
  EXPECT_EQ(diagnosis.next,
            "add this user to the groups that own these files (mostly render and video), then log in again");
}

TEST_F(DeviceFiles, AllThere) {
  Make("/kfd");
  Make("/dri/renderD128");
  auto diagnosis = DiagnoseDeviceFiles(root_);
  EXPECT_EQ(diagnosis.found, "");
  EXPECT_EQ(diagnosis.next, "check HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES, and what rocminfo says");
}

}  // namespace
}  // namespace rocxla
