#include "base/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocxla {
namespace {

TEST(Flags, SetsEveryType) {
  DebugOptions options;
  ASSERT_TRUE(ParseXlaFlags(" --xla_dump_to='/a b/c' --xla_gpu_dump_llvmir\n"
                            "--xla_gpu_force_compilation_parallelism=3 ",
                            options)
                  .ok());
  EXPECT_EQ(options.xla_dump_to, "/a b/c");
  EXPECT_TRUE(options.xla_gpu_dump_llvmir);
  EXPECT_EQ(options.xla_gpu_force_compilation_parallelism, 3);
  ASSERT_TRUE(ParseFlag("--noxla_gpu_dump_llvmir", "command line", options).ok());
  EXPECT_FALSE(options.xla_gpu_dump_llvmir);
}

TEST(Flags, UnknownNameSuggestsTheNearest) {
  DebugOptions options;
  EXPECT_EQ(ParseXlaFlags("--xla_dump_too=x", options).ToString(),
            "E6004 UnknownFlag: unknown debug option\n"
            "  where:    XLA_FLAGS\n"
            "  found:    --xla_dump_too\n"
            "  expected: --xla_dump_to\n"
            "  next:     rocxla --help-flags lists every option");
}

TEST(Flags, BadValueSaysWhatTheTypeTakes) {
  DebugOptions options;
  EXPECT_EQ(ParseFlag("--xla_gpu_force_compilation_parallelism=many", "command line", options).ToString(),
            "E6005 BadFlagValue: --xla_gpu_force_compilation_parallelism has no usable value\n"
            "  where:    command line\n"
            "  found:    'many'\n"
            "  expected: a whole number, as in --xla_gpu_force_compilation_parallelism=...");
  EXPECT_EQ(ParseFlag("--xla_dump_to", "command line", options).id(), ErrorId::kBadFlagValue);
  EXPECT_EQ(ParseFlag("xla_dump_to", "command line", options).id(), ErrorId::kUnknownFlag);
}

TEST(Flags, TakeFlagsLeavesTheRest) {
  DebugOptions options;
  std::vector<std::string_view> arguments = {"module.hlo", "--xla_dump_to=d", "--check"};
  ASSERT_TRUE(TakeFlags(arguments, options).ok());
  EXPECT_THAT(arguments, testing::ElementsAre("module.hlo", "--check"));
  EXPECT_EQ(options.xla_dump_to, "d");
}

TEST(Flags, OnlyCodegenFlagsEnterTheKey) {
  DebugOptions options;
  options.xla_dump_to = "x";
  EXPECT_EQ(CodegenFlagsKey(options), "");
  options.xla_disable_hlo_passes = "dce";
  EXPECT_EQ(CodegenFlagsKey(options), "xla_disable_hlo_passes=dce;");
}

TEST(Flags, NearestSpellingGivesUpOnStrangers) {
  std::vector<std::string_view> names = {"multiply", "divide"};
  EXPECT_EQ(NearestSpelling("mutliply", names), "multiply");
  EXPECT_EQ(NearestSpelling("devide", names), "divide");
  EXPECT_EQ(NearestSpelling("tanh", names), "");
  EXPECT_EQ(NearestSpelling("", names), "");
}

}  // namespace
}  // namespace rocxla
