// What a code object (HSACO) says about itself, read without any AMD library: its size, its target and its kernels'
// arguments. Format: LLVM's "User Guide for AMDGPU Backend", "ELF Code Object" and "Code Object Metadata".
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

// The bytes that the file's own headers cover, for interfaces that get a pointer without a size (hipModuleLoadData). 0
// when `image` is no 64-bit ELF file. Reads the ELF header and the section headers.
uint64_t CodeObjectSize(const void* image);

struct CodeObjectArgument {
  uint32_t offset;  // bytes into the kernel's argument segment
  uint32_t size;    // bytes
};
struct CodeObjectKernel {
  std::string name;
  std::vector<CodeObjectArgument> arguments;  // the explicit ones, in order
};
struct CodeObjectInfo {
  std::string target;  // "gfx942", with features as in "gfx90a:sramecc+:xnack-"
  std::vector<CodeObjectKernel> kernels;

  // Null when there is none of that name.
  const CodeObjectKernel* Find(std::string_view name) const;
};

// BadCodeObject when the bytes are not an AMD GPU code object with metadata, or are cut short.
StatusOr<CodeObjectInfo> ReadCodeObject(std::span<const uint8_t> image);

}  // namespace rocxla
