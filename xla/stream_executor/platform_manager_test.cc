#include "xla/stream_executor/platform_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stream_executor {
namespace {

class EmptyPlatform : public Platform {
 public:
  explicit EmptyPlatform(std::string name) : name_(std::move(name)) {}
  Id id() const override { return this; }
  const std::string& Name() const override { return name_; }
  int VisibleDeviceCount() const override { return 0; }
  Status InitStatus() const override { return OkStatus(); }
  StatusOr<std::unique_ptr<DeviceDescription>> DescriptionForDevice(int) const override { return NoDevice(); }
  StatusOr<StreamExecutor*> ExecutorForDevice(int) override { return NoDevice(); }
  StatusOr<StreamExecutor*> FindExisting(int) override { return NoDevice(); }

 private:
  static Status NoDevice() { return rocxla::NotFoundError("no device"); }
  std::string name_;
};

// One test, since the registry lasts as long as the process.
TEST(PlatformManager, FindsByNameAndId) {
  EXPECT_EQ(PlatformManager::PlatformWithName("First").status().message(), "no platform \"First\"; registered: none");
  auto first = std::make_unique<EmptyPlatform>("First");
  auto second = std::make_unique<EmptyPlatform>("Second");
  Platform *first_pointer = first.get(), *second_pointer = second.get();
  ASSERT_TRUE(PlatformManager::RegisterPlatform(std::move(first)).ok());
  ASSERT_TRUE(PlatformManager::RegisterPlatform(std::move(second)).ok());
  EXPECT_EQ(PlatformManager::PlatformWithName("fIRST").value(), first_pointer);
  EXPECT_EQ(PlatformManager::PlatformWithId(second_pointer->id()).value(), second_pointer);
  EXPECT_THAT(PlatformManager::AllPlatforms(), ::testing::ElementsAre(first_pointer, second_pointer));
  EXPECT_EQ(PlatformManager::RegisterPlatform(std::make_unique<EmptyPlatform>("SECOND")).code(),
            StatusCode::kAlreadyExists);
  EXPECT_EQ(PlatformManager::PlatformWithName("Third").status().message(),
            "no platform \"Third\"; registered: First, Second");
  EXPECT_EQ(PlatformManager::PlatformWithId(nullptr).status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace stream_executor
