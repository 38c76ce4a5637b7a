// Reductions. The tile has up to two axes: one dimension that is kept and one that is reduced. Where memory is
// contiguous along a reduced dimension, a program owns a few rows and walks along them; where it is contiguous along a
// kept one, a program owns 64 or so columns. Loops accumulate whole tiles; one tt.reduce at the end combines the lanes,
// in an order that never changes.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "xla/backends/gpu/codegen/emitters.h"
#include "xla/backends/gpu/codegen/reducer.h"

namespace xla::gpu {
namespace {

constexpr int kKept = 0, kReduced = 1;  // groups of dimensions
constexpr int64_t kTileBytes = 8192;
constexpr int64_t kColumnRows = 32;
constexpr int64_t kColumnBytes = 256;    // along the contiguous dimension
constexpr int64_t kEnoughPrograms = 64;  // below, fewer rows per program

using Values = std::vector<TtirValue>;

class ReductionEmitter {
 public:
  ReductionEmitter(EmitContext& context, const HloInstruction& reduce)
      : context_(context), b_(context.builder), reduce_(reduce) {}
  StatusOr<EmittedLaunch> Emit();

 private:
  Status BuildSpace();
  void ChooseTile(int64_t widest_bytes);
  int ContiguousDim() const;
  int LastOf(int group) const;
  int LargestOf(int group) const;
  TileAxis Axis(int dim, TtirValue base) const { return {dims()[dim].variable, dims()[dim].extent, sizes_[dim], base}; }
  int ReducedTensorDim() const { return columns_ || kept_axis_ < 0 ? 0 : 1; }
  TtirValue KeptBase(int dim);
  void BindKeptScalars(TileFrame& frame);

  // Loops over the reduced dimensions, from `next` on; then one tile.
  StatusOr<Values> Accumulate(size_t next, std::vector<TtirValue> positions, const Values& carried);
  StatusOr<Values> OneTile(const std::vector<TtirValue>& positions, const Values& carried);
  StatusOr<TtirValue> MaskedInput(TileEvaluator& evaluator, int64_t i, const TtirValue& mask);
  StatusOr<Values> CombineLanes(const Values& accumulated);
  Status StoreRoots(const Values& reduced);
  StatusOr<Values> InitialValues();

  const std::vector<IterationDim>& dims() const { return space_.dims(); }

