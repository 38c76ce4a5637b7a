#include "base/hip/system_hip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <sys/stat.h>

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
  expected: libamdhip64 of ROCm 5.2 or later, 6 or 7
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

TEST(LoadHip, TellsWhyAFileCannotBeOpened) {
  const std::string folder = ::testing::TempDir() + "not_a_file";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  ASSERT_EQ(mkfifo((folder + "/libamdhip64.so.7").c_str(), 0600), 0);  // to open it would wait for good
  std::filesystem::create_symlink("libamdhip64.so.6", folder + "/libamdhip64.so.6");
  std::filesystem::create_directory(folder + "/libamdhip64.so.5");
  EXPECT_THAT(LoadHipFrom({{folder}}).status().message(),
              ::testing::HasSubstr("/libamdhip64.so.7: not a regular file\n            " + folder +
                                   "/libamdhip64.so.6: Too many levels of symbolic links\n            " + folder +
                                   "/libamdhip64.so.5: not a regular file\n"));
}

TEST(LoadHip, TakesTheFirstLibraryThatHasEverything) {
  auto loaded = LoadHipFrom({{FAKE_HIP_INCOMPLETE, FAKE_HIP_COMPLETE}});
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_THAT(loaded->origin, EndsWith("complete/libamdhip64.so.6"));
  EXPECT_EQ(loaded->hipInit(0), hipSuccess);
  EXPECT_NE(loaded->hipModuleLaunchKernel, nullptr);
}

TEST(LoadHip, TellsWhenTheVersionIsTooOld) {
  setenv("FAKE_HIP_VERSION", "50100007", 1);
  auto loaded = LoadHipFrom({{FAKE_HIP_COMPLETE}});
  unsetenv("FAKE_HIP_VERSION");
  EXPECT_THAT(loaded.status().message(),
              ::testing::HasSubstr("/libamdhip64.so.6: version 5.1.7 is too old: HIP 5.2.0 or later is needed\n"));
}

// HIP 5 has no hipLaunchHostFunc, and other structures for virtual memory and pointers.
TEST(LoadHip, MakesDoWithAnOldLibrary) {
  auto loaded = LoadHipFrom({{FAKE_HIP_OLD}});
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_EQ(loaded->hipMemMap, nullptr);
  EXPECT_EQ(loaded->hipPointerGetAttributes, nullptr);
  int calls = 0;
  auto count = [](void* data) { ++*static_cast<int*>(data); };
  ASSERT_NE(loaded->hipLaunchHostFunc, nullptr);
  EXPECT_EQ(loaded->hipLaunchHostFunc(nullptr, count, &calls), hipSuccess);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(loaded->hipLaunchHostFunc(nullptr, nullptr, nullptr), hipErrorInvalidValue);
}

// A fake library whose functions can be told to fail.
class StartsHip : public ::testing::Test {
 protected:
  StartsHip() : api_(LoadHipFrom({{FAKE_HIP_COMPLETE}}).value()) {
    void* library = dlopen(FAKE_HIP_COMPLETE "/libamdhip64.so.6", RTLD_NOW);
    fail_ = reinterpret_cast<void (*)(const char*)>(dlsym(library, "fakeHipFail"));
    calls_ = reinterpret_cast<int (*)(const char*)>(dlsym(library, "fakeHipCalls"));
  }
  ~StartsHip() override { fail_(""); }
  std::string Start() {
    return StartHip(api_, {.found = "/dev/kfd does not exist", .next = "load the driver"}).status().ToString();
  }

  HipApi api_;
  void (*fail_)(const char* list);
  int (*calls_)(const char* name);
};

TEST_F(StartsHip, CountsGpus) {
  const int before = calls_("hipInit");
  EXPECT_EQ(StartHip(api_).value(), 1);
  EXPECT_EQ(calls_("hipInit"), before + 1);
  setenv("FAKE_HIP_DEVICES", "8", 1);
  EXPECT_EQ(StartHip(api_).value(), 8);
  unsetenv("FAKE_HIP_DEVICES");
}

TEST_F(StartsHip, ExplainsThatThereIsNoGpu) {
  fail_("hipInit=100");
  EXPECT_EQ(Start(),
            "E5001 DeviceNotFound: the ROCm runtime finds no usable GPU\n"
            "  where:    hipInit of " FAKE_HIP_COMPLETE
            "/libamdhip64.so.6\n"
            "  found:    hipErrorNoDevice, there is no usable GPU\n"
            "            /dev/kfd does not exist\n"
            "  next:     load the driver");
  fail_("hipInit=101,hipGetDeviceCount=100");
  EXPECT_THAT(Start(), ::testing::HasSubstr("hipGetDeviceCount of"));
  fail_("");
  setenv("FAKE_HIP_DEVICES", "0", 1);
  EXPECT_THAT(Start(), ::testing::HasSubstr("hipErrorNoDevice"));
  unsetenv("FAKE_HIP_DEVICES");
}

TEST_F(StartsHip, ExplainsOtherErrors) {
  fail_("hipInit=35");
  EXPECT_THAT(Start(), ::testing::HasSubstr("the amdgpu kernel driver is older than the ROCm runtime needs"));
  fail_("hipInit=999");
  EXPECT_THAT(Start(), ::testing::HasSubstr("hipErrorUnknown, an unknown error"));
  fail_("hipInit=4711");
  EXPECT_THAT(Start(), ::testing::HasSubstr("hipError_t(4711)"));
}

// Whatever the table names can be made to fail, and is counted.
TEST_F(StartsHip, AnyFunctionCanFail) {
  fail_("hipMalloc=2,hipGraphLaunch=900,hipEventQuery=600");
  EXPECT_EQ(api_.hipMalloc(nullptr, 1), hipErrorOutOfMemory);
  EXPECT_EQ(api_.hipGraphLaunch(nullptr, nullptr), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(api_.hipEventQuery(nullptr), hipErrorNotReady);
  EXPECT_EQ(api_.hipFree(nullptr), hipSuccess);
  EXPECT_GE(calls_("hipGraphLaunch"), 1);
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
