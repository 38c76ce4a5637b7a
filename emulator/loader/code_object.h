// A loaded AMD GPU code object: an ELF file (HSACO) placed in device memory, its kernels and its global variables.
//
// Format: LLVM's "User Guide for AMDGPU Backend", sections "ELF Code Object", "Code Object Metadata" and "Kernel
// Descriptor".
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/target/target.h"
#include "emulator/exec/address_space.h"

namespace rocxla::emu {

// One argument of a kernel, explicit or hidden, as the metadata describes it.
struct KernelArgument {
  std::string name;        // may be empty
  std::string value_kind;  // "by_value", "global_buffer", "dynamic_shared_pointer", "hidden_block_count_x", ...
  uint32_t offset = 0;     // bytes from the start of the kernarg segment
  uint32_t size = 0;       // bytes

  bool is_hidden() const { return value_kind.starts_with("hidden_"); }
};

// What the metadata note says about a kernel.
struct KernelMetadata {
  std::vector<KernelArgument> arguments;  // in order of offset
  uint32_t kernarg_segment_size = 0;
  uint32_t kernarg_segment_align = 8;
  uint32_t max_flat_workgroup_size = 0;
  uint32_t static_lds_bytes = 0;
  uint32_t private_segment_bytes = 0;  // per lane
  uint32_t wavefront_size = 0;
  uint32_t vgpr_count = 0, sgpr_count = 0, agpr_count = 0;
  uint32_t vgpr_spills = 0, sgpr_spills = 0;

  // Where the explicit arguments end.
  uint32_t explicit_bytes() const;
};

// The fields of the 64-byte kernel descriptor that execution depends on; the words are as in the file.
struct KernelDescriptor {
  uint32_t group_segment_fixed_size = 0;
  uint32_t private_segment_fixed_size = 0;
  uint32_t kernarg_size = 0;
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  uint16_t code_properties = 0;
  uint16_t kernarg_preload = 0;
};

struct Executable;  // the decoded kernel: emulator/exec/executable.h
class CodeObject;

// A kernel of a code object; lives as long as that.
struct Kernel {
  std::string name;
  KernelMetadata metadata;
  KernelDescriptor descriptor;
  uint64_t entry = 0;                     // device address of the first instruction
  uint64_t code_begin = 0, code_end = 0;  // the executable segment that holds it
  const CodeObject* object = nullptr;

  // Filled by the first launch, replaced when waves find more code.
  mutable std::mutex decode_mutex;
  mutable std::shared_ptr<const Executable> executable;  // guarded by decode_mutex
};

struct Symbol {
  void* address = nullptr;
  uint64_t size = 0;
};

class CodeObject {
 public:
  // Checks and loads `image`, whose bytes are copied. `memory` must outlive the object. Errors: EmulatorBadCodeObject,
  // EmulatorWrongTarget (compiled for another GPU than `device`), DeviceOutOfMemory. Never crashes on any bytes.
  static StatusOr<std::shared_ptr<CodeObject>> Load(std::span<const uint8_t> image, const GpuTarget& device,
                                                    AddressSpace& memory);
  ~CodeObject();
  CodeObject(const CodeObject&) = delete;
  CodeObject& operator=(const CodeObject&) = delete;

  const GpuTarget& target() const { return target_; }
  // In the order of the metadata.
  std::vector<std::string> KernelNames() const;
  // Null if there is none of that name.
  const Kernel* FindKernel(std::string_view name) const;
  // The same, or error EmulatorUnknownKernel, which lists the kernels.
  StatusOr<const Kernel*> GetKernel(std::string_view name) const;
  // A global variable (a kernel's name finds its code).
  std::optional<Symbol> FindSymbol(std::string_view name) const;

  // The format of a printf that the compiler knew, by the number that its messages bear.
  std::optional<std::string_view> FindPrintfFormat(uint64_t id) const;

  // "file.py:12" of the instruction at a device address, or "" without line tables. Slow; for messages.
  std::string SourceLine(uint64_t device_address) const;

 private:
  CodeObject(const GpuTarget& target, AddressSpace& memory) : target_(target), memory_(memory) {}
  struct NamedSymbol {
    std::string name;
    uint64_t value = 0;  // in the file's address space
    uint64_t size = 0;
  };
  friend class CodeObjectLoader;

  GpuTarget target_;
  AddressSpace& memory_;
  std::vector<uint8_t> image_;
  uint8_t* base_ = nullptr;     // where the file's lowest loaded address lies
  uint64_t first_address_ = 0;  // that lowest address
  uint64_t loaded_bytes_ = 0;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<NamedSymbol> symbols_;  // sorted by name
  std::map<uint64_t, std::string> printf_formats_;
};

}  // namespace rocxla::emu
