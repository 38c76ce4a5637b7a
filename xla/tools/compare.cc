#include "xla/tools/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include "base/error_ids.h"
#include "base/numerics/half.h"
#include "xla/hlo/ir/float_format.h"

namespace xla::tools {
namespace {

using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;
using rocxla::Tensor;

template <class T>
T Load(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof(value));
  return value;
}

std::string IndexText(int64_t element, const std::vector<int64_t>& shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = element % shape[d];
    element /= shape[d];
  }
  return fmt::format("[{}]", fmt::join(index, ","));
}

bool Near(double got, double want, Tolerance tolerance) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want)) return got == want;
  return std::abs(got - want) <= tolerance.atol + tolerance.rtol * std::abs(want);
}

// Compares element by element; `decode(bytes of one part)` gives a number, `parts` is 2 for complex types.
template <class Decode>
Comparison CompareParts(const Tensor& got, const Tensor& want, Tolerance tolerance, size_t part_bytes, int parts,
                        Decode decode) {
  Comparison result;
  result.elements = want.elements();
  for (int64_t i = 0; i < result.elements * parts; ++i) {
    auto g = decode(&got.bytes[i * part_bytes]), w = decode(&want.bytes[i * part_bytes]);
    double error = std::abs(static_cast<double>(g) - static_cast<double>(w));
    if (std::isfinite(error)) result.largest_error = std::max(result.largest_error, error);
    bool same = std::is_integral_v<decltype(g)> && tolerance.atol == 0
                    ? g == w
                    : Near(static_cast<double>(g), static_cast<double>(w), tolerance);
    if (same) continue;
    if (result.mismatches++ == 0)
      result.first_mismatch = fmt::format("{}: got {}, want {}", IndexText(i / parts, want.shape), g, w);
  }
  return result;
}

template <class T>
Comparison ComparePlain(const Tensor& got, const Tensor& want, Tolerance tolerance, int parts = 1) {
  return CompareParts(got, want, tolerance, sizeof(T), parts, Load<T>);
}

std::optional<PrimitiveType> Float8Of(std::string_view dtype) {
  for (const auto& [name, type] : {std::pair("F8_E4M3", F8E4M3FN),
                                   {"F8_E5M2", F8E5M2},
                                   {"F8_E4M3FNUZ", F8E4M3FNUZ},
                                   {"F8_E5M2FNUZ", F8E5M2FNUZ},
                                   {"F8_E8M0", F8E8M0FNU}}) {
    if (dtype == name) return type;
  }
  return std::nullopt;
}

std::string TypeText(const Tensor& t) { return fmt::format("{}[{}]", t.dtype, fmt::join(t.shape, ",")); }

}  // namespace

Tolerance DefaultTolerance(std::string_view dtype) {
  double both = 1e-4;
  if (dtype == "F64" || dtype == "C128") both = 1e-10;
  if (dtype == "F16") both = 2e-3;
  if (dtype == "BF16") both = 2e-2;
  if (dtype.starts_with("F8")) both = 0.15;
  return {.rtol = both, .atol = both};
}

StatusOr<Tolerance> ToleranceFromJson(const rocxla::Json& object, std::string_view origin) {
  Tolerance tolerance;
  for (auto [field, place] : {std::pair("rtol", &tolerance.rtol), {"atol", &tolerance.atol}}) {
    ASSIGN_OR_RETURN(*place, rocxla::JsonNumber(object, field, origin));
    if (std::isfinite(*place) && *place >= 0) continue;
    return Error(ErrorId::kBadJson, {.what = fmt::format("field \"{}\" is out of range", field),
                                     .where = std::string(origin),
                                     .found = fmt::format("{}", *place),
                                     .expected = "a finite number, 0 or more"});
  }
  return tolerance;
}

StatusOr<Comparison> Compare(const Tensor& got, const Tensor& want, Tolerance tolerance) {
  if (got.dtype != want.dtype || got.shape != want.shape || got.bytes.size() != want.bytes.size())
    return Error(ErrorId::kResultMismatch,
                 {.what = "the result has another type", .found = TypeText(got), .expected = TypeText(want)});
  const std::string& type = want.dtype;
  if (type == "F32") return ComparePlain<float>(got, want, tolerance);
  if (type == "F64") return ComparePlain<double>(got, want, tolerance);
  if (type == "C64") return ComparePlain<float>(got, want, tolerance, 2);
  if (type == "C128") return ComparePlain<double>(got, want, tolerance, 2);
  if (type == "F16")
    return CompareParts(got, want, tolerance, 2, 1,
                        [](const uint8_t* p) { return rocxla::F16ToF32(Load<uint16_t>(p)); });
  if (type == "BF16")
    return CompareParts(got, want, tolerance, 2, 1,
                        [](const uint8_t* p) { return rocxla::Bf16ToF32(Load<uint16_t>(p)); });
  if (const auto float8 = Float8Of(type)) {
    return CompareParts(got, want, tolerance, 1, 1,
                        [&](const uint8_t* p) { return static_cast<float>(DecodeFloat(*float8, *p)); });
  }
  if (type == "BOOL" || type == "U8") return ComparePlain<uint8_t>(got, want, tolerance);
  if (type == "I8") return ComparePlain<int8_t>(got, want, tolerance);
  if (type == "U16") return ComparePlain<uint16_t>(got, want, tolerance);
  if (type == "I16") return ComparePlain<int16_t>(got, want, tolerance);
  if (type == "U32") return ComparePlain<uint32_t>(got, want, tolerance);
  if (type == "I32") return ComparePlain<int32_t>(got, want, tolerance);
  if (type == "U64") return ComparePlain<uint64_t>(got, want, tolerance);
  if (type == "I64") return ComparePlain<int64_t>(got, want, tolerance);
  return Error(ErrorId::kCompilerUnsupportedType,
               {.what = "results of this type cannot be compared yet", .found = type});
}

}  // namespace xla::tools
