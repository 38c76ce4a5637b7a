// Memory instructions: which operand is the address, the base and the data.
#include <charconv>

#include "emulator/decode/cracker.h"

namespace rocxla::emu {
namespace {

struct MemoryOperands {
  std::vector<Operand> rows, scalars;
};
MemoryOperands Sort(const std::vector<Source>& sources) {
  MemoryOperands out;
  for (const Source& s : sources) {
    if (s.at.kind == Operand::kRow) out.rows.push_back(s.at);
    if (s.at.kind == Operand::kScalar) out.scalars.push_back(s.at);
  }
  return out;
}
std::vector<Operand> Results(const Instruction& in) {
  std::vector<Operand> results;
  for (const Source& def : in.defs) results.push_back(def.at);
  return results;
}
// How many data registers an instruction reads from its operands.
bool ReadsData(const OpInfo& info) { return info.shape == Shape::kAtomic || info.action == Action::kStore; }
// The width of the offset field differs by generation; LLVM keeps it unsigned in the operand and signed in the text.
i32 PrintedOffset(const Instruction& in) {
  constexpr std::string_view kWord = " offset:";
  size_t at = in.text.find(kWord);
  i32 offset = 0;
  if (at == std::string::npos) return 0;
  std::from_chars(in.text.data() + at + kWord.size(), in.text.data() + in.text.size(), offset);
  return offset;
}
bool SkipsScalar(Operand o) { return o == ScalarAt(kNull); }

}  // namespace

// global, flat and scratch: an address row or pair, a scalar base, data. Scratch stores name the data first.
void Cracker::CrackMemory(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  MemoryOperands operands = Sort(in.sources);
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

void Cracker::CrackScalarMemory(const Instruction& in, Op op) {
  MemoryOperands operands = Sort(in.sources);
  if (operands.scalars.empty() || in.defs.size() != 1) return Reject("its operands are not as expected");
  Operand offset_register;
  if (operands.scalars.size() > 1 && !SkipsScalar(operands.scalars[1])) offset_register = operands.scalars[1];
  i64 offset = in.Has(Immediate::kOffset) ? in.Get(Immediate::kOffset) : in.Get(Immediate::kValue);
  for (const Source& s : in.sources) {
    if (s.at.kind == Operand::kNone) offset = s.literal;
  }
  Micro& m = Emit(op, Results(in), {{}, operands.scalars[0], {}, offset_register});
  m.imm[0] = static_cast<i32>(offset);
}

// Buffers: data first where it is read, then the address registers, the resource, and a scalar offset or constant.
void Cracker::CrackBuffer(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  if (in.text.find(" lds") != std::string::npos) return Reject("it loads into LDS");
  if (in.text.find(" tfe") != std::string::npos) return Reject("it returns a status (tfe)");
  MemoryOperands operands = Sort(in.sources);
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

// gfx950: 16 lanes together read a matrix of 16 columns, row after row, and each receives one column.
bool Cracker::CrackTransposedRead(const Instruction& in) {
  if (in.key != "ds_read_b64_tr_b16" && in.key != "ds_read_b64_tr_b8") return false;
  if (in.sources.size() != 1 || in.defs.size() != 1) return Reject("its operands are not as expected"), true;
  Operand read = TempRow(2), result = in.defs[0].at;
  Emit(Op::ds_read_b64, {read}, {in.sources[0].at}).imm[0] = static_cast<i32>(in.Get(Immediate::kOffset) & 0xffff);
  Op transpose = in.key.ends_with("b8") ? Op::x_transpose_b8 : Op::x_transpose_b16;
  Emit(transpose, {result, Word(result, 1)}, {read, Word(read, 1)});
  return true;
}

// Loads that go to LDS without passing through registers: lane l's data lies at M0 + offset + l * its size. A narrow
// element occupies a whole word there. Source: "AMD Instinct MI300 ISA", "Memory Buffer Load to LDS".
bool Cracker::CrackLoadToLds(const Instruction& in) {
  constexpr std::string_view kToLds = "_load_lds_";
  Instruction load = in;
  if (size_t at = in.key.find(kToLds); at != in.key.npos) {
    load.key.erase(at + std::string_view("_load").size(), std::string_view("_lds").size());
  } else if (in.Is("buffer_load_") && in.text.find(" lds") != in.text.npos) {
    load.text.erase(load.text.find(" lds"), std::string_view(" lds").size());
  } else {
    return false;
  }
  auto op = FindOp(load.key);
  if (!op || Info(*op).shape != Shape::kMemory || Info(*op).half != Half::kWhole) {
    return Reject("it is not in the tables"), true;
  }
  int words = Info(*op).count;
  Op store = words == 1 ? Op::ds_write_b32 : words == 3 ? Op::ds_write_b96 : Op::ds_write_b128;
  if (words == 2 || !in.defs.empty()) return Reject("its operands are not as expected"), true;
  Operand data = TempRow(words), address = TempRow();
  load.defs = {Source{.at = data}};
  Info(*op).space == Space::kBuffer ? CrackBuffer(load, *op) : CrackMemory(load, *op);
  i32 offset = static_cast<i32>(Info(*op).space == Space::kBuffer ? in.Get(Immediate::kOffset) : PrintedOffset(in));
  Micro& m = Emit(Op::x_lane_address, {address}, {ScalarAt(kM0)});
  m.imm[0] = offset;
  m.imm[1] = 4 * words;
  Emit(store, {}, {address, {}, data, {}});
  return true;
}

// LDS: an address row, then one or two data operands.
void Cracker::CrackLds(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  if (in.text.find(" gds") != std::string::npos) return Reject("it accesses GDS");
  MemoryOperands operands = Sort(in.sources);
  if (operands.rows.empty()) return Reject("it has no address");
  // A load into half of a register reads the destination for the other half.
  bool keeps_half = info.shape == Shape::kMemory && info.half != Half::kWhole && info.action == Action::kLoad;
  if (keeps_half && operands.rows.size() == 2) operands.rows.pop_back();
  size_t data_count = !ReadsData(info) ? 0 : info.shape == Shape::kAtomic ? info.count : info.stride != 0 ? 2 : 1;
  if (operands.rows.size() != 1 + data_count) return Reject("its operands are not as expected");
  Operand first, second;
  if (data_count > 0) first = operands.rows[1];
  if (data_count > 1) second = operands.rows[2];
  Micro& m = Emit(op, Results(in), {operands.rows[0], {}, first, second});
  if (info.shape == Shape::kMemory && info.stride != 0) {
    m.imm[0] = static_cast<i32>(in.Get(Immediate::kOffset0) & 255);
    m.imm[1] = static_cast<i32>(in.Get(Immediate::kOffset1) & 255);
  } else {
    m.imm[0] = static_cast<i32>(in.Get(Immediate::kOffset) & 0xffff);
  }
}

}  // namespace rocxla::emu
