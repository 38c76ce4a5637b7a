#include "tests/e2e/random_module_runner.h"

#include <fmt/format.h>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/passes.h"
#include "xla/stream_executor/rocm/device_selection.h"
#include "xla/tools/hlo_runner.h"
#include "xla/tools/literal_tensors.h"

namespace xla::testing {
namespace {

rocxla::StatusOr<std::vector<Literal>> RunOnDevice(const EvaluatedModule& evaluated, const std::string& target) {
  ASSIGN_OR_RETURN(auto module, ParseAndReturnVerifiedModule(evaluated.module.text(), "random.hlo"));
  ASSIGN_OR_RETURN(const auto device, stream_executor::gpu::SelectDevice("embedded:" + target));
  ASSIGN_OR_RETURN(auto executable,
                   tools::CompileForDevice(std::move(module), *device.executor, rocxla::DebugOptions()));
  return gpu::RunWithLiterals(*executable, *device.executor, evaluated.inputs);
}

}  // namespace

rocxla::StatusOr<EvaluatedModule> EvaluateModule(RandomModule module, uint64_t seed) {
  ASSIGN_OR_RETURN(auto parsed, ParseAndReturnVerifiedModule(module.text(), "random.hlo"));
  std::vector<Literal> inputs = RandomModuleInputs(*parsed, seed);
  ASSIGN_OR_RETURN(std::vector<Literal> expected, Evaluate(*parsed, inputs));
  return EvaluatedModule{std::move(module), std::move(inputs), std::move(expected)};
}

std::string CompareOnDevice(const EvaluatedModule& evaluated, const std::string& target) {
  const auto got = RunOnDevice(evaluated, target);
  return got.ok() ? Difference(evaluated.module, *got, evaluated.expected) : got.status().ToString();
}

std::string Reduced(const RandomModule& module, const std::string& target, uint64_t seed) {
  for (const RandomResult& result : module.values) {
    RandomModule single = module;
    single.results = {result};
    const auto evaluated = EvaluateModule(single, seed);
    if (!evaluated.ok()) return evaluated.status().ToString();
    const std::string difference = CompareOnDevice(*evaluated, target);
    if (difference.empty()) continue;
    auto parsed = ParseAndReturnVerifiedModule(single.text(), "random.hlo");
    if (!parsed.ok() || !HloDce().Run(**parsed, {}).ok()) return single.text();
    return difference + "\n" + (*parsed)->ToString();
  }
  return "";
}

}  // namespace xla::testing
