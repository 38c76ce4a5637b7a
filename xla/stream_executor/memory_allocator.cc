#include "xla/stream_executor/memory_allocator.h"

#include "xla/stream_executor/stream_executor.h"

namespace stream_executor {
namespace {

class ExecutorAllocation : public MemoryAllocation {
 public:
  ExecutorAllocation(StreamExecutor& executor, DeviceAddressBase address) : executor_(executor), address_(address) {}
  ~ExecutorAllocation() override { (void)executor_.Deallocate(address_); }
  DeviceAddressBase address() const override { return address_; }

 private:
  StreamExecutor& executor_;
  const DeviceAddressBase address_;
};

class ExecutorMemory : public MemoryAllocator {
 public:
  ExecutorMemory(StreamExecutor& executor, MemorySpace space) : executor_(executor), space_(space) {}
  StatusOr<std::unique_ptr<MemoryAllocation>> Allocate(uint64_t size_bytes) override {
    ASSIGN_OR_RETURN(const DeviceAddressBase address, executor_.Allocate(size_bytes, space_));
    return std::unique_ptr<MemoryAllocation>(std::make_unique<ExecutorAllocation>(executor_, address));
  }

 private:
  StreamExecutor& executor_;
  const MemorySpace space_;
};

}  // namespace

std::unique_ptr<MemoryAllocator> CreateMemoryAllocator(StreamExecutor& executor, MemorySpace space) {
  return std::make_unique<ExecutorMemory>(executor, space);
}

}  // namespace stream_executor
