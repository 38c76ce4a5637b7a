// The tool as a user meets it: exit codes, output, and the exact text of errors.
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
using testing::StartsWith;

using CommandLine = rocxla::e2e::ToolTest;

TEST_F(CommandLine, VersionNamesTheTargets) {
  Outcome outcome = Rocxla("--version");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.output, StartsWith("rocxla 0.1.0\nLLVM 22.1"));
  EXPECT_THAT(outcome.output, HasSubstr("embedded device: gfx90a gfx942 gfx950 gfx1100 gfx1201\n"));
}

TEST_F(CommandLine, EverySubcommandHasHelp) {
  for (const char* name :
       {"run", "compile", "check", "eval", "opt", "triton", "launch", "devices", "find-rocm-config", "isa-coverage"}) {
    Outcome outcome = Rocxla(std::string(name) + " --help");
    EXPECT_EQ(outcome.exit_code, 0) << name;
    EXPECT_THAT(outcome.output, HasSubstr("Usage: rocxla " + std::string(name)));
  }
}

TEST_F(CommandLine, BadUsageExitsWithTwoAndSaysWhatWasMeant) {
  Outcome outcome = Rocxla("chekc x");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.output,
            "error: E6006 BadUsage: unknown subcommand\n"
            "  found:    'chekc'\n"
            "  expected: check\n"
            "  next:     rocxla --help\n");
  EXPECT_EQ(Rocxla("run --no-such-option x").exit_code, 2);
  EXPECT_EQ(Rocxla("run").exit_code, 2);
  EXPECT_EQ(Rocxla("run m.hlo --xla_dump_too=x").exit_code, 2);
}

TEST_F(CommandLine, SyntaxErrorShowsThePlace) {
  std::string path = Write("broken.hlo",
                           "HloModule broken\n\n"
                           "ENTRY main {\n"
                           "  x = f32[4]{0} parameter(0)\n"
                           "  ROOT y = f32[4]{0} add(x x)\n"
                           "}\n");
  Outcome outcome = Rocxla("run " + path);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(Stable(outcome.output),
            "error: E1001 HloSyntax: the operand list is not closed\n"
            "  where:    DIR/broken.hlo:5:28\n"
            "              ROOT y = f32[4]{0} add(x x)\n"
            "                                       ^\n"
            "  found:    'x'\n"
            "  expected: ')'\n"
            "  next:     Correct the text at the mark.\n");
}

TEST_F(CommandLine, UnsupportedOperationIsNamed) {
  std::string path = Write("shuffle.hlo",
                           "HloModule m\n\n"
                           "ENTRY main {\n"
                           "  x = f32[4]{0} parameter(0)\n"
                           "  ROOT y = f32[4]{0} shuffle(x), kind=sharding\n"
                           "}\n");
  Outcome outcome = Rocxla("run " + path);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(Stable(outcome.output),
            "error: E1003 HloUnsupportedOpcode: the opcode 'shuffle' cannot be read yet\n"
            "  where:    DIR/shuffle.hlo:5:22\n"
            "              ROOT y = f32[4]{0} shuffle(x), kind=sharding\n"
            "                                 ^\n"
            "  found:    'shuffle'\n"
            "  expected: an opcode that rocXLA supports (see xla/hlo/ir/hlo_ops.def)\n"
            "  next:     Rewrite the program without 'shuffle', or add it to the table.\n");
}

TEST_F(CommandLine, WrongInputShapeIsNamed) {
  Outcome outcome =
      Rocxla("run tests/cases/jax/binary_add/module.hlo --inputs tests/cases/jax/unary_exp/io.safetensors");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(Stable(outcome.output),
            "error: E5005 WrongInputs: tensor 'in.0' does not fit parameter 0 ('args_0_.1')\n"
            "  where:    tests/cases/jax/unary_exp/io.safetensors\n"
            "  found:    F32[7,129]\n"
            "  expected: F32[33,65] for f32[33,65]\n"
            "  next:     Give a file with tensors in.0, in.1, ... in parameter order, or leave --inputs out for random "
            "data.\n");
}

