// Triton IR executed as it is written: the meaning of a kernel, to hold the compiler against.
//
// Plain C++: MLIR does not show here. Nothing is shared with triton/plan and triton/lowering, and no device is needed.
//
// Programs of the grid run one after the other, x fastest, and operations in the order in which they are written:
//   integers    wrap
//   floats      each operation is rounded once to its type, to nearest even (math.fma of bf16: to f32, then to bf16);
//               functions of the math dialect beyond fma and sqrt are those of the host's long double, rounded.
//               Conversions to 8-bit floats saturate
//   reductions  combine elements in ascending order along the axis (scans with `reverse`: descending)
//   tt.dot      products and sums in double, rounded once to the result's type; integers wrap in the result's type
//   masks       what a masked load without `other` yields is zero, as AMD GPUs have it
//   tt.cat, tt.reshape allow_reorder    keep the order of elements
//
// What no definition fixes is *undefined*: the quotient by zero, a shift beyond the width, a float beyond the range of
// the integer it is converted to, the bits of a NaN, the sign of the greater of two zeros, the result of a masked
// atomic operation. Such values may be computed with and stored; the bytes that they leave are marked.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla::triton {

// What a pointer argument points to.
struct InterpretedBuffer {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> undefined = {};  // one flag for each byte; none set where it is shorter than `bytes`
};

// One argument of the kernel: the first byte of a buffer, or the bits of a number (low bits first).
struct InterpretedArgument {
  enum class Kind : uint8_t { kBuffer, kNumber };
  Kind kind;
  uint64_t value;  // the buffer's place in the list, or the number
};

struct InterpretedLaunch {
  std::array<int32_t, 3> grid{1, 1, 1};
  std::vector<InterpretedArgument> arguments;
  // Operations, counted as they run, after which the kernel is taken to be endless.
  uint64_t operation_limit = uint64_t{1} << 32;
};

// Runs the one public tt.func of a module on `buffers`, which hold afterwards what the kernel wrote; after an error,
// what it had written until then. `file_name` names the text in messages.
//
// Errors: TritonSyntax when the text does not parse or verify; TritonUnsupportedOp, naming the operation, for what has
// no meaning here (inline assembly, device library functions other than those of the math dialect); FailedPrecondition,
// naming operation and place, for an access outside the buffers, a tt.assert that fails, a branch or an address that
// depends on an undefined value, and a kernel that does not end.
Status Interpret(std::string_view ttir, std::string_view file_name, const InterpretedLaunch& launch,
                 std::span<InterpretedBuffer> buffers);

// Whether every operation of the module has a meaning here: OK, or the error of the first that has none.
Status CheckInterpretable(std::string_view ttir, std::string_view file_name);

}  // namespace rocxla::triton
