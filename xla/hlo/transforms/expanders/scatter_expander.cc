// A scatter from the result's side: each element combines the operand with a reduction over all updates that hit it.
//
//   result[row, f] = to_apply(operand[row, f], reduce over m where key[m] = row of updates[m, f])
//
// Rows are the operand's indexed dimensions as one, f the others. Deterministic for every reducer and free of atomics;
// the price is rows x updates comparisons, so it suits updates that are few or operands that are small.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "base/error_ids.h"
#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;
using Arrays = std::vector<HloInstruction*>;

bool Contains(const Dims& list, int64_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

int64_t Product(const Dims& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<int64_t>());
}

// The opcode of a computation op(x, y) or op(y, x) that does not care about their order.
std::optional<HloOpcode> CommutativeOpcode(const HloComputation& computation) {
  const HloInstruction* root = computation.root_instruction();
  if (computation.num_parameters() != 2 || !HasTrait(root->opcode(), op_trait::kCommutative)) return std::nullopt;
  const HloInstruction* x = computation.parameter_instruction(0);
  const HloInstruction* y = computation.parameter_instruction(1);
  const bool fits =
      (root->operand(0) == x && root->operand(1) == y) || (root->operand(0) == y && root->operand(1) == x);
  return fits ? std::optional(root->opcode()) : std::nullopt;
}

// The value that changes nothing under the opcode.
std::optional<Literal> IdentityOf(HloOpcode opcode, PrimitiveType type) {
  Literal value = Literal::Zeros(Shape::Scalar(type));
  const bool is_float = type == F16 || type == BF16 || type == F32 || type == F64;
  const auto lowest = [&] { return type == PRED || IsUnsigned(type) ? 0 : -(int64_t{1} << (BitWidth(type) - 1)); };
  if (!is_float && !IsInteger(type) && type != PRED) return std::nullopt;
  switch (opcode) {
    case HloOpcode::kAdd:
      if (type == PRED) return std::nullopt;
      if (is_float) value.SetFromDouble(0, -0.0);  // 0 + -0.0 would be 0
      return value;
    case HloOpcode::kMultiply:
      value.SetFromInt64(0, 1);
      return value;
    case HloOpcode::kOr:
    case HloOpcode::kXor:
      return is_float ? std::nullopt : std::optional(value);
    case HloOpcode::kAnd:
      value.SetFromInt64(0, type == PRED ? 1 : -1);
      return is_float ? std::nullopt : std::optional(value);
    case HloOpcode::kMaximum:
      if (is_float) value.SetFromDouble(0, -std::numeric_limits<double>::infinity());
      if (!is_float) value.SetFromInt64(0, lowest());
      return value;
    case HloOpcode::kMinimum:
      if (is_float) value.SetFromDouble(0, std::numeric_limits<double>::infinity());
      if (!is_float) value.SetFromInt64(0, type == PRED ? 1 : IsUnsigned(type) ? -1 : ~lowest());
      return value;
    default:
      return std::nullopt;
  }
}

// (any0, x.., any1, y..) -> (any0 | any1, to_apply(x.., y..) where both are there, else the one that is).
StatusOr<HloComputation*> AddOptionalCombiner(const HloInstruction& scatter) {
  const HloComputation& combiner = *scatter.to_apply();
  auto computation = std::make_unique<HloComputation>("combine_if_any");
  GraphWriter w(*computation);
  const int64_t inputs = scatter.input_count();
  Arrays sides[2];
  HloInstruction* any[2];
  for (int side = 0; side < 2; ++side) {
    const int64_t first = side * (inputs + 1);
    any[side] = w.Add(HloInstruction::CreateParameter(first, Shape::Scalar(PRED), ""));
    for (int64_t i = 0; i < inputs; ++i) {
      const Shape scalar = Shape::Scalar(scatter.operand(i)->shape().element_type());
      sides[side].push_back(w.Add(HloInstruction::CreateParameter(first + 1 + i, scalar, "")));
    }
  }
  Arrays arguments = sides[0];
  arguments.insert(arguments.end(), sides[1].begin(), sides[1].end());
  ASSIGN_OR_RETURN(const Arrays combined, w.Apply(combiner, arguments));
  HloInstruction* both = w.Binary(HloOpcode::kAnd, any[0], any[1]);
  Arrays results{w.Binary(HloOpcode::kOr, any[0], any[1])};
  for (int64_t i = 0; i < inputs; ++i) {
    HloInstruction* one = w.Select(any[0], sides[0][i], sides[1][i]);
    results.push_back(w.Select(both, combined[i], one));
  }
  computation->set_root_instruction(w.Add(HloInstruction::CreateTuple(results)));
  return scatter.GetModule()->AddEmbeddedComputation(std::move(computation));
}

