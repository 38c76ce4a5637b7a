// Decoding and executing any bytes as instructions: the first byte chooses the target, the rest is code. Whatever it
// does, it ends, and stays within its wave and its memory.
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"

namespace rocxla {
namespace {

constexpr const char* kTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
constexpr uint64_t kInstructionLimit = 2000, kBufferBytes = 4096;

// One harness per target, with a buffer that s[0:1], v[0:1] and a buffer resource in s[4:7] point to.
class Machine {
 public:
  explicit Machine(const char* target) : harness_(target) {
    buffer_ = harness_.memory().Allocate(kBufferBytes, 256, "buffer").value();
  }
  Status Run(std::span<const uint8_t> code) {
    emu::Wave& wave = harness_.wave();
    emu::RandomBits random(7);
    for (auto& row : wave.row) {
      for (uint32_t& word : row) word = random.Word();
    }
    for (int i = 0; i < emu::kVcc; i++) wave.scalar[i] = random.Word();
    const auto address = reinterpret_cast<uint64_t>(buffer_);
    harness_.set_pair(0, address);
    harness_.set_pair(4, address);
    harness_.set_pair(6, kBufferBytes);
    for (int lane = 0; lane < wave.lanes; lane++) {
      wave.row[0][lane] = static_cast<uint32_t>(address) + 4 * lane;
      wave.row[1][lane] = static_cast<uint32_t>(address >> 32);
      wave.row[2][lane] = 8 * lane;  // an offset
    }
    harness_.set_pair(emu::kExec, emu::FullExec(wave.lanes));
    return harness_.RunCode(code, kInstructionLimit);
  }

 private:
  emu::InstructionHarness harness_;
  void* buffer_ = nullptr;
};

Machine& MachineFor(size_t target) {
  static auto* machines = [] {
    auto* all = new std::vector<std::unique_ptr<Machine>>;
    for (const char* name : kTargets) all->push_back(std::make_unique<Machine>(name));
    return all;
  }();
  return *(*machines)[target];
}

}  // namespace

std::vector<std::string> FuzzSeeds() {
  const std::pair<size_t, std::vector<const char*>> programs[] = {
      {0,
       {"v_add_f32 v5, v6, v7", "global_load_dword v8, v2, s[0:1]", "s_waitcnt vmcnt(0)",
        "v_mfma_f32_32x32x2f32 a[0:15], v3, v4, a[0:15]"}},
      {1,
       {"ds_write_b32 v2, v3", "s_mov_b32 s10, 3", "s_sub_u32 s10, s10, 1", "s_cmp_lg_u32 s10, 0",
        "s_cbranch_scc1 -3"}},
      {2,
       {"buffer_load_dword v9, v2, s[4:7], 0 offen", "v_cvt_f16_f32 v9, v9",
        "v_mov_b32_dpp v3, v9 quad_perm:[1,0,3,2]"}},
      {3,
       {"global_atomic_add_u32 v2, v3, s[0:1]", "v_dual_mov_b32 v4, v5 :: v_dual_add_f32 v7, v8, v9",
        "s_and_saveexec_b32 s8, vcc_lo"}},
      {4, {"global_load_b128 v[8:11], v[0:1], off", "s_wait_loadcnt 0x0", "v_pk_fma_f16 v8, v9, v10, v11"}}};
  std::vector<std::string> seeds;
  for (const auto& [target, lines] : programs) {
    std::string text;
    for (const char* line : lines) text += std::string(line) + "\n";
    StatusOr<std::vector<uint8_t>> code = emu::Assemble(*FindTarget(kTargets[target]), text + "s_endpgm\n");
    CHECK(code.ok()) << code.status().ToString();
    seeds.push_back(std::string(1, static_cast<char>(target)) + std::string(code->begin(), code->end()));
  }
  return seeds;
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  if (size == 0) return 0;
  const Status status = MachineFor(data[0] % std::size(kTargets)).Run({data + 1, size - 1});
  status.ok() ? ++Counts().accepted : ++Counts().rejected;  // faults of the harness are not errors for users
  return 0;
}
