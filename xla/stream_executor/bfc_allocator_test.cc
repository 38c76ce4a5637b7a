#include "xla/stream_executor/bfc_allocator.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace stream_executor {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Addresses that nobody dereferences, from a device of limited size. Regions touch, so that only the allocator's own
// rule keeps pieces of different regions apart.
class FakeDevice {
 public:
  explicit FakeDevice(uint64_t bytes) : free_bytes_(bytes) {}

  class Region : public MemoryAllocation {
   public:
    Region(FakeDevice& device, DeviceAddressBase address) : device_(device), address_(address) {}
    ~Region() override { device_.free_bytes_ += address_.size(), device_.regions_.erase(address_.opaque()); }
    DeviceAddressBase address() const override { return address_; }

   private:
    FakeDevice& device_;
    DeviceAddressBase address_;
  };
  class Source : public MemoryAllocator {
   public:
    explicit Source(FakeDevice& device) : device_(device) {}
    StatusOr<std::unique_ptr<MemoryAllocation>> Allocate(uint64_t size_bytes) override {
      if (device_.broken_) return rocxla::InternalError("the device is gone");
      if (size_bytes > device_.free_bytes_) {
        return Error(ErrorId::kDeviceOutOfMemory, {.what = "the fake device is full"});
      }
      device_.free_bytes_ -= size_bytes;
      const DeviceAddressBase address(reinterpret_cast<void*>(device_.next_), size_bytes);
      device_.next_ += size_bytes;
      device_.regions_.insert(address.opaque());
      device_.sizes_.push_back(size_bytes);
      return std::unique_ptr<MemoryAllocation>(std::make_unique<Region>(device_, address));
    }

   private:
    FakeDevice& device_;
  };
  std::unique_ptr<MemoryAllocator> NewSource() { return std::make_unique<Source>(*this); }
  size_t regions() const { return regions_.size(); }
  uint64_t free_bytes() const { return free_bytes_; }
  const std::vector<uint64_t>& sizes() const { return sizes_; }
  void Break() { broken_ = true; }

 private:
  uint64_t free_bytes_;
  uintptr_t next_ = 0x100000;
  bool broken_ = false;
  std::set<void*> regions_;
  std::vector<uint64_t> sizes_;
};

uintptr_t Bits(const DeviceAddressBase& address) { return reinterpret_cast<uintptr_t>(address.opaque()); }

TEST(BfcAllocator, TakesTheSmallestPieceThatFits) {
  FakeDevice device(64 * kMiB);
  BfcAllocator allocator(device.NewSource(), {.first_region_bytes = kMiB});
  const DeviceAddressBase a = allocator.Allocate(4096).value(), wall1 = allocator.Allocate(256).value();
  const DeviceAddressBase b = allocator.Allocate(1024).value(), wall2 = allocator.Allocate(256).value();
  ASSERT_TRUE(allocator.Deallocate(a).ok());
  ASSERT_TRUE(allocator.Deallocate(b).ok());
  EXPECT_EQ(allocator.Allocate(1000)->opaque(), b.opaque()) << "not the larger hole in front of it";
  EXPECT_EQ(allocator.Allocate(1000)->opaque(), a.opaque());
  EXPECT_EQ(allocator.stats().pieces_in_use, 4u);
  EXPECT_EQ(wall1.size(), 256u);
  EXPECT_GT(Bits(wall2), Bits(wall1));
}

