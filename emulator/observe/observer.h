// What may watch a launch, instruction by instruction: traces, counters, checkers. The launch runs on one host thread
// meanwhile, so that an observer needs no locks. Its workgroups run one after another or, in a cooperative launch, take
// turns: see per_workgroup.h.
#pragma once
#include <array>
#include <vector>

#include "base/status.h"
#include "emulator/exec/fault.h"
#include "emulator/exec/host_calls.h"

namespace rocxla::emu {

class Observer {
 public:
  virtual ~Observer() = default;
  // A workgroup begins; its waves have their first registers.
  virtual void BeginWorkgroup(const FaultPlace&, const std::vector<Wave>&) {}
  // The wave is about to execute the micro-op at its pc. An error ends the launch.
  virtual Status BeforeMicro(const FaultPlace&, const Wave&) { return OkStatus(); }
  // An access of the micro-op that BeforeMicro was last told of.
  virtual void OnAccess(const Wave&, const MemoryAccess&) {}
  // Every wave of the workgroup has arrived at a barrier.
  virtual void OnBarrier(const FaultPlace&) {}
  // The last chance for an error: of the last instructions, too.
  virtual Status EndWorkgroup(const FaultPlace&) { return OkStatus(); }
};

inline const Micro& MicroAt(const FaultPlace& place, const Wave& wave) {
  return place.executable->program.code[wave.pc];
}
inline bool BeginsInstruction(const Micro& micro) { return micro.weight != 0; }

// Several as one, in the order of the list.
class ObserverList : public Observer {
 public:
  void Add(Observer* observer) { observers_.push_back(observer); }  // not owned
  bool empty() const { return observers_.empty(); }

  void BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>& waves) override;
  Status BeforeMicro(const FaultPlace& place, const Wave& wave) override;
  void OnAccess(const Wave& wave, const MemoryAccess& access) override;
  void OnBarrier(const FaultPlace& place) override;
  Status EndWorkgroup(const FaultPlace& place) override;

 private:
  std::vector<Observer*> observers_;
};

}  // namespace rocxla::emu
