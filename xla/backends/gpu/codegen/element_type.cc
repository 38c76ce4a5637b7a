#include "xla/backends/gpu/codegen/element_type.h"

#include <fmt/format.h>

#include "base/error_ids.h"
#include "xla/backends/gpu/codegen/float8.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::gpu {
namespace {

std::string PlaceOf(const HloInstruction& instruction) {
  std::string text = instruction.ToString();
  return instruction.parent() ? fmt::format("{} in {}", text, instruction.parent()->name()) : text;
}

}  // namespace

Status UnsupportedType(PrimitiveType type, const HloInstruction& instruction, std::string_view expected) {
  return Error(ErrorId::kCompilerUnsupportedType,
               {.what = fmt::format("The GPU compiler cannot compute '{}' with elements of type {} yet.",
                                    HloOpcodeString(instruction.opcode()), PrimitiveTypeName(type)),
                .where = PlaceOf(instruction),
                .found = std::string(PrimitiveTypeName(type)),
                .expected = std::string(expected),
                .next = "Convert to one of these types."});
}

Status UnsupportedOpcode(const HloInstruction& instruction, std::string_view found) {
  return Error(ErrorId::kCompilerUnsupportedOpcode,
               {.what = fmt::format("The GPU compiler has no code generation for '{}' here yet.",
                                    HloOpcodeString(instruction.opcode())),
                .where = PlaceOf(instruction),
                .found = std::string(found),
                .next = "Rewrite the program without this operation."});
}

StatusOr<TtirElement> RegisterType(PrimitiveType type, const HloInstruction& instruction) {
  switch (type) {
    case PRED:
      return TtirElement::kI1;
    case S8:
    case U8:
      return TtirElement::kI8;
    case S16:
    case U16:
      return TtirElement::kI16;
    case S32:
    case U32:
      return TtirElement::kI32;
    case S64:
    case U64:
      return TtirElement::kI64;
    case F16:
      return TtirElement::kF16;
    case BF16:
      return TtirElement::kBF16;
    case F32:
      return TtirElement::kF32;
    case F64:
      return TtirElement::kF64;
    default:
      if (IsFloat8(type)) return TtirElement::kI8;  // its bits
      return UnsupportedType(type, instruction);
  }
}

StatusOr<TtirElement> MemoryType(PrimitiveType type, const HloInstruction& instruction) {
  if (type == PRED) return TtirElement::kI8;
  if (type == C64) return TtirElement::kF32;
  if (type == C128) return TtirElement::kF64;
  return RegisterType(type, instruction);
}

}  // namespace xla::gpu
