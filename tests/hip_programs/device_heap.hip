// malloc, free and new in kernels, by the device libraries: blocks of many sizes, which may outlive their launch.
#include "tests/hip_programs/device_library.h"

extern "C" __device__ void* __ockl_dm_alloc(u64 bytes);
extern "C" __device__ void __ockl_dm_dealloc(u64 address);

static __device__ void* Malloc(u64 bytes) { return __ockl_dm_alloc(bytes); }
static __device__ void Free(void* block) { __ockl_dm_dealloc(reinterpret_cast<u64>(block)); }

struct Node {
  Node* next;
  int value;
};

// Each thread makes a list of as many nodes as its number says, adds it up and takes it apart.
KERNEL lists(int* sums, int n) {
  int i = GlobalThread();
  if (i >= n) return;
  Node* first = nullptr;
  for (int k = 1; k <= i % 7; k++) {
    Node* node = static_cast<Node*>(Malloc(sizeof(Node)));
    if (node == nullptr) return;
    *node = {first, k * i};
    first = node;
  }
  int sum = 0;
  while (first != nullptr) {
    sum += first->value;
    Node* next = first->next;
    Free(first);
    first = next;
  }
  sums[i] = sum;
}

// Blocks that the next launch finds: of sizes of the slabs' kinds, and of the host's.
KERNEL fill(int** blocks, int n, int most) {
  int i = GlobalThread();
  if (i >= n) return;
  int count = 1 + i * 37 % most;
  int* block = static_cast<int*>(Malloc(count * sizeof(int)));
  for (int k = 0; k < count && block != nullptr; k++) block[k] = i + k;
  blocks[i] = block;
}
KERNEL drain(int** blocks, int* sums, int n, int most) {
  int i = GlobalThread();
  if (i >= n) return;
  int count = 1 + i * 37 % most, sum = 0;
  for (int k = 0; k < count; k++) sum += blocks[i][k];
  sums[i] = sum;
  Free(blocks[i]);
}

// More than there is.
KERNEL too_much(int* failed) { *failed = Malloc(u64{1} << 40) == nullptr; }
