// Host calls: what running kernels ask of the host, and wait for. printf and assert of HIP go this way by default.
//
// A wave takes a packet from a free list, fills in a service and eight words for each of its lanes, puts it on a list
// of ready packets, and spins until the host has answered in the same place. Layouts: ROCm's device libraries,
// __ockl_hostcall_internal.
#pragma once
#include <map>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "emulator/exec/address_space.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

// The host's side for one launch. Thread-safe after Create.
class HostcallBuffer {
 public:
  HostcallBuffer(AddressSpace& memory, const PrintSink& print) : memory_(memory), print_(print) {}
  ~HostcallBuffer();
  HostcallBuffer(const HostcallBuffer&) = delete;
  HostcallBuffer& operator=(const HostcallBuffer&) = delete;

  // Room for that many waves at a time: one more would find no free packet.
  Status Create(u64 waves);
  // The device address of the buffer, 0 before Create.
  u64 address() const { return reinterpret_cast<u64>(base_); }
  // Answers what is ready.
  void Serve();

 private:
  struct Buffer;
  struct Header;
  using Slots = u64[8];
  void Answer(const Header& header, Slots* lanes);
  u64 AppendToMessage(const Slots& slots);
  void PrintMessage(const std::vector<u64>& words);

  AddressSpace& memory_;
  const PrintSink& print_;
  std::byte* base_ = nullptr;
  u64 packets_ = 0;  // a power of two
  std::mutex mutex_;
  std::map<u64, std::vector<u64>> messages_;  // begun and not ended; guarded by mutex_, as below
  u64 next_message_ = 1;
};

}  // namespace rocxla::emu
