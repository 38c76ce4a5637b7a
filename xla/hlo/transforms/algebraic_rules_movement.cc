// Rules on shapes: broadcast, reshape, transpose, slices, tuples, trivial reductions.
#include <algorithm>
#include <optional>

#include "xla/hlo/transforms/algebraic_rules.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

HloInstruction* Add(HloInstruction& where, std::unique_ptr<HloInstruction> instruction) {
  return where.parent()->AddInstruction(std::move(instruction));
}

// The operand, if the result has its dimensions: what the rules for "changes nothing" give.
HloInstruction* OperandIfSameDimensions(HloInstruction& instruction) {
  HloInstruction* operand = instruction.mutable_operand(0);
  return ShapeUtil::SameDimensions(operand->shape(), instruction.shape()) ? operand : nullptr;
}

HloInstruction* CopyIdentity(HloInstruction& copy) { return copy.mutable_operand(0); }

HloInstruction* ReshapeIdentity(HloInstruction& reshape) { return OperandIfSameDimensions(reshape); }

HloInstruction* ReshapeOfReshape(HloInstruction& outer) {
  HloInstruction* inner = outer.mutable_operand(0);
  if (inner->opcode() != HloOpcode::kReshape) return nullptr;
  return Add(outer, HloInstruction::CreateReshape(outer.shape(), inner->mutable_operand(0)));
}

bool IsIdentity(const Dims& permutation) { return std::is_sorted(permutation.begin(), permutation.end()); }

HloInstruction* TransposeIdentity(HloInstruction& transpose) {
  return IsIdentity(transpose.dimensions()) ? transpose.mutable_operand(0) : nullptr;
}

HloInstruction* TransposeOfTranspose(HloInstruction& outer) {
  HloInstruction* inner = outer.mutable_operand(0);
  if (inner->opcode() != HloOpcode::kTranspose) return nullptr;
  Dims dimensions;
  for (int64_t dimension : outer.dimensions()) dimensions.push_back(inner->dimensions()[dimension]);
  return Add(outer, HloInstruction::CreateTranspose(outer.shape(), inner->mutable_operand(0), std::move(dimensions)));
}

HloInstruction* BroadcastIdentity(HloInstruction& broadcast) { return OperandIfSameDimensions(broadcast); }

HloInstruction* BroadcastOfBroadcast(HloInstruction& outer) {
  HloInstruction* inner = outer.mutable_operand(0);
  if (inner->opcode() != HloOpcode::kBroadcast) return nullptr;
  Dims dimensions;
  for (int64_t dimension : inner->dimensions()) dimensions.push_back(outer.dimensions()[dimension]);
  return Add(outer, HloInstruction::CreateBroadcast(outer.shape(), inner->mutable_operand(0), std::move(dimensions)));
}

Dims WithoutOnes(const Dims& dimensions) {
  Dims kept;
  for (int64_t size : dimensions) {
    if (size != 1) kept.push_back(size);
  }
  return kept;
}

// The numbers of the dimensions that are not 1.
Dims NontrivialDimensions(const Shape& shape) {
  Dims numbers;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (shape.dimensions(i) != 1) numbers.push_back(i);
  }
  return numbers;
}

// reshape(broadcast(x)) where the reshape adds or drops dimensions of size 1 only. The dimensions that x fills and that
// are not 1 move along with the others of the result.
HloInstruction* ReshapeOfBroadcast(HloInstruction& reshape) {
  HloInstruction* broadcast = reshape.mutable_operand(0);
  if (broadcast->opcode() != HloOpcode::kBroadcast) return nullptr;
  if (WithoutOnes(broadcast->shape().dimensions()) != WithoutOnes(reshape.shape().dimensions())) return nullptr;
  HloInstruction* source = broadcast->mutable_operand(0);
  const Dims before = NontrivialDimensions(broadcast->shape());
  const Dims after = NontrivialDimensions(reshape.shape());
  Dims dimensions;
  for (int64_t dimension : broadcast->dimensions()) {
    const auto at = std::find(before.begin(), before.end(), dimension);
    if (at != before.end()) dimensions.push_back(after[at - before.begin()]);
  }
  if (static_cast<int64_t>(dimensions.size()) != source->shape().rank()) {
    const Shape squeezed = Shape::Array(source->shape().element_type(), WithoutOnes(source->shape().dimensions()));
    source = Add(reshape, HloInstruction::CreateReshape(squeezed, source));
  }
  return Add(reshape, HloInstruction::CreateBroadcast(reshape.shape(), source, std::move(dimensions)));
}

