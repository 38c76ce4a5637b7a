#include "triton/amdgpu/llvm_defects.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// The instructions of a module that are of a class. A list, since they will be changed.
template <class Kind>
SmallVector<Kind*> All(Module& module) {
  SmallVector<Kind*> found;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (auto* one = dyn_cast<Kind>(&instruction)) found.push_back(one);
  return found;
}

// Results of arithmetic are canonical: making them so costs nothing, but instruction selection does not see through it.
Value* Separated(IRBuilderBase& b, Value* value) { return b.CreateUnaryIntrinsic(Intrinsic::canonicalize, value); }

// A product of f32 that is rounded to f16 becomes v_fma_mix*_f16 with +0 as addend, which makes +0 of -0.
void KeepSignsOfProducts(Module& module) {
  for (FPTruncInst* rounding : All<FPTruncInst>(module)) {
    auto* from = dyn_cast<Instruction>(rounding->getOperand(0));
    const bool product = from && (from->getOpcode() == Instruction::FMul || from->getOpcode() == Instruction::FNeg);
    if (!product || !rounding->getType()->getScalarType()->isHalfTy()) continue;
    IRBuilder<> builder(rounding);
    rounding->setOperand(0, Separated(builder, from));
  }
}

// 0 - x becomes the negated operand -x of what uses it, which makes -0 of 0 - 0. In bf16, the subtraction is one of
// f32.
void KeepSignsOfDifferences(Module& module) {
  for (BinaryOperator* difference : All<BinaryOperator>(module)) {
    if (difference->getOpcode() != Instruction::FSub || difference->hasNoSignedZeros()) continue;
    if (!PatternMatch::match(difference->getOperand(0), PatternMatch::m_PosZeroFP())) continue;
    IRBuilder<> b(difference->getNextNode());
    Type *type = difference->getType(), *wide = type->getWithNewType(b.getFloatTy());
    const bool widened = type->getScalarType()->isBFloatTy();
    Value* computed = difference;
    if (widened) computed = b.CreateFSub(Constant::getNullValue(wide), b.CreateFPExt(difference->getOperand(1), wide));
    Value* separated = Separated(b, computed);
    Value* result = widened ? b.CreateFPTrunc(separated, type) : separated;
    difference->replaceUsesWithIf(result, [&](Use& use) { return use.getUser() != separated; });
  }
}

// Whether an integer product is made of `value`, through what takes numbers apart and puts them together.
bool IsMultiplied(Value* value, int depth = 0) {
  constexpr int kDeepest = 8;
  if (depth > kDeepest) return true;
  return any_of(value->users(), [&](User* user) {
    auto* instruction = dyn_cast<Instruction>(user);
    if (!instruction) return false;
    switch (instruction->getOpcode()) {
      case Instruction::Mul:
        return true;
      case Instruction::ZExt:
      case Instruction::SExt:
      case Instruction::Trunc:
      case Instruction::BitCast:
      case Instruction::InsertElement:
      case Instruction::ExtractElement:
      case Instruction::ShuffleVector:
      case Instruction::Shl:
      case Instruction::LShr:
      case Instruction::AShr:
      case Instruction::Or:
      case Instruction::And:
      case Instruction::Select:
      case Instruction::Freeze:
        return IsMultiplied(instruction, depth + 1);
      default:
        return false;
    }
  });
}

// On gfx12 a move between lanes (DPP) becomes part of v_mad_co_u64_u32, which has no such form: the bytes are no
// instruction. A move that keeps what was there, where no lane gives anything, stays a move unless what was there is 0,
// 1, or all ones, which may be right for what uses it. Here every lane gives.
void KeepMovesOutOfProducts(Module& module) {
  constexpr unsigned kOld = 0, kBoundControl = 5;
  for (IntrinsicInst* move : All<IntrinsicInst>(module)) {
    if (move->getIntrinsicID() != Intrinsic::amdgcn_update_dpp || !isa<UndefValue>(move->getArgOperand(kOld))) continue;
    if (!IsMultiplied(move)) continue;
    move->setArgOperand(kOld, ConstantInt::get(move->getType(), 2));
    move->setArgOperand(kBoundControl, ConstantInt::getFalse(move->getContext()));
  }
}

bool IsScaledProduct(const Value* value) {
  auto* call = dyn_cast<IntrinsicInst>(value);
  return call && (call->getIntrinsicID() == Intrinsic::amdgcn_mfma_scale_f32_16x16x128_f8f6f4 ||
                  call->getIntrinsicID() == Intrinsic::amdgcn_mfma_scale_f32_32x32x64_f8f6f4);
}

// Scaled products, unlike others, are not known to need all lanes: they move, with what makes their operands, into the
// branch that uses the result, where some lanes are off. The last of a chain gets a use where it is.
void KeepProductsWhereLanesAreOn(Module& module) {
  for (IntrinsicInst* product : All<IntrinsicInst>(module)) {
    if (!IsScaledProduct(product)) continue;
    const bool goes_on = any_of(product->users(), [&](User* user) {
      return cast<Instruction>(user)->getParent() == product->getParent() &&
             (IsScaledProduct(user) || isa<PHINode>(user));
    });
    if (goes_on) continue;
    Type* type = product->getType();
    InlineAsm* same = InlineAsm::get(FunctionType::get(type, {type}, false), "", "=v,0", true);
    IRBuilder<> b(product->getNextNode());
    Value* kept = b.CreateCall(same, {product});
    product->replaceUsesWithIf(kept, [&](Use& use) { return use.getUser() != kept; });
  }
}

}  // namespace

void AvoidLlvmDefects(Module& module, const GpuTarget& target) {
  KeepSignsOfProducts(module);
  KeepSignsOfDifferences(module);
  KeepProductsWhereLanesAreOn(module);
  if (target.generation == Generation::kRdna4) KeepMovesOutOfProducts(module);
}

}  // namespace rocxla::triton
