// What IRBuilder folds of constants is what the code computes: against base/numerics.
#include "triton/lowering/round_float.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/numerics/float_convert.h"
#include "llvm/IR/LLVMContext.h"

namespace rocxla::triton {
namespace {

constexpr FloatType kTo[] = {FloatType::kF8E4M3FN, FloatType::kF8E4M3FNUZ, FloatType::kF8E5M2, FloatType::kF8E5M2FNUZ};

uint64_t BitsOf(llvm::Value* value) {
  if (auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value)) return integer->getZExtValue();
  auto* number = llvm::dyn_cast<llvm::ConstantFP>(value);
  EXPECT_NE(number, nullptr) << "not folded";
  return number ? number->getValueAPF().bitcastToAPInt().getZExtValue() : 0;
}

// By search: the code whose number is nearest (ties to the even code), or the last one that is not beyond.
uint64_t Expected(FloatType type, double x, Rounding rounding) {
  const FloatFormat& to = FormatOf(type);
  const uint64_t sign = std::signbit(x) ? 0x80 : 0;
  if (std::isnan(x)) return to.NanBits(sign);
  auto number = [&](uint64_t code) {
    return std::bit_cast<double>(ConvertFloatBits(to, FormatOf(FloatType::kF64), code));
  };
  const double magnitude = std::fabs(x);
  uint64_t code = 0;
  while (code < to.MaxFiniteBits() && number(code + 1) <= magnitude) ++code;
  if (rounding == Rounding::kNearestEven && code < to.MaxFiniteBits()) {
    const double down = magnitude - number(code), up = number(code + 1) - magnitude;
    if (up < down || (up == down && code % 2)) ++code;
  }
  return code == 0 && to.specials == FloatSpecials::kFnuz ? 0 : code | sign;
}

TEST(RoundToFloat8, EveryHalf) {
  llvm::LLVMContext context;
  llvm::IRBuilder<> b(context);
  for (FloatType to : kTo) {
    for (Rounding rounding : {Rounding::kNearestEven, Rounding::kTowardsZero}) {
      for (uint64_t bits = 0; bits < 0x10000; bits += 3) {
        double x = std::bit_cast<double>(ConvertFloatBits(FormatOf(FloatType::kF16), FormatOf(FloatType::kF64), bits));
        auto half = llvm::ConstantFP::get(context, llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits)));
        ASSERT_EQ(BitsOf(RoundToFloat8(b, half, to, rounding)), Expected(to, x, rounding))
            << FloatTypeName(to) << " of " << x;
      }
    }
  }
}

// Around each number of the format and each middle between two, by the smallest steps of float and double.
TEST(RoundToFloat8, RoundsOnceFromFloatAndDouble) {
  llvm::LLVMContext context;
  llvm::IRBuilder<> b(context);
  for (FloatType to : kTo) {
    for (uint64_t code = 0; code <= FormatOf(to).MaxFiniteBits(); ++code) {
      auto number = [&](uint64_t c) {
        return std::bit_cast<double>(ConvertFloatBits(FormatOf(to), FormatOf(FloatType::kF64), c));
      };
      const double middle = (number(code) + number(std::min(code + 1, FormatOf(to).MaxFiniteBits()))) / 2;
      for (double x : {number(code), middle}) {
        for (double each : {x, std::nextafter(x, 0.0), std::nextafter(x, 1e300), -x}) {
          for (Rounding rounding : {Rounding::kNearestEven, Rounding::kTowardsZero}) {
            auto wide = llvm::ConstantFP::get(b.getDoubleTy(), each);
            EXPECT_EQ(BitsOf(RoundToFloat8(b, wide, to, rounding)), Expected(to, each, rounding)) << each;
          }
        }
        const auto single = static_cast<float>(x);
        for (float each : {single, std::nextafterf(single, 0.0f), std::nextafterf(single, 1e30f)}) {
          auto wide = llvm::ConstantFP::get(b.getFloatTy(), each);
          EXPECT_EQ(BitsOf(RoundToFloat8(b, wide, to, Rounding::kNearestEven)),
                    Expected(to, each, Rounding::kNearestEven))
              << each;
        }
      }
    }
    for (double x : {1e30, -1e30, double(INFINITY), double(-INFINITY), double(NAN)}) {
      auto wide = llvm::ConstantFP::get(b.getFloatTy(), x);
      EXPECT_EQ(BitsOf(RoundToFloat8(b, wide, to, Rounding::kNearestEven)), Expected(to, x, Rounding::kNearestEven));
    }
  }
}

TEST(TruncateFloat, NeverGrows) {
  llvm::LLVMContext context;
  llvm::IRBuilder<> b(context);
  for (float x : {1.0f, 1.00001f, -1.00001f, 3.14159f, 65519.0f, 65520.0f, 1e30f, -1e-7f, 6e-8f, 1e-40f, 0.0f, -0.0f}) {
    for (auto [type, format] :
         {std::pair(b.getHalfTy(), FloatType::kF16), std::pair(b.getBFloatTy(), FloatType::kBF16)}) {
      const double got = std::bit_cast<double>(
          ConvertFloatBits(FormatOf(format), FormatOf(FloatType::kF64),
                           BitsOf(TruncateFloat(b, llvm::ConstantFP::get(b.getFloatTy(), x), type))));
      EXPECT_LE(std::fabs(got), std::fabs(x));
      EXPECT_EQ(std::signbit(got), std::signbit(x));
      // The next number is beyond.
      const uint64_t bits = ConvertFloatBits(FormatOf(FloatType::kF64), FormatOf(format), std::bit_cast<uint64_t>(got));
      if ((bits & FormatOf(format).MagnitudeMask()) == FormatOf(format).MaxFiniteBits()) continue;
      const double next =
          std::bit_cast<double>(ConvertFloatBits(FormatOf(format), FormatOf(FloatType::kF64), bits + 1));
      EXPECT_GT(std::fabs(next), std::fabs(x));
    }
  }
}

}  // namespace
}  // namespace rocxla::triton
