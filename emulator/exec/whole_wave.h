// Loads and stores by every lane of a wave, without a list of 64 checked addresses, for the patterns that make up
// nearly all of a kernel's time: lanes that follow each other through global memory, and any pattern in LDS. Whatever
// does not fit (or fails) is left to the general way. Only for the interpreter's own files.
#pragma once
#include "emulator/exec/memory_access.h"

namespace rocxla::emu {

// Kernel addresses are aligned to bytes only.
template <class E>
E LoadAt(const u8* address) {
  E x;
  std::memcpy(&x, address, sizeof x);
  return x;
}
template <class E>
void StoreAt(u8* address, E x) {
  std::memcpy(address, &x, sizeof x);
}

template <Half half>
void Deposit(u32& word, u32 x) {
  if constexpr (half == Half::kWhole) word = x;
  if constexpr (half == Half::kLow) word = (word & 0xffff0000u) | (x & 0xffffu);
  if constexpr (half == Half::kHigh) word = (word & 0xffffu) | (x << 16);
}
template <Half half>
u32 Withdraw(u32 word) {
  return half == Half::kHigh ? word >> 16 : word;
}

template <class O>
inline constexpr u32 kAccessBytes = sizeof(typename O::Elem) * O::kCount;

// The numbers 0, kStride, 2 * kStride ... of one host vector.
template <u32 kStride>
Lanes<u32> Multiples() {
  Lanes<u32> x;
  for (int i = 0; i < kChunk; i++) x[i] = i * kStride;
  return x;
}

// The first lane's address if each lane's is kStride bytes behind the one's before it; otherwise 0. In whole host
// vectors: these registers have just been written so.
template <int kLanes, u32 kStride>
u64 ConsecutiveAddress(const Code* ip, Wave* w) {
  const u32 low = At<u32>(w, ip->src[0]);
  Lanes<u32> difference = 0, expected = low + Multiples<kStride>();
  for (int c = 0; c < kLanes / kChunk; c++) {
    difference |= At<Lanes<u32>>(w, ip->src[0] + c * kChunkBytes) ^ (expected + c * kChunk * kStride);
  }
  u64 base;
  if (ip->src[1] != 0) {
    base = ReadPair(w, ip->src[1]);
  } else {
    const u32 high = At<u32>(w, ip->src[0] + kRowBytes);
    for (int c = 0; c < kLanes / kChunk; c++) {
      difference |= At<Lanes<u32>>(w, ip->src[0] + kRowBytes + c * kChunkBytes) ^ high;
    }
    base = u64{high} << 32;
  }
  bool wraps = low > ~u32{0} - kStride * (kLanes - 1);
  return __builtin_reduce_or(difference) == 0 && !wraps ? base + low + ip->imm[0] : 0;
}

template <class O, int kLanes>
bool AccessConsecutive(const Code* ip, Wave* w) {
  using E = typename O::Elem;
  constexpr int kCount = O::kCount;
  u64 first = ConsecutiveAddress<kLanes, kAccessBytes<O>>(ip, w);
  u64 aperture = first >> 32 << 32;
  if (first == 0 || aperture == kSharedAperture || aperture == kPrivateAperture) return false;
  constexpr bool kStore = O::kAction == Action::kStore;
  if (!Contains(*w->memory, first, first + kAccessBytes<O> * kLanes, kStore, w->hit[ip->micro % kHits])) return false;
  // By way of an array of our own, which overlaps with nothing: this becomes a few vector operations.
  alignas(64) E data[kLanes * kCount];
  u32* row = &At<u32>(w, O::kAction == Action::kLoad ? ip->dst[0] : ip->src[2]);
  if constexpr (O::kAction == Action::kLoad) std::memcpy(data, reinterpret_cast<const void*>(first), sizeof data);
  for (int n = 0; n < kCount; n++) {
    for (int l = 0; l < kLanes; l++) {
      u32& word = row[n * kRowLanes + l];
      if constexpr (O::kAction == Action::kLoad)
        Deposit<O::kHalf>(word, static_cast<u32>(data[l * kCount + n]));  // sign-extends where E is signed
      else
        data[l * kCount + n] = static_cast<E>(Withdraw<O::kHalf>(word));
    }
  }
  if constexpr (O::kAction == Action::kStore) std::memcpy(reinterpret_cast<void*>(first), data, sizeof data);
  return true;
}

// The registers that a load writes may hold its addresses; hence the copy.
template <class O, int kLanes>
bool AccessLds(const Code* ip, Wave* w) {
  using E = typename O::Elem;
  constexpr int kAddresses = O::kStride != 0 ? 2 : 1;
  alignas(64) u32 offsets[kLanes];
  std::memcpy(offsets, &At<u32>(w, ip->src[0]), sizeof offsets);
  u32 highest = 0;
  for (int l = 0; l < kLanes; l++) highest = std::max(highest, offsets[l]);
  u32 fixed[kAddresses];
  for (int i = 0; i < kAddresses; i++) {
    fixed[i] = static_cast<u32>(ip->imm[i]) * (O::kStride != 0 ? O::kStride : 1);
    if (u64{highest} + fixed[i] + kAccessBytes<O> > w->lds_bytes) return false;
  }
  for (int i = 0; i < kAddresses; i++) {
    u8* __restrict base = w->lds + fixed[i];
    u32* __restrict row =
        O::kAction == Action::kLoad ? &At<u32>(w, ip->dst[0]) + i * O::kCount * kRowLanes : &At<u32>(w, ip->src[2 + i]);
    for (int l = 0; l < kLanes; l++) {
      for (int n = 0; n < O::kCount; n++) {
        u8* data = base + offsets[l] + n * sizeof(E);
        u32& word = row[n * kRowLanes + l];
        if constexpr (O::kAction == Action::kLoad)
          Deposit<O::kHalf>(word, static_cast<u32>(LoadAt<E>(data)));
        else
          StoreAt(data, static_cast<E>(Withdraw<O::kHalf>(word)));
      }
    }
  }
  return true;
}

// True: done. False: nothing has happened yet.
template <class O, int kLanes>
bool AccessByAllLanes(const Code* ip, Wave* w) {
  if constexpr (O::kSpace == Space::kLds) return AccessLds<O, kLanes>(ip, w);
  if constexpr (O::kSpace == Space::kGlobal || O::kSpace == Space::kFlat) return AccessConsecutive<O, kLanes>(ip, w);
  return false;
}

}  // namespace rocxla::emu
