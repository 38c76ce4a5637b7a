// Where an allocation lives. The numbers are upstream's: they appear as S(n) in HLO layouts.
#pragma once
#include <string_view>

namespace stream_executor {

enum class MemorySpace {
  kDevice = 0,      // memory of one device
  kUnified = 1,     // migrates between host and devices
  kCollective = 2,  // device memory that the collectives' library gives, for transfers without copies
  kHost = 5,        // page-locked memory of the host, which devices can reach
};

// "device memory", "unified memory", ...
constexpr std::string_view MemorySpaceText(MemorySpace space) {
  switch (space) {
    case MemorySpace::kDevice:
      return "device memory";
    case MemorySpace::kUnified:
      return "unified memory";
    case MemorySpace::kCollective:
      return "collective memory";
    case MemorySpace::kHost:
      return "page-locked host memory";
  }
  return "memory of an unknown kind";
}

}  // namespace stream_executor
