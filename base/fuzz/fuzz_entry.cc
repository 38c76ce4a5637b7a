#include "base/fuzz/fuzz_entry.h"

#include "base/error_ids.h"
#include "base/logging.h"

namespace rocxla {

FuzzCounts& Counts() {
  static FuzzCounts counts;
  return counts;
}

void CountOutcome(const Status& status) {
  if (status.ok()) {
    ++Counts().accepted;
    return;
  }
  ++Counts().rejected;
  CHECK(status.id() != ErrorId::kNone) << status.ToString();
}

void CountReading(const Status& status) {
  CountOutcome(status);
  CHECK(status.ok() || status.message().find(kFuzzOrigin) != std::string::npos) << status.ToString();
}

}  // namespace rocxla
