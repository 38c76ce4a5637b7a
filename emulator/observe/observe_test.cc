// What the observers find in kernels whose mistakes are known, and that they find nothing in right ones.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "emulator/exec/launch.h"
#include "emulator/loader/code_object.h"
#include "emulator/observe/counting.h"
#include "emulator/observe/trace.h"
#include "emulator/observe/unwritten.h"

namespace rocxla::emu {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr u32 kThreads = 128;

class Observe : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto image = ReadFile(std::string(OBSERVED_KERNELS) + GetParam() + ".hsaco");
    ASSERT_TRUE(image.ok()) << image.status().ToString();
    image_.assign(image->begin(), image->end());
    auto object = CodeObject::Load(image_, *FindTarget(GetParam()), memory_);
    ASSERT_TRUE(object.ok()) << object.status().ToString();
    object_ = std::move(*object);
    out_ = Buffer("out", kThreads * 4 * sizeof(u32), true);
  }
  u32* Buffer(const std::string& label, size_t bytes, bool written) {
    void* pointer = memory_.Allocate(bytes, 256, label).value();
    MarkUnwritten(pointer, bytes);
    if (written) std::memset(pointer, 0, bytes);
    return static_cast<u32*>(pointer);
  }
  template <class... Args>
  Status Run(const char* kernel, const LaunchOptions& options, u32 blocks, Args... args) {
    std::vector<std::byte> bytes;
    (Append(bytes, args), ...);
    return Launch(*object_->FindKernel(kernel), {{blocks, 1, 1}, {kThreads, 1, 1}}, bytes, memory_, options).status();
  }
  // All workgroups at the same time.
  template <class... Args>
  Status RunTogether(const char* kernel, const LaunchOptions& options, u32 blocks, Args... args) {
    std::vector<std::byte> bytes;
    (Append(bytes, args), ...);
    const LaunchConfig config = {{blocks, 1, 1}, {kThreads, 1, 1}, 0, Residency::kWholeGrid};
    return Launch(*object_->FindKernel(kernel), config, bytes, memory_, options).status();
  }
  template <class... Args>
  Status RunChecked(const char* kernel, u32 blocks, Args... args) {
    LaunchOptions options;
    options.checks = ParseChecks("all").value();
    return Run(kernel, options, blocks, args...);
  }
  template <class T>
  static void Append(std::vector<std::byte>& bytes, T value) {
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  }
  int lanes() const { return FindTarget(GetParam())->wave_size; }

  AddressSpace memory_;
  std::vector<uint8_t> image_;
  std::shared_ptr<CodeObject> object_;
  u32* out_ = nullptr;
};

#define EXPECT_CLEAN(status) EXPECT_EQ((status).ToString(), OkStatus().ToString())

TEST_P(Observe, WrittenMemoryIsFine) {
  u32* in = Buffer("in", kThreads * 16, true);
  for (const char* kernel : {"copy", "copy_bytes", "add_of_pairs", "select_on", "branch_on", "gather", "add_halves"}) {
    EXPECT_CLEAN(RunChecked(kernel, 1, out_, in)) << kernel;
  }
}

TEST_P(Observe, UnwrittenMemoryThatIsStored) {
  u32* in = Buffer("in", kThreads * 16, true);
  MarkUnwritten(in + 5, 4);
  const std::string text = RunChecked("copy", 1, out_, in).ToString();
  EXPECT_THAT(text,
              StartsWith("E2108 EmulatorUninitializedValue: what is stored to global memory depends on a value that "
                         "nobody wrote\n  where:    kernel 'copy', workgroup 0,0,0, wave 0, pc 0x"));
  EXPECT_THAT(text, HasSubstr(", in lane 5\n  found:    it was loaded at pc 0x"));
  EXPECT_THAT(text, HasSubstr(fmt::format(", from byte 20 of 'in' (2048 bytes at {:#x}), which nobody has written\n",
                                          reinterpret_cast<u64>(in))));
}

