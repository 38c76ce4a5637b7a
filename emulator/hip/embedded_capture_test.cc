// Streams captured into graphs.
#include <thread>

#include "emulator/hip/embedded_test.h"

namespace rocxla::emu {
namespace {

class EmbeddedCapture : public EmbeddedTest {
 protected:
  ~EmbeddedCapture() override {
    for (hipStream_t each : {stream, other}) hip.hipStreamDestroy(each);
    hip.hipEventDestroy(event);
    hip.hipFree(device);
  }
  void Begin(hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
    ASSERT_EQ(hip.hipStreamBeginCapture(stream, mode), hipSuccess) << Detail();
  }
  hipError_t Fill(hipStream_t where, uint32_t value, size_t word = 0) {
    return hip.hipMemsetD32Async(static_cast<char*>(device) + word * 4, static_cast<int>(value), 1, where);
  }
  // The end of a capture that fails.
  hipError_t End() {
    hipGraph_t graph = reinterpret_cast<hipGraph_t>(1);
    const hipError_t error = hip.hipStreamEndCapture(stream, &graph);
    EXPECT_TRUE(error == hipSuccess || graph == nullptr);
    if (error == hipSuccess) hip.hipGraphDestroy(graph);
    return error;
  }
  hipStreamCaptureStatus Status(hipStream_t which) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    EXPECT_EQ(hip.hipStreamIsCapturing(which, &status), hipSuccess);
    return status;
  }

