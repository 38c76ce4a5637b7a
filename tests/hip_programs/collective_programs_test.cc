// Programs whose threads work together: reductions, scans, sorts, histograms, shuffles, votes, barriers of a whole
// grid.
#include <algorithm>
#include <numeric>

#include "tests/hip_programs/hip_program_test.h"

namespace rocxla::emu {
namespace {

using CollectivePrograms = HipProgramTest;

TEST_P(CollectivePrograms, Saxpy) {
  Load("saxpy");
  Sequence random(1);
  int n = 1000;
  auto x = random.Many<float>(n, [&] { return random.Sixteenths(100); });
  auto y = random.Many<float>(n, [&] { return random.Sixteenths(100); });
  auto device_x = Upload(x), device_y = Upload(y);
  Run("saxpy", {2}, {128}, device_x.get(), device_y.get(), 3.0f, n);
  for (int i = 0; i < n; i++) y[i] += 3 * x[i];
  EXPECT_EQ(device_y.Values(), y);
}

template <class T>
std::vector<T> SumsOfBlocks(const std::vector<T>& values, size_t block) {
  std::vector<T> sums;
  for (size_t i = 0; i < values.size(); i += block) {
    double sum = 0;
    for (size_t j = i; j < std::min(values.size(), i + block); j++) sum += static_cast<double>(values[j]);
    sums.push_back(static_cast<T>(sum));
  }
  return sums;
}
TEST_P(CollectivePrograms, ReductionByATree) {
  Load("reduce_tree");
  Sequence random(2);
  const int n = 1000;
  auto check = [&]<class T>(const char* kernel, std::vector<T> values) {
    auto in = Upload(values);
    auto out = Zeros<T>(4);
    Run(kernel, {4}, {256}, in.get(), out.get(), n);
    EXPECT_EQ(out.Values(), SumsOfBlocks(values, 256)) << kernel;
  };
  check("reduce_int", random.Integers(n, -1000, 1000));
  check("reduce_float", random.Many<float>(n, [&] { return random.Sixteenths(10); }));
  check("reduce_double", random.Many<double>(n, [&] { return random.Sixteenths(1000); }));
  check("reduce_half", random.Many<_Float16>(n, [&] { return random.Between(-2, 2); }));
}

TEST_P(CollectivePrograms, ReductionByShuffles) {
  Load("reduce_shuffle");
  Sequence random(3);
  auto values = random.Many<double>(512, [&] { return random.Sixteenths(1000); });
  auto in = Upload(values);
  auto sums = Zeros<double>(2), maxima = Zeros<double>(2);
  Run("sum_and_maximum", {2}, {256}, in.get(), sums.get(), maxima.get());
  EXPECT_EQ(sums.Values(), SumsOfBlocks(values, 256));
  EXPECT_EQ(maxima.Values(), (std::vector<double>{*std::max_element(values.begin(), values.begin() + 256),
                                                  *std::max_element(values.begin() + 256, values.end())}));
}

TEST_P(CollectivePrograms, ScanOfBlocks) {
  Load("scan_block");
  Sequence random(4);
  auto values = random.Many<unsigned>(1024, [&] { return random.Word(); });
  auto in = Upload(values);
  auto out = Zeros<unsigned>(1024);
  Run("scan_block", {2}, {512}, in.get(), out.get());
  std::vector<unsigned> expected(1024);
  for (int block : {0, 512}) {
    std::partial_sum(values.begin() + block, values.begin() + block + 512, expected.begin() + block);
  }
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(CollectivePrograms, ScanByLookingBack) {
  Load("scan_lookback");
  Sequence random(5);
  constexpr int kBlocks = 24, kCount = kBlocks * 256;
  auto values = random.Many<unsigned>(kCount, [&] { return random.Word(); });
  auto in = Upload(values);
  auto out = Zeros<unsigned>(kCount), next_block = Zeros<unsigned>(1), descriptors = Zeros<unsigned>(kBlocks * 4);
  Run("scan_lookback", {kBlocks}, {256}, in.get(), out.get(), next_block.get(), descriptors.get());
  std::vector<unsigned> expected(kCount);
  std::partial_sum(values.begin(), values.end(), expected.begin());
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(CollectivePrograms, Histogram) {
  Load("histogram");
  Sequence random(6);
  int n = 5000;
  auto bytes = random.Many<unsigned char>(n, [&] { return random.Word() % 251 * (random.Word() % 2); });
  auto in = Upload(bytes);
  auto counts = Zeros<unsigned>(256);
  Run("histogram", {4}, {256}, in.get(), counts.get(), n);
  std::vector<unsigned> expected(256);
  for (unsigned char b : bytes) expected[b]++;
  EXPECT_EQ(counts.Values(), expected);
}

TEST_P(CollectivePrograms, BitonicSort) {
  Load("bitonic_sort");
  Sequence random(7);
  auto keys = random.Many<float>(1024, [&] { return random.Sixteenths(1000); });
  std::vector<int> values(1024);
  std::iota(values.begin(), values.end(), 0);
  auto device_keys = Upload(keys);
  auto device_values = Upload(values);
  Run("bitonic_sort", {2}, {512}, device_keys.get(), device_values.get());
  std::vector<float> sorted = keys, found = device_keys.Values();
  std::sort(sorted.begin(), sorted.begin() + 512);
  std::sort(sorted.begin() + 512, sorted.end());
  EXPECT_EQ(found, sorted);
  std::vector<int> origins = device_values.Values();
  for (int i = 0; i < 1024; i++) EXPECT_EQ(keys[origins[i]], found[i]);
  std::sort(origins.begin(), origins.end());
  EXPECT_EQ(origins, values) << "each value comes along once";
}

TEST_P(CollectivePrograms, RadixSort) {
  Load("radix_sort");
  Sequence random(8);
  size_t wave = wave_size();
  auto keys = random.Many<unsigned>(3 * wave, [&] { return random.Word(); });
  auto device_keys = Upload(keys);
  Run("radix_sort", {3}, {static_cast<unsigned>(wave)}, device_keys.get());
  for (size_t at = 0; at < keys.size(); at += wave) std::sort(keys.begin() + at, keys.begin() + at + wave);
  EXPECT_EQ(device_keys.Values(), keys);
}

TEST_P(CollectivePrograms, Shuffles) {
  Load("shuffles");
  int wave = wave_size();
  std::vector<int> values(wave);
  for (int i = 0; i < wave; i++) values[i] = 100 + i * i;
  auto in = Upload(values);
  auto out = Zeros<int>(4 * wave);
  for (auto [delta, width] : {std::pair(1, wave), std::pair(5, wave), std::pair(3, 8), std::pair(2, 16)}) {
    Run("shuffles", {1}, {static_cast<unsigned>(wave)}, in.get(), out.get(), delta, width);
    std::vector<int> found = out.Values();
    for (int i = 0; i < wave; i++) {
      int first = i / width * width, place = i % width;
      auto at = [&](int source, bool inside) { return values[inside ? first + source : i]; };
      std::string where = "lane " + std::to_string(i) + ", width " + std::to_string(width);
      EXPECT_EQ(found[i], at(delta % width, true)) << where;
      EXPECT_EQ(found[wave + i], at(place - delta, place >= delta)) << where;
      EXPECT_EQ(found[2 * wave + i], at(place + delta, place + delta < width)) << where;
      EXPECT_EQ(found[3 * wave + i], at(place ^ delta, true)) << where;
    }
  }
}
TEST_P(CollectivePrograms, ShufflesOfDoublesAndNeighbours) {
  Load("shuffles");
  int wave = wave_size();
  std::vector<double> values(wave);
  for (int i = 0; i < wave; i++) values[i] = 1.0 / (i + 1);
  auto in = Upload(values);
  auto out = Zeros<double>(wave);
  Run("reverse", {1}, {static_cast<unsigned>(wave)}, in.get(), out.get());
  std::reverse(values.begin(), values.end());
  EXPECT_EQ(out.Values(), values);

  std::vector<int> integers(wave), expected;
  std::iota(integers.begin(), integers.end(), 7);
  for (int i = 0; i < wave; i++) expected.push_back(i % 16 == 0 ? -1 : integers[i - 1]);
  for (int kind = 0; kind < 2; kind++) {
    for (int i = 0; i < wave; i++) expected.push_back(integers[i ^ 1]);
  }
  auto device_integers = Upload(integers);
  auto neighbours = Zeros<int>(3 * wave);
  Run("neighbours", {1}, {static_cast<unsigned>(wave)}, device_integers.get(), neighbours.get());
  EXPECT_EQ(neighbours.Values(), expected);
}

TEST_P(CollectivePrograms, Votes) {
  Load("ballots");
  Sequence random(9);
  int wave = wave_size(), waves = 256 / wave;
  std::vector<int> values = random.Integers(256, -100, 100);
  auto in = Upload(values);
  auto ballot = Zeros<uint64_t>(waves);
  auto any = Zeros<int>(waves), all = Zeros<int>(waves);
  Run("votes", {1}, {256}, in.get(), ballot.get(), any.get(), all.get());
  std::vector<uint64_t> expected_ballot(waves);
  std::vector<int> expected_any(waves), expected_all(waves, 1);
  for (int i = 0; i < 256; i++) {
    expected_ballot[i / wave] |= uint64_t{values[i] > 0} << i % wave;
    expected_any[i / wave] |= values[i] > 90;
    expected_all[i / wave] &= values[i] > -90;
  }
  EXPECT_EQ(ballot.Values(), expected_ballot);
  EXPECT_EQ(any.Values(), expected_any);
  EXPECT_EQ(all.Values(), expected_all);
}
TEST_P(CollectivePrograms, CompactionByBallots) {
  Load("ballots");
  Sequence random(10);
  std::vector<int> values = random.Integers(250, -100, 100), expected;
  auto in = Upload(values);
  auto out = Zeros<int>(256), count = Zeros<int>(1);
  Run("compact", {1}, {256}, in.get(), out.get(), count.get(), 250);
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), [](int x) { return x > 0; });
  std::vector<int> found = out.Values();
  ASSERT_EQ(count.Values()[0], static_cast<int>(expected.size()));
  found.resize(expected.size());
  std::sort(found.begin(), found.end());  // waves may come in any order
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(found, expected);
}
TEST_P(CollectivePrograms, ActiveLanes) {
  Load("ballots");
  int wave = wave_size();
  auto out = Zeros<uint64_t>(wave);
  Run("active_lanes", {1}, {static_cast<unsigned>(wave)}, out.get());
  uint64_t mask = 0;
  for (int i = 0; i < wave; i += 3) mask |= uint64_t{1} << i;
  std::vector<uint64_t> found = out.Values();
  for (int i = 0; i < wave; i++) EXPECT_EQ(found[i], i % 3 == 0 ? mask : 0u) << "lane " << i;
}

TEST_P(CollectivePrograms, DynamicLds) {
  Load("dynamic_lds");
  int n = 300;
  std::vector<double> values(n), expected(n);
  for (int i = 0; i < n; i++) values[i] = i * 0.25, expected[i] = (i + 17) % n * 0.25;
  auto in = Upload(values), out = Zeros<double>(n);
  auto shift = Upload<int>({17});
  unsigned bytes = n * (sizeof(double) + sizeof(int));
  ASSERT_EQ(TryToRun("rotate", {1}, {64}, bytes, in.get(), out.get(), shift.get(), n), hipSuccess) << detail_;
  EXPECT_EQ(out.Values(), expected);
  // With too little of it, the store that lies outside is named.
  EXPECT_EQ(TryToRun("rotate", {1}, {64}, bytes - 8, in.get(), out.get(), shift.get(), n), hipErrorIllegalAddress);
  EXPECT_THAT(detail_, ::testing::HasSubstr("LDS is out of bounds"));
  EXPECT_THAT(detail_, ::testing::HasSubstr("kernel 'rotate', workgroup 0,0,0, wave "));
}

INSTANTIATE_TEST_SUITE_P(Targets, CollectivePrograms, ::testing::Values(HIP_BUILDS("O3")), NameOfBuild);

}  // namespace
}  // namespace rocxla::emu
