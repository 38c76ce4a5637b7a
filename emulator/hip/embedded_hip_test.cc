// The embedded HIP functions as a HIP program sees them, misuse included.
#include "emulator/hip/embedded_hip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <numeric>
#include <thread>
#include <vector>

#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

using ::testing::HasSubstr;

// Before anything asks for devices.
[[maybe_unused]] const bool configured = setenv("ROCXLA_EMBEDDED_DEVICES", "gfx942,gfx1100", 1) == 0;
constexpr int kDevices = 2;

class EmbeddedHipTest : public ::testing::Test {
 protected:
  EmbeddedHipTest() { hip.hipSetDevice(0); }
  std::string Detail() { return hip.rocxlaGetLastErrorDetail(); }
  void* Malloc(size_t bytes) {
    void* pointer = nullptr;
    EXPECT_EQ(hip.hipMalloc(&pointer, bytes), hipSuccess) << Detail();
    return pointer;
  }
  hipStream_t Stream(unsigned flags = hipStreamNonBlocking) {
    hipStream_t stream = nullptr;
    EXPECT_EQ(hip.hipStreamCreateWithPriority(&stream, flags, 0), hipSuccess) << Detail();
    return stream;
  }
  hipEvent_t Event(unsigned flags = hipEventDisableTiming) {
    hipEvent_t event = nullptr;
    EXPECT_EQ(hip.hipEventCreateWithFlags(&event, flags), hipSuccess) << Detail();
    return event;
  }
  const HipApi& hip = **EmbeddedHip();
};

TEST_F(EmbeddedHipTest, DevicesAreTheConfiguredModels) {
  int count = 0;
  ASSERT_EQ(hip.hipGetDeviceCount(&count), hipSuccess);
  ASSERT_GE(count, kDevices);  // other tests add more
  char name[64];
  hipDeviceProp_tR0600 properties;
  hipDeviceProp_tR0000 old_properties;
  ASSERT_EQ(hip.hipDeviceGetName(name, sizeof(name), 0), hipSuccess);
  EXPECT_STREQ(name, "AMD Instinct MI300X");
  ASSERT_EQ(hip.hipGetDevicePropertiesR0600(&properties, 1), hipSuccess);
  EXPECT_STREQ(properties.name, "AMD Radeon RX 7900 XTX");
  EXPECT_STREQ(properties.gcnArchName, "gfx1100");
  ASSERT_EQ(hip.hipGetDeviceProperties(&old_properties, 0), hipSuccess);
  EXPECT_STREQ(old_properties.gcnArchName, "gfx942");
  size_t bytes = 0;
  ASSERT_EQ(hip.hipDeviceTotalMem(&bytes, 0), hipSuccess);
  EXPECT_EQ(bytes, 206158430208u);
}

TEST_F(EmbeddedHipTest, Attributes) {
  auto attribute = [&](hipDeviceAttribute_t which, int device) {
    int value = -1;
    EXPECT_EQ(hip.hipDeviceGetAttribute(&value, which, device), hipSuccess);
    return value;
  };
  EXPECT_EQ(attribute(hipDeviceAttributeWarpSize, 0), 64);
  EXPECT_EQ(attribute(hipDeviceAttributeWarpSize, 1), 32);
  EXPECT_EQ(attribute(hipDeviceAttributeMultiprocessorCount, 0), 304);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor, 0), 2048);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxRegistersPerBlock, 0), 131072);
  int value = 0;
  EXPECT_EQ(hip.hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(4711), 0), hipErrorInvalidValue);
  EXPECT_EQ(Detail(), "no device attribute 4711");
}

TEST_F(EmbeddedHipTest, NoSuchDevice) {
  EXPECT_EQ(hip.hipSetDevice(99), hipErrorInvalidDevice);
  EXPECT_THAT(Detail(), ::testing::MatchesRegex("there are [0-9]+ embedded devices, none with ordinal 99"));
  EXPECT_EQ(hip.hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hip.hipGetLastError(), hipSuccess) << "reading it clears it";
  char text[8];
  EXPECT_EQ(hip.hipDeviceGetPCIBusId(text, sizeof(text), 0), hipErrorNotSupported);
}

