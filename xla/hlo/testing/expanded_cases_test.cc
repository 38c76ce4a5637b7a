// Every case after the passes that rewrite what kernels do not compute: the results stay what the formulas say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/testing/opcode_case.h"
#include "xla/hlo/transforms/passes.h"

namespace xla::opcode_cases {
namespace {

// In the order in which the GPU's pipeline has them.
constexpr std::string_view kPasses =
    "async_to_sync,call_inliner,static_values,batchnorm_expander,rng_bit_generator_expander,stochastic_convert_"
    "expander,"
    "bitcast_convert_expander,cholesky_expander,triangular_solve_expander,topk_expander,sort_expander,"
    "select_and_scatter_expander,reduce_window_expander,scatter_expander,convolution_expander,fft_expander,"
    "narrow_integer_expander,complex_expander,algebraic_simplifier";

class ExpandedCases : public testing::TestWithParam<HloOpcode> {};

void Check(const OpcodeCase& one) {
  SCOPED_TRACE(one.Name());
  const auto module = ParseAndReturnVerifiedModule(ModuleText({&one, 1}), "case");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  HloPassPipeline pipeline("expanders");
  ASSERT_TRUE(AddPassesByName(kPasses, pipeline).ok());
  const auto changed = pipeline.Run(**module, {});
  ASSERT_TRUE(changed.ok()) << changed.status().ToString();
  const auto results = Evaluate(**module, one.inputs);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  std::vector<Array> inputs;
  for (const Literal& input : one.inputs) inputs.push_back(Decode(input));
  const std::vector<Array> wanted = one.formula(inputs);
  ASSERT_EQ(results->size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto difference = Difference((*results)[i], wanted[i], ExpandedAccuracy(one));
    if (difference) ADD_FAILURE() << "result " << i << ": " << *difference;
  }
}

TEST_P(ExpandedCases, StayWhatTheyAre) {
  for (const OpcodeCase& one : CasesOf(GetParam())) {
    if (one.refused.empty() && one.devices == 1) Check(one);
  }
}

std::vector<HloOpcode> Opcodes() {
  std::vector<HloOpcode> opcodes;
  for (const OpcodeInfo& info : AllOpcodes()) opcodes.push_back(info.opcode);
  return opcodes;
}
INSTANTIATE_TEST_SUITE_P(All, ExpandedCases, testing::ValuesIn(Opcodes()), [](const auto& info) {
  std::string name(HloOpcodeString(info.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace xla::opcode_cases
