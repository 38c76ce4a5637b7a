// Atomic read-modify-write operations. Lanes act in ascending order; workgroups on other host threads may interleave.
#include <atomic>

#include "emulator/exec/memory_access.h"

namespace rocxla::emu {
namespace {

template <class E>
E ReadData(const u32* row, int lane) {
  if constexpr (sizeof(E) == 8)
    return std::bit_cast<E>(u64{row[kRowLanes + lane]} << 32 | row[lane]);
  else
    return std::bit_cast<E>(row[lane]);
}
template <class E>
void WriteData(u32* row, int lane, E x) {
  if constexpr (sizeof(E) == 8) {
    u64 bits = std::bit_cast<u64>(x);
    row[lane] = static_cast<u32>(bits);
    row[kRowLanes + lane] = static_cast<u32>(bits >> 32);
  } else {
    row[lane] = std::bit_cast<u32>(x);
  }
}
template <class O>
typename O::Elem Exchange(u64 address, typename O::Elem b, typename O::Elem c) {
  using E = typename O::Elem;
  using Bits = std::conditional_t<sizeof(E) == 8, u64, u32>;
  std::atomic_ref<Bits> cell(*reinterpret_cast<Bits*>(address));
  Bits old = cell.load();
  while (!cell.compare_exchange_weak(old, std::bit_cast<Bits>(O::Eval(std::bit_cast<E>(old), b, c)))) {
  }
  return std::bit_cast<E>(old);
}

// Data operands are read, and the old value written, lane by lane: they may be the same registers.
template <class O>
void ForEachLane(const Code* ip, Wave* w, const LaneAddresses& lanes, u64 active) {
  using E = typename O::Elem;
  const u32* b = &At<u32>(w, ip->src[2]);
  // The second data operand of DS operations has a register of its own; elsewhere it follows the first.
  const u32* c = O::kData == 1 ? b : O::kSpace == Space::kLds ? &At<u32>(w, ip->src[3]) : b + sizeof(E) / 4 * kRowLanes;
  for (u64 e = active; e != 0; e &= e - 1) {
    int l = std::countr_zero(e);
    E old = Exchange<O>(lanes.at[l], ReadData<E>(b, l), ReadData<E>(c, l));
    if (ip->dst[0] != 0) WriteData<E>(&At<u32>(w, ip->dst[0]), l, old);
  }
}

template <class E>
E ReadScalarData(const u32* scalar) {
  E x;
  std::memcpy(&x, scalar, sizeof x);
  return x;
}
// One access by the whole wave; beyond the end of a buffer nothing happens, and 0 is returned.
template <class O>
bool ScalarAccess(const Code* ip, Wave* w) {
  using E = typename O::Elem;
  constexpr AccessKind kAccess = {O::kSpace, true, sizeof(E), sizeof(E), true};
  const u32* data = &At<u32>(w, ip->src[2]);
  E old = {};
  u64 address = ScalarOffsetOf(ip, w);
  bool inside = true;
  if constexpr (O::kSpace == Space::kScalarBuffer) {
    BufferResource r = ReadBufferResource(w, ip->src[1], w->gfx9);
    inside = address + sizeof(E) <= r.ScalarLimit();
    address += r.base;
  } else {
    address += ReadPair(w, ip->src[1]);
  }
  if (inside && address % sizeof(E) != 0) return Fail(w, FaultKind::kMisaligned, kAccess, 0, address);
  if (inside && !Contains(*w->memory, address, address + sizeof(E), true, w->hit[ip->micro % kHits])) {
    return Fail(w, FaultKind::kOutOfBounds, kAccess, 0, address);
  }
  if (inside && w->observer != nullptr) [[unlikely]]
    Notify(ip, w, 1, &address, kAccess);
  if (inside)
    old = Exchange<O>(address, ReadScalarData<E>(data), ReadScalarData<E>(data + (O::kData - 1) * sizeof(E) / 4));
  if (ip->dst[0] != 0) std::memcpy(&At<u32>(w, ip->dst[0]), &old, sizeof old);
  return true;
}

template <class O>
bool Access(const Code* ip, Wave* w, u64 exec) {
  constexpr u32 kBytes = sizeof(typename O::Elem);
  constexpr AccessKind kAccess = {O::kSpace, true, kBytes, kBytes, true};
  LaneAddresses lanes;
  if constexpr (O::kSpace == Space::kBuffer) {
    BufferResource r = ReadBufferResource(w, ip->src[1], w->gfx9);
    u64 inside = BufferAddresses(lanes, ip, w, r, 0, kBytes);
    if (!CheckGlobal(ip, w, exec & inside, lanes, kAccess)) return false;
    ForEachLane<O>(ip, w, lanes, exec & inside);
    for (u64 e = exec & ~inside; e != 0 && ip->dst[0] != 0; e &= e - 1) {
      WriteData<typename O::Elem>(&At<u32>(w, ip->dst[0]), std::countr_zero(e), {});
    }
  } else {
    if (!Resolve<O::kSpace>(lanes, ip, w, exec, kAccess, ip->imm[0])) return false;
    ForEachLane<O>(ip, w, lanes, exec);
  }
  return true;
}
template <class O>
HANDLER RunAtomic(const Code* ip, Wave* w, u64 exec) {
  bool done;
  if constexpr (O::kSpace == Space::kScalarMem || O::kSpace == Space::kScalarBuffer)
    done = ScalarAccess<O>(ip, w);
  else
    done = Access<O>(ip, w, exec);
  if (!done) {
    w->stop = Stop::kFault;
    w->pc = ip->micro;
    return;
  }
  NEXT;
}

}  // namespace

Handler PickFrom_atomic(const Micro& micro, int) {
  switch (micro.op) {
#define ATOMIC(name, ...) \
  case Op::name:          \
    return &RunAtomic<op::name>;
#include "emulator/isa/atomic.def"

#include "emulator/isa/undef.def"
    default:
      return nullptr;
  }
}

}  // namespace rocxla::emu
