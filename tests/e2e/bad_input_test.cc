// Input that is wrong in small ways: each must end in a numbered error that names it, never in a wrong answer.
#include <filesystem>
#include <regex>
#include <string>

#include "base/file.h"
#include "tests/e2e/tool_fixture.h"

namespace {

namespace fs = std::filesystem;
using rocxla::e2e::Outcome;
using rocxla::e2e::Rocxla;
using testing::HasSubstr;

class BadInput : public rocxla::e2e::ToolTest {
 protected:
  // Launches Triton's vector_add with one replacement in launch.json.
  Outcome Launch(const std::string& pattern, const std::string& replacement) {
    const fs::path from = fs::path(ROCXLA_TEST_CASES) / "triton/vector_add_fp32";
    const auto keep = fs::copy_options::skip_existing;
    for (const char* name : {"io.safetensors", "options.json"}) fs::copy_file(from / name, folder_ / name, keep);
    fs::copy_file(from / "triton-gfx942/kernel.hsaco", folder_ / "kernel.hsaco", keep);
    fs::copy_file(from / "triton-gfx942/metadata.json", folder_ / "metadata.json", keep);
    auto launch = rocxla::ReadFile(from / "launch.json");
    EXPECT_TRUE(launch.ok() && std::regex_search(*launch, std::regex(pattern))) << pattern;
    const std::string path = Write("launch.json", std::regex_replace(*launch, std::regex(pattern), replacement));
    Outcome outcome = Rocxla("launch " + (folder_ / "kernel.hsaco").string() + " --launch " + path +
                             " --device embedded:gfx942 --check");
    outcome.output = Stable(outcome.output);
    return outcome;
  }
};

TEST_F(BadInput, ScalarsThatDoNotFit) {
  EXPECT_EQ(Launch("\"value\": 5000", "\"value\": 99999999999").output,
            "error: E6003 BadJson: a scalar does not fit its kind\n"
            "  where:    DIR/launch.json\n"
            "  found:    99999999999 as i32\n"
            "  expected: -2147483648 to 4294967295\n");
  EXPECT_THAT(Launch("\"value\": 5000", "\"value\": 1.5").output, HasSubstr("field \"value\" is not usable"));
}

TEST_F(BadInput, LaunchFilesOfWrongForms) {
  EXPECT_THAT(Launch("\"args\": \\[[^\\]]*\\]", "\"args\": 7").output,
              HasSubstr("E6003 BadJson: field \"args\" is not usable\n  where:    DIR/launch.json\n"
                        "  found:    number\n  expected: a list\n"));
  EXPECT_THAT(Launch("\"name\": \"[^\"]*\"", "\"name\": \"x\"").output, HasSubstr("two arguments have the same name"));
  EXPECT_THAT(Launch("\"rtol\": [^,}]*", "\"rtol\": -1").output, HasSubstr("field \"rtol\" is out of range"));
}

TEST_F(BadInput, UnknownFieldsOfLaunchFiles) {
  EXPECT_EQ(Launch("\"grid\"", "\"blocks\": [64], \"grid\"").output,
            "error: E6003 BadJson: the launch has an unknown field\n"
            "  where:    DIR/launch.json\n"
            "  found:    \"blocks\"\n"
            "  expected: kernel, grid, block, dynamic_lds_bytes, args, outputs\n");
  EXPECT_THAT(Launch("\"kind\"", "\"type\": \"i32\", \"kind\"").output, HasSubstr("an argument has an unknown field"));
  EXPECT_THAT(Launch("\"rtol\"", "\"tol\": 1, \"rtol\"").output, HasSubstr("an output has an unknown field"));
}

TEST_F(BadInput, SizesOfLaunches) {
  for (const char* grid : {"[]", "[1, 2, 3, 4]", "5", "[-1]", "[1.5]", "[\"a\"]", "[4294967295]"}) {
    EXPECT_EQ(Launch("\"grid\": \\[[^\\]]*\\]", std::string("\"grid\": ") + grid).output,
              "error: E6003 BadJson: field \"grid\" is not usable\n"
              "  where:    DIR/launch.json\n"
              "  found:    " +
                  std::regex_replace(std::string(grid), std::regex(" "), "") +
                  "\n"
                  "  expected: one to three block counts from 0 to 2147483647, such as [4, 1, 1]\n");
  }
  EXPECT_THAT(Launch("\"grid\"", "\"block\": [0], \"grid\"").output, HasSubstr("blocks of 0 x 1 x 1 threads"));
  EXPECT_THAT(Launch("\"grid\"", "\"block\": [33, 33], \"grid\"").output,
              HasSubstr("  found:    blocks of 33 x 33 x 1 threads\n  expected: 1 to 256 threads\n"));
  EXPECT_THAT(Launch("\"grid\"", "\"dynamic_lds_bytes\": 65537, \"grid\"").output,
              HasSubstr("  found:    65537 bytes of shared memory\n  expected: at most 65536\n"));
}

TEST_F(BadInput, OptionsThatWatchALaunch) {
  const std::string launch =
      "launch tests/cases/triton/vector_add_fp32/triton-gfx942/kernel.hsaco --launch "
      "tests/cases/triton/vector_add_fp32/launch.json --device embedded:gfx942 ";
  for (const char* options :
       {"--trace-wave ''", "--trace-wave 0,0", "--trace-wave 0,0,0:99", "--checks ''", "--checks races,none"}) {
    Outcome outcome = Rocxla(launch + options);
    EXPECT_EQ(outcome.exit_code, 2) << options << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("error: E6006 BadUsage: --")) << options;
  }
  EXPECT_EQ(Rocxla(launch + "--trace > /dev/full || echo exit code $?; true").output, "exit code 1\n");
}

