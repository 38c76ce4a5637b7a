// The header of a .npy file: "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

struct NpyHeader {
  std::string descr;  // byte order ('<', '>', '|' or '=') and type code
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// Most dimensions that numpy's own arrays have.
inline constexpr int kMostNpyDimensions = 64;

// Reads the dictionary. BadNpy with the place in `origin` by the byte within `text`, from 0.
StatusOr<NpyHeader> ParseNpyHeader(std::string_view text, std::string_view origin);

// Writes it as numpy does, without the blanks that fill it up.
std::string NpyHeaderText(const NpyHeader& header);

}  // namespace rocxla
