// What every StreamExecutor must do, run on every device that this machine has: the embedded ones always, real ones if
// any.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

#include "xla/stream_executor/device_address_allocator.h"
#include "xla/stream_executor/rocm/device_selection.h"

namespace stream_executor::gpu {
namespace {

using ::testing::HasSubstr;

[[maybe_unused]] const bool configured = setenv("ROCXLA_EMBEDDED_DEVICES", "gfx942,gfx1100", 1) == 0;

std::vector<std::string> AllDevices() {
  std::vector<std::string> specs;
  for (const ProviderListing& provider : ListDevices()) {
    for (const DeviceListing& device : provider.devices) specs.push_back(device.spec);
  }
  return specs;
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    StatusOr<SelectedDevice> device = SelectDevice(GetParam());
    ASSERT_TRUE(device.ok()) << device.status().ToString();
    executor = device->executor;
    stream = NewStream();
  }
  std::unique_ptr<Stream> NewStream() { return executor->CreateStream(StreamPriority::kDefault).value(); }
  DeviceAddressBase Allocate(uint64_t bytes) { return executor->Allocate(bytes, MemorySpace::kDevice).value(); }
  std::string Target() {
    const std::string& name = executor->GetDeviceDescription().gcn_arch_name();
    return name.substr(0, name.find(':'));
  }
  std::vector<uint8_t> VectorAdd() {
    std::ifstream file(ROCXLA_TEST_CASES "/triton/vector_add_fp32/triton-" + Target() + "/kernel.hsaco",
                       std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  StreamExecutor* executor = nullptr;
  std::unique_ptr<Stream> stream;
};

TEST_P(Conformance, Description) {
  const DeviceDescription& device = executor->GetDeviceDescription();
  EXPECT_THAT(device.gcn_arch_name(), ::testing::StartsWith("gfx"));
  EXPECT_FALSE(device.name().empty());
  EXPECT_GT(device.core_count(), 0);
  EXPECT_THAT(device.threads_per_warp(), ::testing::AnyOf(32, 64));
  EXPECT_GE(device.threads_per_block_limit(), 1024);
  EXPECT_GE(device.shared_memory_per_block(), 65536);
  EXPECT_GT(device.memory_bandwidth(), 0);
  const DeviceMemoryUsage usage = executor->GetDeviceMemoryUsage().value();
  EXPECT_LE(usage.free_bytes, usage.total_bytes);
  EXPECT_EQ(static_cast<int64_t>(usage.total_bytes), device.device_memory_size());
}

TEST_P(Conformance, MemorySpaces) {
  for (MemorySpace space : {MemorySpace::kDevice, MemorySpace::kUnified, MemorySpace::kHost}) {
    DeviceAddressBase address = executor->Allocate(1000, space).value();
    EXPECT_EQ(address.size(), 1000u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(address.opaque()) % 256, 0u);
    EXPECT_TRUE(executor->Deallocate(address).ok());
    EXPECT_EQ(executor->Deallocate(address).code(), StatusCode::kInvalidArgument) << "freed twice";
  }
  EXPECT_TRUE(executor->Allocate(0, MemorySpace::kDevice)->is_null());
  EXPECT_TRUE(executor->Deallocate(DeviceAddressBase()).ok());
}

TEST_P(Conformance, OutOfMemoryTellsHowMuchThereIs) {
  const uint64_t too_much = executor->GetDeviceMemoryUsage()->total_bytes + 1;
  const Status status = executor->Allocate(too_much, MemorySpace::kDevice).status();
  EXPECT_EQ(status.id(), ErrorId::kDeviceOutOfMemory);
  EXPECT_THAT(status.message(), HasSubstr(fmt::format("expected: {} bytes", too_much)));
  EXPECT_THAT(status.message(), HasSubstr("bytes are free"));
}

TEST_P(Conformance, CopiesAndFills) {
  constexpr uint64_t kBytes = 4096;
  std::vector<uint8_t> in(kBytes), out(kBytes);
  std::iota(in.begin(), in.end(), 1);
  DeviceAddressBase a = Allocate(kBytes), b = Allocate(kBytes);
  EXPECT_TRUE(stream->Memcpy(a, in.data(), kBytes).ok());
  EXPECT_TRUE(stream->MemcpyD2D(b, a, kBytes).ok());
  EXPECT_TRUE(stream->MemZero(b, 3).ok());
  EXPECT_TRUE(stream->Memset32(b.GetByteSlice(8, 8), 0x0a0b0c0d, 8).ok());
  EXPECT_TRUE(stream->Memcpy(out.data(), b, kBytes).ok());
  EXPECT_TRUE(stream->BlockHostUntilDone().ok());
  std::fill_n(in.begin(), 3, 0);
  const uint8_t pattern[] = {0x0d, 0x0c, 0x0b, 0x0a, 0x0d, 0x0c, 0x0b, 0x0a};
  std::copy(std::begin(pattern), std::end(pattern), in.begin() + 8);
  EXPECT_EQ(in, out);
  EXPECT_TRUE(executor->SynchronousMemcpy(a, out.data(), kBytes).ok());
  EXPECT_TRUE(executor->SynchronousMemcpy(in.data(), a, kBytes).ok());
  EXPECT_EQ(in, out);
  EXPECT_TRUE(executor->Deallocate(a).ok());
  EXPECT_TRUE(executor->Deallocate(b).ok());
}

TEST_P(Conformance, RangesAreChecked) {
  char host[64] = {};
  DeviceAddressBase address = Allocate(32);
  EXPECT_EQ(stream->Memcpy(address, host, 33).message(), "a copy of 33 bytes on a device range of 32 bytes");
  EXPECT_EQ(stream->Memcpy(host, address, 33).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(stream->MemcpyD2D(address, address.GetByteSlice(0, 8), 16).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(stream->MemZero(address, 33).message(), "a fill of 33 bytes on a device range of 32 bytes");
  EXPECT_EQ(stream->Memset32(address, 0, 30).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(stream->Memset32(address.GetByteSlice(2, 8), 0, 4).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(executor->SynchronousMemcpy(address, host, 64).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(stream->ok()) << "a refused call leaves the stream alone";
  EXPECT_TRUE(executor->Deallocate(address).ok());
}

TEST_P(Conformance, EventsAndWaits) {
  std::promise<void> gate;
  std::unique_ptr<Stream> other = NewStream();
  std::unique_ptr<Event> event = executor->CreateEvent(EventTiming::kDisabled).value();
  std::atomic<bool> first_ran = false, second_saw_it = false, third_saw_it = false;
  EXPECT_TRUE(stream->DoHostCallback([&] { gate.get_future().wait(), first_ran = true; }).ok());
  EXPECT_TRUE(stream->RecordEvent(*event).ok());
  EXPECT_EQ(event->PollForStatus(), Event::State::kPending);
  EXPECT_TRUE(other->WaitFor(*event).ok());
  EXPECT_TRUE(other->DoHostCallback([&] { second_saw_it = first_ran.load(); }).ok());
  std::unique_ptr<Stream> third = NewStream();
  EXPECT_TRUE(third->WaitFor(*other).ok());
  EXPECT_TRUE(third->DoHostCallback([&] { third_saw_it = second_saw_it.load(); }).ok());
  gate.set_value();
  EXPECT_TRUE(event->Synchronize().ok());
  EXPECT_EQ(event->PollForStatus(), Event::State::kComplete);
  EXPECT_TRUE(third->BlockHostUntilDone().ok());
  EXPECT_TRUE(second_saw_it);
  EXPECT_TRUE(third_saw_it);
}

TEST_P(Conformance, FailingCallbackFailsTheStream) {
  EXPECT_TRUE(stream->DoHostCallbackWithStatus([] { return rocxla::AbortedError("enough"); }).ok());
  EXPECT_EQ(stream->BlockHostUntilDone().message(), "enough");
  EXPECT_EQ(stream->status().message(), "enough");
  EXPECT_EQ(stream->DoHostCallback([] {}).message(), "enough");
}

TEST_P(Conformance, ElapsedTimeIsMeasuredOrRefused) {
  std::unique_ptr<Event> start = executor->CreateEvent(EventTiming::kEnabled).value();
  std::unique_ptr<Event> stop = executor->CreateEvent(EventTiming::kEnabled).value();
  EXPECT_TRUE(stream->RecordEvent(*start).ok());
  EXPECT_TRUE(stream->RecordEvent(*stop).ok());
  EXPECT_TRUE(stream->BlockHostUntilDone().ok());
  auto elapsed = executor->ElapsedTime(*start, *stop);
  if (GetParam().starts_with("embedded")) {
    EXPECT_THAT(elapsed.status().message(), HasSubstr("the embedded device has no clock"));
  } else {
    EXPECT_GE(elapsed.value().count(), 0);
  }
}

class ConformanceKernel : public Conformance {
 protected:
  static constexpr int kElements = 5000;
  static constexpr uint64_t kBytes = kElements * sizeof(float);

  void SetUp() override {
    Conformance::SetUp();
    const std::vector<uint8_t> code_object = VectorAdd();
    ASSERT_FALSE(code_object.empty()) << "no compiled kernel for " << Target();
    module = executor->LoadModule(code_object).value();
    kernel = module->GetKernel("vector_add").value();
    // Triton's kernels take four warps.
    dims.threads.x = 4 * executor->GetDeviceDescription().threads_per_warp();
    dims.blocks.x = 5;
    for (DeviceAddressBase& buffer : buffers) buffer = Allocate(kBytes);
  }
  void TearDown() override {
    stream.reset();
    for (const DeviceAddressBase& buffer : buffers) EXPECT_TRUE(executor->Deallocate(buffer).ok());
  }
  KernelArgs Args(int elements) {
    KernelArgs args;
    args.Add(buffers[0]).Add(buffers[1]).Add(buffers[2]).Add(elements);
    return args.Add(DeviceAddressBase()).Add(DeviceAddressBase()), args;  // no scratch
  }
  std::shared_ptr<Module> module;
  std::unique_ptr<Kernel> kernel;
  LaunchDimensions dims;
  DeviceAddressBase buffers[3];
};

TEST_P(ConformanceKernel, AddsVectors) {
  std::vector<float> x(kElements), y(kElements), sum(kElements), expected(kElements);
  for (int i = 0; i < kElements; ++i) x[i] = i * 0.25f, y[i] = 1000.0f - i, expected[i] = x[i] + y[i];
  EXPECT_TRUE(stream->Memcpy(buffers[0], x.data(), kBytes).ok());
  EXPECT_TRUE(stream->Memcpy(buffers[1], y.data(), kBytes).ok());
  EXPECT_TRUE(kernel->Launch(dims, *stream, Args(kElements)).ok());
  EXPECT_TRUE(stream->Memcpy(sum.data(), buffers[2], kBytes).ok());
  const Status done = stream->BlockHostUntilDone();
  ASSERT_TRUE(done.ok()) << done.ToString();
  EXPECT_EQ(sum, expected);
}

TEST_P(ConformanceKernel, KernelOutlivesItsModuleHandle) {
  module.reset();
  EXPECT_TRUE(kernel->Launch(dims, *stream, Args(kElements)).ok());
  kernel.reset();
  EXPECT_TRUE(stream->BlockHostUntilDone().ok());
}

TEST_P(ConformanceKernel, Metadata) {
  EXPECT_EQ(kernel->name(), "vector_add");
  EXPECT_EQ(kernel->arguments().size(), 6u);
  EXPECT_EQ(kernel->arguments()[3], (KernelArgs::Slot{24, 4}));
  EXPECT_GT(kernel->metadata().registers_per_thread, 0);
  EXPECT_EQ(kernel->metadata().shared_memory_bytes, 0);
  EXPECT_EQ(kernel->metadata().local_memory_bytes, 0);
  EXPECT_EQ(kernel->metadata().max_threads_per_block, static_cast<int>(dims.threads.x));
  EXPECT_GT(kernel->GetMaxOccupiedBlocksPerCore(dims.threads, 0).value(), 0);
}

TEST_P(ConformanceKernel, WrongLaunches) {
  KernelArgs few;
  few.Add(buffers[0]).Add(buffers[1]);
  EXPECT_EQ(kernel->Launch(dims, *stream, few).ToString(),
            R"(E5005 WrongInputs: the arguments do not fit the kernel
  where:    kernel 'vector_add'
  found:    2 arguments
  expected: 6)");
  KernelArgs wide;
  wide.Add(buffers[0]).Add(buffers[1]).Add(buffers[2]).Add(int64_t{5}).Add(buffers[0]).Add(buffers[0]);
  EXPECT_EQ(kernel->Launch(dims, *stream, wide).ToString(),
            R"(E5005 WrongInputs: the arguments do not fit the kernel
  where:    kernel 'vector_add'
  found:    argument 3: 8 bytes at 24
  expected: 4 bytes at 24)");
  LaunchDimensions wrong = dims;
  wrong.blocks.y = 0;
  EXPECT_THAT(kernel->Launch(wrong, *stream, Args(1)).message(), HasSubstr("a grid of 5 x 0 x 1 blocks"));
  wrong = dims;
  wrong.threads.y = 2;
  EXPECT_EQ(kernel->Launch(wrong, *stream, Args(1)).id(), ErrorId::kWrongInputs);
  EXPECT_TRUE(stream->BlockHostUntilDone().ok()) << "none of it was launched";
}

TEST_P(ConformanceKernel, UnknownNames) {
  EXPECT_EQ(module->GetKernel("vector_sub").status().message(),
            "the module has no kernel 'vector_sub'; it has: vector_add");
  EXPECT_EQ(module->GetSymbol("table").status().message(), "the module has no global variable 'table'");
}

TEST_P(Conformance, CodeObjectsForOthers) {
  std::vector<uint8_t> damaged = VectorAdd();
  damaged.resize(damaged.size() / 2);
  EXPECT_EQ(executor->LoadModule(damaged).status().id(), ErrorId::kBadCodeObject);
  const char* other = Target() == "gfx942" ? "gfx1100" : "gfx942";
  std::ifstream file(fmt::format("{}/triton/vector_add_fp32/triton-{}/kernel.hsaco", ROCXLA_TEST_CASES, other),
                     std::ios::binary);
  const std::vector<uint8_t> foreign{std::istreambuf_iterator<char>(file), {}};
  const DeviceDescription& device = executor->GetDeviceDescription();
  EXPECT_EQ(executor->LoadModule(foreign).status().ToString(),
            fmt::format("E5007 BadCodeObject: the code object is for another GPU\n  where:    {}\n"
                        "  found:    a code object for {}\n  expected: {}",
                        device.name(), other, device.gcn_arch_name()));
}

// A fault ends the process on real hardware, so this is asked of embedded devices only.
TEST_P(ConformanceKernel, FaultIsTheStreamsErrorWithTheDevicesWholeText) {
  if (!GetParam().starts_with("embedded")) GTEST_SKIP() << "a real GPU's fault ends the process";
  dims.blocks.x = 6;  // beyond the buffers
  EXPECT_TRUE(kernel->Launch(dims, *stream, Args(6000)).ok());
  const Status status = stream->BlockHostUntilDone();
  EXPECT_EQ(status.id(), ErrorId::kKernelFailed);
  EXPECT_THAT(status.message(), ::testing::StartsWith(R"(a kernel stopped with an error on the device
  where:    hipStreamSynchronize of embedded device
  found:    hipErrorIllegalAddress, a kernel accessed memory that it may not
            E2104 EmulatorMemoryFault: )"));
  EXPECT_THAT(status.message(), HasSubstr("vector_add"));
  EXPECT_EQ(kernel->Launch(dims, *stream, Args(1)), status);
  EXPECT_TRUE(NewStream()->BlockHostUntilDone().ok()) << "other streams go on";
}

TEST_P(Conformance, AllocatorOwnsWhatItGives) {
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
    EXPECT_TRUE(second.Free().ok());
    EXPECT_TRUE(second.is_null());
    ScopedDeviceAddress third = allocator.Allocate(device, 64).value();
    EXPECT_TRUE(allocator.Deallocate(device, third.Release()).ok());
  }
  EXPECT_EQ(executor->GetDeviceMemoryUsage()->free_bytes, before);
  EXPECT_EQ(allocator.Allocate(99, 64).status().message(), "this allocator serves no device 99");
}

TEST_P(Conformance, StreamsFromManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> runs = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      std::unique_ptr<Stream> own = NewStream();
      DeviceAddressBase address = Allocate(256);
      for (int k = 0; k < 20; ++k) {
        EXPECT_TRUE(own->MemZero(address, 256).ok());
        EXPECT_TRUE(own->DoHostCallback([&] { ++runs; }).ok());
      }
      EXPECT_TRUE(own->BlockHostUntilDone().ok());
      EXPECT_TRUE(executor->Deallocate(address).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs, 160);
  EXPECT_TRUE(executor->SynchronizeAllActivity().ok());
}

std::string NameOf(const ::testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::ranges::replace(name, ':', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Devices, Conformance, ::testing::ValuesIn(AllDevices()), NameOf);
INSTANTIATE_TEST_SUITE_P(Devices, ConformanceKernel, ::testing::ValuesIn(AllDevices()), NameOf);

}  // namespace
}  // namespace stream_executor::gpu
