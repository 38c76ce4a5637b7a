// Memory instructions: which operand is the address, the base and the data.
#include "emulator/decode/memory_operands.h"

namespace rocxla::emu {
// gfx11: a scalar base, or none, and the lane's number times four.
bool Cracker::CrackLaneAddressed(const Instruction& in) {
  bool load = in.key == "global_load_addtid_b32", store = in.key == "global_store_addtid_b32";
  if (!load && !store) return false;
  MemoryOperands operands = SortedOperands(in.sources);
  bool has_base = operands.scalars.size() == 1 && !SkipsScalar(operands.scalars[0]);
  Operand base = has_base ? operands.scalars[0] : Literal(0, 2);
  Operand lane = TempRow();
  Emit(Op::x_lane_address, {lane}, {Literal(0)}).imm[1] = sizeof(u32);
  Operand data = store && operands.rows.size() == 1 ? operands.rows[0] : Operand{};
  if (store && data.kind == Operand::kNone) return Reject("it has no data"), true;
  Op op = load ? Op::global_load_dword : Op::global_store_dword;
  Emit(op, Results(in), {lane, base, data}).imm[0] = PrintedOffset(in);
  return true;
}

// gfx12: 32 registers, of which the bits of M0 say which take part; each has its place in memory. Source: LLVM's AMDGPU
// backend, spilling of callee-saved registers.
bool Cracker::CrackBlock(const Instruction& in) {
  bool load = in.key == "global_load_block" || in.key == "scratch_load_block";
  bool store = in.key == "global_store_block" || in.key == "scratch_store_block";
  if (!load && !store) return false;
  constexpr int kRegisters = 32;
  bool scratch = in.Is("scratch_");
  Op op = scratch ? (load ? Op::scratch_load_dword : Op::scratch_store_dword)
                  : (load ? Op::global_load_dword : Op::global_store_dword);
  Operand lanes = TempScalar(2), exec = ScalarAt(kExec);
  Emit(Op::s_mov_b64, {lanes}, {exec});
  size_t data_at = scratch ? 0 : in.sources.size() - 1;
  for (size_t i = 0; store && !scratch && i < in.sources.size(); i++) {
    if (in.sources[i].at.kind == Operand::kRow) data_at = i;
  }
  for (int i = 0; i < kRegisters; i++) {
    Emit(Op::x_lanes_if_bit, {exec}, {lanes, ScalarAt(kM0), Literal(i)});
    Instruction one = in;
    Source& data = load ? one.defs[0] : one.sources[data_at];
    data.at = Word(data.at, i);
    size_t before = program_.code.size();
    CrackMemory(one, op);
    if (program_.code.size() > before) program_.code.back().imm[0] += 4 * i;
  }
  Emit(Op::s_mov_b64, {exec}, {lanes});
  return true;
}

// global, flat and scratch: an address row or pair, a scalar base, data. Scratch stores name the data first.
void Cracker::CrackMemory(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  MemoryOperands operands = SortedOperands(in.sources);
  bool data_first = info.space == Space::kScratch && ReadsData(info);
  Operand address, base, data;
  size_t next = 0;
  auto take = [&] { return next < operands.rows.size() ? operands.rows[next++] : Operand{}; };
  if (data_first) data = take();
  address = take();
  if (ReadsData(info) && !data_first) data = take();
  if (next != operands.rows.size()) return Reject("its operands are not as expected");
  if (!operands.scalars.empty() && !SkipsScalar(operands.scalars[0])) base = operands.scalars[0];
  if (info.space != Space::kScratch && address.kind == Operand::kNone) return Reject("it has no address");
  if (!ReadsData(info) && in.defs.empty()) return Reject("it loads into LDS");
  if (ReadsData(info) && data.kind == Operand::kNone) return Reject("it has no data");
  Micro& m = Emit(op, Results(in), {address, base, data});
  m.imm[0] = PrintedOffset(in);
}

// Scalar loads, stores and atomics: data where it is read, then the base or resource, and an offset. A returning
// atomic's data is tied to its destination.
void Cracker::CrackScalarMemory(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  MemoryOperands operands = SortedOperands(in.sources);
  size_t next = 0;
  auto take = [&] { return next < operands.scalars.size() ? operands.scalars[next++] : Operand{}; };
  Operand data;
  if (ReadsData(info)) data = in.defs.empty() ? take() : in.defs[0].at;
  Operand base = take(), offset_register = take();
  bool has_result = info.shape == Shape::kMemory && info.action == Action::kLoad;
  if (base.kind == Operand::kNone || (has_result && in.defs.size() != 1))
    return Reject("its operands are not as expected");
  if (SkipsScalar(offset_register)) offset_register = {};
  i64 offset = in.Has(Immediate::kOffset) ? in.Get(Immediate::kOffset) : in.Get(Immediate::kValue);
  for (const Source& s : in.sources) {
    if (s.at.kind == Operand::kNone) offset = s.literal;
  }
  Micro& m = Emit(op, Results(in), {{}, base, data, offset_register});
  m.imm[0] = static_cast<i32>(offset);
}

// Buffers: data first where it is read, then the address registers, the resource, and a scalar offset or constant.
void Cracker::CrackBuffer(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  if (in.text.find(" lds") != std::string::npos) return Reject("it loads into LDS");
  MemoryOperands operands = SortedOperands(in.sources);
  bool offen = in.Get(Immediate::kOffen) != 0 || in.text.find(" offen") != std::string::npos;
  bool idxen = in.Get(Immediate::kIdxen) != 0 || in.text.find(" idxen") != std::string::npos;
  size_t next = 0;
  auto take = [&] { return next < operands.rows.size() ? operands.rows[next++] : Operand{}; };
  Operand data, address;
  // A returning atomic's data is tied to its destination.
  if (ReadsData(info)) data = info.shape == Shape::kAtomic && !in.defs.empty() ? in.defs[0].at : take();
  if (offen || idxen) address = take();
  if (next != operands.rows.size() || operands.scalars.empty()) return Reject("its operands are not as expected");
  if (ReadsData(info) && data.kind == Operand::kNone) return Reject("it has no data");
  Operand scalar_offset;
  if (operands.scalars.size() > 1 && !SkipsScalar(operands.scalars[1])) scalar_offset = operands.scalars[1];
  for (const Source& s : in.sources) {
    if (s.at.kind == Operand::kNone && s.literal != 0) scalar_offset = Literal(s.literal);
  }
  Micro& m = Emit(op, Results(in), {address, operands.scalars[0], data, scalar_offset});
  m.imm[0] = static_cast<i32>(in.Get(Immediate::kOffset));
  m.imm[1] = (offen ? kBufferOffen : 0) | (idxen ? kBufferIdxen : 0);
}

}  // namespace rocxla::emu
