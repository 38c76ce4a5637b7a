// What LLVM 22 compiles wrongly for AMD GPUs, written otherwise: run after its optimiser, before its code generator.
// Each was found by comparing compiled kernels with interpreted ones; tests/e2e/random_kernels_test.cc has an example.
#pragma once
#include "base/target/target.h"
#include "llvm/IR/Module.h"

namespace rocxla::triton {

void AvoidLlvmDefects(llvm::Module& module, const GpuTarget& target);

}  // namespace rocxla::triton
