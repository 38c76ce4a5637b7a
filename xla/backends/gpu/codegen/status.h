// The names of base/ that the GPU backend uses without a qualifier.
#pragma once
#include "base/status.h"
#include "base/target/target.h"
#include "xla/hlo/ir/status.h"

namespace xla::gpu {
using rocxla::GpuTarget;
}  // namespace xla::gpu
