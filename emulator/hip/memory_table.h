// MemoryTable: every piece of memory that the embedded HIP functions have handed out, and which device may access it.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "emulator/hip/embedded_device.h"

namespace rocxla::emu {

class MemoryPool;

enum class MemoryKind {
  kDevice,      // hipMalloc: its device, and those that enabled peer access to it
  kPool,        // hipMallocAsync: its device, and those that the pool grants access
  kHost,        // hipHostMalloc: every device
  kManaged,     // hipMallocManaged: every device
  kRegistered,  // hipHostRegister: every device; the bytes are the caller's
  kMapped,      // hipMemMap: the devices that hipMemSetAccess grants access; the bytes are a mapping's
  kModule,      // a code object's
};

// One live piece of memory, [begin, begin + bytes).
struct Block {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::kDevice;
  int device = 0;                    // owner; of host memory, the device that was current
  unsigned flags = 0;                // as HIP got them
  uint64_t id = 0;                   // never used twice
  std::string label;                 // in errors: "hipMalloc"
  std::set<int> granted;             // kPool and kMapped: devices with access
  bool freeing = false;              // hipFreeAsync was called, its turn in the stream has not come
  std::shared_ptr<MemoryPool> pool;  // kPool: where it comes from

  uint64_t end() const { return begin + bytes; }
  void* pointer() const { return reinterpret_cast<void*>(begin); }
  bool is_host() const {
    return kind == MemoryKind::kHost || kind == MemoryKind::kManaged || kind == MemoryKind::kRegistered;
  }
};

// Keeps the devices' address spaces in step, so that kernels fault where they have no access. Device memory counts
// against the device's size and is backed by the host only when it is touched. Thread-safe.
class MemoryTable {
 public:
  MemoryTable() = default;
  ~MemoryTable();
  MemoryTable(const MemoryTable&) = delete;
  MemoryTable& operator=(const MemoryTable&) = delete;

  // A device that is there from now on; must outlive the table.
  void AddDevice(EmbeddedDevice* device);

  // New memory, aligned to a page. `block.begin` and `id` are filled in. DeviceOutOfMemory when the device or the host
  // has not enough.
  StatusOr<void*> Allocate(Block block);
  // Memory that is somebody else's: kRegistered and kMapped. InvalidArgument if it overlaps live memory.
  Status Adopt(Block block);
  // The live block that holds the address, device code and global variables included.
  std::optional<Block> Find(const void* pointer) const;
  // Takes a block away; the bytes of Allocate go back to the host, once nothing runs that could touch them. Nothing
  // when no live block begins there.
  std::optional<Block> Remove(const void* begin);
  // All live blocks of a device.
  std::vector<Block> BlocksOf(int device) const;

  // Puts a kPool block out of sight, its bytes kept for later, and back with another size and owner: at most the
  // `kept_bytes` that it was allocated with.
  void PutAside(const void* begin);
  void TakeBack(const void* begin, uint64_t bytes, std::shared_ptr<MemoryPool> pool);
  bool IsAside(const void* pointer) const;
  // Replaces the devices with access to a kMapped or kPool block.
  void Grant(const void* begin, std::set<int> devices);
  // Marks a block as being freed. False when it is so already, or is not live.
  bool BeginFreeing(const void* begin);
  // It stays after all: the stream did not take the release.
  void CancelFreeing(const void* begin);
  // Changes whether kernels on device `from` may access memory of device `to`. False when that is so already.
  bool SetPeerAccess(int from, int to, bool enabled);

  // Held shared while a kernel or a copy runs, exclusively while memory goes away.
  std::shared_mutex& in_use() { return in_use_; }

 private:
  struct Entry {
    Block block;
    std::set<int> visible;       // devices whose address space has it
    uint64_t kept_bytes = 0;     // what the host gave; 0: somebody else's
    uint64_t counted_bytes = 0;  // of the device's memory
    bool aside = false;
  };
  bool MayAccess(const Block& block, int device) const;
  void Publish(Entry& entry);
  void Withdraw(Entry& entry);
  Status Insert(Entry entry);

  mutable std::mutex mutex_;
  std::vector<EmbeddedDevice*> devices_;  // guarded by mutex_, as all below
  std::map<uint64_t, Entry> entries_;     // by first address
  std::set<std::pair<int, int>> peers_;   // {from, to}
  uint64_t next_id_ = 1;
  std::shared_mutex in_use_;
};

}  // namespace rocxla::emu