TEST_F(EmbeddedHipTest, CurrentDeviceBelongsToTheThread) {
  ASSERT_EQ(hip.hipSetDevice(1), hipSuccess);
  int other_thread = -1, here = -1;
  std::thread([&] { hip.hipGetDevice(&other_thread); }).join();
  hip.hipGetDevice(&here);
  EXPECT_EQ(other_thread, 0);
  EXPECT_EQ(here, 1);
}

TEST_F(EmbeddedHipTest, MemoryIsAccountedFor) {
  size_t before = 0, during = 0, after = 0, total = 0;
  ASSERT_EQ(hip.hipMemGetInfo(&before, &total), hipSuccess);
  void* pointer = Malloc(uint64_t{1} << 34);  // untouched, so the host needs no pages
  ASSERT_EQ(hip.hipMemGetInfo(&during, &total), hipSuccess);
  EXPECT_EQ(before - during, uint64_t{1} << 34);
  ASSERT_EQ(hip.hipFree(pointer), hipSuccess);
  ASSERT_EQ(hip.hipMemGetInfo(&after, &total), hipSuccess);
  EXPECT_EQ(before, after);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 256, 0u);
}

TEST_F(EmbeddedHipTest, OutOfMemory) {
  void* pointer = nullptr;
  ASSERT_EQ(hip.hipSetDevice(1), hipSuccess);
  EXPECT_EQ(hip.hipMalloc(&pointer, 25753026561), hipErrorOutOfMemory);
  EXPECT_EQ(Detail(), R"(E5004 DeviceOutOfMemory: the device has not enough free memory
  where:    embedded device 1 (AMD Radeon RX 7900 XTX)
  found:    25753026560 of 25753026560 bytes are free
  expected: 25753026561 bytes)");
}

TEST_F(EmbeddedHipTest, FreeingWhatIsNotAllocated) {
  int on_stack = 0;
  EXPECT_EQ(hip.hipFree(nullptr), hipSuccess);
  EXPECT_EQ(hip.hipFree(&on_stack), hipErrorInvalidValue);
  EXPECT_THAT(Detail(), HasSubstr("not the start of a live allocation: never allocated, or freed already"));
  char* pointer = static_cast<char*>(Malloc(64));
  EXPECT_EQ(hip.hipFree(pointer + 16), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipHostFree(pointer), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipFree(pointer), hipSuccess);
  EXPECT_EQ(hip.hipFree(pointer), hipErrorInvalidValue);
}

