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
  a = c64[4] parameter(0)
  ROOT t = c64[4] cbrt(a) })",
                            "gfx942");
  ASSERT_FALSE(executable.ok());
  EXPECT_EQ(executable.status().ToString(),
            R"(E4002 CompilerUnsupportedType: The GPU compiler cannot compute 'cbrt' with elements of type c64 yet.
  where:    t = c64[4]{0} cbrt(param_0) in fused_computation
  found:    c64
  expected: pred, s8 to s64, u8 to u64, f8 but f8e8m0fnu, f16, bf16, f32 or f64
  next:     Convert to one of these types.
  while:    compiling wrapped_cbrt for gfx942)");
}

TEST(AMDGPUCompiler, AnUnsupportedOperationIsNamed) {
  auto executable = Compile(R"(HloModule m
ENTRY e {
  a = s32[4] parameter(0)
  b = s32[4] parameter(1)
  ROOT t = s32[4] power(a, b) })",
                            "gfx942");
  ASSERT_FALSE(executable.ok());
  EXPECT_EQ(executable.status().ToString(),
            R"(E4002 CompilerUnsupportedType: The GPU compiler cannot compute 'power' with elements of type s32 yet.
  where:    t = s32[4]{0} power(param_0, param_1) in fused_computation
  found:    s32
  expected: floating-point elements
  next:     Convert to one of these types.
  while:    compiling wrapped_power for gfx942)");
}

}  // namespace
}  // namespace xla::gpu
