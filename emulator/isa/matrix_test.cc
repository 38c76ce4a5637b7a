// Witnesses for matrix operations: register layouts written down from the manuals, elements encoded by LLVM's APFloat,
// and products of small numbers in double, so that every order of summation gives the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "emulator/testing/instruction_harness.h"
#include "emulator/testing/matrix_elements.h"

namespace rocxla::emu {
namespace {

enum class Unit { kMfma, kScaled, kGfx11Wave64, kGfx12Wave64, kGfx11, kGfx12 };
struct MatrixCase {
  std::string target, name;  // name: up to the operands
  Unit unit;
  int m, k, blocks;
  std::string a, b, d;         // element types
  std::string modifiers = "";  // behind the operands
};
void PrintTo(const MatrixCase& c, std::ostream* os) {
  bool wave64 = c.unit == Unit::kGfx11Wave64 || c.unit == Unit::kGfx12Wave64;
  *os << c.target << " " << c.name << c.modifiers << (wave64 ? " in wave64" : "");
}

struct InputAt {
  int block, i, k;
};
struct ResultAt {
  int block, i, j, at;  // at: first bit
};
class Layout {
 public:
  explicit Layout(const MatrixCase& c) : c_(c) {}
  int lanes() const { return c_.unit <= Unit::kGfx12Wave64 ? 64 : 32; }
  bool is_gfx11() const { return c_.unit == Unit::kGfx11 || c_.unit == Unit::kGfx11Wave64; }
  // Lanes whose registers hold elements: of 16x16 elements of 4 bits only half of a gfx12 wave.
  int input_lanes() const { return c_.unit == Unit::kGfx12Wave64 && BitsOf(c_.a) == 4 && c_.k == 16 ? 32 : lanes(); }
  int inputs() const { return is_gfx11() ? c_.k : c_.m * c_.k * c_.blocks / input_lanes(); }
  // What element `e` of a lane is.
  InputAt Input(int lane, int e, int bits) const {
    int n = inputs();
    if (is_gfx11()) return {0, lane % 16, e};
    if (c_.unit == Unit::kGfx12) return {0, lane % 16, lane / 16 * n + e};
    if (c_.unit == Unit::kGfx12Wave64) return {0, lane % 16, Wave64K(lane / 16, e, bits)};
    int group = lane / c_.m;
    if (c_.unit == Unit::kScaled && bits == 8) return {0, lane % c_.m, 16 * group + e % 16 + c_.k / 2 * (e / 16)};
    return {group % c_.blocks, lane % c_.m, group / c_.blocks * n + e};
  }
  std::vector<ResultAt> Results(int lane) const {
    std::vector<ResultAt> all;
    int bits = BitsOf(c_.d), wide = is_gfx11() ? 32 : bits;
    for (int r = 0; r < c_.m * c_.m * c_.blocks / lanes(); r++) {
      ResultAt at{0, 0, lane % c_.m, r * wide};
      if (is_gfx11()) {
        at.i = lanes() / 16 * r + lane / 16;
      } else if (c_.unit == Unit::kGfx12Wave64) {
        at.i = r + 8 * (lane / 16 % 2) + 4 * (lane / 32);
      } else if (c_.unit == Unit::kGfx12) {
        at.i = 8 * (lane / 16) + r;
      } else if (bits == 64) {
        at.block = c_.m == 4 ? lane / 4 % 4 : 0;
        at.i = c_.m == 4 ? lane / 16 : 4 * r + lane / 16;
      } else if (c_.m == 32) {
        at.block = r / 16;
        at.i = 8 * (r % 16 / 4) + 4 * (lane / 32) + r % 4;
      } else if (c_.m == 16) {
        at.block = r / 4;
        at.i = 4 * (lane / 16) + r % 4;
      } else {
        at.block = lane / 4;
        at.i = r;
      }
      all.push_back(at);
    }
    return all;
  }

