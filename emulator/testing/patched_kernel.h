// Whole launches of a few instructions: the code of a kernel that Triton compiled is replaced by a test's.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "base/file.h"
#include "emulator/exec/launch.h"
#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {

// Launches `text`, assembled for a target of RDNA, in place of vector_add: s[0:1] points at the arguments, of which the
// first is `argument`; v0 holds the work-item ids. Blocks of at most 128 threads, waves of 32.
inline StatusOr<LaunchStats> LaunchAssembly(const std::string& target, const std::string& text, void* argument,
                                            const LaunchConfig& config, AddressSpace& memory,
                                            const LaunchOptions& options = {}) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(std::string(ROCXLA_TEST_CASES) + "/triton/vector_add_fp32/triton-" +
                                               target + "/kernel.hsaco"));
  ASSIGN_OR_RETURN(GpuTarget gpu, FindTarget(target));
  ASSIGN_OR_RETURN(std::vector<u8> code, Assemble(gpu, text));
  const std::vector<u8> image(bytes.begin(), bytes.end());
  ASSIGN_OR_RETURN(auto object, CodeObject::Load(image, gpu, memory));
  ASSIGN_OR_RETURN(const Kernel* kernel, object->GetKernel("vector_add"));
  if (code.size() > kernel->code_end - kernel->entry) return InternalError("the code does not fit the kernel's");
  std::memcpy(reinterpret_cast<void*>(kernel->entry), code.data(), code.size());
  std::vector<std::byte> arguments(kernel->metadata.explicit_bytes());
  std::memcpy(arguments.data(), &argument, sizeof argument);
  return Launch(*kernel, config, arguments, memory, options);
}

}  // namespace rocxla::emu
