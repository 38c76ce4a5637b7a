// Conversions from and to 8-, 6- and 4-bit floats: several elements per instruction, in parts of registers.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emulator/decode/cracker.h"

namespace rocxla::emu {
namespace {

// The four bits of op_sel: those of sources 0 to 2, of which the last may belong to the tied destination, and the
// destination's.
bool OpSel(const Instruction& in, int bit) {
  if (bit == 3) return !in.sources.empty() && (in.sources[0].modifiers & kModOpSelHi) != 0;
  u32 modifiers = bit < static_cast<int>(in.sources.size()) ? in.sources[bit].modifiers : in.tied_modifiers;
  return (modifiers & kModOpSel) != 0;
}

int BitsOfFormat(std::string_view format) {
  return format == "fp4"                      ? 4
         : format == "fp6" || format == "bf6" ? 6
         : format == "fp8" || format == "bf8" ? 8
         : format == "f32"                    ? 32
                                              : 16;
}
bool IsNarrow(std::string_view format) { return BitsOfFormat(format) <= 8; }

// v_cvt_scalef32_[sr_][pk_|pk32_|2xpk16_]TO_FROM.
struct ScaledConversion {
  bool stochastic = false, interleaved = false;
  int count = 1;
  std::string to, from;
};
ScaledConversion ParseScaled(std::string_view key) {
  ScaledConversion c;
  key.remove_prefix(std::string_view("v_cvt_scalef32_").size());
  auto skip = [&](std::string_view word) {
    bool found = key.starts_with(word);
    if (found) key.remove_prefix(word.size());
    return found;
  };
  c.stochastic = skip("sr_");
  c.interleaved = skip("2xpk16_");
  c.count = c.interleaved || skip("pk32_") ? 32 : skip("pk_") ? 2 : 1;
  size_t bar = key.find('_');
  c.to = key.substr(0, bar);
  c.from = bar == key.npos ? "" : key.substr(bar + 1);
  return c;
}

}  // namespace

// Element `index` of `bits` bits of packed registers, as the low bits of a temporary. Elements may straddle registers.
Operand Cracker::Element(Operand packed, int index, int bits) {
  int at = index * bits, shift = at % 32;
  Operand word = Word(packed, at / 32);
  if (bits == 32) return word;
  u32 mask = (1u << bits) - 1;
  if (shift + bits <= 32) return OneResult(Op::x_field, {word, Literal(shift), Literal(mask)});
  Operand both = OneResult(Op::v_alignbit_b32, {Word(packed, at / 32 + 1), word, Literal(shift)});
  return OneResult(Op::v_and_b32, {both, Literal(mask)});
}
void Cracker::PutElement(Operand packed, int index, int bits, Operand value) {
  int at = index * bits, shift = at % 32;
  Operand word = Word(packed, at / 32);
  if (bits == 32) return static_cast<void>(Emit(Op::v_mov_b32, {word}, {value}));
  u32 mask = (1u << bits) - 1;
  Emit(Op::x_insert, {word}, {word, value, Literal(shift), Literal(mask)});
  if (shift + bits <= 32) return;
  Operand next = Word(packed, at / 32 + 1), high = OneResult(Op::v_lshrrev_b32, {Literal(32 - shift), value});
  Emit(Op::x_insert, {next}, {next, high, Literal(0), Literal(mask >> (32 - shift))});
}

Operand Cracker::AsF32(Operand element, std::string_view format, Operand scale) {
  if (format == "f32") return element;
  if (format == "f16") return OneResult(Op::v_cvt_f32_f16, {element});
  if (format == "bf16") return OneResult(Op::v_cvt_f32_bf16, {element});
  return OneResult(*FindOp(fmt::format("x_scaled_value_{}", format)), {element, scale});
}

// gfx950. Every element is converted on its own, by the scale that the exponent of an f32 operand is.
bool Cracker::CrackScaled(const Instruction& in) {
  if (!in.Is("v_cvt_scalef32_")) return false;
  ScaledConversion c = ParseScaled(in.key);
  bool two_inputs = c.interleaved || (c.to.ends_with("8") && c.from == "f32" && c.count == 2 && !c.stochastic) ||
                    (c.to == "fp4" && c.from == "f32" && c.count == 2 && !c.stochastic);
  for (const std::string& format : {c.to, c.from}) {
    constexpr std::string_view kKnown[] = {"f32", "f16", "bf16", "fp8", "bf8", "fp6", "bf6", "fp4"};
    if (std::find(std::begin(kKnown), std::end(kKnown), format) == std::end(kKnown)) {
      return Reject("it is not in the tables"), true;
    }
  }
  size_t expected = (two_inputs ? 2u : 1u) + (c.stochastic ? 1 : 0) + 1;
  if (in.sources.size() != expected || in.defs.size() != 1) return Reject("its operands are not as expected"), true;
  for (const Source& source : in.sources) {
    if ((source.modifiers & (kModNeg | kModAbs)) != 0) return Reject("its negation modifiers"), true;
  }
  Operand scale = Read(in.sources.back(), 1);
  IsNarrow(c.to) ? NarrowScaled(in, c.to, c.from, c.count, c.stochastic, two_inputs, scale)
                 : WidenScaled(in, c.to, c.from, c.count, scale);
  return true;
}

// Reads everything before it writes, as operands may overlap.
void Cracker::NarrowScaled(const Instruction& in, std::string_view to, std::string_view from, int count,
                           bool stochastic, bool two_inputs, Operand scale) {
  int bits = BitsOfFormat(to), words = (count * bits + 31) / 32;
  Operand packed = TempRow(words), random;
  for (int w = 0; w < words; w++) Emit(Op::v_mov_b32, {Word(packed, w)}, {Literal(0)});
  if (stochastic) random = OneResult(Op::v_mov_b32, {Read(in.sources[1], 1)});
  Op convert = *FindOp(fmt::format("x_scaled_{}_{}", stochastic ? "stochastic" : "round", to));
  int temporaries = temp_rows_;
  for (int i = 0; i < count; i++) {
    temp_rows_ = temporaries;
    const Source& source = in.sources[two_inputs ? i % 2 : 0];
    int index = two_inputs ? i / 2 : count == 1 && from != "f32" ? OpSel(in, 0) : i;
    Operand element = AsF32(Element(Read(source, 1), index, BitsOfFormat(from)), from, scale);
    Operand code = stochastic ? OneResult(convert, {element, random, scale}) : OneResult(convert, {element, scale});
    PutElement(packed, i, bits, code);
    if (stochastic && i + 1 < count) Emit(Op::v_prng_b32, {random}, {random});
  }
  temp_rows_ = temporaries;
  Operand final = in.defs[0].at;
  if (count * bits == 8) {
    int byte = 2 * OpSel(in, 3) + OpSel(in, 2);
    Emit(Op::x_insert, {final}, {final, packed, Literal(8 * byte), Literal(0xff)});
  } else if (count * bits == 16) {
    Emit(Op::x_insert, {final}, {final, packed, Literal(OpSel(in, 3) ? 16 : 0), Literal(0xffff)});
  } else {
    for (int w = 0; w < words; w++) Emit(Op::v_mov_b32, {Word(final, w)}, {Word(packed, w)});
  }
}

void Cracker::WidenScaled(const Instruction& in, std::string_view to, std::string_view from, int count, Operand scale) {
  int bits = BitsOfFormat(from), words = (count * bits + 31) / 32, wide = BitsOfFormat(to);
  Operand packed = TempRow(words), fixed_scale = OneResult(Op::v_mov_b32, {scale}), final = in.defs[0].at;
  Operand source = Read(in.sources[0], 1);
  int byte = count * bits == 16 ? 2 * OpSel(in, 0) : count * bits == 8 ? OpSel(in, 0) + 2 * OpSel(in, 1) : 0;
  for (int w = 0; w < words; w++) {
    Emit(Op::x_field, {Word(packed, w)}, {Word(source, w), Literal(8 * byte), Literal(0xffffffffu)});
  }
  int temporaries = temp_rows_;
  for (int i = 0; i < count; i++) {
    temp_rows_ = temporaries;
    Operand value = AsF32(Element(packed, i, bits), from, fixed_scale);
    if (to == "f16") value = OneResult(Op::v_cvt_f16_f32, {value});
    if (to == "bf16") value = OneResult(Op::v_cvt_pk_bf16_f32, {value, Literal(0)});
    PutElement(final, count == 1 && wide == 16 ? OpSel(in, 3) : i, wide, value);
  }
}

// Conversions without a scale that read or write a byte or a pair.
bool Cracker::CrackNarrow(const Instruction& in) {
  if (CrackScaled(in)) return true;
  bool widens = in.key == "v_cvt_f32_fp8" || in.key == "v_cvt_f32_bf8";
  bool widens_pair = in.key == "v_cvt_pk_f32_fp8" || in.key == "v_cvt_pk_f32_bf8";
  bool stochastic = in.key == "v_cvt_sr_fp8_f32" || in.key == "v_cvt_sr_bf8_f32";
  bool rounds_pair = in.key == "v_cvt_pk_fp8_f32" || in.key == "v_cvt_pk_bf8_f32";
  if (!widens && !widens_pair && !stochastic && !rounds_pair) return false;
  std::string stem = in.key.substr(2);
  if (widens_pair) stem.erase(4, 3);
  // gfx942's formats have neither infinities nor negative zero ("fnuz"); later GPUs have those of OCP.
  bool fnuz = context_.generation == Generation::kCdna3;
  Op op = *FindOp((fnuz ? "x_fnuz_" : "v_") + stem);
  if (rounds_pair) return CrackVector(in, op), true;
  size_t sources = stochastic ? 2 : 1;
  if (in.sources.size() != sources || in.defs.size() != 1) return Reject("its operands are not as expected"), true;
  if (widens && in.form == Form::kSdwa) return CrackVector(in, op), true;
  if (in.Get(Immediate::kOmod) != 0 || in.Get(Immediate::kClamp) != 0) return Reject("its output modifiers"), true;
  int byte = static_cast<int>(in.Get(Immediate::kByteSelect));
  if (stochastic) {
    if (byte == 0) byte = OpSel(in, 2) + 2 * OpSel(in, 3);
    Instruction plain = in;
    for (Source& source : plain.sources) source.modifiers &= kModNeg | kModAbs;
    std::vector<Operand> operands = VectorSources(plain, Info(op));
    Operand code = OneResult(op, operands);
    Emit(Op::x_insert, {in.defs[0].at}, {in.defs[0].at, code, Literal(8 * byte), Literal(0xff)});
    return true;
  }
  if (widens) {
    if (byte == 0) byte = OpSel(in, 0) + 2 * OpSel(in, 1);
    if (byte == 0) return CrackVector(in, op), true;
    Operand code = OneResult(Op::x_field, {Read(in.sources[0], 1), Literal(8 * byte), Literal(0xff)});
    return static_cast<void>(Emit(op, {in.defs[0].at}, {code})), true;
  }
  // SDWA selects a byte, a half or all; op_sel and true16 a half.
  constexpr i64 kFirstHalf = 4, kAll = 6;
  i64 select = in.form == Form::kSdwa ? in.Get(Immediate::kSrc0Select) : kAll;
  bool one_byte = select < kFirstHalf;
  bool high = OpSel(in, 0) || in.sources[0].half == RegisterHalf::kHigh || select == kFirstHalf + 1;
  i64 shift = one_byte ? 8 * select : high ? 16 : 0;
  Operand pair = OneResult(Op::x_field, {Read(in.sources[0], 1), Literal(shift), Literal(one_byte ? 0xff : 0xffff)});
  Operand upper = OneResult(Op::x_field, {pair, Literal(8), Literal(0xff)});
  Emit(op, {in.defs[0].at}, {pair});
  Emit(op, {Word(in.defs[0].at, 1)}, {upper});
  return true;
}

}  // namespace rocxla::emu
