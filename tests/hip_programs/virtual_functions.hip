// Objects of several classes in a lane's private memory, used through their base.
#include "tests/hip_programs/device.h"

// The language's, for calls of functions that no class has defined; HIP's headers define it.
extern "C" __device__ void __cxa_pure_virtual() { __builtin_trap(); }
inline __device__ void* operator new(size_t, void* place) { return place; }

struct Shape {
  __device__ virtual float Area() const = 0;
  __device__ virtual Shape* Grow(float factor) = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float Area() const override { return side * side; }
  __device__ Shape* Grow(float factor) override { return side *= factor, this; }
};
struct Rectangle : Shape {
  float width, height;
  __device__ Rectangle(float width, float height) : width(width), height(height) {}
  __device__ float Area() const override { return width * height; }
  __device__ Shape* Grow(float factor) override { return width *= factor, this; }
};

KERNEL areas(const int* kind, const float* size, float* out) {
  alignas(16) char place[sizeof(Rectangle)];
  int i = GlobalThread();
  Shape* shape = kind[i] == 0 ? static_cast<Shape*>(new (place) Square(size[i]))
                              : static_cast<Shape*>(new (place) Rectangle(size[i], 2.0f));
  out[i] = shape->Grow(3.0f)->Area();
}
