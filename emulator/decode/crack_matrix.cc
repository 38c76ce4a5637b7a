// Matrix instructions: generations give one mnemonic different layouts and formats, and modifiers choose element types.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/decode/cracker.h"

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

// Integer WMMA: neg_lo says which inputs are signed.
bool Cracker::CrackIntegerWmma(const Instruction& in) {
  if (!in.Is("v_wmma_i32_") || (!in.key.ends_with("_iu8") && !in.key.ends_with("_iu4"))) return false;
  if (in.sources.size() != 3) return Reject("its operands are not as expected"), true;
  char bits = in.key.back();
  std::string shape = in.key.substr(2, in.key.size() - std::string_view("v_").size() - std::string_view("iu8").size());
  shape.insert(std::string_view("wmma_").size(), context_.gfx12() ? "gfx12_" : "");
  auto sign = [&](int i) { return (in.sources[i].modifiers & kModNeg) != 0 ? 'i' : 'u'; };
  auto op = FindOp(fmt::format("x_{}{}{}_{}{}", shape, sign(0), bits, sign(1), bits));
  Instruction plain = in;
  for (Source& source : plain.sources) source.modifiers = 0;
  op ? CrackMatrix(plain, *op) : Reject("it is not in the tables");
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

void Cracker::CrackMatrix(const Instruction& in, Op op) {
  if (context_.gfx12() && in.Is("v_wmma_")) {
    // The registers of a wave hold the matrices in another order than on gfx11.
    if (auto gfx12 = FindOp("x_wmma_gfx12_" + in.key.substr(std::string_view("v_wmma_").size()))) op = *gfx12;
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
  bool upper_half = wmma && !context_.gfx12() && (in.sources[2].modifiers & kModOpSel) != 0;
  std::vector<Operand> sources;
  for (const Source& source : in.sources) {
    if (wmma && (source.modifiers & (kModNeg | kModNegHi)) != 0) return Reject("its negation modifiers");
    sources.push_back(Read(source, Info(op).name.ends_with("f64") ? 2 : 1));
  }
  if (sources[0].kind != Operand::kRow || sources[1].kind != Operand::kRow)
    return Reject("A or B is no vector register");
  Emit(op, {in.defs[0].at}, sources).imm[0] = upper_half;
}

}  // namespace rocxla::emu
