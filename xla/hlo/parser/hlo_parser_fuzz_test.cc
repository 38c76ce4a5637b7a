// Broken texts never crash: the recorded programs with bytes changed, removed, repeated and cut off. Whatever still
// verifies must come back equal from its own text.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/error_ids.h"
#include "base/file.h"
#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

std::vector<std::string> CaseTexts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/jax")) {
    if (std::filesystem::exists(folder.path() / "module.hlo")) paths.push_back(folder.path() / "module.hlo");
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    auto text = rocxla::ReadFile(path);
    if (text.ok() && text->size() < 8000) texts.push_back(*text);
  }
  return texts;
}

std::string Mutated(std::string text, std::mt19937& random) {
  static constexpr std::string_view kBytes = "{}[](),=:%\"\\/*<>-_.0123456789azAZ\n \t\x00\x7f\xff";
  const auto any = [&](size_t bound) { return random() % std::max<size_t>(bound, 1); };
  for (size_t edits = 1 + any(3); edits > 0 && !text.empty(); --edits) {
    const size_t at = any(text.size());
    switch (any(6)) {
      case 0:
        text[at] = kBytes[any(kBytes.size())];
        break;
      case 1:
        text.erase(at, 1 + any(8));
        break;
      case 2:
        text.insert(at, 1, kBytes[any(kBytes.size())]);
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, text.substr(any(text.size()), any(40)));
        break;
      case 5:
        std::swap(text[at], text[any(text.size())]);
        break;
    }
  }
  return text;
}

TEST(HloParserFuzz, MutationsGiveAStatus) {
  const std::vector<std::string> texts = CaseTexts();
  ASSERT_GT(texts.size(), 100u);
  std::mt19937 random(20261130);
  int still_fine = 0;
  constexpr int kRounds = 12000;
  for (int i = 0; i < kRounds; ++i) {
    const std::string text = Mutated(texts[random() % texts.size()], random);
    const auto module = ParseAndReturnVerifiedModule(text, "mutated");
    if (!module.ok()) {
      EXPECT_NE(module.status().id(), ErrorId::kNone) << module.status().ToString();
      continue;
    }
    ++still_fine;
    const auto again = ParseAndReturnVerifiedModule((*module)->ToString(), "printed");
    ASSERT_TRUE(again.ok()) << again.status().ToString() << "\n" << (*module)->ToString();
    ASSERT_TRUE(Equal(**module, **again, CompareNames::kYes)) << text;
  }
  EXPECT_GT(still_fine, kRounds / 100);  // the mutations are not all hopeless
  EXPECT_LT(still_fine, kRounds / 2);
}

TEST(HloParserFuzz, EveryPrefixGivesAStatus) {
  for (const std::string& text : CaseTexts()) {
    if (text.size() > 700) continue;
    for (size_t length = 0; length < text.size(); ++length) {
      const auto module = ParseAndReturnVerifiedModule(std::string_view(text).substr(0, length), "prefix");
      if (!module.ok()) {
        EXPECT_NE(module.status().id(), ErrorId::kNone);
      }
    }
  }
}

}  // namespace
}  // namespace xla
