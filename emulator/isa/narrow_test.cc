// Witnesses for conversions from and to small floats: values by LLVM's APFloat, stochastic rounding by the two
// neighbours.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "base/numerics/half.h"
#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace rocxla::emu {
namespace {

float F(u32 x) { return std::bit_cast<float>(x); }

// A format: its codes' values, and rounding.
class Format {
 public:
  Format(const llvm::fltSemantics& semantics, bool saturates) : semantics_(semantics), saturates_(saturates) {
    for (u32 code = 0; code < 1u << bits(); code++) {
      float value = Value(code);
      if (std::isfinite(value) && !std::signbit(value)) magnitudes_.emplace_back(value, code);
    }
    std::sort(magnitudes_.begin(), magnitudes_.end());
  }
  int bits() const { return static_cast<int>(llvm::APFloat::getSizeInBits(semantics_)); }
  double largest() const { return magnitudes_.back().first; }
  float Value(u32 code) const {
    llvm::APFloat value(semantics_, llvm::APInt(bits(), code & ((1u << bits()) - 1)));
    bool inexact;
    value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return value.convertToFloat();
  }
  u32 Round(double x) const {
    if (saturates_ && std::isnan(x)) return NanOf(x);
    if (saturates_) x = std::clamp(x, -largest(), largest());
    llvm::APFloat value(x);
    bool inexact;
    value.convert(semantics_, llvm::APFloat::rmNearestTiesToEven, &inexact);
    return static_cast<u32>(value.bitcastToAPInt().getZExtValue());
  }
  // Up if the distance to the lower neighbour, in units of the neighbours' distance, plus random / 2^32 reaches 1.
  u32 RoundStochastic(double x, u32 random) const {
    long double magnitude = std::fabs(x);
    size_t below = 0;
    while (below + 1 < magnitudes_.size() && magnitudes_[below + 1].first <= magnitude) below++;
    u32 code = magnitudes_[below].second;
    if (below + 1 < magnitudes_.size()) {
      long double low = magnitudes_[below].first, high = magnitudes_[below + 1].first;
      if ((magnitude - low) / (high - low) + random * 0x1p-32L >= 1) code = magnitudes_[below + 1].second;
    }
    bool negative = std::signbit(x) && (code != 0 || Value(1u << (bits() - 1)) == 0);
    return code | (negative ? 1u << (bits() - 1) : 0);
  }
  bool Same(u32 a, u32 b) const { return a == b || (std::isnan(Value(a)) && std::isnan(Value(b))); }

