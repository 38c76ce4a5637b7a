// HLO as StableHLO and back: the recorded programs compute the same bits, and what cannot be said is refused.
#include "xla/hlo/stablehlo/stablehlo_export.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "xla/hlo/evaluator/recorded_case_test_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/stablehlo/stablehlo_import.h"

namespace xla {
namespace {

using testing::HasSubstr;

std::vector<std::string> Cases() {
  std::vector<std::string> names;
  for (const std::string kind : {"jax", "hlo"})
    for (const auto& folder : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/" + kind))
      if (std::filesystem::exists(folder.path() / "module.hlo"))
        names.push_back(kind + "/" + folder.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class ExportedCase : public testing::TestWithParam<std::string> {};

TEST_P(ExportedCase, ComputesTheSame) {
  const std::filesystem::path folder = std::filesystem::path(ROCXLA_TEST_CASES) / GetParam();
  const auto text = rocxla::ReadFile(folder / "module.hlo");
  ASSERT_TRUE(text.ok());
  const auto module = ParseAndReturnVerifiedModule(*text, "module.hlo");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto exported = ConvertHloToStablehloText(**module);
  if (GetParam().find("stochastic_convert") != std::string::npos) {
    EXPECT_EQ(exported.status().id(), ErrorId::kHloNotInStablehlo);
    return;
  }
  ASSERT_TRUE(exported.ok()) << exported.status().ToString();
  const auto again = ConvertStablehloTextToHlo(*exported, "exported.mlir");
  ASSERT_TRUE(again.ok()) << again.status().ToString() << "\n" << *exported;
  const auto tensors = rocxla::ReadSafetensors(folder / "io.safetensors");
  ASSERT_TRUE(tensors.ok());
  const auto want = Evaluate(**module, recorded::Arguments(**module, *tensors));
  const auto got = Evaluate(**again, recorded::Arguments(**again, *tensors));
  ASSERT_TRUE(want.ok()) << want.status().ToString();
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  ASSERT_EQ(got->size(), want->size());
  for (size_t i = 0; i < want->size(); ++i) recorded::ExpectClose((*got)[i], (*want)[i], 0, 0);
}

INSTANTIATE_TEST_SUITE_P(Recorded, ExportedCase, testing::ValuesIn(Cases()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

std::string Exported(const std::string& hlo) {
  const auto module = ParseAndReturnVerifiedModule(hlo, "test");
  if (!module.ok()) return module.status().ToString();
  const auto text = ConvertHloToStablehloText(**module);
  return text.ok() ? *text : text.status().ToString();
}

TEST(StablehloExport, WritesShortForms) {
  EXPECT_EQ(Exported(R"(HloModule m, num_partitions=2
add { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] add(x, y) }
ENTRY e { a = f32[2,3]{1,0} parameter(0)
  z = f32[] constant(1.5)
  s = f32[2]{0} reduce(a, z), dimensions={1}, to_apply=add
  t = f32[2]{0} negate(s), metadata={op_name="jit(f)/neg" source_file="f.py" source_line=7}
  ROOT u = (f32[2]{0}, f32[]) tuple(t, z) })"),
            R"(#loc = loc(unknown)
module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%arg0: tensor<2x3xf32> loc(unknown)) -> (tensor<2xf32>, tensor<f32>) {
    %0 = stablehlo.constant dense<1.500000e+00> : tensor<f32> loc(#loc)
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32> loc(#loc)
    %2 = stablehlo.negate %1 : tensor<2xf32> loc(#loc2)
    return %2, %0 : tensor<2xf32>, tensor<f32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("f.py":7:0)
#loc2 = loc("jit(f)/neg"(#loc1))
)");
}

TEST(StablehloExport, LocationsComeBackAsMetadata) {
  const auto module = ParseAndReturnVerifiedModule(
      "ENTRY e { a = f32[] parameter(0)\n ROOT b = f32[] negate(a), metadata={op_name=\"jit(f)/neg\" "
      "source_file=\"f.py\" "
      "source_line=7} }",
      "test");
  ASSERT_TRUE(module.ok());
  const auto text = ConvertHloToStablehloText(**module);
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  const auto again = ConvertStablehloTextToHlo(*text, "exported.mlir");
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_THAT((*again)->ToString(),
              HasSubstr("negate(Arg_0), metadata={op_name=\"jit(f)/neg\" source_file=\"f.py\" source_line=7}"));
}

TEST(StablehloExport, CollectivesAndCallsComeBack) {
  const char* const hlo = R"(HloModule m, replica_count=4

max { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] maximum(x, y) }

ENTRY e { a = f32[8]{0} parameter(0)
  b = f32[8]{0} all-reduce(a), channel_id=2, replica_groups={{0,1},{2,3}}, to_apply=max
  c = f32[16]{0} all-gather(b), replica_groups={{0,1},{2,3}}, dimensions={0}
  d = f32[8]{0} reduce-scatter(c), replica_groups={{0,1},{2,3}}, dimensions={0}, to_apply=max
  f = f32[8]{0} all-to-all(d), replica_groups={{0,1,2,3}}, dimensions={0}
  g = f32[8]{0} collective-permute(f), source_target_pairs={{0,1},{1,0}}
  h = f32[8]{0} collective-broadcast(g), replica_groups={{0,1,2,3}}
  ROOT i = f32[8]{0} custom-call(h), custom_call_target="t", operand_layout_constraints={f32[8]{0}}, custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI, backend_config={a = 1 : i64, b = "\22"} })";
  const auto module = ParseAndReturnVerifiedModule(hlo, "test");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto text = ConvertHloToStablehloText(**module);
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  const auto again = ConvertStablehloTextToHlo(*text, "exported.mlir");
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  const std::string result = (*again)->ToString();
  for (const char* piece :
       {"all-reduce(Arg_0), channel_id=2, replica_groups={{0,1},{2,3}}, to_apply=",
        "all-gather(all-reduce), replica_groups={{0,1},{2,3}}, dimensions={0}",
        "reduce-scatter(all-gather), replica_groups={{0,1},{2,3}}, dimensions={0}",
        "all-to-all(reduce-scatter), replica_groups={{0,1,2,3}}, dimensions={0}",
        "collective-permute(all-to-all), source_target_pairs={{0,1},{1,0}}",
        "collective-broadcast(collective-permute), replica_groups={{0,1,2,3}}",
        "custom_call_target=\"t\", operand_layout_constraints={f32[8]{0}}, custom_call_has_side_effect=true, "
        "api_version=API_VERSION_TYPED_FFI, backend_config={a = 1 : i64, b = \"\\22\"}"})
    EXPECT_THAT(result, HasSubstr(piece));
}

// HLO to StableHLO and back; the pieces are of the HLO that comes back.
void ExpectComesBack(const std::string& hlo, const std::vector<std::string>& pieces) {
  const std::string text = Exported(hlo);
  const auto again = ConvertStablehloTextToHlo(text, "exported.mlir");
  ASSERT_TRUE(again.ok()) << again.status().ToString() << "\n" << text;
  for (const std::string& piece : pieces) EXPECT_THAT((*again)->ToString(), HasSubstr(piece)) << text;
}

TEST(StablehloExport, TransfersComeBack) {
  ExpectComesBack(
      R"(ENTRY e {
  a = f32[2]{0} parameter(0)
  t = token[] after-all()
  i = ((f32[2]{0}, s32[]), token[]) infeed(t), infeed_config="c"
  v = (f32[2]{0}, s32[]) get-tuple-element(i), index=0
  o = token[] outfeed(v, t), outfeed_shape=(f32[2]{0}, s32[]), outfeed_config="d"
  s = (f32[2]{0}, u32[], token[]) send(a, o), channel_id=7, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,2}}"}
  d = token[] send-done(s), channel_id=7
  r = (f32[2]{0}, u32[], token[]) recv(d), channel_id=8, is_host_transfer=true
  ROOT w = (f32[2]{0}, token[]) recv-done(r), channel_id=8, is_host_transfer=true })",
      {"((f32[2]{0}, s32[]), token[]) infeed(", "infeed_config=\"c\"",
       "outfeed_shape=(f32[2]{0}, s32[]), outfeed_config=\"d\"",
       "channel_id=7, frontend_attributes={_xla_send_recv_source_target_pairs=\"{{0,1},{1,2}}\"}",
       "send-done(send), channel_id=7", "channel_id=8, is_host_transfer=true", "recv-done(recv), channel_id=8"});
}

TEST(StablehloExport, DynamicShapesRaggedDotsAndRandomNumbersComeBack) {
  ExpectComesBack(R"(ENTRY e {
  a = f32[<=5,3]{1,0} parameter(0)
  n = s32[] parameter(1)
  b = f32[<=5,<=3]{1,0} set-dimension-size(a, n), dimensions={1}
  c = f32[<=15]{0} dynamic-reshape(b, n)
  ROOT d = f32[<=15]{0} negate(c) })",
                  {"f32[<=5,3]{1,0} parameter(0)", "f32[<=5,<=3]{1,0} set-dimension-size(Arg_0, Arg_1), dimensions={1}",
                   "f32[<=15]{0} dynamic-reshape(set-dimension-size, "});
  ExpectComesBack(R"(ENTRY e {
  a = f32[4,6]{1,0} parameter(0)
  b = f32[3,6,2]{2,1,0} parameter(1)
  g = s64[3]{0} parameter(2)
  ROOT r = f32[4,2]{1,0} ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}, operand_precision={highest,default} })",
                  {"ragged-dot(Arg_0, Arg_1, Arg_2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
                   "lhs_ragged_dims={0}, rhs_group_dims={0}, operand_precision={highest,default}"});
  ExpectComesBack("ENTRY e { a = f32[] parameter(0)\n ROOT r = f32[4,2]{1,0} rng(a, a), distribution=rng_uniform }",
                  {"f32[4,2]{1,0} rng(Arg_0, Arg_0), distribution=rng_uniform"});
}

TEST(StablehloExport, RefusesWhatStablehloCannotSay) {
  EXPECT_EQ(Exported("ENTRY e { a = f32[2,3]{1,0} parameter(0)\n ROOT b = f32[3,2]{0,1} bitcast(a) }"),
            R"(E1104 HloNotInStablehlo: bitcast: a bitcast between layouts has no meaning without them
  where:    instruction 'b' of computation 'e'
  found:    b = f32[3,2]{0,1} bitcast(a))");
  EXPECT_THAT(Exported("ENTRY e { ROOT a = f32[2]{0} constant({...}) }"), HasSubstr("the values are not known"));
  EXPECT_THAT(Exported("ENTRY e { a = f32[2]{0} parameter(0)\n b = u32[2]{0} parameter(1)\n ROOT c = s32[2]{0} "
                       "stochastic-convert(a, b) }"),
              HasSubstr("StableHLO has no such operation"));
}

}  // namespace
}  // namespace xla
