// How HLO's element types appear in tile programs.
#pragma once
#include "xla/backends/gpu/codegen/status.h"
#include "xla/backends/gpu/codegen/ttir_builder.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::gpu {

// The type of values in registers: pred is i1, integers have no sign, 8-bit floats are their bits as i8.
// CompilerUnsupportedType, naming `instruction`, for the types that tile programs do not have yet.
StatusOr<TtirElement> RegisterType(PrimitiveType type, const HloInstruction& instruction);
// The same in memory: pred is i8; a complex number is two floats, its real part first.
StatusOr<TtirElement> MemoryType(PrimitiveType type, const HloInstruction& instruction);

// The errors of code generation; `instruction` is shown as HLO text with the computation around it. `expected`: the
// types that there is code for.
Status UnsupportedType(PrimitiveType type, const HloInstruction& instruction,
                       std::string_view expected = "pred, integers, or floats of 8 bits and more");
Status UnsupportedOpcode(const HloInstruction& instruction, std::string_view found);

}  // namespace xla::gpu
