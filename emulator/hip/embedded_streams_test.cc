// Streams: asynchronous, ordered with the null stream, with priorities, callbacks and values in memory.
#include <atomic>
#include <thread>

#include "emulator/hip/embedded_test.h"
#include "emulator/hip/launch_gate.h"

namespace rocxla::emu {
namespace {

using EmbeddedStreams = EmbeddedTest;

TEST_F(EmbeddedStreams, AreAsynchronous) {
  Gate gate;
  hipStream_t stream = Stream();
  EXPECT_EQ(hip.hipStreamQuery(stream), hipSuccess);
  gate.Close(hip, stream);
  EXPECT_EQ(hip.hipStreamQuery(stream), hipErrorNotReady);
  gate.Open();
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamQuery(stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamDestroy(stream), hipSuccess);
}

// One stream waits, the others go on.
TEST_F(EmbeddedStreams, EachHasItsQueue) {
  Gate gate;
  hipStream_t held = Stream(), free = Stream();
  void* device = Malloc(4);
  gate.Close(hip, held);
  EXPECT_EQ(hip.hipMemsetD32Async(device, 5, 1, free), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(free), hipSuccess);
  EXPECT_EQ(hip.hipStreamQuery(held), hipErrorNotReady);
  gate.Open();
  hip.hipStreamDestroy(held);
  hip.hipStreamDestroy(free);
  hip.hipFree(device);
}

// The null stream waits for "default" streams but not for "non-blocking" ones.
TEST_F(EmbeddedStreams, NullStreamWaitsForBlockingStreams) {
  Gate gate;
  hipStream_t stream = Stream(hipStreamDefault);
  void* device = Malloc(4);
  gate.Close(hip, stream);
  hip.hipMemsetD32Async(device, 7, 1, stream);
  std::thread opener([&] { gate.Open(); });
  EXPECT_EQ(Words(device, 1), std::vector<uint32_t>{7});
  opener.join();
  hip.hipStreamDestroy(stream);
  hip.hipFree(device);
}

TEST_F(EmbeddedStreams, BlockingStreamsWaitForTheNullStream) {
  Gate gate;
  hipStream_t blocking = Stream(hipStreamDefault), other = Stream(hipStreamNonBlocking);
  void* device = Malloc(8);
  gate.Close(hip, hipStreamLegacy);
  hip.hipMemsetD32Async(device, 7, 1, blocking);
  hip.hipMemsetD32Async(static_cast<char*>(device) + 4, 7, 1, other);
  EXPECT_EQ(hip.hipStreamSynchronize(other), hipSuccess);
  EXPECT_EQ(hip.hipStreamQuery(blocking), hipErrorNotReady);
  gate.Open();
  EXPECT_EQ(hip.hipStreamSynchronize(blocking), hipSuccess);
  hip.hipStreamDestroy(blocking);
  hip.hipStreamDestroy(other);
  hip.hipFree(device);
}

TEST_F(EmbeddedStreams, FlagsPrioritiesAndDevices) {
  int least = 0, greatest = 0, priority = 9, device = -1;
  unsigned flags = 9;
  EXPECT_EQ(hip.hipDeviceGetStreamPriorityRange(&least, &greatest), hipSuccess);
  EXPECT_EQ(least, 1);
  EXPECT_EQ(greatest, -1);
  hip.hipSetDevice(1);
  hipStream_t stream = nullptr;
  ASSERT_EQ(hip.hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, -5), hipSuccess);
  EXPECT_EQ(hip.hipStreamGetPriority(stream, &priority), hipSuccess);
  EXPECT_EQ(priority, -1) << "the nearest that there is";
  EXPECT_EQ(hip.hipStreamGetFlags(stream, &flags), hipSuccess);
  EXPECT_EQ(flags, hipStreamNonBlocking);
  EXPECT_EQ(hip.hipStreamGetDevice(stream, &device), hipSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(hip.hipStreamCreateWithFlags(&stream, 2), hipErrorInvalidValue);
  hip.hipStreamDestroy(stream);
}

TEST(LaunchGate, UrgentOnesGoFirst) {
  LaunchGate gate;
  std::vector<int> order;
  std::vector<std::thread> threads;
  {
    LaunchGate::Turn first(gate, 0);
    for (int priority : {1, 0, -1}) {
      threads.emplace_back([&, priority] {
        LaunchGate::Turn turn(gate, priority);
        order.push_back(priority);
      });
    }
    while (gate.waiting() < 3) std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, (std::vector<int>{-1, 0, 1}));
}

TEST_F(EmbeddedStreams, StreamPerThread) {
  void* device = Malloc(4);
  EXPECT_EQ(hip.hipMemsetD32Async(device, 3, 1, hipStreamPerThread), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(hipStreamPerThread), hipSuccess);
  Gate gate;
  gate.Close(hip, hipStreamPerThread);
  std::thread([&] {
    EXPECT_EQ(hip.hipStreamQuery(hipStreamPerThread), hipSuccess) << "not the other thread's";
  }).join();
  gate.Open();
  EXPECT_EQ(hip.hipStreamSynchronize(hipStreamPerThread), hipSuccess);
  hip.hipFree(device);
}

TEST_F(EmbeddedStreams, CallbacksGetStreamAndStatus) {
  struct Seen {
    hipStream_t stream = nullptr;
    hipError_t status = hipErrorUnknown;
  } seen;
  hipStream_t stream = Stream();
  auto note = [](hipStream_t stream, hipError_t status, void* data) { *static_cast<Seen*>(data) = {stream, status}; };
  EXPECT_EQ(hip.hipStreamAddCallback(stream, note, &seen, 0), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(seen.stream, stream);
  EXPECT_EQ(seen.status, hipSuccess);
  hip.hipStreamDestroy(stream);
}

TEST_F(EmbeddedStreams, HostFunctionsMayNotWait) {
  struct Seen {
    const HipApi& hip;
    hipStream_t stream;
    std::vector<hipError_t> errors;
  } seen{hip, Stream(), {}};
  auto misuse = [](void* data) {
    auto& [hip, stream, errors] = *static_cast<Seen*>(data);
    errors = {hip.hipStreamSynchronize(stream), hip.hipStreamDestroy(stream), hip.hipFree(data),
              hip.hipDeviceSynchronize()};
  };
  hip.hipLaunchHostFunc(seen.stream, misuse, &seen);
  EXPECT_EQ(hip.hipStreamSynchronize(seen.stream), hipSuccess);
  EXPECT_EQ(seen.errors, std::vector<hipError_t>(4, hipErrorIllegalState));
  hip.hipStreamDestroy(seen.stream);
}

TEST_F(EmbeddedStreams, ValuesInMemoryOrderStreams) {
  auto* flag = static_cast<uint64_t*>(Malloc(8));
  void* device = Malloc(4);
  hip.hipMemset(flag, 0, 8);
  hipStream_t waiter = Stream(), writer = Stream();
  EXPECT_EQ(hip.hipStreamWaitValue64(waiter, flag, 3, hipStreamWaitValueGte, ~uint64_t{0}), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipMemsetD32Async(device, 8, 1, waiter), hipSuccess);
  EXPECT_EQ(hip.hipStreamQuery(waiter), hipErrorNotReady);
  EXPECT_EQ(hip.hipStreamWriteValue64(writer, flag, 4, 0), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(waiter), hipSuccess);
  EXPECT_EQ(hip.hipStreamWriteValue32(writer, flag, 0xf0, 0), hipSuccess);
  EXPECT_EQ(hip.hipStreamWaitValue32(writer, flag, 0x10, hipStreamWaitValueEq, 0x1f), hipSuccess);
  EXPECT_EQ(hip.hipStreamWaitValue32(writer, flag, 0x80, hipStreamWaitValueAnd, ~0u), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(writer), hipSuccess);
  EXPECT_EQ(hip.hipStreamWriteValue64(writer, reinterpret_cast<char*>(flag) + 4, 0, 0), hipErrorInvalidValue);
  uint64_t host = 0;
  EXPECT_EQ(hip.hipStreamWaitValue64(writer, &host, 0, 0, 0), hipErrorInvalidDevicePointer);
  for (hipStream_t stream : {waiter, writer}) hip.hipStreamDestroy(stream);
  hip.hipFree(flag);
  hip.hipFree(device);
}

TEST_F(EmbeddedStreams, WhatAWaitForAValueWaitsFor) {
  struct Wait {
    unsigned flags;
    uint32_t value, mask, passes, holds;  // two contents of the memory
  };
  const Wait waits[] = {{hipStreamWaitValueGte, 1, ~0u, 0xffffffff, 0},  // no signs
                        {hipStreamWaitValueGte, 0x10, 0xf0, 0x20, 0xf0f},
                        {hipStreamWaitValueEq, 0x10, 0x1f, 0xf0, 0x11},
                        {hipStreamWaitValueAnd, 6, 3, 2, 4},
                        {hipStreamWaitValueNor, 1, 3, 0xf1, 2},
                        {hipStreamWaitValueNor, 0, ~0u, 1, ~0u}};
  auto* word = static_cast<uint32_t*>(Malloc(4));
  hipStream_t waiter = Stream(), writer = Stream();
  for (const Wait& wait : waits) {
    ASSERT_EQ(hip.hipMemsetD32(word, static_cast<int>(wait.holds), 1), hipSuccess);
    EXPECT_EQ(hip.hipStreamWaitValue32(waiter, word, wait.value, wait.flags, wait.mask), hipSuccess) << Detail();
    EXPECT_EQ(hip.hipStreamQuery(waiter), hipErrorNotReady) << wait.flags << " " << wait.holds;
    EXPECT_EQ(hip.hipStreamWriteValue32(writer, word, wait.passes, 0), hipSuccess);
    EXPECT_EQ(hip.hipStreamSynchronize(waiter), hipSuccess) << Detail();
    EXPECT_EQ(*word, wait.passes);
  }
  for (hipStream_t stream : {waiter, writer}) hip.hipStreamDestroy(stream);
  hip.hipFree(word);
}

TEST_F(EmbeddedStreams, StaleHandles) {
  hipStream_t stream = Stream();
  void* device = Malloc(4);
  EXPECT_EQ(hip.hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamDestroy(stream), hipErrorInvalidHandle);
  EXPECT_TRUE(DetailHas("not a live stream: never created, or destroyed already"));
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipStreamQuery(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipMemsetAsync(device, 0, 4, stream), hipErrorInvalidHandle);
  hipStream_t other = Stream();
  EXPECT_NE(other, stream) << "handles are not used again";
  hip.hipStreamDestroy(other);
  hip.hipFree(device);
}

// Memory that goes away behind the back of a queued copy is an error of the stream, not a crash.
TEST_F(EmbeddedStreams, CopyFromMemoryThatIsFreedMeanwhile) {
  Gate gate;
  hipStream_t stream = Stream(), other = Stream();
  void* device = nullptr;
  uint32_t host = 0;
  ASSERT_EQ(hip.hipMallocAsync(&device, 4, other), hipSuccess);
  gate.Close(hip, stream);
  EXPECT_EQ(hip.hipMemcpyAsync(&host, device, 4, hipMemcpyDeviceToHost, stream), hipSuccess);
  EXPECT_EQ(hip.hipFreeAsync(device, other), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(other), hipSuccess);
  gate.Open();
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipErrorIllegalAddress);
  EXPECT_TRUE(DetailHas("source:")) << Detail();
  hip.hipStreamDestroy(stream);
  hip.hipStreamDestroy(other);
}

}  // namespace
}  // namespace rocxla::emu
