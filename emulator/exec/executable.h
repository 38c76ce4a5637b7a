// A kernel ready to run: its program as threaded code.
#pragma once
#include <memory>
#include <vector>

#include "base/status.h"
#include "emulator/decode/decoder.h"
#include "emulator/decode/program.h"
#include "emulator/exec/code.h"
#include "emulator/exec/wave.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {

// With kEveryMicro, a run stops with kStep before every micro-op.
enum class Tracing { kOff, kEveryMicro };

// The program in the form that the interpreter runs. Immutable; may be run by many threads.
class ThreadedCode {
 public:
  ThreadedCode(const Program& program, Tracing tracing);
  // Runs `wave` from its pc to its next stop.
  void Run(Wave& wave) const;

 private:
  std::vector<Code> code_;
  std::vector<u32> entry_;  // micro index -> code index
};

struct Executable {
  Program program;
  std::unique_ptr<ThreadedCode> code;
  DecodeContext context;
  u64 code_begin = 0;  // device address that pcs count from: the kernel's entry
};

// Decodes the kernel, or returns what an earlier call decoded.
StatusOr<std::shared_ptr<const Executable>> GetExecutable(const Kernel& kernel);

}  // namespace rocxla::emu
