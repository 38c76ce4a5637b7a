// What the handlers of all tables share: operand access, and the ends of a handler. Only for the interpreter's own
// files, which are compiled for AVX2.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "emulator/exec/code.h"
#include "emulator/isa/lanes.h"
#include "emulator/isa/matrix_types.h"
// After the domain:
#include "emulator/isa/operations.h"

#define HANDLER __attribute__((preserve_none)) void
#define GOTO(code) [[clang::musttail]] return (code)->run((code), w, exec)
#define NEXT GOTO(ip + 1)

namespace rocxla::emu {

inline constexpr u32 kRowBytes = kRowLanes * 4, kChunkBytes = kChunk * 4;

template <class T>
T& At(void* base, u32 offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(base) + offset);
}

// --- scalar operands

inline u64 ReadPair(Wave* w, u32 offset) {
  // Two loads: a pair is often written in halves, and halves forward well.
  return u64{At<u32>(w, offset + 4)} << 32 | At<u32>(w, offset);
}
template <class T>
auto ReadScalar(Wave* w, u32 offset) {
  using E = typename T::Elem;
  if constexpr (std::is_same_v<E, bool>)
    return At<u32>(w, offset) != 0;
  else if constexpr (T::kWords == 2)
    return std::bit_cast<E>(ReadPair(w, offset));
  else if constexpr (sizeof(E) == 2)
    return std::bit_cast<E>(At<u16>(w, offset));
  else
    return At<E>(w, offset);
}
template <class T, class V>
void WriteScalar(Wave* w, u32 offset, V x) {
  using E = typename T::Elem;
  if constexpr (std::is_same_v<E, bool>) {
    At<u32>(w, offset) = x;
  } else if constexpr (sizeof(E) == 2) {
    At<u32>(w, offset) = std::bit_cast<u16>(static_cast<E>(x));
  } else {
    At<E>(w, offset) = static_cast<E>(x);
  }
}
inline u64 ReadMask(Wave* w, u32 offset) { return w->lanes == 64 ? ReadPair(w, offset) : At<u32>(w, offset); }
inline void WriteMask(Wave* w, u32 offset, u64 bits) {
  At<u32>(w, offset) = static_cast<u32>(bits);
  if (w->lanes == 64) At<u32>(w, offset + 4) = static_cast<u32>(bits >> 32);
}

template <class T>
auto AsTuple(T x) {
  return std::make_tuple(x);
}
template <class... T>
auto AsTuple(std::tuple<T...> x) {
  return x;
}

inline void StopAt(Wave* w, const Code* ip, FaultKind kind) {
  w->stop = Stop::kFault;
  w->fault.kind = kind;
  w->pc = ip->micro;
}

}  // namespace rocxla::emu
