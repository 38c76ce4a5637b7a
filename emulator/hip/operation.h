// Operation: one piece of work as a value, the same whether a stream runs it at once or a graph keeps it.
#pragma once
#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "base/hip/hip_types.h"
#include "emulator/exec/launch.h"
#include "emulator/hip/work_queue.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {

class EmbeddedDevice;
class Graph;
struct Event;
class Runtime;

struct Function {
  EmbeddedDevice* device;
  std::shared_ptr<CodeObject> object;  // keeps the kernel alive
  const Kernel* kernel;
};

struct KernelOperation {
  std::shared_ptr<Function> function;
  LaunchConfig config;
  std::vector<std::byte> arguments;
};
// Copies `height` rows of `width` bytes; one row: the pitches do not matter.
struct CopyOperation {
  void* dst;
  const void* src;
  size_t width, height = 1;
  size_t dst_pitch = 0, src_pitch = 0;
  bool dst_is_block = false, src_is_block = false;  // known to the memory table; CheckCopy fills them in
};
// Writes `value`'s lowest `element_bytes` (1, 2 or 4) into each of `width` elements of `height` rows.
struct FillOperation {
  void* dst;
  uint32_t value;
  unsigned element_bytes;
  size_t width, height = 1;
  size_t pitch = 0;
};
struct HostOperation {
  hipHostFn_t function;
  void* user_data;
};
struct GraphOperation {
  std::shared_ptr<Graph> graph;
};
struct EmptyOperation {};
struct WaitOperation {
  std::shared_ptr<Event> event;
};
struct RecordOperation {
  std::shared_ptr<Event> event;
};

// In the order of hipGraphNodeType.
using Operation = std::variant<KernelOperation, CopyOperation, FillOperation, HostOperation, GraphOperation,
                               EmptyOperation, WaitOperation, RecordOperation>;
inline hipGraphNodeType TypeOf(const Operation& operation) { return static_cast<hipGraphNodeType>(operation.index()); }

// Checks what can be known before the operation runs: kinds, sizes, alignment, that device memory is live to the last
// byte and that host memory is where the kind says so.
WorkResult CheckCopy(Runtime& runtime, CopyOperation& copy, hipMemcpyKind kind);
WorkResult CheckFill(Runtime& runtime, const FillOperation& fill);
// The bytes [pointer, pointer + bytes) are live, and no block ends in between.
WorkResult CheckLive(Runtime& runtime, const char* what, const void* pointer, size_t bytes);

// Runs a kernel, copy, fill or host function now, on the calling thread; memory that went away since the check is an
// error. `priority`: of the stream.
WorkResult RunOperation(Runtime& runtime, const Operation& operation, int priority);

}  // namespace rocxla::emu
