// What LLVM keeps per process, and how its fatal errors are confined.
#pragma once
#include <functional>
#include <shared_mutex>

#include "base/status.h"

namespace rocxla::triton {

// LLD resets LLVM's command line options, which code generation reads: generating code holds this shared, linking
// alone.
std::shared_mutex& LlvmOptionsMutex();

// Runs `work`, which may call LLVM. A fatal error or a crash inside becomes TritonCodegen with LLVM's text; what `work`
// had allocated is then lost. While a call is in progress, LLVM's crash recovery has the process's handlers of SIGSEGV
// and its like; they are given back afterwards. Initialises the AMDGPU target on first use.
Status RunConfined(const std::function<Status()>& work);

}  // namespace rocxla::triton
