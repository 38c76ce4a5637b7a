// Structural equality of modules and computations.
#pragma once
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

enum class CompareNames : bool { kNo, kYes };

// Same graph: opcodes, shapes with layouts, literals, attributes, operands in the same order. Called computations are
// compared by their bodies. With kYes also names and metadata.
bool Equal(const HloComputation& a, const HloComputation& b, CompareNames names);
// Also the configuration; with kYes the module's name and computations that the entry does not reach.
bool Equal(const HloModule& a, const HloModule& b, CompareNames names);

// True if two instructions of one module compute the same: equal opcode, shape, attributes, literal, equal
// called computations, and the same operands (either order where the opcode commutes). What common subexpression
// elimination asks.
bool SameExpression(const HloInstruction& a, const HloInstruction& b);

}  // namespace xla
