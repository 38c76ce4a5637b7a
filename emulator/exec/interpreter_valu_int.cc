#include "emulator/exec/interpreter_vector.h"

namespace rocxla::emu {

Handler PickFrom_valu_int(const Micro& micro, int lanes) {
  switch (micro.op) {
#define VECTOR(name, ...) \
  case Op::name:          \
    return PickVector<op::name>(micro, lanes);
#include "emulator/isa/valu_int.def"

#include "emulator/isa/undef.def"
    default:
      return nullptr;
  }
}

}  // namespace rocxla::emu
