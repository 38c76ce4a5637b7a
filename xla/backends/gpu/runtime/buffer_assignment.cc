#include "xla/backends/gpu/runtime/buffer_assignment.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"

namespace xla::gpu {
namespace {

constexpr uint64_t kAlignment = 256;
constexpr std::string_view kKindNames[] = {"parameter", "output", "constant", "temp"};

uint64_t RoundUp(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

void AppendLeaves(const Shape& shape, std::vector<Shape>& out) {
  if (!shape.IsTuple()) return out.push_back(shape);
  for (const Shape& element : shape.tuple_shapes()) AppendLeaves(element, out);
}

}  // namespace

std::vector<Shape> LeavesOf(const Shape& shape) {
  std::vector<Shape> out;
  AppendLeaves(shape, out);
  return out;
}

std::string BufferSlice::ToString() const {
  std::string_view name = kKindNames[static_cast<int>(kind)];
  if (kind == AllocationKind::kTemp) return fmt::format("{}[{}:{}]", name, offset, offset + size);
  return fmt::format("{} {} [{}:{}]", name, number, offset, offset + size);
}

class BufferAssigner {
 public:
  StatusOr<BufferAssignment> Assign(const HloModule& module) {
    const HloComputation& entry = *module.entry_computation();
    for (const HloInstruction* parameter : entry.parameter_instructions()) {
      std::vector<int64_t> ids;
      for (const Shape& leaf : LeavesOf(parameter->shape())) {
        int64_t number = static_cast<int64_t>(out_.parameter_shapes_.size());
        out_.parameter_shapes_.push_back(leaf);
        ids.push_back(NewFixed(*parameter, leaf, AllocationKind::kParameter, number));
      }
      out_.values_of_[parameter] = ids;
    }
    RETURN_IF_ERROR(Schedule(entry));
    RETURN_IF_ERROR(AssignOutputs(*entry.root_instruction()));
    PlaceTemporaries();
    return std::move(out_);
  }

 private:
  using Ids = std::vector<int64_t>;

  int64_t NewValue(const HloInstruction& instruction, const Shape& leaf, int64_t number) {
    BufferValue value{&instruction, number, leaf, step_, step_, {}};
    value.slice.size = ShapeUtil::ByteSizeOf(leaf);
    out_.values_.push_back(value);
    return static_cast<int64_t>(out_.values_.size()) - 1;
  }
  int64_t NewFixed(const HloInstruction& instruction, const Shape& leaf, AllocationKind kind, int64_t number) {
    int64_t id = NewValue(instruction, leaf, number);
    out_.values_[id].slice.kind = kind;
    out_.values_[id].slice.number = number;
    return id;
  }
  Ids NewValues(const HloInstruction& instruction) {
    Ids ids;
    for (const Shape& leaf : LeavesOf(instruction.shape())) {
      ids.push_back(NewValue(instruction, leaf, static_cast<int64_t>(ids.size())));
    }
    return ids;
  }
  const Ids& IdsOf(const HloInstruction& instruction) { return out_.values_of_[&instruction]; }
  void Use(const HloInstruction& instruction) {
    for (int64_t id : IdsOf(instruction)) out_.values_[id].dies = std::max(out_.values_[id].dies, step_);
  }

  Status Schedule(const HloComputation& computation) {
    for (const HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
      if (instruction->opcode() == HloOpcode::kParameter) continue;  // bound by the caller
      ++step_;
      ASSIGN_OR_RETURN(Ids ids, ValuesOf(*instruction));
      out_.values_of_[instruction] = ids;
      for (const HloInstruction* operand : instruction->operands()) Use(*operand);
    }
    ++step_;  // results are read after the last instruction
    Use(*computation.root_instruction());
    return OkStatus();
  }

  StatusOr<Ids> ValuesOf(const HloInstruction& instruction) {
    switch (instruction.opcode()) {
      case HloOpcode::kFusion:
      case HloOpcode::kCustomCall:
      case HloOpcode::kCopy:
        return NewValues(instruction);
      case HloOpcode::kBitcast:
        return IdsOf(*instruction.operand(0));
      case HloOpcode::kTuple: {
        Ids ids;
        for (const HloInstruction* operand : instruction.operands()) {
          ids.insert(ids.end(), IdsOf(*operand).begin(), IdsOf(*operand).end());
        }
        return ids;
      }
      case HloOpcode::kGetTupleElement:
        return TupleElement(instruction);
      case HloOpcode::kConstant: {
        int64_t number = static_cast<int64_t>(out_.constants_.size());
        out_.constants_.push_back(&instruction);
        return Ids{NewFixed(instruction, instruction.shape(), AllocationKind::kConstant, number)};
      }
      case HloOpcode::kWhile:
        return WhileValues(instruction);
      case HloOpcode::kConditional:
        return ConditionalValues(instruction);
      case HloOpcode::kCall:
        return CallValues(instruction);
      default:
        break;
    }
    return Error(ErrorId::kCompilerUnsupportedOpcode,
                 {.what = fmt::format("'{}' cannot run outside a kernel.", HloOpcodeString(instruction.opcode())),
                  .where = instruction.ToString(),
                  .next = "The pass gpu_fusion puts every instruction that computes into a kernel: was it disabled?"});
  }

