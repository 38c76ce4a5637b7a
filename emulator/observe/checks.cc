#include "emulator/observe/checks.h"

#include "emulator/observe/divergent_barriers.h"
#include "emulator/observe/races.h"
#include "emulator/observe/uninitialized.h"

namespace rocxla::emu {

std::vector<std::unique_ptr<Observer>> MakeCheckers(const Checks& checks) {
  std::vector<std::unique_ptr<Observer>> checkers;
  if (checks.barriers) checkers.push_back(std::make_unique<DivergentBarriers>());
  if (checks.races) checkers.push_back(std::make_unique<Races>());
  if (checks.uninitialized) checkers.push_back(std::make_unique<UninitializedValues>());
  return checkers;
}

}  // namespace rocxla::emu
