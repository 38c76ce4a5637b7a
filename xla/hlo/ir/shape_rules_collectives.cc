// Shape rules of operations between devices.
#include <set>

#include "xla/hlo/ir/collectives.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

const HloModuleConfig& ConfigOf(const HloInstruction& instruction) {
  static const HloModuleConfig kNone;
  const HloComputation* computation = instruction.parent();
  return computation == nullptr || computation->parent() == nullptr ? kNone : computation->parent()->config();
}

// Groups of at least one device, each in one of them.
Problem CheckGroups(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  if (instruction.operand_count() == 0) return Wrong("a collective moves at least one array", "no operands", "one");
  std::set<int64_t> seen;
  const auto groups = instruction.attributes().Get<ReplicaGroups>(AttributeId::kReplicaGroups);
  for (const std::vector<int64_t>& group : groups.groups) {
    for (const int64_t member : group) {
      if (member >= 0 && seen.insert(member).second) continue;
      return Wrong("the replica groups are no groups", fmt::format("{} in {}", member, groups.text),
                   "each number in one group, and no negative ones");
    }
    if (group.empty()) return Wrong("a replica group is empty", groups.text, "at least one device in each");
  }
  const bool is_global = instruction.attributes().Get<bool>(AttributeId::kUseGlobalDeviceIds);
  if (is_global && !instruction.attributes().Has(AttributeId::kChannelId)) {
    return Wrong("use_global_device_ids needs a channel", "no channel_id", "channel_id=... (a positive number)");
  }
  return std::nullopt;
}

// Where operands are cut or joined, all groups have one size.
Problem CheckEqualGroups(const HloInstruction& instruction) {
  const auto groups = instruction.attributes().Get<ReplicaGroups>(AttributeId::kReplicaGroups);
  for (const std::vector<int64_t>& group : groups.groups) {
    if (group.size() == groups.groups[0].size()) continue;
    return Wrong("the replica groups differ in size", groups.text, "as many devices in each group");
  }
  return std::nullopt;
}

// dimensions={d}, a dimension of every operand.
Problem CheckOneDimension(const HloInstruction& instruction) {
  const std::vector<int64_t>& dimensions = instruction.dimensions();
  if (dimensions.size() != 1) {
    return Wrong("this collective works along one dimension", fmt::format("{{{}}}", fmt::join(dimensions, ",")),
                 "dimensions={d}");
  }
  for (const Shape& shape : OperandShapes(instruction)) {
    RETURN_IF_PROBLEM(CheckDimensionList("dimensions", dimensions, shape.rank()));
  }
  return std::nullopt;
}

Problem CheckReducer(const HloInstruction& instruction) {
  const HloComputation& reducer = *instruction.attributes().Get<HloComputation*>(AttributeId::kToApply);
  for (const Shape& shape : OperandShapes(instruction)) {
    RETURN_IF_PROBLEM(CheckCombiner("to_apply", reducer, {Shape::Scalar(shape.element_type())}));
  }
  return std::nullopt;
}

// The operand with one dimension cut into as many parts as the group has members.
ShapeRuleResult CutShape(const Shape& shape, int64_t dimension, int64_t members) {
  if (shape.dimensions(dimension) % members != 0) {
    return Wrong(fmt::format("dimension {} cannot be cut into equal parts for the devices of a group", dimension),
                 fmt::format("{} for {} devices", shape.ToString(), members), fmt::format("a multiple of {}", members));
  }
  std::vector<int64_t> dimensions = shape.dimensions();
  dimensions[dimension] /= members;
  return Shape::Array(shape.element_type(), std::move(dimensions));
}

}  // namespace

ShapeRuleResult AllReduceShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckGroups(instruction));
  RETURN_IF_PROBLEM(CheckReducer(instruction));
  return OneOrTuple(OperandShapes(instruction));
}

ShapeRuleResult AllGatherShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckGroups(instruction));
  RETURN_IF_PROBLEM(CheckEqualGroups(instruction));
  RETURN_IF_PROBLEM(CheckOneDimension(instruction));
  const int64_t dimension = instruction.dimensions()[0], members = GroupSizeOf(instruction, ConfigOf(instruction));
  std::vector<Shape> results;
  for (const Shape& shape : OperandShapes(instruction)) {
    std::vector<int64_t> dimensions = shape.dimensions();
    if (__builtin_mul_overflow(dimensions[dimension], members, &dimensions[dimension])) {
      return Wrong("the gathered array is too large", shape.ToString(), "at most 2^63 elements");
    }
    results.push_back(Shape::Array(shape.element_type(), std::move(dimensions)));
  }
  return OneOrTuple(std::move(results));
}

