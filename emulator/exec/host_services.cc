#include "emulator/exec/host_services.h"

#include <cstring>

#include "emulator/exec/kernel_heap.h"

namespace rocxla::emu {
namespace {

// The layout that HIP's cooperative groups know. One grid: it needs no state of several.
struct GridState {
  u64 all_grids = 0;
  u32 grid = 0, grids = 1;
  u64 previous_threads = 0, threads = 0;
  u32 barrier[2] = {};  // of this grid
  u32 workgroups = 0;
};

bool Wants(const Kernel& kernel, std::string_view kind) {
  for (const KernelArgument& argument : kernel.metadata.arguments) {
    if (argument.value_kind == kind) return true;
  }
  return false;
}

u64 Product(const std::array<uint32_t, 3>& sizes) { return u64{sizes[0]} * sizes[1] * sizes[2]; }

constexpr std::string_view kPrintfBuffer = "hidden_printf_buffer", kHostCallBuffer = "hidden_hostcall_buffer",
                           kGridState = "hidden_multigrid_sync_arg", kHeap = "hidden_heap_v1";

}  // namespace

HostServices::HostServices(const Kernel& kernel, AddressSpace& memory, const PrintSink& print)
    : kernel_(kernel), memory_(memory), print_(print), host_calls_(memory, print) {}

HostServices::~HostServices() {
  for (u64 address : {printf_buffer_, grid_state_}) {
    if (address != 0) [[maybe_unused]]
      Status ignored = memory_.Free(reinterpret_cast<void*>(address));
  }
}

Status HostServices::Prepare(const LaunchConfig& config, u64 waves) {
  if (Wants(kernel_, kPrintfBuffer)) {
    ASSIGN_OR_RETURN(printf_buffer_, PrintfBuffer::Create(memory_));
  }
  if (Wants(kernel_, kHostCallBuffer)) RETURN_IF_ERROR(host_calls_.Create(waves));
  if (Wants(kernel_, kHeap)) {
    ASSIGN_OR_RETURN(heap_, KernelHeap::Of(memory_).State());
  }
  if (Wants(kernel_, kGridState) && config.residency == Residency::kWholeGrid) {
    GridState state;
    state.threads = Product(config.grid_blocks) * Product(config.block_threads);
    state.workgroups = static_cast<u32>(Product(config.grid_blocks));
    ASSIGN_OR_RETURN(void* place, memory_.Allocate(sizeof state, 64, "state of the cooperative grid"));
    std::memcpy(place, &state, sizeof state);
    grid_state_ = reinterpret_cast<u64>(place);
  }
  return OkStatus();
}

std::optional<u64> HostServices::Argument(std::string_view kind) const {
  if (kind == kPrintfBuffer) return printf_buffer_;
  if (kind == kHostCallBuffer) return host_calls_.address();
  if (kind == kGridState) return grid_state_;
  if (kind == kHeap) return heap_;
  return std::nullopt;
}

void HostServices::Finish() {
  host_calls_.Serve();
  if (heap_ != 0) KernelHeap::Of(memory_).Release();
  if (printf_buffer_ != 0) PrintfBuffer::Print(printf_buffer_, *kernel_.object, print_);
}

}  // namespace rocxla::emu
