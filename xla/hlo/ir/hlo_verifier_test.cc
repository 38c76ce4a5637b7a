// What the verifier finds besides broken shapes, with whole messages.
#include "xla/hlo/ir/hlo_verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

std::string Verified(std::string_view text) {
  return ParseAndReturnVerifiedModule(text, "add.hlo").status().ToString();
}

std::unique_ptr<HloModule> Unverified(std::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text, "t");
  if (!module.ok()) ADD_FAILURE() << module.status().ToString();
  return std::move(module).value();
}

TEST(HloVerifier, ShowsThePlaceInTheText) {
  EXPECT_EQ(Verified("HloModule m\nENTRY main {\n  a = f32[2] parameter(0)\n  b = f32[3] parameter(1)\n"
                     "  ROOT c = f32[2] add(a, b)\n}\n"),
            R"(E1004 HloVerifier: operands 0 and 1 of add must have the same shape
  where:    add.hlo:5:8
              ROOT c = f32[2] add(a, b)
                   ^
  found:    f32[2] and f32[3]
  expected: equal element types and dimensions (HLO does not broadcast by itself))");
}

TEST(HloVerifier, ShowsTheInstructionWithoutAText) {
  auto module = Unverified("ENTRY main { a = f32[2] parameter(0) ROOT b = f32[3] negate(a) }");
  EXPECT_EQ(VerifyHloModule(*module).ToString(),
            R"(E1004 HloVerifier: the shape of this negate does not follow from its operands
  where:    instruction 'b' of computation 'main'
            b = f32[3]{0} negate(a)
  found:    f32[3]
  expected: f32[2])");
}

TEST(HloVerifier, ParametersAreNumberedDensely) {
  EXPECT_THAT(Verified("ENTRY main { a = f32[] parameter(0)  ROOT b = f32[] parameter(2) }"),
              HasSubstr("parameters must be numbered from 0 without gaps or repetition"));
  EXPECT_THAT(Verified("ENTRY main { a = f32[] parameter(0)  ROOT b = f32[] parameter(0) }"),
              HasSubstr("found:    parameter(0)\n  expected: the numbers 0 to 1"));
  EXPECT_THAT(Verified("ENTRY main { ROOT a = f32[] parameter(-1) }"), HasSubstr("parameter(-1)"));
  EXPECT_THAT(Verified("ENTRY main { ROOT a = f32[] parameter(9223372036854775807) }"),
              HasSubstr("parameter(9223372036854775807)"));
}

TEST(HloVerifier, EntryLayoutFits) {
  EXPECT_THAT(Verified("HloModule m, entry_computation_layout={(f32[3]{0})->f32[2]{0}}\n"
                       "ENTRY main { a = f32[2] parameter(0)  ROOT b = f32[2] negate(a) }"),
              HasSubstr("entry_computation_layout does not fit the entry computation"));
}

TEST(HloVerifier, CyclesAreFound) {
  auto module = Unverified("ENTRY main { a = f32[] parameter(0) b = f32[] negate(a) ROOT c = f32[] negate(b) }");
  HloComputation* main = module->entry_computation();
  HloInstruction* c = main->root_instruction();
  c->mutable_operand(0)->ReplaceOperandWith(0, c);
  EXPECT_THAT(VerifyHloModule(*module).message(), HasSubstr("the computation has a cycle"));
}

TEST(HloVerifier, OperandsOfOtherComputationsAreFound) {
  auto module = Unverified(
      "other { ROOT x = f32[] parameter(0) }\n"
      "ENTRY main { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=other }");
  HloInstruction* b = module->entry_computation()->root_instruction();
  HloInstruction* a = b->mutable_operand(0);
  b->ReplaceOperandWith(0, module->FindComputation("other")->root_instruction());
  EXPECT_THAT(VerifyHloModule(*module).message(), HasSubstr("uses one of another computation"));
  b->ReplaceOperandWith(0, a);
  EXPECT_TRUE(VerifyHloModule(*module).ok());
}

TEST(HloVerifier, RecursionIsFound) {
  auto module = Unverified(
      "f { x = f32[] parameter(0) ROOT y = f32[] negate(x) }\n"
      "ENTRY main { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=f }");
  HloComputation* f = module->FindComputation("f");
  HloInstruction* argument[] = {f->parameter_instruction(0)};
  f->set_root_instruction(f->AddInstruction(HloInstruction::CreateCall(Shape::Scalar(F32), argument, f)));
  EXPECT_THAT(VerifyHloModule(*module).message(), HasSubstr("calls itself"));
}

TEST(HloVerifier, AttributesAreThoseOfTheOpcode) {
  auto module = Unverified("ENTRY main { a = f32[2] parameter(0) ROOT b = f32[2] negate(a) }");
  HloInstruction* b = module->entry_computation()->root_instruction();
  b->SetAttribute(AttributeId::kIndex, int64_t{3});
  EXPECT_THAT(VerifyHloModule(*module).message(), HasSubstr("negate has no such attribute"));
  HloModule lacking("m");
  auto main = std::make_unique<HloComputation>("main");
  HloInstruction* a = main->AddInstruction(HloInstruction::CreateParameter(0, Shape::Scalar(F32), "a"));
  main->AddInstruction(HloInstruction::CreateUnary(Shape::Array(F32, {2}), HloOpcode::kBroadcast, a));
  lacking.AddEntryComputation(std::move(main));
  EXPECT_THAT(VerifyHloModule(lacking).message(), HasSubstr("expected: dimensions=..."));
}

TEST(HloVerifier, LayoutsArePermutations) {
  auto module = Unverified("ENTRY main { ROOT a = f32[2,2] parameter(0) }");
  module->entry_computation()->root_instruction()->mutable_shape()->set_layout(Layout({0, 0}));
  EXPECT_THAT(VerifyHloModule(*module).message(), HasSubstr("the layout must name each dimension once"));
}

TEST(HloVerifier, NeedsAnEntry) {
  EXPECT_THAT(VerifyHloModule(HloModule("m")).message(), HasSubstr("the module has no entry computation"));
}

}  // namespace
}  // namespace xla
