// Arguments of every size by value: their places in the argument segment.
#include "tests/hip_programs/device.h"

struct Vector {
  float x, y, z;
};
struct Packet {
  char tag;
  double weight;
  short small[3];
  Vector v;
};

KERNEL collect(double* out, bool flag, signed char c, Vector v, unsigned short s, Packet p, const int* pointer, i64 big,
               half h, bf16 b, char last) {
  if (GlobalThread() != 0) return;
  const double values[] = {double(flag),        double(c),           v.x,         v.y,       v.z,   double(s),
                           double(p.tag),       p.weight,            p.small[0] * 1.0, p.small[2] * 1.0, p.v.x, p.v.z,
                           double(*pointer),    double(big),         double(h),   double(float(b)),  double(last)};
  for (double value : values) *out++ = value;
}
