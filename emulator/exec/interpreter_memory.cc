// Loads and stores.
#include "emulator/exec/whole_wave.h"

namespace rocxla::emu {
namespace {

template <class E>
u32 LoadElement(u64 address) {
  E x;
  std::memcpy(&x, reinterpret_cast<const void*>(address), sizeof x);
  return static_cast<u32>(x);  // sign-extends where E is signed
}
template <class O>
void LoadLane(const LaneAddresses& lanes, u32* row, int l) {
  using E = typename O::Elem;
  for (int n = 0; n < O::kCount; n++) {
    Deposit<O::kHalf>(row[n * kRowLanes + l], LoadElement<E>(lanes.at[l] + n * sizeof(E)));
  }
}
template <class O>
void Load(const LaneAddresses& lanes, u32* row, Wave* w, u64 exec) {
  if (exec == FullExec(w->lanes)) {
    for (int l = 0; l < w->lanes; l++) LoadLane<O>(lanes, row, l);
    return;
  }
  for (u64 e = exec; e != 0; e &= e - 1) LoadLane<O>(lanes, row, std::countr_zero(e));
}

template <class O>
void StoreLane(const LaneAddresses& lanes, const u32* row, int l) {
  using E = typename O::Elem;
  for (int n = 0; n < O::kCount; n++) {
    u32 x = Withdraw<O::kHalf>(row[n * kRowLanes + l]);
    std::memcpy(reinterpret_cast<void*>(lanes.at[l] + n * sizeof(E)), &x, sizeof(E));
  }
}
template <class O>
void Store(const LaneAddresses& lanes, const u32* row, Wave* w, u64 exec) {
  if (exec == FullExec(w->lanes)) {
    for (int l = 0; l < w->lanes; l++) StoreLane<O>(lanes, row, l);
    return;
  }
  for (u64 e = exec; e != 0; e &= e - 1) StoreLane<O>(lanes, row, std::countr_zero(e));
}

template <class O>
constexpr AccessKind KindOf() {
  return {O::kSpace, O::kAction == Action::kStore, sizeof(typename O::Elem) * O::kCount, 1};
}
// The registers that a load writes may hold its addresses: both addresses of ds_read2 are resolved before the first
// write.
template <class O>
bool Access(const Code* ip, Wave* w, u64 exec) {
  if (exec == FullExec(w->lanes) && w->observer == nullptr) [[likely]] {
    if (w->lanes == 64 ? AccessByAllLanes<O, 64>(ip, w) : AccessByAllLanes<O, 32>(ip, w)) [[likely]]
      return true;
  }
  constexpr int kAddresses = O::kStride != 0 ? 2 : 1;
  LaneAddresses lanes[kAddresses];
  for (int i = 0; i < kAddresses; i++) {
    i64 offset = O::kStride != 0 ? i64{ip->imm[i]} * O::kStride : i64{ip->imm[0]};
    if (!Resolve<O::kSpace>(lanes[i], ip, w, exec, KindOf<O>(), offset)) return false;
  }
  for (int i = 0; i < kAddresses; i++) {
    if constexpr (O::kAction == Action::kLoad) {
      Load<O>(lanes[i], &At<u32>(w, ip->dst[0]) + i * O::kCount * kRowLanes, w, exec);
    } else {
      Store<O>(lanes[i], &At<u32>(w, ip->src[2 + i]), w, exec);
    }
  }
  return true;
}

HANDLER Faulted(const Code* ip, Wave* w, u64) {
  w->stop = Stop::kFault;
  w->pc = ip->micro;
}
template <class O>
HANDLER RunAccess(const Code* ip, Wave* w, u64 exec) {
  if (!Access<O>(ip, w, exec)) [[clang::musttail]]
    return Faulted(ip, w, exec);
  NEXT;
}

// --- buffers: elements outside the resource read as zero and are not written

template <class O>
struct OneElement : O {
  static constexpr int kCount = 1;
};
// Scratch memory of gfx90a. Swizzling lays the words of all lanes side by side; here a lane's bytes stay together. The
// scalar offset counts bytes of the whole wave. Source: LLVM's "User Guide for AMDGPU Backend", "Private Memory".
template <class O>
bool ScratchBufferAccess(const Code* ip, Wave* w, u64 exec) {
  constexpr u32 kBytes = sizeof(typename O::Elem) * O::kCount;
  constexpr AccessKind kAccess = {Space::kScratch, O::kAction == Action::kStore, kBytes, 1};
  u32 wave_offset = ip->src[3] != 0 ? At<u32>(w, ip->src[3]) : 0;
  bool known = (ip->imm[1] & kBufferIdxen) == 0 && wave_offset % (4 * w->lanes) == 0;
  if (!known) return Fail(w, FaultKind::kSwizzledBuffer, kAccess, 0, wave_offset);
  const u32* row = (ip->imm[1] & kBufferOffen) != 0 ? &At<u32>(w, ip->src[0]) : nullptr;
  LaneAddresses lanes;
  for (int l = 0; l < kRowLanes; l++) {
    lanes.at[l] = i64{ip->imm[0]} + wave_offset / w->lanes + (row != nullptr ? row[l] : 0);
  }
  if (!CheckBlock(ip, w, exec, lanes, kAccess, w->scratch, w->scratch_bytes, w->scratch_bytes)) return false;
  if constexpr (O::kAction == Action::kLoad) {
    Load<O>(lanes, &At<u32>(w, ip->dst[0]), w, exec);
  } else {
    Store<O>(lanes, &At<u32>(w, ip->src[2]), w, exec);
  }
  return true;
}
template <class O>
bool BufferAccess(const Code* ip, Wave* w, u64 exec) {
  constexpr u32 kElement = sizeof(typename O::Elem);
  constexpr AccessKind kAccess = {Space::kBuffer, O::kAction == Action::kStore, kElement, 1};
  BufferResource r = ReadBufferResource(w, ip->src[1], w->gfx9);
  if (IsScratch(r, w)) return ScratchBufferAccess<O>(ip, w, exec);
  // A load may write the registers that hold its addresses.
  LaneAddresses elements[O::kCount];
  u64 inside[O::kCount];
  for (int n = 0; n < O::kCount; n++) {
    inside[n] = exec & BufferAddresses(elements[n], ip, w, r, n * kElement, kElement);
    if (!CheckGlobal(ip, w, inside[n], elements[n], kAccess)) return false;
  }
  for (int n = 0; n < O::kCount; n++) {
    const LaneAddresses& element = elements[n];
    u64 active = inside[n];
    u32* row = &At<u32>(w, O::kAction == Action::kLoad ? ip->dst[0] : ip->src[2]) + n * kRowLanes;
    if constexpr (O::kAction == Action::kLoad) {
      for (u64 e = exec & ~active; e != 0; e &= e - 1) Deposit<O::kHalf>(row[std::countr_zero(e)], 0);
      Load<OneElement<O>>(element, row, w, active);
    } else {
      Store<OneElement<O>>(element, row, w, active);
    }
  }
  return true;
}
template <class O>
HANDLER RunBuffer(const Code* ip, Wave* w, u64 exec) {
  if (!BufferAccess<O>(ip, w, exec)) [[clang::musttail]]
    return Faulted(ip, w, exec);
  NEXT;
}

// --- scalar loads and stores

// The compiler may widen a load to 16 bytes where the first byte is known to be aligned to 16: real allocations are
// padded, so the rest of an allocation's last 16 bytes reads as zero.
[[gnu::noinline]] bool ScalarBytesAtEnd(Wave* w, AccessKind& access, u64 address, u8* out) {
  Hit range;
  bool writable = false;
  bool found = rocxla_emu_find(w->memory, address, &range.begin, &range.end, &writable);
  u64 padded_end = (range.end + 15) & ~u64{15};
  if (!found || address + access.bytes > padded_end) return Fail(w, FaultKind::kOutOfBounds, access, 0, address);
  access.bytes = static_cast<u32>(std::min<u64>(access.bytes, range.end - address));  // those that exist
  std::memcpy(out, reinterpret_cast<const void*>(address), access.bytes);
  return true;
}
template <u32 kBytes>
bool ScalarBytes(const Code* ip, Wave* w, AccessKind access, u64 address, u8* out) {
  if (Contains(*w->memory, address, address + kBytes, false, w->hit[ip->micro % kHits])) [[likely]]
    std::memcpy(out, reinterpret_cast<const void*>(address), kBytes);
  else if (!ScalarBytesAtEnd(w, access, address, out))
    return false;
  if (w->observer != nullptr) [[unlikely]]
    Notify(ip, w, 1, &address, access);
  return true;
}
// The two lowest bits of dword addresses are ignored by hardware.
template <class E>
constexpr u64 kScalarAddressBits = sizeof(E) == 4 ? ~u64{3} : ~u64{0};

template <class O>
bool ScalarLoad(const Code* ip, Wave* w) {
  using E = typename O::Elem;
  constexpr AccessKind kAccess = {O::kSpace, false, sizeof(E) * O::kCount, sizeof(E)};
  i64 offset = ScalarOffsetOf(ip, w);
  alignas(16) u8 bytes[sizeof(E) * O::kCount] = {};
  if constexpr (O::kSpace == Space::kScalarBuffer) {
    BufferResource r = ReadBufferResource(w, ip->src[1], w->gfx9);
    for (int n = 0; n < O::kCount; n++) {
      u64 at = (offset & ~i64{3}) + n * sizeof(E);
      AccessKind one = {Space::kScalarBuffer, false, sizeof(E), sizeof(E)};
      if (at + sizeof(E) <= r.ScalarLimit() && !ScalarBytes<sizeof(E)>(ip, w, one, r.base + at, bytes + n * sizeof(E)))
        return false;
    }
  } else {
    u64 address = (ReadPair(w, ip->src[1]) + offset) & kScalarAddressBits<E>;
    if (!ScalarBytes<kAccess.bytes>(ip, w, kAccess, address, bytes)) return false;
  }
  if constexpr (sizeof(E) == 4)
    std::memcpy(&At<u32>(w, ip->dst[0]), bytes, sizeof bytes);
  else
    At<u32>(w, ip->dst[0]) = LoadElement<E>(reinterpret_cast<u64>(bytes));
  return true;
}
// Words beyond the end of a buffer are not written.
template <class O>
bool ScalarStore(const Code* ip, Wave* w) {
  constexpr bool kBuffered = O::kSpace == Space::kScalarBuffer;
  constexpr AccessKind kAccess = {O::kSpace, true, (kBuffered ? 1 : O::kCount) * sizeof(u32), sizeof(u32)};
  const u32* data = &At<u32>(w, ip->src[2]);
  i64 offset = ScalarOffsetOf(ip, w);
  Hit& hit = w->hit[ip->micro % kHits];
  BufferResource r;
  if constexpr (kBuffered) r = ReadBufferResource(w, ip->src[1], w->gfx9);
  u64 base = kBuffered ? r.base + (offset & ~i64{3}) : (ReadPair(w, ip->src[1]) + offset) & ~u64{3};
  for (u32 n = 0; n < O::kCount * sizeof(u32) / kAccess.bytes; n++) {
    u64 address = base + n * kAccess.bytes;
    if (kBuffered && address + kAccess.bytes > r.base + r.ScalarLimit()) continue;
    if (!Contains(*w->memory, address, address + kAccess.bytes, true, hit)) {
      return Fail(w, FaultKind::kOutOfBounds, kAccess, 0, address);
    }
    if (w->observer != nullptr) [[unlikely]]
      Notify(ip, w, 1, &address, kAccess);
    std::memcpy(reinterpret_cast<void*>(address), data + n, kAccess.bytes);
  }
  return true;
}
template <class O>
HANDLER RunScalarAccess(const Code* ip, Wave* w, u64 exec) {
  bool done;
  if constexpr (O::kAction == Action::kStore)
    done = ScalarStore<O>(ip, w);
  else
    done = ScalarLoad<O>(ip, w);
  if (!done) [[clang::musttail]]
    return Faulted(ip, w, exec);
  NEXT;
}

template <class O>
Handler PickMemory() {
  if constexpr (O::kSpace == Space::kScalarMem || O::kSpace == Space::kScalarBuffer)
    return &RunScalarAccess<O>;
  else if constexpr (O::kSpace == Space::kBuffer)
    return &RunBuffer<O>;
  else
    return &RunAccess<O>;
}

}  // namespace

Handler PickFrom_memory(const Micro& micro, int) {
  switch (micro.op) {
#define MEMORY(name, ...) \
  case Op::name:          \
    return PickMemory<op::name>();
#include "emulator/isa/memory.def"

#include "emulator/isa/undef.def"
    default:
      return nullptr;
  }
}

}  // namespace rocxla::emu
