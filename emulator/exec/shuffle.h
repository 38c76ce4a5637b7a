// Orders that look random and are the same whenever the seed is.
#pragma once
#include <bit>
#include <utility>
#include <vector>

#include "emulator/isa/types.h"

namespace rocxla::emu {

// Spreads a number over 64 bits (the finaliser of splitmix64).
constexpr u64 Mix(u64 x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class RandomNumbers {
 public:
  explicit RandomNumbers(u64 seed = 0) : state_(Mix(seed)) {}
  u64 Next() { return Mix(state_++); }
  // All orders are about as likely.
  template <class T>
  void Shuffle(std::vector<T>& list) {
    for (u64 left = list.size(); left > 1; left--) std::swap(list[left - 1], list[Next() % left]);
  }

 private:
  u64 state_;
};

// A permutation of 0 to size - 1 that needs no memory: a Feistel network over the next even number of bits, applied
// until the result is below `size`.
class Permutation {
 public:
  Permutation(u64 size, u64 seed) : size_(size), half_bits_((std::bit_width(size) + 1) / 2), seed_(seed) {}
  u64 operator()(u64 i) const {
    do i = Once(i);
    while (i >= size_);
    return i;
  }

 private:
  u64 Once(u64 i) const {
    constexpr u64 kRounds = 4;
    const u64 mask = (u64{1} << half_bits_) - 1;
    u64 high = i >> half_bits_, low = i & mask;
    for (u64 round = 0; round < kRounds; round++) {
      high ^= Mix(seed_ ^ Mix(low * kRounds + round)) & mask;
      std::swap(high, low);
    }
    return high << half_bits_ | low;
  }
  u64 size_;
  int half_bits_;
  u64 seed_;
};

}  // namespace rocxla::emu
