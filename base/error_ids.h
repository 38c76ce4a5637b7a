// The numbers of all errors. Apart from status.h, so that a new error does not rebuild everything.
#pragma once
#include <cstdint>

#include "base/status.h"

namespace rocxla {

// One enumerator per row of error_codes.def; its value is the number that users see ("E1001").
enum class ErrorId : uint16_t {
  kNone = 0,
#define ERROR_CODE(number, name, code, summary) k##name = number,
#include "base/error_codes.def"
#undef ERROR_CODE
};

}  // namespace rocxla
