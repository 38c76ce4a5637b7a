// Events: order between streams, and times of the host's clock for those who ask.
#include <thread>

#include "emulator/hip/embedded_test.h"
#include "emulator/hip/event_clock.h"

namespace rocxla::emu {
namespace {

using EmbeddedEvents = EmbeddedTest;

TEST_F(EmbeddedEvents, OrderStreams) {
  Gate gate;
  hipStream_t first = Stream(), second = Stream();
  hipEvent_t event = Event();
  void* device = Malloc(4);
  uint32_t value = 0;
  EXPECT_EQ(hip.hipEventQuery(event), hipSuccess) << "an event that was never recorded has happened";
  gate.Close(hip, first);
  hip.hipMemsetD32Async(device, 42, 1, first);
  ASSERT_EQ(hip.hipEventRecord(event, first), hipSuccess);
  EXPECT_EQ(hip.hipEventQuery(event), hipErrorNotReady);
  ASSERT_EQ(hip.hipStreamWaitEvent(second, event, 0), hipSuccess);
  hip.hipMemcpyAsync(&value, device, 4, hipMemcpyDeviceToHost, second);
  EXPECT_EQ(hip.hipEventDestroy(event), hipSuccess) << "waits that are queued keep what they need";
  gate.Open();
  EXPECT_EQ(hip.hipStreamSynchronize(second), hipSuccess);
  EXPECT_EQ(value, 42u);
  hip.hipStreamDestroy(first);
  hip.hipStreamDestroy(second);
  hip.hipFree(device);
}

// A later record does not move earlier waits.
TEST_F(EmbeddedEvents, WaitsMeanTheRecordThatTheySaw) {
  Gate gate;
  hipStream_t recorded = Stream(), waiting = Stream();
  hipEvent_t event = Event();
  hip.hipEventRecord(event, recorded);
  hip.hipStreamWaitEvent(waiting, event, 0);
  gate.Close(hip, recorded);
  hip.hipEventRecord(event, recorded);
  EXPECT_EQ(hip.hipStreamSynchronize(waiting), hipSuccess);
  EXPECT_EQ(hip.hipEventQuery(event), hipErrorNotReady);
  gate.Open();
  EXPECT_EQ(hip.hipEventSynchronize(event), hipSuccess);
  hip.hipEventDestroy(event);
  hip.hipStreamDestroy(recorded);
  hip.hipStreamDestroy(waiting);
}

// What lies between the records took at least the pause: the clock is the host's.
TEST_F(EmbeddedEvents, TimesAreOfTheHostAndOnlyOnRequest) {
  hipStream_t stream = Stream();
  hipEvent_t start = Event(hipEventDefault), stop = Event(hipEventDefault);
  float milliseconds = -1;
  EXPECT_EQ(hip.hipEventElapsedTime(&milliseconds, start, stop), hipErrorInvalidHandle) << "never recorded";
  hip.hipEventRecord(start, stream);
  hip.hipLaunchHostFunc(stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }, nullptr);
  Gate gate;
  gate.Close(hip, stream);
  hip.hipEventRecord(stop, stream);
  EXPECT_EQ(hip.hipEventElapsedTime(&milliseconds, start, stop), hipErrorNotReady);
  gate.Open();
  ASSERT_EQ(hip.hipEventSynchronize(stop), hipSuccess);
  ASSERT_EQ(CurrentEventClock(), EventClock::kNone);
  EXPECT_EQ(hip.hipEventElapsedTime(&milliseconds, start, stop), hipErrorNotSupported);
  EXPECT_TRUE(DetailHas("the embedded device has no clock"));
  EXPECT_EQ(milliseconds, -1);
  SetEventClock(EventClock::kHost);
  EXPECT_EQ(hip.hipEventElapsedTime(&milliseconds, start, stop), hipSuccess) << Detail();
  EXPECT_GE(milliseconds, 5);
  EXPECT_EQ(hip.hipEventElapsedTime(&milliseconds, stop, start), hipSuccess);
  EXPECT_LE(milliseconds, -5);
  hipEvent_t untimed = Event(hipEventDisableTiming);
  hip.hipEventRecord(untimed, stream);
  EXPECT_EQ(hip.hipEventElapsedTime(&milliseconds, start, untimed), hipErrorInvalidHandle);
  SetEventClock(EventClock::kNone);
  for (hipEvent_t event : {start, stop, untimed}) hip.hipEventDestroy(event);
  hip.hipStreamDestroy(stream);
}

TEST_F(EmbeddedEvents, BelongToADevice) {
  hipEvent_t event = Event();
  hip.hipSetDevice(1);
  hipStream_t stream = Stream();
  EXPECT_EQ(hip.hipEventRecord(event, stream), hipErrorInvalidHandle);
  EXPECT_TRUE(DetailHas("created on another device"));
  EXPECT_EQ(hip.hipStreamWaitEvent(stream, event, 0), hipSuccess) << "waiting across devices is allowed";
  hip.hipStreamDestroy(stream);
  hip.hipEventDestroy(event);
}

TEST_F(EmbeddedEvents, Mistakes) {
  hipEvent_t event = Event();
  EXPECT_EQ(hip.hipEventDestroy(event), hipSuccess);
  EXPECT_EQ(hip.hipEventDestroy(event), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipEventQuery(event), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipEventRecord(event, nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipEventCreateWithFlags(&event, 4), hipErrorInvalidValue) << "between processes";
  EXPECT_EQ(hip.hipEventCreate(nullptr), hipErrorInvalidValue);
}

}  // namespace
}  // namespace rocxla::emu
