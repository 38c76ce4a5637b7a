// The algorithms of rng-bit-generator.
#pragma once
#include <optional>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Threefry: state u64[2] = key, counter. Philox: state u64[3] = key, and a counter of 128 bits, the lower half first;
// u64[2] = key, lower half, and the upper half is the key. Source: what XLA's CPU backend computes.
enum class RandomAlgorithm { kThreeFry, kPhilox };

// rng_default is Philox, as in XLA's backends for CPU and GPU. Nothing if the attribute names none.
inline std::optional<RandomAlgorithm> RandomAlgorithmOf(const HloInstruction& instruction) {
  const std::string text = instruction.attributes().Get<Verbatim>(AttributeId::kAlgorithm).text;
  if (text == "rng_three_fry") return RandomAlgorithm::kThreeFry;
  if (text == "rng_default" || text == "rng_philox") return RandomAlgorithm::kPhilox;
  return std::nullopt;
}

}  // namespace xla
