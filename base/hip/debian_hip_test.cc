// The loader with a real ROCm runtime: Debian 12's libamdhip64 (package libamdhip64-5, HIP 5.2), which `./dev setup`
// installs. Where there is no AMD GPU, it must say so, precisely, and nothing may crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error_ids.h"
#include "base/hip/system_hip.h"

namespace rocxla {
namespace {

using ::testing::HasSubstr;

// The linker's own path, where the distribution puts it.
const StatusOr<HipApi>& DebianHip() {
  static const StatusOr<HipApi> loaded = LoadHipFrom({{""}});
  return loaded;
}

TEST(DebianHip, IsLoadedFromTheLinkersPath) {
  ASSERT_TRUE(DebianHip().ok()) << "install the package libamdhip64-5\n" << DebianHip().status().ToString();
  EXPECT_THAT(DebianHip()->origin, HasSubstr("libamdhip64.so."));
  EXPECT_TRUE(std::filesystem::exists(DebianHip()->origin)) << DebianHip()->origin;
}

TEST(DebianHip, HasEveryRequiredFunctionAndTheStandIns) {
  ASSERT_TRUE(DebianHip().ok()) << DebianHip().status().ToString();
  EXPECT_NE(DebianHip()->hipGraphInstantiate, nullptr);
  EXPECT_NE(DebianHip()->hipLaunchHostFunc, nullptr) << "HIP 5.2 lacks it: hipStreamAddCallback stands in";
  EXPECT_EQ(DebianHip()->rocxlaGetLastErrorDetail, nullptr);
}

// With a GPU: a count. Without: HIP's error and what the device files say.
TEST(DebianHip, StartsOrExplainsWhyNot) {
  ASSERT_TRUE(DebianHip().ok()) << DebianHip().status().ToString();
  const StatusOr<int> count = StartHip(*DebianHip());
  if (access("/dev/kfd", F_OK) == 0) {
    EXPECT_TRUE(count.ok() || count.status().id() == ErrorId::kDeviceNotFound) << count.status().ToString();
    return;
  }
  EXPECT_EQ(count.status().ToString(),
            "E5001 DeviceNotFound: the ROCm runtime finds no usable GPU\n"
            "  where:    hipGetDeviceCount of " +
                DebianHip()->origin +
                "\n"
                "  found:    hipErrorNoDevice, there is no usable GPU\n"
                "            /dev/kfd does not exist\n"
                "            no render node in /dev/dri\n"
                "  next:     load the amdgpu kernel driver; in a container, pass --device=/dev/kfd --device=/dev/dri");
}

}  // namespace
}  // namespace rocxla
