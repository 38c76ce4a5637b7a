// bitcast-convert between types of different widths as shifts: of a wide element, the first narrow one has the lowest
// bits.
#include <optional>

#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

// Null for widths without an integer type.
std::optional<PrimitiveType> WordOf(int bits) {
  for (const PrimitiveType type : {U1, U2, U4, U8, U16, U32, U64}) {
    if (BitWidth(type) == bits) return type;
  }
  return std::nullopt;
}

Dims WithLast(Dims dims, int64_t size) {
  dims.push_back(size);
  return dims;
}

class Bitcast {
 public:
  explicit Bitcast(HloComputation& computation) : w_(computation) {}

  // Real types whose widths are those of integers. A narrower result gets a last dimension; a wider one consumes it.
  HloInstruction* Convert(HloInstruction* x, PrimitiveType to) {
    const int from_bits = BitWidth(x->shape().element_type()), to_bits = BitWidth(to);
    HloInstruction* words = SameWidth(x, *WordOf(from_bits));
    HloInstruction* converted = from_bits > to_bits ? Split(words, to_bits) : Join(words, to_bits);
    return SameWidth(converted, to);
  }

  // c128 to c64[..., 2], and back: through pairs of parts.
  HloInstruction* ConvertComplex(HloInstruction* x, PrimitiveType to) {
    HloInstruction* parts[] = {Part(x, HloOpcode::kReal), Part(x, HloOpcode::kImag)};
    const int64_t last = x->shape().rank();
    for (HloInstruction*& part : parts) part = w_.Reshape(part, WithLast(x->shape().dimensions(), 1));
    HloInstruction* pairs = Convert(w_.Concatenate(parts, last), ComplexComponentType(to));
    const int64_t along = pairs->shape().rank() - 1;
    Dims dims = pairs->shape().dimensions();
    dims.pop_back();
    HloInstruction* real = w_.Reshape(w_.Slice(pairs, along, 0, 1), dims);
    HloInstruction* imag = w_.Reshape(w_.Slice(pairs, along, 1, 2), dims);
    return w_.Add(HloInstruction::CreateBinary(Shape::Array(to, dims), HloOpcode::kComplex, real, imag));
  }

 private:
  HloInstruction* SameWidth(HloInstruction* x, PrimitiveType to) {
    if (x->shape().element_type() == to) return x;
    return w_.Add(HloInstruction::CreateBitcastConvert(Shape::Array(to, x->shape().dimensions()), x));
  }
  HloInstruction* Part(HloInstruction* x, HloOpcode opcode) {
    const PrimitiveType type = ComplexComponentType(x->shape().element_type());
    return w_.Add(HloInstruction::CreateUnary(Shape::Array(type, x->shape().dimensions()), opcode, x));
  }
  // 0, bits, 2 bits, ... along the last dimension.
  HloInstruction* Shifts(const Dims& dims, PrimitiveType type, int bits) {
    HloInstruction* places = w_.Convert(w_.Iota(dims, static_cast<int64_t>(dims.size()) - 1), type);
    return w_.Binary(HloOpcode::kMultiply, places, w_.Splat(w_.Scalar(type, bits), dims));
  }
  HloInstruction* Split(HloInstruction* words, int to_bits) {
    const PrimitiveType type = words->shape().element_type();
    const Dims dims = WithLast(words->shape().dimensions(), BitWidth(type) / to_bits);
    HloInstruction* copies = w_.Broadcast(words, dims, AllDimensions(words->shape().rank()));
    return w_.Convert(w_.Binary(HloOpcode::kShiftRightLogical, copies, Shifts(dims, type, to_bits)), *WordOf(to_bits));
  }
  HloInstruction* Join(HloInstruction* words, int to_bits) {
    const Dims& dims = words->shape().dimensions();
    const PrimitiveType type = *WordOf(to_bits);
    HloInstruction* placed = w_.Binary(HloOpcode::kShiftLeft, w_.Convert(words, type),
                                       Shifts(dims, type, BitWidth(words->shape().element_type())));
    return w_.Reduce(placed, words->shape().rank() - 1, HloOpcode::kAdd, 0);
  }

  GraphWriter w_;
};

Status Expand(HloInstruction* convert) {
  HloInstruction* x = convert->mutable_operand(0);
  const PrimitiveType from = x->shape().element_type(), to = convert->shape().element_type();
  if (BitWidth(from) == BitWidth(to)) return OkStatus();
  if (!IsComplex(from) && (!WordOf(BitWidth(from)) || !WordOf(BitWidth(to)))) return OkStatus();
  Bitcast bitcast(*convert->parent());
  return ReplaceExpanded(convert, IsComplex(from) ? bitcast.ConvertComplex(x, to) : bitcast.Convert(x, to));
}

}  // namespace

StatusOr<Changed> BitcastConvertExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kBitcastConvert, &Expand);
}

}  // namespace xla
