#include "xla/stream_executor/platform_manager.h"

#include <fmt/format.h>
#include <strings.h>

#include <mutex>
#include <string>

#include "base/error_ids.h"

namespace stream_executor {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<Platform>> platforms;  // guarded by mutex

  Platform* Find(std::string_view name) {
    const std::string wanted(name);
    for (auto& platform : platforms) {
      if (strcasecmp(platform->Name().c_str(), wanted.c_str()) == 0) return platform.get();
    }
    return nullptr;
  }
  Platform* Find(Platform::Id id) {
    for (auto& platform : platforms) {
      if (platform->id() == id) return platform.get();
    }
    return nullptr;
  }
  std::string Names() const {
    std::string names;
    for (auto& platform : platforms) names += fmt::format("{}{}", names.empty() ? "" : ", ", platform->Name());
    return names.empty() ? "none" : names;
  }
};

// Never destroyed: streams of other threads may outlive main().
Registry& GetRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

Status PlatformManager::RegisterPlatform(std::unique_ptr<Platform> platform) {
  Registry& registry = GetRegistry();
  std::lock_guard lock(registry.mutex);
  if (registry.Find(platform->Name()) != nullptr || registry.Find(platform->id()) != nullptr) {
    return Error(ErrorId::kPlatformExists, {.what = "a platform of this name or id is registered already",
                                            .found = fmt::format("'{}'", platform->Name()),
                                            .expected = fmt::format("none of: {}", registry.Names())});
  }
  registry.platforms.push_back(std::move(platform));
  return OkStatus();
}

StatusOr<Platform*> PlatformManager::PlatformWithName(std::string_view name) {
  Registry& registry = GetRegistry();
  std::lock_guard lock(registry.mutex);
  if (Platform* found = registry.Find(name)) return found;
  return Error(ErrorId::kPlatformNotFound, {.what = "no platform of this name is registered",
                                            .found = fmt::format("'{}'", name),
                                            .expected = fmt::format("one of: {}", registry.Names())});
}

StatusOr<Platform*> PlatformManager::PlatformWithId(Platform::Id id) {
  Registry& registry = GetRegistry();
  std::lock_guard lock(registry.mutex);
  if (Platform* found = registry.Find(id)) return found;
  return Error(ErrorId::kPlatformNotFound, {.what = "no platform of this id is registered",
                                            .expected = fmt::format("the id of one of: {}", registry.Names())});
}

std::vector<Platform*> PlatformManager::AllPlatforms() {
  Registry& registry = GetRegistry();
  std::lock_guard lock(registry.mutex);
  std::vector<Platform*> all;
  for (auto& platform : registry.platforms) all.push_back(platform.get());
  return all;
}

}  // namespace stream_executor
