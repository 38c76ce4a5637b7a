// Every recorded kernel parses, and printing is a fixed point of parsing.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "triton/testing/parse.h"

namespace rocxla::triton {
namespace {

std::vector<std::filesystem::path> RecordedKernels() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"triton", "tiles"}) {
    std::filesystem::path root = std::filesystem::path(ROCXLA_TEST_CASES) / folder;
    if (!std::filesystem::exists(root)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(root))
      if (std::filesystem::exists(entry.path() / "kernel.ttir")) paths.push_back(entry.path() / "kernel.ttir");
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string Print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, mlir::OpPrintingFlags().enableDebugInfo(true).printNameLocAsPrefix(true));
  return text;
}

TEST(Dialect, RecordedKernelsRoundTrip) {
  std::vector<std::filesystem::path> paths = RecordedKernels();
  EXPECT_GE(paths.size(), 2u);
  for (const auto& path : paths) {
    SCOPED_TRACE(path.string());
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    ParsedModule once(text.str());
    ASSERT_TRUE(once.module);
    std::string printed = Print(*once.module);
    ParsedModule twice(printed);
    ASSERT_TRUE(twice.module);
    EXPECT_EQ(Print(*twice.module), printed);
  }
}

// Operations that no recorded kernel has, in the older and the newer spelling: what they print parses to the same.
TEST(Dialect, BlocksRoundTrip) {
  const char* text = R"(
    tt.func public @k(%p: !tt.ptr<f16>, %d: !tt.tensordesc<tensor<8x16xf16>>, %e: !tt.tensordesc<1x16xsi8>,
                      %m: i32, %s: i64) {
      %b = tt.make_tensor_ptr %p, [%s, %s], [%s, %s], [%m, %m] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
      %c = tt.advance %b, [%m, %m] : <tensor<8x16xf16>>
      %x = tt.load %c {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
      tt.store %c, %x cacheModifier = cs {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8x16xf16>>
      %f = tt.make_tensor_descriptor %p, [%m, %m], [%s, %s] {padding = 2 : i32} : <f16>, <8x16xf16>
      %g = tt.descriptor_load %f[%m, %m] cacheModifier = cg : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>
      tt.descriptor_store %d[%m, %m], %g : !tt.tensordesc<8x16xf16>, tensor<8x16xf16>
      tt.descriptor_reduce add, %d[%m, %m], %g : !tt.tensordesc<8x16xf16>, tensor<8x16xf16>
      tt.return
    })";
  ParsedModule once(text);
  ASSERT_TRUE(once.module);
  std::string printed = Print(*once.module);
  EXPECT_NE(printed.find("!tt.tensordesc<8x16xf16>"), std::string::npos);
  EXPECT_NE(printed.find(" : <f16>, <8x16xf16>"), std::string::npos);
  EXPECT_NE(printed.find("{order = array<i32: 1, 0>} : <tensor<8x16xf16>>"), std::string::npos) << printed;
  ParsedModule twice(printed);
  ASSERT_TRUE(twice.module);
  EXPECT_EQ(Print(*twice.module), printed);
}

TEST(Dialect, ScaledProductsRoundTrip) {
  const std::string text = R"(module {
  tt.func public @k(%arg0: tensor<32x64xf8E4M3FN>, %arg1: tensor<32x2xi8>, %arg2: tensor<32x16xi8>, %arg3: tensor<16x2xi8>, %arg4: tensor<32x16xf32>) {
    %0 = tt.dot_scaled %arg0 scale %arg1, %arg2 scale %arg3, %arg4 lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<32x2xi8> * tensor<32x16xi8>, tensor<16x2xi8> -> tensor<32x16xf32>
    %1 = tt.dot_scaled %arg0, %arg2 scale %arg3, %0 lhs = e4m3 rhs = e2m1 {fastMath = true} : tensor<32x64xf8E4M3FN> * tensor<32x16xi8>, tensor<16x2xi8> -> tensor<32x16xf32>
    %2 = tt.dot_scaled %arg0 scale %arg1, %arg2, %1 lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<32x2xi8> * tensor<32x16xi8> -> tensor<32x16xf32>
    tt.return
  }
}
)";
  ParsedModule parsed(text);
  ASSERT_TRUE(parsed.module);
  std::string printed;
  llvm::raw_string_ostream os(printed);
  parsed.module->print(os, mlir::OpPrintingFlags().printNameLocAsPrefix(true));
  EXPECT_EQ(printed, text);
}

// Each line is one operation that must not verify, with MLIR's message.
struct BadOp {
  const char* body;
  const char* message;
};
class DialectErrors : public testing::TestWithParam<BadOp> {};

