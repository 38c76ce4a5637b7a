// Dots. A program computes a tile [M, N] of the result: a loop over K loads [M, K] and [K, N] and feeds tt.dot; the
// epilogue (bias, activation, ...) works on the accumulator. Batch dimensions, and all but one dimension of M and N,
// are scalars from the grid. Only K is masked with zeros: rows and columns outside M and N are computed and not stored.
#include <algorithm>
#include <set>

#include "xla/backends/gpu/codegen/emitters.h"

namespace xla::gpu {
namespace {

enum Role { kBatch, kM, kN, kK };

struct DotTile {
  int64_t m, n, k;
  int num_warps;
};

// Matrix instructions have sides of 16 at least.
constexpr int64_t kMinSide = 16;

// Sizes for 16-bit types and for f32 with and without matrix instructions; without them K is short, because every
// thread holds its rows' and columns' whole K fragment in registers.
DotTile ChooseDotTile(int64_t m, int64_t n, int64_t k, TtirElement type, const GpuTarget& target) {
  bool has_matrix_unit =
      BitsOf(type) <= 16 ? target.matrix != rocxla::MatrixUnit::kNone : target.matrix == rocxla::MatrixUnit::kMfma;
  int64_t side = has_matrix_unit ? 64 : 32;
  int64_t depth = has_matrix_unit ? (BitsOf(type) <= 16 ? 32 : 16) : 16;
  auto fit = [](int64_t extent, int64_t cap) { return std::clamp(PowerOfTwoCeil(extent), kMinSide, cap); };
  DotTile tile{fit(m, side), fit(n, side), fit(k, depth), 4};
  while (tile.num_warps > 1 && tile.m * tile.n < tile.num_warps * kMinSide * kMinSide) tile.num_warps /= 2;
  return tile;
}

class DotEmitter {
 public:
  DotEmitter(EmitContext& context, const HloInstruction& dot)
      : context_(context), b_(context.builder), dot_(dot), numbers_(dot.dot_dimension_numbers()) {}
  StatusOr<EmittedLaunch> Emit();

 private:
  Status BuildSpace();
  Status AssignRoles(const std::vector<Role>& result_roles);
  // The dimension of a role that becomes an axis: the last, which is the fastest in memory; -1: none.
  int AxisOf(Role role) const;
  TileAxis Axis(int dim, int64_t size, TtirValue base) const {
    return {dims()[dim].variable, dims()[dim].extent, size, base};
  }
  TileAxis KeptAxis(Role role) const;
  void BindScalars(TileFrame& frame, const std::vector<TtirValue>& positions);
  StatusOr<TtirValue> Accumulate(size_t next, std::vector<TtirValue> positions, const TtirValue& accumulator);
  StatusOr<TtirValue> OneStep(const std::vector<TtirValue>& positions, const TtirValue& accumulator);
  StatusOr<TtirValue> Operand(int64_t operand, TileFrame frame, int k_axis);
  Status StoreRoots(const TtirValue& accumulated);
  const std::vector<IterationDim>& dims() const { return space_.dims(); }