  hipStreamCaptureMode relaxed = hipStreamCaptureModeRelaxed;  // to exchange, there and back
  hipStream_t stream = Stream(), other = Stream();
  hipEvent_t event = Event();
  void* device = Malloc(16);
};

TEST_F(EmbeddedCapture, WorkBecomesAGraph) {
  uint32_t host = 0;
  hip.hipMemset(device, 0, 16);
  Begin();
  EXPECT_EQ(Status(stream), hipStreamCaptureStatusActive);
  EXPECT_EQ(Fill(stream, 5), hipSuccess);
  EXPECT_EQ(hip.hipMemcpyAsync(&host, device, 4, hipMemcpyDeviceToHost, stream), hipSuccess);
  unsigned long long id = 0;
  const hipGraphNode_t* tails = nullptr;
  size_t count = 0;
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  hipGraph_t growing = nullptr, graph = nullptr;
  EXPECT_EQ(hip.hipStreamGetCaptureInfo_v2(stream, &status, &id, &growing, &tails, &count), hipSuccess);
  EXPECT_NE(id, 0u);
  EXPECT_EQ(count, 1u);
  ASSERT_EQ(hip.hipStreamEndCapture(stream, &graph), hipSuccess) << Detail();
  EXPECT_EQ(graph, growing);
  EXPECT_EQ(Status(stream), hipStreamCaptureStatusNone);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(host, 0u) << "nothing has run";
  hip.hipGraphGetEdges(graph, nullptr, nullptr, &count);
  EXPECT_EQ(count, 1u);
  hipGraphExec_t exec = nullptr;
  ASSERT_EQ(hip.hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipSuccess);
  hip.hipGraphLaunch(exec, stream);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(host, 5u);
  hip.hipGraphExecDestroy(exec);
  hip.hipGraphDestroy(graph);
}

TEST_F(EmbeddedCapture, EventsDrawOtherStreamsIn) {
  hipEvent_t join = Event();
  Begin();
  Fill(stream, 1);
  EXPECT_EQ(hip.hipEventRecord(event, stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamWaitEvent(other, event, 0), hipSuccess) << Detail();
  EXPECT_EQ(Status(other), hipStreamCaptureStatusActive);
  EXPECT_EQ(Fill(other, 2, 1), hipSuccess);
  EXPECT_EQ(Fill(stream, 3, 2), hipSuccess);
  EXPECT_EQ(hip.hipEventRecord(join, other), hipSuccess);
  EXPECT_EQ(hip.hipStreamWaitEvent(stream, join, 0), hipSuccess);
  EXPECT_EQ(Fill(stream, 4, 3), hipSuccess);
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hip.hipStreamEndCapture(stream, &graph), hipSuccess) << Detail();
  EXPECT_EQ(Status(other), hipStreamCaptureStatusNone);
  size_t nodes = 0, edges = 0;
  hip.hipGraphGetNodes(graph, nullptr, &nodes);
  hip.hipGraphGetEdges(graph, nullptr, nullptr, &edges);
  EXPECT_EQ(nodes, 4u);
  EXPECT_EQ(edges, 4u) << "1-2, 1-3, 2-4, 3-4";
  hipGraphExec_t exec = nullptr;
  hip.hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  hip.hipGraphLaunch(exec, stream);
  hip.hipStreamSynchronize(stream);
  EXPECT_EQ(Words(device, 4), (std::vector<uint32_t>{1, 2, 3, 4}));
  hip.hipGraphExecDestroy(exec);
  hip.hipGraphDestroy(graph);
  hip.hipEventDestroy(join);
}

TEST_F(EmbeddedCapture, ForksMustBeJoined) {
  Begin();
  hip.hipEventRecord(event, stream);
  hip.hipStreamWaitEvent(other, event, 0);
  Fill(other, 2);
  EXPECT_EQ(End(), hipErrorStreamCaptureUnjoined);
  EXPECT_EQ(Status(other), hipStreamCaptureStatusNone);
}

TEST_F(EmbeddedCapture, EndsWhereItBegan) {
  hipGraph_t graph = nullptr;
  EXPECT_EQ(hip.hipStreamEndCapture(stream, &graph), hipErrorIllegalState);
  Begin();
  EXPECT_EQ(hip.hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  hip.hipEventRecord(event, stream);
  hip.hipStreamWaitEvent(other, event, 0);
  EXPECT_EQ(hip.hipStreamEndCapture(other, &graph), hipErrorStreamCaptureUnmatched);
  hipError_t elsewhere = hipSuccess;
  std::thread([&] { elsewhere = hip.hipStreamEndCapture(stream, &graph); }).join();
  EXPECT_EQ(elsewhere, hipErrorStreamCaptureWrongThread);
  EXPECT_EQ(End(), hipSuccess);
  Begin(hipStreamCaptureModeRelaxed);
  std::thread([&] { elsewhere = hip.hipStreamEndCapture(stream, &graph); }).join();
  EXPECT_EQ(elsewhere, hipSuccess);
  hip.hipGraphDestroy(graph);
  EXPECT_EQ(hip.hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
}

TEST_F(EmbeddedCapture, WaitingInvalidates) {
  Begin();
  Fill(stream, 1);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(Status(stream), hipStreamCaptureStatusInvalidated);
  EXPECT_EQ(Fill(stream, 1), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(Fill(stream, 1), hipSuccess) << "the stream is free again";
}

TEST_F(EmbeddedCapture, EventsOfACaptureHaveNotHappened) {
  Begin();
  hip.hipEventRecord(event, stream);
  EXPECT_EQ(hip.hipEventQuery(event), hipErrorCapturedEvent);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hip.hipStreamWaitEvent(other, event, 0), hipErrorCapturedEvent) << "nor after it";
  EXPECT_EQ(hip.hipEventRecord(event, other), hipSuccess);
  EXPECT_EQ(hip.hipEventSynchronize(event), hipSuccess) << "until they are recorded anew";
}

TEST_F(EmbeddedCapture, NothingCrossesItsBorder) {
  hip.hipEventRecord(event, other);
  Begin();
  EXPECT_EQ(hip.hipStreamWaitEvent(stream, event, 0), hipErrorStreamCaptureIsolation);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
  Begin(hipStreamCaptureModeRelaxed);
  ASSERT_EQ(hip.hipStreamBeginCapture(other, hipStreamCaptureModeRelaxed), hipSuccess);
  hip.hipEventRecord(event, other);
  EXPECT_EQ(hip.hipStreamWaitEvent(stream, event, 0), hipErrorStreamCaptureMerge);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
  hipGraph_t graph = nullptr;
  EXPECT_EQ(hip.hipStreamEndCapture(other, &graph), hipErrorStreamCaptureInvalidated);
}

TEST_F(EmbeddedCapture, ModesSayWhichCallsDisturb) {
  void* pointer = nullptr;
  Begin(hipStreamCaptureModeRelaxed);
  EXPECT_EQ(hip.hipMalloc(&pointer, 8), hipSuccess);
  EXPECT_EQ(hip.hipFree(pointer), hipSuccess);
  EXPECT_EQ(End(), hipSuccess);
  Begin(hipStreamCaptureModeThreadLocal);
  hipError_t elsewhere = hipErrorUnknown;
  std::thread([&] { elsewhere = hip.hipMalloc(&pointer, 8); }).join();
  EXPECT_EQ(elsewhere, hipSuccess);
  EXPECT_EQ(hip.hipFree(pointer), hipErrorStreamCaptureUnsupported);
  EXPECT_TRUE(DetailHas("hipFree is not allowed while a stream is captured"));
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hip.hipFree(pointer), hipSuccess);
  Begin(hipStreamCaptureModeGlobal);
  std::thread([&] {
    void* more = nullptr;
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    EXPECT_EQ(hip.hipThreadExchangeStreamCaptureMode(&mode), hipSuccess);
    EXPECT_EQ(mode, hipStreamCaptureModeGlobal);
    EXPECT_EQ(hip.hipMalloc(&more, 8), hipSuccess);
    hip.hipThreadExchangeStreamCaptureMode(&mode);
    EXPECT_EQ(hip.hipMalloc(&more, 8), hipErrorStreamCaptureUnsupported);
  }).join();
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
}

// Nobody could end it any more, and calls that it forbids would be forbidden for good.
TEST_F(EmbeddedCapture, GoesWithTheStreamThatItBeganOn) {
  hipStream_t origin = Stream(), joined = Stream();
  ASSERT_EQ(hip.hipStreamBeginCapture(origin, hipStreamCaptureModeGlobal), hipSuccess);
  EXPECT_EQ(hip.hipEventRecord(event, origin), hipSuccess);
  EXPECT_EQ(hip.hipStreamWaitEvent(joined, event, 0), hipSuccess);
  void* memory = nullptr;
  EXPECT_EQ(hip.hipStreamDestroy(origin), hipSuccess);
  EXPECT_EQ(hip.hipMalloc(&memory, 16), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipFree(memory), hipSuccess);
  EXPECT_EQ(Status(joined), hipStreamCaptureStatusNone) << "it runs again";
  EXPECT_EQ(Fill(joined, 3), hipSuccess);
  EXPECT_EQ(hip.hipStreamDestroy(joined), hipSuccess);
  EXPECT_EQ(Words(device, 1), std::vector<uint32_t>{3});
}

TEST_F(EmbeddedCapture, OfADeviceThatIsReset) {
  ASSERT_EQ(hip.hipSetDevice(AddEmbeddedDevice("gfx942").value()), hipSuccess);
  hipStream_t captured = Stream();
  ASSERT_EQ(hip.hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal), hipSuccess);
  ASSERT_EQ(hip.hipThreadExchangeStreamCaptureMode(&relaxed), hipSuccess);  // else the capture forbids the reset
  ASSERT_EQ(hip.hipDeviceReset(), hipSuccess);
  ASSERT_EQ(hip.hipThreadExchangeStreamCaptureMode(&relaxed), hipSuccess);
  hip.hipSetDevice(0);
  EXPECT_EQ(hip.hipFree(Malloc(16)), hipSuccess) << Detail();
}

TEST_F(EmbeddedCapture, MemoryThatACaptureDoesNotReleaseStays) {
  void* memory = nullptr;
  ASSERT_EQ(hip.hipMallocAsync(&memory, 16, other), hipSuccess);
  Begin(hipStreamCaptureModeRelaxed);
  EXPECT_EQ(hip.hipFreeAsync(memory, stream), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hip.hipMemsetAsync(memory, 0, 16, other), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipFreeAsync(memory, other), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipStreamSynchronize(other), hipSuccess);
}

TEST_F(EmbeddedCapture, ADestroyedStreamInvalidatesWhatItJoined) {
  hipStream_t joined = Stream();
  Begin();
  EXPECT_EQ(hip.hipEventRecord(event, stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamWaitEvent(joined, event, 0), hipSuccess);
  EXPECT_EQ(hip.hipStreamDestroy(joined), hipSuccess);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
}

TEST_F(EmbeddedCapture, NullStreamAndBlockingStreams) {
  hipStream_t blocking = Stream(hipStreamDefault);
  ASSERT_EQ(hip.hipStreamBeginCapture(blocking, hipStreamCaptureModeRelaxed), hipSuccess);
  EXPECT_EQ(Fill(nullptr, 1), hipErrorStreamCaptureImplicit);
  EXPECT_EQ(hip.hipStreamWriteValue32(nullptr, device, 1, 0), hipErrorStreamCaptureImplicit);
  EXPECT_EQ(hip.hipFreeAsync(device, nullptr), hipErrorStreamCaptureImplicit) << "and the memory stays";
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  ASSERT_EQ(hip.hipGraphCreate(&graph, 0), hipSuccess);
  ASSERT_EQ(hip.hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipSuccess);
  EXPECT_EQ(hip.hipGraphLaunch(exec, nullptr), hipErrorStreamCaptureImplicit);
  hip.hipGraphExecDestroy(exec);
  hip.hipGraphDestroy(graph);
  EXPECT_EQ(hip.hipStreamEndCapture(blocking, &graph), hipErrorStreamCaptureInvalidated);
  hip.hipStreamDestroy(blocking);
  Begin(hipStreamCaptureModeRelaxed);
  EXPECT_EQ(Fill(nullptr, 1), hipSuccess) << "a non-blocking stream has nothing to do with it";
  EXPECT_EQ(End(), hipSuccess);
}

TEST_F(EmbeddedCapture, WhatCannotBeCaptured) {
  void* pointer = nullptr;
  Begin(hipStreamCaptureModeRelaxed);
  EXPECT_EQ(hip.hipMallocAsync(&pointer, 8, stream), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
  Begin(hipStreamCaptureModeRelaxed);
  EXPECT_EQ(hip.hipStreamAddCallback(
                stream, [](hipStream_t, hipError_t, void*) {}, nullptr, 0),
            hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
  Begin(hipStreamCaptureModeRelaxed);
  EXPECT_EQ(hip.hipStreamWriteValue32(stream, device, 1, 0), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(End(), hipErrorStreamCaptureInvalidated);
}

}  // namespace
}  // namespace rocxla::emu
