// Reads the metadata note of a code object: MessagePack, "Code Object V5 Metadata" in LLVM's AMDGPU user guide.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {

struct KernelRecord {
  std::string name;
  std::string symbol;  // of the kernel descriptor: "NAME.kd"
  KernelMetadata metadata;
};

// The kernels of the note, in its order. Error EmulatorBadCodeObject.
StatusOr<std::vector<KernelRecord>> ReadMetadata(std::span<const uint8_t> note);

}  // namespace rocxla::emu
