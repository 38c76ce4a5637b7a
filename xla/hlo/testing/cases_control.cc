// Tuples, whatever runs another computation, order between effects, and operations in two halves on one device.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

// A computation that reverses a vector of three.
std::string Reversal(const std::string& name, std::string_view t) {
  return fmt::format("@{0} {{ x = {1}[3] parameter(0)  ROOT y = {1}[3] reverse(x), dimensions={{0}} }}\n", name, t);
}

Array Reversed(const Array& x) {
  Array result = x;
  std::reverse(result.values.begin(), result.values.end());
  return result;
}

// Counts an s32 to three, and reverses or swaps as often.
std::string Loop(std::string_view t) {
  return fmt::format(
      "@again {{ s = (s32[], {0}[3], {0}[3]) parameter(0)  i = s32[] get-tuple-element(s), index=0\n"
      "  n = s32[] constant(3)  ROOT p = pred[] compare(i, n), direction=LT }}\n"
      "@body {{ s = (s32[], {0}[3], {0}[3]) parameter(0)  i = s32[] get-tuple-element(s), index=0\n"
      "  a = {0}[3] get-tuple-element(s), index=1  b = {0}[3] get-tuple-element(s), index=2\n"
      "  one = s32[] constant(1)  next = s32[] add(i, one)  r = {0}[3] reverse(a), dimensions={{0}}\n"
      "  ROOT t = (s32[], {0}[3], {0}[3]) tuple(next, b, r) }}\n",
      t);
}

struct Row {
  HloOpcode opcode;
  std::string_view body;          // {0}: the element type; takes @0 and @1, two vectors of three
  std::string_view computations;  // likewise; "reverse": a reversal @f
  bool reverses;                  // the result is @0 reversed; else @0
};
constexpr Row kRows[] = {
    {HloOpcode::kTuple, "  @t = ({0}[3], {0}[3]) tuple(@1, @0)\n  @r = {0}[3] get-tuple-element(@t), index=1", "",
     false},
    {HloOpcode::kGetTupleElement, "  @t = ({0}[3], {0}[3]) tuple(@1, @0)\n  @r = {0}[3] get-tuple-element(@t), index=1",
     "", false},
    {HloOpcode::kCall, "  @r = {0}[3] call(@0), to_apply=@f", "reverse", true},
    {HloOpcode::kFusion, "  @r = {0}[3] fusion(@0), kind=kLoop, calls=@f", "reverse", true},
    {HloOpcode::kOptimizationBarrier, "  @r = {0}[3] opt-barrier(@0)", "", false},
    {HloOpcode::kAfterAll, "  @t = token[] after-all()\n  @r = {0}[3] add-dependency(@0, @t)", "", false},
    {HloOpcode::kAddDependency, "  @t = token[] after-all()\n  @r = {0}[3] add-dependency(@0, @t)", "", false},
    {HloOpcode::kCustomCall, "  @r = {0}[3] custom-call(@0), custom_call_target=\"Sharding\"", "", false},
    {HloOpcode::kCopyStart, "  @s = ({0}[3], {0}[3], u32[]) copy-start(@0)\n  @r = {0}[3] copy-done(@s)", "", false},
    {HloOpcode::kCopyDone, "  @s = ({0}[3], {0}[3], u32[]) copy-start(@0)\n  @r = {0}[3] copy-done(@s)", "", false},
    {HloOpcode::kAsyncStart, "  @s = (({0}[3]), {0}[3], u32[]) async-start(@0), calls=@f\n  @r = {0}[3] async-done(@s)",
     "reverse", true},
    {HloOpcode::kAsyncUpdate,
     "  @s = (({0}[3]), {0}[3], u32[]) async-start(@0), calls=@f\n"
     "  @u = (({0}[3]), {0}[3], u32[]) async-update(@s)\n  @r = {0}[3] async-done(@u)",
     "reverse", true},
    {HloOpcode::kAsyncDone, "  @s = (({0}[3]), {0}[3], u32[]) async-start(@0), calls=@f\n  @r = {0}[3] async-done(@s)",
     "reverse", true},
};

