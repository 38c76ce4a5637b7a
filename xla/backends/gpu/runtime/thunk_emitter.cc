#include "xla/backends/gpu/runtime/thunk_emitter.h"

#include "xla/backends/gpu/codegen/triton_call.h"

namespace xla::gpu {
namespace {

class ThunkEmitter {
 public:
  ThunkEmitter(const BufferAssignment& buffers, const KernelLaunches& launches)
      : buffers_(buffers), launches_(launches) {}

  StatusOr<ThunkSequence> Emit(const HloComputation& computation) {
    ThunkSequence out;
    for (const HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
      RETURN_IF_ERROR(Emit(*instruction, out));
    }
    return out;
  }

 private:
  Status Emit(const HloInstruction& instruction, ThunkSequence& out) {
    switch (instruction.opcode()) {
      case HloOpcode::kFusion:
        EmitKernel(instruction, ArgumentsOf(instruction), out);
        return OkStatus();
      case HloOpcode::kCustomCall:
        return EmitCustomCall(instruction, out);
      case HloOpcode::kCopy:
        EmitCopies(instruction, *instruction.operand(0), out);
        return OkStatus();
      case HloOpcode::kWhile:
        return EmitWhile(instruction, out);
      case HloOpcode::kConditional:
        return EmitConditional(instruction, out);
      case HloOpcode::kCall: {
        ASSIGN_OR_RETURN(ThunkSequence callee, Emit(*instruction.to_apply()));
        for (auto& thunk : callee) out.push_back(std::move(thunk));
        return OkStatus();
      }
      default:
        return OkStatus();  // a view
    }
  }

  // The operands, then the results.
  std::vector<BufferSlice> ArgumentsOf(const HloInstruction& instruction) const {
    std::vector<BufferSlice> arguments;
    for (const HloInstruction* operand : instruction.operands()) {
      for (const BufferSlice& slice : buffers_.SlicesOf(*operand)) arguments.push_back(slice);
    }
    for (const BufferSlice& slice : buffers_.SlicesOf(instruction)) arguments.push_back(slice);
    return arguments;
  }

  // A result that is an operand as well begins as a copy of it, which then takes the operand's place.
  Status EmitCustomCall(const HloInstruction& call, ThunkSequence& out) {
    ASSIGN_OR_RETURN(const std::vector<AliasedOperand> aliases, AliasedOperandsOf(call));
    std::vector<BufferSlice> arguments = ArgumentsOf(call);
    for (const auto& [result, operand] : aliases) {
      const BufferSlice& place = arguments[call.operand_count() + result];
      out.push_back(std::make_unique<CopyThunk>(arguments[operand], place));
      arguments[operand] = place;
    }
    EmitKernel(call, std::move(arguments), out);
    return OkStatus();
  }

  void EmitKernel(const HloInstruction& instruction, std::vector<BufferSlice> arguments, ThunkSequence& out) {
    auto launch = launches_.find(&instruction);
    if (launch == launches_.end()) return;  // nothing to compute
    const auto& [kernel, grid, info] = launch->second;
    se::LaunchDimensions dims;
    dims.blocks.x = grid[0];
    dims.blocks.y = grid[1];
    dims.blocks.z = grid[2];
    dims.threads.x = info.threads_per_block;
    out.push_back(std::make_unique<KernelThunk>(kernel, std::move(arguments), dims, info.shared_bytes));
  }

  void EmitCopies(const HloInstruction& to, const HloInstruction& from, ThunkSequence& out) {
    std::vector<BufferSlice> target = buffers_.SlicesOf(to), source = buffers_.SlicesOf(from);
    for (size_t i = 0; i < target.size(); ++i) {
      if (source[i] != target[i]) out.push_back(std::make_unique<CopyThunk>(source[i], target[i]));
    }
  }

  Status EmitWhile(const HloInstruction& loop, ThunkSequence& out) {
    EmitCopies(loop, *loop.operand(0), out);
    ASSIGN_OR_RETURN(ThunkSequence condition, Emit(*loop.while_condition()));
    ASSIGN_OR_RETURN(ThunkSequence body, Emit(*loop.while_body()));
    EmitCopies(loop, *loop.while_body()->root_instruction(), body);
    BufferSlice predicate = buffers_.SlicesOf(*loop.while_condition()->root_instruction())[0];
    out.push_back(std::make_unique<WhileThunk>(loop.name(), std::make_unique<SequentialThunk>(std::move(condition)),
                                               predicate, std::make_unique<SequentialThunk>(std::move(body))));
    return OkStatus();
  }

  Status EmitConditional(const HloInstruction& conditional, ThunkSequence& out) {
    ThunkSequence branches;
    for (int64_t i = 0; i < conditional.branch_count(); ++i) {
      const HloComputation& branch = *conditional.branch_computation(i);
      ASSIGN_OR_RETURN(ThunkSequence thunks, Emit(branch));
      EmitCopies(conditional, *branch.root_instruction(), thunks);
      branches.push_back(std::make_unique<SequentialThunk>(std::move(thunks)));
    }
    bool is_pred = conditional.operand(0)->shape().element_type() == PRED;
    out.push_back(std::make_unique<ConditionalThunk>(
        buffers_.SlicesOf(*conditional.operand(0))[0],
        is_pred ? ConditionalThunk::IndexType::kPred : ConditionalThunk::IndexType::kS32, std::move(branches)));
    return OkStatus();
  }

  const BufferAssignment& buffers_;
  const KernelLaunches& launches_;
};

}  // namespace

StatusOr<std::unique_ptr<Thunk>> EmitThunks(const HloModule& module, const BufferAssignment& buffers,
                                            const KernelLaunches& launches) {
  ASSIGN_OR_RETURN(ThunkSequence thunks, ThunkEmitter(buffers, launches).Emit(*module.entry_computation()));
  return std::unique_ptr<Thunk>(std::make_unique<SequentialThunk>(std::move(thunks)));
}

}  // namespace xla::gpu
