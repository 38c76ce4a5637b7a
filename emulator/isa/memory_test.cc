// Witnesses for loads and stores: every width, extension and half, in every memory, against memcpy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

constexpr const char* kTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
constexpr int kOffset = 12, kLaneBytes = 128;

enum class Part { kWhole, kLow, kHigh };
struct Access {
  std::string gfx9, later;  // the mnemonic's end in both vocabularies
  int bytes;
  bool is_signed = false;
  Part part = Part::kWhole;
};
const std::vector<Access>& Loads() {
  static const std::vector<Access> loads = {{"ubyte", "u8", 1},
                                            {"sbyte", "i8", 1, true},
                                            {"ushort", "u16", 2},
                                            {"sshort", "i16", 2, true},
                                            {"dword", "b32", 4},
                                            {"dwordx2", "b64", 8},
                                            {"dwordx3", "b96", 12},
                                            {"dwordx4", "b128", 16},
                                            {"ubyte_d16", "d16_u8", 1, false, Part::kLow},
                                            {"ubyte_d16_hi", "d16_hi_u8", 1, false, Part::kHigh},
                                            {"sbyte_d16", "d16_i8", 1, true, Part::kLow},
                                            {"sbyte_d16_hi", "d16_hi_i8", 1, true, Part::kHigh},
                                            {"short_d16", "d16_b16", 2, false, Part::kLow},
                                            {"short_d16_hi", "d16_hi_b16", 2, false, Part::kHigh}};
  return loads;
}
const std::vector<Access>& Stores() {
  static const std::vector<Access> stores = {
      {"byte", "b8", 1},      {"byte_d16_hi", "d16_hi_b8", 1, false, Part::kHigh},
      {"short", "b16", 2},    {"short_d16_hi", "d16_hi_b16", 2, false, Part::kHigh},
      {"dword", "b32", 4},    {"dwordx2", "b64", 8},
      {"dwordx3", "b96", 12}, {"dwordx4", "b128", 16}};
  return stores;
}
// Each access with lanes anywhere (0), and with lanes that follow each other.
std::vector<std::pair<Access, int>> BothPlacements(const std::vector<Access>& accesses) {
  std::vector<std::pair<Access, int>> all;
  for (const Access& a : accesses) {
    for (int side_by_side : {0, a.bytes}) all.emplace_back(a, side_by_side);
  }
  return all;
}
std::string Registers(char file, int first, int words) {
  return words == 1 ? fmt::format("{}{}", file, first) : fmt::format("{}[{}:{}]", file, first, first + words - 1);
}

// One memory with its way of naming addresses. {r} are the data registers.
struct Memory {
  std::string prefix, load, store;
  bool is_lds = false, is_scratch = false, is_flat_address = false;
};
const Memory kGlobal = {"global", "{r}, v[0:1], off offset:12", "v[0:1], {r}, off offset:12", false, false, true};
const Memory kGlobalScalar = {"global", "{r}, v0, s[0:1] offset:12", "v0, {r}, s[0:1] offset:12"};
const Memory kFlat = {"flat", "{r}, v[0:1] offset:12", "v[0:1], {r} offset:12", false, false, true};
const Memory kScratch = {"scratch", "{r}, v0, off offset:12", "v0, {r}, off offset:12", false, true};
const Memory kBuffer = {"buffer", "{r}, v0, s[4:7], {zero} offen offset:12", "{r}, v0, s[4:7], {zero} offen offset:12"};

