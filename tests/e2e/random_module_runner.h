// A random HLO module, evaluated and compiled: whether both give the same.
#pragma once
#include <string>
#include <vector>

#include "tests/e2e/random_module.h"

namespace xla::testing {

struct EvaluatedModule {
  RandomModule module;
  std::vector<Literal> inputs, expected;
};
rocxla::StatusOr<EvaluatedModule> EvaluateModule(RandomModule module, uint64_t seed);

// Empty if the module, compiled for the target and run on the embedded device, gives what is expected; else the error,
// or the first difference.
std::string CompareOnDevice(const EvaluatedModule& evaluated, const std::string& target);

// A module that fails: the earliest value that is wrong as the only result, and what it needs. Empty if no single value
// is wrong.
std::string Reduced(const RandomModule& module, const std::string& target, uint64_t seed);

}  // namespace xla::testing
