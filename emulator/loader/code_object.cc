#include "emulator/loader/code_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error_ids.h"
#include "base/target/target_id.h"
#include "emulator/loader/debug_lines.h"
#include "emulator/loader/elf_file.h"
#include "emulator/loader/metadata.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DIContext.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"

namespace rocxla::emu {
namespace {

// What an image may be larger than its file: uninitialised variables. A corrupt size must not exhaust the host.
constexpr uint64_t kMaxUninitialised = uint64_t{128} << 20;

Status Bad(std::string what, std::string found, std::string expected = "") {
  return Error(ErrorId::kEmulatorBadCodeObject,
               {.what = std::move(what), .found = std::move(found), .expected = std::move(expected)});
}

std::string MachineName(uint32_t flags) {
  switch (flags & llvm::ELF::EF_AMDGPU_MACH) {
#define ELF_MACHINE(number, name) \
  case number:                    \
    return name;
#include "emulator/loader/elf_machines.def"
#undef ELF_MACHINE
    default:
      return fmt::format("processor {:#x}", flags & llvm::ELF::EF_AMDGPU_MACH);
  }
}

}  // namespace

// Builds a CodeObject step by step.
class CodeObjectLoader {
 public:
  CodeObjectLoader(std::span<const uint8_t> image, const GpuTarget& device, AddressSpace& memory)
      : object_(new CodeObject(device, memory)) {
    object_->image_.assign(image.begin(), image.end());
  }

  StatusOr<std::shared_ptr<CodeObject>> Run() {
    ASSIGN_OR_RETURN(elf_, ReadElf(object_->image_));
    RETURN_IF_ERROR(CheckTarget());
    RETURN_IF_ERROR(PlaceSegments());
    RETURN_IF_ERROR(Relocate());
    RETURN_IF_ERROR(AddKernels());
    KeepSymbols();
    return std::move(object_);
  }

 private:
  Status CheckTarget() {
    std::string machine = MachineName(elf_.flags);
    const auto code = ParseTargetId(machine), device = ParseTargetId(object_->target_.name);
    if (!code || !device || !TargetMatch(*code, *device)) {
      return Error(
          ErrorId::kEmulatorWrongTarget,
          {.what = fmt::format("the code object was compiled for {}, the device is {}", machine, object_->target_.name),
           .next = fmt::format("compile it for {}, or use a device of {}", object_->target_.name, machine)});
    }
    bool known = elf_.abi_version == llvm::ELF::ELFABIVERSION_AMDGPU_HSA_V5 ||
                 elf_.abi_version == llvm::ELF::ELFABIVERSION_AMDGPU_HSA_V6 ||
                 elf_.abi_version == llvm::ELF::ELFABIVERSION_AMDGPU_HSA_V4;
    if (elf_.os_abi != llvm::ELF::ELFOSABI_AMDGPU_HSA || !known) {
      return Bad("the code object has an unknown version",
                 fmt::format("OS ABI {}, ABI version {}", elf_.os_abi, elf_.abi_version),
                 "OS ABI 64 (AMD HSA), ABI version 2, 3 or 4 (code object V4, V5 or V6)");
    }
    return OkStatus();
  }

  Status PlaceSegments() {
    uint64_t first = ~uint64_t{0}, last = 0;
    uint64_t limit = object_->image_.size() + kMaxUninitialised;
    for (const ElfSegment& s : elf_.segments) {
      if (s.memory_bytes > limit || s.address > (uint64_t{1} << 40)) {
        return Bad("a segment is too large to be loaded", fmt::format("{} bytes at {:#x}", s.memory_bytes, s.address));
      }
      first = std::min(first, s.address);
      last = std::max(last, s.address + s.memory_bytes);
    }
    if (last - first > limit) {
      return Bad("the segments lie too far apart to be loaded", fmt::format("{} bytes in all", last - first));
    }
    object_->first_address_ = first;
    object_->loaded_bytes_ = last - first;
    ASSIGN_OR_RETURN(void* place, object_->memory_.Allocate(last - first, 4096, "code object"));
    object_->base_ = static_cast<uint8_t*>(place);
    std::memset(place, 0, last - first);
    for (const ElfSegment& s : elf_.segments) {
      uint8_t* begin = object_->base_ + (s.address - first);
      if (s.file_bytes != 0) std::memcpy(begin, object_->image_.data() + s.file_offset, s.file_bytes);
      // Code is decoded once: a kernel that changed it would go on with what it was.
      if (s.executable && !s.writable) RETURN_IF_ERROR(object_->memory_.MakeReadOnly(begin, s.memory_bytes));
    }
    return OkStatus();
  }

