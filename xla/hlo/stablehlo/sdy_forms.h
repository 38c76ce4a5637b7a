// The short forms of Shardy's operations that have regions or symbols; see op_form.h.
#pragma once
#include "mlir/IR/OpImplementation.h"

namespace xla::stablehlo {

// "@name = <["x"=2]>"
mlir::ParseResult ParseMeshOp(mlir::OpAsmParser& parser, mlir::OperationState& state);
void PrintMeshOp(mlir::Operation* op, mlir::OpAsmPrinter& printer);
// "(%a) in_shardings=[...] out_shardings=[...] manual_axes={"x"} (%b: type) { ... } : (type) -> type"
mlir::ParseResult ParseManualComputation(mlir::OpAsmParser& parser, mlir::OperationState& state);
void PrintManualComputation(mlir::Operation* op, mlir::OpAsmPrinter& printer);

}  // namespace xla::stablehlo
