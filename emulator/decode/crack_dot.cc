// Dot products, and floating-point instructions whose operands are scalars.
#include <fmt/format.h>

#include "emulator/decode/cracker.h"

namespace rocxla::emu {
namespace {

// The elements of the two packed sources, by the end of a mnemonic such as v_dot2_f32_f16.
bool HasHalves(std::string_view key) { return key.starts_with("v_dot2"); }
bool IsFloatDot(std::string_view key) {
  return key.starts_with("v_dot2_f") || key.starts_with("v_dot2_bf") || key.starts_with("v_dot4_f");
}

constexpr u32 kLowSign = 0x8000, kHighSign = 0x80000000;

}  // namespace

// A source of two halves as op_sel picks them and neg_lo and neg_hi negate them.
Operand Cracker::PackedSource(const Source& source, bool may_negate) {
  bool low_from_high = (source.modifiers & kModOpSel) != 0, high_from_high = (source.modifiers & kModOpSelHi) != 0;
  Operand at = Read(source, 1);
  if (low_from_high || !high_from_high) {
    auto half = [&](bool high) { return OneResult(Op::x_field, {at, Literal(high ? 16 : 0), Literal(0xffff)}); };
    at = OneResult(Op::v_pack_b32_f16, {half(low_from_high), half(high_from_high)});
  }
  u32 signs =
      ((source.modifiers & kModNeg) != 0 ? kLowSign : 0) | ((source.modifiers & kModNegHi) != 0 ? kHighSign : 0);
  if (signs != 0 && !may_negate) Reject("it negates integers");
  return signs == 0 ? at : OneResult(Op::v_xor_b32, {at, Literal(signs)});
}

// Two-operand forms (v_dot4c) accumulate into the destination and have no packed modifiers.
bool Cracker::CrackDot(const Instruction& in) {
  if (!in.Is("v_dot")) return false;
  std::string key = in.key;
  constexpr size_t kStem = std::string_view("v_dot2").size();
  size_t accumulator = key.compare(kStem, 2, "c_") == 0 ? 1 : key.compare(kStem, 4, "acc_") == 0 ? 3 : 0;
  bool accumulates = accumulator != 0;
  key.erase(kStem, accumulator);
  bool mixed = key.ends_with("_iu8") || key.ends_with("_iu4");
  if (mixed) key = SignedNames(in, key);
  bool saturates = in.Get(Immediate::kClamp) != 0 && !IsFloatDot(key);
  std::string name = saturates ? fmt::format("x_{}_saturate{}", key.substr(2, 4), key.substr(6)) : key;
  auto op = FindOp(name);
  if (!op) return Reject("it is not in the tables"), true;
  Instruction plain = in;
  if (saturates) std::erase_if(plain.immediates, [](auto& i) { return i.first == Immediate::kClamp; });
  bool packed_encoding = !accumulates && key != "v_dot2_f16_f16" && key != "v_dot2_bf16_bf16";
  for (int i = 0; i < 2 && i < static_cast<int>(plain.sources.size()); i++) {
    Source& source = plain.sources[i];
    if (packed_encoding && HasHalves(key)) {
      source = Source{.at = PackedSource(source, IsFloatDot(key))};
    } else if ((source.modifiers & (packed_encoding && !mixed ? kModNeg | kModNegHi : 0)) != 0 ||
               (!packed_encoding && source.modifiers != 0)) {
      return Reject("its modifiers on packed sources"), true;
    }
    source.modifiers = 0;
  }
  if (packed_encoding && plain.sources.size() > 2) {
    u32& modifiers = plain.sources[2].modifiers;
    if ((modifiers & kModNegHi) != 0 || (!IsFloatDot(key) && (modifiers & kModNeg) != 0)) {
      return Reject("its modifiers on the addend"), true;
    }
    modifiers &= kModNeg;
  }
  plain.form = packed_encoding ? Form::kPlain : in.form;
  return CrackVector(plain, *op), true;
}

// neg_lo says which of the inputs are signed: v_dot4_i32_iu8 becomes v_dot4_i32_i8 or v_dot4_i32_u8_i8.
std::string Cracker::SignedNames(const Instruction& in, const std::string& key) {
  if (in.sources.size() < 2) return key;
  bool a = (in.sources[0].modifiers & kModNeg) != 0, b = (in.sources[1].modifiers & kModNeg) != 0;
  std::string stem = key.substr(0, key.size() - 3), bits = key.substr(key.size() - 1);
  if (a && b) return stem + "i" + bits;
  std::string mixed = fmt::format("{}{}{}_{}{}", stem.substr(2), a ? "i" : "u", bits, b ? "i" : "u", bits);
  return "x_" + mixed;
}

// v_s_exp_f32 and its kind: vector operations on scalars, whatever EXEC. Modifiers act as on lanes.
bool Cracker::CrackScalarTranscendental(const Instruction& in) {
  if (!in.Is("v_s_")) return false;
  auto op = FindOp(in.key);
  if (!op || in.sources.size() != 1 || in.defs.size() != 1) return Reject("it is not in the tables"), true;
  if (in.Get(Immediate::kOmod) != 0) return Reject("its output modifier"), true;
  bool half = Info(*op).source[0].bits == 16;
  Operand at = Read(in.sources[0], 1);
  auto step = [&](Op modifier, u32 mask) {
    Operand changed = TempScalar();
    Emit(modifier, {changed}, {at, Literal(mask)});
    at = changed;
  };
  if ((in.sources[0].modifiers & kModAbs) != 0) step(Op::x_scalar_and, half ? 0x7fff : 0x7fffffff);
  if ((in.sources[0].modifiers & kModNeg) != 0) step(Op::x_scalar_xor, half ? 0x8000 : 0x80000000);
  Emit(*op, {in.defs[0].at}, {at});
  Op clamp = half ? Op::x_scalar_clamp_f16 : Op::x_scalar_clamp_f32;
  if (in.Get(Immediate::kClamp) != 0) Emit(clamp, {in.defs[0].at}, {in.defs[0].at});
  return true;
}

}  // namespace rocxla::emu
