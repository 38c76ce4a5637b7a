// Building and changing graphs: users, names, order, removing, cloning, fusing, equality.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_verifier.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

std::unique_ptr<HloModule> Parse(std::string_view text) {
  auto module = ParseAndReturnVerifiedModule(text, "test");
  if (!module.ok()) ADD_FAILURE() << module.status().ToString();
  return module.ok() ? std::move(module).value() : nullptr;
}

HloInstruction* Find(const HloModule& module, std::string_view name) {
  for (const HloComputation* computation : module.computations()) {
    for (HloInstruction* instruction : computation->instructions()) {
      if (instruction->name() == name) return instruction;
    }
  }
  ADD_FAILURE() << "no instruction " << name;
  return nullptr;
}

std::vector<std::string> Names(const std::vector<HloInstruction*>& instructions) {
  std::vector<std::string> names;
  for (const HloInstruction* instruction : instructions) names.push_back(instruction->name());
  return names;
}

constexpr std::string_view kDiamond = R"(
HloModule diamond
ENTRY main {
  a = f32[4] parameter(0)
  b = f32[4] negate(a)
  c = f32[4] exponential(b)
  d = f32[4] multiply(b, b)
  ROOT e = f32[4] add(c, d)
})";

TEST(HloGraph, BuildsByHand) {
  const Shape shape = Shape::Array(F32, {4});
  HloModule module("m");
  auto computation = std::make_unique<HloComputation>("main");
  HloInstruction* a = computation->AddInstruction(HloInstruction::CreateParameter(0, shape, "a"));
  HloInstruction* sum = computation->AddInstruction(HloInstruction::CreateBinary(shape, HloOpcode::kAdd, a, a));
  HloInstruction* again = computation->AddInstruction(HloInstruction::CreateBinary(shape, HloOpcode::kAdd, sum, a));
  module.AddEntryComputation(std::move(computation));
  EXPECT_EQ(sum->name(), "add");
  EXPECT_EQ(again->name(), "add.1");
  EXPECT_THAT(a->users(), ElementsAre(sum, again));
  EXPECT_EQ(module.entry_computation()->root_instruction(), again);
  EXPECT_TRUE(VerifyHloModule(module).ok());
  EXPECT_EQ(module.ToString(),
            "HloModule m\n\nENTRY main {\n  a = f32[4]{0} parameter(0)\n  add = f32[4]{0} add(a, a)\n"
            "  ROOT add.1 = f32[4]{0} add(add, a)\n}\n");
}

TEST(HloGraph, RemovedInstructionsCanBeAskedUntilCleanup) {
  auto module = Parse(kDiamond);
  HloComputation* main = module->entry_computation();
  HloInstruction* a = Find(*module, "a");
  HloInstruction* b = Find(*module, "b");
  HloInstruction* d = Find(*module, "d");
  ASSERT_TRUE(main->ReplaceInstruction(d, a).ok());
  EXPECT_TRUE(d->IsMarkedAsDead());
  EXPECT_EQ(d->parent(), nullptr);
  EXPECT_FALSE(b->IsMarkedAsDead());
  EXPECT_EQ(main->instruction_count(), 4);
  EXPECT_EQ(main->instruction_index_limit(), 5);
  EXPECT_FALSE(main->HasInstructionNamed("d"));
  EXPECT_THAT(Names(main->MakeInstructionPostOrder()), ElementsAre("a", "b", "c", "e"));

  main->Cleanup();
  EXPECT_EQ(main->instruction_count(), 4);
  EXPECT_EQ(main->instruction_index_limit(), 4);
  EXPECT_EQ(Find(*module, "e")->index(), 3);
  HloInstruction* added = main->AddInstruction(HloInstruction::CreateUnary(a->shape(), HloOpcode::kTanh, a), "late");
  EXPECT_EQ(added->index(), 4);
  EXPECT_THAT(Names(main->MakeInstructionPostOrder()), ElementsAre("a", "b", "c", "e", "late"));
  EXPECT_TRUE(VerifyHloModule(*module).ok());
}

