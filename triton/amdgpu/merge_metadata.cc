#include "triton/amdgpu/merge_metadata.h"

#include <cstring>

#include "base/error_ids.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELF.h"

namespace rocxla::triton {
namespace {

namespace elf = llvm::ELF;
using llvm::StringRef;
using llvm::msgpack::DocNode;
using File = llvm::object::ELFFile<llvm::object::ELF64LE>;

Status Broken(llvm::Error error) {
  return Error(ErrorId::kTritonCodegen, {.what = "an object to link is no well-formed ELF file",
                                         .found = llvm::toString(std::move(error)),
                                         .expected = "relocatable objects of CompileToObject"});
}

StatusOr<File> Open(std::span<const uint8_t> object) {
  auto file = File::create(StringRef(reinterpret_cast<const char*>(object.data()), object.size()));
  if (!file) return Broken(file.takeError());
  return *file;
}

// The MessagePack text of the object's metadata note.
StatusOr<StringRef> MetadataOf(const File& file) {
  auto sections = file.sections();
  if (!sections) return Broken(sections.takeError());
  for (const auto& section : *sections) {
    if (section.sh_type != elf::SHT_NOTE) continue;
    llvm::Error error = llvm::Error::success();
    for (const auto& note : file.notes(section, error)) {
      if (note.getName() != "AMDGPU" || note.getType() != elf::NT_AMDGPU_METADATA) continue;
      llvm::cantFail(std::move(error));
      return note.getDescAsStringRef(section.sh_addralign);
    }
    if (error) return Broken(std::move(error));
  }
  return Error(ErrorId::kTritonCodegen, {.what = "an object to link has no metadata note",
                                         .expected = "relocatable objects of CompileToObject"});
}

// What the maps of two objects both hold: kernels and print formats are appended, all else is the same in both.
int MergeConflict(DocNode* destination, DocNode source, DocNode key) {
  if (destination->getKind() != source.getKind()) return -1;
  bool list = key.isString() && (key.getString() == "amdhsa.kernels" || key.getString() == "amdhsa.printf");
  return list && destination->isArray() ? static_cast<int>(destination->getArray().size()) : 0;
}

std::vector<uint8_t> NoteBytes(StringRef description) {
  constexpr char kName[8] = "AMDGPU";  // 7 bytes with the terminator, padded to 8
  const uint32_t header[3] = {7, static_cast<uint32_t>(description.size()), elf::NT_AMDGPU_METADATA};
  std::vector<uint8_t> note(sizeof(header) + sizeof(kName) + (description.size() + 3) / 4 * 4);
  std::memcpy(note.data(), header, sizeof(header));
  std::memcpy(note.data() + sizeof(header), kName, sizeof(kName));
  std::memcpy(note.data() + sizeof(header) + sizeof(kName), description.data(), description.size());
  return note;
}

// An ELF file of three sections: none, .note, and the names.
std::vector<uint8_t> NoteObject(const File::Elf_Ehdr& like, const std::vector<uint8_t>& note) {
  constexpr char kNames[] = "\0.note\0.shstrtab";
  constexpr uint64_t kNoteName = 1, kNamesName = 7;
  uint64_t note_at = sizeof(elf::Elf64_Ehdr), names_at = note_at + note.size();
  uint64_t sections_at = (names_at + sizeof(kNames) + 7) / 8 * 8;
  elf::Elf64_Shdr sections[3] = {};
  sections[1] = {.sh_name = kNoteName,
                 .sh_type = elf::SHT_NOTE,
                 .sh_flags = elf::SHF_ALLOC,
                 .sh_addr = 0,
                 .sh_offset = note_at,
                 .sh_size = note.size(),
                 .sh_link = 0,
                 .sh_info = 0,
                 .sh_addralign = 4,
                 .sh_entsize = 0};
  sections[2] = {.sh_name = kNamesName,
                 .sh_type = elf::SHT_STRTAB,
                 .sh_flags = 0,
                 .sh_addr = 0,
                 .sh_offset = names_at,
                 .sh_size = sizeof(kNames),
                 .sh_link = 0,
                 .sh_info = 0,
                 .sh_addralign = 1,
                 .sh_entsize = 0};
  elf::Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, like.e_ident, sizeof(header.e_ident));
  header.e_type = elf::ET_REL;
  header.e_machine = elf::EM_AMDGPU;
  header.e_version = elf::EV_CURRENT;
  header.e_shoff = sections_at;
  header.e_flags = like.e_flags;
  header.e_ehsize = sizeof(elf::Elf64_Ehdr);
  header.e_shentsize = sizeof(elf::Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  std::vector<uint8_t> file(sections_at + sizeof(sections));
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + note_at, note.data(), note.size());
  std::memcpy(file.data() + names_at, kNames, sizeof(kNames));
  std::memcpy(file.data() + sections_at, sections, sizeof(sections));
  return file;
}

}  // namespace

StatusOr<std::vector<uint8_t>> MergedMetadataObject(std::span<const std::span<const uint8_t>> objects) {
  if (objects.empty()) return Error(ErrorId::kTritonCodegen, {.what = "there is no object to link"});
  llvm::msgpack::Document merged;
  for (std::span<const uint8_t> object : objects) {
    ASSIGN_OR_RETURN(File file, Open(object));
    ASSIGN_OR_RETURN(StringRef metadata, MetadataOf(file));
    if (!merged.readFromBlob(metadata, /*Multi=*/false, MergeConflict))
      return Error(ErrorId::kTritonCodegen, {.what = "the metadata of the objects to link cannot be merged",
                                             .expected = "objects for one target and code object version"});
  }
  std::string description;
  merged.writeToBlob(description);
  ASSIGN_OR_RETURN(File first, Open(objects[0]));
  return NoteObject(first.getHeader(), NoteBytes(description));
}

StatusOr<std::vector<uint8_t>> WithoutNotes(std::span<const uint8_t> object) {
  ASSIGN_OR_RETURN(File file, Open(object));
  auto sections = file.sections();
  if (!sections) return Broken(sections.takeError());
  std::vector<uint8_t> copy(object.begin(), object.end());
  for (const auto& section : *sections) {
    if (section.sh_type != elf::SHT_NOTE) continue;
    uint64_t flags = section.sh_flags | elf::SHF_EXCLUDE;
    size_t header_at = reinterpret_cast<const uint8_t*>(&section) - object.data();
    std::memcpy(copy.data() + header_at + offsetof(elf::Elf64_Shdr, sh_flags), &flags, sizeof(flags));
  }
  return copy;
}

}  // namespace rocxla::triton