class MemoryTest : public testing::TestWithParam<Memory> {
 protected:
  // Random bytes of a lane's own, an address into them per lane, and registers that point there. With `side_by_side`
  // bytes, lanes follow each other at this distance instead.
  void Prepare(InstructionHarness& h, RandomBits& random, int side_by_side) {
    Wave& w = h.wave();
    const Memory& m = GetParam();
    block_ = m.is_scratch ? w.scratch : static_cast<u8*>(*h.memory().Allocate(64 * kLaneBytes, 256, "data"));
    lane_stride_ = m.is_scratch ? w.scratch_bytes : kLaneBytes;
    for (int i = 0; i < 64 * lane_stride_; i++) block_[i] = static_cast<u8>(random.Word());
    u64 base = reinterpret_cast<u64>(block_);
    for (int l = 0; l < h.lanes(); l++) {
      int inside = static_cast<int>(random.Word() % 64);
      int first = side_by_side != 0 && !m.is_scratch ? 5 + l * side_by_side : l * lane_stride_ + inside;
      place_[l] = first + kOffset;
      u64 address = m.is_flat_address ? base + first : first;
      if (m.is_scratch) address = inside;
      w.row[0][l] = static_cast<u32>(address);
      w.row[1][l] = static_cast<u32>(address >> 32);
      for (int r = 8; r < 12; r++) w.row[r][l] = random.Word();
    }
    h.set_pair(0, base);
    h.set_pair(4, base & 0xffffffffffffu);
    w.scalar[6] = 64 * kLaneBytes;
    w.scalar[7] = 0;
  }
  std::string Text(const InstructionHarness& h, std::string_view verb, const Access& a, std::string operands) {
    bool gfx9 = h.target().is_cdna(), gfx12 = h.target().generation == Generation::kRdna4;
    auto replace = [&](std::string_view what, std::string with) {
      if (size_t at = operands.find(what); at != operands.npos) operands.replace(at, what.size(), with);
    };
    replace("{r}", Registers('v', 8, std::max(1, a.bytes / 4)));
    replace("{zero}", gfx12 ? "null" : "0");
    return fmt::format("{}_{}_{} {}", GetParam().prefix, verb, gfx9 ? a.gfx9 : a.later, operands);
  }
  u8* block_ = nullptr;
  int lane_stride_ = 0;
  int place_[64];
};

u32 Extended(const u8* at, const Access& a) {
  u32 x = 0;
  std::memcpy(&x, at, std::min(a.bytes, 4));
  if (a.is_signed && a.bytes == 1) x = static_cast<u32>(static_cast<i8>(x));
  if (a.is_signed && a.bytes == 2) x = static_cast<u32>(static_cast<i16>(x));
  return x;
}

TEST_P(MemoryTest, LoadsExtendAndKeep) {
  for (const char* target : kTargets) {
    for (const auto& [a, side_by_side] : BothPlacements(Loads())) {
      InstructionHarness h(target);
      RandomBits random(a.bytes);
      Prepare(h, random, side_by_side);
      u32 old[64];
      std::memcpy(old, h.wave().row[8], sizeof old);
      std::string text = Text(h, "load", a, GetParam().load);
      Status status = h.Run(text);
      ASSERT_TRUE(status.ok()) << status.ToString();
      for (int l = 0; l < h.lanes(); l++) {
        u32 first = Extended(block_ + place_[l], a);
        if (a.part == Part::kLow) first = (old[l] & 0xffff0000u) | (first & 0xffffu);
        if (a.part == Part::kHigh) first = (old[l] & 0xffffu) | first << 16;
        EXPECT_EQ(h.wave().row[8][l], first) << text << " on " << target << " lane " << l;
        for (int n = 1; n < a.bytes / 4; n++) {
          EXPECT_EQ(h.wave().row[8 + n][l], Extended(block_ + place_[l] + 4 * n, {"", "", 4})) << text << " word " << n;
        }
      }
    }
  }
}

