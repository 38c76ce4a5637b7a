// Literals of HLO and tensors of safetensors files, each from the other.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/safetensors.h"
#include "base/status.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/literal.h"

namespace xla::tools {

// The format's name of an element type ("F32", "BOOL"), or "" when safetensors has none for it.
std::string_view DtypeOf(PrimitiveType type);

// `in.0`, `in.1`, ... in parameter order. WrongInputs names the parameter, its shape, and what the file has instead.
rocxla::StatusOr<std::vector<Literal>> InputsFromTensors(const HloModule& module, const rocxla::TensorMap& tensors,
                                                         std::string_view origin);
// Seeded random values for every parameter: floats uniform in [-1, 1), integers in [0, 8), booleans even. WrongInputs
// for parameters that are no arrays.
rocxla::StatusOr<std::vector<Literal>> RandomInputs(const HloModule& module, uint64_t seed);

// An array as a row-major tensor.
rocxla::Tensor TensorFromLiteral(const Literal& array);

// "f32[2,3] {{1, 2, 3}, {4, 5, 6}}", cut after a few elements.
std::string Preview(const Literal& literal);

}  // namespace xla::tools