TEST(HloGraph, ReplacingMovesUsersAndTheRoot) {
  auto module = Parse(kDiamond);
  HloInstruction* b = Find(*module, "b");
  HloInstruction* d = Find(*module, "d");
  HloInstruction* a = Find(*module, "a");
  b->ReplaceAllUsesWith(a);
  EXPECT_EQ(b->user_count(), 0);
  EXPECT_THAT(Names(a->users()), ElementsAre("b", "c", "d"));
  EXPECT_EQ(d->operand(0), a);
  EXPECT_EQ(d->operand(1), a);
  Find(*module, "e")->ReplaceAllUsesWith(d);
  EXPECT_EQ(module->entry_computation()->root_instruction(), d);
}

TEST(HloGraph, RemovingTakesWhatBecomesDead) {
  auto module = Parse(kDiamond);
  HloComputation* main = module->entry_computation();
  HloInstruction* c = Find(*module, "c");
  EXPECT_FALSE(main->RemoveInstruction(c).ok());  // e uses it
  ASSERT_TRUE(main->ReplaceInstruction(Find(*module, "e"), Find(*module, "d")).ok());
  EXPECT_THAT(Names(main->instructions()), ElementsAre("a", "b", "d"));
  EXPECT_TRUE(VerifyHloModule(*module).ok());
}

TEST(HloGraph, PostOrderPutsOperandsFirst) {
  auto module = Parse(kDiamond);
  HloComputation* main = module->entry_computation();
  HloInstruction* late =
      main->AddInstruction(HloInstruction::CreateUnary(Shape::Array(F32, {4}), HloOpcode::kSqrt, Find(*module, "a")));
  Find(*module, "c")->ReplaceOperandWith(0, late);
  EXPECT_THAT(Names(main->MakeInstructionPostOrder()), ElementsAre("a", "b", "sqrt", "c", "d", "e"));
}

TEST(HloGraph, LongChainsNeedNoDeepStack) {
  HloModule module("deep");
  auto computation = std::make_unique<HloComputation>("main");
  const Shape shape = Shape::Scalar(F32);
  HloInstruction* last = computation->AddInstruction(HloInstruction::CreateParameter(0, shape, "p"));
  constexpr int kLength = 100000;
  for (int i = 0; i < kLength; ++i) {
    last = computation->AddInstruction(HloInstruction::CreateUnary(shape, HloOpcode::kNegate, last));
  }
  module.AddEntryComputation(std::move(computation));
  EXPECT_EQ(module.entry_computation()->MakeInstructionPostOrder().size(), kLength + 1u);
  EXPECT_TRUE(VerifyHloModule(module).ok());
  EXPECT_TRUE(Equal(module, *module.Clone(), CompareNames::kYes));
}

TEST(HloGraph, ControlDependenciesOrderAndKeepAlive) {
  auto module = Parse(R"(
ENTRY main {
  a = f32[] parameter(0)
  b = f32[] negate(a)
  c = f32[] exponential(a), control-predecessors={b}
  ROOT t = (f32[]) tuple(c)
})");
  HloInstruction* b = Find(*module, "b");
  HloInstruction* c = Find(*module, "c");
  EXPECT_THAT(b->control_successors(), ElementsAre(c));
  EXPECT_FALSE(b->IsDead());
  EXPECT_THAT(c->ToString(), ::testing::HasSubstr("control-predecessors={b}"));
  auto clone = module->Clone();
  EXPECT_TRUE(Equal(*module, *clone, CompareNames::kYes));
  Find(*clone, "c")->DropControlDependencies();
  EXPECT_FALSE(Equal(*module, *clone, CompareNames::kYes));
  EXPECT_TRUE(Find(*clone, "b")->IsDead());
}

