// Code for generic targets runs on the processors that they include.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error_ids.h"
#include "base/file.h"
#include "emulator/exec/launch.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {
namespace {

constexpr uint32_t kThreads = 128;

StatusOr<std::shared_ptr<CodeObject>> LoadGeneric(const std::string& generic, const char* device,
                                                  AddressSpace& memory) {
  ASSIGN_OR_RETURN(const std::string image, ReadFile(OBSERVED_KERNELS + generic + ".hsaco"));
  return CodeObject::Load({reinterpret_cast<const uint8_t*>(image.data()), image.size()}, *FindTarget(device), memory);
}

TEST(GenericTargets, RunOnWhatTheyInclude) {
  for (const auto& [generic, device] :
       {std::pair("gfx9-4-generic", "gfx942"), {"gfx9-4-generic", "gfx950"}, {"gfx11-generic", "gfx1100"}}) {
    AddressSpace memory;
    auto object = LoadGeneric(generic, device, memory);
    ASSERT_TRUE(object.ok()) << object.status().ToString();
    auto* out = static_cast<uint32_t*>(memory.Allocate(kThreads * 4, 256, "out").value());
    std::memset(out, 0, kThreads * 4);
    const Kernel* kernel = (*object)->FindKernel("lds_exchange");
    ASSERT_NE(kernel, nullptr);
    const auto status =
        Launch(*kernel, {{1, 1, 1}, {kThreads, 1, 1}}, std::as_bytes(std::span(&out, 1)), memory).status();
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (uint32_t i = 0; i < kThreads; i++) ASSERT_EQ(out[i], kThreads - 1 - i) << generic << " on " << device;
  }
}

TEST(GenericTargets, DoNotRunElsewhere) {
  AddressSpace memory;
  EXPECT_EQ(LoadGeneric("gfx9-4-generic", "gfx90a", memory).status().id(), ErrorId::kEmulatorWrongTarget);
  EXPECT_EQ(LoadGeneric("gfx11-generic", "gfx1201", memory).status().id(), ErrorId::kEmulatorWrongTarget);
}

}  // namespace
}  // namespace rocxla::emu
