// Opcodes that move elements: which element of which operand stands at each index of the result.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

// The element of the operands that goes to `index`.
using Source = std::function<Value(std::span<const Array> inputs, const Dims& index)>;

void AddMove(HloOpcode opcode, PrimitiveType type, const std::vector<Dims>& operands, const Dims& result,
             const std::string& attributes, const Source& source, std::vector<OpcodeCase>& out,
             const std::string& variant = "") {
  OpcodeCase one = OneLine(opcode, type, type, result, Call(opcode, static_cast<int>(operands.size())) + attributes);
  one.variant = variant;
  for (const Dims& dims : operands) one.inputs.push_back(Encode(ModerateArray(type, dims, one.inputs.size())));
  one.formula = OneResult([=](std::span<const Array> inputs) {
    return MakeArray(type, result, [&](const Dims& index) { return source(inputs, index); });
  });
  out.push_back(std::move(one));
}

// Start indices of integer type `index_type`: inside, far outside, and negative where there are such.
std::vector<Integer> Starts(PrimitiveType index_type) {
  const int bits = BitWidth(index_type);
  if (IsSigned(index_type)) return {-(Integer{1} << (bits - 1)), (Integer{1} << (bits - 1)) - 1};
  return {1, (Integer{1} << bits) - 1};
}

int64_t Clamped(Integer start, int64_t last) { return static_cast<int64_t>(std::clamp<Integer>(start, 0, last)); }

// A slice of {2, 3} of an array of {5, 7}, taken or replaced at the start indices.
void AddDynamic(HloOpcode opcode, PrimitiveType counted, PrimitiveType type, PrimitiveType index_type,
                std::vector<OpcodeCase>& out) {
  const bool update = opcode == HloOpcode::kDynamicUpdateSlice;
  const int first_index = update ? 2 : 1;
  OpcodeCase one = OneLine(opcode, counted, type, update ? Dims{5, 7} : Dims{2, 3},
                           Call(opcode, first_index + 2) + (update ? "" : ", dynamic_slice_sizes={2,3}"));
  one.variant = fmt::format("at {}", PrimitiveTypeName(index_type));
  one.inputs.push_back(Encode(ModerateArray(type, {5, 7}, 1)));
  if (update) one.inputs.push_back(Encode(ModerateArray(type, {2, 3}, 2)));
  for (const Integer start : Starts(index_type)) one.inputs.push_back(Encode({index_type, {}, {Value::Int(start)}}));
  one.formula = OneResult([=](std::span<const Array> inputs) {
    const int64_t row = Clamped(inputs[first_index][0].integer, 3);
    const int64_t column = Clamped(inputs[first_index + 1][0].integer, 4);
    if (!update) {
      return MakeArray(type, {2, 3}, [&](const Dims& i) { return At(inputs[0], {row + i[0], column + i[1]}); });
    }
    return MakeArray(type, {5, 7}, [&](const Dims& i) {
      const Dims inside = {i[0] - row, i[1] - column};
      const bool replaced = inside[0] >= 0 && inside[0] < 2 && inside[1] >= 0 && inside[1] < 3;
      return replaced ? At(inputs[1], inside) : At(inputs[0], i);
    });
  });
  out.push_back(std::move(one));
}

}  // namespace

void IotaCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  for (const int64_t along : {0, 1}) {
    OpcodeCase one = OneLine(opcode, type, type, {9, 20}, fmt::format("iota(), iota_dimension={}", along));
    one.variant = fmt::format("iota_dimension={}", along);
    one.formula = OneResult([=](std::span<const Array>) {
      return MakeArray(type, {9, 20},
                       [&](const Dims& i) { return Value{.integer = i[along], .re = static_cast<Real>(i[along])}; });
    });
    out.push_back(std::move(one));
  }
}

void MovementCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  const auto add = [&](const std::vector<Dims>& operands, const Dims& result, const std::string& attributes,
                       const Source& source) {
    AddMove(opcode, type, operands, result, attributes, source, out, attributes.empty() ? "" : attributes.substr(2));
  };
  using Inputs = std::span<const Array>;
  switch (opcode) {
    case HloOpcode::kBroadcast:
      add({{3}}, {2, 3, 4}, ", dimensions={1}", [](Inputs x, const Dims& i) { return At(x[0], {i[1]}); });
      add({{}}, {5}, ", dimensions={}", [](Inputs x, const Dims&) { return x[0][0]; });
      return;
    case HloOpcode::kConcatenate:
      add({{2, 3}, {2, 1}, {2, 4}}, {2, 8}, ", dimensions={1}", [](Inputs x, const Dims& i) {
        if (i[1] < 3) return At(x[0], i);
        return i[1] == 3 ? At(x[1], {i[0], 0}) : At(x[2], {i[0], i[1] - 4});
      });
      return;
    case HloOpcode::kPad:
      add({{3, 4}, {}}, {6, 8}, ", padding=1_2_0x-1_2_1", [](Inputs x, const Dims& i) {
        const int64_t row = i[0] - 1, spread = i[1] + 1;
        const bool inside = row >= 0 && row < 3 && spread % 2 == 0 && spread / 2 < 4;
        return inside ? At(x[0], {row, spread / 2}) : x[1][0];
      });
      return;
    case HloOpcode::kReshape:
      add({{3, 4}}, {2, 6}, "", [](Inputs x, const Dims& i) { return x[0][i[0] * 6 + i[1]]; });
      return;
    case HloOpcode::kReverse:
      add({{3, 4}}, {3, 4}, ", dimensions={0,1}",
          [](Inputs x, const Dims& i) { return At(x[0], {2 - i[0], 3 - i[1]}); });
      return;
    case HloOpcode::kSlice:
      add({{4, 9}}, {2, 3}, ", slice={[1:3], [0:9:3]}",
          [](Inputs x, const Dims& i) { return At(x[0], {1 + i[0], 3 * i[1]}); });
      return;
    case HloOpcode::kTranspose:
      add({{2, 3, 4}}, {4, 2, 3}, ", dimensions={2,0,1}",
          [](Inputs x, const Dims& i) { return At(x[0], {i[1], i[2], i[0]}); });
      return;
    default:
      return;
  }
}

void DynamicSliceCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  AddDynamic(opcode, type, type, S32, out);
  if (IsInteger(type) && type != S32) AddDynamic(opcode, type, F32, type, out);
}

// Views and copies whose result lies in memory in another order.
void LayoutCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  const bool copies = opcode == HloOpcode::kCopy;
  const std::string_view name = PrimitiveTypeName(type);
  one.body = copies ? fmt::format("  @r = {}[3,4]{{0,1}} copy(@0)", name)
                    : fmt::format("  @r = {}[4,3]{{0,1}} bitcast(@0)", name);
  one.inputs = {Encode(ModerateArray(type, {3, 4}, 1))};
  one.formula = OneResult([=](std::span<const Array> x) {
    if (copies) return x[0];
    // Element [i,j] of the result is number 4 j + i in memory, as element [j,i] of the operand is.
    return MakeArray(type, {4, 3}, [&](const Dims& i) { return At(x[0], {i[1], i[0]}); });
  });
  out.push_back(std::move(one));
}

void GetDimensionSizeCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  OpcodeCase one = OneLine(opcode, type, S32, {}, Call(opcode, 1) + ", dimensions={1}");
  one.inputs = {Encode(ModerateArray(type, {3, 4}, 1))};
  one.formula = OneResult([](std::span<const Array>) { return Array{S32, {}, {Value::Int(4)}}; });
  out.push_back(std::move(one));
}

// The text of a constant gives its bits.
void ConstantCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  const Literal literal = IsComplex(type) ? ComplexPoints(type, false) : VectorOf(type, InterestingCodes(type, 40));
  OpcodeCase one = OneLine(opcode, type, type, literal.shape().dimensions(),
                           fmt::format("constant({})", literal.ToStringWithoutShape()));
  one.formula = OneResult([=](std::span<const Array>) { return Decode(literal); });
  out.push_back(std::move(one));
}

void ParameterCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  OpcodeCase one = OneLine(opcode, type, type, {3, 4}, "copy(@0)");
  one.inputs = {Encode(ModerateArray(type, {3, 4}, 1))};
  one.formula = OneResult([](std::span<const Array> x) { return x[0]; });
  out.push_back(std::move(one));
}

}  // namespace xla::opcode_cases
