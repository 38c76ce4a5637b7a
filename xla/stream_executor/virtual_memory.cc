#include "xla/stream_executor/virtual_memory.h"

#include <fmt/format.h>

#include <mutex>

#include "base/error_ids.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor {
namespace {

// What all allocations of one allocator share; they may outlive it.
class Budget {
 public:
  explicit Budget(uint64_t bytes) : left_(bytes) {}
  bool Take(uint64_t bytes) {
    std::lock_guard lock(mutex_);
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  void GiveBack(uint64_t bytes) {
    std::lock_guard lock(mutex_);
    left_ += bytes;
  }
  uint64_t left() const {
    std::lock_guard lock(mutex_);
    return left_;
  }

 private:
  mutable std::mutex mutex_;
  uint64_t left_;  // guarded by mutex_
};

class BudgetShare {
 public:
  BudgetShare(std::shared_ptr<Budget> budget, uint64_t bytes) : budget_(std::move(budget)), bytes_(bytes) {}
  BudgetShare(BudgetShare&& other) noexcept : budget_(std::move(other.budget_)), bytes_(other.bytes_) {}
  BudgetShare& operator=(BudgetShare&&) = delete;
  ~BudgetShare() {
    if (budget_ != nullptr) budget_->GiveBack(bytes_);
  }

 private:
  std::shared_ptr<Budget> budget_;
  uint64_t bytes_;
};

class VmmAllocation : public MemoryAllocation {
 public:
  VmmAllocation(std::unique_ptr<MemoryReservation> reservation, uint64_t size_bytes, BudgetShare share)
      : share_(std::move(share)), reservation_(std::move(reservation)), size_bytes_(size_bytes) {}
  DeviceAddressBase address() const override {
    return reservation_ == nullptr ? DeviceAddressBase() : reservation_->address().GetByteSlice(0, size_bytes_);
  }

 private:
  const BudgetShare share_;  // goes back after the memory itself
  const std::unique_ptr<MemoryReservation> reservation_;
  const uint64_t size_bytes_;
};

class VmmAllocator : public MemoryAllocator {
 public:
  VmmAllocator(StreamExecutor& executor, uint64_t granularity, uint64_t budget_bytes)
      : executor_(executor), granularity_(granularity), budget_(std::make_shared<Budget>(budget_bytes)) {}

  StatusOr<std::unique_ptr<MemoryAllocation>> Allocate(uint64_t size_bytes) override {
    if (size_bytes == 0) {
      return std::unique_ptr<MemoryAllocation>(std::make_unique<VmmAllocation>(nullptr, 0, BudgetShare(budget_, 0)));
    }
    if (size_bytes > UINT64_MAX - granularity_) return NoRoom(size_bytes);
    const uint64_t physical_bytes = (size_bytes + granularity_ - 1) / granularity_ * granularity_;
    if (!budget_->Take(physical_bytes)) return NoRoom(size_bytes);
    BudgetShare share(budget_, physical_bytes);
    ASSIGN_OR_RETURN(std::unique_ptr<MemoryReservation> reservation, executor_.CreateMemoryReservation(physical_bytes));
    ASSIGN_OR_RETURN(const std::shared_ptr<RawMemoryAllocation> memory,
                     executor_.CreateRawMemoryAllocation(physical_bytes));
    RETURN_IF_ERROR(reservation->Map(0, memory));
    return std::unique_ptr<MemoryAllocation>(
        std::make_unique<VmmAllocation>(std::move(reservation), size_bytes, std::move(share)));
  }

 private:
  Status NoRoom(uint64_t size_bytes) const {
    return Error(ErrorId::kDeviceOutOfMemory,
                 {.what = "the allocator's budget of physical memory is exhausted",
                  .where = fmt::format("device {}", executor_.device_ordinal()),
                  .found = fmt::format("{} bytes are left", budget_->left()),
                  .expected = fmt::format("{} bytes, in multiples of {}", size_bytes, granularity_)});
  }
  StreamExecutor& executor_;
  const uint64_t granularity_;
  const std::shared_ptr<Budget> budget_;
};

}  // namespace

StatusOr<std::unique_ptr<MemoryAllocator>> CreateVmmAllocator(StreamExecutor& executor, uint64_t budget_bytes) {
  ASSIGN_OR_RETURN(const uint64_t granularity, executor.GetVirtualMemoryGranularity());
  return std::unique_ptr<MemoryAllocator>(std::make_unique<VmmAllocator>(executor, granularity, budget_bytes));
}

}  // namespace stream_executor
