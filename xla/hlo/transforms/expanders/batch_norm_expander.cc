// Batch normalisation as reductions over all dimensions but the features' and elementwise operations, in f32 where the
// elements are narrower. The formulas: xla/hlo/evaluator/eval_normalization.cc.
#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

class BatchNormExpansion {
 public:
  explicit BatchNormExpansion(HloInstruction* norm)
      : norm_(norm),
        w_(*norm->parent()),
        shape_(norm->operand(0)->shape()),
        type_(shape_.element_type() == F64 ? F64 : F32),
        feature_(norm->attributes().Get<int64_t>(AttributeId::kFeatureIndex)) {}

  Status Training() {
    HloInstruction* x = Operand(0);
    HloInstruction* mean = MeanOf(x);
    HloInstruction* centred = Minus(x, Spread(mean));
    HloInstruction* variance = MeanOf(Times(centred, centred));
    HloInstruction* scaled = Times(Times(centred, Spread(InverseDeviation(variance))), Spread(Operand(1)));
    return Finish({Plus(scaled, Spread(Operand(2))), mean, variance});
  }

  Status Inference() {
    HloInstruction* centred = Minus(Operand(0), Spread(Operand(3)));
    HloInstruction* scaled = Times(Times(centred, Spread(InverseDeviation(Operand(4)))), Spread(Operand(1)));
    HloInstruction* y = Plus(scaled, Spread(Operand(2)));
    return ReplaceExpanded(norm_, w_.Convert(y, shape_.element_type()));
  }

  Status Grad() {
    HloInstruction* centred = Minus(Operand(0), Spread(Operand(2)));
    HloInstruction* g = Operand(4);
    HloInstruction* s = InverseDeviation(Operand(3));
    HloInstruction* sum = SumOf(g);
    HloInstruction* products = SumOf(Times(g, centred));
    HloInstruction* n = w_.Splat(w_.Scalar(type_, Elements()), VectorDims());
    HloInstruction* slope = Over(Times(Times(s, s), products), n);
    HloInstruction* inner = Minus(Minus(g, Spread(Over(sum, n))), Times(centred, Spread(slope)));
    return Finish({Times(Spread(Times(Operand(1), s)), inner), Times(products, s), sum});
  }

 private:
  HloInstruction* Plus(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kAdd, x, y); }
  HloInstruction* Minus(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kSubtract, x, y); }
  HloInstruction* Times(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kMultiply, x, y); }
  HloInstruction* Over(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kDivide, x, y); }

  HloInstruction* Operand(int64_t i) { return w_.Convert(norm_->mutable_operand(i), type_); }
  Dims VectorDims() const { return {shape_.dimensions(feature_)}; }
  // Of each feature.
  double Elements() const {
    return static_cast<double>(ShapeUtil::ElementsIn(shape_)) / static_cast<double>(shape_.dimensions(feature_));
  }
  HloInstruction* Spread(HloInstruction* vector) { return w_.Broadcast(vector, shape_.dimensions(), {feature_}); }
  HloInstruction* SumOf(HloInstruction* x) {
    Dims others;
    for (int64_t d = 0; d < shape_.rank(); ++d) {
      if (d != feature_) others.push_back(d);
    }
    HloInstruction* operands[] = {x, w_.Scalar(type_, 0)};
    HloComputation* add = AddBinaryComputation(*norm_->parent()->parent(), HloOpcode::kAdd, type_);
    return w_.Add(HloInstruction::CreateReduce(Shape::Array(type_, VectorDims()), operands, others, add));
  }
  HloInstruction* MeanOf(HloInstruction* x) {
    return Over(SumOf(x), w_.Splat(w_.Scalar(type_, Elements()), VectorDims()));
  }
  HloInstruction* InverseDeviation(HloInstruction* variance) {
    const float epsilon = norm_->attributes().Get<float>(AttributeId::kEpsilon);
    return w_.Unary(HloOpcode::kRsqrt, Plus(variance, w_.Splat(w_.Scalar(type_, epsilon), VectorDims())));
  }
  Status Finish(std::vector<HloInstruction*> parts) {
    for (HloInstruction*& part : parts) part = w_.Convert(part, shape_.element_type());
    return ReplaceExpanded(norm_, w_.Add(HloInstruction::CreateTuple(parts)));
  }

  HloInstruction* norm_;
  GraphWriter w_;
  const Shape shape_;
  const PrimitiveType type_;
  const int64_t feature_;
};

}  // namespace

StatusOr<Changed> BatchNormExpander::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  const auto expand = [&](HloOpcode opcode, Status (*run)(HloInstruction*)) -> Status {
    ASSIGN_OR_RETURN(const Changed one, ExpandEach(module, opcode, run));
    if (one == Changed::kYes) changed = Changed::kYes;
    return OkStatus();
  };
  RETURN_IF_ERROR(
      expand(HloOpcode::kBatchNormTraining, [](HloInstruction* i) { return BatchNormExpansion(i).Training(); }));
  RETURN_IF_ERROR(
      expand(HloOpcode::kBatchNormInference, [](HloInstruction* i) { return BatchNormExpansion(i).Inference(); }));
  RETURN_IF_ERROR(expand(HloOpcode::kBatchNormGrad, [](HloInstruction* i) { return BatchNormExpansion(i).Grad(); }));
  return changed;
}

}  // namespace xla
