// EntryLayouts, TupleLayouts, OutputCopies, FlattenCallGraph: what holds at the borders of a module and of the
// computations it runs.
#include <functional>
#include <unordered_set>

#include "xla/backends/gpu/transforms/control_flow.h"
#include "xla/backends/gpu/transforms/passes.h"

namespace xla::gpu {
namespace {

// Gives `to` the layouts of `from`, leaf by leaf; true if something changed.
bool TakeLayouts(const Shape& from, Shape* to) {
  if (*to == from) return false;
  *to = from;
  return true;
}

HloInstruction* AddCopy(HloComputation& computation, HloInstruction* operand, const Shape& shape) {
  return computation.AddInstruction(HloInstruction::CreateUnary(shape, HloOpcode::kCopy, operand));
}

// Rebuilds `root` with each array replaced by what `replace` gives for it (the leaf's number counts up). Null:
// unchanged.
using ReplaceLeaf = std::function<HloInstruction*(HloInstruction* leaf, int64_t number)>;
HloInstruction* RebuildLeaves(HloComputation& computation, HloInstruction* root, const ReplaceLeaf& replace,
                              int64_t& number) {
  if (!root->shape().IsTuple()) return replace(root, number++);
  std::vector<HloInstruction*> elements;
  bool changed = false;
  for (size_t i = 0; i < root->shape().tuple_shapes().size(); ++i) {
    HloInstruction* element =
        root->opcode() == HloOpcode::kTuple
            ? root->mutable_operand(static_cast<int64_t>(i))
            : computation.AddInstruction(HloInstruction::CreateGetTupleElement(root, static_cast<int64_t>(i)));
    HloInstruction* rebuilt = RebuildLeaves(computation, element, replace, number);
    changed = changed || rebuilt != nullptr;
    elements.push_back(rebuilt ? rebuilt : element);
  }
  return changed ? computation.AddInstruction(HloInstruction::CreateTuple(elements)) : nullptr;
}

Changed ReplaceRootLeaves(HloComputation& computation, const ReplaceLeaf& replace) {
  int64_t number = 0;
  HloInstruction* root = RebuildLeaves(computation, computation.root_instruction(), replace, number);
  if (root == nullptr) return Changed::kNo;
  computation.set_root_instruction(root);
  return Changed::kYes;
}

void AppendLeafShapes(const Shape& shape, std::vector<Shape>& out) {
  if (!shape.IsTuple()) return out.push_back(shape);
  for (const Shape& element : shape.tuple_shapes()) AppendLeafShapes(element, out);
}

// The instruction that writes the array which `leaf` is a view of.
const HloInstruction* WriterOf(const HloInstruction* leaf) {
  while (leaf->opcode() == HloOpcode::kBitcast) leaf = leaf->operand(0);
  return leaf;
}

}  // namespace

StatusOr<Changed> EntryLayouts::Run(HloModule& module, const PassContext&) {
  if (!module.config().entry_computation_layout) return Changed::kNo;
  const ProgramShape& declared = *module.config().entry_computation_layout;
  HloComputation& entry = *module.entry_computation();
  Changed changed = Changed::kNo;
  for (int64_t i = 0; i < entry.num_parameters(); ++i) {
    HloInstruction* parameter = entry.parameter_instruction(i);
    if (TakeLayouts(declared.parameters[i], parameter->mutable_shape())) changed = Changed::kYes;
  }
  std::vector<Shape> wanted;
  AppendLeafShapes(declared.result, wanted);
  Changed results = ReplaceRootLeaves(entry, [&](HloInstruction* leaf, int64_t number) -> HloInstruction* {
    return leaf->shape() == wanted[number] ? nullptr : AddCopy(entry, leaf, wanted[number]);
  });
  return changed == Changed::kYes ? changed : results;
}

namespace {

// Copies operand `i`, an array, into the layout of `wanted`, unless it has it.
Changed CopyOperandInto(const Shape& wanted, HloInstruction* user, int64_t i) {
  HloInstruction* operand = user->mutable_operand(i);
  if (!wanted.IsArray() || operand->shape() == wanted) return Changed::kNo;
  user->ReplaceOperandWith(i, AddCopy(*user->parent(), operand, wanted));
  return Changed::kYes;
}

// An element that is read in another layout than the tuple has it in is read as it is, and copied.
StatusOr<Changed> CopyElement(HloInstruction* element) {
  const Shape wanted = element->shape();
  const Shape& there = element->operand(0)->shape().tuple_shapes(element->tuple_index());
  if (!wanted.IsArray() || wanted == there) return Changed::kNo;
  HloComputation& computation = *element->parent();
  HloInstruction* read = computation.AddInstruction(
      HloInstruction::CreateGetTupleElement(element->mutable_operand(0), element->tuple_index()));
  RETURN_IF_ERROR(computation.ReplaceInstruction(element, AddCopy(computation, read, wanted)));
  return Changed::kYes;
}

StatusOr<Changed> CopyAtBorders(HloInstruction* instruction) {
  Changed changed = Changed::kNo;
  switch (instruction->opcode()) {
    case HloOpcode::kTuple:
      for (int64_t i = 0; i < instruction->operand_count(); ++i) {
        changed |= CopyOperandInto(instruction->shape().tuple_shapes(i), instruction, i);
      }
      return changed;
    case HloOpcode::kGetTupleElement:
      return CopyElement(instruction);
    case HloOpcode::kWhile:
      return CopyOperandInto(instruction->shape(), instruction, 0);
    case HloOpcode::kConditional:
      for (int64_t i = 0; i < instruction->branch_count(); ++i) {
        const HloInstruction* parameter = instruction->branch_computation(i)->parameter_instruction(0);
        changed |= CopyOperandInto(parameter->shape(), instruction, i + 1);
      }
      return changed;
    case HloOpcode::kCall:
      for (int64_t i = 0; i < instruction->operand_count(); ++i) {
        changed |= CopyOperandInto(instruction->to_apply()->parameter_instruction(i)->shape(), instruction, i);
      }
      return changed;
    default:
      return changed;
  }
}

}  // namespace

StatusOr<Changed> TupleLayouts::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : ControlFlowComputations(module)) {
    for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
      ASSIGN_OR_RETURN(const Changed one, CopyAtBorders(instruction));
      changed |= one;
    }
  }
  return changed;
}

