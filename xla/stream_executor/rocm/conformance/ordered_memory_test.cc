#include "base/error_ids.h"
#include "xla/stream_executor/device_address_allocator.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"

namespace stream_executor::gpu {
namespace {

using ConformanceOrderedMemory = Conformance;

TEST_P(ConformanceOrderedMemory, InTheOrderOfAStream) {
  StreamOrderedAddressAllocator allocator(*stream);
  const int device = executor->device_ordinal();
  {
    const ScopedDeviceAddress memory = allocator.Allocate(device, 4096).value();
    EXPECT_OK(stream->Memset32(*memory, 0x01010101, 4096));
    EXPECT_OK(stream->BlockHostUntilDone());
    EXPECT_EQ(Read(*memory), std::vector<uint8_t>(4096, 1));
    EXPECT_EQ(executor->Deallocate(*memory).id(), ErrorId::kBadDeviceAddress) << "only the stream takes it back";
  }
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_TRUE(stream->AllocateOrdered(0)->is_null());
  EXPECT_EQ(stream->DeallocateOrdered(DeviceAddressBase(&allocator, 8)).id(), ErrorId::kBadDeviceAddress);
  const uint64_t too_much = executor->GetDeviceMemoryUsage()->total_bytes + 1;
  EXPECT_EQ(stream->AllocateOrdered(too_much).status().id(), ErrorId::kDeviceOutOfMemory);
  EXPECT_EQ(allocator.Allocate(device, 64, MemorySpace::kHost).status().id(), ErrorId::kBadMemoryRequest);
  EXPECT_EQ(allocator.Allocate(device + 99, 64).status().id(), ErrorId::kDeviceNotFound);
  EXPECT_OK(stream->BlockHostUntilDone());
}

CONFORMANCE_SUITE(ConformanceOrderedMemory);

}  // namespace
}  // namespace stream_executor::gpu
