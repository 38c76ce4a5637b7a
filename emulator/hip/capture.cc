#include "emulator/hip/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

thread_local hipStreamCaptureMode thread_mode = hipStreamCaptureModeGlobal;

WorkResult Invalidated() {
  return {hipErrorStreamCaptureInvalidated,
          "an earlier call has invalidated this capture: end it with hipStreamEndCapture"};
}

void AddTails(std::vector<GraphNode*>& tails, const std::vector<GraphNode*>& more) {
  for (GraphNode* node : more) {
    if (std::ranges::find(tails, node) == tails.end()) tails.push_back(node);
  }
}

// True when each of `nodes` is among `tails` or comes before one of them.
bool Joined(const std::vector<GraphNode*>& nodes, const std::vector<GraphNode*>& tails) {
  return std::ranges::all_of(nodes, [&](const GraphNode* node) {
    return std::ranges::any_of(tails, [&](const GraphNode* tail) { return Graph::DependsOn(tail, node); });
  });
}

}  // namespace

hipStreamCaptureMode Captures::ExchangeThreadMode(hipStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

WorkResult Captures::Begin(Stream& stream, hipStreamCaptureMode mode, GraphHandles& handles) {
  if (stream.capture.capture != nullptr) return {hipErrorIllegalState, "the stream is captured already"};
  stream.capture.capture =
      std::make_shared<Capture>(next_id_++, mode, std::this_thread::get_id(), &stream, Graph::Make(handles));
  participants_.push_back({stream.capture.capture, stream.weak_from_this()});
  return {};
}

hipStreamCaptureStatus Captures::StatusOf(const Stream& stream) {
  if (stream.capture.capture == nullptr) return hipStreamCaptureStatusNone;
  return stream.capture.capture->invalidated ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive;
}

// Frees all streams of a capture. Events keep their place, which stays a stranger to every later capture.
void Captures::Leave(const std::shared_ptr<Capture>& capture) {
  for (const Participant& participant : participants_) {
    const std::shared_ptr<Stream> stream = participant.stream.lock();
    if (participant.capture == capture && stream != nullptr) stream->capture = {};
  }
  std::erase_if(participants_, [&](const Participant& participant) { return participant.capture == capture; });
}

WorkResult Captures::End(Stream& stream, std::shared_ptr<Graph>& graph) {
  const std::shared_ptr<Capture> capture = stream.capture.capture;
  if (capture == nullptr) return {hipErrorIllegalState, "the stream is not captured"};
  if (capture->origin != &stream) return {hipErrorStreamCaptureUnmatched, "the capture began on another stream"};
  if (capture->mode != hipStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    return {hipErrorStreamCaptureWrongThread, "the capture began on another thread, and not in relaxed mode"};
  }
  WorkResult result = capture->invalidated ? Invalidated() : WorkResult{};
  for (const Participant& participant : participants_) {
    const std::shared_ptr<Stream> other = participant.stream.lock();
    if (participant.capture != capture || other == nullptr) continue;
    if (result.ok() && !Joined(other->capture.tails, stream.capture.tails)) {
      result = {hipErrorStreamCaptureUnjoined,
                "a stream that joined the capture has work that the stream of the beginning does not wait for"};
    }
  }
  Leave(capture);
  graph = capture->graph;
  if (result.ok()) return result;
  graph->Forget();
  graph = nullptr;
  return result;
}

void Captures::EndWith(Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture.capture;
  if (capture == nullptr) return;
  capture->invalidated = true;
  if (capture->origin != &stream) return;
  Leave(capture);
  capture->graph->Forget();
}

WorkResult Captures::Add(Stream& stream, Operation operation) {
  Capture& capture = *stream.capture.capture;
  if (capture.invalidated) return Invalidated();
  stream.capture.tails = {capture.graph->Add(std::move(operation), stream.capture.tails)};
  return {};
}

void Captures::Record(const Stream& stream, Event& event) { event.capture = stream.capture; }

WorkResult Captures::Wait(const std::shared_ptr<Stream>& stream, const Event& event) {
  CapturePoint& point = stream->capture;
  const std::shared_ptr<Capture>& other = event.capture.capture;
  if (point.capture != nullptr && point.capture->invalidated) return Invalidated();
  if (other == nullptr) {
    point.capture->invalidated = true;
    return {hipErrorStreamCaptureIsolation,
            "a captured stream cannot wait for an event that was recorded outside of the capture"};
  }
  const bool active =
      std::ranges::any_of(participants_, [&](const Participant& each) { return each.capture == other; });
  if (!active) return {hipErrorCapturedEvent, "the event was recorded in a capture that has ended"};
  if (point.capture != nullptr && point.capture != other) {
    point.capture->invalidated = other->invalidated = true;
    return {hipErrorStreamCaptureMerge, "the stream and the event belong to different captures"};
  }
  if (other->invalidated) return Invalidated();
  if (point.capture == nullptr) {
    point.capture = other;
    participants_.push_back({other, stream});
  }
  AddTails(point.tails, event.capture.tails);
  return {};
}

WorkResult Captures::CheckUnsafeCall(const char* function) {
  WorkResult result;
  for (const Participant& participant : participants_) {
    Capture& capture = *participant.capture;
    const bool everywhere = capture.mode == hipStreamCaptureModeGlobal && thread_mode == hipStreamCaptureModeGlobal;
    const bool here = capture.mode != hipStreamCaptureModeRelaxed && thread_mode != hipStreamCaptureModeRelaxed &&
                      capture.thread == std::this_thread::get_id();
    if (!everywhere && !here) continue;
    capture.invalidated = true;
    result = {hipErrorStreamCaptureUnsupported, fmt::format("{} is not allowed while a stream is captured", function)};
  }
  return result;
}

WorkResult Captures::CheckNullStream(const EmbeddedDevice* device) {
  for (const Participant& participant : participants_) {
    const std::shared_ptr<Stream> stream = participant.stream.lock();
    if (stream == nullptr || stream->device != device || !stream->ordered_with_null_stream) continue;
    participant.capture->invalidated = true;
    return {hipErrorStreamCaptureImplicit, "a stream that waits for the null stream is captured"};
  }
  return {};
}

WorkResult Captures::CheckNotCapturing(Stream& stream, const char* function) {
  if (stream.capture.capture == nullptr) return {};
  stream.capture.capture->invalidated = true;
  return {hipErrorStreamCaptureUnsupported, fmt::format("{} is not allowed on a stream that is captured", function)};
}

}  // namespace rocxla::emu
