#include "benchmarks/triton/kernel_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "emulator/exec/executable.h"
#include "emulator/hip/embedded_hip.h"
#include "emulator/hip/occupancy.h"
#include "emulator/loader/code_object.h"
#include "xla/stream_executor/rocm/device_selection.h"

namespace rocxla::bench {
namespace {

Status ReadCodeObject(const xla::tools::LaunchSpec& spec, std::span<const uint8_t> code_object, uint32_t shared_bytes,
                      const GpuTarget& target, KernelFigures& figures) {
  emu::AddressSpace memory;
  ASSIGN_OR_RETURN(std::shared_ptr<emu::CodeObject> object, emu::CodeObject::Load(code_object, target, memory));
  ASSIGN_OR_RETURN(const emu::Kernel* kernel, object->GetKernel(spec.kernel));
  ASSIGN_OR_RETURN(std::shared_ptr<const emu::Executable> executable, emu::GetExecutable(*kernel));
  const emu::KernelMetadata& metadata = kernel->metadata;
  figures.vgprs = static_cast<int>(metadata.vgpr_count);
  figures.spills = static_cast<int>(metadata.vgpr_spills);
  figures.lds_bytes = static_cast<int>(metadata.static_lds_bytes + shared_bytes);
  figures.static_instructions = static_cast<int64_t>(executable->program.micro_at.size());
  const int groups =
      emu::WorkgroupsPerMultiprocessor(target, figures.vgprs, figures.lds_bytes, spec.num_warps * target.wave_size);
  figures.occupancy = groups * spec.num_warps;
  return OkStatus();
}

Status Execute(const xla::tools::LaunchSpec& spec, std::span<const uint8_t> code_object, uint32_t shared_bytes,
               const GpuTarget& target, KernelFigures& figures) {
  ASSIGN_OR_RETURN(stream_executor::gpu::SelectedDevice device,
                   stream_executor::gpu::SelectDevice(fmt::format("embedded:{}", target.name)));
  emu::SetLaunchWatch({.count = true});
  emu::TakeLaunchTotals();
  const Status status = xla::tools::RunLaunch(spec, code_object, shared_bytes, *device.executor).status();
  const emu::LaunchTotals totals = emu::TakeLaunchTotals();
  emu::SetLaunchWatch({});
  RETURN_IF_ERROR(status);
  figures.executed_instructions = static_cast<int64_t>(totals.instructions);
  figures.lds_conflicts = static_cast<int64_t>(totals.counters.lds_conflicts);
  figures.matrix_instructions =
      static_cast<int64_t>(totals.counters.instructions[static_cast<size_t>(emu::InstructionClass::kMatrix)]);
  return OkStatus();
}

}  // namespace

StatusOr<KernelFigures> MeasureKernel(const xla::tools::LaunchSpec& spec, std::span<const uint8_t> code_object,
                                      uint32_t shared_bytes, const GpuTarget& target) {
  KernelFigures figures;
  RETURN_IF_ERROR(ReadCodeObject(spec, code_object, shared_bytes, target, figures));
  RETURN_IF_ERROR(Execute(spec, code_object, shared_bytes, target, figures));
  return figures;
}

}  // namespace rocxla::bench
