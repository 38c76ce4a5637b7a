#include "base/hip/hip_providers.h"

#include <fmt/format.h>

#include <deque>
#include <mutex>
#include <optional>

#include "base/hip/system_hip.h"
#include "base/hip/traced_hip.h"

namespace rocxla {
namespace {

struct Entry {
  HipProvider provider;
  std::once_flag once;
  std::optional<StatusOr<const HipApi*>> opened;
};

class Registry {
 public:
  Registry() { Add({"hip", LoadSystemHip, nullptr}); }

  bool Add(HipProvider provider) {
    std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.provider.name == provider.name) return false;
    }
    entries_.emplace_back().provider = std::move(provider);
    return true;
  }
  // Entries never move or go away.
  StatusOr<Entry*> Find(std::string_view name) {
    std::lock_guard lock(mutex_);
    std::string known;
    for (Entry& entry : entries_) {
      if (entry.provider.name == name) return &entry;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.provider.name);
    }
    return NotFoundError(fmt::format("no HIP runtime \"{}\" in this program; there are: {}", name, known));
  }
  std::vector<std::string> Names() {
    std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const Entry& entry : entries_) names.push_back(entry.provider.name);
    return names;
  }

 private:
  std::mutex mutex_;
  std::deque<Entry> entries_;
};

// Never destroyed: worker threads may outlive main().
Registry& GetRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

StatusOr<const HipApi*> OpenAndTrace(const HipProvider& provider) {
  ASSIGN_OR_RETURN(const HipApi* api, provider.open());
  return TracedIfAsked(provider.name, api);
}

}  // namespace

Status RegisterHipProvider(HipProvider provider) {
  std::string name = provider.name;
  if (GetRegistry().Add(std::move(provider))) return OkStatus();
  return Status(StatusCode::kAlreadyExists, fmt::format("a HIP runtime \"{}\" is already registered", name));
}

std::vector<std::string> HipProviderNames() { return GetRegistry().Names(); }

StatusOr<const HipApi*> OpenHip(std::string_view provider) {
  ASSIGN_OR_RETURN(Entry * entry, GetRegistry().Find(provider));
  std::call_once(entry->once, [&] { entry->opened = OpenAndTrace(entry->provider); });
  return *entry->opened;
}

StatusOr<int> AddHipDevice(std::string_view provider, std::string_view target) {
  ASSIGN_OR_RETURN(Entry * entry, GetRegistry().Find(provider));
  if (!entry->provider.add_device) {
    return UnimplementedError(
        fmt::format("the devices of HIP runtime \"{}\" are hardware: none can be added", provider));
  }
  return entry->provider.add_device(target);
}

}  // namespace rocxla
