// Runs single instructions, given as assembly, on a wave whose registers the test chooses. For tests of meanings.
#pragma once
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/target/target.h"
#include "emulator/exec/executable.h"
#include "emulator/exec/wave.h"

namespace rocxla::emu {

// Machine code of `text` for a target, through LLVM's assembler. Error InvalidArgument with its message. `lanes`: of a
// wave, on RDNA 32 or 64; 0: as usual on the target.
StatusOr<std::vector<u8>> Assemble(const GpuTarget& target, const std::string& text, int lanes = 0);

// A wave, 64 KiB of LDS, scratch, and device memory, for running pieces of code.
class InstructionHarness {
 public:
  explicit InstructionHarness(std::string_view target_name, int lanes = 0);

  // Runs `text` to its end; registers keep what it left. Fails if it does not assemble, or stops with a fault.
  Status Run(const std::string& text);
  // The same for machine code, which may be anything; also fails after so many instructions.
  Status RunCode(std::span<const u8> code, u64 instruction_limit);
  // Whether the target's assembler knows `text`.
  bool Accepts(const std::string& text) const { return Assemble(target_, text, wave_->lanes).ok(); }

  Wave& wave() { return *wave_; }
  AddressSpace& memory() { return memory_; }
  const GpuTarget& target() const { return target_; }
  // MODE, as a kernel's descriptor gives it: decode/float_mode.h. As usual on the target unless set.
  void set_float_mode(u32 mode) { float_mode_ = mode; }
  int lanes() const { return wave_->lanes; }
  u32 scalar(int i) const { return wave_->scalar[i]; }
  u64 pair(int i) const { return u64{wave_->scalar[i + 1]} << 32 | wave_->scalar[i]; }
  u64 row_pair(int i, int lane) const { return u64{wave_->row[i + 1][lane]} << 32 | wave_->row[i][lane]; }
  void set_pair(int i, u64 x) {
    wave_->scalar[i] = static_cast<u32>(x);
    wave_->scalar[i + 1] = static_cast<u32>(x >> 32);
  }
  // Operations that all harnesses of this process have executed.
  static std::set<Op>& Witnessed();

 private:
  void RunProgram(const Program& program, const DecodeContext& context, u64 instruction_limit);

  GpuTarget target_;
  u32 float_mode_ = 0;
  std::unique_ptr<Wave> wave_;
  AddressSpace memory_;
  std::vector<u8> lds_, scratch_;
};

}  // namespace rocxla::emu
