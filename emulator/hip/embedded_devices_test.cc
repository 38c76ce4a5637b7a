// Devices, their attributes, peers and the runtime's errors.
#include <cstring>
#include <thread>

#include "base/error_ids.h"
#include "emulator/hip/embedded_test.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

class EmbeddedDevicesTest : public EmbeddedTest {
 protected:
  int Attribute(hipDeviceAttribute_t attribute, int device) {
    int value = -1;
    EXPECT_EQ(hip.hipDeviceGetAttribute(&value, attribute, device), hipSuccess) << Detail();
    return value;
  }
};

// Figures of the products as rocminfo and HIP show them, written down here a second time. Memory: rocminfo's KiB.
struct Figures {
  const char *item, *name, *arch;
  uint64_t memory;
  int cus, wave, lds, major, minor, l2, bus, xccs, ecc, registers;
};
constexpr Figures kFigures[] = {
    {"mi210", "AMD Instinct MI210", "gfx90a", 68702699520, 104, 64, 65536, 9, 0, 8 << 20, 4096, 1, 1, 131072},
    {"mi250x", "AMD Instinct MI250X", "gfx90a", 68702699520, 110, 64, 65536, 9, 0, 8 << 20, 4096, 1, 1, 131072},
    {"mi300x", "AMD Instinct MI300X", "gfx942", 201310208ull << 10, 304, 64, 65536, 9, 4, 4 << 20, 8192, 8, 1, 131072},
    {"mi350x", "AMD Instinct MI350X", "gfx950", 301973504ull << 10, 256, 64, 163840, 9, 5, 4 << 20, 8192, 8, 1, 131072},
    {"rx7900xtx", "AMD Radeon RX 7900 XTX", "gfx1100", 25753026560, 48, 32, 65536, 11, 0, 6 << 20, 384, 1, 0, 196608},
    {"rx9070xt", "AMD Radeon RX 9070 XT", "gfx1201", 17095983104, 32, 32, 65536, 12, 0, 8 << 20, 256, 1, 0, 196608},
};

TEST_F(EmbeddedDevicesTest, ModelsHaveTheFiguresOfTheProducts) {
  for (const Figures& f : kFigures) {
    const int device = AddEmbeddedDevice(f.item).value();
    hipDeviceProp_tR0600 p;
    hipDeviceProp_tR0000 old;
    ASSERT_EQ(hip.hipGetDevicePropertiesR0600(&p, device), hipSuccess);
    ASSERT_EQ(hip.hipGetDeviceProperties(&old, device), hipSuccess);
    EXPECT_STREQ(p.name, f.name);
    EXPECT_STREQ(p.gcnArchName, f.arch);
    EXPECT_STREQ(old.gcnArchName, f.arch);
    EXPECT_EQ(p.totalGlobalMem, f.memory);
    EXPECT_EQ(old.totalGlobalMem, f.memory);
    EXPECT_EQ(p.multiProcessorCount, f.cus);
    EXPECT_EQ(Attribute(hipDeviceAttributeMultiprocessorCount, device), f.cus);
    EXPECT_EQ(Attribute(hipDeviceAttributeWarpSize, device), f.wave);
    EXPECT_EQ(old.sharedMemPerBlock, static_cast<size_t>(f.lds));
    EXPECT_EQ(Attribute(hipDeviceAttributeComputeCapabilityMajor, device), f.major);
    EXPECT_EQ(Attribute(hipDeviceAttributeComputeCapabilityMinor, device), f.minor);
    EXPECT_EQ(Attribute(hipDeviceAttributeL2CacheSize, device), f.l2);
    EXPECT_EQ(Attribute(hipDeviceAttributeMemoryBusWidth, device), f.bus);
    EXPECT_EQ(Attribute(hipDeviceAttributeNumberOfXccs, device), f.xccs);
    EXPECT_EQ(p.ECCEnabled, f.ecc);
    EXPECT_EQ(p.maxThreadsPerMultiProcessor, 2048) << "of all of them";
    EXPECT_EQ(Attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor, device), 2048);
    EXPECT_EQ(Attribute(hipDeviceAttributeMaxBlocksPerMultiProcessor, device), 2048 / f.wave);
    EXPECT_EQ(Attribute(hipDeviceAttributePhysicalMultiProcessorCount, device), f.cus);
    EXPECT_EQ(p.regsPerMultiprocessor, f.registers);
    EXPECT_EQ(p.clockRate, Attribute(hipDeviceAttributeClockRate, device));
  }
}

