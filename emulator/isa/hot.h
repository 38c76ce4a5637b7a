// IsHot<op::NAME>: whether hot.def lists the operation.
#pragma once
#include "emulator/isa/operations.h"

namespace rocxla::emu {

template <class O>
inline constexpr bool IsHot = false;
#define HOT(name) \
  template <>     \
  inline constexpr bool IsHot<op::name> = true;
#include "emulator/isa/hot.def"
#undef HOT

}  // namespace rocxla::emu
