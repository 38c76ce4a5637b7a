// The handlers of one lane-wise table. Compiled once per table, with ROCXLA_TABLE its name and ROCXLA_TABLE_FILE its
// file.
#include "emulator/exec/interpreter_vector.h"

#define JOIN(a, b) JOIN_EXPANDED(a, b)
#define JOIN_EXPANDED(a, b) a##b

namespace rocxla::emu {

Handler JOIN(PickFrom_, ROCXLA_TABLE)(const Micro& micro, int lanes) {
  switch (micro.op) {
#define VECTOR(name, ...) \
  case Op::name:          \
    return PickVector<op::name>(micro, lanes);
#include ROCXLA_TABLE_FILE

#include "emulator/isa/undef.def"
    default:
      return nullptr;
  }
}

}  // namespace rocxla::emu