TEST_F(CommandLine, OutOfBoundsKernelIsReported) {
  // vector_add told that its buffers have more elements than they do.
  fs::path from = fs::path(ROCXLA_TEST_CASES) / "triton/vector_add_fp32";
  for (const char* name : {"io.safetensors", "options.json"}) fs::copy_file(from / name, folder_ / name);
  auto launch = rocxla::ReadFile(from / "launch.json");
  ASSERT_TRUE(launch.ok());
  std::string path =
      Write("launch.json", std::regex_replace(*launch, std::regex("\"value\": 5000"), "\"value\": 1000000"));
  Outcome outcome = Rocxla("launch " + (from / "triton-gfx942/kernel.hsaco").string() + " --launch " + path +
                           " --device embedded:gfx942 --check");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(
      Stable(outcome.output),
      "device: embedded:0: gfx942 as AMD Instinct MI300X, executed on the CPU\n"
      "launch: kernel 'vector_add', 5 x 1 x 1 blocks of 256 x 1 x 1 threads\n"
      "error: E5006 KernelFailed: a kernel stopped with an error on the device\n"
      "  where:    hipStreamSynchronize of embedded device\n"
      "  found:    hipErrorIllegalAddress, a kernel accessed memory that it may not\n"
      "            E2104 EmulatorMemoryFault: a load of 4 bytes in global memory is outside every allocation\n"
      "              where:    kernel 'vector_add', workgroup 4,0,0, wave 3, lane 34, pc 0x12c: global_load_dword v6, "
      "v[2:3], off\n"
      "              found:    address ADDRESS: 0 bytes after the end of 'hipMalloc' (20000 bytes at ADDRESS, argument "
      "0)\n"
      "              expected: an address inside a live allocation\n"
      "              next:     Check the sizes and pointers that the kernel was given, and its masks; a trace shows "
      "every instruction.\n");
}

// Without tensors: the blocks are what launch.json says, on every target.
TEST_F(CommandLine, LaunchesHaveBlocksOfTheirOwnAndZeros) {
  const std::string path = Write("launch.json", R"({
    "kernel": "vector_add", "grid": [2], "block": [50, 2], "dynamic_lds_bytes": 64,
    "args": [{"name": "x", "kind": "buffer", "bytes": 16384}, {"name": "y", "kind": "buffer", "bytes": 16384},
             {"name": "o", "kind": "buffer", "bytes": 16384}, {"name": "n", "kind": "i32", "value": 4096}]})");
  for (std::string target : {"gfx942", "gfx1100"}) {
    Outcome outcome = Rocxla("launch tests/cases/triton/vector_add_fp32/triton-" + target + "/kernel.hsaco --launch " +
                             path + " --stats --device embedded:" + target);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_THAT(outcome.output,
                HasSubstr("\nlaunch: kernel 'vector_add', 2 x 1 x 1 blocks of 50 x 2 x 1 threads\nexecuted: " +
                          std::string(target == "gfx942" ? "4 waves" : "8 waves")));
  }
}

TEST_F(CommandLine, DevicesSaysWhyThereIsNoRealOne) {
  Outcome outcome = Rocxla("devices");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("AMD Instinct MI300X"));
  EXPECT_THAT(outcome.output, HasSubstr("embedded: 1 device\n"));
}

TEST_F(CommandLine, TritonPrintsWhatALauncherNeeds) {
  std::string output = (folder_ / "k.hsaco").string();
  Outcome outcome = Rocxla("triton tests/cases/triton/softmax_fp32/kernel.ttir --target gfx1100 -o " + output);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("\"name\": \"softmax_rows\""));
  outcome = Rocxla("launch " + output +
                   " --launch tests/cases/triton/softmax_fp32/launch.json --device embedded:gfx1100 --check");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

TEST_F(CommandLine, DumpsHaveUpstreamsNames) {
  Outcome outcome = Rocxla("run tests/cases/jax/dot_bias_relu/module.hlo --device embedded:gfx942 --xla_dump_to=" +
                           (folder_ / "d").string() + " --xla_dump_hlo_pass_re=inliner --xla_gpu_dump_llvmir");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  for (const char* suffix :
       {"before_optimizations.txt", "gfx942_gpu_after_optimizations.txt",
        "gfx942_gpu_after_optimizations-buffer-assignment.txt", "thunk_sequence.txt", "gemm_fusion_dot.ttir",
        "gemm_fusion_dot.plan", "gemm_fusion_dot.ll", "gemm_fusion_dot.opt.ll", "gemm_fusion_dot.s"}) {
    auto text = rocxla::ReadFile(folder_ / "d" / (std::string("module_0000.jit__lambda.") + suffix));
    EXPECT_TRUE(text.ok() && !text->empty()) << suffix;
  }
  EXPECT_TRUE(fs::exists(folder_ / "d" / "module_0000.jit__lambda.0001.after_call_inliner.txt"))
      << Rocxla("--help-flags").output;
}

