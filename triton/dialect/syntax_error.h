// What MLIR said of a Triton IR module, as our error.
#pragma once
#include "base/error_ids.h"
#include "base/mlir/diagnostics.h"

namespace rocxla::triton {

// TritonSyntax: what is wrong, where (with the line and a mark, if it is a line of the text), and MLIR's notes.
inline Status SyntaxError(const DiagnosticCollector& diagnostics) {
  return diagnostics.AsError(ErrorId::kTritonSyntax, "the text is no Triton IR module",
                             "Correct the text there; `triton.compile` writes such text as kernel.ttir.");
}

}  // namespace rocxla::triton
