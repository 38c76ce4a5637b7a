// One level of a search through a graph: threads append what they find first to the next level's list.
#include "tests/hip_programs/device.h"

KERNEL visit_level(const int* edges_begin, const int* edges, int* distance, const int* list, int list_size, int* next,
                   int* next_size, int level) {
  int i = GlobalThread();
  if (i >= list_size) return;
  int vertex = list[i];
  for (int e = edges_begin[vertex]; e < edges_begin[vertex + 1]; e++) {
    int neighbour = edges[e];
    if (atomicCAS(&distance[neighbour], -1, level) == -1) next[atomicAdd(next_size, 1)] = neighbour;
  }
}
