// Brute force over every hardware index: the bit algebra must agree with plain arithmetic.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "triton/layout/matrix_instruction.h"

namespace rocxla::triton {
namespace {

constexpr Machine kWave64{6, 2}, kWave32{5, 2}, kOneWave64{6, 0}, kOneWave32{5, 0};

using Visit = std::function<void(int reg, int lane, int warp, Bits element)>;
void ForEach(const LinearLayout& layout, const Visit& visit) {
  for (int warp = 0; warp < 1 << layout.bases(kWarp).size(); ++warp)
    for (int lane = 0; lane < 1 << layout.bases(kLane).size(); ++lane)
      for (int reg = 0; reg < layout.registers(); ++reg) visit(reg, lane, warp, layout.Apply(reg, lane, warp));
}

int Row(Bits element, int column_bits) { return static_cast<int>(element >> column_bits); }
int Column(Bits element, int column_bits) { return static_cast<int>(element & ((1u << column_bits) - 1)); }

// Every element has the holder that Invert names, and clearing the free bits leaves exactly one holder of each.
void ExpectInverse(const LinearLayout& layout) {
  SCOPED_TRACE(layout.ToString());
  ASSERT_TRUE(layout.CoversTensor());
  auto holders = layout.Invert();
  ASSERT_TRUE(holders.has_value());
  int bits = TotalBits(layout.shape());
  for (Bits element = 0; element < Bits(1) << bits; ++element) {
    uint32_t at[kHwDims] = {};
    for (int bit = 0; bit < bits; ++bit)
      for (int d = 0; d < kHwDims && (element >> bit & 1); ++d) at[d] ^= (*holders)[bit].index[d];
    ASSERT_EQ(layout.Apply(at[kRegister], at[kLane], at[kWarp]), element);
  }
  std::set<Bits> seen;
  size_t owners = 0;
  ForEach(layout, [&](uint32_t reg, uint32_t lane, uint32_t warp, Bits element) {
    uint32_t free =
        (reg & layout.FreeMask(kRegister)) | (lane & layout.FreeMask(kLane)) | (warp & layout.FreeMask(kWarp));
    if (free) return;
    ++owners;
    seen.insert(element);
  });
  EXPECT_EQ(seen.size(), owners);
  EXPECT_EQ(owners, size_t(1) << bits);
}

TEST(Log2Exact, OnlyPowersOfTwo) {
  EXPECT_EQ(Log2Exact(1), 0);
  EXPECT_EQ(Log2Exact(1 << 20), 20);
  for (int64_t n : {0, -4, 3, 96}) EXPECT_EQ(Log2Exact(n), -1) << n;
}

TEST(FieldOf, InnermostDimensionIsLowest) {
  Shape shape{3, 2, 4};
  EXPECT_EQ(FieldOf(shape, 2).mask(), 0x00fu);
  EXPECT_EQ(FieldOf(shape, 1).mask(), 0x030u);
  EXPECT_EQ(FieldOf(shape, 0).mask(), 0x1c0u);
}

TEST(Blocked, RowMajorVectors) {  // 64 x 128, four per thread
  LinearLayout layout = Blocked({6, 7}, {1, 0}, 2, kWave64);
  ForEach(layout, [](int reg, int lane, int warp, Bits element) {
    EXPECT_EQ(element, Bits((reg & 3) | lane << 2 | warp << 8 | (reg >> 2) << 10));
  });
  EXPECT_EQ(layout.ContiguousRegisters(), 4);
  EXPECT_EQ(layout.ContiguousRegisters(1), 4);
  EXPECT_EQ(layout.ContiguousRegisters(0), 1);
  EXPECT_EQ(layout.ContiguousInWave(1), 128);
  EXPECT_EQ(layout.ToString(), "reg=[j1 j2 i8 i16 i32] lane=[j4 j8 j16 j32 j64 i1] warp=[i2 i4]");
}

TEST(Blocked, SmallTensorsReplicate) {
  LinearLayout layout = Blocked({2, 3}, {1, 0}, 2, kWave64);
  EXPECT_EQ(layout.FreeMask(kLane), 0x38u);
  EXPECT_EQ(layout.FreeMask(kWarp), 3u);
  EXPECT_EQ(Blocked({}, {}, 0, kWave32).FreeMask(kLane), 0x1fu);
}

TEST(Blocked, CoversEveryShape) {
  for (Machine machine : {kWave64, Machine{5, 0}, Machine{6, 3}}) {
    for (int i = 0; i <= 4; i += 2)
      for (int j = 0; j <= 6; j += 3)
        for (int k = 0; k <= 2; ++k) {
          ExpectInverse(Blocked({i, j, k}, {2, 1, 0}, 1, machine));
          ExpectInverse(Blocked({i, j, k}, {1, 2, 0}, 2, machine));
          ExpectInverse(BlockedTile({i, j, k}, 2, 2, machine));
        }
  }
}

TEST(Derived, AgreeWithArithmetic) {
  LinearLayout layout = Blocked({6, 7}, {1, 0}, 2, kWave64);
  LinearLayout transposed = layout.Transpose({1, 0}), dropped = layout.DropDim(1);
  ForEach(layout, [&](int reg, int lane, int warp, Bits element) {
    EXPECT_EQ(transposed.Apply(reg, lane, warp), Bits(Column(element, 7) << 6 | Row(element, 7)));
    EXPECT_EQ(dropped.Apply(reg >> 2, lane, warp), Bits(Row(element, 7)));
  });
  EXPECT_EQ(transposed.Transpose({1, 0}), layout);
  EXPECT_EQ(layout.ExpandDim(1).DropDim(1), layout);
  EXPECT_EQ(layout.Reshape({13}).Reshape({6, 7}), layout);
}

TEST(RegistersFrom, NamesTheRegisterWithTheSameElement) {
  LinearLayout layout = Blocked({6, 7}, {1, 0}, 2, kWave64);
  LinearLayout viewed = layout.ClearDim(1), held = layout.SquashDim(1);
  auto registers = viewed.RegistersFrom(held);
  ASSERT_TRUE(registers.has_value());
  for (int reg = 0; reg < layout.registers(); ++reg)
    EXPECT_EQ(held.Apply(kRegister, (*registers)[reg]), viewed.Apply(kRegister, reg));
  EXPECT_FALSE(layout.RegistersFrom(Blocked({6, 7}, {1, 0}, 3, kWave64)).has_value());
}

TEST(WalksAxis, NeedsOneIndexBitPerCoordinateBit) {
  LinearLayout plain = Blocked({6, 7}, {1, 0}, 2, kWave64);
  EXPECT_TRUE(plain.WalksAxis(0));
  EXPECT_TRUE(plain.WalksAxis(1));
  EXPECT_TRUE(Blocked({3}, {0}, 0, kWave64).WalksAxis(0));  // replicated lanes do not matter
  LinearLayout swizzled = plain;
  swizzled.bases(kLane)[0] |= 1 << 7;  // a column bit that also moves the row
  EXPECT_FALSE(swizzled.WalksAxis(0));
  EXPECT_FALSE(swizzled.WalksAxis(1));
  LinearLayout twice = plain.WithRegister(1, 0);
  EXPECT_TRUE(twice.WalksAxis(0));
  EXPECT_FALSE(twice.WalksAxis(1));
  LinearLayout lacking = plain;
  lacking.bases(kRegister).erase(lacking.bases(kRegister).begin());
  EXPECT_FALSE(lacking.WalksAxis(1));
}

TEST(ExchangeNeeded, Classifies) {
  LinearLayout layout = Blocked({6, 7}, {1, 0}, 2, kWave64), changed = layout;
  EXPECT_EQ(ExchangeNeeded(layout, layout), Exchange::kNone);
  EXPECT_EQ(ExchangeNeeded(layout, Blocked({6, 7}, {1, 0}, 3, kWave64)), Exchange::kWarps);
  std::swap(changed.bases(kRegister)[0], changed.bases(kRegister)[3]);
  EXPECT_EQ(ExchangeNeeded(layout, changed), Exchange::kRegisters);
  std::swap(changed.bases(kRegister)[0], changed.bases(kLane)[0]);
  EXPECT_EQ(ExchangeNeeded(layout, changed), Exchange::kLanes);
}

//===-- Matrix instructions, against the tables of the ISA manuals
//---------------------------------------------------===//

constexpr MatrixInstruction kMfma32{MatrixInstruction::kMfma, 5, 3}, kMfma16{MatrixInstruction::kMfma, 4, 4},
    kMfma32F32{MatrixInstruction::kMfma, 5, 1}, kMfma16F32{MatrixInstruction::kMfma, 4, 2},
    kMfma32Bytes{MatrixInstruction::kMfma, 5, 4}, kMfma16Bytes{MatrixInstruction::kMfma, 4, 6},
    kMfmaF64{MatrixInstruction::kMfmaF64, 4, 2}, kScaled32{MatrixInstruction::kMfmaScaled, 5, 6},
    kScaled16{MatrixInstruction::kMfmaScaled, 4, 7}, kGfx11{MatrixInstruction::kWmmaGfx11, 4, 4},
    kGfx12{MatrixInstruction::kWmmaGfx12, 4, 4};
constexpr WarpPlacement kOneWarp{};

struct ResultCase {
  const char* name;
  MatrixInstruction instruction;
  Machine machine;
  int registers;
  int (*row)(int reg, int lane);
  int (*column)(int reg, int lane);
};
constexpr ResultCase kResults[] = {
    {"mfma 32x32", kMfma32, kOneWave64, 16, [](int r, int l) { return r % 4 + 4 * (l / 32) + 8 * (r / 4); },
     [](int, int l) { return l % 32; }},
    {"mfma 16x16", kMfma16, kOneWave64, 4, [](int r, int l) { return r + 4 * (l / 16); },
     [](int, int l) { return l % 16; }},
    {"mfma f64", kMfmaF64, kOneWave64, 4, [](int r, int l) { return 4 * r + l / 16; },
     [](int, int l) { return l % 16; }},
    {"scaled mfma", kScaled16, kOneWave64, 4, [](int r, int l) { return r + 4 * (l / 16); },
     [](int, int l) { return l % 16; }},
    {"wmma gfx11", kGfx11, kOneWave32, 8, [](int r, int l) { return 2 * r + l / 16; },
     [](int, int l) { return l % 16; }},
    {"wmma gfx12", kGfx12, kOneWave32, 8, [](int r, int l) { return r + 8 * (l / 16); },
     [](int, int l) { return l % 16; }},
};

TEST(MatrixResult, MatchesTheManuals) {
  for (const ResultCase& c : kResults) {
    SCOPED_TRACE(c.name);
    int bits = c.instruction.m_bits;
    EXPECT_EQ(c.instruction.lane_bits(), c.machine.lane_bits);
    LinearLayout straight = MatrixResult(c.instruction, {bits, bits}, ResultForm::kStraight, kOneWarp);
    LinearLayout transposed = MatrixResult(c.instruction, {bits, bits}, ResultForm::kTransposed, kOneWarp);
    EXPECT_EQ(straight.registers(), c.registers);
    EXPECT_EQ(c.instruction.result_registers(), c.registers);
    ForEach(straight, [&](int reg, int lane, int, Bits element) {
      EXPECT_EQ(Row(element, bits), c.row(reg, lane));
      EXPECT_EQ(Column(element, bits), c.column(reg, lane));
    });
    ForEach(transposed, [&](int reg, int lane, int, Bits element) {
      EXPECT_EQ(Column(element, bits), c.row(reg, lane));
      EXPECT_EQ(Row(element, bits), c.column(reg, lane));
    });
  }
}

struct OperandCase {
  const char* name;
  MatrixInstruction instruction;
  int chunk_bits;
  int (*k)(int reg, int lane);
};
constexpr OperandCase kOperands[] = {
    {"mfma 32x32x8", kMfma32, 2, [](int r, int l) { return (l / 32) * 4 + r; }},
    {"mfma 16x16x16", kMfma16, 2, [](int r, int l) { return (l / 16) * 4 + r; }},
    {"mfma 32x32x2 f32", kMfma32F32, 0, [](int, int l) { return l / 32; }},
    {"mfma 16x16x4 f32", kMfma16F32, 0, [](int, int l) { return l / 16; }},
    {"mfma 32x32x16 of bytes", kMfma32Bytes, 3, [](int r, int l) { return (l / 32) * 8 + r; }},
    {"mfma 16x16x64 of bytes", kMfma16Bytes, 4, [](int r, int l) { return (l / 16) * 16 + r; }},
    {"mfma 16x16x64 in runs of four", kMfma16Bytes, 2, [](int r, int l) { return r % 4 + (l / 16) * 4 + r / 4 * 16; }},
    {"mfma 16x16x4 f64", kMfmaF64, 0, [](int, int l) { return l / 16; }},
    {"scaled 32x32x64 of bytes", kScaled32, 4, [](int r, int l) { return r % 16 + (l / 32) * 16 + r / 16 * 32; }},
    {"scaled 16x16x128 of bytes", kScaled16, 4, [](int r, int l) { return r % 16 + (l / 16) * 16 + r / 16 * 64; }},
    {"scaled 16x16x128 of fp4", kScaled16, 5, [](int r, int l) { return r + (l / 16) * 32; }},
    {"wmma gfx11", kGfx11, 4, [](int r, int) { return r; }},
    {"wmma gfx12", kGfx12, 3, [](int r, int l) { return r + 8 * (l / 16); }},
};

TEST(MatrixOperand, MatchesTheManuals) {
  for (const OperandCase& c : kOperands) {
    SCOPED_TRACE(c.name);
    int m = c.instruction.m_bits, k = c.instruction.k_bits, outer = 1 << m;
    ForEach(MatrixOperand(c.instruction, 0, {m, k}, c.chunk_bits, kOneWarp), [&](int reg, int lane, int, Bits element) {
      EXPECT_EQ(Row(element, k), lane % outer);
      EXPECT_EQ(Column(element, k), c.k(reg, lane));
    });
    ForEach(MatrixOperand(c.instruction, 1, {k, m}, c.chunk_bits, kOneWarp), [&](int reg, int lane, int, Bits element) {
      EXPECT_EQ(Column(element, m), lane % outer);
      EXPECT_EQ(Row(element, m), c.k(reg, lane));
    });
  }
}

TEST(MatrixScale, LaneGroupsHoldConsecutiveScales) {
  for (const MatrixInstruction& instruction : {kScaled32, kScaled16}) {
    int m = instruction.m_bits, groups = instruction.k_bits - 5;
    for (int operand : {0, 1}) {
      LinearLayout layout = MatrixScale(instruction, operand, {m, groups}, kOneWarp);
      EXPECT_EQ(layout.registers(), 1);
      ForEach(layout, [&](int, int lane, int, Bits element) {
        EXPECT_EQ(Row(element, groups), lane % (1 << m));
        EXPECT_EQ(Column(element, groups), lane >> m);
      });
    }
  }
}

TEST(Matrix, CoversLargerTilesAndBatches) {
  constexpr WarpPlacement placements[] = {{0, 0, 2}, {0, 1, 1}, {0, 2, 0}, {0, 3, 3}};
  for (const OperandCase& c : kOperands) {
    SCOPED_TRACE(c.name);
    for (const WarpPlacement& warps : placements) {
      for (ResultForm form : {ResultForm::kStraight, ResultForm::kTransposed}) {
        ExpectInverse(MatrixResult(c.instruction, {6, 5}, form, warps));
        ExpectInverse(MatrixResult(c.instruction, {1, 5, 6}, form, warps));
        ExpectInverse(MatrixResult(c.instruction, {2, 5, 5}, form, {1, warps.m_bits, warps.n_bits}));
      }
      ExpectInverse(MatrixOperand(c.instruction, 0, {6, 5}, c.chunk_bits, warps));
      ExpectInverse(MatrixOperand(c.instruction, 1, {5, 6}, c.chunk_bits, warps));
      ExpectInverse(MatrixOperand(c.instruction, 0, {1, 5, 4}, c.chunk_bits, {1, warps.m_bits, warps.n_bits}));
      ExpectInverse(MatrixOperand(c.instruction, 1, {1, 4, 6}, c.chunk_bits, {1, warps.m_bits, warps.n_bits}));
    }
  }
}

// The side in lanes may be shorter than the tile: lanes repeat it.
TEST(Matrix, ShortSidesRepeat) {
  LinearLayout transposed = MatrixResult(kMfma16, {2, 5}, ResultForm::kTransposed, kOneWarp);
  EXPECT_EQ(transposed.FreeMask(kLane), 0xcu);
  EXPECT_EQ(transposed.registers(), 8);
  ExpectInverse(transposed);
  EXPECT_EQ(MatrixOperand(kMfma16, 0, {2, 4}, 2, kOneWarp).FreeMask(kLane), 0xcu);
}

TEST(Matrix, WarpsOfOperandsFollowTheResult) {
  for (int batch_bits : {0, 1}) {
    WarpPlacement warps{batch_bits, 1, 1};
    LinearLayout result = MatrixResult(kMfma32, {1, 7, 7}, ResultForm::kTransposed, warps);
    LinearLayout a = MatrixOperand(kMfma32, 0, {1, 7, 4}, 2, warps), b = MatrixOperand(kMfma32, 1, {1, 4, 7}, 2, warps);
    for (int warp = 0; warp < 4 << batch_bits; ++warp) {
      EXPECT_EQ(result.Apply(kWarp, warp) >> 7, a.Apply(kWarp, warp) >> 4);
      EXPECT_EQ(Column(result.Apply(kWarp, warp), 7), Column(b.Apply(kWarp, warp), 7));
      EXPECT_EQ(result.Apply(kWarp, warp) >> 14, b.Apply(kWarp, warp) >> 11);
    }
  }
}

TEST(Derived, LowBits) {
  LinearLayout layout = MatrixOperand(kMfma32Bytes, 0, {5, 4}, 3, kOneWarp), halved = layout.DropLowBits(1, 1);
  ForEach(layout, [&](int reg, int lane, int warp, Bits element) {
    EXPECT_EQ(halved.Apply(reg, lane, warp), Bits(Row(element, 4) << 3 | Column(element, 4) >> 1));
    EXPECT_EQ(halved.WithoutDuplicates().Apply(reg >> 1, lane, warp), halved.Apply(reg, lane, warp));
    EXPECT_EQ(layout.DropLowBits(0, 2).Apply(reg, lane, warp), Bits(Row(element, 4) >> 2 << 4 | Column(element, 4)));
  });
  LinearLayout doubled = halved.WithoutDuplicates().DoubleDim(1);
  EXPECT_EQ(doubled, layout);
  ExpectInverse(layout.DoubleDim(0));
}

}  // namespace
}  // namespace rocxla::triton
