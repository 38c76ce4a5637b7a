// What Linux says about a PCI device: its NUMA node, and how fast its way to the host is.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stream_executor::gpu {

// "0000:c1:00.0", lower case, from "0000:C1:00.0" or, without a domain, "c1:00.0". Empty for anything else.
std::optional<std::string> NormalisedPciBusId(std::string_view text);

// Bytes per second, each way, of a PCI Express link: what the line encoding of its generation leaves. Empty for a speed
// or width that no link has. `megatransfers`: per second and lane (2500, 5000, 8000, 16000, 32000, 64000).
std::optional<int64_t> PcieBytesPerSecond(int64_t megatransfers, int64_t lanes);

struct PciFacts {
  std::optional<int64_t> numa_node;
  std::optional<int64_t> bytes_per_second;  // of the slowest link on the way
};
// Looks into <sysfs_root>/bus/pci/devices. Facts that are not there stay empty.
//
// Many AMD GPUs carry a PCI switch of their own, so that the link that the GPU itself reports is the one inside the
// card: the slowest link of the whole path counts. An idle link runs slower to save power, hence the fastest speed that
// both of its ends can do is taken; the width, which the slot decides, is the current one.
PciFacts ReadPciFacts(const std::string& sysfs_root, std::string_view bus_id);

}  // namespace stream_executor::gpu
