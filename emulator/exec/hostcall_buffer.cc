#include "emulator/exec/hostcall_buffer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/exec/kernel_heap.h"
#include "emulator/exec/printf_text.h"

namespace rocxla::emu {
namespace {

constexpr int kLanes = 64;
constexpr u32 kReady = 1;  // Header::control

enum Service : u32 { kPrintf = 2, kDeviceMemory = 3 };

// A printf message comes in pieces. The first of a lane's words describes the piece: whether it begins or ends a
// message, how many words follow, and which message it is.
struct Piece {
  bool begins, ends;
  u64 words, message;
};
constexpr u64 kBegins = 1, kEnds = 2, kWordsShift = 5, kWordsMask = 7, kMessageShift = 8;
Piece Unpack(u64 word) {
  return {(word & kBegins) != 0, (word & kEnds) != 0, word >> kWordsShift & kWordsMask, word >> kMessageShift};
}

// A printf that never ends its messages must not fill the host's memory.
constexpr size_t kMaxMessageWords = 1 << 17, kMaxMessages = 1 << 16;

}  // namespace

struct HostcallBuffer::Header {
  u64 next;  // packet behind this one in its list
  u64 active_lanes;
  u32 service;
  u32 control;
};
// The device finds the lists by these. A packet's name is its index plus a count of its uses, never 0.
struct HostcallBuffer::Buffer {
  u64 headers, payloads;
  u64 doorbell;  // an HSA signal
  u64 free_list, ready_list;
  u64 index_mask;
  u64 signal[8];  // all zero: nobody sleeps on it
};

HostcallBuffer::~HostcallBuffer() {
  if (base_ != nullptr) [[maybe_unused]]
    Status ignored = memory_.Free(base_);
}

Status HostcallBuffer::Create(u64 waves) {
  packets_ = std::bit_ceil(std::max<u64>(waves, 2));
  u64 headers_at = sizeof(Buffer), payloads_at = (headers_at + packets_ * sizeof(Header) + 63) / 64 * 64;
  u64 bytes = payloads_at + packets_ * kLanes * sizeof(Slots);
  ASSIGN_OR_RETURN(void* place, memory_.Allocate(bytes, 64, "host call buffer"));
  base_ = static_cast<std::byte*>(place);
  std::memset(base_, 0, payloads_at);
  auto* buffer = reinterpret_cast<Buffer*>(base_);
  buffer->headers = address() + headers_at;
  buffer->payloads = address() + payloads_at;
  buffer->doorbell = reinterpret_cast<u64>(buffer->signal);
  buffer->index_mask = packets_ - 1;
  auto* headers = reinterpret_cast<Header*>(buffer->headers);
  for (u64 i = 0; i < packets_; i++) headers[i].next = i == 0 ? 0 : packets_ + i - 1;
  buffer->free_list = packets_ + packets_ - 1;
  return OkStatus();
}

void HostcallBuffer::Serve() {
  if (base_ == nullptr) return;
  auto* buffer = reinterpret_cast<Buffer*>(base_);
  if (__atomic_load_n(&buffer->ready_list, __ATOMIC_RELAXED) == 0) return;
  std::lock_guard lock(mutex_);
  // Addresses come from members, not from the buffer: the kernel may have written there.
  auto* headers = reinterpret_cast<Header*>(base_ + sizeof(Buffer));
  auto* payloads = base_ + (sizeof(Buffer) + packets_ * sizeof(Header) + 63) / 64 * 64;
  u64 packet = __atomic_exchange_n(&buffer->ready_list, 0, __ATOMIC_ACQUIRE);
  for (u64 done = 0; packet != 0 && done < packets_; done++) {
    u64 index = packet & (packets_ - 1);
    Header& header = headers[index];
    packet = header.next;  // before the device may use it again
    Answer(header, reinterpret_cast<Slots*>(payloads + index * kLanes * sizeof(Slots)));
    __atomic_store_n(&header.control, header.control & ~kReady, __ATOMIC_RELEASE);
  }
}

// Services that this host does not have answer with zeros: no function.
void HostcallBuffer::Answer(const Header& header, Slots* lanes) {
  for (u64 active = header.active_lanes; active != 0; active &= active - 1) {
    Slots& slots = lanes[std::countr_zero(active)];
    u64 answer = 0;
    if (header.service == kPrintf) answer = AppendToMessage(slots);
    if (header.service == kDeviceMemory) answer = KernelHeap::Of(memory_).Request(slots[0], slots[1]);
    slots[0] = answer;
    slots[1] = 0;
  }
}

// Returns the description that the device uses for the next piece.
u64 HostcallBuffer::AppendToMessage(const Slots& slots) {
  Piece piece = Unpack(slots[0]);
  if (piece.begins) {
    piece.message = next_message_++;
    if (messages_.size() < kMaxMessages) messages_[piece.message];
  }
  auto message = messages_.find(piece.message);
  if (message == messages_.end()) return 0;
  std::vector<u64>& words = message->second;
  if (words.size() < kMaxMessageWords) words.insert(words.end(), slots + 1, slots + 1 + piece.words);
  if (piece.ends) {
    PrintMessage(words);
    messages_.erase(message);
  }
  return piece.message << kMessageShift;
}

// A word that names the stream, the format as a string, the arguments.
void HostcallBuffer::PrintMessage(const std::vector<u64>& words) {
  if (words.empty()) return;
  auto bytes = std::as_bytes(std::span(words)).subspan(sizeof(u64));
  auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
  std::string_view format(reinterpret_cast<const char*>(bytes.data()), end - bytes.begin());
  size_t padded = std::min(bytes.size(), (format.size() + 8) / 8 * 8);
  print_((words[0] & 1) != 0 ? PrintStream::kError : PrintStream::kOut, FormatPrintf(format, bytes.subspan(padded)));
}

}  // namespace rocxla::emu