std::vector<Literal> TwoInputs(PrimitiveType type) {
  return {Encode(ModerateArray(type, {3}, 1)), Encode(ModerateArray(type, {3}, 2))};
}

}  // namespace

void ControlCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  const Row* row = kRows;
  while (row->opcode != opcode) ++row;
  const std::string_view t = PrimitiveTypeName(type);
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  one.body = fmt::format(fmt::runtime(row->body), t);
  one.computations = row->computations == "reverse" ? Reversal("f", t) : "";
  one.inputs = TwoInputs(type);
  one.formula = OneResult([row](std::span<const Array> x) { return row->reverses ? Reversed(x[0]) : x[0]; });
  out.push_back(std::move(one));
}

// (s32, a, b) -> (i + 1, b, a reversed), three times: b reversed, and a reversed twice.
void WhileCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  const std::string_view t = PrimitiveTypeName(type);
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  one.computations = Loop(t);
  one.body = fmt::format(
      "  @zero = s32[] constant(0)\n  @s = (s32[], {0}[3], {0}[3]) tuple(@zero, @0, @1)\n"
      "  @w = (s32[], {0}[3], {0}[3]) while(@s), condition=@again, body=@body\n"
      "  @r = {0}[3] get-tuple-element(@w), index=1",
      t);
  one.inputs = TwoInputs(type);
  one.formula = OneResult([](std::span<const Array> x) {
    Array a = x[0], b = x[1];
    for (int i = 0; i < 3; ++i) {
      const Array reversed = Reversed(a);
      a = b;
      b = reversed;
    }
    return a;
  });
  out.push_back(std::move(one));
}

void ConditionalCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  const std::string_view t = PrimitiveTypeName(type);
  const std::string branches =
      Reversal("f", t) + fmt::format("@g {{ x = {0}[3] parameter(0)  ROOT y = {0}[3] copy(x) }}\n", t);
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  one.computations = branches;
  for (const int64_t chosen : {0, 1, 7}) {
    one.variant = fmt::format("branch {}", chosen);
    one.body = fmt::format("  @r = {0}[3] conditional(@0, @1, @2), branch_computations={{@f, @g}}", t);
    one.inputs = TwoInputs(type);
    one.inputs.insert(one.inputs.begin(), Encode({S32, {}, {Value::Int(chosen)}}));
    // A number without a branch means the last one.
    one.formula = OneResult([=](std::span<const Array> x) { return chosen == 0 ? Reversed(x[1]) : x[2]; });
    out.push_back(one);
  }
  for (const bool chosen : {false, true}) {
    one.variant = fmt::format("branch {}", chosen);
    one.body = fmt::format("  @r = {0}[3] conditional(@0, @1, @2), true_computation=@f, false_computation=@g", t);
    one.inputs[0] = Encode({PRED, {}, {Value::Int(chosen)}});
    one.formula = OneResult([=](std::span<const Array> x) { return chosen ? Reversed(x[1]) : x[2]; });
    out.push_back(one);
  }
}

// Element by element, through a computation that is not elementwise in itself: (x, y) -> (y, x)[1] + x.
void MapCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  const std::string_view t = PrimitiveTypeName(type);
  OpcodeCase one = OneLine(opcode, type, type, {2, 5}, "map(@0, @1), dimensions={0,1}, to_apply=@f");
  one.computations = fmt::format(
      "@f {{ x = {0}[] parameter(0)  y = {0}[] parameter(1)  t = ({0}[], {0}[]) tuple(y, x)\n"
      "  g = {0}[] get-tuple-element(t), index=1  ROOT z = {0}[] add(g, y) }}\n",
      t);
  one.inputs = {Encode(ModerateArray(type, {2, 5}, 1)), Encode(ModerateArray(type, {2, 5}, 2))};
  one.formula = OneResult([=](std::span<const Array> x) {
    return MakeArray(type, {2, 5}, [&](const Dims& i) {
      const Value &a = At(x[0], i), &b = At(x[1], i);
      return Value{.integer = a.integer + b.integer, .re = a.re + b.re, .im = a.im + b.im};
    });
  });
  out.push_back(std::move(one));
}

}  // namespace xla::opcode_cases