TEST(HloGraph, FusesToOneResult) {
  auto module = Parse(kDiamond);
  HloComputation* main = module->entry_computation();
  HloInstruction* members[] = {Find(*module, "e"), Find(*module, "c"), Find(*module, "d")};
  auto fusion = main->CreateFusionInstruction(members, FusionKind::kLoop);
  ASSERT_TRUE(fusion.ok()) << fusion.status().ToString();
  EXPECT_TRUE(VerifyHloModule(*module).ok());
  EXPECT_EQ(module->ToString(), R"(HloModule diamond

fused_computation {
  param_0 = f32[4]{0} parameter(0)
  c = f32[4]{0} exponential(param_0)
  d = f32[4]{0} multiply(param_0, param_0)
  ROOT e = f32[4]{0} add(c, d)
}

ENTRY main {
  a = f32[4]{0} parameter(0)
  b = f32[4]{0} negate(a)
  ROOT fusion = f32[4]{0} fusion(b), kind=kLoop, calls=fused_computation
}
)");
  EXPECT_EQ((*fusion)->fused_expression_root()->opcode(), HloOpcode::kAdd);
  EXPECT_EQ((*fusion)->fused_parameter(0)->name(), "param_0");
}

TEST(HloGraph, FusesToSeveralResults) {
  auto module = Parse(kDiamond);
  HloInstruction* members[] = {Find(*module, "b"), Find(*module, "c")};
  auto fusion = module->entry_computation()->CreateFusionInstruction(members, FusionKind::kInput);
  ASSERT_TRUE(fusion.ok()) << fusion.status().ToString();
  EXPECT_EQ((*fusion)->shape().ToString(), "(f32[4], f32[4])");
  EXPECT_TRUE(VerifyHloModule(*module).ok()) << VerifyHloModule(*module).ToString();
  EXPECT_EQ((*fusion)->user_count(), 2);
}

TEST(HloGraph, DoesNotFuseIntoACycle) {
  auto module = Parse(kDiamond);
  HloInstruction* members[] = {Find(*module, "b"), Find(*module, "e")};  // c and d lie between
  auto fusion = module->entry_computation()->CreateFusionInstruction(members, FusionKind::kLoop);
  ASSERT_FALSE(fusion.ok());
  EXPECT_EQ(
      fusion.status().ToString(),
      "FAILED_PRECONDITION: cannot fuse in computation 'main': a path leaves the set and comes back, which makes a "
      "cycle");
  HloInstruction* parameter[] = {Find(*module, "a")};
  EXPECT_FALSE(module->entry_computation()->CreateFusionInstruction(parameter, FusionKind::kLoop).ok());
}

TEST(HloGraph, EqualityLooksAtStructure) {
  auto module = Parse(kDiamond);
  auto renamed = Parse(R"(
ENTRY other {
  x = f32[4] parameter(0)
  y = f32[4] negate(x)
  z = f32[4] exponential(y)
  u = f32[4] multiply(y, y)
  ROOT v = f32[4] add(z, u)
})");
  EXPECT_TRUE(Equal(*module, *renamed, CompareNames::kNo));
  EXPECT_FALSE(Equal(*module, *renamed, CompareNames::kYes));
  Find(*renamed, "v")->ReplaceOperandWith(0, Find(*renamed, "y"));
  EXPECT_FALSE(Equal(*module, *renamed, CompareNames::kNo));
}

TEST(HloGraph, RemovesComputationsThatNobodyCalls) {
  auto module = Parse(R"(
dead { ROOT x = f32[] parameter(0) }
deep { ROOT x = f32[] parameter(0) }
alive { x = f32[] parameter(0)  ROOT y = f32[] call(x), to_apply=deep }
ENTRY main { p = f32[] parameter(0)  ROOT c = f32[] call(p), to_apply=alive })");
  EXPECT_EQ(module->computation_count(), 4);
  EXPECT_EQ(module->RemoveUnusedComputations(), 1);
  EXPECT_EQ(module->FindComputation("dead"), nullptr);
  EXPECT_NE(module->FindComputation("deep"), nullptr);
}

}  // namespace
}  // namespace xla
