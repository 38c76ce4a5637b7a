// What HIP counts as a multiprocessor of a GPU.
#pragma once
#include "base/target/target.h"

namespace rocxla {

// A multiprocessor is a compute unit of CDNA, and a work-group processor, two compute units, of RDNA: the HIP runtime's
// work-group-processor mode is its default there (an RX 7900 XTX has 96 compute units and a multiProcessorCount of 48).
inline int ComputeUnitsPerMultiprocessor(const GpuTarget& target) { return target.is_cdna() ? 1 : 2; }

}  // namespace rocxla