  // Where `bytes` bytes at an address of the file lie in device memory; null if they are not loaded.
  uint8_t* At(uint64_t address, uint64_t bytes) const {
    uint64_t offset = address - object_->first_address_;
    bool inside = address >= object_->first_address_ && offset <= object_->loaded_bytes_ &&
                  bytes <= object_->loaded_bytes_ - offset;
    return inside ? object_->base_ + offset : nullptr;
  }

  Status Relocate() {
    for (const ElfRelocation& r : elf_.relocations) {
      uint64_t value = 0;
      if (r.type == llvm::ELF::R_AMDGPU_RELATIVE64) {
        value = reinterpret_cast<uint64_t>(object_->base_) - object_->first_address_ + r.addend;
      } else if (r.type == llvm::ELF::R_AMDGPU_ABS64) {
        if (r.symbol >= elf_.symbols.size())
          return Bad("a relocation names a symbol that the code object does not have",
                     fmt::format("symbol {} of {}", r.symbol, elf_.symbols.size()));
        const ElfSymbol& symbol = elf_.symbols[r.symbol];
        if (!symbol.defined) return Bad("the code object needs a symbol that it does not define", symbol.name);
        value = reinterpret_cast<uint64_t>(object_->base_) - object_->first_address_ + symbol.value + r.addend;
      } else {
        return Bad("the code object has a relocation of unknown type",
                   fmt::format("type {} at {:#x}", r.type, r.address));
      }
      uint8_t* place = At(r.address, sizeof value);
      if (place == nullptr)
        return Bad("a relocation lies outside the loaded segments", fmt::format("{:#x}", r.address));
      std::memcpy(place, &value, sizeof value);
    }
    return OkStatus();
  }

  const ElfSymbol* Find(std::string_view name) const {
    for (const ElfSymbol& s : elf_.symbols) {
      if (s.defined && s.name == name) return &s;
    }
    return nullptr;
  }

  Status AddKernels() {
    if (elf_.metadata.empty()) return Bad("the code object has no metadata note", "");
    ASSIGN_OR_RETURN(Metadata metadata, ReadMetadata(elf_.metadata));
    for (KernelRecord& record : metadata.kernels) RETURN_IF_ERROR(AddKernel(record));
    object_->printf_formats_ = std::move(metadata.printf_formats);
    return OkStatus();
  }

  Status AddKernel(KernelRecord& record) {
    const ElfSymbol* symbol = Find(record.symbol);
    const uint8_t* place = symbol != nullptr ? At(symbol->value, sizeof(llvm::amdhsa::kernel_descriptor_t)) : nullptr;
    if (place == nullptr) return Bad(fmt::format("kernel '{}' has no descriptor", record.name), record.symbol);
    llvm::amdhsa::kernel_descriptor_t d;
    std::memcpy(&d, place, sizeof d);
    auto kernel = std::make_unique<Kernel>();
    kernel->descriptor = {
        d.group_segment_fixed_size, d.private_segment_fixed_size, d.kernarg_size,           d.compute_pgm_rsrc1,
        d.compute_pgm_rsrc2,        d.compute_pgm_rsrc3,          d.kernel_code_properties, d.kernarg_preload};
    uint64_t entry = symbol->value + d.kernel_code_entry_byte_offset;
    for (const ElfSegment& s : elf_.segments) {
      if (!s.executable || entry < s.address || entry >= s.address + s.memory_bytes) continue;
      kernel->code_begin = reinterpret_cast<uint64_t>(At(s.address, 0));
      kernel->code_end = kernel->code_begin + s.memory_bytes;
    }
    if (kernel->code_end == 0 || entry % 4 != 0) {
      return Bad(fmt::format("kernel '{}' does not begin in an executable segment", record.name),
                 fmt::format("entry {:#x}", entry));
    }
    kernel->entry = reinterpret_cast<uint64_t>(At(entry, 0));
    kernel->name = std::move(record.name);
    kernel->metadata = std::move(record.metadata);
    kernel->object = object_.get();
    object_->kernels_.push_back(std::move(kernel));
    return OkStatus();
  }

