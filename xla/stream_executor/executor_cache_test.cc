#include "xla/stream_executor/executor_cache.h"

#include <gtest/gtest.h>

namespace stream_executor {
namespace {

TEST(ExecutorCache, FailuresAreNotRemembered) {
  ExecutorCache cache("FAKE");
  int calls = 0;
  const ExecutorCache::Factory fails = [&]() -> StatusOr<std::unique_ptr<StreamExecutor>> {
    return ++calls, rocxla::UnavailableError("not now");
  };
  EXPECT_EQ(cache.GetOrCreate(3, fails).status().message(), "not now");
  EXPECT_EQ(cache.GetOrCreate(3, fails).status().message(), "not now");
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(cache.Get(3).status().ToString(),
            R"(E5030 ExecutorNotFound: no executor exists yet for this device
  where:    platform FAKE
  found:    device 3
  expected: a device that ExecutorForDevice has opened)");
}

}  // namespace
}  // namespace stream_executor
