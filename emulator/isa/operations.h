// Turns the tables into C++: op::NAME is a struct with the operation's signature and its meaning, a template over the
// value domain. Include a domain (lanes.h or text.h) first; its functions must be visible here.
#pragma once
#include "emulator/isa/meanings.h"
#include "emulator/isa/op.h"

namespace rocxla::emu {

struct Nothing {};

namespace op {

#define MEANING(shape, name, sig, ...)                                                                \
  struct name {                                                                                       \
    static constexpr Shape kShape = Shape::shape;                                                     \
    using Sig = Signature<sig>;                                                                       \
    template <class A = Nothing, class B = Nothing, class C = Nothing, class D = Nothing>             \
    static auto Eval([[maybe_unused]] A a = {}, [[maybe_unused]] B b = {}, [[maybe_unused]] C c = {}, \
                     [[maybe_unused]] D d = {}) {                                                     \
      return __VA_ARGS__;                                                                             \
    }                                                                                                 \
  };
#define VECTOR(name, sig, ...) MEANING(kVector, name, sig, __VA_ARGS__)
#define SCALAR(name, sig, ...) MEANING(kScalar, name, sig, __VA_ARGS__)
#define BRANCH(name, sig, ...) MEANING(kBranch, name, sig, __VA_ARGS__)
#define WAVE(name, sig, ...)                                                                           \
  struct name {                                                                                        \
    static constexpr Shape kShape = Shape::kWave;                                                      \
    using Sig = Signature<sig>;                                                                        \
    template <class W, class A, class B = Nothing, class C = Nothing, class D = Nothing>               \
    static auto Eval(W& w, [[maybe_unused]] A a, [[maybe_unused]] B b = {}, [[maybe_unused]] C c = {}, \
                     [[maybe_unused]] D d = {}) {                                                      \
      return __VA_ARGS__;                                                                              \
    }                                                                                                  \
  };
#define JUMP(name)                                \
  struct name {                                   \
    static constexpr Shape kShape = Shape::kJump; \
  };
#define CONTROL(name, stop)                          \
  struct name {                                      \
    static constexpr Shape kShape = Shape::kControl; \
    static constexpr Stop kStop = Stop::stop;        \
  };
#define MEMORY(name, space, action, element, count, stride, half) \
  struct name {                                                   \
    static constexpr Shape kShape = Shape::kMemory;               \
    static constexpr Space kSpace = Space::space;                 \
    static constexpr Action kAction = Action::action;             \
    using Elem = element;                                         \
    static constexpr int kCount = count, kStride = stride;        \
    static constexpr Half kHalf = Half::half;                     \
  };
#define ATOMIC(name, space, element, data_count, ...)                                 \
  struct name {                                                                       \
    static constexpr Shape kShape = Shape::kAtomic;                                   \
    static constexpr Space kSpace = Space::space;                                     \
    using Elem = element;                                                             \
    static constexpr int kData = data_count;                                          \
    template <class E>                                                                \
    static E Eval([[maybe_unused]] E a, [[maybe_unused]] E b, [[maybe_unused]] E c) { \
      return __VA_ARGS__;                                                             \
    }                                                                                 \
  };
#define MATRIX(name, unit, m, k, blocks, a_type, b_type, result_type) \
  struct name {                                                       \
    static constexpr Shape kShape = Shape::kMatrix;                   \
    static constexpr MatrixKind kUnit = MatrixKind::unit;             \
    static constexpr int kM = m, kK = k, kBlocks = blocks;            \
    using A = a_type;                                                 \
    using B = b_type;                                                 \
    using D = result_type;                                            \
  };
#include "emulator/isa/atomic.def"
#include "emulator/isa/compare.def"
#include "emulator/isa/cross_lane.def"
#include "emulator/isa/matrix.def"
#include "emulator/isa/memory.def"
#include "emulator/isa/salu.def"
#include "emulator/isa/valu_convert.def"
#include "emulator/isa/valu_dot.def"
#include "emulator/isa/valu_f16.def"
#include "emulator/isa/valu_f32.def"
#include "emulator/isa/valu_f64.def"
#include "emulator/isa/valu_int.def"
#include "emulator/isa/valu_narrow.def"

#include "emulator/isa/undef.def"
#undef MEANING

}  // namespace op
}  // namespace rocxla::emu
