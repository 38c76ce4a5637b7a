// RocmConstants: device copies of constant bytes, shared by content. Thread-safe.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/status.h"
#include "xla/stream_executor/stream.h"

namespace stream_executor::gpu {

class RocmConstants {
 public:
  // As StreamExecutor::CreateOrShareConstant, on the stream's device, which outlives the result.
  StatusOr<std::shared_ptr<const DeviceAddressBase>> CreateOrShare(Stream& stream, std::span<const uint8_t> content);

 private:
  // The size and two independent 64-bit hashes: equal for different bytes about once in 2^128 pairs.
  using Fingerprint = std::array<uint64_t, 3>;
  static Fingerprint FingerprintOf(std::span<const uint8_t> content);

  std::mutex mutex_;
  std::map<Fingerprint, std::weak_ptr<const DeviceAddressBase>> shared_;  // guarded by mutex_
};

}  // namespace stream_executor::gpu
