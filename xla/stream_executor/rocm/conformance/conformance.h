// What every StreamExecutor must do, run on every device that this machine has: the embedded ones always, real ones if
// any. Each file of this folder covers one area; CONFORMANCE_SUITE makes its tests for every device.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "xla/stream_executor/platform.h"
#include "xla/stream_executor/rocm/device_selection.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor::gpu {

// What SelectDevice takes, for every device there is.
std::vector<std::string> AllDeviceSpecs();
std::string TestNameOf(const ::testing::TestParamInfo<std::string>& test);

#define CONFORMANCE_SUITE(Suite) \
  INSTANTIATE_TEST_SUITE_P(Devices, Suite, ::testing::ValuesIn(AllDeviceSpecs()), TestNameOf)

// EXPECTs an OK status, and prints the error in full when it is none.
#define EXPECT_OK(expression) EXPECT_PRED_FORMAT1(IsOk, expression)
inline ::testing::AssertionResult IsOk(const char* text, const Status& status) {
  if (status.ok()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << text << "\n" << status.ToString();
}
template <class T>
::testing::AssertionResult IsOk(const char* text, const StatusOr<T>& value) {
  return IsOk(text, value.status());
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override;

  static bool IsEmbedded() { return GetParam().starts_with("embedded"); }
  std::unique_ptr<Stream> NewStream() { return executor->CreateStream(StreamPriority::kDefault).value(); }
  DeviceAddressBase Allocate(uint64_t bytes) { return executor->Allocate(bytes, MemorySpace::kDevice).value(); }
  // Another device of the same platform; null when there is none.
  StreamExecutor* OtherDevice();
  // Of another platform; null when there is none.
  StreamExecutor* ForeignDevice();
  std::string Target() const;
  // A kernel that adds vectors, compiled for that target.
  static std::vector<uint8_t> VectorAddFor(const std::string& target);

  // The device's bytes, after everything queued.
  std::vector<uint8_t> Read(const DeviceAddressBase& address);
  void Write(const DeviceAddressBase& address, const std::vector<uint8_t>& bytes);

  StreamExecutor* executor = nullptr;
  std::unique_ptr<Stream> stream;
};

// With the kernel loaded, and three buffers of floats.
class ConformanceKernel : public Conformance {
 protected:
  static constexpr int kElements = 5000;
  static constexpr uint64_t kBytes = kElements * sizeof(float);

  void SetUp() override;
  void TearDown() override;
  // buffers[2] = buffers[0] + buffers[1], for so many elements.
  KernelArgs Args(int elements) const;
  KernelArgs Args(const DeviceAddressBase& x, const DeviceAddressBase& y, const DeviceAddressBase& sum) const;
  // x[i] = i / 4, y[i] = 1000 - i.
  void WriteInputs();
  void ExpectSum(const DeviceAddressBase& sum);

  std::shared_ptr<Module> module;
  std::unique_ptr<Kernel> kernel;
  LaunchDimensions dims;
  DeviceAddressBase buffers[3];
};

}  // namespace stream_executor::gpu
