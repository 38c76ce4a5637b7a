#include "xla/backends/gpu/codegen/fusion_emitter.h"

#include <gtest/gtest.h>

#include "xla/hlo/parser/hlo_parser.h"

namespace xla::gpu {
namespace {

StatusOr<TileKernel> Emit(std::string_view text, std::string_view target = "gfx942") {
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ParseAndReturnVerifiedModule(text));
  ASSIGN_OR_RETURN(GpuTarget gpu, rocxla::FindTarget(target));
  return EmitFusion(*module->entry_computation()->root_instruction(), "kernel", gpu);
}

TEST(FusionEmitter, Add) {
  auto k = Emit(R"(HloModule m
f { p0 = f32[33,65] parameter(0)
  p1 = f32[33,65] parameter(1)
  ROOT a = f32[33,65] add(p0, p1) }
ENTRY e { p0 = f32[33,65] parameter(0)
  p1 = f32[33,65] parameter(1)
  ROOT r = f32[33,65] fusion(p0, p1), kind=kLoop, calls=f })");
  ASSERT_TRUE(k.ok()) << k.status().ToString();
  EXPECT_EQ(k->ttir, "");
}

}  // namespace
}  // namespace xla::gpu
