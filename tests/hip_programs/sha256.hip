// SHA-256 of messages of one block each: rotations, three-input logic and carries. Source: FIPS 180-4.
#include "tests/hip_programs/device.h"

extern "C" {
__constant__ uint round_constants[64];
}

__device__ uint Rotate(uint x, int n) { return __builtin_rotateright32(x, n); }

// 16 words per message, padded by the host; 8 words per digest.
KERNEL sha256(const uint* messages, uint* digests, int n) {
  int message = GlobalThread();
  if (message >= n) return;
  uint w[64];
  for (int i = 0; i < 16; i++) w[i] = messages[message * 16 + i];
  for (int i = 16; i < 64; i++) {
    uint s0 = Rotate(w[i - 15], 7) ^ Rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint s1 = Rotate(w[i - 2], 17) ^ Rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  const uint start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint s[8];
  for (int i = 0; i < 8; i++) s[i] = start[i];
  for (int i = 0; i < 64; i++) {
    uint s1 = Rotate(s[4], 6) ^ Rotate(s[4], 11) ^ Rotate(s[4], 25), choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint t1 = s[7] + s1 + choice + round_constants[i] + w[i];
    uint s0 = Rotate(s[0], 2) ^ Rotate(s[0], 13) ^ Rotate(s[0], 22);
    uint majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    for (int j = 7; j > 0; j--) s[j] = s[j - 1];
    s[4] += t1;
    s[0] = t1 + s0 + majority;
  }
  for (int i = 0; i < 8; i++) digests[message * 8 + i] = s[i] + start[i];
}
