// StableHLO text: whatever is accepted can be written as StableHLO and read back to an equal text, or says why not.
#include "base/error_ids.h"
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "xla/hlo/stablehlo/stablehlo_export.h"
#include "xla/hlo/stablehlo/stablehlo_import.h"

namespace rocxla {

std::vector<std::string> FuzzSeeds() {
  return {
      R"(func.func @main(%a: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.slice %a [0:2, 1:3:1] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %d = stablehlo.dot_general %s, %s, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGH, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %p = stablehlo.pad %d, %c, low = [1], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  %y = stablehlo.dynamic_slice %p, %i, sizes = [2] : (tensor<3xf32>, tensor<i32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
})",
      R"(module @m attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32, mhlo.layout_mode = "{0}"}) -> tensor<f32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %w:2 = stablehlo.while(%x = %r, %y = %z) : tensor<f32>, tensor<f32>
    cond {
      %g = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %g : tensor<i1>
    } do {
      %n = chlo.erfc %x : tensor<f32> -> tensor<f32>
      stablehlo.return %n, %y : tensor<f32>, tensor<f32>
    }
    %f = call @f(%w#0) : (tensor<f32>) -> tensor<f32>
    return %f : tensor<f32>
  }
  func.func private @f(%a: tensor<f32>) -> tensor<f32> {
    return %a : tensor<f32>
  }
})",
      R"(sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %b: tensor<2x1xi32>) -> tensor<2x3xf32> {
  %g = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  %t = stablehlo.custom_call @t(%g) {api_version = 4 : i32, backend_config = "x"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %t : tensor<2x3xf32>
})",
      R"(func.func @main(%a: tensor<1x4x2xf32>, %b: tensor<3x2x5xf32>) -> tensor<1x4x5xf32> {
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x4x5xf32>
  return %r : tensor<1x4x5xf32>
})"};
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  const auto module = xla::ConvertStablehloTextToHlo({reinterpret_cast<const char*>(data), size}, kFuzzOrigin);
  CountOutcome(module.status());
  if (!module.ok()) return 0;
  const auto text = xla::ConvertHloToStablehloText(**module);
  if (!text.ok()) {
    CHECK(text.status().id() == ErrorId::kHloNotInStablehlo) << text.status().ToString();
    return 0;
  }
  const auto again = xla::ConvertStablehloTextToHlo(*text, "written");
  CHECK(again.ok()) << again.status().ToString() << *text;
  return 0;
}
