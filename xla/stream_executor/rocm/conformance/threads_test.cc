#include <atomic>
#include <thread>

#include "base/error_ids.h"
#include "xla/stream_executor/platform_manager.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"
#include "xla/stream_executor/rocm/rocm_platform.h"

namespace stream_executor::gpu {
namespace {

// Runs body(i) on so many threads, which all start at once.
template <class Body>
void OnThreads(int count, Body body) {
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < count) std::this_thread::yield();
      body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

class ConformanceThreads : public ConformanceKernel {};

TEST_P(ConformanceThreads, StreamsOfTheirOwn) {
  std::atomic<int> runs = 0;
  OnThreads(8, [&](int) {
    const std::unique_ptr<Stream> own = NewStream();
    const DeviceAddressBase address = Allocate(256);
    for (int k = 0; k < 20; ++k) {
      EXPECT_OK(own->MemZero(address, 256));
      EXPECT_OK(own->DoHostCallback([&] { ++runs; }));
    }
    EXPECT_OK(own->BlockHostUntilDone());
    EXPECT_OK(executor->Deallocate(address));
  });
  EXPECT_EQ(runs, 160);
  EXPECT_OK(executor->SynchronizeAllActivity());
}

TEST_P(ConformanceThreads, OneStreamOneModuleOneConstant) {
  const std::vector<uint8_t> code_object = VectorAddFor(Target()), content(100, 7);
  std::atomic<int> runs = 0;
  std::vector<std::shared_ptr<const DeviceAddressBase>> constants(8);
  OnThreads(8, [&](int i) {
    EXPECT_EQ(executor->LoadModule(code_object).value(), module);
    constants[i] = executor->CreateOrShareConstant(*stream, content).value();
    for (int k = 0; k < 10; ++k) EXPECT_OK(stream->DoHostCallback([&] { ++runs; }));
  });
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_EQ(runs, 80);
  for (const auto& constant : constants) EXPECT_EQ(constant, constants[0]);
}

CONFORMANCE_SUITE(ConformanceThreads);

// A hundred threads, for whom nothing exists yet: executors, descriptions, streams.
TEST(PlatformThreads, AHundredAskAtOnce) {
  constexpr int kThreads = 100;
  std::vector<StreamExecutor*> executors(kThreads);
  OnThreads(kThreads, [&](int i) {
    ROCmPlatform* platform = RocmPlatformOf("embedded").value();
    const int ordinal = i % platform->VisibleDeviceCount();
    executors[i] = platform->ExecutorForDevice(ordinal).value();
    EXPECT_EQ(platform->FindExisting(ordinal).value(), executors[i]);
    EXPECT_EQ(platform->DescriptionForDevice(ordinal).value()->ToString(),
              executors[i]->GetDeviceDescription().ToString());
    EXPECT_EQ(PlatformManager::PlatformWithName(platform->Name()).value(), platform);
    const std::unique_ptr<Stream> stream = executors[i]->CreateStream().value();
    const DeviceAddressBase address = executors[i]->Allocate(64).value();
    EXPECT_OK(stream->Memset32(address, 5, 64));
    EXPECT_OK(stream->BlockHostUntilDone());
    EXPECT_OK(executors[i]->Deallocate(address));
    EXPECT_EQ(platform->ExecutorForDevice(9999).status().id(), ErrorId::kDeviceNotFound);
  });
  ROCmPlatform* platform = RocmPlatformOf("embedded").value();
  for (int i = 0; i < kThreads; ++i) {
    EXPECT_EQ(executors[i], platform->ExecutorForDevice(i % platform->VisibleDeviceCount()).value());
  }
}

}  // namespace
}  // namespace stream_executor::gpu
