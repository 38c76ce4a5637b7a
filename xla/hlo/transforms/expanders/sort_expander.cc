// Sorting by a bitonic network: each step compares all elements with a partner at one distance, as slices of the array
// viewed in pairs. An index travels along where equal elements must keep their order or the row was padded.
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;
using Arrays = std::vector<HloInstruction*>;

class SortExpansion {
 public:
  explicit SortExpansion(HloInstruction* sort)
      : sort_(sort),
        w_(*sort->parent()),
        along_(sort->dimensions()[0]),
        shape_(sort->operand(0)->shape()),
        length_(shape_.dimensions(along_)),
        padded_(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(length_, 1))))),
        rows_(length_ == 0 ? 0 : ShapeUtil::ElementsIn(shape_) / length_) {}

  Status Run() {
    Arrays arrays = sort_->operands();
    if (length_ > 1 && rows_ > 0) {
      for (HloInstruction*& array : arrays) array = Rows(array);
      has_index_ = padded_ != length_ || sort_->attributes().Get<bool>(AttributeId::kIsStable);
      if (has_index_) arrays.push_back(w_.Iota({rows_, padded_}, 1));
      for (int64_t run = 2; run <= padded_; run *= 2) {
        for (int64_t distance = run / 2; distance >= 1; distance /= 2) {
          ASSIGN_OR_RETURN(arrays, Exchange(arrays, run, distance));
        }
      }
      if (has_index_) arrays.pop_back();
      for (HloInstruction*& array : arrays) array = Unrows(array);
    }
    if (!sort_->shape().IsTuple()) return ReplaceExpanded(sort_, arrays[0]);
    return ReplaceExpanded(sort_, w_.Add(HloInstruction::CreateTuple(arrays)));
  }

 private:
  // The sorted dimension goes last.
  Dims Order() const {
    Dims order;
    for (int64_t d = 0; d < shape_.rank(); ++d) {
      if (d != along_) order.push_back(d);
    }
    order.push_back(along_);
    return order;
  }

  // [rows, padded length].
  HloInstruction* Rows(HloInstruction* array) {
    array = w_.Reshape(w_.Transpose(array, Order()), {rows_, length_});
    return w_.Pad(array, w_.Scalar(array->shape().element_type(), 0), {{}, {.edge_padding_high = padded_ - length_}});
  }

  HloInstruction* Unrows(HloInstruction* array) {
    const Dims order = Order();
    Dims dimensions;
    Dims inverse(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      dimensions.push_back(shape_.dimensions(order[i]));
      inverse[order[i]] = static_cast<int64_t>(i);
    }
    return w_.Transpose(w_.Reshape(w_.Slice(array, 1, 0, length_), dimensions), inverse);
  }

  // Sorts each pair of elements `distance` apart, ascending in even blocks of `run` elements, descending in odd ones.
  StatusOr<Arrays> Exchange(const Arrays& arrays, int64_t run, int64_t distance) {
    const int64_t pairs = padded_ / (2 * distance);
    Arrays low;
    Arrays high;
    for (HloInstruction* array : arrays) {
      HloInstruction* view = w_.Reshape(array, {rows_, pairs, 2, distance});
      low.push_back(w_.Slice(view, 2, 0, 1));
      high.push_back(w_.Slice(view, 2, 1, 2));
    }
    ASSIGN_OR_RETURN(HloInstruction * swap, ComesBefore(high, low));
    if (run < padded_) {
      const Dims dimensions{rows_, pairs, 1, distance};
      HloInstruction* block = w_.Iota(dimensions, 1);
      HloInstruction* bit = w_.Splat(w_.Scalar(S32, static_cast<double>(run / (2 * distance))), dimensions);
      HloInstruction* is_odd = w_.Compare(ComparisonDirection::kNe, w_.Binary(HloOpcode::kAnd, block, bit),
                                          w_.Splat(w_.Scalar(S32, 0), dimensions));
      swap = w_.Binary(HloOpcode::kXor, swap, is_odd);
    }
    Arrays results;
    for (size_t i = 0; i < arrays.size(); ++i) {
      HloInstruction* halves[] = {w_.Select(swap, high[i], low[i]), w_.Select(swap, low[i], high[i])};
      results.push_back(w_.Reshape(w_.Concatenate(halves, 2), {rows_, padded_}));
    }
    return results;
  }

  StatusOr<HloInstruction*> Compare(const Arrays& a, const Arrays& b) {
    Arrays arguments;
    for (int64_t i = 0; i < sort_->operand_count(); ++i) {
      arguments.push_back(a[i]);
      arguments.push_back(b[i]);
    }
    ASSIGN_OR_RETURN(const Arrays result, w_.Apply(*sort_->to_apply(), arguments));
    return result[0];
  }

  // With an index: by the comparator, equal elements by index. Padding has the highest indices and comes last: where
  // one of both is padding, the index alone decides.
  StatusOr<HloInstruction*> ComesBefore(const Arrays& a, const Arrays& b) {
    ASSIGN_OR_RETURN(HloInstruction * before, Compare(a, b));
    if (!has_index_) return before;
    ASSIGN_OR_RETURN(HloInstruction * after, Compare(b, a));
    HloInstruction* first = w_.Compare(ComparisonDirection::kLt, a.back(), b.back());
    HloInstruction* tie = w_.Binary(HloOpcode::kAnd, w_.Unary(HloOpcode::kNot, after), first);
    before = w_.Binary(HloOpcode::kOr, before, tie);
    if (padded_ == length_) return before;
    HloInstruction* limit = w_.Splat(w_.Scalar(S32, static_cast<double>(length_)), a.back()->shape().dimensions());
    HloInstruction* larger = w_.Binary(HloOpcode::kMaximum, a.back(), b.back());
    return w_.Select(w_.Compare(ComparisonDirection::kGe, larger, limit), first, before);
  }

  HloInstruction* sort_;
  GraphWriter w_;
  int64_t along_;
  const Shape shape_;
  int64_t length_;  // of a row
  int64_t padded_;  // to a power of two
  int64_t rows_;
  bool has_index_ = false;
};

