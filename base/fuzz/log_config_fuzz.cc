// ROCXLA_LOG: any text ends in a configuration or in an error that names the variable.
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"

namespace rocxla {

std::vector<std::string> FuzzSeeds() { return {"info", "error,xla/service=debug, dump = trace", "a=info,b=warning"}; }

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  StatusOr<LogConfig> config = ParseLogConfig({reinterpret_cast<const char*>(data), size});
  if (config.ok()) config->For("/x/xla/service/dump.cc");
  CHECK(config.ok() || config.status().message().find("ROCXLA_LOG") != std::string::npos);
  ++(config.ok() ? Counts().accepted : Counts().rejected);
  return 0;
}
