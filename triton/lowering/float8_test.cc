// Every code of every format, against base/numerics: what IRBuilder folds of constants is what the code computes.
#include "triton/lowering/float8.h"

#include <gtest/gtest.h>

#include "base/numerics/float_convert.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace rocxla::triton {
namespace {

constexpr FloatType kFrom[] = {FloatType::kF8E4M3FN, FloatType::kF8E4M3FNUZ, FloatType::kF8E5M2, FloatType::kF8E5M2FNUZ,
                               FloatType::kF4E2M1FN};

struct Target {
  FloatType format;
  llvm::Type* type;
};

// A builder that folds whatever it is given constants for.
struct Folding {
  llvm::LLVMContext context;
  llvm::Module module{"float8", context};
  llvm::IRBuilder<llvm::InstSimplifyFolder> b{context, llvm::InstSimplifyFolder(module.getDataLayout())};
  Folding() {
    auto* type = llvm::FunctionType::get(b.getVoidTy(), false);
    auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "f", module);
    b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  }
};

uint64_t BitsOf(llvm::Value* value) {
  auto* number = llvm::dyn_cast<llvm::ConstantFP>(value);
  EXPECT_NE(number, nullptr) << "not folded";
  return number ? number->getValueAPF().bitcastToAPInt().getZExtValue() : 0;
}

TEST(ExpandFloat8, IsExactForEveryCode) {
  Folding folding;
  auto& b = folding.b;
  const Target targets[] = {{FloatType::kF16, b.getHalfTy()},
                            {FloatType::kBF16, b.getBFloatTy()},
                            {FloatType::kF32, b.getFloatTy()},
                            {FloatType::kF64, b.getDoubleTy()}};
  for (FloatType from : kFrom) {
    for (const Target& to : targets) {
      std::vector<llvm::Value*> codes;
      for (unsigned code = 0; code < 1u << FormatOf(from).Bits(); ++code)
        codes.push_back(b.getInt8(static_cast<uint8_t>(code)));
      auto numbers = ExpandFloat8(b, codes, from, to.type);
      ASSERT_EQ(numbers.size(), codes.size());
      for (uint64_t code = 0; code < codes.size(); ++code) {
        SCOPED_TRACE(std::string(FloatTypeName(from)) + " to " + std::string(FloatTypeName(to.format)) + ", code " +
                     std::to_string(code));
        uint64_t got = BitsOf(numbers[code]), want = ConvertFloatBits(FormatOf(from), FormatOf(to.format), code);
        bool nan = FormatOf(to.format).IsNan(want);
        EXPECT_EQ(FormatOf(to.format).IsNan(got), nan);
        if (!nan) EXPECT_EQ(got, want);
      }
    }
  }
}

// The upper half of a byte is somebody else's number.
TEST(ExpandFloat8, OfFp4TheLowBitsCount) {
  Folding folding;
  auto& b = folding.b;
  for (unsigned code = 0; code < 16; ++code) {
    auto expand = [&](unsigned byte) {
      llvm::Value* code_of_byte = b.getInt8(static_cast<uint8_t>(byte));
      return ExpandFloat8(b, code_of_byte, FloatType::kF4E2M1FN, b.getFloatTy())[0];
    };
    EXPECT_EQ(expand(code | 0xa0), expand(code));
  }
}

}  // namespace
}  // namespace rocxla::triton