  EmitContext& context_;
  TtirBuilder& b_;
  const HloInstruction& dot_;
  DotDimensionNumbers numbers_;
  IterationSpace space_;
  Indices root_indices_, result_indices_, operand_indices_[2];
  std::vector<Role> roles_;  // per dim
  std::vector<int> k_dims_;  // that are looped over
  DotTile tile_{};
  TtirElement operand_type_ = TtirElement::kF32, accumulator_type_ = TtirElement::kF32;
  ProgramGrid grid_;
};

bool Contains(const std::vector<int64_t>& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Status DotEmitter::BuildSpace() {
  const HloInstruction& root = *context_.fused.root_instruction();
  root_indices_ = AddDimensionsOf(root.shape(), space_, 0);
  FusionReads reads = CollectReads(root, root_indices_, &dot_);
  std::set<std::string> uses;
  for (const Indices& indices : reads.hero_indices) uses.insert(ToString(indices));
  if (uses.size() != 1) return UnsupportedOpcode(dot_, "a dot whose result is used at several places at once");
  result_indices_ = reads.hero_indices[0];

  // The result's dimensions are: batch, the left operand's other ones, the right operand's other ones.
  std::vector<Role> result_roles(numbers_.lhs_batch_dimensions.size(), kBatch);
  for (int side = 0; side < 2; ++side) {
    const auto& batch = side ? numbers_.rhs_batch_dimensions : numbers_.lhs_batch_dimensions;
    const auto& contracting = side ? numbers_.rhs_contracting_dimensions : numbers_.lhs_contracting_dimensions;
    Indices& indices = operand_indices_[side];
    indices.resize(dot_.operand(side)->shape().rank());
    for (size_t i = 0; i < batch.size(); ++i) indices[batch[i]] = result_indices_[i];
    for (int64_t d = 0; d < static_cast<int64_t>(indices.size()); ++d) {
      if (Contains(batch, d) || Contains(contracting, d)) continue;
      indices[d] = result_indices_[result_roles.size()];
      result_roles.push_back(side ? kN : kM);
    }
  }
  for (size_t i = 0; i < numbers_.lhs_contracting_dimensions.size(); ++i) {
    int64_t extent = dot_.operand(0)->shape().dimensions(numbers_.lhs_contracting_dimensions[i]);
    IndexExpr k = space_.AddDimension(extent, 1);
    operand_indices_[0][numbers_.lhs_contracting_dimensions[i]] = k;
    operand_indices_[1][numbers_.rhs_contracting_dimensions[i]] = k;
  }
  for (int side = 0; side < 2; ++side) {
    Append(reads, CollectReads(*dot_.operand(side), operand_indices_[side], nullptr));
  }
  for (const FusionRead& read : reads.reads) space_.Track(read.offset);
  for (const IndexExpr& other : reads.others) space_.Track(other);
  for (const IndexExpr& index : result_indices_) space_.Track(index);  // M and N stay apart
  space_.Track(MemoryOffset(root.shape(), root_indices_));
  space_.Simplify();
  root_indices_ = space_.Rewrite(root_indices_);
  result_indices_ = space_.Rewrite(result_indices_);
  for (Indices& indices : operand_indices_) indices = space_.Rewrite(indices);
  return AssignRoles(result_roles);
}

Status DotEmitter::AssignRoles(const std::vector<Role>& result_roles) {
  for (const IterationDim& dim : dims()) {
    std::set<Role> found;
    for (size_t i = 0; i < result_indices_.size(); ++i) {
      std::vector<int> variables = result_indices_[i].Variables();
      if (std::binary_search(variables.begin(), variables.end(), dim.variable)) found.insert(result_roles[i]);
    }
    if (dim.group == 1) found.insert(kK);
    if (found.size() != 1) return UnsupportedOpcode(dot_, "an epilogue that mixes the rows and columns of a dot");
    roles_.push_back(*found.begin());
  }
  if (AxisOf(kM) < 0 || AxisOf(kN) < 0 || AxisOf(kK) < 0) {
    return UnsupportedOpcode(dot_, "a dot with only one row, one column or one product per element");
  }
  return OkStatus();
}

int DotEmitter::AxisOf(Role role) const {
  for (int d = static_cast<int>(dims().size()) - 1; d >= 0; --d) {
    if (roles_[d] == role) return d;
  }
  return -1;
}

TileAxis DotEmitter::KeptAxis(Role role) const {
  int dim = AxisOf(role);
  int64_t size = role == kM ? tile_.m : tile_.n;
  return Axis(dim, size, grid_.tiles[dim] ? b_.Binary("arith.muli", grid_.tiles[dim], b_.I32(size)) : TtirValue());
}

void DotEmitter::BindScalars(TileFrame& frame, const std::vector<TtirValue>& positions) {
  for (int d = 0; d < static_cast<int>(dims().size()); ++d) {
    if (d == AxisOf(roles_[d]) && roles_[d] != kBatch) continue;
    const TtirValue& value = roles_[d] == kK ? positions[d] : grid_.tiles[d];
    if (value) frame.BindScalar(dims()[d].variable, value);
  }
}

StatusOr<TtirValue> DotEmitter::Operand(int64_t operand, TileFrame frame, int k_axis) {
  TtirValue mask = frame.AxisMask(k_axis);
  TileShape shape = frame.FullShape();
  TtirType zero_type{operand_type_, {}};
  TtirValue zero = IsFloat(operand_type_) ? b_.FloatConstant(0, zero_type) : b_.IntConstant(0, zero_type);
  TileEvaluator evaluator(std::move(frame), context_.parameters);
  ASSIGN_OR_RETURN(TtirValue value,
                   evaluator.EvaluateMasked(*dot_.operand(operand), operand_indices_[operand], mask, zero));
  return b_.BroadcastTo(value, shape);
}

StatusOr<TtirValue> DotEmitter::OneStep(const std::vector<TtirValue>& positions, const TtirValue& accumulator) {
  int k = AxisOf(kK);
  TileAxis k_axis = Axis(k, tile_.k, positions[k]);
  TileFrame left(&b_, {KeptAxis(kM), k_axis}), right(&b_, {k_axis, KeptAxis(kN)});
  BindScalars(left, positions);
  BindScalars(right, positions);
  ASSIGN_OR_RETURN(TtirValue a, Operand(0, left, 1));
  ASSIGN_OR_RETURN(TtirValue b, Operand(1, right, 0));
  return b_.Dot(a, b, accumulator);
}

StatusOr<TtirValue> DotEmitter::Accumulate(size_t next, std::vector<TtirValue> positions,
                                           const TtirValue& accumulator) {
  if (next == k_dims_.size()) return OneStep(positions, accumulator);
  int dim = k_dims_[next];
  Status status;
  TtirBuilder::Values results =
      b_.For(b_.I32(0), b_.I32(dims()[dim].extent), b_.I32(dim == AxisOf(kK) ? tile_.k : 1), {accumulator},
             [&](const TtirValue& position, const TtirBuilder::Values& carried) {
               positions[dim] = position;
               StatusOr<TtirValue> value = Accumulate(next + 1, positions, carried[0]);
               if (!value.ok()) status = value.status();
               return TtirBuilder::Values{value.ok() ? *value : carried[0]};
             });
  if (!status.ok()) return status;
  return results[0];
}

Status DotEmitter::StoreRoots(const TtirValue& accumulated) {
  const HloInstruction& root = *context_.fused.root_instruction();
  TileFrame frame(&b_, {KeptAxis(kM), KeptAxis(kN)});
  BindScalars(frame, std::vector<TtirValue>(dims().size()));
  TileEvaluator evaluator(frame, context_.parameters);
  PrimitiveType accumulator_type = accumulator_type_ == TtirElement::kF32 ? F32 : S32;
  ASSIGN_OR_RETURN(TtirValue result, EmitConvert(b_, dot_, accumulated, accumulator_type, dot_.shape().element_type()));
  evaluator.Bind(dot_, result_indices_, result);
  return evaluator.EvaluateAndStore(context_.outputs[0], root, root_indices_);
}

StatusOr<EmittedLaunch> DotEmitter::Emit() {
  PrimitiveType type = dot_.operand(0)->shape().element_type();
  if (type != F16 && type != BF16 && type != F32 && type != S8) return UnsupportedType(type, dot_);
  if (dot_.operand(1)->shape().element_type() != type) {
    return UnsupportedOpcode(dot_, "operands of different types");
  }
  ASSIGN_OR_RETURN(operand_type_, RegisterType(type, dot_));
  accumulator_type_ = type == S8 ? TtirElement::kI32 : TtirElement::kF32;
  RETURN_IF_ERROR(BuildSpace());
  tile_ = ChooseDotTile(dims()[AxisOf(kM)].extent, dims()[AxisOf(kN)].extent, dims()[AxisOf(kK)].extent, operand_type_,
                        context_.target);
  std::vector<int64_t> counts;
  for (int d = 0; d < static_cast<int>(dims().size()); ++d) {
    int64_t size = d == AxisOf(kM) ? tile_.m : d == AxisOf(kN) ? tile_.n : d == AxisOf(kK) ? tile_.k : 1;
    counts.push_back(roles_[d] == kK ? 1 : CeilDiv(dims()[d].extent, size));
    if (roles_[d] == kK && dims()[d].extent > size) k_dims_.push_back(d);
  }
  grid_ = MakeGrid(b_, counts);
  TtirType accumulator{accumulator_type_, {tile_.m, tile_.n}};
  TtirValue zero = IsFloat(accumulator_type_) ? b_.FloatConstant(0, accumulator) : b_.IntConstant(0, accumulator);
  ASSIGN_OR_RETURN(TtirValue accumulated, Accumulate(0, std::vector<TtirValue>(dims().size()), zero));
  RETURN_IF_ERROR(StoreRoots(accumulated));
  return EmittedLaunch{tile_.num_warps, grid_.size};
}

}  // namespace

StatusOr<EmittedLaunch> EmitDot(EmitContext& context, const HloInstruction& dot) {
  return DotEmitter(context, dot).Emit();
}

}  // namespace xla::gpu
