// Layout changes through LDS, by brute force: every element arrives, vectors are consecutive and aligned, and no pass
// of either side meets a bank twice.
#include "triton/layout/shared_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "triton/layout/matrix_instruction.h"

namespace rocxla::triton {
namespace {

constexpr int kBanks = 32, kBankBytes = 4;

// Elements of one access: leading registers at consecutive places, 16 bytes at most.
int Vector(const LinearLayout& places, int bytes) { return std::min(places.AlignedRegisters(), 16 / bytes); }

// The most different words that one pass of one wave wants of one bank. A lane takes a bank for itself, also for less
// than a word.
int WorstConflict(const LinearLayout& places, int bytes) {
  const int vector = Vector(places, bytes), lanes = 1 << places.bases(kLane).size();
  const int lanes_of_pass = std::min(lanes, kBanks * kBankBytes / std::max(vector * bytes, kBankBytes));
  size_t worst = 0;
  for (int first = 0; first < places.registers(); first += vector) {
    for (int begin = 0; begin < lanes; begin += lanes_of_pass) {
      std::map<int, std::set<int>> words;  // of each bank
      for (int lane = begin; lane < begin + lanes_of_pass; ++lane) {
        const int at = static_cast<int>(places.Apply(first, lane)) * bytes;
        for (int byte = 0; byte < vector * bytes; ++byte)
          words[(at + byte) / kBankBytes % kBanks].insert((at + byte) / kBankBytes);
      }
      for (const auto& [bank, different] : words) worst = std::max(worst, different.size());
    }
  }
  return static_cast<int>(worst);
}

// Each register of the side holds the element that the layout says, and one place has one element.
void ExpectPlaces(const SharedSide& side, const LinearLayout& layout, std::map<Bits, Bits>& element_at) {
  ASSERT_EQ(static_cast<int>(side.registers.size()), layout.registers());
  for (int warp = 0; warp < 1 << layout.bases(kWarp).size(); ++warp)
    for (int lane = 0; lane < 1 << layout.bases(kLane).size(); ++lane)
      for (int r = 0; r < layout.registers(); ++r) {
        const Bits place = side.places.Apply(r, lane, warp), element = layout.Apply(side.registers[r], lane, warp);
        ASSERT_LT(place, Bits(1) << TotalBits(layout.shape()));
        ASSERT_EQ(element_at.emplace(place, element).first->second, element);
      }
}

void Check(const LinearLayout& writer, const LinearLayout& reader, int bytes) {
  SCOPED_TRACE(writer.ToString() + " to " + reader.ToString() + ", bytes " + std::to_string(bytes));
  const SharedOrder order = OrderInShared(writer, reader, bytes);
  std::map<Bits, Bits> element_at;
  ExpectPlaces(order.writer, writer, element_at);
  ExpectPlaces(order.reader, reader, element_at);
  EXPECT_EQ(element_at.size(), size_t(1) << TotalBits(writer.shape()));
  std::set<Bits> elements;
  for (const auto& [place, element] : element_at) elements.insert(element);
  EXPECT_EQ(elements.size(), element_at.size()) << "an element in two places";
  for (const SharedSide* side : {&order.writer, &order.reader})
    EXPECT_EQ(Vector(side->places, bytes), std::min(side->places.ContiguousRegisters(), 16 / bytes))
        << "vectors that are not aligned: " << side->places.ToString();
  EXPECT_LE(WorstConflict(order.writer.places, bytes), 1) << "writer: " << order.writer.places.ToString();
  EXPECT_LE(WorstConflict(order.reader.places, bytes), 1) << "reader: " << order.reader.places.ToString();
}

// A layout with the bits of an element dealt out to registers, lanes and warps at random.
LinearLayout RandomLayout(std::mt19937& random, int bits, int lane_bits, int warp_bits) {
  std::vector<Bits> dealt;
  for (int i = 0; i < bits; ++i) dealt.push_back(Bits(1) << i);
  std::shuffle(dealt.begin(), dealt.end(), random);
  LinearLayout layout(Shape{bits});
  const auto deal = [&](HwDim hw, int count) {
    for (int i = 0; i < count; ++i) {
      layout.bases(hw).push_back(dealt.empty() ? 0 : dealt.back());
      if (!dealt.empty()) dealt.pop_back();
    }
  };
  deal(kLane, lane_bits);
  deal(kWarp, warp_bits);
  deal(kRegister, static_cast<int>(dealt.size()));
  return layout;
}

TEST(SharedOrder, RandomLayouts) {
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    const int bits = 3 + i % 10, lane_bits = 5 + i % 2, warp_bits = i / 2 % 3;
    const LinearLayout writer = RandomLayout(random, bits, lane_bits, warp_bits);
    const LinearLayout reader = RandomLayout(random, bits, lane_bits, warp_bits);
    for (int bytes : {1, 2, 4, 8}) Check(writer, reader, bytes);
  }
}

TEST(SharedOrder, BothSidesHaveWideVectors) {
  // 64 x 64 in 16 bits: eight columns a thread to eight columns a thread of other threads, and to eight rows a thread.
  const auto layout = [](int vector_dim, int lane_dim) {
    LayoutBuilder builder(Shape{6, 6});
    builder.Walk(kRegister, vector_dim, 3).Walk(kLane, lane_dim, 3).Walk(kLane, 1 - lane_dim, 3);
    return builder.FillRegisters({1, 0}).Finish();
  };
  const SharedOrder same = OrderInShared(layout(1, 1), layout(1, 0), 2);
  EXPECT_EQ(Vector(same.writer.places, 2), 8);
  EXPECT_EQ(Vector(same.reader.places, 2), 8);
  const SharedOrder transposed = OrderInShared(layout(1, 1), layout(0, 0), 2);
  EXPECT_EQ(Vector(transposed.reader.places, 2), 8);
}

}  // namespace
}  // namespace rocxla::triton
