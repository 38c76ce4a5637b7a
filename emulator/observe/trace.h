// A trace: every instruction of chosen waves, with the registers that it changed.
#pragma once
#include <functional>
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

  void BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>& waves) override;
  Status BeforeMicro(const FaultPlace& place, const Wave& wave) override;
  Status EndWorkgroup() override;

 private:
  bool Shows(const FaultPlace& place) const;
  void PrintChanges(const Wave& before, const Wave& after) const;
  void PrintRow(int row, const u32* before, const u32* after, int lanes) const;

  const std::function<void(std::string_view)> sink_;
  const TraceFilter filter_;
  std::vector<Wave> before_;                // each wave at its last step
  std::vector<bool> begun_;                 // whether it has executed anything
  const std::vector<Wave>* now_ = nullptr;  // of the current workgroup
};

}  // namespace rocxla::emu
