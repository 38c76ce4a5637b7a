// Lane-wise instructions and what their encodings can do to operands.
#include <fmt/format.h>

#include <bit>

#include "base/numerics/half.h"
#include "emulator/decode/cracker.h"

namespace rocxla::emu {
namespace {

Op NegateOp(int bits) { return bits == 64 ? Op::x_neg_f64 : bits == 16 ? Op::x_neg_f16 : Op::x_neg_f32; }
Op AbsoluteOp(int bits) { return bits == 64 ? Op::x_abs_f64 : bits == 16 ? Op::x_abs_f16 : Op::x_abs_f32; }
Op OutputModifierOp(int bits) { return bits == 64 ? Op::x_omod_f64 : bits == 16 ? Op::x_omod_f16 : Op::x_omod_f32; }

// SDWA selects: bytes 0 to 3, words 4 and 5, all 6.
struct Field {
  int shift, bits;
};
Field SdwaField(i64 select) {
  if (select < 4) return {static_cast<int>(8 * select), 8};
  return {static_cast<int>(16 * (select - 4)), 16};
}
constexpr i64 kSelectAll = 6;

bool IsSdwaSelected(const Instruction& in, int index) {
  Immediate name = index == 0 ? Immediate::kSrc0Select : Immediate::kSrc1Select;
  return in.form == Form::kSdwa && index < 2 && in.Has(name) && in.Get(name) != kSelectAll;
}

// Whether DPP leaves no lane out: then a result need not be merged with what was there. A source outside its row reads
// 0 with bound_ctrl, and the masks may not exclude any row or bank.
bool WritesEveryLane(const Instruction& in) {
  constexpr i64 kAll = 0xf;
  return in.form == Form::kDpp && in.Get(Immediate::kRowMask) == kAll && in.Get(Immediate::kBankMask) == kAll &&
         in.Get(Immediate::kBoundControl) != 0;
}

}  // namespace

Operand Cracker::FloatLiteral(float x, int bits) {
  if (bits == 64) return Literal(std::bit_cast<u64>(double{x}), 2);
  return Literal(bits == 16 ? F32ToF16(x) : std::bit_cast<u32>(x));
}

// The moved row, and in kTempScalar the lanes that may be written (see MergeLanes). DPP acts on source 0 only.
Operand Cracker::CrossLane(const Instruction& in, Operand at, int words) {
  if (at.kind != Operand::kRow) {
    Reject("a DPP operand is no vector register");
    return at;
  }
  Operand moved = TempRow(words), lanes = TempScalar(2);
  for (int word = 0; word < words; word++) {
    if (in.form == Form::kDpp8) {
      Micro& m = Emit(Op::x_dpp8, {Word(moved, word), lanes}, {Word(at, word)});
      m.imm[0] = static_cast<i32>(in.Get(Immediate::kDpp8));
      m.imm[1] = static_cast<i32>(in.Get(Immediate::kFetchInactive));
      continue;
    }
    DppControl control{static_cast<u32>(in.Get(Immediate::kDppControl)), static_cast<u32>(in.Get(Immediate::kRowMask)),
                       static_cast<u32>(in.Get(Immediate::kBankMask)), in.Get(Immediate::kBoundControl) != 0,
                       in.Get(Immediate::kFetchInactive) != 0};
    Emit(Op::x_dpp, {Word(moved, word), lanes}, {Word(at, word)}).imm[0] = PackDpp(control);
  }
  return moved;
}

// Applies, in the hardware's order: lane movement, half or byte select, sign extension, absolute value, negation.
Operand Cracker::Modified(const Instruction& in, const Source& source, const OperandInfo& info, int index) {
  Operand at = Read(source, info.words);
  if ((in.form == Form::kDpp || in.form == Form::kDpp8) && index == 0) at = CrossLane(in, at, info.words);
  bool high = source.half == RegisterHalf::kHigh || (info.bits == 16 && (source.modifiers & kModOpSel) != 0);
  if (high) at = OneResult(Op::x_field, {at, Literal(16), Literal(0xffff)});
  int bits = info.bits;
  if (IsSdwaSelected(in, index)) {
    Field field = SdwaField(in.Get(index == 0 ? Immediate::kSrc0Select : Immediate::kSrc1Select));
    at = OneResult(Op::x_field, {at, Literal(field.shift), Literal((1u << field.bits) - 1)});
    bits = field.bits;
  }
  if ((source.modifiers & kModSignExtend) != 0) at = OneResult(Op::x_sign_extend, {at, Literal(32 - bits)});
  u32 modifiers = source.modifiers & (kModNeg | kModAbs);
  if ((modifiers & kModAbs) != 0) at = OneResult(AbsoluteOp(info.bits), {at}, info.words);
  if ((modifiers & kModNeg) != 0) at = OneResult(NegateOp(info.bits), {at}, info.words);
  return at;
}

// A missing lane mask is VCC, another missing source the destination (v_fmac).
std::vector<Operand> Cracker::VectorSources(const Instruction& in, const OpInfo& info) {
  std::vector<Operand> sources;
  for (int i = 0; i < info.sources; i++) {
    if (i < static_cast<int>(in.sources.size())) {
      sources.push_back(Modified(in, in.sources[i], info.source[i], i));
    } else if (info.source[i].kind == ElementKind::kMask) {
      sources.push_back(ScalarAt(kVcc));
    } else if (!in.defs.empty()) {
      const Source& def = in.defs[0];
      sources.push_back(def.half == RegisterHalf::kHigh ? OneResult(Op::x_field, {def.at, Literal(16), Literal(0xffff)})
                                                        : def.at);
    } else {
      Reject("an operand is missing");
    }
  }
  // DPP forms may repeat the destination behind the sources.
  bool repeats = in.form == Form::kDpp || in.form == Form::kDpp8;
  size_t extra = repeats && !in.defs.empty() && in.sources.back().at == in.defs[0].at ? 1 : 0;
  if (in.sources.size() > info.sources + extra) Reject("it has an operand too many");
  return sources;
}

// On gfx9 most 16-bit instructions clear the upper half of the destination; those with op_sel and all later ones keep
// it.
bool Cracker::KeepsHighHalf(const Instruction& in) const {
  if (!context_.gfx9()) return true;
  for (std::string_view prefix : {"v_fma_f16", "v_mad_f16", "v_mad_u16", "v_mad_i16", "v_div_fixup_f16", "v_add_i16",
                                  "v_sub_i16", "v_min3_", "v_max3_", "v_med3_", "v_cvt_pk_fp8_", "v_cvt_pk_bf8_",
                                  "v_cvt_sr_", "v_minimum3_", "v_maximum3_", "v_ashr_pk_"}) {
    if (in.Is(prefix)) return true;
  }
  return false;
}

void Cracker::MergeLanes(Operand value, Operand final, int words) {
  for (int word = 0; word < words; word++) {
    Emit(Op::v_cndmask_b32, {Word(final, word)}, {Word(final, word), Word(value, word), ScalarAt(kTempScalar)});
  }
}

// Lanes that DPP leaves out count as disabled: their bits of a lane mask become 0.
void Cracker::DropOtherLanes(Operand mask) {
  for (int word = 0; word < context_.lanes / 32; word++) {
    Emit(Op::x_scalar_and, {Word(mask, word)}, {Word(mask, word), ScalarAt(kTempScalar + word)});
  }
}

// The lanes move before anything else happens, and those that are left out keep their destination.
void Cracker::CrackMovedFirst(const Instruction& in) {
  if (in.sources.empty() || in.defs.size() != 1) return Reject("its operands are not as expected");
  int words = in.Is("v_cvt_pk_f32_") ? 2 : 1;
  Operand final = in.defs[0].at, result = TempRow(words);
  Instruction plain = in;
  plain.form = Form::kVop3;
  constexpr size_t kRoundingSources = 2;  // DPP forms may repeat the destination behind them
  if (in.Is("v_cvt_sr_") && plain.sources.size() > kRoundingSources) plain.sources.resize(kRoundingSources);
  plain.sources[0].at = CrossLane(in, Read(in.sources[0], 1), 1);
  plain.defs[0].at = result;
  for (int word = 0; word < words; word++) Emit(Op::v_mov_b32, {Word(result, word)}, {Word(final, word)});
  Dispatch(plain);
  MergeLanes(result, final, words);
}

// A result of 16 bits or fewer goes into a part of the destination.
void Cracker::StoreNarrow(const Instruction& in, const OpInfo& info, Operand value, Operand final) {
  bool sdwa = in.form == Form::kSdwa && in.Has(Immediate::kDstSelect) && in.Get(Immediate::kDstSelect) != kSelectAll;
  bool high =
      in.defs[0].half == RegisterHalf::kHigh || (in.form == Form::kVop3 && info.result[0].bits == 16 &&
                                                 !in.sources.empty() && (in.sources[0].modifiers & kModOpSelHi) != 0);
  Field field = sdwa ? SdwaField(in.Get(Immediate::kDstSelect)) : Field{high ? 16 : 0, 16};
  bool keep = high || KeepsHighHalf(in) || in.defs[0].half != RegisterHalf::kNone;
  if (sdwa) {
    constexpr i64 kPad = 0, kPreserve = 2;
    i64 unused = in.Get(Immediate::kDstUnused);
    if (unused != kPad && unused != kPreserve) Reject("it sign-extends its SDWA result");
    keep = unused == kPreserve;
  }
  Operand old = keep ? final : Literal(0);
  u32 mask = static_cast<u32>((u64{1} << field.bits) - 1);
  Emit(Op::x_insert, {value}, {old, value, Literal(field.shift), Literal(mask)});
}

void Cracker::StoreModified(const Instruction& in, const OpInfo& info, Operand value, Operand final) {
  const OperandInfo& result = info.result[0];
  bool dpp = in.form == Form::kDpp || in.form == Form::kDpp8;
  if (i64 omod = in.Get(Immediate::kOmod); omod != 0) {
    constexpr float kFactors[] = {1, 2, 4, 0.5f};
    Emit(OutputModifierOp(result.bits), {value},
         {value, ScalarAt(kMode), FloatLiteral(kFactors[omod & 3], result.bits)});
  }
  if (in.Get(Immediate::kClamp) != 0 && result.kind == ElementKind::kFloat) {
    EmitClamp(value, result.bits);
  }
  bool sdwa = in.form == Form::kSdwa && in.Has(Immediate::kDstSelect) && in.Get(Immediate::kDstSelect) != kSelectAll;
  if (sdwa || result.bits == 16) StoreNarrow(in, info, value, final);
  if (dpp) return MergeLanes(value, final, result.words);
  Emit(result.words == 2 ? Op::v_mov_b64 : Op::v_mov_b32, {final}, {value});
}

void Cracker::CrackVector(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  bool omod = in.Get(Immediate::kOmod) != 0;
  if (omod && !TracksMode(kRoundBits | kDenormalBits))
    Reject("hardware ignores its output modifier while denormals are enabled");
  if (omod && info.result[0].kind != ElementKind::kFloat) Reject("its output modifier is for floats");
  bool mask_result = info.result[0].kind == ElementKind::kMask;
  bool clamp = in.Get(Immediate::kClamp) != 0;
  if (clamp && info.result[0].kind != ElementKind::kFloat) {
    bool saturates = info.name.starts_with("x_add_saturate") || info.name.starts_with("x_sub_saturate");
    if (!mask_result && !saturates) return Reject("it saturates an integer result");
    clamp = false;  // comparisons: the bit asks for exceptions, which do not exist here
  }
  std::vector<Operand> sources = VectorSources(in, info);
  std::vector<Operand> results;
  for (const Source& def : in.defs) results.push_back(def.at);
  bool cmpx = in.Is("v_cmpx_");
  // gfx9's v_cmpx writes its mask to VCC or a pair and to EXEC, later ones to EXEC alone.
  if (results.empty()) results.push_back(ScalarAt(cmpx && !context_.gfx9() ? kExec : kVcc));
  if (info.results == 2 && results.size() == 1) results.push_back(ScalarAt(kVcc));
  bool dpp = in.form == Form::kDpp || in.form == Form::kDpp8;
  bool leaves_out = dpp && !WritesEveryLane(in);
  if (!rejected_.empty()) return;

  bool sdwa = in.form == Form::kSdwa && in.Has(Immediate::kDstSelect) && in.Get(Immediate::kDstSelect) != kSelectAll;
  bool partial = info.result[0].bits == 16 && !mask_result;
  // A plain 16-bit instruction of gfx9 clears the upper half, as storing the zero-extended result does.
  if (partial && !sdwa && context_.gfx9() && !KeepsHighHalf(in)) partial = false;
  if (!mask_result && (dpp || clamp || sdwa || partial || omod)) {
    Operand final = results[0];
    results[0] = TempRow(info.result[0].words);
    Emit(op, results, sources);
    if (info.results == 2 && leaves_out) DropOtherLanes(results[1]);
    return StoreModified(in, info, results[0], final);
  }
  Emit(op, results, sources);
  if (mask_result && leaves_out) DropOtherLanes(results[0]);
  if (cmpx && context_.gfx9())
    Emit(context_.lanes == 64 ? Op::s_mov_b64 : Op::s_mov_b32, {ScalarAt(kExec)}, {results[0]});
}

// v_mqsad_u32_u8: four sums, of windows a byte apart, each in a register of its own.
bool Cracker::CrackQuadSums(const Instruction& in) {
  if (in.key != "v_mqsad_u32_u8") return false;
  if (in.sources.size() != 3 || in.defs.size() != 1) return Reject("its operands are not as expected"), true;
  if (in.Get(Immediate::kClamp) != 0) return Reject("it saturates an integer result"), true;
  constexpr int kSums = 4;
  Operand bytes = Read(in.sources[0], 2), reference = Read(in.sources[1], 1), addend = in.sources[2].at;
  Operand sums = TempRow(kSums);
  for (int i = 0; i < kSums; i++) {
    Operand window = OneResult(Op::v_alignbyte_b32, {Word(bytes, 1), bytes, Literal(i)});
    Operand one = addend.kind == Operand::kRow ? Word(addend, i) : Read(in.sources[2], 1);
    Emit(Op::v_msad_u8, {Word(sums, i)}, {window, reference, one});
  }
  for (int i = 0; i < kSums; i++) Emit(Op::v_mov_b32, {Word(in.defs[0].at, i)}, {Word(sums, i)});
  return true;
}

// Row operands of cross-lane operations take no modifiers.
void Cracker::CrackWave(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  if (in.defs.empty()) return Reject("it has no destination");
  std::vector<Operand> sources, results;
  bool permutes_rows = op == Op::v_permlane16_b32 || op == Op::v_permlanex16_b32 || op == Op::v_permlane16_var_b32 ||
                       op == Op::v_permlanex16_var_b32;
  if (permutes_rows) sources.push_back(in.defs[0].at);
  bool swaps = op == Op::v_permlane32_swap_b32 || op == Op::v_permlane16_swap_b32;
  for (const Source& source : in.sources) sources.push_back(Read(source, 1));
  for (const Source& def : in.defs) results.push_back(def.at);
  if (swaps) sources = results;
  if (static_cast<int>(sources.size()) != info.sources || static_cast<int>(results.size()) != info.results) {
    return Reject("its operands are not as expected");
  }
  Micro& m = Emit(op, results, sources);
  m.imm[0] = static_cast<i32>(in.Get(Immediate::kOffset));
  if (permutes_rows) {
    bool fetch_inactive = (in.sources[0].modifiers & kModOpSel) != 0, zero = (in.sources[1].modifiers & kModOpSel) != 0;
    m.imm[0] = (fetch_inactive ? 1 : 0) | (zero ? 2 : 0);
  }
  if (op == Op::ds_swizzle_b32 && (m.imm[0] & 0xffff) >= 0xc000) Reject("its rotating swizzle mode");
}

}  // namespace rocxla::emu
