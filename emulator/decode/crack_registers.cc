// Registers whose number depends on M0: v_movrel and s_movrel, and gfx9's register indexing.
#include <algorithm>
#include <utility>

#include "emulator/decode/cracker.h"

namespace rocxla::emu {
namespace {

constexpr Operand kThrownAway;
constexpr u32 kIndexSource0 = 1, kIndexDestination = 8;  // of s_set_gpr_idx_on and s_set_gpr_idx_mode

}  // namespace

// A temporary with the value of row `first` + index.
Operand Cracker::IndexedRow(Operand first, Operand index) {
  if (first.kind != Operand::kRow) return Reject("it indexes something other than vector registers"), first;
  Operand value = TempRow();
  Emit(Op::x_row_at, {value}, {index}).imm[0] = first.index;
  return value;
}
void Cracker::SetIndexedRow(Operand first, Operand index, Operand value) {
  if (first.kind != Operand::kRow) return Reject("it indexes something other than vector registers");
  Emit(Op::x_set_row_at, {kThrownAway}, {value, index}).imm[0] = first.index;
}

// Ten bits of M0 from bit `first` on.
Operand Cracker::PartOfM0(int first) {
  constexpr int kBits = 10;
  Operand part = TempScalar();
  Emit(Op::s_bfe_u32, {part}, {ScalarAt(kM0), Literal(first | kBits << 16)});
  return part;
}

// The _2 forms have an index of the source in M0's bits 0 to 9 and of the destination in bits 16 to 25; the others have
// one index, all of M0. Source: "RDNA3 ISA", V_MOVRELSD_2_B32.
bool Cracker::CrackMovrel(const Instruction& in) {
  bool scalar = in.Is("s_movrel"), swaps = in.key == "v_swaprel_b32";
  if (!scalar && !in.Is("v_movrel") && !swaps) return false;
  if (in.defs.empty() && in.sources.size() == 2) {  // LLVM has an indexed destination among the sources
    Instruction plain = in;
    plain.defs = {in.sources[0]};
    plain.sources = {in.sources[1]};
    return CrackMovrel(plain);
  }
  if (in.defs.empty() || (in.sources.empty() && !swaps)) return Reject("its operands are not as expected"), true;
  bool dpp = in.form == Form::kDpp || in.form == Form::kDpp8;
  if (in.form == Form::kSdwa || (dpp && (scalar || swaps))) return Reject("its encoding"), true;
  if (dpp) TempScalar(2);  // the lanes that MergeLanes asks for come first
  bool two = swaps || in.key.find("_2_") != in.key.npos;
  bool indexes_source = two || in.key.find("rels") != in.key.npos;
  bool indexes_destination = two || in.key.find("reld") != in.key.npos || in.key.find("relsd") != in.key.npos;
  Operand source_index = two ? PartOfM0(0) : ScalarAt(kM0), destination_index = two ? PartOfM0(16) : ScalarAt(kM0);
  Operand destination = in.defs[0].at;
  if (swaps) {
    Operand other = in.defs.size() > 1 ? in.defs[1].at : in.sources[0].at;
    Operand a = IndexedRow(other, source_index), b = IndexedRow(destination, destination_index);
    SetIndexedRow(destination, destination_index, a);
    SetIndexedRow(other, source_index, b);
    return true;
  }
  if (scalar) return MoveIndexedScalars(in, indexes_source, indexes_destination, source_index, destination_index), true;
  Operand value = indexes_source ? IndexedRow(in.sources[0].at, source_index) : Read(in.sources[0], 1);
  if (dpp) {
    Operand old = indexes_destination ? IndexedRow(destination, destination_index) : destination;
    const int scalars = std::exchange(temp_scalars_, 0);
    Operand moved = CrossLane(in, value, 1), merged = TempRow();
    temp_scalars_ = scalars;
    Emit(Op::v_mov_b32, {merged}, {old});
    MergeLanes(moved, merged, 1);
    value = merged;
  }
  if (indexes_destination)
    SetIndexedRow(destination, destination_index, value);
  else
    Emit(Op::v_mov_b32, {destination}, {value});
  return true;
}

void Cracker::MoveIndexedScalars(const Instruction& in, bool indexes_source, bool indexes_destination,
                                 Operand source_index, Operand destination_index) {
  int words = in.key.ends_with("b64") ? 2 : 1;
  Operand from = Read(in.sources[0], words), to = in.defs[0].at, values = TempScalar(words);
  if (indexes_source && in.sources[0].at.kind != Operand::kScalar) return Reject("it indexes a constant");
  for (int w = 0; w < words; w++) {
    if (indexes_source)
      Emit(Op::x_scalar_at, {Word(values, w)}, {source_index}).imm[0] = from.index + w;
    else
      Emit(Op::s_mov_b32, {Word(values, w)}, {Word(from, w)});
  }
  for (int w = 0; w < words; w++) {
    if (indexes_destination)
      Emit(Op::x_set_scalar_at, {kThrownAway}, {Word(values, w), destination_index}).imm[0] = to.index + w;
    else
      Emit(Op::s_mov_b32, {Word(to, w)}, {Word(values, w)});
  }
}

// Between s_set_gpr_idx_on and s_set_gpr_idx_off, M0 is added to the register numbers of vector operands. Which
// operands is part of the instructions, so that it is known here, as long as nothing branches in or out. LLVM puts one
// v_mov_b32 between them.
bool Cracker::CrackGprIndex(const Instruction& in) {
  Operand m0 = ScalarAt(kM0);
  auto set_index = [&] { Emit(Op::x_set_gpr_index, {m0}, {m0, Read(in.sources[0], 1)}); };
  auto set_mode = [&](i64 operands) {
    indexed_operands_ = static_cast<u32>(operands);
    Emit(Op::x_set_gpr_mode, {m0}, {m0, Literal(indexed_operands_)});
  };
  if (in.key == "s_set_gpr_idx_on" || in.key == "s_set_gpr_idx_mode") {
    bool on = in.key == "s_set_gpr_idx_on";
    if (on && in.sources.empty()) return Reject("its operands are not as expected"), true;
    if (on) set_index();
    i64 operands = in.immediates.empty() ? in.sources.back().literal : in.immediates.back().second;
    set_mode(operands);
    indexing_ = indexing_ || on;
    return true;
  }
  if (in.key == "s_set_gpr_idx_idx") {
    if (in.sources.size() != 1) return Reject("its operands are not as expected"), true;
    return set_index(), true;
  }
  if (in.key == "s_set_gpr_idx_off") return indexing_ = false, true;
  if (!indexing_) return false;
  indexed_pcs_.insert(in.pc);
  if (targets_.contains(in.pc)) return Reject("a branch leads to it while registers are indexed"), true;
  bool leaves = in.Is("s_branch") || in.Is("s_cbranch_") || in.Is("s_setpc") || in.Is("s_swappc") || in.Is("s_call");
  if (leaves) return Reject("it branches while registers are indexed"), true;
  if (!in.Is("v_")) return false;
  if (in.key != "v_mov_b32" || in.sources.size() != 1 || (in.form != Form::kPlain && in.form != Form::kVop3)) {
    return Reject("it is no plain v_mov_b32 while registers are indexed"), true;
  }
  Operand low_bits = TempScalar();
  Emit(Op::x_scalar_and, {low_bits}, {m0, Literal(0xff)});
  bool source_is_row = in.sources[0].at.kind == Operand::kRow;
  Operand value = Read(in.sources[0], 1);
  if ((indexed_operands_ & kIndexSource0) != 0 && source_is_row) value = IndexedRow(value, low_bits);
  if ((indexed_operands_ & kIndexDestination) != 0)
    SetIndexedRow(in.defs[0].at, low_bits, value);
  else
    Emit(Op::v_mov_b32, {in.defs[0].at}, {value});
  return true;
}

}  // namespace rocxla::emu
