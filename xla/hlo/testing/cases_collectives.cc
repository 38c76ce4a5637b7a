// Operations between devices: four replicas in two groups, {0, 2} and {1, 3}.
#include <fmt/format.h>

#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

constexpr int64_t kDevices = 4;
constexpr std::string_view kGroups = "replica_groups={{0,2},{1,3}}";
const Dims kShape = {2, 4};

// The members of a device's group, in order; its place among them.
std::pair<int64_t, int64_t> Group(int64_t device) { return {device % 2, device % 2 + 2}; }
int64_t PlaceInGroup(int64_t device) { return device / 2; }

// What device d computes from the inputs of all.
using DeviceFormula = std::function<Array(std::span<const Array> x, int64_t d)>;

Value Sum(PrimitiveType type, const Value& a, const Value& b) {
  return Rounded(type, {.integer = a.integer + b.integer, .re = a.re + b.re, .im = a.im + b.im});
}
Array GroupSum(PrimitiveType type, std::span<const Array> x, int64_t d) {
  const auto [first, second] = Group(d);
  return MakeArray(type, kShape, [&](const Dims& i) { return Sum(type, At(x[first], i), At(x[second], i)); });
}
// [2,8]: the group's arrays beside each other.
Array Gathered(PrimitiveType type, std::span<const Array> x, int64_t d) {
  const auto [first, second] = Group(d);
  return MakeArray(type, {2, 8},
                   [&](const Dims& i) { return i[1] < 4 ? At(x[first], i) : At(x[second], {i[0], i[1] - 4}); });
}
// From device 0 to 1, from 1 to 3; the others get zeros.
Array Permuted(PrimitiveType type, std::span<const Array> x, int64_t d) {
  return MakeArray(type, kShape, [&](const Dims& i) {
    if (d == 1) return At(x[0], i);
    // A code of zero, also for the type whose code zero is no zero.
    return d == 3 ? At(x[1], i) : IsComplex(type) ? Value{} : ValueOfCode(type, 0);
  });
}

struct Pieces {
  std::string body;
  DeviceFormula formula;
};

Pieces PiecesOf(HloOpcode opcode, PrimitiveType type) {
  const std::string shape = ShapeText(type, kShape), wide = ShapeText(type, {2, 8});
  switch (opcode) {
    case HloOpcode::kAllReduce:
      return {fmt::format("  @r = {} all-reduce(@0), {}, to_apply=@f", shape, kGroups),
              [=](std::span<const Array> x, int64_t d) { return GroupSum(type, x, d); }};
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAllReduceDone:
      return {fmt::format("  @s = {0} all-reduce-start(@0), {1}, to_apply=@f\n  @r = {0} all-reduce-done(@s)", shape,
                          kGroups),
              [=](std::span<const Array> x, int64_t d) { return GroupSum(type, x, d); }};
    case HloOpcode::kReduceScatter:
      return {fmt::format("  @r = {} reduce-scatter(@0), {}, dimensions={{1}}, to_apply=@f", ShapeText(type, {2, 2}),
                          kGroups),
              [=](std::span<const Array> x, int64_t d) {
                const Array sum = GroupSum(type, x, d);
                return MakeArray(type, {2, 2},
                                 [&](const Dims& i) { return At(sum, {i[0], i[1] + 2 * PlaceInGroup(d)}); });
              }};
    case HloOpcode::kAllGather:
      return {fmt::format("  @r = {} all-gather(@0), {}, dimensions={{1}}", wide, kGroups),
              [=](std::span<const Array> x, int64_t d) { return Gathered(type, x, d); }};
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllGatherDone:
      return {fmt::format("  @s = ({0}, {1}) all-gather-start(@0), {2}, dimensions={{1}}\n"
                          "  @r = {1} all-gather-done(@s)",
                          shape, wide, kGroups),
              [=](std::span<const Array> x, int64_t d) { return Gathered(type, x, d); }};
    case HloOpcode::kAllToAll:
      return {fmt::format("  @r = {} all-to-all(@0), {}, dimensions={{1}}", shape, kGroups),
              [=](std::span<const Array> x, int64_t d) {
                const auto [first, second] = Group(d);
                return MakeArray(type, kShape, [&](const Dims& i) {
                  const Array& from = x[i[1] < 2 ? first : second];
                  return At(from, {i[0], i[1] % 2 + 2 * PlaceInGroup(d)});
                });
              }};
    case HloOpcode::kCollectiveBroadcast:
      return {fmt::format("  @r = {} collective-broadcast(@0), {}", shape, kGroups),
              [](std::span<const Array> x, int64_t d) { return x[Group(d).first]; }};
    case HloOpcode::kCollectivePermute:
      return {fmt::format("  @r = {} collective-permute(@0), source_target_pairs={{{{0,1}},{{1,3}}}}", shape),
              [=](std::span<const Array> x, int64_t d) { return Permuted(type, x, d); }};
    default:  // its two halves
      return {fmt::format("  @s = ({0}, {0}) collective-permute-start(@0), source_target_pairs={{{{0,1}},{{1,3}}}}\n"
                          "  @r = {0} collective-permute-done(@s)",
                          shape),
              [=](std::span<const Array> x, int64_t d) { return Permuted(type, x, d); }};
  }
}

}  // namespace

void CollectiveCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  Pieces pieces = PiecesOf(opcode, type);
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  one.devices = kDevices;
  one.body = std::move(pieces.body);
  if (one.body.find("@f") != std::string::npos) one.computations = BinaryComputation("f", type, "add");
  for (int64_t d = 0; d < kDevices; ++d) {
    one.inputs.push_back(Encode(ModerateArray(type, kShape, static_cast<uint64_t>(d))));
  }
  one.formula = [formula = std::move(pieces.formula)](std::span<const Array> x) {
    std::vector<Array> results;
    for (int64_t d = 0; d < kDevices; ++d) results.push_back(formula(x, d));
    return results;
  };
  out.push_back(std::move(one));
}

void DeviceIdCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (type != U32) return;
  OpcodeCase one = OneLine(opcode, type, U32, {}, Call(opcode, 0));
  one.devices = kDevices;
  one.formula = [=](std::span<const Array>) {
    std::vector<Array> results;
    for (int64_t d = 0; d < kDevices; ++d) {  // replicas of one partition each
      results.push_back({U32, {}, {Value::Int(opcode == HloOpcode::kReplicaId ? d : 0)}});
    }
    return results;
  };
  out.push_back(std::move(one));
}

}  // namespace xla::opcode_cases
