// The reference evaluator: runs a module on the host, in the simplest way that is right. GPU results are judged by it.
#pragma once
#include <span>
#include <vector>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// Runs the entry computation of a verified module. `arguments` are the parameters in order; a layout does not matter,
// since literals lie in logical order. Returns the leaves of the result, depth first: one literal for an array.
//
// Computes in the stated types: f64 in double, all smaller floats in float with each instruction's result rounded to
// its type, integers modulo 2^bits. Sums inside dots are kept in double. Reductions combine neighbours pairwise, in
// order. Integer division by zero gives -1 (all ones), its remainder the dividend; conversions to integers saturate,
// NaN gives 0.
//
// Errors: WrongInputs if the arguments do not fit; HloNotEvaluable for what is not implemented and for elided
// constants, arrays above 4 GiB, loops of more than a million iterations, and windows, transforms and matrices that
// take more than 2^32 steps.
StatusOr<std::vector<Literal>> Evaluate(const HloModule& module, std::span<const Literal> arguments);

// Runs the module on replica_count * num_partitions simulated devices, which meet in its collectives. arguments[d] are
// those of device d = replica * num_partitions + partition; the result is in the same order. Errors: as above, of the
// lowest device that has one of its own; HloNotEvaluable too for more than 1024 devices and for collectives in which
// some wait for devices that do not come.
StatusOr<std::vector<std::vector<Literal>>> EvaluateOnDevices(const HloModule& module,
                                                              std::span<const std::vector<Literal>> arguments);

}  // namespace xla
