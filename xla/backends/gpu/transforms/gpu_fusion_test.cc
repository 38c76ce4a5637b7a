// Fusion decisions, as HLO text in and HLO text out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/backends/gpu/transforms/passes.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::gpu {
namespace {

using ::testing::ElementsAre;

StatusOr<std::unique_ptr<HloModule>> Fused(std::string_view text) {
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ParseAndReturnVerifiedModule(text));
  HloPassPipeline pipeline("test", {.check_unchanged = CheckUnchangedPromise::kYes});
  pipeline.Add<GpuFusion>();
  pipeline.Add<HloDce>();
  RETURN_IF_ERROR(pipeline.Run(*module, {}).status());
  return module;
}

// The names of the entry's instructions that are no parameters.
std::vector<std::string> Steps(std::string_view text) {
  auto module = Fused(text);
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  std::vector<std::string> names;
  if (!module.ok()) return names;
  for (const HloInstruction* instruction : (*module)->entry_computation()->MakeInstructionPostOrder()) {
    if (instruction->opcode() != HloOpcode::kParameter) names.push_back(instruction->name());
  }
  return names;
}

constexpr std::string_view kAdd = R"(HloModule m
add { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y) }
)";

TEST(GpuFusion, AChainBecomesOneLoop) {
  auto module = Fused(R"(HloModule m
ENTRY e {
  p = f32[8,4] parameter(0)
  q = f32[4] parameter(1)
  b = f32[8,4] broadcast(q), dimensions={1}
  a = f32[8,4] add(p, b)
  ROOT n = f32[8,4] negate(a) })");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  EXPECT_EQ((*module)->ToString(), R"(HloModule m

fused_computation {
  param_0 = f32[4]{0} parameter(0)
  b = f32[8,4]{1,0} broadcast(param_0), dimensions={1}
  param_1 = f32[8,4]{1,0} parameter(1)
  a = f32[8,4]{1,0} add(param_1, b)
  ROOT n = f32[8,4]{1,0} negate(a)
}

ENTRY e {
  p = f32[8,4]{1,0} parameter(0)
  q = f32[4]{0} parameter(1)
  ROOT loop_negate_fusion = f32[8,4]{1,0} fusion(q, p), kind=kLoop, calls=fused_computation
}
)");
}

TEST(GpuFusion, ASingleInstructionIsWrapped) {
  EXPECT_THAT(Steps("HloModule m\nENTRY e { p = f32[8] parameter(0)\nROOT n = f32[8] negate(p) }"),
              ElementsAre("wrapped_negate"));
}

TEST(GpuFusion, AReduceTakesProducersAndAnElementwiseEpilogue) {
  EXPECT_THAT(Steps(std::string(kAdd) + R"(ENTRY e {
  p = f32[8,4] parameter(0)
  zero = f32[] constant(0)
  m = f32[8,4] multiply(p, p)
  r = f32[8] reduce(m, zero), dimensions={1}, to_apply=add
  ROOT n = f32[8] sqrt(r) })"),
              ElementsAre("input_reduce_fusion"));
}

TEST(GpuFusion, ABroadcastOfAReduceStartsANewKernel) {
  EXPECT_THAT(Steps(std::string(kAdd) + R"(ENTRY e {
  p = f32[8,4] parameter(0)
  zero = f32[] constant(0)
  r = f32[8] reduce(p, zero), dimensions={1}, to_apply=add
  b = f32[8,4] broadcast(r), dimensions={0}
  ROOT d = f32[8,4] divide(p, b) })"),
              ElementsAre("wrapped_reduce", "loop_divide_fusion"));
}

TEST(GpuFusion, TwoReducesAreTwoKernels) {
  EXPECT_THAT(Steps(std::string(kAdd) + R"(ENTRY e {
  p = f32[8,4] parameter(0)
  q = f32[8,4] parameter(1)
  zero = f32[] constant(0)
  r = f32[8] reduce(p, zero), dimensions={1}, to_apply=add
  s = f32[8] reduce(q, zero), dimensions={1}, to_apply=add
  ROOT a = f32[8] add(r, s) })"),
              ElementsAre("wrapped_reduce", "input_reduce_fusion"));
}

TEST(GpuFusion, ADotTakesBiasAndActivation) {
  EXPECT_THAT(Steps(R"(HloModule m
ENTRY e {
  a = f32[32,16] parameter(0)
  b = f32[16,32] parameter(1)
  c = f32[32] parameter(2)
  zero = f32[] constant(0)
  d = f32[32,32] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  bias = f32[32,32] broadcast(c), dimensions={1}
  s = f32[32,32] add(d, bias)
  z = f32[32,32] broadcast(zero), dimensions={}
  ROOT m = f32[32,32] maximum(s, z) })"),
              ElementsAre("gemm_fusion_dot"));
}

TEST(GpuFusion, ADotDoesNotComputeItsOperands) {
  EXPECT_THAT(Steps(R"(HloModule m
ENTRY e {
  a = f32[32,16] parameter(0)
  b = f32[16,32] parameter(1)
  t = f32[32,16] tanh(a)
  ROOT d = f32[32,32] dot(t, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} })"),
              ElementsAre("wrapped_tanh", "gemm_fusion_dot"));
}