 private:
  // The manual's table of lanes, by the bits of k: { k[3:2], row } for 16 bits, { k[2], k[3], row } for 8, and for 4
  // { k[3], row } or, of 32 k, { k[3], k[4], row }.
  int Wave64K(int group, int e, int bits) const {
    int low = group % 2, high = group / 2;
    if (bits == 16) return e + 4 * low + 8 * high;
    if (bits == 8) return e + 4 * high + 8 * low;
    return c_.k == 16 ? e + 8 * low : e + 8 * high + 16 * low;
  }
  const MatrixCase& c_;
};

constexpr int kA = 0, kB = 32, kC = 64, kD = 128, kScaleA = 100, kScaleB = 101;
class MatrixTest : public testing::TestWithParam<MatrixCase> {
 protected:
  std::string Text(const Layout& layout) const {
    const MatrixCase& c = GetParam();
    int results = static_cast<int>(layout.Results(0).size()) * (layout.is_gfx11() ? 32 : BitsOf(c.d)) / 32;
    return fmt::format("{} {}, {}, {}, {}{}", c.name, Registers(kD, results),
                       Registers(kA, layout.inputs() * BitsOf(c.a) / 32),
                       Registers(kB, layout.inputs() * BitsOf(c.b) / 32), Registers(kC, results), c.modifiers);
  }
};

TEST_P(MatrixTest, MultipliesAndAdds) {
  const MatrixCase& c = GetParam();
  Layout layout(c);
  InstructionHarness h(c.target, layout.lanes());
  Wave& w = h.wave();
  for (u32& word : w.row[kA]) word = 0x76543210;  // lanes that hold nothing
  bool scaled = c.name.find("_scale_") != c.name.npos;
  auto scale = [&](int i, int k, int side) { return scaled ? std::ldexp(1.0, (i + k / 32 + side) % 3 - 1) : 1.0; };
  for (int l = 0; l < layout.lanes(); l++) {
    for (int side = 0; side < 2; side++) {
      const std::string& type = side == 0 ? c.a : c.b;
      int bits = BitsOf(type);
      for (int e = 0; e < layout.inputs() && l < layout.input_lanes(); e++) {
        InputAt at = layout.Input(l, e, bits);
        SetBits(w, side == 0 ? kA : kB, l, e * bits, bits, Encode(type, Value(type, at.i + at.block, at.k, side)));
      }
      // The scale of lane group g belongs to the g-th block of 32; in byte 1 for A and 2 for B (op_sel).
      double s = scale(l % c.m, l / c.m * 32, side);
      w.row[side == 0 ? kScaleA : kScaleB][l] = static_cast<u32>(std::ilogb(s) + 127) << (side == 0 ? 8 : 16);
    }
    for (const ResultAt& r : layout.Results(l)) {
      SetBits(w, kC, l, r.at, BitsOf(c.d), Encode(c.d, r.i - r.j % 9));
    }
  }
  std::string text = Text(layout);
  Status status = h.Run(text);
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (int l = 0; l < layout.lanes(); l++) {
    for (const ResultAt& r : layout.Results(l)) {
      double want = r.i - r.j % 9;
      for (int k = 0; k < c.k; k++) {
        want += Value(c.a, r.i + r.block, k, 0) * scale(r.i, k, 0) * Value(c.b, r.j + r.block, k, 1) * scale(r.j, k, 1);
      }
      double got = Decode(c.d, GetBits(w, kD, l, r.at, BitsOf(c.d)));
      ASSERT_EQ(got, want) << text << " on " << c.target << ": block " << r.block << " row " << r.i << " column "
                           << r.j;
    }
  }
}

std::vector<MatrixCase> Cases() {
  std::vector<MatrixCase> all;
  auto mfma = [&](std::string target, std::string shape, int m, int k, int blocks, std::string a, std::string b,
                  std::string d, std::string name = "") {
    if (name.empty()) name = fmt::format("v_mfma_{}_{}_{}", d, shape, a);
    all.push_back({target, name, Unit::kMfma, m, k, blocks, a, b, d});
  };
  mfma("gfx942", "32x32x1_2b", 32, 1, 2, "f32", "f32", "f32");
  mfma("gfx942", "16x16x1_4b", 16, 1, 4, "f32", "f32", "f32");
  mfma("gfx942", "4x4x1_16b", 4, 1, 16, "f32", "f32", "f32");
  mfma("gfx942", "32x32x2", 32, 2, 1, "f32", "f32", "f32");
  mfma("gfx942", "16x16x4", 16, 4, 1, "f32", "f32", "f32");
  mfma("gfx942", "32x32x4", 32, 4, 1, "xf32", "xf32", "f32");
  mfma("gfx942", "16x16x8", 16, 8, 1, "xf32", "xf32", "f32");
  for (std::string type : {"f16", "bf16"}) {
    mfma("gfx942", "32x32x4_2b", 32, 4, 2, type, type, "f32");
    mfma("gfx942", "16x16x4_4b", 16, 4, 4, type, type, "f32");
    mfma("gfx942", "4x4x4_16b", 4, 4, 16, type, type, "f32");
    mfma("gfx942", "32x32x8", 32, 8, 1, type, type, "f32");
    mfma("gfx942", "16x16x16", 16, 16, 1, type, type, "f32");
    mfma("gfx950", "32x32x16", 32, 16, 1, type, type, "f32");
    mfma("gfx950", "16x16x32", 16, 32, 1, type, type, "f32");
  }
  mfma("gfx90a", "", 32, 8, 1, "f16", "f16", "f32", "v_mfma_f32_32x32x8f16");
  mfma("gfx90a", "", 32, 2, 2, "bf16", "bf16", "f32", "v_mfma_f32_32x32x2bf16");
  mfma("gfx90a", "", 16, 2, 4, "bf16", "bf16", "f32", "v_mfma_f32_16x16x2bf16");
  mfma("gfx90a", "", 4, 2, 16, "bf16", "bf16", "f32", "v_mfma_f32_4x4x2bf16");
  mfma("gfx90a", "", 32, 4, 1, "bf16", "bf16", "f32", "v_mfma_f32_32x32x4bf16");
  mfma("gfx90a", "", 16, 8, 1, "bf16", "bf16", "f32", "v_mfma_f32_16x16x8bf16");
  mfma("gfx90a", "", 32, 8, 1, "i8", "i8", "i32", "v_mfma_i32_32x32x8i8");
  mfma("gfx90a", "", 16, 16, 1, "i8", "i8", "i32", "v_mfma_i32_16x16x16i8");
  mfma("gfx942", "32x32x4_2b", 32, 4, 2, "i8", "i8", "i32");
  mfma("gfx942", "16x16x4_4b", 16, 4, 4, "i8", "i8", "i32");
  mfma("gfx942", "4x4x4_16b", 4, 4, 16, "i8", "i8", "i32");
  mfma("gfx942", "32x32x16", 32, 16, 1, "i8", "i8", "i32");
  mfma("gfx942", "16x16x32", 16, 32, 1, "i8", "i8", "i32");
  mfma("gfx950", "32x32x32", 32, 32, 1, "i8", "i8", "i32");
  mfma("gfx950", "16x16x64", 16, 64, 1, "i8", "i8", "i32");
  mfma("gfx942", "16x16x4", 16, 4, 1, "f64", "f64", "f64");
  mfma("gfx942", "4x4x4_4b", 4, 4, 4, "f64", "f64", "f64");
  for (std::string a : {"fp8", "bf8"}) {
    for (std::string b : {"fp8", "bf8"}) {
      for (std::string target : {"gfx942", "gfx950"}) {
        std::string suffix = target == "gfx942" ? "fnuz" : "";
        for (auto [m, k] : {std::pair{32, 16}, std::pair{16, 32}}) {
          mfma(target, "", m, k, 1, a + suffix, b + suffix, "f32",
               fmt::format("v_mfma_f32_{0}x{0}x{1}_{2}_{3}", m, k, a, b));
        }
      }
      for (Unit unit : {Unit::kGfx12, Unit::kGfx12Wave64}) {
        all.push_back({"gfx1201", fmt::format("v_wmma_f32_16x16x16_{}_{}", a, b), unit, 16, 16, 1, a, b, "f32"});
      }
    }
  }
  const std::vector<std::string> kFormats = {"fp8", "bf8", "fp6", "bf6", "fp4"};
  for (size_t a = 0; a < kFormats.size(); a++) {
    for (size_t b = 0; b < kFormats.size(); b++) {
      for (auto [m, k] : {std::pair{32, 64}, std::pair{16, 128}}) {
        std::string formats = fmt::format(" cbsz:{} blgp:{}", a, b);
        std::string shape = fmt::format("f32_{0}x{0}x{1}_f8f6f4", m, k);
        all.push_back({"gfx950", "v_mfma_" + shape, Unit::kScaled, m, k, 1, kFormats[a], kFormats[b], "f32", formats});
        all.push_back({"gfx950", "v_mfma_scale_" + shape, Unit::kScaled, m, k, 1, kFormats[a], kFormats[b], "f32",
                       ", v100, v101 op_sel:[1,0,0] op_sel_hi:[0,1,0]" + formats});
      }
    }
  }
  for (auto [target, unit] : {std::pair{"gfx1100", Unit::kGfx11}, std::pair{"gfx1100", Unit::kGfx11Wave64},
                              std::pair{"gfx1201", Unit::kGfx12}, std::pair{"gfx1201", Unit::kGfx12Wave64}}) {
    for (std::string type : {"f16", "bf16"}) {
      all.push_back({target, "v_wmma_f32_16x16x16_" + type, unit, 16, 16, 1, type, type, "f32"});
      all.push_back({target, fmt::format("v_wmma_{0}_16x16x16_{0}", type), unit, 16, 16, 1, type, type, type});
    }
    for (std::string bits : {"8", "4"}) {
      for (auto [a, b] : {std::pair{"i", "i"}, std::pair{"i", "u"}, std::pair{"u", "i"}, std::pair{"u", "u"}}) {
        std::string signs = fmt::format(" neg_lo:[{},{},0]", a[0] == 'i' ? 1 : 0, b[0] == 'i' ? 1 : 0);
        all.push_back({target, "v_wmma_i32_16x16x16_iu" + bits, unit, 16, 16, 1, a + bits, b + bits, "i32", signs});
        if (std::string(target) != "gfx1201" || bits != "4") continue;
        all.push_back({target, "v_wmma_i32_16x16x32_iu4", unit, 16, 32, 1, a + bits, b + bits, "i32", signs});
      }
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Shapes, MatrixTest, testing::ValuesIn(Cases()));

// gfx11's 16-bit results go into one half of their registers and leave the other.
TEST(MatrixHalvesTest, Gfx11KeepsTheOtherHalf) {
  InstructionHarness h("gfx1100");
  for (int l = 0; l < 32; l++) {
    for (int r = 0; r < 8; r++) h.wave().row[64 + r][l] = 0x3c004000;  // C: 2 below, 1 above
    for (int r = 0; r < 8; r++) h.wave().row[128 + r][l] = 0x12345678;
  }
  ASSERT_TRUE(h.Run("v_wmma_f16_16x16x16_f16 v[128:135], v[0:7], v[16:23], v[64:71] op_sel:[0,0,1]").ok());
  EXPECT_EQ(h.wave().row[130][5], 0x3c005678u);
  ASSERT_TRUE(h.Run("v_wmma_f16_16x16x16_f16 v[128:135], v[0:7], v[16:23], v[64:71]").ok());
  EXPECT_EQ(h.wave().row[130][5], 0x3c004000u);
  InstructionHarness wide("gfx1100", 64);
  for (int r = 0; r < 4; r++) wide.wave().row[64 + r][45] = 0x3c004000;
  for (int r = 0; r < 4; r++) wide.wave().row[128 + r][45] = 0x12345678;
  ASSERT_TRUE(wide.Run("v_wmma_f16_16x16x16_f16 v[128:131], v[0:7], v[16:23], v[64:67] op_sel:[0,0,1]").ok());
  EXPECT_EQ(wide.wave().row[130][45], 0x3c005678u);
}

// Source: see Xf32 in matrix_types.h.
TEST(MatrixTruncationTest, Xf32CutsItsInputs) {
  InstructionHarness h("gfx942");
  Wave& w = h.wave();
  float almost_two = std::bit_cast<float>(0x3fffffffu), ten_bits = std::bit_cast<float>(0x3fffe000u);
  for (int l = 0; l < 64; l++) {
    for (int r = 0; r < 2; r++)
      w.row[r][l] = std::bit_cast<u32>(almost_two), w.row[2 + r][l] = std::bit_cast<u32>(1.0f);
  }
  ASSERT_TRUE(h.Run("v_mfma_f32_16x16x8_xf32 v[8:11], v[0:1], v[2:3], 0").ok());
  EXPECT_EQ(std::bit_cast<float>(w.row[8][0]), 8 * ten_bits);
}

}  // namespace
}  // namespace rocxla::emu
