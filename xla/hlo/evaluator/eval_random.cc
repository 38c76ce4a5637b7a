// Random bits, and rounding by them: Threefry-2x32 (20 rounds) and Philox-4x32 (10 rounds). Source: Salmon, Moraes,
// Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011); how XLA counts and lays out the results:
// recorded programs.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "xla/hlo/evaluator/device_group.h"
#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"
#include "xla/hlo/ir/random.h"

namespace xla::evaluator {
namespace {

using Words2 = std::array<uint32_t, 2>;
using Words4 = std::array<uint32_t, 4>;

Words2 Halves(uint64_t x) { return {static_cast<uint32_t>(x), static_cast<uint32_t>(x >> 32)}; }
uint64_t Joined(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

Words2 ThreeFry2x32(Words2 x, Words2 key) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  constexpr uint32_t kParity = 0x1bd11bda;
  const uint32_t keys[] = {key[0], key[1], key[0] ^ key[1] ^ kParity};
  x[0] += keys[0];
  x[1] += keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (const int rotation : kRotations[group % 2]) {
      x[0] += x[1];
      x[1] = std::rotl(x[1], rotation) ^ x[0];
    }
    x[0] += keys[(group + 1) % 3];
    x[1] += keys[(group + 2) % 3] + group + 1;
  }
  return x;
}

Words4 Philox4x32(Words4 x, Words2 key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{0xd2511f53} * x[0], product1 = uint64_t{0xcd9e8d57} * x[2];
    x = {static_cast<uint32_t>(product1 >> 32) ^ x[1] ^ key[0], static_cast<uint32_t>(product1),
         static_cast<uint32_t>(product0 >> 32) ^ x[3] ^ key[1], static_cast<uint32_t>(product0)};
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return x;
}

struct Stream {
  std::vector<uint64_t> values;  // in row-major order
  uint64_t counter = 0;          // its first word afterwards
  uint64_t counter_high = 0;
};

// Words of 32 bits are made in pairs that lie beside each other along the first even dimension, or along the longest.
Stream ThreeFryWords(const Shape& shape, uint64_t key, uint64_t counter) {
  std::vector<int64_t> halves = shape.dimensions();
  if (halves.empty()) return {{ThreeFry2x32(Halves(counter), Halves(key))[0]}, counter + 1};
  size_t split = 0;
  while (split < halves.size() && halves[split] % 2 != 0) ++split;
  if (split == halves.size()) split = std::max_element(halves.begin(), halves.end()) - halves.begin();
  halves[split] = (halves[split] + 1) / 2;
  Stream stream{std::vector<uint64_t>(ShapeUtil::ElementsIn(shape)),
                counter + ShapeUtil::ElementsIn(Shape::Array(U32, halves))};
  if (stream.values.empty()) return stream;
  IndexCounter place(shape.dimensions());
  for (uint64_t& value : stream.values) {
    int64_t pair = 0;
    for (size_t d = 0; d < halves.size(); ++d) {
      pair = pair * halves[d] + (d == split ? place.index()[d] / 2 : place.index()[d]);
    }
    value = ThreeFry2x32(Halves(counter + pair), Halves(key))[place.index()[split] % 2];
    place.Next();
  }
  return stream;
}
Stream ThreeFryBits(const Shape& shape, uint64_t key, uint64_t counter) {
  if (BitWidth(shape.element_type()) < 64) return ThreeFryWords(shape, key, counter);
  Stream stream;
  for (int64_t i = 0; i < ShapeUtil::ElementsIn(shape); ++i) {
    const Words2 words = ThreeFry2x32(Halves(counter + i), Halves(key));
    stream.values.push_back(Joined(words[0], words[1]));
  }
  stream.counter = counter + stream.values.size();
  return stream;
}

// Four words at a time, in order.
Stream PhiloxBits(const Shape& shape, uint64_t key, uint64_t counter, uint64_t counter_high) {
  const int64_t elements = ShapeUtil::ElementsIn(shape), words_each = BitWidth(shape.element_type()) == 64 ? 2 : 1;
  std::vector<uint32_t> words;
  while (static_cast<int64_t>(words.size()) < elements * words_each) {
    const Words2 low = Halves(counter), high = Halves(counter_high);
    const Words4 four = Philox4x32({low[0], low[1], high[0], high[1]}, Halves(key));
    words.insert(words.end(), four.begin(), four.end());
    if (++counter == 0) ++counter_high;
  }
  Stream stream{{}, counter, counter_high};
  for (int64_t i = 0; i < elements; ++i) {
    stream.values.push_back(words_each == 1 ? words[i] : Joined(words[2 * i], words[2 * i + 1]));
  }
  return stream;
}

}  // namespace

StatusOr<Literal> Eval_kRngBitGenerator(const HloInstruction& instruction, Operands operands) {
  const Shape& shape = instruction.shape().tuple_shapes(1);
  const std::vector<uint64_t> state = ValuesOf<uint64_t>(*operands[0]);
  const bool is_philox = *RandomAlgorithmOf(instruction) == RandomAlgorithm::kPhilox;
  const Stream stream = is_philox ? PhiloxBits(shape, state[0], state[1], state.size() > 2 ? state[2] : state[0])
                                  : ThreeFryBits(shape, state[0], state[1]);
  std::vector<uint64_t> next = {state[0], stream.counter};
  if (state.size() > 2) next.push_back(stream.counter_high);
  std::vector<Literal> results;
  results.push_back(LiteralOf(instruction.shape().tuple_shapes(0), next));
  results.push_back(LiteralOf(shape, stream.values));  // narrow types keep the lower bits
  return Literal::Tuple(std::move(results));
}

