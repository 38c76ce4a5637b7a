#include "xla/stream_executor/rocm/conformance/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

// Tests ask for more memory than there is; the address sanitizer would end the process instead of refusing.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

namespace stream_executor::gpu {
namespace {

[[maybe_unused]] const bool configured =
    setenv("ROCXLA_EMBEDDED_DEVICES", "gfx90a,gfx942,gfx950,gfx1100,gfx1201", 1) == 0;

// The first other device for which `accept` is true.
template <class Accept>
StreamExecutor* FindDevice(Accept accept) {
  for (const std::string& spec : AllDeviceSpecs()) {
    const StatusOr<SelectedDevice> device = SelectDevice(spec);
    if (device.ok() && accept(*device->executor)) return device->executor;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> AllDeviceSpecs() {
  std::vector<std::string> specs;
  for (const ProviderListing& provider : ListDevices()) {
    for (const DeviceListing& device : provider.devices) specs.push_back(device.spec);
  }
  return specs;
}

std::string TestNameOf(const ::testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::ranges::replace(name, ':', '_');
  return name;
}

void Conformance::SetUp() {
  StatusOr<SelectedDevice> device = SelectDevice(GetParam());
  ASSERT_TRUE(device.ok()) << device.status().ToString();
  executor = device->executor;
  stream = NewStream();
}

StreamExecutor* Conformance::OtherDevice() {
  return FindDevice(
      [&](StreamExecutor& other) { return &other != executor && &other.GetPlatform() == &executor->GetPlatform(); });
}

StreamExecutor* Conformance::ForeignDevice() {
  return FindDevice([&](StreamExecutor& other) { return &other.GetPlatform() != &executor->GetPlatform(); });
}

std::string Conformance::Target() const {
  const std::string name = executor->GetDeviceDescription().gcn_arch_name();
  return name.substr(0, name.find(':'));
}

std::vector<uint8_t> Conformance::VectorAddFor(const std::string& target) {
  std::ifstream file(fmt::format("{}/triton/vector_add_fp32/triton-{}/kernel.hsaco", ROCXLA_TEST_CASES, target),
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<uint8_t> Conformance::Read(const DeviceAddressBase& address) {
  EXPECT_OK(executor->SynchronizeAllActivity());
  std::vector<uint8_t> bytes(address.size());
  EXPECT_OK(executor->SynchronousMemcpy(bytes.data(), address, bytes.size()));
  return bytes;
}

void Conformance::Write(const DeviceAddressBase& address, const std::vector<uint8_t>& bytes) {
  EXPECT_OK(executor->SynchronousMemcpy(address, bytes.data(), bytes.size()));
}

void ConformanceKernel::SetUp() {
  Conformance::SetUp();
  const std::vector<uint8_t> code_object = VectorAddFor(Target());
  ASSERT_FALSE(code_object.empty()) << "no compiled kernel for " << Target();
  module = executor->LoadModule(code_object).value();
  kernel = module->GetKernel("vector_add").value();
  // Triton's kernels take four warps.
  dims.threads.x = 4 * executor->GetDeviceDescription().threads_per_warp();
  dims.blocks.x = 5;
  for (DeviceAddressBase& buffer : buffers) buffer = Allocate(kBytes);
}

void ConformanceKernel::TearDown() {
  stream.reset();
  for (const DeviceAddressBase& buffer : buffers) EXPECT_OK(executor->Deallocate(buffer));
}

KernelArgs ConformanceKernel::Args(int elements) const {
  KernelArgs args;
  args.Add(buffers[0]).Add(buffers[1]).Add(buffers[2]).Add(elements);
  return args.Add(DeviceAddressBase()).Add(DeviceAddressBase()), args;  // no scratch
}

KernelArgs ConformanceKernel::Args(const DeviceAddressBase& x, const DeviceAddressBase& y,
                                   const DeviceAddressBase& sum) const {
  KernelArgs args;
  args.Add(x).Add(y).Add(sum).Add(kElements);
  return args.Add(DeviceAddressBase()).Add(DeviceAddressBase()), args;
}

void ConformanceKernel::WriteInputs() {
  std::vector<float> x(kElements), y(kElements);
  for (int i = 0; i < kElements; ++i) x[i] = i * 0.25f, y[i] = 1000.0f - i;
  EXPECT_OK(executor->SynchronousMemcpy(buffers[0], x.data(), kBytes));
  EXPECT_OK(executor->SynchronousMemcpy(buffers[1], y.data(), kBytes));
}

void ConformanceKernel::ExpectSum(const DeviceAddressBase& sum) {
  const std::vector<uint8_t> bytes = Read(sum);
  const auto* values = reinterpret_cast<const float*>(bytes.data());
  int wrong = 0;
  for (int i = 0; i < kElements; ++i) wrong += values[i] == 1000.0f - i * 0.75f ? 0 : 1;
  EXPECT_EQ(wrong, 0) << "of " << kElements << " sums";
}

}  // namespace stream_executor::gpu
