// The vocabulary of the tables: operand types, signatures, and the shapes of operations.
#pragma once
#include <string_view>
#include <tuple>
#include <type_traits>

#include "emulator/isa/registers.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

// Operand types a signature may name. Elem is the C++ type of one lane; kWords its size in registers; kBits what of a
// register belongs to the value.
template <class E, int bits>
struct OperandType {
  using Elem = E;
  static constexpr int kWords = bits > 32 ? 2 : 1;
  static constexpr int kBits = bits;
};
struct F64 : OperandType<double, 64> {};
struct F32 : OperandType<float, 32> {};
struct F16 : OperandType<f16, 16> {};
struct U64 : OperandType<u64, 64> {};
struct I64 : OperandType<i64, 64> {};
struct U32 : OperandType<u32, 32> {};
struct I32 : OperandType<i32, 32> {};
struct U16 : OperandType<u16, 16> {};
struct I16 : OperandType<i16, 16> {};
struct Row : OperandType<u32, 32> {};    // a vector register, all lanes at once
struct Mask : OperandType<bool, 64> {};  // one bit per lane, in one or two scalar registers

// Implicit operands: they have a fixed register and occupy no operand slot.
struct Scc : OperandType<bool, 32> {
  static constexpr int kImplicit = kScc;
};
struct Exec : OperandType<u64, 64> {
  static constexpr int kImplicit = kExec;
};
struct Vcc : OperandType<u64, 64> {
  static constexpr int kImplicit = kVcc;
};
struct M0 : OperandType<u32, 32> {
  static constexpr int kImplicit = kM0;
};
struct Clock : OperandType<u64, 64> {
  static constexpr int kImplicit = kSink;
};
struct Taken : OperandType<bool, 32> {
  static constexpr int kImplicit = kSink;
};
template <class T>
concept Implicit = requires { T::kImplicit; };

template <class... R>
struct Out {};
using U32_Mask = Out<U32, Mask>;
using U64_Mask = Out<U64, Mask>;
using I64_Mask = Out<I64, Mask>;
using F32_Mask = Out<F32, Mask>;
using F64_Mask = Out<F64, Mask>;
using Row_Mask = Out<Row, Mask>;
using Row_Row = Out<Row, Row>;
using U32_Scc = Out<U32, Scc>;
using I32_Scc = Out<I32, Scc>;
using U64_Scc = Out<U64, Scc>;
using I64_Scc = Out<I64, Scc>;
using U32_Exec_Scc = Out<U32, Exec, Scc>;
using U64_Exec_Scc = Out<U64, Exec, Scc>;

template <class... T>
struct List {
  static constexpr int kSize = sizeof...(T);
};
template <class S>
struct Signature;
template <class R, class... S>
struct Signature<R(S...)> {
  using Results = List<R>;
  using Sources = List<S...>;
};
template <class... R, class... S>
struct Signature<Out<R...>(S...)> {
  using Results = List<R...>;
  using Sources = List<S...>;
};

enum class Shape : u8 { kVector, kWave, kScalar, kBranch, kJump, kControl, kMemory, kAtomic, kMatrix };
enum class Space : u8 { kScalarMem, kScalarBuffer, kGlobal, kFlat, kScratch, kBuffer, kLds };
enum class Action : u8 { kLoad, kStore };
// Where a 16-bit or smaller element sits in its register.
enum class Half : u8 { kWhole, kLow, kHigh };
// Why Run returned.
// kSignal, kWait: the two parts of a split barrier; kSignalFirst: the first wave shall learn that it is, in SCC;
// kReadBarrier: the barrier's state shall be put into kBarrierState. kUnknownCode: a jump through a register leads to
// code that has not been decoded yet.
enum class Stop : u8 {
  kRunning,
  kBarrier,
  kSignal,
  kSignalFirst,
  kReadBarrier,
  kWait,
  kEnd,
  kPreempted,
  kStep,
  kUnknownCode,
  kFault,
};
// Whether the wave goes on behind the instruction at which it stopped.
constexpr bool GoesOn(Stop stop) { return stop >= Stop::kBarrier && stop <= Stop::kWait; }

}  // namespace rocxla::emu
