// The decoder's product: a list of plain micro-ops. Executors read nothing else; nobody looks at encodings again.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error_ids.h"
#include "base/status.h"
#include "emulator/isa/op.h"

namespace rocxla::emu {

struct Operand {
  enum Kind : u8 { kNone, kRow, kScalar } kind = kNone;
  u16 index = 0;
  bool operator==(const Operand&) const = default;
};
inline Operand RowAt(int i) { return {Operand::kRow, static_cast<u16>(i)}; }
inline Operand ScalarAt(int i) { return {Operand::kScalar, static_cast<u16>(i)}; }

// Memory operations: src[0] address row, src[1] scalar base or buffer resource, src[2] first data row, src[3] scalar
// offset. Further data rows follow the first.
struct Micro {
  Op op{};
  u8 weight = 0;  // 1 on the first micro-op of an instruction, so that sums count instructions
  Operand dst[2], src[4];
  i32 imm[2] = {0, 0};
  u32 target = 0;  // branches: index of the micro-op to jump to; x_fault: index in Program::problems
  u32 pc = 0;      // bytes from the start of the code
};
// Micro::imm[1] of buffer operations.
inline constexpr i32 kBufferOffen = 1, kBufferIdxen = 2;
// A missing offset register of ds_read2 and its like is none; imm are offset0 and offset1.

// An instruction that cannot be executed. It is reported when a wave reaches it.
struct Problem {
  ErrorId id = ErrorId::kNone;
  std::string what;  // one sentence
  u32 pc = 0;
};

struct Program {
  int lanes = 64;
  // The bits of MODE that float operations take from the wave; the others are as the kernel began with them. See
  // crack_mode.cc.
  u32 tracked_mode = 0;
  std::vector<Micro> code;
  std::vector<u32> literals;  // copied to scalar register kLiteral and on at launch
  std::vector<Problem> problems;
  std::map<u32, u32> micro_at;  // pc of an instruction -> its first micro-op
  std::set<u32> jump_targets;   // pcs to which jumps through registers lead, and those behind calls
};

// Lane that `lane` reads under a DPP control word, or -1 if it lies outside.
int DppSource(u32 control, int lane);
struct DppControl {
  u32 control = 0, row_mask = 15, bank_mask = 15;
  bool zero_outside = false;    // bound_ctrl: lanes without a source get 0 instead of keeping the destination
  bool fetch_inactive = false;  // fi: sources that EXEC disables are read
};
inline i32 PackDpp(DppControl d) {
  return static_cast<i32>(d.control | d.row_mask << 12 | d.bank_mask << 16 | u32{d.zero_outside} << 20 |
                          u32{d.fetch_inactive} << 21);
}
inline DppControl UnpackDpp(i32 packed) {
  u32 x = static_cast<u32>(packed);
  return {x & 0xfff, x >> 12 & 15, x >> 16 & 15, (x >> 20 & 1) != 0, (x >> 21 & 1) != 0};
}

// x_transposed: in every group of `lanes` lanes, the elements of `words` consecutive registers, lane after lane, are a
// matrix with `lanes` columns, row after row; a lane gets its column. imm[0] is which word of it.
struct Transposition {
  int element_bits = 16, words = 2, lanes = 16;
  i32 Pack() const { return element_bits | words << 8 | lanes << 16; }
  static Transposition Unpack(i32 packed) { return {packed & 255, packed >> 8 & 255, packed >> 16 & 255}; }
};

}  // namespace rocxla::emu
