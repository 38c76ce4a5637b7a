// MLIR's diagnostics as our errors.
#pragma once
#include <string>
#include <string_view>

#include "base/status.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace rocxla {

// While it lives, keeps the first error that MLIR reports in `context`, with the notes that belong to it. `text` is the
// program and must outlive it; `file_name` is what the parser was told.
class DiagnosticCollector {
 public:
  DiagnosticCollector(mlir::MLIRContext& context, std::string_view text, std::string_view file_name);

  // What MLIR said, where, and its notes, as an error `id`; `nothing_said` is the sentence if it said nothing, `next`
  // what the reader can do.
  Status AsError(ErrorId id, std::string_view nothing_said, std::string_view next) const;

  // "file:line:column" of the innermost position; with the line and a mark under the column if it is one of the text.
  std::string Place(mlir::Location location) const;

 private:
  std::string_view text_;
  std::string_view file_name_;
  ErrorText error_;
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace rocxla
