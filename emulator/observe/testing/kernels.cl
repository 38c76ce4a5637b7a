// Kernels with one mistake each, and their right counterparts, for observe_test.cc. 128 threads: two waves of 64 lanes, or
// four of 32.
#define KERNEL kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
static uint Thread(void) { return __builtin_amdgcn_workitem_id_x(); }
static uint Block(void) { return __builtin_amdgcn_workgroup_id_x(); }
static void Barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

KERNEL copy(global uint* out, global const uint* in) { out[Thread()] = in[Thread()]; }
KERNEL copy_bytes(global uchar* out, global const uchar* in) { out[Thread()] = in[Thread()]; }
// What is not used may be anything.
KERNEL add_of_pairs(global uint* out, global const uint4* in) {
  uint4 x = in[Thread()];
  out[Thread()] = x.x + x.y;
}
KERNEL select_on(global uint* out, global const uint* in) { out[Thread()] = in[Thread()] > 7 ? 1 : 2; }
KERNEL branch_on(global uint* out, global const uint* in) {
  if (in[0] > 7) out[Thread()] = 1;
}
KERNEL gather(global uint* out, global const uint* in) { out[Thread()] = in[in[Thread()]]; }
// A low half that was written, out of a word of which nobody wrote the rest: what a 16-bit load leaves in a register.
KERNEL add_halves(global ushort* out, global const ushort* in) { out[Thread()] = in[2 * Thread()] + 1; }

KERNEL unwritten_lds(global uint* out) {
  local uint words[256];
  words[Thread()] = Thread();
  Barrier();
  out[Thread()] = words[255 - Thread()];
}

KERNEL lds_race(global uint* out) {
  local uint words[128];
  words[Thread()] = Thread();
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  out[Thread()] = words[127 - Thread()];
}
// One wave stores what all of them, itself included, have just read.
KERNEL read_then_store(global uint* out) {
  local uint words[128];
  words[Thread()] = Thread();
  Barrier();
  uint first = words[0];
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  if (Thread() == 127) words[0] = first + 1;
  out[Thread()] = first;
}
// For gfx12 compilers multiply and add in 64 bits, of which the upper ones are nowhere written.
KERNEL numbered(global uint* out, uint size) {
  uint i = Block() * size + Thread();
  out[i] = i;
}
KERNEL lds_exchange(global uint* out) {
  local uint words[128];
  words[Thread()] = Thread();
  Barrier();
  out[Thread()] = words[127 - Thread()];
}
KERNEL global_race(global uint* out) { out[Thread()] = Block(); }
KERNEL same_stores(global uint* out) { out[Thread() & 3] = 7; }
KERNEL compare_and_swap(global float* out) {
  float old = *out, next;
  do next = old + 1;
  while (!__atomic_compare_exchange_n((global int*)out, (int*)&old, __builtin_astype(next, int), 0, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
}
KERNEL separate_blocks(global uint* out) { out[128 * Block() + Thread()] = Block(); }
KERNEL histogram(global uint* out) { __atomic_fetch_add(&out[Thread() & 7], 1, __ATOMIC_RELAXED); }
// The last workgroup reads what the others wrote.
KERNEL last_block_sums(global uint* out, global uint* count, uint blocks) {
  local uint is_last;
  if (Thread() == 0) {
    out[Block()] = Block();
    is_last = __atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL) == blocks - 1;
  }
  Barrier();
  if (is_last && Thread() == 0) {
    uint sum = 0;
    for (uint i = 0; i < blocks; i++) sum += out[i];
    count[1] = sum;
  }
}

KERNEL divergent_barrier(global uint* out) {
  local uint words[128];
  words[Thread()] = Thread();
  if (Thread() & 1) Barrier();
  out[Thread()] = words[Thread()];
}
// Every lane reads one bank, in words of its own.
KERNEL bank_conflicts(global uint* out) {
  local uint words[128 * 32];
  words[32 * Thread()] = Thread();
  Barrier();
  out[Thread()] = words[32 * (127 - Thread())];
}

// Every workgroup reads what the next one has written, with a barrier of the whole grid between them, or without.
static void GridBarrier(global uint* arrived, uint until) {
  Barrier();
  if (Thread() == 0) {
    __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < until) {
    }
  }
  Barrier();
}
KERNEL grid_exchange(global uint* out, global uint* arrived, uint blocks) {
  out[128 * Block() + Thread()] = Block();
  GridBarrier(arrived, blocks);
  uint next = out[128 * ((Block() + 1) % blocks) + Thread()];
  GridBarrier(arrived, 2 * blocks);
  out[128 * Block() + Thread()] = next;
}
KERNEL grid_race(global uint* out, uint blocks) {
  out[128 * Block() + Thread()] = Block();
  Barrier();
  out[128 * Block() + Thread()] = out[128 * ((Block() + 1) % blocks) + Thread()];
}
