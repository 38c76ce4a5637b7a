#include "xla/stream_executor/platform_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stream_executor {
namespace {

class EmptyPlatform : public Platform {
 public:
  explicit EmptyPlatform(std::string name, Id id = nullptr) : name_(std::move(name)), id_(id) {}
  Id id() const override { return id_ != nullptr ? id_ : this; }
  const std::string& Name() const override { return name_; }
  int VisibleDeviceCount() const override { return 0; }
  Status InitStatus() const override { return OkStatus(); }
  StatusOr<std::unique_ptr<DeviceDescription>> DescriptionForDevice(int) const override { return NoDevice(); }
  StatusOr<StreamExecutor*> ExecutorForDevice(int) override { return NoDevice(); }
  StatusOr<StreamExecutor*> FindExisting(int) override { return NoDevice(); }

 private:
  static Status NoDevice() { return rocxla::NotFoundError("no device"); }
  std::string name_;
  Id id_;
};

// One test, since the registry lasts as long as the process.
TEST(PlatformManager, FindsByNameAndId) {
  EXPECT_EQ(PlatformManager::PlatformWithName("First").status().ToString(),
            R"(E5028 PlatformNotFound: no platform of this name is registered
  found:    'First'
  expected: one of: none)");
  auto first = std::make_unique<EmptyPlatform>("First");
  auto second = std::make_unique<EmptyPlatform>("Second");
  Platform *first_pointer = first.get(), *second_pointer = second.get();
  ASSERT_TRUE(PlatformManager::RegisterPlatform(std::move(first)).ok());
  ASSERT_TRUE(PlatformManager::RegisterPlatform(std::move(second)).ok());
  EXPECT_EQ(PlatformManager::PlatformWithName("fIRST").value(), first_pointer);
  EXPECT_EQ(PlatformManager::PlatformWithId(second_pointer->id()).value(), second_pointer);
  EXPECT_THAT(PlatformManager::AllPlatforms(), ::testing::ElementsAre(first_pointer, second_pointer));
  EXPECT_EQ(PlatformManager::RegisterPlatform(std::make_unique<EmptyPlatform>("SECOND")).ToString(),
            R"(E5029 PlatformExists: a platform of this name or id is registered already
  found:    'SECOND'
  expected: none of: First, Second)");
  EXPECT_EQ(PlatformManager::RegisterPlatform(std::make_unique<EmptyPlatform>("Other", second_pointer)).code(),
            StatusCode::kAlreadyExists)
      << "the id counts too";
  EXPECT_EQ(PlatformManager::PlatformWithName("Third").status().ToString(),
            R"(E5028 PlatformNotFound: no platform of this name is registered
  found:    'Third'
  expected: one of: First, Second)");
  EXPECT_EQ(PlatformManager::PlatformWithId(nullptr).status().ToString(),
            R"(E5028 PlatformNotFound: no platform of this id is registered
  expected: the id of one of: First, Second)");
}

}  // namespace
}  // namespace stream_executor
