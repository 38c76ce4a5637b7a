// Witnesses for buffer resources: records, swizzling, lanes added to the index, and what lies outside.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

constexpr const char* kTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
constexpr u32 kWords = 4096;

// A buffer in s[4:7] over words that count up.
class BufferTest : public testing::TestWithParam<const char*> {
 protected:
  InstructionHarness h{GetParam()};
  Wave& w = h.wave();
  u32* memory = nullptr;
  bool gfx9 = h.target().is_cdna();
  void SetUp() override {
    memory = static_cast<u32*>(*h.memory().Allocate(4 * kWords, 256, "data"));
    for (u32 i = 0; i < kWords; i++) memory[i] = i;
  }
  // swizzle: bytes of an element, or 0. index_stride: 8, 16, 32 or 64.
  void Describe(u32 stride, u32 records, u32 swizzle, u32 index_stride, bool adds_lane, u32 check = 0) {
    u64 base = reinterpret_cast<u64>(memory);
    u32 mode = swizzle == 0 ? 0 : gfx9 ? 2 : static_cast<u32>(std::countr_zero(swizzle)) - 1;
    w.scalar[4] = static_cast<u32>(base);
    w.scalar[5] = static_cast<u32>(base >> 32) | stride << 16 | mode << 30;
    w.scalar[6] = records;
    u32 stride_code = index_stride == 0 ? 0 : std::countr_zero(index_stride) - 3;
    w.scalar[7] = stride_code << 21 | (adds_lane ? 1u << 23 : 0) | check << 28;
  }
  void Run(std::string text) {
    if (size_t at = text.find("{zero}"); at != text.npos) {
      bool null = h.target().generation == Generation::kRdna4;
      text.replace(at, 6, null ? "null" : "0");
    }
    if (!gfx9) {
      for (auto [from, to] :
           {std::pair{"dwordx2", "b64"}, std::pair{"dword", "b32"}, std::pair{"atomic_add", "atomic_add_u32"}}) {
        if (size_t at = text.find(from); at != text.npos) text.replace(at, std::strlen(from), to);
      }
    }
    Status status = h.Run(text);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
};

TEST_P(BufferTest, RecordsByIndexAndOffset) {
  Describe(32, 20, 0, 0, false);
  for (int l = 0; l < h.lanes(); l++) w.row[0][l] = l, w.row[1][l] = 4 * (l % 3);
  Run("buffer_load_dwordx2 v[8:9], v[0:1], s[4:7], {zero} idxen offen offset:8");
  for (u32 l = 0; l < static_cast<u32>(h.lanes()); l++) {
    EXPECT_EQ(w.row[8][l], l < 20 ? 8 * l + l % 3 + 2 : 0) << l;
    EXPECT_EQ(w.row[9][l], l < 20 ? 8 * l + l % 3 + 3 : 0) << l;
  }
  // The first address register is also the first destination.
  Run("buffer_load_dwordx2 v[0:1], v[0:1], s[4:7], {zero} idxen offen offset:8");
  EXPECT_EQ(w.row[0][5], 44u);
  EXPECT_EQ(w.row[1][5], 45u);
}
TEST_P(BufferTest, AtomicsByIndex) {
  Describe(32, 20, 0, 0, false);
  for (int l = 0; l < h.lanes(); l++) w.row[0][l] = l, w.row[8][l] = 1000;
  Run("buffer_atomic_add v8, v0, s[4:7], {zero} idxen offset:4");
  for (u32 i = 0; i < 400; i++) EXPECT_EQ(memory[i], i % 8 == 1 && i / 8 < 20 ? i + 1000 : i) << i;
}
TEST_P(BufferTest, LanesAreAddedToTheIndex) {
  Describe(16, 1000, 0, 0, true);
  Run("buffer_load_dword v8, off, s[4:7], {zero} offset:4");
  for (u32 l = 0; l < static_cast<u32>(h.lanes()); l++) EXPECT_EQ(w.row[8][l], 4 * l + 1);
}
// A record of 16 bytes in pieces of `element` bytes: piece p of records first to first + index_stride - 1 lie together.
TEST_P(BufferTest, SwizzlingInterleavesRecords) {
  for (u32 element : gfx9 ? std::vector<u32>{4} : std::vector<u32>{4, 8, 16}) {
    for (u32 index_stride : {8u, 16u, 32u, 64u}) {
      Describe(16, 60, element, index_stride, false);
      for (int l = 0; l < h.lanes(); l++) w.row[0][l] = 2 * l, w.row[1][l] = 4 * (l % 3);
      Run("buffer_load_dwordx2 v[8:9], v[0:1], s[4:7], {zero} idxen offen");
      for (u32 l = 0; l < static_cast<u32>(h.lanes()); l++) {
        for (u32 n = 0; n < 2; n++) {
          u32 record = 2 * l, word = l % 3 + n, piece = word / (element / 4), group = record / index_stride;
          u32 at = group * index_stride * 4 + piece * index_stride * (element / 4) +
                   record % index_stride * (element / 4) + word % (element / 4);
          EXPECT_EQ(w.row[8 + n][l], record < 60 ? at : 0) << element << " " << index_stride << " lane " << l;
        }
      }
    }
  }
}
TEST_P(BufferTest, SwizzledOffsetsBeyondTheRecord) {
  if (gfx9) return Describe(16, 60, 4, 8, false);  // only later GPUs check them
  for (u32 check : {0u, 1u}) {
    Describe(16, 60, 4, 8, false, check);
    for (int l = 0; l < h.lanes(); l++) w.row[0][l] = 0, w.row[1][l] = 16;
    Run("buffer_load_dword v8, v[0:1], s[4:7], {zero} idxen offen");
    EXPECT_EQ(w.row[8][0], check == 1 ? 32u : 0u);
  }
}
INSTANTIATE_TEST_SUITE_P(Targets, BufferTest, testing::ValuesIn(kTargets));

}  // namespace
}  // namespace rocxla::emu
