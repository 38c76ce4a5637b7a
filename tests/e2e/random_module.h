// Random HLO modules whose results are known to within a stated error, for comparing two ways of computing them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/literal.h"

namespace xla::testing {

struct RandomModuleOptions {
  int most_steps = 12;           // pieces of a module: an operation, or a pattern of several
  int64_t most_elements = 1500;  // of an array
};

// An instruction of the entry computation that can be a result, and by how much two right answers of it may differ. 0:
// not at all.
struct RandomResult {
  std::string name, shape;
  double error = 0;
};

struct RandomModule {
  std::string computations, body;  // without the root
  std::vector<RandomResult> results;
  std::vector<RandomResult> values;  // all that could be results, in the order of the body

  std::string text() const;
};

// The same for the same seed, on any machine. Integers wrap and are exact; floating-point numbers are small integers as
// long as they are exact, and only smooth functions are applied to those that are not.
RandomModule MakeRandomModule(uint64_t seed, const RandomModuleOptions& options = {});

// Values for the parameters: all integers of a type, floating-point numbers from -4 to 4 without a fraction.
std::vector<Literal> RandomModuleInputs(const HloModule& module, uint64_t seed);

// Empty if `got` is within the errors of `want`; else which result differs and where.
std::string Difference(const RandomModule& module, const std::vector<Literal>& got, const std::vector<Literal>& want);

}  // namespace xla::testing
