// The embedded HIP runtime: HIP's functions for AMD GPUs that are executed, instruction by instruction, on the CPU.
//
// Devices come from ROCXLA_EMBEDDED_DEVICES (default "gfx942"; visible_devices.h has the form), less what
// ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES hide. Each presents itself as a product of base/target/targets.def.
// Streams are asynchronous. A fault ends its stream (and those that wait for it), not the process; the full text is in
// rocxlaGetLastErrorDetail. There is no clock: hipEventElapsedTime refuses, unless asked for the host's
// (event_clock.h).
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

#include "base/hip/hip_api.h"
#include "base/status.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/observe/counters.h"
#include "emulator/observe/trace_filter.h"

namespace rocxla::emu {

// The table; always the same. DeviceNotFound when ROCXLA_EMBEDDED_DEVICES names something that cannot be emulated.
StatusOr<const HipApi*> EmbeddedHip();

// Adds a device of that target ("gfx1100") and returns its ordinal. DeviceNotFound for unknown targets and those that
// only compile.
// A model ("mi250x") may stand in place of the target.
StatusOr<int> AddEmbeddedDevice(std::string_view target);

struct LaunchTotals {
  uint64_t launches = 0;
  uint64_t instructions = 0;  // executed by waves
  uint64_t waves = 0;
  Counters counters;  // of launches with LaunchWatch::count
};
// What all embedded devices have executed since the last call. Synchronise before, for the work that is meant.
LaunchTotals TakeLaunchTotals();

// How every later launch is watched; launches run on one host thread meanwhile. An empty watch ends it.
struct LaunchWatch {
  std::function<void(std::string_view line)> trace;  // receives the lines of a Trace
  TraceFilter filter;                                // what the trace shows
  bool count = false;
  std::optional<uint64_t> seed;  // LaunchOptions::seed
};
void SetLaunchWatch(LaunchWatch watch);

// Where printf of kernels goes: to the standard output and error streams, as in HIP, or to `print`; an empty function
// ends that. Printing is done when the launch has been waited for; launches on several devices may print at once.
void SetKernelPrint(PrintSink print);

}  // namespace rocxla::emu