TEST(BfcAllocator, JoinsNeighboursInEveryOrder) {
  for (std::vector<int> order : {std::vector{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    FakeDevice device(kMiB);
    BfcAllocator allocator(device.NewSource(), {.first_region_bytes = kMiB});
    std::vector<DeviceAddressBase> pieces;
    for (int i = 0; i < 3; ++i) pieces.push_back(allocator.Allocate(kMiB / 4).value());
    for (int i : order) ASSERT_TRUE(allocator.Deallocate(pieces[i]).ok());
    EXPECT_EQ(allocator.stats().free_pieces, 1u);
    EXPECT_EQ(allocator.stats().largest_free_block_bytes, kMiB);
    EXPECT_TRUE(allocator.Allocate(kMiB).ok()) << "one piece again, without a second region";
  }
}

TEST(BfcAllocator, RegionsGrowAndNeverJoin) {
  FakeDevice device(64 * kMiB);
  BfcAllocator allocator(device.NewSource(), {.first_region_bytes = kMiB});
  const DeviceAddressBase a = allocator.Allocate(kMiB).value(), b = allocator.Allocate(kMiB).value();
  EXPECT_THAT(device.sizes(), ::testing::ElementsAre(kMiB, 2 * kMiB));
  EXPECT_EQ(Bits(b), Bits(a) + kMiB) << "the regions touch";
  ASSERT_TRUE(allocator.Deallocate(a).ok());
  ASSERT_TRUE(allocator.Deallocate(b).ok());
  EXPECT_EQ(allocator.stats().free_pieces, 2u);
  EXPECT_EQ(allocator.stats().largest_free_block_bytes, 2 * kMiB);
  EXPECT_EQ(allocator.ReleaseFreeRegions(), 3 * kMiB);
  EXPECT_EQ(device.regions(), 0u);
  EXPECT_EQ(device.free_bytes(), 64 * kMiB);
}

TEST(BfcAllocator, SmallerRegionsWhenTheDeviceIsNearlyFull) {
  FakeDevice device(3 * kMiB);
  BfcAllocator allocator(device.NewSource(), {.first_region_bytes = 8 * kMiB});
  EXPECT_TRUE(allocator.Allocate(kMiB).ok());
  EXPECT_THAT(device.sizes(), ::testing::ElementsAre(2 * kMiB));
}

TEST(BfcAllocator, GivesFreeRegionsBackToMakeRoom) {
  FakeDevice device(4 * kMiB);
  BfcAllocator allocator(device.NewSource(), {.first_region_bytes = kMiB});
  const DeviceAddressBase small = allocator.Allocate(kMiB).value();
  ASSERT_TRUE(allocator.Deallocate(small).ok());
  EXPECT_TRUE(allocator.Allocate(4 * kMiB).ok()) << "only possible without the first region";
  EXPECT_EQ(device.regions(), 1u);
}

TEST(BfcAllocator, OutOfMemoryReportsFragmentation) {
  FakeDevice device(64 * kMiB);
  BfcAllocator allocator(device.NewSource(), {.name = "test memory", .limit_bytes = 4096, .first_region_bytes = kMiB});
  std::vector<DeviceAddressBase> pieces;
  for (int i = 0; i < 4; ++i) pieces.push_back(allocator.Allocate(1000).value());
  ASSERT_TRUE(allocator.Deallocate(pieces[0]).ok());
  ASSERT_TRUE(allocator.Deallocate(pieces[2]).ok());
  EXPECT_EQ(allocator.Allocate(1025).status().ToString(),
            R"(E5004 DeviceOutOfMemory: the allocator has no free piece that is large enough, and gets no further memory
  where:    test memory
  found:    2048 bytes in use in 2 pieces (2 x 1024)
            2048 bytes free in 2 pieces, the largest 1024 (50% fragmented)
            4096 bytes reserved of at most 4096
  expected: 1025 bytes in one piece)");
  EXPECT_TRUE(allocator.Allocate(1024).ok()) << "still usable";
  EXPECT_EQ(allocator.Allocate(UINT64_MAX).status().code(), StatusCode::kResourceExhausted);
}

TEST(BfcAllocator, TellsWhatTheSourceSays) {
  FakeDevice device(kMiB);
  BfcAllocator allocator(device.NewSource(), {.first_region_bytes = kMiB});
  const Status full = allocator.Allocate(2 * kMiB).status();
  EXPECT_EQ(full.id(), ErrorId::kDeviceOutOfMemory);
  EXPECT_THAT(full.message(), ::testing::HasSubstr("no new region: the fake device is full"));
  device.Break();
  EXPECT_EQ(allocator.Allocate(1).status().message(), "the device is gone");
}

TEST(BfcAllocator, WrongAddresses) {
  FakeDevice device(kMiB);
  BfcAllocator allocator(device.NewSource(), {.name = "test memory", .first_region_bytes = kMiB});
  EXPECT_TRUE(allocator.Allocate(0)->is_null());
  EXPECT_TRUE(allocator.Deallocate(DeviceAddressBase()).ok());
  const DeviceAddressBase address = allocator.Allocate(512).value();
  EXPECT_EQ(allocator.Deallocate(address.GetByteSlice(256, 256)).id(), ErrorId::kBadDeviceAddress) << "an inner one";
  EXPECT_TRUE(allocator.Deallocate(address).ok());
  EXPECT_EQ(allocator.Deallocate(DeviceAddressBase(reinterpret_cast<void*>(0x100000), 512)).ToString(),
            R"(E5021 BadDeviceAddress: the address is no allocation, or was freed already
  where:    test memory
  found:    0x100000
  expected: an address that this allocator gave)");
}

// Against the plainest model of what an allocator may do: pieces in use never overlap, lie inside live regions, are
// aligned, and the statistics are what one gets by counting.
class AgainstModel : public ::testing::TestWithParam<int> {};
TEST_P(AgainstModel, RandomRequests) {
  std::mt19937 random(GetParam());
  constexpr uint64_t kLimit = 8 * kMiB;
  FakeDevice device(64 * kMiB);
  BfcAllocator allocator(device.NewSource(), {.limit_bytes = kLimit, .first_region_bytes = 64 << 10});
  std::map<uintptr_t, DeviceAddressBase> live;
  uint64_t in_use = 0, peak = 0, allocs = 0;
  auto rounded = [](uint64_t bytes) { return (bytes + 255) / 256 * 256; };
  for (int step = 0; step < 4000; ++step) {
    if (live.empty() || random() % 5 < 3) {
      const uint64_t bytes = 1 + random() % (uint64_t{1} << (4 + random() % 17));
      const StatusOr<DeviceAddressBase> got = allocator.Allocate(bytes);
      if (!got.ok()) {
        ASSERT_EQ(got.status().id(), ErrorId::kDeviceOutOfMemory);
        ASSERT_LT(allocator.stats().largest_free_block_bytes, rounded(bytes)) << "refused although there is room";
        ASSERT_GT(allocator.stats().bytes_reserved + rounded(bytes), kLimit) << "refused although it could grow";
        continue;
      }
      ASSERT_EQ(got->size(), bytes);
      ASSERT_EQ(Bits(*got) % BfcAllocator::kAlignment, 0u);
      const auto after = live.lower_bound(Bits(*got));
      if (after != live.end()) ASSERT_LE(Bits(*got) + rounded(bytes), after->first);
      if (after != live.begin()) {
        const DeviceAddressBase& before = std::prev(after)->second;
        ASSERT_LE(Bits(before) + rounded(before.size()), Bits(*got));
      }
      live[Bits(*got)] = *got;
      in_use += rounded(bytes), allocs += 1, peak = std::max(peak, in_use);
    } else {
      auto victim = std::next(live.begin(), static_cast<long>(random() % live.size()));
      ASSERT_TRUE(allocator.Deallocate(victim->second).ok());
      ASSERT_FALSE(allocator.Deallocate(victim->second).ok());
      in_use -= rounded(victim->second.size());
      live.erase(victim);
    }
    const AllocatorStats stats = allocator.stats();
    ASSERT_EQ(stats.bytes_in_use, in_use);
    ASSERT_EQ(stats.peak_bytes_in_use, peak);
    ASSERT_EQ(stats.num_allocs, allocs);
    ASSERT_EQ(stats.pieces_in_use, live.size());
    ASSERT_LE(stats.bytes_reserved, kLimit);
    ASSERT_EQ(device.free_bytes(), 64 * kMiB - stats.bytes_reserved);
    ASSERT_LE(stats.free_pieces, live.size() + device.regions()) << "two free neighbours were not joined";
  }
  for (const auto& [bits, address] : live) ASSERT_TRUE(allocator.Deallocate(address).ok());
  EXPECT_EQ(allocator.stats().free_pieces, device.regions());
  EXPECT_EQ(allocator.stats().bytes_in_use, 0u);
  allocator.ReleaseFreeRegions();
  EXPECT_EQ(device.free_bytes(), 64 * kMiB);
}
INSTANTIATE_TEST_SUITE_P(Seeds, AgainstModel, ::testing::Range(0, 20));

TEST(BfcAllocator, ManyThreads) {
  FakeDevice device(256 * kMiB);
  BfcAllocator allocator(device.NewSource(), {.first_region_bytes = kMiB});
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      std::vector<DeviceAddressBase> mine;
      for (int k = 0; k < 200; ++k) mine.push_back(allocator.Allocate(256 * (1 + (i * k) % 32)).value());
      for (const DeviceAddressBase& address : mine) EXPECT_TRUE(allocator.Deallocate(address).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allocator.stats().num_allocs, 1600u);
  EXPECT_EQ(allocator.stats().bytes_in_use, 0u);
}

}  // namespace
}  // namespace stream_executor
