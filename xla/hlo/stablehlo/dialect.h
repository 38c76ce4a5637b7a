// The MLIR dialects stablehlo, chlo and sdy (the parts of Shardy that JAX writes), registered from tables at run time.
//
// Operations have no C++ classes: they are mlir::Operation by name ("stablehlo.add"), their attributes are looked up by
// name (op->getAttr) and may lie in the operation's properties or among its other attributes alike. To make one:
//
//   mlir::OperationState state(location, "stablehlo.broadcast_in_dim");
//   state.addOperands(x); state.addTypes(type); state.addAttribute("broadcast_dimensions", dims);
//   mlir::Operation* op = builder.create(state);
#pragma once
#include <span>
#include <string_view>

#include "mlir/IR/MLIRContext.h"

namespace xla::stablehlo {

inline constexpr int kAny = -1;

// A row of stablehlo_ops.def, chlo_ops.def or sdy_ops.def.
struct OpInfo {
  std::string_view dialect;
  std::string_view name;  // "add"
  int operands;           // or kAny, as the next two
  int results;
  int regions;
  std::string_view attributes;
  std::string_view form;
};
std::span<const OpInfo> AllOps();
// Null if no table has it; `name` is full: "stablehlo.add".
const OpInfo* FindOp(std::string_view name);
// "Did you mean 'stablehlo.add'?", or nothing.
std::string DidYouMeanOp(std::string_view name);

// Registers and loads the three dialects, func, and one that refuses quantized types by name.
void LoadDialects(mlir::MLIRContext& context);

}  // namespace xla::stablehlo
