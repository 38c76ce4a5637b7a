// How vector memory operations find, check and move their data. Only for the interpreter's own files.
//
// Bounds are exact to the byte. On AMD HSA the hardware runs in unaligned access mode: loads and stores of every memory
// may lie at any byte, and compilers rely on that: they merge narrow accesses into wide ones, and access members of
// packed structures as they lie. Atomics must be aligned to their operand.
// Source: LLVM's AMDGPU target, the features unaligned-access-mode and unaligned-ds-access.
#pragma once
#include "emulator/exec/host_calls.h"
#include "emulator/exec/interpreter.h"

namespace rocxla::emu {

// One address per lane: first an address or offset in the operation's space, after Check a host address.
struct LaneAddresses {
  alignas(64) u64 at[kRowLanes];
};

// What is read-only is not remembered: other instructions, stores among them, share the hit.
[[gnu::noinline]] inline bool FindAllocation(const AddressSpace& memory, u64 low, u64 high, bool store, Hit& hit) {
  Hit found;
  bool writable = false;
  if (high < low || !rocxla_emu_find(&memory, low, &found.begin, &found.end, &writable)) return false;
  if (high > found.end) return false;
  if (!writable) return !store;
  hit = found;
  return true;
}
// Whether one allocation holds [low, high) and may be loaded or stored there; `hit` remembers it. Just below 2^64,
// `high` has wrapped.
inline bool Contains(const AddressSpace& memory, u64 low, u64 high, bool store, Hit& hit) {
  if (low >= hit.begin && high <= hit.end && low <= high) [[likely]]
    return true;
  return FindAllocation(memory, low, high, store, hit);
}

struct AccessKind {
  Space space;
  bool store;
  u32 bytes;      // per lane and address
  u32 alignment;  // of the element
  bool atomic = false;
};

// Out of line: nobody observes most launches.
[[gnu::noinline]] inline void Notify(const Code* ip, const Wave* w, u64 lanes, const u64* addresses,
                                     const AccessKind& kind) {
  const MemoryAccess access = {ip->micro, kind.space, kind.store, kind.atomic, kind.bytes, lanes, addresses};
  rocxla_emu_notify(w->observer, w, &access);
}

inline bool Fail(Wave* w, FaultKind kind, const AccessKind& access, int lane, u64 address) {
  w->fault = {kind, access.space, access.store, static_cast<u8>(lane), access.bytes, address};
  return false;
}

// Bounds of the active lanes' addresses, and all bits that are set in any of them.
struct Extent {
  u64 low = ~u64{0}, high = 0, bits = 0;
};
// Over a constant number of lanes, which compilers turn into a few vector instructions.
template <int kLanes>
Extent ExtentOfFirst(const LaneAddresses& lanes) {
  Extent e;
  for (int l = 0; l < kLanes; l++) {
    e.low = std::min(e.low, lanes.at[l]);
    e.high = std::max(e.high, lanes.at[l]);
    e.bits |= lanes.at[l];
  }
  return e;
}
inline Extent ExtentOf(const LaneAddresses& lanes, u64 exec) {
  if (exec == FullExec(64)) return ExtentOfFirst<64>(lanes);
  if (exec == FullExec(32)) return ExtentOfFirst<32>(lanes);
  Extent e;
  for (int l = 0; l < kRowLanes; l++) {
    bool on = (exec >> l & 1) != 0;
    e.low = std::min(e.low, on ? lanes.at[l] : ~u64{0});
    e.high = std::max(e.high, on ? lanes.at[l] : u64{0});
    e.bits |= on ? lanes.at[l] : u64{0};
  }
  return e;
}

// The last hit is kept per instruction: one for all would thrash between the inputs of the simplest kernel.
inline bool CheckGlobalBounds(const Code* ip, Wave* w, u64 exec, const LaneAddresses& lanes, const AccessKind& access) {
  if (exec == 0) return true;
  Hit& hit = w->hit[ip->micro % kHits];
  const Extent extent = ExtentOf(lanes, exec);
  bool aligned = (extent.bits & (access.alignment - 1)) == 0;
  if (aligned && Contains(*w->memory, extent.low, extent.high + access.bytes, access.store, hit)) [[likely]]
    return true;
  for (u64 e = exec; e != 0; e &= e - 1) {
    int l = std::countr_zero(e);
    u64 address = lanes.at[l];
    if (address % access.alignment != 0) return Fail(w, FaultKind::kMisaligned, access, l, address);
    if (!Contains(*w->memory, address, address + access.bytes, access.store, hit)) {
      return Fail(w, FaultKind::kOutOfBounds, access, l, address);
    }
  }
  return true;
}
inline bool CheckGlobal(const Code* ip, Wave* w, u64 exec, const LaneAddresses& lanes, const AccessKind& access) {
  if (!CheckGlobalBounds(ip, w, exec, lanes, access)) return false;
  if (w->observer != nullptr) [[unlikely]]
    Notify(ip, w, exec, lanes.at, access);
  return true;
}

// Offsets into a block of `size` bytes become host addresses from `base`; `lane_stride` bytes apart per lane.
inline bool CheckBlock(const Code* ip, Wave* w, u64 exec, LaneAddresses& lanes, const AccessKind& access, u8* base,
                       u64 size, u64 lane_stride) {
  if (exec == 0) return true;
  const Extent extent = ExtentOf(lanes, exec);
  bool fits = extent.high <= size && access.bytes <= size - extent.high;
  if (!fits || (extent.bits & (access.alignment - 1)) != 0) [[unlikely]] {
    for (u64 e = exec; e != 0; e &= e - 1) {
      int l = std::countr_zero(e);
      u64 offset = lanes.at[l];
      if (offset > size || access.bytes > size - offset) return Fail(w, FaultKind::kOutOfBounds, access, l, offset);
      if (offset % access.alignment != 0) return Fail(w, FaultKind::kMisaligned, access, l, offset);
    }
  }
  u64 first = reinterpret_cast<u64>(base);
  if (exec == FullExec(w->lanes)) {
    for (int l = 0; l < kRowLanes; l++) lanes.at[l] += first + l * lane_stride;
  } else {  // other lanes' addresses may be in another space
    for (int l = 0; l < kRowLanes; l++) lanes.at[l] += (exec >> l & 1) != 0 ? first + l * lane_stride : 0;
  }
  if (w->observer != nullptr) [[unlikely]]
    Notify(ip, w, exec, lanes.at, access);
  return true;
}

// Flat addresses may lie in LDS or scratch, by lane.
inline bool CheckFlat(const Code* ip, Wave* w, u64 exec, LaneAddresses& lanes, AccessKind access) {
  u64 shared = 0, scratch = 0;
  for (u64 e = exec; e != 0; e &= e - 1) {
    int l = std::countr_zero(e);
    u64 aperture = lanes.at[l] >> 32 << 32;
    if (aperture == kSharedAperture) shared |= u64{1} << l;
    if (aperture == kPrivateAperture) scratch |= u64{1} << l;
    if (aperture == kSharedAperture || aperture == kPrivateAperture) lanes.at[l] -= aperture;
  }
  if (!CheckGlobal(ip, w, exec & ~(shared | scratch), lanes, access)) return false;
  access.space = Space::kLds;
  if (!CheckBlock(ip, w, shared, lanes, access, w->lds, w->lds_bytes, 0)) return false;
  access.space = Space::kScratch;
  return CheckBlock(ip, w, scratch, lanes, access, w->scratch, w->scratch_bytes, w->scratch_bytes);
}

// Global and flat: base + 32-bit offset, or a 64-bit address; scratch: scalar + offset; LDS: offsets, whose sum with
// the immediate one wraps at 32 bits (compilers fold constants into it although the register may be negative).
// Of all 64 lanes, whatever the wave's size: a constant number of them is fast.
template <Space space>
void ComputeAddresses(LaneAddresses& lanes, const Code* ip, Wave* w, i64 offset) {
  const u32* low = ip->src[0] != 0 ? &At<u32>(w, ip->src[0]) : nullptr;
  if constexpr (space == Space::kLds) {
    for (int l = 0; l < kRowLanes; l++) lanes.at[l] = low[l] + static_cast<u32>(offset);
  } else if constexpr (space == Space::kScratch) {
    i64 base = (ip->src[1] != 0 ? At<i32>(w, ip->src[1]) : 0) + offset;
    for (int l = 0; l < kRowLanes; l++) lanes.at[l] = base + (low != nullptr ? static_cast<i32>(low[l]) : 0);
  } else if (ip->src[1] != 0) {
    u64 base = ReadPair(w, ip->src[1]) + offset;
    for (int l = 0; l < kRowLanes; l++) lanes.at[l] = base + low[l];
  } else {
    const u32* high = low + kRowLanes;
    for (int l = 0; l < kRowLanes; l++) lanes.at[l] = (u64{high[l]} << 32 | low[l]) + offset;
  }
}

// Addresses of all lanes, checked, as host addresses. False: w->fault says why not.
template <Space space>
bool Resolve(LaneAddresses& lanes, const Code* ip, Wave* w, u64 exec, const AccessKind& access, i64 offset) {
  ComputeAddresses<space>(lanes, ip, w, offset);
  if constexpr (space == Space::kGlobal) return CheckGlobal(ip, w, exec, lanes, access);
  if constexpr (space == Space::kFlat) return CheckFlat(ip, w, exec, lanes, access);
  if constexpr (space == Space::kLds) return CheckBlock(ip, w, exec, lanes, access, w->lds, w->lds_bytes, 0);
  if constexpr (space == Space::kScratch) {
    return CheckBlock(ip, w, exec, lanes, access, w->scratch, w->scratch_bytes, w->scratch_bytes);
  }
  return false;
}

// A buffer resource: four scalars. A swizzled buffer interleaves records: `index_stride` of them lie side by side, in
// pieces of `element_bytes`. Sources: "AMD Instinct MI300 ISA" and "RDNA3 ISA", "Buffer Resource Descriptor".
struct BufferResource {
  u64 base = 0;
  u32 stride = 0, records = 0;
  bool swizzled = false;
  bool adds_lane = false;  // the lane's number is added to the index
  u32 index_stride = 0, element_bytes = 0;
  bool checks_offset = false;  // swizzled: an offset beyond the record is outside

