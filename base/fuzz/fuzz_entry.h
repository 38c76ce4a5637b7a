// What the fuzz entries share. Each file here defines, for one reader of foreign bytes:
//   LLVMFuzzerTestOneInput   libFuzzer's entry: reads the bytes, and aborts when a promise of the reader does not hold
//   FuzzSeeds                well-formed inputs to start from
// fuzz_test.cc drives each entry in the ordinary tests; ROCXLA_LIBFUZZER builds programs that libFuzzer drives.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace rocxla {

std::vector<std::string> FuzzSeeds();

// How often the entry's reader took an input, and how often it returned an error.
struct FuzzCounts {
  int64_t accepted = 0;
  int64_t rejected = 0;
};
FuzzCounts& Counts();

// The origin that entries give to readers; every message must name it.
inline constexpr std::string_view kFuzzOrigin = "fuzzed-input";

// Counts one outcome. Aborts when the error is not one for users.
void CountOutcome(const Status& status);
// The same, of a reader that was told the origin. Aborts when the error is not one for users, or does not say where.
void CountReading(const Status& status);

}  // namespace rocxla
