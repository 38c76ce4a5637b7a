#include "base/flags.h"
#include "base/error_ids.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"

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
            "  found:    '--xla_dump_too'\n"
            "  expected: --xla_dump_to\n"
            "  next:     rocxla --help-flags lists every option");
}

TEST(Flags, BadValueSaysWhatTheTypeTakes) {
  DebugOptions options;
  EXPECT_EQ(
      ParseFlag("--xla_gpu_force_compilation_parallelism=many", "command line", options).ToString(),
      "E6005 BadFlagValue: --xla_gpu_force_compilation_parallelism has no usable value\n"
      "  where:    command line\n"
      "  found:    'many'\n"
      "  expected: a whole number from -2147483648 to 2147483647, as in --xla_gpu_force_compilation_parallelism=...");
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
  options.xla_disable_hlo_passes = {"dce", "a;b\\"};
  EXPECT_EQ(CodegenFlagsKey(options), "xla_disable_hlo_passes=dce,a\\;b\\\\;");
}

TEST(Flags, QuotesAndBackslashesFollowTheShell) {
  DebugOptions options;
  ASSERT_EQ(ParseXlaFlags(R"(--xla_dump_to="a \"b\" \\c" --xla_dump_hlo_pass_re='x\y "z"')", options), OkStatus());
  EXPECT_EQ(options.xla_dump_to, R"(a "b" \c)");
  EXPECT_EQ(options.xla_dump_hlo_pass_re, R"(x\y "z")");
  EXPECT_EQ(ParseXlaFlags("--xla_dump_to='abc", options).ToString(),
            "E6005 BadFlagValue: a quote is not closed\n"
            "  where:    XLA_FLAGS\n"
            "  found:    '--xla_dump_to='abc'\n"
            "  expected: another '");
}

TEST(Flags, RepeatedFlagsAddUp) {
  DebugOptions options;
  ASSERT_EQ(ParseXlaFlags("--xla_disable_hlo_passes=dce,cse --xla_disable_hlo_passes=fusion", options), OkStatus());
  EXPECT_THAT(options.xla_disable_hlo_passes, testing::ElementsAre("dce", "cse", "fusion"));
}

TEST(Flags, TextWithoutDashNamesAFile) {
  DebugOptions options;
  EXPECT_EQ(ParseXlaFlags("nonsense", options).ToString(),
            "E6001 FileUnreadable: the options begin without '-', hence name a file, but it cannot be read\n"
            "  where:    XLA_FLAGS\n"
            "  found:    'nonsense'\n"
            "  expected: options (--name=value ...), or the name of a file with options\n"
            "  next:     E6001 FileUnreadable: cannot open a file\n"
            "              where:    nonsense\n"
            "              found:    No such file or directory");
  const std::string path = testing::TempDir() + "rocxla_flags_test.txt";
  ASSERT_EQ(WriteFile(path, std::string_view("--xla_dump_to=there\n--xla_bad=1\n")), OkStatus());
  EXPECT_EQ(ParseXlaFlags(" " + path + "\n", options).ToString(),
            "E6004 UnknownFlag: unknown debug option\n"
            "  where:    XLA_FLAGS, file '" +
                path +
                "'\n"
                "  found:    '--xla_bad'\n"
                "  expected: a name from docs/flags.md\n"
                "  next:     rocxla --help-flags lists every option");
  EXPECT_EQ(options.xla_dump_to, "there");
  std::filesystem::remove(path);
}

TEST(Flags, EveryDefaultReadsBack) {
  for (const FlagInfo& flag : AllFlags()) {
    DebugOptions options;
    EXPECT_EQ(ParseFlag(fmt::format("--{}={}", flag.name, flag.default_value), "test", options), OkStatus());
    EXPECT_EQ(CodegenFlagsKey(options), "") << flag.name;
    EXPECT_FALSE(flag.help.empty()) << flag.name;
  }
}

TEST(Flags, HugeTextsGiveShortErrors) {
  DebugOptions options;
  const std::string huge(1'000'000, 'x');
  EXPECT_LT(ParseXlaFlags("--" + huge, options).message().size(), 1000u);
  EXPECT_LT(ParseXlaFlags("--xla_gpu_dump_llvmir=" + huge, options).message().size(), 1000u);
  EXPECT_LT(ParseXlaFlags("'" + huge, options).message().size(), 2000u);
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
