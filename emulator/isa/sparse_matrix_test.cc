// Witnesses for sparse matrix operations and for the modifiers of matrix operations, against products in double.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"
#include "emulator/testing/matrix_elements.h"

namespace rocxla::emu {
namespace {

enum class SparseUnit { kSmfmac, kSwmmac, kSwmmacWave64 };
struct SparseCase {
  std::string target, name;
  SparseUnit unit;
  int m, k;
  std::string a, b, d;
  std::string modifiers = "";
  int index_set = 0;
};
void PrintTo(const SparseCase& c, std::ostream* os) {
  *os << c.target << " " << c.name << c.modifiers << (c.unit == SparseUnit::kSwmmacWave64 ? " in wave64" : "");
}
int LanesOf(SparseUnit unit) { return unit == SparseUnit::kSwmmac ? 32 : 64; }

constexpr int kA = 0, kB = 32, kIndex = 64, kD = 96;
struct RegisterPlace {
  int lane, element;
};

// The expanded matrices of a case, and where their elements lie. Registers are walked in the order in which the
// manuals number k: pieces of a lane, then lanes, then further pieces of the same lanes.
class SparseProduct {
 public:
  explicit SparseProduct(const SparseCase& c) : c_(c) {
    lanes_ = LanesOf(c.unit);
    if (c.unit == SparseUnit::kSwmmacWave64) {
      PlaceWave64();
      return;
    }
    a_per_lane_ = c.m * c.k / 2 / lanes_;
    int a_piece = c.unit == SparseUnit::kSmfmac ? a_per_lane_ : std::min(a_per_lane_, 64 / BitsOf(c.a));
    a_places_ = Walk(a_piece, a_per_lane_);
    b_places_ = Walk(std::min(2 * a_per_lane_, 128 / BitsOf(c.b)), 2 * a_per_lane_);
  }
  int a_per_lane() const { return a_per_lane_; }
  int b_per_lane() const { return c_.unit == SparseUnit::kSwmmacWave64 ? c_.m * c_.k / lanes_ : 2 * a_per_lane_; }
  // Where the n-th element of row (A) or column (B) 0 lies; other rows and columns are in the next lanes.
  RegisterPlace A(int n) const { return a_places_[n]; }
  RegisterPlace B(int n) const { return b_places_[n]; }
  // Which of four k the n-th element of row i is.
  static int Choice(int i, int n) {
    constexpr std::array<std::array<int, 2>, 6> kPairs = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
    return kPairs[(i * 5 + n / 2 * 7 + i * n) % 6][n % 2];
  }
  static int KOf(int i, int n) { return 4 * (n / 2) + Choice(i, n); }

