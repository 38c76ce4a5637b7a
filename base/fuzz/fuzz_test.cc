// Drives one fuzz entry over its seeds, all their truncations, and mutations from a fixed random sequence.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/fuzz/fuzz_entry.h"

namespace rocxla {
namespace {

void Drive(const std::string& input) {
  // A copy of exactly this size: the address sanitizer sees every byte read beyond it.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  ASSERT_EQ(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()), 0);
}

// Changes inputs as fuzzers do.
class Mutator {
 public:
  explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {}

  std::string Next() {
    std::string input = seeds_[Below(seeds_.size())];
    for (size_t n = Below(4) + 1; n > 0; --n) Mutate(input);
    return input;
  }

 private:
  size_t Below(size_t bound) { return bound ? random_() % bound : 0; }

  void Mutate(std::string& input) {
    const size_t at = Below(input.size() + 1), count = Below(input.size() - at + 1);
    switch (Below(7)) {
      case 0:  // a bit
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << Below(8)));
        break;
      case 1:  // a byte
        if (at < input.size()) input[at] = static_cast<char>(random_());
        break;
      case 2:
        input.insert(at, 1 + Below(3), static_cast<char>(random_()));
        break;
      case 3:
        input.erase(at, 1 + Below(4));
        break;
      case 4:  // a piece once more
        if (input.size() < kLongest) input.insert(at, input.substr(Below(input.size()), count));
        break;
      case 5:  // the end of another seed
        input = input.substr(0, at) + seeds_[Below(seeds_.size())].substr(0, kLongest).erase(0, at);
        break;
      default:  // a word that is special somewhere
        input.replace(at, Below(3), kWords[Below(std::size(kWords))]);
    }
  }

  static constexpr size_t kLongest = 4096;
  static constexpr std::string_view kWords[] = {"18446744073709551615",
                                                "9223372036854775808",
                                                "-1",
                                                "0",
                                                "1e999",
                                                "NaN",
                                                "\xff\xff\xff\xff",
                                                "[[[[",
                                                "{\"",
                                                "}",
                                                "\"",
                                                "'",
                                                "\\",
                                                ",",
                                                "=",
                                                "(",
                                                ")",
                                                "\xed\xa0\x80",
                                                "--",
                                                "null"};

  std::vector<std::string> seeds_;
  std::mt19937 random_{20};
};

TEST(FuzzEntry, SeedsAreAccepted) {
  for (const std::string& seed : FuzzSeeds()) {
    const int64_t before = Counts().accepted;
    Drive(seed);
    EXPECT_GT(Counts().accepted, before) << seed;
  }
}

TEST(FuzzEntry, EveryTruncationIsRead) {
  for (const std::string& seed : FuzzSeeds())
    for (size_t size = 0; size < seed.size(); ++size) Drive(seed.substr(0, size));
}

TEST(FuzzEntry, MutationsKeepThePromises) {
  constexpr int kInputs = 20000;
  Counts() = {};
  Mutator mutator(FuzzSeeds());
  for (int i = 0; i < kInputs; ++i) ASSERT_NO_FATAL_FAILURE(Drive(mutator.Next()));
  // Otherwise the mutations would be too tame, or too wild, to test anything.
  EXPECT_GT(Counts().accepted, kInputs / 1000);
  EXPECT_GT(Counts().rejected, kInputs / 10);
}

}  // namespace
}  // namespace rocxla
