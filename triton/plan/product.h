// tt.dot and tt.dot_scaled: what they multiply, and by which instruction.
#pragma once
#include <optional>
#include <string_view>

#include "base/target/target.h"
#include "triton/dialect/tt.h"
#include "triton/layout/matrix_instruction.h"

namespace rocxla::triton {

struct PlanTarget {
  GpuTarget gpu;
  int num_warps = 4;
  Machine machine() const { return {Log2Exact(gpu.wave_size), Log2Exact(num_warps)}; }
};

// log2 extents; empty for scalars and tensors of rank 0.
Shape ShapeOf(mlir::Type type);

// One operand of a product.
struct Factor {
  mlir::Value value;
  mlir::Value scale;    // null: none. One for 2^scale_group_bits numbers along K; its shape is [.., rows, K / group]
  Number number;        // what it holds
  Shape shape;          // in numbers: [.., M, K] or [.., K, N]
  int k_dim;            // its dimension K
  int packed_dim = -1;  // two numbers in a byte along this dimension, the first in the low half
  int scale_group_bits = 0;
};

struct Product {
  mlir::Operation* op;
  Factor factors[2];
  mlir::Value c;
  bool reduced_precision = false;  // f32 may be cut to TF32
  bool ignore_nan_scales = false;

  mlir::Type result_type() const { return mlir::getElementTypeOrSelf(c); }
  Shape shape() const { return ShapeOf(c.getType()); }
  int k_bits() const { return factors[0].shape.back(); }
  bool scaled() const { return factors[0].scale || factors[1].scale; }
};
// Absent for other operations, and where a factor holds what no product takes.
std::optional<Product> ProductOf(mlir::Operation* op);

// A matrix instruction and how the tensors lie for it.
struct MatrixChoice {
  MatrixInstruction instruction;
  int row;                // in matrix_instructions.def
  std::string_view name;  // of the intrinsic
  ResultForm form;
  WarpPlacement warps;
  int chunk_bits[2];  // of MatrixOperand
};

// How a product is computed: by multiply-adds where `matrix` is absent.
struct ProductChoice {
  Number as[2];  // what the factors' numbers are converted to before they are multiplied
  std::optional<MatrixChoice> matrix;

  // Otherwise they are applied when numbers are converted.
  bool scales_in_instruction() const { return matrix && matrix->instruction.kind == MatrixInstruction::kMfmaScaled; }
};
ProductChoice ChooseProduct(const Product& product, const PlanTarget& target);

// The layout of a factor's numbers where it is multiplied by a matrix instruction.
LinearLayout FactorLayout(const Product& product, const MatrixChoice& choice, int i);
// Of `numbers`, a layout of a factor's numbers: what its tensor and its scale lie in, so that each thread has what its
// numbers need.
LinearLayout StoredLayout(const Factor& factor, const LinearLayout& numbers);
LinearLayout ScaleLayout(const Factor& factor, const LinearLayout& numbers);
// The same before registers with equal contents are merged: one register for each of `numbers`.
LinearLayout ScaleOfEach(const Factor& factor, const LinearLayout& numbers);

}  // namespace rocxla::triton
