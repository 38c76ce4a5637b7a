// Reserved addresses, physical memory, mappings and access.
#include "emulator/hip/embedded_test.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

constexpr size_t kPage = 4096;

class EmbeddedVirtualMemory : public EmbeddedTest {
 protected:
  static hipMemAllocationProp Properties(int device) {
    hipMemAllocationProp properties{};
    properties.type = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, device};
    return properties;
  }
  hipMemGenericAllocationHandle_t Create(size_t bytes, int device = 0) {
    hipMemGenericAllocationHandle_t handle = nullptr;
    const hipMemAllocationProp properties = Properties(device);
    EXPECT_EQ(hip.hipMemCreate(&handle, bytes, &properties, 0), hipSuccess) << Detail();
    return handle;
  }
  char* Reserve(size_t bytes, size_t alignment = 0) {
    void* pointer = nullptr;
    EXPECT_EQ(hip.hipMemAddressReserve(&pointer, bytes, alignment, nullptr, 0), hipSuccess) << Detail();
    return static_cast<char*>(pointer);
  }
  hipError_t Allow(void* pointer, size_t bytes, int device, hipMemAccessFlags flags = hipMemAccessFlagsProtReadWrite) {
    const hipMemAccessDesc access{{hipMemLocationTypeDevice, device}, flags};
    return hip.hipMemSetAccess(pointer, bytes, &access, 1);
  }
  bool KernelsSee(int device, const void* pointer) {
    return Runtime::Get().device(device)->memory().Find(pointer).has_value();
  }
};

TEST_F(EmbeddedVirtualMemory, TwoPiecesMakeOneRange) {
  char* range = Reserve(3 * kPage);
  auto first = Create(kPage), second = Create(2 * kPage);
  ASSERT_EQ(hip.hipMemMap(range, kPage, 0, first, 0), hipSuccess) << Detail();
  ASSERT_EQ(hip.hipMemMap(range + kPage, 2 * kPage, 0, second, 0), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipMemsetD32(range, 1, 1), hipErrorInvalidDevicePointer) << "no access yet";
  EXPECT_FALSE(KernelsSee(0, range));
  ASSERT_EQ(Allow(range, 3 * kPage, 0), hipSuccess) << Detail();
  EXPECT_TRUE(KernelsSee(0, range));
  EXPECT_FALSE(KernelsSee(1, range));
  EXPECT_EQ(hip.hipMemsetD32(range, 0xab, 3 * kPage / 4), hipSuccess) << Detail();
  EXPECT_EQ(Words(range + kPage - 4, 2), (std::vector<uint32_t>{0xab, 0xab})) << "across the border";
  EXPECT_EQ(hip.hipMemRelease(first), hipSuccess) << "the mapping keeps the memory";
  EXPECT_EQ(Words(range, 1), std::vector<uint32_t>{0xab});
  EXPECT_EQ(hip.hipMemUnmap(range, 3 * kPage), hipSuccess);
  EXPECT_EQ(hip.hipMemsetD32(range, 1, 1), hipErrorInvalidDevicePointer);
  EXPECT_TRUE(DetailHas("nothing is mapped at"));
  EXPECT_EQ(hip.hipMemRelease(second), hipSuccess);
  EXPECT_EQ(hip.hipMemAddressFree(range, 3 * kPage), hipSuccess);
}

TEST_F(EmbeddedVirtualMemory, OneMemoryAtTwoAddresses) {
  char *a = Reserve(kPage), *b = Reserve(kPage);
  auto memory = Create(kPage);
  for (char* range : {a, b}) {
    ASSERT_EQ(hip.hipMemMap(range, kPage, 0, memory, 0), hipSuccess);
    ASSERT_EQ(Allow(range, kPage, 0), hipSuccess);
  }
  hip.hipMemsetD32(a, 77, 1);
  EXPECT_EQ(Words(b, 1), std::vector<uint32_t>{77});
  for (char* range : {a, b}) {
    hip.hipMemUnmap(range, kPage);
    hip.hipMemAddressFree(range, kPage);
  }
  hip.hipMemRelease(memory);
}

TEST_F(EmbeddedVirtualMemory, AccessIsPerDevice) {
  char* range = Reserve(kPage);
  auto memory = Create(kPage);
  hip.hipMemMap(range, kPage, 0, memory, 0);
  unsigned long long flags = 9;
  const hipMemLocation other{hipMemLocationTypeDevice, 1};
  EXPECT_EQ(hip.hipMemGetAccess(&flags, &other, range), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned long long>(hipMemAccessFlagsProtNone));
  EXPECT_EQ(Allow(range, kPage, 1), hipSuccess);
  EXPECT_TRUE(KernelsSee(1, range));
  hip.hipMemGetAccess(&flags, &other, range);
  EXPECT_EQ(flags, static_cast<unsigned long long>(hipMemAccessFlagsProtReadWrite));
  EXPECT_EQ(Allow(range, kPage, 1, hipMemAccessFlagsProtNone), hipSuccess);
  EXPECT_FALSE(KernelsSee(1, range));
  EXPECT_EQ(Allow(range, kPage, 0, hipMemAccessFlagsProtRead), hipErrorNotSupported);
  EXPECT_EQ(Detail(), "the embedded device cannot keep kernels from writing to memory that they may read");
  const hipMemLocation host{hipMemLocationTypeHost, 0};
  EXPECT_EQ(hip.hipMemGetAccess(&flags, &host, range), hipErrorInvalidValue);
  EXPECT_EQ(Detail(), "the location must be a device (hipMemLocationTypeDevice)");
  EXPECT_EQ(Allow(range, kPage, 5555), hipErrorInvalidDevice);
  EXPECT_EQ(Allow(range, 2 * kPage, 0), hipErrorInvalidValue);
  hip.hipMemUnmap(range, kPage);
  hip.hipMemRelease(memory);
  hip.hipMemAddressFree(range, kPage);
}

