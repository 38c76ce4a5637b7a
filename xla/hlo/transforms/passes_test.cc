// The passes on small programs: what each does, and what it leaves alone.
#include "xla/hlo/transforms/passes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/ir/hlo_verifier.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<HloModule> Parse(std::string_view text) {
  auto module = ParseAndReturnVerifiedModule(text, "test");
  if (!module.ok()) ADD_FAILURE() << module.status().ToString();
  return module.ok() ? std::move(module).value() : nullptr;
}

// Runs passes, with every check that the runner has.
Changed RunPasses(HloModule& module, std::string_view passes) {
  HloPassPipeline pipeline("test", {.check_unchanged = CheckUnchangedPromise::kYes});
  EXPECT_TRUE(AddPassesByName(passes, pipeline).ok());
  const auto changed = pipeline.Run(module, {});
  if (!changed.ok()) ADD_FAILURE() << changed.status().ToString();
  return changed.ok() ? *changed : Changed::kNo;
}

void ExpectRewrite(std::string_view passes, std::string_view before, std::string_view after) {
  auto module = Parse(before);
  EXPECT_EQ(RunPasses(*module, passes), Changed::kYes);
  EXPECT_TRUE(Equal(*module, *Parse(after), CompareNames::kNo)) << module->ToString();
  EXPECT_EQ(RunPasses(*module, passes), Changed::kNo) << "a second run changed it again";
}

void ExpectUnchanged(std::string_view passes, std::string_view text) {
  auto module = Parse(text);
  EXPECT_EQ(RunPasses(*module, passes), Changed::kNo) << module->ToString();
}

TEST(HloPassPipeline, RefusesSizesThatAreKnownOnlyAtRunTime) {
  auto module = Parse(R"(
ENTRY main { a = f32[8] parameter(0)  n = s32[] parameter(1)
  d = f32[<=8] set-dimension-size(a, n), dimensions={0}  ROOT r = f32[<=8] negate(d) })");
  HloPassPipeline pipeline("test", {});
  ASSERT_TRUE(AddPassesByName("dce", pipeline).ok());
  EXPECT_EQ(
      pipeline.Run(*module, {}).status().ToString(),
      R"(E4001 CompilerUnsupportedOpcode: arrays whose sizes are known only when the program runs are not compiled yet
  where:    instruction 'd' of computation 'main'
  found:    f32[<=8]
  expected: static shapes
  next:     Evaluate the program (rocxla eval), or export it with static shapes.)");
}

TEST(CallInliner, InlinesNestedCalls) {
  ExpectRewrite("call_inliner",
                R"(
inner { x = f32[4] parameter(0)  ROOT n = f32[4] negate(x) }
outer { x = f32[4] parameter(0)  y = f32[4] parameter(1)  c = f32[4] call(y), to_apply=inner
        ROOT s = f32[4] subtract(x, c) }
ENTRY main { a = f32[4] parameter(0)  b = f32[4] sine(a)
  c = f32[4] call(a, b), to_apply=outer  d = f32[4] call(b, a), to_apply=outer  ROOT r = f32[4] add(c, d) })",
                R"(
ENTRY main { a = f32[4] parameter(0)  b = f32[4] sine(a)
  n1 = f32[4] negate(b)  c = f32[4] subtract(a, n1)
  n2 = f32[4] negate(a)  d = f32[4] subtract(b, n2)  ROOT r = f32[4] add(c, d) })");
}

TEST(CallInliner, BodyThatIsAParameterOrTheRoot) {
  ExpectRewrite("call_inliner",
                R"(
pick { x = f32[4] parameter(0)  ROOT y = f32[4] parameter(1) }
ENTRY main { a = f32[4] parameter(0)  b = f32[4] sine(a)  ROOT c = f32[4] call(a, b), to_apply=pick })",
                "ENTRY main { a = f32[4] parameter(0)  ROOT b = f32[4] sine(a) }");
}

TEST(CallInliner, RefusesCallsThatDoubleAtEachLevel) {
  std::string text = "c0 { x = f32[] parameter(0)  ROOT n = f32[] negate(x) }\n";
  for (int i = 1; i <= 40; ++i) {
    text += fmt::format(
        "c{0} {{ x = f32[] parameter(0)  y = f32[] call(x), to_apply=c{1}  ROOT z = f32[] call(y), to_apply=c{1} }}\n",
        i, i - 1);
  }
  text += "ENTRY main { x = f32[] parameter(0)  ROOT y = f32[] call(x), to_apply=c40 }";
  const auto module = Parse(text);
  EXPECT_EQ(CallInliner().Run(*module, {}).status().ToString(),
            "E4003 CompilerModuleTooLarge: the calls of this module stand for too many instructions\n"
            "  where:    computation 'c19'\n"
            "  found:    about 1.6e+06 instructions once every call is inlined\n"
            "  expected: at most 1000000\n"
            "  next:     Call the shared computation from a while loop, or make the program smaller.");
}

