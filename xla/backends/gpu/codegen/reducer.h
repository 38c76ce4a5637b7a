// The function of a reduce: how it combines values, and what it starts from.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "xla/backends/gpu/codegen/tile_evaluator.h"

namespace xla::gpu {

// The opcode of a computation that is one binary operation on its two parameters.
std::optional<HloOpcode> SingleOperation(const HloComputation& computation);

class Reducer {
 public:
  // CompilerUnsupportedType when an element type has no register type.
  static StatusOr<Reducer> Create(TtirBuilder& builder, const HloInstruction& reduce);

  int64_t count() const { return static_cast<int64_t>(accumulator_types_.size()); }
  // Of input i. One operation on f16 or bf16 accumulates in f32 and rounds once, at the end.
  TtirElement accumulator_type(int64_t i) const { return accumulator_types_[i]; }
  // A scalar that changes nothing when combined with it, of the accumulator's type; no value if the function is not
  // known well enough: then HLO promises that the initial value does.
  const TtirValue& neutral(int64_t i) const { return neutrals_[i]; }
  // True if combining with the initial value changes nothing, so that it can be left out.
  bool initial_value_is_neutral() const { return initial_is_neutral_; }

  TtirValue ToAccumulator(int64_t i, const TtirValue& x) const;
  TtirValue FromAccumulator(int64_t i, const TtirValue& x) const;
  StatusOr<std::vector<TtirValue>> Combine(std::span<const TtirValue> a, std::span<const TtirValue> b) const;

 private:
  TtirBuilder* builder_ = nullptr;
  const HloComputation* function_ = nullptr;
  std::vector<TtirElement> accumulator_types_, value_types_;
  std::vector<TtirValue> neutrals_;
  bool initial_is_neutral_ = false;
};

}  // namespace xla::gpu
