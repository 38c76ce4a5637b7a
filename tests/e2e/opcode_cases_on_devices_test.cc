// Every opcode and element type, compiled for and run on each embedded target, against the evaluator. An opcode's and
// type's first case runs on all targets, further ones on one each. What the compiler refuses is listed in
// opcode_refusals.def, with the number of the error.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error_ids.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/testing/opcode_case.h"
#include "xla/service/gpu/amdgpu_compiler.h"
#include "xla/stream_executor/rocm/device_selection.h"

namespace xla::opcode_cases {
namespace {

using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;

struct Refusal {
  ErrorId error;
  std::string_view reason;
};

bool Touches(const Shape& shape, PrimitiveType type) {
  if (shape.element_type() == type) return true;
  return std::any_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(),
                     [&](const Shape& element) { return Touches(element, type); });
}
bool Touches(const HloModule& module, PrimitiveType type) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* instruction : computation->instructions()) {
      if (Touches(instruction->shape(), type)) return true;
    }
  }
  return false;
}

// The row that says why `one` does not compile, if there is one.
std::optional<Refusal> RefusalOf([[maybe_unused]] const OpcodeCase& one, const HloModule& module) {
#define WORKS(id, condition, reason) \
  if (one.opcode == HloOpcode::id && (condition)) return std::nullopt;
#define REFUSED(id, condition, error, reason) \
  if (one.opcode == HloOpcode::id && (condition)) return Refusal{ErrorId::error, reason};
#define REFUSED_TYPE(type, error, reason) \
  if (Touches(module, type)) return Refusal{ErrorId::error, reason};
#include "tests/e2e/opcode_refusals.def"
#undef WORKS
#undef REFUSED
#undef REFUSED_TYPE
  return std::nullopt;
}

// The device's functions may be less exact than the evaluator's; whatever is exact there is exact here.
Accuracy DeviceAccuracy(const OpcodeCase& one) {
  Accuracy accuracy = ExpandedAccuracy(one);
#define DEVICE_ULPS(id, condition, units, reason) \
  if (one.opcode == HloOpcode::id && (condition)) accuracy.ulps = units;
#include "tests/e2e/opcode_refusals.def"
#undef DEVICE_ULPS
  return accuracy;
}

// Why the device's results differ for now; empty if they must agree.
std::string_view KnownDifference(const OpcodeCase& one) {
#define DIFFERS(id, condition, reason) \
  if (one.opcode == HloOpcode::id && (condition)) return reason;
#include "tests/e2e/opcode_refusals.def"
  return "";
}

// Whether the case has a module of its own.
bool IsAlone(const OpcodeCase& one) {
#define ALONE(id, condition, reason) \
  if (one.opcode == HloOpcode::id && (condition)) return true;
#include "tests/e2e/opcode_refusals.def"
  return false;
}

StatusOr<std::unique_ptr<HloModule>> Parsed(std::span<const OpcodeCase> cases) {
  return ParseAndReturnVerifiedModule(ModuleText(cases), "cases");
}

StatusOr<std::vector<Literal>> RunOn(std::span<const OpcodeCase> cases, std::span<const Literal> inputs,
                                     stream_executor::StreamExecutor& device) {
  ASSIGN_OR_RETURN(auto module, Parsed(cases));
  gpu::CompileOptions options;
  ASSIGN_OR_RETURN(options.target, rocxla::FindTarget(device.GetDeviceDescription().gcn_arch_name()));
  ASSIGN_OR_RETURN(auto executable, gpu::AMDGPUCompiler::Compile(std::move(module), options));
  return gpu::RunWithLiterals(*executable, device, inputs);
}

