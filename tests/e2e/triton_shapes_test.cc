// Operations that move elements, on the embedded device: gathers, joins, splits, permutations.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/e2e/triton_kernel.h"

namespace rocxla::triton {
namespace {

template <class T>
std::vector<T> RandomNumbers(int count, uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<T> numbers(count);
  for (T& x : numbers) x = static_cast<T>(random());
  return numbers;
}

std::string Reshaped(const std::string& name, const std::string& from, int count, const std::vector<int>& shape,
                     const std::string& element) {
  return name + " = tt.reshape " + from + " : " + TensorType({count}, element) + " -> " + TensorType(shape, element) +
         "\n";
}
std::string Flattened(const std::string& name, const std::string& from, int count, const std::vector<int>& shape,
                      const std::string& element) {
  return name + " = tt.reshape " + from + " : " + TensorType(shape, element) + " -> " + TensorType({count}, element) +
         "\n";
}

struct GatherCase {
  std::vector<int> source, indices;
  int axis;
};

template <class T>
void CheckGather(const GatherCase& c, const std::string& element) {
  auto product = [](const std::vector<int>& shape) {
    return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
  };
  const int from = product(c.source), to = product(c.indices), length = c.source[c.axis], taken = c.indices[c.axis];
  int inner = 1;
  for (size_t d = c.axis + 1; d < c.source.size(); ++d) inner *= c.source[d];
  std::vector<T> in = RandomNumbers<T>(from), want(to);
  std::vector<int32_t> indices(to);
  std::mt19937 random(2);
  for (int i = 0; i < to; ++i) {
    indices[i] = static_cast<int32_t>(random() % length);
    want[i] = in[(i / inner / taken * length + indices[i]) * inner + i % inner];
  }
  const std::string text = "tt.func public @kernel(%x: !tt.ptr<" + element + ">, %j: !tt.ptr<i32>, %o: !tt.ptr<" +
                           element + ">) {\n" + LoadText("%v", "%x", from, element) + LoadText("%w", "%j", to, "i32") +
                           Reshaped("%s", "%v", from, c.source, element) + Reshaped("%k", "%w", to, c.indices, "i32") +
                           "%g = tt.gather %s[%k] {axis = " + std::to_string(c.axis) + " : i32} : (" +
                           TensorType(c.source, element) + ", " + TensorType(c.indices, "i32") + ") -> " +
                           TensorType(c.indices, element) + "\n" + Flattened("%r", "%g", to, c.indices, element) +
                           StoreText("%r", "%o", to, element) + "tt.return\n}";
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<T>(text, launch, {BufferOf(in), BufferOf(indices)}, to), want)
        << element << ", axis " << c.axis << " of " << TensorType(c.source, element) << " on " << ToString(launch);
}

TEST(TritonGather, AlongEachAxis) {
  const GatherCase cases[] = {{{512}, {512}, 0},     {{64}, {1024}, 0},           {{1}, {8}, 0},
                              {{8, 64}, {8, 16}, 1}, {{16, 32}, {128, 32}, 0},    {{4, 8, 16}, {4, 2, 16}, 1},
                              {{2, 64}, {2, 64}, 1}, {{4, 8, 16}, {32, 8, 16}, 0}};
  for (const GatherCase& c : cases) {
    CheckGather<uint32_t>(c, "i32");
    CheckGather<uint8_t>(c, "i8");
    CheckGather<uint64_t>(c, "i64");
  }
}

// a0 b0 a1 b1 ... and back; the halves one after the other.
TEST(TritonShapes, JoinSplitCat) {
  for (int count : {1, 32, 1024}) {
    const std::string one = TensorType({count}, "i32"), two = TensorType({count, 2}, "i32");
    const std::string text =
        "tt.func public @kernel(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" +
        LoadText("%a", "%x", count, "i32") + LoadText("%b", "%y", count, "i32") + "%j = tt.join %a, %b : " + one +
        " -> " + two + "\n%c, %d = tt.split %j : " + two + " -> " + one + "\n%k = tt.join %d, %c : " + one + " -> " +
        two + "\n" + Flattened("%f", "%k", 2 * count, {count, 2}, "i32") + "%t = tt.cat %d, %a : " + one + " -> " +
        TensorType({2 * count}, "i32") + "\n%r = arith.xori %f, %t : " + TensorType({2 * count}, "i32") + "\n" +
        StoreText("%r", "%o", 2 * count, "i32") + "tt.return\n}";
    std::vector<uint32_t> a = RandomNumbers<uint32_t>(count), b = RandomNumbers<uint32_t>(count, 2), want;
    for (int i = 0; i < 2 * count; ++i) want.push_back((i % 2 ? a : b)[i / 2] ^ (i < count ? b[i] : a[i - count]));
    for (const Launch& launch : Launches())
      EXPECT_EQ(ResultOf<uint32_t>(text, launch, {BufferOf(a), BufferOf(b)}, 2 * count), want)
          << count << " on " << ToString(launch);
  }
}

TEST(TritonShapes, EveryPermutationOfThreeDimensions) {
  const std::vector<int> shape{4, 16, 8};
  std::vector<uint16_t> in = RandomNumbers<uint16_t>(512);
  std::vector<int> order{0, 1, 2};
  do {
    const std::vector<int> permuted{shape[order[0]], shape[order[1]], shape[order[2]]};
    const std::string text =
        "tt.func public @kernel(%x: !tt.ptr<i16>, %o: !tt.ptr<i16>) {\n" + LoadText("%v", "%x", 512, "i16") +
        Reshaped("%s", "%v", 512, shape, "i16") + "%t = tt.trans %s {order = array<i32: " + std::to_string(order[0]) +
        ", " + std::to_string(order[1]) + ", " + std::to_string(order[2]) + ">} : " + TensorType(shape, "i16") +
        " -> " + TensorType(permuted, "i16") + "\n" + Flattened("%r", "%t", 512, permuted, "i16") +
        StoreText("%r", "%o", 512, "i16") + "tt.return\n}";
    std::vector<uint16_t> want;
    const int strides[] = {128, 8, 1};
    for (int i = 0; i < permuted[0]; ++i)
      for (int j = 0; j < permuted[1]; ++j)
        for (int k = 0; k < permuted[2]; ++k)
          want.push_back(in[i * strides[order[0]] + j * strides[order[1]] + k * strides[order[2]]]);
    for (const Launch& launch : Launches())
      EXPECT_EQ(ResultOf<uint16_t>(text, launch, {BufferOf(in)}, 512), want) << ToString(launch);
  } while (std::next_permutation(order.begin(), order.end()));
}

// A tensor of one element becomes a scalar in every thread.
TEST(TritonShapes, Unsplat) {
  const std::string text = "tt.func public @kernel(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" +
                           LoadText("%v", "%x", 1, "i32") +
                           "%s = tt.unsplat %v : tensor<1xi32>\n%r = tt.splat %s : i32 -> tensor<256xi32>\n" +
                           StoreText("%r", "%o", 256, "i32") + "tt.return\n}";
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<int32_t>(text, launch, {BufferOf(std::vector<int32_t>{41})}, 256), std::vector<int32_t>(256, 41))
        << ToString(launch);
}

}  // namespace
}  // namespace rocxla::triton
