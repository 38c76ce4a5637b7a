#include "base/hip/offload_bundle.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error_ids.h"
#include "base/target/target_id.h"

namespace rocxla {
namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__", kCompressedMagic = "CCOB";
constexpr uint64_t kLargestBundle = uint64_t{1} << 31;

template <class T>
T Load(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

bool BeginsWith(const uint8_t* bytes, std::string_view magic) {
  return std::memcmp(bytes, magic.data(), magic.size()) == 0;
}

Status Damaged(std::string what, std::string found) {
  return Error(ErrorId::kBadCodeObject, {.what = "the offload bundle is damaged: " + what, .found = std::move(found)});
}

// Magic, version, method, [size of the file], size of the content, 8 bytes of a hash. Sizes have 4 bytes before
// version 3.
struct CompressedHeader {
  uint16_t version = 0, method = 0;
  uint64_t bytes = 0;       // of this header
  uint64_t file_bytes = 0;  // 0: version 1, which does not say
  uint64_t content_bytes = 0;
};
constexpr uint64_t kLongestHeader = 4 + 2 + 2 + 8 + 8 + 8;
// `bytes` has kLongestHeader bytes at least.
std::optional<CompressedHeader> ReadCompressedHeader(const uint8_t* bytes) {
  CompressedHeader header{.version = Load<uint16_t>(bytes + 4), .method = Load<uint16_t>(bytes + 6)};
  constexpr uint64_t kFixed = 8, kHash = 8;
  switch (header.version) {
    case 1:
      header.content_bytes = Load<uint32_t>(bytes + kFixed);
      header.bytes = kFixed + 4 + kHash;
      return header;
    case 2:
      header.file_bytes = Load<uint32_t>(bytes + kFixed);
      header.content_bytes = Load<uint32_t>(bytes + kFixed + 4);
      header.bytes = kFixed + 4 + 4 + kHash;
      return header;
    case 3:
      header.file_bytes = Load<uint64_t>(bytes + kFixed);
      header.content_bytes = Load<uint64_t>(bytes + kFixed + 8);
      header.bytes = kFixed + 8 + 8 + kHash;
      return header;
    default:
      return std::nullopt;
  }
}

StatusOr<std::vector<uint8_t>> Decompress(std::span<const uint8_t> bundle) {
  if (bundle.size() < kLongestHeader) return Damaged("its header is cut short", fmt::format("{} bytes", bundle.size()));
  const std::optional<CompressedHeader> header = ReadCompressedHeader(bundle.data());
  if (!header) return Damaged("an unknown version", fmt::format("{}", Load<uint16_t>(bundle.data() + 4)));
  if (header->content_bytes > kLargestBundle) {
    return Damaged("its content is too large", fmt::format("{} bytes", header->content_bytes));
  }
  std::span<const uint8_t> data = bundle.subspan(header->bytes);
  if (header->file_bytes != 0) {
    if (header->file_bytes < header->bytes || header->file_bytes > bundle.size()) {
      return Damaged("it is cut short", fmt::format("{} of {} bytes", bundle.size(), header->file_bytes));
    }
    data = data.first(header->file_bytes - header->bytes);
  }
  constexpr uint16_t kZlib = 0, kZstd = 1;
  // Before memory is taken: deflate shrinks to 1/1032 at best, and zstd says how much comes out.
  constexpr uint64_t kBestOfDeflate = 1032;
  const bool believable = header->method == kZlib
                              ? header->content_bytes / kBestOfDeflate <= data.size()
                              : ZSTD_getFrameContentSize(data.data(), data.size()) == header->content_bytes;
  if (header->method <= kZstd && !believable) {
    return Damaged("its header and its content disagree", fmt::format("{} bytes of content", header->content_bytes));
  }
  std::vector<uint8_t> content(header->method <= kZstd ? header->content_bytes : 0);
  bool whole = false;
  if (header->method == kZlib) {
    uLongf bytes = content.size();
    whole = uncompress(content.data(), &bytes, data.data(), data.size()) == Z_OK && bytes == content.size();
  } else if (header->method == kZstd) {
    whole = ZSTD_decompress(content.data(), content.size(), data.data(), data.size()) == content.size();
  } else {
    return Damaged("an unknown method of compression", fmt::format("{}", header->method));
  }
  if (!whole) return Damaged("its content cannot be decompressed", fmt::format("{} bytes", data.size()));
  return content;
}

struct Entry {
  std::string id;  // "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-"
  std::span<const uint8_t> code;

  // What follows the triple; empty for the host's entry.
  std::string_view target() const {
    const size_t at = id.find("--gfx");
    return at == id.npos ? std::string_view() : std::string_view(id).substr(at + 2);
  }
};

// Count, then for each entry: offset, size, length of the id, id.
StatusOr<std::vector<Entry>> ReadEntries(std::span<const uint8_t> bundle) {
  uint64_t at = kPlainMagic.size();
  auto word = [&](uint64_t& value) {
    if (bundle.size() - at < sizeof value) return false;
    value = Load<uint64_t>(bundle.data() + at);
    at += sizeof value;
    return true;
  };
  std::vector<Entry> entries;
  uint64_t count = 0;
  const Status cut = Damaged("its table is cut short", fmt::format("{} bytes", bundle.size()));
  if (!word(count)) return cut;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t offset = 0, size = 0, id_bytes = 0;
    if (!word(offset) || !word(size) || !word(id_bytes) || bundle.size() - at < id_bytes) return cut;
    Entry entry{.id = std::string(reinterpret_cast<const char*>(bundle.data() + at), id_bytes), .code = {}};
    at += id_bytes;
    if (offset > bundle.size() || size > bundle.size() - offset) {
      return Damaged(fmt::format("entry {} lies outside", i), fmt::format("{} bytes at {}", size, offset));
    }
    entry.code = bundle.subspan(offset, size);
    entries.push_back(std::move(entry));
  }
  return entries;
}

Status NoneSuits(const std::vector<Entry>& entries, std::string_view device) {
  std::string targets;
  for (const Entry& entry : entries) {
    if (!entry.target().empty()) targets += fmt::format("{}{}", targets.empty() ? "" : ", ", entry.target());
  }
  return Error(ErrorId::kEmulatorWrongTarget,
               {.what = "the offload bundle has no code object for the device",
                .found = targets.empty() ? "code objects for no GPU" : "code objects for " + targets,
                .expected = fmt::format("{}, or a generic target that includes it", device),
                .next = "compile it for this GPU, too (--offload-arch)"});
}

}  // namespace

