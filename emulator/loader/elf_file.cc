#include "emulator/loader/elf_file.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error_ids.h"
#include "llvm/BinaryFormat/ELF.h"

namespace rocxla::emu {
namespace {

namespace elf = llvm::ELF;

Status Bad(std::string found, std::string expected = "") {
  return Error(
      ErrorId::kEmulatorBadCodeObject,
      {.what = "the bytes are no loadable code object", .found = std::move(found), .expected = std::move(expected)});
}

bool Inside(std::span<const uint8_t> image, uint64_t offset, uint64_t bytes) {
  return offset <= image.size() && bytes <= image.size() - offset;
}

// A copy of the structure at `offset`: files do not align them.
template <class T>
StatusOr<T> Read(std::span<const uint8_t> image, uint64_t offset, std::string_view what) {
  if (!Inside(image, offset, sizeof(T))) return Bad(fmt::format("the {} lies outside the file", what));
  T value;
  std::memcpy(&value, image.data() + offset, sizeof value);
  return value;
}

template <class T>
StatusOr<std::vector<T>> ReadTable(std::span<const uint8_t> image, uint64_t offset, uint64_t count,
                                   std::string_view what) {
  if (count > image.size() / sizeof(T) || !Inside(image, offset, count * sizeof(T))) {
    return Bad(fmt::format("the {} lies outside the file", what));
  }
  std::vector<T> table(count);
  if (count > 0) std::memcpy(table.data(), image.data() + offset, count * sizeof(T));
  return table;
}

Status CheckHeader(std::span<const uint8_t> image, const elf::Elf64_Ehdr& header) {
  if (std::memcmp(header.e_ident, "\177ELF", 4) != 0) {
    bool fat = image.size() >= 24 && std::memcmp(image.data(), "__CLANG_OFFLOAD_BUNDLE__", 24) == 0;
    return Bad(fat ? "an offload bundle" : fmt::format("{} bytes that do not begin with the ELF magic", image.size()),
               fat ? "a single code object (hipModuleLoadData takes bundles)" : "an ELF file (HSACO)");
  }
  if (header.e_ident[elf::EI_CLASS] != elf::ELFCLASS64 || header.e_ident[elf::EI_DATA] != elf::ELFDATA2LSB) {
    return Bad("an ELF file that is not 64-bit little-endian");
  }
  if (header.e_machine != elf::EM_AMDGPU) {
    return Bad(fmt::format("an ELF file for machine {}", header.e_machine),
               fmt::format("{} (AMD GPU)", +elf::EM_AMDGPU));
  }
  if (header.e_type != elf::ET_DYN) {
    return Bad(fmt::format("ELF type {}", header.e_type), fmt::format("{} (a linked shared object)", +elf::ET_DYN));
  }
  return OkStatus();
}

// Finds the descriptor of the NT_AMDGPU_METADATA note in the contents of a PT_NOTE segment.
std::span<const uint8_t> FindMetadataNote(std::span<const uint8_t> notes) {
  constexpr size_t kHeaderBytes = 12;
  auto word = [&](size_t at) {
    uint32_t value;
    std::memcpy(&value, notes.data() + at, sizeof value);
    return value;
  };
  auto aligned = [](uint64_t n) { return (n + 3) & ~uint64_t{3}; };
  for (uint64_t at = 0; at + kHeaderBytes <= notes.size();) {
    uint64_t name_bytes = word(at), descriptor_bytes = word(at + 4);
    uint32_t type = word(at + 8);
    uint64_t descriptor = at + kHeaderBytes + aligned(name_bytes);
    if (!Inside(notes, descriptor, descriptor_bytes)) break;
    bool amdgpu = name_bytes >= 6 && std::memcmp(notes.data() + at + kHeaderBytes, "AMDGPU", 6) == 0;
    if (amdgpu && type == elf::NT_AMDGPU_METADATA) return notes.subspan(descriptor, descriptor_bytes);
    at = descriptor + aligned(descriptor_bytes);
  }
  return {};
}

Status ReadSegments(std::span<const uint8_t> image, const elf::Elf64_Ehdr& header, ElfFile& out) {
  ASSIGN_OR_RETURN(auto table,
                   ReadTable<elf::Elf64_Phdr>(image, header.e_phoff, header.e_phnum, "program header table"));
  for (const elf::Elf64_Phdr& p : table) {
    if (p.p_type != elf::PT_LOAD && p.p_type != elf::PT_NOTE) continue;
    if (!Inside(image, p.p_offset, p.p_filesz)) return Bad("a segment lies outside the file");
    if (p.p_type == elf::PT_NOTE && out.metadata.empty()) {
      out.metadata = FindMetadataNote(image.subspan(p.p_offset, p.p_filesz));
    }
    if (p.p_type != elf::PT_LOAD) continue;
    if (p.p_memsz < p.p_filesz) return Bad("a segment is smaller in memory than in the file");
    out.segments.push_back(
        {p.p_offset, p.p_vaddr, p.p_filesz, p.p_memsz, (p.p_flags & elf::PF_X) != 0, (p.p_flags & elf::PF_W) != 0});
  }
  if (out.segments.empty()) return Bad("a file without loadable segments");
  return OkStatus();
}

Status ReadSymbols(std::span<const uint8_t> image, const elf::Elf64_Shdr& section, const elf::Elf64_Shdr& strings,
                   ElfFile& out) {
  ASSIGN_OR_RETURN(auto table, ReadTable<elf::Elf64_Sym>(image, section.sh_offset,
                                                         section.sh_size / sizeof(elf::Elf64_Sym), "symbol table"));
  if (!Inside(image, strings.sh_offset, strings.sh_size)) return Bad("the string table lies outside the file");
  std::string_view text(reinterpret_cast<const char*>(image.data()) + strings.sh_offset, strings.sh_size);
  for (const elf::Elf64_Sym& s : table) {
    if (s.st_name > text.size()) return Bad("a symbol's name lies outside the string table");
    std::string_view name = text.substr(s.st_name);
    name = name.substr(0, name.find('\0'));
    out.symbols.push_back({std::string(name), s.st_value, s.st_size, s.st_shndx != elf::SHN_UNDEF});
  }
  return OkStatus();
}

Status ReadSections(std::span<const uint8_t> image, const elf::Elf64_Ehdr& header, ElfFile& out) {
  if (header.e_shoff == 0) return Bad("a file without section headers");
  ASSIGN_OR_RETURN(auto table,
                   ReadTable<elf::Elf64_Shdr>(image, header.e_shoff, header.e_shnum, "section header table"));
  const elf::Elf64_Shdr* symbols = nullptr;
  for (const elf::Elf64_Shdr& s : table) {
    if (s.sh_type == elf::SHT_DYNSYM || (s.sh_type == elf::SHT_SYMTAB && symbols == nullptr)) symbols = &s;
  }
  if (symbols == nullptr) return Bad("a file without symbol table");
  if (symbols->sh_link >= table.size()) return Bad("the symbol table names no string table");
  RETURN_IF_ERROR(ReadSymbols(image, *symbols, table[symbols->sh_link], out));
  for (const elf::Elf64_Shdr& s : table) {
    if (s.sh_type != elf::SHT_RELA || (s.sh_flags & elf::SHF_ALLOC) == 0) continue;
    ASSIGN_OR_RETURN(
        auto relocations,
        ReadTable<elf::Elf64_Rela>(image, s.sh_offset, s.sh_size / sizeof(elf::Elf64_Rela), "relocation table"));
    for (const elf::Elf64_Rela& r : relocations) {
      uint32_t symbol = static_cast<uint32_t>(r.r_info >> 32);
      if (symbol >= out.symbols.size() && symbol != 0) return Bad("a relocation names no symbol");
      out.relocations.push_back({r.r_offset, static_cast<uint32_t>(r.r_info), symbol, r.r_addend});
    }
  }
  return OkStatus();
}

}  // namespace

StatusOr<ElfFile> ReadElf(std::span<const uint8_t> image) {
  if (image.size() < sizeof(elf::Elf64_Ehdr)) {
    return Bad(fmt::format("{} bytes", image.size()), "at least an ELF header of 64 bytes");
  }
  ASSIGN_OR_RETURN(auto header, Read<elf::Elf64_Ehdr>(image, 0, "ELF header"));
  RETURN_IF_ERROR(CheckHeader(image, header));
  ElfFile out;
  out.os_abi = header.e_ident[elf::EI_OSABI];
  out.abi_version = header.e_ident[elf::EI_ABIVERSION];
  out.flags = header.e_flags;
  RETURN_IF_ERROR(ReadSegments(image, header, out));
  RETURN_IF_ERROR(ReadSections(image, header, out));
  return out;
}

}  // namespace rocxla::emu
