// Memory that kernels allocate.
#include <numeric>

#include "tests/hip_programs/hip_program_test.h"

namespace rocxla::emu {
namespace {

using HeapPrograms = HipProgramTest;

TEST_P(HeapPrograms, ThreadsAllocateAndFree) {
  Load("device_heap");
  constexpr int n = 300;
  auto sums = Zeros<int>(n);
  for (int launch = 0; launch < 2; launch++) {
    Run("lists", {3}, {128}, sums.get(), n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; i++) expected[i] = i * (i % 7) * (i % 7 + 1) / 2;
    EXPECT_EQ(sums.Values(), expected);
  }
}

TEST_P(HeapPrograms, BlocksOutliveTheirLaunch) {
  Load("device_heap");
  constexpr int n = 200;
  for (int most : {5, 700, 3000}) {  // words: small, up to the largest of the slabs, beyond
    auto blocks = Zeros<int*>(n);
    auto sums = Zeros<int>(n);
    Run("fill", {2}, {128}, blocks.get(), n, most);
    std::vector<int*> places = blocks.Values();
    std::sort(places.begin(), places.end());
    EXPECT_NE(places[0], nullptr);
    EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end());
    Run("drain", {2}, {128}, blocks.get(), sums.get(), n, most);
    std::vector<int> expected(n);
    for (int i = 0; i < n; i++) {
      int count = 1 + i * 37 % most;
      expected[i] = count * i + count * (count - 1) / 2;
    }
    EXPECT_EQ(sums.Values(), expected) << most;
  }
}

TEST_P(HeapPrograms, NoMemoryIsNull) {
  Load("device_heap");
  auto failed = Zeros<int>(1);
  Run("too_much", {1}, {1}, failed.get());
  EXPECT_EQ(failed.Values()[0], 1);
}

// gfx90a, gfx942 and gfx950. The distribution's device libraries wait by a clock that gfx11 and gfx12 no longer have:
// their malloc does not end there.
INSTANTIATE_TEST_SUITE_P(Targets, HeapPrograms,
                         ::testing::Values(HipBuild{0, "O3"}, HipBuild{1, "O3"}, HipBuild{2, "O3"}), NameOfBuild);

}  // namespace
}  // namespace rocxla::emu
