// Reads the AMDGPU metadata note (MessagePack) of an object. Source: "User Guide for AMDGPU Backend", code object
// metadata.
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELFObjectFile.h"
#include "triton/amdgpu/codegen.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

using Elf = object::ELFFile<object::ELF64LE>;

StatusOr<StringRef> MetadataNote(StringRef bytes) {
  auto elf = Elf::create(bytes);
  if (!elf) return InternalError(toString(elf.takeError()));
  auto sections = elf->sections();
  if (!sections) return InternalError(toString(sections.takeError()));
  for (const auto& section : *sections) {
    if (section.sh_type != ELF::SHT_NOTE) continue;
    llvm::Error error = llvm::Error::success();
    for (const auto& note : elf->notes(section, error)) {
      if (note.getName() != "AMDGPU" || note.getType() != ELF::NT_AMDGPU_METADATA) continue;
      consumeError(std::move(error));
      return note.getDescAsStringRef(section.sh_addralign);
    }
    if (error) return InternalError(toString(std::move(error)));
  }
  return InternalError("the object has no AMDGPU metadata");
}

}  // namespace

StatusOr<KernelMetadata> ReadKernelMetadata(std::span<const uint8_t> object) {
  ASSIGN_OR_RETURN(StringRef note,
                   MetadataNote(StringRef(reinterpret_cast<const char*>(object.data()), object.size())));
  msgpack::Document document;
  if (!document.readFromBlob(note, false)) return InternalError("the AMDGPU metadata is not well formed");
  msgpack::DocNode kernels = document.getRoot().getMap(true)["amdhsa.kernels"];
  if (!kernels.isArray() || kernels.getArray().size() != 1) return InternalError("the object does not have one kernel");
  msgpack::MapDocNode kernel = kernels.getArray()[0].getMap(true);
  auto number = [&](StringRef key) {
    auto found = kernel.find(key);
    if (found == kernel.end()) return 0;
    return static_cast<int>(found->second.getKind() == msgpack::Type::UInt ? found->second.getUInt()
                                                                           : found->second.getInt());
  };
  return KernelMetadata{.vgprs = number(".vgpr_count"),
                        .agprs = number(".agpr_count"),
                        .sgprs = number(".sgpr_count"),
                        .vgpr_spills = number(".vgpr_spill_count"),
                        .sgpr_spills = number(".sgpr_spill_count"),
                        .scratch_bytes = number(".private_segment_fixed_size"),
                        .kernarg_bytes = number(".kernarg_segment_size"),
                        .static_lds_bytes = number(".group_segment_fixed_size")};
}

}  // namespace rocxla::triton
