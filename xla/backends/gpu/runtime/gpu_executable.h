// GpuExecutable: a compiled module, ready to run on any device of its target.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "xla/backends/gpu/runtime/thunk.h"
#include "xla/backends/gpu/runtime/thunk_emitter.h"
#include "xla/stream_executor/device_address_allocator.h"
#include "xla/stream_executor/stream_executor.h"

namespace xla::gpu {

class GpuExecutable {
 public:
  struct Parts {
    std::unique_ptr<HloModule> module;  // optimised
    GpuTarget target;
    std::vector<uint8_t> code_object;  // empty: the module needs no kernel
    std::vector<rocxla::triton::KernelInfo> kernels;
    BufferAssignment buffers;
    std::unique_ptr<Thunk> thunks;
    int64_t max_loop_iterations = 0;  // of each loop that the host drives; 0: no limit
  };
  explicit GpuExecutable(Parts parts) : parts_(std::move(parts)) {}

  const HloModule& module() const { return *parts_.module; }
  const GpuTarget& target() const { return parts_.target; }
  std::span<const uint8_t> code_object() const { return parts_.code_object; }
  const std::vector<rocxla::triton::KernelInfo>& kernels() const { return parts_.kernels; }
  const BufferAssignment& buffer_assignment() const { return parts_.buffers; }
  std::string ThunksToString() const { return parts_.thunks->ToString(0); }

  // Runs the module. `arguments`: device memory of each leaf of the entry's parameters, in order, laid out as their
  // shapes say; only read. Returns new device memory for each leaf of the result. Waits until the device is done.
  // Thread-safe; the first call per device loads the code object. Errors: WrongInputs (number or size of the
  // arguments), DeviceOutOfMemory, KernelFailed and what else the device reports.
  StatusOr<std::vector<se::ScopedDeviceAddress>> ExecuteOnStream(se::Stream& stream,
                                                                 std::span<const se::DeviceAddressBase> arguments,
                                                                 se::DeviceAddressAllocator& allocator);

 private:
  // On one device. The constants have an allocator of their own: they outlive the callers' ones.
  struct Loaded {
    explicit Loaded(se::StreamExecutor* executor) : allocator(executor) {}
    se::StreamExecutorAddressAllocator allocator;
    std::shared_ptr<se::Module> module;
    std::map<std::string, std::unique_ptr<se::Kernel>> kernels;
    std::vector<se::ScopedDeviceAddress> constants;
  };
  StatusOr<const Loaded*> LoadOn(se::StreamExecutor& executor);
  Status CheckArguments(std::span<const se::DeviceAddressBase> arguments) const;

  Parts parts_;
  std::mutex mutex_;
  std::map<se::StreamExecutor*, std::unique_ptr<Loaded>> loaded_;
};

// Runs with values of the host: copies in, executes, copies out. One literal per parameter of the entry (any layout;
// the device's is applied), one per leaf of the result. WrongInputs when a shape differs from the parameter's.
StatusOr<std::vector<Literal>> RunWithLiterals(GpuExecutable& executable, se::StreamExecutor& executor,
                                               std::span<const Literal> arguments);

}  // namespace xla::gpu
