#include "base/mlir/location.h"

#include <fmt/format.h>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace rocxla {

// Callees come before callers, parts in their order. Locations may share parts, and nest as deeply as their text likes.
std::optional<SourcePosition> PositionOf(mlir::Location location) {
  llvm::SmallVector<mlir::Location> open{location};
  llvm::DenseSet<mlir::Attribute> seen;
  while (!open.empty()) {
    mlir::Location next = open.pop_back_val();
    if (!seen.insert(next).second) continue;
    if (auto file = mlir::dyn_cast<mlir::FileLineColRange>(next))
      return SourcePosition{file.getFilename().str(), file.getStartLine(), file.getStartColumn()};
    if (auto name = mlir::dyn_cast<mlir::NameLoc>(next)) open.push_back(name.getChildLoc());
    if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(next)) open.append({call.getCaller(), call.getCallee()});
    if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(next))
      for (mlir::Location part : llvm::reverse(fused.getLocations())) open.push_back(part);
  }
  return std::nullopt;
}

std::string LocationText(mlir::Location location) {
  auto at = PositionOf(location);
  return at ? fmt::format("{}:{}:{}", at->file, at->line, at->column) : "";
}

}  // namespace rocxla
