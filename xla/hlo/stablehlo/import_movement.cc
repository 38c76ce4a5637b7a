// Operations that move elements.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "xla/hlo/stablehlo/import_ops.h"

namespace xla::stablehlo {
namespace {

std::string ListText(const Dims& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

AttributeSet WithDimensions(Dims dimensions) {
  AttributeSet attributes;
  attributes.Set(AttributeId::kDimensions, std::move(dimensions));
  return attributes;
}

}  // namespace

Status ConvertIota(OpImport& in) {
  ASSIGN_OR_RETURN(const int64_t dimension, in.Int("iota_dimension"));
  return in.Emit(HloInstruction::CreateIota(in.Type(), dimension));
}

StatusOr<HloInstruction*> BroadcastInDim(OpImport& in, HloInstruction* x, const Dims& dimensions, const Dims& places) {
  const Shape& shape = x->shape();
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (!shape.IsArray() || static_cast<int64_t>(places.size()) != shape.rank())
    return in.Invalid("one result dimension is needed for each dimension of the operand", ListText(places),
                      fmt::format("{} dimensions", shape.rank()));
  Dims kept, kept_places;
  std::vector<bool> is_taken(dimensions.size(), false);
  for (int64_t i = 0; i < shape.rank(); ++i) {
    const int64_t place = places[i];
    if (place < 0 || place >= rank || is_taken[place])
      return in.Invalid("the result dimensions must be different ones of the result", ListText(places),
                        fmt::format("numbers from 0 to {}", rank - 1));
    is_taken[place] = true;
    if (shape.dimensions(i) != 1 && shape.dimensions(i) != dimensions[place])
      return in.Invalid(fmt::format("dimension {} of the operand does not fit dimension {} of the result", i, place),
                        fmt::format("{} and {}", shape.dimensions(i), dimensions[place]), "equal sizes, or 1");
    if (shape.dimensions(i) != dimensions[place]) continue;  // HLO's broadcast does not grow dimensions
    kept.push_back(shape.dimensions(i));
    kept_places.push_back(place);
  }
  return in.write.Broadcast(in.write.Reshape(x, kept), dimensions, kept_places);
}

Status ConvertBroadcastInDim(OpImport& in) {
  ASSIGN_OR_RETURN(const Dims places, in.List("broadcast_dimensions"));
  ASSIGN_OR_RETURN(HloInstruction * result, BroadcastInDim(in, in.operands[0], in.Type().dimensions(), places));
  return in.Bind(result);
}

Status ConvertBroadcast(OpImport& in) {
  ASSIGN_OR_RETURN(Dims dimensions, in.List("broadcast_sizes"));
  Dims places;
  for (const int64_t size : in.operands[0]->shape().dimensions()) {
    places.push_back(static_cast<int64_t>(dimensions.size()));
    dimensions.push_back(size);
  }
  return in.Emit(HloInstruction::CreateBroadcast(in.Type(), in.operands[0], places));
}

Status ConvertConcatenate(OpImport& in) {
  ASSIGN_OR_RETURN(const int64_t dimension, in.Int("dimension"));
  return in.Emit(HloOpcode::kConcatenate, in.operands, WithDimensions({dimension}));
}

Status ConvertReverse(OpImport& in) {
  ASSIGN_OR_RETURN(const Dims dimensions, in.List("dimensions"));
  return in.Emit(HloOpcode::kReverse, in.operands, WithDimensions(dimensions));
}

Status ConvertTranspose(OpImport& in) {
  ASSIGN_OR_RETURN(const Dims permutation, in.List("permutation"));
  return in.Emit(HloOpcode::kTranspose, in.operands, WithDimensions(permutation));
}

Status ConvertDynamicSlice(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const Dims sizes, in.List("slice_sizes"));
  attributes.Set(AttributeId::kDynamicSliceSizes, sizes);
  return in.Emit(HloOpcode::kDynamicSlice, in.operands, std::move(attributes));
}

Status ConvertPad(OpImport& in) {
  ASSIGN_OR_RETURN(const Dims low, in.List("edge_padding_low"));
  ASSIGN_OR_RETURN(const Dims high, in.List("edge_padding_high"));
  ASSIGN_OR_RETURN(const Dims interior, in.List("interior_padding"));
  if (low.size() != high.size() || low.size() != interior.size())
    return in.Invalid("low, high and interior must have equal lengths");
  PaddingConfig config;
  for (size_t i = 0; i < low.size(); ++i)
    config.push_back({.edge_padding_low = low[i], .edge_padding_high = high[i], .interior_padding = interior[i]});
  return in.Emit(HloInstruction::CreatePad(in.Type(), in.operands[0], in.operands[1], std::move(config)));
}

Status ConvertSlice(OpImport& in) {
  ASSIGN_OR_RETURN(const Dims starts, in.List("start_indices"));
  ASSIGN_OR_RETURN(const Dims limits, in.List("limit_indices"));
  ASSIGN_OR_RETURN(const Dims strides, in.List("strides"));
  if (starts.size() != limits.size() || starts.size() != strides.size())
    return in.Invalid("start_indices, limit_indices and strides must have equal lengths");
  SliceRanges ranges;
  for (size_t i = 0; i < starts.size(); ++i)
    ranges.push_back({.start = starts[i], .limit = limits[i], .stride = strides[i]});
  return in.Emit(HloInstruction::CreateSlice(in.Type(), in.operands[0], std::move(ranges)));
}

}  // namespace xla::stablehlo
