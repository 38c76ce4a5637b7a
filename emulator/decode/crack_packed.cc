// Packed, mixed-precision and dual-issue instructions: several operations in one encoding.
#include <algorithm>

#include "emulator/decode/cracker.h"

namespace rocxla::emu {
namespace {

bool Selects(const Source& s, int half) { return (s.modifiers & (half == 0 ? kModOpSel : kModOpSelHi)) != 0; }
bool Negates(const Source& s, int half) { return (s.modifiers & (half == 0 ? kModNeg : kModNegHi)) != 0; }

}  // namespace

// Each half selects (op_sel, op_sel_hi) and negates (neg_lo, neg_hi) its own sources.
void Cracker::CrackPacked16(const Instruction& in, Op half) {
  const OpInfo& info = Info(half);
  if (in.form == Form::kSdwa || in.defs.empty()) return Reject("its encoding");
  std::vector<Source> inputs = in.sources;
  if (in.key == "v_pk_fmac_f16") {  // two operands and no selects: halves go with halves, the addend is the destination
    inputs.push_back(in.defs[0]);
    for (Source& s : inputs) s.modifiers = kModOpSelHi;
  }
  if (static_cast<int>(inputs.size()) != info.sources) return Reject("its operands are not as expected");
  bool clamp = in.Get(Immediate::kClamp) != 0;
  if (clamp && info.result[0].kind != ElementKind::kFloat) {
    auto saturating = SaturatingNamed("v_" + in.key.substr(std::string_view("v_pk_").size()));
    if (!saturating) return Reject("it saturates an integer result");
    half = *saturating;
    clamp = false;
  }
  Operand result[2];
  for (int h = 0; h < 2; h++) {
    std::vector<Operand> sources;
    for (const Source& s : inputs) {
      Operand at = Read(s, 1);
      if (Selects(s, h)) at = OneResult(Op::x_field, {at, Literal(16), Literal(0xffff)});
      if (Negates(s, h)) at = OneResult(Op::x_neg_f16, {at});
      sources.push_back(at);
    }
    result[h] = OneResult(half, sources);
    if (clamp) EmitClamp(result[h], 16);
  }
  Emit(Op::v_pack_b32_f16, {in.defs[0].at}, {result[0], result[1]});
}

void Cracker::CrackPacked32(const Instruction& in, Op half) {
  if (in.defs.empty()) return Reject("its operands are not as expected");
  bool clamp = in.Get(Immediate::kClamp) != 0;
  if (clamp && half == Op::v_mov_b32) return Reject("its modifiers");
  Operand low = in.defs[0].at, high = Word(low, 1);
  auto pick = [&](const Source& s, int h) {
    bool upper = Selects(s, h);
    // A constant is 32 bits wide and serves both halves.
    Operand at = s.at.kind == Operand::kNone ? Literal(s.literal) : Word(s.at, upper);
    return Negates(s, h) ? OneResult(Op::x_neg_f32, {at}) : at;
  };
  std::vector<Operand> low_sources, high_sources;
  if (half ==
      Op::v_mov_b32) {  // v_pk_mov_b32: the low half from source 0, the high one from source 1, each by its op_sel
    if (in.sources.size() != 2) return Reject("its operands are not as expected");
    low_sources = {pick(in.sources[0], 0)};
    high_sources = {pick(in.sources[1], 0)};
  } else {
    for (const Source& s : in.sources) low_sources.push_back(pick(s, 0));
    for (const Source& s : in.sources) high_sources.push_back(pick(s, 1));
  }
  bool overlaps = std::find(high_sources.begin(), high_sources.end(), low) != high_sources.end();
  Operand low_now = overlaps ? TempRow() : low;
  Emit(half, {low_now}, low_sources);
  Emit(half, {high}, high_sources);
  if (clamp) {
    EmitClamp(low_now, 32);
    EmitClamp(high, 32);
  }
  if (overlaps) Emit(Op::v_mov_b32, {low}, {low_now});
}

// v_fma_mix: every source is f32, or (op_sel_hi) one half of an f16 pair. neg_hi is the absolute value here.
void Cracker::CrackMix(const Instruction& in) {
  constexpr size_t kSources = 3;  // a fourth one, of DPP forms, repeats the destination
  if (in.sources.size() < kSources || in.defs.empty()) return Reject("its operands are not as expected");
  std::vector<Operand> sources;
  for (size_t i = 0; i < kSources; i++) {
    const Source& s = in.sources[i];
    Operand at = Read(s, 1);
    if ((s.modifiers & kModOpSelHi) != 0) {
      if ((s.modifiers & kModOpSel) != 0) at = OneResult(Op::x_field, {at, Literal(16), Literal(0xffff)});
      at = OneResult(Op::v_cvt_f32_f16, {at});
    }
    if ((s.modifiers & kModAbs) != 0) at = OneResult(Op::x_abs_f32, {at});
    if ((s.modifiers & kModNeg) != 0) at = OneResult(Op::x_neg_f32, {at});
    sources.push_back(at);
  }
  bool clamp = in.Get(Immediate::kClamp) != 0;
  Operand final = in.defs[0].at;
  Operand sum = OneResult(Op::v_fma_f32, sources);
  if (in.key == "v_fma_mix_f32") {
    if (clamp) EmitClamp(sum, 32);
    return static_cast<void>(Emit(Op::v_mov_b32, {final}, {sum}));
  }
  Operand narrow = OneResult(Op::v_cvt_f16_f32, {sum});
  if (clamp) EmitClamp(narrow, 16);
  bool high = in.key == "v_fma_mixhi_f16" || in.defs[0].half == RegisterHalf::kHigh;
  Emit(Op::x_insert, {final}, {final, narrow, Literal(high ? 16 : 0), Literal(0xffff)});
}

namespace {

struct DualHalf {
  Op op = Op::x_fault;
  bool accumulates = false;
  bool reads_vcc = false;
  int sources = 0;  // in the encoding
};
std::optional<DualHalf> DualNamed(const std::string& name) {
  DualHalf half;
  half.accumulates = name == "v_fmac_f32";
  std::string plain = half.accumulates               ? "v_fma_f32"
                      : name == "v_add_nc_u32"       ? "v_add_u32"
                      : name == "v_mul_dx9_zero_f32" ? "v_mul_legacy_f32"
                      : name == "v_dot2acc_f32_f16"  ? "v_dot2_f32_f16"
                      : name == "v_dot2acc_f32_bf16" ? "v_dot2_f32_bf16"
                                                     : name;
  if (name.starts_with("v_dot2acc_")) half.accumulates = true;
  auto op = FindOp(plain);
  if (!op || Info(*op).shape != Shape::kVector) return std::nullopt;
  half.op = *op;
  half.reads_vcc = *op == Op::v_cndmask_b32;
  half.sources = Info(*op).sources - (half.reads_vcc ? 1 : 0);
  return half;
}

}  // namespace

// VOPD. Both halves read all their sources before either writes. LLVM decodes the tied operand of Y wrongly, so
// accumulators are taken from the destinations.
void Cracker::CrackDual(const Instruction& in) {
  size_t separator = in.text.find(":: v_dual_");
  if (separator == std::string::npos || in.defs.size() != 2) return Reject("its operands are not as expected");
  std::string y_text = in.text.substr(separator + 10);
  auto x = DualNamed("v_" + in.key.substr(7)), y = DualNamed("v_" + y_text.substr(0, y_text.find(' ')));
  if (!x || !y) return Reject("one of its operations is not in the tables");
  if (static_cast<int>(in.sources.size()) != x->sources + y->sources) return Reject("its operands are not as expected");
  size_t next = 0;
  auto take = [&](const DualHalf& half, Operand destination) {
    std::vector<Operand> sources;
    for (int i = 0; i < half.sources; i++) sources.push_back(Read(in.sources[next++], 1));
    if (half.accumulates) sources.back() = destination;
    if (half.reads_vcc) sources.push_back(ScalarAt(kVcc));
    return sources;
  };
  Operand x_final = in.defs[0].at, y_final = in.defs[1].at;
  std::vector<Operand> x_sources = take(*x, x_final), y_sources = take(*y, y_final);
  bool overlaps = std::find(y_sources.begin(), y_sources.end(), x_final) != y_sources.end();
  Operand x_now = overlaps ? TempRow() : x_final;
  Emit(x->op, {x_now}, x_sources);
  Emit(y->op, {y_final}, y_sources);
  if (overlaps) Emit(Op::v_mov_b32, {x_final}, {x_now});
}

}  // namespace rocxla::emu