TEST_F(EmbeddedHipTest, CopiesAndFills) {
  constexpr size_t kBytes = 1000;
  std::vector<uint8_t> in(kBytes), out(kBytes);
  std::iota(in.begin(), in.end(), 0);
  void *a = Malloc(kBytes), *b = Malloc(kBytes);
  hipStream_t stream = Stream();
  EXPECT_EQ(hip.hipMemcpyAsync(a, in.data(), kBytes, hipMemcpyHostToDevice, stream), hipSuccess);
  EXPECT_EQ(hip.hipMemcpyAsync(b, a, kBytes, hipMemcpyDeviceToDevice, stream), hipSuccess);
  EXPECT_EQ(hip.hipMemsetAsync(b, 0xab, 10, stream), hipSuccess);
  EXPECT_EQ(hip.hipMemsetD32Async(static_cast<char*>(b) + 100, 0x01020304, 2, stream), hipSuccess);
  EXPECT_EQ(hip.hipMemcpyAsync(out.data(), b, kBytes, hipMemcpyDeviceToHost, stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess);
  std::fill_n(in.begin(), 10, 0xab);
  const uint8_t pattern[] = {4, 3, 2, 1, 4, 3, 2, 1};
  std::copy(std::begin(pattern), std::end(pattern), in.begin() + 100);
  EXPECT_EQ(in, out);
  EXPECT_EQ(hip.hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hip.hipFree(a), hipSuccess);
  EXPECT_EQ(hip.hipFree(b), hipSuccess);
}

TEST_F(EmbeddedHipTest, WrongCopies) {
  char host[64] = {};
  void* device = Malloc(32);
  EXPECT_EQ(hip.hipMemcpy(device, host, 33, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_THAT(Detail(), HasSubstr("33 bytes at"));
  EXPECT_EQ(hip.hipMemcpy(host, host + 32, 8, hipMemcpyHostToDevice), hipErrorInvalidDevicePointer);
  EXPECT_EQ(hip.hipMemcpy(device, device, 8, hipMemcpyHostToDevice), hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hip.hipMemcpy(nullptr, host, 8, hipMemcpyHostToHost), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemcpy(device, host, 8, static_cast<hipMemcpyKind>(9)), hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hip.hipMemcpy(device, host, 8, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(hip.hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hip.hipMemsetD32Async(static_cast<char*>(device) + 2, 0, 1, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemsetD32Async(device, 0, SIZE_MAX / 2, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipFree(device), hipSuccess);
  EXPECT_EQ(hip.hipMemcpy(host, device, 8, hipMemcpyDeviceToHost), hipErrorInvalidDevicePointer);
}

TEST_F(EmbeddedHipTest, HostMemoryIsReachableFromEveryDevice) {
  void *host = nullptr, *managed = nullptr;
  ASSERT_EQ(hip.hipHostMalloc(&host, 64, hipHostMallocPortable), hipSuccess);
  ASSERT_EQ(hip.hipMallocManaged(&managed, 64, hipMemAttachGlobal), hipSuccess);
  for (int i = 0; i < kDevices; ++i) {
    EXPECT_TRUE(Runtime::Get().device(i)->memory().Find(host));
    EXPECT_TRUE(Runtime::Get().device(i)->memory().Find(managed));
  }
  const int added = AddEmbeddedDevice("gfx90a").value();
  EXPECT_TRUE(Runtime::Get().device(added)->memory().Find(host)) << "also from a device that comes later";
  EXPECT_EQ(hip.hipMemcpy(managed, host, 64, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hip.hipHostFree(host), hipSuccess);
  EXPECT_EQ(hip.hipFree(managed), hipSuccess);
  EXPECT_FALSE(Runtime::Get().device(0)->memory().Find(host));
}

TEST_F(EmbeddedHipTest, StreamsAreAsynchronous) {
  std::promise<void> gate;
  hipStream_t stream = Stream();
  auto wait = [](void* promise) { static_cast<std::promise<void>*>(promise)->get_future().wait(); };
  EXPECT_EQ(hip.hipStreamQuery(stream), hipSuccess);
  ASSERT_EQ(hip.hipLaunchHostFunc(stream, wait, &gate), hipSuccess);
  EXPECT_EQ(hip.hipStreamQuery(stream), hipErrorNotReady);
  gate.set_value();
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamQuery(stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamDestroy(stream), hipSuccess);
}

TEST_F(EmbeddedHipTest, EventsOrderStreams) {
  std::promise<void> gate;
  hipStream_t first = Stream(), second = Stream();
  hipEvent_t event = Event();
  void* device = Malloc(4);
  int value = 0;
  EXPECT_EQ(hip.hipEventQuery(event), hipSuccess) << "an event that was never recorded has happened";
  auto wait = [](void* promise) { static_cast<std::promise<void>*>(promise)->get_future().wait(); };
  hip.hipLaunchHostFunc(first, wait, &gate);
  hip.hipMemsetD32Async(device, 42, 1, first);
  ASSERT_EQ(hip.hipEventRecord(event, first), hipSuccess);
  EXPECT_EQ(hip.hipEventQuery(event), hipErrorNotReady);
  ASSERT_EQ(hip.hipStreamWaitEvent(second, event, 0), hipSuccess);
  hip.hipMemcpyAsync(&value, device, 4, hipMemcpyDeviceToHost, second);
  EXPECT_EQ(hip.hipEventDestroy(event), hipSuccess) << "waits that are queued keep what they need";
  gate.set_value();
  EXPECT_EQ(hip.hipStreamSynchronize(second), hipSuccess);
  EXPECT_EQ(value, 42);
  hip.hipStreamDestroy(first);
  hip.hipStreamDestroy(second);
  EXPECT_EQ(hip.hipFree(device), hipSuccess);
}

// hipMemcpy goes through the null stream, which waits for "default" streams but not for "non-blocking" ones.
TEST_F(EmbeddedHipTest, NullStreamWaitsForBlockingStreams) {
  std::promise<void> gate;
  hipStream_t stream = Stream(hipStreamDefault);
  void* device = Malloc(4);
  int value = 0;
  auto wait = [](void* promise) { static_cast<std::promise<void>*>(promise)->get_future().wait(); };
  hip.hipLaunchHostFunc(stream, wait, &gate);
  hip.hipMemsetD32Async(device, 7, 1, stream);
  std::thread opener([&] { gate.set_value(); });
  EXPECT_EQ(hip.hipMemcpy(&value, device, 4, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(value, 7);
  opener.join();
  hip.hipStreamDestroy(stream);
  EXPECT_EQ(hip.hipFree(device), hipSuccess);
}

TEST_F(EmbeddedHipTest, StaleHandles) {
  hipStream_t stream = Stream();
  hipEvent_t event = Event();
  EXPECT_EQ(hip.hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hip.hipEventDestroy(event), hipSuccess);
  EXPECT_EQ(hip.hipStreamDestroy(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipStreamQuery(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipEventDestroy(event), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipEventQuery(event), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipEventRecord(event, nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipModuleUnload(reinterpret_cast<hipModule_t>(0x1234)), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidHandle);
  hipStream_t other = Stream();
  EXPECT_NE(other, stream) << "handles are not used again";
  hip.hipStreamDestroy(other);
}

TEST_F(EmbeddedHipTest, NoTimeIsMadeUp) {
  hipEvent_t start = Event(hipEventDefault), stop = Event(hipEventDefault);
  float milliseconds = -1;
  EXPECT_EQ(hip.hipEventElapsedTime(&milliseconds, start, stop), hipErrorNotSupported);
  EXPECT_EQ(milliseconds, -1);
  EXPECT_THAT(Detail(), HasSubstr("the embedded device has no clock"));
}

TEST_F(EmbeddedHipTest, HostFunctionsMayNotWait) {
  struct Seen {
    const HipApi& hip;
    hipStream_t stream;
    hipError_t synchronize, destroy, free;
  } seen{hip, Stream(), hipSuccess, hipSuccess, hipSuccess};
  auto misuse = [](void* data) {
    auto& seen = *static_cast<Seen*>(data);
    seen.synchronize = seen.hip.hipStreamSynchronize(seen.stream);
    seen.destroy = seen.hip.hipStreamDestroy(seen.stream);
    seen.free = seen.hip.hipFree(&seen);
  };
  hip.hipLaunchHostFunc(seen.stream, misuse, &seen);
  EXPECT_EQ(hip.hipStreamSynchronize(seen.stream), hipSuccess);
  EXPECT_EQ(seen.synchronize, hipErrorIllegalState);
  EXPECT_EQ(seen.destroy, hipErrorIllegalState);
  EXPECT_EQ(seen.free, hipErrorIllegalState);
  hip.hipStreamDestroy(seen.stream);
}

TEST(EmbeddedDevices, UnknownAndCompileOnlyTargets) {
  EXPECT_EQ(Runtime("gfx942,gfx9000").configuration().ToString(),
            R"(E5001 DeviceNotFound: there is no embedded device of this target: the target is unknown
  where:    --device, or ROCXLA_EMBEDDED_DEVICES in the environment
  found:    'gfx9000'
  expected: one of gfx90a, gfx942, gfx950, gfx1100, gfx1201)");
  EXPECT_THAT(Runtime("gfx1030").configuration().message(), HasSubstr("rocXLA only compiles for it"));
  EXPECT_EQ(Runtime("").device_count(), 0);
  EXPECT_EQ(Runtime("gfx1201,gfx942").device_count(), 2);
}

TEST(EmbeddedDevices, Added) {
  const int ordinal = AddEmbeddedDevice("gfx1201").value();
  EXPECT_EQ(Runtime::Get().device(ordinal)->model().name, "AMD Radeon RX 9070 XT");
  EXPECT_EQ(AddEmbeddedDevice("gfx1151").status().id(), ErrorId::kDeviceNotFound);
}

}  // namespace
}  // namespace rocxla::emu
