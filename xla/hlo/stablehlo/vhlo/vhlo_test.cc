// What the recorded programs do not have: every attribute, type and changed operation, written and read; versions that
// cannot express a program; artifacts that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error_ids.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/vhlo/exporter.h"
#include "xla/hlo/stablehlo/vhlo/importer.h"
#include "xla/hlo/stablehlo/vhlo/vhlo_import.h"

namespace xla::vhlo {
namespace {

using ::testing::HasSubstr;

class PortableArtifactTest : public testing::Test {
 protected:
  PortableArtifactTest() : context_(mlir::MLIRContext::Threading::DISABLED) { stablehlo::LoadDialects(context_); }

  StatusOr<std::string> Write(const std::string& text, Version version = kNewestVersion) {
    const auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context_));
    if (!module) return rocxla::Error(ErrorId::kStablehloSyntax, {.what = "the test's program is wrong"});
    return WritePortableArtifact(*module, version);
  }
  std::string Read(const std::string& bytes) {
    const auto module = ReadPortableArtifact(bytes, "test.mlirbc", context_);
    return module.ok() ? Printed(**module) : module.status().ToString();
  }
  static std::string Printed(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    return text;
  }
  // The operations of `body` (with arguments %a, ...) come back from an artifact of the version.
  void ExpectBack(const std::string& arguments, const std::string& body, Version version = kNewestVersion) {
    const std::string text = "func.func @main(" + arguments + ") {\n" + body + "\nreturn\n}";
    SCOPED_TRACE(text);
    const auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context_));
    ASSERT_TRUE(module);
    const auto bytes = WritePortableArtifact(*module, version);
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    EXPECT_EQ(WithoutProperties(Read(*bytes)), WithoutProperties(Printed(*module)));
  }
  // What is written <{...}> may as well be written {...}.
  static std::string WithoutProperties(std::string text) {
    for (const auto& [from, to] : {std::pair<std::string, std::string>("<{", "{"), {"}>", "}"}})
      for (size_t at; (at = text.find(from)) != text.npos;) text.replace(at, 2, to);
    return text;
  }

  mlir::MLIRContext context_;
};

constexpr char kSmall[] =
    "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %0 = stablehlo.add %a, %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}";

TEST_F(PortableArtifactTest, ConstantsOfAllTypesComeBack) {
  for (const char* constant : {"dense<[true, false, true]> : tensor<3xi1>",
                               "dense<true> : tensor<20xi1>",
                               "dense<false> : tensor<2xi1>",
                               "dense<[true, false, true, true, false, true, true, false, true]> : tensor<9xi1>",
                               "dense<-1> : tensor<3xi4>",
                               "dense<[1, -2]> : tensor<2xi2>",
                               "dense<[1, 3]> : tensor<2xui2>",
                               "dense<[1, 15]> : tensor<2xui4>",
                               "dense<[1, -128]> : tensor<2xi8>",
                               "dense<[1, 255]> : tensor<2xui8>",
                               "dense<[1, -2]> : tensor<2xi16>",
                               "dense<[1, 65535]> : tensor<2xui16>",
                               "dense<[1, -2]> : tensor<2xi32>",
                               "dense<[1, 4]> : tensor<2xui32>",
                               "dense<[1, -9223372036854775808]> : tensor<2xi64>",
                               "dense<18446744073709551615> : tensor<ui64>",
                               "dense<[1.5, 0x7FC1]> : tensor<2xbf16>",
                               "dense<[1.5, -0.0]> : tensor<2xf16>",
                               "dense<[1.5, 0x7FC00001]> : tensor<2xf32>",
                               "dense<[1.5, 0x7FF8000000000001]> : tensor<2xf64>",
                               "dense<(1.5, -2.5)> : tensor<2xcomplex<f32>>",
                               "dense<[(1.5, -2.5), (0.0, 1.0)]> : tensor<2xcomplex<f64>>",
                               "dense<1.5> : tensor<2xf8E4M3FN>",
                               "dense<1.5> : tensor<2xf8E5M2>",
                               "dense<1.5> : tensor<2xf8E4M3FNUZ>",
                               "dense<1.5> : tensor<2xf8E5M2FNUZ>",
                               "dense<1.5> : tensor<2xf8E4M3B11FNUZ>",
                               "dense<1.5> : tensor<2xf8E4M3>",
                               "dense<1.5> : tensor<2xf8E3M4>",
                               "dense<2.0> : tensor<2xf8E8M0FNU>",
                               "dense<[1.5, -6.0]> : tensor<2xf4E2M1FN>",
                               "dense<1.5> : tensor<2xf6E2M3FN>",
                               "dense<1.5> : tensor<2xf6E3M2FN>",
                               "dense<> : tensor<0x4xf32>"}) {
    ExpectBack("", "%0 = stablehlo.constant " + std::string(constant));
  }
}

