#include "xla/stream_executor/rocm/rocm_device_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "base/error_ids.h"
#include "base/target/multiprocessor.h"
#include "xla/stream_executor/rocm/pci_device.h"
#include "xla/stream_executor/rocm/rocm_compute_capability.h"

namespace stream_executor::gpu {
namespace {

using rocxla::hipDeviceAttribute_t;

// HIP packs versions as major * 10^7 + minor * 10^5 + patch.
std::string VersionText(int packed) {
  return fmt::format("{}.{}.{}", packed / 10'000'000, packed / 100'000 % 100, packed % 100'000);
}

// Reads attributes of one device; one that the runtime does not tell is empty.
class Attributes {
 public:
  Attributes(const HipApi& api, int ordinal) : api_(api), ordinal_(ordinal) {}
  std::optional<int64_t> operator()(hipDeviceAttribute_t attribute) const {
    int value = -1;
    const bool told = api_.hipDeviceGetAttribute(&value, attribute, ordinal_) == hipSuccess && value >= 0;
    return told ? std::optional<int64_t>(value) : std::nullopt;
  }
  // The same where 0 means that the runtime does not know.
  std::optional<int64_t> Positive(hipDeviceAttribute_t attribute) const {
    const std::optional<int64_t> value = (*this)(attribute);
    return value && *value > 0 ? value : std::nullopt;
  }
  std::optional<double> Gigahertz(hipDeviceAttribute_t kilohertz) const {
    const std::optional<int64_t> value = Positive(kilohertz);
    return value ? std::optional(static_cast<double>(*value) / 1e6) : std::nullopt;
  }
  std::optional<Dim3D> Dim(hipDeviceAttribute_t x, hipDeviceAttribute_t y, hipDeviceAttribute_t z) const {
    const std::optional<int64_t> dx = Positive(x), dy = Positive(y), dz = Positive(z);
    if (!dx || !dy || !dz) return std::nullopt;
    return Dim3D{static_cast<uint64_t>(*dx), static_cast<uint64_t>(*dy), static_cast<uint64_t>(*dz)};
  }

