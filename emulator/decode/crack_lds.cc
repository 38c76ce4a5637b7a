// Instructions that access LDS, or memory by way of it.
#include <algorithm>
#include <iterator>

#include "emulator/decode/memory_operands.h"

namespace rocxla::emu {

// Loads that transpose: gfx950 from LDS, 16 lanes together, each element 16, 8, 6 or 4 bits; gfx12 from global memory,
// 8 lanes together. Sources: ROCm's documentation of ds_read_tr; gfx12 by measurement on gfx1201, published with
// Tessera's notes on "GLOBAL_LOAD_TR_B128".
bool Cracker::CrackTransposedRead(const Instruction& in) {
  struct Transposing {
    std::string_view key;
    Op load;
    Transposition how;
  };
  static constexpr Transposing kAll[] = {{"ds_read_b64_tr_b16", Op::ds_read_b64, {16, 2, 16}},
                                         {"ds_read_b64_tr_b8", Op::ds_read_b64, {8, 2, 16}},
                                         {"ds_read_b64_tr_b4", Op::ds_read_b64, {4, 2, 16}},
                                         {"ds_read_b96_tr_b6", Op::ds_read_b96, {6, 3, 16}},
                                         {"global_load_tr_b128", Op::global_load_dwordx4, {16, 4, 8}}};
  auto found = std::find_if(std::begin(kAll), std::end(kAll), [&](const Transposing& t) { return in.key == t.key; });
  if (found == std::end(kAll)) return false;
  if (in.defs.size() != 1) return Reject("its operands are not as expected"), true;
  Operand read = TempRow(found->how.words), result = in.defs[0].at;
  Instruction load = in;
  load.defs[0].at = read;
  in.Is("ds_") ? CrackLds(load, found->load) : CrackMemory(load, found->load);
  for (int word = 0; word < found->how.words; word++) {
    Micro& m = Emit(Op::x_transposed, {Word(result, word)}, {read});
    m.imm[0] = word;
    m.imm[1] = found->how.Pack();
  }
  return true;
}

// Loads that go to LDS without passing through registers: lane l's data lies at M0 + offset + l * its size. A narrow
// element occupies a whole word there. Source: "AMD Instinct MI300 ISA", "Memory Buffer Load to LDS".
bool Cracker::CrackLoadToLds(const Instruction& in) {
  constexpr std::string_view kToLds = "_load_lds_";
  Instruction load = in;
  if (size_t at = in.key.find(kToLds); at != in.key.npos) {
    load.key.erase(at + std::string_view("_load").size(), std::string_view("_lds").size());
  } else if ((in.Is("buffer_load_") || in.Is("global_load_") || in.Is("scratch_load_")) &&
             in.text.find(" lds") != in.text.npos) {
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
  MemoryOperands operands = SortedOperands(in.sources);
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

// ds_wrxchg2: two exchanges. Registers of the results may hold addresses or data.
bool Cracker::CrackExchange2(const Instruction& in) {
  bool gfx9 = in.Is("ds_wrxchg2"), later = in.Is("ds_storexchg_2addr");
  if (!gfx9 && !later) return false;
  if (in.sources.size() != 3 || in.defs.size() != 1) return Reject("its operands are not as expected"), true;
  int words = in.key.ends_with("b64") ? 2 : 1;
  bool far = in.key.find("st64") != in.key.npos || in.key.find("stride64") != in.key.npos;
  int unit = 4 * words * (far ? 64 : 1);
  Op exchange = words == 2 ? Op::ds_wrxchg_b64 : Op::ds_wrxchg_b32;
  Operand old = TempRow(2 * words);
  for (int i = 0; i < 2; i++) {
    i64 offset = in.Get(i == 0 ? Immediate::kOffset0 : Immediate::kOffset1) & 255;
    Micro& m = Emit(exchange, {Word(old, i * words)}, {in.sources[0].at, {}, in.sources[1 + i].at});
    m.imm[0] = static_cast<i32>(offset) * unit;
  }
  for (int w = 0; w < 2 * words; w++) Emit(Op::v_mov_b32, {Word(in.defs[0].at, w)}, {Word(old, w)});
  return true;
}

// M0 is the base, and the lane's number times four is added. Source: "RDNA3 ISA", DS_LOAD_ADDTID_B32.
bool Cracker::CrackLaneAddressedLds(const Instruction& in) {
  bool load = in.key == "ds_read_addtid_b32" || in.key == "ds_load_addtid_b32";
  bool store = in.key == "ds_write_addtid_b32" || in.key == "ds_store_addtid_b32";
  if (!load && !store) return false;
  if (load ? in.defs.size() != 1 : in.sources.size() != 1) return Reject("its operands are not as expected"), true;
  constexpr u32 kBaseBits = 0xffff;
  Operand base = TempScalar(), address = TempRow();
  Emit(Op::x_scalar_and, {base}, {ScalarAt(kM0), Literal(kBaseBits)});
  Micro& m = Emit(Op::x_lane_address, {address}, {base});
  m.imm[0] = static_cast<i32>(in.Get(Immediate::kOffset) & 0xffff);
  m.imm[1] = sizeof(u32);
  load ? Emit(Op::ds_read_b32, Results(in), {address}) : Emit(Op::ds_write_b32, {}, {address, {}, in.sources[0].at});
  return true;
}

// gfx90a: from LDS, as CrackLoadToLds finds its place there, to a buffer.
bool Cracker::CrackStoreFromLds(const Instruction& in) {
  if (in.key != "buffer_store_lds_dword") return false;
  Operand address = TempRow(), data = TempRow();
  Micro& m = Emit(Op::x_lane_address, {address}, {ScalarAt(kM0)});
  m.imm[0] = static_cast<i32>(in.Get(Immediate::kOffset));
  m.imm[1] = sizeof(u32);
  Emit(Op::ds_read_b32, {data}, {address});
  Instruction store = in;
  store.sources.insert(store.sources.begin(), Source{.at = data});
  if (size_t at = store.text.find(" lds"); at != store.text.npos) store.text.erase(at, std::string_view(" lds").size());
  CrackBuffer(store, Op::buffer_store_dword);
  return true;
}

}  // namespace rocxla::emu
