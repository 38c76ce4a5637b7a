// Operations between devices.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/evaluator/array_parts.h"
#include "xla/hlo/evaluator/collectives.h"
#include "xla/hlo/evaluator/device_group.h"
#include "xla/hlo/ir/collectives.h"

namespace xla::evaluator {
namespace {

Literal OneOrTuple(const Shape& shape, std::vector<Literal> results) {
  if (!shape.IsTuple()) {
    results[0].set_shape(shape);
    return std::move(results[0]);
  }
  for (size_t i = 0; i < results.size(); ++i) results[i].set_shape(shape.tuple_shapes(i));
  return Literal::Tuple(std::move(results));
}

// The devices that meet, this one among them, and what they bring.
struct Meeting {
  std::vector<int64_t> members;
  std::vector<Contribution> brought;
  int64_t my_place = 0;
};
StatusOr<Meeting> MeetWith(const HloInstruction& instruction, Operands operands, std::vector<int64_t> members) {
  DeviceContext& device = CurrentDevice();
  const int64_t devices = device.config.replica_count * device.config.num_partitions;
  for (const int64_t member : members) {
    if (member < devices) continue;
    return NotEvaluable(instruction, fmt::format("device {} takes part, but the run has {}", member, devices));
  }
  Meeting meeting;
  meeting.my_place = std::find(members.begin(), members.end(), device.device) - members.begin();
  auto mine = std::make_shared<std::vector<Literal>>();
  for (const Literal* operand : operands) mine->push_back(*operand);
  if (members.size() == 1) {
    meeting.brought = {std::move(mine)};
  } else {
    ASSIGN_OR_RETURN(meeting.brought, device.group->Meet(instruction, members, device.rounds[&instruction]++,
                                                         device.device, std::move(mine)));
  }
  meeting.members = std::move(members);
  return meeting;
}
StatusOr<Meeting> MeetGroup(const HloInstruction& instruction, Operands operands) {
  const DeviceContext& device = CurrentDevice();
  std::vector<int64_t> members = GroupOfDevice(instruction, device.config, device.device);
  if (members.empty()) {
    return NotEvaluable(instruction, fmt::format("device {} is in none of the replica groups", device.device));
  }
  return MeetWith(instruction, operands, std::move(members));
}

// Operand `i` of each member.
std::vector<const Literal*> OperandOfEach(const Meeting& meeting, size_t i) {
  std::vector<const Literal*> all;
  for (const Contribution& contribution : meeting.brought) all.push_back(&(*contribution)[i]);
  return all;
}

// Operand `i` of all members, combined one after the other in the group's order.
StatusOr<Literal> Reduced(const HloInstruction& instruction, const Meeting& meeting, size_t i) {
  const std::vector<const Literal*> all = OperandOfEach(meeting, i);
  const HloComputation& reducer = *instruction.to_apply();
  Literal sum = *all[0];
  for (size_t member = 1; member < all.size(); ++member) {
    const Literal* pair[] = {&sum, all[member]};
    ASSIGN_OR_RETURN(std::vector<Literal> next, ApplyElementwise(reducer, pair));
    sum = std::move(next[0]);
  }
  return sum;
}

}  // namespace

StatusOr<Literal> Eval_kAllReduce(const HloInstruction& instruction, Operands operands) {
  ASSIGN_OR_RETURN(const Meeting meeting, MeetGroup(instruction, operands));
  std::vector<Literal> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    ASSIGN_OR_RETURN(Literal sum, Reduced(instruction, meeting, i));
    results.push_back(std::move(sum));
  }
  return OneOrTuple(instruction.shape(), std::move(results));
}

StatusOr<Literal> Eval_kReduceScatter(const HloInstruction& instruction, Operands operands) {
  ASSIGN_OR_RETURN(const Meeting meeting, MeetGroup(instruction, operands));
  const int64_t dimension = instruction.dimensions()[0];
  std::vector<Literal> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    ASSIGN_OR_RETURN(const Literal sum, Reduced(instruction, meeting, i));
    const int64_t part = sum.shape().dimensions(dimension) / static_cast<int64_t>(meeting.members.size());
    results.push_back(PartOf(sum, dimension, meeting.my_place * part, part));
  }
  return OneOrTuple(instruction.shape(), std::move(results));
}

StatusOr<Literal> AllGather(const HloInstruction& instruction, Operands operands, const Shape& shape) {
  ASSIGN_OR_RETURN(const Meeting meeting, MeetGroup(instruction, operands));
  std::vector<Literal> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Shape& part = shape.IsTuple() ? shape.tuple_shapes(i) : shape;
    results.push_back(Joined(OperandOfEach(meeting, i), instruction.dimensions()[0], part));
  }
  return OneOrTuple(shape, std::move(results));
}
StatusOr<Literal> Eval_kAllGather(const HloInstruction& instruction, Operands operands) {
  return AllGather(instruction, operands, instruction.shape());
}

