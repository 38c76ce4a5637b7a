#include "triton/layout/layouts.h"

#include <algorithm>
#include <numeric>

namespace rocxla::triton {
namespace {

void Distribute(LayoutBuilder& builder, const std::vector<int>& order, HwDim hw, int bits) {
  for (int dim : order) {
    int take = std::min(bits, builder.Left(dim));
    builder.Walk(hw, dim, take);
    bits -= take;
  }
  builder.Replicate(hw, bits);
}

}  // namespace

std::vector<int> RowMajorOrder(int rank) {
  std::vector<int> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

LinearLayout Blocked(const Shape& shape, const std::vector<int>& order, int vec_bits, Machine machine) {
  LayoutBuilder builder(shape);
  if (!order.empty()) builder.Walk(kRegister, order[0], vec_bits);
  Distribute(builder, order, kLane, machine.lane_bits);
  Distribute(builder, order, kWarp, machine.warp_bits);
  return builder.FillRegisters(order).Finish();
}

LinearLayout BlockedTile(const Shape& shape, int m_bits, int n_bits, Machine machine) {
  int n = static_cast<int>(shape.size()) - 1, m = n - 1;
  LayoutBuilder builder(shape);
  builder.Walk(kRegister, n, n_bits).Walk(kRegister, m, m_bits);
  std::vector<int> order = RowMajorOrder(static_cast<int>(shape.size()));
  Distribute(builder, order, kLane, machine.lane_bits);
  Distribute(builder, order, kWarp, machine.warp_bits);
  return builder.FillRegisters(order).Finish();
}

LinearLayout MatrixResult(const MatrixInstruction& instruction, const Shape& shape, ResultForm form, int warp_m_bits,
                          Machine machine) {
  int m = static_cast<int>(shape.size()) - 2, n = m + 1;
  int row = form == ResultForm::kTransposed ? n : m, column = form == ResultForm::kTransposed ? m : n;
  int row_lanes = machine.lane_bits - instruction.m_bits;  // lane bits that are left for rows
  LayoutBuilder builder(shape);
  switch (instruction.kind) {
    case MatrixInstruction::kMfma:
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
  builder.Walk(kWarp, n, machine.warp_bits - warp_m_bits).Walk(kWarp, m, warp_m_bits);
  return builder.FillRegisters(RowMajorOrder(static_cast<int>(shape.size()))).Finish();
}

LinearLayout MatrixOperand(const MatrixInstruction& instruction, int operand, const Shape& shape, int warp_m_bits,
                           Machine machine) {
  int rank = static_cast<int>(shape.size());
  int outer = operand == 0 ? rank - 2 : rank - 1, k = operand == 0 ? rank - 1 : rank - 2;
  LayoutBuilder builder(shape);
  builder.Walk(kRegister, k, instruction.k_width_bits).Walk(kLane, outer, instruction.m_bits);
  int rest = machine.lane_bits - instruction.m_bits;
  if (instruction.kind == MatrixInstruction::kWmmaGfx11) {
    builder.Replicate(kLane, rest);
  } else {
    builder.Walk(kLane, k, rest);
  }
  builder.Walk(kRegister, k, builder.Left(k));
  int warp_n_bits = machine.warp_bits - warp_m_bits;  // warp bits: N first, then M, as in the result
  if (operand == 0) {
    builder.Replicate(kWarp, warp_n_bits).Walk(kWarp, outer, warp_m_bits);
  } else {
    builder.Walk(kWarp, outer, warp_n_bits).Replicate(kWarp, warp_m_bits);
  }
  std::vector<int> leading = RowMajorOrder(rank);
  std::erase(leading, k);
  return builder.FillRegisters(leading).Finish();
}

}  // namespace rocxla::triton
