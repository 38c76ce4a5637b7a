// What a running kernel has of the host beyond its arguments: a place for printf, answers to its host calls, the state
// of a cooperative grid, a heap. A kernel asks for them by hidden arguments.
#pragma once
#include <optional>
#include <string_view>

#include "base/status.h"
#include "emulator/exec/address_space.h"
#include "emulator/exec/hostcall_buffer.h"
#include "emulator/exec/launch.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {

// For one launch.
class HostServices {
 public:
  // All must outlive the services.
  HostServices(const Kernel& kernel, AddressSpace& memory, const PrintSink& print);
  ~HostServices();
  HostServices(const HostServices&) = delete;
  HostServices& operator=(const HostServices&) = delete;

  // Sets up what the kernel's hidden arguments name; `waves` is how many run at the same time at most.
  Status Prepare(const LaunchConfig& config, u64 waves);
  // The value of a hidden argument; nothing if it is none of these.
  std::optional<u64> Argument(std::string_view kind) const;

  // Whether waves may wait for Serve, which answers host calls. Thread-safe.
  bool has_host_calls() const { return host_calls_.address() != 0; }
  void Serve() { host_calls_.Serve(); }
  // Prints what is left when the kernel has ended, well or not.
  void Finish();

 private:
  const Kernel& kernel_;
  AddressSpace& memory_;
  const PrintSink& print_;
  HostcallBuffer host_calls_;
  u64 printf_buffer_ = 0, grid_state_ = 0, heap_ = 0;  // device addresses; 0: the kernel has none
};

}  // namespace rocxla::emu
