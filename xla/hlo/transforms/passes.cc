#include "xla/hlo/transforms/passes.h"

#include <fmt/format.h>

#include <vector>

#include "base/error_ids.h"
#include "base/flags.h"

namespace xla {
namespace {

template <class Pass>
std::unique_ptr<HloPass> Create() {
  return std::make_unique<Pass>();
}

constexpr PassInfo kPasses[] = {
#define HLO_PASS(class_name, text, summary) {text, summary, &Create<class_name>},
#include "xla/hlo/transforms/passes.def"
#undef HLO_PASS
};

Status UnknownPass(std::string_view name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const PassInfo& info : kPasses) {
    names.push_back(info.name);
    all += fmt::format("{}{}", all.empty() ? "" : ", ", info.name);
  }
  const std::string nearest = rocxla::NearestSpelling(name, names);
  return Error(ErrorId::kBadFlagValue, {.what = "there is no pass of this name",
                                        .where = "--passes",
                                        .found = fmt::format("'{}'", name),
                                        .expected = "one of " + all,
                                        .next = nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)});
}

}  // namespace

std::span<const PassInfo> HloPasses() { return kPasses; }

Status AddPassesByName(std::string_view list, HloPassPipeline& pipeline) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    bool found = false;
    for (const PassInfo& info : kPasses) {
      if (info.name != name) continue;
      pipeline.Add(info.create());
      found = true;
    }
    if (!found) return UnknownPass(name);
  }
  return OkStatus();
}

}  // namespace xla
