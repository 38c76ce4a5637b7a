// Reads the metadata note of a code object: MessagePack, "Code Object V5 Metadata" in LLVM's AMDGPU user guide.
#pragma once
#include <cstdint>
#include <map>
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

struct Metadata {
  std::vector<KernelRecord> kernels;               // in the note's order
  std::map<uint64_t, std::string> printf_formats;  // of HIP's printf through a buffer, by the number of the format
};
// Error EmulatorBadCodeObject.
StatusOr<Metadata> ReadMetadata(std::span<const uint8_t> note);

}  // namespace rocxla::emu
