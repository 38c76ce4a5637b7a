// The computations whose instructions run one after the other, as opposed to bodies of fusions and reducers.
#pragma once
#include <vector>

#include "xla/hlo/ir/hlo_module.h"

namespace xla::gpu {

// The entry, and what while, conditional and call run from there; callees first.
std::vector<HloComputation*> ControlFlowComputations(const HloModule& module);

}  // namespace xla::gpu
