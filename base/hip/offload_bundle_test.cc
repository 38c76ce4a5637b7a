#include "base/hip/offload_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "base/file.h"

namespace rocxla {
namespace {

using testing::HasSubstr;

using Bytes = std::vector<uint8_t>;

template <class T>
void Put(Bytes& bytes, T value) {
  const auto* begin = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}
void PutText(Bytes& bytes, std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }

// A bundle whose code objects are the names of their targets.
Bytes Bundle(const std::vector<std::string>& targets) {
  Bytes bytes;
  PutText(bytes, "__CLANG_OFFLOAD_BUNDLE__");
  Put(bytes, uint64_t{targets.size() + 1});
  std::vector<std::string> ids = {"host-x86_64-unknown-linux-gnu-"};
  for (const std::string& target : targets) ids.push_back("hipv4-amdgcn-amd-amdhsa--" + target);
  uint64_t offset = bytes.size();
  for (const std::string& id : ids) offset += 24 + id.size();
  for (size_t i = 0; i < ids.size(); ++i) {
    const uint64_t size = i == 0 ? 0 : targets[i - 1].size();
    Put(bytes, offset), Put(bytes, size), Put(bytes, uint64_t{ids[i].size()});
    PutText(bytes, ids[i]);
    offset += size;
  }
  for (const std::string& target : targets) PutText(bytes, target);
  return bytes;
}

Bytes Compressed(const Bytes& content, uint16_t version, uint16_t method) {
  Bytes data(content.size() + 1000);
  if (method == 0) {
    uLongf size = data.size();
    EXPECT_EQ(compress(data.data(), &size, content.data(), content.size()), Z_OK);
    data.resize(size);
  } else {
    data.resize(ZSTD_compress(data.data(), data.size(), content.data(), content.size(), 1));
  }
  Bytes bytes;
  PutText(bytes, "CCOB");
  Put(bytes, version), Put(bytes, method);
  const uint64_t header = version == 1 ? 20 : version == 2 ? 24 : 32;
  if (version == 2) Put(bytes, static_cast<uint32_t>(header + data.size()));
  if (version == 3) Put(bytes, uint64_t{header + data.size()});
  version == 3 ? Put(bytes, uint64_t{content.size()}) : Put(bytes, static_cast<uint32_t>(content.size()));
  Put(bytes, uint64_t{0});
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

std::string Selected(const Bytes& bundle, const char* device) {
  const StatusOr<Bytes> code = SelectFromBundle(bundle, device);
  return code.ok() ? std::string(code->begin(), code->end()) : code.status().ToString();
}

TEST(OffloadBundle, TheBestOneIsSelected) {
  const Bytes bundle =
      Bundle({"gfx9-4-generic", "gfx942", "gfx942:xnack-", "gfx942:xnack+", "gfx1100", "gfx11-generic"});
  EXPECT_EQ(Selected(bundle, "gfx942:sramecc+:xnack-"), "gfx942:xnack-");
  EXPECT_EQ(Selected(bundle, "gfx942"), "gfx942") << "the first of equals";
  EXPECT_EQ(Selected(bundle, "gfx950:sramecc+:xnack-"), "gfx9-4-generic");
  EXPECT_EQ(Selected(bundle, "gfx1100"), "gfx1100");
  EXPECT_EQ(Selected(bundle, "gfx1101"), "gfx11-generic");
  EXPECT_EQ(
      Selected(bundle, "gfx90a"),
      "E2002 EmulatorWrongTarget: the offload bundle has no code object for the device\n"
      "  found:    code objects for gfx9-4-generic, gfx942, gfx942:xnack-, gfx942:xnack+, gfx1100, gfx11-generic\n"
      "  expected: gfx90a, or a generic target that includes it\n"
      "  next:     compile it for this GPU, too (--offload-arch)");
}

TEST(OffloadBundle, CompressedInEveryVersion) {
  const Bytes bundle = Bundle({"gfx942", "gfx1100"});
  for (uint16_t version : {1, 2, 3}) {
    for (uint16_t method : {0, 1}) {
      const Bytes compressed = Compressed(bundle, version, method);
      EXPECT_EQ(Selected(compressed, "gfx1100"), "gfx1100") << version << " " << method;
      EXPECT_EQ(OffloadBundleSize(compressed.data()), version == 1 ? 0 : compressed.size());
    }
  }
  EXPECT_THAT(Selected(Compressed(bundle, 4, 0), "gfx1100"), HasSubstr("an unknown version\n  found:    4"));
  Bytes other = Compressed(bundle, 3, 1);
  other[6] = 7;
  EXPECT_THAT(Selected(other, "gfx1100"), HasSubstr("an unknown method of compression\n  found:    7"));
}

TEST(OffloadBundle, SizeWithoutASize) {
  const Bytes bundle = Bundle({"gfx942", "gfx1100"});
  EXPECT_TRUE(IsOffloadBundle(bundle));
  EXPECT_EQ(OffloadBundleSize(bundle.data()), bundle.size());
  const Bytes other(64, 0);
  EXPECT_FALSE(IsOffloadBundle(other));
  EXPECT_EQ(OffloadBundleSize(other.data()), 0u);
}

TEST(OffloadBundle, DamagedBytesAreErrors) {
  for (const Bytes& bundle : {Bundle({"gfx942", "gfx1100"}), Compressed(Bundle({"gfx942"}), 3, 1)}) {
    for (size_t size = 0; size < bundle.size(); ++size) {
      const Bytes cut(bundle.begin(), bundle.begin() + static_cast<ptrdiff_t>(size));
      EXPECT_FALSE(SelectFromBundle(cut, "gfx942:xnack-").ok() && size < bundle.size() - 7) << size;
    }
    for (size_t at = 0; at < bundle.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        Bytes damaged = bundle;
        damaged[at] = static_cast<uint8_t>(damaged[at] ^ (1 << bit));
        (void)SelectFromBundle(damaged, "gfx942");
      }
    }
  }
  Bytes huge = Compressed(Bundle({"gfx942"}), 3, 1);
  std::fill_n(huge.begin() + 16, 8, 0x7f);
  EXPECT_THAT(Selected(huge, "gfx942"), HasSubstr("its content is too large"));
}

// What clang's own bundler writes.
TEST(OffloadBundle, OfTheRealBundler) {
  for (const char* file : {"plain.hipfb", "compressed.hipfb"}) {
    const StatusOr<std::string> text = ReadFile(std::string(OFFLOAD_BUNDLES) + "/" + file);
    ASSERT_TRUE(text.ok()) << text.status().ToString();
    const Bytes bundle(text->begin(), text->end());
    EXPECT_EQ(OffloadBundleSize(bundle.data()), bundle.size()) << file;
    EXPECT_THAT(Selected(bundle, "gfx1100"), HasSubstr("GENERIC_TARGET")) << file;
    EXPECT_THAT(Selected(bundle, "gfx942:sramecc+:xnack-"), HasSubstr("TARGET(gfx908")) << file;
  }
}

}  // namespace
}  // namespace rocxla
