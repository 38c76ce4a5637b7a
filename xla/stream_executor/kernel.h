// Kernel: one entry point of a module that a device has loaded. Module: a loaded code object.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/kernel_args.h"
#include "xla/stream_executor/launch_dim.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

class Stream;

// What the device's runtime says about a kernel's needs.
struct KernelMetadata {
  int registers_per_thread = 0;     // vector registers
  int64_t shared_memory_bytes = 0;  // static LDS
  int64_t local_memory_bytes = 0;   // scratch per thread; above 0 the kernel spills or has arrays on its stack
  int max_threads_per_block = 0;
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual std::string_view name() const = 0;
  // The places of the explicit arguments, in order, as the code object states them.
  virtual const std::vector<KernelArgs::Slot>& arguments() const = 0;
  virtual const KernelMetadata& metadata() const = 0;
  // How many blocks of that size can run on one core (AMD: compute unit) at the same time.
  virtual StatusOr<int> GetMaxOccupiedBlocksPerCore(const ThreadDim& threads, uint32_t dynamic_shared_bytes) const = 0;
  // Appends the launch to `stream`. `args` is copied before the call returns. WrongInputs when the arguments' number or
  // layout is not the kernel's, or the dimensions fit neither it nor the device; WrongDevice when the stream is another
  // device's. An error of the running kernel appears at the stream's next synchronisation.
  virtual Status Launch(const LaunchDimensions& dims, Stream& stream, const KernelArgs& args) const = 0;
};

// Unloaded when the last owner lets go; its kernels are owners too. Thread-safe.
class Module {
 public:
  virtual ~Module() = default;
  // EmulatorUnknownKernel, with the names that exist, when there is none of that name.
  virtual StatusOr<std::unique_ptr<Kernel>> GetKernel(std::string_view name) = 0;
  // A global variable of the module. SymbolNotFound.
  virtual StatusOr<DeviceAddressBase> GetSymbol(std::string_view name) = 0;
};

}  // namespace stream_executor
