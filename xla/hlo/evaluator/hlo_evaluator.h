// The reference evaluator: runs a module on the host, in the simplest way that is right. GPU results are judged by it.
#pragma once
#include <span>
#include <vector>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// What a program takes from its surroundings besides its arguments.
struct EvaluationOptions {
  // Of rng: the same seed gives the same numbers.
  uint64_t seed = 0;
  // What the infeeds take, one literal each, in the order in which they run; must outlive the run.
  std::span<const Literal> infeed;
  // Where the outfeeds append their values, in the order in which they run. Null: an outfeed is an error.
  std::vector<Literal>* outfeed = nullptr;
};

// Runs the entry computation of a verified module. `arguments` are the parameters in order; a layout does not matter,
// since literals lie in logical order. Returns the leaves of the result, depth first: one literal for an array.
//
// Computes in the stated types: f64 in double, all smaller floats in float with each instruction's result rounded to
// its type, integers modulo 2^bits. Sums inside dots are kept in double. Reductions combine neighbours pairwise, in
// order. Integer division by zero gives -1 (all ones), its remainder the dividend; conversions to integers saturate,
// NaN gives 0.
//
// An argument of a shape with dynamic dimensions has its actual size there, and so have results: what lies between that
// and the bound is no part of a value.
//
// rng draws from one Philox stream per run and device, keyed by the seed. rng-get-and-update-state begins each run with
// XLA's first state, 0x7012395. A recv takes what a send of the same channel has brought; without
// _xla_send_recv_source_target_pairs a device alone sends to itself.
//
// Errors: WrongInputs if the arguments do not fit; HloNotEvaluable for what is not implemented and for elided
// constants, arrays above 4 GiB, loops of more than a million iterations, windows, transforms and matrices that
// take more than 2^32 steps, and for infeeds, outfeeds and recvs that nobody serves.
StatusOr<std::vector<Literal>> Evaluate(const HloModule& module, std::span<const Literal> arguments,
                                        const EvaluationOptions& options = {});

// Runs the module on replica_count * num_partitions simulated devices, which meet in its collectives. arguments[d] are
// those of device d = replica * num_partitions + partition; so are options[d], which may be left out; the result is in
// the same order. Errors: as above, of the lowest device that has one of its own; HloNotEvaluable too for more than
// 1024 devices and for collectives in which some wait for devices that do not come.
StatusOr<std::vector<std::vector<Literal>>> EvaluateOnDevices(const HloModule& module,
                                                              std::span<const std::vector<Literal>> arguments,
                                                              std::span<const EvaluationOptions> options = {});

}  // namespace xla
