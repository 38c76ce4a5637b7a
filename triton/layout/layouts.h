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

// `order`: dimensions, fastest first. Each thread holds 2^vec_bits consecutive elements along order[0]; lanes, then
// warps, follow in that order; what is left repeats in registers.
LinearLayout Blocked(const Shape& shape, const std::vector<int>& order, int vec_bits, Machine machine);

// A product's result that each thread accumulates as a block of 2^m_bits x 2^n_bits of the last two dimensions (less
// where the shape is smaller).
LinearLayout BlockedTile(const Shape& shape, int m_bits, int n_bits, Machine machine);

// How a matrix instruction spreads one tile; extents are log2. The result tile is 2^m_bits x 2^m_bits, one instruction
// consumes 2^k_bits of K, of which one lane feeds 2^k_width_bits.
// Sources: "CDNA3 ISA", "RDNA3 ISA", "RDNA4 ISA", chapters on matrix instructions.
struct MatrixInstruction {
  enum Kind {
    kMfma,       // row = r%4 + 4*(lane/M) + 4*(64/M)*(r/4), column = lane%M
    kMfmaF64,    // row = 4*r + lane/16, column = lane%16
    kWmmaGfx11,  // row = 2*r + lane/16, column = lane%16; operands replicated in both halves of the wave
    kWmmaGfx12,  // row = r + 8*(lane/16), column = lane%16
  };
  Kind kind;
  int m_bits;
  int k_bits;
  int k_width_bits;
  int result_registers() const { return 1 << (2 * m_bits - (kind == kMfma || kind == kMfmaF64 ? 6 : 5)); }
};

enum class ResultForm {
  kStraight,    // consecutive registers are consecutive rows
  kTransposed,  // consecutive registers are consecutive columns: operands swap, so that stores are wide
};

// The result of D = A*B + C over the last two dimensions of `shape`; 2^warp_m_bits warps along M, the rest along N.
// Leading dimensions stay in registers.
LinearLayout MatrixResult(const MatrixInstruction& instruction, const Shape& shape, ResultForm form, int warp_m_bits,
                          Machine machine);
// Operand 0 (M x K) or 1 (K x N) for the same warp placement.
LinearLayout MatrixOperand(const MatrixInstruction& instruction, int operand, const Shape& shape, int warp_m_bits,
                           Machine machine);

}  // namespace rocxla::triton
