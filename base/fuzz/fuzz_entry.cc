#include "base/fuzz/fuzz_entry.h"

#include "base/logging.h"

namespace rocxla {

FuzzCounts& Counts() {
  static FuzzCounts counts;
  return counts;
}

void CountReading(const Status& status) {
  if (status.ok()) {
    ++Counts().accepted;
    return;
  }
  ++Counts().rejected;
  CHECK(status.id() != ErrorId::kNone) << status.ToString();
  CHECK(status.message().find(kFuzzOrigin) != std::string::npos) << status.ToString();
}

}  // namespace rocxla
