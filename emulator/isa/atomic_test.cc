// Witnesses for atomic operations: the memory that results, and the old value that returns, in every memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "base/numerics/half.h"
#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

constexpr const char* kTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};

enum class Kind { kInteger, kF32, kF64, kF16s, kBf16s };
struct AtomicCase {
  std::vector<std::string> names;  // in all vocabularies, after global_atomic_ or ds_
  int bytes;
  int operands;
  std::function<u64(u64 memory, u64 b, u64 c)> formula;
  Kind kind = Kind::kInteger;
};
float F(u64 x) { return std::bit_cast<float>(static_cast<u32>(x)); }
double D(u64 x) { return std::bit_cast<double>(x); }
u64 B(float x) { return std::bit_cast<u32>(x); }
u64 B(double x) { return std::bit_cast<u64>(x); }
i64 S(u64 x, int bytes) { return bytes == 8 ? static_cast<i64>(x) : static_cast<i32>(x); }
u64 Cut(u64 x, int bytes) { return bytes == 8 ? x : x & 0xffffffffu; }
u64 PairOf16(u64 a, u64 b, auto add) {
  return u64{add(static_cast<u16>(a), static_cast<u16>(b))} |
         u64{add(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16))} << 16;
}
u64 AddF16s(u64 a, u64 b) {
  return PairOf16(a, b, [](u16 x, u16 y) { return F32ToF16(F16ToF32(x) + F16ToF32(y)); });
}
u64 AddBf16s(u64 a, u64 b) {
  return PairOf16(a, b, [](u16 x, u16 y) { return F32ToBf16(Bf16ToF32(x) + Bf16ToF32(y)); });
}

// What integers of both sizes can do. `name`: u for unsigned, the size follows.
std::vector<AtomicCase> IntegerCases(int n, bool lds) {
  std::string bits = n == 8 ? "64" : "32", x2 = n == 8 ? "_x2" : "";
  auto all = [&](std::string plain, std::string typed) {
    return lds ? std::vector<std::string>{typed + bits} : std::vector<std::string>{plain + x2, typed + bits};
  };
  auto cut = [n](auto f) { return [n, f](u64 m, u64 b, u64 c) { return Cut(f(m, b, c), n); }; };
  std::vector<AtomicCase> cases = {
      {all("add", "add_u"), n, 1, cut([](u64 m, u64 b, u64) { return m + b; })},
      {all("sub", "sub_u"), n, 1, cut([](u64 m, u64 b, u64) { return m - b; })},
      {all("smin", "min_i"), n, 1, cut([n](u64 m, u64 b, u64) { return u64(std::min(S(m, n), S(b, n))); })},
      {all("smax", "max_i"), n, 1, cut([n](u64 m, u64 b, u64) { return u64(std::max(S(m, n), S(b, n))); })},
      {all("umin", "min_u"), n, 1, cut([](u64 m, u64 b, u64) { return std::min(m, b); })},
      {all("umax", "max_u"), n, 1, cut([](u64 m, u64 b, u64) { return std::max(m, b); })},
      {all("and", "and_b"), n, 1, cut([](u64 m, u64 b, u64) { return m & b; })},
      {all("or", "or_b"), n, 1, cut([](u64 m, u64 b, u64) { return m | b; })},
      {all("xor", "xor_b"), n, 1, cut([](u64 m, u64 b, u64) { return m ^ b; })},
      {all("inc", "inc_u"), n, 1, cut([](u64 m, u64 b, u64) { return m < b ? m + 1 : 0; })},
      {all("dec", "dec_u"), n, 1, cut([](u64 m, u64 b, u64) { return m == 0 || b < m ? b : m - 1; })},
  };
  auto swap = cut([](u64, u64 b, u64) { return b; });
  if (!lds) {
    cases.push_back({all("swap", "swap_b"), n, 1, swap});
    cases.push_back({all("cmpswap", "cmpswap_b"), n, 2, cut([](u64 m, u64 b, u64 c) { return m == c ? b : m; })});
    return cases;
  }
  cases.push_back({{"wrxchg_b" + bits, "storexchg_b" + bits}, n, 1, swap});
  cases.push_back({{"rsub_u" + bits}, n, 1, cut([](u64 m, u64 b, u64) { return b - m; })});
  cases.push_back({{"cmpst_b" + bits}, n, 2, cut([](u64 m, u64 b, u64 c) { return m == b ? c : m; })});
  cases.push_back({{"cmpstore_b" + bits}, n, 2, cut([](u64 m, u64 b, u64 c) { return m == c ? b : m; })});
  cases.push_back({{"mskor_b" + bits}, n, 2, cut([](u64 m, u64 b, u64 c) { return (m & ~b) | c; })});
  return cases;
}
std::vector<AtomicCase> OtherCases(bool lds) {
  std::vector<AtomicCase> cases = {
      {{"add_f32"}, 4, 1, [](u64 m, u64 b, u64) { return B(F(m) + F(b)); }, Kind::kF32},
      {{"min_f32", "min_num_f32"}, 4, 1, [](u64 m, u64 b, u64) { return B(std::fmin(F(m), F(b))); }, Kind::kF32},
      {{"max_f32", "max_num_f32"}, 4, 1, [](u64 m, u64 b, u64) { return B(std::fmax(F(m), F(b))); }, Kind::kF32},
      {{"add_f64"}, 8, 1, [](u64 m, u64 b, u64) { return B(D(m) + D(b)); }, Kind::kF64},
      {{"min_f64", "min_num_f64"}, 8, 1, [](u64 m, u64 b, u64) { return B(std::fmin(D(m), D(b))); }, Kind::kF64},
      {{"max_f64", "max_num_f64"}, 8, 1, [](u64 m, u64 b, u64) { return B(std::fmax(D(m), D(b))); }, Kind::kF64},
      {{"pk_add_f16"}, 4, 1, [](u64 m, u64 b, u64) { return AddF16s(m, b); }, Kind::kF16s},
      {{"pk_add_bf16"}, 4, 1, [](u64 m, u64 b, u64) { return AddBf16s(m, b); }, Kind::kBf16s},
      {{"cond_sub_u32"}, 4, 1, [](u64 m, u64 b, u64) { return m < b ? m : m - b; }},
      {{"sub_clamp_u32"}, 4, 1, [](u64 m, u64 b, u64) { return m < b ? 0 : m - b; }},
  };
  if (!lds) {
    cases.push_back({{"cmpswap_f32"}, 4, 2, [](u64 m, u64 b, u64 c) { return F(m) == F(c) ? b : m; }, Kind::kF32});
    return cases;
  }
  cases.push_back({{"cmpst_f32"}, 4, 2, [](u64 m, u64 b, u64 c) { return F(m) == F(b) ? c : m; }, Kind::kF32});
  cases.push_back({{"cmpst_f64"}, 8, 2, [](u64 m, u64 b, u64 c) { return D(m) == D(b) ? c : m; }, Kind::kF64});
  cases.push_back({{"cmpstore_f32"}, 4, 2, [](u64 m, u64 b, u64 c) { return F(m) == F(c) ? b : m; }, Kind::kF32});
  cases.push_back({{"cmpstore_f64"}, 8, 2, [](u64 m, u64 b, u64 c) { return D(m) == D(c) ? b : m; }, Kind::kF64});
  cases.push_back({{"wrap_b32"}, 4, 2, [](u64 m, u64 b, u64 c) { return Cut(m >= b ? m - b : m + c, 4); }});
  return cases;
}