namespace {

double RoundedTo(PrimitiveType type, double x) {
  Literal rounded = Literal::Zeros(Shape::Scalar(type));
  rounded.SetFromDouble(0, x);
  return rounded.GetAsDouble(0);
}

// Random words of this run's and device's stream.
class RandomStream {
 public:
  uint32_t Word() {
    if (next_ == words_.size()) Draw();
    return words_[next_++];
  }
  uint64_t Bits64() {
    const uint32_t low = Word();
    return Joined(low, Word());
  }
  // In [0, 1), as many bits as a float or a double has.
  float UnitFloat() { return static_cast<float>(Word() >> 8) * 0x1p-24f; }
  double UnitDouble() { return static_cast<double>(Bits64() >> 11) * 0x1p-53; }

 private:
  void Draw() {
    DeviceContext& device = CurrentDevice();
    const Words2 count = Halves(device.run.random_blocks_drawn++),
                 number = Halves(static_cast<uint64_t>(device.device));
    words_ = Philox4x32({count[0], count[1], number[0], number[1]}, Halves(device.run.options.seed));
    next_ = 0;
  }
  Words4 words_ = {};
  size_t next_ = 4;
};

// Of the integers from `low` to below `high`; `low` if there is none.
template <AnyInteger T>
T UniformInteger(RandomStream& stream, T low, T high) {
  if (high <= low) return low;
  const uint64_t count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const auto offset = static_cast<uint64_t>((static_cast<unsigned __int128>(stream.Bits64()) * count) >> 64);
  return static_cast<T>(static_cast<uint64_t>(low) + offset);
}

// Rounding, to `type` too, may reach `high`, which is no value.
template <AnyFloat T>
T UniformFloat(RandomStream& stream, T low, T high, PrimitiveType type) {
  T unit;
  if constexpr (std::is_same_v<T, float>) {
    unit = stream.UnitFloat();
  } else {
    unit = stream.UnitDouble();
  }
  const T value = low + (high - low) * unit;
  return low < high && RoundedTo(type, value) >= static_cast<double>(high) ? low : value;
}

// Box and Muller's: one of the two numbers that a pair of uniform ones gives.
double Normal(RandomStream& stream, double mean, double deviation) {
  const double radius = std::sqrt(-2 * std::log(1 - stream.UnitDouble()));
  return mean + deviation * radius * std::cos(2 * std::numbers::pi * stream.UnitDouble());
}

}  // namespace

StatusOr<Literal> Eval_kRng(const HloInstruction& instruction, Operands operands) {
  const PrimitiveType type = instruction.shape().element_type();
  const bool is_normal =
      instruction.attributes().Get<RandomDistribution>(AttributeId::kDistribution) == RandomDistribution::kNormal;
  return WithComputeType(type, [&](auto tag) -> StatusOr<Literal> {
    using T = typename decltype(tag)::type;
    if constexpr (AnyComplex<T>) {
      return NotEvaluable(instruction, "the evaluator has no random numbers of this type");
    } else {
      const T a = ValuesOf<T>(*operands[0])[0], b = ValuesOf<T>(*operands[1])[0];
      RandomStream stream;
      std::vector<T> values(ShapeUtil::ElementsIn(instruction.shape()));
      for (T& value : values) {
        if constexpr (AnyFloat<T>) {
          value = is_normal ? static_cast<T>(Normal(stream, a, b)) : UniformFloat(stream, a, b, type);
        } else {
          value = UniformInteger(stream, a, b);
        }
      }
      return LiteralOf(instruction.shape(), values);
    }
  });
}

// Gives the state, then adds to it; 128 bits.
StatusOr<Literal> Eval_kRngGetAndUpdateState(const HloInstruction& instruction, Operands) {
  auto& [low, high] = CurrentDevice().run.random_state;
  const std::vector<uint64_t> before = {low, high};
  const auto delta = instruction.attributes().Get<int64_t>(AttributeId::kDelta);
  const uint64_t carry = __builtin_add_overflow(low, static_cast<uint64_t>(delta), &low) ? 1 : 0;
  high += carry + (delta < 0 ? ~uint64_t{0} : 0);
  return LiteralOf(instruction.shape(), before);
}

namespace {

// The integer below or above |x|, the latter if the fraction exceeds random / 2^bits, with x's sign.
int64_t StochasticallyRounded(double x, uint64_t random, int random_bits) {
  const double size = std::trunc(std::fabs(x)), fraction = std::fabs(x) - size;
  const bool up = static_cast<double>(random) < std::floor(std::ldexp(fraction, random_bits));
  const auto rounded = static_cast<int64_t>(size + (up ? 1 : 0));
  return std::signbit(x) ? -rounded : rounded;
}

}  // namespace

// Saturates where the operand reaches the integers' limits, rounded to its type; NaN gives 0.
StatusOr<Literal> Eval_kStochasticConvert(const HloInstruction& instruction, Operands operands) {
  const PrimitiveType from = operands[0]->shape().element_type();
  const Shape shape = Shape::Array(instruction.shape().element_type(), operands[0]->shape().dimensions());
  const int bits = BitWidth(shape.element_type());
  const int64_t highest = static_cast<int64_t>(~uint64_t{0} >> (65 - bits)), lowest = -highest - 1;
  const double high = RoundedTo(from, static_cast<double>(highest)), low = RoundedTo(from, static_cast<double>(lowest));
  Literal result = Literal::Zeros(shape);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const double x = operands[0]->GetAsDouble(i);
    const auto random = static_cast<uint64_t>(operands[1]->GetAsInt64(i));
    if (std::isnan(x)) continue;
    result.SetFromInt64(i, x >= high ? highest
                           : x <= low
                               ? lowest
                               : StochasticallyRounded(x, random, BitWidth(operands[1]->shape().element_type())));
  }
  return result;
}

}  // namespace xla::evaluator
