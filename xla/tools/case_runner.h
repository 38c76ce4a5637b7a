// Running the recorded cases below a folder (formats: tests/cases/README.md).
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/flags.h"
#include "base/status.h"

namespace xla::tools {

enum class CaseKind {
  kJax,            // module.hlo: compiled and run
  kEvaluated,      // one form of a JAX case's module: run by the reference evaluator
  kSpmd,           // a module for several devices: compiled and run
  kSpmdEvaluated,  // the same by the reference evaluator, on simulated devices
  kTriton,         // kernel.ttir: compiled and run
  kTritonObjects,  // triton-gfxNNN/kernel.hsaco: run as it is
};

// One thing to check: counts once.
struct Case {
  CaseKind kind;
  std::filesystem::path folder;
  std::string form;           // of JAX kinds: the file that holds the module
  std::string device;         // as --device takes it; empty for the evaluator
  std::string target;         // of Triton kinds: "gfx942"
  std::string Label() const;  // "dot_float32 on embedded:gfx942"
};

struct CaseResult {
  rocxla::Status status;     // OK: the results agree
  double largest_error = 0;  // over all outputs
  std::string compiled;      // of passed JAX cases: "2 kernels"
};

struct FindOptions {
  std::string device;    // empty: the default device for JAX cases, every first-class target for Triton's
  bool objects = false;  // Triton cases: the recorded objects instead of kernel.ttir
  // JAX cases: every form of the module, evaluated instead of compiled; programs for several devices on simulated ones;
  // no Triton cases
  bool evaluator = false;
};

// Every case at or below `folders`, in path order. NotFound when a folder does not exist or holds no case.
rocxla::StatusOr<std::vector<Case>> FindCases(const std::vector<std::filesystem::path>& folders,
                                              const FindOptions& options);

// Thread-safe.
CaseResult RunCase(const Case& one, const rocxla::DebugOptions& options);

}  // namespace xla::tools