TEST(CallInliner, LeavesOtherCallersAlone) {
  ExpectUnchanged("call_inliner", R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
neg { x = f32[4] parameter(0)  ROOT n = f32[4] negate(x) }
ENTRY main { a = f32[4] parameter(0)  z = f32[] constant(0)  r = f32[] reduce(a, z), dimensions={0}, to_apply=add
  f = f32[4] fusion(a), kind=kLoop, calls=neg  ROOT t = (f32[], f32[4]) tuple(r, f) })");
}

TEST(CallInliner, InlinesInsideLoops) {
  auto module = Parse(R"(
step { x = f32[] parameter(0)  ROOT n = f32[] sine(x) }
body { x = f32[] parameter(0)  ROOT c = f32[] call(x), to_apply=step }
cond { x = f32[] parameter(0)  ROOT c = pred[] constant(false) }
ENTRY main { a = f32[] parameter(0)  ROOT w = f32[] while(a), condition=cond, body=body })");
  EXPECT_EQ(RunPasses(*module, "call_inliner"), Changed::kYes);
  EXPECT_EQ(module->FindComputation("body")->root_instruction()->opcode(), HloOpcode::kSin);
  EXPECT_EQ(module->FindComputation("step"), nullptr);
}

TEST(HloDce, RemovesWhatNothingUses) {
  ExpectRewrite("dce",
                R"(
unused { ROOT x = f32[] parameter(0) }
neg { x = f32[4] parameter(0)  ROOT n = f32[4] negate(x) }
ENTRY main { a = f32[4] parameter(0)  b = f32[4] parameter(1)  dead = f32[4] call(a), to_apply=neg
  deader = f32[4] sine(dead)  ROOT r = f32[4] cosine(a) })",
                "ENTRY main { a = f32[4] parameter(0)  b = f32[4] parameter(1)  ROOT r = f32[4] cosine(a) }");
}

TEST(HloDce, KeepsParametersAndControlPredecessors) {
  ExpectUnchanged("dce", R"(
ENTRY main { a = f32[4] parameter(0)  b = f32[4] parameter(1)  c = f32[4] sine(a)
  ROOT r = f32[4] cosine(a), control-predecessors={c} })");
}

TEST(HloCse, MergesEqualExpressions) {
  ExpectRewrite("cse",
                R"(
add1 { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
add2 { p = f32[] parameter(0)  q = f32[] parameter(1)  ROOT s = f32[] add(p, q) }
ENTRY main { a = f32[4] parameter(0)  b = f32[4] parameter(1)
  s1 = f32[4] multiply(a, b)  s2 = f32[4] multiply(b, a)
  z1 = f32[] constant(0)  z2 = f32[] constant(0)
  r1 = f32[] reduce(s1, z1), dimensions={0}, to_apply=add1
  r2 = f32[] reduce(s2, z2), dimensions={0}, to_apply=add2
  ROOT t = (f32[], f32[]) tuple(r1, r2) })",
                R"(
add1 { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
ENTRY main { a = f32[4] parameter(0)  b = f32[4] parameter(1)  s1 = f32[4] multiply(a, b)
  z1 = f32[] constant(0)  r1 = f32[] reduce(s1, z1), dimensions={0}, to_apply=add1
  ROOT t = (f32[], f32[]) tuple(r1, r1) })");
}

TEST(HloCse, KeepsWhatDiffers) {
  ExpectUnchanged("cse", R"(
ENTRY main { a = f32[4] parameter(0)  b = f32[4] parameter(1)
  d1 = f32[4] subtract(a, b)  d2 = f32[4] subtract(b, a)
  z1 = f32[] constant(0)  z2 = f32[] constant(-0)
  t1 = f32[2,2]{1,0} reshape(a)  t2 = f32[2,2]{0,1} reshape(a)
  c1 = pred[4] compare(a, b), direction=LT  c2 = pred[4] compare(a, b), direction=GT
  ROOT t = (f32[4], f32[4], f32[], f32[], f32[2,2]{1,0}, f32[2,2]{0,1}, pred[4], pred[4])
    tuple(d1, d2, z1, z2, t1, t2, c1, c2) })");
}

TEST(LayoutViewsToBitcast, TurnsViewsIntoBitcasts) {
  ExpectRewrite("layout_views_to_bitcast",
                R"(
ENTRY main { a = f32[4,6]{1,0} parameter(0)
  r = f32[24]{0} reshape(a)  s = f32[2,12]{1,0} reshape(r)  ROOT t = f32[12,2]{0,1} transpose(s), dimensions={1,0} })",
                "ENTRY main { a = f32[4,6]{1,0} parameter(0)  ROOT t = f32[12,2]{0,1} bitcast(a) }");
  // A result layout of {0,1,2} makes a bitcast of the transpose that reverses the dimensions.
  ExpectRewrite("layout_views_to_bitcast",
                "ENTRY main { x = f32[17,9,40]{2,1,0} parameter(0)  "
                "ROOT t = f32[40,9,17]{0,1,2} transpose(x), dimensions={2,1,0} }",
                "ENTRY main { x = f32[17,9,40]{2,1,0} parameter(0)  ROOT t = f32[40,9,17]{0,1,2} bitcast(x) }");
}