 private:
  const HipApi& api_;
  int ordinal_;
};

struct Figures {
  std::string_view gfx;
  int64_t fpus_per_cu, l1_bytes_per_cu, transaction_bytes, transactions_per_clock, gigabytes_per_second;
};
constexpr Figures kFigures[] = {
#define ROCM_FIGURES(...) {__VA_ARGS__},
#include "xla/stream_executor/rocm/rocm_figures.def"
#undef ROCM_FIGURES
};
// Null for an architecture without a row.
const Figures* FiguresOf(const RocmComputeCapability& capability) {
  const auto* row = std::ranges::find(kFigures, capability.gfx_version(), &Figures::gfx);
  return row == std::end(kFigures) ? nullptr : row;
}

// ROCm 6 and later have the first function; the other fills the older layout in every version.
StatusOr<std::string> ArchName(const HipApi& api, int ordinal) {
  std::string name;
  if (api.hipGetDevicePropertiesR0600 != nullptr) {
    rocxla::hipDeviceProp_tR0600 properties{};
    RETURN_IF_HIP_ERROR(api, hipGetDevicePropertiesR0600, &properties, ordinal);
    name.assign(properties.gcnArchName, strnlen(properties.gcnArchName, sizeof(properties.gcnArchName)));
  } else if (api.hipGetDeviceProperties != nullptr) {
    rocxla::hipDeviceProp_tR0000 properties{};
    RETURN_IF_HIP_ERROR(api, hipGetDeviceProperties, &properties, ordinal);
    name.assign(properties.gcnArchName, strnlen(properties.gcnArchName, sizeof(properties.gcnArchName)));
  }
  if (name.starts_with("gfx")) return name;
  return Error(ErrorId::kHipCallFailed, {.what = "the runtime does not tell the GPU's architecture",
                                         .where = fmt::format("device {} of {}", ordinal, api.origin),
                                         .found = fmt::format("'{}'", name),
                                         .expected = "a name that begins with gfx"});
}

std::string DeviceName(const HipApi& api, int ordinal) {
  char name[64] = {};
  return api.hipDeviceGetName(name, sizeof(name), ordinal) == hipSuccess ? name : "";
}

// Lower case, as in sysfs; "" for a device on no bus.
std::string PciBusId(const HipApi& api, int ordinal) {
  char text[64] = {};
  if (api.hipDeviceGetPCIBusId(text, sizeof(text), ordinal) != hipSuccess) return "";
  std::string id = text;
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return id;
}

std::optional<std::string> FirstWord(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  return file >> word ? std::optional(word) : std::nullopt;
}

// From the table of products, or of architectures; else from the memory's clock and bus width, two transfers per clock.
std::optional<int64_t> MemoryBandwidth(const std::string& name, const RocmComputeCapability& capability,
                                       const Attributes& attribute) {
  constexpr int64_t kGiga = 1'000'000'000;
  if (const auto target = capability.target()) {
    for (const rocxla::GpuModel& model : rocxla::ModelsOf(*target)) {
      if (model.name == name) return model.bandwidth_gb_per_s * kGiga;
    }
  }
  if (const Figures* figures = FiguresOf(capability)) return figures->gigabytes_per_second * kGiga;
  const std::optional<int64_t> bus_bits = attribute.Positive(rocxla::hipDeviceAttributeMemoryBusWidth);
  const std::optional<int64_t> clock_khz = attribute.Positive(rocxla::hipDeviceAttributeMemoryClockRate);
  if (!bus_bits || !clock_khz) return std::nullopt;
  return 2 * (*bus_bits / 8) * *clock_khz * 1000;
}

// How many other devices are reached over xGMI. Unknown when the runtime has no such function or does not answer.
std::optional<int64_t> XgmiPeers(const HipApi& api, int ordinal) {
  constexpr uint32_t kXgmi = 4;  // HSA_AMD_LINK_INFO_TYPE_XGMI
  int count = 0;
  if (api.hipExtGetLinkTypeAndHopCount == nullptr || api.hipGetDeviceCount(&count) != hipSuccess) return std::nullopt;
  int64_t peers = 0;
  for (int other = 0; other < count; ++other) {
    uint32_t type = 0, hops = 0;
    if (other == ordinal) continue;
    if (api.hipExtGetLinkTypeAndHopCount(ordinal, other, &type, &hops) != hipSuccess) return std::nullopt;
    peers += type == kXgmi ? 1 : 0;
  }
  return peers;
}

void SetIdentity(const HipApi& api, int ordinal, const std::string& sysfs_root, DeviceDescription& description) {
  const std::string name = DeviceName(api, ordinal);
  description.set_name(name.empty() ? description.gcn_arch_name() : name);
  description.set_device_vendor("Advanced Micro Devices, Inc");
  description.set_platform_version(fmt::format("AMDGPU ISA version: {}", description.gcn_arch_name()));
  int version = 0;
  if (api.hipRuntimeGetVersion(&version) == hipSuccess) description.set_runtime_version(VersionText(version));
  if (api.hipDriverGetVersion(&version) == hipSuccess) description.set_driver_version(VersionText(version));
  description.set_xgmi_active_links(XgmiPeers(api, ordinal));
  const std::string bus_id = PciBusId(api, ordinal);
  if (bus_id.empty()) return;
  description.set_pci_bus_id(bus_id);
  const PciFacts facts = ReadPciFacts(sysfs_root, bus_id);
  description.set_numa_node(facts.numa_node);
  description.set_pcie_bandwidth(facts.bytes_per_second);
  description.set_kernel_mode_driver_version(FirstWord(sysfs_root + "/module/amdgpu/version"));
}

void SetLimits(const Attributes& attribute, DeviceDescription& description) {
  using namespace rocxla;  // the attributes' names
  description.set_threads_per_warp(attribute.Positive(hipDeviceAttributeWarpSize));
  description.set_threads_per_block_limit(attribute.Positive(hipDeviceAttributeMaxThreadsPerBlock));
  description.set_threads_per_core_limit(attribute.Positive(hipDeviceAttributeMaxThreadsPerMultiProcessor));
  description.set_thread_dim_limit(
      attribute.Dim(hipDeviceAttributeMaxBlockDimX, hipDeviceAttributeMaxBlockDimY, hipDeviceAttributeMaxBlockDimZ));
  description.set_block_dim_limit(
      attribute.Dim(hipDeviceAttributeMaxGridDimX, hipDeviceAttributeMaxGridDimY, hipDeviceAttributeMaxGridDimZ));
  description.set_registers_per_block_limit(attribute.Positive(hipDeviceAttributeMaxRegistersPerBlock));
  description.set_registers_per_core_limit(attribute.Positive(hipDeviceAttributeMaxRegistersPerMultiprocessor));
  const std::optional<int64_t> per_block = attribute.Positive(hipDeviceAttributeMaxSharedMemoryPerBlock);
  description.set_shared_memory_per_block(per_block);
  description.set_shared_memory_per_block_optin(per_block);
  description.set_shared_memory_per_core(attribute.Positive(hipDeviceAttributeMaxSharedMemoryPerMultiprocessor));
}

void SetCapacity(const HipApi& api, int ordinal, const RocmComputeCapability& capability, const Attributes& attribute,
                 DeviceDescription& description) {
  using namespace rocxla;  // the attributes' names
  description.set_core_count(attribute.Positive(hipDeviceAttributeMultiprocessorCount));
  description.set_clock_rate_ghz(attribute.Gigahertz(hipDeviceAttributeClockRate));
  description.set_mem_clock_rate_ghz(attribute.Gigahertz(hipDeviceAttributeMemoryClockRate));
  size_t bytes = 0;
  if (api.hipDeviceTotalMem(&bytes, ordinal) == hipSuccess) description.set_device_memory_size(bytes);
  description.set_memory_bandwidth(MemoryBandwidth(description.name(), capability, attribute));
  description.set_l2_cache_size(attribute.Positive(hipDeviceAttributeL2CacheSize));
  description.set_device_address_bits(64);
  if (const std::optional<int64_t> ecc = attribute(hipDeviceAttributeEccEnabled))
    description.set_ecc_enabled(*ecc != 0);
  if (const Figures* figures = FiguresOf(capability)) {
    const auto target = capability.target();
    const int cus_per_core = target ? rocxla::ComputeUnitsPerMultiprocessor(*target) : 1;
    description.set_fpus_per_core(figures->fpus_per_cu * cus_per_core);
    description.set_l1_cache_size_per_core(figures->l1_bytes_per_cu * cus_per_core);
    description.set_dram_to_l2_transaction_size(figures->transaction_bytes);
    description.set_memory_transactions_per_clock(figures->transactions_per_clock);
  }
  if (!description.has_device_memory_size() || !description.has_core_count()) return;
  description.set_model_str(
      fmt::format("{}B RAM, {} cores", description.device_memory_size(), description.core_count()));
}

}  // namespace

StatusOr<std::unique_ptr<DeviceDescription>> CreateRocmDeviceDescription(const HipApi& api, int ordinal,
                                                                         const std::string& sysfs_root) {
  ASSIGN_OR_RETURN(std::string arch_name, ArchName(api, ordinal));
  auto description = std::make_unique<DeviceDescription>();
  description->set_gcn_arch_name(arch_name);
  const Attributes attribute(api, ordinal);
  SetIdentity(api, ordinal, sysfs_root, *description);
  SetLimits(attribute, *description);
  SetCapacity(api, ordinal, RocmComputeCapability(arch_name), attribute, *description);
  (void)api.hipGetLastError();  // since ROCm 7 the error of a question without an answer sticks to the thread
  return description;
}

}  // namespace stream_executor::gpu
