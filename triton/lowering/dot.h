// Products, between the files that lower them: operands (dot_operands.cc), then matrix instructions (dot_matrix.cc, one
// instruction by dot_mfma.cc or dot_wmma.cc) or multiply-adds (dot_fma.cc).
#pragma once
#include "triton/lowering/lowering.h"

namespace rocxla::triton {

// One factor, its numbers converted to what is multiplied and scaled where the instruction does not do so.
struct DotOperand {
  Values v;
  Layout layout;        // of v; its shape counts bytes where these hold two numbers
  int packed_bits = 0;  // log2 of the numbers in one of v, along K
  int k_dim;
};
StatusOr<DotOperand> NumbersOf(Lowering& l, const Product& product, int i);

// The LLVM type of converted numbers.
llvm::Type* TypeOf(Number number, llvm::IRBuilderBase& b);
// Where `accumulator` is wider or narrower than a float value.
llvm::Value* CastFloat(llvm::IRBuilderBase& b, llvm::Value* value, llvm::Type* type);
// What sums are kept in: f32 for 16-bit results.
llvm::Type* AccumulatorOf(llvm::Type* result);

// One use of a matrix instruction: first * second + c. Operands are vectors of numbers (bytes of pairs), in the order
// of the instruction.
struct MatrixCall {
  llvm::Intrinsic::ID id;
  MatrixInstruction::Kind kind;
  Number numbers[2];
  llvm::Value* operands[2];
  llvm::Value* scales[2];  // i32, of kMfmaScaled; null: none
  llvm::Value* c;
};
llvm::Value* EmitMfma(llvm::IRBuilderBase& b, const MatrixCall& call);
llvm::Value* EmitScaledMfma(llvm::IRBuilderBase& b, const MatrixCall& call);
llvm::Value* EmitWmma(llvm::IRBuilderBase& b, const MatrixCall& call);
// What kWmmaGfx11 has computed, kept from moving into branches.
llvm::Value* KeepInBlock(llvm::IRBuilderBase& b, llvm::Value* result);

Status LowerMatrixProduct(Lowering& l, const Product& product, Layout layout);
Status LowerMultiplyAdds(Lowering& l, const Product& product, Layout layout);

}  // namespace rocxla::triton
