// The rules that every module keeps: checked after parsing and after each pass.
#pragma once
#include <functional>
#include <string>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// Says where an instruction stands, or the module's header (null), for `where` of a message.
using LocateInstruction = std::function<std::string(const HloInstruction* instruction)>;

// Checks the whole module; HloVerifier tells of the first broken rule. Without `locate`, messages show the
// instruction's own text.
//
// Rules: an entry whose signature fits entry_computation_layout; unique names; parameters numbered from 0 without gaps;
// a root in each computation; operands from the same computation, no cycles; no recursion between computations; the
// number of operands, the attributes and element types of hlo_ops.def; shapes that follow from its shape rule; layouts
// that are permutations; sizes that fit 64 bits.
Status VerifyHloModule(const HloModule& module, const LocateInstruction& locate = {});

}  // namespace xla
