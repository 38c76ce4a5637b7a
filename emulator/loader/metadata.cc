#include "emulator/loader/metadata.h"

#include <fmt/format.h>

#include <algorithm>

#include "llvm/BinaryFormat/MsgPackDocument.h"

namespace rocxla::emu {
namespace {

using llvm::msgpack::DocNode;
using llvm::msgpack::MapDocNode;

Status Bad(std::string found) {
  return Error(ErrorId::kEmulatorBadCodeObject,
               {.what = "the metadata note of the code object cannot be used", .found = std::move(found)});
}

DocNode Lookup(MapDocNode& map, llvm::StringRef key) {
  auto it = map.find(key);
  return it == map.end() ? DocNode() : it->second;
}

// A missing number is zero: the format leaves out what is zero or does not apply.
uint32_t Number(MapDocNode& map, llvm::StringRef key) {
  DocNode node = Lookup(map, key);
  if (node.isEmpty()) return 0;
  if (node.getKind() == llvm::msgpack::Type::UInt) return static_cast<uint32_t>(node.getUInt());
  if (node.getKind() == llvm::msgpack::Type::Int) return static_cast<uint32_t>(node.getInt());
  return 0;
}

std::string Text(MapDocNode& map, llvm::StringRef key) {
  DocNode node = Lookup(map, key);
  bool text = !node.isEmpty() && node.getKind() == llvm::msgpack::Type::String;
  return text ? node.getString().str() : "";
}

StatusOr<std::vector<KernelArgument>> ReadArguments(MapDocNode& kernel) {
  std::vector<KernelArgument> arguments;
  DocNode list = Lookup(kernel, ".args");
  if (list.isEmpty()) return arguments;
  if (!list.isArray()) return Bad("'.args' is no list");
  for (DocNode& item : list.getArray()) {
    if (!item.isMap()) return Bad("an argument is no map");
    MapDocNode& map = item.getMap();
    arguments.push_back({.name = Text(map, ".name"),
                         .value_kind = Text(map, ".value_kind"),
                         .offset = Number(map, ".offset"),
                         .size = Number(map, ".size")});
  }
  std::sort(arguments.begin(), arguments.end(), [](auto& a, auto& b) { return a.offset < b.offset; });
  return arguments;
}

StatusOr<KernelRecord> ReadKernel(MapDocNode& map) {
  KernelRecord record{.name = Text(map, ".name"), .symbol = Text(map, ".symbol")};
  if (record.symbol.empty()) return Bad("a kernel has no '.symbol'");
  KernelMetadata& m = record.metadata;
  ASSIGN_OR_RETURN(m.arguments, ReadArguments(map));
  m.kernarg_segment_size = Number(map, ".kernarg_segment_size");
  m.kernarg_segment_align = std::max(8u, Number(map, ".kernarg_segment_align"));
  m.max_flat_workgroup_size = Number(map, ".max_flat_workgroup_size");
  m.static_lds_bytes = Number(map, ".group_segment_fixed_size");
  m.private_segment_bytes = Number(map, ".private_segment_fixed_size");
  m.wavefront_size = Number(map, ".wavefront_size");
  m.vgpr_count = Number(map, ".vgpr_count");
  m.sgpr_count = Number(map, ".sgpr_count");
  m.agpr_count = Number(map, ".agpr_count");
  m.vgpr_spills = Number(map, ".vgpr_spill_count");
  m.sgpr_spills = Number(map, ".sgpr_spill_count");
  for (const KernelArgument& argument : m.arguments) {
    if (uint64_t{argument.offset} + argument.size > m.kernarg_segment_size) {
      return Bad(fmt::format("an argument of kernel '{}' lies outside its kernarg segment", record.name));
    }
  }
  constexpr uint32_t kMaxKernargBytes = 1 << 16;
  if (m.kernarg_segment_size > kMaxKernargBytes) {
    return Bad(fmt::format("kernel '{}' has {} bytes of arguments", record.name, m.kernarg_segment_size));
  }
  return record;
}

}  // namespace

uint32_t KernelMetadata::explicit_bytes() const {
  uint32_t end = 0;
  for (const KernelArgument& a : arguments) {
    if (!a.is_hidden()) end = std::max(end, a.offset + a.size);
  }
  return end;
}

StatusOr<std::vector<KernelRecord>> ReadMetadata(std::span<const uint8_t> note) {
  llvm::msgpack::Document document;
  llvm::StringRef blob(reinterpret_cast<const char*>(note.data()), note.size());
  if (!document.readFromBlob(blob, /*Multi=*/false)) return Bad("it is not well-formed MessagePack");
  if (!document.getRoot().isMap()) return Bad("its root is no map");
  MapDocNode& root = document.getRoot().getMap();
  DocNode list = Lookup(root, "amdhsa.kernels");
  std::vector<KernelRecord> kernels;
  if (list.isEmpty()) return kernels;
  if (!list.isArray()) return Bad("'amdhsa.kernels' is no list");
  for (DocNode& item : list.getArray()) {
    if (!item.isMap()) return Bad("a kernel is no map");
    ASSIGN_OR_RETURN(KernelRecord record, ReadKernel(item.getMap()));
    kernels.push_back(std::move(record));
  }
  return kernels;
}

}  // namespace rocxla::emu
