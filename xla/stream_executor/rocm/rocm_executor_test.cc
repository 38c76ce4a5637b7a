// The executor against runtimes that the embedded device cannot be: old ones, and ones that fail in ways of their own.
#include "xla/stream_executor/rocm/rocm_executor.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/hip/hip_providers.h"
#include "xla/stream_executor/rocm/rocm_platform.h"

namespace stream_executor::gpu {
namespace {

using ::testing::ElementsAre;

// What the fake runtime was asked; C functions have no room for a context.
struct Calls {
  int errors_taken = 0;
  int modules = 0;
  std::vector<int> access;             // devices of hipMemSetAccess, in order
  std::vector<int> stream_priorities;  // of the streams that were made, in order
  std::vector<int> fill_devices;       // that were current at a fill or copy, in order
  int current_device = 0;
  int streams_destroyed = 0;
  hipError_t synchronize_result = hipSuccess;
  hipError_t query_result = hipSuccess;
  hipError_t free_result = hipSuccess;
};
Calls calls;

HipApi FakeRuntime() {
  HipApi api;
  api.origin = "fake runtime";
  api.hipInit = [](unsigned) { return hipSuccess; };
  api.hipGetLastError = [] { return ++calls.errors_taken, hipSuccess; };
  api.hipGetDeviceCount = [](int* count) { return *count = 3, hipSuccess; };
  api.hipGetDevice = [](int* device) { return *device = calls.current_device, hipSuccess; };
  api.hipSetDevice = [](int device) { return calls.current_device = device, hipSuccess; };
  api.hipDeviceGetName = [](char* name, int, int) { return name[0] = 'G', name[1] = '\0', hipSuccess; };
  api.hipDeviceGetPCIBusId = [](char*, int, int) { return rocxla::hipErrorNotSupported; };
  api.hipDeviceGetAttribute = [](int*, rocxla::hipDeviceAttribute_t, int) { return rocxla::hipErrorInvalidValue; };
  api.hipDeviceTotalMem = [](size_t*, int) { return rocxla::hipErrorInvalidValue; };
  api.hipRuntimeGetVersion = [](int*) { return rocxla::hipErrorInvalidValue; };
  api.hipDriverGetVersion = [](int*) { return rocxla::hipErrorInvalidValue; };
  api.hipGetDeviceProperties = [](rocxla::hipDeviceProp_tR0000* properties, int) {
    return std::strcpy(properties->gcnArchName, "gfx942"), hipSuccess;
  };
  return api;
}

class OddRuntimes : public ::testing::Test {
 protected:
  // The devices of such a runtime; each test has a provider of its own.
  StreamExecutor& Open(const HipApi& api, int ordinal = 0) {
    if (platform_ == nullptr) {
      const auto* table = new HipApi(api);
      const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
      EXPECT_TRUE(
          rocxla::RegisterHipProvider({name, [table]() -> StatusOr<const HipApi*> { return table; }, nullptr}).ok());
      platform_ = std::make_unique<ROCmPlatform>(name);
    }
    StreamExecutor* executor = platform_->ExecutorForDevice(ordinal).value();
    calls = {};
    return *executor;
  }
  std::unique_ptr<ROCmPlatform> platform_;
};

TEST_F(OddRuntimes, NoVirtualMemoryInRocm5) {
  StreamExecutor& executor = Open(FakeRuntime());
  EXPECT_EQ(executor.CreateMemoryReservation(4096).status().ToString(),
            R"(E5025 NotSupportedByRuntime: the HIP runtime has no virtual memory
  where:    fake runtime
  found:    no function hipMemGetAllocationGranularity
  next:     use a newer ROCm)");
  EXPECT_EQ(executor.CreateRawMemoryAllocation(4096).status().code(), StatusCode::kUnimplemented);
  EXPECT_EQ(CreateVmmAllocator(executor, 4096).status().code(), StatusCode::kUnimplemented);
}

// With streams that do nothing, numbered from 1.
HipApi FakeRuntimeWithStreams() {
  HipApi api = FakeRuntime();
  api.hipDeviceGetStreamPriorityRange = [](int* least, int* greatest) {
    return *least = 1, *greatest = -1, hipSuccess;
  };
  api.hipStreamCreateWithPriority = [](rocxla::hipStream_t* stream, unsigned flags, int priority) {
    EXPECT_EQ(flags, rocxla::hipStreamNonBlocking);
    calls.stream_priorities.push_back(priority);
    *stream = reinterpret_cast<rocxla::hipStream_t>(calls.stream_priorities.size());
    return hipSuccess;
  };
  api.hipStreamSynchronize = [](rocxla::hipStream_t) { return calls.synchronize_result; };
  api.hipStreamQuery = [](rocxla::hipStream_t) { return calls.query_result; };
  api.hipStreamDestroy = [](rocxla::hipStream_t) { return ++calls.streams_destroyed, hipSuccess; };
  return api;
}

TEST_F(OddRuntimes, NoMemoryInTheOrderOfAStream) {
  const std::unique_ptr<Stream> stream = Open(FakeRuntimeWithStreams()).CreateStream().value();
  EXPECT_EQ(stream->AllocateOrdered(64).status().ToString(),
            R"(E5025 NotSupportedByRuntime: the HIP runtime has no memory in the order of a stream
  where:    fake runtime
  found:    no function hipMallocAsync
  next:     use a newer ROCm)");
}

TEST_F(OddRuntimes, IdleStreamsAreUsedAgain) {
  StreamExecutor& executor = Open(FakeRuntimeWithStreams());
  for (int i = 0; i < 3; ++i) (void)executor.CreateStream().value();
  EXPECT_THAT(calls.stream_priorities, ElementsAre(0)) << "one stream served three times";
  {
    const auto low = executor.CreateStream(StreamPriority::kLowest), high = executor.CreateStream(-1);
    const auto beyond = executor.CreateStream(-7), above = executor.CreateStream(StreamPriority::kHighest);
  }
  EXPECT_THAT(calls.stream_priorities, ElementsAre(0, 1, -1, -1, -1)) << "each priority has its own";
  EXPECT_EQ(calls.streams_destroyed, 0);
}

TEST_F(OddRuntimes, AStreamThatFailedIsDestroyed) {
  StreamExecutor& executor = Open(FakeRuntimeWithStreams());
  std::unique_ptr<Stream> stream = executor.CreateStream().value();
  calls.synchronize_result = rocxla::hipErrorIllegalAddress;
  stream.reset();
  EXPECT_EQ(calls.streams_destroyed, 1);
  (void)executor.CreateStream().value();
  EXPECT_THAT(calls.stream_priorities, ElementsAre(0, 0));
}

TEST_F(OddRuntimes, AnIdleStreamThatIsGoneIsNotUsedAgain) {
  StreamExecutor& executor = Open(FakeRuntimeWithStreams());
  (void)executor.CreateStream().value();
  calls.query_result = rocxla::hipErrorInvalidHandle;
  calls.errors_taken = 0;
  const std::unique_ptr<Stream> stream = executor.CreateStream().value();
  EXPECT_THAT(calls.stream_priorities, ElementsAre(0, 0)) << "something reset the device in the meantime";
  EXPECT_EQ(calls.errors_taken, 1) << "the error would stick to the thread";
}

// HIP asks the current device whether it has access to virtual memory, whatever the stream.
TEST_F(OddRuntimes, CopiesAndFillsMakeTheirDeviceTheCurrentOne) {
  HipApi api = FakeRuntimeWithStreams();
  api.hipMemsetAsync = [](void*, int, size_t, rocxla::hipStream_t) {
    return calls.fill_devices.push_back(calls.current_device), hipSuccess;
  };
  api.hipMemsetD32Async = [](void*, int, size_t, rocxla::hipStream_t) {
    return calls.fill_devices.push_back(calls.current_device), hipSuccess;
  };
  api.hipMemcpyAsync = [](void*, const void*, size_t, rocxla::hipMemcpyKind, rocxla::hipStream_t) {
    return calls.fill_devices.push_back(calls.current_device), hipSuccess;
  };
  api.hipMemcpyPeerAsync = [](void*, int, const void*, int, size_t, rocxla::hipStream_t) {
    return calls.fill_devices.push_back(calls.current_device), hipSuccess;
  };
  StreamExecutor& executor = Open(api, 2);
  const std::unique_ptr<Stream> stream = executor.CreateStream().value();
  const DeviceAddressBase memory(reinterpret_cast<void*>(0x1000), 4);
  int host = 0;
  EXPECT_TRUE(stream->MemZero(memory, 4).ok());
  EXPECT_TRUE(stream->Memset32(memory, 1, 4).ok());
  EXPECT_TRUE(stream->Memcpy(memory, &host, 4).ok());
  EXPECT_TRUE(stream->Memcpy(&host, memory, 4).ok());
  EXPECT_TRUE(stream->MemcpyD2D(memory, memory, 4).ok());
  EXPECT_TRUE(stream->MemcpyFromPeer(memory, executor, memory, 4).ok());
  EXPECT_THAT(calls.fill_devices, ElementsAre(2, 2, 2, 2, 2, 2));
  EXPECT_EQ(calls.current_device, 0) << "put back";
}

TEST_F(OddRuntimes, MemoryThatTheRuntimeDoesNotTakeBackIsNotForgotten) {
  HipApi api = FakeRuntime();
  api.hipMalloc = [](void** pointer, size_t) { return *pointer = reinterpret_cast<void*>(0x1000), hipSuccess; };
  api.hipFree = [](void*) { return calls.free_result; };
  api.hipHostRegister = [](void*, size_t, unsigned) { return hipSuccess; };
  api.hipHostUnregister = [](void*) { return calls.free_result; };
  StreamExecutor& executor = Open(api);
  const DeviceAddressBase memory = executor.Allocate(64).value();
  int host = 0;
  EXPECT_TRUE(executor.HostMemoryRegister(&host, sizeof(host)).ok());
  calls.free_result = rocxla::hipErrorStreamCaptureUnsupported;
  EXPECT_EQ(executor.Deallocate(memory).id(), ErrorId::kCommandBufferMisuse);
  EXPECT_EQ(executor.HostMemoryUnregister(&host).id(), ErrorId::kCommandBufferMisuse);
  calls.free_result = hipSuccess;
  EXPECT_TRUE(executor.Deallocate(memory).ok()) << "later it does";
  EXPECT_TRUE(executor.HostMemoryUnregister(&host).ok());
  EXPECT_EQ(executor.Deallocate(memory).id(), ErrorId::kBadDeviceAddress);
}

HipApi FakeRuntimeWithHostMemory() {
  HipApi api = FakeRuntimeWithStreams();
  api.hipHostMalloc = [](void** pointer, size_t bytes, unsigned flags) {
    EXPECT_EQ(flags, rocxla::hipHostMallocPortable | rocxla::hipHostMallocCoherent);
    return *pointer = ::operator new(bytes), hipSuccess;
  };
  api.hipHostFree = [](void* pointer) { return ::operator delete(pointer), hipSuccess; };
  api.hipEventCreateWithFlags = [](rocxla::hipEvent_t*, unsigned) { return hipSuccess; };
  api.hipEventDestroy = [](rocxla::hipEvent_t) { return hipSuccess; };
  return api;
}

TEST_F(OddRuntimes, NoWaitForAValue) {
  const std::unique_ptr<Stream> stream = Open(FakeRuntimeWithHostMemory()).CreateStream().value();
  EXPECT_EQ(stream->Hold().status().ToString(),
            R"(E5025 NotSupportedByRuntime: the HIP runtime has no wait for a value
  where:    fake runtime
  found:    no function hipStreamWaitValue32
  next:     use a newer ROCm)");
}

TEST_F(OddRuntimes, NoWaitForAValueOfTheHosts) {
  HipApi api = FakeRuntimeWithHostMemory();
  api.hipStreamWaitValue32 = [](rocxla::hipStream_t, void*, uint32_t, unsigned, uint32_t) {
    return rocxla::hipErrorInvalidValue;
  };
  const std::unique_ptr<Stream> stream = Open(api).CreateStream().value();
  const Status status = stream->Hold().status();
  EXPECT_EQ(status.id(), ErrorId::kNotSupportedByRuntime) << status.ToString();
  EXPECT_THAT(status.message(),
              ::testing::StartsWith("the HIP runtime does not wait for a word of the host's memory\n  where:    fake"));
}

TEST_F(OddRuntimes, PeerAccessThatIsEnabledAlready) {
  HipApi api = FakeRuntime();
  api.hipDeviceCanAccessPeer = [](int* can, int, int peer) { return *can = peer == 1 ? 1 : 0, hipSuccess; };
  api.hipDeviceEnablePeerAccess = [](int, unsigned) { return rocxla::hipErrorPeerAccessAlreadyEnabled; };
  StreamExecutor& executor = Open(api);
  StreamExecutor& peer = Open(api, 1);
  StreamExecutor& far = Open(api, 2);
  EXPECT_TRUE(executor.EnablePeerAccessTo(peer).ok());
  EXPECT_EQ(calls.errors_taken, 1) << "the error would stick to the thread";
  EXPECT_EQ(executor.EnablePeerAccessTo(far).ToString(),
            R"(E5024 PeerAccessUnavailable: the devices cannot access each other's memory
  where:    device 0 of ROCM:PeerAccessThatIsEnabledAlready (G)
  found:    no way to device 2 of ROCM:PeerAccessThatIsEnabledAlready (G)
  next:     copy with MemcpyFromPeer, which needs no peer access)");
}

TEST_F(OddRuntimes, ADevicesOwnAccessIsSetLast) {
  HipApi api = FakeRuntime();
  api.hipDeviceCanAccessPeer = [](int* can, int, int) { return *can = 1, hipSuccess; };
  api.hipDeviceEnablePeerAccess = [](int, unsigned) { return hipSuccess; };
  api.hipMemGetAllocationGranularity = [](size_t* bytes, const rocxla::hipMemAllocationProp*,
                                          rocxla::hipMemAllocationGranularity_flags) {
    return *bytes = 4096, hipSuccess;
  };
  api.hipMemAddressReserve = [](void** pointer, size_t, size_t, void*, unsigned long long) {
    return *pointer = reinterpret_cast<void*>(0x100000), hipSuccess;
  };
  api.hipMemCreate = [](rocxla::hipMemGenericAllocationHandle_t*, size_t, const rocxla::hipMemAllocationProp*,
                        unsigned long long) { return hipSuccess; };
  api.hipMemMap = [](void*, size_t, size_t, rocxla::hipMemGenericAllocationHandle_t, unsigned long long) {
    return hipSuccess;
  };
  api.hipMemSetAccess = [](void*, size_t, const rocxla::hipMemAccessDesc* access, size_t) {
    return calls.access.push_back(access->location.id), hipSuccess;
  };
  api.hipMemUnmap = [](void*, size_t) { return hipSuccess; };
  api.hipMemRelease = [](rocxla::hipMemGenericAllocationHandle_t) { return hipSuccess; };
  api.hipMemAddressFree = [](void*, size_t) { return hipSuccess; };
  StreamExecutor& executor = Open(api, 1);
  EXPECT_TRUE(executor.EnablePeerAccessTo(Open(api, 0)).ok());
  EXPECT_TRUE(executor.EnablePeerAccessTo(Open(api, 2)).ok());
  const auto reservation = executor.CreateMemoryReservation(1).value();
  EXPECT_TRUE(reservation->Map(0, executor.CreateRawMemoryAllocation(1).value()).ok());
  EXPECT_THAT(calls.access, ElementsAre(0, 2, 1));
}

TEST_F(OddRuntimes, TheSearchForASymbolGoesOnAfterAMiss) {
  HipApi api = FakeRuntime();
  api.hipModuleLoadData = [](rocxla::hipModule_t* module, const void*) {
    return *module = reinterpret_cast<rocxla::hipModule_t>(uintptr_t{0x1000} * ++calls.modules), hipSuccess;
  };
  api.hipModuleUnload = [](rocxla::hipModule_t) { return hipSuccess; };
  api.hipModuleGetGlobal = [](void** pointer, size_t* bytes, rocxla::hipModule_t module, const char* name) {
    if (std::strcmp(name, "table") != 0) return rocxla::hipErrorNotFound;
    if (module == reinterpret_cast<rocxla::hipModule_t>(0x1000)) return rocxla::hipErrorNotFound;
    return *pointer = reinterpret_cast<void*>(0x5000), *bytes = 12, hipSuccess;
  };
  StreamExecutor& executor = Open(api);
  std::vector<std::shared_ptr<Module>> modules;
  for (const char* target : {"gfx942", "gfx1100"}) {
    std::ifstream file(std::string(ROCXLA_TEST_CASES "/triton/vector_add_fp32/triton-") + target + "/kernel.hsaco",
                       std::ios::binary);
    const std::vector<uint8_t> image{std::istreambuf_iterator<char>(file), {}};
    modules.push_back(executor.LoadModule(image).value());
    EXPECT_EQ(executor.LoadModule(image).value(), modules.back());
  }
  EXPECT_EQ(calls.modules, 2);
  EXPECT_EQ(executor.GetSymbol("table").value(), DeviceAddressBase(reinterpret_cast<void*>(0x5000), 12));
  EXPECT_EQ(executor.GetSymbol("tables").status().ToString(),
            R"(E5023 SymbolNotFound: there is no global variable of this name
  where:    the 2 loaded modules
  found:    'tables')");
  modules.pop_back();
  EXPECT_EQ(executor.GetSymbol("table").status().id(), ErrorId::kSymbolNotFound) << "its module is gone";
}

TEST_F(OddRuntimes, ALimitThatNobodyTellsIsTheRuntimesToCheck) {
  const DeviceDescription& device = Open(FakeRuntime()).GetDeviceDescription();
  EXPECT_FALSE(device.has_block_dim_limit());
  EXPECT_FALSE(device.has_shared_memory_per_block());
  EXPECT_EQ(device.pci_bus_id(), "");
  EXPECT_FALSE(device.has_device_memory_size());
}

TEST_F(OddRuntimes, CollectiveMemoryComesFromRccl) {
  setenv("ROCM_PATH", FAKE_RCCL_ROOT, 1);
  StreamExecutor& executor = Open(FakeRuntime());
  const StatusOr<DeviceAddressBase> memory = executor.Allocate(64, MemorySpace::kCollective);
  ASSERT_TRUE(memory.ok()) << memory.status().ToString();
  EXPECT_EQ(executor.GetPointerMemorySpace(memory->opaque()).value(), MemorySpace::kDevice);
  EXPECT_TRUE(executor.Deallocate(*memory).ok());
  const Status refused = executor.Allocate(13, MemorySpace::kCollective).status();
  EXPECT_EQ(refused.id(), ErrorId::kDeviceOutOfMemory);
  EXPECT_THAT(refused.message(), ::testing::EndsWith("found:    unhandled system error"));
  unsetenv("ROCM_PATH");
}

}  // namespace
}  // namespace stream_executor::gpu
