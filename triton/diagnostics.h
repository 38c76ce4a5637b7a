// MLIR's diagnostics as our errors.
#pragma once
#include <string>
#include <string_view>

#include "base/status.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace rocxla::triton {

// While it lives, keeps the first error that MLIR reports in `context`, with the notes that belong to it. `text` is the
// program and must outlive it; `file_name` is what the parser was told.
class DiagnosticCollector {
 public:
  DiagnosticCollector(mlir::MLIRContext& context, std::string_view text, std::string_view file_name);

  // TritonSyntax: what MLIR said, where (with the line and a mark, if it is a line of the text), and its notes.
  Status SyntaxError() const;

 private:
  std::string Place(mlir::Location location) const;

  std::string_view text_;
  std::string_view file_name_;
  ErrorText error_;
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace rocxla::triton
