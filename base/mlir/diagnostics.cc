#include "base/mlir/diagnostics.h"

#include <fmt/format.h>

#include "base/mlir/location.h"
#include "llvm/ADT/StringRef.h"

using namespace mlir;
namespace rocxla {
namespace {

// The text between the first pair of quotes, which MLIR writes as `x', 'x' or "x".
std::string FirstQuoted(llvm::StringRef text) {
  const size_t begin = text.find_first_of("`'\"");
  const size_t end = text.find_first_of("'\"", begin == text.npos ? text.npos : begin + 1);
  return end == text.npos ? text.str() : text.slice(begin + 1, end).str();
}

// Two of MLIR's sentences speak of its own C++ interface; the user only needs to know which dialect is meant.
std::string ForUsers(llvm::StringRef what) {
  if (what.contains("allowUnregisteredDialects"))
    return fmt::format("dialect '{}' is not known here", FirstQuoted(what));
  if (what.starts_with("Dialect `")) return fmt::format("dialect '{}' is not known here", FirstQuoted(what));
  return what.str();
}

llvm::StringRef Line(llvm::StringRef text, unsigned number) {
  for (unsigned line = 1; line < number; ++line) text = text.split('\n').second;
  return text.split('\n').first;
}

}  // namespace

DiagnosticCollector::DiagnosticCollector(MLIRContext& context, std::string_view text, std::string_view file_name)
    : text_(text), file_name_(file_name), handler_(&context, [this](Diagnostic& diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !error_.what.empty()) return success();
        error_.what = ForUsers(diagnostic.str());
        error_.where = Place(diagnostic.getLocation());
        for (Diagnostic& note : diagnostic.getNotes()) {
          if (note.str().find("see https://mlir.llvm.org") != std::string::npos) continue;  // how to extend MLIR
          auto at = PositionOf(note.getLocation());
          error_.found += fmt::format("{}{}{}", error_.found.empty() ? "" : "\n",
                                      at ? fmt::format("{}:{}:{}: ", at->file, at->line, at->column) : "", note.str());
        }
        return success();
      }) {}

std::string DiagnosticCollector::Place(Location location) const {
  auto at = PositionOf(location);
  if (!at) return std::string(file_name_);
  std::string place = fmt::format("{}:{}:{}", at->file, at->line, at->column);
  if (at->file != file_name_) return place;  // a line of the kernel's Python source
  constexpr size_t kWidest = 160;
  const std::string line = Line(text_, at->line).str();
  if (line.size() > kWidest || at->column == 0 || at->column > line.size() + 1) return place;
  return fmt::format("{}\n{}\n{}^", place, line, std::string(at->column - 1, ' '));
}

Status DiagnosticCollector::AsError(ErrorId id, std::string_view nothing_said, std::string_view next) const {
  ErrorText error = error_;
  if (error.what.empty()) error = {.what = std::string(nothing_said), .where = std::string(file_name_)};
  error.next = next;
  return Error(id, std::move(error));
}

}  // namespace rocxla
