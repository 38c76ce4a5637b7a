// Fat binaries: several code objects in one file, one per target, as clang-offload-bundler and hipcc write them;
// compressed
// ("CCOB", zlib or zstd) or not ("__CLANG_OFFLOAD_BUNDLE__").
// Format: LLVM's "Clang Offload Bundler", "Bundled Binary File Layout" and "Compressed Offload Bundle".
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

// Whether the bytes begin like a bundle.
bool IsOffloadBundle(std::span<const uint8_t> bytes);
// The bytes that the bundle's own headers cover, for interfaces that get a pointer without a size. 0 when `image` is
// none, or a compressed one of the first version, which does not say. Reads the headers.
uint64_t OffloadBundleSize(const void* image);

// The bundle's code object that suits the device best: its own target before a generic one that includes it, more named
// features before fewer. `device`: as in gcnArchName, "gfx942:sramecc+:xnack-". BadCodeObject when the bundle is
// damaged; EmulatorWrongTarget, with the targets that it has, when none suits.
StatusOr<std::vector<uint8_t>> SelectFromBundle(std::span<const uint8_t> bundle, std::string_view device);

}  // namespace rocxla
