#include <cstdlib>

#include "base/error_ids.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"

namespace stream_executor::gpu {
namespace {

using ConformanceHostMemory = Conformance;

TEST_P(ConformanceHostMemory, PageLockedHostMemory) {
  const std::unique_ptr<MemoryAllocation> pinned = executor->HostMemoryAllocate(8192).value();
  auto* bytes = static_cast<char*>(pinned->address().opaque());
  EXPECT_TRUE(executor->IsHostMemoryPinned(bytes, 8192).value());
  EXPECT_TRUE(executor->IsHostMemoryPinned(bytes + 8191, 1).value());
  EXPECT_FALSE(executor->IsHostMemoryPinned(bytes + 1, 8192).value()) << "beyond its end";
  EXPECT_FALSE(executor->IsHostMemoryPinned(bytes, 0).value());
  EXPECT_FALSE(executor->IsHostMemoryPinned(nullptr, 1).value());
  const DeviceAddressBase device = Allocate(64);
  EXPECT_FALSE(executor->IsHostMemoryPinned(device.opaque(), 64).value());
  EXPECT_OK(executor->Deallocate(device));
  if (StreamExecutor* other = OtherDevice()) {
    EXPECT_TRUE(other->IsHostMemoryPinned(bytes, 8192).value()) << "whoever locked it";
  }
}

TEST_P(ConformanceHostMemory, RegisteredHostMemory) {
  constexpr uint64_t kPage = 4096;
  std::unique_ptr<void, decltype(&std::free)> owner(std::aligned_alloc(kPage, 4 * kPage), &std::free);
  auto* memory = static_cast<char*>(owner.get());
  EXPECT_FALSE(executor->IsHostMemoryPinned(memory, kPage).value());
  EXPECT_EQ(executor->HostMemoryUnregister(memory).id(), ErrorId::kBadDeviceAddress);
  EXPECT_OK(executor->HostMemoryRegister(memory, 2 * kPage));
  EXPECT_TRUE(executor->IsHostMemoryPinned(memory, 2 * kPage).value());
  EXPECT_FALSE(executor->IsHostMemoryPinned(memory, 3 * kPage).value());
  EXPECT_EQ(executor->GetPointerMemorySpace(memory).value(), MemorySpace::kHost);
  EXPECT_EQ(executor->HostMemoryRegister(memory, kPage).id(), ErrorId::kBadMemoryRequest) << "already";
  EXPECT_EQ(executor->Deallocate(DeviceAddressBase(memory, kPage)).id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(executor->HostMemoryUnregister(memory + kPage).id(), ErrorId::kBadDeviceAddress) << "an inner address";
  EXPECT_OK(executor->HostMemoryUnregister(memory));
  EXPECT_FALSE(executor->IsHostMemoryPinned(memory, kPage).value());
  EXPECT_EQ(executor->HostMemoryRegister(nullptr, kPage).id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(executor->HostMemoryRegister(memory, 0).id(), ErrorId::kBadMemoryRequest);
}

CONFORMANCE_SUITE(ConformanceHostMemory);

}  // namespace
}  // namespace stream_executor::gpu
