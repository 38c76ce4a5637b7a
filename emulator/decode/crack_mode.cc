// The MODE register: its reads and writes, and what it does to float operations.
//
// Kernels whose rounding and denormal bits are the usual ones and stay so need none of this. In the others ("tracked")
// every lane-wise float operation is surrounded by micro-ops that read MODE when they run: operands and results lose
// their denormals where the mode says so, and the host's rounding is set for the operation. Transcendental operations
// round to nearest whatever the mode: hardware's are approximations. Conversions to formats of 8 bits and fewer, dot
// products and matrix operations have rules of their own and do not depend on these bits here; nor do atomics. Source:
// "AMD Instinct MI300 ISA", "MODE register"; "RDNA3 ISA", likewise.
//
// FP16_OVFL is tracked by itself: it matters to results of 16 bits and to what becomes 8 bits. Sources: "RDNA4 ISA" and
// "AMD Instinct MI350 ISA", its table of conversions to FP8 and BF8; hardware's f16 results (rocjitsu's golden
// operations): an infinite result of finite sources becomes the largest number, of a division by zero too.
#include <algorithm>
#include <iterator>
#include <vector>

#include "emulator/decode/cracker.h"
#include "emulator/isa/narrow_floats.h"

namespace rocxla::emu {
namespace {

constexpr u32 kModeRegister = 1, kXccRegister = 20, kClockRegister = 29, kClockHighRegister = 30;

// The argument of s_getreg and s_setreg.
struct HardwareRegister {
  u32 id, first, bits;
  explicit HardwareRegister(i64 selector)
      : id(static_cast<u32>(selector) & 63),
        first(static_cast<u32>(selector) >> 6 & 31),
        bits((static_cast<u32>(selector) >> 11 & 31) + 1) {}
  u32 Mask() const { return bits == 32 ? ~0u : (1u << bits) - 1; }
  // Bits of MODE, all of which are kept.
  bool IsKeptMode(const DecodeContext& context) const {
    return id == kModeRegister && first + bits <= 32 && (Mask() << first & ~KeptModeBits(context.generation)) == 0;
  }
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
// Which bits of MODE, `mode` until then, may be others afterwards.
u32 ChangedBits(const ModeWrite& write, u32 mode) {
  u32 written = write.target.Mask() << write.target.first;
  return write.constant ? (write.value << write.target.first ^ mode) & written : written;
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

u32 ChangedFloatMode(const Instruction& in, const DecodeContext& context) {
  auto write = WriteOf(in);
  return write && write->target.IsKeptMode(context) ? ChangedBits(*write, context.float_mode) : 0;
}

Op Cracker::InIeeeMode(Op op) const {
  if (context_.gfx12() || (context_.float_mode & kIeeeBit) != 0) return op;
  switch (op) {
#define NUMBERS_WIN(name, type) \
  case Op::v_##name##_##type:   \
    return Op::v_##name##_num_##type;
#define NUMBERS_WIN_OF_THREE(type) \
  NUMBERS_WIN(min3, type)          \
  NUMBERS_WIN(max3, type) NUMBERS_WIN(med3, type) NUMBERS_WIN(maxmin, type) NUMBERS_WIN(minmax, type)
    NUMBERS_WIN(min, f64)
    NUMBERS_WIN(max, f64)
    NUMBERS_WIN(min, f32)
    NUMBERS_WIN(max, f32)
    NUMBERS_WIN(min, f16)
    NUMBERS_WIN(max, f16)
    NUMBERS_WIN_OF_THREE(f32)
    NUMBERS_WIN_OF_THREE(f16)
#undef NUMBERS_WIN_OF_THREE
#undef NUMBERS_WIN
    default:
      return op;
  }
}

void Cracker::EmitClamp(Operand value, int bits) {
  Op op = bits == 64 ? Op::x_clamp_f64 : bits == 16 ? Op::x_clamp_f16 : Op::x_clamp_f32;
  u32 known = context_.gfx12() ? kDx10ClampBit : context_.float_mode & kDx10ClampBit;
  Emit(op, {value}, {value, TracksMode(kDx10ClampBit) ? ScalarAt(kMode) : Literal(known)});
}

namespace {

// Operations that make 8-bit floats: of how many of their first sources, and which source is the scale; 0: none.
struct Narrowing {
  float largest = 0;
  int values = 1, scale = 0;
};
std::optional<Narrowing> NarrowingOf(Op op) {
  switch (op) {
#define NARROWING(prefix, name, Format)          \
  case Op::prefix##cvt_pk_##name##_f32:          \
    return Narrowing{kLargestNarrow<Format>, 2}; \
  case Op::prefix##cvt_sr_##name##_f32:          \
    return Narrowing{kLargestNarrow<Format>};
#define SCALED_NARROWING(name, Format)              \
  case Op::x_scaled_round_##name:                   \
    return Narrowing{kLargestNarrow<Format>, 1, 1}; \
  case Op::x_scaled_stochastic_##name:              \
    return Narrowing{kLargestNarrow<Format>, 1, 2};
    NARROWING(v_, fp8, Fp8Format)
    NARROWING(v_, bf8, Bf8Format)
    NARROWING(x_fnuz_, fp8, Fp8FnuzFormat)
    NARROWING(x_fnuz_, bf8, Bf8FnuzFormat)
    SCALED_NARROWING(fp8, Fp8Format)
    SCALED_NARROWING(bf8, Bf8Format)
#undef NARROWING
#undef SCALED_NARROWING
    default:
      return std::nullopt;
  }
}
// Sums of halves, and stochastic rounding to halves.
bool OverflowIsUnknown(std::string_view name) {
  if (name == "v_dot2_f16_f16" || name == "v_cvt_sr_f16_f32") return true;
  return name.find("mma_f16_") != name.npos || name.find("mmac_f16_") != name.npos ||
         name.find("gfx12_f16_") != name.npos;
}

}  // namespace

// Whether any float among the sources is infinite.
Operand Cracker::AnyInfinite(const OpInfo& info, const std::vector<Operand>& sources) {
  Operand any = Literal(0);
  for (int i = 0; i < info.sources && i < static_cast<int>(sources.size()); i++) {
    if (!IsFloatOperand(info.source[i])) continue;
    Operand next = TempRow();
    EmitAsIs(info.source[i].bits == 16 ? Op::x_or_infinite_f16 : Op::x_or_infinite_f32, {next}, {sources[i], any});
    any = next;
  }
  return any;
}

void Cracker::LimitToNarrow(Op op, std::vector<Operand>& sources) {
  auto narrowing = NarrowingOf(op);
  if (!narrowing) return;
  constexpr u32 kOne = 0x3f800000;  // f32
  Operand scale = narrowing->scale != 0 ? sources[narrowing->scale] : Literal(kOne);
  for (int i = 0; i < narrowing->values; i++) {
    Operand limited = TempRow();
    EmitAsIs(Op::x_within_narrow, {limited},
             {sources[i], ScalarAt(kMode), FloatLiteral(narrowing->largest, 32), scale});
    sources[i] = limited;
  }
}

void Cracker::EmitRounding(int first_bit) {
  EmitAsIs(Op::x_round_as, {Operand{}}, {ScalarAt(kMode)}).imm[0] = first_bit;
}

Micro& Cracker::EmitInMode(Op op, std::vector<Operand> results, std::vector<Operand> sources) {
  const OpInfo& info = Info(op);
  const bool depends = DependsOnMode(info), limits = TracksMode(kFp16OverflowBit);
  if (limits && op == Op::v_cvt_pk_f16_f32) {
    Operand low = OneResult(Op::v_cvt_f16_f32, {sources[0]}), high = OneResult(Op::v_cvt_f16_f32, {sources[1]});
    return EmitAsIs(Op::v_pack_b32_f16, results, {low, high});
  }
  if (limits && OverflowIsUnknown(info.name)) Reject("what FP16_OVFL does to it is not documented");
  if (limits) LimitToNarrow(op, sources);
  const bool limits_result = limits && depends && IsFloatOperand(info.result[0]) && info.result[0].bits == 16;
  const Operand infinite = limits_result ? AnyInfinite(info, sources) : Operand{};
  const bool rounds = depends && TracksMode(kRoundBits | kDenormalBits);
  Micro& micro = rounds ? EmitRounded(op, results, std::move(sources)) : EmitAsIs(op, results, std::move(sources));
  if (!limits_result) return micro;
  const size_t operation = &micro - program_.code.data();
  EmitAsIs(Op::x_without_overflow, {results[0]}, {results[0], infinite, ScalarAt(kMode)});
  return program_.code[operation];
}

Micro& Cracker::EmitRounded(Op op, std::vector<Operand> results, std::vector<Operand> sources) {
  const OpInfo& info = Info(op);
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
    if (source.IsKeptMode(context_)) {
      Emit(Op::x_scalar_field, {result}, {ScalarAt(kMode), Literal(source.first), Literal(source.Mask())});
      return true;
    }
    if (source.id == kModeRegister) return Reject("it reads bits of MODE that the embedded GPU does not keep"), true;
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
  if (write->target.id != kModeRegister) return Reject("it writes a hardware register"), true;
  if (!write->target.IsKeptMode(context_))
    return Reject("it writes bits of MODE that the embedded GPU does not keep"), true;
  const u32 changed = ChangedBits(*write, context_.float_mode);
  if ((changed & kIeeeBit) != 0) return Reject("it changes MODE's bit IEEE while the kernel runs"), true;
  if ((changed & ~program_.tracked_mode) != 0) {
    return Reject("it changes the float mode of code that is decoded already"), true;
  }
  if (program_.tracked_mode == 0) return true;
  if (!write->constant && in.sources.empty()) return Reject("its operands are not as expected"), true;
  Operand value = write->constant ? Literal(write->value) : Read(in.sources[0], 1), mode = ScalarAt(kMode);
  Emit(Op::x_scalar_insert, {mode}, {mode, value, Literal(write->target.first), Literal(write->target.Mask())});
  return true;
}

}  // namespace rocxla::emu
