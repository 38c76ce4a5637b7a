#include "emulator/exec/variants.h"

#include "emulator/exec/executable.h"
#include "emulator/exec/host_calls.h"
#include "emulator/observe/observer.h"

// The declarations of code.h, as each compilation of the interpreter sees them.
#define DECLARE_VARIANT(variant)          \
  namespace rocxla_##variant::emu {       \
    struct Micro;                         \
    using Handler = rocxla::emu::Handler; \
    Handler CountHandler();               \
    Handler StepHandler();
#define TABLE(name) Handler PickFrom_##name(const Micro& micro, int lanes);
DECLARE_VARIANT(avx2)
#include "emulator/isa/tables.def"
}  // namespace rocxla_avx2::emu
DECLARE_VARIANT(avx512)
#include "emulator/isa/tables.def"
}  // namespace rocxla_avx512::emu
#undef TABLE

namespace rocxla::emu {
namespace {

#define PICK(variant)                                                                \
  Handler PickFor_##variant(const Micro& micro, int lanes) {                         \
    const auto& same = reinterpret_cast<const rocxla_##variant::emu::Micro&>(micro); \
    switch (Info(micro.op).table) {
#define TABLE_OF(variant, name) \
  case Table::name:             \
    return rocxla_##variant::emu::PickFrom_##name(same, lanes);

PICK(avx2)
#define TABLE(name) TABLE_OF(avx2, name)
#include "emulator/isa/tables.def"
#undef TABLE
}
return nullptr;
}

PICK(avx512)
#define TABLE(name) TABLE_OF(avx512, name)
#include "emulator/isa/tables.def"
#undef TABLE
}
return nullptr;
}

}  // namespace

HostIsa BestHostIsa() {
  static const HostIsa best = [] {
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    return !avx2 ? HostIsa::kNone : avx512 ? HostIsa::kAvx512 : HostIsa::kAvx2;
  }();
  return best;
}

const HandlerSet& Handlers() {
  static const HandlerSet avx2 = {&PickFor_avx2, rocxla_avx2::emu::CountHandler(), rocxla_avx2::emu::StepHandler()};
  static const HandlerSet avx512 = {&PickFor_avx512, rocxla_avx512::emu::CountHandler(),
                                    rocxla_avx512::emu::StepHandler()};
  return BestHostIsa() == HostIsa::kAvx512 ? avx512 : avx2;
}

}  // namespace rocxla::emu

extern "C" {

bool rocxla_emu_find(const void* memory, rocxla::emu::u64 address, rocxla::emu::u64* begin, rocxla::emu::u64* end,
                     bool* writable) {
  const auto* space = static_cast<const rocxla::emu::AddressSpace*>(memory);
  const auto part = space->FindPart(address);
  if (!part) return false;
  *begin = part->begin;
  *end = part->end;
  *writable = part->writable;
  return true;
}

const void* rocxla_emu_find_code(const void* jumps, rocxla::emu::u64 address) {
  return static_cast<const rocxla::emu::JumpTable*>(jumps)->Find(address);
}

void rocxla_emu_notify(void* observer, const void* wave, const void* access) {
  static_cast<rocxla::emu::Observer*>(observer)->OnAccess(*static_cast<const rocxla::emu::Wave*>(wave),
                                                          *static_cast<const rocxla::emu::MemoryAccess*>(access));
}
}
