// The configuration of calls of Triton kernels, and what they become.
#include "xla/backends/gpu/codegen/triton_call.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/parser/hlo_parser.h"

namespace xla::gpu {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kCopyKernel =
    R"(tt.func @k(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) { %x = tt.load %a : !tt.ptr<f32> \0A tt.store %b, %x : !tt.ptr<f32>\n tt.return })";

std::unique_ptr<HloModule> Call(const std::string& config, const std::string& attributes = "") {
  auto module =
      ParseAndReturnVerifiedModule(fmt::format("ENTRY e {{ a = f32[] parameter(0)\n ROOT c = f32[] custom-call(a), "
                                               "custom_call_target=\"__gpu$xla.gpu.triton\"{}, backend_config={} }}",
                                               attributes, config),
                                   "call.hlo");
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  return std::move(module).value();
}
const HloInstruction& Root(const HloModule& module) { return *module.entry_computation()->root_instruction(); }

std::string Config(std::string_view rest) { return fmt::format("{{ir = \"{}\"{}}}", kCopyKernel, rest); }

std::string ErrorOf(const std::string& config, const std::string& attributes = "") {
  const auto module = Call(config, attributes);
  const auto aliases = AliasedOperandsOf(Root(*module));
  if (!aliases.ok()) return aliases.status().ToString();
  const auto kernel = EmitTritonCall(Root(*module), "k");
  return kernel.ok() ? "none" : kernel.status().ToString();
}

TEST(TritonCall, TakesItsLaunchFromTheConfiguration) {
  const auto module =
      Call(Config(", name = \"k\", grid_x = 6 : i32, grid_y = 2 : i32, num_warps = 8 : i32, debug = false"));
  const auto config = ParseTritonCallConfig(Root(*module));
  ASSERT_TRUE(config.ok()) << config.status().ToString();
  EXPECT_EQ(config->name, "k");
  EXPECT_EQ(config->grid, (std::array<int64_t, 3>{6, 2, 1}));
  EXPECT_EQ(config->num_warps, 8);
  EXPECT_THAT(config->ir, HasSubstr("!tt.ptr<f32> \n tt.store"));  // escapes are resolved
  const auto kernel = EmitTritonCall(Root(*module), "renamed");
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
  EXPECT_THAT(kernel->ttir, HasSubstr("@renamed"));
  EXPECT_EQ(kernel->grid[0], 6);
  EXPECT_EQ(kernel->num_warps, 8);
  EXPECT_TRUE(kernel->num_warps_is_given);
}

TEST(TritonCall, BadConfigurations) {
  EXPECT_EQ(ErrorOf("\"\""), R"(E4004 CompilerBadCustomCall: the call's backend_config is no dictionary
  where:    'c', a call of __gpu$xla.gpu.triton
  found:    '""'
  expected: {name = "kernel", ir = "...", grid_x = 1 : i32, num_warps = 4 : i32, ...})");
  EXPECT_THAT(ErrorOf("{ir = \"x\"}"), HasSubstr("the call's configuration lacks the field name"));
  EXPECT_THAT(ErrorOf("{ir = \"x\", name}"), HasSubstr("found:    '}'"));
  EXPECT_EQ(ErrorOf(Config(", name = \"k\", grid_x = 0 : i32")),
            R"(E4004 CompilerBadCustomCall: the field grid_x of the call's configuration does not fit
  where:    'c', a call of __gpu$xla.gpu.triton
  found:    0
  expected: a number from 1 to 2147483647)");
  EXPECT_THAT(ErrorOf("{ir = \"nonsense\", name = \"k\"}"), HasSubstr("E3001 TritonSyntax"));
  EXPECT_THAT(ErrorOf("{ir = \"tt.func @k(%a: !tt.ptr<f32>) { tt.return }\", name = \"k\"}"),
              HasSubstr("found:    1 arguments\n  expected: a pointer for each of 1 operands and 1 results"));
}

TEST(TritonCall, ResultsThatBeginAsOperands) {
  const auto module = Call(Config(", name = \"k\""), ", output_to_operand_aliasing={{}: (0, {})}");
  const auto aliases = AliasedOperandsOf(Root(*module));
  ASSERT_TRUE(aliases.ok()) << aliases.status().ToString();
  ASSERT_EQ(aliases->size(), 1u);
  EXPECT_EQ((*aliases)[0].result, 0);
  EXPECT_EQ((*aliases)[0].operand, 0);
  EXPECT_THAT(ErrorOf(Config(", name = \"k\""), ", output_to_operand_aliasing={{}: (1, {})}"),
              HasSubstr("an alias of the call does not fit its operands and results"));
  EXPECT_THAT(ErrorOf(Config(", name = \"k\""), ", output_to_operand_aliasing={{}: (0, {1})}"),
              HasSubstr("the call's aliases are not well formed"));
}

}  // namespace
}  // namespace xla::gpu
