// Places in the source, as messages and line tables name them.
#pragma once
#include <optional>
#include <string>

#include "mlir/IR/Location.h"

namespace rocxla {

struct SourcePosition {
  std::string file;
  unsigned line;
  unsigned column;
};
// The innermost source position; absent for unknown locations.
std::optional<SourcePosition> PositionOf(mlir::Location location);
// "file:line:column" of it; "" when there is none.
std::string LocationText(mlir::Location location);

}  // namespace rocxla
