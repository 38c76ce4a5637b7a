// CommandBuffer: work that is described once and then submitted many times, as one unit.
//
// A buffer is filled by Create... calls (or by Trace), closed by Finalize, and then submitted. After Update it takes
// Update... calls, which change the parameters of a command but not its kind or its place, until the next Finalize.
// Commands depend on those that are named as dependencies, and on nothing else: without any, they may run at the same
// time as all others. Memory and kernels that commands use must live until the last submission has run; the buffer
// itself keeps the kernels' modules loaded. Not thread-safe.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/kernel_args.h"
#include "xla/stream_executor/launch_dim.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

class Stream;

class CommandBuffer {
 public:
  enum class State {
    kCreate,     // takes new commands
    kFinalized,  // can be submitted
    kUpdate,     // takes new parameters for its commands
  };
  static constexpr std::string_view StateText(State state) {
    return state == State::kCreate ? "being filled" : state == State::kFinalized ? "finalized" : "being updated";
  }

  // One command; owned by its buffer, valid as long as that.
  class Command {
   public:
    virtual ~Command() = default;
  };
  using Dependencies = std::span<const Command* const>;

  // A 32, 16 or 8 bit pattern for fills.
  struct Pattern {
    Pattern(uint8_t value) : value(value), bytes(1) {}   // NOLINT: conversions are the point
    Pattern(uint16_t value) : value(value), bytes(2) {}  // NOLINT
    Pattern(uint32_t value) : value(value), bytes(4) {}  // NOLINT
    uint32_t value;
    uint32_t bytes;
  };

  // Waits for nothing: the caller makes sure that no submission is pending.
  virtual ~CommandBuffer() = default;

  virtual State state() const = 0;

  // All of the following return CommandBufferMisuse when the buffer is in another state than they need, or when a
  // command or dependency is not one of this buffer; WrongDevice for what belongs to another device; and what
  // Kernel::Launch and Stream's copies return for bad arguments.

  // State kCreate.
  virtual StatusOr<const Command*> CreateEmpty(Dependencies dependencies) = 0;
  virtual StatusOr<const Command*> CreateLaunch(const Kernel& kernel, const LaunchDimensions& dims,
                                                const KernelArgs& args, Dependencies dependencies) = 0;
  virtual StatusOr<const Command*> CreateMemcpyD2D(const DeviceAddressBase& dst, const DeviceAddressBase& src,
                                                   uint64_t size_bytes, Dependencies dependencies) = 0;
  // Writes `count` patterns; the address is a multiple of the pattern's size.
  virtual StatusOr<const Command*> CreateMemset(const DeviceAddressBase& dst, Pattern pattern, uint64_t count,
                                                Dependencies dependencies) = 0;
  // The commands of `nested`, which are copied: later changes of it have no effect here.
  virtual StatusOr<const Command*> CreateChild(const CommandBuffer& nested, Dependencies dependencies) = 0;
  // Fills an empty buffer with what `function` queues on `stream`, which runs none of it. The buffer is closed by that.
  // Waiting for the stream, or copying to the host's pageable memory, is not allowed in between and makes it fail.
  virtual Status Trace(Stream& stream, const std::function<Status(Stream&)>& function) = 0;

  // State kUpdate, for commands that the function of the same kind has created.
  virtual Status UpdateLaunch(const Command* command, const Kernel& kernel, const LaunchDimensions& dims,
                              const KernelArgs& args) = 0;
  virtual Status UpdateMemcpyD2D(const Command* command, const DeviceAddressBase& dst, const DeviceAddressBase& src,
                                 uint64_t size_bytes) = 0;
  virtual Status UpdateMemset(const Command* command, const DeviceAddressBase& dst, Pattern pattern,
                              uint64_t count) = 0;
  // `nested` must have the same commands as the one that it replaces, with other parameters.
  virtual Status UpdateChild(const Command* command, const CommandBuffer& nested) = 0;

  // kCreate or kUpdate -> kFinalized.
  virtual Status Finalize() = 0;
  // kFinalized -> kUpdate. Not for traced buffers.
  virtual Status Update() = 0;
  // State kFinalized: appends the whole to the stream.
  virtual Status Submit(Stream& stream) = 0;
};

}  // namespace stream_executor
