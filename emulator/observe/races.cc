#include "emulator/observe/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error_ids.h"
#include "emulator/isa/op.h"

namespace rocxla::emu {

void Races::BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>&) {
  blocks_.push_back(place.block);
  groups_.Begin(place).number = static_cast<u32>(blocks_.size());
}

Status Races::BeforeMicro(const FaultPlace& place, const Wave& wave) {
  RETURN_IF_ERROR(Settle());
  place_ = place;
  wave_ = &wave;
  group_ = &groups_.Of(place);
  return OkStatus();
}

Status Races::EndWorkgroup(const FaultPlace& place) {
  groups_.End(place);
  return Settle();
}

Status Races::Settle() {
  for (const auto& [address, before] : suspicion_.bytes) {
    const bool changed = *reinterpret_cast<const u8*>(address) != before;
    if (changed && found_.ok()) found_ = suspicion_.report;
  }
  suspicion_.bytes.clear();
  return found_;
}

bool Races::IsOrdered(const Stamp& before, const Stamp& now) const {
  if (before.group == 0 || (before.atomic && now.atomic)) return true;
  if (before.group == now.group) return before.wave == now.wave || before.phase < now.phase;
  const auto seen = group_->seen.find(before.group);
  return seen != group_->seen.end() && before.time <= seen->second;
}

void Races::Touch(Cell& cell, const Stamp& now, bool store, u64 address, const MemoryAccess& access, int lane) {
  const bool harmless = cell.write.atomic && !store;
  if (!harmless && !IsOrdered(cell.write, now)) Conflict(cell.write, true, now, address, access, lane);
  if (store) {
    for (const Stamp& read : {cell.read, cell.read_by_another}) {
      if (now.atomic || IsOrdered(read, now)) continue;
      Conflict(read, false, now, address, access, lane);
      break;
    }
    cell.write = now;
  }
  if (!store || now.atomic) {
    const bool same_time = cell.read.group == now.group && cell.read.phase == now.phase;
    if (!same_time) {
      cell.read_by_another = {};
    } else if (cell.read.wave != now.wave) {
      cell.read_by_another = cell.read;
    }
    cell.read = now;
  }
}

// Takes over what others published by atomics to the word.
void Races::Acquire(u64 address) {
  const auto published = released_.find(address);
  if (published == released_.end()) return;
  for (const auto& [group, time] : published->second) {
    u32& seen = group_->seen[group];
    seen = std::max(seen, time);
  }
}

// An atomic publishes what its group has seen and done; one that returns a value takes over what others published.
void Races::Synchronize(const MemoryAccess& access, bool returns) {
  for (u64 e = access.lanes; e != 0; e &= e - 1) {
    const u64 address = access.addresses[std::countr_zero(e)];
    if (returns) Acquire(address);
    Clock& published = released_[address];
    for (const auto& [group, time] : group_->seen) {
      u32& known = published[group];
      known = std::max(known, time);
    }
    published[group_->number] = group_->time;
  }
  group_->time++;
}

void Races::OnAccess(const Wave& wave, const MemoryAccess& access) {
  if (!found_.ok() || access.space == Space::kScratch) return;
  const Micro& micro = place_.executable->program.code[access.micro];
  const bool is_lds = access.space == Space::kLds;
  const Stamp now = {group_->number, wave.index, group_->phase, group_->time, access.micro, access.atomic};
  for (u64 e = access.lanes; e != 0 && found_.ok(); e &= e - 1) {
    const int lane = std::countr_zero(e);
    if (!access.store && !access.atomic && !is_lds) Acquire(access.addresses[lane]);
    for (u64 byte = access.addresses[lane]; byte < access.addresses[lane] + access.bytes; byte++) {
      Touch(is_lds ? group_->lds[byte] : global_[byte], now, access.store, byte, access, lane);
    }
  }
  if (access.atomic && !is_lds) Synchronize(access, micro.dst[0].kind != Operand::kNone);
}

void Races::Conflict(const Stamp& before, bool before_stores, const Stamp& now, u64 address, const MemoryAccess& access,
                     int lane) {
  if (!access.store) {
    if (found_.ok()) found_ = Report(before, before_stores, now, address, access, lane);
    return;
  }
  if (suspicion_.bytes.empty()) suspicion_.report = Report(before, before_stores, now, address, access, lane);
  suspicion_.bytes.emplace_back(address, *reinterpret_cast<const u8*>(address));
}

Status Races::Report(const Stamp& before, bool before_stores, const Stamp& now, u64 address, const MemoryAccess& access,
                     int lane) const {
  const auto [x, y, z] = blocks_[before.group - 1];
  std::string where;
  if (access.space == Space::kLds) {
    where = fmt::format("offset {} of LDS", address - reinterpret_cast<u64>(wave_->lds));
  } else if (auto range = wave_->memory->Find(reinterpret_cast<const void*>(address))) {
    where = fmt::format("byte {} of '{}' ({} bytes at {:#x})", address - range->begin, range->label, range->size,
                        range->begin);
  }
  const bool same_group = before.group == now.group;
  return Error(
      ErrorId::kEmulatorDataRace,
      {.what = fmt::format("two waves access {} without an order", where),
       .where = fmt::format("{}, in lane {}", Describe(place_, *wave_), lane),
       .found = fmt::format("a {} before, by wave {} of workgroup {},{},{} at {}", before_stores ? "store" : "load",
                            before.wave, x, y, z, DescribeInstruction(place_, before.micro)),
       .expected =
           same_group ? "a barrier between the two" : "no overlap between workgroups, or atomics that order them",
       .next = same_group ? "Put a barrier (__syncthreads) between them." : "Make both atomic, or split the kernel."});
}

}  // namespace rocxla::emu
