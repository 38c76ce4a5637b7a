// Witnesses for stores and atomics of the scalar unit, and for memory instructions whose address has the lane's number
// in it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

std::string Scalars(int first, int words) {
  return words == 1 ? fmt::format("s{}", first) : fmt::format("s[{}:{}]", first, first + words - 1);
}

constexpr u32 kBytes = 64;
// s[2:3] points at `memory`, s[4:7] describes it as a buffer.
class ScalarMemoryTest : public testing::TestWithParam<const char*> {
 protected:
  InstructionHarness h{GetParam()};
  Wave& w = h.wave();
  u8* memory = nullptr;
  void SetUp() override {
    memory = static_cast<u8*>(*h.memory().Allocate(kBytes, 256, "data"));
    std::memset(memory, 0x55, kBytes);
    h.set_pair(2, reinterpret_cast<u64>(memory));
    h.set_pair(4, reinterpret_cast<u64>(memory));
    w.scalar[6] = kBytes;
    w.scalar[7] = 0;
  }
};

TEST_P(ScalarMemoryTest, Stores) {
  for (int words : {1, 2, 4}) {
    for (int i = 0; i < 4; i++) w.scalar[8 + i] = 100 * words + i;
    std::string end = words == 1 ? "" : fmt::format("x{}", words);
    for (const auto& [text, at] :
         {std::pair{fmt::format("s_store_dword{} {}, s[2:3], 0x10", end, Scalars(8, words)), 16},
          std::pair{fmt::format("s_mov_b32 s20, 34\n s_store_dword{} {}, s[2:3], s20", end, Scalars(8, words)), 32},
          std::pair{fmt::format("s_buffer_store_dword{} {}, s[4:7], 0x30", end, Scalars(8, words)), 48}}) {
      std::memset(memory, 0x55, kBytes);
      Status status = h.Run(text);
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ(std::memcmp(memory + at, w.scalar + 8, 4 * words), 0) << text;
      EXPECT_EQ(memory[at - 1], 0x55) << text;
      if (at + 4 * words < static_cast<int>(kBytes)) EXPECT_EQ(memory[at + 4 * words], 0x55) << text;
    }
  }
}
TEST_P(ScalarMemoryTest, StoresBeyondTheEnd) {
  EXPECT_FALSE(h.Run("s_store_dwordx4 s[8:11], s[2:3], 0x38").ok());
  EXPECT_EQ(w.fault.kind, FaultKind::kOutOfBounds);
  // A buffer drops the words outside.
  w.scalar[8] = w.scalar[9] = w.scalar[10] = w.scalar[11] = 7;
  ASSERT_TRUE(h.Run("s_buffer_store_dwordx4 s[8:11], s[4:7], 0x38").ok());
  u32 last[2];
  std::memcpy(last, memory + kBytes - 8, 8);
  EXPECT_EQ(last[0], 7u);
  EXPECT_EQ(last[1], 7u);
}

struct AtomicCase {
  std::string name;
  bool compares;
  std::function<u64(u64 memory, u64 b, u64 c, int bits)> formula;
};
i64 Signed(u64 x, int bits) { return bits == 64 ? static_cast<i64>(x) : static_cast<i32>(x); }
const std::vector<AtomicCase>& AtomicCases() {
  static const std::vector<AtomicCase> cases = {
      {"swap", false, [](u64, u64 b, u64, int) { return b; }},
      {"cmpswap", true, [](u64 m, u64 b, u64 c, int) { return m == c ? b : m; }},
      {"add", false, [](u64 m, u64 b, u64, int) { return m + b; }},
      {"sub", false, [](u64 m, u64 b, u64, int) { return m - b; }},
      {"smin", false, [](u64 m, u64 b, u64, int n) { return Signed(m, n) < Signed(b, n) ? m : b; }},
      {"umin", false, [](u64 m, u64 b, u64, int) { return std::min(m, b); }},
      {"smax", false, [](u64 m, u64 b, u64, int n) { return Signed(m, n) > Signed(b, n) ? m : b; }},
      {"umax", false, [](u64 m, u64 b, u64, int) { return std::max(m, b); }},
      {"and", false, [](u64 m, u64 b, u64, int) { return m & b; }},
      {"or", false, [](u64 m, u64 b, u64, int) { return m | b; }},
      {"xor", false, [](u64 m, u64 b, u64, int) { return m ^ b; }},
      {"inc", false, [](u64 m, u64 b, u64, int) { return m >= b ? 0 : m + 1; }},
      {"dec", false, [](u64 m, u64 b, u64, int) { return m == 0 || m > b ? b : m - 1; }}};
  return cases;
}
TEST_P(ScalarMemoryTest, Atomics) {
  RandomBits random(3);
  for (const AtomicCase& c : AtomicCases()) {
    for (int bits : {32, 64}) {
      for (const char* space : {"s_atomic_{}{} {}, s[2:3], 0x18{}", "s_buffer_atomic_{}{} {}, s[4:7], 0x18{}"}) {
        for (bool returns : {false, true}) {
          u64 mask = bits == 64 ? ~u64{0} : 0xffffffff;
          u64 m = random.EdgePair() & mask, b = random.EdgePair() & mask;
          u64 compared = random.Next() % 2 == 0 ? m : random.Next() & mask;
          int words = bits / 32;
          std::memcpy(memory + 0x18, &m, bits / 8);
          std::memcpy(w.scalar + 8, &b, bits / 8);
          std::memcpy(w.scalar + 8 + words, &compared, bits / 8);
          std::string data = Scalars(8, c.compares ? 2 * words : words);
          std::string text =
              fmt::format(fmt::runtime(space), c.name, bits == 64 ? "_x2" : "", data, returns ? " glc" : "");
          Status status = h.Run(text);
          ASSERT_TRUE(status.ok()) << status.ToString();
          u64 now = 0, result = 0;
          std::memcpy(&now, memory + 0x18, bits / 8);
          std::memcpy(&result, w.scalar + 8, bits / 8);
          EXPECT_EQ(now, c.formula(m, b, compared, bits) & mask) << text;
          EXPECT_EQ(result, returns ? m : b) << text;
        }
      }
    }
  }
}
TEST_P(ScalarMemoryTest, AtomicsBeyondTheEndAndMisaligned) {
  EXPECT_FALSE(h.Run("s_atomic_add s8, s[2:3], 0x40").ok());
  EXPECT_EQ(w.fault.kind, FaultKind::kOutOfBounds);
  EXPECT_FALSE(h.Run("s_atomic_add_x2 s[8:9], s[2:3], 0x4").ok());
  EXPECT_EQ(w.fault.kind, FaultKind::kMisaligned);
  ASSERT_TRUE(h.Run("s_buffer_atomic_add s8, s[4:7], 0x40 glc").ok());
  EXPECT_EQ(h.scalar(8), 0u);
}
INSTANTIATE_TEST_SUITE_P(Targets, ScalarMemoryTest, testing::Values("gfx90a", "gfx942", "gfx950"));

