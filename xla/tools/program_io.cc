#include "xla/tools/program_io.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error_ids.h"
#include "xla/tools/hlo_runner.h"
#include "xla/tools/literal_tensors.h"

namespace xla::tools {
namespace {

namespace fs = std::filesystem;
using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;

constexpr uint64_t kSeed = 0;

}  // namespace

Tolerance ToleranceChoice::For(std::string_view dtype) const {
  Tolerance tolerance = of_case ? *of_case : DefaultTolerance(dtype);
  if (rtol) tolerance.rtol = *rtol;
  if (atol) tolerance.atol = *atol;
  return tolerance;
}

StatusOr<ToleranceChoice> ChooseTolerance(const std::string& module_path, std::optional<double> rtol,
                                          std::optional<double> atol) {
  ToleranceChoice choice{.of_case = std::nullopt, .rtol = rtol, .atol = atol};
  const fs::path case_json = fs::path(module_path).parent_path() / "case.json";
  if (!fs::exists(case_json)) return choice;
  ASSIGN_OR_RETURN(choice.of_case, ReadTolerance(case_json));
  return choice;
}

StatusOr<Inputs> ReadInputs(const std::string& path, const HloModule& module) {
  Inputs inputs;
  if (path.empty()) {
    ASSIGN_OR_RETURN(inputs.literals, RandomInputs(module, kSeed));
    return inputs;
  }
  ASSIGN_OR_RETURN(inputs.file, rocxla::ReadSafetensors(path));
  ASSIGN_OR_RETURN(inputs.literals, InputsFromTensors(module, inputs.file, path));
  return inputs;
}

StatusOr<std::vector<Inputs>> ReadInputsOfDevices(const std::string& path, const HloModule& module) {
  rocxla::TensorMap file;
  if (!path.empty()) {
    ASSIGN_OR_RETURN(file, rocxla::ReadSafetensors(path));
  }
  std::vector<Inputs> all;
  const int64_t devices = module.config().replica_count * module.config().num_partitions;
  for (int64_t device = 0; device < devices; ++device) {
    Inputs inputs;
    if (path.empty()) {
      ASSIGN_OR_RETURN(inputs.literals, RandomInputs(module, kSeed + device));
    } else {
      inputs.file = TensorsOfDevice(file, device);
      ASSIGN_OR_RETURN(inputs.literals,
                       InputsFromTensors(module, inputs.file, fmt::format("{} (dev{}.*)", path, device)));
    }
    all.push_back(std::move(inputs));
  }
  return all;
}

rocxla::TensorMap TensorsOfDevice(const rocxla::TensorMap& tensors, size_t device) {
  const std::string prefix = fmt::format("dev{}.", device);
  rocxla::TensorMap own;
  for (const auto& [name, tensor] : tensors)
    if (name.starts_with(prefix)) own.emplace(name.substr(prefix.size()), tensor);
  return own;
}

rocxla::TensorMap NamedOutputs(const std::vector<Literal>& outputs) {
  rocxla::TensorMap tensors;
  for (size_t i = 0; i < outputs.size(); ++i) tensors[fmt::format("out.{}", i)] = TensorFromLiteral(outputs[i]);
  return tensors;
}

Status PrintAgreement(std::string_view prefix, std::string_view against, const std::vector<Literal>& outputs,
                      const rocxla::TensorMap& wanted, const ToleranceChoice& choice) {
  const auto tolerance_for = [&](std::string_view dtype) { return choice.For(dtype); };
  ASSIGN_OR_RETURN(auto comparisons, CompareWithRecorded(outputs, wanted, tolerance_for));
  for (const auto& [name, comparison] : comparisons) {
    const Tolerance tolerance = choice.For(wanted.at(name).dtype);
    if (!comparison.equal())
      return Error(ErrorId::kResultMismatch,
                   {.what = fmt::format("{}{} differs from {} in {} of {} elements", prefix, name, against,
                                        comparison.mismatches, comparison.elements),
                    .found = comparison.first_mismatch,
                    .expected = fmt::format("|got - want| <= {} + {} * |want|", tolerance.atol, tolerance.rtol)});
    fmt::print("{}{} agrees with {}: {} elements, largest error {:.3g}\n", prefix, name, against, comparison.elements,
               comparison.largest_error);
  }
  return rocxla::OkStatus();
}

}  // namespace xla::tools
