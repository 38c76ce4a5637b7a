// The rules of the algebraic simplifier. Each is exact: it keeps every bit of the result, NaN, infinities and the sign
// of zero included (which NaN comes out is not kept, as in HLO).
#pragma once
#include <span>
#include <string_view>

#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

struct RewriteRule {
  std::string_view name;     // "multiply_by_one"
  std::string_view algebra;  // "x * 1 = x"
  HloOpcode opcode;          // of the instruction that the rule looks at
  // An instruction of the same computation that gives the same value, or null if the rule does not fire. It may be a
  // new one, added to the computation. The driver refuses a replacement of another layout.
  HloInstruction* (*apply)(HloInstruction& instruction);
};

std::span<const RewriteRule> ArithmeticRules();
std::span<const RewriteRule> MovementRules();

}  // namespace xla
