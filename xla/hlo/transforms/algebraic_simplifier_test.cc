// Every rule of the algebraic simplifier: a program on which it fires and one on which it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/algebraic_rules.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

// Bodies of an entry computation; the last line is the root.
struct RuleCase {
  const char* rule;
  const char* before;
  const char* after;      // what the whole simplifier makes of it
  const char* unchanged;  // a program that looks alike and on which no rule fires
};

const std::vector<RuleCase>& Cases() {
  static const std::vector<RuleCase> cases = {
      {"multiply_by_one",
       "x = f32[4] parameter(0) c = f32[] constant(1) b = f32[4] broadcast(c), dimensions={} y = f32[4] multiply(b, x) "
       "r = f32[4] sine(y)",
       "x = f32[4] parameter(0) r = f32[4] sine(x)",
       "x = c64[4] parameter(0) c = c64[4] constant({(1, 0), (1, 0), (1, 0), (1, 0)}) r = c64[4] multiply(x, c)"},
      {"add_zero",
       "x = s32[4] parameter(0) c = s32[4] constant({0, 0, 0, 0}) y = s32[4] add(x, c) r = s32[4] negate(y)",
       "x = s32[4] parameter(0) r = s32[4] negate(x)",
       "x = f32[] parameter(0) c = f32[] constant(0) r = f32[] add(x, c)"},  // -0.0 + 0.0 is 0.0
      {"add_zero", "x = f32[] parameter(0) c = f32[] constant(-0) y = f32[] add(c, x) r = f32[] sine(y)",
       "x = f32[] parameter(0) r = f32[] sine(x)",
       "x = s32[2] parameter(0) c = s32[2] constant({0, 1}) r = s32[2] add(x, c)"},
      {"subtract_zero", "x = f32[] parameter(0) c = f32[] constant(0) y = f32[] subtract(x, c) r = f32[] sine(y)",
       "x = f32[] parameter(0) r = f32[] sine(x)",
       "x = f32[] parameter(0) c = f32[] constant(-0) r = f32[] subtract(x, c)"},
      {"divide_by_one", "x = f32[] parameter(0) c = f32[] constant(1) y = f32[] divide(x, c) r = f32[] sine(y)",
       "x = f32[] parameter(0) r = f32[] sine(x)",
       "x = f32[] parameter(0) c = f32[] constant(1) r = f32[] divide(c, x)"},
      {"maximum_of_lowest", "x = f32[] parameter(0) c = f32[] constant(-inf) y = f32[] maximum(c, x) r = f32[] sine(y)",
       "x = f32[] parameter(0) r = f32[] sine(x)",
       "x = f32[] parameter(0) c = f32[] constant(-3.4028234e38) r = f32[] maximum(x, c)"},
      {"maximum_of_lowest", "x = s8[] parameter(0) c = s8[] constant(-128) y = s8[] maximum(c, x) r = s8[] negate(y)",
       "x = s8[] parameter(0) r = s8[] negate(x)",
       "x = s8[] parameter(0) c = s8[] constant(127) r = s8[] maximum(x, c)"},
      {"minimum_of_highest", "x = f32[] parameter(0) c = f32[] constant(inf) y = f32[] minimum(x, c) r = f32[] sine(y)",
       "x = f32[] parameter(0) r = f32[] sine(x)",
       "x = f32[] parameter(0) c = f32[] constant(-inf) r = f32[] minimum(x, c)"},
      {"minimum_of_highest", "x = u8[] parameter(0) c = u8[] constant(255) y = u8[] minimum(x, c) r = u8[] not(y)",
       "x = u8[] parameter(0) r = u8[] not(x)", "x = u8[] parameter(0) c = u8[] constant(127) r = u8[] minimum(x, c)"},
      {"and_all_ones", "x = u32[] parameter(0) c = u32[] constant(4294967295) y = u32[] and(x, c) r = u32[] not(y)",
       "x = u32[] parameter(0) r = u32[] not(x)", "x = u32[] parameter(0) c = u32[] constant(1) r = u32[] and(x, c)"},
      {"or_zero", "x = pred[] parameter(0) c = pred[] constant(false) y = pred[] or(x, c) r = pred[] not(y)",
       "x = pred[] parameter(0) r = pred[] not(x)",
       "x = pred[] parameter(0) c = pred[] constant(true) r = pred[] or(x, c)"},
      {"xor_zero", "x = s32[] parameter(0) c = s32[] constant(0) y = s32[] xor(c, x) r = s32[] not(y)",
       "x = s32[] parameter(0) r = s32[] not(x)", "x = s32[] parameter(0) c = s32[] constant(-1) r = s32[] xor(x, c)"},
      {"shift_left_by_zero", "x = s32[] parameter(0) c = s32[] constant(0) y = s32[] shift-left(x, c) r = s32[] not(y)",
       "x = s32[] parameter(0) r = s32[] not(x)",
       "x = s32[] parameter(0) c = s32[] constant(0) r = s32[] shift-left(c, x)"},
      {"shift_right_arithmetic_by_zero",
       "x = s32[] parameter(0) c = s32[] constant(0) y = s32[] shift-right-arithmetic(x, c) r = s32[] not(y)",
       "x = s32[] parameter(0) r = s32[] not(x)",
       "x = s32[] parameter(0) c = s32[] constant(1) r = s32[] shift-right-arithmetic(x, c)"},
      {"shift_right_logical_by_zero",
       "x = s32[] parameter(0) c = s32[] constant(0) y = s32[] shift-right-logical(x, c) r = s32[] not(y)",
       "x = s32[] parameter(0) r = s32[] not(x)",
       "x = s32[] parameter(0) c = s32[] constant(31) r = s32[] shift-right-logical(x, c)"},
      {"negate_of_negate", "x = f32[] parameter(0) y = f32[] negate(x) z = f32[] negate(y) r = f32[] sine(z)",
       "x = f32[] parameter(0) r = f32[] sine(x)", "x = f32[] parameter(0) y = f32[] abs(x) r = f32[] negate(y)"},
      {"not_of_not", "x = s32[] parameter(0) y = s32[] not(x) z = s32[] not(y) r = s32[] negate(z)",
       "x = s32[] parameter(0) r = s32[] negate(x)", "x = s32[] parameter(0) y = s32[] negate(x) r = s32[] not(y)"},
      {"select_same", "p = pred[] parameter(0) x = f32[] parameter(1) y = f32[] select(p, x, x) r = f32[] sine(y)",
       "p = pred[] parameter(0) x = f32[] parameter(1) r = f32[] sine(x)",
       "p = pred[] parameter(0) x = f32[] parameter(1) y = f32[] sine(x) r = f32[] select(p, x, y)"},
      {"select_constant",
       "c = pred[] constant(false) x = f32[] parameter(0) y = f32[] sine(x) r = f32[] select(c, x, y)",
       "x = f32[] parameter(0) r = f32[] sine(x)",
       "c = pred[2] constant({1, 0}) x = f32[2] parameter(0) y = f32[2] sine(x) r = f32[2] select(c, x, y)"},
      {"convert_to_same_type", "x = f32[] parameter(0) y = f32[] convert(x) r = f32[] sine(y)",
       "x = f32[] parameter(0) r = f32[] sine(x)", "x = f32[] parameter(0) r = bf16[] convert(x)"},
      {"convert_there_and_back",
       "x = bf16[] parameter(0) y = f32[] convert(x) z = bf16[] convert(y) r = bf16[] sine(z)",
       "x = bf16[] parameter(0) r = bf16[] sine(x)",
       "x = f32[] parameter(0) y = bf16[] convert(x) r = f32[] convert(y)"},
      {"convert_there_and_back", "x = u8[] parameter(0) y = s16[] convert(x) z = u8[] convert(y) r = u8[] not(z)",
       "x = u8[] parameter(0) r = u8[] not(x)", "x = s32[] parameter(0) y = f32[] convert(x) r = s32[] convert(y)"},
      {"copy_identity", "x = f32[2,3] parameter(0) y = f32[2,3] copy(x) r = f32[2,3] sine(y)",
       "x = f32[2,3] parameter(0) r = f32[2,3] sine(x)", "x = f32[2,3]{1,0} parameter(0) r = f32[2,3]{0,1} copy(x)"},
      {"reshape_identity", "x = f32[2,3] parameter(0) y = f32[2,3] reshape(x) r = f32[2,3] sine(y)",
       "x = f32[2,3] parameter(0) r = f32[2,3] sine(x)", "x = f32[2,3]{1,0} parameter(0) r = f32[2,3]{0,1} reshape(x)"},
      {"reshape_of_reshape", "x = f32[2,3] parameter(0) y = f32[6] reshape(x) r = f32[3,2] reshape(y)",
       "x = f32[2,3] parameter(0) r = f32[3,2] reshape(x)",
       "x = f32[2,3] parameter(0) y = f32[3,2] transpose(x), dimensions={1,0} r = f32[6] reshape(y)"},
      {"reshape_of_broadcast",
       "x = f32[24,1] parameter(0) y = f32[24,1,5] broadcast(x), dimensions={0,1} r = f32[1,24,5] reshape(y)",
       "x = f32[24,1] parameter(0) s = f32[24] reshape(x) r = f32[1,24,5] broadcast(s), dimensions={1}",
       "x = f32[4] parameter(0) y = f32[4,6] broadcast(x), dimensions={0} r = f32[24] reshape(y)"},
      {"transpose_identity",
       "x = f32[2,3] parameter(0) y = f32[2,3] transpose(x), dimensions={0,1} r = f32[2,3] sine(y)",
       "x = f32[2,3] parameter(0) r = f32[2,3] sine(x)",
       "x = f32[2,2] parameter(0) r = f32[2,2] transpose(x), dimensions={1,0}"},
      {"transpose_of_transpose",
       "x = f32[2,3,4] parameter(0) y = f32[3,4,2] transpose(x), dimensions={1,2,0} "
       "r = f32[4,3,2] transpose(y), dimensions={1,0,2}",
       "x = f32[2,3,4] parameter(0) r = f32[4,3,2] transpose(x), dimensions={2,1,0}",
       "x = f32[2,3] parameter(0) y = f32[3,2] transpose(x), dimensions={1,0} r = f32[3,2] sine(y)"},
      {"broadcast_identity",
       "x = f32[2,3] parameter(0) y = f32[2,3] broadcast(x), dimensions={0,1} r = f32[2,3] sine(y)",
       "x = f32[2,3] parameter(0) r = f32[2,3] sine(x)",
       "x = f32[2,3] parameter(0) r = f32[1,2,3] broadcast(x), dimensions={1,2}"},
      {"broadcast_of_broadcast",
       "x = f32[3] parameter(0) y = f32[2,3] broadcast(x), dimensions={1} r = f32[5,2,3] broadcast(y), "
       "dimensions={1,2}",
       "x = f32[3] parameter(0) r = f32[5,2,3] broadcast(x), dimensions={2}",
       "x = f32[3] parameter(0) y = f32[2,3] broadcast(x), dimensions={1} r = f32[2,3] sine(y)"},
      {"broadcast_of_reshape",
       "x = f32[4,8] parameter(0) y = f32[1,4,8] reshape(x) r = f32[1,4,5,8] broadcast(y), dimensions={0,1,3}",
       "x = f32[4,8] parameter(0) r = f32[1,4,5,8] broadcast(x), dimensions={1,3}",
       "x = f32[4,1] parameter(0) y = f32[4] reshape(x) r = f32[4,5] broadcast(y), dimensions={0}"},
      {"bitcast_identity", "x = f32[2,3] parameter(0) y = f32[2,3] bitcast(x) r = f32[2,3] sine(y)",
       "x = f32[2,3] parameter(0) r = f32[2,3] sine(x)", "x = f32[2,3] parameter(0) r = s32[2,3] bitcast(x)"},
      {"bitcast_of_bitcast", "x = f32[2,3] parameter(0) y = s32[6] bitcast(x) r = s32[3,2] bitcast(y)",
       "x = f32[2,3] parameter(0) r = s32[3,2] bitcast(x)",
       "x = f32[2,3] parameter(0) y = s32[6] bitcast(x) r = f32[6] bitcast-convert(y)"},
      {"slice_of_everything",
       "x = f32[2,3] parameter(0) y = f32[2,3] slice(x), slice={[0:2], [0:3]} r = f32[2,3] sine(y)",
       "x = f32[2,3] parameter(0) r = f32[2,3] sine(x)",
       "x = f32[2,3] parameter(0) r = f32[1,3] slice(x), slice={[0:1], [0:3]}"},
      {"concatenate_of_one",
       "x = f32[2,3] parameter(0) y = f32[2,3] concatenate(x), dimensions={0} r = f32[2,3] sine(y)",
       "x = f32[2,3] parameter(0) r = f32[2,3] sine(x)",
       "x = f32[2,3] parameter(0) r = f32[4,3] concatenate(x, x), dimensions={0}"},
      {"pad_with_nothing",
       "x = f32[2,3] parameter(0) c = f32[] parameter(1) y = f32[2,3] pad(x, c), padding=0_0x0_0 r = f32[2,3] sine(y)",
       "x = f32[2,3] parameter(0) c = f32[] parameter(1) r = f32[2,3] sine(x)",
       "x = f32[2,3] parameter(0) c = f32[] parameter(1) r = f32[2,3] pad(x, c), padding=0_0x1_-1"},
      {"reverse_of_nothing", "x = f32[1,3] parameter(0) y = f32[1,3] reverse(x), dimensions={0} r = f32[1,3] sine(y)",
       "x = f32[1,3] parameter(0) r = f32[1,3] sine(x)",
       "x = f32[1,3] parameter(0) r = f32[1,3] reverse(x), dimensions={0,1}"},
      {"element_of_tuple",
       "x = f32[] parameter(0) y = s32[] parameter(1) t = (f32[], s32[]) tuple(x, y) "
       "z = s32[] get-tuple-element(t), index=1 r = s32[] not(z)",
       "x = f32[] parameter(0) y = s32[] parameter(1) r = s32[] not(y)",
       "t = (f32[], s32[]) parameter(0) r = s32[] get-tuple-element(t), index=1"},
      {"reduce_of_single_elements",
       "x = f32[4,1] parameter(0) c = f32[] parameter(1) r = f32[4] reduce(x, c), dimensions={1}, to_apply=add",
       "x = f32[4,1] parameter(0) c = f32[] parameter(1) s = f32[4] reshape(x) b = f32[4] broadcast(c), dimensions={} "
       "r = f32[4] add(b, s)",
       "x = f32[4,2] parameter(0) c = f32[] parameter(1) r = f32[4] reduce(x, c), dimensions={1}, to_apply=add"},
      {"reduce_of_single_elements",
       "x = f32[4,1] parameter(0) c = f32[] constant(-inf) r = f32[4] reduce(x, c), dimensions={1}, to_apply=max",
       "x = f32[4,1] parameter(0) r = f32[4] reshape(x)",
       "x = f32[4,1] parameter(0) c = f32[] parameter(1) r = f32[4] reduce(x, c), dimensions={1}, to_apply=swapped"},
      {"reduce_of_nothing",
       "x = f32[4,0] parameter(0) c = f32[] parameter(1) r = f32[4] reduce(x, c), dimensions={1}, to_apply=add",
       "x = f32[4,0] parameter(0) c = f32[] parameter(1) r = f32[4] broadcast(c), dimensions={}",
       "x = f32[4,2] parameter(0) c = f32[] parameter(1) r = f32[4] reduce(x, c), dimensions={1}, to_apply=add"},
      {"dot_of_nothing",
       "x = f32[2,0] parameter(0) y = f32[0,3] parameter(1) r = f32[2,3] dot(x, y), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}",
       "x = f32[2,0] parameter(0) y = f32[0,3] parameter(1) c = f32[] constant(0) r = f32[2,3] broadcast(c), "
       "dimensions={}",
       "x = f32[2,1] parameter(0) y = f32[1,3] parameter(1) r = f32[2,3] dot(x, y), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}"},
  };
  return cases;
}

