// Dumps of a compilation (--xla_dump_to), with upstream's file names:
//   module_0000.NAME.before_optimizations.txt
//   module_0000.NAME.0003.after_PASS.txt                      passes that xla_dump_hlo_pass_re matches and that changed
//   the module module_0000.NAME.gfx942_gpu_after_optimizations.txt       and ...-buffer-assignment.txt
//   module_0000.NAME.thunk_sequence.txt
//   module_0000.NAME.KERNEL.ttir                              and, with xla_gpu_dump_llvmir, .plan, .ll, .opt.ll and .s
#pragma once
#include <string>
#include <string_view>

#include "xla/service/gpu/amdgpu_compiler.h"

namespace xla::gpu {

class ModuleDump {
 public:
  // Numbers modules in the order of their compilation. Does nothing when options.xla_dump_to is empty.
  ModuleDump(const HloModule& module, const CompileOptions& options);

  // What the pass pipeline calls; empty when nothing is to be dumped.
  PassDump PassCallback();
  // The rest, after compilation. FileUnreadable when a file could not be written, now or before.
  Status Finish(const CompileReport& report);

 private:
  void Write(std::string_view suffix, std::string_view text);

  const CompileOptions& options_;
  std::string prefix_;  // folder and "module_0000.NAME."; empty: no dumps
  Status status_;
};

}  // namespace xla::gpu
