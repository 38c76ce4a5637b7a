#include "xla/stream_executor/command_buffer.h"
#include "base/error_ids.h"

#include <fmt/format.h>

#include "xla/stream_executor/rocm/conformance/conformance.h"

namespace stream_executor::gpu {
namespace {

using ::testing::HasSubstr;
using Command = CommandBuffer::Command;

class ConformanceCommandBuffer : public ConformanceKernel {
 protected:
  void SetUp() override {
    ConformanceKernel::SetUp();
    if (HasFatalFailure()) return;
    WriteInputs();
    buffer = executor->CreateCommandBuffer().value();
  }
  void SubmitAndWait() {
    EXPECT_OK(buffer->Submit(*stream));
    EXPECT_OK(stream->BlockHostUntilDone());
  }
  std::unique_ptr<CommandBuffer> buffer;
};

TEST_P(ConformanceCommandBuffer, RunsItsCommandsInTheirOrderAsOftenAsSubmitted) {
  EXPECT_EQ(buffer->state(), CommandBuffer::State::kCreate);
  const Command* sum = buffer->CreateLaunch(*kernel, dims, Args(kElements), {}).value();
  // x = x + y, by way of the sum, so that every submission adds y once more.
  const Command* back = buffer->CreateMemcpyD2D(buffers[0], buffers[2], kBytes, {&sum, 1}).value();
  const Command* empty = buffer->CreateEmpty({&back, 1}).value();
  EXPECT_OK(buffer->CreateMemset(buffers[2], uint32_t{0}, kElements, {&empty, 1}));
  EXPECT_OK(buffer->Finalize());
  EXPECT_EQ(buffer->state(), CommandBuffer::State::kFinalized);
  for (int i = 0; i < 3; ++i) EXPECT_OK(buffer->Submit(*stream));
  EXPECT_OK(stream->BlockHostUntilDone());
  const std::vector<uint8_t> bytes = Read(buffers[0]);
  const auto* x = reinterpret_cast<const float*>(bytes.data());
  for (int i = 0; i < kElements; i += 617) EXPECT_EQ(x[i], i * 0.25f + 3 * (1000.0f - i));
  EXPECT_EQ(Read(buffers[2]), std::vector<uint8_t>(kBytes, 0));
}

TEST_P(ConformanceCommandBuffer, PatternsOfEverySize) {
  const DeviceAddressBase target = buffers[2];
  const Command* first = buffer->CreateMemset(target.GetByteSlice(0, 5), uint8_t{0x11}, 5, {}).value();
  const Command* second = buffer->CreateMemset(target.GetByteSlice(6, 6), uint16_t{0x2233}, 3, {&first, 1}).value();
  EXPECT_OK(buffer->CreateMemset(target.GetByteSlice(12, 8), uint32_t{0x44556677}, 2, {&second, 1}));
  EXPECT_OK(stream->MemZero(target, 32));
  EXPECT_OK(buffer->Finalize());
  SubmitAndWait();
  const std::vector<uint8_t> expected = {0x11, 0x11, 0x11, 0x11, 0x11, 0,    0x33, 0x22, 0x33, 0x22, 0x33,
                                         0x22, 0x77, 0x66, 0x55, 0x44, 0x77, 0x66, 0x55, 0x44, 0};
  std::vector<uint8_t> bytes = Read(target);
  bytes.resize(expected.size());
  EXPECT_EQ(bytes, expected);
}

TEST_P(ConformanceCommandBuffer, UpdatesChangeParametersOnly) {
  const DeviceAddressBase elsewhere = Allocate(kBytes);
  const Command* launch = buffer->CreateLaunch(*kernel, dims, Args(kElements), {}).value();
  const Command* copy = buffer->CreateMemcpyD2D(elsewhere, buffers[2], 16, {&launch, 1}).value();
  const Command* fill = buffer->CreateMemset(buffers[2], uint8_t{1}, 16, {&copy, 1}).value();
  EXPECT_OK(buffer->Finalize());
  EXPECT_OK(buffer->Update());
  EXPECT_EQ(buffer->state(), CommandBuffer::State::kUpdate);
  EXPECT_OK(buffer->UpdateLaunch(launch, *kernel, dims, Args(buffers[1], buffers[0], elsewhere)));
  EXPECT_OK(buffer->UpdateMemcpyD2D(copy, buffers[2], elsewhere, kBytes));
  EXPECT_OK(buffer->UpdateMemset(fill, elsewhere, uint32_t{9}, 4));
  EXPECT_OK(buffer->Finalize());
  SubmitAndWait();
  ExpectSum(buffers[2]);
  EXPECT_EQ(Read(elsewhere)[4], 9);
  EXPECT_OK(executor->Deallocate(elsewhere));
}

TEST_P(ConformanceCommandBuffer, NestedBuffersAreCopied) {
  const std::unique_ptr<CommandBuffer> nested = executor->CreateCommandBuffer().value();
  EXPECT_OK(nested->CreateLaunch(*kernel, dims, Args(kElements), {}));
  const Command* child = buffer->CreateChild(*nested, {}).value();
  EXPECT_OK(buffer->Finalize());
  SubmitAndWait();
  ExpectSum(buffers[2]);
  const DeviceAddressBase elsewhere = Allocate(kBytes);
  const std::unique_ptr<CommandBuffer> other = executor->CreateCommandBuffer().value();
  EXPECT_OK(other->CreateLaunch(*kernel, dims, Args(buffers[0], buffers[1], elsewhere), {}));
  EXPECT_OK(buffer->Update());
  EXPECT_OK(buffer->UpdateChild(child, *other));
  EXPECT_OK(buffer->Finalize());
  SubmitAndWait();
  ExpectSum(elsewhere);
  EXPECT_OK(executor->Deallocate(elsewhere));
}

TEST_P(ConformanceCommandBuffer, TraceRecordsWithoutRunning) {
  EXPECT_OK(stream->MemZero(buffers[2], kBytes));
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_OK(buffer->Trace(*stream, [&](Stream& traced) -> Status {
    RETURN_IF_ERROR(kernel->Launch(dims, traced, Args(kElements)));
    return traced.MemcpyD2D(buffers[0], buffers[2], kBytes);
  }));
  EXPECT_EQ(buffer->state(), CommandBuffer::State::kFinalized);
  EXPECT_EQ(Read(buffers[2]), std::vector<uint8_t>(kBytes, 0));
  kernel.reset();
  module.reset();  // the buffer keeps it
  SubmitAndWait();
  ExpectSum(buffers[2]);
  ExpectSum(buffers[0]);
  EXPECT_EQ(buffer->Update().id(), ErrorId::kCommandBufferMisuse);
}

TEST_P(ConformanceCommandBuffer, EmptyBuffersRun) {
  EXPECT_OK(buffer->Trace(*stream, [](Stream&) { return OkStatus(); }));
  SubmitAndWait();
}

TEST_P(ConformanceCommandBuffer, WhatCannotBeTraced) {
  const auto traced = [&](const std::function<Status(Stream&)>& function) {
    const Status status = executor->CreateCommandBuffer().value()->Trace(*stream, function);
    EXPECT_OK(stream->BlockHostUntilDone()) << "the stream stays usable";
    return status;
  };
  EXPECT_EQ(traced([](Stream& s) { return s.BlockHostUntilDone(); }).ToString(),
            "E5027 CommandBufferMisuse: waiting for the stream cannot be part of a command buffer\n"
            "  where:    a stream that is being traced\n"
            "  expected: launches, copies and fills on the device, events");
  EXPECT_EQ(traced([](Stream& s) { return s.DoHostCallback([] {}); }).id(), ErrorId::kCommandBufferMisuse);
  EXPECT_EQ(traced([](Stream& s) { return s.AllocateOrdered(64).status(); }).id(), ErrorId::kCommandBufferMisuse);
  EXPECT_EQ(traced([](Stream&) { return rocxla::AbortedError("no"); }).message(), "no");
}

TEST_P(ConformanceCommandBuffer, StatesAreChecked) {
  EXPECT_EQ(buffer->Submit(*stream).ToString(),
            "E5027 CommandBufferMisuse: the command buffer is not in the state for being submitted\n"
            "  found:    a buffer that is being filled\n"
            "  expected: a buffer that is finalized");
  EXPECT_EQ(buffer->Update().id(), ErrorId::kCommandBufferMisuse);
  const Command* fill = buffer->CreateMemset(buffers[2], uint32_t{0}, 1, {}).value();
  EXPECT_EQ(buffer->UpdateMemset(fill, buffers[2], uint32_t{0}, 1).id(), ErrorId::kCommandBufferMisuse);
  EXPECT_EQ(buffer->Trace(*stream, [](Stream&) { return OkStatus(); }).id(), ErrorId::kCommandBufferMisuse);
  EXPECT_OK(buffer->Finalize());
  EXPECT_EQ(buffer->Finalize().id(), ErrorId::kCommandBufferMisuse);
  EXPECT_EQ(buffer->CreateEmpty({}).status().id(), ErrorId::kCommandBufferMisuse);
}

TEST_P(ConformanceCommandBuffer, CommandsAreChecked) {
  const std::unique_ptr<CommandBuffer> other = executor->CreateCommandBuffer().value();
  const Command* theirs = other->CreateEmpty({}).value();
  EXPECT_EQ(buffer->CreateEmpty({&theirs, 1}).status().id(), ErrorId::kCommandBufferMisuse);
  const Command* null = nullptr;
  EXPECT_EQ(buffer->CreateEmpty({&null, 1}).status().id(), ErrorId::kCommandBufferMisuse);
  EXPECT_EQ(buffer->CreateChild(*buffer, {}).status().id(), ErrorId::kCommandBufferMisuse);
  EXPECT_EQ(buffer->CreateLaunch(*kernel, dims, KernelArgs(), {}).status().id(), ErrorId::kWrongInputs);
  EXPECT_EQ(buffer->CreateMemcpyD2D(buffers[0], buffers[1], kBytes + 1, {}).status().id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(buffer->CreateMemcpyD2D(buffers[0], buffers[1], 0, {}).status().id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(buffer->CreateMemset(buffers[0], uint32_t{0}, kElements + 1, {}).status().id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(buffer->CreateMemset(buffers[0].GetByteSlice(2, 8), uint32_t{0}, 1, {}).status().id(),
            ErrorId::kBadMemoryRequest);
  EXPECT_EQ(buffer->CreateMemset(buffers[0], uint32_t{0}, UINT64_MAX / 2, {}).status().id(),
            ErrorId::kBadMemoryRequest);
  const Command* launch = buffer->CreateLaunch(*kernel, dims, Args(kElements), {}).value();
  EXPECT_OK(buffer->Finalize());
  EXPECT_OK(buffer->Update());
  const Status wrong_kind = buffer->UpdateMemset(launch, buffers[0], uint32_t{0}, 1);
  EXPECT_THAT(wrong_kind.message(), HasSubstr("found:    a launch\n  expected: a fill of this buffer"));
  EXPECT_EQ(buffer->UpdateLaunch(theirs, *kernel, dims, Args(1)).id(), ErrorId::kCommandBufferMisuse);
  EXPECT_OK(buffer->Finalize());
  SubmitAndWait();
  ExpectSum(buffers[2]);
}

TEST_P(ConformanceCommandBuffer, OtherDevices) {
  StreamExecutor* other = OtherDevice();
  if (other == nullptr) GTEST_SKIP() << "there is one device only";
  const std::unique_ptr<CommandBuffer> theirs = other->CreateCommandBuffer().value();
  const std::unique_ptr<Stream> their_stream = other->CreateStream().value();
  EXPECT_EQ(theirs->CreateLaunch(*kernel, dims, Args(kElements), {}).status().id(), ErrorId::kWrongDevice);
  EXPECT_EQ(buffer->CreateChild(*theirs, {}).status().id(), ErrorId::kWrongDevice);
  EXPECT_EQ(buffer->Trace(*their_stream, [](Stream&) { return OkStatus(); }).id(), ErrorId::kWrongDevice);
  EXPECT_OK(buffer->CreateEmpty({}));
  EXPECT_OK(buffer->Finalize());
  EXPECT_EQ(buffer->Submit(*their_stream).id(), ErrorId::kWrongDevice);
}

TEST_P(ConformanceCommandBuffer, AFaultInsideIsTheStreamsError) {
  if (!IsEmbedded()) GTEST_SKIP() << "a real GPU's fault ends the process";
  dims.blocks.x = 6;  // beyond the buffers
  EXPECT_OK(buffer->CreateLaunch(*kernel, dims, Args(6000), {}));
  EXPECT_OK(buffer->Finalize());
  EXPECT_OK(buffer->Submit(*stream));
  const Status status = stream->BlockHostUntilDone();
  EXPECT_EQ(status.id(), ErrorId::kKernelFailed);
  EXPECT_THAT(status.message(), HasSubstr("E2104 EmulatorMemoryFault"));
  EXPECT_EQ(buffer->Submit(*stream), status);
}

CONFORMANCE_SUITE(ConformanceCommandBuffer);

}  // namespace
}  // namespace stream_executor::gpu
