// Which dimensions of a result are dynamic, and from which dimensions of the operands their sizes come.
#pragma once
#include <optional>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

struct DimensionSource {
  int64_t operand;
  int64_t dimension;
};
using DimensionSources = std::vector<DimensionSource>;

// For each dimension of the result (of each of its arrays, where it is a tuple) those of the operands that its size is,
// or is computed from: it is dynamic if one of them is. Nothing for opcodes whose rule gives whole shapes (tuples,
// calls, loops), and where the declared shape says it (parameter, reshape, custom-call, ...). The instruction must have
// passed its shape rule.
std::optional<std::vector<DimensionSources>> DimensionSourcesOf(const HloInstruction& instruction);

// Dimensions of the operands that have one size when the program runs: where some are dynamic and others static, only
// so many elements of the static ones count.
std::vector<DimensionSources> TiedDimensionsOf(const HloInstruction& instruction);

// What the shape rule gave, with its dynamic dimensions marked.
Shape WithDynamicDimensions(const HloInstruction& instruction, Shape shape);

}  // namespace xla