TEST_P(MemoryTest, StoresWriteTheirBytesOnly) {
  for (const char* target : kTargets) {
    for (const auto& [a, side_by_side] : BothPlacements(Stores())) {
      InstructionHarness h(target);
      RandomBits random(a.bytes);
      Prepare(h, random, side_by_side);
      std::vector<u8> want(block_, block_ + 64 * lane_stride_);
      for (int l = 0; l < h.lanes(); l++) {
        for (int n = 0; n < a.bytes; n++) {
          u32 word = h.wave().row[8 + n / 4][l];
          want[place_[l] + n] = static_cast<u8>(word >> (8 * (n % 4) + (a.part == Part::kHigh ? 16 : 0)));
        }
      }
      std::string text = Text(h, "store", a, GetParam().store);
      Status status = h.Run(text);
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ(std::memcmp(block_, want.data(), want.size()), 0) << text << " on " << target;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Spaces, MemoryTest, testing::Values(kGlobal, kGlobalScalar, kFlat, kScratch, kBuffer),
                         [](const auto& info) { return info.param.prefix + std::to_string(info.index); });

// Lanes that follow each other, up to the last byte and beyond it; and a load into the registers of its own address.
TEST(ConsecutiveLanesTest, EndWithTheAllocation) {
  for (const char* target : kTargets) {
    for (bool fits : {true, false}) {
      InstructionHarness h(target);
      u32 bytes = 4 * h.lanes() - (fits ? 0 : 1);
      auto* data = static_cast<u8*>(*h.memory().Allocate(bytes, 256, "data"));
      for (u32 i = 0; i < bytes; i++) data[i] = static_cast<u8>(i * 7);
      for (int l = 0; l < h.lanes(); l++) {
        u64 address = reinterpret_cast<u64>(data) + 4 * l;
        h.wave().row[0][l] = static_cast<u32>(address);
        h.wave().row[1][l] = static_cast<u32>(address >> 32);
      }
      std::string text = fmt::format("global_load_{} v0, v[0:1], off", h.target().is_cdna() ? "dword" : "b32");
      Status status = h.Run(text);
      ASSERT_EQ(status.ok(), fits) << status.ToString();
      for (int l = 0; l < h.lanes() && fits; l++) {
        EXPECT_EQ(h.wave().row[0][l], Extended(data + 4 * l, {"", "", 4})) << text << " on " << target << " lane " << l;
      }
      if (!fits) EXPECT_EQ(h.wave().fault.lane, h.lanes() - 1) << target;
    }
  }
}
// 32-bit offsets that follow each other beyond 2^32 do not name neighbours.
TEST(ConsecutiveLanesTest, OffsetsDoNotWrapIntoTheNextBytes) {
  for (const char* target : kTargets) {
    InstructionHarness h(target);
    auto* data = static_cast<u32*>(*h.memory().Allocate(512, 256, "data"));
    h.set_pair(0, reinterpret_cast<u64>(data) - 0xfffffff0u);
    for (int l = 0; l < h.lanes(); l++) h.wave().row[0][l] = 0xfffffff0u + 4 * l;
    EXPECT_FALSE(h.Run(fmt::format("global_load_{} v1, v0, s[0:1]", h.target().is_cdna() ? "dword" : "b32")).ok());
    EXPECT_EQ(h.wave().fault.lane, 4) << target;
  }
}

// --- scalar loads

TEST(ScalarMemoryTest, LoadsWordsAndExtendsNarrowOnes) {
  struct Load {
    std::string gfx9, later;
    int bytes;
    bool is_signed = false;
  };
  const Load kLoads[] = {{"dword", "b32", 4},     {"dwordx2", "b64", 8},    {"", "b96", 12}, {"dwordx4", "b128", 16},
                         {"dwordx8", "b256", 32}, {"dwordx16", "b512", 64}, {"", "u8", 1},   {"", "i8", 1, true},
                         {"", "u16", 2},          {"", "i16", 2, true}};
  for (const char* target : kTargets) {
    for (const Load& load : kLoads) {
      for (bool buffer : {false, true}) {
        InstructionHarness h(target);
        RandomBits random(load.bytes);
        std::string name = h.target().is_cdna() ? load.gfx9 : load.later;
        bool gfx12_only = load.bytes < 4 || load.bytes == 12;
        if (gfx12_only && h.target().generation != Generation::kRdna4) continue;
        auto* data = static_cast<u8*>(*h.memory().Allocate(256, 256, "data"));
        for (int i = 0; i < 256; i++) data[i] = static_cast<u8>(random.Word() | 0x80);
        u64 base = reinterpret_cast<u64>(data);
        h.set_pair(4, base);
        h.wave().scalar[6] = 256;
        h.wave().scalar[7] = 0;
        std::string text = fmt::format("s_{}load_{} {}, {}, 0x20", buffer ? "buffer_" : "", name,
                                       Registers('s', 16, std::max(1, load.bytes / 4)), buffer ? "s[4:7]" : "s[4:5]");
        Status status = h.Run(text);
        ASSERT_TRUE(status.ok()) << status.ToString();
        Access a{"", "", load.bytes, load.is_signed};
        EXPECT_EQ(h.scalar(16), Extended(data + 0x20, a)) << text << " on " << target;
        for (int n = 1; n < load.bytes / 4; n++) {
          EXPECT_EQ(h.scalar(16 + n), Extended(data + 0x20 + 4 * n, {"", "", 4})) << text << " word " << n;
        }
      }
    }
  }
}
TEST(ScalarMemoryTest, BuffersEndInZeros) {
  InstructionHarness h("gfx942");
  auto* data = static_cast<u32*>(*h.memory().Allocate(256, 256, "data"));
  for (u32 i = 0; i < 64; i++) data[i] = 1000 + i;
  h.set_pair(4, reinterpret_cast<u64>(data));
  h.wave().scalar[6] = 8;
  h.wave().scalar[7] = 0;
  ASSERT_TRUE(h.Run("s_buffer_load_dwordx4 s[16:19], s[4:7], 0x4").ok());
  EXPECT_EQ(h.scalar(16), 1001u);
  EXPECT_EQ(h.scalar(17), 0u);
  EXPECT_EQ(h.scalar(19), 0u);
}

// --- LDS

struct LdsAccess {
  std::string gfx9, later;
  int bytes;
  bool is_signed = false;
  Part part = Part::kWhole;
  int stride = 0;  // of the two offsets, in bytes
};
std::string LdsText(const InstructionHarness& h, const LdsAccess& a, bool store) {
  std::string name = h.target().is_cdna() ? a.gfx9 : a.later;
  int words = std::max(1, a.bytes / 4) * (a.stride != 0 && !store ? 2 : 1);
  std::string offsets = a.stride != 0 ? "offset0:1 offset1:3" : "offset:16";
  std::string second = store && a.stride != 0 ? ", " + Registers('v', 12, std::max(1, a.bytes / 4)) : "";
  return store ? fmt::format("{} v0, {}{} {}", name, Registers('v', 8, words), second, offsets)
               : fmt::format("{} {}, v0 {}", name, Registers('v', 8, words), offsets);
}
// Addresses ascend by 2048 bytes, so that accesses with strides of 64 elements do not meet.
void PrepareLds(InstructionHarness& h, RandomBits& random) {
  for (u32 i = 0; i < h.wave().lds_bytes; i++) h.wave().lds[i] = static_cast<u8>(random.Word());
  for (int l = 0; l < h.lanes(); l++) {
    h.wave().row[0][l] = 2048 * (l % 16) + 16 * (l / 16);
    for (int r = 8; r < 16; r++) h.wave().row[r][l] = random.Word();
  }
}
TEST(LdsTest, Loads) {
  const LdsAccess kLoads[] = {{"ds_read_u8", "ds_load_u8", 1},
                              {"ds_read_i8", "ds_load_i8", 1, true},
                              {"ds_read_u16", "ds_load_u16", 2},
                              {"ds_read_i16", "ds_load_i16", 2, true},
                              {"ds_read_u8_d16", "ds_load_u8_d16", 1, false, Part::kLow},
                              {"ds_read_u8_d16_hi", "ds_load_u8_d16_hi", 1, false, Part::kHigh},
                              {"ds_read_i8_d16", "ds_load_i8_d16", 1, true, Part::kLow},
                              {"ds_read_i8_d16_hi", "ds_load_i8_d16_hi", 1, true, Part::kHigh},
                              {"ds_read_u16_d16", "ds_load_u16_d16", 2, false, Part::kLow},
                              {"ds_read_u16_d16_hi", "ds_load_u16_d16_hi", 2, false, Part::kHigh},
                              {"ds_read_b32", "ds_load_b32", 4},
                              {"ds_read_b64", "ds_load_b64", 8},
                              {"ds_read_b96", "ds_load_b96", 12},
                              {"ds_read_b128", "ds_load_b128", 16},
                              {"ds_read2_b32", "ds_load_2addr_b32", 4, false, Part::kWhole, 4},
                              {"ds_read2st64_b32", "ds_load_2addr_stride64_b32", 4, false, Part::kWhole, 256},
                              {"ds_read2_b64", "ds_load_2addr_b64", 8, false, Part::kWhole, 8},
                              {"ds_read2st64_b64", "ds_load_2addr_stride64_b64", 8, false, Part::kWhole, 512}};
  for (const char* target : kTargets) {
    for (const LdsAccess& a : kLoads) {
      InstructionHarness h(target);
      RandomBits random(a.bytes);
      PrepareLds(h, random);
      u32 old[64];
      std::memcpy(old, h.wave().row[8], sizeof old);
      std::string text = LdsText(h, a, false);
      Status status = h.Run(text);
      ASSERT_TRUE(status.ok()) << status.ToString();
      for (int l = 0; l < h.lanes(); l++) {
        u32 address = 2048 * (l % 16) + 16 * (l / 16);
        int words = std::max(1, a.bytes / 4), reads = a.stride != 0 ? 2 : 1;
        for (int n = 0; n < words * reads; n++) {
          int at = a.stride == 0 ? 16 + 4 * n : (n / words == 0 ? 1 : 3) * a.stride + 4 * (n % words);
          u32 want = Extended(h.wave().lds + address + at, {"", "", std::min(a.bytes, 4), a.is_signed});
          if (a.part == Part::kLow) want = (old[l] & 0xffff0000u) | (want & 0xffffu);
          if (a.part == Part::kHigh) want = (old[l] & 0xffffu) | want << 16;
          EXPECT_EQ(h.wave().row[8 + n][l], want) << text << " on " << target << " lane " << l << " word " << n;
        }
      }
    }
  }
}
TEST(LdsTest, Stores) {
  const LdsAccess kStores[] = {{"ds_write_b8", "ds_store_b8", 1},
                               {"ds_write_b8_d16_hi", "ds_store_b8_d16_hi", 1, false, Part::kHigh},
                               {"ds_write_b16", "ds_store_b16", 2},
                               {"ds_write_b16_d16_hi", "ds_store_b16_d16_hi", 2, false, Part::kHigh},
                               {"ds_write_b32", "ds_store_b32", 4},
                               {"ds_write_b64", "ds_store_b64", 8},
                               {"ds_write_b96", "ds_store_b96", 12},
                               {"ds_write_b128", "ds_store_b128", 16},
                               {"ds_write2_b32", "ds_store_2addr_b32", 4, false, Part::kWhole, 4},
                               {"ds_write2st64_b32", "ds_store_2addr_stride64_b32", 4, false, Part::kWhole, 256},
                               {"ds_write2_b64", "ds_store_2addr_b64", 8, false, Part::kWhole, 8},
                               {"ds_write2st64_b64", "ds_store_2addr_stride64_b64", 8, false, Part::kWhole, 512}};
  for (const char* target : kTargets) {
    for (const LdsAccess& a : kStores) {
      InstructionHarness h(target);
      RandomBits random(a.bytes);
      PrepareLds(h, random);
      // Far enough apart that lanes do not meet; all of them where LDS is large enough.
      int pitch = a.stride == 0 ? 32 : 4 * a.stride, lanes = pitch <= 512 ? h.lanes() : 16;
      for (int l = 0; l < h.lanes(); l++) h.wave().row[0][l] = pitch * l;
      h.set_pair(kExec, ~u64{0} >> (64 - lanes));
      std::vector<u8> want(h.wave().lds, h.wave().lds + h.wave().lds_bytes);
      for (int l = 0; l < lanes; l++) {
        for (int part = 0; part < (a.stride != 0 ? 2 : 1); part++) {
          int at = pitch * l + (a.stride == 0 ? 16 : (part == 0 ? 1 : 3) * a.stride);
          for (int n = 0; n < a.bytes; n++) {
            u32 word = h.wave().row[8 + 4 * part + n / 4][l];
            want[at + n] = static_cast<u8>(word >> (8 * (n % 4) + (a.part == Part::kHigh ? 16 : 0)));
          }
        }
      }
      std::string text = LdsText(h, a, true);
      Status status = h.Run(text);
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ(std::memcmp(h.wave().lds, want.data(), want.size()), 0) << text << " on " << target;
    }
  }
}

// Loads past the registers: lane l's words lie at M0 + offset + l * size.
TEST(LdsTest, LoadsFromMemoryDirectly) {
  struct Direct {
    std::string target, text;
    int bytes, memory_bytes;
  };
  const Direct kCases[] = {{"gfx90a", "global_load_dword v[0:1], off offset:16 lds", 4, 4},
                           {"gfx942", "global_load_lds_dword v[0:1], off offset:16", 4, 4},
                           {"gfx942", "global_load_lds_ushort v[0:1], off offset:16", 4, 2},
                           {"gfx942", "global_load_lds_ubyte v[0:1], off offset:16", 4, 1},
                           {"gfx950", "global_load_lds_dwordx4 v[0:1], off offset:16", 16, 16},
                           {"gfx950", "global_load_lds_dwordx3 v[0:1], off offset:16", 12, 12},
                           {"gfx942", "buffer_load_dword v2, s[4:7], 0 offen offset:16 lds", 4, 4}};
  for (const Direct& c : kCases) {
    InstructionHarness h(c.target);
    RandomBits random(c.bytes);
    auto* data = static_cast<u8*>(*h.memory().Allocate(8192, 256, "data"));
    for (int i = 0; i < 8192; i++) data[i] = static_cast<u8>(random.Word());
    for (int l = 0; l < 64; l++) {
      u64 address = reinterpret_cast<u64>(data) + 64 * (63 - l);
      h.wave().row[0][l] = static_cast<u32>(address);
      h.wave().row[1][l] = static_cast<u32>(address >> 32);
      h.wave().row[2][l] = 64 * (63 - l);
    }
    h.set_pair(4, reinterpret_cast<u64>(data));
    h.wave().scalar[6] = 8192;
    h.wave().scalar[7] = 0;
    h.wave().scalar[kM0] = 256;
    Status status = h.Run(c.text);
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (int l = 0; l < 64; l++) {
      u8 want[16] = {};
      std::memcpy(want, data + 64 * (63 - l) + 16, c.memory_bytes);
      EXPECT_EQ(std::memcmp(h.wave().lds + 256 + 16 + l * c.bytes, want, c.bytes), 0) << c.text << " lane " << l;
    }
  }
}
TEST(LdsTest, LoadsFromScratchDirectly) {
  for (auto [text, bytes] : {std::pair{"scratch_load_dword v0, off offset:16 lds", 4},
                             std::pair{"scratch_load_ushort v0, off offset:16 lds", 2},
                             std::pair{"scratch_load_ubyte v0, off offset:16 lds", 1}}) {
    InstructionHarness h("gfx90a");
    Wave& w = h.wave();
    for (u32 i = 0; i < 64 * w.scratch_bytes; i++) w.scratch[i] = static_cast<u8>(i * 7 + i / 256);
    for (u32 l = 0; l < 64; l++) w.row[0][l] = 2 * l;
    w.scalar[kM0] = 256;
    Status status = h.Run(text);
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (u32 l = 0; l < 64; l++) {
      u8 want[4] = {};
      std::memcpy(want, w.scratch + l * w.scratch_bytes + 2 * l + 16, bytes);
      EXPECT_EQ(std::memcmp(w.lds + 256 + 16 + 4 * l, want, sizeof want), 0) << text << " lane " << l;
    }
  }
}

}  // namespace
}  // namespace rocxla::emu
