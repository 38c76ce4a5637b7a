// Inputs, results and comparisons of a program, as `run` and `eval` take and give them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/safetensors.h"
#include "base/status.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/literal.h"
#include "xla/tools/compare.h"

namespace xla::tools {

// --rtol and --atol, else those of case.json beside the module, else what fits the type of each result.
struct ToleranceChoice {
  std::optional<Tolerance> of_case;
  std::optional<double> rtol, atol;

  Tolerance For(std::string_view dtype) const;
};
rocxla::StatusOr<ToleranceChoice> ChooseTolerance(const std::string& module_path, std::optional<double> rtol,
                                                  std::optional<double> atol);

// The parameters of one device's program.
struct Inputs {
  rocxla::TensorMap file;  // also holds the recorded results; empty without a file
  std::vector<Literal> literals;
};
// From a safetensors file, or seeded random data where `path` is empty.
rocxla::StatusOr<Inputs> ReadInputs(const std::string& path, const HloModule& module);
// For each device of a module with several: dev0.in.0, ..., or random data of its own.
rocxla::StatusOr<std::vector<Inputs>> ReadInputsOfDevices(const std::string& path, const HloModule& module);

// Those of one device: devK.in.N and devK.out.N become in.N and out.N.
rocxla::TensorMap TensorsOfDevice(const rocxla::TensorMap& tensors, size_t device);

// out.0, out.1, ...
rocxla::TensorMap NamedOutputs(const std::vector<Literal>& outputs);

// One line per result on standard output, "`prefix`out.0 agrees with `against`: ..."; ResultMismatch names the first
// that does not.
rocxla::Status PrintAgreement(std::string_view prefix, std::string_view against, const std::vector<Literal>& outputs,
                              const rocxla::TensorMap& wanted, const ToleranceChoice& choice);

}  // namespace xla::tools
