// Every recorded program: text -> proto -> text, and binary -> text form -> binary. Protos that XLA itself wrote lie
// beside the program as module.hlo.pb where there are any.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/proto/hlo_proto.h"

namespace xla {
namespace {

std::vector<std::filesystem::path> CasesWith(const char* file) {
  std::vector<std::filesystem::path> folders;
  for (const char* kind : {"/jax", "/hlo", "/spmd"}) {
    for (const auto& folder : std::filesystem::directory_iterator(ROCXLA_TEST_CASES + std::string(kind))) {
      if (std::filesystem::exists(folder.path() / file)) folders.push_back(folder.path());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::unique_ptr<HloModule> Parsed(const std::filesystem::path& folder) {
  const auto text = rocxla::ReadFile(folder / "module.hlo");
  if (!text.ok()) return nullptr;
  auto module = ParseAndReturnVerifiedModule(*text, "module.hlo");
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  return module.ok() ? *std::move(module) : nullptr;
}

TEST(HloProtoCases, TextComesBackThroughTheProto) {
  const auto folders = CasesWith("module.hlo");
  ASSERT_GT(folders.size(), 200u);
  for (const auto& folder : folders) {
    SCOPED_TRACE(folder.string());
    const std::unique_ptr<HloModule> module = Parsed(folder);
    ASSERT_NE(module, nullptr);
    const auto bytes = SerializeHloProto(*module);
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    const auto again = ParseHloProto(*bytes, "module.hlo.pb");
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    EXPECT_EQ((*again)->ToString(), module->ToString());
    EXPECT_TRUE(Equal(**again, *module, CompareNames::kYes));
    EXPECT_EQ(*SerializeHloProto(**again), *bytes);
  }
}

TEST(HloProtoCases, BytesComeBackThroughTheTextForm) {
  for (const auto& folder : CasesWith("module.hlo")) {
    SCOPED_TRACE(folder.string());
    const std::unique_ptr<HloModule> module = Parsed(folder);
    ASSERT_NE(module, nullptr);
    const auto text = PrintHloProto(*module);
    ASSERT_TRUE(text.ok()) << text.status().ToString();
    const auto again = ParseHloProtoText(*text, "module.pbtxt");
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    EXPECT_EQ(*SerializeHloProto(**again), *SerializeHloProto(*module));
  }
}

// What XLA wrote is the program whose text lies beside it.
TEST(HloProtoCases, ReadsWhatUpstreamWrites) {
  const auto folders = CasesWith("module.hlo.pb");
  ASSERT_GT(folders.size(), 200u);
  for (const auto& folder : folders) {
    SCOPED_TRACE(folder.string());
    const std::unique_ptr<HloModule> module = Parsed(folder);
    ASSERT_NE(module, nullptr);
    const auto bytes = rocxla::ReadFile(folder / "module.hlo.pb");
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    const auto read = ParseHloProto(*bytes, "module.hlo.pb");
    ASSERT_TRUE(read.ok()) << read.status().ToString();
    EXPECT_EQ((*read)->ToString(), module->ToString());
  }
}

}  // namespace
}  // namespace xla
