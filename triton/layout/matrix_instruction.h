// Matrix instructions: what they multiply, and how their operands and results lie in a wave.
#pragma once
#include "triton/layout/layouts.h"

namespace rocxla::triton {

// The numbers that products are made of. "Fnuz": without infinities and negative zero, as gfx942 has them; the other
// 8-bit floats are those of OCP.
enum class Number {
  kF16,
  kBf16,
  kF32,
  kXf32,  // f32 of whose fraction an instruction reads ten bits
  kF64,
  kFp8,  // e4m3
  kBf8,  // e5m2
  kFp8Fnuz,
  kBf8Fnuz,
  kFp4,     // e2m1, two in a byte
  kNarrow,  // of an instruction: kFp8, kBf8 or kFp4
  kI8,
  kInteger,  // any other
};

// How a matrix instruction spreads one tile; extents are log2. The result tile is 2^m_bits x 2^m_bits, one instruction
// consumes 2^k_bits of K.
// Sources: "AMD Instinct MI300 ISA", "CDNA4 ISA", "RDNA3 ISA", "RDNA4 ISA", chapters on matrix instructions.
struct MatrixInstruction {
  enum Kind {
    kMfma,        // row = r%4 + 4*(lane/M) + 4*(64/M)*(r/4), column = lane%M
    kMfmaF64,     // row = 4*r + lane/16, column = lane%16
    kMfmaScaled,  // as kMfma; every 32 numbers along K may have a scale
    kWmmaGfx11,   // row = 2*r + lane/16, column = lane%16; operands replicated in both halves of the wave
    kWmmaGfx12,   // row = r + 8*(lane/16), column = lane%16
  };
  Kind kind;
  int m_bits;
  int k_bits;

  int lane_bits() const { return kind <= kMfmaScaled ? 6 : 5; }
  // Lane bits that walk K in operands and rows in the result.
  int row_lane_bits() const { return lane_bits() - m_bits; }
  int result_registers() const { return 1 << (2 * m_bits - lane_bits()); }
  // Log2 of the numbers that one lane feeds one instruction.
  int operand_bits() const { return kind == kWmmaGfx11 ? k_bits : k_bits - row_lane_bits(); }
};

enum class ResultForm {
  kStraight,    // consecutive registers are consecutive rows
  kTransposed,  // consecutive registers are consecutive columns: operands swap, so that stores are wide
};

// Log2 of the warps along each dimension of a product's result. If they are more than it has tiles, some do the same.
struct WarpPlacement {
  int batch_bits = 0;
  int m_bits = 0;
  int n_bits = 0;
};

// The result of D = A*B + C over the last two dimensions of `shape`; a third, outer one is the batch. The side that
// lies in lanes only (M where transposed, else N) may be shorter than the tile, which then computes it repeatedly.
LinearLayout MatrixResult(const MatrixInstruction& instruction, const Shape& shape, ResultForm form,
                          const WarpPlacement& warps);
// Operand 0 (M x K) or 1 (K x N). A lane's numbers lie in runs of 2^chunk_bits along K. Instructions do not care which
// K is where, as long as both operands agree. Where K is shorter than the instruction's, lanes repeat it.
LinearLayout MatrixOperand(const MatrixInstruction& instruction, int operand, const Shape& shape, int chunk_bits,
                           const WarpPlacement& warps);
// The scales of a kMfmaScaled operand: outer x K/32, whichever operand. Lane i + M*g holds row i's of the g-th 32 of K.
// Source: ROCm's Composable Kernel, tests of MX MFMA.
LinearLayout MatrixScale(const MatrixInstruction& instruction, int operand, const Shape& shape,
                         const WarpPlacement& warps);

}  // namespace rocxla::triton