TEST_P(Observe, UnwrittenMemoryThatDecides) {
  u32* in = Buffer("in", kThreads * 16, false);
  EXPECT_THAT(RunChecked("branch_on", 1, out_, in).ToString(),
              HasSubstr("EmulatorUninitializedValue: a branch depends on a value that nobody wrote"));
  EXPECT_THAT(RunChecked("gather", 1, out_, in).ToString(),
              HasSubstr("EmulatorUninitializedValue: an address depends on a value that nobody wrote"));
  EXPECT_THAT(RunChecked("select_on", 1, out_, in).ToString(),
              HasSubstr("EmulatorUninitializedValue: what is stored to global memory depends"));
  EXPECT_THAT(RunChecked("copy_bytes", 1, out_, in).ToString(),
              HasSubstr("EmulatorUninitializedValue: what is stored to global memory depends"));
}

TEST_P(Observe, UnwrittenMemoryThatDoesNotMatter) {
  u32* in = Buffer("in", kThreads * 16, false);
  for (u32 i = 0; i < kThreads; i++) in[4 * i] = in[4 * i + 1] = i;
  EXPECT_CLEAN(RunChecked("add_of_pairs", 1, out_, in)) << "the other half of each element is loaded, but not used";
  MarkUnwritten(in + 4 * 70 + 1, 4);
  EXPECT_THAT(RunChecked("add_of_pairs", 1, out_, in).ToString(), HasSubstr(fmt::format("in lane {}\n", 70 % lanes())));
}

TEST_P(Observe, UnwrittenUpperWordsDoNotReachLowerOnes) { EXPECT_CLEAN(RunChecked("numbered", 4, out_, kThreads)); }

TEST_P(Observe, UnwrittenLds) {
  EXPECT_THAT(RunChecked("unwritten_lds", 1, out_).ToString(),
              AllOf(HasSubstr("EmulatorUninitializedValue: what is stored to global memory depends"),
                    HasSubstr(", from offset 1020 of LDS, which nobody has written")));
}

TEST_P(Observe, RacesInLds) {
  EXPECT_CLEAN(RunChecked("lds_exchange", 1, out_));
  LaunchOptions options;
  options.checks = ParseChecks("races").value();
  const std::string text = Run("lds_race", options, 1, out_).ToString();
  EXPECT_THAT(text, StartsWith("E2109 EmulatorDataRace: two waves access offset "));
  EXPECT_THAT(text, HasSubstr(" of LDS without an order\n  where:    kernel 'lds_race', workgroup 0,0,0, wave "));
  EXPECT_THAT(text, HasSubstr("\n  expected: a barrier between the two\n"));
}

TEST_P(Observe, RacesNameTheOtherWave) {
  LaunchOptions options;
  options.checks = ParseChecks("races").value();
  const u32 last = kThreads / lanes() - 1;
  const std::string text = Run("read_then_store", options, 1, out_).ToString();
  EXPECT_THAT(text, HasSubstr(fmt::format("workgroup 0,0,0, wave {}, pc 0x", last)));
  EXPECT_THAT(text, HasSubstr(fmt::format("found:    a load before, by wave {} of workgroup 0,0,0", last - 1)));
}

TEST_P(Observe, RacesOfWorkgroups) {
  const std::string text = RunChecked("global_race", 2, out_).ToString();
  EXPECT_THAT(text, HasSubstr("E2109 EmulatorDataRace: two waves access byte 0 of 'out' (2048 bytes at "));
  EXPECT_THAT(text, HasSubstr("workgroup 1,0,0, wave 0, pc 0x"));
  EXPECT_THAT(text, HasSubstr("found:    a store before, by wave 0 of workgroup 0,0,0 at pc 0x"));
  EXPECT_CLEAN(RunChecked("global_race", 1, out_)) << "each thread has its own word";
  EXPECT_CLEAN(RunChecked("separate_blocks", 4, out_));
}

TEST_P(Observe, AtomicsDoNotRaceAndGiveAnOrder) {
  EXPECT_CLEAN(RunChecked("histogram", 4, out_));
  u32* count = Buffer("count", 8, true);
  EXPECT_CLEAN(RunChecked("last_block_sums", 4, out_, count, u32{4}));
  EXPECT_EQ(count[1], 0u + 1 + 2 + 3);
}

TEST_P(Observe, StoresOfWhatIsThereAlreadyDoNotRace) {
  EXPECT_CLEAN(RunChecked("same_stores", 3, out_));
  EXPECT_CLEAN(RunChecked("compare_and_swap", 3, out_)) << "its first load is an ordinary one";
}

