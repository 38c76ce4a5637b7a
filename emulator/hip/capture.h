// Captures: streams whose work becomes a graph instead of running.
#pragma once
#include <memory>
#include <thread>
#include <vector>

#include "base/hip/hip_types.h"
#include "emulator/hip/graph.h"
#include "emulator/hip/work_queue.h"

namespace rocxla::emu {

struct Stream;

// One capture, from hipStreamBeginCapture to hipStreamEndCapture.
struct Capture {
  uint64_t id;
  hipStreamCaptureMode mode;
  std::thread::id thread;  // that began it
  const Stream* origin;    // the stream that it began on; compared, never used
  std::shared_ptr<Graph> graph;
  bool invalidated = false;
};

// A stream's or an event's place in a capture: what comes next depends on `tails`.
struct CapturePoint {
  std::shared_ptr<Capture> capture;  // null: none
  std::vector<GraphNode*> tails;
};

// All captures. Used under Runtime::graph_mutex.
class Captures {
 public:
  // Swaps the calling thread's mode, which says which calls it may make during captures.
  static hipStreamCaptureMode ExchangeThreadMode(hipStreamCaptureMode mode);

  WorkResult Begin(Stream& stream, hipStreamCaptureMode mode, GraphHandles& handles);
  // Ends the capture that began on the stream; its graph, when it is whole.
  WorkResult End(Stream& stream, std::shared_ptr<Graph>& graph);
  static hipStreamCaptureStatus StatusOf(const Stream& stream);
  // A stream is about to go. A capture that began on it, which nobody could end, goes too; one that it joined is
  // invalidated.
  void EndWith(Stream& stream);

  // Adds an operation to the capture that the stream takes part in.
  static WorkResult Add(Stream& stream, Operation operation);
  static void Record(const Stream& stream, Event& event);
  // Makes what follows in a capturing stream depend on the event, or draws the stream into the event's capture.
  WorkResult Wait(const std::shared_ptr<Stream>& stream, const Event& event);

  // Why the calling thread may not make a call that would synchronise or allocate; it invalidates what it disturbs.
  WorkResult CheckUnsafeCall(const char* function);
  // Why nothing may go to a device's null stream now: a stream that is ordered with it is captured.
  WorkResult CheckNullStream(const EmbeddedDevice* device);
  // For calls that make no sense on a stream that is captured: fails, and invalidates the capture.
  static WorkResult CheckNotCapturing(Stream& stream, const char* function);

 private:
  struct Participant {
    std::shared_ptr<Capture> capture;
    std::weak_ptr<Stream> stream;
  };
  void Leave(const std::shared_ptr<Capture>& capture);

  std::vector<Participant> participants_;
  uint64_t next_id_ = 1;
};

}  // namespace rocxla::emu
