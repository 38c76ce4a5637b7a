// What a user reads when a kernel misbehaves: exact texts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "emulator/decode/decoder.h"
#include "emulator/exec/launch.h"
#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"
#include "emulator/testing/patched_kernel.h"

namespace rocxla::emu {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// vector_add(x, y, o, n), 1024 elements per block of 256 threads.
class FaultTest : public testing::Test {
 protected:
  void SetUp() override {
    auto bytes = ReadFile(std::string(ROCXLA_TEST_CASES) + "/triton/vector_add_fp32/triton-gfx1100/kernel.hsaco");
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    image_.assign(bytes->begin(), bytes->end());
  }
  void* Buffer(const std::string& label, uint64_t bytes) {
    auto pointer = memory_.Allocate(bytes, 256, label);
    std::memset(*pointer, 0, bytes);
    return *pointer;
  }
  Status Run(const void* x, const void* y, void* o, int32_t n, LaunchConfig config = {{1, 1, 1}, {128, 1, 1}},
             LaunchOptions options = {}) {
    auto object = CodeObject::Load(image_, *FindTarget("gfx1100"), memory_);
    if (!object.ok()) return object.status();
    const Kernel* kernel = (*object)->FindKernel("vector_add");
    if (!patch_.empty()) std::memcpy(reinterpret_cast<void*>(kernel->entry), patch_.data(), patch_.size() * 4);
    struct {
      const void *x, *y;
      void* o;
      int32_t n, pad;
      void *scratch, *profile;
    } arguments = {x, y, o, n, 0, nullptr, nullptr};
    auto bytes = std::as_bytes(std::span(&arguments, 1));
    return Launch(*kernel, config, bytes.first(kernel->metadata.explicit_bytes()), memory_, options).status();
  }
  std::string RunText(const std::string& text, const void* x);
  AddressSpace memory_;
  std::vector<uint8_t> image_;
  std::vector<uint32_t> patch_;  // replaces the kernel's first instructions
};

TEST_F(FaultTest, OutOfBoundsNamesInstructionAndNeighbour) {
  void *x = Buffer("x", 64), *y = Buffer("y", 4096), *o = Buffer("o", 4096);
  uint64_t begin = reinterpret_cast<uint64_t>(x);
  EXPECT_EQ(
      Run(x, y, o, 1024).ToString(),
      fmt::format("E2104 EmulatorMemoryFault: a load of 4 bytes in global memory is outside every allocation\n"
                  "  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, lane 4, pc 0x5c: "
                  "global_load_b32 v7, v[3:4], off\n"
                  "  found:    address {:#x}: 0 bytes after the end of 'x' (64 bytes at {:#x}, argument 0)\n"
                  "  expected: an address inside a live allocation\n"
                  "  next:     Check the sizes and pointers that the kernel was given, and its masks; a trace shows "
                  "every instruction.",
                  begin + 64, begin));
}

// The first instructions of the kernel are replaced by `text`; s[0:1] points to the arguments. One wave.
std::string FaultTest::RunText(const std::string& text, const void* x) {
  auto code = Assemble(*FindTarget("gfx1100"), text + "\n s_endpgm");
  if (!code.ok()) return code.status().ToString();
  patch_.resize(code->size() / 4);
  std::memcpy(patch_.data(), code->data(), code->size());
  void *y = Buffer("y", 4096), *o = Buffer("o", 4096);
  return Run(x, y, o, 1024, {{1, 1, 1}, {32, 1, 1}, 256}).ToString();
}

constexpr char kLoadPointer[] = "s_load_b64 s[4:5], s[0:1], 0\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v1, 0\n";

TEST_F(FaultTest, CodeIsReadOnly) {
  std::string text = RunText(
      "s_getpc_b64 s[4:5]\n v_mov_b32 v1, 0\n global_load_b32 v2, v1, s[4:5]\n"
      "global_store_b32 v1, v2, s[4:5]",
      nullptr);
  EXPECT_THAT(text, StartsWith("E2104 EmulatorMemoryFault: a store of 4 bytes in global memory is to read-only memory\n"
                               "  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, lane 0, pc 0x10: "
                               "global_store_b32 v1, v2, s[4:5]\n"
                               "  found:    address 0x"));
  EXPECT_THAT(text, HasSubstr(": code in 'code object' ("));
  EXPECT_THAT(text, HasSubstr("  expected: an address outside the executable segments of code objects\n"
                              "  next:     Check the pointer; a kernel cannot change code while it is loaded."));
  for (const char* store : {"global_atomic_add_u32 v1, v2, s[4:5]",
                            "s_mov_b32 s6, -1\n s_mov_b32 s7, 0x31014000\n"
                            "buffer_store_b32 v2, off, s[4:7], 0"}) {
    EXPECT_THAT(RunText(std::string("s_getpc_b64 s[4:5]\n v_mov_b32 v1, 0\n v_mov_b32 v2, 0\n") + store, nullptr),
                HasSubstr("is to read-only memory"))
        << store;
  }
}

TEST_F(FaultTest, NullPointersAndWildOnesAreNamed) {
  const std::string load = kLoadPointer + std::string("global_load_b32 v2, v1, s[4:5]");
  EXPECT_THAT(RunText(load, nullptr), HasSubstr("  found:    address 0x0: a null pointer\n"));
  EXPECT_THAT(RunText(load, reinterpret_cast<void*>(24)),
              HasSubstr("  found:    address 0x18: 24 bytes after a null pointer\n"));
  EXPECT_THAT(RunText(load, reinterpret_cast<void*>(~u64{0} - 7)),
              HasSubstr("  found:    address 0xfffffffffffffff8: far from every allocation\n"));
}

// The end of such an access wraps around; and the instruction has been somewhere valid before.
TEST_F(FaultTest, AccessesJustBelowTheEndOfAllAddresses) {
  void* x = Buffer("x", 4096);
  for (const char* access : {"global_load_b32 v2, v1, s[4:5]", "global_store_b32 v1, v1, s[4:5]",
                             "s_load_b32 s8, s[4:5], 0\n s_waitcnt lgkmcnt(0)"}) {
    const std::string loop = kLoadPointer + std::string("s_mov_b32 s9, 0\nagain:\n") + access +
                             "\n s_mov_b64 s[4:5], -4\n s_add_i32 s9, s9, 1\n s_cmp_lt_u32 s9, 2\n"
                             "s_cbranch_scc1 again";
    EXPECT_THAT(RunText(loop, x), HasSubstr("  found:    address 0xfffffffffffffffc: far from every allocation\n"))
        << access;
  }
  EXPECT_THAT(RunText("s_mov_b64 s[4:5], -4\n s_load_b64 s[8:9], s[4:5], 0", x),
              HasSubstr("  found:    address 0xfffffffffffffffc: far from every allocation\n"));
  // Lane 0 at x, the others at the end.
  EXPECT_THAT(RunText(kLoadPointer + std::string("v_and_b32 v0, 0x3ff, v0\n v_cmp_eq_u32 vcc_lo, 0, v0\n"
                                                 "v_mov_b32 v4, s4\n v_mov_b32 v5, s5\n"
                                                 "v_cndmask_b32 v4, -4, v4, vcc_lo\n"
                                                 "v_cndmask_b32 v5, -1, v5, vcc_lo\n global_load_b32 v6, v[4:5], off"),
                      x),
              HasSubstr("lane 1, "));
}

TEST_F(FaultTest, MisalignedAtomicsAreNamed) {
  char* x = static_cast<char*>(Buffer("x", 64));
  std::string text = RunText(kLoadPointer + std::string("global_atomic_add_u32 v1, v1, s[4:5]"), x + 2);
  EXPECT_THAT(text,
              StartsWith("E2104 EmulatorMemoryFault: an atomic operation on 4 bytes in global memory is misaligned"));
  EXPECT_THAT(text, HasSubstr(fmt::format("  found:    address {:#x}\n  expected: a multiple of 4\n",
                                          reinterpret_cast<u64>(x) + 2)));
  EXPECT_THAT(RunText("v_mov_b32 v1, 6\n ds_add_u32 v1, v1", nullptr),
              HasSubstr("an atomic operation on 4 bytes in LDS is misaligned"));
}

// Compilers access members of packed structures as they lie, and add constants to registers that may be negative.
TEST_F(FaultTest, LdsIsAccessedAnywhereAndAddressesWrap) {
  void* x = Buffer("x", 128);
  const std::string text =
      "v_and_b32 v0, 0x3ff, v0\n v_lshlrev_b32 v2, 2, v0\n v_sub_nc_u32 v3, 0, v2\n"
      "v_mad_u32_u24 v4, v0, 5, 1\n"
      "ds_store_b32 v4, v0 offset:1\n"  // packed: 5 bytes apart
      "ds_load_b32 v5, v4 offset:1\n s_waitcnt lgkmcnt(0)\n"
      "ds_store_b32 v3, v5 offset:124\n"  // backwards: 124 - 4 * lane
      "ds_load_2addr_b32 v[6:7], v3 offset0:31 offset1:30\n";
  const std::string store = "s_waitcnt lgkmcnt(0)\n global_store_b32 v2, v6, s[4:5]";
  EXPECT_EQ(
      RunText(kLoadPointer + text + store, x),
      "E2104 EmulatorMemoryFault: a load of 4 bytes in LDS is out of bounds\n"
      "  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, lane 31, pc 0x44: ds_load_2addr_b32 v[6:7], v3 "
      "offset0:31 offset1:30\n"
      "  found:    offset 4294967292\n"
      "  expected: offsets below 256, the size of the workgroup's LDS\n"
      "  next:     Check the dynamic LDS size of the launch (the compiler's metadata says what the kernel needs).");
  EXPECT_EQ(
      RunText(kLoadPointer + text.substr(0, text.rfind("ds_load_2addr")) + "ds_load_b32 v6, v3 offset:124\n" + store,
              x),
      "OK");
  for (u32 l = 0; l < 32; l++) EXPECT_EQ(static_cast<u32*>(x)[l], l);
}

TEST_F(FaultTest, UnsupportedInstructionIsNamed) {
  patch_ = {0xbf820001};  // s_sethalt 1 on gfx11
  EXPECT_THAT(Run(Buffer("x", 4096), Buffer("y", 4096), Buffer("o", 4096), 1).ToString(),
              StartsWith("E2103 EmulatorUnsupportedInstruction: the embedded GPU cannot execute this instruction: it "
                         "belongs to debuggers\n"
                         "  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, pc 0x0: s_sethalt 1\n"
                         "  expected: an instruction of emulator/isa/*.def"));
}

TEST_F(FaultTest, UndecodableBytesAreReported) {
  patch_ = {0xffffffff, 0xffffffff};
  std::string text = Run(Buffer("x", 4096), Buffer("y", 4096), Buffer("o", 4096), 1).ToString();
  EXPECT_THAT(text, HasSubstr("E2101 EmulatorUndecodableInstruction: the bytes are no instruction of the device\n"
                              "  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, pc 0x0: (no instruction)"));
}

// Random words as code: every outcome is an error, and the host lives. Some of these words crash LLVM's decoder.
TEST_F(FaultTest, RandomCodeNeverCrashesTheDecoder) {
  RandomBits random(1);
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    GpuTarget gpu = *FindTarget(target);
    DecodeContext context;
    context.generation = gpu.generation;
    context.lanes = gpu.wave_size;
    for (int i = 0; i < 8000; i++) {
      u32 words[4];
      for (u32& word : words) word = random.Word();
      std::span<const u8> code(reinterpret_cast<const u8*>(words), sizeof words);
      auto program = DecodeProgram(code, 0, gpu, context);
      ASSERT_TRUE(program.ok()) << program.status().ToString();
      EXPECT_FALSE(program->problems.empty() && program->code.empty());
    }
  }
}

