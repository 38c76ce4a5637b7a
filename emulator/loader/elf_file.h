// The parts of an ELF file that loading needs, with every offset checked. Own reader: code objects come from anywhere,
// and no bytes may crash the host.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla::emu {

struct ElfSegment {
  uint64_t file_offset = 0, address = 0, file_bytes = 0, memory_bytes = 0;
  bool executable = false, writable = false;
};
struct ElfSymbol {
  std::string name;
  uint64_t value = 0, size = 0;
  bool defined = false;
};
struct ElfRelocation {
  uint64_t address = 0;
  uint32_t type = 0;
  uint32_t symbol = 0;  // index in symbols
  int64_t addend = 0;
};

struct ElfFile {
  uint8_t os_abi = 0, abi_version = 0;
  uint32_t flags = 0;
  std::vector<ElfSegment> segments;        // PT_LOAD only
  std::vector<ElfSymbol> symbols;          // .dynsym, or .symtab of a file without
  std::vector<ElfRelocation> relocations;  // of SHT_RELA sections that are loaded
  std::span<const uint8_t> metadata;       // descriptor of the AMDGPU metadata note; empty if there is none
};

// Error EmulatorBadCodeObject unless `image` is a 64-bit little-endian shared object for AMD GPUs whose tables lie
// inside it. The result points into `image`.
StatusOr<ElfFile> ReadElf(std::span<const uint8_t> image);

}  // namespace rocxla::emu
