// The ROCm device libraries (OCML: mathematics, OCKL: printf and the like), embedded as bitcode.
#pragma once
#include "base/status.h"
#include "base/target/target.h"

namespace llvm {
class Module;
}

namespace rocxla::triton {

// Gives bodies to the __ocml_* and __ockl_* functions that `module` declares, and to nothing else; defines the
// libraries' control constants (__oclc_*) for the target: IEEE denormals, no finite-only or unsafe shortcuts, correctly
// rounded square roots. Error: TritonUnsupportedOp for a declared function that the libraries do not have.
Status LinkDeviceLibraries(llvm::Module& module, const GpuTarget& target);

// Whether a function of this name exists.
bool HasDeviceFunction(std::string_view symbol);

}  // namespace rocxla::triton
