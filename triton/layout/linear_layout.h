// A linear layout: where each element of a tensor lives, as a matrix over GF(2).
//
// Tensors have power-of-two extents and at most 2^20 elements, so a tensor coordinate is one integer: the row-major
// element number, whose bits are the bits of the coordinates side by side. A layout lists, for each bit of a hardware
// index (register, lane, warp), the element-number bits it contributes; an index maps to the XOR of its set bits'
// bases. Consequences: reshape keeps the bases, transpose permutes bits, expand_dims is free, broadcast and reduction
// drop bits.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rocxla::triton {

using Bits = uint32_t;
using Shape = std::vector<int>;  // log2 of the extents, outermost first
enum HwDim : int { kRegister, kLane, kWarp, kHwDims };

// The exponent of a power of two; -1 for other numbers.
int Log2Exact(int64_t n);
// Sum of the logarithms: log2 of the number of elements.
int TotalBits(const Shape& shape);

// Where a dimension sits inside an element number: `width` bits from `shift`.
struct Field {
  int shift;
  int width;
  Bits mask() const { return ((Bits(1) << width) - 1) << shift; }
};
Field FieldOf(const Shape& shape, int dim);

class LinearLayout {
 public:
  LinearLayout() = default;
  explicit LinearLayout(Shape shape) : shape_(std::move(shape)) {}

  const Shape& shape() const { return shape_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  const std::vector<Bits>& bases(HwDim dim) const { return bases_[dim]; }
  std::vector<Bits>& bases(HwDim dim) { return bases_[dim]; }
  int registers() const { return 1 << bases_[kRegister].size(); }

  // The contribution of one hardware index, and of all three.
  Bits Apply(HwDim dim, uint32_t index) const;
  Bits Apply(uint32_t reg, uint32_t lane, uint32_t warp = 0) const;

  // Index bits of `dim` that only replicate: clearing them selects one holder of every element.
  uint32_t FreeMask(HwDim dim) const;
  // Every element has a holder.
  bool CoversTensor() const;
  // Some (register, lane, warp) that holds each element: the right inverse, as one entry per element bit. Absent when
  // the layout does not cover the tensor.
  struct Holder {
    std::array<uint32_t, kHwDims> index;
  };
  std::optional<std::vector<Holder>> Invert() const;

  // Same element in the same lane and warp: for each register of this layout, the register of `from` to read.
  // Absent when data would have to move between lanes.
  std::optional<std::vector<int>> RegistersFrom(const LinearLayout& from) const;
  // Each bit of the coordinate along `dim` belongs to one index bit, which moves along nothing else: what steps along
  // `dim` one power of two at a time, as scans do, need.
  bool WalksAxis(int dim) const;
  // How many leading registers are consecutive along `dim`: the widest vector of one thread. The first form means the
  // innermost dimensions.
  int ContiguousRegisters() const;
  int ContiguousRegisters(int dim) const;
  // The same for the first form, where every lane, every warp and every further register begins at a multiple of as
  // many elements: what one aligned access can cover.
  int AlignedRegisters() const;
  // How many consecutive elements along `dim` the registers and lanes of one wave cover together.
  int ContiguousInWave(int dim) const;

  // Derived layouts. Each is exact: no search, no approximation.
  LinearLayout Reshape(Shape shape) const;                      // the same elements under another shape
  LinearLayout Transpose(const std::vector<int>& order) const;  // result dimension i = this dimension order[i]
  LinearLayout ClearDim(int dim) const;                         // extent 1; registers that become duplicates stay
  LinearLayout SquashDim(int dim) const;                        // the same, duplicates vanish
  LinearLayout DropDim(int dim) const;                          // the same, and the dimension is gone
  LinearLayout ExpandDim(int dim) const;                        // a new dimension of extent 1 in front of `dim`
  LinearLayout WithRegister(Bits basis, int position) const;    // one more register bit
  LinearLayout DropLowBits(int dim,
                           int bits) const;  // coordinates shifted right; registers that become duplicates stay
  LinearLayout DoubleDim(int dim) const;     // coordinates doubled; a new lowest register bit adds 1
  LinearLayout WithoutDuplicates() const;    // registers that hold what others do vanish

  // "reg=[j1 j2] lane=[j4 ...] warp=[i1 i2]": dimensions are i, j, k, ...; 0 is a replicating bit.
  std::string ToString() const;
  bool operator==(const LinearLayout&) const = default;
  size_t Hash() const;

 private:
  friend class LayoutBuilder;
  Shape shape_;
  std::array<std::vector<Bits>, kHwDims> bases_;
};

// How far data must travel to change a layout.
enum class Exchange { kNone, kRegisters, kLanes, kWarps };
Exchange ExchangeNeeded(const LinearLayout& source, const LinearLayout& result);

// Builds a layout bit by bit: each call takes the next free bits of a dimension.
class LayoutBuilder {
 public:
  explicit LayoutBuilder(Shape shape) : layout_(std::move(shape)), used_(layout_.shape_.size(), 0) {}
  // The next `bits` index bits of `hw` walk `dim`; bits beyond its extent replicate (lanes, warps) or vanish
  // (registers).
  LayoutBuilder& Walk(HwDim hw, int dim, int bits);
  LayoutBuilder& Replicate(HwDim hw, int bits);
  // Whatever is left goes to registers; `order` lists the fastest dimension first.
  LayoutBuilder& FillRegisters(const std::vector<int>& order);
  LinearLayout Finish() { return std::move(layout_); }
  int Left(int dim) const { return layout_.shape_[dim] - used_[dim]; }

 private:
  LinearLayout layout_;
  std::vector<int> used_;
};

}  // namespace rocxla::triton
