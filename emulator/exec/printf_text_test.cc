// Texts of printf against the host's own, and formats that make no sense.
#include "emulator/exec/printf_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace rocxla::emu {
namespace {

// Arguments as LLVM passes them.
class Packed {
 public:
  Packed& operator<<(u64 word) {
    words_.push_back(word);
    return *this;
  }
  Packed& operator<<(double x) { return *this << std::bit_cast<u64>(x); }
  Packed& operator<<(const char* text) {
    size_t first = words_.size(), size = std::strlen(text) + 1;
    words_.resize(first + (size + 7) / 8);
    std::memcpy(&words_[first], text, size);
    return *this;
  }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words_)); }

 private:
  std::vector<u64> words_;
};

std::string Host(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

TEST(PrintfText, IntegersAreCutToTheirLength) {
  u64 word = 0xfedcba9876543210;
  for (const char* flags : {"", "-12", "012", "+", " ", "#", ".5", "14.7"}) {
    for (char kind : {'d', 'i', 'u', 'x', 'X', 'o'}) {
      auto format = [&](const char* length) { return std::string("<%") + flags + length + kind + ">"; };
      auto print = [&](const char* length) { return FormatPrintf(format(length), (Packed() << word).bytes()); };
      EXPECT_EQ(print(""), Host(format("").c_str(), static_cast<int>(word))) << format("");
      EXPECT_EQ(print("hh"), Host(format("hh").c_str(), static_cast<int>(word))) << format("hh");
      EXPECT_EQ(print("h"), Host(format("h").c_str(), static_cast<int>(word))) << format("h");
      for (const char* length : {"l", "ll", "z", "j", "t"}) {
        EXPECT_EQ(print(length), Host(format(length).c_str(), static_cast<long>(word))) << format(length);
      }
    }
  }
}

TEST(PrintfText, FloatsCharactersAndPointers) {
  for (const char* format : {"%f", "%.3e", "%10g", "%a", "%-12.1F|", "%G"}) {
    EXPECT_EQ(FormatPrintf(format, (Packed() << -1234.56789).bytes()), Host(format, -1234.56789));
  }
  EXPECT_EQ(FormatPrintf("%c%3c", (Packed() << u64{'a'} << u64{'b'}).bytes()), "a  b");
  EXPECT_EQ(FormatPrintf("%p", (Packed() << u64{0xabc}).bytes()), "0xabc");
}

TEST(PrintfText, StringsLieBetweenTheOtherArguments) {
  Packed arguments;
  arguments << u64{1} << "" << u64{2} << "seven.." << u64{3} << "eight..." << u64{4} << "nine....." << u64{5};
  EXPECT_EQ(FormatPrintf("%d%s %d%s %d%s %d%s %d", arguments.bytes()), "1 2seven.. 3eight... 4nine..... 5");
  EXPECT_EQ(FormatPrintf("%5s|%-5s|%.1s", (Packed() << "ab" << "cd" << "ef").bytes()), "   ab|cd   |e");
}

TEST(PrintfText, StarsTakeArguments) {
  EXPECT_EQ(FormatPrintf("%*d|%-*d|%.*f", (Packed() << u64{4} << u64{7} << u64{4} << u64{8} << u64{1} << 0.25).bytes()),
            Host("%*d|%-*d|%.*f", 4, 7, 4, 8, 1, 0.25));
}

// Kernels may write anything: what has no argument stays as it is, and nothing is read beyond the arguments.
TEST(PrintfText, WhatCannotBePrintedStays) {
  EXPECT_EQ(FormatPrintf("100% sure: %d %s %", {}), "100% sure: %d %s %");
  EXPECT_EQ(FormatPrintf("%y %n %d", (Packed() << u64{5}).bytes()), "%y %n 5");
  EXPECT_EQ(FormatPrintf("%d", Packed().bytes()), "%d");
  u64 endless = ~u64{0};
  EXPECT_EQ(FormatPrintf("%s", std::as_bytes(std::span(&endless, 1))), "%s") << "a string without an end";
  EXPECT_EQ(FormatPrintf("%%|%5%|", {}), "%|%|");
  EXPECT_EQ(FormatPrintf("left over", (Packed() << u64{5}).bytes()), "left over");
  EXPECT_EQ(FormatPrintf("%99999999d", (Packed() << u64{5}).bytes()).size(), 9999u) << "widths have a limit";
}

}  // namespace
}  // namespace rocxla::emu
