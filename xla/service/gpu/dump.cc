#include "xla/service/gpu/dump.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <regex>

#include "base/error_ids.h"
#include "base/file.h"

namespace xla::gpu {
namespace {

// Module names may hold anything, file names may not.
std::string FileNamePart(std::string_view name) {
  std::string part(name);
  for (char& c : part)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
  return part;
}

bool Matches(const std::string& expression, std::string_view pass) {
  try {
    return std::regex_search(pass.begin(), pass.end(), std::regex(expression));
  } catch (const std::regex_error&) {  // checked in the constructor
    return false;
  }
}

Status CheckExpression(const std::string& expression) {
  try {
    std::regex checked(expression);
    return rocxla::OkStatus();
  } catch (const std::regex_error& error) {
    return rocxla::Error(rocxla::ErrorId::kBadFlagValue, {.what = "--xla_dump_hlo_pass_re is no regular expression",
                                                          .found = fmt::format("'{}': {}", expression, error.what())});
  }
}

}  // namespace

ModuleDump::ModuleDump(const HloModule& module, const CompileOptions& options) : options_(options) {
  static std::atomic<int> next_module = 0;
  const std::string& folder = options.debug_options.xla_dump_to;
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);  // a failure shows when the first file is written
  prefix_ = fmt::format("{}/module_{:04}.{}.", folder, next_module++, FileNamePart(module.name()));
  status_ = CheckExpression(options.debug_options.xla_dump_hlo_pass_re);
  Write("before_optimizations.txt", module.ToString());
}

void ModuleDump::Write(std::string_view suffix, std::string_view text) {
  if (prefix_.empty() || !status_.ok()) return;
  status_ = rocxla::WriteFile(prefix_ + std::string(suffix), text);
}

PassDump ModuleDump::PassCallback() {
  const std::string& expression = options_.debug_options.xla_dump_hlo_pass_re;
  if (prefix_.empty() || expression.empty()) return {};
  return [this, &expression](int index, std::string_view pass, const HloModule& module) {
    if (Matches(expression, pass)) Write(fmt::format("{:04}.after_{}.txt", index, pass), module.ToString());
  };
}

Status ModuleDump::Finish(const CompileReport& report) {
  std::string target(options_.target.name);
  Write(target + "_gpu_after_optimizations.txt", report.optimized_hlo);
  Write(target + "_gpu_after_optimizations-buffer-assignment.txt", report.buffer_assignment);
  Write("thunk_sequence.txt", report.thunks);
  for (const CompiledKernel& kernel : report.kernels) {
    Write(kernel.tile.name + ".ttir", kernel.tile.ttir);
    if (!options_.debug_options.xla_gpu_dump_llvmir) continue;
    Write(kernel.tile.name + ".plan", kernel.stages.plan);
    Write(kernel.tile.name + ".ll", kernel.stages.llvm_ir);
    Write(kernel.tile.name + ".opt.ll", kernel.stages.llvm_ir_optimized);
    Write(kernel.tile.name + ".s", kernel.stages.isa);
  }
  return status_;
}

}  // namespace xla::gpu
