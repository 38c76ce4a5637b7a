// Loops that every lane leaves at another time.
#include "tests/hip_programs/device.h"

KERNEL mandelbrot(int* out, int width, int height, int limit) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  // Eighths: all numbers that are compared are far from the limit, or exact.
  float real = column * 0.125f - 2.0f, imaginary = row * 0.125f - 1.0f, x = 0, y = 0;
  int i = 0;
  for (; i < limit && x * x + y * y <= 4.0f; i++) {
    float next = x * x - y * y + real;
    y = 2 * x * y + imaginary;
    x = next;
  }
  out[row * width + column] = i;
}
