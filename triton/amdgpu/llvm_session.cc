#include "triton/amdgpu/llvm_session.h"

#include <fmt/format.h>

#include <mutex>

#include "base/error_ids.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser();
}

namespace rocxla::triton {
namespace {

void InitializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();  // of inline assembly
  });
}

thread_local std::string fatal_text;

void OnFatalError(void*, const char* reason, bool) {
  fatal_text = reason;
  // Leaves through RunSafely. Without a recovery context LLVM aborts, as it would without us.
  if (auto* context = llvm::CrashRecoveryContext::GetCurrent()) context->HandleExit(1);
}

// LLVM's handlers are installed while at least one RunConfined is in progress.
class HandlersInstalled {
 public:
  HandlersInstalled() {
    std::lock_guard lock(mutex_);
    if (users_++) return;
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(OnFatalError);
  }
  ~HandlersInstalled() {
    std::lock_guard lock(mutex_);
    if (--users_) return;
    llvm::remove_fatal_error_handler();
    llvm::CrashRecoveryContext::Disable();
  }

 private:
  static inline std::mutex mutex_;
  static inline int users_ = 0;
};

}  // namespace

std::shared_mutex& LlvmOptionsMutex() {
  static std::shared_mutex mutex;
  return mutex;
}

Status RunConfined(const std::function<Status()>& work) {
  InitializeTarget();
  HandlersInstalled handlers;
  fatal_text.clear();
  Status status;
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely([&] { status = work(); })) return status;
  return Error(ErrorId::kTritonCodegen, {.what = "LLVM stopped while it generated code",
                                         .found = fatal_text.empty() ? "a crash inside LLVM" : fatal_text,
                                         .next = "this is a bug of rocXLA: please report the Triton IR with it"});
}

}  // namespace rocxla::triton
