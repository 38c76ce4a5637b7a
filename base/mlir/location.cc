#include "base/mlir/location.h"

#include <fmt/format.h>

namespace rocxla {

std::optional<SourcePosition> PositionOf(mlir::Location location) {
  if (auto file = mlir::dyn_cast<mlir::FileLineColRange>(location))
    return SourcePosition{file.getFilename().str(), file.getStartLine(), file.getStartColumn()};
  if (auto name = mlir::dyn_cast<mlir::NameLoc>(location)) return PositionOf(name.getChildLoc());
  if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    auto callee = PositionOf(call.getCallee());
    return callee ? callee : PositionOf(call.getCaller());
  }
  if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(location))
    for (mlir::Location part : fused.getLocations())
      if (auto position = PositionOf(part)) return position;
  return std::nullopt;
}

std::string LocationText(mlir::Location location) {
  auto at = PositionOf(location);
  return at ? fmt::format("{}:{}:{}", at->file, at->line, at->column) : "";
}

}  // namespace rocxla
