#include "base/error_ids.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"

namespace stream_executor::gpu {
namespace {

class ConformancePeer : public Conformance {
 protected:
  void SetUp() override {
    Conformance::SetUp();
    other = OtherDevice();
    if (other == nullptr) GTEST_SKIP() << "there is one device only";
  }
  StreamExecutor* other = nullptr;
};

TEST_P(ConformancePeer, CopiesNeedNoAccess) {
  constexpr uint64_t kBytes = 3000;
  const DeviceAddressBase here = Allocate(kBytes), there = other->Allocate(kBytes).value();
  std::vector<uint8_t> bytes(kBytes);
  for (uint64_t i = 0; i < kBytes; ++i) bytes[i] = static_cast<uint8_t>(i * 7);
  EXPECT_OK(other->SynchronousMemcpy(there, bytes.data(), kBytes));
  EXPECT_OK(stream->MemcpyFromPeer(here, *other, there, kBytes));
  EXPECT_OK(stream->BlockHostUntilDone());
  EXPECT_EQ(Read(here), bytes);
  EXPECT_EQ(stream->MemcpyFromPeer(here, *other, there, kBytes + 1).id(), ErrorId::kBadDeviceAddress);
  EXPECT_OK(stream->MemcpyFromPeer(here, *other, there, 0));
  EXPECT_OK(executor->Deallocate(here));
  EXPECT_OK(other->Deallocate(there));
}

TEST_P(ConformancePeer, AccessIsEnabledOnceOrMore) {
  const bool can = executor->CanEnablePeerAccessTo(other->device_ordinal()).value();
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Status status = executor->EnablePeerAccessTo(*other);
    EXPECT_EQ(status.id(), can ? ErrorId::kNone : ErrorId::kPeerAccessUnavailable) << status.ToString();
  }
  if (!can) return;
  const DeviceAddressBase here = Allocate(64), there = other->Allocate(64).value();
  EXPECT_OK(stream->MemZero(here, 64));
  EXPECT_OK(stream->MemcpyD2D(there, here, 64));
  EXPECT_OK(stream->BlockHostUntilDone()) << "the failure before left nothing behind";
  EXPECT_OK(executor->Deallocate(here));
  EXPECT_OK(other->Deallocate(there));
}

TEST_P(ConformancePeer, ItselfAndNobody) {
  EXPECT_TRUE(executor->CanEnablePeerAccessTo(executor->device_ordinal()).value());
  EXPECT_OK(executor->EnablePeerAccessTo(*executor));
  EXPECT_EQ(executor->CanEnablePeerAccessTo(-1).status().id(), ErrorId::kDeviceNotFound);
  EXPECT_EQ(executor->CanEnablePeerAccessTo(1000).status().id(), ErrorId::kDeviceNotFound);
  StreamExecutor* foreign = ForeignDevice();
  if (foreign == nullptr) return;  // one platform only
  EXPECT_EQ(executor->EnablePeerAccessTo(*foreign).id(), ErrorId::kWrongDevice);
}

CONFORMANCE_SUITE(ConformancePeer);

}  // namespace
}  // namespace stream_executor::gpu