std::unique_ptr<HloModule> Parse(const std::string& body) {
  auto module = ParseAndReturnVerifiedModule(
      "add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }\n"
      "max { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] maximum(x, y) }\n"
      "swapped { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] subtract(y, x) }\n"
      "ENTRY main { " +
          body + " }",
      "test");
  if (!module.ok()) ADD_FAILURE() << module.status().ToString();
  return module.ok() ? std::move(module).value() : nullptr;
}

Changed Simplify(HloModule& module) {
  HloPassPipeline pipeline("test", {.check_unchanged = CheckUnchangedPromise::kYes});
  pipeline.Add<AlgebraicSimplifier>();
  const auto changed = pipeline.Run(module, {});
  if (!changed.ok()) ADD_FAILURE() << changed.status().ToString();
  return changed.ok() ? *changed : Changed::kNo;
}

const RewriteRule* FindRule(std::string_view name) {
  for (const auto group : {ArithmeticRules(), MovementRules()}) {
    for (const RewriteRule& rule : group) {
      if (rule.name == name) return &rule;
    }
  }
  ADD_FAILURE() << "no rule " << name;
  return nullptr;
}

TEST(AlgebraicSimplifier, EveryRuleHasItsCases) {
  std::set<std::string_view> tested;
  for (const RuleCase& one : Cases()) tested.insert(one.rule);
  for (const auto group : {ArithmeticRules(), MovementRules()}) {
    for (const RewriteRule& rule : group) EXPECT_TRUE(tested.contains(rule.name)) << rule.name;
  }
}