  StatusOr<Ids> TupleElement(const HloInstruction& instruction) {
    size_t first = 0;
    const std::vector<Shape>& elements = instruction.operand(0)->shape().tuple_shapes();
    for (int64_t i = 0; i < instruction.tuple_index(); ++i) first += LeavesOf(elements[i]).size();
    const Ids& all = IdsOf(*instruction.operand(0));
    return Ids(all.begin() + first, all.begin() + first + LeavesOf(instruction.shape()).size());
  }

  // The loop's state is the instruction's own arrays: the initial values are copied there, the body reads them, and its
  // results are copied back. Everything alive after the loop lives through it, because its steps lie in between.
  StatusOr<Ids> WhileValues(const HloInstruction& instruction) {
    Ids state = NewValues(instruction);
    for (const HloComputation* called : {instruction.while_condition(), instruction.while_body()}) {
      out_.values_of_[called->parameter_instruction(0)] = state;
      RETURN_IF_ERROR(Schedule(*called));
    }
    ++step_;
    for (int64_t id : state) out_.values_[id].dies = step_;
    return state;
  }

  StatusOr<Ids> ConditionalValues(const HloInstruction& instruction) {
    Ids results = NewValues(instruction);
    for (int64_t i = 0; i < instruction.branch_count(); ++i) {
      const HloComputation& branch = *instruction.branch_computation(i);
      out_.values_of_[branch.parameter_instruction(0)] = IdsOf(*instruction.operand(i + 1));
      RETURN_IF_ERROR(Schedule(branch));
    }
    ++step_;
    for (int64_t id : results) out_.values_[id].dies = step_;
    return results;
  }

  StatusOr<Ids> CallValues(const HloInstruction& instruction) {
    const HloComputation& callee = *instruction.to_apply();
    for (int64_t i = 0; i < instruction.operand_count(); ++i) {
      out_.values_of_[callee.parameter_instruction(i)] = IdsOf(*instruction.operand(i));
    }
    RETURN_IF_ERROR(Schedule(callee));
    return IdsOf(*callee.root_instruction());
  }

  Status AssignOutputs(const HloInstruction& root) {
    out_.output_shapes_ = LeavesOf(root.shape());
    const Ids& ids = IdsOf(root);
    for (size_t i = 0; i < ids.size(); ++i) {
      BufferSlice& slice = out_.values_[ids[i]].slice;
      if (slice.kind != AllocationKind::kTemp) {
        return rocxla::InternalError(
            fmt::format("result {} of the module is {}, not an array of its own", i, slice.ToString()));
      }
      slice.kind = AllocationKind::kOutput;
      slice.number = static_cast<int64_t>(i);
    }
    return OkStatus();
  }

  // Largest first, each at the lowest offset that no array alive at the same time has.
  void PlaceTemporaries() {
    Ids order;
    for (int64_t id = 0; id < static_cast<int64_t>(out_.values_.size()); ++id) {
      if (out_.values_[id].slice.kind == AllocationKind::kTemp && out_.values_[id].slice.size > 0) order.push_back(id);
    }
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      uint64_t x = out_.values_[a].slice.size, y = out_.values_[b].slice.size;
      return x != y ? x > y : a < b;
    });
    Ids placed;  // by offset
    for (int64_t id : order) {
      BufferValue& value = out_.values_[id];
      uint64_t offset = 0;
      for (int64_t other_id : placed) {
        const BufferValue& other = out_.values_[other_id];
        if (other.dies < value.born || value.dies < other.born) continue;
        if (offset + value.slice.size <= other.slice.offset) break;
        offset = std::max(offset, RoundUp(other.slice.offset + other.slice.size));
      }
      value.slice.offset = offset;
      out_.temp_bytes_ = std::max(out_.temp_bytes_, RoundUp(offset + value.slice.size));
      auto at = std::upper_bound(placed.begin(), placed.end(), id, [&](int64_t a, int64_t b) {
        return out_.values_[a].slice.offset < out_.values_[b].slice.offset;
      });
      placed.insert(at, id);
    }
  }

  BufferAssignment out_;
  int64_t step_ = 0;
};

StatusOr<BufferAssignment> BufferAssignment::Create(const HloModule& module) { return BufferAssigner().Assign(module); }

std::vector<BufferSlice> BufferAssignment::SlicesOf(const HloInstruction& instruction) const {
  std::vector<BufferSlice> out;
  if (auto it = values_of_.find(&instruction); it != values_of_.end()) {
    for (int64_t id : it->second) out.push_back(values_[id].slice);
  }
  return out;
}

std::string BufferAssignment::ToString() const {
  std::string out = fmt::format("temp: {} bytes\n", temp_bytes_);
  for (const BufferValue& value : values_) {
    out += fmt::format("{:<28} {} {} alive {} to {}\n", value.slice.ToString(), value.instruction->name(),
                       value.shape.ToStringWithLayout(), value.born, value.dies);
  }
  return out;
}

}  // namespace xla::gpu
