// 64-bit and 128-bit integers, whose divisions and products are long sequences, and counting of bits.
#include "tests/hip_programs/device.h"

KERNEL divide(const i64* a, const i64* b, i64* out, int n) {
  int i = GlobalThread();
  if (i >= n) return;
  i64 x = a[i], y = b[i];
  u64 ux = x, uy = y;
  out[0 * n + i] = x / y;
  out[1 * n + i] = x % y;
  out[2 * n + i] = ux / uy;
  out[3 * n + i] = ux % uy;
  out[4 * n + i] = static_cast<int>(x) / (static_cast<int>(y) | 1);
  out[5 * n + i] = static_cast<i64>(static_cast<unsigned __int128>(ux) * uy >> 64);
  out[6 * n + i] = static_cast<i64>(static_cast<__int128>(x) * y >> 64);
  out[7 * n + i] = x << (y & 63);
  out[8 * n + i] = x >> (y & 63);
}
KERNEL count_bits(const u64* in, int* out, int n) {
  int i = GlobalThread();
  if (i >= n) return;
  u64 x = in[i];
  uint low = static_cast<uint>(x);
  out[0 * n + i] = __builtin_popcountll(x);
  out[1 * n + i] = x == 0 ? 64 : __builtin_clzll(x);
  out[2 * n + i] = x == 0 ? 64 : __builtin_ctzll(x);
  out[3 * n + i] = low == 0 ? 32 : __builtin_clz(low);
  out[4 * n + i] = __builtin_ffsll(x);
  out[5 * n + i] = static_cast<int>(__builtin_bitreverse32(low));
  out[6 * n + i] = static_cast<int>(__builtin_bswap32(low));
  out[7 * n + i] = static_cast<int>(__builtin_amdgcn_ubfe(low, 5, 7));
}
