#include "base/hip/code_object_info.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error_ids.h"

namespace rocxla {
namespace {

using nlohmann::json;

constexpr uint32_t kMetadataNote = 32;    // NT_AMDGPU_METADATA, of vendor "AMDGPU"
constexpr uint16_t kAmdGpuMachine = 224;  // EM_AMDGPU
constexpr std::string_view kTriple = "amdgcn-amd-amdhsa--";

Status Bad(std::string found) {
  return Error(ErrorId::kBadCodeObject,
               {.what = "the bytes are not an AMD GPU code object",
                .found = std::move(found),
                .expected = "a 64-bit ELF file for AMDGPU with a metadata note, as clang, Triton or rocXLA write"});
}

template <class T>
T ReadAt(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

bool IsElf64(const uint8_t* bytes) { return std::memcmp(bytes, ELFMAG "\x02\x01", SELFMAG + 2) == 0; }

bool Contains(std::span<const uint8_t> image, uint64_t offset, uint64_t size) {
  return offset <= image.size() && size <= image.size() - offset;
}

uint64_t RoundUp4(uint64_t n) { return (n + 3) & ~uint64_t{3}; }

// The metadata's bytes within one note section.
std::optional<std::span<const uint8_t>> FindMetadata(std::span<const uint8_t> notes) {
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    const auto header = ReadAt<Elf64_Nhdr>(notes.data());
    const uint64_t name_bytes = RoundUp4(header.n_namesz), text_bytes = RoundUp4(header.n_descsz);
    if (!Contains(notes, sizeof(header), name_bytes + header.n_descsz)) return std::nullopt;
    const std::string_view vendor(reinterpret_cast<const char*>(notes.data()) + sizeof(header), header.n_namesz);
    if (header.n_type == kMetadataNote && vendor.starts_with("AMDGPU")) {
      return notes.subspan(sizeof(header) + name_bytes, header.n_descsz);
    }
    notes = notes.subspan(std::min<uint64_t>(notes.size(), sizeof(header) + name_bytes + text_bytes));
  }
  return std::nullopt;
}

StatusOr<std::span<const uint8_t>> MetadataOf(std::span<const uint8_t> image) {
  if (image.size() < sizeof(Elf64_Ehdr) || !IsElf64(image.data())) return Bad("no 64-bit ELF header");
  const auto header = ReadAt<Elf64_Ehdr>(image.data());
  if (header.e_machine != kAmdGpuMachine) return Bad(fmt::format("an ELF file for machine {}", header.e_machine));
  const uint64_t table_bytes = uint64_t{header.e_shnum} * header.e_shentsize;
  if (header.e_shentsize != sizeof(Elf64_Shdr) || !Contains(image, header.e_shoff, table_bytes)) {
    return Bad(
        fmt::format("{} bytes, cut short: the section headers end at {}", image.size(), header.e_shoff + table_bytes));
  }
  for (int i = 0; i < header.e_shnum; ++i) {
    const auto section = ReadAt<Elf64_Shdr>(image.data() + header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type == SHT_NOBITS) continue;
    if (!Contains(image, section.sh_offset, section.sh_size)) return Bad(fmt::format("section {} is cut short", i));
    if (section.sh_type != SHT_NOTE) continue;
    if (auto metadata = FindMetadata(image.subspan(section.sh_offset, section.sh_size))) return *metadata;
  }
  return Bad("no metadata note");
}

const json* Member(const json& object, const char* name) {
  const auto it = object.is_object() ? object.find(name) : object.end();
  return it == object.end() ? nullptr : &*it;
}
std::string StringMember(const json& object, const char* name) {
  const json* member = Member(object, name);
  return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}
std::optional<uint32_t> UintMember(const json& object, const char* name) {
  const json* member = Member(object, name);
  if (member == nullptr || !member->is_number_unsigned()) return std::nullopt;
  return member->get<uint32_t>();
}

StatusOr<CodeObjectKernel> ReadKernel(const json& kernel) {
  CodeObjectKernel result{StringMember(kernel, ".name"), {}};
  if (result.name.empty()) return Bad("metadata of a kernel without a name");
  const json* arguments = Member(kernel, ".args");
  if (arguments == nullptr) return result;
  for (const json& argument : *arguments) {
    if (StringMember(argument, ".value_kind").starts_with("hidden_")) continue;
    const auto offset = UintMember(argument, ".offset"), size = UintMember(argument, ".size");
    if (!offset || !size) return Bad(fmt::format("kernel '{}': an argument without offset or size", result.name));
    result.arguments.push_back({*offset, *size});
  }
  return result;
}

}  // namespace

uint64_t CodeObjectSize(const void* image) {
  const auto* bytes = static_cast<const uint8_t*>(image);
  if (!IsElf64(bytes)) return 0;
  const auto header = ReadAt<Elf64_Ehdr>(bytes);
  uint64_t end = sizeof(header);
  end = std::max<uint64_t>(end, header.e_phoff + uint64_t{header.e_phnum} * header.e_phentsize);
  end = std::max<uint64_t>(end, header.e_shoff + uint64_t{header.e_shnum} * header.e_shentsize);
  if (header.e_shentsize != sizeof(Elf64_Shdr)) return end;
  for (int i = 0; i < header.e_shnum; ++i) {
    const auto section = ReadAt<Elf64_Shdr>(bytes + header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOBITS) end = std::max<uint64_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

const CodeObjectKernel* CodeObjectInfo::Find(std::string_view name) const {
  const auto it = std::ranges::find(kernels, name, &CodeObjectKernel::name);
  return it == kernels.end() ? nullptr : &*it;
}

StatusOr<CodeObjectInfo> ReadCodeObject(std::span<const uint8_t> image) {
  ASSIGN_OR_RETURN(std::span<const uint8_t> bytes, MetadataOf(image));
  const json metadata = json::from_msgpack(bytes, /*strict=*/true, /*allow_exceptions=*/false);
  if (metadata.is_discarded()) return Bad("metadata that is not well-formed MessagePack");
  CodeObjectInfo info;
  info.target = StringMember(metadata, "amdhsa.target");
  if (info.target.starts_with(kTriple)) info.target.erase(0, kTriple.size());
  const json* kernels = Member(metadata, "amdhsa.kernels");
  if (kernels == nullptr || !kernels->is_array()) return Bad("metadata without a list of kernels");
  for (const json& kernel : *kernels) {
    ASSIGN_OR_RETURN(CodeObjectKernel read, ReadKernel(kernel));
    info.kernels.push_back(std::move(read));
  }
  return info;
}

}  // namespace rocxla
