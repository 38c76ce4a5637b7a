#include "xla/stream_executor/rocm/pci_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace stream_executor::gpu {
namespace {

namespace fs = std::filesystem;

struct Encoding {
  int64_t up_to_megatransfers, data, line;
};
constexpr Encoding kEncodings[] = {
#define PCIE_ENCODING(megatransfers, data, line) {megatransfers, data, line},
#include "xla/stream_executor/rocm/pcie_encodings.def"
#undef PCIE_ENCODING
};
constexpr int64_t kMaxLanes = 32;

// The number that a file begins with, as in "16.0 GT/s PCIe".
std::optional<double> NumberIn(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

void TakeSmaller(std::optional<int64_t>& smallest, std::optional<int64_t> value) {
  if (value) smallest = smallest ? std::min(*smallest, *value) : *value;
}

// Of the link above one device; empty when it does not say (a root complex has none).
std::optional<int64_t> LinkBytesPerSecond(const fs::path& device) {
  const std::optional<double> gigatransfers = NumberIn(device / "max_link_speed");
  const std::optional<double> lanes = NumberIn(device / "current_link_width");
  if (!gigatransfers || !lanes || !(*gigatransfers > 0 && *gigatransfers < 1e6) || !(*lanes > 0 && *lanes < 1e6)) {
    return std::nullopt;
  }
  return PcieBytesPerSecond(std::llround(*gigatransfers * 1000), std::llround(*lanes));
}

bool IsHexNumber(std::string_view text, size_t digits) {
  return text.size() == digits && std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace

std::optional<std::string> NormalisedPciBusId(std::string_view text) {
  std::string id(text);
  if (std::ranges::count(id, ':') == 1) id = "0000:" + id;
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string_view view = id;
  const bool well_formed = view.size() == 12 && IsHexNumber(view.substr(0, 4), 4) && view[4] == ':' &&
                           IsHexNumber(view.substr(5, 2), 2) && view[7] == ':' && IsHexNumber(view.substr(8, 2), 2) &&
                           view[10] == '.' && view[11] >= '0' && view[11] <= '7';
  return well_formed ? std::optional(id) : std::nullopt;
}

std::optional<int64_t> PcieBytesPerSecond(int64_t megatransfers, int64_t lanes) {
  if (megatransfers <= 0 || lanes <= 0 || lanes > kMaxLanes) return std::nullopt;
  for (const Encoding& encoding : kEncodings) {
    if (megatransfers > encoding.up_to_megatransfers) continue;
    constexpr int64_t kBitsPerSecond = 1'000'000, kBitsPerByte = 8;
    return megatransfers * kBitsPerSecond * lanes / kBitsPerByte * encoding.data / encoding.line;
  }
  return std::nullopt;
}

PciFacts ReadPciFacts(const std::string& sysfs_root, std::string_view bus_id) {
  const std::optional<std::string> id = NormalisedPciBusId(bus_id);
  if (!id) return {};
  std::error_code error;
  fs::path device = fs::canonical(fs::path(sysfs_root) / "bus/pci/devices" / *id, error);
  if (error) return {};
  PciFacts facts;
  if (const std::optional<double> node = NumberIn(device / "numa_node"); node && *node >= -1 && *node < 1e6) {
    // Linux says -1 on machines with one node; that is node 0.
    facts.numa_node = std::max<int64_t>(static_cast<int64_t>(*node), 0);
  }
  for (; NormalisedPciBusId(device.filename().string()); device = device.parent_path()) {
    TakeSmaller(facts.bytes_per_second, LinkBytesPerSecond(device));
  }
  return facts;
}

}  // namespace stream_executor::gpu
