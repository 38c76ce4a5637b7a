// The loader of code objects: any bytes are loaded or refused with an error for users, and what is loaded can be asked.
#include "base/file.h"
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "emulator/loader/code_object.h"

namespace rocxla {

std::vector<std::string> FuzzSeeds() {
  std::vector<std::string> seeds;
  for (const char* file :
       {"/triton/vector_add_fp32/triton-gfx1100/kernel.hsaco", "/triton/atomic_sum_fp32/triton-gfx1100/kernel.hsaco"}) {
    StatusOr<std::string> bytes = ReadFile(std::string(ROCXLA_TEST_CASES) + file);
    CHECK(bytes.ok()) << bytes.status().ToString();
    seeds.push_back(std::move(*bytes));
  }
  return seeds;
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  emu::AddressSpace memory;
  {
    auto object = emu::CodeObject::Load({data, size}, *FindTarget("gfx1100"), memory);
    CountOutcome(object.status());
    if (object.ok()) {
      for (const std::string& name : (*object)->KernelNames()) {
        const emu::Kernel* kernel = (*object)->FindKernel(name);
        CHECK(kernel != nullptr && kernel->entry < kernel->code_end) << name;
        (void)(*object)->SourceLine(kernel->entry);
      }
    }
  }
  CHECK(memory.allocated_bytes() == 0) << "a code object leaks " << memory.allocated_bytes() << " bytes";
  return 0;
}
