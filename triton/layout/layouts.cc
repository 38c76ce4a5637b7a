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

LinearLayout Blocked(const Shape& shape, const std::vector<int>& order, int vec_bits, Machine machine, int next_bits) {
  LayoutBuilder builder(shape);
  if (!order.empty()) builder.Walk(kRegister, order[0], vec_bits);
  if (order.size() > 1) builder.Walk(kRegister, order[1], next_bits);
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

}  // namespace rocxla::triton
