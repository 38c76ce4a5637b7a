// Third value domain: LLVM IR. The meanings of the tables, applied to Ir values, emit instructions through an
// IRBuilder; a compiler of hot kernels will rest on it. Include after lanes.h, whose functions of plain numbers stay
// visible.
#pragma once
#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>

#include "emulator/isa/lanes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace rocxla::emu {

// A value of type E (bool: one bit of a lane mask) that `builder` emits instructions for. Does not own either.
template <class E>
struct Ir {
  llvm::IRBuilder<>* builder = nullptr;
  llvm::Value* value = nullptr;
};
template <class E>
struct ElementTypeOf<Ir<E>> {
  using Type = E;
};
template <class E>
inline constexpr bool IsFloat = std::is_floating_point_v<E> || std::is_same_v<E, f16>;
template <class E>
inline constexpr bool IsSigned = std::is_signed_v<E>;

template <class E>
llvm::Type* IrType(llvm::IRBuilder<>& b) {
  if constexpr (std::is_same_v<E, bool>) return b.getInt1Ty();
  if constexpr (std::is_same_v<E, f16>) return b.getHalfTy();
  if constexpr (std::is_same_v<E, float>) return b.getFloatTy();
  if constexpr (std::is_same_v<E, double>) return b.getDoubleTy();
  return b.getIntNTy(8 * sizeof(E));
}
template <class E, Number V>
Ir<E> IrConstant(llvm::IRBuilder<>& b, V x) {
  llvm::Type* type = IrType<E>(b);
  if constexpr (IsFloat<E>)
    return {&b, llvm::ConstantFP::get(type, static_cast<double>(x))};
  else
    return {&b, llvm::ConstantInt::get(type, static_cast<u64>(static_cast<E>(x)), IsSigned<E>)};
}
template <class E, Number V>
Ir<E> Like(Ir<E> shape, V x) {
  return IrConstant<E>(*shape.builder, x);
}

// --- operators: integer or float by E, signed or unsigned by E

#define IR_ARITHMETIC(sign, CreateInt, CreateFloat)                 \
  template <class E>                                                \
  Ir<E> operator sign(Ir<E> x, Ir<E> y) {                           \
    if constexpr (IsFloat<E>)                                       \
      return {x.builder, x.builder->CreateFloat(x.value, y.value)}; \
    else                                                            \
      return {x.builder, x.builder->CreateInt(x.value, y.value)};   \
  }                                                                 \
  template <class E, Number V>                                      \
  Ir<E> operator sign(Ir<E> x, V y) {                               \
    return x sign Like(x, y);                                       \
  }                                                                 \
  template <class E, Number V>                                      \
  Ir<E> operator sign(V x, Ir<E> y) {                               \
    return Like(y, x) sign y;                                       \
  }
IR_ARITHMETIC(+, CreateAdd, CreateFAdd)
IR_ARITHMETIC(-, CreateSub, CreateFSub)
IR_ARITHMETIC(*, CreateMul, CreateFMul)
#undef IR_ARITHMETIC
template <class E>
  requires IsFloat<E>
Ir<E> operator/(Ir<E> x, Ir<E> y) {
  return {x.builder, x.builder->CreateFDiv(x.value, y.value)};
}

#define IR_BITWISE(sign, Create)                             \
  template <class E>                                         \
    requires(!IsFloat<E>)                                    \
  Ir<E> operator sign(Ir<E> x, Ir<E> y) {                    \
    return {x.builder, x.builder->Create(x.value, y.value)}; \
  }                                                          \
  template <class E, Number V>                               \
    requires(!IsFloat<E>)                                    \
  Ir<E> operator sign(Ir<E> x, V y) {                        \
    return x sign Like(x, y);                                \
  }
IR_BITWISE(&, CreateAnd)
IR_BITWISE(|, CreateOr)
IR_BITWISE(^, CreateXor)
#undef IR_BITWISE
template <class E>
Ir<E> operator~(Ir<E> x) {
  return {x.builder, x.builder->CreateNot(x.value)};
}

// The number of places may have another type.
template <class E, class F>
llvm::Value* Places(Ir<E> x, Ir<F> places) {
  return x.builder->CreateZExtOrTrunc(places.value, x.value->getType());
}
template <class E, class F>
Ir<E> operator<<(Ir<E> x, Ir<F> places) {
  return {x.builder, x.builder->CreateShl(x.value, Places(x, places))};
}
template <class E, class F>
Ir<E> operator>>(Ir<E> x, Ir<F> places) {
  llvm::Value* by = Places(x, places);
  return {x.builder, IsSigned<E> ? x.builder->CreateAShr(x.value, by) : x.builder->CreateLShr(x.value, by)};
}
template <class E, Number V>
Ir<E> operator<<(Ir<E> x, V places) {
  return x << Like(x, places);
}
template <class E, Number V>
Ir<E> operator>>(Ir<E> x, V places) {
  return x >> Like(x, places);
}
template <Number V, class E>
Ir<V> operator<<(V x, Ir<E> places) {
  return IrConstant<V>(*places.builder, x) << places;
}

