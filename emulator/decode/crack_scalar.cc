// The scalar unit, branches, and instructions that have no line in the tables.
#include <fmt/format.h>

#include "base/error_ids.h"
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
    i64 constant = in.TrailingConstant();
    bool is_unsigned = in.Is("s_cmpk_") && in.key.ends_with("u32");
    sources.push_back(
        Literal(is_unsigned ? u64{static_cast<u16>(constant)} : static_cast<u64>(i64{static_cast<i16>(constant)})));
  }
  // A source that the encoding lacks is the destination (s_cmov, s_bitset, s_fmac).
  for (int i = static_cast<int>(sources.size()); i < info.sources && info.source[i].implicit < 0; i++) {
    if (results.empty()) return Reject("an operand is missing");
    sources.push_back(results[0]);
  }
  bool is_float = info.result[0].kind == ElementKind::kFloat;
  if (is_float && TracksMode(kRoundBits | kDenormalBits | (info.result[0].bits == 16 ? kFp16OverflowBit : 0))) {
    return Reject("scalar floats where the float mode is not the usual one");
  }
  Emit(op, results, sources);
}

void Cracker::CrackBranch(const Instruction& in, Op op) {
  u32 target = in.pc + 4 + 4 * static_cast<i16>(in.TrailingConstant());
  if (indexed_pcs_.contains(target)) return Reject("it branches to where registers are indexed");
  targets_.insert(target);
  branches_.emplace_back(size(), target);
  Emit(op, {}, {});
}

void Cracker::CrackSwapHalves(const Instruction& in) {
  auto shift = [](const Source& s) { return s.half == RegisterHalf::kHigh ? 16 : 0; };
  const Source &x = in.defs[0], &y = in.defs[1];
  Operand a = OneResult(Op::x_field, {x.at, Literal(shift(x)), Literal(0xffff)});
  Operand b = OneResult(Op::x_field, {y.at, Literal(shift(y)), Literal(0xffff)});
  Emit(Op::x_insert, {x.at}, {x.at, b, Literal(shift(x)), Literal(0xffff)});
  Emit(Op::x_insert, {y.at}, {y.at, a, Literal(shift(y)), Literal(0xffff)});
}

// Jumps through registers, and calls, which leave the address behind them.
bool Cracker::CrackJump(const Instruction& in) {
  bool calls = in.key == "s_swappc_b64" || in.key == "s_call_b64";
  if (!calls && in.key != "s_setpc_b64") return false;
  Operand next = calls ? Literal(context_.code_begin + in.pc + in.bytes, 2) : Operand{};
  if (in.key == "s_call_b64") {
    if (in.defs.size() != 1) return Reject("its operands are not as expected"), true;
    Emit(Op::s_mov_b64, {in.defs[0].at}, {next});
    CrackBranch(in, Op::s_branch);
    return true;
  }
  if (in.sources.size() != 1 || in.sources[0].at.kind != Operand::kScalar || in.defs.size() != size_t{calls}) {
    return Reject("its operands are not as expected"), true;
  }
  Operand target = in.sources[0].at;
  if (calls) {  // the target's registers may be those of the result
    target = TempScalar(2);
    Emit(Op::s_mov_b64, {target}, {in.sources[0].at});
    Emit(Op::s_mov_b64, {in.defs[0].at}, {next});
  }
  Emit(Op::x_jump, {}, {target});
  return true;
}

// No trap handler runs here: a trap (2: __builtin_trap) ends the launch, but 3 (__builtin_debugtrap) is for debuggers.
bool Cracker::CrackTrap(const Instruction& in) {
  constexpr i64 kBreakpoint = 3;
  if (in.key != "s_trap") return false;
  if (in.TrailingConstant() == kBreakpoint) return true;
  Emit(Op::x_fault, {}, {}).target = static_cast<u32>(program_.problems.size());
  program_.problems.push_back({ErrorId::kEmulatorTrap, "the kernel has trapped", in.pc});
  return true;
}

// gfx12. There is the workgroup's barrier (-1) and one for trap handlers (-2); others, and M0 as operand, are for other
// architectures. Source: "RDNA4 ISA", S_BARRIER_SIGNAL.
bool Cracker::CrackSplitBarrier(const Instruction& in) {
  bool wait = in.key == "s_barrier_wait", reads = in.key == "s_get_barrier_state";
  bool first = in.key == "s_barrier_signal_isfirst", signal = in.key == "s_barrier_signal" || first;
  if (!wait && !signal && !reads) return false;
  constexpr i64 kWorkgroupBarrier = -1;
  bool is_register = !wait && !in.sources.empty() && in.sources[0].at.kind != Operand::kNone;
  if (is_register || static_cast<i16>(in.TrailingConstant()) != kWorkgroupBarrier) {
    return Reject("its barrier is not the workgroup's (-1), and this GPU has no named barriers"), true;
  }
  if (reads && in.defs.size() != 1) return Reject("its operands are not as expected"), true;
  Emit(wait    ? Op::s_barrier_wait
       : reads ? Op::x_read_barrier
       : first ? Op::s_barrier_signal_isfirst
               : Op::s_barrier_signal,
       {}, {});
  if (reads) Emit(Op::s_mov_b32, {in.defs[0].at}, {ScalarAt(kBarrierState)});
  return true;
}

bool Cracker::CrackSpecial(const Instruction& in) {
  if (CrackGprIndex(in) || CrackMovrel(in) || CrackExchange2(in) || CrackLaneAddressed(in) || CrackBlock(in))
    return true;
  if (CrackLaneAddressedLds(in) || CrackStoreFromLds(in) || CrackQuadSums(in)) return true;
  if (CrackIntegerWmma(in) || CrackScaledMfma(in) || CrackTransposedRead(in)) return true;
  if (CrackLoadToLds(in) || CrackDot(in) || CrackScalarTranscendental(in) || CrackNarrow(in)) return true;
  if (in.Is("v_dual_")) return CrackDual(in), true;
  if (in.Is("v_fma_mix")) return CrackMix(in), true;
  if (CrackMode(in)) return true;
  if (in.key == "s_getpc_b64") {
    Emit(Op::s_mov_b64, {in.defs[0].at}, {Literal(context_.code_begin + in.pc + in.bytes, 2)});
    return true;
  }
  if (in.key == "v_writelane_b32" && in.sources.size() == 2) {
    Emit(Op::x_writelane, {in.defs[0].at}, {in.defs[0].at, Read(in.sources[0], 1), Read(in.sources[1], 1)});
    return true;
  }
  if (in.key == "v_swap_b16" && in.defs.size() == 2) return CrackSwapHalves(in), true;
  if (in.key == "s_sendmsg_rtn_b64" && in.defs.size() == 1) {
    constexpr i64 kGetRealTime = 131;
    if (in.TrailingConstant() != kGetRealTime) return Reject("its message"), true;
    Emit(Op::s_memtime, {in.defs[0].at}, {});
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
  return CrackSplitBarrier(in) || CrackJump(in) || CrackTrap(in);
}

}  // namespace rocxla::emu
