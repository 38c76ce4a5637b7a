#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <iterator>
#include <numeric>

#include "base/error_ids.h"
#include "xla/stream_executor/event_based_timer.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"

namespace stream_executor::gpu {
namespace {

using ::testing::HasSubstr;
using ConformanceStream = Conformance;

TEST_P(ConformanceStream, CopiesAndFills) {
  constexpr uint64_t kBytes = 4096;
  std::vector<uint8_t> in(kBytes), out(kBytes);
  std::iota(in.begin(), in.end(), 1);
  const DeviceAddressBase a = Allocate(kBytes), b = Allocate(kBytes);
  EXPECT_OK(stream->Memcpy(a, in.data(), kBytes));
  EXPECT_OK(stream->MemcpyD2D(b, a, kBytes));
  EXPECT_OK(stream->MemZero(b, 3));
  EXPECT_OK(stream->Memset32(b.GetByteSlice(8, 8), 0x0a0b0c0d, 8));
  EXPECT_OK(stream->Memcpy(out.data(), b, kBytes));
  EXPECT_OK(stream->BlockHostUntilDone());
  std::fill_n(in.begin(), 3, 0);
  const uint8_t pattern[] = {0x0d, 0x0c, 0x0b, 0x0a, 0x0d, 0x0c, 0x0b, 0x0a};
  std::copy(std::begin(pattern), std::end(pattern), in.begin() + 8);
  EXPECT_EQ(in, out);
  EXPECT_OK(executor->SynchronousMemcpy(a, out.data(), kBytes));
  EXPECT_OK(executor->SynchronousMemcpy(in.data(), a, kBytes));
  EXPECT_EQ(in, out);
  EXPECT_OK(executor->Deallocate(a));
  EXPECT_OK(executor->Deallocate(b));
}

TEST_P(ConformanceStream, RangesAreChecked) {
  char host[64] = {};
  const DeviceAddressBase address = Allocate(32);
  EXPECT_EQ(stream->Memcpy(address, host, 33).ToString(),
            fmt::format("E5021 BadDeviceAddress: a copy goes beyond its device range\n"
                        "  found:    a range of 32 bytes at {}\n  expected: 33 bytes",
                        address.opaque()));
  EXPECT_EQ(stream->Memcpy(host, address, 33).id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(stream->MemcpyD2D(address, address.GetByteSlice(0, 8), 16).id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(stream->MemcpyD2D(address.GetByteSlice(0, 8), address, 16).id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(stream->MemZero(address, 33).id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(stream->Memset32(address, 0, 36).id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(stream->Memset32(address, 0, 30).ToString(),
            fmt::format("E5031 BadMemoryRequest: a fill with a 32-bit pattern needs whole patterns\n"
                        "  found:    30 bytes at {}\n  expected: address and size that are multiples of 4",
                        address.opaque()));
  EXPECT_EQ(stream->Memset32(address.GetByteSlice(2, 8), 0, 4).id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(executor->SynchronousMemcpy(address, host, 64).id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(executor->SynchronousMemcpy(host, address, 64).id(), ErrorId::kBadDeviceAddress);
  EXPECT_TRUE(stream->ok()) << "a refused call leaves the stream alone";
  EXPECT_OK(executor->Deallocate(address));
}

TEST_P(ConformanceStream, NothingToDoIsFine) {
  const DeviceAddressBase null;
  EXPECT_OK(stream->Memcpy(null, nullptr, 0));
  EXPECT_OK(stream->Memcpy(nullptr, null, 0));
  EXPECT_OK(stream->MemcpyD2D(null, null, 0));
  EXPECT_OK(stream->MemZero(null, 0));
  EXPECT_OK(stream->Memset32(null, 1, 0));
  EXPECT_OK(executor->SynchronousMemcpy(null, nullptr, 0));
  EXPECT_OK(executor->SynchronousMemcpy(nullptr, null, 0));
  EXPECT_OK(stream->BlockHostUntilDone());
}

TEST_P(ConformanceStream, FreedMemoryIsNotUsed) {
  if (!IsEmbedded()) GTEST_SKIP() << "a real GPU does not check copies";
  std::vector<uint8_t> host(4096);
  const DeviceAddressBase address = Allocate(4096);
  EXPECT_OK(executor->Deallocate(address));
  EXPECT_FALSE(executor->SynchronousMemcpy(host.data(), address, 4096).ok());
  const Status queued = stream->MemZero(address, 4096);
  EXPECT_FALSE(queued.ok() && stream->BlockHostUntilDone().ok());
  EXPECT_OK(NewStream()->BlockHostUntilDone());
}

TEST_P(ConformanceStream, EveryPriority) {
  for (const StreamPriority priority : {StreamPriority::kDefault, StreamPriority::kLowest, StreamPriority::kHighest}) {
    const std::unique_ptr<Stream> own = executor->CreateStream(priority).value();
    EXPECT_EQ(own->priority(), AnyStreamPriority(priority));
    EXPECT_EQ(&own->parent(), executor);
    bool ran = false;
    EXPECT_OK(own->DoHostCallback([&] { ran = true; }));
    EXPECT_OK(own->BlockHostUntilDone());
    EXPECT_TRUE(ran);
  }
}

TEST_P(ConformanceStream, PrioritiesByNumber) {
  const StreamPriorityRange range = executor->GetStreamPriorityRange().value();
  ASSERT_GE(range.lowest, range.highest);
  for (int priority = range.highest - 1; priority <= range.lowest + 1; ++priority) {
    const std::unique_ptr<Stream> own = executor->CreateStream(priority).value();
    EXPECT_EQ(own->priority(), AnyStreamPriority(priority));
    EXPECT_OK(own->BlockHostUntilDone());
  }
}

TEST_P(ConformanceStream, AFailedStreamIsNotUsedAgain) {
  EXPECT_OK(stream->DoHostCallbackWithStatus([] { return rocxla::AbortedError("enough"); }));
  EXPECT_FALSE(stream->BlockHostUntilDone().ok());
  stream.reset();
  for (int i = 0; i < 3; ++i) EXPECT_OK(NewStream()->BlockHostUntilDone());
}

TEST_P(ConformanceStream, HoldsBackWhatComesAfter) {
  std::atomic<bool> before = false, after = false;
  EXPECT_OK(stream->DoHostCallback([&] { before = true; }));
  std::unique_ptr<StreamHold> hold = stream->Hold().value();
  EXPECT_OK(stream->DoHostCallback([&] { after = true; }));
  const bool ran_early = after;
  const bool in_time = hold->Release();  // unless this thread slept for 100 ms
  EXPECT_TRUE(!ran_early || !in_time);
  EXPECT_EQ(hold->Release(), in_time) << "again";
  hold.reset();
  EXPECT_TRUE(before) << "the end of a hold waits for the stream to pass it";
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_TRUE(after);
}

TEST_P(ConformanceStream, AForgottenHoldEndsByItself) {
  const std::unique_ptr<StreamHold> hold = stream->Hold().value();
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_FALSE(hold->Release());
}

TEST_P(ConformanceStream, NoHoldWhereCallsWaitForTheirWork) {
  setenv("AMD_SERIALIZE_KERNEL", "3", 1);
  const Status held = stream->Hold().status();
  const auto timer = EventBasedTimer::Create(*stream, TimerStart::kHeld);
  unsetenv("AMD_SERIALIZE_KERNEL");
  EXPECT_EQ(held.ToString(),
            "E5025 NotSupportedByRuntime: a stream cannot be held while every call waits for its work\n"
            "  found:    AMD_SERIALIZE_KERNEL=3\n  next:     unset the variable");
  EXPECT_OK(timer) << "it begins at once";
}

TEST_P(ConformanceStream, HeldTimers) {
  const std::unique_ptr<EventBasedTimer> timer = EventBasedTimer::Create(*stream, TimerStart::kHeld).value();
  const DeviceAddressBase address = Allocate(4096);
  EXPECT_OK(stream->MemZero(address, 4096));
  const auto elapsed = timer->GetElapsedDuration();
  EXPECT_EQ(elapsed.ok(), !IsEmbedded()) << "the embedded device has no clock";
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_OK(executor->Deallocate(address));
}

TEST_P(ConformanceStream, EventsAndWaits) {
  std::promise<void> gate;
  const std::unique_ptr<Stream> other = NewStream();
  const std::unique_ptr<Event> event = executor->CreateEvent(EventTiming::kDisabled).value();
  EXPECT_EQ(event->PollForStatus(), Event::State::kComplete) << "never recorded";
  std::atomic<bool> first_ran = false, second_saw_it = false, third_saw_it = false;
  EXPECT_OK(stream->DoHostCallback([&] { gate.get_future().wait(), first_ran = true; }));
  EXPECT_OK(stream->RecordEvent(*event));
  EXPECT_EQ(event->PollForStatus(), Event::State::kPending);
  EXPECT_OK(other->WaitFor(*event));
  EXPECT_OK(other->DoHostCallback([&] { second_saw_it = first_ran.load(); }));
  const std::unique_ptr<Stream> third = NewStream();
  EXPECT_OK(third->WaitFor(*other));
  EXPECT_OK(third->WaitFor(*third));
  EXPECT_OK(third->DoHostCallback([&] { third_saw_it = second_saw_it.load(); }));
  gate.set_value();
  EXPECT_OK(event->Synchronize());
  EXPECT_EQ(event->PollForStatus(), Event::State::kComplete);
  EXPECT_OK(third->BlockHostUntilDone());
  EXPECT_TRUE(second_saw_it);
  EXPECT_TRUE(third_saw_it);
}

TEST_P(ConformanceStream, WhatOutlivesAStream) {
  const std::unique_ptr<Event> event = executor->CreateEvent(EventTiming::kDisabled).value();
  std::atomic<int> ran = 0;
  EXPECT_OK(stream->DoHostCallback([&] { ++ran; }));
  EXPECT_OK(stream->RecordEvent(*event));
  stream.reset();
  EXPECT_EQ(ran, 1) << "the end of a stream waits for its work";
  EXPECT_EQ(event->PollForStatus(), Event::State::kComplete);
  EXPECT_OK(event->Synchronize());
  const std::unique_ptr<Stream> other = NewStream();
  EXPECT_OK(other->WaitFor(*event));
  EXPECT_OK(other->BlockHostUntilDone());
}

TEST_P(ConformanceStream, FailingCallbackFailsTheStream) {
  EXPECT_OK(stream->DoHostCallbackWithStatus([] { return rocxla::AbortedError("enough"); }));
  EXPECT_EQ(stream->BlockHostUntilDone().message(), "enough");
  EXPECT_EQ(stream->status().message(), "enough");
  EXPECT_EQ(stream->DoHostCallback([] {}).message(), "enough");
  const DeviceAddressBase null;
  EXPECT_EQ(stream->MemZero(null, 0).message(), "enough");
  EXPECT_OK(NewStream()->BlockHostUntilDone());
}

TEST_P(ConformanceStream, TimeIsMeasuredOrRefused) {
  const std::unique_ptr<EventBasedTimer> timer = EventBasedTimer::Create(*stream).value();
  const auto elapsed = timer->GetElapsedDuration();
  if (IsEmbedded()) {
    EXPECT_EQ(elapsed.status().id(), ErrorId::kNotSupportedByRuntime);
    EXPECT_THAT(elapsed.status().message(), HasSubstr("the embedded device has no clock"));
  } else {
    EXPECT_GE(elapsed.value().count(), 0);
  }
  EXPECT_EQ(timer->GetElapsedDuration().status().message(), "the timer was stopped already");
}

TEST_P(ConformanceStream, TimersKnowThatTheirStreamIsGone) {
  const std::unique_ptr<EventBasedTimer> timer = EventBasedTimer::Create(*stream).value();
  stream.reset();
  EXPECT_EQ(timer->GetElapsedDuration().status().message(), "the timer's stream does not exist any more");
}

TEST_P(ConformanceStream, TimeNeedsEventsWithTiming) {
  const std::unique_ptr<Event> start = executor->CreateEvent(EventTiming::kDisabled).value();
  const std::unique_ptr<Event> stop = executor->CreateEvent(EventTiming::kDisabled).value();
  EXPECT_OK(stream->RecordEvent(*start));
  EXPECT_OK(stream->RecordEvent(*stop));
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_FALSE(executor->ElapsedTime(*start, *stop).ok());
}

TEST_P(ConformanceStream, ForeignObjects) {
  class OtherEvent : public Event {
    State PollForStatus() const override { return State::kComplete; }
    Status Synchronize() const override { return OkStatus(); }
  } event;
  EXPECT_EQ(stream->RecordEvent(event).id(), ErrorId::kWrongDevice);
  EXPECT_EQ(stream->WaitFor(event).id(), ErrorId::kWrongDevice);
  EXPECT_EQ(executor->ElapsedTime(event, event).status().id(), ErrorId::kWrongDevice);
  StreamExecutor* other = OtherDevice();
  if (other == nullptr) GTEST_SKIP() << "there is one device only";
  const std::unique_ptr<Event> theirs = other->CreateEvent(EventTiming::kDisabled).value();
  EXPECT_EQ(stream->RecordEvent(*theirs).ToString(),
            fmt::format("E5022 WrongDevice: an event can only be recorded on streams of its own device\n"
                        "  found:    an event of device {}\n  expected: an event of device {}",
                        other->device_ordinal(), executor->device_ordinal()));
  const std::unique_ptr<Stream> their_stream = other->CreateStream().value();
  EXPECT_OK(their_stream->RecordEvent(*theirs));
  EXPECT_OK(stream->WaitFor(*theirs));
  EXPECT_EQ(executor->CreateOrShareConstant(*their_stream, {}).status().id(), ErrorId::kWrongDevice);
  EXPECT_OK(stream->BlockHostUntilDone());
}

CONFORMANCE_SUITE(ConformanceStream);

}  // namespace
}  // namespace stream_executor::gpu
