// Headers of line tables that LLVM may read, and what keeps it from reading others.
#include "emulator/loader/debug_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace rocxla::emu {
namespace {

std::string Bytes(std::initializer_list<int> bytes) { return {bytes.begin(), bytes.end()}; }

// A version 5 table with one directory and one file, whose path and directory index have these forms.
std::string Table(int path_form, int index_form, const std::string& index) {
  const std::string head = Bytes({5, 0, 8, 0, 0, 0, 0, 0, 4, 1, 1, 0, 14, 2, 1});  // opcode_base 2
  const std::string directories = Bytes({1, 1, path_form, 1, '/', 0});
  const std::string files = Bytes({2, 1, path_form, 2, index_form, 1, 'f', 0}) + index;
  const std::string unit = head + directories + files;
  return Bytes({static_cast<int>(unit.size()), 0, 0, 0}) + unit;
}
constexpr int kString = 0x08, kData1 = 0x0b, kStrx = 0x1a, kBlock = 0x09;

TEST(DebugLines, WhatCompilersWrite) {
  EXPECT_TRUE(LineTablesAreReadable(""));
  const std::string table = Table(kString, kData1, Bytes({0}));
  EXPECT_TRUE(LineTablesAreReadable(table));
  EXPECT_TRUE(LineTablesAreReadable(table + table));
  EXPECT_TRUE(LineTablesAreReadable(Bytes({2, 0, 0, 0, 4, 0}))) << "older versions have no forms";
}

TEST(DebugLines, WhatMustNotReachLlvm) {
  EXPECT_FALSE(LineTablesAreReadable(Table(kStrx, kData1, Bytes({0})))) << "a form that needs a compile unit";
  EXPECT_FALSE(LineTablesAreReadable(Table(kString, kBlock, Bytes({0})))) << "an index that is no number";
  EXPECT_FALSE(LineTablesAreReadable(Table(kString, kString, Bytes({0}))));
  EXPECT_FALSE(LineTablesAreReadable(Bytes({2, 0, 0, 0, 6, 0}))) << "an unknown version";
  EXPECT_FALSE(LineTablesAreReadable(Bytes({9, 0, 0, 0, 4, 0}))) << "longer than the section";
  const std::string table = Table(kString, kData1, Bytes({0}));
  for (size_t size = 1; size < table.size(); size++) EXPECT_FALSE(LineTablesAreReadable(table.substr(0, size))) << size;
}

}  // namespace
}  // namespace rocxla::emu