TEST_F(FaultTest, WildJumpsAreReported) {
  patch_ = {0xbe804800};  // s_setpc_b64 s[0:1] on gfx11: into the arguments
  std::string text = Run(Buffer("x", 4096), Buffer("y", 4096), Buffer("o", 4096), 1).ToString();
  EXPECT_THAT(text, HasSubstr("E2101 EmulatorUndecodableInstruction: the wave jumps to an address outside the kernel's "
                              "code\n  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, pc 0x0: s_setpc_b64 "
                              "s[0:1]\n  found:    address 0x"));
  EXPECT_THAT(text, HasSubstr(": in 'arguments of 'vector_add''"));
  EXPECT_THAT(text,
              HasSubstr("\n  expected: a multiple of 4 within the executable segment of the kernel's code object\n"
                        "  next:     Check the function pointer that is called, and what may have overwritten "
                        "return addresses."));
}

TEST_F(FaultTest, TrapsAreReported) {
  patch_ = {0xbf900002};  // s_trap 2 on gfx11
  EXPECT_EQ(Run(Buffer("x", 4096), Buffer("y", 4096), Buffer("o", 4096), 1, {{1, 1, 1}, {32, 1, 1}}).ToString(),
            "E2107 EmulatorTrap: the kernel has trapped\n"
            "  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, pc 0x0: s_trap 2\n"
            "  next:     See what the kernel has printed: a failed assertion names itself there.");
}

