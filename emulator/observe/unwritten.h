// How the check for uninitialised values knows which memory nobody wrote: new memory holds a pattern that depends on
// its address, so that every store and every copy, wherever it comes from, leaves a mark without being told to. A word
// that was written with just its pattern looks unwritten: one in 2^32.
#pragma once
#include <cstddef>
#include <cstring>

#include "emulator/isa/types.h"

namespace rocxla::emu {

// The pattern of the aligned 4-byte word at that address.
inline u32 UnwrittenWord(u64 address) {
  u64 x = (address >> 2) * 0x9e3779b97f4a7c15u;
  return static_cast<u32>(x >> 32) ^ 0xa5a5a5a5u;
}
inline bool LooksUnwritten(u64 address) {
  u32 word;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word == UnwrittenWord(address);
}
// Whole words only: a rest of less than 4 bytes counts as written. `memory` is aligned to 4.
inline void MarkUnwritten(void* memory, size_t bytes) {
  for (size_t i = 0; i + sizeof(u32) <= bytes; i += sizeof(u32)) {
    char* at = static_cast<char*>(memory) + i;
    u32 word = UnwrittenWord(reinterpret_cast<u64>(at));
    std::memcpy(at, &word, sizeof word);
  }
}

}  // namespace rocxla::emu
