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

template <class O>
bool Access(const Code* ip, Wave* w, u64 exec) {
  constexpr u32 kBytes = sizeof(typename O::Elem);
  constexpr AccessKind kAccess = {O::kSpace, true, kBytes, kBytes, true};
  LaneAddresses lanes;
  if constexpr (O::kSpace == Space::kBuffer) {
    BufferResource r = ReadBufferResource(w, ip->src[1], w->gfx9);
    if (r.swizzled || (ip->imm[1] & kBufferIdxen) != 0) return Fail(w, FaultKind::kSwizzledBuffer, kAccess, 0, r.base);
    u64 scalar_offset = ip->src[3] != 0 ? At<u32>(w, ip->src[3]) : 0;
    const u32* row = (ip->imm[1] & kBufferOffen) != 0 ? &At<u32>(w, ip->src[0]) : nullptr;
    u64 inside = 0;
    for (int l = 0; l < w->lanes; l++) {
      u64 offset = ip->imm[0] + scalar_offset + (row != nullptr ? row[l] : 0);
      inside |= u64{offset + kBytes <= r.records} << l;
      lanes.at[l] = r.base + offset;
    }
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
  if (!Access<O>(ip, w, exec)) {
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
