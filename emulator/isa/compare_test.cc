// Witnesses for the comparison grid: conditions times types, evaluated here on host types.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>

#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

template <class T>
bool Holds(const std::string& condition, T a, T b) {
  bool nan = a != a || b != b;
  if (condition == "f") return false;
  if (condition == "t" || condition == "tru") return true;
  if (condition == "lt") return !nan && a < b;
  if (condition == "le") return !nan && (a < b || a == b);
  if (condition == "gt") return !nan && b < a;
  if (condition == "ge") return !nan && (b < a || a == b);
  if (condition == "eq") return !nan && a == b;
  if (condition == "lg") return !nan && !(a == b);
  if (condition == "o") return !nan;
  if (condition == "u") return nan;
  if (condition == "ne" || condition == "neq") return nan || !(a == b);
  return !Holds(condition.substr(1), a, b);  // nlt, nle, ngt, nge, nlg
}

struct TypeCase {
  std::string name;
  int bits;
  bool is_float;
  std::function<bool(const std::string& condition, u64 a, u64 b)> holds;
};
template <class T>
TypeCase Type(const std::string& name) {
  return {name, 8 * int(sizeof(T)), !std::is_integral_v<T>, [](const std::string& condition, u64 a, u64 b) {
            T x, y;
            std::memcpy(&x, &a, sizeof x);
            std::memcpy(&y, &b, sizeof y);
            if constexpr (std::is_same_v<T, f16>)
              return Holds(condition, float(x), float(y));
            else
              return Holds(condition, x, y);
          }};
}

void FillOperands(InstructionHarness& h, bool wide, RandomBits& random, u64 (&a)[64], u64 (&b)[64]) {
  Wave& w = h.wave();
  for (int l = 0; l < h.lanes(); l++) {
    a[l] = wide ? random.EdgePair() : random.EdgeWord();
    b[l] = random.Next() % 4 == 0 ? a[l] : wide ? random.EdgePair() : random.EdgeWord();
    w.row[0][l] = static_cast<u32>(a[l]);
    w.row[1][l] = static_cast<u32>(wide ? a[l] >> 32 : b[l]);
    w.row[2][l] = static_cast<u32>(b[l]);
    w.row[3][l] = static_cast<u32>(b[l] >> 32);
  }
}

TEST(CompareTest, EveryConditionOfEveryType) {
  std::vector<TypeCase> types = {Type<i16>("i16"), Type<u16>("u16"),   Type<i32>("i32"),
                                 Type<u32>("u32"), Type<i64>("i64"),   Type<u64>("u64"),
                                 Type<f16>("f16"), Type<float>("f32"), Type<double>("f64")};
  int checked = 0;
  for (const char* target : {"gfx942", "gfx1100"}) {
    InstructionHarness h(target);
    for (const TypeCase& type : types) {
      for (std::string condition : {"f", "lt", "eq", "le", "gt", "ge", "t", "tru", "ne", "lg", "o", "u", "nge", "nlg",
                                    "ngt", "nle", "neq", "nlt"}) {
        bool wide = type.bits == 64;
        std::string operands = wide ? "v[0:1], v[2:3]" : "v0, v1";
        if (type.bits == 16 && !h.target().is_cdna()) operands = "v0.l, v1.l";
        std::string text =
            fmt::format("v_cmp_{}_{} {}, {}", condition, type.name, h.lanes() == 64 ? "vcc" : "vcc_lo", operands);
        if (!h.Accepts(text)) continue;
        checked++;
        RandomBits random(condition.size() * 7 + type.bits);
        for (int round = 0; round < 4; round++) {
          u64 a[64], b[64], want = 0;
          FillOperands(h, wide, random, a, b);
          for (int l = 0; l < h.lanes(); l++) want |= u64{type.holds(condition, a[l], b[l])} << l;
          ASSERT_TRUE(h.Run(text).ok()) << h.Run(text).ToString();
          EXPECT_EQ(h.wave().Mask(kVcc), want) << text << " on " << target;
        }
      }
    }
  }
  EXPECT_GT(checked, 190);
}

TEST(CompareTest, ClassesOfFloats) {
  InstructionHarness h("gfx942");
  Wave& w = h.wave();
  const u32 kOneOfEach[] = {0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                            0x80000000, 0,          1,          0x3f800000, 0x7f800000};
  for (int bit = 0; bit < 10; bit++) {
    for (int l = 0; l < 64; l++) {
      w.row[0][l] = kOneOfEach[l % 10];
      w.row[1][l] = 1u << bit;
    }
    ASSERT_TRUE(h.Run("v_cmp_class_f32 vcc, v0, v1").ok());
    for (int l = 0; l < 64; l++) EXPECT_EQ(w.Mask(kVcc) >> l & 1, u64{l % 10 == bit}) << bit << " lane " << l;
  }
}