TEST_F(CommandLine, CompileWritesWhatTheModuleBecame) {
  const fs::path out = folder_ / "out";
  Outcome outcome = Rocxla("compile tests/cases/jax/dot_bias_relu/module.hlo --target gfx1201 -o " + out.string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, StartsWith("jit__lambda for gfx1201: 1 kernels, "));
  for (const char* name : {"module.hsaco", "report.json", "module_0000.jit__lambda.gemm_fusion_dot.s",
                           "module_0000.jit__lambda.gfx1201_gpu_after_optimizations.txt"}) {
    auto text = rocxla::ReadFile(out / name);
    EXPECT_TRUE(text.ok() && !text->empty()) << name;
  }
  EXPECT_THAT(Rocxla("compile tests/cases/jax/dot_bias_relu/module.hlo --json").output, HasSubstr("\"vgprs\": "));
  EXPECT_EQ(Rocxla("compile tests/cases/jax/dot_bias_relu/module.hlo --target gfx000").exit_code, 2);
}

TEST_F(CommandLine, EvalRunsTheEvaluator) {
  const std::string folder = "tests/cases/jax/binary_add/";
  Outcome outcome = Rocxla("eval " + folder + "module.hlo --inputs " + folder + "io.safetensors --check");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, StartsWith("out.0 agrees with the recorded result: "));
  EXPECT_EQ(Rocxla("eval " + folder + "module.hlo --check").exit_code, 2);
  const std::string permute = "tests/cases/spmd/ppermute/";
  outcome = Rocxla("eval " + permute + "module.hlo --inputs " + permute + "io.safetensors --check");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("dev7.out.0 agrees with the recorded result: 24 elements, largest error 0\n"));
}

TEST_F(CommandLine, OptPrintsTheModule) {
  const std::string module = "tests/cases/hlo/batch_norm_inference_f32_1/module.hlo";
  EXPECT_THAT(Rocxla("opt " + module).output, HasSubstr(" batch-norm-inference(x, scale, offset, mean, variance)"));
  EXPECT_THAT(Rocxla("opt " + module + " --passes batchnorm_expander").output, HasSubstr("rsqrt("));
  EXPECT_THAT(Rocxla("opt " + module + " --target gfx1100").output, HasSubstr(" fusion("));
  EXPECT_THAT(Rocxla("opt --list-passes").output, HasSubstr("dce\n    Removes instructions"));
  Outcome outcome = Rocxla("opt " + module + " --passes batch_norm");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("there is no pass of this name"));
  EXPECT_EQ(Rocxla("opt").exit_code, 2);
}

TEST_F(CommandLine, ChecksProgramsForSeveralDevicesOnSimulatedOnes) {
  Outcome outcome = Rocxla("check tests/cases/spmd --evaluator");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, StartsWith("PASS all_gather/module.hlo on simulated devices (largest error 0)\n"));
  EXPECT_THAT(outcome.output, HasSubstr("\n7 passed, 0 failed\n"));
}

TEST_F(CommandLine, CheckRunsTheEvaluator) {
  Outcome outcome = Rocxla("check tests/cases/jax/binary_add --evaluator");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, StartsWith("PASS binary_add/module.hlo in the evaluator (largest error "));
  EXPECT_THAT(outcome.output, testing::EndsWith("\n3 passed, 0 failed\n"));
}

TEST_F(CommandLine, CheckEndsWithItsCount) {
  Outcome outcome = Rocxla("check tests/cases/jax/binary_add tests/cases/jax/binary_bcast --device embedded:gfx942");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, testing::EndsWith("\n2 passed, 0 failed\n"));
}

}  // namespace
