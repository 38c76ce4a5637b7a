// Rounding to integers by random bits, as comparisons and selections. The meaning: Eval_kStochasticConvert.
#include <cmath>

#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

// For f16 and bf16 in f32, which holds their values and 16 bits of a fraction exactly.
Status Expand(HloInstruction* convert) {
  GraphWriter w(*convert->parent());
  const PrimitiveType from = convert->operand(0)->shape().element_type(), to = convert->shape().element_type();
  const PrimitiveType type = from == F64 ? F64 : F32;
  const int random_bits = BitWidth(from);
  const std::vector<int64_t>& dims = convert->shape().dimensions();
  const auto number = [&](PrimitiveType of, double x) { return w.Splat(w.Scalar(of, x), dims); };
  HloInstruction* x = w.Convert(convert->mutable_operand(0), type);
  HloInstruction* size = w.Unary(HloOpcode::kAbs, x);
  HloInstruction* whole = w.Unary(HloOpcode::kFloor, size);
  HloInstruction* fraction = w.Binary(HloOpcode::kSubtract, size, whole);
  // Fractions of 2^-random_bits and more that are above the random number.
  const PrimitiveType word = convert->operand(1)->shape().element_type();
  HloInstruction* scaled = w.Binary(HloOpcode::kMultiply, fraction, number(type, std::ldexp(1.0, random_bits)));
  HloInstruction* up = w.Compare(ComparisonDirection::kLt, convert->mutable_operand(1),
                                 w.Convert(w.Unary(HloOpcode::kFloor, scaled), word));
  HloInstruction* base = w.Convert(whole, to);
  HloInstruction* rounded = w.Binary(HloOpcode::kAdd, base, w.Convert(up, to));
  HloInstruction* is_negative = w.Compare(ComparisonDirection::kLt, x, number(type, 0));
  rounded = w.Select(is_negative, w.Unary(HloOpcode::kNegate, rounded), rounded);
  // The limits, as the operand's type rounds them.
  const int bits = BitWidth(to);
  const auto limit = [&](bool high) {
    const int64_t value = high ? static_cast<int64_t>(~uint64_t{0} >> (65 - bits)) : int64_t{-1} << (bits - 1);
    Literal integer = Literal::Zeros(Shape::Scalar(to)), rounded_limit = Literal::Zeros(Shape::Scalar(from));
    integer.SetFromInt64(0, value);
    rounded_limit.SetFromDouble(0, static_cast<double>(value));
    return std::pair(w.Splat(w.Constant(integer), dims), w.Convert(w.Splat(w.Constant(rounded_limit), dims), type));
  };
  const auto [highest, high] = limit(true);
  const auto [lowest, low] = limit(false);
  rounded = w.Select(w.Compare(ComparisonDirection::kGe, x, high), highest, rounded);
  rounded = w.Select(w.Compare(ComparisonDirection::kLe, x, low), lowest, rounded);
  HloInstruction* is_number = w.Compare(ComparisonDirection::kEq, x, x);
  return ReplaceExpanded(convert, w.Select(is_number, rounded, number(to, 0)));
}

}  // namespace

StatusOr<Changed> StochasticConvertExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kStochasticConvert, &Expand);
}

}  // namespace xla
