// A trace: every instruction of chosen waves, with the registers that it changed.
#pragma once
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "emulator/observe/observer.h"
#include "emulator/observe/trace_filter.h"

namespace rocxla::emu {

class Trace : public Observer {
 public:
  // `sink` gets one line at a time:
  //   workgroup 0,0,0 wave 1 pc 0x40: v_add_f32_e32 v1, v2, v3
  //       v1 = 0x3f800000 in lanes 0-63
  Trace(std::function<void(std::string_view)> sink, TraceFilter filter) : sink_(std::move(sink)), filter_(filter) {}

  Status BeforeMicro(const FaultPlace& place, const Wave& wave) override;
  Status EndWorkgroup(const FaultPlace& place) override;

 private:
  bool Shows(const FaultPlace& place) const;
  // What the last instruction that was shown has changed.
  void Finish();
  void PrintChanges(const Wave& before, const Wave& after) const;
  void PrintRow(int row, const u32* before, const u32* after, int lanes) const;

  const std::function<void(std::string_view)> sink_;
  const TraceFilter filter_;
  const Wave* wave_ = nullptr;    // that executes the last instruction that was shown
  std::unique_ptr<Wave> before_;  // the same before it
};

}  // namespace rocxla::emu
