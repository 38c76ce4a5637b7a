// The observers that do the checks of check_list.h.
#pragma once
#include <memory>
#include <vector>

#include "emulator/observe/check_list.h"
#include "emulator/observe/observer.h"

namespace rocxla::emu {

// One per check that is on.
std::vector<std::unique_ptr<Observer>> MakeCheckers(const Checks& checks);

}  // namespace rocxla::emu
