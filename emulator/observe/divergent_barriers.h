// Finds barriers that not all lanes of a wave reach together: __syncthreads() under a condition that differs between
// threads. Hardware counts waves, not lanes, so such a kernel seems to work, until the compiler arranges it otherwise.
#pragma once
#include <vector>

#include "emulator/observe/observer.h"
#include "emulator/observe/per_workgroup.h"

namespace rocxla::emu {

class DivergentBarriers : public Observer {
 public:
  void BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>& waves) override;
  Status BeforeMicro(const FaultPlace& place, const Wave& wave) override;
  Status EndWorkgroup(const FaultPlace& place) override;

 private:
  PerWorkgroup<std::vector<u64>> first_exec_;  // of each wave
};

}  // namespace rocxla::emu
