// Allocation, page-locked, registered and managed memory, and what pointers are.
#include <fmt/format.h>
#include <sys/mman.h>

#include "emulator/hip/embedded_test.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

class EmbeddedMemory : public EmbeddedTest {
 protected:
  bool KernelsSee(int device, const void* pointer) {
    return Runtime::Get().device(device)->memory().Find(pointer).has_value();
  }
  hipPointerAttribute_t Attributes(const void* pointer) {
    hipPointerAttribute_t attributes{};
    EXPECT_EQ(hip.hipPointerGetAttributes(&attributes, pointer), hipSuccess) << Detail();
    return attributes;
  }
};

TEST_F(EmbeddedMemory, CountsWhatIsAllocated) {
  size_t before = 0, during = 0, after = 0, total = 0;
  ASSERT_EQ(hip.hipMemGetInfo(&before, &total), hipSuccess);
  EXPECT_EQ(total, 206141652992u);
  void* pointer = Malloc(5000);
  hip.hipMemGetInfo(&during, &total);
  EXPECT_EQ(hip.hipFree(pointer), hipSuccess);
  hip.hipMemGetInfo(&after, &total);
  EXPECT_EQ(during, before - 5000);
  EXPECT_EQ(after, before);
}

// The device's memory is larger than the host's: only what is touched is really there.
TEST_F(EmbeddedMemory, HugeAllocationsAreBackedLazily) {
  void* pointer = Malloc(size_t{150} << 30);
  char* last = static_cast<char*>(pointer) + (size_t{150} << 30) - 4;
  EXPECT_EQ(hip.hipMemsetD32(last, 42, 1), hipSuccess);
  EXPECT_EQ(Words(last, 1), std::vector<uint32_t>{42});
  void* more = nullptr;
  EXPECT_EQ(hip.hipMalloc(&more, size_t{100} << 30), hipErrorOutOfMemory);
  EXPECT_TRUE(DetailHas("E5004 DeviceOutOfMemory: the device has not enough free memory")) << Detail();
  EXPECT_TRUE(DetailHas("of 206141652992 bytes are free"));
  EXPECT_EQ(hip.hipFree(pointer), hipSuccess);
  EXPECT_EQ(hip.hipMalloc(&more, size_t{100} << 30), hipSuccess) << "usable after running out";
  EXPECT_EQ(hip.hipFree(more), hipSuccess);
}

TEST_F(EmbeddedMemory, WrongFrees) {
  void* pointer = Malloc(64);
  int host = 0;
  EXPECT_EQ(hip.hipFree(nullptr), hipSuccess);
  EXPECT_EQ(hip.hipFree(static_cast<char*>(pointer) + 1), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipFree(&host), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("never allocated, or freed already"));
  EXPECT_EQ(hip.hipHostFree(pointer), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipFree(pointer), hipSuccess);
  EXPECT_EQ(hip.hipFree(pointer), hipErrorInvalidValue);
}

