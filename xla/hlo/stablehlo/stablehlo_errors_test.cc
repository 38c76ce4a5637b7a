// What is wrong with a text is said: where, with the line; what was meant; never by aborting.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/stablehlo/stablehlo_import.h"

namespace xla {
namespace {

using testing::HasSubstr;

std::string Read(const std::string& text) {
  const auto module = ConvertStablehloTextToHlo(text, "f.mlir");
  return module.ok() ? (*module)->ToString() : module.status().ToString();
}
std::string Body(const std::string& body, const std::string& result = "tensor<4xf32>") {
  return Read("func.func @main(%a: tensor<4xf32>, %b: tensor<4xi32>) -> " + result + " {\n" + body + "\n}");
}

TEST(StablehloErrors, SyntaxShowsTheLine) {
  EXPECT_EQ(Body("  %r = stablehlo.add %a, %a : tensor<4xf32\n  return %r : tensor<4xf32>"),
            R"(E1101 StablehloSyntax: expected '>' in tensor type
  where:    f.mlir:2:43
              %r = stablehlo.add %a, %a : tensor<4xf32
                                                      ^
  next:     Correct the text there; `jax.jit(f).lower(...).as_text()` writes such text.)");
}

TEST(StablehloErrors, UnknownNamesAreNamedWithTheNearest) {
  EXPECT_THAT(Body("  %r = stablehlo.ad %a, %a : tensor<4xf32>\n  return %r : tensor<4xf32>"),
              HasSubstr("'stablehlo.ad'"));
  EXPECT_THAT(
      Body("  %r = \"stablehlo.exponentil\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>"),
      HasSubstr("stablehlo.exponentil"));
  EXPECT_THAT(Body("  %r = stablehlo.abs %a {resultaccuracy = 1} : tensor<4xf32>\n  return %r : tensor<4xf32>"),
              HasSubstr("stablehlo.abs has no attribute 'resultaccuracy'"));
  EXPECT_THAT(Body("  %r = stablehlo.sqrt %a {result_accurac = 1} : tensor<4xf32>\n  return %r : tensor<4xf32>"),
              HasSubstr("stablehlo.sqrt has no attribute 'result_accurac'; did you mean 'result_accuracy'?"));
  EXPECT_THAT(Body("  %r = stablehlo.compare LS, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n  return %a "
                   ": tensor<4xf32>"),
              HasSubstr("comparison_direction has no value 'LS'"));
  EXPECT_THAT(Body("  %r = \"stablehlo.abs\"(%a) {x.y = #stablehlo.gathr<>} : (tensor<4xf32>) -> tensor<4xf32>\n  "
                   "return %r : tensor<4xf32>"),
              HasSubstr("StableHLO has no attribute 'gathr'; did you mean 'gather'?"));
  EXPECT_THAT(Body("  %r = \"stablehlo.abs\"(%a) {x.y = #stablehlo.gather<offsetdims = [1]>} : (tensor<4xf32>) -> "
                   "tensor<4xf32>\n  return %r : tensor<4xf32>"),
              HasSubstr("#stablehlo.gather has no field 'offsetdims'; did you mean 'offset_dims'?"));
  EXPECT_THAT(Body("  %r = tosa.abs %a : tensor<4xf32>\n  return %r : tensor<4xf32>"),
              HasSubstr("dialect 'tosa' is not known here"));
}

TEST(StablehloErrors, CountsAreChecked) {
  EXPECT_THAT(Body("  %r = \"stablehlo.add\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>"),
              HasSubstr("stablehlo.add takes 2 operands, found 1"));
  EXPECT_THAT(Body("  %r = \"stablehlo.sort\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>"),
              HasSubstr("stablehlo.sort takes 1 region, found 0"));
}

TEST(StablehloErrors, AttributesAreChecked) {
  EXPECT_THAT(
      Body("  %r = \"stablehlo.iota\"() : () -> tensor<4xf32>\n  return %r : tensor<4xf32>"),
      HasSubstr(
          "E1102 StablehloInvalid: stablehlo.iota: the attribute 'iota_dimension' is missing\n  where:    f.mlir:2:8"));
  EXPECT_THAT(
      Body("  %r = \"stablehlo.iota\"() {iota_dimension = \"x\"} : () -> tensor<4xf32>\n  return %r : tensor<4xf32>"),
      HasSubstr("the attribute 'iota_dimension' is of another kind"));
  EXPECT_THAT(Body("  %r = stablehlo.broadcast_in_dim %a, dims = [3] : (tensor<4xf32>) -> tensor<2x4xf32>\n  return %a "
                   ": tensor<4xf32>"),
              HasSubstr("the result dimensions must be different ones of the result"));
  EXPECT_THAT(
      Body("  %r = stablehlo.transpose %a, dims = [1] : (tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>"),
      HasSubstr("E1004 HloVerifier"));
}

TEST(StablehloErrors, TypesMustFollow) {
  EXPECT_EQ(
      Body("  %r = stablehlo.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>\n  return %r : tensor<5xf32>",
           "tensor<5xf32>"),
      R"(E1004 HloVerifier: the shape of this add does not follow from its operands
  where:    f.mlir:2:8
              %r = stablehlo.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
                   ^
  found:    f32[5]
  expected: f32[4])");
  EXPECT_THAT(
      Body("  %r = chlo.erfc %a : tensor<4xf32> -> tensor<5xf32>\n  return %r : tensor<5xf32>", "tensor<5xf32>"),
      HasSubstr("the type of result 0 does not follow from the operands"));
}

TEST(StablehloErrors, WhatHloCannotSayIsRefusedPrecisely) {
  EXPECT_THAT(Read("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}"),
              HasSubstr("E1103 StablehloUnsupported: an array whose size is known only at run time, and has no bound, "
                        "cannot be read yet"));
  EXPECT_THAT(Read("func.func @main(%a: tensor<?x?xf32, #stablehlo.bounds<4, ?>>) {\n  return\n}"),
              HasSubstr("known only at run time"));
  EXPECT_THAT(Read("func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {\n  return\n}"),
              HasSubstr("the quantized type !quant.uniform<i8:f32, 0.5> cannot be read"));
  EXPECT_THAT(Read("func.func @main(%a: tensor<4xindex>) {\n  return\n}"),
              HasSubstr("HLO has no elements of type index"));
  EXPECT_THAT(Read("func.func @main(%a: tensor<4xf32>) {\n  call @f(%a) : (tensor<4xf32>) -> ()\n  return\n}\n"
                   "func.func private @f(%a: tensor<4xf32>) {\n  call @f(%a) : (tensor<4xf32>) -> ()\n  return\n}"),
              HasSubstr("a function calls itself"));
  EXPECT_THAT(Read("func.func private @f()"), HasSubstr("the module has no entry function"));
  EXPECT_THAT(Body(R"(  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %o = stablehlo.negate %z : tensor<f32>
  %r = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %s = stablehlo.add %x, %o : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  return %r : tensor<f32>)",
                   "tensor<f32>"),
              HasSubstr("the region uses a value from outside of it"));
  EXPECT_THAT(
      Body(
          R"(  %r = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%x: tensor<2xf32>) {
    sdy.return %x : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>)"),
      HasSubstr("the program must be partitioned for several devices first"));
}

TEST(StablehloErrors, NestingIsBounded) {
  std::string text = "func.func @main() attributes {x.y = ";
  text += std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(Read(text + "} {\n  return\n}"), HasSubstr("the brackets are nested too deeply"));
  EXPECT_THAT(Read("#m = affine_map<() -> (" + std::string(200000, '-') + "1)>\nfunc.func @main() {\n  return\n}"),
              HasSubstr("there is an affine map"));
  std::string calls = "func.func @main() {\n  call @f0() : () -> ()\n  return\n}\n";
  for (int i = 0; i < 300; ++i)
    calls += "func.func private @f" + std::to_string(i) + "() {\n  call @f" + std::to_string(i + 1) +
             "() : () -> ()\n  return\n}\n";
  EXPECT_THAT(Read(calls + "func.func private @f300() {\n  return\n}"), HasSubstr("the calls are nested too deeply"));
}

// --- Details of what is read. ---

TEST(StablehloText, ConstantsOfAllKinds) {
  const auto constant = [](const std::string& value) {
    const std::string type = value.substr(value.rfind(": ") + 2);
    const auto module = ConvertStablehloTextToHlo(
        "func.func @main() -> " + type + " {\n  %r = stablehlo.constant " + value + "\n  return %r : " + type + "\n}",
        "f.mlir");
    if (!module.ok()) return module.status().ToString();
    const auto result = Evaluate(**module, {});
    return result.ok() ? (*result)[0].ToStringWithoutShape() : result.status().ToString();
  };
  EXPECT_EQ(constant("dense<[1, -2]> : tensor<2xi8>"), "{1, -2}");
  EXPECT_EQ(constant("dense<[1, -2]> : tensor<2xi4>"), "{1, -2}");
  EXPECT_EQ(constant("dense<[1, 3]> : tensor<2xui2>"), "{1, 3}");
  EXPECT_EQ(constant("dense<[true, false, true]> : tensor<3xi1>"), "{1, 0, 1}");
  EXPECT_EQ(constant("dense<true> : tensor<2xi1>"), "{1, 1}");
  EXPECT_EQ(constant("dense<1.5> : tensor<2x2xbf16>"), "{ {1.5, 1.5}, {1.5, 1.5} }");
  EXPECT_EQ(constant("dense<[1.5, -448.0]> : tensor<2xf8E4M3FN>"), "{1.5, -448}");
  EXPECT_EQ(constant("dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>"), "{6, -0.5}");
  EXPECT_EQ(constant("dense<[(1.0, -2.0), (0.0, 3.0)]> : tensor<2xcomplex<f32>>"), "{(1, -2), (0, 3)}");
  EXPECT_EQ(constant("dense<(1.0, -2.0)> : tensor<2xcomplex<f64>>"), "{(1, -2), (1, -2)}");
  EXPECT_EQ(constant("dense<0xFF800000> : tensor<f32>"), "-inf");
  EXPECT_EQ(constant("dense<\"0x0000803F00000040\"> : tensor<2xf32>"), "{1, 2}");
  EXPECT_EQ(constant("dense<> : tensor<0x3xf32>"), "{  }");
  EXPECT_EQ(constant("dense<18446744073709551615> : tensor<ui64>"), "18446744073709551615");
}

TEST(StablehloText, Resources) {
  EXPECT_THAT(Read(R"(func.func @main() -> tensor<2xf32> {
  %r = stablehlo.constant dense_resource<w> : tensor<2xf32>
  return %r : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-})"),
              HasSubstr("constant({1, 2})"));
  EXPECT_THAT(Read("func.func @main() -> tensor<2xf32> {\n  %r = stablehlo.constant dense_resource<w> : "
                   "tensor<2xf32>\n  return %r : tensor<2xf32>\n}"),
              HasSubstr("the resource 'w' is not defined"));
}

