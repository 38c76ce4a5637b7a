#include "xla/service/gpu/amdgpu_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/parser/hlo_parser.h"

namespace xla::gpu {
namespace {

StatusOr<std::unique_ptr<GpuExecutable>> Compile(std::string_view text, std::string_view target, int threads = 1,
                                                 CompileReport* report = nullptr) {
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ParseAndReturnVerifiedModule(text));
  CompileOptions options;
  ASSIGN_OR_RETURN(options.target, rocxla::FindTarget(target));
  options.debug_options.xla_gpu_force_compilation_parallelism = threads;
  options.keep_stages = report ? KeepStages::kYes : KeepStages::kNo;
  return AMDGPUCompiler::Compile(std::move(module), options, report);
}

constexpr std::string_view kSoftmax = R"(HloModule softmax
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] maximum(a, b) }
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[16,100] parameter(0)
  lowest = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[16] reduce(x, lowest), dimensions={1}, to_apply=max
  mb = f32[16,100] broadcast(m), dimensions={0}
  d = f32[16,100] subtract(x, mb)
  p = f32[16,100] exponential(d)
  s = f32[16] reduce(p, zero), dimensions={1}, to_apply=add
  sb = f32[16,100] broadcast(s), dimensions={0}
  ROOT r = f32[16,100] divide(p, sb) }
)";

TEST(AMDGPUCompiler, CompilesAModuleToOneCodeObject) {
  for (const char* target : {"gfx942", "gfx1100"}) {
    CompileReport report;
    auto executable = Compile(kSoftmax, target, 0, &report);
    ASSERT_TRUE(executable.ok()) << executable.status().ToString();
    std::vector<std::string> names;
    for (const auto& kernel : (*executable)->kernels()) names.push_back(kernel.name);
    EXPECT_THAT(names, ::testing::ElementsAre("wrapped_reduce", "input_reduce_fusion", "loop_divide_fusion"));
    EXPECT_FALSE((*executable)->code_object().empty());
    ASSERT_EQ(report.kernels.size(), 3u);
    for (const CompiledKernel& kernel : report.kernels) {
      EXPECT_THAT(kernel.tile.ttir, ::testing::HasSubstr("tt.func public @" + kernel.info.name));
      EXPECT_THAT(kernel.stages.isa, ::testing::HasSubstr("s_endpgm"));
    }
    EXPECT_THAT(report.thunks, ::testing::HasSubstr("kernel input_reduce_fusion <<<"));
  }
}

TEST(AMDGPUCompiler, TheCodeObjectDoesNotDependOnThreads) {
  auto one = Compile(kSoftmax, "gfx942", 1), four = Compile(kSoftmax, "gfx942", 4);
  ASSERT_TRUE(one.ok() && four.ok());
  EXPECT_TRUE(std::ranges::equal((*one)->code_object(), (*four)->code_object()));
}

TEST(AMDGPUCompiler, EqualFusionsShareAKernel) {
  auto executable = Compile(R"(HloModule m
ENTRY e {
  a = f32[8,8] parameter(0)
  b = f32[8,8] parameter(1)
  x = f32[8,8] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[8,8] dot(b, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT z = f32[8,8] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0} })",
                            "gfx942");
  ASSERT_TRUE(executable.ok()) << executable.status().ToString();
  EXPECT_EQ((*executable)->kernels().size(), 1u);
  std::string thunks = (*executable)->ThunksToString();
  EXPECT_EQ(std::count(thunks.begin(), thunks.end(), '\n'), 3);
}

TEST(AMDGPUCompiler, AModuleWithoutKernelsIsCopies) {
  auto executable = Compile("HloModule m\nENTRY e { ROOT p = f32[4] parameter(0) }", "gfx942");
  ASSERT_TRUE(executable.ok()) << executable.status().ToString();
  EXPECT_TRUE((*executable)->code_object().empty());
  EXPECT_EQ((*executable)->ThunksToString(), "copy parameter 0 [0:16] -> output 0 [0:16]\n");
}

TEST(AMDGPUCompiler, AnUnsupportedTypeIsNamed) {
  auto executable = Compile(R"(HloModule m
ENTRY e {
  a = f4e2m1fn[4] parameter(0)
  ROOT t = f4e2m1fn[4] negate(a) })",
                            "gfx942");
  ASSERT_FALSE(executable.ok());
  EXPECT_EQ(
      executable.status().ToString(),
      R"(E4002 CompilerUnsupportedType: The GPU compiler cannot compute 'parameter' with elements of type f4e2m1fn yet.
  where:    a = f4e2m1fn[4]{0} parameter(0) in e
  found:    f4e2m1fn
  expected: pred, integers, or floats of 8 bits and more
  next:     Convert to one of these types.)");
}

TEST(AMDGPUCompiler, AnUnsupportedOperationIsNamed) {
  auto executable = Compile("HloModule m, replica_count=2\nENTRY e { ROOT t = u32[] replica-id() }", "gfx942");
  ASSERT_FALSE(executable.ok());
  EXPECT_EQ(executable.status().ToString(),
            R"(E4001 CompilerUnsupportedOpcode: The GPU compiler has no code generation for 'replica-id' here yet.
  where:    t = u32[] replica-id() in fused_computation
  found:    an operand of a fused operation
  next:     Rewrite the program without this operation.
  while:    compiling wrapped_replica_id for gfx942)");
}

}  // namespace
}  // namespace xla::gpu