bool IsOffloadBundle(std::span<const uint8_t> bytes) {
  return (bytes.size() >= kPlainMagic.size() && BeginsWith(bytes.data(), kPlainMagic)) ||
         (bytes.size() >= kCompressedMagic.size() && BeginsWith(bytes.data(), kCompressedMagic));
}

uint64_t OffloadBundleSize(const void* image) {
  const auto* bytes = static_cast<const uint8_t*>(image);
  if (BeginsWith(bytes, kCompressedMagic)) {
    const std::optional<CompressedHeader> header = ReadCompressedHeader(bytes);
    return header ? header->file_bytes : 0;
  }
  if (!BeginsWith(bytes, kPlainMagic)) return 0;
  uint64_t at = kPlainMagic.size(), end = 0;
  const uint64_t count = Load<uint64_t>(bytes + at);
  at += sizeof count;
  for (uint64_t i = 0; i < count; ++i) {
    end = std::max(end, Load<uint64_t>(bytes + at) + Load<uint64_t>(bytes + at + 8));
    at += 3 * sizeof(uint64_t) + Load<uint64_t>(bytes + at + 16);
  }
  return std::max(end, at);
}

StatusOr<std::vector<uint8_t>> SelectFromBundle(std::span<const uint8_t> bundle, std::string_view device) {
  if (!IsOffloadBundle(bundle)) return Damaged("it has no magic", fmt::format("{} bytes", bundle.size()));
  std::vector<uint8_t> content;
  if (BeginsWith(bundle.data(), kCompressedMagic)) {
    ASSIGN_OR_RETURN(content, Decompress(bundle));
    bundle = content;
    const bool plain = bundle.size() >= kPlainMagic.size() && BeginsWith(bundle.data(), kPlainMagic);
    if (!plain) return Damaged("its content is no bundle", fmt::format("{} bytes", bundle.size()));
  }
  ASSIGN_OR_RETURN(const std::vector<Entry> entries, ReadEntries(bundle));
  const std::optional<TargetId> wanted = ParseTargetId(device);
  const Entry* best = nullptr;
  int best_match = -1;
  for (const Entry& entry : entries) {
    const std::optional<TargetId> id = ParseTargetId(entry.target());
    const std::optional<int> match = id && wanted ? TargetMatch(*id, *wanted) : std::nullopt;
    if (match.value_or(-1) > best_match) {
      best = &entry;
      best_match = *match;
    }
  }
  if (best == nullptr) return NoneSuits(entries, device);
  return std::vector<uint8_t>(best->code.begin(), best->code.end());
}

}  // namespace rocxla
