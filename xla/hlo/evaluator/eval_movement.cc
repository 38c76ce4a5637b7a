// The opcodes that move elements, all in logical row-major order, where layouts do not matter (bitcast excepted).
#include <algorithm>
#include <numeric>

#include "base/numerics/packing.h"
#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"

namespace xla::evaluator {
namespace {

using Dims = std::vector<int64_t>;

std::vector<int64_t> RowMajorStrides(const Shape& shape) {
  return ShapeUtil::Strides(ShapeUtil::WithDefaultLayout(shape));
}

int64_t Dot(const Dims& a, const Dims& b) { return std::inner_product(a.begin(), a.end(), b.begin(), int64_t{0}); }

// An array of `shape` whose element at each index is source element number source_of(index); -1 leaves it as it is in
// `result`.
template <class SourceOf>
void Gather(const Literal& source, const SourceOf& source_of, Literal* result) {
  if (result->element_count() == 0) return;
  const int width = ByteWidth(result->shape().element_type());
  IndexCounter counter(result->shape().dimensions());
  int64_t i = 0;
  do {
    const int64_t from = source_of(counter.index());
    if (from >= 0) {
      std::memcpy(result->mutable_bytes().data() + i * width, source.bytes().data() + from * width, width);
    }
    ++i;
  } while (counter.Next());
}

// The inverse: puts source element i to result element number place_of(index of i); -1 drops it.
template <class PlaceOf>
void Scatter(const Literal& source, const PlaceOf& place_of, Literal* result) {
  if (source.element_count() == 0) return;
  const int width = ByteWidth(source.shape().element_type());
  IndexCounter counter(source.shape().dimensions());
  int64_t i = 0;
  do {
    const int64_t to = place_of(counter.index());
    if (to >= 0) std::memcpy(result->mutable_bytes().data() + to * width, source.bytes().data() + i * width, width);
    ++i;
  } while (counter.Next());
}

// The start indices of dynamic-slice and dynamic-update-slice, clamped so that the slice lies inside.
Dims ClampedStarts(Operands indices, const Dims& operand, const Dims& slice) {
  Dims starts;
  for (size_t i = 0; i < indices.size(); ++i) {
    int64_t start = indices[i]->GetAsInt64(0);
    const int64_t last = operand[i] - slice[i];
    if (IsUnsigned(indices[i]->shape().element_type()) && start < 0) start = last;  // a u64 beyond int64
    starts.push_back(std::clamp<int64_t>(start, 0, last));
  }
  return starts;
}

}  // namespace

StatusOr<Literal> Eval_kIota(const HloInstruction& instruction, Operands) {
  Literal result = Literal::Zeros(instruction.shape());
  if (result.element_count() == 0) return result;
  IndexCounter counter(instruction.shape().dimensions());
  int64_t i = 0;
  do {
    result.SetFromInt64(i++, counter.index()[instruction.iota_dimension()]);
  } while (counter.Next());
  return result;
}

StatusOr<Literal> Eval_kBroadcast(const HloInstruction& instruction, Operands operands) {
  Literal result = Literal::Zeros(instruction.shape());
  const Dims strides = RowMajorStrides(operands[0]->shape());
  const Dims& dimensions = instruction.dimensions();
  Gather(
      *operands[0],
      [&](const Dims& index) {
        int64_t from = 0;
        for (size_t d = 0; d < dimensions.size(); ++d) from += index[dimensions[d]] * strides[d];
        return from;
      },
      &result);
  return result;
}

StatusOr<Literal> Eval_kReshape(const HloInstruction& instruction, Operands operands) {
  return Literal::FromBytes(instruction.shape(), operands[0]->bytes());
}

namespace {

// Elements below 8 bits lie packed in memory; `bytes` has one each.
std::vector<uint8_t> Packed(PrimitiveType type, const std::vector<uint8_t>& bytes) {
  if (BitWidth(type) >= 8) return bytes;
  return rocxla::PackElements(bytes, BitWidth(type), rocxla::PackOrder::kHighFirst);
}
std::vector<uint8_t> Unpacked(const Shape& shape, const std::vector<uint8_t>& bytes) {
  const PrimitiveType type = shape.element_type();
  if (BitWidth(type) >= 8) return bytes;
  return rocxla::UnpackElements(bytes, static_cast<uint64_t>(ShapeUtil::ElementsIn(shape)), BitWidth(type),
                                rocxla::PackOrder::kHighFirst,
                                IsSigned(type) ? rocxla::Extension::kSign : rocxla::Extension::kZero);
}

}  // namespace

// Reads the operand's bytes in memory order.
StatusOr<Literal> Eval_kBitcast(const HloInstruction& instruction, Operands operands) {
  const PrimitiveType from = operands[0]->shape().element_type();
  const PrimitiveType to = instruction.shape().element_type();
  const std::vector<uint8_t> bytes = operands[0]->BytesInLayout(instruction.operand(0)->shape().layout());
  if (BitWidth(from) == BitWidth(to) && IsSigned(from) == IsSigned(to)) {
    return Literal::FromBytesInLayout(instruction.shape(), bytes);
  }
  if (BitWidth(from) == 6 || BitWidth(to) == 6) {
    return NotEvaluable(instruction, "the evaluator does not bitcast between 6-bit types and others");
  }
  return Literal::FromBytesInLayout(instruction.shape(), Unpacked(instruction.shape(), Packed(from, bytes)));
}

namespace {

// The lowest `width` bits, sign-extended as a Literal holds them below 8 bits.
uint8_t NarrowByte(PrimitiveType type, uint64_t bits) {
  const int unused = 8 - BitWidth(type);
  const auto high = static_cast<uint8_t>(bits << unused);
  return IsSigned(type) ? static_cast<uint8_t>(static_cast<int8_t>(high) >> unused) : high >> unused;
}

}  // namespace

// In logical order: a wider element is made of neighbours in the last dimension, the first of them its lowest bits.
StatusOr<Literal> Eval_kBitcastConvert(const HloInstruction& instruction, Operands operands) {
  const PrimitiveType from = operands[0]->shape().element_type();
  const PrimitiveType to = instruction.shape().element_type();
  const int from_bits = BitWidth(from);
  const int to_bits = BitWidth(to);
  if (std::min(from_bits, to_bits) >= 8) return Literal::FromBytes(instruction.shape(), operands[0]->bytes());
  // One type is below 8 bits: every element starts and ends inside a byte of its wider one, or is whole bytes.
  Literal result = Literal::Zeros(instruction.shape());
  const int step = std::min(from_bits, to_bits);
  const int64_t steps = operands[0]->element_count() * from_bits / step;
  std::vector<uint64_t> values(result.element_count());
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t at = i * step % from_bits;
    const uint8_t byte = operands[0]->bytes()[i * step / from_bits * ByteWidth(from) + at / 8];
    const uint64_t piece = byte >> (at % 8) & ((1U << step) - 1);
    values[i * step / to_bits] |= piece << (i * step % to_bits);
  }
  for (int64_t i = 0; i < result.element_count(); ++i) {
    if (to_bits < 8) values[i] = NarrowByte(to, values[i]);
    std::memcpy(result.mutable_bytes().data() + i * ByteWidth(to), &values[i], ByteWidth(to));
  }
  return result;
}

