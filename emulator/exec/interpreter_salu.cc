// The scalar unit, branches and the ends of a wave's run.
#include "emulator/exec/host_calls.h"
#include "emulator/exec/interpreter.h"

namespace rocxla::emu {
namespace {

template <class T>
constexpr u32 Place(u32 offset) {
  if constexpr (Implicit<T>) return ScalarOffset(T::kImplicit);
  return offset;
}
template <class T>
auto Read(Wave* w, u32 offset) {
  if constexpr (std::is_same_v<T, Exec> || std::is_same_v<T, Vcc>)
    return ReadMask(w, Place<T>(offset));
  else if constexpr (std::is_same_v<T, Clock>)
    return w->executed;
  else
    return ReadScalar<T>(w, Place<T>(offset));
}
template <class T>
void Write(Wave* w, u32 offset, auto x) {
  if constexpr (std::is_same_v<T, Exec>)
    WriteMask(w, Place<T>(offset), x);
  else
    WriteScalar<T>(w, Place<T>(offset), x);
}

template <class O, class... R, class... S, size_t... I, size_t... J>
[[gnu::always_inline]] inline void Evaluate(const Code* ip, Wave* w, List<R...>, List<S...>, std::index_sequence<I...>,
                                            std::index_sequence<J...>) {
  auto results = AsTuple(O::Eval(Read<S>(w, ip->src[I])...));
  (Write<R>(w, ip->dst[J < 2 ? J : 0], std::get<J>(results)), ...);
}
template <class O, bool writes_exec>
HANDLER RunScalar(const Code* ip, Wave* w, u64 exec) {
  using Sig = typename O::Sig;
  Evaluate<O>(ip, w, typename Sig::Results{}, typename Sig::Sources{}, std::make_index_sequence<Sig::Sources::kSize>{},
              std::make_index_sequence<Sig::Results::kSize>{});
  if constexpr (writes_exec) exec = w->Mask(kExec);
  NEXT;
}

template <class O, class... S>
bool Condition(Wave* w, List<S...>) {
  return O::Eval(Read<S>(w, 0)...);
}
template <class O>
HANDLER RunBranch(const Code* ip, Wave* w, u64 exec) {
  w->executed += ip->weight;
  if (Condition<O>(w, typename O::Sig::Sources{})) {
    if (w->executed >= w->pause_at) [[unlikely]] {
      w->stop = Stop::kPreempted;
      w->branch = ip->micro;
      w->pc = ip->target->micro;
      return;
    }
    GOTO(ip->target);
  }
  NEXT;
}

// To the device address in the source. May be the end of a loop: gives others a turn like a branch.
HANDLER RunJump(const Code* ip, Wave* w, u64 exec) {
  w->executed += ip->weight;
  u64 address = ReadPair(w, ip->src[0]);
  const auto* target = static_cast<const Code*>(rocxla_emu_find_code(w->jumps, address));
  if (target == nullptr) [[unlikely]] {
    w->stop = Stop::kUnknownCode;
    w->jump_address = address;
    w->pc = ip->micro;
    return;
  }
  if (w->executed >= w->pause_at) [[unlikely]] {
    w->stop = Stop::kPreempted;
    w->branch = ip->micro;
    w->pc = target->micro;
    return;
  }
  GOTO(target);
}

template <class O>
HANDLER RunControl(const Code* ip, Wave* w, u64) {
  w->executed += ip->weight;
  if (O::kStop == Stop::kFault) return StopAt(w, ip, FaultKind::kInstruction);
  w->stop = O::kStop;
  w->pc = ip->micro + GoesOn(O::kStop);
}

HANDLER RunCount(const Code* ip, Wave* w, u64 exec) {
  w->executed += ip->weight;
  NEXT;
}
HANDLER RunStep(const Code* ip, Wave* w, u64) {
  w->stop = Stop::kStep;
  w->pc = ip->micro;
}

template <class... R>
constexpr bool NamesExec(List<R...>) {
  return (std::is_same_v<R, Exec> || ...);
}
template <class O>
Handler PickScalar(const Micro& m) {
  bool to_exec = m.dst[0].kind == Operand::kScalar && (m.dst[0].index | 1) == kExec + 1;
  return to_exec || NamesExec(typename O::Sig::Results{}) ? &RunScalar<O, true> : &RunScalar<O, false>;
}

}  // namespace

Handler CountHandler() { return &RunCount; }
Handler StepHandler() { return &RunStep; }

Handler PickFrom_salu(const Micro& micro, int) {
  switch (micro.op) {
#define SCALAR(name, ...) \
  case Op::name:          \
    return PickScalar<op::name>(micro);
#define BRANCH(name, ...) \
  case Op::name:          \
    return &RunBranch<op::name>;
#define JUMP(name) \
  case Op::name:   \
    return &RunJump;
#define CONTROL(name, ...) \
  case Op::name:           \
    return &RunControl<op::name>;
#include "emulator/isa/salu.def"

#include "emulator/isa/undef.def"
    default:
      return nullptr;
  }
}

}  // namespace rocxla::emu
