// What the tests of this folder share: a program of the folder, loaded for one target, and short ways to run its
// kernels through the embedded HIP.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "base/file.h"
#include "emulator/hip/embedded_hip.h"

namespace rocxla::emu {

inline constexpr const char* kHipTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};

// Before anything asks for devices: one of each target, in that order.
[[maybe_unused]] inline const bool hip_targets_configured = [] {
  for (const char* variable : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"})
    unsetenv(variable);
  return setenv("ROCXLA_EMBEDDED_DEVICES", "gfx90a,gfx942,gfx950,gfx1100,gfx1201", 1) == 0;
}();

struct HipBuild {
  int target;           // index in kHipTargets
  const char* variant;  // "O3", "O0", ...: how the programs were compiled
};
inline void PrintTo(const HipBuild& build, std::ostream* out) { *out << kHipTargets[build.target]; }

struct Sizes {
  unsigned x = 1, y = 1, z = 1;
};

class HipProgramTest : public ::testing::TestWithParam<HipBuild> {
 protected:
  // Device memory of the running test.
  template <class T>
  class Array {
   public:
    Array(HipProgramTest& test, const std::vector<T>& values) : test_(test), count_(values.size()) {
      pointer_ = static_cast<T*>(test.Allocate(count_ * sizeof(T)));
      test.Copy(pointer_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice);
    }
    T* get() const { return pointer_; }
    std::vector<T> Values() const {
      std::vector<T> values(count_);
      test_.Copy(values.data(), pointer_, count_ * sizeof(T), hipMemcpyDeviceToHost);
      return values;
    }

   private:
    HipProgramTest& test_;
    size_t count_;
    T* pointer_;
  };

  void SetUp() override { ASSERT_EQ(hip.hipSetDevice(GetParam().target), hipSuccess); }
  void TearDown() override {
    for (void* pointer : allocations_) hip.hipFree(pointer);
    if (module_ != nullptr) hip.hipModuleUnload(module_);
  }

  std::string Detail() { return hip.rocxlaGetLastErrorDetail(); }
  int wave_size() const { return GetParam().target < 3 ? 64 : 32; }

  // Loads PROGRAM.hip as compiled for the test's target, in the variant of the test or in another.
  void Load(const std::string& program, const std::string& variant = "") {
    std::string path = std::string(ROCXLA_HIP_PROGRAMS) + "/" + program + "." +
                       (variant.empty() ? GetParam().variant : variant) + "." + kHipTargets[GetParam().target] +
                       ".hsaco";
    auto image = ReadFile(path);
    ASSERT_TRUE(image.ok()) << image.status().ToString();
    if (module_ != nullptr) ASSERT_EQ(hip.hipModuleUnload(module_), hipSuccess);
    ASSERT_EQ(hip.hipModuleLoadData(&module_, image->data()), hipSuccess) << Detail();
  }

  template <class T>
  Array<T> Upload(const std::vector<T>& values) {
    return Array<T>(*this, values);
  }
  template <class T>
  Array<T> Zeros(size_t count) {
    return Array<T>(*this, std::vector<T>(count));
  }
  // A variable of the loaded program.
  void* Global(const char* name, size_t expected_bytes) {
    void* pointer = nullptr;
    size_t bytes = 0;
    EXPECT_EQ(hip.hipModuleGetGlobal(&pointer, &bytes, module_, name), hipSuccess) << Detail();
    EXPECT_EQ(bytes, expected_bytes) << name;
    return pointer;
  }
  void Copy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
    if (bytes != 0) ASSERT_EQ(hip.hipMemcpy(to, from, bytes, kind), hipSuccess) << Detail();
  }

  hipFunction_t Function(const char* kernel) {
    hipFunction_t function = nullptr;
    EXPECT_EQ(hip.hipModuleGetFunction(&function, module_, kernel), hipSuccess) << Detail();
    return function;
  }
  // Starts a kernel on a stream and waits for it. The types of the arguments are those of the kernel's parameters.
  template <class... A>
  hipError_t TryToRun(const char* kernel, Sizes grid, Sizes block, unsigned lds_bytes, A... arguments) {
    void* params[] = {static_cast<void*>(&arguments)..., nullptr};
    hipStream_t stream = nullptr;
    EXPECT_EQ(hip.hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), hipSuccess);
    hipError_t error = hip.hipModuleLaunchKernel(Function(kernel), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                 lds_bytes, stream, params, nullptr);
    if (error == hipSuccess) error = hip.hipStreamSynchronize(stream);
    detail_ = Detail();
    hip.hipStreamDestroy(stream);
    return error;
  }
  template <class... A>
  void Run(const char* kernel, Sizes grid, Sizes block, A... arguments) {
    ASSERT_EQ(TryToRun(kernel, grid, block, 0, arguments...), hipSuccess) << kernel << ": " << detail_;
  }

  const HipApi& hip = **EmbeddedHip();
  std::string detail_;  // of the last TryToRun

 private:
  void* Allocate(size_t bytes) {
    void* pointer = nullptr;
    EXPECT_EQ(hip.hipMalloc(&pointer, bytes), hipSuccess) << Detail();
    allocations_.push_back(pointer);
    return pointer;
  }
  hipModule_t module_ = nullptr;
  std::vector<void*> allocations_;
};

// Numbers without a pattern, the same in every run.
class Sequence {
 public:
  explicit Sequence(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  uint32_t Word() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state_ >> 32);
  }
  int Between(int low, int high) { return low + static_cast<int>(Word() % static_cast<uint32_t>(high - low + 1)); }
  // Multiples of 1/16 in [-limit, limit]: sums of few of them are exact.
  double Sixteenths(int limit) { return Between(-16 * limit, 16 * limit) / 16.0; }
  template <class T, class Make>
  std::vector<T> Many(size_t count, Make make) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(make());
    return values;
  }
  std::vector<int> Integers(size_t count, int low, int high) {
    return Many<int>(count, [&] { return Between(low, high); });
  }

 private:
  uint64_t state_;
};

inline std::string NameOfBuild(const ::testing::TestParamInfo<HipBuild>& info) {
  return std::string(kHipTargets[info.param.target]) + "_" + info.param.variant;
}
#define HIP_BUILDS(variant) \
  HipBuild{0, variant}, HipBuild{1, variant}, HipBuild{2, variant}, HipBuild{3, variant}, HipBuild { 4, variant }

}  // namespace rocxla::emu
