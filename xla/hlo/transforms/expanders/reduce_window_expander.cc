// reduce-window by doubling: combining an array with itself shifted by k turns windows of k elements into windows of
// 2 k, so a window of n costs about log2 n steps, for any associative reducer, one dimension after the other.
#include <algorithm>

#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Arrays = std::vector<HloInstruction*>;

class ReduceWindowExpansion {
 public:
  explicit ReduceWindowExpansion(HloInstruction* reduce)
      : reduce_(reduce), writer_(*reduce->parent()), inputs_(reduce->input_count()), window_(reduce->window()) {}

  Status Run() {
    Arrays arrays = Padded();
    const Shape& result = reduce_->shape().IsTuple() ? reduce_->shape().tuple_shapes(0) : reduce_->shape();
    if (ShapeUtil::ElementsIn(result) == 0) return Replace(Initial(result.dimensions()));
    // From the last dimension to the first, taps are combined in row-major order, which reducers that are associative
    // only (the first of equal elements, ...) depend on.
    for (int64_t d = static_cast<int64_t>(window_.size()) - 1; d >= 0; --d) {
      ASSIGN_OR_RETURN(arrays, Windows(arrays, d, window_[d].size));
      const int64_t reach = (result.dimensions(d) - 1) * window_[d].stride + 1;
      for (HloInstruction*& array : arrays) array = writer_.Slice(array, d, 0, reach, window_[d].stride);
    }
    ASSIGN_OR_RETURN(arrays, Combine(Initial(result.dimensions()), arrays));
    return Replace(arrays);
  }

 private:
  Arrays Padded() {
    PaddingConfig padding;
    for (const WindowDimension& d : window_) padding.push_back({d.padding_low, d.padding_high, d.base_dilation - 1});
    Arrays arrays;
    for (int64_t i = 0; i < inputs_; ++i) {
      arrays.push_back(writer_.Pad(reduce_->mutable_operand(i), reduce_->mutable_operand(inputs_ + i), padding));
    }
    return arrays;
  }

  Arrays Initial(const std::vector<int64_t>& dimensions) {
    Arrays arrays;
    for (int64_t i = 0; i < inputs_; ++i) {
      arrays.push_back(writer_.Splat(reduce_->mutable_operand(inputs_ + i), dimensions));
    }
    return arrays;
  }

  StatusOr<Arrays> Combine(const Arrays& left, const Arrays& right) {
    Arrays arguments = left;
    arguments.insert(arguments.end(), right.begin(), right.end());
    return writer_.Apply(*reduce_->to_apply(), arguments);
  }

  // Element j of the result combines elements j, j + dilation, .. (`size` of them) along dimension d.
  StatusOr<Arrays> Windows(const Arrays& arrays, int64_t d, int64_t size) {
    if (size == 1) return arrays;
    const int64_t first = size / 2;
    ASSIGN_OR_RETURN(const Arrays left, Windows(arrays, d, first));
    Arrays right = left;
    if (size % 2 != 0) {  // one more at the end: [first] and [first + 1]
      ASSIGN_OR_RETURN(right, Widened(left, arrays, d, first));
    }
    return Join(left, right, d, first, arrays[0]->shape().dimensions(d) - (size - 1) * window_[d].window_dilation);
  }

  // Windows of `size` + 1 elements from those of `size`.
  StatusOr<Arrays> Widened(const Arrays& windows, const Arrays& arrays, int64_t d, int64_t size) {
    return Join(windows, arrays, d, size, arrays[0]->shape().dimensions(d) - size * window_[d].window_dilation);
  }

  // left[j] combined with right[j + shift * dilation], for `count` places.
  StatusOr<Arrays> Join(const Arrays& left, const Arrays& right, int64_t d, int64_t shift, int64_t count) {
    Arrays near;
    Arrays far;
    for (int64_t i = 0; i < inputs_; ++i) {
      const int64_t begin = shift * window_[d].window_dilation;
      near.push_back(writer_.Slice(left[i], d, 0, count));
      far.push_back(writer_.Slice(right[i], d, begin, begin + count));
    }
    return Combine(near, far);
  }

  Status Replace(const Arrays& arrays) {
    if (!reduce_->shape().IsTuple()) return ReplaceExpanded(reduce_, arrays[0]);
    return ReplaceExpanded(reduce_, writer_.Add(HloInstruction::CreateTuple(arrays)));
  }

  HloInstruction* reduce_;
  GraphWriter writer_;
  int64_t inputs_;
  Window window_;
};

Status Expand(HloInstruction* reduce) { return ReduceWindowExpansion(reduce).Run(); }

}  // namespace

StatusOr<Changed> ReduceWindowExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kReduceWindow, &Expand);
}

}  // namespace xla