// Part or operand number i of each member goes to member number i.
StatusOr<Literal> Eval_kAllToAll(const HloInstruction& instruction, Operands operands) {
  ASSIGN_OR_RETURN(const Meeting meeting, MeetGroup(instruction, operands));
  std::vector<Literal> received;
  if (instruction.shape().IsTuple()) {
    for (const Literal* array : OperandOfEach(meeting, meeting.my_place)) received.push_back(*array);
    return OneOrTuple(instruction.shape(), std::move(received));
  }
  const int64_t dimension = instruction.dimensions()[0];
  const int64_t part = operands[0]->shape().dimensions(dimension) / static_cast<int64_t>(meeting.members.size());
  for (const Literal* array : OperandOfEach(meeting, 0)) {
    received.push_back(PartOf(*array, dimension, meeting.my_place * part, part));
  }
  std::vector<const Literal*> pointers;
  for (const Literal& literal : received) pointers.push_back(&literal);
  return Joined(pointers, dimension, instruction.shape());
}

namespace {

// What a member brings to a ragged-all-to-all: input, output, and the lists.
enum RaggedOperand { kInput, kOutput, kInputOffsets, kSendSizes, kOutputOffsets, kReceiveSizes };

// Copies `count` rows of `from`, beginning with `begin`, to `to` at `at`; false if there are no such rows.
bool CopyRows(const Literal& from, int64_t begin, int64_t count, Literal& to, int64_t at) {
  const auto fits = [&](const Literal& array, int64_t first) {
    return first >= 0 && count >= 0 && first <= array.shape().dimensions(0) - count;
  };
  if (!fits(from, begin) || !fits(to, at)) return false;
  if (count == 0) return true;
  const int64_t bytes = static_cast<int64_t>(from.bytes().size()) / from.shape().dimensions(0);
  std::copy_n(from.bytes().begin() + begin * bytes, count * bytes, to.mutable_bytes().begin() + at * bytes);
  return true;
}

}  // namespace

// Member s sends to member r what the entries r * n to r * n + n - 1 of its lists say, n being their number for each
// member; output_offsets are places in r's output. Source: JAX's ragged_all_to_all.
StatusOr<Literal> Eval_kRaggedAllToAll(const HloInstruction& instruction, Operands operands) {
  ASSIGN_OR_RETURN(const Meeting meeting, MeetGroup(instruction, operands));
  Literal output = *operands[kOutput];
  const auto members = static_cast<int64_t>(meeting.members.size());
  const int64_t each = operands[kInputOffsets]->element_count() / members;
  for (int64_t sender = 0; sender < members; ++sender) {
    const std::vector<Literal>& from = *meeting.brought[sender];
    for (int64_t i = 0; i < each; ++i) {
      const int64_t entry = meeting.my_place * each + i;
      const int64_t count = from[kSendSizes].GetAsInt64(entry);
      const int64_t begin = from[kInputOffsets].GetAsInt64(entry), at = from[kOutputOffsets].GetAsInt64(entry);
      const int64_t expected = operands[kReceiveSizes]->GetAsInt64(sender * each + i);
      if (count == expected && CopyRows(from[kInput], begin, count, output, at)) continue;
      return NotEvaluable(
          instruction, fmt::format("member {} sends rows {} to {} to rows {} to {} of member {}, which expects {} rows",
                                   sender, begin, begin + count, at, at + count, meeting.my_place, expected));
    }
  }
  output.set_shape(instruction.shape());
  return output;
}

// All get what the group's first device has.
StatusOr<Literal> Eval_kCollectiveBroadcast(const HloInstruction& instruction, Operands operands) {
  ASSIGN_OR_RETURN(const Meeting meeting, MeetGroup(instruction, operands));
  return OneOrTuple(instruction.shape(), *meeting.brought[0]);
}

// Without a source: zeros.
StatusOr<Literal> CollectivePermute(const HloInstruction& instruction, Operands operands, const Shape& shape) {
  ASSIGN_OR_RETURN(const Meeting meeting, MeetGroup(instruction, operands));  // all devices that the pairs may name
  const DeviceContext& device = CurrentDevice();
  const int64_t source = SourceOfDevice(instruction, device.config, device.device);
  if (source < 0) {
    std::vector<Literal> zeros;
    for (const Literal* operand : operands) zeros.push_back(Literal::Zeros(operand->shape()));
    return OneOrTuple(shape, std::move(zeros));
  }
  const auto place = std::find(meeting.members.begin(), meeting.members.end(), source) - meeting.members.begin();
  if (place == static_cast<int64_t>(meeting.members.size())) {
    return NotEvaluable(instruction, fmt::format("it receives from device {}, which the run does not have", source));
  }
  return OneOrTuple(shape, *meeting.brought[place]);
}
StatusOr<Literal> Eval_kCollectivePermute(const HloInstruction& instruction, Operands operands) {
  return CollectivePermute(instruction, operands, instruction.shape());
}

// --- where the program runs

StatusOr<Literal> Eval_kPartitionId(const HloInstruction& instruction, Operands) {
  const DeviceContext& device = CurrentDevice();
  Literal id = Literal::Zeros(instruction.shape());
  id.SetFromInt64(0, device.device % device.config.num_partitions);
  return id;
}
StatusOr<Literal> Eval_kReplicaId(const HloInstruction& instruction, Operands) {
  const DeviceContext& device = CurrentDevice();
  Literal id = Literal::Zeros(instruction.shape());
  id.SetFromInt64(0, device.device / device.config.num_partitions);
  return id;
}

}  // namespace xla::evaluator
