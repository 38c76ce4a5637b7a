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
// The value of one lane, uniform.
llvm::Value* ReadLane(Lowering& l, llvm::Value* x, int lane);

}  // namespace rocxla::triton
