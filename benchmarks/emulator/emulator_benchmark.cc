// How fast the embedded device executes: wave instructions per second, by kernel and number of host threads.
//
// These are times of the emulation on this host's CPU; they say nothing about the speed of the kernels on a GPU.
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/logging.h"
#include "emulator/exec/launch.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {
namespace {

// The kernels, loaded for gfx90a into a memory of their own.
class Device {
 public:
  Device() {
    StatusOr<std::string> image = ReadFile(EMULATOR_BENCHMARK_KERNELS);
    CHECK(image.ok()) << image.status().ToString();
    image_.assign(image->begin(), image->end());
    Load();
  }
  void Load() {
    auto object = CodeObject::Load(image_, *FindTarget("gfx90a"), memory_);
    CHECK(object.ok()) << object.status().ToString();
    object_ = std::move(*object);
  }
  // A buffer of small random f32 numbers (or, read as f16, of small ones and zeros).
  void* Buffer(size_t floats) {
    StatusOr<void*> pointer = memory_.Allocate(floats * sizeof(float));
    CHECK(pointer.ok()) << pointer.status().ToString();
    std::mt19937 random(1);
    for (size_t i = 0; i < floats; i++) static_cast<float*>(*pointer)[i] = static_cast<float>(random() % 16) / 16;
    return *pointer;
  }
  template <class... Args>
  LaunchStats Run(const char* kernel, LaunchConfig config, int threads, Args... args) {
    std::vector<std::byte> bytes;
    (Append(bytes, args), ...);
    LaunchOptions options;
    options.threads = threads;
    StatusOr<LaunchStats> stats = Launch(*object_->FindKernel(kernel), config, bytes, memory_, options);
    CHECK(stats.ok()) << stats.status().ToString();
    return *stats;
  }

 private:
  template <class T>
  static void Append(std::vector<std::byte>& bytes, T value) {
    bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value);
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  }
  AddressSpace memory_;
  std::vector<uint8_t> image_;
  std::shared_ptr<CodeObject> object_;
};

// Times one launch, after a first one that decodes. `flops`: of one launch, or 0.
template <class... Args>
void Time(benchmark::State& state, Device& device, const char* kernel, LaunchConfig config, double flops,
          Args... args) {
  const int threads = static_cast<int>(state.range(0));
  uint64_t instructions = 0;
  device.Run(kernel, config, threads, args...);
  for (auto _ : state) instructions += device.Run(kernel, config, threads, args...).instructions;
  using benchmark::Counter;
  state.counters["wave_instructions/s"] = Counter(static_cast<double>(instructions), Counter::kIsRate);
  if (flops != 0) {
    state.counters["FLOP/s"] = Counter(flops * static_cast<double>(state.iterations()), Counter::kIsRate);
  }
}

void VectorAdd(benchmark::State& state) {
  constexpr uint32_t kSize = 1 << 20;
  Device device;
  Time(state, device, "vector_add", {{kSize / 256, 1, 1}, {256, 1, 1}}, kSize, device.Buffer(kSize),
       device.Buffer(kSize), device.Buffer(kSize));
}

void FmaChains(benchmark::State& state) {
  constexpr uint32_t kBlocks = 64;
  constexpr int kSteps = 1000;
  Device device;
  Time(state, device, "fma_chains", {{kBlocks, 1, 1}, {256, 1, 1}}, 16.0 * kSteps * kBlocks * 256,
       device.Buffer(kBlocks * 256), device.Buffer(kBlocks * 256 + 1), kSteps);
}

constexpr int kRows = 256, kColumns = 512, kDepth = 512;
void Product(benchmark::State& state, const char* kernel, LaunchConfig config) {
  Device device;
  Time(state, device, kernel, config, 2.0 * kRows * kColumns * kDepth, device.Buffer(kRows * kColumns),
       device.Buffer(kRows * kDepth), device.Buffer(kDepth * kColumns), kColumns, kDepth);
}
void NaiveProduct(benchmark::State& state) {
  Product(state, "naive_product", {{kColumns / 256, kRows, 1}, {256, 1, 1}});
}
void TiledProduct(benchmark::State& state) {
  Product(state, "tiled_product", {{kColumns / 64, kRows / 64, 1}, {256, 1, 1}});
}
void MfmaProduct(benchmark::State& state) {
  Product(state, "mfma_product", {{kColumns / 32, kRows / 32, 1}, {64, 1, 1}});
}

#define FOR_THREADS(name) \
  BENCHMARK(name)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kMillisecond)->UseRealTime()
FOR_THREADS(FmaChains);
FOR_THREADS(NaiveProduct);
FOR_THREADS(VectorAdd);
FOR_THREADS(TiledProduct);
FOR_THREADS(MfmaProduct);

void WarmLaunchOf256Elements(benchmark::State& state) {
  Device device;
  void *sum = device.Buffer(256), *x = device.Buffer(256), *y = device.Buffer(256);
  device.Run("vector_add", {{1, 1, 1}, {256, 1, 1}}, 1, sum, x, y);
  for (auto _ : state) device.Run("vector_add", {{1, 1, 1}, {256, 1, 1}}, 1, sum, x, y);
}
BENCHMARK(WarmLaunchOf256Elements)->Unit(benchmark::kMicrosecond)->UseRealTime();

// Loading the object and decoding the kernel included; LLVM's tables are there after the first of them.
void FirstLaunchOf256Elements(benchmark::State& state) {
  Device device;
  void *sum = device.Buffer(256), *x = device.Buffer(256), *y = device.Buffer(256);
  for (auto _ : state) {
    device.Load();
    device.Run("vector_add", {{1, 1, 1}, {256, 1, 1}}, 1, sum, x, y);
  }
}
BENCHMARK(FirstLaunchOf256Elements)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace rocxla::emu

BENCHMARK_MAIN();
