// Finds results that depend on memory or registers that nobody wrote. Unwritten values may be loaded, moved and
// calculated with: compilers do that where the result does not matter. They are an error where they begin to matter:
// in an address, in a condition, and in what is stored to global memory.
#pragma once
#include <vector>

#include "emulator/observe/marks.h"
#include "emulator/observe/observer.h"
#include "emulator/observe/per_workgroup.h"

namespace rocxla::emu {

class UninitializedValues : public Observer {
 public:
  void BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>& waves) override;
  Status BeforeMicro(const FaultPlace& place, const Wave& wave) override;
  void OnAccess(const Wave& wave, const MemoryAccess& access) override;
  Status EndWorkgroup(const FaultPlace& place) override;

 private:
  Status CheckMemory(const FaultPlace& place, const Wave& wave, const Micro& micro) const;
  Status CheckCondition(const FaultPlace& place, const Wave& wave, const Micro& micro) const;
  Status Report(const FaultPlace& place, const Wave& wave, std::string_view what, const MarkedBits& marked) const;

  PerWorkgroup<std::vector<Marks>> groups_;  // of each wave
  // Of the current micro-op and its wave.
  Marks* marks_ = nullptr;
  const Program* program_ = nullptr;
  int accesses_ = 0;
};

}  // namespace rocxla::emu
