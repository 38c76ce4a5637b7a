#include "base/target/target.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"

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

namespace {

// ":sramecc+:xnack-": each feature at most once, in either order.
Status CheckFeatures(std::string_view name) {
  std::string_view rest = name.substr(std::min(name.find(':'), name.size()));
  bool seen_sramecc = false, seen_xnack = false;
  while (!rest.empty()) {
    const size_t end = rest.find(':', 1);
    const std::string_view feature = rest.substr(1, end == rest.npos ? rest.npos : end - 1);
    bool* seen = nullptr;
    if (feature == "sramecc+" || feature == "sramecc-") seen = &seen_sramecc;
    if (feature == "xnack+" || feature == "xnack-") seen = &seen_xnack;
    if (seen == nullptr || *seen)
      return Error(ErrorId::kTritonUnknownTarget,
                   {.what = seen ? "a target feature is given twice" : "unknown target feature",
                    .where = fmt::format("target '{}'", name),
                    .found = fmt::format("'{}'", feature),
                    .expected = "sramecc+, sramecc-, xnack+ or xnack-, each at most once"});
    *seen = true;
    rest.remove_prefix(std::min(end, rest.size()));
  }
  return OkStatus();
}

}  // namespace

StatusOr<GpuTarget> FindTarget(std::string_view name) {
  std::string_view base = name.substr(0, name.find(':'));
  std::string known;
  for (const GpuTarget& t : AllTargets()) {
    if (t.name == base) {
      RETURN_IF_ERROR(CheckFeatures(name));
      return t;
    }
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
