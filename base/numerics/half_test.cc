// Every f16 and bf16 value, and all rounding boundaries between neighbours, against LLVM's APFloat.
#include "base/numerics/half.h"

#include <gtest/gtest.h>

#include <cmath>

#include "llvm/ADT/APFloat.h"

namespace rocxla {
namespace {

using llvm::APFloat;

uint16_t Reference(float value, const llvm::fltSemantics& semantics) {
  APFloat f(value);
  bool lost = false;
  f.convert(semantics, APFloat::rmNearestTiesToEven, &lost);
  return static_cast<uint16_t>(f.bitcastToAPInt().getZExtValue());
}

void CheckAround(float value) {
  for (float x : {value, std::nextafter(value, INFINITY), std::nextafter(value, -INFINITY)}) {
    if (std::isnan(x)) continue;
    ASSERT_EQ(F32ToF16(x), Reference(x, APFloat::IEEEhalf())) << std::hexfloat << x;
    ASSERT_EQ(F32ToBf16(x), Reference(x, APFloat::BFloat())) << std::hexfloat << x;
  }
}

TEST(Half, WideningIsExactAndRoundingAgreesWithLlvm) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float f16 = F16ToF32(static_cast<uint16_t>(bits)), bf16 = Bf16ToF32(static_cast<uint16_t>(bits));
    APFloat reference(APFloat::IEEEhalf(), llvm::APInt(16, bits));
    if (reference.isNaN()) {
      ASSERT_TRUE(std::isnan(f16));
      ASSERT_TRUE(std::isnan(F16ToF32(F32ToF16(f16))));
      continue;
    }
    ASSERT_EQ(f16, reference.convertToFloat());
    ASSERT_EQ(F32ToF16(f16), bits);
    float next = F16ToF32(static_cast<uint16_t>(bits + 1));
    if (std::isfinite(f16) && std::isfinite(next)) CheckAround((f16 + next) / 2);
    if (!std::isnan(bf16)) {
      ASSERT_EQ(F32ToBf16(bf16), bits);
      CheckAround(std::bit_cast<float>(bits << 16 | 0x8000u));
    }
  }
  for (float x :
       {65519.0f, 65520.0f, 65536.0f, 1e30f, 3.4e38f, INFINITY, 0x1p-24f, 0x1p-25f, 0x1.8p-25f, 0x1p-26f, 1e-40f}) {
    CheckAround(x);
    CheckAround(-x);
  }
}

TEST(Half, NansStayNans) {
  EXPECT_TRUE(std::isnan(Bf16ToF32(F32ToBf16(std::bit_cast<float>(0x7f800001u)))));
  EXPECT_TRUE(std::isnan(F16ToF32(F32ToF16(std::bit_cast<float>(0xff800001u)))));
}

}  // namespace
}  // namespace rocxla
