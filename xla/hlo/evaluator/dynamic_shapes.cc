#include "xla/hlo/evaluator/dynamic_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "xla/hlo/evaluator/values.h"
#include "xla/hlo/ir/dynamic_dimensions.h"
#include "xla/hlo/ir/shape_rules.h"

namespace xla::evaluator {
namespace {

using Dims = std::vector<int64_t>;

// What is in both stays, the rest is zero.
Literal Resized(const Literal& array, const Dims& dimensions) {
  if (array.shape().dimensions() == dimensions) return array;
  Literal result = Literal::Zeros(Shape::Array(array.shape().element_type(), dimensions));
  const int width = ByteWidth(array.shape().element_type());
  Dims common(dimensions.size());
  for (size_t i = 0; i < common.size(); ++i) common[i] = std::min(dimensions[i], array.shape().dimensions()[i]);
  if (std::find(common.begin(), common.end(), 0) != common.end()) return result;
  IndexCounter place(common);
  do {
    int64_t from = 0, to = 0;
    for (size_t i = 0; i < common.size(); ++i) {
      from = from * array.shape().dimensions()[i] + place.index()[i];
      to = to * dimensions[i] + place.index()[i];
    }
    std::memcpy(result.mutable_bytes().data() + to * width, array.bytes().data() + from * width, width);
  } while (place.Next());
  return result;
}

const Shape& Declared(const HloInstruction& instruction, int64_t operand) {
  return instruction.operand(operand)->shape();
}

// The operands with the sizes that they have for this opcode.
class StaticOperands {
 public:
  StaticOperands(const HloInstruction& instruction, Operands operands) : instruction_(instruction) {
    for (const Literal* operand : operands) values.push_back(*operand);
  }

  std::vector<Literal> values;

  // Static operands are cut to the sizes of dynamic ones; dynamic ones must agree.
  Status Tie() {
    for (const DimensionSources& tied : TiedDimensionsOf(instruction_)) {
      const DimensionSource* decides = nullptr;
      for (const DimensionSource& source : tied) {
        if (!Declared(instruction_, source.operand).is_dynamic_dimension(source.dimension)) continue;
        if (decides != nullptr && SizeOf(source) != SizeOf(*decides)) {
          return NotEvaluable(instruction_,
                              fmt::format("dimension {} of operand {} has the size {}, and dimension {} of operand {} "
                                          "the size {}",
                                          decides->dimension, decides->operand, SizeOf(*decides), source.dimension,
                                          source.operand, SizeOf(source)));
        }
        if (decides == nullptr) decides = &source;
      }
      if (decides == nullptr) continue;
      for (const DimensionSource& source : tied) Resize(source.operand, source.dimension, SizeOf(*decides));
    }
    return OkStatus();
  }

  void Resize(int64_t operand, int64_t dimension, int64_t size) {
    Dims dimensions = values[operand].shape().dimensions();
    dimensions[dimension] = size;
    values[operand] = Resized(values[operand], dimensions);
  }
  void ResizeToBounds(int64_t operand) {
    values[operand] = Resized(values[operand], Declared(instruction_, operand).dimensions());
  }
  int64_t SizeOf(const DimensionSource& source) const {
    return values[source.operand].shape().dimensions(source.dimension);
  }

