// Tokens, what only the partitioner reads, and single values to and from the host and other devices.
#include <fmt/format.h>

#include "xla/hlo/evaluator/device_group.h"
#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/ir/collectives.h"

namespace xla::evaluator {

// --- order between effects: tokens have no value

StatusOr<Literal> Eval_kAfterAll(const HloInstruction& instruction, Operands) {
  return Literal::FromBytes(instruction.shape(), {});
}
StatusOr<Literal> Eval_kAddDependency(const HloInstruction&, Operands operands) { return *operands[0]; }
StatusOr<Literal> Eval_kDomain(const HloInstruction&, Operands operands) { return *operands[0]; }

namespace {

Literal Token() { return Literal::FromBytes(Shape::Token(), {}); }

Literal ValueAndToken(Literal value) {
  std::vector<Literal> parts;
  parts.push_back(std::move(value));
  parts.push_back(Token());
  return Literal::Tuple(std::move(parts));
}

// (value, context, token).
Literal OnItsWay(Literal value, uint32_t context) {
  std::vector<Literal> parts;
  parts.push_back(std::move(value));
  parts.push_back(Literal::Scalar<uint32_t>(U32, context));
  parts.push_back(Token());
  return Literal::Tuple(std::move(parts));
}

Status RefuseHost(const HloInstruction& instruction) {
  if (!instruction.attributes().Get<bool>(AttributeId::kIsHostTransfer)) return OkStatus();
  return NotEvaluable(instruction, fmt::format("the evaluator has no host that a {} could reach (is_host_transfer)",
                                               HloOpcodeString(instruction.opcode())));
}

int64_t ChannelOf(const HloInstruction& instruction) {
  return instruction.attributes().Get<int64_t>(AttributeId::kChannelId);
}

// The device at the other end of a send or a recv; -1: this one takes no part.
StatusOr<int64_t> OtherEnd(const HloInstruction& instruction) {
  const DeviceContext& device = CurrentDevice();
  const std::optional<SourceTargetPairs> pairs = TransferPairsOf(instruction);
  const bool is_send = instruction.opcode() == HloOpcode::kSend;
  const int64_t devices = device.group == nullptr ? 1 : device.config.replica_count * device.config.num_partitions;
  if (!pairs && devices == 1) return device.device;
  if (!pairs) {
    return NotEvaluable(instruction,
                        "several devices run, and _xla_send_recv_source_target_pairs of frontend_attributes does not "
                        "say which of them take part");
  }
  const int64_t other = is_send ? TransferTargetOf(*pairs, device.config, device.device)
                                : TransferSourceOf(*pairs, device.config, device.device);
  if (other < devices) return other;
  return NotEvaluable(instruction, fmt::format("device {} takes part, but the run has {}", other, devices));
}

}  // namespace

StatusOr<Literal> Eval_kInfeed(const HloInstruction& instruction, Operands) {
  RunState& run = CurrentDevice().run;
  const Shape& shape = instruction.shape().tuple_shapes(0);
  if (run.infeeds_taken == run.options.infeed.size()) {
    return NotEvaluable(instruction, fmt::format("the queue of the infeeds is empty: the caller gave {} values",
                                                 run.options.infeed.size()));
  }
  Literal value = run.options.infeed[run.infeeds_taken++];
  if (!ShapeUtil::IsValueOf(value.shape(), shape)) {
    return NotEvaluable(instruction, fmt::format("value {} of the queue of the infeeds is {}", run.infeeds_taken - 1,
                                                 value.shape().ToString()));
  }
  if (!shape.IsDynamic()) value.set_shape(shape);
  return ValueAndToken(std::move(value));
}

StatusOr<Literal> Eval_kOutfeed(const HloInstruction& instruction, Operands operands) {
  std::vector<Literal>* const out = CurrentDevice().run.options.outfeed;
  if (out == nullptr) return NotEvaluable(instruction, "the caller takes no values of outfeeds");
  out->push_back(*operands[0]);
  return Token();
}

StatusOr<Literal> Eval_kSend(const HloInstruction& instruction, Operands operands) {
  RETURN_IF_ERROR(RefuseHost(instruction));
  ASSIGN_OR_RETURN(const int64_t target, OtherEnd(instruction));
  DeviceContext& device = CurrentDevice();
  if (target >= 0 && device.group == nullptr) device.run.to_self[ChannelOf(instruction)].push_back(*operands[0]);
  if (target >= 0 && device.group != nullptr) {
    device.group->Send({.channel = ChannelOf(instruction), .source = device.device, .target = target}, *operands[0]);
  }
  return OnItsWay(*operands[0], 0);
}
StatusOr<Literal> Eval_kSendDone(const HloInstruction& instruction, Operands) {
  RETURN_IF_ERROR(RefuseHost(instruction));
  return Token();
}

// The value comes when recv-done asks for it. Without a source: zeros.
StatusOr<Literal> Eval_kRecv(const HloInstruction& instruction, Operands) {
  RETURN_IF_ERROR(RefuseHost(instruction));
  ASSIGN_OR_RETURN(const int64_t source, OtherEnd(instruction));
  DeviceContext& device = CurrentDevice();
  std::vector<Route>& receptions = device.run.receptions;
  if (source >= 0) receptions.push_back({.channel = ChannelOf(instruction), .source = source, .target = device.device});
  return OnItsWay(Literal::Zeros(instruction.shape().tuple_shapes(0)),
                  source >= 0 ? static_cast<uint32_t>(receptions.size()) : 0);
}

StatusOr<Literal> Eval_kRecvDone(const HloInstruction& instruction, Operands operands) {
  RETURN_IF_ERROR(RefuseHost(instruction));
  const std::vector<Literal>& parts = operands[0]->tuple_elements();
  DeviceContext& device = CurrentDevice();
  const auto reception = static_cast<size_t>(parts[1].GetAsInt64(0));
  if (reception == 0) return ValueAndToken(parts[0]);
  if (reception > device.run.receptions.size()) {
    return NotEvaluable(instruction, "the context of the recv is not one that a recv of this run gave");
  }
  const Route& route = device.run.receptions[reception - 1];
  Literal value;
  if (device.group != nullptr) {
    ASSIGN_OR_RETURN(value, device.group->Receive(instruction, route));
  } else {
    std::deque<Literal>& waiting = device.run.to_self[route.channel];
    if (waiting.empty()) {
      return NotEvaluable(instruction, fmt::format("no send on channel {} has run before", route.channel));
    }
    value = std::move(waiting.front());
    waiting.pop_front();
  }
  if (!ShapeUtil::Compatible(value.shape(), parts[0].shape())) {
    return NotEvaluable(instruction,
                        fmt::format("what was sent on channel {} is {}", route.channel, value.shape().ToString()));
  }
  value.set_shape(parts[0].shape());
  return ValueAndToken(std::move(value));
}

}  // namespace xla::evaluator
