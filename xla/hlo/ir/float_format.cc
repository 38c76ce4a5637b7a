#include "xla/hlo/ir/float_format.h"

#include <bit>

#include "base/numerics/float_convert.h"

namespace xla {
namespace {

using rocxla::FloatType;

FloatType FloatTypeOf(PrimitiveType type) {
  switch (type) {
#define FLOAT_FORMAT(id, ...) \
  case id:                    \
    return FloatType::k##id;
#include "base/numerics/float_formats.def"
#undef FLOAT_FORMAT
    default:
      return FloatType::kF64;
  }
}

}  // namespace

FloatFormat FloatFormatOf(PrimitiveType type) { return rocxla::FormatOf(FloatTypeOf(type)); }

// f32 and f64 take the host's own conversions: they keep the payload of NaNs.
double DecodeFloat(PrimitiveType type, uint64_t bits) {
  if (type == F64) return std::bit_cast<double>(bits);
  if (type == F32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return rocxla::DecodeToDouble(FloatTypeOf(type), bits);
}

uint64_t EncodeFloat(PrimitiveType type, double value) {
  if (type == F64) return std::bit_cast<uint64_t>(value);
  if (type == F32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return rocxla::EncodeFloat(FloatTypeOf(type), value);
}

double MaxFinite(PrimitiveType type) { return DecodeFloat(type, FloatFormatOf(type).MaxFiniteBits()); }

}  // namespace xla
