#include "emulator/observe/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "emulator/isa/op.h"

namespace rocxla::emu {
namespace {

// Of one micro-op; an instruction's is the last of the list that any of its micro-ops has.
InstructionClass ClassOf(const OpInfo& info) {
  switch (info.shape) {
    case Shape::kVector:
    case Shape::kWave:
      return InstructionClass::kValu;
    case Shape::kScalar:
      return InstructionClass::kSalu;
    case Shape::kMatrix:
      return InstructionClass::kMatrix;
    case Shape::kBranch:
    case Shape::kJump:
      return InstructionClass::kBranch;
    case Shape::kControl:
      return InstructionClass::kOther;
    case Shape::kMemory:
    case Shape::kAtomic:
      break;
  }
  switch (info.space) {
    case Space::kScalarMem:
    case Space::kScalarBuffer:
      return InstructionClass::kSmem;
    case Space::kLds:
      return InstructionClass::kLds;
    case Space::kScratch:
      return InstructionClass::kScratch;
    default:
      return InstructionClass::kGlobal;
  }
}

bool UsesLanes(InstructionClass c) {
  return c == InstructionClass::kValu || c == InstructionClass::kMatrix || c == InstructionClass::kGlobal ||
         c == InstructionClass::kLds || c == InstructionClass::kScratch;
}

void Add(Counters::Bytes& to, const Counters::Bytes& from) {
  to.read += from.read;
  to.written += from.written;
}

std::string Share(u64 part, u64 whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::string_view InstructionClassName(InstructionClass c) {
  constexpr std::string_view kNames[] = {
#define X(name, text) text,
      ROCXLA_INSTRUCTION_CLASSES(X)
#undef X
  };
  return kNames[static_cast<size_t>(c)];
}

Status Counting::BeforeMicro(const FaultPlace& place, const Wave& wave) {
  if (!BeginsInstruction(MicroAt(place, wave))) return OkStatus();
  const std::vector<Micro>& code = place.executable->program.code;
  InstructionClass its = InstructionClass::kSalu;
  bool atomic = false;
  for (u32 i = wave.pc; i < code.size() && (i == wave.pc || code[i].weight == 0); i++) {
    const OpInfo& info = Info(code[i].op);
    its = std::max(its, ClassOf(info));
    atomic |= info.shape == Shape::kAtomic;
    if (info.shape == Shape::kBranch || info.shape == Shape::kJump || info.shape == Shape::kControl) break;
  }
  counters_.instructions[static_cast<size_t>(its)]++;
  counters_.atomics += atomic;
  if (UsesLanes(its)) {
    counters_.vector_lanes += std::popcount(wave.Mask(kExec));
    counters_.vector_lane_slots += wave.lanes;
  }
  return OkStatus();
}

void Counting::OnAccess(const Wave& wave, const MemoryAccess& access) {
  const u64 bytes = u64{access.bytes} * std::popcount(access.lanes);
  Counters::Bytes& moved = access.space == Space::kLds       ? counters_.lds
                           : access.space == Space::kScratch ? counters_.scratch
                                                             : counters_.global;
  if (!access.store || access.atomic) moved.read += bytes;
  if (access.store) moved.written += bytes;
  if (access.space == Space::kLds) CountBanks(wave, access);
}

void Counting::CountBanks(const Wave& wave, const MemoryAccess& access) {
  constexpr u32 kBanks = 32, kBankBytes = 4, kPassBytes = kBanks * kBankBytes;
  const int lanes_per_pass = static_cast<int>(std::max(1u, kPassBytes / std::max(access.bytes, kBankBytes)));
  for (int first = 0; first < wave.lanes; first += lanes_per_pass) {
    std::vector<u64> words[kBanks];
    for (int l = first; l < std::min(first + lanes_per_pass, wave.lanes); l++) {
      if ((access.lanes >> l & 1) == 0) continue;
      const u64 offset = access.addresses[l] - reinterpret_cast<u64>(wave.lds);
      for (u64 word = offset / kBankBytes; word <= (offset + access.bytes - 1) / kBankBytes; word++) {
        std::vector<u64>& bank = words[word % kBanks];
        if (std::find(bank.begin(), bank.end(), word) == bank.end()) bank.push_back(word);
      }
    }
    size_t passes = 0;
    for (const auto& bank : words) passes = std::max(passes, bank.size());
    counters_.lds_passes += passes;
    counters_.lds_conflicts += passes > 1 ? passes - 1 : 0;
  }
}

Counters& Counters::operator+=(const Counters& other) {
  for (size_t i = 0; i < instructions.size(); i++) instructions[i] += other.instructions[i];
  vector_lanes += other.vector_lanes;
  vector_lane_slots += other.vector_lane_slots;
  atomics += other.atomics;
  barriers += other.barriers;
  Add(global, other.global);
  Add(lds, other.lds);
  Add(scratch, other.scratch);
  lds_passes += other.lds_passes;
  lds_conflicts += other.lds_conflicts;
  return *this;
}

std::string Counters::ToString() const {
  std::string text;
  for (size_t i = 0; i < instructions.size(); i++) {
    text += fmt::format("  {:<24} {:>12}\n", InstructionClassName(static_cast<InstructionClass>(i)), instructions[i]);
  }
  text += fmt::format("  {:<24} {:>12}\n", "of these atomic", atomics);
  text += fmt::format("  {:<24} {:>12}\n", "barriers", barriers);
  text += fmt::format("  {:<24} {:>12}\n", "lanes active", Share(vector_lanes, vector_lane_slots));
  const std::pair<const char*, const Bytes*> levels[] = {{"global", &global}, {"LDS", &lds}, {"scratch", &scratch}};
  for (const auto& [name, bytes] : levels) {
    text +=
        fmt::format("  {:<24} {:>12} read, {} written\n", fmt::format("{} bytes", name), bytes->read, bytes->written);
  }
  text += fmt::format("  {:<24} {:>12} of {} passes\n", "LDS bank conflicts", lds_conflicts, lds_passes);
  return text;
}

}  // namespace rocxla::emu
