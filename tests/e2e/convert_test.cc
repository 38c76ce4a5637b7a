// `rocxla convert` between all forms of a module, and the other commands with modules of each form.
#include "tests/e2e/tool_fixture.h"

namespace rocxla::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kCase[] = "tests/cases/jax/unary_tanh";

class ConvertTest : public ToolTest {
 protected:
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Content(const std::string& name) const {
    const auto text = rocxla::ReadFile(folder_ / name);
    EXPECT_TRUE(text.ok()) << text.status().ToString();
    return text.ok() ? *text : "";
  }
  // `from` and `to` are names in the test's folder, or paths of the source tree.
  void Convert(const std::string& from, const std::string& to) {
    const std::string source = from.starts_with("tests/") ? from : Path(from);
    const Outcome outcome = Rocxla("convert " + source + " -o " + Path(to));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_EQ(outcome.output, "");
  }
};

TEST_F(ConvertTest, HloTextComesBackFromBothProtos) {
  Convert(std::string(kCase) + "/module.hlo", "a.hlo");
  Convert("a.hlo", "a.hlo.pb");
  Convert("a.hlo.pb", "a.pbtxt");
  Convert("a.pbtxt", "b.hlo");
  EXPECT_THAT(Content("a.hlo"), StartsWith("HloModule"));
  EXPECT_EQ(Content("a.hlo"), Content("b.hlo"));
  Convert("a.pbtxt", "b.hlo.pb");
  EXPECT_EQ(Content("a.hlo.pb"), Content("b.hlo.pb"));
}

TEST_F(ConvertTest, StablehloTextComesBackFromArtifacts) {
  Convert(std::string(kCase) + "/module.mlir", "a.mlirbc");
  EXPECT_THAT(Content("a.mlirbc"), StartsWith("ML\xefR"));
  EXPECT_THAT(Content("a.mlirbc"), HasSubstr("StableHLO_v1."));
  Convert("a.mlirbc", "b.mlir");
  EXPECT_THAT(Content("b.mlir"), HasSubstr("stablehlo.tanh"));
  Convert("b.mlir", "b.mlirbc");
  Convert("b.mlirbc", "c.mlir");
  EXPECT_EQ(Content("b.mlir"), Content("c.mlir"));
  Convert("a.mlirbc", "a.hlo");
  Convert("b.mlir", "b.hlo");
  EXPECT_EQ(Content("a.hlo"), Content("b.hlo"));
}

TEST_F(ConvertTest, HloBecomesStablehlo) {
  Convert(std::string(kCase) + "/module.hlo", "a.mlir");
  Convert(std::string(kCase) + "/module.hlo", "a.mlirbc");
  Convert("a.mlir", "a.hlo");
  Convert("a.mlirbc", "b.hlo");
  EXPECT_THAT(Content("a.mlir"), HasSubstr("stablehlo.tanh"));
  EXPECT_THAT(Content("a.hlo"), HasSubstr("tanh("));
  EXPECT_EQ(Content("a.hlo"), Content("b.hlo"));
}

TEST_F(ConvertTest, StandardInputAndOutputAreGivenByADash) {
  const std::string text = Rocxla(std::string("convert ") + kCase + "/module.mlirbc -o - --to hlo").output;
  EXPECT_THAT(text, StartsWith("HloModule"));
  for (const char* form : {"pb", "pbtxt"}) {
    // The form of standard input is seen from its content. The fixture gives the last command no input.
    const std::string command = "convert " + Write("a.hlo", text) + " -o - --to " + form + " | '" ROCXLA_TOOL +
                                "' convert - -o - --to hlo; true";
    EXPECT_EQ(Rocxla(command).output, text) << form;
  }
}

TEST_F(ConvertTest, EveryCommandReadsEveryForm) {
  Convert(std::string(kCase) + "/module.hlo", "a.hlo.pb");
  Convert("a.hlo.pb", "a.pbtxt");
  const std::string inputs = std::string(" --check --inputs ") + kCase + "/io.safetensors";
  for (const std::string& module : {std::string(kCase) + "/module.mlir", std::string(kCase) + "/module.mlirbc",
                                    Path("a.hlo.pb"), Path("a.pbtxt")}) {
    const Outcome outcome = Rocxla("eval " + module + inputs);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("agrees with the recorded result"));
    EXPECT_THAT(Rocxla("opt " + module).output, StartsWith("HloModule"));
  }
}

TEST_F(ConvertTest, ErrorsSayWhatIsWrong) {
  const std::string module = std::string(kCase) + "/module.hlo";
  EXPECT_EQ(Stable(Rocxla("convert " + module + " -o " + Path("a.xyz")).output),
            "error: E6006 BadUsage: the output's name does not say in which form the module is to be written\n"
            "  found:    DIR/a.xyz\n  expected: --to with one of hlo, pb, pbtxt, mlir, mlirbc\n");
  EXPECT_THAT(Rocxla("convert " + module + " -o -").output, HasSubstr("--to with one of hlo, pb, pbtxt, mlir, mlirbc"));
  EXPECT_EQ(Rocxla("convert " + module + " -o - --to png").exit_code, 2);
  EXPECT_THAT(Rocxla("convert " + Write("bad.mlirbc", "MODULE") + " -o - --to hlo").output, HasSubstr("E1201"));
  EXPECT_THAT(Rocxla("convert " + Write("bad.pb", "\x0a\x7f") + " -o - --to hlo").output, HasSubstr("E1008"));
  EXPECT_THAT(Rocxla("convert " + Write("cut", "ML\xefR\x0dStableHLO_v1.20.0") + " -o - --to hlo").output,
              HasSubstr("E1201"));
}

}  // namespace
}  // namespace rocxla::e2e