// --- addresses with the lane's number

TEST(LaneAddressTest, GlobalMemory) {
  for (const char* target : {"gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    auto* memory = static_cast<u32*>(*h.memory().Allocate(4 * 34, 256, "data"));
    for (u32 i = 0; i < 34; i++) memory[i] = 100 + i;
    h.set_pair(2, reinterpret_cast<u64>(memory));
    ASSERT_TRUE(h.Run("global_load_addtid_b32 v8, s[2:3] offset:8").ok());
    for (u32 l = 0; l < 32; l++) EXPECT_EQ(h.wave().row[8][l], 102 + l);
    for (u32 l = 0; l < 32; l++) h.wave().row[9][l] = 7 * l;
    ASSERT_TRUE(h.Run("global_store_addtid_b32 v9, s[2:3] offset:4").ok());
    for (u32 l = 0; l < 32; l++) EXPECT_EQ(memory[l + 1], 7 * l);
    // Without a base the offset is the address.
    EXPECT_FALSE(h.Run("global_load_addtid_b32 v8, off offset:8").ok());
    EXPECT_EQ(h.wave().fault.kind, FaultKind::kOutOfBounds);
    EXPECT_EQ(h.wave().fault.address, 8u);
  }
}
TEST(LaneAddressTest, Lds) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    bool gfx9 = h.target().is_cdna();
    for (u32 i = 0; i < 100; i++) std::memcpy(h.wave().lds + 4 * i, &i, 4);
    h.wave().scalar[kM0] = 0x70010;  // 16, and bits that do not count
    ASSERT_TRUE(h.Run(gfx9 ? "ds_read_addtid_b32 v8 offset:8" : "ds_load_addtid_b32 v8 offset:8").ok());
    for (int l = 0; l < h.lanes(); l++) EXPECT_EQ(h.wave().row[8][l], 6u + l) << target;
    for (int l = 0; l < h.lanes(); l++) h.wave().row[9][l] = 9 * l;
    ASSERT_TRUE(h.Run(gfx9 ? "ds_write_addtid_b32 v9 offset:4" : "ds_store_addtid_b32 v9 offset:4").ok());
    for (int l = 0; l < h.lanes(); l++) {
      u32 x;
      std::memcpy(&x, h.wave().lds + 20 + 4 * l, 4);
      EXPECT_EQ(x, 9u * l) << target;
    }
  }
}
TEST(LaneAddressTest, FromLdsToABuffer) {
  InstructionHarness h("gfx90a");
  auto* memory = static_cast<u32*>(*h.memory().Allocate(4 * 128, 256, "data"));
  for (u32 i = 0; i < 100; i++) std::memcpy(h.wave().lds + 4 * i, &i, 4);
  for (u32 l = 0; l < 64; l++) h.wave().row[0][l] = 8 * (63 - l);
  h.set_pair(4, reinterpret_cast<u64>(memory));
  h.wave().scalar[6] = 4 * 128;
  h.wave().scalar[7] = 0;
  h.wave().scalar[kM0] = 16;
  Status status = h.Run("v_mov_b32 v1, v0\n buffer_store_lds_dword s[4:7], 0 offset:4 lds");
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(memory[1], 5u + 63u);  // every lane stores to offset 4; the last one remains
}