// A comparison with NaN is false, except !=.
#define IR_COMPARISON(sign, unsigned_predicate, signed_predicate, float_predicate)                                     \
  template <class E>                                                                                                   \
  Ir<bool> operator sign(Ir<E> x, Ir<E> y) {                                                                           \
    if constexpr (IsFloat<E>)                                                                                          \
      return {x.builder, x.builder->CreateFCmp(llvm::CmpInst::float_predicate, x.value, y.value)};                     \
    else                                                                                                               \
      return {x.builder,                                                                                               \
              x.builder->CreateICmp(IsSigned<E> ? llvm::CmpInst::signed_predicate : llvm::CmpInst::unsigned_predicate, \
                                    x.value, y.value)};                                                                \
  }                                                                                                                    \
  template <class E, Number V>                                                                                         \
  Ir<bool> operator sign(Ir<E> x, V y) {                                                                               \
    return x sign Like(x, y);                                                                                          \
  }
IR_COMPARISON(<, ICMP_ULT, ICMP_SLT, FCMP_OLT)
IR_COMPARISON(<=, ICMP_ULE, ICMP_SLE, FCMP_OLE)
IR_COMPARISON(>, ICMP_UGT, ICMP_SGT, FCMP_OGT)
IR_COMPARISON(>=, ICMP_UGE, ICMP_SGE, FCMP_OGE)
IR_COMPARISON(==, ICMP_EQ, ICMP_EQ, FCMP_OEQ)
IR_COMPARISON(!=, ICMP_NE, ICMP_NE, FCMP_UNE)
#undef IR_COMPARISON

// --- what the meanings call by name

inline Ir<bool> Not(Ir<bool> mask) { return ~mask; }
inline Ir<u32> AsBit(Ir<bool> mask) {
  return {mask.builder, mask.builder->CreateZExt(mask.value, mask.builder->getInt32Ty())};
}
template <class E>
Ir<E> Select(Ir<bool> mask, Ir<E> a, Ir<E> b) {
  return {mask.builder, mask.builder->CreateSelect(mask.value, a.value, b.value)};
}
// As lanes.h: integers extend by the source's signedness or are cut.
template <class R, class E>
Ir<R> To(Ir<E> x) {
  llvm::IRBuilder<>& b = *x.builder;
  llvm::Type* type = IrType<R>(b);
  if constexpr (IsFloat<R> && IsFloat<E>) return {&b, b.CreateFPCast(x.value, type)};
  if constexpr (IsFloat<R>) return {&b, IsSigned<E> ? b.CreateSIToFP(x.value, type) : b.CreateUIToFP(x.value, type)};
  if constexpr (IsFloat<E>) return {&b, IsSigned<R> ? b.CreateFPToSI(x.value, type) : b.CreateFPToUI(x.value, type)};
  return {&b, b.CreateIntCast(x.value, type, IsSigned<E>)};
}
template <class R, class E>
Ir<R> BitsAs(Ir<E> x) {
  return {x.builder, x.builder->CreateBitCast(x.value, IrType<R>(*x.builder))};
}
template <class E>
Ir<E> Fma(Ir<E> a, Ir<E> b, Ir<E> c) {
  llvm::Type* type = IrType<E>(*a.builder);
  return {a.builder, a.builder->CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a.value, b.value, c.value})};
}
#define IR_FUNCTION(name, intrinsic)                                                          \
  template <class E>                                                                          \
  Ir<E> name(Ir<E> x) {                                                                       \
    return {x.builder, x.builder->CreateUnaryIntrinsic(llvm::Intrinsic::intrinsic, x.value)}; \
  }
IR_FUNCTION(Floor, floor)
IR_FUNCTION(Ceil, ceil)
IR_FUNCTION(Trunc, trunc)
IR_FUNCTION(RoundEven, roundeven)
IR_FUNCTION(Sqrt, sqrt)
IR_FUNCTION(BitReverse, bitreverse)
IR_FUNCTION(PopCount, ctpop)
#undef IR_FUNCTION
// Truncated floats to integers: saturates, 0 for NaN.
template <class I, class E>
Ir<I> Saturate(Ir<E> x) {
  llvm::Intrinsic::ID id = IsSigned<I> ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  llvm::Type* types[] = {IrType<I>(*x.builder), IrType<E>(*x.builder)};
  return {x.builder, x.builder->CreateIntrinsic(id, types, {x.value})};
}

}  // namespace rocxla::emu