TEST_F(EmbeddedVirtualMemory, MemoryCountsUntilTheLastUseEnds) {
  size_t before = 0, now = 0, total = 0;
  hip.hipMemGetInfo(&before, &total);
  char* range = Reserve(kPage);
  auto memory = Create(kPage);
  hip.hipMemGetInfo(&now, &total);
  EXPECT_EQ(now, before - kPage);
  hip.hipMemMap(range, kPage, 0, memory, 0);
  hipMemGenericAllocationHandle_t again = nullptr;
  EXPECT_EQ(hip.hipMemRetainAllocationHandle(&again, range + 5), hipSuccess);
  hip.hipMemRelease(memory);
  hip.hipMemUnmap(range, kPage);
  hip.hipMemGetInfo(&now, &total);
  EXPECT_EQ(now, before - kPage) << "the second handle";
  hipMemAllocationProp properties{};
  EXPECT_EQ(hip.hipMemGetAllocationPropertiesFromHandle(&properties, again), hipSuccess);
  EXPECT_EQ(properties.location.id, 0);
  EXPECT_EQ(hip.hipMemRelease(again), hipSuccess);
  hip.hipMemGetInfo(&now, &total);
  EXPECT_EQ(now, before);
  hip.hipMemAddressFree(range, kPage);
}

TEST_F(EmbeddedVirtualMemory, GranularityAndAlignment) {
  const hipMemAllocationProp properties = Properties(0);
  size_t bytes = 0;
  EXPECT_EQ(hip.hipMemGetAllocationGranularity(&bytes, &properties, hipMemAllocationGranularityMinimum), hipSuccess);
  EXPECT_EQ(bytes, kPage);
  EXPECT_EQ(hip.hipMemGetAllocationGranularity(&bytes, &properties, hipMemAllocationGranularityRecommended),
            hipSuccess);
  EXPECT_EQ(bytes, size_t{2} << 20);
  char* range = Reserve(kPage, size_t{4} << 20);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(range) % (4 << 20), 0u);
  EXPECT_EQ(hip.hipMemAddressFree(range, kPage), hipSuccess);
}

TEST_F(EmbeddedVirtualMemory, Mistakes) {
  char* range = Reserve(2 * kPage);
  auto memory = Create(kPage);
  void* pointer = nullptr;
  hipMemGenericAllocationHandle_t handle = nullptr;
  hipMemAllocationProp properties = Properties(0);
  EXPECT_EQ(hip.hipMemAddressReserve(&pointer, 100, 0, nullptr, 0), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("the size 0x64 is no multiple of the granularity, 4096"));
  EXPECT_EQ(hip.hipMemAddressReserve(&pointer, kPage, 3, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemCreate(&handle, size_t{1} << 50, &properties, 0), hipErrorOutOfMemory);
  EXPECT_EQ(hip.hipMemMap(range, 2 * kPage, 0, memory, 0), hipErrorInvalidValue) << "larger than the memory";
  EXPECT_EQ(hip.hipMemMap(range + 2 * kPage, kPage, 0, memory, 0), hipErrorInvalidValue) << "not reserved";
  EXPECT_EQ(hip.hipMemMap(range, kPage, 0, memory, 0), hipSuccess);
  EXPECT_EQ(hip.hipMemMap(range, kPage, 0, memory, 0), hipErrorAlreadyMapped);
  EXPECT_EQ(hip.hipMemAddressFree(range, 2 * kPage), hipErrorInvalidValue) << "still mapped";
  EXPECT_EQ(hip.hipFree(range), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemUnmap(range, 2 * kPage), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemUnmap(range, kPage), hipSuccess);
  EXPECT_EQ(hip.hipMemUnmap(range, kPage), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemRelease(memory), hipSuccess);
  EXPECT_EQ(hip.hipMemRelease(memory), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipMemMap(range, kPage, 0, memory, 0), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipMemAddressFree(range, kPage), hipErrorInvalidValue) << "another size";
  EXPECT_EQ(hip.hipMemAddressFree(range, 2 * kPage), hipSuccess);
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  EXPECT_EQ(hip.hipMemCreate(&handle, kPage, &properties, 0), hipErrorNotSupported);
}

}  // namespace
}  // namespace rocxla::emu
