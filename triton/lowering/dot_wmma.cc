// WMMA, the matrix instructions of RDNA.
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "triton/lowering/dot.h"

using namespace llvm;
namespace rocxla::triton {

// Of the types of operands only f16 travels as such: bf16 as i16, bytes in words.
Value* EmitWmma(IRBuilderBase& b, const MatrixCall& call) {
  auto travelling = [&](int i) {
    auto* vector = cast<FixedVectorType>(call.operands[i]->getType());
    unsigned count = vector->getNumElements();
    if (vector->getElementType()->isHalfTy()) return call.operands[i];
    bool bytes = vector->getScalarSizeInBits() == 8;
    return b.CreateBitCast(call.operands[i], bytes ? FixedVectorType::get(b.getInt32Ty(), count / 4)
                                                   : FixedVectorType::get(b.getInt16Ty(), count));
  };
  Value *first = travelling(0), *second = travelling(1);
  SmallVector<Type*, 2> types{call.c->getType(), first->getType()};
  if (call.numbers[0] != Number::kI8) return b.CreateIntrinsic(call.id, types, {first, second, call.c});
  Value *are_signed = b.getTrue(), *saturate = b.getFalse();
  return b.CreateIntrinsic(call.id, types, {are_signed, first, are_signed, second, call.c, saturate});
}

// LLVM 22 does not know that gfx11's instructions read all lanes (it does of gfx12's and of MFMA): it would sink them,
// with what computes their operands, behind a branch that some lanes do not take. An empty, convergent piece of
// assembly stays where it is, and what it uses with it.
Value* KeepInBlock(IRBuilderBase& b, Value* result) {
  auto* type = FunctionType::get(result->getType(), {result->getType()}, false);
  CallInst* kept = b.CreateCall(InlineAsm::get(type, "", "=v,0", /*hasSideEffects=*/false), {result});
  kept->setConvergent();
  return kept;
}

}  // namespace rocxla::triton
