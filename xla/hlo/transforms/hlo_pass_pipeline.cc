#include "xla/hlo/transforms/hlo_pass_pipeline.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error_ids.h"
#include "xla/hlo/ir/hlo_verifier.h"

namespace xla {

namespace {

// Passes know sizes only, so that they would compute with the bounds.
Status CheckIsStatic(const HloModule& module) {
  for (const HloComputation* computation : module.MakeComputationSorted()) {
    for (const HloInstruction* instruction : computation->instructions()) {
      if (!instruction->shape().IsDynamic()) continue;
      return Error(
          rocxla::ErrorId::kCompilerUnsupportedOpcode,
          {.what = "arrays whose sizes are known only when the program runs are not compiled yet",
           .where = fmt::format("instruction '{}' of computation '{}'", instruction->name(), computation->name()),
           .found = instruction->shape().ToString(),
           .expected = "static shapes",
           .next = "Evaluate the program (rocxla eval), or export it with static shapes."});
    }
  }
  return OkStatus();
}

}  // namespace

StatusOr<Changed> HloPassPipeline::Run(HloModule& module, const PassContext& context) {
  runs_.clear();
  RETURN_IF_ERROR(CheckIsStatic(module));
  Changed changed = Changed::kNo;
  for (int i = 0; i < static_cast<int>(passes_.size()); ++i) {
    if (options_.disabled_passes.contains(passes_[i]->name())) continue;
    if (options_.is_cancelled && options_.is_cancelled()) {
      return rocxla::AbortedError(fmt::format("cancelled before pass '{}' of '{}'", passes_[i]->name(), name_));
    }
    ASSIGN_OR_RETURN(const Changed one, RunOne(i, module, context));
    changed |= one;
  }
  return changed;
}

StatusOr<Changed> HloPassPipeline::RunOne(int index, HloModule& module, const PassContext& context) {
  HloPass& pass = *passes_[index];
  const bool check = options_.check_unchanged == CheckUnchangedPromise::kYes;
  const std::string before = check ? module.ToString() : "";
  const auto start = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(const Changed changed, pass.Run(module, context));
  for (HloComputation* computation : module.computations()) computation->Cleanup();
  const auto elapsed = std::chrono::steady_clock::now() - start;
  runs_.push_back(
      {std::string(pass.name()), changed, std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count()});
  if (check && changed == Changed::kNo && module.ToString() != before) {
    return InternalError(fmt::format("pass '{}' says that it changed nothing, but the module differs", pass.name()));
  }
  if (changed == Changed::kYes && options_.dump) options_.dump(index, pass.name(), module);
  if (changed == Changed::kYes && options_.verify == VerifyAfterEachPass::kYes) {
    const Status verified = VerifyHloModule(module);
    if (!verified.ok()) {
      return InternalError(fmt::format("pass '{}' broke the module: {}", pass.name(), verified.ToString()));
    }
  }
  return changed;
}

}  // namespace xla
