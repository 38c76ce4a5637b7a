// Runs passes in order: off-switches, cancelling, timing, dumping, and verifying after each.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "xla/hlo/transforms/hlo_pass.h"

namespace xla {

enum class VerifyAfterEachPass : bool { kNo, kYes };
// Compares the printed module before and after a pass that says it changed nothing. For tests: it costs a lot.
enum class CheckUnchangedPromise : bool { kNo, kYes };

struct PipelineOptions {
  VerifyAfterEachPass verify = VerifyAfterEachPass::kYes;
  CheckUnchangedPromise check_unchanged = CheckUnchangedPromise::kNo;
  std::set<std::string, std::less<>> disabled_passes;  // by name
  // Asked before each pass; true ends the run with Aborted.
  std::function<bool()> is_cancelled;
  // Called after each pass that changed something: its number in the pipeline from 0, its name, the module.
  std::function<void(int index, std::string_view pass, const HloModule& module)> dump;
};

// One pass that ran.
struct PassRun {
  std::string name;
  Changed changed;
  int64_t microseconds;  // of the pass itself, without verifying
};

// Owns its passes. A pipeline is itself a pass, so that pipelines nest.
class HloPassPipeline : public HloPass {
 public:
  // `name` must outlive the pipeline.
  explicit HloPassPipeline(std::string_view name, PipelineOptions options = {})
      : name_(name), options_(std::move(options)) {}

  template <class Pass, class... Args>
  Pass& Add(Args&&... args) {
    auto pass = std::make_unique<Pass>(std::forward<Args>(args)...);
    Pass& added = *pass;
    passes_.push_back(std::move(pass));
    return added;
  }
  void Add(std::unique_ptr<HloPass> pass) { passes_.push_back(std::move(pass)); }

  std::string_view name() const override { return name_; }
  // The first error of a pass, or of the verifier: that is Internal, names the pass and carries the verifier's message.
  StatusOr<Changed> Run(HloModule& module, const PassContext& context) override;

  const std::vector<std::unique_ptr<HloPass>>& passes() const { return passes_; }
  // What the last Run did, in order; disabled passes are left out.
  const std::vector<PassRun>& runs() const { return runs_; }

 private:
  StatusOr<Changed> RunOne(int index, HloModule& module, const PassContext& context);

  std::string_view name_;
  PipelineOptions options_;
  std::vector<std::unique_ptr<HloPass>> passes_;
  std::vector<PassRun> runs_;
};

}  // namespace xla