// Runs after fusion. Every array that the entry returns is then written by a kernel or copy of its own.
StatusOr<Changed> OutputCopies::Run(HloModule& module, const PassContext&) {
  HloComputation& entry = *module.entry_computation();
  std::unordered_set<const HloInstruction*> written;
  Changed changed = ReplaceRootLeaves(entry, [&](HloInstruction* leaf, int64_t) -> HloInstruction* {
    const HloInstruction* writer = WriterOf(leaf);
    bool is_own = (writer->opcode() == HloOpcode::kFusion || writer->opcode() == HloOpcode::kCopy) &&
                  written.insert(writer).second;
    return is_own ? nullptr : AddCopy(entry, leaf, leaf->shape());
  });
  // A loop's body copies its results back one by one: an array that is still to be overwritten must not be read later.
  for (HloComputation* computation : ControlFlowComputations(module)) {
    for (HloInstruction* loop : computation->instructions()) {
      if (loop->opcode() != HloOpcode::kWhile) continue;
      HloComputation& body = *loop->while_body();
      Changed one = ReplaceRootLeaves(body, [&](HloInstruction* leaf, int64_t number) -> HloInstruction* {
        const HloInstruction* writer = WriterOf(leaf);
        bool is_state = writer->opcode() == HloOpcode::kParameter ||
                        (writer->opcode() == HloOpcode::kGetTupleElement &&
                         writer->operand(0)->opcode() == HloOpcode::kParameter && writer->tuple_index() != number);
        return is_state ? AddCopy(body, leaf, leaf->shape()) : nullptr;
      });
      if (one == Changed::kYes) changed = one;
    }
  }
  return changed;
}

StatusOr<Changed> FlattenCallGraph::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  // Cloning a computation gives what it calls a second caller: repeat until every one has a single caller.
  for (bool again = true; again;) {
    again = false;
    std::unordered_set<const HloComputation*> called;
    for (HloComputation* computation : ControlFlowComputations(module)) {
      for (HloInstruction* instruction : computation->instructions()) {
        HloOpcode opcode = instruction->opcode();
        if (opcode != HloOpcode::kWhile && opcode != HloOpcode::kConditional && opcode != HloOpcode::kCall) continue;
        const AttributeSet attributes = instruction->attributes();  // a copy: they change below
        for (const auto& [id, value] : attributes.entries()) {
          auto own = [&](HloComputation* target) -> HloComputation* {
            if (called.insert(target).second) return target;
            again = true;
            changed = Changed::kYes;
            return module.AddEmbeddedComputation(target->Clone(target->name() + ".clone"));
          };
          if (auto* one = std::get_if<HloComputation*>(&value)) {
            instruction->SetAttribute(id, own(*one));
          } else if (auto* list = std::get_if<std::vector<HloComputation*>>(&value)) {
            std::vector<HloComputation*> owned;
            for (HloComputation* target : *list) owned.push_back(own(target));
            instruction->SetAttribute(id, owned);
          }
        }
      }
    }
  }
  return changed;
}

}  // namespace xla::gpu