TEST_F(EmbeddedMemory, HostMemoryIsReachableFromEveryDevice) {
  void *host = nullptr, *managed = nullptr;
  ASSERT_EQ(hip.hipHostMalloc(&host, 64, hipHostMallocPortable), hipSuccess);
  ASSERT_EQ(hip.hipMallocManaged(&managed, 64, hipMemAttachGlobal), hipSuccess);
  for (int i = 0; i < kEmbeddedDevices; ++i) EXPECT_TRUE(KernelsSee(i, host) && KernelsSee(i, managed));
  const int added = AddEmbeddedDevice("gfx90a").value();
  EXPECT_TRUE(KernelsSee(added, host)) << "also from a device that comes later";
  unsigned flags = 0;
  EXPECT_EQ(hip.hipHostGetFlags(&flags, host), hipSuccess);
  EXPECT_EQ(flags, hipHostMallocPortable);
  EXPECT_EQ(hip.hipMemPrefetchAsync(managed, 64, 0, nullptr), hipSuccess);
  EXPECT_EQ(hip.hipMemAdvise(managed, 64, hipMemAdviseSetReadMostly, hipCpuDeviceId), hipSuccess);
  EXPECT_EQ(hip.hipMemPrefetchAsync(host, 64, 0, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipHostFree(host), hipSuccess);
  EXPECT_EQ(hip.hipFree(managed), hipSuccess);
  EXPECT_FALSE(KernelsSee(0, host));
}

TEST_F(EmbeddedMemory, RegisteredHostMemory) {
  std::vector<int> host(1000);
  const size_t bytes = host.size() * sizeof(int);
  void* pointer = nullptr;
  EXPECT_EQ(hip.hipHostGetDevicePointer(&pointer, host.data(), 0), hipErrorInvalidValue);
  ASSERT_EQ(hip.hipHostRegister(host.data(), bytes, hipHostRegisterDefault), hipSuccess);
  EXPECT_EQ(hip.hipHostRegister(host.data() + 1, 4, 0), hipErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hip.hipHostGetDevicePointer(&pointer, host.data(), 0), hipSuccess);
  EXPECT_EQ(pointer, host.data());
  EXPECT_TRUE(KernelsSee(1, host.data()));
  EXPECT_EQ(hip.hipHostUnregister(host.data() + 1), hipErrorHostMemoryNotRegistered);
  EXPECT_EQ(hip.hipHostUnregister(host.data()), hipSuccess);
  EXPECT_EQ(hip.hipHostUnregister(host.data()), hipErrorHostMemoryNotRegistered);
  EXPECT_FALSE(KernelsSee(1, host.data()));
}

// Two pages with a hole of one between them.
TEST_F(EmbeddedMemory, HostMemoryWithAHole) {
  constexpr size_t kPage = 4096;
  char* begin =
      static_cast<char*>(mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(munmap(begin + kPage, kPage), 0);
  void* device = Malloc(3 * kPage);
  const std::string hole = fmt::format("{}", fmt::ptr(begin + kPage));
  EXPECT_EQ(hip.hipHostRegister(begin, 3 * kPage, hipHostRegisterDefault), hipErrorInvalidValue);
  EXPECT_EQ(Detail(), "hipHostRegister: the process has no memory at " + hole);
  EXPECT_EQ(hip.hipMemcpyHtoD(device, begin + 8, 2 * kPage + 1), hipErrorInvalidValue);
  EXPECT_EQ(Detail(), "source: " + hole + " is neither live device memory nor memory of the process");
  EXPECT_EQ(hip.hipMemcpyHtoD(device, begin, kPage), hipSuccess);
  EXPECT_EQ(hip.hipHostRegister(begin + 2 * kPage, kPage, hipHostRegisterDefault), hipSuccess);
  EXPECT_EQ(hip.hipHostUnregister(begin + 2 * kPage), hipSuccess);
  EXPECT_EQ(hip.hipHostRegister(begin, SIZE_MAX, hipHostRegisterDefault), hipErrorInvalidValue) << "endless";
  EXPECT_EQ(hip.hipFree(device), hipSuccess);
  munmap(begin, kPage);
  munmap(begin + 2 * kPage, kPage);
}

TEST_F(EmbeddedMemory, PointerAttributes) {
  ASSERT_EQ(hip.hipSetDevice(1), hipSuccess);
  char* device = static_cast<char*>(Malloc(256));
  hipPointerAttribute_t a = Attributes(device + 16);
  EXPECT_EQ(a.type, hipMemoryTypeDevice);
  EXPECT_EQ(a.device, 1);
  EXPECT_EQ(a.devicePointer, device + 16);
  EXPECT_EQ(a.hostPointer, nullptr);
  void* managed = nullptr;
  ASSERT_EQ(hip.hipMallocManaged(&managed, 8, hipMemAttachGlobal), hipSuccess);
  a = Attributes(managed);
  EXPECT_EQ(a.type, hipMemoryTypeManaged);
  EXPECT_EQ(a.isManaged, 1);
  EXPECT_EQ(a.hostPointer, managed);
  int local = 0;
  for (const void* unknown : {static_cast<const void*>(&local), static_cast<const void*>(nullptr)}) {
    a = Attributes(unknown);
    EXPECT_EQ(a.type, hipMemoryTypeUnregistered);
    EXPECT_EQ(a.device, -2);
    EXPECT_EQ(a.devicePointer, nullptr);
  }

  void* base = nullptr;
  size_t bytes = 0;
  int ordinal = -1;
  hipPointer_attribute keys[] = {HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, HIP_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* values[] = {&base, &bytes, &ordinal};
  EXPECT_EQ(hip.hipDrvPointerGetAttributes(3, keys, values, device + 100), hipSuccess);
  EXPECT_EQ(base, device);
  EXPECT_EQ(bytes, 256u);
  EXPECT_EQ(ordinal, 1);
  EXPECT_EQ(hip.hipDrvPointerGetAttributes(3, keys, values, &local), hipSuccess) << "memory that is not HIP's";
  EXPECT_EQ(base, nullptr);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(ordinal, -2);
  EXPECT_EQ(hip.hipDrvPointerGetAttributes(3, keys, values, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemGetAddressRange(&base, &bytes, device + 255), hipSuccess);
  EXPECT_EQ(base, device);
  EXPECT_EQ(hip.hipMemGetAddressRange(&base, &bytes, device + 256), hipErrorInvalidDevicePointer);
  EXPECT_EQ(hip.hipFree(device), hipSuccess);
  EXPECT_EQ(hip.hipFree(managed), hipSuccess);
}

TEST_F(EmbeddedMemory, PeersSeeMemoryOnlyWhenEnabled) {
  void* own = Malloc(64);
  EXPECT_TRUE(KernelsSee(0, own));
  EXPECT_FALSE(KernelsSee(1, own));
  ASSERT_EQ(hip.hipSetDevice(1), hipSuccess);
  ASSERT_EQ(hip.hipDeviceEnablePeerAccess(0, 0), hipSuccess);
  EXPECT_TRUE(KernelsSee(1, own)) << "what was there before";
  hip.hipSetDevice(0);
  void* later = Malloc(64);
  EXPECT_TRUE(KernelsSee(1, later)) << "and what comes later";
  hip.hipSetDevice(1);
  ASSERT_EQ(hip.hipDeviceDisablePeerAccess(0), hipSuccess);
  EXPECT_FALSE(KernelsSee(1, own));
  EXPECT_FALSE(KernelsSee(1, later));
  EXPECT_EQ(hip.hipFree(own), hipSuccess);
  EXPECT_EQ(hip.hipFree(later), hipSuccess);
}

TEST_F(EmbeddedMemory, BadFlags) {
  void* pointer = nullptr;
  EXPECT_EQ(hip.hipHostMalloc(&pointer, 8, 0x100), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMallocManaged(&pointer, 8, 9), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipExtMallocWithFlags(&pointer, 8, 77), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipExtMallocWithFlags(&pointer, 8, hipMallocSignalMemory), hipSuccess);
  EXPECT_EQ(hip.hipFree(pointer), hipSuccess);
  EXPECT_EQ(hip.hipMalloc(nullptr, 8), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMalloc(&pointer, 0), hipSuccess);
  EXPECT_EQ(pointer, nullptr);
}

}  // namespace
}  // namespace rocxla::emu