std::string Pair(int first, int words) {
  return words == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + words - 1);
}
// Equal, up to the payload of NaNs and the sign of zeros, which minima may choose.
bool Same(u64 got, u64 want, Kind kind) {
  if (got == want) return true;
  if (kind == Kind::kF32) return F(got) == F(want) || (std::isnan(F(got)) && std::isnan(F(want)));
  if (kind == Kind::kF64) return D(got) == D(want) || (std::isnan(D(got)) && std::isnan(D(want)));
  return false;
}
bool IsNan(u64 x, Kind kind) {
  if (kind == Kind::kF32) return std::isnan(F(x));
  if (kind == Kind::kF64) return std::isnan(D(x));
  if (kind == Kind::kF16s) return (x & 0x7c00) == 0x7c00 || (x & 0x7c000000) == 0x7c000000;
  if (kind == Kind::kBf16s) return (x & 0x7f80) == 0x7f80 || (x & 0x7f800000) == 0x7f800000;
  return false;
}
u64 Operand(RandomBits& random, const AtomicCase& c) {
  u64 x;
  do {
    x = c.bytes == 8 ? random.EdgePair() : random.EdgeWord();
  } while (IsNan(x, c.kind));
  return x;
}

// Data in v[2..5] (buffers return there), results in v[8:9], addresses in v[0:1]; `base` holds a cell per lane.
class Runner {
 public:
  Runner(const char* target, const AtomicCase& c) : h_(target), c_(c), random_(c.bytes + c.operands) {}
  InstructionHarness& harness() { return h_; }