 private:
  // As ROCm/hip-fpsan's tests put them into waves of 64 lanes (16 and 8 bits), and the manual (4 bits): consecutive
  // pieces lie in the groups of lanes 0, 1, 2, 3 or, of elements of 8 and 4 bits, 0, 2, 1, 3; but of A, 16x16 elements
  // of 4 bits lie in groups 0 and 1.
  void PlaceWave64() {
    const int bits = BitsOf(c_.a);
    const bool half = bits == 4 && c_.k == 32;
    a_per_lane_ = half ? 8 : c_.m * c_.k / 2 / lanes_;
    const int b_per_lane = c_.m * c_.k / lanes_;
    auto exchanged = [](int group) { return 2 * (group % 2) + group / 2; };
    for (int n = 0; n < c_.k / 2; n++) {
      int group = n / a_per_lane_;
      a_places_.push_back({16 * (half || bits == 16 ? group : exchanged(group)), n % a_per_lane_});
    }
    for (int k = 0; k < c_.k; k++) {
      int group = k / b_per_lane;
      b_places_.push_back({16 * (bits == 16 ? group : exchanged(group)), k % b_per_lane});
    }
  }
  std::vector<RegisterPlace> Walk(int piece, int per_lane) const {
    std::vector<RegisterPlace> places;
    for (int first = 0; first < per_lane; first += piece) {
      for (int lane = 0; lane < lanes_; lane += c_.m) {
        for (int e = 0; e < piece; e++) places.push_back({lane, first + e});
      }
    }
    return places;
  }
  const SparseCase& c_;
  int lanes_, a_per_lane_;
  std::vector<RegisterPlace> a_places_, b_places_;
};
RegisterPlace Result(const SparseCase& c, int i, int j) {
  if (c.unit == SparseUnit::kSwmmac) return {16 * (i / 8) + j, i % 8};
  if (c.unit == SparseUnit::kSwmmacWave64) return {32 * (i / 4 % 2) + 16 * (i / 8) + j, i % 4};
  if (c.m == 16) return {16 * (i / 4) + j, i % 4};
  return {32 * (i / 4 % 2) + j, 4 * (i / 8) + i % 4};
}

class SparseTest : public testing::TestWithParam<SparseCase> {
 protected:
  double Expected(int i, int j) const {
    const SparseCase& c = GetParam();
    double want = i - j % 9;
    for (int n = 0; n < c.k / 2; n++) {
      want += Value(c.a, i, n, 0) * Value(c.b, j, SparseProduct::KOf(i, n), 1);
    }
    return want;
  }
  void Fill(Wave& w, const SparseProduct& p) const {
    const SparseCase& c = GetParam();
    int a_bits = BitsOf(c.a), b_bits = BitsOf(c.b);
    RandomBits random(7);
    for (u32& word : w.row[kIndex]) word = random.Word();  // the other sets of indices
    for (int i = 0; i < c.m; i++) {
      for (int n = 0; n < c.k / 2; n++) {
        auto [lane, element] = p.A(n);
        SetBits(w, kA, lane + i, element * a_bits, a_bits, Encode(c.a, Value(c.a, i, n, 0)));
        SetBits(w, kIndex, lane + i, 2 * (c.index_set * p.a_per_lane() + element), 2, SparseProduct::Choice(i, n));
      }
      for (int k = 0; k < c.k; k++) {
        auto [lane, element] = p.B(k);
        SetBits(w, kB, lane + i, element * b_bits, b_bits, Encode(c.b, Value(c.b, i, k, 1)));
      }
      for (int j = 0; j < c.m; j++) {
        auto [lane, element] = Result(c, i, j);
        SetBits(w, kD, lane, element * BitsOf(c.d), BitsOf(c.d), Encode(c.d, i - j % 9));
      }
    }
  }
};

TEST_P(SparseTest, MultipliesTheExpandedMatrix) {
  const SparseCase& c = GetParam();
  SparseProduct p(c);
  InstructionHarness h(c.target, LanesOf(c.unit));
  Fill(h.wave(), p);
  int results = c.m * c.m / LanesOf(c.unit) * BitsOf(c.d) / 32;
  std::string text = fmt::format("{} {}, {}, {}, v{}{}", c.name, Registers(kD, results),
                                 Registers(kA, p.a_per_lane() * BitsOf(c.a) / 32),
                                 Registers(kB, p.b_per_lane() * BitsOf(c.b) / 32), kIndex, c.modifiers);
  Status status = h.Run(text);
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (int i = 0; i < c.m; i++) {
    for (int j = 0; j < c.m; j++) {
      auto [lane, element] = Result(c, i, j);
      double got = Decode(c.d, GetBits(h.wave(), kD, lane, element * BitsOf(c.d), BitsOf(c.d)));
      ASSERT_EQ(got, Expected(i, j)) << text << " on " << c.target << ": row " << i << " column " << j;
    }
  }
}

void AddSmfmac(std::vector<SparseCase>& all) {
  auto add = [&](std::string target, int m, int k, std::string a, std::string b, std::string d, std::string types) {
    std::string name = fmt::format("v_smfmac_{0}_{1}x{1}x{2}_{3}", d, m, k, types);
    all.push_back({target, name, SparseUnit::kSmfmac, m, k, a, b, d});
    int sets = 32 / (2 * m * k / 2 / 64);
    for (int set = 1; set < sets; set++) {
      all.push_back(all.back());
      all.back().modifiers = fmt::format(" abid:{}", set);
      all.back().index_set = set;
    }
    // With cbsz, abid does not count.
    all.push_back(all.back());
    all.back().modifiers = " cbsz:1 abid:1";
    all.back().index_set = 0;
  };
  for (std::string type : {"f16", "bf16"}) {
    for (std::string target : {"gfx942", "gfx950"}) {
      add(target, 16, 32, type, type, "f32", type);
      add(target, 32, 16, type, type, "f32", type);
    }
    add("gfx950", 16, 64, type, type, "f32", type);
    add("gfx950", 32, 32, type, type, "f32", type);
  }
  for (std::string target : {"gfx942", "gfx950"}) {
    add(target, 16, 64, "i8", "i8", "i32", "i8");
    add(target, 32, 32, "i8", "i8", "i32", "i8");
  }
  add("gfx950", 16, 128, "i8", "i8", "i32", "i8");
  add("gfx950", 32, 64, "i8", "i8", "i32", "i8");
  for (std::string a : {"fp8", "bf8"}) {
    for (std::string b : {"fp8", "bf8"}) {
      for (auto [m, k] : {std::pair{16, 64}, std::pair{32, 32}}) {
        add("gfx942", m, k, a + "fnuz", b + "fnuz", "f32", a + "_" + b);
        add("gfx950", m, k, a, b, "f32", a + "_" + b);
        add("gfx950", m, 2 * k, a, b, "f32", a + "_" + b);
      }
    }
  }
}
void AddSwmmac(std::vector<SparseCase>& all) {
  auto add = [&](int k, std::string a, std::string b, std::string d, std::string types, std::string modifiers) {
    std::string name = fmt::format("v_swmmac_{}_16x16x{}_{}", d, k, types);
    for (int key = 0; key < 4; key++) {
      std::string key_text = key == 0 ? "" : fmt::format(" index_key:{}", key);
      for (SparseUnit unit : {SparseUnit::kSwmmac, SparseUnit::kSwmmacWave64}) {
        int sets = unit == SparseUnit::kSwmmac ? (k == 64 ? 1 : 2) : BitsOf(a) == 4 ? 2 : 4;
        if (key < sets) all.push_back({"gfx1201", name, unit, 16, k, a, b, d, key_text + modifiers, key});
      }
    }
  };
  for (std::string type : {"f16", "bf16"}) {
    add(32, type, type, "f32", type, "");
    add(32, type, type, type, type, "");
  }
  for (std::string a : {"fp8", "bf8"}) {
    for (std::string b : {"fp8", "bf8"}) add(32, a, b, "f32", a + "_" + b, "");
  }
  for (std::string a : {"i", "u"}) {
    for (std::string b : {"i", "u"}) {
      std::string signs = fmt::format(" neg_lo:[{},{},0]", a == "i" ? 1 : 0, b == "i" ? 1 : 0);
      add(32, a + "8", b + "8", "i32", "iu8", signs);
      add(32, a + "4", b + "4", "i32", "iu4", signs);
      add(64, a + "4", b + "4", "i32", "iu4", signs);
    }
  }
}
std::vector<SparseCase> Cases() {
  std::vector<SparseCase> all;
  AddSmfmac(all);
  AddSwmmac(all);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Shapes, SparseTest, testing::ValuesIn(Cases()));

TEST(SparseModifierTest, RefusesIndicesBeyondTheRegister) {
  InstructionHarness h("gfx950");
  Status status = h.Run("v_smfmac_i32_16x16x128_i8 v[96:99], v[0:3], v[32:39], v64 abid:1");
  EXPECT_NE(status.ToString().find("it selects indices beyond the end of their register"), std::string::npos);
}

// --- modifiers

float Float(u32 x) { return std::bit_cast<float>(x); }

// k is 1: D(block, i, j) = A(block, i) * B(block, j), one register each.
class MfmaModifierTest : public testing::Test {
 protected:
  InstructionHarness h{"gfx942"};
  Wave& w = h.wave();
  void SetUp() override {
    for (int l = 0; l < 64; l++) {
      w.row[0][l] = std::bit_cast<u32>(static_cast<float>(l + 1));
      w.row[1][l] = std::bit_cast<u32>(static_cast<float>(100 + l));
    }
  }
  // Lane l's first result of the 16 blocks of 4x4: row 0 of block l / 4, column l % 4.
  void Expect4x4(const std::string& modifiers, auto a_lane, auto b_lane) {
    Status status = h.Run("v_mfma_f32_4x4x1_16b_f32 v[8:11], v0, v1, 0 " + modifiers);
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (int l = 0; l < 64; l++) {
      float want = static_cast<float>((a_lane(l / 4 * 4) + 1) * (100 + b_lane(l)));
      EXPECT_EQ(Float(w.row[8][l]), want) << modifiers << " lane " << l;
    }
  }
};
TEST_F(MfmaModifierTest, CbszAndAbidBroadcastABlockOfAInItsGroup) {
  auto same = [](int l) { return l; };
  Expect4x4("cbsz:1 abid:1", [](int l) { return l / 8 * 8 + 4; }, same);
  Expect4x4("cbsz:2 abid:3", [](int l) { return l / 16 * 16 + 12; }, same);
  Expect4x4("cbsz:4 abid:9", [](int) { return 36; }, same);
}
TEST_F(MfmaModifierTest, BlgpPermutesTheLanesOfB) {
  auto same = [](int l) { return l; };
  Expect4x4("blgp:1", same, [](int l) { return l % 32; });
  Expect4x4("blgp:2", same, [](int l) { return 32 + l % 32; });
  Expect4x4("blgp:3", same, [](int l) { return (l + 16) % 64; });
  for (int quarter = 0; quarter < 4; quarter++) {
    Expect4x4(fmt::format("blgp:{}", 4 + quarter), same, [=](int l) { return 16 * quarter + l % 16; });
  }
}
TEST_F(MfmaModifierTest, RefusesBroadcastsBeyondTheBlocks) {
  Status status = h.Run("v_mfma_f32_32x32x1_2b_f32 v[32:63], v0, v1, 0 cbsz:2");
  EXPECT_NE(status.ToString().find("it broadcasts to more blocks than it has"), std::string::npos);
}
TEST(MatrixSignTest, DoublesNegateTheirInputs) {
  for (int signs = 0; signs < 8; signs++) {
    InstructionHarness h("gfx942");
    auto set = [&](int row, double x) {
      for (int l = 0; l < 64; l++) {
        h.wave().row[row][l] = static_cast<u32>(std::bit_cast<u64>(x));
        h.wave().row[row + 1][l] = static_cast<u32>(std::bit_cast<u64>(x) >> 32);
      }
    };
    set(0, 3), set(2, 5), set(4, 7);
    std::string text = fmt::format("v_mfma_f64_4x4x4_4b_f64 v[4:5], v[0:1], v[2:3], v[4:5] neg:[{},{},{}]", signs & 1,
                                   signs >> 1 & 1, signs >> 2);
    ASSERT_TRUE(h.Run(text).ok());
    double product = (signs & 1 ? -3.0 : 3.0) * (signs & 2 ? -5.0 : 5.0), addend = signs & 4 ? -7.0 : 7.0;
    EXPECT_EQ(std::bit_cast<double>(h.row_pair(4, 9)), 4 * product + addend) << text;
  }
}
// A and B: one for even and one for odd k; C: absolute value, then sign.
TEST(MatrixSignTest, WmmaNegatesHalvesAndTheAddend) {
  struct Signs {
    std::string modifiers;
    int even, odd;
    double c;
  };
  for (const auto& [target, registers] : {std::pair{"gfx1100", 8}, std::pair{"gfx1201", 4}}) {
    for (const Signs& s : {Signs{" neg_lo:[1,0,0]", -1, 1, -7}, Signs{" neg_hi:[0,1,0]", 1, -1, -7},
                           Signs{" neg_lo:[1,1,0] neg_hi:[1,0,0]", 1, -1, -7}, Signs{" neg_hi:[0,0,1]", 1, 1, 7},
                           Signs{" neg_lo:[0,0,1]", 1, 1, 7}, Signs{" neg_lo:[0,0,1] neg_hi:[0,0,1]", 1, 1, -7}}) {
      InstructionHarness h(target);
      for (int l = 0; l < 32; l++) {
        for (int r = 0; r < 8; r++) {
          h.wave().row[r][l] = 0x40003c00;       // 1 in the low half, 2 in the high one
          h.wave().row[16 + r][l] = 0x42003c00;  // 1 and 3
          h.wave().row[32 + r][l] = std::bit_cast<u32>(-7.0f);
        }
      }
      std::string text = fmt::format("v_wmma_f32_16x16x16_f16 v[48:55], {}, {}, v[32:39]{}", Registers(0, registers),
                                     Registers(16, registers), s.modifiers);
      Status status = h.Run(text);
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ(Float(h.wave().row[50][3]), 8 * (s.even * 1 + s.odd * 6) + s.c) << target << ": " << text;
    }
  }
}
TEST(MatrixClampTest, IntegersSaturate) {
  for (const auto& [target, registers] : {std::pair{"gfx1100", 4}, std::pair{"gfx1201", 2}}) {
    for (bool negative : {false, true}) {
      InstructionHarness h(target);
      i32 limit = negative ? std::numeric_limits<i32>::min() : std::numeric_limits<i32>::max();
      for (int l = 0; l < 32; l++) {
        for (int r = 0; r < 8; r++) {
          h.wave().row[r][l] = negative ? 0xffffffff : 0x01010101;
          h.wave().row[16 + r][l] = 0x01010101;
          h.wave().row[32 + r][l] = static_cast<u32>(limit) - (negative ? -1u : 1u);
        }
      }
      std::string operands =
          fmt::format("v[48:55], {}, {}, v[32:39] neg_lo:[1,1,0]", Registers(0, registers), Registers(16, registers));
      ASSERT_TRUE(h.Run("v_wmma_i32_16x16x16_iu8 " + operands + " clamp").ok());
      EXPECT_EQ(static_cast<i32>(h.wave().row[48][0]), limit);
      ASSERT_TRUE(h.Run("v_wmma_i32_16x16x16_iu8 " + operands).ok());
      EXPECT_EQ(h.wave().row[48][0], static_cast<u32>(limit) + (negative ? -15u : 15u));
    }
  }
}

}  // namespace
}  // namespace rocxla::emu
