#include "triton/lowering/lanes.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// Data-parallel primitives: controls of v_mov_b32_dpp. Source: "CDNA3 ISA", "RDNA3 ISA", section on DPP.
constexpr int kQuadPermXor1 = 0xB1, kQuadPermXor2 = 0x4E, kRowHalfMirror = 0x141, kRowMirror = 0x140,
              kRowRotate8 = 0x128, kRowShiftRight = 0x110;
// Of waves of 64 lanes only.
constexpr int kWaveShiftRight1 = 0x138, kRowBroadcast15 = 0x142, kRowBroadcast31 = 0x143;

// Applies `move`, from i32 to i32, to each dword of a value.
template <class F>
Value* PerDword(IRBuilderBase& b, Value* x, F move) {
  Type* type = x->getType();
  unsigned bits = type->getScalarSizeInBits();
  if (bits <= 32) {
    Value* word =
        b.CreateZExtOrBitCast(type->isIntegerTy() ? x : b.CreateBitCast(x, b.getIntNTy(bits)), b.getInt32Ty());
    word = b.CreateTrunc(move(word), b.getIntNTy(bits));
    return type->isIntegerTy() ? word : b.CreateBitCast(word, type);
  }
  Value *words = b.CreateBitCast(x, FixedVectorType::get(b.getInt32Ty(), 2)), *moved = words;
  for (int i : {0, 1}) moved = b.CreateInsertElement(moved, move(b.CreateExtractElement(words, i)), i);
  return b.CreateBitCast(moved, type);
}

Value* Dpp(Lowering& l, Value* x, int control) {
  auto& b = l.b;
  return PerDword(b, x, [&](Value* word) {
    Value *old = PoisonValue::get(b.getInt32Ty()), *all = b.getInt32(15);
    return l.Intrinsic(Intrinsic::amdgcn_update_dpp, {b.getInt32Ty()},
                       {old, word, b.getInt32(control), all, all, b.getTrue()});
  });
}

}  // namespace

Value* FromPartner(Lowering& l, Value* x, int bit, LowerLanes lower) {
  auto& b = l.b;
  bool mirror = lower == LowerLanes::kEqual;
  if (bit == 0) return Dpp(l, x, kQuadPermXor1);
  if (bit == 1) return Dpp(l, x, kQuadPermXor2);
  if (bit == 2 && mirror) return Dpp(l, x, kRowHalfMirror);
  if (bit == 3) return Dpp(l, x, mirror ? kRowMirror : kRowRotate8);
  if (bit == 4 && !l.wave64()) {
    return PerDword(b, x, [&](Value* word) {
      Value *low = b.getInt32(0x76543210), *high = b.getInt32(0xfedcba98);  // the same lane of the other row
      return l.Intrinsic(Intrinsic::amdgcn_permlanex16, {b.getInt32Ty()},
                         {word, word, low, high, b.getFalse(), b.getFalse()});
    });
  }
  if (bit < 5) {
    int xor_within_32 = 0x1f | (1 << bit) << 10;
    return PerDword(b, x, [&](Value* word) {
      return l.Intrinsic(Intrinsic::amdgcn_ds_swizzle, {}, {word, b.getInt32(xor_within_32)});
    });
  }
  Value* byte_of_partner = b.CreateShl(b.CreateXor(l.lane(), 1 << bit), 2);
  return PerDword(b, x,
                  [&](Value* word) { return l.Intrinsic(Intrinsic::amdgcn_ds_bpermute, {}, {byte_of_partner, word}); });
}

Value* FromEarlierInRow(Lowering& l, Value* x, int distance) { return Dpp(l, x, kRowShiftRight + distance); }

Value* FromHalfBefore(Lowering& l, Value* x, int bit) {
  if (l.wave64()) return Dpp(l, x, bit == 4 ? kRowBroadcast15 : kRowBroadcast31);
  auto& b = l.b;
  return PerDword(b, x, [&](Value* word) {
    Value* last = b.getInt32(-1);  // lane 15 of the other row, for each of 16 lanes
    return l.Intrinsic(Intrinsic::amdgcn_permlanex16, {b.getInt32Ty()},
                       {word, word, last, last, b.getFalse(), b.getFalse()});
  });
}

Value* FromLaneBefore(Lowering& l, Value* x) {
  if (l.wave64()) return Dpp(l, x, kWaveShiftRight1);
  auto& b = l.b;
  return b.CreateSelect(b.CreateICmpEQ(l.lane(), b.getInt32(16)), FromHalfBefore(l, x, 4), FromEarlierInRow(l, x, 1));
}

Value* ReadLane(Lowering& l, Value* x, int lane) {
  auto& b = l.b;
  return PerDword(b, x, [&](Value* word) {
    return l.Intrinsic(Intrinsic::amdgcn_readlane, {b.getInt32Ty()}, {word, b.getInt32(lane)});
  });
}

}  // namespace rocxla::triton