TEST(CompareTest, ClassesOfHalvesAndDoubles) {
  InstructionHarness h("gfx942");
  Wave& w = h.wave();
  const u32 kHalves[] = {0x7c01, 0x7e00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0, 1, 0x3c00, 0x7c00};
  const u64 kDoubles[] = {0x7ff0000000000001,
                          0x7ff8000000000000,
                          0xfff0000000000000,
                          0xbff0000000000000,
                          0x8000000000000001,
                          0x8000000000000000,
                          0,
                          1,
                          0x3ff0000000000000,
                          0x7ff0000000000000};
  for (int bit = 0; bit < 10; bit++) {
    for (int l = 0; l < 64; l++) {
      w.row[0][l] = kHalves[l % 10];
      w.row[1][l] = 1u << bit;
      w.row[2][l] = static_cast<u32>(kDoubles[l % 10]);
      w.row[3][l] = static_cast<u32>(kDoubles[l % 10] >> 32);
    }
    ASSERT_TRUE(h.Run("v_cmp_class_f16 s[4:5], v0, v1\n v_cmp_class_f64 s[6:7], v[2:3], v1").ok());
    for (int l = 0; l < 64; l++) {
      EXPECT_EQ(h.pair(4) >> l & 1, u64{l % 10 == bit}) << bit << " lane " << l;
      EXPECT_EQ(h.pair(6) >> l & 1, u64{l % 10 == bit}) << bit << " lane " << l;
    }
  }
}

TEST(CompareTest, CmpxWritesExec) {
  for (auto [target, text] :
       {std::pair{"gfx942", "v_cmpx_lt_u32 vcc, v0, v1"}, std::pair{"gfx1100", "v_cmpx_lt_u32 v0, v1"}}) {
    InstructionHarness h(target);
    for (int l = 0; l < h.lanes(); l++) h.wave().row[0][l] = l, h.wave().row[1][l] = 10;
    ASSERT_TRUE(h.Run(text).ok());
    EXPECT_EQ(h.wave().Mask(kExec), 0x3ffu);
  }
}

// The sequence that LLVM emits for an IEEE division, on the whole range of both operands.
TEST(DivisionTest, SequenceIsCorrectlyRounded) {
  const std::string kSequence =
      "v_div_scale_f32 v2, s[4:5], v1, v1, v0\n v_rcp_f32 v3, v2\n v_fma_f32 v4, -v2, v3, 1.0\n v_fmac_f32 v3, v4, v3\n"
      "v_div_scale_f32 v5, vcc, v0, v1, v0\n v_mul_f32 v6, v5, v3\n v_fma_f32 v7, -v2, v6, v5\n v_fmac_f32 v6, v7, v3\n"
      "v_fma_f32 v2, -v2, v6, v5\n v_div_fmas_f32 v2, v2, v3, v6\n v_div_fixup_f32 v8, v2, v1, v0";
  InstructionHarness h("gfx942");
  RandomBits random(3);
  for (int round = 0; round < 200; round++) {
    for (int l = 0; l < 64; l++) {
      h.wave().row[0][l] = random.EdgeWord();
      h.wave().row[1][l] = random.EdgeWord();
    }
    auto a = std::to_array(h.wave().row[0]), b = std::to_array(h.wave().row[1]);
    ASSERT_TRUE(h.Run(kSequence).ok()) << h.Run(kSequence).ToString();
    for (int l = 0; l < 64; l++) {
      float want = std::bit_cast<float>(a[l]) / std::bit_cast<float>(b[l]),
            got = std::bit_cast<float>(h.wave().row[8][l]);
      if (std::isnan(want) && std::isnan(got)) continue;
      EXPECT_EQ(std::bit_cast<u32>(got), std::bit_cast<u32>(want)) << std::hex << a[l] << " / " << b[l];
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DivisionTest, DoublesToo) {
  const std::string kSequence =
      "v_div_scale_f64 v[4:5], s[4:5], v[2:3], v[2:3], v[0:1]\n v_rcp_f64 v[6:7], v[4:5]\n"
      "v_fma_f64 v[10:11], -v[4:5], v[6:7], 1.0\n v_fma_f64 v[6:7], v[6:7], v[10:11], v[6:7]\n"
      "v_fma_f64 v[10:11], -v[4:5], v[6:7], 1.0\n v_fma_f64 v[6:7], v[6:7], v[10:11], v[6:7]\n"
      "v_div_scale_f64 v[10:11], vcc, v[0:1], v[2:3], v[0:1]\n v_mul_f64 v[12:13], v[10:11], v[6:7]\n"
      "v_fma_f64 v[4:5], -v[4:5], v[12:13], v[10:11]\n v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[12:13]\n"
      "v_div_fixup_f64 v[8:9], v[4:5], v[2:3], v[0:1]";
  InstructionHarness h("gfx942");
  RandomBits random(5);
  for (int round = 0; round < 100; round++) {
    u64 a[64], b[64];
    FillOperands(h, true, random, a, b);
    ASSERT_TRUE(h.Run(kSequence).ok()) << h.Run(kSequence).ToString();
    for (int l = 0; l < 64; l++) {
      double want = std::bit_cast<double>(a[l]) / std::bit_cast<double>(b[l]),
             got = std::bit_cast<double>(h.row_pair(8, l));
      if (std::isnan(want) && std::isnan(got)) continue;
      EXPECT_EQ(std::bit_cast<u64>(got), std::bit_cast<u64>(want)) << std::hex << a[l] << " / " << b[l];
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace rocxla::emu
