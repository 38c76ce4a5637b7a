// What memory instructions of all kinds share: their operands by register file. Only for the cracker's own files.
#pragma once
#include <charconv>
#include <string>
#include <vector>

#include "emulator/decode/cracker.h"

namespace rocxla::emu {

struct MemoryOperands {
  std::vector<Operand> rows, scalars;
};
inline MemoryOperands SortedOperands(const std::vector<Source>& sources) {
  MemoryOperands out;
  for (const Source& s : sources) {
    if (s.at.kind == Operand::kRow) out.rows.push_back(s.at);
    if (s.at.kind == Operand::kScalar) out.scalars.push_back(s.at);
  }
  return out;
}
inline std::vector<Operand> Results(const Instruction& in) {
  std::vector<Operand> results;
  for (const Source& def : in.defs) results.push_back(def.at);
  return results;
}
// How many data registers an instruction reads from its operands.
inline bool ReadsData(const OpInfo& info) { return info.shape == Shape::kAtomic || info.action == Action::kStore; }
// The width of the offset field differs by generation; LLVM keeps it unsigned in the operand and signed in the text.
inline i32 PrintedOffset(const Instruction& in) {
  constexpr std::string_view kWord = " offset:";
  size_t at = in.text.find(kWord);
  i32 offset = 0;
  if (at == std::string::npos) return 0;
  std::from_chars(in.text.data() + at + kWord.size(), in.text.data() + in.text.size(), offset);
  return offset;
}
inline bool SkipsScalar(Operand o) { return o == ScalarAt(kNull); }

}  // namespace rocxla::emu
