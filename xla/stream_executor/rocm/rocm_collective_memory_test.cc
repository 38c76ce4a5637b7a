#include "xla/stream_executor/rocm/rocm_collective_memory.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stream_executor::gpu {
namespace {

using ::testing::HasSubstr;

TEST(CollectiveLibrary, TellsEveryPlaceItLookedAt) {
  const Status status = OpenCollectiveLibrary({"/no/such/folder", FAKE_RCCL_INCOMPLETE}).status();
  EXPECT_EQ(status.id(), ErrorId::kRocmLibraryUnavailable);
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), ::testing::StartsWith("collective memory needs RCCL, which could not be opened\n"
                                                      "  found:    /no/such/folder/librccl.so.1: "));
  EXPECT_THAT(status.message(), HasSubstr("/incomplete/lib/librccl.so.1: has no function ncclMemFree\n"
                                          "  expected: librccl.so.1 with ncclMemAlloc (RCCL 2.19 or later)\n"
                                          "  next:     install RCCL, or set ROCM_PATH to the ROCm that has it"));
}

TEST(CollectiveLibrary, TakesTheFirstThatHasEverything) {
  const StatusOr<CollectiveLibrary> library = OpenCollectiveLibrary({FAKE_RCCL_INCOMPLETE, FAKE_RCCL_COMPLETE});
  ASSERT_TRUE(library.ok()) << library.status().ToString();
  EXPECT_THAT(library->path, HasSubstr("/complete/lib/librccl.so.1"));
  void* pointer = nullptr;
  EXPECT_EQ(library->allocate(&pointer, 64), 0);
  EXPECT_NE(pointer, nullptr);
  EXPECT_EQ(library->free(pointer), 0);
  EXPECT_NE(library->allocate(&pointer, 13), 0);
}

}  // namespace
}  // namespace stream_executor::gpu
