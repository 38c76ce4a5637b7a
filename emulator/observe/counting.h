// The observer that fills Counters.
#pragma once
#include "emulator/observe/counters.h"
#include "emulator/observe/observer.h"

namespace rocxla::emu {

class Counting : public Observer {
 public:
  const Counters& counters() const { return counters_; }

  Status BeforeMicro(const FaultPlace& place, const Wave& wave) override;
  void OnAccess(const Wave& wave, const MemoryAccess& access) override;
  void OnBarrier(const FaultPlace&) override { counters_.barriers++; }

 private:
  void CountBanks(const Wave& wave, const MemoryAccess& access);
  Counters counters_;
};

}  // namespace rocxla::emu
