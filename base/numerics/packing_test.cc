#include "base/numerics/packing.h"

#include <gtest/gtest.h>

namespace rocxla {
namespace {

using Bytes = std::vector<uint8_t>;

TEST(Packing, TheFirstElementTakesTheHighOrTheLowEnd) {
  const Bytes values = {1, 2, 0xff, 4, 5};
  EXPECT_EQ(PackElements(values, 4, PackOrder::kHighFirst), (Bytes{0x12, 0xf4, 0x50}));
  EXPECT_EQ(PackElements(values, 4, PackOrder::kLowFirst), (Bytes{0x21, 0x4f, 0x05}));
  EXPECT_EQ(PackElements(Bytes{1, 2, 3, 0, 2}, 2, PackOrder::kHighFirst), (Bytes{0b01101100, 0b10000000}));
  EXPECT_EQ(PackElements(Bytes{1, 2, 3, 0, 2}, 2, PackOrder::kLowFirst), (Bytes{0b00111001, 0b00000010}));
  EXPECT_EQ(PackElements({}, 4, PackOrder::kLowFirst), Bytes{});
}

TEST(Packing, EveryByteUnpacksToWhatItPacks) {
  for (int bits : {1, 2, 4})
    for (PackOrder order : {PackOrder::kHighFirst, PackOrder::kLowFirst})
      for (Extension extension : {Extension::kZero, Extension::kSign})
        for (int byte = 0; byte < 256; ++byte) {
          const Bytes packed = {static_cast<uint8_t>(byte)};
          const Bytes elements = UnpackElements(packed, 8 / bits, bits, order, extension);
          EXPECT_EQ(PackElements(elements, bits, order), packed);
          for (uint8_t element : elements) {
            const int value = extension == Extension::kSign ? static_cast<int8_t>(element) : element;
            EXPECT_GE(value, extension == Extension::kSign ? -(1 << (bits - 1)) : 0);
            EXPECT_LT(value, 1 << (extension == Extension::kSign ? bits - 1 : bits));
          }
        }
}

TEST(Packing, SignsExtend) {
  EXPECT_EQ(UnpackElements(Bytes{0x8f}, 2, 4, PackOrder::kHighFirst, Extension::kSign), (Bytes{0xf8, 0xff}));
  EXPECT_EQ(UnpackElements(Bytes{0x8f}, 1, 4, PackOrder::kHighFirst, Extension::kZero), (Bytes{0x08}));
  EXPECT_EQ(UnpackElements(Bytes{0b01111000}, 3, 2, PackOrder::kLowFirst, Extension::kSign), (Bytes{0, 0xfe, 0xff}));
}

TEST(Packing, SizesDoNotOverflow) {
  EXPECT_EQ(PackedBytes(UINT64_MAX, 4), uint64_t{1} << 63);
  EXPECT_EQ(PackedBytes(9, 2), 3u);
  EXPECT_EQ(PackedBytes(0, 4), 0u);
}

}  // namespace
}  // namespace rocxla
