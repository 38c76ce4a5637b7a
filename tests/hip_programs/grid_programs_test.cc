// Cooperative launches: barriers of the whole grid, and what keeps workgroups apart or together.
#include <numeric>

#include "emulator/observe/check_list.h"
#include "tests/hip_programs/hip_program_test.h"

namespace rocxla::emu {
namespace {

class GridPrograms : public HipProgramTest {
 protected:
  template <class... A>
  hipError_t RunTogether(const char* kernel, unsigned blocks, unsigned threads, A... arguments) {
    void* params[] = {static_cast<void*>(&arguments)...};
    hipStream_t stream = nullptr;
    EXPECT_EQ(hip.hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), hipSuccess);
    hipError_t error =
        hip.hipModuleLaunchCooperativeKernel(Function(kernel), blocks, 1, 1, threads, 1, 1, 0, stream, params);
    if (error == hipSuccess) error = hip.hipStreamSynchronize(stream);
    detail_ = Detail();
    hip.hipStreamDestroy(stream);
    return error;
  }
};

TEST_P(GridPrograms, StepsOverTheWholeGrid) {
  Load("grid_sync");
  constexpr int kSteps = 5, n = 1500;
  Sequence random(1);
  auto values = random.Many<float>(n, [&] { return random.Sixteenths(100); });
  auto a = Upload(values), b = Zeros<float>(n);
  ASSERT_EQ(RunTogether("smooth", 12, 128, a.get(), b.get(), n, kSteps), hipSuccess) << detail_;
  for (int step = 0; step < kSteps; step++) {
    std::vector<float> next(n);
    for (int i = 0; i < n; i++) {
      next[i] = 0.25f * values[std::max(i - 1, 0)] + 0.5f * values[i] + 0.25f * values[std::min(i + 1, n - 1)];
    }
    values = next;
  }
  std::vector<float> found = b.Values();  // an odd number of steps
  for (int i = 0; i < n; i++) EXPECT_NEAR(found[i], values[i], 1e-4) << "element " << i;
}

TEST_P(GridPrograms, MoreBlocksThanHostThreads) {
  Load("grid_sync");
  constexpr int kBlocks = 40, kRounds = 6;
  auto slots = Zeros<int>(kBlocks), out = Zeros<int>(kBlocks);
  ASSERT_EQ(RunTogether("relay", kBlocks, 64, slots.get(), out.get(), kRounds), hipSuccess) << detail_;
  std::vector<int> expected(kBlocks);
  for (int i = 0; i < kBlocks; i++) expected[i] = kRounds * ((i + 1) % kBlocks) + 100 * kRounds * (kRounds - 1) / 2;
  EXPECT_EQ(out.Values(), expected);
}

// Optimised code: without optimisation, functions save registers that nobody has written.
class WatchedGridPrograms : public GridPrograms {};

// The workgroups take turns while they are watched, and each is followed by itself.
TEST_P(WatchedGridPrograms, WhatRunsTogetherCanBeWatched) {
  Load("grid_sync");
  constexpr int kBlocks = 6, kThreads = 128, kRounds = 2;
  SetActiveChecks(ParseChecks("all").value());
  std::vector<std::string> lines;
  LaunchWatch watch;
  watch.trace = [&](std::string_view line) { lines.emplace_back(line); };
  watch.filter = ParseTraceFilter("3,0,0:0").value();
  watch.count = true;
  auto slots = Zeros<int>(kBlocks), out = Zeros<int>(kBlocks);
  TakeLaunchTotals();
  SetLaunchWatch(watch);
  EXPECT_EQ(RunTogether("relay", kBlocks, kThreads, slots.get(), out.get(), kRounds), hipSuccess) << detail_;
  SetLaunchWatch({});
  SetActiveChecks({});
  std::vector<int> expected(kBlocks);
  for (int i = 0; i < kBlocks; i++) expected[i] = kRounds * ((i + 1) % kBlocks) + 100 * kRounds * (kRounds - 1) / 2;
  EXPECT_EQ(out.Values(), expected);
  // Each barrier of the grid has two of the workgroup.
  EXPECT_EQ(TakeLaunchTotals().counters.barriers, 2u * 2 * kRounds * kBlocks);
  EXPECT_THAT(lines, ::testing::Contains(::testing::HasSubstr("workgroup 3,0,0, wave 0, pc ")));
  EXPECT_THAT(lines, ::testing::Each(::testing::Not(::testing::HasSubstr("workgroup 2,"))));
}

TEST_P(GridPrograms, TooManyBlocksAreRefused) {
  Load("grid_sync");
  auto slots = Zeros<int>(1);
  EXPECT_EQ(RunTogether("relay", 1 << 20, 64, slots.get(), slots.get(), 1), hipErrorCooperativeLaunchTooLarge);
  EXPECT_THAT(detail_, ::testing::StartsWith("kernel 'relay': 1048576 workgroups are launched cooperatively, "));
}

// The state of the grid exists in cooperative launches only, as in HIP.
TEST_P(GridPrograms, OtherLaunchesHaveNoGridBarrier) {
  Load("grid_sync");
  auto slots = Zeros<int>(1);
  EXPECT_EQ(TryToRun("relay", {1}, {64}, 0, slots.get(), slots.get(), 1), hipErrorIllegalAddress);
}

INSTANTIATE_TEST_SUITE_P(Targets, GridPrograms, ::testing::Values(HIP_BUILDS("O3"), HIP_BUILDS("O0")), NameOfBuild);
INSTANTIATE_TEST_SUITE_P(Targets, WatchedGridPrograms, ::testing::Values(HIP_BUILDS("O3")), NameOfBuild);

using AtomicPrograms = HipProgramTest;

template <class T>
std::vector<T> AfterIntegers(std::vector<T> cells, int threads, T factor) {
  for (int i = 0; i < threads; i++) {
    T x = static_cast<T>(i) * factor;
    cells[0] += x;
    cells[1] -= x;
    cells[2] = std::min(cells[2], x);
    cells[3] = std::max(cells[3], x);
    cells[4] &= ~(T{1} << (x % 31));
    cells[5] |= T{1} << (x % 31);
    cells[6] ^= x;
  }
  return cells;
}
TEST_P(AtomicPrograms, Integers) {
  Load("atomics");
  std::vector<int> start = {5, 6, 7, 8, -1, 0, 12};
  auto cells = Upload(start), in_lds = Upload(start);
  Run("integers_32", {2}, {100}, cells.get());
  EXPECT_EQ(cells.Values(), AfterIntegers(start, 200, 1));
  Run("integers_lds", {1}, {100}, in_lds.get());
  EXPECT_EQ(in_lds.Values(), AfterIntegers(start, 100, 1));
  std::vector<uint64_t> wide_start = {5, 6, ~uint64_t{0}, 8, ~uint64_t{0}, 0, 12};
  auto wide = Upload(wide_start);
  Run("integers_64", {2}, {100}, wide.get());
  EXPECT_EQ(wide.Values(), AfterIntegers(wide_start, 200, uint64_t{1} << 20));
}
TEST_P(AtomicPrograms, Floats) {
  Load("atomics");
  auto floats = Zeros<float>(4);
  Run("floats_32", {1}, {64}, floats.get());
  EXPECT_EQ(floats.Values(), (std::vector<float>{504, -15.75f, 15.75f, 504}));  // 63 * 64 / 2 / 4
  auto doubles = Zeros<double>(4);
  Run("floats_64", {1}, {64}, doubles.get());
  EXPECT_EQ(doubles.Values(), (std::vector<double>{504, -15.75, 15.75, 504}));
}
TEST_P(AtomicPrograms, ExchangesAndALock) {
  Load("atomics");
  constexpr int kBlocks = 12, kThreads = kBlocks * 32;
  auto cell = Upload<int>({-1});
  auto received = Zeros<int>(kThreads), lock = Zeros<int>(1), guarded = Zeros<int>(2);
  Run("exchange_and_lock", {kBlocks}, {32}, cell.get(), received.get(), lock.get(), guarded.get());
  std::vector<int> all = received.Values(), expected(kThreads + 1);
  all.push_back(cell.Values()[0]);
  std::sort(all.begin(), all.end());
  std::iota(expected.begin(), expected.end(), -1);
  EXPECT_EQ(all, expected);
  EXPECT_EQ(guarded.Values(), (std::vector<int>{kBlocks, kBlocks * (kBlocks + 1) / 2}));
  EXPECT_EQ(lock.Values()[0], 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, AtomicPrograms, ::testing::Values(HIP_BUILDS("O3")), NameOfBuild);

}  // namespace
}  // namespace rocxla::emu
