// Finds data races: two waves that access the same bytes, at least one of them with a store, where nothing orders the
// one before the other.
//
// Waves of a workgroup are ordered by its barriers. Workgroups are ordered by atomics: one that returned a value, or a
// load, orders what its workgroup does afterwards behind what others did before their atomics to the same word.
// (Hardware also wants the caches written back and invalidated; that is not looked at.) What is no race: two atomics;
// an atomic and a load, since atomic loads are ordinary ones in machine code; a store that changes nothing, which
// compilers let several waves do. Lanes of one wave are not looked at: they run in step. An atomic store is an ordinary
// one, too: where a loop waits for it, its reader must be told apart by hand.
#pragma once
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/observe/observer.h"
#include "emulator/observe/per_workgroup.h"

namespace rocxla::emu {

class Races : public Observer {
 public:
  void BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>& waves) override;
  Status BeforeMicro(const FaultPlace& place, const Wave& wave) override;
  void OnAccess(const Wave& wave, const MemoryAccess& access) override;
  void OnBarrier(const FaultPlace& place) override { groups_.Of(place).phase++; }
  Status EndWorkgroup(const FaultPlace& place) override;

 private:
  // Who accessed a byte, when and where.
  struct Stamp {
    u32 group = 0;  // counted from 1; 0: nobody
    u32 wave = 0;
    u64 phase = 0;  // of the group: counts its barriers
    u32 time = 0;   // of the group: counts its atomics
    u32 micro = 0;
    bool atomic = false;
  };
  struct Cell {
    Stamp write, read;
    Stamp read_by_another;  // wave than `read`'s, in the same phase; group 0: by none
  };
  // By group: how far the owner has seen it. What is missing has not been seen at all.
  using Clock = std::unordered_map<u32, u32>;

  struct Group {
    u32 number = 0, time = 1;
    u64 phase = 0;
    Clock seen;
    std::unordered_map<u64, Cell> lds;  // by byte address
  };

  bool IsOrdered(const Stamp& before, const Stamp& now) const;
  void Touch(Cell& cell, const Stamp& now, bool store, u64 address, const MemoryAccess& access, int lane);
  // OK when nothing was found, or what was suspected has turned out to be harmless.
  Status Settle();
  void Acquire(u64 address);
  void Synchronize(const MemoryAccess& access, bool returns);
  // What conflicts with `before`, now; a load is an error, a store is suspected.
  void Conflict(const Stamp& before, bool before_stores, const Stamp& now, u64 address, const MemoryAccess& access,
                int lane);
  Status Report(const Stamp& before, bool before_stores, const Stamp& now, u64 address, const MemoryAccess& access,
                int lane) const;

  std::unordered_map<u64, Cell> global_;     // by byte address
  std::unordered_map<u64, Clock> released_;  // by atomic word
  std::vector<std::array<u32, 3>> blocks_;   // of each group
  PerWorkgroup<Group> groups_;
  // Of the current micro-op.
  Group* group_ = nullptr;
  FaultPlace place_;
  const Wave* wave_ = nullptr;
  // A store that conflicts with what other waves did, until it is known whether it changes anything.
  struct Suspicion {
    std::vector<std::pair<u64, u8>> bytes;  // address, content before the store
    Status report;                          // of the first byte
  };
  Suspicion suspicion_;
  Status found_;
};

}  // namespace rocxla::emu