TEST(StablehloText, ModulesAndParameters) {
  EXPECT_EQ(
      Read(R"(module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 4 : i32} {
  func.func public @main(%a: tensor<2x3xf32> {tf.aliasing_output = 1 : i32, mhlo.layout_mode = "{0,1}", mhlo.sharding = "{replicated}"} loc("x"), %b: tensor<i32> {jax.buffer_donor = true}) -> (tensor<i32>, tensor<2x3xf32> {jax.result_info = "r", mhlo.layout_mode = "default"}) {
    %0 = stablehlo.negate %a : tensor<2x3xf32> loc("jit(f)/neg"("f.py":7:3))
    return %b, %0 : tensor<i32>, tensor<2x3xf32>
  }
})"),
      R"(HloModule jit_f, input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, entry_computation_layout={(f32[2,3]{0,1}, s32[])->(s32[], f32[2,3]{1,0})}, replica_count=4, num_partitions=2

ENTRY main {
  Arg_0 = f32[2,3]{1,0} parameter(0), sharding={replicated}, metadata={op_name="x"}
  Arg_1 = s32[] parameter(1)
  negate = f32[2,3]{1,0} negate(Arg_0), metadata={op_name="jit(f)/neg" source_file="f.py" source_line=7}
  ROOT tuple = (s32[], f32[2,3]{1,0}) tuple(Arg_1, negate)
}
)");
}

TEST(StablehloText, LoopsAndBranchesTakeValuesFromOutside) {
  const auto module = ConvertStablehloTextToHlo(R"(func.func @main() -> (tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %six = stablehlo.add %five, %five : tensor<i32>
  %w:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32>
  cond {
    %g = stablehlo.compare LT, %i, %six, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  } do {
    %odd = stablehlo.and %i, %five : tensor<i32>
    %p = stablehlo.compare EQ, %odd, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %add = "stablehlo.if"(%p) ({
      %t = stablehlo.add %six, %i : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }, {
      stablehlo.return %zero : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    %m = stablehlo.add %s, %add : tensor<i32>
    stablehlo.return %n, %m : tensor<i32>, tensor<i32>
  }
  return %w#0, %w#1 : tensor<i32>, tensor<i32>
})",
                                                "f.mlir");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto results = Evaluate(**module, {});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ((*results)[0].GetAsInt64(0), 10);
  // i & 5 == 0 for 0, 2, 8: each adds 10 + i.
  EXPECT_EQ((*results)[1].GetAsInt64(0), 40);
}

}  // namespace
}  // namespace xla
