// rocxla find-rocm-config: the configuration probe (third_party/gpus), also a program of its own.
#include "third_party/gpus/find_rocm_config_command.h"
#include "xla/tools/subcommand.h"

namespace xla::tools {

Action SetUpFindRocmConfig(CLI::App& app) {
  return [run = rocxla::SetUpFindRocmConfigCommand(app)](const rocxla::DebugOptions&) { return run(); };
}

}  // namespace xla::tools
