// C++ side of the ttg dialect (ttg.td).
#pragma once
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/dialect/ttg_dialect.h.inc"

#define GET_OP_CLASSES
#include "triton/dialect/ttg_ops.h.inc"
