#include "base/target/target.h"

#include <fmt/format.h>

namespace rocxla {

const std::vector<GpuTarget>& AllTargets() {
  static const std::vector<GpuTarget> targets = {
#define TARGET(name, generation, support, wave, matrix, lds, block, waves, simds, vgprs) \
  {#name, Generation::generation, TargetSupport::support, wave, MatrixUnit::matrix, lds, block, waves, simds, vgprs},
#define GPU_MODEL(...)
#include "base/target/targets.def"
#undef TARGET
#undef GPU_MODEL
  };
  return targets;
}

StatusOr<GpuTarget> FindTarget(std::string_view name) {
  std::string_view base = name.substr(0, name.find(':'));
  std::string known;
  for (const GpuTarget& t : AllTargets()) {
    if (t.name == base) return t;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", t.name);
  }
  return Error(ErrorId::kTritonUnknownTarget,
               {.what = "unknown GPU target", .found = fmt::format("'{}'", name), .expected = "one of " + known});
}

std::vector<GpuModel> ModelsOf(const GpuTarget& target) {
  std::vector<GpuModel> models;
#define TARGET(...)
#define GPU_MODEL(arch, ...) \
  if (target.name == #arch) models.push_back(GpuModel{__VA_ARGS__});
#include "base/target/targets.def"
#undef TARGET
#undef GPU_MODEL
  return models;
}

}  // namespace rocxla