TEST(GpuFusion, AProducerOfTwoKernelsIsComputedInBoth) {
  EXPECT_THAT(Steps(R"(HloModule m
ENTRY e {
  p = f32[8] parameter(0)
  n = f32[8] negate(p)
  a = f32[8] sine(n)
  b = f32[8] cosine(n)
  ROOT t = (f32[8], f32[8]) tuple(a, b) })"),
              ElementsAre("loop_sine_fusion", "loop_cosine_fusion", "t"));
}

TEST(GpuFusion, AValueReadAtManyPlacesIsWrittenOnce) {
  // Each slice would compute the sine anew.
  EXPECT_THAT(Steps(R"(HloModule m
ENTRY e {
  p = f32[16] parameter(0)
  s = f32[16] sine(p)
  a = f32[8] slice(s), slice={[0:8]}
  b = f32[8] slice(s), slice={[1:9]}
  c = f32[8] slice(s), slice={[2:10]}
  d = f32[8] slice(s), slice={[3:11]}
  f = f32[8] slice(s), slice={[4:12]}
  ab = f32[8] add(a, b)
  cd = f32[8] add(c, d)
  abcd = f32[8] add(ab, cd)
  ROOT r = f32[8] add(abcd, f) })"),
              ElementsAre("wrapped_sine", "loop_add_fusion"));
}

TEST(GpuFusion, BitcastsOfMemoryNeedNoKernel) {
  EXPECT_THAT(Steps("HloModule m\nENTRY e { p = f32[8] parameter(0)\nROOT b = f32[2,4] bitcast(p) }"),
              ElementsAre("b"));
}

TEST(GpuFusion, AReduceOfSeveralArraysHasSeveralOutputs) {
  auto module = Fused(R"(HloModule m
f { a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  s = f32[] add(a, b)
  k = s32[] add(i, j)
  ROOT t = (f32[], s32[]) tuple(s, k) }
ENTRY e {
  p = f32[8,4] parameter(0)
  q = s32[8,4] parameter(1)
  z = f32[] constant(0)
  y = s32[] constant(0)
  ROOT r = (f32[8], s32[8]) reduce(p, q, z, y), dimensions={1}, to_apply=f })");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const HloInstruction* fusion = (*module)->entry_computation()->root_instruction();
  EXPECT_EQ(fusion->shape().ToString(), "(f32[8], s32[8])");
  EXPECT_EQ(fusion->fused_expression_root()->opcode(), HloOpcode::kTuple);
}

TEST(ExpandDots, AMatrixTimesAVectorBecomesAReduce) {
  auto module = ParseAndReturnVerifiedModule(R"(HloModule m
ENTRY e {
  a = bf16[8,16] parameter(0)
  b = bf16[16] parameter(1)
  ROOT d = bf16[8] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} })");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  HloPassPipeline pipeline("test");
  pipeline.Add<ExpandDots>();
  pipeline.Add<HloDce>();
  ASSERT_TRUE(pipeline.Run(**module, {}).ok());
  EXPECT_EQ((*module)->entry_computation()->ToString(), R"(ENTRY e {
  a = bf16[8,16]{1,0} parameter(0)
  b = bf16[16]{0} parameter(1)
  convert = f32[8,16]{1,0} convert(a)
  broadcast = f32[8,16]{1,0} broadcast(convert), dimensions={0,1}
  convert.1 = f32[16]{0} convert(b)
  broadcast.1 = f32[8,16]{1,0} broadcast(convert.1), dimensions={1}
  multiply = f32[8,16]{1,0} multiply(broadcast, broadcast.1)
  constant = f32[] constant(0)
  reduce = f32[8]{0} reduce(multiply, constant), dimensions={1}, to_apply=add
  ROOT convert.2 = bf16[8]{0} convert(reduce)
}
)");
}

TEST(ModuleBorders, ResultsGetTheDeclaredLayout) {
  auto module = ParseAndReturnVerifiedModule(R"(HloModule m, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}
ENTRY e { p = f32[2,3] parameter(0)
  ROOT n = f32[2,3] negate(p) })");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  ASSERT_TRUE(EntryLayouts().Run(**module, {}).ok());
  const HloInstruction* root = (*module)->entry_computation()->root_instruction();
  EXPECT_EQ(root->opcode(), HloOpcode::kCopy);
  EXPECT_EQ(root->shape().ToStringWithLayout(), "f32[2,3]{0,1}");
}

TEST(ModuleBorders, ASharedLoopBodyIsCloned) {
  auto module = ParseAndReturnVerifiedModule(R"(HloModule m
body { p = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT a = s32[] add(p, one) }
cond { p = s32[] parameter(0)
  ten = s32[] constant(10)
  ROOT l = pred[] compare(p, ten), direction=LT }
ENTRY e { p = s32[] parameter(0)
  w = s32[] while(p), condition=cond, body=body
  ROOT v = s32[] while(w), condition=cond, body=body })");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  auto changed = FlattenCallGraph().Run(**module, {});
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(*changed, Changed::kYes);
  const HloInstruction* second = (*module)->entry_computation()->root_instruction();
  EXPECT_NE(second->while_body(), second->operand(0)->while_body());
  EXPECT_NE(second->while_condition(), second->operand(0)->while_condition());
}

}  // namespace
}  // namespace xla::gpu
