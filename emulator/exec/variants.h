// The interpreter, compiled once for each instruction set of the host: AVX2 and AVX-512. Each compilation has a
// namespace of its own, so that the linker can never take a function of the one for the other.
#pragma once
#include "emulator/exec/code.h"

namespace rocxla::emu {

// All of the handlers that an executable needs.
struct HandlerSet {
  Handler (*pick)(const Micro& micro, int lanes);
  Handler count, step;
};

enum class HostIsa { kNone, kAvx2, kAvx512 };
// What this host has; kNone: too little for the embedded device.
HostIsa BestHostIsa();
// The handlers for BestHostIsa.
const HandlerSet& Handlers();

}  // namespace rocxla::emu