TEST_P(Observe, DivergentBarriers) {
  LaunchOptions options;
  options.checks = ParseChecks("barriers").value();
  const std::string text = Run("divergent_barrier", options, 1, out_).ToString();
  EXPECT_THAT(text, HasSubstr("E2110 EmulatorDivergentBarrier: a barrier is reached by some lanes of a wave only\n"));
  EXPECT_THAT(text, HasSubstr(fmt::format("found:    {} of {} lanes", lanes() / 2, lanes())));
  EXPECT_CLEAN(Run("lds_exchange", options, 1, out_));
}

// Workgroups that take turns are followed each by itself.
TEST_P(Observe, WorkgroupsThatRunTogether) {
  constexpr u32 kBlocks = 4;
  LaunchOptions options;
  options.checks = ParseChecks("all").value();
  for (std::optional<u64> seed : {std::optional<u64>(), std::optional<u64>(5)}) {
    options.seed = seed;
    u32* arrived = Buffer("arrived", 64, true);
    EXPECT_CLEAN(RunTogether("grid_exchange", options, kBlocks, out_, arrived, kBlocks));
    for (u32 i = 0; i < kBlocks * kThreads; i++) EXPECT_EQ(out_[i], (i / kThreads + 1) % kBlocks) << i;
  }
  options.seed.reset();
  EXPECT_CLEAN(RunTogether("lds_exchange", options, 1, out_));
  EXPECT_THAT(RunTogether("grid_race", options, kBlocks, out_, kBlocks).ToString(),
              AllOf(HasSubstr("E2109 EmulatorDataRace: two waves access byte "),
                    HasSubstr("expected: no overlap between workgroups, or atomics that order them")));
  EXPECT_THAT(RunTogether("divergent_barrier", options, kBlocks, out_).ToString(),
              HasSubstr("E2110 EmulatorDivergentBarrier"));
  u32* in = Buffer("in", kThreads * 16, false);
  EXPECT_THAT(RunTogether("branch_on", options, kBlocks, out_, in).ToString(), HasSubstr("E2108"));
  EXPECT_THAT(RunTogether("unwritten_lds", options, kBlocks, out_).ToString(),
              HasSubstr(", from offset 1020 of LDS, which nobody has written"));
}

TEST_P(Observe, TogetherTheyAreCountedAndTraced) {
  constexpr u32 kBlocks = 3;
  auto watch = [&](Observer& observer) {
    LaunchOptions options;
    options.observer = &observer;
    u32* arrived = Buffer("arrived", 64, true);
    EXPECT_CLEAN(RunTogether("grid_exchange", options, kBlocks, out_, arrived, kBlocks));
  };
  Counting counting;
  watch(counting);
  EXPECT_EQ(counting.counters().barriers, 4u * kBlocks);
  // What an instruction changed stands behind it, although other waves run before the next one.
  std::vector<std::string> lines;
  Trace trace([&](std::string_view line) { lines.emplace_back(line); }, ParseTraceFilter("2,0,0:1").value());
  watch(trace);
  EXPECT_THAT(lines, Each(AnyOf(HasSubstr("workgroup 2,0,0, wave 1"), StartsWith("    "))));
  const auto barriers = std::count_if(lines.begin(), lines.end(),
                                      [](const std::string& line) { return line.find(": s_barrier") != line.npos; });
  EXPECT_EQ(barriers, 4);
}

TEST_P(Observe, NothingIsLookedForUnasked) {
  u32* in = Buffer("in", kThreads * 16, false);
  EXPECT_CLEAN(Run("copy", {}, 1, out_, in));
  EXPECT_CLEAN(Run("global_race", {}, 2, out_));
}