TEST_F(PortableArtifactTest, StructuresComeBack) {
  ExpectBack("%a: tensor<8x4xf32>, %b: tensor<4x8xf32>",
             "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT], "
             "algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, "
             "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, "
             "allow_imprecise_accumulation = false> : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>");
  ExpectBack("%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>",
             "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
             "{stride = [2, 1], pad = [[1, 0], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [true, "
             "false]} {batch_group_count = 1 : i64, "
             "feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x7x4xf32>");
  ExpectBack("%a: tensor<2x5xf32>, %i: tensor<2x1xi32>",
             "%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [], "
             "operand_batching_dims = [0], "
             "collapsed_slice_dims = [1], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim "
             "= 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<2x5xf32>, tensor<2x1xi32>) "
             "-> tensor<2xf32>");
  ExpectBack("%a: tensor<2x5xf32>",
             "%0 = \"stablehlo.all_gather\"(%a) <{all_gather_dim = 0 : i64, channel_handle = "
             "#stablehlo.channel_handle<handle = 3>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
             "use_global_device_ids = true}> : (tensor<2x5xf32>) -> tensor<4x5xf32>");
  ExpectBack("%a: tensor<2xf32>",
             "%0 = stablehlo.custom_call @f(%a) {api_version = 4 : i32, backend_config = {x = 1 "
             ": i32, y = \"s\", z = 1.5 : f32, t = true}, mhlo.frontend_attributes = {k = \"v\"}, "
             "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
             "operand_tuple_indices = []>], operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = "
             "[dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>");
  ExpectBack("%a: tensor<?xf32, #stablehlo.bounds<8>>, %t: !stablehlo.token, %u: tuple<tensor<2xi1>, tensor<f32>>", "");
}

// Operations that a version wrote in another way are read as what they mean now.
TEST_F(PortableArtifactTest, OldVersionsAreWrittenAndRead) {
  for (const Version version : {9, 1000, 1005, 1009, 1010, 1018, 1020}) {
    SCOPED_TRACE(VersionName(version));
    ExpectBack("%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %i: tensor<2x1xi32>",
               "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, "
               "tensor<4x8xf32>) -> tensor<8x8xf32>\n%1 = stablehlo.exponential %0 : tensor<8x8xf32>\n"
               "%2 = stablehlo.custom_call @f(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
               "%3 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
               "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, "
               "4>}> : (tensor<8x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>",
               version);
  }
}

TEST_F(PortableArtifactTest, VersionsThatCannotExpressAProgramSaySo) {
  const auto expect = [&](const std::string& body, Version version, const std::string& message) {
    const auto bytes = Write("func.func @main(%a: tensor<2xf32>) {\n" + body + "\nreturn\n}", version);
    ASSERT_FALSE(bytes.ok());
    EXPECT_EQ(bytes.status().id(), ErrorId::kVhloUnsupported);
    EXPECT_THAT(bytes.status().ToString(), HasSubstr(message));
  };
  expect("%0 = stablehlo.tan %a : tensor<2xf32>", 1003, "VHLO 1.3.0 does not have the operation");
  expect(
      "%0 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = "
      "#stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>",
      1005, "result_accuracy");
  expect("%0 = stablehlo.constant dense<1.5> : tensor<2xf4E2M1FN>", 1007, "not part of VHLO 1.7.0");
  expect("%0 = chlo.erf %a : tensor<2xf32> -> tensor<2xf32>", kNewestVersion, "chlo.erf");
}

TEST_F(PortableArtifactTest, NewerAndOtherProducersAreRefused) {
  std::string bytes = *Write(kSmall);
  const size_t at = bytes.find("v1.20.0");
  const auto with = [&](const std::string& version) { return Read(std::string(bytes).replace(at, 7, version)); };
  EXPECT_THAT(with("v1.20.7"), HasSubstr("stablehlo.add"));
  EXPECT_THAT(with("v1.99.0"), HasSubstr("newer version of VHLO than rocXLA knows"));
  EXPECT_THAT(with("v2.00.0"), HasSubstr("StableHLO_v1.20.0 or older"));
  EXPECT_THAT(with("v1.20.x"), HasSubstr("not a portable artifact of StableHLO"));
  EXPECT_THAT(Read(std::string(bytes).replace(at - 10, 3, "LLV")), HasSubstr("not a portable artifact"));
  bytes[4] = 0x7f;
  EXPECT_THAT(Read(bytes), HasSubstr("newer format than rocXLA reads"));
  EXPECT_THAT(Read("func.func"), HasSubstr("this is no portable artifact"));
}

// Each tuple holds the one before twice: a few bytes for more types than fit anywhere.
TEST_F(PortableArtifactTest, TypesThatGrowWithoutEndAreErrors) {
  mlir::OpBuilder builder(&context_);
  mlir::Type type = builder.getF32Type();
  for (int i = 0; i < 60; ++i) type = mlir::TupleType::get(&context_, {type, type});
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  auto function =
      mlir::func::FuncOp::create(builder, builder.getUnknownLoc(), "main", builder.getFunctionType({type}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  mlir::func::ReturnOp::create(builder, builder.getUnknownLoc());
  const auto bytes = WritePortableArtifact(*module);
  ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
  EXPECT_THAT(Read(*bytes), HasSubstr("too large when written out"));
}

// Any prefix is an error, and so is any byte changed, or the module is another one.
TEST_F(PortableArtifactTest, DamagedArtifactsAreErrors) {
  const std::string bytes = *Write(kSmall);
  ASSERT_THAT(Read(bytes), HasSubstr("stablehlo.add"));
  for (size_t length = 0; length < bytes.size(); ++length) {
    const auto module = ReadPortableArtifact(bytes.substr(0, length), "test.mlirbc", context_);
    // Without its last section, the properties.
    ASSERT_FALSE(module.ok()) << length;
    EXPECT_THAT(module.status().ToString(), HasSubstr("test.mlirbc")) << length;
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const int flip : {1, 2, 0x10, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const auto hlo = ConvertPortableArtifactToHlo(changed, "test.mlirbc");
      if (!hlo.ok()) EXPECT_NE(hlo.status().ToString(), "");
    }
  }
}

}  // namespace
}  // namespace xla::vhlo
