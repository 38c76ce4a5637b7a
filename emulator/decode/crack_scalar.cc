// The scalar unit, branches, and instructions that have no line in the tables.
#include <fmt/format.h>

#include "emulator/decode/cracker.h"

namespace rocxla::emu {
namespace {

// SOPK instructions end in a 16-bit constant, which only u32 comparisons extend with zeros.
bool IsSopk(const Instruction& in) {
  for (std::string_view prefix : {"s_movk_", "s_cmovk_", "s_addk_", "s_mulk_", "s_cmpk_"}) {
    if (in.Is(prefix)) return true;
  }
  return false;
}
// The constant of SOPK and SOPP; LLVM types some of them like sources.
i64 TrailingConstant(const Instruction& in) {
  if (in.Has(Immediate::kValue)) return in.Get(Immediate::kValue);
  if (!in.immediates.empty()) return in.immediates.back().second;
  return in.sources.empty() ? 0 : in.sources.back().literal;
}

}  // namespace

void Cracker::CrackScalar(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  std::vector<Operand> sources, results;
  for (const Source& def : in.defs) results.push_back(def.at);
  bool sopk = IsSopk(in);
  // The destination is the first operand of s_addk and s_mulk.
  if (in.Is("s_addk_") || in.Is("s_mulk_")) sources.push_back(in.defs[0].at);
  for (const Source& source : in.sources) {
    if (sopk && source.at.kind == Operand::kNone) continue;
    if (source.at.kind == Operand::kRow) return Reject("a scalar operand is a vector register");
    int index = static_cast<int>(sources.size());
    sources.push_back(Read(source, index < info.sources ? info.source[index].words : 1));
  }
  if (sopk) {
    i64 constant = TrailingConstant(in);
    bool is_unsigned = in.Is("s_cmpk_") && in.key.ends_with("u32");
    sources.push_back(
        Literal(is_unsigned ? u64{static_cast<u16>(constant)} : static_cast<u64>(i64{static_cast<i16>(constant)})));
  }
  // A source that the encoding lacks is the destination (s_cmov, s_bitset, s_fmac).
  for (int i = static_cast<int>(sources.size()); i < info.sources && info.source[i].implicit < 0; i++) {
    if (results.empty()) return Reject("an operand is missing");
    sources.push_back(results[0]);
  }
  Emit(op, results, sources);
}

void Cracker::CrackBranch(const Instruction& in, Op op) {
  u32 target = in.pc + 4 + 4 * static_cast<i16>(TrailingConstant(in));
  branches_.emplace_back(size(), target);
  Emit(op, {}, {});
}

// Writes of the MODE register's rounding and denormal bits are accepted as long as they change nothing.
bool Cracker::CrackMode(const Instruction& in) {
  constexpr int kModeRegister = 1;
  u32 first = 0, bits = 0, value = 0;
  if (in.key == "s_round_mode" || in.key == "s_denorm_mode") {
    first = in.key == "s_round_mode" ? 0 : 4;
    bits = 4;
    value = static_cast<u32>(TrailingConstant(in));
  } else if (in.key == "s_setreg_imm32_b32") {
    u32 selector = static_cast<u32>(in.immediates.empty() ? 0 : in.immediates[0].second);
    bool from_source = in.sources.empty();
    value = static_cast<u32>(from_source ? (in.immediates.size() > 1 ? in.immediates[1].second : 0)
                                         : in.sources.back().literal);
    first = selector >> 6 & 31;
    bits = (selector >> 11 & 31) + 1;
    if ((selector & 63) != kModeRegister || first + bits > 8) {
      Reject("it writes a hardware register");
      return true;
    }
  } else {
    return false;
  }
  u32 mask = (1u << bits) - 1;
  if ((context_.float_mode >> first & mask) != (value & mask)) Reject("it changes the rounding or denormal mode");
  return true;
}

// Integer WMMA: neg_lo says which inputs are signed.
bool Cracker::CrackIntegerWmma(const Instruction& in) {
  if (in.key != "v_wmma_i32_16x16x16_iu8") return false;
  if (in.sources.size() != 3) return Reject("its operands are not as expected"), true;
  auto type = [&](int i) { return (in.sources[i].modifiers & kModNeg) != 0 ? "i8" : "u8"; };
  auto op = FindOp(fmt::format("x_wmma{}_i32_16x16x16_{}_{}", context_.gfx12() ? "_gfx12" : "", type(0), type(1)));
  Instruction plain = in;
  for (Source& source : plain.sources) source.modifiers = 0;
  op ? CrackMatrix(plain, *op) : Reject("it is not in the tables");
  return true;
}

// gfx950's MFMA with a format per input: cbsz names A's, blgp B's. 6- and 4-bit formats are not in the tables.
bool Cracker::CrackScaledMfma(const Instruction& in) {
  if (!in.Is("v_mfma_f32_") || !in.key.ends_with("_f8f6f4")) return false;
  constexpr std::string_view kFormats[] = {"fp8", "bf8"};
  u64 a = in.Get(Immediate::kCbsz), b = in.Get(Immediate::kBlgp);
  if (a >= std::size(kFormats) || b >= std::size(kFormats)) return Reject("its 6- or 4-bit inputs"), true;
  std::string shape = in.key.substr(0, in.key.size() - std::string_view("f8f6f4").size());
  auto op = FindOp(fmt::format("{}{}_{}", shape, kFormats[a], kFormats[b]));
  Instruction plain = in;
  std::erase_if(plain.immediates, [](auto& i) { return i.first == Immediate::kCbsz || i.first == Immediate::kBlgp; });
  op ? CrackMatrix(plain, *op) : Reject("it is not in the tables");
  return true;
}

bool Cracker::CrackSpecial(const Instruction& in) {
  if (CrackIntegerWmma(in) || CrackScaledMfma(in) || CrackTransposedRead(in)) return true;
  if (in.Is("v_dual_")) return CrackDual(in), true;
  if (in.Is("v_fma_mix")) return CrackMix(in), true;
  if (CrackMode(in)) return true;
  if (in.key == "s_getpc_b64") {
    Emit(Op::s_mov_b64, {in.defs[0].at}, {Literal(context_.entry + in.pc + 4, 2)});
    return true;
  }
  if (in.key == "v_writelane_b32" && in.sources.size() == 2) {
    Emit(Op::x_writelane, {in.defs[0].at}, {in.defs[0].at, Read(in.sources[0], 1), Read(in.sources[1], 1)});
    return true;
  }
  if (in.key == "v_swap_b32" && in.defs.size() == 2) {
    Emit(Op::x_swap, {in.defs[0].at, in.defs[1].at}, {in.defs[0].at, in.defs[1].at});
    return true;
  }
  if (in.Is("v_bitop3_") && in.sources.size() == 3) {
    Instruction with_table = in;
    with_table.sources.push_back(Source{.literal = in.Get(Immediate::kBitop3) & 255});
    CrackVector(with_table, in.key == "v_bitop3_b32" ? Op::x_bitop3_b32 : Op::x_bitop3_b16);
    return true;
  }
  // Split barriers: a wave goes on after the signal, so that waiting is all there is to do.
  constexpr i64 kWorkgroupBarrier = -1;
  if (in.key == "s_barrier_signal" || in.key == "s_barrier_wait") {
    if (static_cast<i16>(TrailingConstant(in)) != kWorkgroupBarrier)
      Reject("it names a barrier");
    else if (in.key == "s_barrier_wait")
      Emit(Op::s_barrier, {}, {});
    return true;
  }
  if (in.key == "s_setpc_b64" || in.key == "s_swappc_b64" || in.key == "s_call_b64" || in.key == "s_cbranch_g_fork") {
    Reject("its target is known only when it runs");
    return true;
  }
  return false;
}

void Cracker::CrackMatrix(const Instruction& in, Op op) {
  if (context_.gfx12()) {
    if (op == Op::v_wmma_f32_16x16x16_f16) op = Op::x_wmma_gfx12_f32_16x16x16_f16;
    if (op == Op::v_wmma_f32_16x16x16_bf16) op = Op::x_wmma_gfx12_f32_16x16x16_bf16;
  }
  if (in.Is("v_mfma_") && context_.generation == Generation::kCdna3) {
    // gfx942 reads the formats without infinities and negative zero ("fnuz") where later GPUs read those of OCP.
    if (auto fnuz = FindOp("x_fnuz_" + in.key.substr(2))) op = *fnuz;
  }
  bool wmma = in.Is("v_wmma_");
  if (wmma && context_.lanes != 32) return Reject("WMMA in wave64");
  if (in.sources.size() != 3 || in.defs.size() != 1) return Reject("its operands are not as expected");
  for (Immediate name : {Immediate::kCbsz, Immediate::kAbid, Immediate::kBlgp, Immediate::kClamp}) {
    if (in.Get(name) != 0) return Reject("its broadcast, negation or clamp modifiers");
  }
  std::vector<Operand> sources;
  for (const Source& source : in.sources) {
    if (wmma && (source.modifiers & (kModNeg | kModNegHi)) != 0) return Reject("its negation modifiers");
    sources.push_back(Read(source, Info(op).name.ends_with("f64") ? 2 : 1));
  }
  if (sources[0].kind != Operand::kRow || sources[1].kind != Operand::kRow)
    return Reject("A or B is no vector register");
  Emit(op, {in.defs[0].at}, sources);
}

}  // namespace rocxla::emu
