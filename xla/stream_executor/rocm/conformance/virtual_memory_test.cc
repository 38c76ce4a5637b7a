#include "xla/stream_executor/virtual_memory.h"
#include "base/error_ids.h"

#include <future>

#include "xla/stream_executor/bfc_allocator.h"
#include "xla/stream_executor/command_buffer.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"
#include "xla/stream_executor/vmm_address_allocator.h"

namespace stream_executor::gpu {
namespace {

class ConformanceVirtualMemory : public Conformance {
 protected:
  void SetUp() override {
    Conformance::SetUp();
    const StatusOr<uint64_t> granularity = executor->GetVirtualMemoryGranularity();
    if (!granularity.ok()) {
      ASSERT_EQ(granularity.status().id(), ErrorId::kNotSupportedByRuntime) << granularity.status().ToString();
      ASSERT_FALSE(IsEmbedded()) << granularity.status().ToString();
      GTEST_SKIP() << granularity.status().ToString();
    }
    page = *granularity;
  }
  uint64_t page = 0;  // bytes
};

TEST_P(ConformanceVirtualMemory, MemoryMovesBehindAddresses) {
  const std::unique_ptr<MemoryReservation> reservation = executor->CreateMemoryReservation(3 * page).value();
  const std::shared_ptr<RawMemoryAllocation> first = executor->CreateRawMemoryAllocation(page).value();
  const std::shared_ptr<RawMemoryAllocation> second = executor->CreateRawMemoryAllocation(page - 1).value();
  EXPECT_EQ(reservation->address().size(), 3 * page);
  EXPECT_EQ(second->size(), page) << "rounded up";
  const DeviceAddressBase low = reservation->address().GetByteSlice(0, page);
  const DeviceAddressBase high = reservation->address().GetByteSlice(2 * page, page);
  EXPECT_OK(reservation->Map(0, first));
  EXPECT_OK(reservation->Map(2 * page, second));
  EXPECT_OK(stream->Memset32(low, 0x01010101, page));
  EXPECT_OK(stream->Memset32(high, 0x02020202, page));
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_OK(reservation->Unmap(0));
  EXPECT_OK(reservation->Unmap(2 * page));
  EXPECT_OK(reservation->Map(0, second));
  EXPECT_OK(reservation->Map(2 * page, first));
  EXPECT_EQ(Read(low), std::vector<uint8_t>(page, 2)) << "the other memory's content";
  EXPECT_EQ(Read(high), std::vector<uint8_t>(page, 1));
}

TEST_P(ConformanceVirtualMemory, WrongPlaces) {
  const std::unique_ptr<MemoryReservation> reservation = executor->CreateMemoryReservation(2 * page).value();
  const std::shared_ptr<RawMemoryAllocation> memory = executor->CreateRawMemoryAllocation(page).value();
  EXPECT_EQ(reservation->Map(1, memory).id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(reservation->Map(2 * page, memory).id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(reservation->Map(UINT64_MAX / page * page, memory).id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(reservation->Unmap(0).id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(reservation->Map(0, nullptr).id(), ErrorId::kWrongDevice);
  EXPECT_OK(reservation->Map(page, memory));
  const std::shared_ptr<RawMemoryAllocation> both = executor->CreateRawMemoryAllocation(2 * page).value();
  EXPECT_EQ(reservation->Map(0, both).id(), ErrorId::kBadMemoryRequest) << "its second half is taken";
  EXPECT_EQ(executor->CreateMemoryReservation(0).status().id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(executor->CreateRawMemoryAllocation(0).status().id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(executor->CreateRawMemoryAllocation(UINT64_MAX).status().id(), ErrorId::kBadMemoryRequest);
  if (StreamExecutor* other = OtherDevice()) {
    const std::shared_ptr<RawMemoryAllocation> theirs = other->CreateRawMemoryAllocation(page).value();
    EXPECT_EQ(reservation->Map(0, theirs).id(), ErrorId::kWrongDevice);
  }
}

TEST_P(ConformanceVirtualMemory, ExhaustedDevice) {
  const uint64_t too_much = executor->GetDeviceMemoryUsage()->total_bytes + page;
  const Status status = executor->CreateRawMemoryAllocation(too_much).status();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status.ToString();
  EXPECT_OK(executor->CreateRawMemoryAllocation(page));
}

TEST_P(ConformanceVirtualMemory, AllocatorWithABudget) {
  const std::unique_ptr<MemoryAllocator> allocator = CreateVmmAllocator(*executor, 3 * page).value();
  std::unique_ptr<MemoryAllocation> first = allocator->Allocate(2 * page).value();
  EXPECT_OK(stream->MemZero(first->address(), 2 * page));
  EXPECT_OK(stream->BlockHostUntilDone());
  const std::unique_ptr<MemoryAllocation> second = allocator->Allocate(1).value();
  EXPECT_EQ(second->address().size(), 1u);
  EXPECT_EQ(allocator->Allocate(1).status().id(), ErrorId::kDeviceOutOfMemory) << "three pages are in use";
  first.reset();
  EXPECT_OK(allocator->Allocate(2 * page));
  EXPECT_TRUE(allocator->Allocate(0).value()->address().is_null());
  EXPECT_EQ(allocator->Allocate(UINT64_MAX).status().id(), ErrorId::kDeviceOutOfMemory);
}

TEST_P(ConformanceVirtualMemory, RegionsOfTheBestFitAllocator) {
  BfcAllocator allocator(CreateVmmAllocator(*executor, 4 * page).value(), {.first_region_bytes = page});
  const DeviceAddressBase a = allocator.Allocate(page / 2).value(), b = allocator.Allocate(page).value();
  EXPECT_OK(stream->MemZero(a, a.size()));
  EXPECT_OK(stream->MemZero(b, b.size()));
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_OK(allocator.Deallocate(a));
  EXPECT_OK(allocator.Deallocate(b));
}

TEST_P(ConformanceVirtualMemory, FreesBehindAStream) {
  const std::unique_ptr<VmmAddressAllocator> allocator = VmmAddressAllocator::Create(*stream, 2 * page).value();
  const int ordinal = executor->device_ordinal();
  const DeviceAddressBase first = allocator->Allocate(ordinal, 2 * page, MemorySpace::kDevice)->Release();
  std::promise<void> gate;
  EXPECT_OK(stream->DoHostCallback([&] { gate.get_future().wait(); }));
  EXPECT_OK(stream->MemZero(first, first.size()));
  EXPECT_OK(allocator->Deallocate(ordinal, first)) << "does not wait for the fill, which may still use the memory";
  EXPECT_EQ(allocator->Deallocate(ordinal, first).id(), ErrorId::kBadDeviceAddress) << "twice";
  gate.set_value();
  ScopedDeviceAddress second = allocator->Allocate(ordinal, page, MemorySpace::kDevice).value();
  EXPECT_OK(stream->MemZero(*second, page));
  EXPECT_EQ(allocator->Allocate(ordinal, 2 * page, MemorySpace::kDevice).status().id(), ErrorId::kDeviceOutOfMemory);
  EXPECT_EQ(allocator->Allocate(ordinal, 1, MemorySpace::kHost).status().id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(allocator->Allocate(ordinal + 1, 1, MemorySpace::kDevice).status().id(), ErrorId::kDeviceNotFound);
  EXPECT_TRUE(allocator->Allocate(ordinal, 0, MemorySpace::kDevice)->is_null());
  EXPECT_OK(second.Free());
  EXPECT_OK(stream->BlockHostUntilDone());
}

// What is traced may use the memory whenever the buffer is submitted.
TEST_P(ConformanceVirtualMemory, NothingIsFreedBehindATrace) {
  const std::unique_ptr<VmmAddressAllocator> allocator = VmmAddressAllocator::Create(*stream, 2 * page).value();
  const int ordinal = executor->device_ordinal();
  const DeviceAddressBase memory = allocator->Allocate(ordinal, page, MemorySpace::kDevice)->Release();
  const std::unique_ptr<CommandBuffer> buffer = executor->CreateCommandBuffer().value();
  EXPECT_OK(buffer->Trace(*stream, [&](Stream& traced) -> Status {
    RETURN_IF_ERROR(traced.MemZero(memory, page));
    EXPECT_EQ(allocator->Deallocate(ordinal, memory).id(), ErrorId::kCommandBufferMisuse);
    EXPECT_EQ(allocator->Allocate(ordinal, page, MemorySpace::kDevice).status().id(), ErrorId::kCommandBufferMisuse);
    return OkStatus();
  }));
  EXPECT_OK(stream->Memset32(memory, 1, page));
  EXPECT_OK(buffer->Submit(*stream));
  EXPECT_EQ(Read(memory), std::vector<uint8_t>(page, 0));
  EXPECT_OK(allocator->Deallocate(ordinal, memory));
}

TEST_P(ConformanceVirtualMemory, FreesWithoutAStreamThatFailed) {
  const std::unique_ptr<VmmAddressAllocator> allocator = VmmAddressAllocator::Create(*stream, page).value();
  ScopedDeviceAddress address = allocator->Allocate(executor->device_ordinal(), page, MemorySpace::kDevice).value();
  EXPECT_OK(stream->DoHostCallbackWithStatus([] { return rocxla::AbortedError("enough"); }));
  EXPECT_FALSE(stream->BlockHostUntilDone().ok());
  EXPECT_OK(address.Free());
  EXPECT_OK(allocator->Allocate(executor->device_ordinal(), page, MemorySpace::kDevice)) << "there is room again";
}

CONFORMANCE_SUITE(ConformanceVirtualMemory);

}  // namespace
}  // namespace stream_executor::gpu