 private:
  const HloInstruction& instruction_;
};

// Attributes that name whole dimensions name what there is of them; parts are of what there could be.
void AdaptToSizes(const HloInstruction& instruction, StaticOperands& operands, HloInstruction& adapted) {
  const auto adapt = [&](auto list, const auto& is_whole, const auto& set_size, AttributeId id) {
    const Shape& declared = Declared(instruction, 0);
    for (int64_t i = 0; i < declared.rank(); ++i) {
      if (!declared.is_dynamic_dimension(i)) continue;
      if (is_whole(list[i], declared.dimensions(i))) {
        set_size(list[i], operands.SizeOf({0, i}));
      } else {
        operands.Resize(0, i, declared.dimensions(i));
      }
    }
    adapted.SetAttribute(id, std::move(list));
  };
  const auto is_size = [](int64_t size, int64_t whole) { return size == whole; };
  const auto set = [](int64_t& to, int64_t size) { to = size; };
  switch (instruction.opcode()) {
    case HloOpcode::kSlice:
      adapt(
          instruction.slice_ranges(), [](const SliceRange& r, int64_t whole) { return r == SliceRange{0, whole, 1}; },
          [](SliceRange& range, int64_t size) { range.limit = size; }, AttributeId::kSlice);
      break;
    case HloOpcode::kDynamicSlice:
      adapt(instruction.dynamic_slice_sizes(), is_size, set, AttributeId::kDynamicSliceSizes);
      break;
    case HloOpcode::kGather:
      adapt(instruction.slice_sizes(), is_size, set, AttributeId::kSliceSizes);
      break;
    default:
      break;
  }
}

// Results that are an operand with other elements: it may be updated where it has none yet, without effect.
bool UpdatesOperands(HloOpcode opcode) {
  return opcode == HloOpcode::kDynamicUpdateSlice || opcode == HloOpcode::kScatter;
}

Shape StaticShape(const HloInstruction& instruction, const StaticOperands& operands) {
  Shape shape = instruction.shape();
  if (!shape.IsArray()) return shape;
  Dims dimensions = shape.dimensions();
  const std::vector<DimensionSources> sources = *DimensionSourcesOf(instruction);
  for (size_t i = 0; i < dimensions.size() && i < sources.size(); ++i) {
    for (const DimensionSource& source : sources[i]) {
      if (Declared(instruction, source.operand).is_dynamic_dimension(source.dimension))
        dimensions[i] = operands.SizeOf(source);
    }
  }
  return Shape::Array(shape.element_type(), std::move(dimensions));
}

StatusOr<Literal> EvaluateAsStatic(const HloInstruction& instruction, Operands literals, EvalFn* evaluate) {
  StaticOperands operands(instruction, literals);
  RETURN_IF_ERROR(operands.Tie());
  HloComputation computation(instruction.parent()->name());
  std::unique_ptr<HloInstruction> adapted = instruction.CloneWithNewOperands(StaticShape(instruction, operands), {});
  AdaptToSizes(instruction, operands, *adapted);
  if (UpdatesOperands(instruction.opcode())) {
    const int64_t inputs = instruction.opcode() == HloOpcode::kScatter ? instruction.input_count() : 1;
    for (int64_t i = 0; i < inputs; ++i) operands.ResizeToBounds(i);
  }
  std::vector<HloInstruction*> parameters;
  std::vector<const Literal*> pointers;
  for (const Literal& value : operands.values) {
    const auto number = static_cast<int64_t>(parameters.size());
    parameters.push_back(computation.AddInstruction(HloInstruction::CreateParameter(number, value.shape(), ""),
                                                    fmt::format("operand.{}", number)));
    pointers.push_back(&value);
  }
  HloInstruction* const twin =
      computation.AddInstruction(adapted->CloneWithNewOperands(adapted->shape(), parameters), instruction.name());
  const ShapeRuleResult rule = InfoOf(instruction.opcode()).shape_rule(*twin);
  if (rule.problem()) {
    return NotEvaluable(instruction,
                        fmt::format("with the sizes at hand, {}: {}", rule.problem()->what, rule.problem()->found));
  }
  *twin->mutable_shape() = rule.shape();
  ASSIGN_OR_RETURN(Literal result, evaluate(*twin, pointers));
  if (!UpdatesOperands(instruction.opcode())) return result;
  if (!result.shape().IsTuple()) return Resized(result, literals[0]->shape().dimensions());
  for (size_t i = 0; i < result.tuple_elements().size(); ++i) {
    Literal& element = result.mutable_tuple_elements()[i];
    element = Resized(element, literals[i]->shape().dimensions());
  }
  return Literal::Tuple(std::move(result.mutable_tuple_elements()));
}

StatusOr<Literal> SetDimensionSize(const HloInstruction& instruction, Operands operands) {
  const int64_t dimension = instruction.dimensions()[0];
  const int64_t bound = instruction.shape().dimensions(dimension);
  const int64_t size = operands[1]->GetAsInt64(0);
  if (size < 0 || size > bound) {
    return NotEvaluable(instruction, fmt::format("a dimension of at most {} cannot have the size {}", bound, size));
  }
  Dims dimensions = operands[0]->shape().dimensions();
  dimensions[dimension] = size;
  Literal result = Resized(*operands[0], dimensions);
  if (instruction.shape().is_dynamic_dimension(dimension)) return result;
  dimensions[dimension] = bound;
  return Resized(result, dimensions);
}

// The elements of a value with other dimensions.
StatusOr<Literal> Reshaped(const HloInstruction& instruction, const Literal& value, Dims dimensions) {
  const Shape shape = Shape::Array(value.shape().element_type(), dimensions);
  if (!ShapeUtil::IsValueOf(shape, instruction.shape()) || shape.dimensions() != dimensions ||
      ShapeUtil::ElementsIn(shape) != value.element_count()) {
    return NotEvaluable(
        instruction, fmt::format("{} elements cannot become [{}]", value.element_count(), fmt::join(dimensions, ",")));
  }
  Literal result = value;
  result.set_shape(shape);
  return result;
}

StatusOr<Literal> DynamicReshape(const HloInstruction& instruction, Operands operands) {
  Dims dimensions;
  for (size_t i = 1; i < operands.size(); ++i) dimensions.push_back(operands[i]->GetAsInt64(0));
  return Reshaped(instruction, *operands[0], std::move(dimensions));
}

// Neighbouring dimensions of operand and result that hold the same elements, by their bounds.
struct ReshapeGroup {
  int64_t operand_begin = 0, operand_end = 0, result_begin = 0, result_end = 0;
};
std::vector<ReshapeGroup> ReshapeGroups(const Dims& operand, const Dims& result) {
  std::vector<ReshapeGroup> groups;
  const auto from = static_cast<int64_t>(operand.size()), to = static_cast<int64_t>(result.size());
  ReshapeGroup group;
  int64_t of_operand = 1, of_result = 1;
  while (group.operand_end < from || group.result_end < to) {
    const bool take_operand = group.result_end == to || (group.operand_end < from && of_operand <= of_result);
    if (take_operand) {
      of_operand *= operand[group.operand_end++];
    } else {
      of_result *= result[group.result_end++];
    }
    if (of_operand != of_result || of_operand == 0) continue;
    groups.push_back(group);
    group.operand_begin = group.operand_end;
    group.result_begin = group.result_end;
    of_operand = of_result = 1;
  }
  if (group.operand_begin < from || group.result_begin < to) groups.push_back(group);
  return groups;
}

// A dynamic dimension of the result has what its group has left for it.
StatusOr<Literal> Reshape(const HloInstruction& instruction, const Literal& operand) {
  Dims dimensions = instruction.shape().dimensions();
  std::vector<ReshapeGroup> groups = ReshapeGroups(Declared(instruction, 0).dimensions(), dimensions);
  int64_t dynamic_dimensions = 0;
  for (int64_t i = 0; i < instruction.shape().rank(); ++i)
    dynamic_dimensions += instruction.shape().is_dynamic_dimension(i) ? 1 : 0;
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (dynamic_dimensions == 1) groups = {{0, operand.shape().rank(), 0, rank}};
  for (const ReshapeGroup& group : groups) {
    int64_t elements = 1, others = 1, free = -1;
    for (int64_t i = group.operand_begin; i < group.operand_end; ++i) elements *= operand.shape().dimensions(i);
    for (int64_t i = group.result_begin; i < group.result_end; ++i) {
      const bool is_free = instruction.shape().is_dynamic_dimension(i);
      if (is_free && free >= 0) {
        return NotEvaluable(instruction, fmt::format("the sizes of dimensions {} and {} both depend on the operand's, "
                                                     "which does not say how",
                                                     free, i));
      }
      if (is_free) free = i;
      if (!is_free) others *= dimensions[i];
    }
    if (free >= 0) dimensions[free] = others == 0 ? 0 : elements / others;
  }
  return Reshaped(instruction, operand, std::move(dimensions));
}

// Opcodes that hand on whole values, whatever their sizes, and those that ask for a size.
bool TakesAnySize(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kCall:
    case HloOpcode::kFusion:
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kInfeed:
    case HloOpcode::kOutfeed:
    case HloOpcode::kGetDimensionSize:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool HasDynamicShapes(const HloInstruction& instruction) {
  return instruction.shape().IsDynamic() ||
         std::any_of(instruction.operands().begin(), instruction.operands().end(),
                     [](const HloInstruction* operand) { return operand->shape().IsDynamic(); });
}

StatusOr<Literal> EvaluateDynamic(const HloInstruction& instruction, Operands operands, EvalFn* evaluate) {
  if (TakesAnySize(instruction.opcode())) return evaluate(instruction, operands);
  if (instruction.opcode() == HloOpcode::kSetDimensionSize) return SetDimensionSize(instruction, operands);
  if (instruction.opcode() == HloOpcode::kDynamicReshape) return DynamicReshape(instruction, operands);
  if (instruction.opcode() == HloOpcode::kReshape) return Reshape(instruction, *operands[0]);
  if (DimensionSourcesOf(instruction)) return EvaluateAsStatic(instruction, operands, evaluate);
  return NotEvaluable(
      instruction, fmt::format("the evaluator has no {} of dynamic dimensions", HloOpcodeString(instruction.opcode())));
}

// Without a dynamic dimension, too.
StatusOr<Literal> Eval_kSetDimensionSize(const HloInstruction& instruction, Operands operands) {
  return SetDimensionSize(instruction, operands);
}
StatusOr<Literal> Eval_kDynamicReshape(const HloInstruction& instruction, Operands operands) {
  return DynamicReshape(instruction, operands);
}

}  // namespace xla::evaluator
