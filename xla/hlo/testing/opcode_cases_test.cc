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

void CheckOnOneDevice(const OpcodeCase& one) {
  const auto module = ParseAndReturnVerifiedModule(ModuleText({&one, 1}), "case");
  if (!one.refused.empty()) {
    EXPECT_FALSE(module.ok()) << "the verifier permits this";
    EXPECT_EQ(module.status().id(), ErrorId::kHloVerifier) << module.status().ToString();
    return;
  }
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  // The module holds what the case is for.
  bool is_there = false;
  for (const HloComputation* computation : (*module)->computations()) {
    for (const HloInstruction* instruction : computation->instructions()) {
      is_there = is_there || instruction->opcode() == one.opcode;
    }
  }
  EXPECT_TRUE(is_there);
  const auto results = Evaluate(**module, one.inputs);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  std::vector<Array> inputs;
  for (const Literal& input : one.inputs) inputs.push_back(Decode(input));
  const std::vector<Array> wanted = one.formula(inputs);
  ASSERT_EQ(results->size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto difference = Difference((*results)[i], wanted[i], one.accuracy);
    if (!difference) continue;
    ADD_FAILURE() << "result " << i << ": " << *difference;
  }
}

TEST_P(OpcodeTest, EvaluatesToTheFormula) {
  for (const OpcodeCase& one : CasesOf(GetParam())) {
    SCOPED_TRACE(one.Name());
    CheckOnOneDevice(one);
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