// broadcast(reshape(x)) where the reshape adds dimensions of size 1 only: x can be broadcast itself, since the
// broadcast puts those dimensions into dimensions of size 1.
HloInstruction* BroadcastOfReshape(HloInstruction& broadcast) {
  HloInstruction* reshape = broadcast.mutable_operand(0);
  if (reshape->opcode() != HloOpcode::kReshape) return nullptr;
  HloInstruction* source = reshape->mutable_operand(0);
  Dims dimensions;
  int64_t next = 0;  // dimension of the source
  for (int64_t i = 0; i < reshape->shape().rank(); ++i) {
    const bool matches =
        next < source->shape().rank() && source->shape().dimensions(next) == reshape->shape().dimensions(i);
    if (matches) {
      dimensions.push_back(broadcast.dimensions()[i]);
      ++next;
    } else if (reshape->shape().dimensions(i) != 1) {
      return nullptr;
    }
  }
  if (next != source->shape().rank()) return nullptr;
  return Add(broadcast, HloInstruction::CreateBroadcast(broadcast.shape(), source, std::move(dimensions)));
}

HloInstruction* BitcastIdentity(HloInstruction& bitcast) {
  HloInstruction* operand = bitcast.mutable_operand(0);
  return operand->shape() == bitcast.shape() ? operand : nullptr;
}

HloInstruction* BitcastOfBitcast(HloInstruction& outer) {
  HloInstruction* inner = outer.mutable_operand(0);
  if (inner->opcode() != HloOpcode::kBitcast) return nullptr;
  return Add(outer, HloInstruction::CreateBitcast(outer.shape(), inner->mutable_operand(0)));
}

// The result has all elements: start 0 and stride 1 follow, except for dimensions of at most one element.
HloInstruction* SliceOfEverything(HloInstruction& slice) { return OperandIfSameDimensions(slice); }

HloInstruction* ConcatenateOfOne(HloInstruction& concatenate) {
  return concatenate.operand_count() == 1 ? concatenate.mutable_operand(0) : nullptr;
}

HloInstruction* PadWithNothing(HloInstruction& pad) {
  const PaddingConfig& config = pad.padding_config();
  const bool is_empty = std::all_of(config.begin(), config.end(),
                                    [](const PaddingDimension& padding) { return padding == PaddingDimension(); });
  return is_empty ? pad.mutable_operand(0) : nullptr;
}

HloInstruction* ReverseOfNothing(HloInstruction& reverse) {
  const auto is_trivial = [&](int64_t dimension) { return reverse.shape().dimensions(dimension) <= 1; };
  const Dims& dimensions = reverse.dimensions();
  return std::all_of(dimensions.begin(), dimensions.end(), is_trivial) ? reverse.mutable_operand(0) : nullptr;
}

HloInstruction* ElementOfTuple(HloInstruction& element) {
  HloInstruction* tuple = element.mutable_operand(0);
  return tuple->opcode() == HloOpcode::kTuple ? tuple->mutable_operand(element.tuple_index()) : nullptr;
}

// The opcode of a computation that is nothing but `op(parameter 0, parameter 1)`.
std::optional<HloOpcode> SingleBinaryOpcode(const HloComputation& computation) {
  const HloInstruction* root = computation.root_instruction();
  const bool fits = computation.num_parameters() == 2 && root->operand_count() == 2 && root->IsElementwise() &&
                    root->attributes().entries().empty() && root->operand(0) == computation.parameter_instruction(0) &&
                    root->operand(1) == computation.parameter_instruction(1);
  return fits ? std::optional(root->opcode()) : std::nullopt;
}

// One element per result: the initial value and that element are combined once. Dropping the initial value as well
// would not be exact: 0 + -0.0 is 0.
HloInstruction* ReduceOfSingleElements(HloInstruction& reduce) {
  if (reduce.operand_count() != 2) return nullptr;
  const Shape& input = reduce.operand(0)->shape();
  for (int64_t dimension : reduce.dimensions()) {
    if (input.dimensions(dimension) != 1) return nullptr;
  }
  const std::optional<HloOpcode> opcode = SingleBinaryOpcode(*reduce.to_apply());
  if (!opcode) return nullptr;
  HloInstruction* element = Add(reduce, HloInstruction::CreateReshape(reduce.shape(), reduce.mutable_operand(0)));
  HloInstruction* initial = Add(reduce, HloInstruction::CreateBroadcast(reduce.shape(), reduce.mutable_operand(1), {}));
  return Add(reduce, HloInstruction::CreateBinary(reduce.shape(), *opcode, initial, element));
}

