// Copies and fills.
#include <algorithm>
#include <numeric>

#include "emulator/hip/embedded_test.h"

namespace rocxla::emu {
namespace {

using EmbeddedCopies = EmbeddedTest;

TEST_F(EmbeddedCopies, ThereAndBack) {
  constexpr size_t kBytes = 1000;
  std::vector<uint8_t> in(kBytes), out(kBytes);
  std::iota(in.begin(), in.end(), 0);
  void *a = Malloc(kBytes), *b = Malloc(kBytes);
  hipStream_t stream = Stream();
  EXPECT_EQ(hip.hipMemcpyHtoDAsync(a, in.data(), kBytes, stream), hipSuccess);
  EXPECT_EQ(hip.hipMemcpyDtoDAsync(b, a, kBytes, stream), hipSuccess);
  EXPECT_EQ(hip.hipMemsetAsync(b, 0x1ab, 10, stream), hipSuccess) << "the lowest byte counts";
  EXPECT_EQ(hip.hipMemcpyDtoHAsync(out.data(), b, kBytes, stream), hipSuccess);
  EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess);
  std::fill_n(in.begin(), 10, 0xab);
  EXPECT_EQ(in, out);
  EXPECT_EQ(hip.hipMemcpyDtoD(a, b, kBytes), hipSuccess);
  EXPECT_EQ(hip.hipMemcpyDtoH(out.data(), a, kBytes), hipSuccess);
  EXPECT_EQ(in, out);
  EXPECT_EQ(hip.hipMemcpyHtoD(b, out.data(), kBytes), hipSuccess);
  hip.hipStreamDestroy(stream);
  hip.hipFree(a);
  hip.hipFree(b);
}

TEST_F(EmbeddedCopies, FillsOfEveryWidth) {
  char* device = static_cast<char*>(Malloc(16));
  EXPECT_EQ(hip.hipMemset(device, 0x11, 16), hipSuccess);
  EXPECT_EQ(hip.hipMemsetD8(device, 0x22, 3), hipSuccess);
  EXPECT_EQ(hip.hipMemsetD16(device + 4, 0x3344, 1), hipSuccess);
  EXPECT_EQ(hip.hipMemsetD32(device + 8, 0x55667788, 2), hipSuccess);
  EXPECT_EQ(Words(device, 4), (std::vector<uint32_t>{0x11222222, 0x11113344, 0x55667788, 0x55667788}));
  EXPECT_EQ(hip.hipMemsetD32(device + 2, 0, 1), hipErrorInvalidValue) << "misaligned";
  EXPECT_EQ(hip.hipMemsetD16(device + 1, 0, 1), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemsetD32(device, 0, SIZE_MAX / 2), hipErrorInvalidValue) << "overflow";
  EXPECT_EQ(hip.hipMemset(device, 0, 17), hipErrorInvalidValue);
  hip.hipFree(device);
}

// Columns 1 and 2 of 3 rows of 4 bytes.
TEST_F(EmbeddedCopies, RowsWithPitches) {
  std::vector<uint8_t> in(12), out(6, 0xff);
  std::iota(in.begin(), in.end(), 0);
  char* device = static_cast<char*>(Malloc(24));
  EXPECT_EQ(hip.hipMemset(device, 0, 24), hipSuccess);
  EXPECT_EQ(hip.hipMemcpy2D(device, 8, in.data() + 1, 4, 2, 3, hipMemcpyHostToDevice), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipMemcpy2D(out.data(), 2, device, 8, 2, 3, hipMemcpyDeviceToHost), hipSuccess) << Detail();
  EXPECT_EQ(out, (std::vector<uint8_t>{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(hip.hipMemset2D(device, 8, 7, 2, 3), hipSuccess);
  EXPECT_EQ(Words(device, 6), (std::vector<uint32_t>{0x0707, 0, 0x0707, 0, 0x0707, 0}));
  EXPECT_EQ(hip.hipMemcpy2D(device, 1, in.data(), 4, 2, 3, hipMemcpyHostToDevice), hipErrorInvalidPitchValue);
  EXPECT_EQ(hip.hipMemcpy2D(device, 16, in.data(), 4, 4, 3, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("36 bytes at")) << Detail();
  EXPECT_EQ(hip.hipMemset2D(device, SIZE_MAX / 2, 0, 1, 9), hipErrorInvalidValue);
  hip.hipFree(device);
}

TEST_F(EmbeddedCopies, BetweenDevices) {
  void* here = Malloc(8);
  hip.hipSetDevice(1);
  void* there = Malloc(8);
  EXPECT_EQ(hip.hipMemsetD32(there, 0x1234, 2), hipSuccess);
  EXPECT_EQ(hip.hipMemcpyPeer(here, 0, there, 1, 8), hipSuccess) << Detail();
  EXPECT_EQ(Words(here, 2), (std::vector<uint32_t>{0x1234, 0x1234}));
  EXPECT_EQ(hip.hipMemcpyPeer(here, 1, there, 1, 8), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("is memory of device 0, not of 1"));
  EXPECT_EQ(hip.hipMemcpyPeer(here, 0, there, 7777, 8), hipErrorInvalidDevice);
  hip.hipFree(here);
  hip.hipFree(there);
}

TEST_F(EmbeddedCopies, Mistakes) {
  char host[64] = {};
  void* device = Malloc(32);
  EXPECT_EQ(hip.hipMemcpy(device, host, 33, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("33 bytes at"));
  EXPECT_EQ(hip.hipMemcpy(host, host + 32, 8, hipMemcpyHostToDevice), hipErrorInvalidDevicePointer);
  EXPECT_EQ(hip.hipMemcpy(device, device, 8, hipMemcpyHostToDevice), hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hip.hipMemcpy(nullptr, host, 8, hipMemcpyHostToHost), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipMemcpy(device, host, 8, static_cast<hipMemcpyKind>(9)), hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hip.hipMemcpy(device, host, 8, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(hip.hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hip.hipFree(device), hipSuccess);
  EXPECT_EQ(hip.hipMemcpy(host, device, 8, hipMemcpyDeviceToHost), hipErrorInvalidDevicePointer);
}

// An address of nobody must not end the process.
TEST_F(EmbeddedCopies, AddressesThatTheProcessDoesNotHave) {
  char host[8] = {};
  void* nowhere = reinterpret_cast<void*>(0x1000);
  EXPECT_EQ(hip.hipMemcpy(host, nowhere, 8, hipMemcpyDefault), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("neither live device memory nor memory of the process"));
  EXPECT_EQ(hip.hipMemcpy(nowhere, host, 8, hipMemcpyHostToHost), hipErrorInvalidValue);
}

}  // namespace
}  // namespace rocxla::emu