TEST_F(BadInput, OptionsOfWrongForms) {
  for (const auto& [options, message] : {std::pair("[]", "the launch options are no object"),
                                         {"{\"num_warps\": -4}", "found:    -4"},
                                         {"{\"num_warps\": 18446744073709551612}", "num_warps"},
                                         {"{\"num_stages\": -1}", "found:    -1"}}) {
    Write("options.json", options);
    EXPECT_THAT(Launch("5000", "5000").output, HasSubstr(message)) << options;
  }
}

TEST_F(BadInput, MetadataOfWrongForms) {
  Write("metadata.json", "{\"shared\": -1}");
  EXPECT_EQ(Launch("5000", "5000").output,
            "error: E6003 BadJson: field \"shared\" is out of range\n"
            "  where:    DIR/metadata.json\n"
            "  found:    -1\n"
            "  expected: 0 to 2147483647\n");
}

TEST_F(BadInput, OptionsOfTheCommandLine) {
  const std::string run = "run tests/cases/jax/binary_add/module.hlo ";
  const std::string triton = "triton tests/cases/triton/softmax_fp32/kernel.ttir -o " + (folder_ / "k.hsaco").string();
  for (const std::string& command :
       {run + "--rtol -1", run + "--rtol inf", run + "--atol nan", run + "--rtol 1x", run + "--outputs ''",
        run + "--device embedded:", triton + " --num-warps 0", triton + " --num-warps 3", triton + " --num-warps 64",
        triton + " --num-ctas 2", triton + " --num-stages -1",
        triton + " --target gfx942:", triton + " --target gfx942:xnack+:xnack-", triton + " --stages ''",
        std::string("check tests/cases/jax/binary_add --jobs -1"),
        std::string("check tests/cases/jax/binary_add --jobs 0")}) {
    Outcome outcome = Rocxla(command);
    EXPECT_EQ(outcome.exit_code, 2) << command << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, testing::ContainsRegex("^error: E[36]00[0-9] ")) << command;
  }
}

TEST_F(BadInput, TargetsWithRubbishBehind) {
  for (const char* device : {"embedded:gfx942:rubbish", "embedded:gfx942:", "embedded:gfx942:xnack+:xnack+"}) {
    Outcome outcome = Rocxla(std::string("run tests/cases/jax/binary_add/module.hlo --device ") + device);
    EXPECT_EQ(outcome.exit_code, 1) << device;
    EXPECT_THAT(outcome.output, testing::StartsWith("error: E5001 DeviceNotFound: ")) << device;
  }
}

TEST_F(BadInput, ObjectsOfACaseThatHasNone) {
  Outcome outcome = Rocxla("check tests/cases/jax/binary_add --objects");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("no case in this folder"));
}

TEST_F(BadInput, LoopsWithoutEnd) {
  const std::string path = Write("endless.hlo",
                                 "HloModule endless\n"
                                 "always { x = f32[] parameter(0)  ROOT yes = pred[] constant(true) }\n"
                                 "twice { x = f32[] parameter(0)  ROOT y = f32[] add(x, x) }\n"
                                 "ENTRY main { x = f32[] parameter(0)\n"
                                 "  ROOT loop = f32[] while(x), condition=always, body=twice }\n");
  EXPECT_THAT(
      Rocxla("run " + path + " --device embedded:gfx942 --rocxla_max_loop_iterations=50").output,
      HasSubstr("error: E5008 LoopLimitReached: the loop 'loop' has not ended after 50 iterations\n"
                "  next:     If it is not endless, allow more: --rocxla_max_loop_iterations=N (0: no limit).\n"));
}

TEST_F(BadInput, ArraysOfNoElements) {
  const std::string path =
      Write("empty.hlo",
            "HloModule empty\n"
            "add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }\n"
            "ENTRY main { x = f32[5,0] parameter(0)  y = f32[0,4] parameter(1)  c = f32[] constant(3)\n"
            "  d = f32[5,4] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
            "  r = f32[5] reduce(x, c), dimensions={1}, to_apply=add\n"
            "  p = f32[5,3] pad(x, c), padding=0_0x1_2\n"
            "  k = f32[0,8] concatenate(y, y), dimensions={1}\n"
            "  ROOT t = (f32[5,4], f32[5], f32[5,3], f32[0,8]) tuple(d, r, p, k) }\n");
  for (const char* target : {"gfx942", "gfx1201"}) {
    Outcome outcome = Rocxla("run " + path + " --reference --device embedded:" + target);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("out.3 agrees with the evaluator: 0 elements"));
  }
}

}  // namespace