// All in one module; one by one if that does not compile, to find what is wrong.
void ExpectAgreement(std::span<const OpcodeCase> cases, stream_executor::StreamExecutor& device) {
  if (cases.empty()) return;
  std::vector<Literal> inputs;
  for (const OpcodeCase& one : cases) inputs.insert(inputs.end(), one.inputs.begin(), one.inputs.end());
  const auto got = RunOn(cases, inputs, device);
  if (!got.ok() && cases.size() > 1) {
    const size_t half = cases.size() / 2;
    ExpectAgreement(cases.subspan(0, half), device);
    ExpectAgreement(cases.subspan(half), device);
    return;
  }
  SCOPED_TRACE(cases[0].Name());
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  size_t leaf = 0;
  for (const OpcodeCase& one : cases) {
    const auto module = Parsed({&one, 1});
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    const auto wanted = Evaluate(**module, one.inputs);
    ASSERT_TRUE(wanted.ok()) << wanted.status().ToString();
    for (const Literal& want : *wanted) {
      ASSERT_LT(leaf, got->size());
      const auto difference = Difference((*got)[leaf++], Decode(want), DeviceAccuracy(one));
      if (difference) ADD_FAILURE() << one.Name() << ": " << *difference;
    }
  }
  EXPECT_EQ(leaf, got->size());
}

void ExpectDifference(const OpcodeCase& one, stream_executor::StreamExecutor& device) {
  const auto module = Parsed({&one, 1});
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto wanted = Evaluate(**module, one.inputs);
  const auto got = RunOn({&one, 1}, one.inputs, device);
  ASSERT_TRUE(wanted.ok() && got.ok()) << wanted.status().ToString() << "\n" << got.status().ToString();
  bool differs = false;
  for (size_t i = 0; i < wanted->size(); ++i) {
    differs |= Difference((*got)[i], Decode((*wanted)[i]), DeviceAccuracy(one)).has_value();
  }
  EXPECT_TRUE(differs) << one.Name() << " agrees: remove the row of opcode_refusals.def";
}

const std::string kTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};

struct Parameter {
  size_t target;
  HloOpcode opcode;
};
class OpcodeOnDevice : public testing::TestWithParam<Parameter> {};

TEST_P(OpcodeOnDevice, AgreesWithTheEvaluator) {
  const auto device = stream_executor::gpu::SelectDevice("embedded:" + kTargets[GetParam().target]);
  ASSERT_TRUE(device.ok()) << device.status().ToString();
  std::vector<OpcodeCase> compiled;
  std::map<PrimitiveType, size_t> number;  // of the type's cases that compile
  for (const OpcodeCase& one : CasesOf(GetParam().opcode)) {
    if (!one.refused.empty()) continue;  // no HLO
    const auto module = Parsed({&one, 1});
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    const std::optional<Refusal> refusal = RefusalOf(one, **module);
    if (!refusal) {
      const size_t n = number[one.type]++;
      const bool is_tested = n == 0 || n % std::size(kTargets) == GetParam().target;
      if (!is_tested) continue;
      if (!KnownDifference(one).empty()) {
        ExpectDifference(one, *device->executor);
      } else if (IsAlone(one)) {
        ExpectAgreement({&one, 1}, *device->executor);
      } else {
        compiled.push_back(one);
      }
      continue;
    }
    // What is refused is refused for all targets.
    if (GetParam().target != 0) continue;
    const auto got = RunOn({&one, 1}, one.inputs, *device->executor);
    EXPECT_FALSE(got.ok()) << one.Name() << " works: remove the row of opcode_refusals.def (" << refusal->reason << ")";
    if (!got.ok()) EXPECT_EQ(got.status().id(), refusal->error) << one.Name() << "\n" << got.status().ToString();
  }
  ExpectAgreement(compiled, *device->executor);
}

std::vector<Parameter> Parameters() {
  std::vector<Parameter> all;
  for (size_t target = 0; target < std::size(kTargets); ++target) {
    for (const OpcodeInfo& info : AllOpcodes()) all.push_back({target, info.opcode});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, OpcodeOnDevice, testing::ValuesIn(Parameters()), [](const auto& info) {
  std::string name = kTargets[info.param.target] + "_" + std::string(HloOpcodeString(info.param.opcode));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace xla::opcode_cases
