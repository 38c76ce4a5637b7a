// The kernels' metadata when several objects become one code object.
//
// Every object carries a note NT_AMDGPU_METADATA (MessagePack) that describes its kernel. A linker only puts the notes
// behind each other, and HIP reads the first note alone: the kernels of the others could not be launched. So the linker
// gets the objects without their notes, and one more object with a single note that describes all kernels. Source:
// LLVM's "User Guide for AMDGPU Backend", code object metadata.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"

namespace rocxla::triton {

// A relocatable object with nothing but the merged note; its ELF flags are those of the first object. InternalError for
// objects that are no AMDGPU ELF files or lack the note.
StatusOr<std::vector<uint8_t>> MergedMetadataObject(std::span<const std::span<const uint8_t>> objects);

// The object with its notes marked so that a linker leaves them out (SHF_EXCLUDE).
StatusOr<std::vector<uint8_t>> WithoutNotes(std::span<const uint8_t> object);

}  // namespace rocxla::triton
