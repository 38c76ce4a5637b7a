#include "triton/lower.h"

#include <fmt/format.h>

#include <optional>

#include "base/error_ids.h"
#include "base/mlir/text_limits.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "triton/amdgpu/codegen.h"
#include "triton/dialect/syntax_error.h"
#include "triton/lowering/lowering.h"
#include "triton/transforms/passes.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

Status BadOption(const CompileOptions& options, std::string_view name, int value, std::string expected) {
  return Error(ErrorId::kTritonBadOption, {.what = fmt::format("{} does not fit {}", name, options.target.name),
                                           .found = fmt::format("{} = {}", name, value),
                                           .expected = std::move(expected)});
}

Status CheckOptions(const CompileOptions& options) {
  RETURN_IF_ERROR(FindTarget(options.target.name).status());
  const int most = options.target.max_block_threads / options.target.wave_size;
  if (options.num_warps < 1 || options.num_warps > most || Log2Exact(options.num_warps) < 0)
    return BadOption(options, "num_warps", options.num_warps, fmt::format("a power of two from 1 to {}", most));
  if (options.num_ctas != 1)
    return BadOption(options, "num_ctas", options.num_ctas, "1: this GPU has no clusters of workgroups");
  if (options.num_stages < 0) return BadOption(options, "num_stages", options.num_stages, "0 or more");
  return OkStatus();
}

StatusOr<tt::FuncOp> KernelOf(ModuleOp module, std::string_view file_name) {
  tt::FuncOp kernel;
  int count = 0;
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (function.isPrivate() || function.isExternal()) continue;
    kernel = function;
    ++count;
  }
  if (count == 1) return kernel;
  return Error(count ? ErrorId::kTritonUnsupportedOp : ErrorId::kTritonSyntax,
               {.what = "a module has one kernel",
                .where = std::string(file_name),
                .found = fmt::format("{} public tt.func operations", count),
                .expected = "tt.func public @name(...) { ... }",
                .next = count ? "Compile each kernel as a module of its own." : ""});
}

Status RunPasses(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createLoopInvariantCodeMotionPass());
  return succeeded(passes.run(module)) ? OkStatus() : InternalError("the Triton IR passes failed");
}

std::string TextOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printNameLocAsPrefix(true));
  return text;
}
std::string TextOf(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

Status CheckSharedMemory(tt::FuncOp kernel, int bytes, const GpuTarget& target) {
  if (bytes <= target.lds_bytes) return OkStatus();
  return Error(ErrorId::kTritonOutOfSharedMemory,
               {.what = fmt::format("kernel '{}' needs more LDS than {} has", kernel.getName().str(), target.name),
                .where = LocationText(kernel.getLoc()),
                .found = fmt::format("{} bytes", bytes),
                .expected = fmt::format("at most {} bytes per workgroup", target.lds_bytes),
                .next = "make the tiles smaller"});
}

const DialectRegistry& Dialects() {
  static const DialectRegistry registry = [] {
    DialectRegistry all;
    tt::RegisterDialects(all);
    return all;
  }();
  return registry;
}

// MLIR bytecode begins so.
bool IsBytecode(std::string_view ttir) { return ttir.starts_with("ML\xEFR"); }

StatusOr<OwningOpRef<ModuleOp>> ParseModule(std::string_view ttir, std::string_view file_name, MLIRContext& context,
                                            DiagnosticCollector& diagnostics) {
  const bool is_text = !IsBytecode(ttir);
  if (auto fault = is_text ? TextLimitFault(ttir, file_name) : std::nullopt)
    return rocxla::Error(ErrorId::kTritonSyntax, std::move(*fault));
  // A copy: MLIR's lexer looks at the byte behind the text, which is zero only behind a string.
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(std::string(ttir), &context, file_name);
  if (!module) return SyntaxError(diagnostics);
  return module;
}

}  // namespace

StatusOr<KernelText> ReadKernelText(std::string_view ttir, std::string_view file_name, std::string_view name) {
  MLIRContext context(Dialects(), MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(context, ttir, file_name);
  ASSIGN_OR_RETURN(const OwningOpRef<ModuleOp> module, ParseModule(ttir, file_name, context, diagnostics));
  ASSIGN_OR_RETURN(tt::FuncOp kernel, KernelOf(*module, file_name));
  kernel.setName(name);
  return KernelText{TextOf(*module), static_cast<int>(kernel.getNumArguments())};
}

StatusOr<LoweredKernel> Lower(std::string_view ttir, std::string_view file_name, const CompileOptions& options) {
  RETURN_IF_ERROR(CheckOptions(options));
  MLIRContext context(Dialects(), MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(context, ttir, file_name);
  ASSIGN_OR_RETURN(const OwningOpRef<ModuleOp> module, ParseModule(ttir, file_name, context, diagnostics));
  ASSIGN_OR_RETURN(tt::FuncOp kernel, KernelOf(*module, file_name));
  RETURN_IF_ERROR(StructureControlFlow(*module));
  RETURN_IF_ERROR(InlineCalls(*module, kernel));
  if (failed(BlocksToPointers(kernel))) return SyntaxError(diagnostics);
  PlanTarget target{options.target, options.num_warps};
  RETURN_IF_ERROR(CheckSupported(kernel, target));
  RETURN_IF_ERROR(RunPasses(*module));
  RETURN_IF_ERROR(CheckSupported(kernel, target));  // of what the passes made

  Plan plan(kernel, target);
  LoweredKernel result{.name = kernel.getName().str()};
  if (options.keep_stages) {
    result.stages.ttir = TextOf(*module);
    result.stages.plan = plan.ToString(kernel);
  }
  result.context = std::make_unique<llvm::LLVMContext>();
  result.module = std::make_unique<llvm::Module>(result.name, *result.context);
  RETURN_IF_ERROR(SetTarget(*result.module, options.target));
  Lowering lowering(plan, *result.module);
  RETURN_IF_ERROR(lowering.Function(kernel).status());
  if (options.keep_stages) result.stages.llvm_ir = TextOf(*result.module);
  result.shared_bytes = lowering.shared_bytes();
  RETURN_IF_ERROR(CheckSharedMemory(kernel, result.shared_bytes, options.target));
  return result;
}

}  // namespace rocxla::triton
