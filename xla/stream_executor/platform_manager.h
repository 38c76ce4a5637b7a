// PlatformManager: the process-wide registry of platforms. Thread-safe.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "xla/stream_executor/platform.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

class PlatformManager {
 public:
  // Takes ownership. PlatformExists when a platform of that name (in any case) or id is there.
  static Status RegisterPlatform(std::unique_ptr<Platform> platform);
  // PlatformNotFound lists the registered names. Names compare without case.
  static StatusOr<Platform*> PlatformWithName(std::string_view name);
  static StatusOr<Platform*> PlatformWithId(Platform::Id id);
  // In the order of registration.
  static std::vector<Platform*> AllPlatforms();
};

}  // namespace stream_executor
