#include "emulator/observe/marks.h"

#include <algorithm>
#include <bit>

#include "emulator/isa/op.h"
#include "emulator/observe/unwritten.h"

namespace rocxla::emu {

// An operation of bit_flow.def.
struct Marks::BitFlow {
  Op op{}, run_as{};
  unsigned data = 0;  // sources whose bits move
};

namespace {

constexpr u32 kAllBits = ~0u;

// Bits of a source that its operation reads.
u32 ReadBits(const OperandInfo& info) { return info.bits <= 16 ? 0xffffu : kAllBits; }

// Whether bits carry upwards only, from the lower word to the upper one.
bool CarriesUpwards(Op op) {
  switch (op) {
#define BIT_FLOW(op, run_as, data)
#define CARRY_FLOW(op) \
  case Op::op:         \
    return true;
#include "emulator/observe/bit_flow.def"
#undef BIT_FLOW
#undef CARRY_FLOW
    default:
      return false;
  }
}

// A machine for single micro-ops, on marks in place of values.
class MarkMachine {
 public:
  static constexpr int kSlot = 4, kFirstResult = 8 * kSlot;
  static int RowSlot(int source) { return source * kSlot; }
  static int ResultSlot(int result) { return kFirstResult + result * kSlot; }

  Wave& wave() { return *wave_; }
  // Runs `micro` with its operands moved to the slots.
  void Run(const Micro& micro, int lanes, u64 exec) {
    Program program;
    program.lanes = lanes;
    program.code = {micro, Micro{.op = Op::s_endpgm, .weight = 1}};
    for (int i = 0; i < 4; i++) Move(program.code[0].src[i], RowSlot(i));
    for (int i = 0; i < 2; i++) Move(program.code[0].dst[i], ResultSlot(i));
    wave_->lanes = lanes;
    wave_->pc = 0;
    wave_->scalar[kExec] = static_cast<u32>(exec);
    wave_->scalar[kExec + 1] = static_cast<u32>(exec >> 32);
    ThreadedCode(program, 0, Tracing::kOff).Run(*wave_);
  }