TEST_F(EmbeddedDevicesTest, EveryAttributeOfTheTableHasAValue) {
#define HIP_DEVICE_ATTRIBUTE(name, number) \
  if (!std::string(#name).starts_with("Pci")) EXPECT_GE(Attribute(hipDeviceAttribute##name, 0), 0) << #name;
#include "base/hip/hip_device_attributes.def"
#undef HIP_DEVICE_ATTRIBUTE
  int value = 7;
  EXPECT_EQ(hip.hipDeviceGetAttribute(&value, hipDeviceAttributePciBusId, 0), hipErrorNotSupported);
  EXPECT_EQ(hip.hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(9000), 0), hipErrorInvalidValue);
  EXPECT_EQ(Detail(), "no device attribute 9000");
  EXPECT_EQ(value, 7);
}

TEST_F(EmbeddedDevicesTest, OrdinalsNamesUuidsAndBuses) {
  int count = 0, device = -1;
  ASSERT_EQ(hip.hipGetDeviceCount(&count), hipSuccess);
  ASSERT_GE(count, kEmbeddedDevices);
  char name[64], bus[32];
  ASSERT_EQ(hip.hipDeviceGetName(name, sizeof(name), 0), hipSuccess);
  EXPECT_STREQ(name, "AMD Instinct MI300X");
  EXPECT_EQ(hip.hipDeviceGet(&device, 1), hipSuccess);
  EXPECT_EQ(device, 1);
  hipUUID uuid;
  ASSERT_EQ(hip.hipDeviceGetUuid(&uuid, 1), hipSuccess);
  EXPECT_EQ(std::string(uuid.bytes, 16), "e000110000000001");
  EXPECT_EQ(hip.hipDeviceGetPCIBusId(bus, sizeof(bus), 1), hipErrorNotSupported);
  EXPECT_EQ(Detail(), "an embedded device is on no PCI bus");
  EXPECT_EQ(hip.hipDeviceGetByPCIBusId(&device, "0000:01:00.0"), hipErrorInvalidValue);
}

TEST_F(EmbeddedDevicesTest, CurrentDeviceIsPerThread) {
  ASSERT_EQ(hip.hipSetDevice(1), hipSuccess);
  int here = -1, there = -1;
  hip.hipGetDevice(&here);
  std::thread([&] { hip.hipGetDevice(&there); }).join();
  EXPECT_EQ(here, 1);
  EXPECT_EQ(there, 0);
  EXPECT_EQ(hip.hipSetDevice(9999), hipErrorInvalidDevice);
  EXPECT_TRUE(DetailHas("none with ordinal 9999"));
}

TEST_F(EmbeddedDevicesTest, LastErrorStaysUntilItIsTaken) {
  EXPECT_EQ(hip.hipSetDevice(-1), hipErrorInvalidDevice);
  EXPECT_EQ(hip.hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hip.hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hip.hipGetLastError(), hipSuccess);
  EXPECT_STREQ(hip.hipGetErrorName(hipErrorInvalidDevice), "hipErrorInvalidDevice");
  EXPECT_STREQ(hip.hipGetErrorString(hipErrorNoDevice), "there is no usable GPU");
}

TEST_F(EmbeddedDevicesTest, FlagsAreKept) {
  unsigned flags = 99;
  ASSERT_EQ(hip.hipSetDeviceFlags(hipDeviceScheduleYield), hipSuccess);
  EXPECT_EQ(hip.hipGetDeviceFlags(&flags), hipSuccess);
  EXPECT_EQ(flags, hipDeviceScheduleYield);
  EXPECT_EQ(hip.hipSetDeviceFlags(0x1000), hipErrorInvalidValue);
  hip.hipSetDeviceFlags(hipDeviceScheduleAuto);
}

TEST_F(EmbeddedDevicesTest, PeersAreEnabledOnce) {
  int can = -1;
  EXPECT_EQ(hip.hipDeviceCanAccessPeer(&can, 0, 1), hipSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(hip.hipDeviceCanAccessPeer(&can, 0, 0), hipSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(hip.hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
  EXPECT_EQ(hip.hipDeviceEnablePeerAccess(1, 0), hipSuccess);
  EXPECT_EQ(hip.hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(hip.hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidDevice);
  EXPECT_EQ(hip.hipDeviceEnablePeerAccess(1, 1), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipDeviceDisablePeerAccess(1), hipSuccess);
}

TEST_F(EmbeddedDevicesTest, LinksAreThoseOfTheProducts) {
  const int first = AddEmbeddedDevice("gfx90a").value(), second = AddEmbeddedDevice("gfx90a").value();
  uint32_t type = 0, hops = 0;
  EXPECT_EQ(hip.hipExtGetLinkTypeAndHopCount(first, second, &type, &hops), hipSuccess);
  EXPECT_EQ(type, kHipLinkTypeXgmi);
  EXPECT_EQ(hops, 1u);
  EXPECT_EQ(hip.hipExtGetLinkTypeAndHopCount(first, 1, &type, &hops), hipSuccess);
  EXPECT_EQ(type, kHipLinkTypePcie);
  int value = -1;
  EXPECT_EQ(hip.hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, first, second), hipSuccess);
  EXPECT_EQ(value, 1);
}

// On a device of its own: nothing of the other tests goes away.
TEST_F(EmbeddedDevicesTest, ResetEndsEverythingOfTheDevice) {
  const int device = AddEmbeddedDevice("gfx942").value();
  ASSERT_EQ(hip.hipSetDevice(device), hipSuccess);
  size_t before = 0, after = 0, total = 0;
  hip.hipMemGetInfo(&before, &total);
  void* memory = Malloc(4096);
  void* pooled = nullptr;
  hipStream_t stream = Stream();
  hipEvent_t event = Event();
  ASSERT_EQ(hip.hipMallocAsync(&pooled, 4096, stream), hipSuccess);
  ASSERT_EQ(hip.hipDeviceEnablePeerAccess(0, 0), hipSuccess);
  ASSERT_EQ(hip.hipDeviceReset(), hipSuccess);
  EXPECT_EQ(hip.hipStreamQuery(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipEventQuery(event), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipFree(memory), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipFree(pooled), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipDeviceDisablePeerAccess(0), hipErrorPeerAccessNotEnabled);
  hip.hipMemGetInfo(&after, &total);
  EXPECT_EQ(after, before);
  EXPECT_EQ(hip.hipStreamDestroy(Stream()), hipSuccess) << "the device is usable again";
}

TEST(EmbeddedRuntime, WithoutDevicesSaysWhy) {
  Runtime none({.devices = "gfx942", .rocr_visible = {}, .hip_visible = "9", .cuda_visible = {}});
  EXPECT_EQ(none.device_count(), 0);
  EXPECT_EQ(none.no_device_reason().substr(0, 23), "HIP_VISIBLE_DEVICES='9'");
  EXPECT_EQ(
      Runtime({.devices = "gfx1", .rocr_visible = {}, .hip_visible = {}, .cuda_visible = {}}).configuration().id(),
      ErrorId::kDeviceNotFound);
}

}  // namespace
}  // namespace rocxla::emu
