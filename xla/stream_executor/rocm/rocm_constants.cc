#include "xla/stream_executor/rocm/rocm_constants.h"

#include <functional>
#include <string_view>

#include "xla/stream_executor/stream_executor.h"

namespace stream_executor::gpu {
namespace {

// FNV-1a; constants from its authors (Fowler, Noll, Vo).
uint64_t Fnv1a(std::span<const uint8_t> bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace

RocmConstants::Fingerprint RocmConstants::FingerprintOf(std::span<const uint8_t> content) {
  const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  return {content.size(), std::hash<std::string_view>()(text), Fnv1a(content)};
}

StatusOr<std::shared_ptr<const DeviceAddressBase>> RocmConstants::CreateOrShare(Stream& stream,
                                                                                std::span<const uint8_t> content) {
  const Fingerprint fingerprint = FingerprintOf(content);
  std::lock_guard lock(mutex_);
  std::erase_if(shared_, [](const auto& entry) { return entry.second.expired(); });
  if (const auto it = shared_.find(fingerprint); it != shared_.end()) {
    if (std::shared_ptr<const DeviceAddressBase> constant = it->second.lock()) return constant;
  }
  StreamExecutor& executor = stream.parent();
  ASSIGN_OR_RETURN(const DeviceAddressBase address, executor.Allocate(content.size()));
  std::shared_ptr<const DeviceAddressBase> constant(new DeviceAddressBase(address),
                                                    [&executor](const DeviceAddressBase* owned) {
                                                      (void)executor.Deallocate(*owned);
                                                      delete owned;
                                                    });
  RETURN_IF_ERROR(stream.Memcpy(*constant, content.data(), content.size()));
  RETURN_IF_ERROR(stream.BlockHostUntilDone());
  shared_[fingerprint] = constant;
  return constant;
}

}  // namespace stream_executor::gpu
