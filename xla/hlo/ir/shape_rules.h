// The shape rules that hlo_ops.def names: each checks an instruction's operands and attributes and gives the shape that
// the result must have, up to layout.
//
// A rule may rely on what the verifier checks before: the number of operands, that required attributes are there, and
// the element type that the opcode's traits allow. Where the operands do not determine the result (reshape, parameter,
// ...), the rule checks the declared shape and returns it.
#pragma once
#include <optional>
#include <utility>

#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/ir/shape.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// The expected shape, or what is wrong (`where` is filled in by the verifier).
class ShapeRuleResult {
 public:
  ShapeRuleResult(Shape shape) : shape_(std::move(shape)) {}            // NOLINT: conversions are the point
  ShapeRuleResult(ErrorText problem) : problem_(std::move(problem)) {}  // NOLINT
  const std::optional<ErrorText>& problem() const { return problem_; }
  const Shape& shape() const { return shape_; }

 private:
  Shape shape_;
  std::optional<ErrorText> problem_;
};

namespace shape_rules {
// One declaration per name in the table; a rule without a definition fails to link.
#define HLO_OP(id, text, arity, traits, rule, ...) ShapeRuleResult rule(const HloInstruction& instruction);
#define HLO_LATER(text)
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP
#undef HLO_LATER
}  // namespace shape_rules

}  // namespace xla
