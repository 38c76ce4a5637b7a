#include "emulator/loader/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/error_ids.h"
#include "llvm/BinaryFormat/MsgPackReader.h"

namespace rocxla::emu {
namespace {

// A value of the note. LLVM's own document tree traps on malformed input; only its reader of single objects is used.
struct Node {
  enum Kind { kOther, kNumber, kText, kList, kMap } kind = kOther;
  uint64_t number = 0;
  std::string text;
  std::vector<Node> list;  // of a map: key, value, key, value, ...
};

Status Bad(std::string found) {
  return Error(ErrorId::kEmulatorBadCodeObject,
               {.what = "the metadata note of the code object cannot be used", .found = std::move(found)});
}

class NoteReader {
 public:
  explicit NoteReader(llvm::StringRef bytes) : reader_(bytes) {}

  StatusOr<Node> Read(int depth = 0) {
    constexpr int kMaxDepth = 16;
    llvm::msgpack::Object object;
    llvm::Expected<bool> read = reader_.read(object);
    if (!read || !*read || depth > kMaxDepth) {
      if (!read) llvm::consumeError(read.takeError());
      return Bad("it is not well-formed MessagePack");
    }
    Node node;
    switch (object.Kind) {
      case llvm::msgpack::Type::Int:
      case llvm::msgpack::Type::UInt:
        node.kind = Node::kNumber;
        node.number = object.UInt;
        break;
      case llvm::msgpack::Type::String:
        node.kind = Node::kText;
        node.text = object.Raw.str();
        break;
      case llvm::msgpack::Type::Array:
      case llvm::msgpack::Type::Map: {
        bool map = object.Kind == llvm::msgpack::Type::Map;
        node.kind = map ? Node::kMap : Node::kList;
        // A length is not trusted: every element takes bytes of the note, so that reading ends.
        for (uint64_t i = 0; i < uint64_t{object.Length} * (map ? 2 : 1); i++) {
          ASSIGN_OR_RETURN(Node element, Read(depth + 1));
          node.list.push_back(std::move(element));
        }
        break;
      }
      default:
        break;
    }
    return node;
  }

 private:
  llvm::msgpack::Reader reader_;
};

const Node* Lookup(const Node& map, std::string_view key) {
  for (size_t i = 0; i + 1 < map.list.size() && map.kind == Node::kMap; i += 2) {
    if (map.list[i].kind == Node::kText && map.list[i].text == key) return &map.list[i + 1];
  }
  return nullptr;
}

// A missing number is zero: the format leaves out what is zero or does not apply.
uint32_t Number(const Node& map, std::string_view key) {
  const Node* node = Lookup(map, key);
  return node != nullptr && node->kind == Node::kNumber ? static_cast<uint32_t>(node->number) : 0;
}

std::string Text(const Node& map, std::string_view key) {
  const Node* node = Lookup(map, key);
  return node != nullptr && node->kind == Node::kText ? node->text : "";
}

StatusOr<std::vector<KernelArgument>> ReadArguments(const Node& kernel) {
  std::vector<KernelArgument> arguments;
  const Node* list = Lookup(kernel, ".args");
  if (list == nullptr) return arguments;
  if (list->kind != Node::kList) return Bad("'.args' is no list");
  for (const Node& map : list->list) {
    if (map.kind != Node::kMap) return Bad("an argument is no map");
    arguments.push_back({.name = Text(map, ".name"),
                         .value_kind = Text(map, ".value_kind"),
                         .offset = Number(map, ".offset"),
                         .size = Number(map, ".size")});
  }
  std::sort(arguments.begin(), arguments.end(), [](auto& a, auto& b) { return a.offset < b.offset; });
  return arguments;
}

StatusOr<KernelRecord> ReadKernel(const Node& map) {
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

// "0:0:NUMBER,FORMAT" with a hexadecimal number. OpenCL's entries look otherwise and are left out.
std::map<uint64_t, std::string> ReadPrintfFormats(const Node& root) {
  std::map<uint64_t, std::string> formats;
  const Node* list = Lookup(root, "amdhsa.printf");
  if (list == nullptr || list->kind != Node::kList) return formats;
  constexpr std::string_view kPrefix = "0:0:";
  for (const Node& item : list->list) {
    std::string_view text = item.text;
    if (item.kind != Node::kText || !text.starts_with(kPrefix)) continue;
    text.remove_prefix(kPrefix.size());
    uint64_t id = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id, 16);
    size_t digits = end - text.data();
    if (error != std::errc() || digits >= text.size() || text[digits] != ',') continue;
    formats[id] = text.substr(digits + 1);
  }
  return formats;
}

}  // namespace

uint32_t KernelMetadata::explicit_bytes() const {
  uint32_t end = 0;
  for (const KernelArgument& a : arguments) {
    if (!a.is_hidden()) end = std::max(end, a.offset + a.size);
  }
  return end;
}

StatusOr<Metadata> ReadMetadata(std::span<const uint8_t> note) {
  llvm::StringRef bytes(reinterpret_cast<const char*>(note.data()), note.size());
  ASSIGN_OR_RETURN(Node root, NoteReader(bytes).Read());
  if (root.kind != Node::kMap) return Bad("its root is no map");
  Metadata metadata;
  metadata.printf_formats = ReadPrintfFormats(root);
  const Node* list = Lookup(root, "amdhsa.kernels");
  if (list == nullptr) return metadata;
  if (list->kind != Node::kList) return Bad("'amdhsa.kernels' is no list");
  for (const Node& item : list->list) {
    if (item.kind != Node::kMap) return Bad("a kernel is no map");
    ASSIGN_OR_RETURN(KernelRecord record, ReadKernel(item));
    metadata.kernels.push_back(std::move(record));
  }
  return metadata;
}

}  // namespace rocxla::emu
