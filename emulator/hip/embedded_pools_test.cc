// Stream-ordered memory and its pools.
#include "emulator/hip/embedded_test.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

class EmbeddedPools : public EmbeddedTest {
 protected:
  EmbeddedPools() {
    hipMemPoolProps properties{};
    properties.allocType = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    properties.maxSize = 1 << 20;
    EXPECT_EQ(hip.hipMemPoolCreate(&pool, &properties), hipSuccess) << Detail();
  }
  ~EmbeddedPools() override {
    hip.hipMemPoolDestroy(pool);
    hip.hipStreamDestroy(stream);
  }
  void* Allocate(size_t bytes) {
    void* pointer = nullptr;
    EXPECT_EQ(hip.hipMallocFromPoolAsync(&pointer, bytes, pool, stream), hipSuccess) << Detail();
    return pointer;
  }
  uint64_t Get(hipMemPoolAttr attribute) {
    uint64_t value = ~uint64_t{0};
    EXPECT_EQ(hip.hipMemPoolGetAttribute(pool, attribute, &value), hipSuccess) << Detail();
    return value;
  }
  void Set(hipMemPoolAttr attribute, uint64_t value) {
    EXPECT_EQ(hip.hipMemPoolSetAttribute(pool, attribute, &value), hipSuccess) << Detail();
  }
  bool KernelsSee(int device, const void* pointer) {
    return Runtime::Get().device(device)->memory().Find(pointer).has_value();
  }

  hipStream_t stream = Stream();
  hipMemPool_t pool = nullptr;
};