class ScatterExpansion {
 public:
  explicit ScatterExpansion(HloInstruction* scatter)
      : scatter_(scatter),
        w_(*scatter->parent()),
        numbers_(scatter->index_dimension_numbers()),
        inputs_(scatter->input_count()),
        operand_(scatter->operand(0)->shape()),
        updates_(scatter->operand(inputs_ + 1)->shape()) {}

  Status Run() {
    Arrays results(scatter_->operands().begin(), scatter_->operands().begin() + inputs_);
    if (ShapeUtil::ElementsIn(updates_) > 0 && ShapeUtil::ElementsIn(operand_) > 0) {
      RETURN_IF_ERROR(Classify());
      HloInstruction* keys = Keys();
      Arrays operands;
      Arrays updates;
      for (int64_t i = 0; i < inputs_; ++i) {
        operands.push_back(Matrix(scatter_->mutable_operand(i)));
        updates.push_back(UpdateMatrix(scatter_->mutable_operand(inputs_ + 1 + i)));
      }
      ASSIGN_OR_RETURN(results, Combined(operands, updates, keys));
      for (HloInstruction*& result : results) result = Unmatrix(result);
    }
    if (!scatter_->shape().IsTuple()) return ReplaceExpanded(scatter_, results[0]);
    return ReplaceExpanded(scatter_, w_.Add(HloInstruction::CreateTuple(results)));
  }

 private:
  bool InWindow(int64_t d) const {
    return !Contains(numbers_.dropped_dims, d) && !Contains(numbers_.operand_batch_dims, d);
  }

  // Sorts the operand's dimensions: those that a window fills become f, the others rows.
  Status Classify() {
    size_t next = 0;
    for (int64_t d = 0; d < operand_.rank(); ++d) {
      const int64_t update_dim = InWindow(d) ? numbers_.window_dims[next++] : -1;
      const int64_t size = update_dim < 0 ? 1 : updates_.dimensions(update_dim);
      window_sizes_.push_back(size);
      update_dims_.push_back(update_dim);
      (update_dim >= 0 && size == operand_.dimensions(d) ? filled_ : rows_).push_back(d);
    }
    for (int64_t d = 0; d < updates_.rank(); ++d) {
      if (!Contains(numbers_.window_dims, d)) places_.push_back(d);
    }
    for (int64_t d : rows_) {
      row_count_ *= operand_.dimensions(d);
      if (update_dims_[d] >= 0) parts_.push_back(d);
    }
    if (row_count_ <= std::numeric_limits<int32_t>::max()) return OkStatus();
    return Error(ErrorId::kCompilerUnsupportedOpcode, {.what = "a scatter into more than 2^31 rows",
                                                       .where = scatter_->ToString(),
                                                       .found = fmt::format("{} rows", row_count_)});
  }

  // The dimensions of a place: those of the indices, then one for each window dimension that is part of a row.
  Dims PlaceSizes() const {
    Dims sizes;
    for (int64_t d : places_) sizes.push_back(updates_.dimensions(d));
    for (int64_t d : parts_) sizes.push_back(window_sizes_[d]);
    return sizes;
  }

