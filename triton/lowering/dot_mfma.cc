// MFMA, the matrix instructions of CDNA.
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "triton/lowering/dot.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

constexpr unsigned kUnitScale = 127;  // 2^0 in e8m0

// The fields cbsz and blgp of the instructions that take several formats. Source: "CDNA4 ISA", "MFMA with scaling".
unsigned FormatOf(Number number) {
  constexpr unsigned kE4m3 = 0, kE5m2 = 1, kE2m1 = 4;
  return number == Number::kFp4 ? kE2m1 : number == Number::kBf8 ? kE5m2 : kE4m3;
}

}  // namespace

// Operands travel as whatever the intrinsic declares: vectors of f16, of i16 for bf16, i32 or i64 for bytes.
Value* EmitMfma(IRBuilderBase& b, const MatrixCall& call) {
  llvm::Function* callee = Intrinsic::getOrInsertDeclaration(b.GetInsertBlock()->getModule(), call.id);
  FunctionType* type = callee->getFunctionType();
  Value* zero = b.getInt32(0);
  return b.CreateCall(callee, {b.CreateBitCast(call.operands[0], type->getParamType(0)),
                               b.CreateBitCast(call.operands[1], type->getParamType(1)), call.c, zero, zero, zero});
}

// Two constant zeros for scales select the instruction without them.
Value* EmitScaledMfma(IRBuilderBase& b, const MatrixCall& call) {
  Value *zero = b.getInt32(0), *scales[2], *operands[2];
  bool scaled = call.scales[0] || call.scales[1];
  for (int i : {0, 1}) {
    scales[i] = call.scales[i] ? call.scales[i] : b.getInt32(scaled ? kUnitScale : 0);
    unsigned words = cast<FixedVectorType>(call.operands[i]->getType())->getNumElements() / 4;
    operands[i] = b.CreateBitCast(call.operands[i], FixedVectorType::get(b.getInt32Ty(), words));
  }
  return b.CreateIntrinsic(call.id, {operands[0]->getType(), operands[1]->getType()},
                           {operands[0], operands[1], call.c, b.getInt32(FormatOf(call.numbers[0])),
                            b.getInt32(FormatOf(call.numbers[1])), zero, scales[0], zero, scales[1]});
}

}  // namespace rocxla::triton
