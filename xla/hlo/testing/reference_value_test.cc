// The ruler itself: rounding by search, against the host's conversions and values known by hand.
#include "xla/hlo/testing/reference_value.h"

#include <gtest/gtest.h>

#include <cmath>

namespace xla::opcode_cases {
namespace {

uint64_t Code(PrimitiveType type, double x) { return CodeOf(type, Value::Float(x)); }

TEST(ReferenceValue, RoundsF16AsTheHostDoes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isnan(x)) continue;
    ASSERT_EQ(Code(F16, x), std::bit_cast<uint16_t>(static_cast<_Float16>(x))) << x;
  }
}

TEST(ReferenceValue, EndsOfTheRanges) {
  EXPECT_EQ(Code(F16, 65519), 0x7bffu);
  EXPECT_EQ(Code(F16, 65520), 0x7c00u);
  EXPECT_EQ(Code(BF16, -1e39), 0xff80u);
  EXPECT_EQ(Code(F8E4M3FN, 464), 0x7eu);  // a tie: to the even code
  EXPECT_EQ(Code(F8E4M3FN, 465), 0x7fu);
  EXPECT_EQ(Code(F8E4M3FNUZ, -0.0), 0u);
  EXPECT_EQ(Code(F8E4M3FNUZ, -1e-9), 0u);
  EXPECT_EQ(Code(F4E2M1FN, 7), 7u);
  EXPECT_EQ(Code(F8E8M0FNU, 0), 0xffu);
  EXPECT_EQ(Code(F8E8M0FNU, 3), 0x80u);
  EXPECT_EQ(CodeOf(S4, Value::Int(9)), 9u);
  EXPECT_EQ(static_cast<int>(ValueOfCode(S4, 9).integer), -7);
}

TEST(ReferenceValue, DifferencesAreSeen) {
  const Array one{F32, {1}, {Value::Float(1)}};
  const auto got = [](float x) { return Literal::Array<float>(Shape::Array(F32, {1}), std::span<const float>(&x, 1)); };
  EXPECT_FALSE(Difference(got(1), one, {}));
  EXPECT_TRUE(Difference(got(std::nextafter(1.0f, 2.0f)), one, {}));
  EXPECT_FALSE(Difference(got(std::nextafter(1.0f, 2.0f)), one, {.ulps = 1}));
  EXPECT_TRUE(Difference(got(1.001f), one, {.ulps = 1}));
  EXPECT_TRUE(Difference(got(NAN), one, {.ulps = 1}));
  EXPECT_TRUE(Difference(got(-0.0f), Array{F32, {1}, {Value::Float(0)}}, {}));
  EXPECT_FALSE(Difference(got(-NAN), Array{F32, {1}, {Value::Float(kNan)}}, {}));
}

}  // namespace
}  // namespace xla::opcode_cases