TEST_F(FaultTest, EndlessLoopsEnd) {
  patch_ = {0xbfa0ffff};  // s_branch to itself on gfx11
  std::string text = Run(Buffer("x", 4096), Buffer("y", 4096), Buffer("o", 4096), 1, {{1, 1, 1}, {128, 1, 1}},
                         {.threads = 1, .instruction_limit = 1000})
                         .ToString();
  EXPECT_THAT(text, HasSubstr("E2105 EmulatorTimeout: the launch executed more than 1000 instructions\n"
                              "  where:    kernel 'vector_add', workgroup 0,0,0, wave "));
}

TEST_F(FaultTest, EndlessLoopsAreNamed) {
  patch_ = {0xbf800000, 0xbfa0fffe};  // s_nop 0; s_branch to it
  EXPECT_EQ(Run(Buffer("x", 4096), Buffer("y", 4096), Buffer("o", 4096), 1, {{1, 1, 1}, {32, 1, 1}},
                {.threads = 1, .instruction_limit = 1000})
                .ToString(),
            "E2105 EmulatorTimeout: the launch executed more than 1000 instructions\n"
            "  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, pc 0x4: s_branch 65534\n"
            "  found:    a loop from pc 0x4 to pc 0x4, after 2000 instructions of the wave\n"
            "  next:     if the kernel is not in an endless loop, raise ROCXLA_EMULATOR_MAX_INSTRUCTIONS");
}

