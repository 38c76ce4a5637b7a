#include "base/hip/hip_providers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hip/traced_hip.h"

namespace rocxla {
namespace {

HipApi FakeApi() {
  HipApi api;
  api.hipMalloc = [](void** pointer, size_t) { return *pointer = nullptr, hipErrorOutOfMemory; };
  api.hipGetErrorName = [](hipError_t) -> const char* { return "name"; };
  api.origin = "fake";
  return api;
}

TEST(HipProviders, RealLibraryComesFirst) { EXPECT_EQ(HipProviderNames().front(), "hip"); }

TEST(HipProviders, NamesAreUnique) {
  EXPECT_EQ(RegisterHipProvider({"hip", nullptr, nullptr}).message(), "a HIP runtime \"hip\" is already registered");
}

TEST(HipProviders, UnknownNameListsTheKnown) {
  EXPECT_THAT(OpenHip("cuda").status().message(),
              ::testing::StartsWith("no HIP runtime \"cuda\" in this program; there are: hip"));
}

TEST(HipProviders, OpensOnceAndRemembers) {
  static int opened = 0;
  auto open = []() -> StatusOr<const HipApi*> { return UnavailableError(fmt::format("attempt {}", ++opened)); };
  ASSERT_TRUE(RegisterHipProvider({"failing", open, nullptr}).ok());
  EXPECT_EQ(OpenHip("failing").status().message(), "attempt 1");
  EXPECT_EQ(OpenHip("failing").status().message(), "attempt 1");
}

TEST(HipProviders, AddsDevicesWhereThatIsPossible) {
  auto add = [](std::string_view target) -> StatusOr<int> { return target == "gfx942" ? 7 : 8; };
  ASSERT_TRUE(RegisterHipProvider({"growing", nullptr, add}).ok());
  EXPECT_EQ(AddHipDevice("growing", "gfx942").value(), 7);
  EXPECT_EQ(AddHipDevice("hip", "gfx942").status().message(),
            "the devices of HIP runtime \"hip\" are hardware: none can be added");
}

TEST(TracedHip, WritesArgumentsAndResultAndPassesThemOn) {
  static const HipApi inner = FakeApi();
  static std::vector<std::string> lines;
  void* result = &lines;
  auto traced = TracedHip("fake", &inner, [](std::string_view line) { lines.emplace_back(line); });
  ASSERT_TRUE(traced.ok());
  EXPECT_EQ((*traced)->hipMalloc(&result, 4096), hipErrorOutOfMemory);
  EXPECT_STREQ((*traced)->hipGetErrorName(hipErrorOutOfMemory), "name");
  EXPECT_EQ((*traced)->hipFree, nullptr) << "what is absent stays absent";
  EXPECT_EQ((*traced)->origin, "fake");
  EXPECT_THAT(lines[0], ::testing::MatchesRegex("fake: hipMalloc\\(0x[0-9a-f]+, 4096\\) = hipErrorOutOfMemory"));
  EXPECT_EQ(lines[1], "fake: hipGetErrorName(hipErrorOutOfMemory) = \"name\"");
}

TEST(HipErrors, NamesAndTexts) {
  EXPECT_EQ(HipErrorName(hipSuccess), "hipSuccess");
  EXPECT_EQ(HipErrorName(hipErrorIllegalAddress), "hipErrorIllegalAddress");
  EXPECT_EQ(HipErrorName(static_cast<hipError_t>(12345)), "hipError_t(12345)");
  EXPECT_EQ(HipErrorText(hipErrorNoDevice), "there is no usable GPU");
}

}  // namespace
}  // namespace rocxla
