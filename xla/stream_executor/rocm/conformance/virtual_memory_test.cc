#include "xla/stream_executor/virtual_memory.h"

#include "xla/stream_executor/bfc_allocator.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"

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

CONFORMANCE_SUITE(ConformanceVirtualMemory);

}  // namespace
}  // namespace stream_executor::gpu
