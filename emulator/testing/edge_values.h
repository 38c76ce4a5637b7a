// Operand values for tests of meanings: the ends and corners of integer and float formats, and pseudo-random bits.
#pragma once
#include <bit>
#include <initializer_list>
#include <vector>

#include "emulator/isa/types.h"

namespace rocxla::emu {

inline const std::vector<u32>& EdgeWords() {
  static const std::vector<u32> words = {
      0,          1,          2,          3,          4,          15,         16,         31,
      32,         33,         63,         64,         127,        255,        0x7fff,     0x8000,
      0xffff,     0x10000,    0x00800000, 0x007fffff, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
      0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0x7f800000,
      0xff800000, 0x7fc00000, 0xffc01234, 0x7f800001, 0xff812345, 0x7f7fffff, 0xff7fffff, 0x40490fdb,
      0x501502f9, 0xaedbe6ff, 0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff, 0x3c003c00, 0x7bff0001,
      0x7c00fc00, 0x7e017c01, 0x03ff0400, 0x83ff8400, 0x3555b555, 0x00018001, 0x38004200, 0x12345678,
      0x0c0d0e0f, 0x33333333, 0x3effffff, 0x3f7fffff, 0x4b000001, 0x42fe0000, 0xc3160000, 0x3dcccccd};
  return words;
}
inline const std::vector<u64>& EdgePairs() {
  static const std::vector<u64> pairs = [] {
    std::vector<u64> out;
    for (double d : {0.0,
                     -0.0,
                     1.0,
                     -1.0,
                     0.5,
                     1.5,
                     2.5,
                     -2.5,
                     3.141592653589793,
                     1e300,
                     -1e300,
                     1e-300,
                     5e-324,
                     2.2250738585072014e-308,
                     2147483647.0,
                     2147483648.0,
                     -2147483648.5,
                     4294967295.5,
                     1e10,
                     0.1,
                     -0.3,
                     1.7976931348623157e308}) {
      out.push_back(std::bit_cast<u64>(d));
    }
    for (u64 x : std::initializer_list<u64>{
             0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u, 0x7ff0000000000001u, 0x8000000000000000u,
             0x7fffffffffffffffu, 0xffffffffffffffffu, 0x00000000ffffffffu, 0x0000000100000000u, 0x000fffffffffffffu}) {
      out.push_back(x);
    }
    for (u32 w : EdgeWords()) out.push_back(w);
    return out;
  }();
  return pairs;
}

class RandomBits {
 public:
  explicit RandomBits(u64 seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  u64 Next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1du;
  }
  u32 Word() { return static_cast<u32>(Next() >> 32); }
  // A corner two times in three.
  u32 EdgeWord() { return Next() % 3 == 0 ? Word() : EdgeWords()[Next() % EdgeWords().size()]; }
  u64 EdgePair() { return Next() % 3 == 0 ? Next() : EdgePairs()[Next() % EdgePairs().size()]; }

 private:
  u64 state_;
};

}  // namespace rocxla::emu