  EmitContext& context_;
  TtirBuilder& b_;
  const HloInstruction& reduce_;
  std::vector<const HloInstruction*> roots_;
  Reducer reducer_;
  IterationSpace space_;
  Indices root_indices_, hero_indices_, input_indices_;
  FusionReads input_reads_;
  std::vector<int64_t> sizes_;
  bool columns_ = false;                    // contiguous along a kept dimension
  int kept_axis_ = -1, reduced_axis_ = -1;  // dims that are axes of the tile
  std::vector<int> loop_dims_;              // reduced dims with more than one step, slowest first
  ProgramGrid grid_;
};

Status ReductionEmitter::BuildSpace() {
  if (ShapeUtil::ElementsIn(reduce_.operand(0)->shape()) == 0) {
    return UnsupportedOpcode(reduce_, "a reduction of no elements");
  }
  roots_ = FusionRoots(context_.fused);
  root_indices_ = AddDimensionsOf(roots_[0]->shape(), space_, kKept);
  FusionReads epilogue;
  for (const HloInstruction* root : roots_) {
    if (!ShapeUtil::SameDimensions(root->shape(), roots_[0]->shape())) {
      return UnsupportedOpcode(*root, "a reduction with roots of different dimensions");
    }
    Append(epilogue, CollectReads(*root, root_indices_, &reduce_));
    space_.Track(MemoryOffset(root->shape(), root_indices_));
  }
  std::set<std::string> uses;
  for (const Indices& indices : epilogue.hero_indices) uses.insert(ToString(indices));
  if (uses.size() != 1) return UnsupportedOpcode(reduce_, "a reduction whose result is used at several places at once");
  hero_indices_ = epilogue.hero_indices[0];

  const Shape& input = reduce_.operand(0)->shape();
  const std::vector<int64_t>& reduced = reduce_.dimensions();
  auto is_reduced = [&](int64_t d) { return std::find(reduced.begin(), reduced.end(), d) != reduced.end(); };
  input_indices_.resize(input.rank());
  for (int64_t d = 0, kept = 0; d < input.rank(); ++d) {
    if (!is_reduced(d)) input_indices_[d] = hero_indices_[kept++];
  }
  const std::vector<int64_t>& minor_to_major = input.layout().minor_to_major();
  for (size_t i = minor_to_major.size(); i-- > 0;) {
    int64_t d = minor_to_major[i];
    if (is_reduced(d)) input_indices_[d] = space_.AddDimension(input.dimensions(d), kReduced);
  }
  for (int64_t i = 0; i < reduce_.input_count(); ++i) {
    Append(input_reads_, CollectReads(*reduce_.operand(i), input_indices_, nullptr));
  }
  for (const FusionReads* reads : {&epilogue, &input_reads_}) {
    for (const FusionRead& read : reads->reads) space_.Track(read.offset);
    for (const IndexExpr& other : reads->others) space_.Track(other);
  }
  space_.Simplify();
  for (FusionRead& read : input_reads_.reads) read.offset = space_.Rewrite(read.offset);
  root_indices_ = space_.Rewrite(root_indices_);
  hero_indices_ = space_.Rewrite(hero_indices_);
  input_indices_ = space_.Rewrite(input_indices_);
  return OkStatus();
}

int ReductionEmitter::LastOf(int group) const {
  for (int d = static_cast<int>(dims().size()) - 1; d >= 0; --d) {
    if (dims()[d].group == group) return d;
  }
  return -1;
}

int ReductionEmitter::LargestOf(int group) const {
  int best = -1;
  for (int d = 0; d < static_cast<int>(dims().size()); ++d) {
    if (dims()[d].group == group && (best < 0 || dims()[d].extent >= dims()[best].extent)) best = d;
  }
  return best;
}

// The dimension along which the largest input lies in memory.
int ReductionEmitter::ContiguousDim() const {
  int best = -1;
  int64_t most = 0;
  for (const FusionRead& read : input_reads_.reads) {
    int64_t elements = ShapeUtil::ElementsIn(read.parameter->shape());
    if (elements <= most) continue;
    for (int d = 0; d < static_cast<int>(dims().size()); ++d) {
      if (std::abs(read.offset.CoefficientOf(dims()[d].variable)) != 1) continue;
      best = d;
      most = elements;
    }
  }
  return best >= 0 ? best : LastOf(kReduced);
}

void ReductionEmitter::ChooseTile(int64_t widest_bytes) {
  sizes_.assign(dims().size(), 1);
  int contiguous = ContiguousDim();
  int64_t cells = kTileBytes / widest_bytes;
  columns_ = contiguous >= 0 && dims()[contiguous].group == kKept;
  if (columns_) {
    kept_axis_ = contiguous;
    reduced_axis_ = LargestOf(kReduced);
    sizes_[kept_axis_] = std::min(PowerOfTwoCeil(dims()[kept_axis_].extent), kColumnBytes / widest_bytes);
    if (reduced_axis_ >= 0) {
      int64_t rows = std::max(kColumnRows, cells / sizes_[kept_axis_] / 2);
      sizes_[reduced_axis_] = std::min(PowerOfTwoCeil(dims()[reduced_axis_].extent), rows);
    }
  } else {
    reduced_axis_ = contiguous;
    if (reduced_axis_ >= 0) sizes_[reduced_axis_] = std::min(PowerOfTwoCeil(dims()[reduced_axis_].extent), cells);
    if (int kept = LastOf(kKept); kept >= 0) {
      int64_t extent = dims()[kept].extent;
      int64_t rows = std::min(cells / (reduced_axis_ >= 0 ? sizes_[reduced_axis_] : 1), PowerOfTwoCeil(extent));
      while (rows > 1 && CeilDiv(extent, rows) < kEnoughPrograms) rows /= 2;
      sizes_[kept] = rows;
      if (rows > 1) kept_axis_ = kept;
    }
  }
  for (int d = 0; d < static_cast<int>(dims().size()); ++d) {
    if (dims()[d].group == kReduced && dims()[d].extent > sizes_[d]) loop_dims_.push_back(d);
  }
}

TtirValue ReductionEmitter::KeptBase(int dim) {
  if (!grid_.tiles[dim]) return {};
  return b_.Binary("arith.muli", grid_.tiles[dim], b_.I32(sizes_[dim]));
}

void ReductionEmitter::BindKeptScalars(TileFrame& frame) {
  for (int d = 0; d < static_cast<int>(dims().size()); ++d) {
    if (dims()[d].group == kKept && d != kept_axis_) frame.BindScalar(dims()[d].variable, grid_.tiles[d]);
  }
}

StatusOr<Values> ReductionEmitter::InitialValues() {
  TileEvaluator evaluator(TileFrame(&b_, {}), context_.parameters);
  Values out;
  for (int64_t i = 0; i < reduce_.input_count(); ++i) {
    ASSIGN_OR_RETURN(TtirValue value, evaluator.Evaluate(*reduce_.operand(reduce_.input_count() + i), {}));
    out.push_back(reducer_.ToAccumulator(i, value));
  }
  return out;
}

// Input i in the accumulator's type, lanes outside holding what changes nothing.
StatusOr<TtirValue> ReductionEmitter::MaskedInput(TileEvaluator& evaluator, int64_t i, const TtirValue& mask) {
  const HloInstruction& input = *reduce_.operand(i);
  TtirValue outside = reducer_.neutral(i);
  if (!outside) {
    ASSIGN_OR_RETURN(Values initial, InitialValues());
    outside = initial[i];
  }
  ASSIGN_OR_RETURN(TtirElement element, RegisterType(input.shape().element_type(), reduce_));
  if (element == reducer_.accumulator_type(i)) return evaluator.EvaluateMasked(input, input_indices_, mask, outside);
  ASSIGN_OR_RETURN(TtirValue value, evaluator.Evaluate(input, input_indices_));
  value = reducer_.ToAccumulator(i, value);
  return mask ? b_.Select(mask, value, outside) : value;
}

// `carried` empty: this is the only tile, its values are the result.
StatusOr<Values> ReductionEmitter::OneTile(const std::vector<TtirValue>& positions, const Values& carried) {
  // Rows: (kept, reduced); columns: (reduced, kept). The contiguous axis comes last, as in memory.
  std::vector<TileAxis> axes;
  if (kept_axis_ >= 0) axes.push_back(Axis(kept_axis_, KeptBase(kept_axis_)));
  if (reduced_axis_ >= 0)
    axes.insert(columns_ ? axes.begin() : axes.end(), Axis(reduced_axis_, positions[reduced_axis_]));
  TileFrame frame(&b_, axes);
  BindKeptScalars(frame);
  for (int d : loop_dims_) {
    if (d != reduced_axis_) frame.BindScalar(dims()[d].variable, positions[d]);
  }
  TtirValue mask;
  if (reduced_axis_ >= 0) mask = frame.AxisMask(ReducedTensorDim());
  Values values;
  TileEvaluator evaluator(frame, context_.parameters);
  for (int64_t i = 0; i < reduce_.input_count(); ++i) {
    ASSIGN_OR_RETURN(TtirValue value, MaskedInput(evaluator, i, mask));
    values.push_back(b_.BroadcastTo(value, frame.FullShape()));
  }
  return carried.empty() ? StatusOr<Values>(values) : reducer_.Combine(carried, values);
}

StatusOr<Values> ReductionEmitter::Accumulate(size_t next, std::vector<TtirValue> positions, const Values& carried) {
  if (next == loop_dims_.size()) return OneTile(positions, carried);
  int dim = loop_dims_[next];
  Status status;
  Values results = b_.For(b_.I32(0), b_.I32(dims()[dim].extent), b_.I32(sizes_[dim]), carried,
                          [&](const TtirValue& position, const Values& inner) {
                            positions[dim] = position;
                            StatusOr<Values> values = Accumulate(next + 1, positions, inner);
                            if (values.ok()) return *values;
                            status = values.status();
                            return inner;
                          });
  if (!status.ok()) return status;
  return results;
}

StatusOr<Values> ReductionEmitter::CombineLanes(const Values& accumulated) {
  if (reduced_axis_ < 0) return accumulated;
  Status status;
  Values results = b_.Reduce(accumulated, ReducedTensorDim(), [&](const Values& a, const Values& b) {
    StatusOr<Values> values = reducer_.Combine(a, b);
    if (values.ok()) return *values;
    status = values.status();
    return a;
  });
  if (!status.ok()) return status;
  return results;
}

Status ReductionEmitter::StoreRoots(const Values& reduced) {
  std::vector<TileAxis> axes;
  if (kept_axis_ >= 0) axes.push_back(Axis(kept_axis_, KeptBase(kept_axis_)));
  TileFrame frame(&b_, axes);
  BindKeptScalars(frame);
  TileEvaluator evaluator(frame, context_.parameters);
  if (reduce_.shape().IsTuple()) {
    for (const HloInstruction* user : reduce_.users()) {
      if (user->opcode() == HloOpcode::kGetTupleElement) {
        evaluator.Bind(*user, root_indices_, reduced[user->tuple_index()]);
        evaluator.Bind(*user, hero_indices_, reduced[user->tuple_index()]);
      }
    }
  } else {
    evaluator.Bind(reduce_, hero_indices_, reduced[0]);
  }
  for (size_t i = 0; i < roots_.size(); ++i) {
    RETURN_IF_ERROR(evaluator.EvaluateAndStore(context_.outputs[i], *roots_[i], root_indices_));
  }
  return OkStatus();
}

StatusOr<EmittedLaunch> ReductionEmitter::Emit() {
  RETURN_IF_ERROR(BuildSpace());
  ASSIGN_OR_RETURN(reducer_, Reducer::Create(b_, reduce_));
  int64_t widest_bytes = WidestElement(input_reads_.reads, roots_);
  ChooseTile(widest_bytes);
  std::vector<int64_t> counts;
  for (size_t d = 0; d < dims().size(); ++d) {
    counts.push_back(dims()[d].group == kKept ? CeilDiv(dims()[d].extent, sizes_[d]) : 1);
  }
  grid_ = MakeGrid(b_, counts);

  TileShape shape;
  int64_t tile_bytes = widest_bytes;
  for (int64_t size : sizes_) tile_bytes *= size;
  if (kept_axis_ >= 0) shape.push_back(sizes_[kept_axis_]);
  if (reduced_axis_ >= 0) shape.insert(columns_ ? shape.begin() : shape.end(), sizes_[reduced_axis_]);
  ASSIGN_OR_RETURN(Values initial, InitialValues());
  Values start;
  for (int64_t i = 0; i < reducer_.count(); ++i) {
    start.push_back(b_.BroadcastTo(reducer_.neutral(i) ? reducer_.neutral(i) : initial[i], shape));
  }
  if (loop_dims_.empty()) start.clear();
  ASSIGN_OR_RETURN(Values accumulated, Accumulate(0, std::vector<TtirValue>(dims().size()), start));
  ASSIGN_OR_RETURN(Values reduced, CombineLanes(accumulated));
  if (!reducer_.initial_value_is_neutral()) {
    ASSIGN_OR_RETURN(reduced, reducer_.Combine(initial, reduced));
  }
  for (int64_t i = 0; i < reducer_.count(); ++i) reduced[i] = reducer_.FromAccumulator(i, reduced[i]);
  RETURN_IF_ERROR(StoreRoots(reduced));
  return EmittedLaunch{ChooseWarps(tile_bytes, context_.target), grid_.size};
}

}  // namespace

StatusOr<EmittedLaunch> EmitReduction(EmitContext& context, const HloInstruction& reduce) {
  return ReductionEmitter(context, reduce).Emit();
}

}  // namespace xla::gpu
