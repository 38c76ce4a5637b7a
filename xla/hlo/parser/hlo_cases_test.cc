// The recorded JAX programs: each parses, verifies and comes back equal from its own text, or says which opcode is not
// supported yet.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/error_ids.h"
#include "base/file.h"
#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/ir/hlo_verifier.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

std::vector<std::filesystem::path> ModulePaths() {
  std::vector<std::filesystem::path> paths;
  for (const char* kind : {"/jax", "/spmd"}) {
    for (const auto& folder : std::filesystem::directory_iterator(ROCXLA_TEST_CASES + std::string(kind))) {
      if (std::filesystem::exists(folder.path() / "module.hlo")) paths.push_back(folder.path() / "module.hlo");
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(HloCases, ParseAndComeBackEqual) {
  const auto paths = ModulePaths();
  ASSERT_GT(paths.size(), 150u);
  int parsed = 0;
  std::map<std::string, int> refused;
  for (const auto& path : paths) {
    SCOPED_TRACE(path.string());
    const auto text = rocxla::ReadFile(path);
    ASSERT_TRUE(text.ok()) << text.status().ToString();
    const auto module = ParseAndReturnVerifiedModule(*text, "module.hlo");
    if (!module.ok()) {
      // The only acceptable reason, and it names the opcode in its first line.
      ASSERT_EQ(module.status().id(), ErrorId::kHloUnsupportedOpcode) << module.status().ToString();
      ++refused[module.status().message()];
      continue;
    }
    ++parsed;
    const std::string printed = (*module)->ToString();
    const auto again = ParseAndReturnVerifiedModule(printed, "printed");
    ASSERT_TRUE(again.ok()) << again.status().ToString() << printed;
    EXPECT_TRUE(Equal(**module, **again, CompareNames::kYes)) << printed;
    EXPECT_EQ((*again)->ToString(), printed);
    EXPECT_TRUE(Equal(**module, *(*module)->Clone(), CompareNames::kYes));
  }
  RecordProperty("parsed", parsed);
  EXPECT_GE(parsed, 130) << "of " << paths.size();
}

std::vector<std::string> NonEmptyLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// A line of upstream's long form as its short form has it: names without '%', computations without their signature.
std::string Shortened(std::string line) {
  std::erase(line, '%');
  const size_t arrow = line.find(") -> ");
  if (line.ends_with("{") && arrow != line.npos) line = line.substr(0, line.find(" (")) + " {";
  return line;
}

// JAX prints with upstream's printer: ours gives the same lines.
TEST(HloCases, PrintsAsUpstreamDoes) {
  for (const auto& path : ModulePaths()) {
    SCOPED_TRACE(path.string());
    const auto text = rocxla::ReadFile(path);
    ASSERT_TRUE(text.ok());
    const auto module = ParseAndReturnVerifiedModule(*text, "module.hlo");
    if (!module.ok()) continue;
    const std::vector<std::string> expected = NonEmptyLines(*text);
    const std::vector<std::string> printed = NonEmptyLines((*module)->ToString());
    ASSERT_EQ(printed.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(printed[i], Shortened(expected[i]));
  }
}

}  // namespace
}  // namespace xla
