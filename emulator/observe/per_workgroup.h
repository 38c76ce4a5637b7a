// What an observer keeps of each workgroup that runs.
#pragma once
#include <array>
#include <map>

#include "emulator/exec/fault.h"

namespace rocxla::emu {

// The workgroup that was asked for last is found without a search.
template <class State>
class PerWorkgroup {
 public:
  // A new state for a workgroup that begins.
  State& Begin(const FaultPlace& place) {
    states_.erase(place.block);
    current_ = nullptr;
    return Of(place);
  }
  // The state of a workgroup between Begin and End.
  State& Of(const FaultPlace& place) {
    if (current_ == nullptr || place.block != block_) {
      current_ = &states_[place.block];
      block_ = place.block;
    }
    return *current_;
  }
  void End(const FaultPlace& place) {
    states_.erase(place.block);
    current_ = nullptr;
  }

 private:
  std::map<std::array<u32, 3>, State> states_;  // its elements stay where they are
  std::array<u32, 3> block_{};
  State* current_ = nullptr;
};

}  // namespace rocxla::emu