TEST(LayoutViewsToBitcast, LeavesWhatMovesElements) {
  ExpectUnchanged("layout_views_to_bitcast", R"(
ENTRY main { a = f32[4,6]{1,0} parameter(0)
  t = f32[6,4]{1,0} transpose(a), dimensions={1,0}
  b = f32[4,6]{0,1} copy(a)
  s = f32[24]{0} reshape(b)
  ROOT u = (f32[6,4]{1,0}, f32[24]{0}) tuple(t, s) })");
}

TEST(Passes, NamesFollowTheTable) {
  for (const PassInfo& info : HloPasses()) {
    EXPECT_EQ(info.create()->name(), info.name);
    EXPECT_TRUE(info.summary.ends_with('.')) << info.name;
  }
}

TEST(Passes, UnknownNameIsAnError) {
  HloPassPipeline pipeline("test");
  EXPECT_EQ(AddPassesByName("dce,call_inlinr", pipeline).ToString(),
            R"(E6005 BadFlagValue: there is no pass of this name
  where:    --passes
  found:    'call_inlinr'
  expected: one of call_inliner, async_to_sync, dce, cse, algebraic_simplifier, layout_views_to_bitcast, static_values, batchnorm_expander, rng_bit_generator_expander, stochastic_convert_expander, bitcast_convert_expander, cholesky_expander, triangular_solve_expander, topk_expander, sort_expander, select_and_scatter_expander, reduce_window_expander, scatter_expander, convolution_expander, fft_expander, complex_expander, narrow_integer_expander
  next:     Did you mean 'call_inliner'?)");
}

// Passes that break rules, for the runner's tests.
class BreaksShape : public HloPass {
 public:
  std::string_view name() const override { return "breaks_shape"; }
  StatusOr<Changed> Run(HloModule& module, const PassContext&) override {
    *module.entry_computation()->root_instruction()->mutable_shape() = Shape::Scalar(S32);
    return Changed::kYes;
  }
};
class Lies : public HloPass {
 public:
  std::string_view name() const override { return "lies"; }
  StatusOr<Changed> Run(HloModule& module, const PassContext&) override {
    module.mutable_config().replica_count = 7;
    return Changed::kNo;
  }
};

constexpr std::string_view kProgram =
    "ENTRY main { a = f32[4] parameter(0)  d = f32[4] sine(a)  ROOT r = f32[4] cosine(a) }";

TEST(HloPassPipeline, VerifiesAfterEachPass) {
  auto module = Parse(kProgram);
  HloPassPipeline pipeline("test");
  pipeline.Add<BreaksShape>();
  const Status status = pipeline.Run(*module, {}).status();
  EXPECT_EQ(status.code(), rocxla::StatusCode::kInternal);
  EXPECT_THAT(status.message(), HasSubstr("pass 'breaks_shape' broke the module: E1004 HloVerifier"));
}

TEST(HloPassPipeline, FindsPassesThatHideTheirChanges) {
  auto module = Parse(kProgram);
  HloPassPipeline pipeline("test", {.check_unchanged = CheckUnchangedPromise::kYes});
  pipeline.Add<Lies>();
  EXPECT_THAT(pipeline.Run(*module, {}).status().message(), HasSubstr("pass 'lies' says that it changed nothing"));
}

TEST(HloPassPipeline, ReportsDumpsAndSwitchesOff) {
  auto module = Parse(kProgram);
  std::vector<std::string> dumped;
  HloPassPipeline pipeline(
      "test", {.disabled_passes = {"cse"}, .dump = [&](int index, std::string_view pass, const HloModule&) {
                 dumped.push_back(std::to_string(index) + std::string(pass));
               }});
  pipeline.Add<CallInliner>();
  pipeline.Add<HloCse>();
  pipeline.Add<HloDce>();
  EXPECT_EQ(*pipeline.Run(*module, {}), Changed::kYes);
  EXPECT_THAT(dumped, ElementsAre("2dce"));
  ASSERT_EQ(pipeline.runs().size(), 2u);
  EXPECT_EQ(pipeline.runs()[0].name, "call_inliner");
  EXPECT_EQ(pipeline.runs()[0].changed, Changed::kNo);
  EXPECT_EQ(pipeline.runs()[1].changed, Changed::kYes);
}

TEST(HloPassPipeline, CanBeCancelled) {
  auto module = Parse(kProgram);
  HloPassPipeline pipeline("test", {.is_cancelled = [] { return true; }});
  pipeline.Add<HloDce>();
  EXPECT_EQ(pipeline.Run(*module, {}).status().ToString(), "ABORTED: cancelled before pass 'dce' of 'test'");
}

}  // namespace
}  // namespace xla
