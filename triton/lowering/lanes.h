// Values of other lanes of the wave.
#pragma once
#include "triton/lowering/lowering.h"

namespace rocxla::triton {

// Which lanes hold equal values already, as far as an exchange may profit.
enum class LowerLanes {
  kDiffer,
  kEqual,  // lanes that differ in lower bits only hold the same: mirrors serve as butterflies
};
// The value of lane ^ (1 << bit). Numbers of up to 64 bits.
llvm::Value* FromPartner(Lowering& l, llvm::Value* x, int bit, LowerLanes lower);
// The value of lane - distance, where that is in the same row of 16 lanes; else anything. distance: 1 to 15.
llvm::Value* FromEarlierInRow(Lowering& l, llvm::Value* x, int distance);
// What the last lane of the half before holds, in every lane whose number has bit `bit` set; else anything. bit: 4 for
// the row before, 5 for the lower half of a wave of 64.
llvm::Value* FromHalfBefore(Lowering& l, llvm::Value* x, int bit);
// The value of lane - 1; in lane 0 anything.
llvm::Value* FromLaneBefore(Lowering& l, llvm::Value* x);
// The value of one lane, uniform.
llvm::Value* ReadLane(Lowering& l, llvm::Value* x, int lane);

}  // namespace rocxla::triton
