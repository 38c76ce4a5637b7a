#include "triton/layout/matrix_instruction.h"

namespace rocxla::triton {
namespace {

// Where the warps of an operand or a scale stand: those along the other operand's side hold the same.
void PlaceWarps(LayoutBuilder& builder, int operand, int outer, int rank, const WarpPlacement& warps) {
  if (operand == 0) {
    builder.Replicate(kWarp, warps.n_bits).Walk(kWarp, outer, warps.m_bits);
  } else {
    builder.Walk(kWarp, outer, warps.n_bits).Replicate(kWarp, warps.m_bits);
  }
  if (rank > 2) builder.Walk(kWarp, 0, warps.batch_bits);
}

// What is left goes to registers, K first.
LinearLayout FillFrom(LayoutBuilder& builder, int k, int rank) {
  builder.Walk(kRegister, k, builder.Left(k));
  return builder.FillRegisters(RowMajorOrder(rank)).Finish();
}

}  // namespace

LinearLayout MatrixResult(const MatrixInstruction& instruction, const Shape& shape, ResultForm form,
                          const WarpPlacement& warps) {
  int rank = static_cast<int>(shape.size()), m = rank - 2, n = m + 1;
  int row = form == ResultForm::kTransposed ? n : m, column = form == ResultForm::kTransposed ? m : n;
  int row_lanes = instruction.row_lane_bits();
  LayoutBuilder builder(shape);
  switch (instruction.kind) {
    case MatrixInstruction::kMfma:
    case MatrixInstruction::kMfmaScaled:
      builder.Walk(kRegister, row, 2).Walk(kLane, column, instruction.m_bits).Walk(kLane, row, row_lanes);
      builder.Walk(kRegister, row, instruction.m_bits - 2 - row_lanes);
      break;
    case MatrixInstruction::kMfmaF64:
    case MatrixInstruction::kWmmaGfx11:
      builder.Walk(kLane, column, instruction.m_bits).Walk(kLane, row, row_lanes);
      builder.Walk(kRegister, row, instruction.m_bits - row_lanes);
      break;
    case MatrixInstruction::kWmmaGfx12:
      builder.Walk(kLane, column, instruction.m_bits).Walk(kRegister, row, instruction.m_bits - row_lanes);
      builder.Walk(kLane, row, row_lanes);
      break;
  }
  builder.Walk(kWarp, n, warps.n_bits).Walk(kWarp, m, warps.m_bits);
  if (rank > 2) builder.Walk(kWarp, 0, warps.batch_bits);
  return builder.FillRegisters(RowMajorOrder(rank)).Finish();
}

LinearLayout MatrixOperand(const MatrixInstruction& instruction, int operand, const Shape& shape, int chunk_bits,
                           const WarpPlacement& warps) {
  int rank = static_cast<int>(shape.size());
  int outer = operand == 0 ? rank - 2 : rank - 1, k = operand == 0 ? rank - 1 : rank - 2;
  LayoutBuilder builder(shape);
  builder.Walk(kRegister, k, chunk_bits).Walk(kLane, outer, instruction.m_bits);
  if (instruction.kind == MatrixInstruction::kWmmaGfx11) {
    builder.Replicate(kLane, instruction.row_lane_bits());
  } else {
    builder.Walk(kLane, k, instruction.row_lane_bits());
  }
  PlaceWarps(builder, operand, outer, rank, warps);
  return FillFrom(builder, k, rank);
}

LinearLayout MatrixScale(const MatrixInstruction& instruction, int operand, const Shape& shape,
                         const WarpPlacement& warps) {
  int rank = static_cast<int>(shape.size()), outer = rank - 2, k = rank - 1;
  LayoutBuilder builder(shape);
  builder.Walk(kLane, outer, instruction.m_bits).Walk(kLane, k, instruction.row_lane_bits());
  PlaceWarps(builder, operand, outer, rank, warps);
  return FillFrom(builder, k, rank);
}

}  // namespace rocxla::triton
