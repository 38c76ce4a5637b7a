#include "xla/hlo/ir/literal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "xla/hlo/ir/float_format.h"

namespace xla {
namespace {

template <class T>
Literal Of(PrimitiveType type, std::vector<int64_t> dimensions, std::vector<T> values) {
  return Literal::Array<T>(Shape::Array(type, std::move(dimensions)), values);
}

std::string Text(PrimitiveType type, uint64_t bits) {
  uint8_t bytes[8];
  std::memcpy(bytes, &bits, 8);
  return ElementToString(type, bytes);
}

TEST(Literal, Text) {
  EXPECT_EQ(Literal::Scalar<float>(F32, 1e-5f).ToStringWithoutShape(), "1e-05");
  EXPECT_EQ(Literal::Scalar<float>(F32, 1.41421354f).ToStringWithoutShape(), "1.41421354");
  EXPECT_EQ(Literal::Scalar<double>(F64, 0.1).ToStringWithoutShape(), "0.1");
  EXPECT_EQ(Literal::Scalar<float>(F32, -INFINITY).ToStringWithoutShape(), "-inf");
  EXPECT_EQ(Literal::Scalar<float>(F32, -0.0f).ToStringWithoutShape(), "-0");
  EXPECT_EQ(Literal::Scalar<bool>(PRED, true).ToStringWithoutShape(), "true");
  EXPECT_EQ(Of<uint8_t>(PRED, {3}, {1, 0, 1}).ToStringWithoutShape(), "{1, 0, 1}");
  EXPECT_EQ(Of<int32_t>(S32, {2, 2}, {1, 2, -3, 4}).ToStringWithoutShape(), "{ {1, 2}, {-3, 4} }");
  EXPECT_EQ(Of<uint64_t>(U64, {1}, {~uint64_t{0}}).ToString(), "u64[1]{0} {18446744073709551615}");
  EXPECT_EQ(Of<float>(C64, {1}, {1, -2}).ToStringWithoutShape(), "{(1, -2)}");
  EXPECT_EQ(Literal::Tuple({Literal::Scalar<int8_t>(S8, -1), Of<float>(F32, {0}, {})}).ToStringWithoutShape(),
            "(-1, {})");
  EXPECT_EQ(Literal::Elided(Shape::Array(F32, {9})).ToStringWithoutShape(), "{...}");
}

TEST(Literal, NanPayloadsAreKept) {
  EXPECT_EQ(Text(F32, 0x7fc00000), "nan");
  EXPECT_EQ(Text(F32, 0xffc00000), "-nan");
  EXPECT_EQ(Text(F32, 0x7fc00001), "nan(0x400001)");
  EXPECT_EQ(Text(BF16, 0x7fc0), "nan");
  EXPECT_EQ(Text(F16, 0xfe01), "-nan(0x201)");
  EXPECT_EQ(Text(F8E4M3FN, 0xff), "-nan");
  EXPECT_EQ(Text(F8E4M3FNUZ, 0x80), "nan");
}

TEST(Literal, TextOfEverySmallValueReadsBack) {
  for (int t = 0; t < TUPLE; ++t) {
    const auto type = static_cast<PrimitiveType>(t);
    if (IsComplex(type) || BitWidth(type) > 16 || type == PRED) continue;
    for (uint64_t bits = 0; bits < uint64_t{1} << BitWidth(type); ++bits) {
      uint64_t stored = bits;
      if (IsSigned(type)) {
        const int shift = 64 - BitWidth(type);
        stored = static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift);
      }
      uint64_t back = 0;
      ASSERT_TRUE(ElementFromString(type, Text(type, stored), reinterpret_cast<uint8_t*>(&back))) << Text(type, stored);
      const uint64_t mask = (uint64_t{1} << (8 * ByteWidth(type))) - 1;
      ASSERT_EQ(back, stored & mask) << PrimitiveTypeName(type) << " " << Text(type, stored);
    }
  }
}

TEST(Literal, TextOfRandomWideValuesReadsBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = random();
    for (PrimitiveType type : {F32, F64, S32, S64, U32, U64}) {
      const uint64_t mask = BitWidth(type) == 64 ? ~uint64_t{0} : (uint64_t{1} << BitWidth(type)) - 1;
      uint64_t back = 0;
      ASSERT_TRUE(ElementFromString(type, Text(type, bits & mask), reinterpret_cast<uint8_t*>(&back)));
      ASSERT_EQ(back, bits & mask) << Text(type, bits & mask);
    }
  }
}

TEST(Literal, WrongTextsAreRefused) {
  uint8_t bytes[8];
  for (const auto& [type, text] : std::vector<std::pair<PrimitiveType, std::string>>{{S8, "128"},
                                                                                     {S8, "-129"},
                                                                                     {U8, "-1"},
                                                                                     {U8, "256"},
                                                                                     {S4, "8"},
                                                                                     {U4, "16"},
                                                                                     {S64, "9223372036854775808"},
                                                                                     {U64, "18446744073709551616"},
                                                                                     {S32, "1.5"},
                                                                                     {S32, ""},
                                                                                     {F32, ""},
                                                                                     {F32, "-"},
                                                                                     {F32, "1x"},
                                                                                     {F32, "infinite"},
                                                                                     {F32, "nan(0x0)"},
                                                                                     {F32, "nan(0x800000)"},
                                                                                     {F8E4M3FN, "nan(0x1)"},
                                                                                     {PRED, "2"},
                                                                                     {PRED, "yes"},
                                                                                     {F32, "0x10"}}) {
    EXPECT_FALSE(ElementFromString(type, text, bytes)) << PrimitiveTypeName(type) << " " << text;
  }
}

TEST(Literal, ConversionsRoundOnce) {
  Literal f16 = Literal::Zeros(Shape::Array(F16, {1}));
  f16.SetFromDouble(0, 1.0 + 0x1p-11 + 0x1p-40);  // just above the tie: up, not to even through f32
  EXPECT_EQ(f16.Get<uint16_t>(0), 0x3c01);
  Literal s8 = Literal::Zeros(Shape::Array(S8, {1}));
  s8.SetFromInt64(0, 300);
  EXPECT_EQ(s8.GetAsInt64(0), 44);
  Literal s4 = Literal::Zeros(Shape::Array(S4, {1}));
  s4.SetFromInt64(0, 0xf);
  EXPECT_EQ(s4.GetAsInt64(0), -1);
  Literal u64 = Literal::Scalar<uint64_t>(U64, ~uint64_t{0});
  EXPECT_EQ(u64.GetAsDouble(0), 0x1p64);
}

TEST(Literal, PhysicalOrder) {
  const Literal literal = Of<int8_t>(S8, {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(literal.BytesInLayout(Layout({1, 0})), (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(literal.BytesInLayout(Layout({0, 1})), (std::vector<uint8_t>{1, 4, 2, 5, 3, 6}));
  const Shape column_major = Shape::Array(S8, {2, 3}, Layout({0, 1}));
  const Literal back = Literal::FromBytesInLayout(column_major, literal.BytesInLayout(Layout({0, 1})));
  EXPECT_EQ(back.bytes(), literal.bytes());
}

TEST(Literal, AllEqual) {
  EXPECT_TRUE(Of<float>(F32, {3}, {2, 2, 2}).IsAllEqual());
  EXPECT_FALSE(Of<float>(F32, {3}, {2, 2, 3}).IsAllEqual());
  EXPECT_FALSE(Of<float>(F32, {2}, {0.0f, -0.0f}).IsAllEqual());
  EXPECT_FALSE(Of<float>(F32, {0}, {}).IsAllEqual());
}

}  // namespace
}  // namespace xla