  // Scalar accesses: the size in bytes.
  u64 ScalarLimit() const { return stride != 0 ? u64{stride} * records : records; }
  u64 Place(u64 index, u64 offset) const {
    if (!swizzled) return index * stride + offset;
    u64 piece = offset / element_bytes * element_bytes;
    return (index / index_stride * stride + piece) * index_stride + index % index_stride * element_bytes +
           offset % element_bytes;
  }
  // Whether `bytes` bytes exist there. Without swizzling, records count bytes unless the access has an index.
  bool Contains(bool has_index, u64 index, u64 offset, u64 scalar_offset, u32 bytes) const {
    if (swizzled) return index < records && (!checks_offset || offset + bytes <= stride);
    bool structured = has_index && stride != 0;
    u64 limit = structured ? u64{stride} * records : records;
    return (!structured || index < records) && Place(index, offset) + scalar_offset + bytes <= limit;
  }
};
inline BufferResource ReadBufferResource(Wave* w, u32 offset, bool gfx9) {
  u32 word1 = At<u32>(w, offset + 4), word3 = At<u32>(w, offset + 12);
  BufferResource r;
  r.base = At<u32>(w, offset) | u64{word1 & 0xffff} << 32;
  r.stride = word1 >> 16 & 0x3fff;
  r.records = At<u32>(w, offset + 8);
  r.adds_lane = (word3 >> 23 & 1) != 0;
  r.index_stride = 8u << (word3 >> 21 & 3);
  if (gfx9) {
    r.swizzled = (word1 >> 31) != 0;
    r.element_bytes = 4;
    // Where lanes are added, the data format's bits continue the stride.
    if (r.adds_lane) r.stride |= (word3 >> 15 & 15) << 14;
  } else {
    constexpr u32 kCheckIndexOnly = 1;
    r.swizzled = (word1 >> 30) != 0;
    r.element_bytes = 2u << (word1 >> 30);  // 4, 8 or 16
    r.checks_offset = (word3 >> 28 & 3) != kCheckIndexOnly;
  }
  return r;
}

// The addresses of `bytes` bytes per lane, `part` bytes behind what the instruction names; and which lanes exist.
inline u64 BufferAddresses(LaneAddresses& lanes, const Code* ip, Wave* w, const BufferResource& r, u64 part,
                           u32 bytes) {
  bool offen = (ip->imm[1] & kBufferOffen) != 0, idxen = (ip->imm[1] & kBufferIdxen) != 0;
  const u32* row = ip->src[0] != 0 ? &At<u32>(w, ip->src[0]) : nullptr;
  u64 scalar_offset = ip->src[3] != 0 ? At<u32>(w, ip->src[3]) : 0, inside = 0;
  if (!r.swizzled && !idxen && !r.adds_lane) [[likely]] {  // bytes from the base on
    u64 fixed = ip->imm[0] + part;
    for (int l = 0; l < kRowLanes; l++) lanes.at[l] = fixed + (offen ? row[l] : 0) + scalar_offset;
    for (int l = 0; l < kRowLanes; l++) inside |= u64{lanes.at[l] + bytes <= r.records} << l;
    for (int l = 0; l < kRowLanes; l++) lanes.at[l] += r.base;
    return inside;
  }
  for (int l = 0; l < kRowLanes; l++) {
    u64 index = u64{idxen ? row[l] : 0} + (r.adds_lane ? l : 0);
    u64 offset = ip->imm[0] + u64{offen ? row[(idxen ? kRowLanes : 0) + l] : 0} + part;
    lanes.at[l] = r.base + scalar_offset + r.Place(index, offset);
    inside |= u64{r.Contains(idxen || r.adds_lane, index, offset, scalar_offset, bytes)} << l;
  }
  return inside;
}

// Scalar accesses: the constant and the register that are added to the base.
inline i64 ScalarOffsetOf(const Code* ip, Wave* w) {
  return i64{ip->imm[0]} + (ip->src[3] != 0 ? At<u32>(w, ip->src[3]) : 0);
}

// Whether it is the resource that the wave's start put into registers, of its scratch memory (gfx90a).
inline bool IsScratch(const BufferResource& r, const Wave* w) {
  return r.swizzled && r.base == reinterpret_cast<u64>(w->scratch) && w->scratch_bytes != 0;
}

}  // namespace rocxla::emu
