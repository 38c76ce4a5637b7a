// In which order the elements of a tensor lie in LDS on their way from one layout to another.
//
// LDS has 32 banks of 4 bytes. One pass over it serves 128 bytes of consecutive lanes, if no two of their words lie in
// one bank. A bijection of element numbers that is linear over GF(2) can be chosen so that both sides' passes are free
// of conflicts and both access up to 16 bytes at a time: see "Linear Layouts: Robust Code Generation of Efficient
// Tensor Computation Using F2" (2025), section 5, for the idea; the choice made here is described in the .cc file.
#pragma once
#include <vector>

#include "triton/layout/linear_layout.h"

namespace rocxla::triton {

// One side: its layout over the places in LDS (rank 1, counted in elements), its registers reordered so that those of a
// vector come first, and which register of the tensor's layout each of them is.
struct SharedSide {
  LinearLayout places;
  std::vector<int> registers;
};
struct SharedOrder {
  SharedSide writer, reader;
};

// `writer` and `reader` are layouts of one shape that cover it; an element takes `bytes` (a power of two up to 16).
SharedOrder OrderInShared(const LinearLayout& writer, const LinearLayout& reader, int bytes);

}  // namespace rocxla::triton