TEST_F(EmbeddedPools, FreedMemoryIsInvisibleAndUsedAgain) {
  Set(hipMemPoolAttrReleaseThreshold, 1 << 20);
  void* first = Allocate(5000);
  EXPECT_TRUE(KernelsSee(0, first));
  EXPECT_EQ(hip.hipFreeAsync(first, stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess);
  EXPECT_FALSE(KernelsSee(0, first));
  EXPECT_EQ(hip.hipMemset(first, 0, 1), hipErrorInvalidDevicePointer);
  void* second = Allocate(4500);
  EXPECT_EQ(second, first);
  EXPECT_EQ(hip.hipMemset(second, 0, 4500), hipSuccess);
  EXPECT_EQ(hip.hipMemset(second, 0, 4501), hipErrorInvalidValue) << "exact, although the pool has more";
  EXPECT_EQ(hip.hipFreeAsync(second, stream), hipSuccess);
}

TEST_F(EmbeddedPools, MemoryLivesUntilItsTurnInTheStream) {
  Gate gate;
  void* pointer = Allocate(4);
  gate.Close(hip, stream);
  uint32_t value = 0;
  EXPECT_EQ(hip.hipMemsetD32Async(pointer, 9, 1, stream), hipSuccess);
  EXPECT_EQ(hip.hipMemcpyAsync(&value, pointer, 4, hipMemcpyDeviceToHost, stream), hipSuccess);
  EXPECT_EQ(hip.hipFreeAsync(pointer, stream), hipSuccess);
  EXPECT_EQ(hip.hipFreeAsync(pointer, stream), hipErrorInvalidValue) << "twice";
  EXPECT_EQ(hip.hipMemsetD32Async(pointer, 9, 1, stream), hipErrorInvalidDevicePointer) << "after the free";
  EXPECT_TRUE(DetailHas("hipFreeAsync frees"));
  gate.Open();
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  EXPECT_EQ(value, 9u);
}

TEST_F(EmbeddedPools, StatisticsAndTrimming) {
  Set(hipMemPoolAttrReleaseThreshold, 1 << 20);
  void *a = Allocate(4096), *b = Allocate(100);
  EXPECT_EQ(Get(hipMemPoolAttrUsedMemCurrent), 4196u);
  EXPECT_EQ(Get(hipMemPoolAttrReservedMemCurrent), 8192u);
  hip.hipFreeAsync(a, stream);
  hip.hipFreeAsync(b, stream);
  hip.hipStreamSynchronize(stream);
  EXPECT_EQ(Get(hipMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(Get(hipMemPoolAttrUsedMemHigh), 4196u);
  EXPECT_EQ(Get(hipMemPoolAttrReservedMemCurrent), 8192u) << "below the threshold";
  EXPECT_EQ(hip.hipMemPoolTrimTo(pool, 4096), hipSuccess);
  EXPECT_EQ(Get(hipMemPoolAttrReservedMemCurrent), 4096u);
  Set(hipMemPoolAttrReleaseThreshold, 0);
  hip.hipStreamSynchronize(stream);
  EXPECT_EQ(Get(hipMemPoolAttrReservedMemCurrent), 0u);
  Set(hipMemPoolAttrUsedMemHigh, 0);
  EXPECT_EQ(Get(hipMemPoolAttrUsedMemHigh), 0u);
  uint64_t one = 1;
  EXPECT_EQ(hip.hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &one), hipErrorInvalidValue);
}

TEST_F(EmbeddedPools, MaximumSize) {
  void* pointer = nullptr;
  EXPECT_EQ(hip.hipMallocFromPoolAsync(&pointer, 2 << 20, pool, stream), hipErrorOutOfMemory);
  EXPECT_TRUE(DetailHas("a pool of at most 1048576 bytes")) << Detail();
  pointer = Allocate(1 << 20);
  EXPECT_EQ(hip.hipFree(pointer), hipSuccess) << "hipFree takes pool memory, too";
  EXPECT_EQ(hip.hipFree(pointer), hipErrorInvalidValue);
}

TEST_F(EmbeddedPools, AccessOfOtherDevices) {
  void* before = Allocate(64);
  EXPECT_FALSE(KernelsSee(1, before));
  const hipMemAccessDesc access{{hipMemLocationTypeDevice, 1}, hipMemAccessFlagsProtReadWrite};
  EXPECT_EQ(hip.hipMemPoolSetAccess(pool, &access, 1), hipSuccess);
  EXPECT_TRUE(KernelsSee(1, before));
  void* after = Allocate(64);
  EXPECT_TRUE(KernelsSee(1, after));
  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  hipMemLocation location{hipMemLocationTypeDevice, 1};
  EXPECT_EQ(hip.hipMemPoolGetAccess(&flags, pool, &location), hipSuccess);
  EXPECT_EQ(flags, hipMemAccessFlagsProtReadWrite);
  hip.hipFreeAsync(before, stream);
  hip.hipFreeAsync(after, stream);
}

TEST_F(EmbeddedPools, MemoryOutlivesItsPool) {
  void* pointer = Allocate(64);
  hipMemPool_t gone = pool;
  EXPECT_EQ(hip.hipMemPoolDestroy(pool), hipSuccess);
  EXPECT_EQ(hip.hipMemPoolDestroy(gone), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipMemset(pointer, 0, 64), hipSuccess);
  EXPECT_EQ(hip.hipFreeAsync(pointer, stream), hipSuccess);
}

TEST_F(EmbeddedPools, TheDevicesPool) {
  hipMemPool_t current = nullptr, standard = nullptr;
  EXPECT_EQ(hip.hipDeviceGetDefaultMemPool(&standard, 0), hipSuccess);
  EXPECT_EQ(hip.hipDeviceGetMemPool(&current, 0), hipSuccess);
  EXPECT_EQ(current, standard);
  EXPECT_EQ(hip.hipMemPoolDestroy(standard), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipDeviceSetMemPool(1, pool), hipErrorInvalidValue) << "another device's";
  ASSERT_EQ(hip.hipDeviceSetMemPool(0, pool), hipSuccess);
  void* pointer = nullptr;
  EXPECT_EQ(hip.hipMallocAsync(&pointer, 64, stream), hipSuccess);
  EXPECT_EQ(Get(hipMemPoolAttrUsedMemCurrent), 64u);
  EXPECT_EQ(hip.hipFreeAsync(pointer, stream), hipSuccess);
  hip.hipDeviceSetMemPool(0, standard);
}

}  // namespace
}  // namespace rocxla::emu
