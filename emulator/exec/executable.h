// A kernel ready to run: its program as threaded code.
#pragma once
#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
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

// Where jumps through registers may go: device address -> code.
class JumpTable {
 public:
  void Add(u64 address, const Code* code) { places_.emplace_back(address, code); }
  void Sort() { std::sort(places_.begin(), places_.end()); }
  // Null if no jump has led there yet.
  const Code* Find(u64 address) const {
    auto it = std::lower_bound(places_.begin(), places_.end(), std::pair<u64, const Code*>(address, nullptr));
    return it != places_.end() && it->first == address ? it->second : nullptr;
  }

 private:
  std::vector<std::pair<u64, const Code*>> places_;
};

// The program in the form that the interpreter runs. Immutable; may be run by many threads.
class ThreadedCode {
 public:
  // `code_begin`: device address of pc 0.
  ThreadedCode(const Program& program, u64 code_begin, Tracing tracing);
  ThreadedCode(const ThreadedCode&) = delete;
  ThreadedCode& operator=(const ThreadedCode&) = delete;
  // Runs `wave` from its pc to its next stop.
  void Run(Wave& wave) const;

 private:
  std::vector<Code> code_;
  std::vector<u32> entry_;  // micro index -> code index
  JumpTable jumps_;
};

// Immutable; pcs count from the start of the segment that holds the kernel.
struct Executable {
  Executable(const DecodeContext& context, u32 entry, Program program);

  const ThreadedCode& code(Tracing tracing) const;

  const DecodeContext context;
  const u32 entry;  // pc of the kernel's first instruction
  const Program program;

 private:
  const ThreadedCode code_;
  mutable std::once_flag traced_once_;
  mutable std::unique_ptr<const ThreadedCode> traced_;  // made at the first use
};

// All code of the segment that holds the kernel.
std::span<const u8> CodeOf(const Kernel& kernel);

// What is decoded of the kernel; at least what can be reached from its entry without jumps through registers.
StatusOr<std::shared_ptr<const Executable>> GetExecutable(const Kernel& kernel);
// The same and what can be reached from device address `target`, to which a jump through a register leads: the code
// grows while it runs, because nobody knows before where function pointers point. Null if no code can be there.
// Thread-safe.
StatusOr<std::shared_ptr<const Executable>> ExtendExecutable(const Kernel& kernel, u64 target);

}  // namespace rocxla::emu
