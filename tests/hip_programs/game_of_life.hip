// Cells that live and die: bytes, neighbours around the edges of a torus.
#include "tests/hip_programs/device.h"

KERNEL game_of_life(const uchar* in, uchar* out, int width, int height) {
  int i = GlobalThread();
  if (i >= width * height) return;
  int x = i % width, y = i / width, alive = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      if (dx == 0 && dy == 0) continue;
      alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
    }
  }
  out[i] = alive == 3 || (alive == 2 && in[i]);
}
