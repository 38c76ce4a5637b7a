#include "xla/backends/gpu/transforms/passes.h"

namespace xla::gpu {
namespace {

template <class Pass>
std::unique_ptr<HloPass> Create() {
  return std::make_unique<Pass>();
}

constexpr PassInfo kPasses[] = {
#define HLO_PASS(class_name, text, summary) {text, summary, &Create<class_name>},
#include "xla/backends/gpu/transforms/passes.def"
#undef HLO_PASS
};

}  // namespace

std::span<const PassInfo> GpuPasses() { return kPasses; }

}  // namespace xla::gpu