bool IsEmpty(const HloInstruction& instruction) { return ShapeUtil::ElementsIn(instruction.shape()) == 0; }

HloInstruction* ReduceOfNothing(HloInstruction& reduce) {
  const int64_t arrays = reduce.operand_count() / 2;
  if (!IsEmpty(*reduce.operand(0))) return nullptr;
  const bool is_tuple = reduce.shape().IsTuple();
  std::vector<HloInstruction*> results;
  for (int64_t i = 0; i < arrays; ++i) {
    const Shape& shape = is_tuple ? reduce.shape().tuple_shapes()[i] : reduce.shape();
    results.push_back(Add(reduce, HloInstruction::CreateBroadcast(shape, reduce.mutable_operand(arrays + i), {})));
  }
  return is_tuple ? Add(reduce, HloInstruction::CreateTuple(results)) : results[0];
}

HloInstruction* DotOfNothing(HloInstruction& dot) {
  if (!IsEmpty(*dot.operand(0)) && !IsEmpty(*dot.operand(1))) return nullptr;
  HloInstruction* zero =
      Add(dot, HloInstruction::CreateConstant(Literal::Zeros(Shape::Scalar(dot.shape().element_type()))));
  return Add(dot, HloInstruction::CreateBroadcast(dot.shape(), zero, {}));
}

constexpr RewriteRule kRules[] = {
    {"copy_identity", "copy(x) = x", HloOpcode::kCopy, &CopyIdentity},
    {"reshape_identity", "reshape<S>(x: S) = x", HloOpcode::kReshape, &ReshapeIdentity},
    {"reshape_of_reshape", "reshape(reshape(x)) = reshape(x)", HloOpcode::kReshape, &ReshapeOfReshape},
    {"reshape_of_broadcast", "reshape(broadcast(x)) = broadcast(x) if only 1s come or go", HloOpcode::kReshape,
     &ReshapeOfBroadcast},
    {"transpose_identity", "transpose<0,1,..>(x) = x", HloOpcode::kTranspose, &TransposeIdentity},
    {"transpose_of_transpose", "transpose<p>(transpose<q>(x)) = transpose<q[p]>(x)", HloOpcode::kTranspose,
     &TransposeOfTranspose},
    {"broadcast_identity", "broadcast<S>(x: S) = x", HloOpcode::kBroadcast, &BroadcastIdentity},
    {"broadcast_of_broadcast", "broadcast<p>(broadcast<q>(x)) = broadcast<p[q]>(x)", HloOpcode::kBroadcast,
     &BroadcastOfBroadcast},
    {"broadcast_of_reshape", "broadcast(reshape(x)) = broadcast(x) if the reshape only adds 1s", HloOpcode::kBroadcast,
     &BroadcastOfReshape},
    {"bitcast_identity", "bitcast<S>(x: S) = x", HloOpcode::kBitcast, &BitcastIdentity},
    {"bitcast_of_bitcast", "bitcast(bitcast(x)) = bitcast(x)", HloOpcode::kBitcast, &BitcastOfBitcast},
    {"slice_of_everything", "x[0:n] = x", HloOpcode::kSlice, &SliceOfEverything},
    {"concatenate_of_one", "concatenate(x) = x", HloOpcode::kConcatenate, &ConcatenateOfOne},
    {"pad_with_nothing", "pad<0_0>(x) = x", HloOpcode::kPad, &PadWithNothing},
    {"reverse_of_nothing", "reverse of dimensions of one element = x", HloOpcode::kReverse, &ReverseOfNothing},
    {"element_of_tuple", "(a, b)[0] = a", HloOpcode::kGetTupleElement, &ElementOfTuple},
    {"reduce_of_single_elements", "reduce<op>(x: [n,1], init) = op(init, reshape(x))", HloOpcode::kReduce,
     &ReduceOfSingleElements},
    {"reduce_of_nothing", "reduce<op>(x: [n,0], init) = broadcast(init)", HloOpcode::kReduce, &ReduceOfNothing},
    {"dot_of_nothing", "dot(x: [m,0], y: [0,n]) = broadcast(0)", HloOpcode::kDot, &DotOfNothing},
};

}  // namespace

std::span<const RewriteRule> MovementRules() { return kRules; }

}  // namespace xla
