// The tables as LLVM IR: operations of every shape that a compiler would take from them, compiled for the host and
// compared with the interpreter's domain on corner values. Keeps the meanings independent of one domain.
#include "emulator/isa/ir.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <tuple>

#include "emulator/isa/matrix_types.h"
#include "emulator/testing/edge_values.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
// After the domains:
#include "emulator/isa/operations.h"

namespace rocxla::emu {
namespace {

// The operations under test, of the shapes VECTOR, SCALAR and BRANCH.
// clang-format off: it never comes to an end with this
#define OPERATIONS(RUN)                                                                                               \
  RUN(v_mov_b32)                                                                                                      \
  RUN(v_add_u32)                                                                                                      \
  RUN(v_sub_u32)                                                                                                      \
  RUN(v_subrev_u32)                                                                                                   \
  RUN(v_mul_lo_u32)                                                                                                   \
  RUN(v_mul_hi_u32)                                                                                                   \
  RUN(v_mul_hi_i32) RUN(v_lshlrev_b32) RUN(v_lshrrev_b32) RUN(v_ashrrev_i32) RUN(v_and_b32) RUN(v_xor_b32)            \
      RUN(v_min_i32) RUN(v_max_u32) RUN(v_med3_i32) RUN(v_bfe_u32) RUN(v_bfe_i32) RUN(v_alignbit_b32) RUN(v_perm_b32) \
          RUN(v_add_co_u32) RUN(v_addc_co_u32) RUN(v_subb_co_u32) RUN(v_mad_u64_u32) RUN(v_cndmask_b32)               \
              RUN(v_lshl_add_u32) RUN(v_sad_u8) RUN(v_add_f32) RUN(v_sub_f32) RUN(v_mul_f32) RUN(v_mul_legacy_f32)    \
                  RUN(v_fma_f32) RUN(v_min_f32) RUN(v_max_f32) RUN(v_med3_f32) RUN(v_maximum_f32) RUN(v_floor_f32)    \
                      RUN(v_rndne_f32) RUN(v_fract_f32) RUN(v_rcp_f32) RUN(v_sqrt_f32) RUN(v_add_f64) RUN(v_fma_f64)  \
                          RUN(v_cvt_f32_i32) RUN(v_cvt_i32_f32) RUN(v_cvt_u32_f32) RUN(v_cvt_f64_f32)                 \
                              RUN(v_cvt_f32_f64) RUN(v_cmp_lt_f32) RUN(v_cmp_nge_f32) RUN(v_cmp_u_f64)                \
                                  RUN(v_cmp_gt_i32) RUN(v_cmp_le_u64) RUN(x_clamp_f32) RUN(x_insert) RUN(s_add_u32)   \
                                      RUN(s_addc_u32) RUN(s_sub_i32) RUN(s_lshl_b64) RUN(s_ashr_i32)                  \
                                          RUN(s_cselect_b32) RUN(s_and_saveexec_b64) RUN(s_bcnt1_i32_b32)             \
                                              RUN(s_cmp_lg_u64) RUN(s_bitset1_b64) RUN(s_cbranch_scc0)                \
                                                  RUN(s_cbranch_execz) RUN(s_cbranch_vccnz)
// clang-format on

constexpr int kMaxValues = 4;
using Values = u64[kMaxValues];  // operands or results, each in the low bits of its own
using Compiled = void (*)(const u64* sources, u64* results);

template <class E>
u64 ToBits(E x) {
  u64 bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}
template <class E>
E FromBits(u64 bits) {
  if constexpr (std::is_same_v<E, bool>) return (bits & 1) != 0;
  E x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class T>
std::tuple<T> AsTuple(T x) {
  return {x};
}
template <class... T>
std::tuple<T...> AsTuple(std::tuple<T...> x) {
  return x;
}

// --- both ways to evaluate an operation

template <class O, class... R, class... S, size_t... I, size_t... J>
void Interpret(const Values& in, Values& out, List<R...>, List<S...>, std::index_sequence<I...>,
               std::index_sequence<J...>) {
  auto results = AsTuple(O::Eval(FromBits<typename S::Elem>(in[I])...));
  ((out[J] = ToBits(static_cast<typename R::Elem>(std::get<J>(results)))), ...);
}
template <class E>
Ir<E> LoadValue(llvm::IRBuilder<>& b, llvm::Value* values, int i) {
  llvm::Value* word = b.CreateLoad(b.getInt64Ty(), b.CreateConstGEP1_32(b.getInt64Ty(), values, i));
  if constexpr (std::is_same_v<E, bool>) return {&b, b.CreateTrunc(word, b.getInt1Ty())};
  return BitsAs<E>(Ir<E>{&b, b.CreateTrunc(word, b.getIntNTy(8 * sizeof(E)))});
}
template <class E, class V>
void StoreValue(llvm::IRBuilder<>& b, llvm::Value* values, int i, Ir<V> x) {
  Ir<E> converted{&b, x.value};
  if constexpr (!std::is_same_v<E, V>) converted = To<E>(x);
  llvm::Type* bits = b.getIntNTy(std::is_same_v<E, bool> ? 1 : 8 * sizeof(E));
  llvm::Value* word = b.CreateZExt(b.CreateBitCast(converted.value, bits), b.getInt64Ty());
  b.CreateStore(word, b.CreateConstGEP1_32(b.getInt64Ty(), values, i));
}
template <class O, class... R, class... S, size_t... I, size_t... J>
void Emit(llvm::IRBuilder<>& b, llvm::Function* f, List<R...>, List<S...>, std::index_sequence<I...>,
          std::index_sequence<J...>) {
  auto results = AsTuple(O::Eval(LoadValue<typename S::Elem>(b, f->getArg(0), I)...));
  (StoreValue<typename R::Elem>(b, f->getArg(1), J, std::get<J>(results)), ...);
}
template <class O>
using SourcesOf = std::make_index_sequence<O::Sig::Sources::kSize>;
template <class O>
using ResultsOf = std::make_index_sequence<O::Sig::Results::kSize>;

// Any NaN equals any NaN: compilers may exchange the operands of an addition.
template <class E>
bool Same(u64 a, u64 b) {
  if constexpr (IsFloat<E>) {
    E x = FromBits<E>(a), y = FromBits<E>(b);
    return a == b || (x != x && y != y);
  }
  return a == b;
}
template <class... R, size_t... J>
bool AllSame(const Values& a, const Values& b, List<R...>, std::index_sequence<J...>) {
  return (Same<typename R::Elem>(a[J], b[J]) && ...);
}

template <class O>
void EmitFunction(llvm::Module& module, const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()}, false);
  auto* f = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "", f));
  Emit<O>(b, f, typename O::Sig::Results{}, typename O::Sig::Sources{}, SourcesOf<O>{}, ResultsOf<O>{});
  b.CreateRetVoid();
}

class IrTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto jit = llvm::orc::LLJITBuilder().create();
    ASSERT_TRUE(static_cast<bool>(jit)) << llvm::toString(jit.takeError());
    jit_ = jit->release();
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("operations", *context);
    module->setDataLayout(jit_->getDataLayout());
#define RUN(name) EmitFunction<op::name>(*module, #name);
    OPERATIONS(RUN)
#undef RUN
    ASSERT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
    llvm::Error error = jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context)));
    ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  }
  static void TearDownTestSuite() { delete jit_; }

  template <class O>
  static void Compare(const std::string& name) {
    auto symbol = jit_->lookup(name);
    ASSERT_TRUE(static_cast<bool>(symbol)) << llvm::toString(symbol.takeError());
    auto compiled = symbol->toPtr<Compiled>();
    RandomBits random(name.size());
    constexpr int kRounds = 500;
    for (int round = 0; round < kRounds; round++) {
      Values in, interpreted = {}, executed = {};
      for (u64& x : in) x = random.Next() % 2 == 0 ? random.EdgePair() : random.EdgeWord();
      Interpret<O>(in, interpreted, typename O::Sig::Results{}, typename O::Sig::Sources{}, SourcesOf<O>{},
                   ResultsOf<O>{});
      compiled(in, executed);
      ASSERT_TRUE(AllSame(executed, interpreted, typename O::Sig::Results{}, ResultsOf<O>{}))
          << name << std::hex << " of " << in[0] << ", " << in[1] << ", " << in[2] << ", " << in[3] << ": "
          << executed[0] << " and " << executed[1] << " instead of " << interpreted[0] << " and " << interpreted[1];
    }
  }
  static llvm::orc::LLJIT* jit_;
};
llvm::orc::LLJIT* IrTest::jit_ = nullptr;

#define RUN(name) \
  TEST_F(IrTest, name) { Compare<op::name>(#name); }
OPERATIONS(RUN)
#undef RUN

}  // namespace
}  // namespace rocxla::emu
