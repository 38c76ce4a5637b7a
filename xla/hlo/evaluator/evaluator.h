// Inside the evaluator: the table of evaluation functions and how they call computations.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/literal.h"
#include "xla/hlo/ir/status.h"

namespace xla::evaluator {

using Operands = std::span<const Literal* const>;

// Gives the value of `instruction`. Elementwise opcodes take their dimensions from the operands, which may be arrays
// where the instruction's are scalars: ApplyElementwise uses that.
using EvalFn = StatusOr<Literal>(const HloInstruction& instruction, Operands operands);

// What a reference for tests will wait for and hold: a loop that runs longer, an array that is larger, and a window or
// transform whose loops take more steps, is refused.
inline constexpr int64_t kMostLoopIterations = 1'000'000;
inline constexpr int64_t kMostArrayBytes = int64_t{4} << 30;
inline constexpr int64_t kMostSteps = int64_t{4} << 30;

// One declaration per opcode; one without a definition fails to link.
#define HLO_OP(id, ...) EvalFn Eval_##id;
#define HLO_LATER(text)
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP
#undef HLO_LATER

StatusOr<Literal> EvaluateComputation(const HloComputation& computation, Operands arguments);

// Applies a computation of scalars to each element of arrays of equal dimensions (or scalars, which stand for all).
// Returns one array per result of the computation: several if its root is a tuple.
StatusOr<std::vector<Literal>> ApplyElementwise(const HloComputation& computation, Operands arguments);

// HloNotEvaluable, with the instruction's text.
Status NotEvaluable(const HloInstruction& instruction, std::string what);

// HloNotEvaluable if loops of these lengths, one inside the other, take more than kMostSteps in all.
Status CheckSteps(const HloInstruction& instruction, std::span<const int64_t> lengths);

}  // namespace xla::evaluator
