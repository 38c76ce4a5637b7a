// Whole algorithms: normalisation, factorisations, transforms, random bits.
#include <fmt/format.h>

#include "xla/hlo/stablehlo/import_ops.h"

using namespace mlir;
namespace xla::stablehlo {

Status ConvertBatchNorm(OpImport& in, HloOpcode opcode) {
  AttributeSet attributes;
  const auto epsilon = in.op.getAttrOfType<FloatAttr>("epsilon");
  if (!epsilon) return in.Invalid("the attribute 'epsilon' must be a number: 1.0e-5 : f32");
  ASSIGN_OR_RETURN(const int64_t feature, in.Int("feature_index"));
  attributes.Set(AttributeId::kEpsilon, static_cast<float>(epsilon.getValueAsDouble()));
  attributes.Set(AttributeId::kFeatureIndex, feature);
  return in.Emit(opcode, in.operands, std::move(attributes));
}

Status ConvertCholesky(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const bool lower, in.Bool("lower", false));
  if (lower) attributes.Set(AttributeId::kLower, true);
  return in.Emit(HloOpcode::kCholesky, in.operands, std::move(attributes));
}

Status ConvertTriangularSolve(OpImport& in) {
  AttributeSet attributes;
  for (const auto& [name, id] :
       {std::pair("left_side", AttributeId::kLeftSide), std::pair("lower", AttributeId::kLower),
        std::pair("unit_diagonal", AttributeId::kUnitDiagonal)}) {
    ASSIGN_OR_RETURN(const bool flag, in.Bool(name));
    if (flag) attributes.Set(id, true);
  }
  ASSIGN_OR_RETURN(const auto transpose, in.HloEnum<TriangularSolveTranspose>("transpose_a", "transpose"));
  attributes.Set(AttributeId::kTransposeA, transpose);
  return in.Emit(HloOpcode::kTriangularSolve, in.operands, std::move(attributes));
}

Status ConvertFft(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const auto type, in.HloEnum<FftType>("fft_type", "fft_type"));
  ASSIGN_OR_RETURN(const Dims length, in.List("fft_length"));
  attributes.Set(AttributeId::kFftType, type);
  attributes.Set(AttributeId::kFftLength, length);
  return in.Emit(HloOpcode::kFft, in.operands, std::move(attributes));
}

Status ConvertRngBitGenerator(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const std::string algorithm, in.Enum("rng_algorithm", "rng_algorithm"));
  attributes.Set(AttributeId::kAlgorithm, Verbatim{"rng_" + StringRef(algorithm).lower()});
  return in.Emit(HloOpcode::kRngBitGenerator, in.operands, std::move(attributes));
}

}  // namespace xla::stablehlo
