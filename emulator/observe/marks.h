// Which bits of a wave's registers depend on something that nobody wrote, and on what. Follows a wave micro-op by
// micro-op.
#pragma once
#include <bitset>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "emulator/isa/op.h"
#include "emulator/observe/observer.h"

namespace rocxla::emu {

// Where a mark came from.
struct Origin {
  static constexpr u32 kNeverWritten = ~0u;
  u32 micro = kNeverWritten;  // the load; else the register itself was never written
  Space space{};
  u64 address = 0;  // host address
};

// The marked bits of one operand.
struct MarkedBits {
  u64 lanes = 0;  // lanes with marked bits; scalars: all or none
  Origin origin;
};

class Marks {
 public:
  // As at the start of the wave: only what hardware sets is written.
  explicit Marks(const Wave& wave);

  // Moves the marks as the micro-op at the wave's pc will move the bits. Loads write their registers here; OnLoad then
  // marks what came from unwritten memory.
  void Step(const Micro& micro, const Wave& wave);
  // Bytes that the load `micro` will read; `element`: index of the first register, counted from its destination.
  void OnLoad(const Micro& micro, const MemoryAccess& access, int element);

  // `words` registers from `operand` on, of those only the bits in `bits`, in the lanes of `exec`.
  MarkedBits Of(Operand operand, int words, u32 bits, u64 exec) const;
  bool IsMarked(int scalar) const { return scalar < kLiteral && scalars_[scalar]; }
  const Origin& ScalarOrigin(int scalar) const { return scalar_origin_[scalar]; }

 private:
  struct BitFlow;
  static const BitFlow* FlowOf(const Micro& micro);
  int WordsOf(const OperandInfo& info) const;
  void StepByMoving(const Micro& micro, const BitFlow& flow, const Wave& wave);
  void StepByMixing(const Micro& micro, const Wave& wave);
  void StepMatrix(const Micro& micro, const Wave& wave);
  void StepIndexed(const Micro& micro, const Wave& wave);
  void StepLoad(const Micro& micro, const Wave& wave);
  // Of each source no more than its first `most_words` registers.
  MarkedBits OfSource(const Micro& micro, int source, u64 exec, int most_words = kRows) const;
  MarkedBits OfSources(const Micro& micro, u64 exec, int most_words = kRows) const;
  void SetRow(int row, u64 lanes, u64 marked, u32 bits, const Origin& origin);
  void SetScalars(int first, int words, bool marked, const Origin& origin);

  int lanes_ = 64;
  u32 rows_[kRows][kRowLanes];
  std::bitset<kLiteral> scalars_;
  Origin row_origin_[kRows], scalar_origin_[kLiteral];
};

}  // namespace rocxla::emu