TEST_P(DialectErrors, Message) {
  mlir::MLIRContext context(ParsedModule::Registry(), mlir::MLIRContext::Threading::DISABLED);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
    if (message.empty()) message = diagnostic.str();
    return mlir::success();
  });
  std::string text = std::string(R"(
    tt.func public @k(%t: tensor<8x4xf32>, %u: tensor<4x8xf32>, %s: f32) {
      )") + GetParam().body +
                     R"(
      tt.return
    })";
  EXPECT_FALSE(mlir::parseSourceString<mlir::ModuleOp>(text, &context, "bad.ttir"));
  EXPECT_EQ(message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Verifier, DialectErrors,
    testing::Values(
        BadOp{"%0 = tt.make_range {end = 9 : i32, start = 0 : i32} : tensor<8xi32>",
              "'tt.make_range' op range 0..9 does not fill 'tensor<8xi32>'"},
        BadOp{"%0 = tt.splat %s : f32 -> tensor<8xi32>", "'tt.splat' op of 'f32' cannot give 'tensor<8xi32>'"},
        BadOp{"%0 = tt.broadcast %t : tensor<8x4xf32> -> tensor<8x8xf32>",
              "'tt.broadcast' op cannot give 'tensor<8x8xf32>' from 'tensor<8x4xf32>'"},
        BadOp{"%0 = tt.trans %t {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<8x4xf32>",
              "'tt.trans' op result has shape [8, 4], expected [4, 8]"},
        BadOp{"%0 = tt.trans %t {order = array<i32: 1, 1>} : tensor<8x4xf32> -> tensor<4x8xf32>",
              "'tt.trans' op order is no permutation of the dimensions"},
        BadOp{"%0 = tt.reshape %t : tensor<8x4xf32> -> tensor<64xf32>",
              "'tt.reshape' op changes the number of elements: 'tensor<8x4xf32>' to 'tensor<64xf32>'"},
        BadOp{"%0 = tt.expand_dims %t {axis = 3 : i32} : tensor<8x4xf32> -> tensor<8x4x1xf32>",
              "'tt.expand_dims' op axis 3 is beyond rank 2"},
        BadOp{"%a, %b = tt.split %t : tensor<8x4xf32> -> tensor<8xf32>",
              "'tt.split' op needs a last dimension of 2, got 'tensor<8x4xf32>'"},
        BadOp{"%0 = tt.histogram %t : tensor<8x4xf32> -> tensor<8xi32>",
              "'tt.histogram' op counts integers into a tensor of rank 1, got 'tensor<8x4xf32>' and 'tensor<8xi32>'"},
        BadOp{"%0 = \"tt.map_elementwise\"(%t) <{pack = 2 : i32}> ({\n^bb0(%a: f32):\n"
              "tt.map_elementwise.return %a : f32\n}) : (tensor<8x4xf32>) -> tensor<8x4xf32>",
              "'tt.map_elementwise' op region's arguments are not 2 elements of each tensor"},
        BadOp{"%0 = tt.dot %t, %t, %t : tensor<8x4xf32> * tensor<8x4xf32> -> tensor<8x4xf32>",
              "'tt.dot' op shapes do not fit: 'tensor<8x4xf32>' * 'tensor<8x4xf32>' -> 'tensor<8x4xf32>'"},
        BadOp{"%0 = tt.dot_scaled %t, %u, %t lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<8x4xf32> * "
              "tensor<4x8xf32> -> tensor<8x4xf32>",
              "'tt.dot_scaled' op lhs of e4m3 is no tensor of 'f32'"}));

// Factors of 8 x 64 and 64 x 8 numbers.
struct BadScaledOp {
  const char* operands;
  const char* types;
  const char* attributes;
  const char* message;
};
class ScaledErrors : public testing::TestWithParam<BadScaledOp> {};

TEST_P(ScaledErrors, Message) {
  const BadScaledOp& bad = GetParam();
  mlir::MLIRContext context(ParsedModule::Registry(), mlir::MLIRContext::Threading::DISABLED);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
    if (message.empty()) message = diagnostic.str();
    return mlir::success();
  });
  std::string text = std::string(R"(
    tt.func public @k(%a: tensor<8x64xf8E5M2>, %p: tensor<8x32xi8>, %s: tensor<8x2xi8>, %r: tensor<8x4xi8>,
                      %q: tensor<8x3xi8>, %f: tensor<8x2xf32>, %b: tensor<64x8xf8E5M2>, %c: tensor<8x8xf32>) {
      %0 = tt.dot_scaled )") +
                     bad.operands + ", %c lhs = " + bad.attributes + " : " + bad.types +
                     " -> tensor<8x8xf32>\n tt.return\n}";
  EXPECT_FALSE(mlir::parseSourceString<mlir::ModuleOp>(text, &context, "bad.ttir"));
  EXPECT_EQ(message, bad.message);
}

INSTANTIATE_TEST_SUITE_P(
    Verifier, ScaledErrors,
    testing::Values(
        BadScaledOp{
            "%a scale %q, %b", "tensor<8x64xf8E5M2>, tensor<8x3xi8> * tensor<64x8xf8E5M2>",
            "e5m2 rhs = e5m2 {fastMath = false}",
            "'tt.dot_scaled' op lhs's scale 'tensor<8x3xi8>' does not fit 8 x 64 numbers: one of i8 or f8E4M3FN "
            "for 32 or 16 along K is expected"},
        BadScaledOp{
            "%a scale %f, %b", "tensor<8x64xf8E5M2>, tensor<8x2xf32> * tensor<64x8xf8E5M2>",
            "e5m2 rhs = e5m2 {fastMath = false}",
            "'tt.dot_scaled' op lhs's scale 'tensor<8x2xf32>' does not fit 8 x 64 numbers: one of i8 or f8E4M3FN "
            "for 32 or 16 along K is expected"},
        BadScaledOp{"%a scale %s, %b", "tensor<8x64xf8E5M2>, tensor<8x2xi8> * tensor<64x8xf8E5M2>",
                    "e5m2 rhs = e5m2 {fastMath = false, lhs_k_pack = false}",
                    "'tt.dot_scaled' op lhs is not packed: its k_pack must be true"},
        BadScaledOp{"%p, %b", "tensor<8x32xi8> * tensor<64x8xf8E5M2>",
                    "e2m1 rhs = e5m2 {fastMath = false, lhs_k_pack = false}",
                    "'tt.dot_scaled' op shapes do not fit: 'tensor<8x32xi8>' * 'tensor<64x8xf8E5M2>' -> "
                    "'tensor<8x8xf32>'"}));

}  // namespace
}  // namespace rocxla::triton