Status ExpandSort(HloInstruction* sort) { return SortExpansion(sort).Run(); }

// (a, b, index of a, index of b) -> a before b; floats in the total order.
HloComputation* AddTopKComparator(HloModule& module, PrimitiveType type, bool largest) {
  auto computation = std::make_unique<HloComputation>("topk_comparator");
  GraphWriter w(*computation);
  HloInstruction* a = w.Add(HloInstruction::CreateParameter(0, Shape::Scalar(type), "a"));
  HloInstruction* b = w.Add(HloInstruction::CreateParameter(1, Shape::Scalar(type), "b"));
  for (int i = 2; i < 4; ++i) w.Add(HloInstruction::CreateParameter(i, Shape::Scalar(S32), ""));
  HloInstruction* before = w.Compare(largest ? ComparisonDirection::kGt : ComparisonDirection::kLt, a, b);
  if (IsFloat(type)) before->SetAttribute(AttributeId::kType, ComparisonType::kFloatTotalOrder);
  computation->set_root_instruction(before);
  return module.AddEmbeddedComputation(std::move(computation));
}

// The first k of a stable sort with indices.
Status ExpandTopK(HloInstruction* topk) {
  GraphWriter w(*topk->parent());
  HloInstruction* operand = topk->mutable_operand(0);
  const Dims& dimensions = operand->shape().dimensions();
  const auto last = static_cast<int64_t>(dimensions.size()) - 1;
  const auto k = topk->attributes().Get<int64_t>(AttributeId::kK);
  HloInstruction* operands[] = {operand, w.Iota(dimensions, last)};
  AttributeSet attributes;
  attributes.Set(AttributeId::kDimensions, Dims{last});
  attributes.Set(AttributeId::kIsStable, true);
  attributes.Set(AttributeId::kToApply, AddTopKComparator(*topk->GetModule(), operand->shape().element_type(),
                                                          topk->attributes().Get<bool>(AttributeId::kLargest)));
  const Shape sorted = Shape::Tuple({Shape::Array(operand->shape().element_type(), dimensions), operands[1]->shape()});
  HloInstruction* sort = w.Add(HloInstruction::Create(HloOpcode::kSort, sorted, operands, std::move(attributes)));
  HloInstruction* results[] = {w.Slice(w.Element(sort, 0), last, 0, k), w.Slice(w.Element(sort, 1), last, 0, k)};
  return ReplaceExpanded(topk, w.Add(HloInstruction::CreateTuple(results)));
}

}  // namespace

StatusOr<Changed> SortExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kSort, &ExpandSort);
}

StatusOr<Changed> TopKExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kTopK, &ExpandTopK);
}

}  // namespace xla
