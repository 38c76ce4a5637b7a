#include "xla/backends/gpu/codegen/reducer.h"

#include <limits>

#include "xla/backends/gpu/codegen/float8.h"
#include "xla/hlo/ir/float_format.h"

namespace xla::gpu {
namespace {

struct Extremes {
  double lowest_float = -std::numeric_limits<double>::infinity();
  double highest_float = std::numeric_limits<double>::infinity();
  int64_t lowest_int;
  int64_t highest_int;
};

Extremes ExtremesOf(PrimitiveType type) {
  Extremes out{.lowest_int = 0, .highest_int = 1};
  if (IsFloat8(type) && FloatFormatOf(type).specials != FloatSpecials::kIeee) {  // without infinities
    out.highest_float = MaxFinite(type);
    out.lowest_float = -out.highest_float;
  }
  if (!IsInteger(type)) return out;
  int unused = 64 - BitWidth(type);
  out.lowest_int = IsSigned(type) ? std::numeric_limits<int64_t>::min() >> unused : 0;
  out.highest_int = IsSigned(type) ? ~out.lowest_int : static_cast<int64_t>(~uint64_t{0} >> unused);
  return out;
}

struct Neutral {
  double as_float;
  int64_t as_int;
};
std::optional<Neutral> NeutralOf(HloOpcode opcode, PrimitiveType type) {
  Extremes extremes = ExtremesOf(type);
  if (type == F8E8M0FNU) return std::nullopt;  // it has no zero, nor negative numbers
  switch (opcode) {
    case HloOpcode::kAdd:
    case HloOpcode::kOr:
    case HloOpcode::kXor:
      return Neutral{0, 0};
    case HloOpcode::kMultiply:
      return Neutral{1, 1};
    case HloOpcode::kMaximum:
      return Neutral{extremes.lowest_float, extremes.lowest_int};
    case HloOpcode::kMinimum:
      return Neutral{extremes.highest_float, extremes.highest_int};
    case HloOpcode::kAnd:
      return Neutral{0, type == PRED ? 1 : -1};
    default:
      return std::nullopt;
  }
}

bool IsConstantEqualTo(const HloInstruction& instruction, const Neutral& neutral) {
  if (instruction.opcode() != HloOpcode::kConstant || instruction.literal().is_elided()) return false;
  return IsFloat(instruction.shape().element_type()) ? instruction.literal().GetAsDouble(0) == neutral.as_float
                                                     : instruction.literal().GetAsInt64(0) == neutral.as_int;
}

}  // namespace

std::optional<HloOpcode> SingleOperation(const HloComputation& computation) {
  const HloInstruction* root = computation.root_instruction();
  if (computation.num_parameters() != 2 || !root->IsElementwise() || root->operand_count() != 2) return std::nullopt;
  const HloInstruction *a = computation.parameter_instruction(0), *b = computation.parameter_instruction(1);
  bool both = (root->operand(0) == a && root->operand(1) == b) || (root->operand(0) == b && root->operand(1) == a);
  if (!both || root->shape() != a->shape()) return std::nullopt;
  return root->opcode();
}

StatusOr<Reducer> Reducer::Create(TtirBuilder& builder, const HloInstruction& reduce) {
  Reducer out;
  out.builder_ = &builder;
  out.function_ = reduce.to_apply();
  std::optional<HloOpcode> operation = SingleOperation(*reduce.to_apply());
  out.initial_is_neutral_ = true;
  for (int64_t i = 0; i < reduce.input_count(); ++i) {
    PrimitiveType type = reduce.operand(i)->shape().element_type();
    ASSIGN_OR_RETURN(TtirElement element, RegisterType(type, reduce));
    bool widen = operation && (element == TtirElement::kF16 || element == TtirElement::kBF16);
    TtirElement accumulator = widen ? TtirElement::kF32 : element;
    out.value_types_.push_back(element);
    out.accumulator_types_.push_back(accumulator);
    std::optional<Neutral> neutral = operation ? NeutralOf(*operation, type) : std::nullopt;
    if (!neutral) {
      out.neutrals_.emplace_back();
      continue;
    }
    const TtirType scalar{accumulator, {}};
    if (IsFloat8(type)) {  // its bits
      out.neutrals_.push_back(builder.IntConstant(static_cast<int8_t>(EncodeFloat(type, neutral->as_float)), scalar));
    } else {
      out.neutrals_.push_back(IsFloat(type) ? builder.FloatConstant(neutral->as_float, scalar)
                                            : builder.IntConstant(neutral->as_int, scalar));
    }
    const HloInstruction& initial = *reduce.operand(reduce.input_count() + i);
    if (!IsConstantEqualTo(initial, *neutral)) out.initial_is_neutral_ = false;
  }
  return out;
}

TtirValue Reducer::ToAccumulator(int64_t i, const TtirValue& x) const {
  return x.type.element == accumulator_types_[i] ? x : builder_->Cast("arith.extf", x, accumulator_types_[i]);
}

TtirValue Reducer::FromAccumulator(int64_t i, const TtirValue& x) const {
  return x.type.element == value_types_[i] ? x : builder_->Cast("arith.truncf", x, value_types_[i]);
}

StatusOr<std::vector<TtirValue>> Reducer::Combine(std::span<const TtirValue> a, std::span<const TtirValue> b) const {
  std::vector<TtirValue> arguments(a.begin(), a.end());
  arguments.insert(arguments.end(), b.begin(), b.end());
  return EmitComputation(*builder_, *function_, arguments);
}

}  // namespace xla::gpu