TEST(AlgebraicSimplifier, EachRuleFires) {
  for (const RuleCase& one : Cases()) {
    SCOPED_TRACE(std::string(one.rule) + ": " + one.before);
    auto module = Parse(one.before);
    const RewriteRule* rule = FindRule(one.rule);
    bool fires = false;  // the rule itself, not only some other one
    for (HloInstruction* instruction : module->entry_computation()->instructions()) {
      fires |= instruction->opcode() == rule->opcode && rule->apply(*instruction) != nullptr;
    }
    EXPECT_TRUE(fires);
    module = Parse(one.before);
    EXPECT_EQ(Simplify(*module), Changed::kYes);
    EXPECT_TRUE(Equal(*module->entry_computation(), *Parse(one.after)->entry_computation(), CompareNames::kNo))
        << module->ToString();
    EXPECT_EQ(Simplify(*module), Changed::kNo) << "not idempotent: " << module->ToString();
  }
}

TEST(AlgebraicSimplifier, DoesNotFire) {
  for (const RuleCase& one : Cases()) {
    SCOPED_TRACE(std::string(one.rule) + ": " + one.unchanged);
    auto module = Parse(one.unchanged);
    EXPECT_EQ(Simplify(*module), Changed::kNo) << module->ToString();
  }
}

// How JAX writes x[24,200] - mean[24]: through shapes with a dimension of 1.
TEST(AlgebraicSimplifier, JaxBroadcastsBecomeOne) {
  auto module = Parse(
      "m = f32[24] parameter(0) k = f32[24,1] reshape(m) b = f32[24,1] broadcast(k), dimensions={0,1} "
      "s = f32[24] reshape(b) r = f32[24,200] broadcast(s), dimensions={0}");
  EXPECT_EQ(Simplify(*module), Changed::kYes);
  EXPECT_TRUE(
      Equal(*module->entry_computation(),
            *Parse("m = f32[24] parameter(0) r = f32[24,200] broadcast(m), dimensions={0}")->entry_computation(),
            CompareNames::kNo))
      << module->ToString();
}

TEST(AlgebraicSimplifier, KeepsMetadata) {
  auto module =
      Parse("x = f32[2,3] parameter(0) y = f32[6] reshape(x) r = f32[3,2] reshape(y), metadata={op_name=\"here\"}");
  EXPECT_EQ(Simplify(*module), Changed::kYes);
  EXPECT_EQ(module->entry_computation()->root_instruction()->metadata().op_name, "here");
}

}  // namespace
}  // namespace xla
