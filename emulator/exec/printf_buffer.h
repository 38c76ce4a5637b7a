// The printf buffer of a launch: what kernels compiled with -mprintf-kind=buffered write, for the host to print when
// they have ended.
#pragma once
#include <functional>
#include <string_view>

#include "base/status.h"
#include "emulator/exec/address_space.h"
#include "emulator/isa/types.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {

enum class PrintStream { kOut, kError };
// Takes what a kernel prints; one launch calls it from one thread at a time.
using PrintSink = std::function<void(PrintStream, std::string_view text)>;

// The first eight bytes count what has been written and say the size of the whole; messages follow. What does not fit
// is lost: printf returns -1 to the kernel then. Source: LLVM's AMDGPUEmitPrintf, __printf_alloc of ROCm's device
// libraries.
class PrintfBuffer {
 public:
  static StatusOr<u64> Create(AddressSpace& memory);  // a device address; freed by the caller
  // Prints the buffer's messages. A message that makes no sense ends it with a line that says so: the kernel may have
  // written anything there.
  static void Print(u64 address, const CodeObject& object, const PrintSink& print);
};

}  // namespace rocxla::emu
