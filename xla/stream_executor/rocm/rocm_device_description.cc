#include "xla/stream_executor/rocm/rocm_device_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <string>

#include "xla/stream_executor/rocm/rocm_compute_capability.h"

namespace stream_executor::gpu {
namespace {

using rocxla::hipDeviceAttribute_t;

// HIP packs versions as major * 10^7 + minor * 10^5 + patch.
std::string VersionText(int packed) {
  return fmt::format("{}.{}.{}", packed / 10'000'000, packed / 100'000 % 100, packed % 100'000);
}

// Reads attributes of one device; unknown ones are -1.
class Attributes {
 public:
  Attributes(const HipApi& api, int ordinal) : api_(api), ordinal_(ordinal) {}
  int64_t operator()(hipDeviceAttribute_t attribute) const {
    int value = -1;
    return api_.hipDeviceGetAttribute(&value, attribute, ordinal_) == hipSuccess ? value : -1;
  }
  Dim3D Dim(hipDeviceAttribute_t x, hipDeviceAttribute_t y, hipDeviceAttribute_t z) const {
    const int64_t dx = (*this)(x), dy = (*this)(y), dz = (*this)(z);
    if (dx < 0 || dy < 0 || dz < 0) return {};
    return {static_cast<uint64_t>(dx), static_cast<uint64_t>(dy), static_cast<uint64_t>(dz)};
  }

 private:
  const HipApi& api_;
  int ordinal_;
};

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

// Linux says -1 on machines with one node; that is node 0. Unknown: -1.
int64_t NumaNode(const std::string& pci_bus_id) {
  if (pci_bus_id.empty()) return -1;
  int64_t node = 0;
  std::ifstream file(fmt::format("/sys/bus/pci/devices/{}/numa_node", pci_bus_id));
  return file >> node ? std::max<int64_t>(node, 0) : -1;
}

// From the table of products; else from the memory's clock and bus width, two transfers per clock.
int64_t MemoryBandwidth(const std::string& name, const RocmComputeCapability& capability, const Attributes& attribute) {
  if (const auto target = capability.target()) {
    for (const rocxla::GpuModel& model : rocxla::ModelsOf(*target)) {
      if (model.name == name) return model.bandwidth_gb_per_s * int64_t{1'000'000'000};
    }
  }
  const int64_t bus_bits = attribute(rocxla::hipDeviceAttributeMemoryBusWidth);
  const int64_t clock_khz = attribute(rocxla::hipDeviceAttributeMemoryClockRate);
  return bus_bits > 0 && clock_khz > 0 ? 2 * (bus_bits / 8) * clock_khz * 1000 : -1;
}

void SetIdentity(const HipApi& api, int ordinal, DeviceDescription& description) {
  const std::string name = DeviceName(api, ordinal);
  description.set_name(name.empty() ? description.gcn_arch_name() : name);
  description.set_device_vendor("Advanced Micro Devices, Inc");
  description.set_platform_version(fmt::format("AMDGPU ISA version: {}", description.gcn_arch_name()));
  description.set_pci_bus_id(PciBusId(api, ordinal));
  description.set_numa_node(NumaNode(description.pci_bus_id()));
  int version = 0;
  if (api.hipRuntimeGetVersion(&version) == hipSuccess) description.set_runtime_version(VersionText(version));
  if (api.hipDriverGetVersion(&version) == hipSuccess) description.set_driver_version(VersionText(version));
}

void SetLimits(const Attributes& attribute, DeviceDescription& description) {
  using namespace rocxla;  // the attributes' names
  description.set_threads_per_warp(attribute(hipDeviceAttributeWarpSize));
  description.set_threads_per_block_limit(attribute(hipDeviceAttributeMaxThreadsPerBlock));
  description.set_threads_per_core_limit(attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor));
  description.set_thread_dim_limit(
      attribute.Dim(hipDeviceAttributeMaxBlockDimX, hipDeviceAttributeMaxBlockDimY, hipDeviceAttributeMaxBlockDimZ));
  description.set_block_dim_limit(
      attribute.Dim(hipDeviceAttributeMaxGridDimX, hipDeviceAttributeMaxGridDimY, hipDeviceAttributeMaxGridDimZ));
  description.set_registers_per_block_limit(attribute(hipDeviceAttributeMaxRegistersPerBlock));
  description.set_registers_per_core_limit(attribute(hipDeviceAttributeMaxRegistersPerMultiprocessor));
  description.set_shared_memory_per_block(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock));
  description.set_shared_memory_per_block_optin(description.shared_memory_per_block());
  description.set_shared_memory_per_core(attribute(hipDeviceAttributeMaxSharedMemoryPerMultiprocessor));
}

void SetCapacity(const HipApi& api, int ordinal, const RocmComputeCapability& capability, const Attributes& attribute,
                 DeviceDescription& description) {
  using namespace rocxla;  // the attributes' names
  description.set_core_count(attribute(hipDeviceAttributeMultiprocessorCount));
  description.set_fpus_per_core(capability.gfx9_mi100() || capability.gfx9_mi200() ? 64 : 128);
  if (const int64_t khz = attribute(hipDeviceAttributeClockRate); khz > 0) description.set_clock_rate_ghz(khz / 1e6);
  size_t bytes = 0;
  if (api.hipDeviceTotalMem(&bytes, ordinal) == hipSuccess) description.set_device_memory_size(bytes);
  description.set_memory_bandwidth(MemoryBandwidth(description.name(), capability, attribute));
  description.set_l2_cache_size(attribute(hipDeviceAttributeL2CacheSize));
  description.set_device_address_bits(64);
  description.set_ecc_enabled(attribute(hipDeviceAttributeEccEnabled));
  description.set_model_str(
      fmt::format("{}B RAM, {} cores", description.device_memory_size(), description.core_count()));
}

}  // namespace

StatusOr<std::unique_ptr<DeviceDescription>> CreateRocmDeviceDescription(const HipApi& api, int ordinal) {
  ASSIGN_OR_RETURN(std::string arch_name, ArchName(api, ordinal));
  auto description = std::make_unique<DeviceDescription>();
  description->set_gcn_arch_name(arch_name);
  const Attributes attribute(api, ordinal);
  SetIdentity(api, ordinal, *description);
  SetLimits(attribute, *description);
  SetCapacity(api, ordinal, RocmComputeCapability(arch_name), attribute, *description);
  return description;
}

}  // namespace stream_executor::gpu
