// Whole algorithms, and what they need of the runtime: variables of the device, arguments of every size.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <numeric>

#include "tests/hip_programs/hip_program_test.h"

namespace rocxla::emu {
namespace {

using AlgorithmPrograms = HipProgramTest;

TEST_P(AlgorithmPrograms, Stencil) {
  Load("stencil");
  Sequence random(1);
  const int width = 45, height = 30;
  auto values = random.Many<float>(width * height, [&] { return random.Sixteenths(100); });
  auto in = Upload(values), out = Zeros<float>(width * height);
  Run("stencil", {3, 2}, {16, 16}, in.get(), out.get(), width, height);
  std::vector<float> found = out.Values();
  auto at = [&](int x, int y) { return x < 0 || y < 0 || x >= width || y >= height ? 0 : values[y * width + x]; };
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      EXPECT_EQ(found[y * width + x],
                0.5f * at(x, y) + 0.125f * (at(x, y - 1) + at(x, y + 1) + at(x - 1, y) + at(x + 1, y)));
    }
  }
}

TEST_P(AlgorithmPrograms, Mandelbrot) {
  Load("mandelbrot");
  constexpr int kWidth = 24, kHeight = 17, kLimit = 40;
  auto out = Zeros<int>(kWidth * kHeight);
  Run("mandelbrot", {3, 3}, {8, 8}, out.get(), kWidth, kHeight, kLimit);
  std::vector<int> found = out.Values();
  int differences = 0;
  for (int i = 0; i < kWidth * kHeight; i++) {
    double real = i % kWidth * 0.125 - 2, imaginary = i / kWidth * 0.125 - 1, x = 0, y = 0;
    int steps = 0;
    for (; steps < kLimit && x * x + y * y <= 4; steps++) {
      double next = x * x - y * y + real;
      y = 2 * x * y + imaginary;
      x = next;
    }
    differences += found[i] != steps;
  }
  EXPECT_LE(differences, 2) << "orbits near the limit may differ in single precision";
}

TEST_P(AlgorithmPrograms, SparseProduct) {
  Load("sparse_product");
  Sequence random(2);
  const int rows = 37, columns = 100;
  std::vector<int> begin = {0}, column;
  std::vector<float> values, x = random.Many<float>(columns, [&] { return random.Sixteenths(4); }), expected(rows);
  for (int row = 0; row < rows; row++) {
    int count = row % 5 == 0 ? 0 : random.Between(1, 90);
    for (int i = 0; i < count; i++) {
      column.push_back(random.Between(0, columns - 1));
      values.push_back(static_cast<float>(random.Sixteenths(4)));
      expected[row] += values.back() * x[column.back()];
    }
    begin.push_back(static_cast<int>(column.size()));
  }
  auto device_begin = Upload(begin), device_column = Upload(column);
  auto device_values = Upload(values), device_x = Upload(x), y = Zeros<float>(rows);
  unsigned blocks = (rows * wave_size() + 127) / 128;
  Run("sparse_product", {blocks}, {128}, device_begin.get(), device_column.get(), device_values.get(), device_x.get(),
      y.get(), rows);
  EXPECT_EQ(y.Values(), expected);
}

TEST_P(AlgorithmPrograms, Convolution) {
  Load("convolution");
  Sequence random(3);
  const int width = 20, height = 13;
  std::vector<float> filter(25);
  for (float& f : filter) f = static_cast<float>(random.Between(0, 4)) / 128;
  Copy(Global("filter", 100), filter.data(), 100, hipMemcpyHostToDevice);
  auto image = random.Many<unsigned char>(3 * width * height, [&] { return random.Word(); });
  auto in = Upload(image), out = Zeros<unsigned char>(image.size());
  Run("convolution", {3, 2}, {8, 8}, in.get(), out.get(), width, height);
  std::vector<unsigned char> expected(image.size());
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      for (int c = 0; c < 3; c++) {
        float sum = 0.5f;
        for (int tap = 0; tap < 25; tap++) {
          int row = std::clamp(y + tap / 5 - 2, 0, height - 1), column = std::clamp(x + tap % 5 - 2, 0, width - 1);
          sum += filter[tap] * image[(row * width + column) * 3 + c];
        }
        expected[(y * width + x) * 3 + c] = static_cast<unsigned char>(sum);
      }
    }
  }
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(AlgorithmPrograms, GameOfLife) {
  Load("game_of_life");
  Sequence random(4);
  const int width = 30, height = 20;
  auto cells = random.Many<unsigned char>(width * height, [&] { return random.Word() % 3 == 0; });
  auto a = Upload(cells), b = Zeros<unsigned char>(width * height);
  for (int generation = 0; generation < 4; generation++) {
    Run("game_of_life", {5}, {128}, (generation % 2 == 0 ? a : b).get(), (generation % 2 == 0 ? b : a).get(), width,
        height);
    std::vector<unsigned char> next(cells.size());
    for (int i = 0; i < width * height; i++) {
      int alive = -cells[i];
      for (int n = 0; n < 9; n++) {
        alive += cells[(i / width + n / 3 - 1 + height) % height * width + (i % width + n % 3 - 1 + width) % width];
      }
      next[i] = alive == 3 || (alive == 2 && cells[i]);
    }
    cells = next;
  }
  EXPECT_EQ(a.Values(), cells);
}

