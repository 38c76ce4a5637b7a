// Comparing tensors as recorded cases ask for it.
#pragma once
#include <cstdint>
#include <string>

#include "base/json.h"
#include "base/safetensors.h"
#include "base/status.h"

namespace xla::tools {

struct Tolerance {
  double rtol = 0;
  double atol = 0;
};

// What one rounding per operation explains for results of this dtype: "F32" 1e-4 for both, "BF16" 0.02, ... Integers
// are compared exactly whatever it says.
Tolerance DefaultTolerance(std::string_view dtype);

// The fields "rtol" and "atol" of an object, which must be finite and not negative: BadJson.
rocxla::StatusOr<Tolerance> ToleranceFromJson(const rocxla::Json& object, std::string_view origin);

struct Comparison {
  int64_t elements = 0;
  int64_t mismatches = 0;
  double largest_error = 0;  // |got - want| over all elements where both are finite
  // The first mismatch, as text: "[3,5]: got 1.5, want 1.25".
  std::string first_mismatch;

  bool equal() const { return mismatches == 0; }
};

// |got - want| <= atol + rtol * |want| element by element; NaN equals NaN, infinities equal themselves; integers and
// booleans must be exact unless atol > 0 asks otherwise; complex numbers are compared part by part. Shapes and dtypes
// must agree: ResultMismatch otherwise. CompilerUnsupportedType for dtypes that have no numeric meaning here yet.
rocxla::StatusOr<Comparison> Compare(const rocxla::Tensor& got, const rocxla::Tensor& want, Tolerance tolerance);

}  // namespace xla::tools
