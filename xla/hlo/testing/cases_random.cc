// rng-bit-generator and stochastic-convert. The generators are written from Salmon, Moraes, Dror and Shaw, "Parallel
// random numbers: as easy as 1, 2, 3" (2011), in their textbook form.
#include <fmt/format.h>

#include "xla/hlo/ir/float_format.h"
#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

using Word = uint32_t;

// 20 rounds; after each four of them a word of the key schedule is added.
std::pair<Word, Word> ThreeFry(uint64_t key, uint64_t counter) {
  const Word k0 = static_cast<Word>(key), k1 = static_cast<Word>(key >> 32),
             schedule[3] = {k0, k1, k0 ^ k1 ^ 0x1bd11bda};
  Word a = static_cast<Word>(counter) + k0, b = static_cast<Word>(counter >> 32) + k1;
  constexpr int kTurns[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  for (Word round = 0; round < 20; ++round) {
    a += b;
    const int turn = kTurns[round % 8];
    b = (b << turn | b >> (32 - turn)) ^ a;
    if (round % 4 != 3) continue;
    const Word injection = round / 4 + 1;
    a += schedule[injection % 3];
    b += schedule[(injection + 1) % 3] + injection;
  }
  return {a, b};
}

std::vector<Word> Philox(uint64_t key, uint64_t low, uint64_t high) {
  Word c0 = static_cast<Word>(low), c1 = static_cast<Word>(low >> 32), c2 = static_cast<Word>(high),
       c3 = static_cast<Word>(high >> 32), k0 = static_cast<Word>(key), k1 = static_cast<Word>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const unsigned __int128 first = static_cast<unsigned __int128>(c0) * 0xD2511F53u;
    const unsigned __int128 second = static_cast<unsigned __int128>(c2) * 0xCD9E8D57u;
    const Word next0 = static_cast<Word>(second >> 32) ^ c1 ^ k0, next2 = static_cast<Word>(first >> 32) ^ c3 ^ k1;
    c1 = static_cast<Word>(second);
    c3 = static_cast<Word>(first);
    c0 = next0;
    c2 = next2;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {c0, c1, c2, c3};
}

constexpr uint64_t kKey = 0x0123456789abcdef, kCounter = 0xfedcba9876543210;

// Elements of a vector of seven, as XLA lays them out. Words of 32 bits: Threefry's pairs stand beside each other.
uint64_t ThreeFryElement(int64_t i, bool wide) {
  const auto [a, b] = ThreeFry(kKey, kCounter + static_cast<uint64_t>(wide ? i : i / 2));
  if (wide) return uint64_t{b} << 32 | a;
  return i % 2 == 0 ? a : b;
}
uint64_t PhiloxElement(int64_t i, bool wide) {
  const int64_t word = wide ? 2 * i : i;
  const std::vector<Word> block = Philox(kKey, kCounter + static_cast<uint64_t>(word / 4), kKey);
  return wide ? uint64_t{block[word % 4 + 1]} << 32 | block[word % 4] : block[word % 4];
}

}  // namespace

// Counted by the type of the random bits.
void RngBitGeneratorCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsInteger(type)) return;
  const bool wide = BitWidth(type) == 64;
  for (const bool philox : {false, true}) {
    OpcodeCase one;
    one.opcode = opcode;
    one.type = type;
    one.variant = philox ? "rng_philox" : "rng_three_fry";
    one.body =
        fmt::format("  @r = (u64[2], {}[7]) rng-bit-generator(@0), algorithm={}", PrimitiveTypeName(type), one.variant);
    one.inputs = {Encode({U64, {2}, {Value::Int(kKey), Value::Int(kCounter)}})};
    one.formula = [=](std::span<const Array>) {
      const uint64_t used = philox ? (wide ? 4 : 2) : wide ? 7 : 4;
      Array next{U64, {2}, {Value::Int(kKey), Value::Int(kCounter + used)}};
      Array bits = MakeArray(type, {7}, [&](const Dims& i) {
        return Value::Int(static_cast<Integer>(philox ? PhiloxElement(i[0], wide) : ThreeFryElement(i[0], wide)));
      });
      return std::vector<Array>{next, bits};
    };
    out.push_back(std::move(one));
  }
}

namespace {

// Up by one (away from zero) where the fraction of |x|, as a number of the random bits' width, exceeds them.
Integer Stochastic(PrimitiveType from, PrimitiveType to, Real x, Integer random, int random_bits) {
  if (IsNan(x)) return 0;
  const Integer highest = (Integer{1} << (BitWidth(to) - 1)) - 1, lowest = -highest - 1;
  if (x >= Rounded(from, Value::Float(static_cast<Real>(highest))).re) return highest;
  if (x <= Rounded(from, Value::Float(static_cast<Real>(lowest))).re) return lowest;
  const Real size = fabsf128(x), fraction = size - floorf128(size);
  const auto threshold = static_cast<Integer>(ldexpf128(fraction, random_bits));
  const Integer rounded = static_cast<Integer>(size) + (threshold > random ? 1 : 0);
  return x < 0 ? -rounded : rounded;
}

}  // namespace

// Counted by the type of the random bits, the last operand.
void StochasticConvertCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  bool has_case = false;
  for (const PrimitiveType from : ArrayTypes()) {
    if (!IsFloat(from) || BitWidth(from) != BitWidth(type)) continue;
    for (const PrimitiveType to : {S4, S8, S16, S32, S64}) {
      std::vector<uint64_t> codes = InterestingCodes(from, 60), random;
      std::mt19937_64 generator(from);
      for (size_t i = 0; i < codes.size(); ++i) random.push_back(generator() >> (64 - BitWidth(type)));
      const auto count = static_cast<int64_t>(codes.size());
      OpcodeCase one = OneLine(opcode, type, to, {count}, Call(opcode, 2));
      one.variant = fmt::format("{} to {}", PrimitiveTypeName(from), PrimitiveTypeName(to));
      one.inputs = {VectorOf(from, codes), VectorOf(type, random)};
      if (!IsUnsigned(type)) one.refused = "random bits are unsigned";
      one.formula = OneResult([=](std::span<const Array> x) {
        return MakeArray(to, {count}, [&](const Dims& i) {
          return Value::Int(Stochastic(from, to, x[0][i[0]].re, x[1][i[0]].integer, BitWidth(type)));
        });
      });
      out.push_back(std::move(one));
      has_case = true;
    }
  }
  if (has_case) return;
  OpcodeCase one = OneLine(opcode, type, S32, {3}, Call(opcode, 2));
  one.inputs = {Encode(ModerateArray(F32, {3}, 1)), Encode(ModerateArray(type, {3}, 1))};
  one.refused = "no float has that width";
  out.push_back(std::move(one));
}

}  // namespace xla::opcode_cases
