// C++ side of the tt dialect (tt.td): rocxla::triton::tt::LoadOp and so on.
#pragma once
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/dialect/tt_dialect.h.inc"
#include "triton/dialect/tt_enums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "triton/dialect/tt_types.h.inc"

namespace rocxla::triton::tt {

using mlir::getElementTypeOrSelf;
// f32 or tensor<..xf32> from !tt.ptr<f32> or tensor<..x!tt.ptr<f32>>; null for other types.
mlir::Type pointeeOf(mlir::Type pointer);
// !tt.ptr<f32> from !tt.ptr<tensor<..xf32>>; other types as they are.
mlir::Type elementPointerOf(mlir::Type block_pointer);
// i1, or a tensor of i1 of the same shape.
mlir::Type i1Like(mlir::Type type);
// Registers tt and every dialect that appears in Triton IR text.
void RegisterDialects(mlir::DialectRegistry& registry);

}  // namespace rocxla::triton::tt

#define GET_OP_CLASSES
#include "triton/dialect/tt_ops.h.inc"
