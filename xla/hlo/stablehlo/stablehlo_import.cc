#include "xla/hlo/stablehlo/stablehlo_import.h"

#include "base/error_ids.h"
#include "base/mlir/diagnostics.h"
#include "base/mlir/text_limits.h"
#include "mlir/Parser/Parser.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/importer.h"

using namespace mlir;
namespace xla {
StatusOr<std::unique_ptr<HloModule>> ConvertStablehloToHlo(ModuleOp module, LocateOperation locate,
                                                           std::string_view own_file) {
  return stablehlo::Importer(module, locate, own_file).Run();
}

StatusOr<OwningOpRef<ModuleOp>> ParseStablehloText(std::string_view text, std::string_view file_name,
                                                   MLIRContext& context) {
  if (auto fault = rocxla::TextLimitFault(text, file_name)) return Error(ErrorId::kStablehloSyntax, std::move(*fault));
  rocxla::DiagnosticCollector diagnostics(context, text, file_name);
  const std::string terminated(text);  // MLIR's lexer reads one character beyond the text
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(terminated, ParserConfig(&context), file_name);
  if (module) return module;
  return diagnostics.AsError(ErrorId::kStablehloSyntax, "the text is no StableHLO module",
                             "Correct the text there; `jax.jit(f).lower(...).as_text()` writes such text.");
}

StatusOr<std::unique_ptr<HloModule>> ConvertStablehloTextToHlo(std::string_view text, std::string_view file_name) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  stablehlo::LoadDialects(context);
  ASSIGN_OR_RETURN(const OwningOpRef<ModuleOp> module, ParseStablehloText(text, file_name, context));
  rocxla::DiagnosticCollector diagnostics(context, text, file_name);
  return ConvertStablehloToHlo(*module, [&](Location at) { return diagnostics.Place(at); }, file_name);
}

}  // namespace xla
