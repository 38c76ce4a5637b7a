// The layouts that hardware and memory ask for, as constructors of LinearLayout.
#pragma once
#include <vector>

#include "triton/layout/linear_layout.h"

namespace rocxla::triton {

// What layouts depend on.
struct Machine {
  int lane_bits = 6;  // 6: wave64, 5: wave32
  int warp_bits = 2;
  int thread_bits() const { return lane_bits + warp_bits; }
};

// The dimensions of a shape of this rank, innermost (fastest) first.
std::vector<int> RowMajorOrder(int rank);

// `order`: dimensions, fastest first. Each thread holds 2^vec_bits consecutive elements along order[0], and as many for
// each of 2^next_bits consecutive positions along order[1]; lanes, then warps, follow in that order; what is left
// repeats in registers.
LinearLayout Blocked(const Shape& shape, const std::vector<int>& order, int vec_bits, Machine machine,
                     int next_bits = 0);

// A product's result that each thread accumulates as a block of 2^m_bits x 2^n_bits of the last two dimensions (less
// where the shape is smaller).
LinearLayout BlockedTile(const Shape& shape, int m_bits, int n_bits, Machine machine);

}  // namespace rocxla::triton
