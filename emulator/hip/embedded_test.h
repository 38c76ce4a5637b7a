// What the tests of the embedded HIP functions share: two devices, and short ways to ask for things.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <string>
#include <vector>

#include "emulator/hip/embedded_hip.h"

namespace rocxla::emu {

// Before anything asks for devices.
[[maybe_unused]] inline const bool embedded_devices_configured = [] {
  for (const char* variable : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"})
    unsetenv(variable);
  return setenv("ROCXLA_EMBEDDED_DEVICES", "gfx942,gfx1100", 1) == 0;
}();
inline constexpr int kEmbeddedDevices = 2;  // other tests add more

class EmbeddedTest : public ::testing::Test {
 protected:
  EmbeddedTest() { hip.hipSetDevice(0); }
  ~EmbeddedTest() override { hip.hipSetDevice(0); }

  std::string Detail() { return hip.rocxlaGetLastErrorDetail(); }
  bool DetailHas(const std::string& part) { return Detail().find(part) != std::string::npos; }
  void* Malloc(size_t bytes) {
    void* pointer = nullptr;
    EXPECT_EQ(hip.hipMalloc(&pointer, bytes), hipSuccess) << Detail();
    return pointer;
  }
  hipStream_t Stream(unsigned flags = hipStreamNonBlocking) {
    hipStream_t stream = nullptr;
    EXPECT_EQ(hip.hipStreamCreateWithFlags(&stream, flags), hipSuccess) << Detail();
    return stream;
  }
  hipEvent_t Event(unsigned flags = hipEventDisableTiming) {
    hipEvent_t event = nullptr;
    EXPECT_EQ(hip.hipEventCreateWithFlags(&event, flags), hipSuccess) << Detail();
    return event;
  }
  // The 32-bit words of device memory.
  std::vector<uint32_t> Words(const void* device, size_t count) {
    std::vector<uint32_t> words(count);
    EXPECT_EQ(hip.hipMemcpy(words.data(), device, count * 4, hipMemcpyDeviceToHost), hipSuccess) << Detail();
    return words;
  }

  const HipApi& hip = **EmbeddedHip();
};

// Holds a stream until it is opened.
class Gate {
 public:
  void Close(const HipApi& hip, hipStream_t stream) {
    const auto wait = [](void* gate) { static_cast<Gate*>(gate)->opened_.get_future().wait(); };
    EXPECT_EQ(hip.hipLaunchHostFunc(stream, wait, this), hipSuccess);
  }
  void Open() { opened_.set_value(); }

 private:
  std::promise<void> opened_;
};

}  // namespace rocxla::emu
