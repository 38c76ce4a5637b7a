#include "emulator/hip/work_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace rocxla::emu {
namespace {

WorkQueue::Work Append(std::vector<int>& out, int value) {
  return [&out, value] { return out.push_back(value), WorkResult{}; };
}
WorkQueue::Work Fail(hipError_t code, std::string detail) {
  return [=] { return WorkResult{code, detail}; };
}

TEST(WorkQueue, RunsInOrder) {
  std::vector<int> order;
  WorkQueue queue;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(queue.Submit(Append(order, i)), i + 1u);
  EXPECT_TRUE(queue.Wait(queue.last_ticket()).ok());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST(WorkQueue, SubmitDoesNotWait) {
  std::promise<void> gate;
  WorkQueue queue;
  const uint64_t ticket = queue.Submit([&] { return gate.get_future().wait(), WorkResult{}; });
  EXPECT_FALSE(queue.HasPassed(ticket));
  gate.set_value();
  EXPECT_TRUE(queue.Wait(ticket).ok());
  EXPECT_TRUE(queue.HasPassed(ticket));
}

TEST(WorkQueue, FailureSkipsWhatFollowsAndSticks) {
  std::vector<int> order;
  WorkQueue queue;
  queue.Submit(Append(order, 1));
  queue.Submit(Fail(hipErrorIllegalAddress, "first"));
  queue.Submit(Append(order, 2));
  queue.Submit(Fail(hipErrorUnknown, "second"));
  const WorkResult result = queue.Wait(4);
  EXPECT_EQ(result.code, hipErrorIllegalAddress);
  EXPECT_EQ(result.detail, "first");
  EXPECT_THAT(order, ::testing::ElementsAre(1));
  EXPECT_TRUE(queue.Wait(1).ok()) << "work before the failure stays good";
}

TEST(WorkQueue, FencesOrderQueues) {
  std::promise<void> gate;
  std::vector<int> order;
  auto first = std::make_shared<WorkQueue>();
  WorkQueue second;
  first->Submit([&] { return gate.get_future().wait(), order.push_back(1), WorkResult{}; });
  second.Submit(Append(order, 2), {{first, first->last_ticket()}, {}});
  gate.set_value();
  EXPECT_TRUE(second.Wait(1).ok());
  EXPECT_THAT(order, ::testing::ElementsAre(1, 2));
}

TEST(WorkQueue, FailureCrossesFences) {
  std::vector<int> order;
  auto first = std::make_shared<WorkQueue>();
  WorkQueue second;
  first->Submit(Fail(hipErrorLaunchFailure, "broken"));
  second.Submit(Append(order, 2), {{first, 1}});
  EXPECT_EQ(second.Wait(1).detail, "broken");
  EXPECT_THAT(order, ::testing::IsEmpty());
}

TEST(WorkQueue, DestructionRunsWhatIsLeft) {
  std::atomic<int> runs = 0;
  {
    WorkQueue queue;
    for (int i = 0; i < 10; ++i) queue.Submit([&] { return ++runs, WorkResult{}; });
  }
  EXPECT_EQ(runs, 10);
}

TEST(WorkQueue, KnowsItsThreads) {
  bool inside = false;
  WorkQueue queue;
  queue.Submit([&] { return inside = WorkQueue::OnWorkerThread(), WorkResult{}; });
  EXPECT_TRUE(queue.Wait(1).ok());
  EXPECT_TRUE(inside);
  EXPECT_FALSE(WorkQueue::OnWorkerThread());
}

}  // namespace
}  // namespace rocxla::emu
