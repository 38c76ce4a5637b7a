#include "emulator/observe/uninitialized.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error_ids.h"
#include "emulator/isa/op.h"
#include "emulator/observe/unwritten.h"

namespace rocxla::emu {
namespace {

std::string DescribeOrigin(const FaultPlace& place, const Wave& wave, const Origin& origin) {
  if (origin.micro == Origin::kNeverWritten) return "it comes from a register that the kernel has never written";
  const std::string load = fmt::format("it was loaded at {}, from", DescribeInstruction(place, origin.micro));
  if (origin.space == Space::kLds) {
    return fmt::format("{} offset {} of LDS, which nobody has written", load,
                       origin.address - reinterpret_cast<u64>(wave.lds));
  }
  if (origin.space == Space::kScratch) return load + " scratch memory that the thread has not written";
  if (auto range = wave.memory->Find(reinterpret_cast<const void*>(origin.address))) {
    return fmt::format("{} byte {} of '{}' ({} bytes at {:#x}), which nobody has written", load,
                       origin.address - range->begin, range->label, range->size, range->begin);
  }
  return fmt::format("{} {:#x}, which nobody has written", load, origin.address);
}

struct OperandUse {
  Operand operand;
  int words = 0;
};

// The operands that make an address.
std::vector<OperandUse> AddressOperands(const Micro& micro) {
  const OpInfo& info = Info(micro.op);
  std::vector<OperandUse> uses;
  const bool is_pair =
      (info.space == Space::kGlobal || info.space == Space::kFlat) && micro.src[1].kind == Operand::kNone;
  const bool two_parts = info.space == Space::kBuffer && micro.imm[1] == (kBufferOffen | kBufferIdxen);
  const bool unused = info.space == Space::kBuffer && (micro.imm[1] & (kBufferOffen | kBufferIdxen)) == 0;
  if (!unused) uses.push_back({micro.src[0], is_pair || two_parts ? 2 : 1});
  const bool resource = info.space == Space::kBuffer || info.space == Space::kScalarBuffer;
  const bool wide = info.space != Space::kScratch && info.space != Space::kLds;
  uses.push_back({micro.src[1], resource ? 4 : wide ? 2 : 1});
  if (info.space != Space::kLds) uses.push_back({micro.src[3], 1});
  return uses;
}

// The bits of data registers that a store to global memory writes.
u32 StoredBits(const OpInfo& info) {
  if (info.shape == Shape::kAtomic || info.element_bytes >= 4) return ~0u;
  const u32 bits = info.element_bytes == 1 ? 0xffu : 0xffffu;
  return info.half == Half::kHigh ? bits << 16 : bits;
}

}  // namespace

void UninitializedValues::BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>& waves) {
  std::vector<Marks>& marks = groups_.Begin(place);
  marks.reserve(waves.size());
  if (!waves.empty()) MarkUnwritten(waves[0].lds, waves[0].lds_bytes);
  for (const Wave& wave : waves) {
    MarkUnwritten(wave.scratch, size_t{wave.scratch_bytes} * wave.lanes);
    marks.emplace_back(wave);
  }
}

Status UninitializedValues::EndWorkgroup(const FaultPlace& place) {
  groups_.End(place);
  return OkStatus();
}

Status UninitializedValues::Report(const FaultPlace& place, const Wave& wave, std::string_view what,
                                   const MarkedBits& marked) const {
  const std::string lane =
      marked.lanes == FullExec(wave.lanes) ? "all lanes" : fmt::format("lane {}", std::countr_zero(marked.lanes));
  return Error(
      ErrorId::kEmulatorUninitializedValue,
      {.what = fmt::format("{} depends on a value that nobody wrote", what),
       .where = fmt::format("{}, in {}", Describe(place, wave), lane),
       .found = DescribeOrigin(place, wave, marked.origin),
       .expected = "a value that the host or the kernel has written before",
       .next = "Write the memory before the launch, or give masked loads a value for the lanes that are off."});
}

Status UninitializedValues::CheckMemory(const FaultPlace& place, const Wave& wave, const Micro& micro) const {
  const OpInfo& info = Info(micro.op);
  const Marks& marks = *marks_;
  const bool scalar = info.space == Space::kScalarMem || info.space == Space::kScalarBuffer;
  const u64 exec = scalar ? 1 : wave.Mask(kExec);
  for (const OperandUse& use : AddressOperands(micro)) {
    if (use.operand.kind == Operand::kNone) continue;
    const MarkedBits marked = marks.Of(use.operand, use.words, ~0u, exec);
    if (marked.lanes != 0) return Report(place, wave, "an address", marked);
  }
  const bool stores = info.shape == Shape::kAtomic || info.action == Action::kStore;
  const bool global = info.space != Space::kLds && info.space != Space::kScratch;
  if (!stores || !global || micro.src[2].kind == Operand::kNone) return OkStatus();
  const int words = std::max(1, info.count * info.element_bytes / 4);
  const MarkedBits marked = marks.Of(micro.src[2], words, StoredBits(info), exec);
  return marked.lanes == 0 ? OkStatus() : Report(place, wave, "what is stored to global memory", marked);
}

Status UninitializedValues::CheckCondition(const FaultPlace& place, const Wave& wave, const Micro& micro) const {
  const OpInfo& info = Info(micro.op);
  const Marks& marks = *marks_;
  for (int i = 0; i < info.sources; i++) {
    const int scalar = info.source[i].implicit;
    if (scalar < 0 || !marks.IsMarked(scalar)) continue;
    return Report(place, wave, "a branch", {FullExec(wave.lanes), marks.ScalarOrigin(scalar)});
  }
  return OkStatus();
}

Status UninitializedValues::BeforeMicro(const FaultPlace& place, const Wave& wave) {
  program_ = &place.executable->program;
  marks_ = &groups_.Of(place)[place.wave_index];
  const Micro& micro = MicroAt(place, wave);
  accesses_ = 0;
  switch (Info(micro.op).shape) {
    case Shape::kMemory:
    case Shape::kAtomic:
      RETURN_IF_ERROR(CheckMemory(place, wave, micro));
      break;
    case Shape::kBranch:
      RETURN_IF_ERROR(CheckCondition(place, wave, micro));
      break;
    default:
      break;
  }
  marks_->Step(micro, wave);
  return OkStatus();
}

void UninitializedValues::OnAccess(const Wave&, const MemoryAccess& access) {
  const Micro& micro = program_->code[access.micro];
  const OpInfo& info = Info(micro.op);
  const int step = accesses_++;
  if (access.store && !access.atomic) return;
  const bool by_element = info.space == Space::kBuffer || info.space == Space::kScalarBuffer;
  const int element = info.stride != 0 ? step * info.count : by_element ? step : 0;
  marks_->OnLoad(micro, access, element);
}

}  // namespace rocxla::emu
