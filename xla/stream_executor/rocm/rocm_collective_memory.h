// Memory for collectives: what RCCL gives, so that it can move data without copies.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/hip/hip_api.h"
#include "xla/stream_executor/status.h"

namespace stream_executor::gpu {

struct CollectiveLibrary {
  // Of RCCL 2.19 and later (rccl.h): 0 is success.
  int (*allocate)(void** pointer, size_t bytes);
  int (*free)(void* pointer);
  const char* (*error_text)(int result);
  std::string path;
};

// librccl.so.1 from one of the folders ("": the dynamic linker's own path). RocmLibraryUnavailable tells, file by file,
// what was wrong. The library stays open for the life of the process.
StatusOr<CollectiveLibrary> OpenCollectiveLibrary(const std::vector<std::string>& folders);

// The library that belongs to a HIP runtime. An embedded device has none, and no library could reach its memory.
StatusOr<CollectiveLibrary> CollectiveLibraryOf(const rocxla::HipApi& api);

}  // namespace stream_executor::gpu
