// Philox4x32-10: random numbers that depend on nothing but a counter and a key; products of 64 bits.
// Source: Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3".
#include "tests/hip_programs/device.h"

KERNEL philox(uint* out, uint key_low, uint key_high) {
  uint counter[4] = {GlobalThread(), 0, 0, 0}, key[2] = {key_low, key_high};
  for (int round = 0; round < 10; round++) {
    u64 a = 0xd2511f53ull * counter[0], b = 0xcd9e8d57ull * counter[2];
    uint next[4] = {static_cast<uint>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint>(b),
                    static_cast<uint>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint>(a)};
    for (int i = 0; i < 4; i++) counter[i] = next[i];
    key[0] += 0x9e3779b9, key[1] += 0xbb67ae85;
  }
  for (int i = 0; i < 4; i++) out[GlobalThread() * 4 + i] = counter[i];
}
