// What the shape_rules_*.cc files share.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/shape_rules.h"

namespace xla::shape_rules {

// Returns the problem from the enclosing rule if there is one.
#define RETURN_IF_PROBLEM(expr)                                       \
  do {                                                                \
    if (std::optional<ErrorText> problem_ = (expr)) return *problem_; \
  } while (false)

using Problem = std::optional<ErrorText>;

inline const Shape& OperandShape(const HloInstruction& instruction, int64_t i) {
  return instruction.operand(i)->shape();
}

inline ErrorText Wrong(std::string what, std::string found, std::string expected) {
  return {.what = std::move(what), .found = std::move(found), .expected = std::move(expected)};
}

// All operands from number `first` on are arrays.
Problem CheckArrays(const HloInstruction& instruction, int64_t first = 0);
// `dimensions` are distinct dimensions of an array of `rank`. `attribute` names them in the message.
Problem CheckDimensionList(std::string_view attribute, const std::vector<int64_t>& dimensions, int64_t rank);
// Operand `i` is a scalar integer; for dynamic indices.
Problem CheckScalarIndex(const HloInstruction& instruction, int64_t i);
// The parameters of `computation` are compatible with `arguments`. `role`: "to_apply".
Problem CheckParameters(std::string_view role, const HloComputation& computation, const std::vector<Shape>& arguments);

Problem CheckResult(std::string_view role, const HloComputation& computation, const Shape& expected);
// `computation` combines two tuples of `scalars` into one: (x..., y...) -> (z...), or z if there is one.
Problem CheckCombiner(std::string_view role, const HloComputation& computation, const std::vector<Shape>& scalars);
// The element types of a dot or convolution. The result's is a choice: bf16 operands may give bf16 or f32, s8 operands
// s32, f8 operands of two kinds mix.
Problem CheckProductTypes(const HloInstruction& instruction);

// One shape stays as it is; several become a tuple.
Shape OneOrTuple(std::vector<Shape> shapes);
// The shapes of the operands from number `first` on.
std::vector<Shape> OperandShapes(const HloInstruction& instruction, int64_t first = 0);
std::string ShapesText(const std::vector<Shape>& shapes);  // "(f32[2], s32[])"

}  // namespace xla::shape_rules