StatusOr<Literal> Eval_kTranspose(const HloInstruction& instruction, Operands operands) {
  Literal result = Literal::Zeros(instruction.shape());
  const Dims operand_strides = RowMajorStrides(operands[0]->shape());
  Dims strides;
  for (int64_t dimension : instruction.dimensions()) strides.push_back(operand_strides[dimension]);
  Gather(*operands[0], [&](const Dims& index) { return Dot(index, strides); }, &result);
  return result;
}

StatusOr<Literal> Eval_kReverse(const HloInstruction& instruction, Operands operands) {
  Literal result = Literal::Zeros(instruction.shape());
  Dims strides = RowMajorStrides(operands[0]->shape());
  int64_t first = 0;
  for (int64_t dimension : instruction.dimensions()) {
    first += (result.shape().dimensions(dimension) - 1) * strides[dimension];
    strides[dimension] = -strides[dimension];
  }
  Gather(*operands[0], [&](const Dims& index) { return first + Dot(index, strides); }, &result);
  return result;
}

StatusOr<Literal> Eval_kSlice(const HloInstruction& instruction, Operands operands) {
  Literal result = Literal::Zeros(instruction.shape());
  Dims strides = RowMajorStrides(operands[0]->shape());
  int64_t first = 0;
  for (size_t d = 0; d < strides.size(); ++d) {
    first += instruction.slice_starts(d) * strides[d];
    strides[d] *= instruction.slice_strides(d);
  }
  Gather(*operands[0], [&](const Dims& index) { return first + Dot(index, strides); }, &result);
  return result;
}

StatusOr<Literal> Eval_kConcatenate(const HloInstruction& instruction, Operands operands) {
  Literal result = Literal::Zeros(instruction.shape());
  const Dims strides = RowMajorStrides(result.shape());
  const int64_t along = instruction.concatenate_dimension();
  int64_t begin = 0;
  for (const Literal* operand : operands) {
    Scatter(*operand, [&](const Dims& index) { return begin * strides[along] + Dot(index, strides); }, &result);
    begin += operand->shape().dimensions(along);
  }
  return result;
}

StatusOr<Literal> Eval_kPad(const HloInstruction& instruction, Operands operands) {
  Literal result = Literal::Zeros(instruction.shape());
  Gather(*operands[1], [](const Dims&) { return int64_t{0}; }, &result);
  const Dims strides = RowMajorStrides(result.shape());
  const PaddingConfig& config = instruction.padding_config();
  Scatter(
      *operands[0],
      [&](const Dims& index) {
        int64_t to = 0;
        for (size_t d = 0; d < index.size(); ++d) {
          const int64_t place = config[d].edge_padding_low + index[d] * (config[d].interior_padding + 1);
          if (place < 0 || place >= result.shape().dimensions(d)) return int64_t{-1};
          to += place * strides[d];
        }
        return to;
      },
      &result);
  return result;
}

StatusOr<Literal> Eval_kDynamicSlice(const HloInstruction& instruction, Operands operands) {
  Literal result = Literal::Zeros(instruction.shape());
  const Dims strides = RowMajorStrides(operands[0]->shape());
  const Dims starts =
      ClampedStarts(operands.subspan(1), operands[0]->shape().dimensions(), instruction.dynamic_slice_sizes());
  const int64_t first = Dot(starts, strides);
  Gather(*operands[0], [&](const Dims& index) { return first + Dot(index, strides); }, &result);
  return result;
}

StatusOr<Literal> Eval_kDynamicUpdateSlice(const HloInstruction& instruction, Operands operands) {
  Literal result = *operands[0];
  result.set_shape(instruction.shape());
  const Dims strides = RowMajorStrides(result.shape());
  const Dims starts =
      ClampedStarts(operands.subspan(2), operands[0]->shape().dimensions(), operands[1]->shape().dimensions());
  const int64_t first = Dot(starts, strides);
  Scatter(*operands[1], [&](const Dims& index) { return first + Dot(index, strides); }, &result);
  return result;
}

}  // namespace xla::evaluator
