#include "xla/tools/version.h"

#include <fmt/format.h>

#include "base/target/target.h"

namespace xla::tools {

std::string VersionText() {
  std::string compiles, executes;
  for (const rocxla::GpuTarget& target : rocxla::AllTargets()) {
    compiles += fmt::format(" {}", target.name);
    if (target.support == rocxla::TargetSupport::kFirstClass) executes += fmt::format(" {}", target.name);
  }
  return fmt::format("rocxla {}\nLLVM {}\ncompiles for:{}\nembedded device:{}", ROCXLA_VERSION, ROCXLA_LLVM_VERSION,
                     compiles, executes);
}

}  // namespace xla::tools
