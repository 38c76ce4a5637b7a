// Flags: any text that begins with '-' ends in options or in an error that says where it came from.
#include "base/flags.h"
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"

namespace rocxla {

std::vector<std::string> FuzzSeeds() {
  return {"--xla_dump_to=/tmp/a --xla_gpu_dump_llvmir --noxla_gpu_dump_llvmir",
          "--xla_dump_to='a b' --xla_dump_hlo_pass_re=\"x\\\"y\"", "--xla_disable_hlo_passes=dce,cse,fusion",
          "--xla_gpu_force_compilation_parallelism=12"};
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  DebugOptions options;
  const std::string text = "-" + std::string(reinterpret_cast<const char*>(data), size);
  // The seeds begin with the '-' that other inputs get here.
  Status status = ParseXlaFlags(text.starts_with("---") ? text.substr(1) : text, options, kFuzzOrigin);
  CountReading(status);
  CodegenFlagsKey(options);
  return 0;
}
