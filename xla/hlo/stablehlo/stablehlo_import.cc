#include "xla/hlo/stablehlo/stablehlo_import.h"

#include <fmt/format.h>

#include "base/error_ids.h"
#include "base/mlir/diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/importer.h"

using namespace mlir;
namespace xla {
namespace {

// MLIR's parser, verifier and printer call themselves for each level of brackets.
constexpr int kDeepestNesting = 256;

// The offset at which the brackets are nested too deeply; npos if they are not. Brackets inside of strings and comments
// do not count; an arrow is no bracket.
size_t TooDeepAt(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
    } else if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i).starts_with("->")) {
      ++i;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (++depth > kDeepestNesting) return i;
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      depth = std::max(depth - 1, 0);
    }
  }
  return std::string_view::npos;
}

Status TooDeep(std::string_view text, size_t at, std::string_view file_name) {
  const auto before = text.substr(0, at);
  const size_t line_begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return Error(ErrorId::kStablehloSyntax,
               {.what = "the brackets are nested too deeply",
                .where = fmt::format("{}:{}:{}", file_name, std::count(before.begin(), before.end(), '\n') + 1,
                                     at - line_begin + 1),
                .expected = fmt::format("at most {} levels", kDeepestNesting)});
}

}  // namespace

StatusOr<std::unique_ptr<HloModule>> ConvertStablehloToHlo(ModuleOp module, LocateOperation locate,
                                                           std::string_view own_file) {
  return stablehlo::Importer(module, locate, own_file).Run();
}

StatusOr<OwningOpRef<ModuleOp>> ParseStablehloText(std::string_view text, std::string_view file_name,
                                                   MLIRContext& context) {
  if (const size_t at = TooDeepAt(text); at != text.npos) return TooDeep(text, at, file_name);
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
