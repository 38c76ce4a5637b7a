#include "emulator/hip/host_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>

namespace rocxla::emu {
namespace {

constexpr uint64_t kPage = 4096;

}  // namespace

std::optional<uint64_t> FirstMissingAddress(const void* pointer, size_t bytes) {
  constexpr uint64_t kPagesAtOnce = 4096;
  std::array<unsigned char, kPagesAtOnce> resident;  // mincore wants to tell that, too
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  const uint64_t last = begin + std::min<uint64_t>(std::max<size_t>(bytes, 1) - 1, UINT64_MAX - begin);
  uint64_t pages = last / kPage - begin / kPage + 1;
  uint64_t at_once = kPagesAtOnce;
  for (uint64_t page = begin / kPage; pages > 0;) {
    const uint64_t count = std::min(pages, at_once);
    if (mincore(reinterpret_cast<void*>(page * kPage), count * kPage, resident.data()) == 0) {
      page += count;
      pages -= count;
    } else if (count == 1) {
      return std::max(begin, page * kPage);
    } else {
      at_once = count / 2;  // one of them is missing
    }
  }
  return std::nullopt;
}

}  // namespace rocxla::emu
