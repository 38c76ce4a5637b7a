#include <fmt/format.h>

#include <numeric>

#include "base/error_ids.h"
#include "xla/stream_executor/bfc_allocator.h"
#include "xla/stream_executor/device_address_allocator.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"

namespace stream_executor::gpu {
namespace {

using ::testing::HasSubstr;
using ConformanceMemory = Conformance;

constexpr MemorySpace kSpaces[] = {MemorySpace::kDevice, MemorySpace::kUnified, MemorySpace::kHost};

TEST_P(ConformanceMemory, EveryKindIsAllocatedAndFreedOnce) {
  for (const MemorySpace space : kSpaces) {
    const DeviceAddressBase address = executor->Allocate(1000, space).value();
    EXPECT_EQ(address.size(), 1000u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(address.opaque()) % 256, 0u);
    EXPECT_EQ(executor->GetPointerMemorySpace(address.opaque()).value(), space);
    EXPECT_OK(executor->Deallocate(address));
    EXPECT_EQ(executor->Deallocate(address).id(), ErrorId::kBadDeviceAddress) << "freed twice";
    EXPECT_EQ(executor->GetPointerMemorySpace(address.opaque()).status().id(), ErrorId::kBadDeviceAddress);
  }
  EXPECT_TRUE(executor->Allocate(0, MemorySpace::kDevice)->is_null());
  EXPECT_OK(executor->Deallocate(DeviceAddressBase()));
}

TEST_P(ConformanceMemory, ForeignPointers) {
  int mine = 0;
  EXPECT_EQ(executor->Deallocate(DeviceAddressBase(&mine, 4)).ToString(),
            fmt::format("E5021 BadDeviceAddress: the address is no allocation, or was freed already\n"
                        "  where:    device {} of {} ({})\n  found:    {}\n"
                        "  expected: an address that Allocate of this executor gave",
                        executor->device_ordinal(), executor->GetPlatform().Name(),
                        executor->GetDeviceDescription().name(), fmt::ptr(&mine)));
  const DeviceAddressBase address = Allocate(4096);
  EXPECT_EQ(executor->Deallocate(address.GetByteSlice(256, 256)).id(), ErrorId::kBadDeviceAddress);
  if (StreamExecutor* other = OtherDevice()) {
    EXPECT_EQ(other->Deallocate(address).id(), ErrorId::kBadDeviceAddress) << "another device's";
  }
  EXPECT_OK(executor->Deallocate(address));
}

TEST_P(ConformanceMemory, OutOfMemoryLeavesTheExecutorUsable) {
  const DeviceMemoryUsage usage = executor->GetDeviceMemoryUsage().value();
  EXPECT_LE(usage.free_bytes, usage.total_bytes);
  const uint64_t too_much = usage.total_bytes + 1;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Status status = executor->Allocate(too_much, MemorySpace::kDevice).status();
    EXPECT_EQ(status.id(), ErrorId::kDeviceOutOfMemory);
    EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
    EXPECT_THAT(status.message(), HasSubstr(fmt::format("expected: {} bytes", too_much)));
    EXPECT_THAT(status.message(), HasSubstr("bytes are free"));
  }
  const DeviceAddressBase address = Allocate(1 << 20);
  EXPECT_OK(stream->MemZero(address, 1 << 20));
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_OK(executor->Deallocate(address));
  EXPECT_EQ(executor->GetDeviceMemoryUsage()->free_bytes, usage.free_bytes);
}

TEST_P(ConformanceMemory, ExhaustedHost) {
  const Status status = executor->Allocate(uint64_t{1} << 60, MemorySpace::kHost).status();
  EXPECT_EQ(status.id(), ErrorId::kOutOfHostMemory) << status.ToString();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_OK(executor->HostMemoryAllocate(4096));
}

TEST_P(ConformanceMemory, UnknownKind) {
  EXPECT_EQ(executor->Allocate(1, static_cast<MemorySpace>(3)).status().ToString(),
            "E5031 BadMemoryRequest: there is no such kind of memory\n  found:    3\n"
            "  expected: 0 (device), 1 (unified), 2 (collective) or 5 (host)");
}

TEST_P(ConformanceMemory, CollectiveMemoryNeedsItsLibrary) {
  const StatusOr<DeviceAddressBase> address = executor->Allocate(4096, MemorySpace::kCollective);
  if (address.ok()) {
    EXPECT_OK(executor->Deallocate(*address));
    return;
  }
  EXPECT_EQ(address.status().id(), ErrorId::kRocmLibraryUnavailable);
  if (!IsEmbedded()) return;
  EXPECT_EQ(address.status().ToString(),
            "E5026 RocmLibraryUnavailable: there is no collective memory on this device\n"
            "  where:    embedded device\n"
            "  found:    a device that RCCL does not know\n"
            "  expected: an AMD GPU, and RCCL\n"
            "  next:     allocate device memory: collectives accept it, with a copy");
}

TEST_P(ConformanceMemory, RangesAreFoundFromInside) {
  const DeviceAddressBase address = Allocate(10000);
  EXPECT_EQ(executor->GetMemoryRange(address.GetByteSlice(9999, 1)).value(), address);
  EXPECT_EQ(executor->GetMemoryRange(address.GetByteSlice(10000, 1)).status().id(), ErrorId::kBadDeviceAddress);
  int mine = 0;
  EXPECT_EQ(executor->GetMemoryRange(DeviceAddressBase(&mine, 4)).status().id(), ErrorId::kBadDeviceAddress);
  EXPECT_EQ(executor->GetMemoryRange(DeviceAddressBase()).status().id(), ErrorId::kBadDeviceAddress);
  EXPECT_OK(executor->Deallocate(address));
}

TEST_P(ConformanceMemory, AllocatorOwnsWhatItGives) {
  StreamExecutorAddressAllocator allocator(executor);
  const int device = executor->device_ordinal();
  const uint64_t before = executor->GetDeviceMemoryUsage()->free_bytes;
  {
    ScopedDeviceAddress first = allocator.Allocate(device, 1 << 20).value();
    ScopedDeviceAddress second = std::move(first);
    EXPECT_TRUE(first.is_null());
    EXPECT_EQ(second->size(), 1u << 20);
    second = allocator.Allocate(device, 1 << 10).value();
    EXPECT_EQ(second->size(), 1u << 10);
    EXPECT_OK(second.Free());
    EXPECT_TRUE(second.is_null());
    ScopedDeviceAddress third = allocator.Allocate(device, 64).value();
    EXPECT_OK(allocator.Deallocate(device, third.Release()));
  }
  EXPECT_EQ(executor->GetDeviceMemoryUsage()->free_bytes, before);
  EXPECT_EQ(allocator.Allocate(99, 64).status().ToString(),
            "E5001 DeviceNotFound: the allocator does not serve this device\n  found:    device 99\n"
            "  expected: one of the devices that it was made for");
}

TEST_P(ConformanceMemory, BestFitOverTheDevice) {
  const int device = executor->device_ordinal();
  const uint64_t before = executor->GetDeviceMemoryUsage()->free_bytes;
  {
    BfcAddressAllocator allocator({executor}, {.name = "best-fit", .limit_bytes = 1 << 20, .first_region_bytes = 4096});
    ScopedDeviceAddress a = allocator.Allocate(device, 1000).value();
    ScopedDeviceAddress b = allocator.Allocate(device, 1000).value();
    const ScopedDeviceAddress host = allocator.Allocate(device, 1000, MemorySpace::kHost).value();
    EXPECT_EQ(executor->GetPointerMemorySpace(host->opaque()).value(), MemorySpace::kHost);
    EXPECT_OK(stream->MemZero(*a, 1000));
    EXPECT_OK(stream->Memset32(*b, 7, 1000));
    EXPECT_OK(stream->BlockHostUntilDone());
    EXPECT_EQ(Read(*a), std::vector<uint8_t>(1000, 0));
    EXPECT_EQ(allocator.stats(device)->bytes_in_use, 2048u);
    EXPECT_EQ(allocator.stats(device)->bytes_reserved, 4096u);
    const Status full = allocator.Allocate(device, 2 << 20).status();
    EXPECT_EQ(full.id(), ErrorId::kDeviceOutOfMemory);
    EXPECT_THAT(full.message(), HasSubstr(fmt::format("best-fit, device {}", device)));
    EXPECT_EQ(allocator.Allocate(77, 1).status().id(), ErrorId::kDeviceNotFound);
  }
  EXPECT_EQ(executor->GetDeviceMemoryUsage()->free_bytes, before);
}

TEST_P(ConformanceMemory, ConstantsAreSharedByContent) {
  std::vector<uint8_t> content(1000);
  std::iota(content.begin(), content.end(), 0);
  const auto first = executor->CreateOrShareConstant(*stream, content).value();
  std::vector<uint8_t> copy = content;
  EXPECT_EQ(executor->CreateOrShareConstant(*stream, copy).value(), first) << "equal bytes elsewhere";
  copy[500] ^= 1;
  const auto other = executor->CreateOrShareConstant(*stream, copy).value();
  EXPECT_NE(other->opaque(), first->opaque());
  EXPECT_EQ(Read(*first), content);
  EXPECT_EQ(Read(*other), copy);
  EXPECT_TRUE(executor->CreateOrShareConstant(*stream, {}).value()->is_null());
}

CONFORMANCE_SUITE(ConformanceMemory);

}  // namespace
}  // namespace stream_executor::gpu
