// Linked whole into a program (rocxla_registrar), this file gives it the HIP runtime "embedded".

#include "base/hip/hip_providers.h"
#include "emulator/hip/embedded_hip.h"

namespace rocxla::emu {
namespace {

[[maybe_unused]] const bool registered =
    RegisterHipProvider({.name = "embedded", .open = EmbeddedHip, .add_device = AddEmbeddedDevice}).ok();

}  // namespace
}  // namespace rocxla::emu