 private:
  static void Move(Operand& operand, int slot) {
    if (operand.kind != Operand::kNone) operand.index = static_cast<u16>(slot);
  }
  std::unique_ptr<Wave> wave_ = std::make_unique<Wave>();
};

MarkMachine& Machine() {
  static thread_local MarkMachine machine;
  return machine;
}

}  // namespace

const Marks::BitFlow* Marks::FlowOf(const Micro& micro) {
  static const auto* flows = [] {
    auto* map = new std::map<Op, BitFlow>;
#define BIT_FLOW(op, run_as, data) map->emplace(Op::op, BitFlow{Op::op, Op::run_as, data});
#define CARRY_FLOW(op)
#include "emulator/observe/bit_flow.def"
#undef BIT_FLOW
#undef CARRY_FLOW
    return map;
  }();
  // A mask that is a constant keeps some bits and clears the others; two variables mix.
  static const BitFlow kMask[] = {{Op::v_and_b32, Op::v_and_b32, 0b10}, {Op::v_and_b32, Op::v_and_b32, 0b01}};
  if (micro.op == Op::v_and_b32) {
    for (int i = 0; i < 2; i++) {
      if (micro.src[i].kind == Operand::kScalar && micro.src[i].index >= kLiteral) return &kMask[i];
    }
    static const BitFlow kBoth = {Op::v_and_b32, Op::v_or_b32, 0b11};
    return &kBoth;
  }
  auto it = flows->find(micro.op);
  return it == flows->end() ? nullptr : &it->second;
}

// A mask has one bit per lane.
int Marks::WordsOf(const OperandInfo& info) const {
  return info.kind == ElementKind::kMask && lanes_ == 32 ? 1 : info.words;
}

Marks::Marks(const Wave& wave) : lanes_(wave.lanes) {
  std::fill_n(&rows_[0][0], kTempRow * kRowLanes, kAllBits);
  std::fill_n(&rows_[kTempRow][0], kTempRows * kRowLanes, 0u);
  std::fill_n(rows_[0], kRowLanes, 0u);  // v0: the work-item ids
  for (int i = static_cast<int>(wave.first_scalars); i < kVcc; i++) scalars_.set(i);
}

MarkedBits Marks::Of(Operand operand, int words, u32 bits, u64 exec) const {
  MarkedBits result;
  for (int word = 0; word < words; word++) {
    const int i = operand.index + word;
    u64 lanes = 0;
    if (operand.kind == Operand::kScalar) lanes = IsMarked(i) ? exec : 0;
    if (operand.kind == Operand::kRow) {
      for (int l = 0; l < kRowLanes; l++) lanes |= u64{(rows_[i][l] & bits) != 0} << l;
      lanes &= exec;
    }
    if (lanes != 0 && result.lanes == 0) {
      result.origin = operand.kind == Operand::kRow ? row_origin_[i] : scalar_origin_[i];
    }
    result.lanes |= lanes;
  }
  return result;
}

MarkedBits Marks::OfSource(const Micro& micro, int source, u64 exec, int most_words) const {
  const OpInfo& info = Info(micro.op);
  int slot = 0;  // implicit operands occupy none
  for (int i = 0; i < source; i++) slot += info.source[i].implicit < 0;
  const OperandInfo& operand = info.source[source];
  Operand at = operand.implicit >= 0 ? ScalarAt(operand.implicit) : micro.src[slot];
  return Of(at, std::min(WordsOf(operand), most_words), ReadBits(operand), exec);
}

MarkedBits Marks::OfSources(const Micro& micro, u64 exec, int most_words) const {
  MarkedBits all;
  for (int i = 0; i < Info(micro.op).sources; i++) {
    MarkedBits one = OfSource(micro, i, exec, most_words);
    if (all.lanes == 0) all.origin = one.origin;
    all.lanes |= one.lanes;
  }
  return all;
}

void Marks::SetRow(int row, u64 lanes, u64 marked, u32 bits, const Origin& origin) {
  for (u64 e = lanes; e != 0; e &= e - 1) {
    int l = std::countr_zero(e);
    rows_[row][l] = (rows_[row][l] & ~bits) | ((marked >> l & 1) != 0 ? bits : 0);
  }
  if ((marked & lanes) != 0) row_origin_[row] = origin;
}

void Marks::SetScalars(int first, int words, bool marked, const Origin& origin) {
  for (int i = first; i < std::min(first + words, int{kLiteral}); i++) {
    scalars_[i] = marked;
    if (marked) scalar_origin_[i] = origin;
  }
}

// Runs the operation itself on the marks of its data and the values of the rest.
void Marks::StepByMoving(const Micro& micro, const BitFlow& flow, const Wave& wave) {
  const OpInfo& info = Info(micro.op);
  const u64 exec = wave.Mask(kExec);
  for (int i = 0; i < info.sources; i++) {
    const bool control = (flow.data >> i & 1) == 0;
    if (control && OfSource(micro, i, exec).lanes != 0) return StepByMixing(micro, wave);  // moved, nobody knows where
  }
  MarkMachine& machine = Machine();
  Micro run = micro;
  run.op = flow.run_as;
  Origin origin;
  for (int i = 0; i < info.sources; i++) {
    const Operand from = micro.src[i];
    const bool data = (flow.data >> i & 1) != 0;
    for (int word = 0; word < WordsOf(info.source[i]); word++) {
      const int slot = MarkMachine::RowSlot(i) + word, index = from.index + word;
      if (from.kind == Operand::kRow) {
        std::copy_n(data ? rows_[index] : wave.row[index], kRowLanes, machine.wave().row[slot]);
        const bool marked = data && std::any_of(rows_[index], rows_[index] + kRowLanes, [](u32 x) { return x != 0; });
        if (marked) origin = row_origin_[index];
      } else if (from.kind == Operand::kScalar) {
        machine.wave().scalar[slot] = !data ? wave.scalar[index] : IsMarked(index) ? kAllBits : 0;
        if (data && IsMarked(index)) origin = scalar_origin_[index];
      }
    }
  }
  for (int i = 0; i < info.results; i++) {
    for (int word = 0; word < info.result[i].words && micro.dst[i].kind == Operand::kRow; word++) {
      std::copy_n(rows_[micro.dst[i].index + word], kRowLanes, machine.wave().row[MarkMachine::ResultSlot(i) + word]);
    }
  }
  machine.Run(run, wave.lanes, exec);
  for (int i = 0; i < info.results; i++) {
    const Operand to = micro.dst[i];
    const bool is_mask = info.result[i].kind == ElementKind::kMask;  // which lanes moved, not what
    for (int word = 0; word < WordsOf(info.result[i]); word++) {
      const int slot = MarkMachine::ResultSlot(i) + word, index = to.index + word;
      if (to.kind == Operand::kRow) {
        std::copy_n(machine.wave().row[slot], kRowLanes, rows_[index]);
        row_origin_[index] = origin;
      } else if (to.kind == Operand::kScalar) {
        SetScalars(index, 1, !is_mask && machine.wave().scalar[slot] != 0, origin);
      }
    }
  }
}

void Marks::StepByMixing(const Micro& micro, const Wave& wave) {
  const OpInfo& info = Info(micro.op);
  const u64 exec = wave.Mask(kExec);
  const u64 read = exec == 0 ? 1 : exec;
  const MarkedBits marked = OfSources(micro, read);
  const MarkedBits lower = CarriesUpwards(micro.op) ? OfSources(micro, read, 1) : marked;
  int slot = 0;
  for (int i = 0; i < info.results; i++) {
    const OperandInfo& result = info.result[i];
    const Operand to = result.implicit >= 0 ? ScalarAt(result.implicit) : micro.dst[slot++];
    // 16-bit results leave the other half alone on gfx10 and later, and clear it before.
    const u32 bits = result.bits <= 16 && !wave.gfx9 ? 0xffffu : kAllBits;
    for (int word = 0; word < result.words && to.kind == Operand::kRow; word++) {
      const MarkedBits& of_word = word == 0 ? lower : marked;
      SetRow(to.index + word, exec, of_word.lanes, bits, of_word.origin);
    }
    if (to.kind == Operand::kScalar && to.index != kExec) {
      SetScalars(to.index, WordsOf(result), marked.lanes != 0, marked.origin);
    }
  }
}

// Every result depends on whole rows and columns: on all lanes.
void Marks::StepMatrix(const Micro& micro, const Wave& wave) {
  const OpInfo& info = Info(micro.op);
  const u64 all = FullExec(wave.lanes);
  MarkedBits marked;
  const int words[] = {info.a_words, info.b_words, info.c_words};
  for (int i = 0; i < 3; i++) {
    MarkedBits one = Of(micro.src[i], words[i], kAllBits, all);
    if (one.lanes != 0) marked = one;
  }
  for (int word = 0; word < info.c_words && micro.dst[0].kind == Operand::kRow; word++) {
    SetRow(micro.dst[0].index + word, all, marked.lanes != 0 ? all : 0, kAllBits, marked.origin);
  }
}

// What a load writes counts as written until OnLoad.
void Marks::StepLoad(const Micro& micro, const Wave& wave) {
  const OpInfo& info = Info(micro.op);
  const Operand to = micro.dst[0];
  if (to.kind == Operand::kNone) return;
  const int element_words = std::max(1, info.element_bytes / 4);
  const int words =
      info.shape == Shape::kAtomic ? element_words : info.count * (info.stride != 0 ? 2 : 1) * element_words;
  const u32 bits = info.half == Half::kWhole ? kAllBits : info.half == Half::kLow ? 0xffffu : 0xffff0000u;
  if (to.kind == Operand::kScalar) return SetScalars(to.index, words, false, {});
  for (int word = 0; word < words; word++) SetRow(to.index + word, wave.Mask(kExec), 0, bits, {});
}

void Marks::OnLoad(const Micro& micro, const MemoryAccess& access, int element) {
  const Operand to = micro.dst[0];
  if (to.kind == Operand::kNone) return;
  const Half half = Info(micro.op).half;
  const u32 bits = half == Half::kWhole ? kAllBits : half == Half::kLow ? 0xffffu : 0xffff0000u;
  for (int l = kRowLanes - 1; l >= 0; l--) {  // so that the origin is that of the first lane
    if ((access.lanes >> l & 1) == 0) continue;
    for (u32 byte = 0; byte < access.bytes; byte += sizeof(u32)) {
      const u64 word = (access.addresses[l] + byte) & ~u64{3};
      if (!LooksUnwritten(word)) continue;
      const int index = to.index + element + static_cast<int>(byte / sizeof(u32));
      const Origin origin{access.micro, access.space, word};
      if (to.kind == Operand::kRow) SetRow(index, u64{1} << l, u64{1} << l, bits, origin);
      if (to.kind == Operand::kScalar) SetScalars(index, 1, true, origin);
    }
  }
}

// Operations whose destination is known only now.
void Marks::StepIndexed(const Micro& micro, const Wave& wave) {
  const u64 exec = wave.Mask(kExec);
  const MarkedBits marked = OfSource(micro, 0, exec);
  const u64 to = u64(micro.imm[0]) + wave.scalar[micro.src[1].index];
  if (micro.op == Op::x_set_row_at && to < kTempRow)
    SetRow(static_cast<int>(to), exec, marked.lanes, kAllBits, marked.origin);
  if (micro.op == Op::x_set_scalar_at && to < kVcc) {
    SetScalars(static_cast<int>(to), 1, marked.lanes != 0, marked.origin);
  }
}

void Marks::Step(const Micro& micro, const Wave& wave) {
  if (micro.op == Op::x_set_row_at || micro.op == Op::x_set_scalar_at) return StepIndexed(micro, wave);
  switch (Info(micro.op).shape) {
    case Shape::kMemory:
    case Shape::kAtomic:
      return StepLoad(micro, wave);
    case Shape::kMatrix:
      return StepMatrix(micro, wave);
    case Shape::kBranch:
    case Shape::kJump:
    case Shape::kControl:
      return;
    default:
      break;
  }
  if (const BitFlow* flow = FlowOf(micro)) return StepByMoving(micro, *flow, wave);
  StepByMixing(micro, wave);
}

}  // namespace rocxla::emu