 private:
  // Formats without NaN: the largest number.
  u32 NanOf(double x) const { return magnitudes_.back().second | (std::signbit(x) ? 1u << (bits() - 1) : 0); }
  const llvm::fltSemantics& semantics_;
  bool saturates_;
  std::vector<std::pair<float, u32>> magnitudes_;
};
const Format& FormatNamed(const std::string& name, bool fnuz) {
  static const std::map<std::string, Format> formats = {{"fp8", Format(llvm::APFloat::Float8E4M3FN(), false)},
                                                        {"bf8", Format(llvm::APFloat::Float8E5M2(), false)},
                                                        {"fp8fnuz", Format(llvm::APFloat::Float8E4M3FNUZ(), false)},
                                                        {"bf8fnuz", Format(llvm::APFloat::Float8E5M2FNUZ(), false)},
                                                        {"fp6", Format(llvm::APFloat::Float6E2M3FN(), true)},
                                                        {"bf6", Format(llvm::APFloat::Float6E3M2FN(), true)},
                                                        {"fp4", Format(llvm::APFloat::Float4E2M1FN(), true)}};
  return formats.at(name + (fnuz ? "fnuz" : ""));
}

// Numbers near the formats' range, and corners of f32.
u32 Number(RandomBits& random) {
  if (random.Next() % 4 == 0) return random.EdgeWord();
  u32 exponent = 127 - 20 + static_cast<u32>(random.Next() % 38);
  return (random.Word() & 0x807fffffu) | exponent << 23;
}
// Within a format's range, so that rounding cannot overflow.
u32 NumberWithin(RandomBits& random, double limit) {
  u32 x;
  do {
    x = Number(random);
  } while (!(std::fabs(F(x)) <= limit));
  return x;
}

struct Target {
  std::string name;
  bool fnuz;
  std::function<std::string(int byte)> byte_select;
};
const std::vector<Target>& Targets() {
  auto op_sel = [](int byte) { return fmt::format("op_sel:[0,0,{},{}]", byte & 1, byte >> 1); };
  static const std::vector<Target> targets = {
      {"gfx942", true, op_sel}, {"gfx950", false, op_sel}, {"gfx1201", false, [](int byte) {
                                                              return fmt::format("byte_sel:{}", byte);
                                                            }}};
  return targets;
}

TEST(NarrowTest, ValuesOfEveryCode) {
  for (const Target& target : Targets()) {
    for (std::string name : {"fp8", "bf8"}) {
      const Format& format = FormatNamed(name, target.fnuz);
      for (u32 first = 0; first < 256; first += 32) {
        InstructionHarness h(target.name);
        for (u32 l = 0; l < 32; l++) h.wave().row[0][l] = (first + l) | (255 - first - l) << 8 | 0xabcd0000u;
        std::string text = fmt::format("v_cvt_f32_{0} v8, v0\n v_cvt_pk_f32_{0} v[10:11], v0", name);
        Status status = h.Run(text);
        ASSERT_TRUE(status.ok()) << status.ToString();
        for (u32 l = 0; l < 32; l++) {
          for (auto [row, code] : {std::pair{8, first + l}, std::pair{10, first + l}, std::pair{11, 255 - first - l}}) {
            float want = format.Value(code), got = F(h.wave().row[row][l]);
            EXPECT_TRUE(std::isnan(want) ? std::isnan(got) : std::bit_cast<u32>(got) == std::bit_cast<u32>(want))
                << name << " " << code << " on " << target.name << ": " << got << ", want " << want;
          }
        }
      }
    }
  }
}
TEST(NarrowTest, BytesAreSelected) {
  InstructionHarness gfx9("gfx942"), gfx12("gfx1201");
  for (InstructionHarness* h : {&gfx9, &gfx12}) h->wave().row[0][3] = 0x3c383430;
  ASSERT_TRUE(
      gfx9.Run("v_cvt_f32_fp8_sdwa v8, v0 src0_sel:BYTE_2\n v_cvt_pk_f32_fp8_sdwa v[10:11], v0 src0_sel:WORD_1").ok());
  const Format& fnuz = FormatNamed("fp8", true);
  EXPECT_EQ(F(gfx9.wave().row[8][3]), fnuz.Value(0x38));
  EXPECT_EQ(F(gfx9.wave().row[10][3]), fnuz.Value(0x38));
  EXPECT_EQ(F(gfx9.wave().row[11][3]), fnuz.Value(0x3c));
  ASSERT_TRUE(gfx12.Run("v_cvt_f32_fp8_e64 v8, v0 byte_sel:3\n v_cvt_pk_f32_fp8_e64 v[10:11], v0 op_sel:[1,0]").ok());
  const Format& ocp = FormatNamed("fp8", false);
  EXPECT_EQ(F(gfx12.wave().row[8][3]), ocp.Value(0x3c));
  EXPECT_EQ(F(gfx12.wave().row[10][3]), ocp.Value(0x38));
}

TEST(NarrowTest, PairsRoundToNearestEven) {
  RandomBits random(31);
  for (const Target& target : Targets()) {
    for (std::string name : {"fp8", "bf8"}) {
      const Format& format = FormatNamed(name, target.fnuz);
      for (bool high : {false, true}) {
        InstructionHarness h(target.name);
        Wave& w = h.wave();
        for (int l = 0; l < h.lanes(); l++) {
          w.row[0][l] = Number(random);
          w.row[1][l] =
              l % 3 == 0 ? std::bit_cast<u32>(static_cast<float>(format.largest()) * (1 + 0.01f * l)) : Number(random);
          w.row[8][l] = 0x12345678;
        }
        std::string text = fmt::format("v_cvt_pk_{}_f32 v8, v0, -v1{}", name, high ? " op_sel:[0,0,1]" : "");
        Status status = h.Run(text);
        ASSERT_TRUE(status.ok()) << status.ToString();
        for (int l = 0; l < h.lanes(); l++) {
          u32 got = w.row[8][l] >> (high ? 16 : 0) & 0xffff;
          EXPECT_TRUE(format.Same(got & 255, format.Round(F(w.row[0][l])))) << text << " of " << F(w.row[0][l]);
          EXPECT_TRUE(format.Same(got >> 8, format.Round(-F(w.row[1][l])))) << text << " of " << -F(w.row[1][l]);
          EXPECT_EQ(high ? w.row[8][l] & 0xffff : w.row[8][l] >> 16, high ? 0x5678u : 0x1234u);
        }
      }
    }
  }
}
TEST(NarrowTest, StochasticBytes) {
  RandomBits random(32);
  for (const Target& target : Targets()) {
    for (std::string name : {"fp8", "bf8"}) {
      const Format& format = FormatNamed(name, target.fnuz);
      for (int byte = 0; byte < 4; byte++) {
        InstructionHarness h(target.name);
        Wave& w = h.wave();
        for (int l = 0; l < h.lanes(); l++) {
          w.row[0][l] = NumberWithin(random, format.largest() / 2);
          w.row[1][l] = random.Word();
          w.row[8][l] = 0x12345678;
        }
        std::string text =
            fmt::format("v_cvt_sr_{}_f32 v8, v0, v1 {}", name, byte == 0 ? "" : target.byte_select(byte));
        Status status = h.Run(text);
        ASSERT_TRUE(status.ok()) << status.ToString();
        for (int l = 0; l < h.lanes(); l++) {
          u32 keep = ~(255u << (8 * byte)), code = format.RoundStochastic(F(w.row[0][l]), w.row[1][l]);
          EXPECT_EQ(w.row[8][l], (0x12345678u & keep) | code << (8 * byte)) << text << " of " << F(w.row[0][l]);
        }
      }
    }
  }
}
TEST(NarrowTest, HalvesAndBf16) {
  RandomBits random(33);
  InstructionHarness h("gfx950");
  Wave& w = h.wave();
  Format half(llvm::APFloat::IEEEhalf(), false), bf16(llvm::APFloat::BFloat(), false);
  for (int l = 0; l < 64; l++) {
    w.row[0][l] = NumberWithin(random, 60000);
    w.row[1][l] = random.Word();
    w.row[2][l] = Number(random);
    for (int r = 8; r < 16; r++) w.row[r][l] = 0;
  }
  ASSERT_TRUE(
      h.Run("v_cvt_sr_f16_f32 v8, v0, v1\n v_cvt_sr_bf16_f32 v8, v0, v1 op_sel:[0,0,1]\n v_cvt_f32_bf16 v9, v2\n"
            "v_cvt_pk_bf16_f32 v10, v0, v2\n v_cvt_pk_f16_f32 v11, v0, v2\n v_cvt_pkrtz_f16_f32 v12, v0, v2")
          .ok());
  for (int l = 0; l < 64; l++) {
    EXPECT_EQ(w.row[8][l] & 0xffff, half.RoundStochastic(F(w.row[0][l]), w.row[1][l]));
    EXPECT_EQ(w.row[8][l] >> 16, bf16.RoundStochastic(F(w.row[0][l]), w.row[1][l]));
    EXPECT_EQ(w.row[9][l], w.row[2][l] << 16);
    for (auto [row, format] : {std::pair{10, &bf16}, std::pair{11, &half}}) {
      EXPECT_TRUE(format->Same(w.row[row][l] & 0xffff, format->Round(F(w.row[0][l])))) << F(w.row[0][l]);
      EXPECT_TRUE(format->Same(w.row[row][l] >> 16, format->Round(F(w.row[2][l])))) << F(w.row[2][l]);
    }
    llvm::APFloat cut(F(w.row[2][l]));
    bool inexact;
    cut.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmTowardZero, &inexact);
    EXPECT_TRUE(half.Same(w.row[12][l] >> 16, static_cast<u32>(cut.bitcastToAPInt().getZExtValue()))) << F(w.row[2][l]);
  }
}

