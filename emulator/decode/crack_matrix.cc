// Matrix instructions: generations give one mnemonic different layouts and formats, and modifiers choose element types.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/decode/cracker.h"
#include "emulator/isa/matrix_types.h"

namespace rocxla::emu {
namespace {

// The first two of " op_sel:[1,0,0]" as LLVM prints it; zeros if it is not there.
std::array<int, 2> PrintedBits(const std::string& text, std::string_view word) {
  size_t at = text.find(word);
  if (at == text.npos || at + word.size() + 2 >= text.size()) return {0, 0};
  at += word.size();
  return {text[at] == '1', text[at + 2] == '1'};
}

}  // namespace

// Integer WMMA and SWMMAC: neg_lo says which inputs are signed.
bool Cracker::CrackIntegerWmma(const Instruction& in) {
  bool sparse = in.Is("v_swmmac_i32_");
  if ((!in.Is("v_wmma_i32_") && !sparse) || (!in.key.ends_with("_iu8") && !in.key.ends_with("_iu4"))) return false;
  if (in.sources.size() != 3) return Reject("its operands are not as expected"), true;
  char bits = in.key.back();
  std::string shape = in.key.substr(2, in.key.size() - std::string_view("v_").size() - std::string_view("iu8").size());
  if (!sparse) shape.insert(std::string_view("wmma_").size(), context_.gfx12() ? "gfx12_" : "");
  auto sign = [&](int i) { return (in.sources[i].modifiers & kModNeg) != 0 ? 'i' : 'u'; };
  auto op = FindOp(fmt::format("x_{}{}{}_{}{}", shape, sign(0), bits, sign(1), bits));
  Instruction plain = in;
  for (Source& source : plain.sources) source.modifiers = 0;
  if (!op) return Reject("it is not in the tables"), true;
  sparse ? CrackSparseMatrix(plain, *op) : CrackMatrix(plain, *op);
  return true;
}

// gfx950's MFMA with a format per input: cbsz names A's, blgp B's. With scales, op_sel and op_sel_hi select their
// bytes.
bool Cracker::CrackScaledMfma(const Instruction& in) {
  bool scaled = in.Is("v_mfma_scale_f32_");
  if (!in.key.ends_with("_f8f6f4") || (!scaled && !in.Is("v_mfma_f32_"))) return false;
  Op op = in.key.find("32x32x64") != in.key.npos ? Op::x_mfma_f8f6f4_32x32x64 : Op::x_mfma_f8f6f4_16x16x128;
  constexpr int kFormats = 5;
  i64 a = in.Get(Immediate::kCbsz), b = in.Get(Immediate::kBlgp);
  if (a >= kFormats || b >= kFormats || in.defs.size() != 1 || in.sources.size() != (scaled ? 5u : 3u)) {
    return Reject("its operands are not as expected"), true;
  }
  Operand scales = Literal(0x7f7f);  // 2^0 twice
  if (scaled) {
    auto low = PrintedBits(in.text, " op_sel:["), high = PrintedBits(in.text, " op_sel_hi:[");
    auto byte = [&](int i) {
      return OneResult(Op::x_field, {Read(in.sources[3 + i], 1), Literal(8 * (low[i] + 2 * high[i])), Literal(0xff)});
    };
    Operand first = byte(0);
    scales = OneResult(Op::v_lshl_or_b32, {byte(1), Literal(8), first});
  }
  Micro& m = Emit(op, {in.defs[0].at}, {in.sources[0].at, in.sources[1].at, Read(in.sources[2], 1), scales});
  m.imm[0] = static_cast<i32>(a);
  m.imm[1] = static_cast<i32>(b);
  if (m.src[0].kind != Operand::kRow || m.src[1].kind != Operand::kRow) Reject("A or B is no vector register");
  return true;
}

namespace {

// neg_lo and neg_hi of A and B of WMMA: one bit for the elements in the low halves of registers, one for the others.
u32 NegatedHalves(const Source& source) {
  return ((source.modifiers & kModNeg) != 0 ? 1 : 0) | ((source.modifiers & kModNegHi) != 0 ? 2 : 0);
}
// MFMA: the three bits of blgp permute the lanes of B, or negate A, B and C where these are f64.
MatrixModifiers MfmaModifiers(const Instruction& in, Op op) {
  MatrixModifiers m;
  u32 blgp = static_cast<u32>(in.Get(Immediate::kBlgp));
  m.cbsz = static_cast<u32>(in.Get(Immediate::kCbsz));
  m.abid = m.cbsz == 0 ? 0 : static_cast<u32>(in.Get(Immediate::kAbid));
  if (!Info(op).name.ends_with("f64")) {
    m.blgp = blgp;
    return m;
  }
  constexpr u32 kBothHalves = 3;
  m.negate_a = (blgp & 1) != 0 ? kBothHalves : 0;
  m.negate_b = (blgp & 2) != 0 ? kBothHalves : 0;
  m.negate_c = (blgp & 4) != 0;
  return m;
}
// WMMA: of C, neg_lo negates and neg_hi takes the absolute value first. LLVM leaves out the bits of an addend that is
// no register. Source: LLVM's AMDGPU backend, "WMMA" of VOP3PInstructions.
MatrixModifiers WmmaModifiers(const Instruction& in) {
  MatrixModifiers m;
  m.negate_a = NegatedHalves(in.sources[0]);
  m.negate_b = NegatedHalves(in.sources[1]);
  m.negate_c = (in.sources[2].modifiers & kModNeg) != 0;
  m.absolute_c = (in.sources[2].modifiers & kModNegHi) != 0;
  m.saturate = in.Get(Immediate::kClamp) != 0;
  return m;
}

}  // namespace

// gfx942 reads the 8-bit formats without infinities and negative zero ("fnuz") where later GPUs read those of OCP.
Op Cracker::FormatsOf(const Instruction& in, Op op) const {
  if (context_.generation != Generation::kCdna3) return op;
  return FindOp("x_fnuz_" + in.key.substr(2)).value_or(op);
}
// RDNA's operations on waves of 64 lanes have lines of their own.
Op Cracker::WaveSizeOf(Op op) const {
  if (context_.lanes == 32 || context_.gfx9()) return op;
  return FindOp(fmt::format("{}_w64", Info(op).name)).value_or(op);
}

void Cracker::CrackMatrix(const Instruction& in, Op op) {
  if (context_.gfx12() && in.Is("v_wmma_")) {
    // The registers of a wave hold the matrices in another order than on gfx11.
    if (auto gfx12 = FindOp("x_wmma_gfx12_" + in.key.substr(std::string_view("v_wmma_").size()))) op = *gfx12;
  }
  op = WaveSizeOf(FormatsOf(in, op));
  bool wmma = in.Is("v_wmma_");
  if (in.sources.size() != 3 || in.defs.size() != 1) return Reject("its operands are not as expected");
  MatrixModifiers modifiers = wmma ? WmmaModifiers(in) : MfmaModifiers(in, op);
  if ((1 << modifiers.cbsz) > Info(op).blocks) return Reject("it broadcasts to more blocks than it has");
  bool upper_half = wmma && !context_.gfx12() && (in.sources[2].modifiers & kModOpSel) != 0;
  std::vector<Operand> sources;
  for (const Source& source : in.sources) sources.push_back(Read(source, Info(op).name.ends_with("f64") ? 2 : 1));
  if (sources[0].kind != Operand::kRow || sources[1].kind != Operand::kRow)
    return Reject("A or B is no vector register");
  Micro& m = Emit(op, {in.defs[0].at}, sources);
  m.imm[0] = upper_half;
  m.imm[1] = modifiers.Pack();
}

// A lane's index register has 32 bits, of which its elements of A need two each: there may be several sets of them.
// SMFMAC names one by abid if cbsz is 0 and takes the first otherwise; SWMMAC has index_key. Source: "AMD Instinct
// MI300 ISA", "Sparse Matrices"; for gfx950's larger sets MLIR's verifier of amdgpu.sparse_mfma.
void Cracker::CrackSparseMatrix(const Instruction& in, Op op) {
  op = WaveSizeOf(FormatsOf(in, op));
  bool swmmac = in.Is("v_swmmac_");
  if (in.sources.size() != (swmmac ? 3u : 4u) || in.defs.size() != 1) return Reject("its operands are not as expected");
  for (const Source& source : in.sources) {
    if (source.at.kind != Operand::kRow) return Reject("an operand is no vector register");
    if ((source.modifiers & (kModNeg | kModNegHi)) != 0) return Reject("its negation modifiers");
  }
  i64 set = swmmac ? in.Get(Immediate::kIndexKey) : in.Get(Immediate::kCbsz) == 0 ? in.Get(Immediate::kAbid) : 0;
  int bits = 2 * Info(op).sparse_elements;
  if ((set + 1) * bits > 32) return Reject("it selects indices beyond the end of their register");
  MatrixModifiers modifiers;
  modifiers.saturate = in.Get(Immediate::kClamp) != 0;
  Operand accumulator = in.defs[0].at;
  Micro& m = Emit(op, {accumulator}, {in.sources[0].at, in.sources[1].at, accumulator, in.sources[2].at});
  m.imm[0] = static_cast<i32>(set) * bits;
  m.imm[1] = modifiers.Pack();
}

}  // namespace rocxla::emu