// --- LDS

TEST(LdsExchangeTest, TwoAddresses) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    for (int words : {1, 2}) {
      for (bool far : {false, true}) {
        InstructionHarness h(target);
        Wave& w = h.wave();
        std::string name = h.target().is_cdna() ? (far ? "ds_wrxchg2st64_rtn_b" : "ds_wrxchg2_rtn_b")
                           : far                ? "ds_storexchg_2addr_stride64_rtn_b"
                                                : "ds_storexchg_2addr_rtn_b";
        int unit = 4 * words * (far ? 64 : 1);
        for (u32 i = 0; i < 8192; i++) std::memcpy(w.lds + 4 * i, &i, 4);
        for (int l = 0; l < h.lanes(); l++) {
          w.row[0][l] = 16 * l;
          for (int r = 1; r < 8; r++) w.row[r][l] = 100000 * r + l;
        }
        auto rows = [&](int first, int count) {
          return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
        };
        std::string text = fmt::format("{}{} {}, v0, {}, {} offset0:1 offset1:2", name, 32 * words, rows(8, 2 * words),
                                       rows(2, words), rows(4, words));
        // Both places of a lane must be its own.
        w.scalar[kExec] = 1, w.scalar[kExec + 1] = 0;
        Status status = h.Run(text);
        ASSERT_TRUE(status.ok()) << status.ToString();
        for (int i = 0; i < 2; i++) {
          for (int n = 0; n < words; n++) {
            u32 at = (i + 1) * unit + 4 * n, now;
            std::memcpy(&now, w.lds + at, 4);
            EXPECT_EQ(w.row[8 + i * words + n][0], at / 4) << text;
            EXPECT_EQ(now, 100000u * (2 + 2 * i + n)) << text;
          }
        }
      }
    }
  }
}
TEST(LdsExchangeTest, ConditionalByHalf) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    Wave& w = h.wave();
    for (u32 i = 0; i < 256; i++) std::memcpy(w.lds + 4 * i, &i, 4);
    for (int l = 0; l < h.lanes(); l++) {
      w.row[0][l] = 8 * l;
      w.row[2][l] = (l & 1 ? 0x80000000 : 0) | (1000 + l);
      w.row[3][l] = (l & 2 ? 0x80000000 : 0) | (2000 + l);
    }
    ASSERT_TRUE(h.Run("ds_condxchg32_rtn_b64 v[8:9], v0, v[2:3] offset:16").ok());
    for (u32 l = 0; l < static_cast<u32>(h.lanes()); l++) {
      u32 now[2];
      std::memcpy(now, w.lds + 16 + 8 * l, 8);
      EXPECT_EQ(w.row[8][l], 4 + 2 * l);
      EXPECT_EQ(w.row[9][l], 5 + 2 * l);
      EXPECT_EQ(now[0], (l & 1) != 0 ? 1000 + l : 4 + 2 * l);
      EXPECT_EQ(now[1], (l & 2) != 0 ? 2000 + l : 5 + 2 * l);
    }
  }
}

// --- blocks of registers: the bits of M0 say which

TEST(BlockTest, AccessesTheChosenRegisters) {
  InstructionHarness h("gfx1201");
  Wave& w = h.wave();
  auto* memory = static_cast<u32*>(*h.memory().Allocate(32 * 128, 256, "data"));
  for (u32 i = 0; i < 32 * 32; i++) memory[i] = i;
  for (u32 l = 0; l < 32; l++) {
    u64 address = reinterpret_cast<u64>(memory + 32 * l);
    w.row[0][l] = static_cast<u32>(address);
    w.row[1][l] = static_cast<u32>(address >> 32);
    w.row[2][l] = 0;
    for (int r = 8; r < 72; r++) w.row[r][l] = 5000 + r;
  }
  w.scalar[kM0] = 0x80000005;
  w.scalar[kExec] = 0xfffffffe;
  Status status = h.Run(
      "global_load_block v[8:39], v[0:1], off\n global_store_block v[0:1], v[40:71], off\n"
      "scratch_store_block v2, v[40:71], off offset:16");
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (u32 l = 0; l < 32; l++) {
    for (u32 r = 0; r < 32; r++) {
      bool chosen = l != 0 && (0x80000005u >> r & 1) != 0;
      EXPECT_EQ(w.row[8 + r][l], chosen ? 32 * l + r : 5008 + r);
      EXPECT_EQ(memory[32 * l + r], chosen ? 5040 + r : 32 * l + r);
    }
  }
  EXPECT_EQ(w.scalar[kExec], 0xfffffffeu);
  ASSERT_TRUE(h.Run("scratch_load_block v[80:111], v2, off offset:16").ok());
  EXPECT_EQ(w.row[82][7], 5042u);
  EXPECT_EQ(w.row[111][7], 5071u);
}

}  // namespace
}  // namespace rocxla::emu