TEST_P(AlgorithmPrograms, BreadthFirstSearch) {
  Load("breadth_first_search");
  Sequence random(5);
  constexpr int kVertices = 300;
  std::vector<int> begin = {0}, edges;
  for (int v = 0; v < kVertices; v++) {
    for (int e = random.Between(0, 4); e > 0; e--) edges.push_back(random.Between(0, kVertices - 1));
    begin.push_back(static_cast<int>(edges.size()));
  }
  std::vector<int> start(kVertices, -1);
  start[7] = 0;
  auto device_begin = Upload(begin), device_edges = Upload(edges), distance = Upload(start);
  auto first = Upload<int>(std::vector<int>(kVertices, 7)), second = Zeros<int>(kVertices);
  int *list = first.get(), *next = second.get();
  int size = 1;
  for (int level = 1; size > 0; level++) {
    auto next_size = Zeros<int>(1);
    Run("visit_level", {static_cast<unsigned>(size + 63) / 64}, {64}, device_begin.get(), device_edges.get(),
        distance.get(), list, size, next, next_size.get(), level);
    size = next_size.Values()[0];
    std::swap(list, next);
  }
  std::deque<int> queue = {7};
  for (; !queue.empty(); queue.pop_front()) {
    for (int e = begin[queue.front()]; e < begin[queue.front() + 1]; e++) {
      if (start[edges[e]] != -1) continue;
      start[edges[e]] = start[queue.front()] + 1;
      queue.push_back(edges[e]);
    }
  }
  EXPECT_EQ(distance.Values(), start);
}

// The first bits of the fractional parts of cube roots: FIPS 180-4, 4.2.2.
std::array<uint32_t, 64> RoundConstants() {
  std::array<uint32_t, 64> constants;
  int n = 0;
  for (int p = 2; n < 64; p++) {
    bool prime = true;
    for (int d = 2; d * d <= p; d++) prime &= p % d != 0;
    if (!prime) continue;
    long double root = std::cbrt(static_cast<long double>(p));
    constants[n++] = static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0L);
  }
  return constants;
}
TEST_P(AlgorithmPrograms, Sha256) {
  Load("sha256");
  std::array<uint32_t, 64> constants = RoundConstants();
  Copy(Global("round_constants", 256), constants.data(), 256, hipMemcpyHostToDevice);
  std::vector<uint32_t> messages(3 * 16), digests;
  const std::string texts[] = {"abc", "", "The quick brown fox jumps over the lazy dog"};
  for (int m = 0; m < 3; m++) {
    std::string padded = texts[m] + '\x80';
    for (size_t i = 0; i < padded.size(); i++) {
      messages[m * 16 + i / 4] |= uint32_t{static_cast<unsigned char>(padded[i])} << (24 - i % 4 * 8);
    }
    messages[m * 16 + 15] = static_cast<uint32_t>(texts[m].size() * 8);
  }
  auto in = Upload(messages), out = Zeros<uint32_t>(3 * 8);
  Run("sha256", {1}, {64}, in.get(), out.get(), 3);
  // What sha256sum prints of them.
  const std::vector<uint32_t> expected = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c,
                                          0xb410ff61, 0xf20015ad, 0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924,
                                          0x27ae41e4, 0x649b934c, 0xa495991b, 0x7852b855, 0xd7a8fbb3, 0x07d78094,
                                          0x69ca9abc, 0xb0082e4f, 0x8d5651e4, 0x6d3cdb76, 0x2d02d0bf, 0x37c9e592};
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(AlgorithmPrograms, VariablesOfTheDevice) {
  Load("globals");
  auto out = Zeros<float>(8);
  auto name = Zeros<char>(8);
  float first = 9;
  Copy(Global("table", 32), &first, sizeof first, hipMemcpyHostToDevice);
  Run("use_globals", {1}, {64}, out.get(), name.get(), 2);
  EXPECT_EQ(out.Values(), (std::vector<float>{19, 22, 33, 44, 10, 20, 30, 40}));
  EXPECT_STREQ(name.Values().data(), "two");
  int counter = 0;
  std::vector<float> table(8);
  Copy(&counter, Global("counter", 4), 4, hipMemcpyDeviceToHost);
  Copy(table.data(), Global("table", 32), 32, hipMemcpyDeviceToHost);
  EXPECT_EQ(counter, 12);
  EXPECT_EQ(table, (std::vector<float>{9, 2, 3, 104, 0, 0, 0, 0}));
}

TEST_P(AlgorithmPrograms, ArgumentsOfEverySize) {
  Load("arguments");
  struct Vector {
    float x, y, z;
  };
  struct Packet {
    char tag;
    double weight;
    short small[3];
    Vector v;
  };
  auto out = Zeros<double>(17);
  auto pointer = Upload<int>({77});
  Packet packet = {'p', 1.25, {-7, 0, 9}, {10, 11, 12}};
  Run("collect", {1}, {1}, out.get(), true, static_cast<signed char>(-5), Vector{1.5f, 2.5f, 3.5f},
      static_cast<unsigned short>(65535), packet, pointer.get(), int64_t{1} << 40, static_cast<_Float16>(0.375),
      uint16_t{0x40a0}, 'z');
  EXPECT_EQ(out.Values(), (std::vector<double>{1, -5, 1.5, 2.5, 3.5, 65535, 'p', 1.25, -7, 9, 10, 12, 77,
                                               std::ldexp(1.0, 40), 0.375, 5, 'z'}));
}

INSTANTIATE_TEST_SUITE_P(Targets, AlgorithmPrograms, ::testing::Values(HIP_BUILDS("O3")), NameOfBuild);

}  // namespace
}  // namespace rocxla::emu
