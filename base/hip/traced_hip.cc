#include "base/hip/traced_hip.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "base/environment.h"
#include "base/error_ids.h"

namespace rocxla {
namespace {

struct Slot {
  std::string name;
  const HipApi* inner = nullptr;
  HipTraceSink sink = nullptr;
  HipApi traced;
};

struct Slots {
  std::mutex registration;
  int used = 0;  // guarded by registration
  std::array<Slot, kMaxTracedTables> slots;
  std::mutex writing;
};
Slots& GetSlots() {
  static auto* slots = new Slots;
  return *slots;
}

template <class T>
std::string TextOf(T value) {
  if constexpr (std::is_same_v<T, hipError_t>) {
    return HipErrorName(value);
  } else if constexpr (std::is_same_v<T, const char*>) {
    return value == nullptr ? "null" : fmt::format("\"{}\"", value);
  } else if constexpr (std::is_pointer_v<T>) {
    return fmt::format("{:#x}", reinterpret_cast<uintptr_t>(value));
  } else if constexpr (std::is_enum_v<T>) {
    return fmt::format("{}", static_cast<int>(value));
  } else {
    return fmt::format("{}", value);
  }
}

template <class... Args>
std::string ListOf(Args... args) {
  std::string list;
  ((list += (list.empty() ? "" : ", ") + TextOf(args)), ...);
  return list;
}

// One function per (table, HIP function): its own code stands for the missing context argument.
template <int kSlot, auto kMember, class Function>
struct Wrapper;
template <int kSlot, auto kMember, class Result, class... Args>
struct Wrapper<kSlot, kMember, Result (*)(Args...)> {
  static inline const char* name = nullptr;
  static Result Call(Args... args) {
    Slots& slots = GetSlots();
    const Slot& slot = slots.slots[kSlot];
    const Result result = (slot.inner->*kMember)(args...);
    const std::string line = fmt::format("{}: {}({}) = {}", slot.name, name, ListOf(args...), TextOf(result));
    std::lock_guard lock(slots.writing);
    slot.sink(line);
    return result;
  }
};

template <int kSlot, auto kMember, class Function>
Function Wrap(Function inner, const char* name) {
  if (inner == nullptr) return nullptr;  // what is optional and absent stays absent
  Wrapper<kSlot, kMember, Function>::name = name;
  return &Wrapper<kSlot, kMember, Function>::Call;
}

template <int kSlot>
void FillTable() {
  Slot& slot = GetSlots().slots[kSlot];
#define HIP_FN(result, fn, params, need) slot.traced.fn = Wrap<kSlot, &HipApi::fn>(slot.inner->fn, #fn);
#include "base/hip/hip_api.def"
#undef HIP_FN
  slot.traced.origin = slot.inner->origin;
}

template <int... kSlots>
void FillTable(int wanted, std::integer_sequence<int, kSlots...>) {
  ((wanted == kSlots ? FillTable<kSlots>() : void()), ...);
}

std::FILE*& TraceFile() {
  static std::FILE* file = nullptr;
  return file;
}
void WriteLine(std::string_view line) {
  std::FILE* file = TraceFile();
  // No fmt::print: what it throws when the file is full or closed would end the process, on any thread.
  std::fputs(fmt::format("{}\n", line).c_str(), file);
  std::fflush(file);  // the trace matters most when the next call crashes
}

}  // namespace

StatusOr<const HipApi*> TracedHip(std::string_view name, const HipApi* inner, HipTraceSink sink) {
  Slots& slots = GetSlots();
  std::lock_guard lock(slots.registration);
  if (slots.used == kMaxTracedTables) return ResourceExhaustedError("no more HIP tables can be traced");
  const int index = slots.used++;
  Slot& slot = slots.slots[index];
  slot.name = name;
  slot.inner = inner;
  slot.sink = sink;
  FillTable(index, std::make_integer_sequence<int, kMaxTracedTables>());
  return &slot.traced;
}

StatusOr<const HipApi*> TracedIfAsked(std::string_view name, const HipApi* inner) {
  const char* path = NonEmptyEnvironment(EnvironmentVariable::kROCXLA_HIP_TRACE);
  if (path == nullptr) return inner;
  static std::mutex opening;
  {
    std::lock_guard lock(opening);
    std::FILE*& file = TraceFile();
    if (file == nullptr) file = std::strcmp(path, "-") == 0 ? stderr : std::fopen(path, "w");
    if (file == nullptr) {
      return Error(ErrorId::kFileUnreadable, {.what = "the trace of HIP calls cannot be written",
                                              .where = fmt::format("ROCXLA_HIP_TRACE={}", path),
                                              .found = std::strerror(errno)});
    }
  }
  return TracedHip(name, inner, WriteLine);
}

}  // namespace rocxla