  // s32 [updates]: the row of each, -1 where its window leaves the operand.
  HloInstruction* Keys() {
    const Dims sizes = PlaceSizes();
    HloInstruction* row = w_.Splat(w_.Scalar(S32, 0), sizes);
    HloInstruction* inside = nullptr;
    Dims strides(operand_.rank(), 0);
    int64_t stride = 1;
    for (size_t i = rows_.size(); i-- > 0; stride *= operand_.dimensions(rows_[i])) strides[rows_[i]] = stride;
    const auto add = [&](HloInstruction* position, int64_t d) {
      if (strides[d] == 0) return;
      HloInstruction* factor = w_.Splat(w_.Scalar(S32, static_cast<double>(strides[d])), sizes);
      row = w_.Binary(HloOpcode::kAdd, row, w_.Binary(HloOpcode::kMultiply, position, factor));
    };
    for (size_t i = 0; i < numbers_.index_map.size(); ++i) {
      const auto [start, fits] = Start(static_cast<int64_t>(i), sizes);
      add(start, numbers_.index_map[i]);
      inside = inside == nullptr ? fits : w_.Binary(HloOpcode::kAnd, inside, fits);
    }
    for (size_t i = 0; i < numbers_.operand_batch_dims.size(); ++i) {
      add(w_.Iota(sizes, PlaceOf(numbers_.indices_batch_dims[i])), numbers_.operand_batch_dims[i]);
    }
    for (size_t i = 0; i < parts_.size(); ++i) {
      add(w_.Iota(sizes, static_cast<int64_t>(places_.size() + i)), parts_[i]);
    }
    if (inside != nullptr) row = w_.Select(inside, row, w_.Splat(w_.Scalar(S32, -1), sizes));
    return w_.Reshape(row, {Product(sizes)});
  }

  // Which place dimension a dimension of the indices is.
  int64_t PlaceOf(int64_t indices_dim) const {
    return indices_dim < numbers_.index_vector_dim ? indices_dim : indices_dim - 1;
  }

  // Element `i` of each index vector as s32 in the places' shape, and whether the window there fits the operand.
  std::pair<HloInstruction*, HloInstruction*> Start(int64_t i, const Dims& sizes) {
    HloInstruction* indices = scatter_->mutable_operand(inputs_);
    Dims dimensions = indices->shape().dimensions();
    if (numbers_.index_vector_dim < indices->shape().rank()) {
      indices = w_.Slice(indices, numbers_.index_vector_dim, i, i + 1);
      dimensions.erase(dimensions.begin() + numbers_.index_vector_dim);
      indices = w_.Reshape(indices, dimensions);
    }
    const PrimitiveType type = indices->shape().element_type();
    const int64_t d = numbers_.index_map[i];
    const int64_t last = operand_.dimensions(d) - window_sizes_[d];
    HloInstruction* fits = w_.Splat(w_.Constant(Literal::Scalar<bool>(PRED, true)), dimensions);
    if (!IsUnsigned(type)) fits = w_.Compare(ComparisonDirection::kGe, indices, Limit(type, 0, dimensions));
    const bool type_reaches = BitWidth(type) - (IsUnsigned(type) ? 0 : 1) >= 63 ||
                              last < (int64_t{1} << (BitWidth(type) - (IsUnsigned(type) ? 0 : 1))) - 1;
    if (type_reaches) {
      HloInstruction* below = w_.Compare(ComparisonDirection::kLe, indices, Limit(type, last, dimensions));
      fits = w_.Binary(HloOpcode::kAnd, fits, below);
    }
    Dims places(dimensions.size());
    std::iota(places.begin(), places.end(), 0);
    HloInstruction* start = w_.Broadcast(w_.Convert(indices, S32), sizes, places);
    return {start, w_.Broadcast(fits, sizes, places)};
  }

  HloInstruction* Limit(PrimitiveType type, int64_t value, const Dims& dimensions) {
    Literal literal = Literal::Zeros(Shape::Scalar(type));
    literal.SetFromInt64(0, value);
    return w_.Splat(w_.Constant(std::move(literal)), dimensions);
  }

  Dims OperandOrder() const {
    Dims order = rows_;
    order.insert(order.end(), filled_.begin(), filled_.end());
    return order;
  }

  // [rows, f].
  HloInstruction* Matrix(HloInstruction* operand) {
    return w_.Reshape(w_.Transpose(operand, OperandOrder()),
                      {row_count_, ShapeUtil::ElementsIn(operand_) / row_count_});
  }

  HloInstruction* Unmatrix(HloInstruction* matrix) {
    const Dims order = OperandOrder();
    Dims dimensions;
    Dims inverse(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      dimensions.push_back(operand_.dimensions(order[i]));
      inverse[order[i]] = static_cast<int64_t>(i);
    }
    return w_.Transpose(w_.Reshape(matrix, dimensions), inverse);
  }

