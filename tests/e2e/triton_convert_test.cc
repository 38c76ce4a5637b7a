// Conversions to 8-bit floats, and roundings towards zero, on the embedded device.
#include <gmock/gmock.h>

#include "base/numerics/float_convert.h"
#include "tests/e2e/triton_kernel.h"

namespace rocxla::triton {
namespace {

struct Narrow {
  const char* element;
  FloatType type;
};
constexpr Narrow kNarrow[] = {{"f8E4M3FN", FloatType::kF8E4M3FN},
                              {"f8E4M3FNUZ", FloatType::kF8E4M3FNUZ},
                              {"f8E5M2", FloatType::kF8E5M2},
                              {"f8E5M2FNUZ", FloatType::kF8E5M2FNUZ}};

// Rounded to the nearest; what is too large becomes the largest.
uint8_t Saturated(FloatType type, uint16_t half) {
  const FloatFormat f16 = FormatOf(FloatType::kF16), to = FormatOf(type);
  const uint64_t sign = half >> 8 & 0x80, code = ConvertFloatBits(f16, to, half);
  if (f16.IsNan(half)) return static_cast<uint8_t>(to.NanBits(sign));
  const bool fits = !to.IsNan(code) && !to.IsInfinity(code);
  return static_cast<uint8_t>(fits ? code : sign | to.MaxFiniteBits());
}

// Every half there is, in blocks of 4096.
TEST(TritonConvert, HalvesToFloat8) {
  std::vector<uint16_t> in(0x10000);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint16_t>(i);
  for (const Narrow& narrow : kNarrow) {
    const std::string type = narrow.element;
    const std::string text =
        "tt.func public @kernel(%x0: !tt.ptr<f16>, %o0: !tt.ptr<" + type +
        ">) {\n%pid = tt.get_program_id x : i32\n%block = arith.constant 4096 : i32\n"
        "%first = arith.muli %pid, %block : i32\n%x = tt.addptr %x0, %first : !tt.ptr<f16>, i32\n%o = tt.addptr %o0, "
        "%first : !tt.ptr<" +
        type + ">, i32\n" + LoadText("%v", "%x", 4096, "f16") +
        "%r = tt.fp_to_fp %v, rounding = rtne : tensor<4096xf16> -> tensor<4096x" + type + ">\n" +
        StoreText("%r", "%o", 4096, type) + "tt.return\n}";
    for (Launch launch : Launches()) {
      if (launch.num_warps != 8) continue;
      launch.programs = 16;
      std::vector<uint8_t> got = ResultOf<uint8_t>(text, launch, {BufferOf(in)}, in.size());
      ASSERT_EQ(got.size(), in.size());
      for (size_t i = 0; i < in.size(); ++i)
        ASSERT_EQ(got[i], Saturated(narrow.type, in[i])) << type << " of half " << i << " on " << ToString(launch);
    }
  }
}

// Every code to f16, bf16 and f32: the same number.
TEST(TritonConvert, Float8ToWider) {
  std::vector<uint8_t> in(256);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i);
  for (const Narrow& narrow : kNarrow) {
    const std::string type = narrow.element;
    for (const std::string& wide : {"f16", "bf16", "f32"}) {
      const std::string text =
          "tt.func public @kernel(%x: !tt.ptr<" + type + ">, %o: !tt.ptr<f32>) {\n" + LoadText("%v", "%x", 256, type) +
          "%w = tt.fp_to_fp %v : tensor<256x" + type + "> -> tensor<256x" + wide + ">\n" +
          (wide == "f32" ? "%r = arith.addf %w, %w : tensor<256xf32>\n"
                         : "%u = arith.extf %w : tensor<256x" + wide +
                               "> to tensor<256xf32>\n%r = arith.addf %u, %u : tensor<256xf32>\n") +
          StoreText("%r", "%o", 256, "f32") + "tt.return\n}";
      for (const Launch& launch : Launches()) {
        std::vector<float> got = ResultOf<float>(text, launch, {BufferOf(in)}, 256);
        ASSERT_EQ(got.size(), in.size());
        for (size_t i = 0; i < in.size(); ++i) {
          const auto bits =
              static_cast<uint32_t>(ConvertFloatBits(FormatOf(narrow.type), FormatOf(FloatType::kF32), in[i]));
          const float want = 2 * std::bit_cast<float>(bits);
          EXPECT_TRUE(got[i] == want || (got[i] != got[i] && want != want))
              << type << " code " << i << " to " << wide << ": " << got[i] << ", not " << want;
        }
      }
    }
  }
}

TEST(TritonConvert, TowardsZero) {
  const std::string text = "tt.func public @kernel(%x: !tt.ptr<f32>, %o: !tt.ptr<f16>) {\n" +
                           LoadText("%v", "%x", 256, "f32") +
                           "%r = tt.fp_to_fp %v, rounding = rtz : tensor<256xf32> -> tensor<256xf16>\n" +
                           StoreText("%r", "%o", 256, "f16") + "tt.return\n}";
  std::vector<float> in(256, 1.00096f);  // between 1 and 1 + 2^-10, nearer to the latter
  in[1] = 1e6f;
  in[2] = -65519.0f;
  std::vector<uint16_t> want(256, 0x3c00);
  want[1] = 0x7bff;
  want[2] = 0xfbff;
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<uint16_t>(text, launch, {BufferOf(in)}, 256), want) << ToString(launch);
}

}  // namespace
}  // namespace rocxla::triton