TEST_P(Observe, CountsWhatWasDone) {
  u32* in = Buffer("in", kThreads * 16, true);
  auto count = [&](const char* kernel, auto... args) {
    Counting counting;
    LaunchOptions options;
    options.observer = &counting;
    EXPECT_CLEAN(Run(kernel, options, 1, args...));
    return counting.counters();
  };
  const Counters copy = count("copy", out_, in);
  const u64 waves = kThreads / lanes();
  EXPECT_EQ(copy.instructions[static_cast<size_t>(InstructionClass::kGlobal)], 2 * waves);
  EXPECT_EQ(copy.instructions[static_cast<size_t>(InstructionClass::kLds)], 0u);
  EXPECT_EQ(copy.global.written, kThreads * sizeof(u32));
  EXPECT_GE(copy.global.read, kThreads * sizeof(u32)) << "and the arguments";
  EXPECT_EQ(copy.vector_lanes, copy.vector_lane_slots);
  const Counters histogram = count("histogram", out_);
  EXPECT_EQ(histogram.atomics, waves);
  const Counters exchange = count("lds_exchange", out_);
  EXPECT_EQ(exchange.barriers, 1u);
  EXPECT_EQ(exchange.lds.written, kThreads * sizeof(u32));
  EXPECT_EQ(exchange.lds.read, kThreads * sizeof(u32));
  EXPECT_EQ(exchange.lds_conflicts, 0u);
  const Counters conflicts = count("bank_conflicts", out_);
  EXPECT_EQ(conflicts.lds_passes, 2 * kThreads) << "every lane needs a pass of its own";
  EXPECT_EQ(conflicts.lds_conflicts, 2 * kThreads - 2 * kThreads / 32);
  EXPECT_THAT(conflicts.ToString(), HasSubstr("LDS bank conflicts                248 of 256 passes\n"));
}

TEST_P(Observe, TracesChosenWavesWithTheirRegisters) {
  auto trace = [&](std::string_view filter) {
    std::vector<std::string> lines;
    Trace observer([&](std::string_view line) { lines.emplace_back(line); },
                   filter.empty() ? TraceFilter{} : ParseTraceFilter(filter).value());
    LaunchOptions options;
    options.observer = &observer;
    EXPECT_CLEAN(Run("global_race", options, 3, out_));
    return lines;
  };
  const std::vector<std::string> one = trace("1,0,0:1");
  EXPECT_THAT(one, Contains(AllOf(HasSubstr("workgroup 1,0,0, wave 1"), HasSubstr(": s_endpgm"))));
  EXPECT_THAT(one, Not(Contains(HasSubstr("wave 0"))));
  EXPECT_THAT(one, Not(Contains(HasSubstr("workgroup 2"))));
  EXPECT_THAT(one, Contains(fmt::format("    v1 = 0x1 in lanes 0-{}", lanes() - 1)));
  size_t lines = 0;
  for (int block = 0; block < 3; block++) lines += trace(fmt::format("{},0,0", block)).size();
  EXPECT_EQ(trace("").size(), lines);
  EXPECT_GT(lines, 3 * one.size());
}

// gfx12's barriers come in two halves, and let another wave go first: what the tests above expect is worded for others.
class ObserveRightKernels : public Observe {};
TEST_P(ObserveRightKernels, AreFine) {
  u32* in = Buffer("in", kThreads * 16, true);
  for (const char* kernel : {"copy", "add_of_pairs", "gather"}) EXPECT_CLEAN(RunChecked(kernel, 1, out_, in)) << kernel;
  EXPECT_CLEAN(RunChecked("lds_exchange", 1, out_));
  EXPECT_CLEAN(RunChecked("numbered", 4, out_, kThreads)) << "unwritten upper words do not reach lower ones";
}
INSTANTIATE_TEST_SUITE_P(Targets, ObserveRightKernels, testing::Values("gfx942", "gfx1100", "gfx1201"),
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Targets, Observe, testing::Values("gfx942", "gfx1100"),
                         [](const auto& test) { return std::string(test.param); });

TEST(TraceFilter, Forms) {
  EXPECT_EQ(ParseTraceFilter("1,2,3").value().block, (std::array<u32, 3>{1, 2, 3}));
  EXPECT_EQ(ParseTraceFilter("1,2,3").value().wave, std::nullopt);
  EXPECT_EQ(ParseTraceFilter("0,0,0:7").value().wave, 7u);
  for (const char* bad : {"", "1", "1,2", "1,2,", "1,2,3:", "1,2,3:x", "1,2,3:4:5", "1,2,3,4", "-1,0,0", "1;2;3"}) {
    EXPECT_THAT(std::string(ParseTraceFilter(bad).status().message()), HasSubstr("names no wave")) << bad;
  }
}

TEST(Checks, Lists) {
  EXPECT_FALSE(ParseChecks("").value().any());
  EXPECT_TRUE(ParseChecks("all").value().races);
  const Checks some = ParseChecks("barriers,uninitialized").value();
  EXPECT_TRUE(some.barriers && some.uninitialized && !some.races);
  EXPECT_EQ(ParseChecks("race").status().message(),
            "there is no check 'race': expected a list of uninitialized, races, barriers, or all");
}

}  // namespace
}  // namespace rocxla::emu