ShapeRuleResult ReduceScatterShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckGroups(instruction));
  RETURN_IF_PROBLEM(CheckEqualGroups(instruction));
  RETURN_IF_PROBLEM(CheckOneDimension(instruction));
  RETURN_IF_PROBLEM(CheckReducer(instruction));
  std::vector<Shape> results;
  for (const Shape& shape : OperandShapes(instruction)) {
    const ShapeRuleResult cut =
        CutShape(shape, instruction.dimensions()[0], GroupSizeOf(instruction, ConfigOf(instruction)));
    if (cut.problem()) return cut;
    results.push_back(cut.shape());
  }
  return OneOrTuple(std::move(results));
}

// With a dimension: one array, cut along it. Without: one operand and one result for each member.
ShapeRuleResult AllToAllShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckGroups(instruction));
  RETURN_IF_PROBLEM(CheckEqualGroups(instruction));
  const int64_t members = GroupSizeOf(instruction, ConfigOf(instruction));
  if (instruction.attributes().Has(AttributeId::kDimensions)) {
    RETURN_IF_PROBLEM(CheckOneDimension(instruction));
    if (instruction.operand_count() != 1) {
      return Wrong("all-to-all along a dimension takes one array",
                   fmt::format("{} operands", instruction.operand_count()), "1");
    }
    const ShapeRuleResult cut = CutShape(OperandShape(instruction, 0), instruction.dimensions()[0], members);
    return cut.problem() ? cut : ShapeRuleResult(OperandShape(instruction, 0));
  }
  const std::vector<Shape> shapes = OperandShapes(instruction);
  const bool alike = std::all_of(shapes.begin(), shapes.end(),
                                 [&](const Shape& shape) { return ShapeUtil::Compatible(shape, shapes[0]); });
  if (!alike || static_cast<int64_t>(shapes.size()) != members) {
    return Wrong("all-to-all of tuples takes one array for each device of a group", ShapesText(shapes),
                 fmt::format("{} arrays of one shape", members));
  }
  return Shape::Tuple(shapes);
}

// Operands: input, output, and lists with as many entries for each device of a group.
ShapeRuleResult RaggedAllToAllShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckGroups(instruction));
  RETURN_IF_PROBLEM(CheckEqualGroups(instruction));
  const Shape& input = OperandShape(instruction, 0);
  const Shape& output = OperandShape(instruction, 1);
  bool fits = input.rank() > 0 && input.rank() == output.rank() && input.element_type() == output.element_type();
  for (int64_t i = 1; fits && i < input.rank(); ++i) fits = input.dimensions(i) == output.dimensions(i);
  if (!fits) {
    return Wrong("the input and the output of ragged-all-to-all do not fit together", ShapesText({input, output}),
                 "arrays of one type that differ in dimension 0 only");
  }
  const int64_t members = GroupSizeOf(instruction, ConfigOf(instruction));
  for (int64_t i = 2; i < 6; ++i) {
    const Shape& list = OperandShape(instruction, i);
    if (ShapeUtil::Compatible(list, OperandShape(instruction, 2)) && list.rank() == 1 &&
        IsInteger(list.element_type()) && list.dimensions(0) % members == 0) {
      continue;
    }
    return Wrong(fmt::format("operand {} of ragged-all-to-all must be a list of offsets or sizes", i), list.ToString(),
                 fmt::format("integers, as many as operand 2 has: a multiple of {}, the devices of a group", members));
  }
  return output;
}

ShapeRuleResult CollectiveBroadcastShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckGroups(instruction));
  return OneOrTuple(OperandShapes(instruction));
}

ShapeRuleResult CollectivePermuteShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  std::set<int64_t> sources, targets;
  for (const auto& [source, target] :
       instruction.attributes().Get<SourceTargetPairs>(AttributeId::kSourceTargetPairs)) {
    if (source >= 0 && target >= 0 && sources.insert(source).second && targets.insert(target).second) continue;
    return Wrong("the pairs of collective-permute do not fit together", fmt::format("{{{},{}}}", source, target),
                 "each source once and each target once, and no negative numbers");
  }
  return OneOrTuple(OperandShapes(instruction));
}

}  // namespace xla::shape_rules
