// What the embedded device looks for besides faults when it is asked to. All of it is slow, and off by default.
#pragma once
#include <string_view>

#include "base/status.h"

namespace rocxla::emu {

// name in lists, member, what is found
#define ROCXLA_CHECKS(X)                                                                              \
  X("uninitialized", uninitialized, "results that depend on memory or registers that nobody wrote")   \
  X("races", races, "accesses of two waves to the same bytes, one of them a store, without an order") \
  X("barriers", barriers, "barriers at which lanes of a wave are missing")

struct Checks {
#define X(name, member, meaning) bool member = false;
  ROCXLA_CHECKS(X)
#undef X
  bool any() const {
    bool result = false;
#define X(name, member, meaning) result |= member;
    ROCXLA_CHECKS(X)
#undef X
    return result;
  }
};
// "uninitialized,races", "all" or "". Error InvalidArgument with the known names.
StatusOr<Checks> ParseChecks(std::string_view text);

// The checks of every launch of this process: ROCXLA_EMULATOR_CHECKS, unless SetActiveChecks was called. Set them
// before the first allocation: the check for uninitialised memory marks memory when it is allocated. Thread-safe.
StatusOr<Checks> ActiveChecks();
void SetActiveChecks(const Checks& checks);

}  // namespace rocxla::emu
