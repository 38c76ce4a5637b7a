// What an interpreted value is.
#pragma once
#include <cstdint>

#include "llvm/ADT/SmallVector.h"

namespace rocxla::triton {

// A number or an address: its bits, low bits first, those beyond its type's width zero.
struct Element {
  uint64_t bits = 0;
  bool undefined = false;
};

// A value of Triton IR.
//   scalar            one element
//   tensor            its elements, row-major
//   block pointer     base, extents, strides, offsets (one of each for every dimension)
//   descriptor        base, extents, strides, and 1 if what is out of bounds reads as NaN, else 0
using Data = llvm::SmallVector<Element, 1>;

}  // namespace rocxla::triton
