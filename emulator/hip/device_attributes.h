// What an embedded device says about itself: its model's figures, and what this runtime can do.
#pragma once
#include <optional>

#include "base/hip/hip_types.h"
#include "emulator/hip/embedded_device.h"

namespace rocxla::emu {

// Nothing for a number that is no attribute, and for the place on a bus that no embedded device is on.
std::optional<int> AttributeOf(const EmbeddedDevice& device, hipDeviceAttribute_t attribute);
// All that the two layouts have in common with the attributes; the rest is 0.
void FillProperties(const EmbeddedDevice& device, hipDeviceProp_tR0600& properties);
void FillProperties(const EmbeddedDevice& device, hipDeviceProp_tR0000& properties);

}  // namespace rocxla::emu
