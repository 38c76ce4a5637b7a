#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>

namespace rocxla {
namespace {

TEST(ThreadPool, EveryIndexRunsOnce) {
  for (int threads : {1, 2, 7})
    for (int64_t count : {0, 1, 2, 1000}) {
      ThreadPool pool(threads);
      EXPECT_EQ(pool.threads(), threads);
      std::vector<std::atomic<int>> runs(count);
      EXPECT_EQ(pool.ParallelFor(count, [&](int64_t i) { return ++runs[i], OkStatus(); }), OkStatus());
      for (const std::atomic<int>& n : runs) EXPECT_EQ(n, 1);
    }
}

TEST(ThreadPool, TheSizeComesFromTheCores) {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  EXPECT_EQ(ThreadPool().threads(), cores);
  EXPECT_EQ(ThreadPool(-3).threads(), cores);
}

TEST(ThreadPool, NegativeCountsRunNothing) {
  EXPECT_EQ(ThreadPool(2).ParallelFor(-1, [](int64_t) { return InternalError("ran"); }), OkStatus());
}

// Index 3 fails only after index 5 has: the answer is index 3's all the same.
TEST(ThreadPool, TheFailureOfTheLowestIndexWins) {
  ThreadPool pool(8);
  std::atomic<bool> late_failed = false;
  Status status = pool.ParallelFor(6, [&](int64_t i) -> Status {
    if (i == 5) {
      late_failed = true;
      return InternalError("5");
    }
    if (i != 3) return OkStatus();
    while (!late_failed) std::this_thread::yield();
    return InternalError("3");
  });
  EXPECT_EQ(status, InternalError("3"));
}

TEST(ThreadPool, NothingBeginsAfterAFailure) {
  ThreadPool pool(1);
  std::atomic<int> runs = 0;
  Status status = pool.ParallelFor(1'000'000, [&](int64_t) { return ++runs, InternalError("at once"); });
  EXPECT_EQ(status, InternalError("at once"));
  EXPECT_LE(runs, 2);  // one on the worker, one on the caller
}

TEST(ThreadPool, NestedLoopsOnBusyPoolsFinish) {
  for (int threads : {1, 3}) {
    ThreadPool pool(threads);
    std::atomic<int64_t> sum = 0;
    Status status = pool.ParallelFor(8, [&](int64_t i) {
      return pool.ParallelFor(8, [&, i](int64_t j) {
        return pool.ParallelFor(8, [&, i, j](int64_t k) { return sum += 64 * i + 8 * j + k, OkStatus(); });
      });
    });
    EXPECT_EQ(status, OkStatus());
    EXPECT_EQ(sum, 511 * 512 / 2);
  }
}

TEST(ThreadPool, FailuresOfNestedLoopsComeOut) {
  ThreadPool pool(3);
  Status status = pool.ParallelFor(4, [&](int64_t i) {
    return pool.ParallelFor(4, [i](int64_t j) { return i * j == 6 ? NotFoundError("6") : OkStatus(); });
  });
  EXPECT_EQ(status, NotFoundError("6"));
}

TEST(ThreadPool, ScheduledTasksRunBeforeTheEnd) {
  std::atomic<int> runs = 0;
  {
    ThreadPool pool(2);
    for (int i = 0; i < 100; ++i)
      pool.Schedule([&] {
        ++runs;
        pool.Schedule([&] { ++runs; });
      });
  }
  EXPECT_EQ(runs, 200);
}

TEST(ThreadPool, ManyCallersShareOnePool) {
  ThreadPool pool(2);
  std::atomic<int> runs = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back(
        [&] { EXPECT_EQ(pool.ParallelFor(100, [&](int64_t) { return ++runs, OkStatus(); }), OkStatus()); });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(runs, 800);
}

}  // namespace
}  // namespace rocxla
