// A filter in constant memory, which the host sets, over an image of bytes with three channels.
#include "tests/hip_programs/device.h"

extern "C" {
__constant__ float filter[25];
}

struct Pixel {
  uchar channel[3];
};

KERNEL convolution(const Pixel* in, Pixel* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  auto clamped = [](int v, int limit) { return v < 0 ? 0 : v >= limit ? limit - 1 : v; };
  for (int c = 0; c < 3; c++) {
    float sum = 0.5f;
    for (int dy = -2; dy <= 2; dy++) {
      for (int dx = -2; dx <= 2; dx++) {
        const Pixel& p = in[clamped(y + dy, height) * width + clamped(x + dx, width)];
        sum += filter[(dy + 2) * 5 + dx + 2] * p.channel[c];
      }
    }
    out[y * width + x].channel[c] = static_cast<uchar>(sum);
  }
}