  void KeepSymbols() {
    for (const ElfSymbol& s : elf_.symbols) {
      if (!s.defined || s.name.empty() || At(s.value, s.size) == nullptr) continue;
      object_->symbols_.push_back({s.name, s.value, s.size});
    }
    std::sort(object_->symbols_.begin(), object_->symbols_.end(), [](auto& a, auto& b) { return a.name < b.name; });
  }

  std::shared_ptr<CodeObject> object_;
  ElfFile elf_;
};

StatusOr<std::shared_ptr<CodeObject>> CodeObject::Load(std::span<const uint8_t> image, const GpuTarget& device,
                                                       AddressSpace& memory) {
  return CodeObjectLoader(image, device, memory).Run();
}

CodeObject::~CodeObject() {
  if (base_ == nullptr) return;
  // Cannot fail: the loader allocated it and nobody else frees it.
  [[maybe_unused]] Status status = memory_.Free(base_);
}

std::vector<std::string> CodeObject::KernelNames() const {
  std::vector<std::string> names;
  for (const auto& kernel : kernels_) names.push_back(kernel->name);
  return names;
}

const Kernel* CodeObject::FindKernel(std::string_view name) const {
  for (const auto& kernel : kernels_) {
    if (kernel->name == name) return kernel.get();
  }
  return nullptr;
}

StatusOr<const Kernel*> CodeObject::GetKernel(std::string_view name) const {
  if (const Kernel* kernel = FindKernel(name)) return kernel;
  return Error(ErrorId::kEmulatorUnknownKernel,
               {.what = fmt::format("the code object has no kernel '{}'", name),
                .expected = fmt::format("one of: {}", fmt::join(KernelNames(), ", "))});
}

std::optional<Symbol> CodeObject::FindSymbol(std::string_view name) const {
  auto it =
      std::lower_bound(symbols_.begin(), symbols_.end(), name, [](auto& s, std::string_view n) { return s.name < n; });
  if (it == symbols_.end() || it->name != name) return std::nullopt;
  return Symbol{base_ + (it->value - first_address_), it->size};
}

std::optional<std::string_view> CodeObject::FindPrintfFormat(uint64_t id) const {
  auto it = printf_formats_.find(id);
  return it == printf_formats_.end() ? std::nullopt : std::optional<std::string_view>(it->second);
}

namespace {

// LLVM takes the size of a compressed section on trust, and ends the process when memory does not suffice.
bool HasHugeCompressedSection(const llvm::object::ObjectFile& object) {
  constexpr uint64_t kHuge = uint64_t{1} << 28;
  for (const llvm::object::SectionRef& section : object.sections()) {
    if (!section.isCompressed()) continue;
    auto contents = section.getContents();
    if (!contents) {
      llvm::consumeError(contents.takeError());
      return true;
    }
    llvm::ELF::Elf64_Chdr header;
    if (contents->size() < sizeof header) return true;
    std::memcpy(&header, contents->data(), sizeof header);
    if (header.ch_size > kHuge) return true;
  }
  return false;
}

}  // namespace

// The line is looked up in the line tables alone: LLVM's reader of `.debug_info`, which would say where each unit's
// table begins, follows offsets of a corrupt object anywhere.
std::string CodeObject::SourceLine(uint64_t device_address) const {
  uint64_t address = device_address - reinterpret_cast<uint64_t>(base_) + first_address_;
  llvm::StringRef bytes(reinterpret_cast<const char*>(image_.data()), image_.size());
  auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, "code object"));
  if (!object) {
    llvm::consumeError(object.takeError());
    return "";
  }
  if (HasHugeCompressedSection(**object)) return "";
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  auto dwarf = llvm::DWARFContext::create(**object, llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
                                          ignore, ignore);
  return SourceLineInTables(*dwarf, address);
}

}  // namespace rocxla::emu
