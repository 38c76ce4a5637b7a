#include "emulator/exec/kernarg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "base/error_ids.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"

namespace rocxla::emu {
namespace {

namespace hsa = llvm::amdhsa;

// The value of a hidden argument; nothing if the embedded device has none to give.
std::optional<u64> HiddenValue(std::string_view kind, const LaunchConfig& c) {
  using Getter = std::function<u64(const LaunchConfig&)>;
  auto constant = [](u64 value) { return [value](const LaunchConfig&) { return value; }; };
  static const std::map<std::string_view, Getter> values = {
      {"hidden_block_count_x", [](const LaunchConfig& l) { return l.grid_blocks[0]; }},
      {"hidden_block_count_y", [](const LaunchConfig& l) { return l.grid_blocks[1]; }},
      {"hidden_block_count_z", [](const LaunchConfig& l) { return l.grid_blocks[2]; }},
      {"hidden_group_size_x", [](const LaunchConfig& l) { return l.block_threads[0]; }},
      {"hidden_group_size_y", [](const LaunchConfig& l) { return l.block_threads[1]; }},
      {"hidden_group_size_z", [](const LaunchConfig& l) { return l.block_threads[2]; }},
      {"hidden_dynamic_lds_size", [](const LaunchConfig& l) { return l.dynamic_lds_bytes; }},
      {"hidden_grid_dims",
       [](const LaunchConfig& l) {
         bool z = l.grid_blocks[2] * l.block_threads[2] > 1, y = l.grid_blocks[1] * l.block_threads[1] > 1;
         return z ? 3 : y ? 2 : 1;
       }},
      // Grids consist of whole blocks and begin at 0.
      {"hidden_remainder_x", constant(0)},
      {"hidden_remainder_y", constant(0)},
      {"hidden_remainder_z", constant(0)},
      {"hidden_global_offset_x", constant(0)},
      {"hidden_global_offset_y", constant(0)},
      {"hidden_global_offset_z", constant(0)},
      {"hidden_shared_base", constant(kSharedAperture >> 32)},
      {"hidden_private_base", constant(kPrivateAperture >> 32)},
      // What the embedded device does not have: using a null pointer is reported as a memory fault.
      {"hidden_none", constant(0)},
      {"hidden_default_queue", constant(0)},
      {"hidden_completion_action", constant(0)},
      {"hidden_queue_ptr", constant(0)},
  };
  auto it = values.find(kind);
  return it == values.end() ? std::nullopt : std::optional<u64>(it->second(c));
}

bool Enables(const Kernel& k, u32 property) { return (k.descriptor.code_properties & property) != 0; }
u32 Rsrc2Field(const Kernel& k, u32 mask) { return k.descriptor.rsrc2 & mask; }

// The buffer resource through which gfx90a accesses scratch: swizzled, and the lane's number is added. The memory
// operations recognise it by its base; its kernels add the wave's offset to it, which is zero here.
std::array<u32, 4> ScratchResource(const Wave& w) {
  u64 base = reinterpret_cast<u64>(w.scratch);
  constexpr u32 kSwizzle = 1u << 31, kAddLane = 1u << 23;
  return {static_cast<u32>(base), static_cast<u32>(base >> 32) | kSwizzle, w.scratch_bytes * 64, kAddLane};
}

// User SGPRs in their fixed order; returns the number of the first system SGPR.
int SetUserRegisters(Wave& w, const StartState& s) {
  const Kernel& k = *s.kernel;
  int n = 0;
  auto pair = [&](u64 value) {
    w.scalar[n++] = static_cast<u32>(value);
    w.scalar[n++] = static_cast<u32>(value >> 32);
  };
  if (Enables(k, hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER)) {
    for (u32 word : ScratchResource(w)) w.scalar[n++] = word;
  }
  if (Enables(k, hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR)) pair(s.dispatch_packet);
  if (Enables(k, hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR)) pair(0);
  if (Enables(k, hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR)) pair(reinterpret_cast<u64>(s.kernarg));
  if (Enables(k, hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID)) pair(0);
  if (Enables(k, hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT)) pair(0);
  if (Enables(k, hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE)) {
    w.scalar[n++] = ScratchBytes(k);
  }
  u32 preload = k.descriptor.kernarg_preload;
  u32 length = preload & hsa::KERNARG_PRELOAD_SPEC_LENGTH;
  u32 offset = preload >> hsa::KERNARG_PRELOAD_SPEC_OFFSET_SHIFT;
  for (u32 i = 0; i < length && 4 * (offset + i + 1) <= k.metadata.kernarg_segment_size; i++) {
    w.scalar[n + i] = s.kernarg[offset + i];
  }
  u32 count = Rsrc2Field(k, hsa::COMPUTE_PGM_RSRC2_GFX6_GFX120_USER_SGPR_COUNT) >> 1;
  return count != 0 ? static_cast<int>(count) : n;
}

// The workgroup's ids; returns how many SGPRs are set then.
int SetSystemRegisters(Wave& w, const StartState& s, std::array<u32, 3> block, int n) {
  if (s.executable->context.gfx12()) {
    w.scalar[kTtmp + 9] = block[0];
    w.scalar[kTtmp + 7] = block[1] | block[2] << 16;
    return n;
  }
  const Kernel& k = *s.kernel;
  if (Rsrc2Field(k, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_X) != 0) w.scalar[n++] = block[0];
  if (Rsrc2Field(k, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Y) != 0) w.scalar[n++] = block[1];
  if (Rsrc2Field(k, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Z) != 0) w.scalar[n++] = block[2];
  return n;
}

// Lanes beyond the block's end are off from the start.
void SetLanes(Wave& w, const StartState& s, u32 index) {
  const u32 first = index * w.lanes, threads = static_cast<u32>(s.work_items.size());
  const u32 on = std::min<u32>(w.lanes, threads - first);
  std::memcpy(w.row[0], &s.work_items[first], on * sizeof(u32));
  const u64 exec = ~u64{0} >> (64 - on);
  w.scalar[kExec] = static_cast<u32>(exec);
  w.scalar[kExec + 1] = static_cast<u32>(exec >> 32);
}

}  // namespace

StatusOr<std::vector<std::byte>> BuildKernarg(const Kernel& kernel, const LaunchConfig& config,
                                              std::span<const std::byte> explicit_args, const HostServices& services) {
  const KernelMetadata& m = kernel.metadata;
  u32 wanted = m.explicit_bytes();
  constexpr u32 kPadding = 15;  // callers may round up
  if (explicit_args.size() < wanted || explicit_args.size() > wanted + kPadding) {
    return Error(ErrorId::kEmulatorBadLaunch,
                 {.what = fmt::format("kernel '{}' is launched with arguments of the wrong size", kernel.name),
                  .found = fmt::format("{} bytes", explicit_args.size()),
                  .expected = fmt::format(
                      "{} bytes ({} explicit arguments)", wanted,
                      std::count_if(m.arguments.begin(), m.arguments.end(), [](auto& a) { return !a.is_hidden(); }))});
  }
  std::vector<std::byte> segment(m.kernarg_segment_size);
  std::copy_n(explicit_args.begin(), std::min<size_t>(wanted, segment.size()), segment.begin());
  for (const KernelArgument& argument : m.arguments) {
    if (!argument.is_hidden()) continue;
    std::optional<u64> value = services.Argument(argument.value_kind);
    if (!value) value = HiddenValue(argument.value_kind, config);
    if (!value) {
      return Error(ErrorId::kEmulatorBadLaunch,
                   {.what = fmt::format("kernel '{}' wants a hidden argument that the embedded GPU does not provide",
                                        kernel.name),
                    .found = argument.value_kind});
    }
    std::memcpy(segment.data() + argument.offset, &*value, std::min<size_t>(argument.size, sizeof *value));
  }
  return segment;
}

std::array<std::byte, 64> BuildDispatchPacket(const Kernel& kernel, const LaunchConfig& config, uint64_t kernarg) {
  // hsa_kernel_dispatch_packet_t of the HSA runtime specification.
  struct Packet {
    u16 header = 0, setup = 3;
    u16 workgroup[3] = {};
    u16 reserved0 = 0;
    u32 grid[3] = {};
    u32 private_bytes = 0, group_bytes = 0;
    u64 kernel_object = 0, kernarg = 0, reserved1 = 0, completion = 0;
  } packet;
  static_assert(sizeof packet == 64);
  for (int i = 0; i < 3; i++) {
    packet.workgroup[i] = static_cast<u16>(config.block_threads[i]);
    packet.grid[i] = config.block_threads[i] * config.grid_blocks[i];
  }
  packet.private_bytes = ScratchBytes(kernel);
  packet.group_bytes = kernel.descriptor.group_segment_fixed_size + config.dynamic_lds_bytes;
  packet.kernarg = kernarg;
  std::array<std::byte, 64> bytes;
  std::memcpy(bytes.data(), &packet, sizeof packet);
  return bytes;
}

u32 ScratchBytes(const Kernel& kernel) {
  constexpr u32 kDynamicStack = 16384;
  bool dynamic = Enables(kernel, hsa::KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK);
  return kernel.descriptor.private_segment_fixed_size + (dynamic ? kDynamicStack : 0);
}

void CopyLiterals(Wave& wave, const Program& program) {
  std::memcpy(wave.scalar + kLiteral, program.literals.data(), program.literals.size() * sizeof(u32));
}

std::vector<u32> WorkItemIds(const LaunchConfig& config) {
  auto [nx, ny, nz] = config.block_threads;
  std::vector<u32> ids;
  for (u32 z = 0; z < nz; z++) {
    for (u32 y = 0; y < ny; y++) {
      for (u32 x = 0; x < nx; x++) ids.push_back(x | y << 10 | z << 20);
    }
  }
  return ids;
}

namespace {

// Hardware allocates vector registers in blocks of at least eight (of four in wave64 mode of RDNA).
u32 AllocatedRows(u32 registers) { return std::min<u32>((registers + 7) / 8 * 8, kAccRow); }

}  // namespace

void StartWave(Wave& w, const StartState& s, std::array<u32, 3> block, u32 index) {
  const Program& program = s.executable->program;
  const Kernel& k = *s.kernel;
  w.lanes = program.lanes;
  w.gfx9 = s.executable->context.gfx9();
  w.pc = 0;
  w.stop = Stop::kRunning;
  w.executed = 0;
  w.fault = {};
  std::memset(w.scalar, 0, kLiteral * sizeof(u32));
  CopyLiterals(w, program);
  // Registers start as zero, so that a kernel that reads one too early does so reproducibly.
  std::memset(w.row, 0, AllocatedRows(k.metadata.vgpr_count) * sizeof w.row[0]);
  std::memset(w.row[kAccRow], 0, AllocatedRows(k.metadata.agpr_count) * sizeof w.row[0]);
  w.first_scalars = SetSystemRegisters(w, s, block, SetUserRegisters(w, s));
  w.scalar[kMode] = s.executable->context.float_mode;
  w.scalar[kSharedBase + 1] = kSharedAperture >> 32;
  w.scalar[kPrivateBase + 1] = kPrivateAperture >> 32;
  SetLanes(w, s, index);
}

}  // namespace rocxla::emu