TEST_F(FaultTest, TheEnvironmentLimitsInstructions) {
  patch_ = {0xbfa0ffff};
  auto run = [&] {
    return Run(Buffer("x", 4096), Buffer("y", 4096), Buffer("o", 4096), 1, {{1, 1, 1}, {32, 1, 1}}).ToString();
  };
  ASSERT_EQ(setenv("ROCXLA_EMULATOR_MAX_INSTRUCTIONS", "5000", 1), 0);
  EXPECT_THAT(run(), HasSubstr("E2105 EmulatorTimeout: the launch executed more than 5000 instructions"));
  ASSERT_EQ(setenv("ROCXLA_EMULATOR_MAX_INSTRUCTIONS", "5e3", 1), 0);
  EXPECT_EQ(run(),
            "E6008 BadEnvironment: ROCXLA_EMULATOR_MAX_INSTRUCTIONS is not a number of instructions\n"
            "  found:    '5e3'\n"
            "  expected: a positive decimal number");
  unsetenv("ROCXLA_EMULATOR_MAX_INSTRUCTIONS");
}

// What is refused on purpose says which instruction it is, and why.
TEST_F(FaultTest, RefusedInstructionsAreNamed) {
  struct Refused {
    std::string target, text, why;
  };
  for (const Refused& r :
       {Refused{"gfx1100", "ds_gws_barrier v0 offset:4 gds", "global wave synchronisation is not supported"},
        Refused{"gfx1100", "buffer_load_b32 v[8:9], off, s[16:19], 0 tfe",
                "its status (tfe) is for partially resident textures"},
        Refused{"gfx1100", "image_load v[0:3], v[4:5], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D",
                "images are not supported"},
        Refused{"gfx1100", "exp mrt0 v0, v1, v2, v3", "exports to the graphics pipeline are not supported"},
        Refused{"gfx1201", "s_barrier_init m0", "this GPU has no named barriers"},
        Refused{"gfx1201", "s_barrier_signal m0", "this GPU has no named barriers"},
        Refused{"gfx1201", "s_alloc_vgpr 32", "dynamic allocation of registers is not supported"}}) {
    Status status =
        LaunchAssembly(r.target, r.text + "\n s_endpgm", Buffer("o", 64), {{1, 1, 1}, {32, 1, 1}}, memory_).status();
    EXPECT_EQ(status.ToString(),
              fmt::format("E2103 EmulatorUnsupportedInstruction: the embedded GPU cannot execute this instruction: {}\n"
                          "  where:    kernel 'vector_add', workgroup 0,0,0, wave 0, pc 0x0: {}\n"
                          "  expected: an instruction of emulator/isa/*.def\n"
                          "  next:     Compile without it, or add it to the tables (see emulator/README.md).",
                          r.why, r.text));
  }
}