// --- gfx950's scaled conversions

struct Scaled {
  std::string name;  // behind v_cvt_scalef32_
  std::string operands;
  int count;
};
std::string Part(const std::string& name, bool from) {
  size_t bar = name.rfind('_');
  return from ? name.substr(bar + 1) : name.substr(name.rfind('_', bar - 1) + 1, bar - name.rfind('_', bar - 1) - 1);
}
int BitsOf(const std::string& type) {
  return type == "f32" ? 32 : type == "f16" || type == "bf16" ? 16 : FormatNamed(type, false).bits();
}
u32 GetBits(const Wave& w, int row, int lane, int at, int bits) {
  u64 both = u64{w.row[row + at / 32 + 1][lane]} << 32 | w.row[row + at / 32][lane];
  return static_cast<u32>(both >> (at % 32) & ((u64{1} << bits) - 1));
}
float Read(const std::string& type, u32 bits) {
  if (type == "f32") return F(bits);
  if (type == "f16") return F16ToF32(static_cast<u16>(bits));
  if (type == "bf16") return Bf16ToF32(static_cast<u16>(bits));
  return FormatNamed(type, false).Value(bits);
}
// The source is at v0, the second one at v40, random bits in v80, the scale in v81; results from v100 on.
void CheckScaled(const Scaled& c) {
  RandomBits random(c.name.size());
  std::string to = Part(c.name, false), from = Part(c.name, true);
  bool narrows = BitsOf(to) <= 8, stochastic = c.name.starts_with("sr_"), interleaved = c.name.starts_with("2xpk16");
  bool two_inputs = narrows && from == "f32" && c.count == 2 && !stochastic;
  InstructionHarness h("gfx950");
  Wave& w = h.wave();
  for (int l = 0; l < 64; l++) {
    int scale = static_cast<int>(random.Next() % 9) - 4;
    w.row[81][l] = static_cast<u32>(127 + scale) << 23 | (random.Word() & 0x807fffff);
    double limit = narrows ? FormatNamed(to, false).largest() * std::ldexp(1.0, scale) / 2 : 0;
    for (int r = 0; r < 80; r++) {
      u32 x = random.Word();
      if (narrows && from == "f32") x = NumberWithin(random, limit);
      if (narrows && from == "f16") x = F32ToF16(F(NumberWithin(random, limit))) * 0x10001u;
      if (narrows && from == "bf16") x = F32ToBf16(F(NumberWithin(random, limit))) * 0x10001u;
      w.row[r][l] = x;
    }
    w.row[80][l] = random.Word();
    for (int r = 100; r < 140; r++) w.row[r][l] = 0;
  }
  std::string text = fmt::format("v_cvt_scalef32_{} {}", c.name, c.operands);
  Status status = h.Run(text);
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (int l = 0; l < 64; l++) {
    double scale = std::ldexp(1.0, static_cast<int>(w.row[81][l] >> 23 & 255) - 127);
    u32 bits = w.row[80][l];
    for (int i = 0; i < c.count; i++) {
      int source = interleaved || two_inputs ? 40 * (i % 2) : 0, index = interleaved || two_inputs ? i / 2 : i;
      float x = Read(from, GetBits(w, source, l, index * BitsOf(from), BitsOf(from)));
      u32 got = GetBits(w, 100, l, i * BitsOf(to), BitsOf(to));
      if (narrows) {
        const Format& format = FormatNamed(to, false);
        u32 want = stochastic ? format.RoundStochastic(x / scale, bits) : format.Round(x / scale);
        ASSERT_TRUE(format.Same(got, want))
            << text << " element " << i << ": " << x << " / " << scale << " gave " << got;
      } else {
        float want = static_cast<float>(x * scale);
        if (to == "f16") want = F16ToF32(F32ToF16(want));
        if (to == "bf16") want = Bf16ToF32(F32ToBf16(want));
        ASSERT_TRUE(std::isnan(want) ? std::isnan(Read(to, got)) : Read(to, got) == want) << text << " element " << i;
      }
      bits = bits << 1 ^ (static_cast<i32>(bits) < 0 ? 197 : 0);  // v_prng_b32 between elements
    }
  }
}
TEST(ScaledTest, EveryConversion) {
  std::vector<Scaled> cases;
  for (std::string wide : {"f32", "f16", "bf16"}) {
    bool f32 = wide == "f32";
    for (std::string narrow : {"fp8", "bf8"}) {
      if (wide != "bf16") cases.push_back({wide + "_" + narrow, "v100, v0, v81", 1});
      cases.push_back({"pk_" + wide + "_" + narrow, f32 ? "v[100:101], v0, v81" : "v100, v0, v81", 2});
      cases.push_back({"pk_" + narrow + "_" + wide, f32 ? "v100, v0, v40, v81" : "v100, v0, v81", 2});
      cases.push_back({"sr_" + narrow + "_" + wide, "v100, v0, v80, v81", 1});
    }
    cases.push_back({"pk_" + wide + "_fp4", f32 ? "v[100:101], v0, v81" : "v100, v0, v81", 2});
    cases.push_back({"pk_fp4_" + wide, f32 ? "v100, v0, v40, v81" : "v100, v0, v81", 2});
    cases.push_back({"sr_pk_fp4_" + wide, f32 ? "v100, v[0:1], v80, v81" : "v100, v0, v80, v81", 2});
    for (std::string narrow : {"fp6", "bf6"}) {
      std::string source = f32 ? "v[0:31]" : "v[0:15]", result = f32 ? "v[100:131]" : "v[100:115]";
      cases.push_back({"pk32_" + wide + "_" + narrow, result + ", v[0:5], v81", 32});
      cases.push_back({"sr_pk32_" + narrow + "_" + wide, "v[100:105], " + source + ", v80, v81", 32});
      if (f32)
        cases.push_back({"2xpk16_" + narrow + "_f32", "v[100:105], v[0:15], v[40:55], v81", 32});
      else
        cases.push_back({"pk32_" + narrow + "_" + wide, "v[100:105], " + source + ", v81", 32});
    }
  }
  EXPECT_EQ(cases.size(), 49u);
  for (const Scaled& c : cases) CheckScaled(c);
}
TEST(ScaledTest, PlacesAreSelected) {
  InstructionHarness h("gfx950");
  Wave& w = h.wave();
  w.row[0][0] = 0x38404448;  // fp8: 1.0 in the highest byte
  w.row[1][0] = std::bit_cast<u32>(1.5f);
  w.row[81][0] = std::bit_cast<u32>(2.0f);
  for (int r = 100; r < 110; r++) w.row[r][0] = 0x11111111;
  ASSERT_TRUE(h.Run("v_cvt_scalef32_f32_fp8 v100, v0, v81 op_sel:[1,1,0]\n"
                    "v_cvt_scalef32_sr_fp8_f32 v101, v1, v2, v81 op_sel:[0,0,1,0]\n"
                    "v_cvt_scalef32_pk_fp8_f32 v102, v1, v1, v81 op_sel:[0,0,0,1]\n"
                    "v_cvt_scalef32_pk_fp4_f32 v103, v1, v1, v81 op_sel:[0,0,1,1]\n"
                    "v_cvt_scalef32_pk_f16_fp8 v104, v0, v81 op_sel:[1,0,0]")
                  .ok());
  EXPECT_EQ(F(w.row[100][0]), 2.0f);
  EXPECT_EQ(w.row[101][0], 0x11113411u);  // 0.75 is 0x34
  EXPECT_EQ(w.row[102][0], 0x34341111u);
  EXPECT_EQ(w.row[103][0], 0x22111111u);  // 0.75 is halfway between 0.5 and 1: even is 2
  EXPECT_EQ(w.row[104][0], 0x40004400u);  // 2.0 above 4.0
}

}  // namespace
}  // namespace rocxla::emu
