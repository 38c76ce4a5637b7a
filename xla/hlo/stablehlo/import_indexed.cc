// gather, scatter, sort and what is made of them.
#include <fmt/format.h>

#include "xla/hlo/stablehlo/import_ops.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

void SetDims(AttributeSet& attributes, AttributeId id, StructAttr fields, StringRef name, bool may_be_absent = false) {
  const ArrayRef<int64_t> dims = fields.Dims(name);
  if (!may_be_absent || !dims.empty()) attributes.Set(id, Dims(dims.begin(), dims.end()));
}

void SetIfTrue(AttributeSet& attributes, AttributeId id, bool flag) {
  if (flag) attributes.Set(id, true);
}

}  // namespace

Status SetGather(OpImport& in, const Dims& slice_sizes, AttributeSet& attributes) {
  ASSIGN_OR_RETURN(const StructAttr numbers, in.Struct("dimension_numbers", "gather"));
  ASSIGN_OR_RETURN(const bool is_sorted, in.Bool("indices_are_sorted", false));
  SetDims(attributes, AttributeId::kOffsetDims, numbers, "offset_dims");
  SetDims(attributes, AttributeId::kCollapsedSliceDims, numbers, "collapsed_slice_dims");
  SetDims(attributes, AttributeId::kStartIndexMap, numbers, "start_index_map");
  SetDims(attributes, AttributeId::kOperandBatchingDims, numbers, "operand_batching_dims", true);
  SetDims(attributes, AttributeId::kStartIndicesBatchingDims, numbers, "start_indices_batching_dims", true);
  attributes.Set(AttributeId::kIndexVectorDim, numbers.Int("index_vector_dim"));
  attributes.Set(AttributeId::kSliceSizes, slice_sizes);
  SetIfTrue(attributes, AttributeId::kIndicesAreSorted, is_sorted);
  return OkStatus();
}

Status ConvertGather(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const Dims slice_sizes, in.List("slice_sizes"));
  RETURN_IF_ERROR(SetGather(in, slice_sizes, attributes));
  return in.Emit(HloOpcode::kGather, in.operands, std::move(attributes));
}

Status ConvertScatter(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const StructAttr numbers, in.Struct("scatter_dimension_numbers", "scatter"));
  ASSIGN_OR_RETURN(const bool is_sorted, in.Bool("indices_are_sorted", false));
  ASSIGN_OR_RETURN(const bool is_unique, in.Bool("unique_indices", false));
  ASSIGN_OR_RETURN(HloComputation * combiner, in.Region(0, "combiner"));
  SetDims(attributes, AttributeId::kUpdateWindowDims, numbers, "update_window_dims");
  SetDims(attributes, AttributeId::kInsertedWindowDims, numbers, "inserted_window_dims");
  SetDims(attributes, AttributeId::kScatterDimsToOperandDims, numbers, "scatter_dims_to_operand_dims");
  SetDims(attributes, AttributeId::kInputBatchingDims, numbers, "input_batching_dims", true);
  SetDims(attributes, AttributeId::kScatterIndicesBatchingDims, numbers, "scatter_indices_batching_dims", true);
  attributes.Set(AttributeId::kIndexVectorDim, numbers.Int("index_vector_dim"));
  SetIfTrue(attributes, AttributeId::kIndicesAreSorted, is_sorted);
  SetIfTrue(attributes, AttributeId::kUniqueIndices, is_unique);
  attributes.Set(AttributeId::kToApply, combiner);
  return in.Emit(HloOpcode::kScatter, in.operands, std::move(attributes));
}

Status ConvertSort(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(int64_t dimension, in.Int("dimension", -1));
  ASSIGN_OR_RETURN(const bool is_stable, in.Bool("is_stable", false));
  ASSIGN_OR_RETURN(HloComputation * comparator, in.Region(0, "comparator"));
  if (in.operands.empty()) return in.Invalid("there is nothing to sort");
  if (dimension < 0) dimension += in.operands[0]->shape().rank();
  attributes.Set(AttributeId::kDimensions, Dims{dimension});
  SetIfTrue(attributes, AttributeId::kIsStable, is_stable);
  attributes.Set(AttributeId::kToApply, comparator);
  return in.Emit(HloOpcode::kSort, in.operands, std::move(attributes));
}

// result[b..., before..., i..., after...] = operand[b..., before..., index[b..., i...], after...]: a gather of slices
// that are whole except along the batch dimensions and `dim`.
Status ConvertTorchIndexSelect(OpImport& in) {
  ASSIGN_OR_RETURN(int64_t dim, in.Int("dim"));
  ASSIGN_OR_RETURN(int64_t batch, in.Int("batch_dims", 0));
  const Shape& operand = in.operands[0]->shape();
  const Shape& index = in.operands[1]->shape();
  if (dim < 0) dim += operand.rank();
  if (batch < 0) batch += index.rank();
  if (dim < 0 || dim >= operand.rank() || batch < 0 || batch > dim || batch > index.rank())
    return in.Invalid("dim or batch_dims is out of range", fmt::format("{} and {}", dim, batch), operand.ToString());
  AttributeSet attributes;
  Dims batches, offsets, sizes = operand.dimensions();
  for (int64_t i = 0; i < batch; ++i) {
    batches.push_back(i);
    sizes[i] = std::min<int64_t>(sizes[i], 1);
  }
  sizes[dim] = 1;
  for (int64_t i = batch; i < dim; ++i) offsets.push_back(i);
  for (int64_t i = dim + 1; i < operand.rank(); ++i) offsets.push_back(i - 1 + index.rank() - batch);
  attributes.Set(AttributeId::kOffsetDims, offsets);
  attributes.Set(AttributeId::kCollapsedSliceDims, Dims{dim});
  attributes.Set(AttributeId::kStartIndexMap, Dims{dim});
  if (!batches.empty()) {
    attributes.Set(AttributeId::kOperandBatchingDims, batches);
    attributes.Set(AttributeId::kStartIndicesBatchingDims, batches);
  }
  attributes.Set(AttributeId::kIndexVectorDim, index.rank());
  attributes.Set(AttributeId::kSliceSizes, sizes);
  return in.Emit(HloOpcode::kGather, in.operands, std::move(attributes));
}

}  // namespace xla::stablehlo