  void Prepare(u8* base, bool offsets_only) {
    base_ = base;
    for (int l = 0; l < h_.lanes(); l++) {
      u64 address = (offsets_only ? 0 : reinterpret_cast<u64>(base)) + 16 * l;
      h_.wave().row[0][l] = static_cast<u32>(address);
      h_.wave().row[1][l] = static_cast<u32>(address >> 32);
      memory_[l] = Operand(random_, c_);
      std::memcpy(base + 16 * l, &memory_[l], c_.bytes);
      for (int i = 0; i < 2; i++) {
        u64 x = random_.Next() % 2 != 0 ? memory_[l] : Operand(random_, c_);
        data_[i][l] = x;
        int row = 2 + i * c_.bytes / 4;
        h_.wave().row[row][l] = static_cast<u32>(x);
        if (c_.bytes == 8) h_.wave().row[row + 1][l] = static_cast<u32>(x >> 32);
      }
    }
  }
  void Check(const std::string& text, int returned) {
    Status status = h_.Run(text);
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (int l = 0; l < h_.lanes(); l++) {
      u64 want = c_.formula(memory_[l], data_[0][l], data_[1][l]), got = 0;
      std::memcpy(&got, base_ + 16 * l, c_.bytes);
      EXPECT_TRUE(Same(got, want, c_.kind))
          << text << " on " << h_.target().name << std::hex << ": memory " << memory_[l] << ", data " << data_[0][l]
          << ", " << data_[1][l] << ": got " << got << ", want " << want;
      u64 old = c_.bytes == 8 ? h_.row_pair(returned, l) : h_.wave().row[returned][l];
      if (returned != 0) EXPECT_EQ(old, memory_[l]) << text << " returns";
    }
  }

 private:
  InstructionHarness h_;
  const AtomicCase& c_;
  RandomBits random_;
  u8* base_ = nullptr;
  u64 memory_[64], data_[2][64];
};

// Runs the case wherever an assembler knows one of its names; returns on how many targets.
int RunVectorMemory(const std::string& space, const AtomicCase& c) {
  int targets = 0;
  for (const char* target : kTargets) {
    for (const std::string& name : c.names) {
      Runner r(target, c);
      InstructionHarness& h = r.harness();
      bool gfx12 = h.target().generation == Generation::kRdna4, buffer = space == "buffer";
      std::string data = Pair(2, c.operands * c.bytes / 4), result = Pair(8, c.bytes / 4);
      std::string tail = buffer            ? fmt::format("{}, v0, s[4:7], {} offen", data, gfx12 ? "null" : "0")
                         : space == "flat" ? fmt::format("{}, v[0:1], {}", result, data)
                                           : fmt::format("{}, v[0:1], {}, off", result, data);
      std::string text;
      for (const char* flag : {"glc", "sc0", "th:TH_ATOMIC_RETURN"}) {
        std::string candidate = fmt::format("{}_atomic_{} {} {}", space, name, tail, flag);
        if (h.Accepts(candidate)) text = candidate;
      }
      if (text.empty()) continue;
      auto* base = static_cast<u8*>(*h.memory().Allocate(1024, 256, "cells"));
      r.Prepare(base, buffer);
      h.set_pair(4, reinterpret_cast<u64>(base));
      h.wave().scalar[6] = 1024;
      h.wave().scalar[7] = 0;
      r.Check(text, buffer ? 2 : 8);
      targets++;
    }
  }
  return targets;
}
int RunLds(const AtomicCase& c) {
  int targets = 0;
  for (const char* target : kTargets) {
    for (std::string name : c.names) {
      Runner r(target, c);
      InstructionHarness& h = r.harness();
      std::string operands = "v0, " + Pair(2, c.bytes / 4);
      if (c.operands == 2) operands += ", " + Pair(2 + c.bytes / 4, c.bytes / 4);
      name.insert(name.rfind('_'), "_rtn");
      std::string text = fmt::format("ds_{} {}, {}", name, Pair(8, c.bytes / 4), operands);
      if (!h.Accepts(text)) continue;
      r.Prepare(h.wave().lds, true);
      r.Check(text, 8);
      targets++;
    }
  }
  return targets;
}

TEST(AtomicTest, MemoryAndReturnedValueInGlobalFlatAndBuffers) {
  std::vector<AtomicCase> cases = OtherCases(false);
  for (int bytes : {4, 8}) {
    for (AtomicCase& c : IntegerCases(bytes, false)) cases.push_back(c);
  }
  for (const AtomicCase& c : cases) {
    for (std::string space : {"global", "flat", "buffer"}) {
      EXPECT_GT(RunVectorMemory(space, c), 0) << space << "_atomic_" << c.names[0];
    }
  }
}
TEST(AtomicTest, Lds) {
  std::vector<AtomicCase> cases = OtherCases(true);
  for (int bytes : {4, 8}) {
    for (AtomicCase& c : IntegerCases(bytes, true)) cases.push_back(c);
  }
  for (const AtomicCase& c : cases) EXPECT_GT(RunLds(c), 0) << "ds_" << c.names[0];
}

}  // namespace
}  // namespace rocxla::emu
