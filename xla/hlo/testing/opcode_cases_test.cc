// The evaluator against the formulas of all cases; and no opcode or element type may lack a case.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error_ids.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

const std::map<HloOpcode, std::string>& WithoutCases() {
  static const std::map<HloOpcode, std::string> reasons = {
#define OPCODE_GENERATOR(name)
#define OPCODE_CASES(id, generator)
#define OPCODE_WITHOUT(id, reason) {HloOpcode::id, reason},
#include "xla/hlo/testing/opcode_cases.def"
#undef OPCODE_GENERATOR
#undef OPCODE_CASES
  };
  return reasons;
}

class OpcodeTest : public testing::TestWithParam<HloOpcode> {};

TEST_P(OpcodeTest, HasACaseForEveryPermittedType) {
  std::set<PrimitiveType> types;
  for (const OpcodeCase& one : CasesOf(GetParam())) {
    EXPECT_EQ(one.opcode, GetParam());
    types.insert(one.type);
  }
  if (WithoutCases().contains(GetParam())) {
    EXPECT_TRUE(types.empty()) << "there are cases: remove the row that says why there are none";
    return;
  }
  EXPECT_FALSE(types.empty()) << "xla/hlo/testing/opcode_cases.def has no row for " << HloOpcodeString(GetParam());
  for (const PrimitiveType type : RequiredTypes(GetParam())) {
    EXPECT_TRUE(types.contains(type)) << "no case of " << HloOpcodeString(GetParam()) << " " << PrimitiveTypeName(type);
  }
}

bool Holds(const HloModule& module, HloOpcode opcode) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* instruction : computation->instructions()) {
      if (instruction->opcode() == opcode) return true;
    }
  }
  return false;
}

// The results of all devices, one after the other.
StatusOr<std::vector<Literal>> Evaluated(const HloModule& module, const OpcodeCase& one) {
  if (one.devices == 1) return Evaluate(module, one.inputs);
  std::vector<std::vector<Literal>> arguments(one.devices);
  const size_t each = one.inputs.size() / one.devices;
  for (size_t i = 0; i < one.inputs.size(); ++i) arguments[i / each].push_back(one.inputs[i]);
  ASSIGN_OR_RETURN(const auto results, EvaluateOnDevices(module, arguments));
  std::vector<Literal> all;
  for (const auto& of_device : results) all.insert(all.end(), of_device.begin(), of_device.end());
  return all;
}

void Check(const OpcodeCase& one) {
  const auto module = ParseAndReturnVerifiedModule(ModuleText({&one, 1}), "case");
  if (!one.refused.empty()) {
    EXPECT_FALSE(module.ok()) << "the verifier permits this";
    EXPECT_EQ(module.status().id(), ErrorId::kHloVerifier) << module.status().ToString();
    return;
  }
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  EXPECT_TRUE(Holds(**module, one.opcode));
  const auto results = Evaluated(**module, one);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  std::vector<Array> inputs;
  for (const Literal& input : one.inputs) inputs.push_back(Decode(input));
  const std::vector<Array> wanted = one.formula(inputs);
  ASSERT_FALSE(wanted.empty());
  ASSERT_EQ(results->size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_GT(wanted[i].size(), 0);
    const auto difference = Difference((*results)[i], wanted[i], one.accuracy);
    if (difference) ADD_FAILURE() << "result " << i << ": " << *difference;
  }
}

TEST_P(OpcodeTest, EvaluatesToTheFormula) {
  for (const OpcodeCase& one : CasesOf(GetParam())) {
    SCOPED_TRACE(one.Name());
    Check(one);
  }
}

std::vector<HloOpcode> Opcodes() {
  std::vector<HloOpcode> opcodes;
  for (const OpcodeInfo& info : AllOpcodes()) opcodes.push_back(info.opcode);
  return opcodes;
}
INSTANTIATE_TEST_SUITE_P(All, OpcodeTest, testing::ValuesIn(Opcodes()), [](const auto& info) {
  std::string name(HloOpcodeString(info.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace xla::opcode_cases
