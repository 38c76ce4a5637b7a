// Loads and stores.
#include "emulator/exec/memory_access.h"

namespace rocxla::emu {
namespace {

template <class E>
u32 LoadElement(u64 address) {
  E x;
  std::memcpy(&x, reinterpret_cast<const void*>(address), sizeof x);
  return static_cast<u32>(x);  // sign-extends where E is signed
}
template <Half half>
void Deposit(u32& word, u32 x) {
  if constexpr (half == Half::kWhole) word = x;
  if constexpr (half == Half::kLow) word = (word & 0xffff0000u) | (x & 0xffffu);
  if constexpr (half == Half::kHigh) word = (word & 0xffffu) | (x << 16);
}

// Whether the addresses of all lanes follow each other word by word.
template <int kLanes>
bool IsContiguous(const LaneAddresses& lanes) {
  u64 difference = 0;
  for (int l = 0; l < kLanes; l++) difference |= lanes.at[l] ^ (lanes.at[0] + 4 * l);
  return difference == 0;
}
bool AllContiguous(const LaneAddresses& lanes, const Wave* w, u64 exec) {
  if (exec != FullExec(w->lanes)) return false;
  return w->lanes == 64 ? IsContiguous<64>(lanes) : IsContiguous<32>(lanes);
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
  if constexpr (O::kCount == 1 && sizeof(typename O::Elem) == 4) {
    if (AllContiguous(lanes, w, exec)) {
      std::memcpy(row, reinterpret_cast<const void*>(lanes.at[0]), 4 * w->lanes);
      return;
    }
  }
  if (exec == FullExec(w->lanes)) {
    for (int l = 0; l < w->lanes; l++) LoadLane<O>(lanes, row, l);
    return;
  }
  for (u64 e = exec; e != 0; e &= e - 1) LoadLane<O>(lanes, row, std::countr_zero(e));
}

template <class O>
void StoreLane(const LaneAddresses& lanes, const u32* row, int l) {
  using E = typename O::Elem;
  constexpr int kShift = O::kHalf == Half::kHigh ? 16 : 0;
  for (int n = 0; n < O::kCount; n++) {
    u32 x = row[n * kRowLanes + l] >> kShift;
    std::memcpy(reinterpret_cast<void*>(lanes.at[l] + n * sizeof(E)), &x, sizeof(E));
  }
}
template <class O>
void Store(const LaneAddresses& lanes, const u32* row, Wave* w, u64 exec) {
  if constexpr (O::kCount == 1 && sizeof(typename O::Elem) == 4) {
    if (AllContiguous(lanes, w, exec)) {
      std::memcpy(reinterpret_cast<void*>(lanes.at[0]), row, 4 * w->lanes);
      return;
    }
  }
  if (exec == FullExec(w->lanes)) {
    for (int l = 0; l < w->lanes; l++) StoreLane<O>(lanes, row, l);
    return;
  }
  for (u64 e = exec; e != 0; e &= e - 1) StoreLane<O>(lanes, row, std::countr_zero(e));
}

template <class O>
constexpr AccessKind KindOf() {
  constexpr u32 kElement = sizeof(typename O::Elem);
  constexpr u32 kAlignment = O::kSpace == Space::kLds ? kElement : 1;
  return {O::kSpace, O::kAction == Action::kStore, kElement * O::kCount, kAlignment};
}
// The registers that a load writes may hold its addresses: both addresses of ds_read2 are resolved before the first
// write.
template <class O>
bool Access(const Code* ip, Wave* w, u64 exec) {
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

// Per lane the offset into the buffer; lanes whose index is outside have none.
u64 BufferOffsets(LaneAddresses& lanes, const Code* ip, Wave* w, u64 exec, const BufferResource& r) {
  bool offen = (ip->imm[1] & kBufferOffen) != 0, idxen = (ip->imm[1] & kBufferIdxen) != 0;
  const u32* row = ip->src[0] != 0 ? &At<u32>(w, ip->src[0]) : nullptr;
  u64 inside = 0;
  for (int l = 0; l < w->lanes; l++) {
    u64 index = idxen ? row[l] : 0;
    u64 offset = ip->imm[0] + u64{offen ? row[(idxen ? kRowLanes : 0) + l] : 0};
    bool fits = !idxen || (r.stride == 0 ? true : index < r.records);
    lanes.at[l] = index * r.stride + offset;
    inside |= u64{fits} << l;
  }
  return exec & inside;
}
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
  if (r.swizzled) return Fail(w, FaultKind::kSwizzledBuffer, kAccess, 0, r.base);
  u64 scalar_offset = ip->src[3] != 0 ? At<u32>(w, ip->src[3]) : 0;
  LaneAddresses lanes;
  u64 inside = BufferOffsets(lanes, ip, w, exec, r);
  u64 limit = (ip->imm[1] & kBufferIdxen) != 0 && r.stride != 0 ? u64{r.stride} * r.records : r.records;
  for (int n = 0; n < O::kCount; n++) {
    LaneAddresses element;
    u64 active = 0;
    for (int l = 0; l < w->lanes; l++) {
      u64 offset = lanes.at[l] + n * kElement;
      active |= u64{offset + scalar_offset + kElement <= limit} << l;
      element.at[l] = r.base + scalar_offset + offset;
    }
    active &= inside;
    if (!CheckGlobal(ip, w, active, element, kAccess)) return false;
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

// --- scalar loads

// The compiler may widen a load to 16 bytes where the first byte is known to be aligned to 16: real allocations are
// padded, so the rest of an allocation's last 16 bytes reads as zero.
bool ScalarBytes(const Code* ip, Wave* w, const AccessKind& access, u64 address, u8* out) {
  Hit& hit = w->hit[ip->micro % kHits];
  AccessKind real = access;
  if (!Contains(*w->memory, address, address + access.bytes, hit)) [[unlikely]] {
    Hit range;
    bool found = rocxla_emu_find(w->memory, address, &range.begin, &range.end);
    u64 padded_end = found ? (range.end + 15) & ~u64{15} : 0;
    if (address + access.bytes > padded_end) return Fail(w, FaultKind::kOutOfBounds, access, 0, address);
    real.bytes = static_cast<u32>(range.end - address);
  }
  if (w->observer != nullptr) [[unlikely]]
    Notify(ip, w, 1, &address, real);
  std::memcpy(out, reinterpret_cast<const void*>(address), real.bytes);
  return true;
}
template <class O>
bool ScalarAccess(const Code* ip, Wave* w) {
  using E = typename O::Elem;
  constexpr AccessKind kAccess = {O::kSpace, false, sizeof(E) * O::kCount, sizeof(E)};
  i64 offset = i64{ip->imm[0]} + (ip->src[3] != 0 ? At<u32>(w, ip->src[3]) : 0);
  alignas(16) u8 bytes[sizeof(E) * O::kCount] = {};
  if constexpr (O::kSpace == Space::kScalarBuffer) {
    BufferResource r = ReadBufferResource(w, ip->src[1], w->gfx9);
    u64 limit = r.stride != 0 ? u64{r.stride} * r.records : r.records;
    for (int n = 0; n < O::kCount; n++) {
      u64 at = (offset & ~i64{3}) + n * sizeof(E);
      AccessKind one = {Space::kScalarBuffer, false, sizeof(E), sizeof(E)};
      if (at + sizeof(E) <= limit && !ScalarBytes(ip, w, one, r.base + at, bytes + n * sizeof(E))) return false;
    }
  } else {
    // The two lowest bits of dword addresses are ignored by hardware.
    u64 address = (ReadPair(w, ip->src[1]) + offset) & (sizeof(E) == 4 ? ~u64{3} : ~u64{0});
    if (!ScalarBytes(ip, w, kAccess, address, bytes)) return false;
  }
  if constexpr (sizeof(E) == 4)
    std::memcpy(&At<u32>(w, ip->dst[0]), bytes, sizeof bytes);
  else
    At<u32>(w, ip->dst[0]) = LoadElement<E>(reinterpret_cast<u64>(bytes));
  return true;
}
template <class O>
HANDLER RunScalarLoad(const Code* ip, Wave* w, u64 exec) {
  if (!ScalarAccess<O>(ip, w)) [[clang::musttail]]
    return Faulted(ip, w, exec);
  NEXT;
}

template <class O>
Handler PickMemory() {
  if constexpr (O::kSpace == Space::kScalarMem || O::kSpace == Space::kScalarBuffer)
    return &RunScalarLoad<O>;
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
