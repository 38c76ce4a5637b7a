// The MODE register: its reads and writes, and what it does to float operations.
//
// Kernels whose rounding and denormal bits are the usual ones and stay so need none of this. In the others ("tracked")
// every lane-wise float operation is surrounded by micro-ops that read MODE when they run: operands and results lose
// their denormals where the mode says so, and the host's rounding is set for the operation. Transcendental operations
// round to nearest whatever the mode: hardware's are approximations. Conversions to formats of 8 bits and fewer, dot
// products and matrix operations have rules of their own and do not depend on MODE here; nor do atomics. Source: "AMD
// Instinct MI300 ISA", "MODE register"; "RDNA3 ISA", likewise.
#include <algorithm>
#include <iterator>
#include <vector>

#include "emulator/decode/cracker.h"

namespace rocxla::emu {
namespace {

constexpr u32 kModeRegister = 1, kXccRegister = 20, kClockRegister = 29, kClockHighRegister = 30;
constexpr u32 kFloatBits = 8;  // of MODE: the rest is not supported

// The argument of s_getreg and s_setreg.
struct HardwareRegister {
  u32 id, first, bits;
  explicit HardwareRegister(i64 selector)
      : id(static_cast<u32>(selector) & 63),
        first(static_cast<u32>(selector) >> 6 & 31),
        bits((static_cast<u32>(selector) >> 11 & 31) + 1) {}
  bool IsFloatMode() const { return id == kModeRegister && first + bits <= kFloatBits; }
  u32 Mask() const { return bits == 32 ? ~0u : (1u << bits) - 1; }
};

struct ModeWrite {
  HardwareRegister target{0};
  bool constant = true;
  u32 value = 0;
};
std::optional<ModeWrite> WriteOf(const Instruction& in) {
  constexpr i64 kRoundBits = kModeRegister | 3 << 11, kDenormalBits = kModeRegister | 4 << 6 | 3 << 11;
  if (in.key == "s_round_mode" || in.key == "s_denorm_mode") {
    i64 bits = in.key == "s_round_mode" ? kRoundBits : kDenormalBits;
    return ModeWrite{HardwareRegister(bits), true, static_cast<u32>(in.TrailingConstant())};
  }
  bool constant = in.key == "s_setreg_imm32_b32";
  if (!constant && in.key != "s_setreg_b32") return std::nullopt;
  // The register's selector comes last; LLVM types constants now like sources, now like immediates.
  std::vector<i64> constants;
  for (const Source& source : in.sources) {
    if (source.at.kind == Operand::kNone) constants.push_back(source.literal);
  }
  for (auto [name, value] : in.immediates) constants.push_back(value);
  if (constants.size() != (constant ? 2u : 1u)) return std::nullopt;
  return ModeWrite{HardwareRegister(constants.back()), constant, static_cast<u32>(constants.front())};
}
bool Changes(const ModeWrite& write, u32 mode) {
  return !write.constant || (mode >> write.target.first & write.target.Mask()) != (write.value & write.target.Mask());
}

// How an operation depends on MODE.
bool IsTranscendental(std::string_view name) {
  static constexpr std::string_view kStems[] = {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"};
  return std::any_of(std::begin(kStems), std::end(kStems), [&](auto stem) { return name.starts_with(stem); });
}
// Their rounding is part of their meaning.
bool RoundsByItself(std::string_view name) {
  static constexpr std::string_view kStems[] = {"v_cvt_pkrtz_", "v_cvt_pk_bf16_", "v_cvt_rpi_",
                                                "v_cvt_flr_",   "v_cvt_pknorm",   "v_cvt_norm_"};
  return std::any_of(std::begin(kStems), std::end(kStems), [&](auto stem) { return name.starts_with(stem); });
}
bool DependsOnMode(const OpInfo& info) {
  if (info.shape != Shape::kVector) return false;
  bool table = info.table == Table::valu_f32 || info.table == Table::valu_f16 || info.table == Table::valu_f64 ||
               info.table == Table::valu_convert || info.table == Table::compare;
  return table && !info.name.starts_with("x_") && !info.name.starts_with("v_cmp_class_");
}
bool IsFloatOperand(const OperandInfo& operand) { return operand.kind == ElementKind::kFloat; }
// The first of the two bits of MODE by which it rounds; -1: none.
int RoundingBits(const OpInfo& info) {
  constexpr int kF32 = 0, kOthers = 2;
  if (info.table == Table::compare || IsTranscendental(info.name) || RoundsByItself(info.name)) return -1;
  if (info.name == "v_cvt_pk_f16_f32") return kOthers;
  if (info.name == "v_cvt_pk_u8_f32") return kF32;
  if (!IsFloatOperand(info.result[0])) return -1;
  return info.result[0].bits == 32 ? kF32 : kOthers;
}

Op DenormalsIn(int bits) {
  return bits == 64 ? Op::x_denormal_in_f64 : bits == 16 ? Op::x_denormal_in_f16 : Op::x_denormal_in_f32;
}
Op DenormalsOut(int bits) {
  return bits == 64 ? Op::x_denormal_out_f64 : bits == 16 ? Op::x_denormal_out_f16 : Op::x_denormal_out_f32;
}

}  // namespace

bool ChangesFloatMode(const Instruction& in, const DecodeContext& context) {
  auto write = WriteOf(in);
  return write && write->target.IsFloatMode() && Changes(*write, context.float_mode);
}

void Cracker::EmitRounding(int first_bit) {
  EmitAsIs(Op::x_round_as, {Operand{}}, {ScalarAt(kMode)}).imm[0] = first_bit;
}

Micro& Cracker::EmitInMode(Op op, std::vector<Operand> results, std::vector<Operand> sources) {
  const OpInfo& info = Info(op);
  if (!DependsOnMode(info)) return EmitAsIs(op, std::move(results), std::move(sources));
  Operand mode = ScalarAt(kMode);
  for (int i = 0; i < info.sources && i < static_cast<int>(sources.size()); i++) {
    if (!IsFloatOperand(info.source[i])) continue;
    Operand value = TempRow(info.source[i].words);
    EmitAsIs(DenormalsIn(info.source[i].bits), {value}, {sources[i], mode});
    sources[i] = value;
  }
  int rounding = RoundingBits(info);
  if (rounding >= 0) EmitRounding(rounding);
  size_t operation = size();
  EmitAsIs(op, results, std::move(sources));
  if (rounding >= 0) EmitRounding(-1);
  if (IsFloatOperand(info.result[0])) {
    EmitAsIs(DenormalsOut(info.result[0].bits), {results[0]}, {results[0], mode});
  }
  return program_.code[operation];
}

bool Cracker::CrackMode(const Instruction& in) {
  if (in.key == "s_getreg_b32" && in.defs.size() == 1) {
    HardwareRegister source(in.TrailingConstant());
    Operand result = in.defs[0].at;
    if (source.IsFloatMode()) {
      Operand mode = program_.tracks_mode ? ScalarAt(kMode) : Literal(context_.float_mode);
      Emit(Op::x_scalar_field, {result}, {mode, Literal(source.first), Literal(source.Mask())});
      return true;
    }
    if (source.id == kXccRegister && context_.gfx9()) {  // the embedded GPU has one
      Emit(Op::s_mov_b32, {result}, {Literal(0)});
      return true;
    }
    bool clock = source.id == kClockRegister || (source.id == kClockHighRegister && context_.gfx12());
    if (!clock || context_.gfx9()) return Reject("it reads a hardware register"), true;
    Operand ticks = TempScalar(2);
    Emit(Op::s_memtime, {ticks}, {});
    Emit(Op::x_scalar_field, {result},
         {Word(ticks, source.id == kClockHighRegister), Literal(source.first), Literal(source.Mask())});
    return true;
  }
  auto write = WriteOf(in);
  if (!write) return false;
  if (!write->target.IsFloatMode()) return Reject("it writes a hardware register"), true;
  if (!program_.tracks_mode) {
    if (Changes(*write, context_.float_mode)) Reject("it changes the float mode of code that is decoded already");
    return true;
  }
  if (!write->constant && in.sources.empty()) return Reject("its operands are not as expected"), true;
  Operand value = write->constant ? Literal(write->value) : Read(in.sources[0], 1), mode = ScalarAt(kMode);
  Emit(Op::x_scalar_insert, {mode}, {mode, value, Literal(write->target.first), Literal(write->target.Mask())});
  return true;
}

}  // namespace rocxla::emu