  // [updates, f].
  HloInstruction* UpdateMatrix(HloInstruction* updates) {
    Dims order = places_;
    for (int64_t d : parts_) order.push_back(update_dims_[d]);
    for (int64_t d : filled_) order.push_back(update_dims_[d]);
    const int64_t count = Product(PlaceSizes());
    return w_.Reshape(w_.Transpose(updates, order), {count, ShapeUtil::ElementsIn(updates_) / count});
  }

  StatusOr<Arrays> Combined(const Arrays& operands, const Arrays& updates, HloInstruction* keys) {
    const int64_t columns = operands[0]->shape().dimensions(1);
    const int64_t count = updates[0]->shape().dimensions(0);
    const Dims space{row_count_, columns, count};
    HloInstruction* row = w_.Iota({row_count_, count}, 0);
    HloInstruction* hit = w_.Compare(ComparisonDirection::kEq, row, w_.Broadcast(keys, {row_count_, count}, {1}));
    hit = w_.Broadcast(hit, space, {0, 2});
    Arrays spread;
    for (HloInstruction* update : updates) spread.push_back(w_.Broadcast(update, space, {2, 1}));
    const auto opcode = inputs_ == 1 ? CommutativeOpcode(*scatter_->to_apply()) : std::nullopt;
    const auto identity = opcode ? IdentityOf(*opcode, operand_.element_type()) : std::nullopt;
    if (!identity) return CombinedIfAny(operands, spread, hit);
    HloInstruction* nothing = w_.Constant(*identity);
    HloInstruction* inputs[] = {w_.Select(hit, spread[0], w_.Splat(nothing, space)), nothing};
    HloInstruction* sum = w_.Add(HloInstruction::CreateReduce(operands[0]->shape(), inputs, {2}, scatter_->to_apply()));
    return Arrays{w_.Binary(*opcode, operands[0], sum)};
  }

  // For reducers without a known identity: reduces pairs of a value and whether there is one.
  StatusOr<Arrays> CombinedIfAny(const Arrays& operands, const Arrays& updates, HloInstruction* hit) {
    ASSIGN_OR_RETURN(HloComputation * combiner, AddOptionalCombiner(*scatter_));
    const Dims matrix = operands[0]->shape().dimensions();
    Arrays inputs{hit};
    inputs.insert(inputs.end(), updates.begin(), updates.end());
    std::vector<Shape> shapes{Shape::Array(PRED, matrix)};
    Arrays initial{w_.Constant(Literal::Scalar<bool>(PRED, false))};
    for (const HloInstruction* operand : operands) {
      initial.push_back(w_.Scalar(operand->shape().element_type(), 0));
      shapes.push_back(Shape::Array(operand->shape().element_type(), matrix));
    }
    inputs.insert(inputs.end(), initial.begin(), initial.end());
    HloInstruction* reduced =
        w_.Add(HloInstruction::CreateReduce(Shape::Tuple(std::move(shapes)), inputs, {2}, combiner));
    Arrays arguments = operands;
    for (int64_t i = 0; i < inputs_; ++i) arguments.push_back(w_.Element(reduced, i + 1));
    ASSIGN_OR_RETURN(Arrays results, w_.Apply(*scatter_->to_apply(), arguments));
    HloInstruction* any = w_.Element(reduced, 0);
    for (int64_t i = 0; i < inputs_; ++i) results[i] = w_.Select(any, results[i], operands[i]);
    return results;
  }

  HloInstruction* scatter_;
  GraphWriter w_;
  IndexDimensionNumbers numbers_;
  int64_t inputs_;
  const Shape operand_, updates_;
  Dims rows_, filled_;               // of the operand
  Dims parts_;                       // of rows_: more than one element of the window, but not all
  Dims places_;                      // of the updates: not the window's
  Dims window_sizes_, update_dims_;  // per operand dimension; -1: not in the updates
  int64_t row_count_ = 1;
};

Status Expand(HloInstruction* scatter) { return ScatterExpansion(scatter).Run(); }

}  // namespace

StatusOr<Changed> ScatterExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kScatter, &Expand);
}

}  // namespace xla