// Wave 0 (v0 < 32) loops, the others wait at the barrier.
TEST_F(FaultTest, WavesThatWaitForALoopAreDeadlocked) {
  auto code = Assemble(*FindTarget("gfx1100"),
                       "v_readfirstlane_b32 s20, v0\n s_and_b32 s20, s20, 0x3ff\n s_cmp_lt_u32 s20, 32\n"
                       "s_cbranch_scc0 wait\nspin:\n s_branch spin\nwait:\n s_barrier\n s_endpgm");
  ASSERT_TRUE(code.ok()) << code.status().ToString();
  patch_.resize(code->size() / 4);
  std::memcpy(patch_.data(), code->data(), code->size());
  EXPECT_EQ(Run(Buffer("x", 4096), Buffer("y", 4096), Buffer("o", 4096), 1, {{1, 1, 1}, {96, 1, 1}},
                {.threads = 1, .instruction_limit = 200000})
                .ToString(),
            "E2106 EmulatorDeadlock: waves wait at barriers that can never complete: wave 1 at pc 0x18, wave 2 at pc "
            "0x18\n"
            "  where:    kernel 'vector_add', workgroup 0,0,0, wave 1, pc 0x18: s_barrier\n"
            "  found:    wave 0 runs meanwhile, in a loop from pc 0x14 to pc 0x14\n"
            "  expected: every wave of the workgroup that has not ended arrives at the barrier\n"
            "  next:     Check the conditions around barriers.");
}

// A kernel that touches nothing may have null pointers: masked lanes have no addresses.
TEST_F(FaultTest, NothingTouchedNothingChecked) {
  Status status = Run(nullptr, nullptr, nullptr, 0);
  EXPECT_TRUE(status.ok()) << status.ToString();
}

TEST_F(FaultTest, LaunchesThatDoNotFitAreRefused) {
  EXPECT_EQ(Run(nullptr, nullptr, nullptr, 1, {{1, 1, 1}, {2048, 1, 1}}).ToString(),
            "E2102 EmulatorBadLaunch: kernel 'vector_add' is launched with a block that is too large\n"
            "  found:    2048x1x1 = 2048 threads\n"
            "  expected: at most 128 threads");
  EXPECT_EQ(Run(nullptr, nullptr, nullptr, 1, {{1, 1, 1}, {128, 1, 1}, 70000}).ToString(),
            "E2102 EmulatorBadLaunch: kernel 'vector_add' is launched with more LDS than the device has\n"
            "  found:    0 bytes static and 70000 bytes dynamic\n"
            "  expected: at most 65536 bytes per workgroup of gfx1100");
  EXPECT_THAT(Run(nullptr, nullptr, nullptr, 1, {{0, 1, 1}, {128, 1, 1}}).ToString(),
              HasSubstr("is launched over an empty grid"));
}

TEST_F(FaultTest, FreedMemoryIsNamed) {
  void *x = Buffer("x", 4096), *y = Buffer("y", 4096), *o = Buffer("o", 4096);
  ASSERT_TRUE(memory_.Free(x).ok());
  std::string text = Run(x, y, o, 1024).ToString();
  // Unless the host handed the same place out again, to the code object or the arguments.
  if (memory_.Find(x)) return;
  EXPECT_THAT(text, HasSubstr("in 'x' (4096 bytes at "));
  EXPECT_THAT(text, HasSubstr("which has been freed"));
}

}  // namespace
}  // namespace rocxla::emu
