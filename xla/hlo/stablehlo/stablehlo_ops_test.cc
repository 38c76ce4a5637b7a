// Every operation of the tables, in its short form where it has one: parsed, converted, and what it becomes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/stablehlo_import.h"

namespace xla::stablehlo {
namespace {

using testing::HasSubstr;

struct Example {
  std::string op;         // with its dialect
  std::string arguments;  // of the function
  std::string body;       // the operation without its result: "stablehlo.abs %a : tensor<4xf32>"
  std::string results;    // types
  std::string expected;   // a piece of the HLO text, or of the error
};

std::string Unary(const std::string& name) { return "stablehlo." + name + " %a : tensor<4xf32>"; }

// a: tensor<4xf32> to one result of the same type.
std::vector<Example> UnaryExamples() {
  std::vector<Example> all;
  const std::vector<std::pair<std::string, std::string>> ops = {{"abs", "abs"},
                                                                {"cbrt", "cbrt"},
                                                                {"ceil", "ceil"},
                                                                {"cosine", "cosine"},
                                                                {"exponential", "exponential"},
                                                                {"exponential_minus_one", "exponential-minus-one"},
                                                                {"floor", "floor"},
                                                                {"log", "log"},
                                                                {"log_plus_one", "log-plus-one"},
                                                                {"logistic", "logistic"},
                                                                {"negate", "negate"},
                                                                {"round_nearest_afz", "round-nearest-afz"},
                                                                {"round_nearest_even", "round-nearest-even"},
                                                                {"rsqrt", "rsqrt"},
                                                                {"sign", "sign"},
                                                                {"sine", "sine"},
                                                                {"sqrt", "sqrt"},
                                                                {"tan", "tan"},
                                                                {"tanh", "tanh"}};
  for (const auto& [name, opcode] : ops)
    all.push_back(
        {"stablehlo." + name, "%a: tensor<4xf32>", Unary(name), "tensor<4xf32>", " = f32[4]{0} " + opcode + "(Arg_0)"});
  for (const char* name : {"count_leading_zeros", "not", "popcnt"}) {
    std::string opcode = name;
    std::replace(opcode.begin(), opcode.end(), '_', '-');
    all.push_back({std::string("stablehlo.") + name, "%a: tensor<4xi32>",
                   std::string("stablehlo.") + name + " %a : tensor<4xi32>", "tensor<4xi32>",
                   " = s32[4]{0} " + opcode + "(Arg_0)"});
  }
  return all;
}

std::vector<Example> BinaryExamples() {
  std::vector<Example> all;
  for (const char* name :
       {"add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"})
    all.push_back({std::string("stablehlo.") + name, "%a: tensor<4xf32>, %b: tensor<4xf32>",
                   std::string("stablehlo.") + name + " %a, %b : tensor<4xf32>", "tensor<4xf32>",
                   std::string(" = f32[4]{0} ") + name + "(Arg_0, Arg_1)"});
  for (const char* name : {"and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical"}) {
    std::string opcode = name;
    std::replace(opcode.begin(), opcode.end(), '_', '-');
    all.push_back({std::string("stablehlo.") + name, "%a: tensor<4xui8>, %b: tensor<4xui8>",
                   std::string("stablehlo.") + name + " %a, %b : tensor<4xui8>", "tensor<4xui8>",
                   " = u8[4]{0} " + opcode + "(Arg_0, Arg_1)"});
  }
  return all;
}

std::vector<Example> ChloExamples() {
  std::vector<Example> all;
  const std::string t = "tensor<4xf32>";
  for (const char* name : {"acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh", "tan"})
    all.push_back({std::string("chlo.") + name, "%a: " + t, std::string("chlo.") + name + " %a : " + t + " -> " + t, t,
                   std::string(" = f32[4]{0} ") + name + "(Arg_0)"});
  const std::vector<std::pair<std::string, std::string>> expanded = {
      {"atan", "atan2("},           {"bessel_i1e", "sqrt("}, {"conj", "parameter("}, {"digamma", "cosine("},
      {"erf_inv", "log-plus-one("}, {"erfc", "erf("},        {"lgamma", "log("},     {"square", "multiply("}};
  for (const auto& [name, expected] : expanded)
    all.push_back({"chlo." + name, "%a: " + t, "chlo." + name + " %a : " + t + " -> " + t, t, expected});
  for (const char* name : {"is_inf", "is_neg_inf", "is_pos_inf"})
    all.push_back({std::string("chlo.") + name, "%a: " + t,
                   std::string("chlo.") + name + " %a : " + t + " -> tensor<4xi1>", "tensor<4xi1>", "direction=EQ"});
  for (const char* name : {"next_after", "polygamma", "zeta"})
    all.push_back({std::string("chlo.") + name, "%a: " + t + ", %b: " + t,
                   std::string("chlo.") + name + " %a, %b : " + t + ", " + t + " -> " + t, t, "select("});
  for (const char* name :
       {"add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"})
    all.push_back(
        {std::string("chlo.broadcast_") + name, "%a: tensor<3x4xf32>, %b: tensor<4xf32>",
         std::string("chlo.broadcast_") + name + " %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>",
         "tensor<3x4xf32>", "broadcast(Arg_1), dimensions={1}"});
  for (const char* name : {"and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical"})
    all.push_back(
        {std::string("chlo.broadcast_") + name, "%a: tensor<3x1xi32>, %b: tensor<3x4xi32>",
         std::string("chlo.broadcast_") + name + " %a, %b : tensor<3x1xi32>, tensor<3x4xi32> -> tensor<3x4xi32>",
         "tensor<3x4xi32>", "dimensions={0}"});
  for (const char* name : {"next_after", "polygamma", "zeta"})
    all.push_back({std::string("chlo.broadcast_") + name, "%a: tensor<f32>, %b: " + t,
                   std::string("chlo.broadcast_") + name + " %a, %b : tensor<f32>, " + t + " -> " + t, t, "select("});
  all.push_back({"chlo.mulhi", "%a: tensor<4xi32>, %b: tensor<4xi32>",
                 "chlo.mulhi %a, %b : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>", "tensor<4xi32>",
                 "s64[4]{0} multiply("});
  all.push_back({"chlo.broadcast_compare", "%a: tensor<3xf32>, %b: tensor<f32>",
                 "chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction NE>} : "
                 "(tensor<3xf32>, tensor<f32>) -> tensor<3xi1>",
                 "tensor<3xi1>", "direction=NE"});
  all.push_back({"chlo.broadcast_complex", "%a: tensor<3xf32>, %b: tensor<f32>",
                 "chlo.broadcast_complex %a, %b : (tensor<3xf32>, tensor<f32>) -> tensor<3xcomplex<f32>>",
                 "tensor<3xcomplex<f32>>", "c64[3]{0} complex(Arg_0, broadcast)"});
  all.push_back({"chlo.broadcast_select", "%a: tensor<i1>, %b: tensor<3xf32>, %c: tensor<f32>",
                 "chlo.broadcast_select %a, %b, %c : (tensor<i1>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>",
                 "tensor<3xf32>", "select(broadcast, Arg_1, broadcast.1)"});
  all.push_back(
      {"chlo.constant", "", "chlo.constant dense<[1, 2]> : tensor<2xi32>", "tensor<2xi32>", "constant({1, 2})"});
  all.push_back({"chlo.constant_like", "%a: " + t,
                 "\"chlo.constant_like\"(%a) {value = 3.5 : f32} : (" + t + ") -> " + t, t, "constant(3.5)"});
  all.push_back({"chlo.top_k", "%a: tensor<2x8xf32>",
                 "chlo.top_k(%a, k = 3) : tensor<2x8xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)",
                 "tensor<2x3xf32>, tensor<2x3xi32>", "topk(Arg_0), k=3, largest=true, is_stable=true"});
  all.push_back(
      {"chlo.ragged_dot", "%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %c: tensor<3xi64>",
       "\"chlo.ragged_dot\"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], "
       "rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], "
       "lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, "
       "#chlo<precision DEFAULT>]} : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>",
       "tensor<11x7xf32>",
       "ragged-dot(Arg_0, Arg_1, Arg_2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
       "lhs_ragged_dims={0}, rhs_group_dims={0}"});
  return all;
}

// Lines of examples that are one of a kind.
std::vector<Example> SingleExamples() {
  const std::string add = R"(({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }))";
  const std::string groups =
      "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
      "channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>";
  return {
      {"stablehlo.constant", "", "stablehlo.constant dense<[[1.0, 2.5]]> : tensor<1x2xf32>", "tensor<1x2xf32>",
       "constant({ {1, 2.5} })"},
      {"stablehlo.iota", "", "stablehlo.iota dim = 1 : tensor<2x3xi32>", "tensor<2x3xi32>", "iota(), iota_dimension=1"},
      {"stablehlo.partition_id", "", "stablehlo.partition_id : tensor<ui32>", "tensor<ui32>", "u32[] partition-id()"},
      {"stablehlo.replica_id", "", "stablehlo.replica_id : tensor<ui32>", "tensor<ui32>", "u32[] replica-id()"},
      {"stablehlo.create_token", "", "stablehlo.create_token : !stablehlo.token", "!stablehlo.token",
       "token[] after-all()"},
      {"stablehlo.after_all", "%a: !stablehlo.token", "stablehlo.after_all %a, %a : !stablehlo.token",
       "!stablehlo.token", "after-all(Arg_0, Arg_0)"},
      {"stablehlo.convert", "%a: tensor<2xf32>", "stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>",
       "tensor<2xbf16>", "bf16[2]{0} convert(Arg_0)"},
      {"stablehlo.is_finite", "%a: tensor<2xf32>", "stablehlo.is_finite %a : (tensor<2xf32>) -> tensor<2xi1>",
       "tensor<2xi1>", "pred[2]{0} is-finite(Arg_0)"},
      {"stablehlo.real", "%a: tensor<2xcomplex<f64>>", "stablehlo.real %a : (tensor<2xcomplex<f64>>) -> tensor<2xf64>",
       "tensor<2xf64>", "f64[2]{0} real(Arg_0)"},
      {"stablehlo.imag", "%a: tensor<2xf32>", "stablehlo.imag %a : tensor<2xf32>", "tensor<2xf32>", "constant(0)"},
      {"stablehlo.reduce_precision", "%a: tensor<2xf32>",
       "stablehlo.reduce_precision %a, format = e5m10 : tensor<2xf32>", "tensor<2xf32>",
       "exponent_bits=5, mantissa_bits=10"},
      {"stablehlo.bitcast_convert", "%a: tensor<2xf32>",
       "stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi32>", "tensor<2xi32>",
       "s32[2]{0} bitcast-convert(Arg_0)"},
      {"stablehlo.uniform_quantize", "%a: tensor<2xf32>",
       "stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>", "tensor<2xf32>",
       "HLO has no quantized types"},
      {"stablehlo.uniform_dequantize", "%a: tensor<2xf32>",
       "stablehlo.uniform_dequantize %a : (tensor<2xf32>) -> tensor<2xf32>", "tensor<2xf32>",
       "HLO has no quantized types"},
      {"stablehlo.compare", "%a: tensor<2xf32>, %b: tensor<2xf32>",
       "stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>", "tensor<2xi1>",
       "direction=LT, type=TOTALORDER"},
      {"stablehlo.complex", "%a: tensor<2xf32>, %b: tensor<2xf32>", "stablehlo.complex %a, %b : tensor<2xcomplex<f32>>",
       "tensor<2xcomplex<f32>>", "c64[2]{0} complex(Arg_0, Arg_1)"},
      {"stablehlo.clamp", "%a: tensor<f32>, %b: tensor<2xf32>",
       "stablehlo.clamp %a, %b, %a : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>", "tensor<2xf32>",
       "clamp("},
      {"stablehlo.select", "%a: tensor<2xi1>, %b: tensor<2xf32>",
       "stablehlo.select %a, %b, %b : tensor<2xi1>, tensor<2xf32>", "tensor<2xf32>", "select(Arg_0, Arg_1, Arg_1)"},
      {"stablehlo.broadcast", "%a: tensor<3xf32>",
       "stablehlo.broadcast %a, sizes = [1, 2] : (tensor<3xf32>) -> tensor<1x2x3xf32>", "tensor<1x2x3xf32>",
       "broadcast(Arg_0), dimensions={2}"},
      {"stablehlo.broadcast_in_dim", "%a: tensor<1x3xf32>",
       "stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<1x3xf32>) -> tensor<3x2x4xf32>", "tensor<3x2x4xf32>",
       "dimensions={0}"},
      {"stablehlo.concatenate", "%a: tensor<1xf32>, %b: tensor<2xf32>",
       "stablehlo.concatenate %a, %b, dim = 0 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>", "tensor<3xf32>",
       "concatenate(Arg_0, Arg_1), dimensions={0}"},
      {"stablehlo.dynamic_slice", "%a: tensor<3x4xi32>, %b: tensor<i64>",
       "stablehlo.dynamic_slice %a, %b, %b, sizes = [1, 4] : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> "
       "tensor<1x4xi32>",
       "tensor<1x4xi32>", "dynamic_slice_sizes={1,4}"},
      {"stablehlo.dynamic_update_slice", "%a: tensor<4xi32>, %b: tensor<2xi32>, %c: tensor<i32>",
       "stablehlo.dynamic_update_slice %a, %b, %c : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>",
       "tensor<4xi32>", "dynamic-update-slice(Arg_0, Arg_1, Arg_2)"},
      {"stablehlo.pad", "%a: tensor<2xf32>, %b: tensor<f32>",
       "stablehlo.pad %a, %b, low = [1], high = [-1], interior = [2] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>",
       "tensor<4xf32>", "padding=1_-1_2"},
      {"stablehlo.reshape", "%a: tensor<2x3xf32>", "stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>",
       "tensor<6xf32>", "f32[6]{0} reshape(Arg_0)"},
      {"stablehlo.reverse", "%a: tensor<2x3xf32>", "stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xf32>",
       "tensor<2x3xf32>", "reverse(Arg_0), dimensions={0,1}"},
      {"stablehlo.slice", "%a: tensor<3x8xf32>",
       "stablehlo.slice %a [1:3, 4:8:2] : (tensor<3x8xf32>) -> tensor<2x2xf32>", "tensor<2x2xf32>",
       "slice={[1:3], [4:8:2]}"},
      {"stablehlo.transpose", "%a: tensor<2x3xf32>",
       "stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>", "tensor<3x2xf32>",
       "transpose(Arg_0), dimensions={1,0}"},
      {"stablehlo.dot", "%a: tensor<2x3xf32>, %b: tensor<3xf32>",
       "stablehlo.dot %a, %b, precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>",
       "tensor<2xf32>", "lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={high,default}"},
      {"stablehlo.dot_general", "%a: tensor<2x4x3xbf16>, %b: tensor<2x3x5xbf16>",
       "stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = "
       "<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, "
       "rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : "
       "(tensor<2x4x3xbf16>, tensor<2x3x5xbf16>) -> tensor<2x4x5xf32>",
       "tensor<2x4x5xf32>", "algorithm=dot_bf16_bf16_f32_x3"},
      {"stablehlo.einsum", "%a: tensor<2x3x4xf32>, %b: tensor<4x2xf32>",
       "stablehlo.einsum %a, %b, config = \"bij,jb->ib\" : (tensor<2x3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>",
       "tensor<3x2xf32>", "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={1}, rhs_contracting_dims={0}"},
      {"stablehlo.unary_einsum", "%a: tensor<2x3x4xf32>",
       "stablehlo.unary_einsum %a, config = \"abc->ca\" : (tensor<2x3x4xf32>) -> tensor<4x2xf32>", "tensor<4x2xf32>",
       "transpose(reduce), dimensions={1,0}"},
      {"stablehlo.convolution", "%a: tensor<1x4x4x2xf32>, %b: tensor<3x3x2x5xf32>",
       "stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, "
       "1], pad = [[1, 1], [0, 2]], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, "
       "feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x2x4x5xf32>",
       "tensor<1x2x4x5xf32>", "window={size=3x3 stride=2x1 pad=1_1x0_2 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f"},
      {"stablehlo.reduce", "%a: tensor<2x3xf32>, %b: tensor<f32>",
       "stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) "
       "-> tensor<2xf32>",
       "tensor<2xf32>", "reduce(Arg_0, Arg_1), dimensions={1}, to_apply=reduce_reducer"},
      {"stablehlo.reduce_window", "%a: tensor<4xf32>, %b: tensor<f32>",
       "\"stablehlo.reduce_window\"(%a, %b) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, "
       "padding = dense<[[1, 1]]> : tensor<1x2xi64>}> " +
           add + " : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>",
       "tensor<3xf32>", "window={size=2 stride=2 pad=1_1}"},
      {"stablehlo.select_and_scatter", "%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>",
       R"("stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %g = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %g : tensor<i1>
    }, )" + add.substr(1) +
           " : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>",
       "tensor<4xf32>", "select=select_and_scatter_select, scatter=select_and_scatter_scatter"},
      {"stablehlo.gather", "%a: tensor<5x3xf32>, %b: tensor<2x1xi32>",
       "\"stablehlo.gather\"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = "
       "[0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = true}> "
       ": (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>",
       "tensor<2x3xf32>",
       "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}, "
       "indices_are_sorted=true"},
      {"stablehlo.scatter", "%a: tensor<5xf32>, %b: tensor<2x1xi32>, %c: tensor<2xf32>",
       "\"stablehlo.scatter\"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
       "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices}> " +
           add + " : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<5xf32>",
       "tensor<5xf32>", "unique_indices=true, to_apply=scatter_combiner"},
      {"stablehlo.sort", "%a: tensor<5xf32>", R"("stablehlo.sort"(%a) <{is_stable = true}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %g = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %g : tensor<i1>
    }) : (tensor<5xf32>) -> tensor<5xf32>)",
       "tensor<5xf32>", "sort(Arg_0), dimensions={0}, is_stable=true"},
      {"stablehlo.torch_index_select", "%a: tensor<5x3xf32>, %b: tensor<2xi32>",
       "\"stablehlo.torch_index_select\"(%a, %b) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x3xf32>, "
       "tensor<2xi32>) -> tensor<2x3xf32>",
       "tensor<2x3xf32>", "gather(Arg_0, Arg_1), offset_dims={1}"},
      {"stablehlo.batch_norm_training", "%a: tensor<4x2xf32>, %b: tensor<2xf32>",
       "\"stablehlo.batch_norm_training\"(%a, %b, %b) {epsilon = 0.5 : f32, feature_index = 1 : i64} : "
       "(tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)",
       "tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>",
       "batch-norm-training(Arg_0, Arg_1, Arg_1), epsilon=0.5, feature_index=1"},
      {"stablehlo.batch_norm_inference", "%a: tensor<4x2xf32>, %b: tensor<2xf32>",
       "\"stablehlo.batch_norm_inference\"(%a, %b, %b, %b, %b) {epsilon = 0.5 : f32, feature_index = 1 : i64} : "
       "(tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>",
       "tensor<4x2xf32>", "batch-norm-inference("},
      {"stablehlo.batch_norm_grad", "%a: tensor<4x2xf32>, %b: tensor<2xf32>",
       "\"stablehlo.batch_norm_grad\"(%a, %b, %b, %b, %a) {epsilon = 0.5 : f32, feature_index = 1 : i64} : "
       "(tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>, "
       "tensor<2xf32>, tensor<2xf32>)",
       "tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>", "batch-norm-grad("},
      {"stablehlo.cholesky", "%a: tensor<2x2xf32>", "stablehlo.cholesky %a, lower = true : tensor<2x2xf32>",
       "tensor<2x2xf32>", "cholesky(Arg_0), lower=true"},
      {"stablehlo.fft", "%a: tensor<16xcomplex<f32>>",
       "stablehlo.fft %a, type = IFFT, length = [16] : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>",
       "tensor<16xcomplex<f32>>", "fft_type=IFFT, fft_length={16}"},
      {"stablehlo.rng", "%a: tensor<f32>, %b: tensor<1xi64>",
       "stablehlo.rng %a, %a, %b, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>",
       "tensor<4xf32>", "f32[4]{0} rng(Arg_0, Arg_0), distribution=rng_normal"},
      {"stablehlo.rng_bit_generator", "%a: tensor<2xui64>",
       "stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)",
       "tensor<2xui64>, tensor<4xui32>", "algorithm=rng_three_fry"},
      {"stablehlo.triangular_solve", "%a: tensor<2x2xf32>, %b: tensor<2x1xf32>",
       "\"stablehlo.triangular_solve\"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = "
       "#stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>",
       "tensor<2x1xf32>", "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"},
      {"stablehlo.case", "%a: tensor<i32>, %b: tensor<2xf32>", R"("stablehlo.case"(%a) ({
      stablehlo.return %b : tensor<2xf32>
    }, {
      %n = stablehlo.negate %b : tensor<2xf32>
      stablehlo.return %n : tensor<2xf32>
    }) : (tensor<i32>) -> tensor<2xf32>)",
       "tensor<2xf32>", "conditional(Arg_0, Arg_1, Arg_1), branch_computations={case_branch, case_branch.1}"},
      {"stablehlo.if", "%a: tensor<i1>, %b: tensor<2xf32>", R"("stablehlo.if"(%a) ({
      stablehlo.return %b : tensor<2xf32>
    }, {
      %n = stablehlo.negate %b : tensor<2xf32>
      stablehlo.return %n : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>)",
       "tensor<2xf32>", "true_computation=if_branch, false_computation=if_branch.1"},
      {"stablehlo.while", "%a: tensor<i32>, %b: tensor<i32>",
       R"(stablehlo.while(%x = %a) : tensor<i32> attributes {mhlo.note = "kept"}
    cond {
      %g = stablehlo.compare LT, %x, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %g : tensor<i1>
    } do {
      %s = stablehlo.add %x, %x : tensor<i32>
      stablehlo.return %s : tensor<i32>
    })",
       "tensor<i32>", "while(tuple), condition=while_condition, body=while_body"},
      {"stablehlo.map", "%a: tensor<2xf32>",
       "\"stablehlo.map\"(%a, %a) <{dimensions = array<i64: 0>}> " + add +
           " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
       "tensor<2xf32>", "map(Arg_0, Arg_0), dimensions={0}, to_apply=map_function"},
      {"stablehlo.tuple", "%a: tensor<2xf32>, %b: tensor<i32>",
       "stablehlo.tuple %a, %b : tuple<tensor<2xf32>, tensor<i32>>", "tuple<tensor<2xf32>, tensor<i32>>",
       "tuple(Arg_0, Arg_1)"},
      {"stablehlo.get_tuple_element", "%a: tuple<tensor<2xf32>, tensor<i32>>",
       "stablehlo.get_tuple_element %a[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>", "tensor<i32>",
       "get-tuple-element(Arg_0), index=1"},
      {"stablehlo.optimization_barrier", "%a: tensor<2xf32>",
       "stablehlo.optimization_barrier %a, %a : tensor<2xf32>, tensor<2xf32>", "tensor<2xf32>, tensor<2xf32>",
       "opt-barrier(tuple)"},
      {"stablehlo.composite", "%a: tensor<2xf32>",
       "stablehlo.composite \"my.op\" %a {decomposition = @helper, composite_attributes = {n = 1 : i32}} : "
       "(tensor<2xf32>) -> tensor<2xf32>",
       "tensor<2xf32>", "call(Arg_0), to_apply=helper"},
      {"stablehlo.custom_call", "%a: tensor<2x3xf32>",
       "stablehlo.custom_call @\"my call\"(%a) {has_side_effect = true, backend_config = \"x\\22y\", api_version = 2 : "
       "i32, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], "
       "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
       "operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
       "tensor<2x3xf32>",
       "custom_call_target=\"my call\", operand_layout_constraints={f32[2,3]{0,1}}, custom_call_has_side_effect=true, "
       "output_to_operand_aliasing={{}: (0, {})}, api_version=API_VERSION_STATUS_RETURNING, backend_config=\"x\\\"y\""},
      {"stablehlo.dynamic_broadcast_in_dim", "%a: tensor<3xf32>, %b: tensor<2xi32>",
       "stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>",
       "tensor<2x3xf32>", "broadcast(Arg_0), dimensions={1}"},
      {"stablehlo.dynamic_iota", "%b: tensor<1xi32>",
       "stablehlo.dynamic_iota %b, dim = 0 : (tensor<1xi32>) -> tensor<4xi32>", "tensor<4xi32>",
       "iota(), iota_dimension=0"},
      {"stablehlo.dynamic_reshape", "%a: tensor<6xf32>, %b: tensor<2xi32>",
       "stablehlo.dynamic_reshape %a, %b : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>", "tensor<2x3xf32>",
       "f32[2,3]{1,0} reshape(Arg_0)"},
      {"stablehlo.get_dimension_size", "%a: tensor<4x2xf32>",
       "stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x2xf32>) -> tensor<i32>", "tensor<i32>",
       "get-dimension-size(Arg_0), dimensions={1}"},
      {"stablehlo.all_gather", "%a: tensor<2xf32>",
       "\"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64, " + groups +
           ", use_global_device_ids} : (tensor<2xf32>) -> tensor<4xf32>",
       "tensor<4xf32>", "channel_id=3, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true"},
      {"stablehlo.all_reduce", "%a: tensor<2xf32>",
       "\"stablehlo.all_reduce\"(%a) <{" + groups + "}> " + add + " : (tensor<2xf32>) -> tensor<2xf32>",
       "tensor<2xf32>", "channel_id=3, replica_groups={{0,1}}, to_apply=all_reduce_reducer"},
      {"stablehlo.all_to_all", "%a: tensor<2x4xf32>",
       "\"stablehlo.all_to_all\"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, " +
           groups + "} : (tensor<2x4xf32>) -> tensor<4x2xf32>",
       "tensor<4x2xf32>", "all-to-all(transpose), channel_id=3, replica_groups={{0,1}}, dimensions={0}"},
      {"stablehlo.collective_broadcast", "%a: tensor<2xf32>",
       "\"stablehlo.collective_broadcast\"(%a) {" + groups + "} : (tensor<2xf32>) -> tensor<2xf32>", "tensor<2xf32>",
       "collective-broadcast(Arg_0), channel_id=3, replica_groups={{0,1}}"},
      {"stablehlo.collective_permute", "%a: tensor<2xf32>",
       "\"stablehlo.collective_permute\"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : "
       "(tensor<2xf32>) -> tensor<2xf32>",
       "tensor<2xf32>", "source_target_pairs={{0,1},{1,0}}"},
      {"stablehlo.cross-replica-sum", "%a: tensor<2xf32>",
       "\"stablehlo.cross-replica-sum\"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> "
       "tensor<2xf32>",
       "tensor<2xf32>", "all-reduce(Arg_0), replica_groups={{0,1}}"},
      {"stablehlo.reduce_scatter", "%a: tensor<4xf32>",
       "\"stablehlo.reduce_scatter\"(%a) <{scatter_dimension = 0 : i64, " + groups + "}> " + add +
           " : (tensor<4xf32>) -> tensor<2xf32>",
       "tensor<2xf32>", "dimensions={0}, to_apply=reduce_scatter_reducer"},
      {"stablehlo.infeed", "%a: !stablehlo.token",
       "\"stablehlo.infeed\"(%a) {infeed_config = \"\"} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)",
       "tensor<2xf32>, !stablehlo.token", "(f32[2]{0}, token[]) infeed(Arg_0)"},
      {"stablehlo.outfeed", "%a: tensor<2xf32>, %b: !stablehlo.token",
       "\"stablehlo.outfeed\"(%a, %b) {outfeed_config = \"\"} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token",
       "!stablehlo.token", "token[] outfeed(Arg_0, Arg_1), outfeed_shape=f32[2]{0}"},
      {"stablehlo.send", "%a: tensor<2xf32>, %b: !stablehlo.token",
       "\"stablehlo.send\"(%a, %b) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer "
       "= true} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token",
       "!stablehlo.token", "send(Arg_0, Arg_1), channel_id=1, is_host_transfer=true"},
      {"stablehlo.recv", "%b: !stablehlo.token",
       "\"stablehlo.recv\"(%b) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>} : (!stablehlo.token) "
       "-> (tensor<2xf32>, !stablehlo.token)",
       "tensor<2xf32>, !stablehlo.token", "recv(Arg_0), channel_id=1"},
      {"sdy.sharding_constraint", "%a: tensor<2x4xf32>",
       "sdy.sharding_constraint %a <@mesh, [{\"x\", ?}p1, {\"y\":(1)2}], replicated={\"z\"}> : tensor<2x4xf32>",
       "tensor<2x4xf32>", "ROOT Arg_0 ="},
      {"sdy.reshard", "%a: tensor<2xf32>", "sdy.reshard %a <mesh<[\"x\"=2]>, [{}]> : tensor<2xf32>", "tensor<2xf32>",
       "ROOT Arg_0 ="},
      {"sdy.manual_computation", "%a: tensor<2xf32>",
       R"(sdy.manual_computation(%a) in_shardings=[<@mesh, [{"one"}]>] out_shardings=[<@mesh, [{"one"}]>] manual_axes={"one"} (%x: tensor<2xf32>) {
      %n = stablehlo.negate %x : tensor<2xf32>
      sdy.return %n : tensor<2xf32>
    } : (tensor<2xf32>) -> tensor<2xf32>)",
       "tensor<2xf32>", "ROOT negate"},
  };
}

// Several operations, where the one in question needs constants, or has no result.
struct Program {
  std::string op;
  std::string function;
  std::string expected;
};
std::vector<Program> Programs() {
  return {
      {"stablehlo.dynamic_conv", R"(func.func @main(%a: tensor<1x4x2xf32>, %b: tensor<3x2x5xf32>) -> tensor<1x4x5xf32> {
  %p = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi64>
  %r = stablehlo.dynamic_conv(%a, %b, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>, tensor<1x2xi64>) -> tensor<1x4x5xf32>
  return %r : tensor<1x4x5xf32>
})",
       "window={size=3 pad=1_1}"},
      {"stablehlo.dynamic_gather", R"(func.func @main(%a: tensor<5x3xf32>, %b: tensor<2x1xi32>) -> tensor<2x3xf32> {
  %s = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %r = "stablehlo.dynamic_gather"(%a, %b, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
})",
       "slice_sizes={1,3}"},
      {"stablehlo.dynamic_pad", R"(func.func @main(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<5xf32> {
  %l = stablehlo.constant dense<1> : tensor<1xi64>
  %r = stablehlo.dynamic_pad %a, %b, %l, %l, %l : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5xf32>
  return %r : tensor<5xf32>
})",
       "padding=1_1_1"},
      {"stablehlo.real_dynamic_slice", R"(func.func @main(%a: tensor<8xf32>) -> tensor<3xf32> {
  %l = stablehlo.constant dense<1> : tensor<1xi64>
  %h = stablehlo.constant dense<7> : tensor<1xi64>
  %s = stablehlo.constant dense<2> : tensor<1xi64>
  %r = stablehlo.real_dynamic_slice %a, %l, %h, %s : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
})",
       "slice={[1:7:2]}"},
      {"stablehlo.set_dimension_size", R"(func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %l = stablehlo.constant dense<8> : tensor<i32>
  %r = stablehlo.set_dimension_size %a, %l, dim = 0 : (tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
})",
       "ROOT Arg_0 ="},
      {"stablehlo.trace", R"(func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  stablehlo.trace %a, "seen" : tensor<8xf32>
  return %a : tensor<8xf32>
})",
       "ROOT Arg_0 ="},
      {"stablehlo.return", R"(func.func @main(%a: tensor<f32>) -> tensor<f32> {
  stablehlo.return %a : tensor<f32>
})",
       "ROOT Arg_0 ="},
      {"sdy.sharding_group", R"(func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=7 : tensor<8xf32>
  return %a : tensor<8xf32>
})",
       "ROOT Arg_0 ="},
      {"sdy.return", R"(func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={} (%x: tensor<8xf32>) {
    sdy.return %x : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
})",
       "ROOT Arg_0 ="},
      {"sdy.mesh", R"(sdy.mesh @other = <["x"=2, "y"=4], device_ids=[0, 1, 2, 3, 4, 5, 6, 7]> {mhlo.note}
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
})",
       R"(frontend_attributes={xla.sdy.sharding="#sdy.sharding<@other, [{\"x\"}]>"})"},
  };
}

constexpr const char* kHelpers = R"(
sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "one"=1]>
func.func private @helper(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.negate %a : tensor<2xf32>
  return %r : tensor<2xf32>
}
)";

std::vector<Program> AllPrograms() {
  std::vector<Program> all = Programs();
  for (const auto& examples : {UnaryExamples(), BinaryExamples(), ChloExamples(), SingleExamples()}) {
    for (const Example& example : examples) {
      const size_t count = 1 + std::count(example.results.begin(), example.results.end(), ',') -
                           (example.results.starts_with("tuple") ? 1 : 0);
      const std::string value = count == 1 ? "%r" : "%r:" + std::to_string(count);
      std::string returned = "%r";
      for (size_t i = 0; i < count && count > 1; ++i)
        returned = (i == 0 ? "" : returned + ", ") + "%r#" + std::to_string(i);
      all.push_back({example.op,
                     "func.func @main(" + example.arguments + ") -> (" + example.results + ") {\n  " + value + " = " +
                         example.body + "\n  return " + returned + " : " + example.results + "\n}",
                     example.expected});
    }
  }
  return all;
}

TEST(StablehloOps, EveryOperationHasAnExample) {
  std::set<std::string> shown;
  for (const Program& program : AllPrograms()) shown.insert(program.op);
  for (const OpInfo& info : AllOps()) {
    const std::string name = std::string(info.dialect) + "." + std::string(info.name);
    EXPECT_TRUE(shown.contains(name)) << name;
  }
}

TEST(StablehloOps, BecomeWhatTheyShould) {
  for (const Program& program : AllPrograms()) {
    const std::string text =
        "module attributes {mhlo.num_replicas = 2 : i32} {" + std::string(kHelpers) + program.function + "\n}";
    ASSERT_THAT(text, HasSubstr(program.op));
    const auto module = ConvertStablehloTextToHlo(text, "test.mlir");
    const std::string result = module.ok() ? (*module)->ToString() : module.status().ToString();
    EXPECT_THAT(result, HasSubstr(program.expected)) << text;
  }
}

// What is printed is parsed back, and printed the same.
TEST(StablehloOps, PrintedFormsParse) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  LoadDialects(context);
  const auto print = [](mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    return text;
  };
  for (const Program& program : AllPrograms()) {
    if (program.function.find("!quant") != std::string::npos) continue;
    const std::string text = std::string(kHelpers) + program.function;
    const auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context));
    ASSERT_TRUE(module) << text;
    const std::string printed = print(*module);
    const auto again = mlir::parseSourceString<mlir::ModuleOp>(printed, mlir::ParserConfig(&context));
    ASSERT_TRUE(again) << printed;
    EXPECT_EQ(print(*again), printed);
    // The generic form says the same.
    std::string generic;
    llvm::raw_string_ostream stream(generic);
    mlir::ModuleOp(*module).print(stream, mlir::OpPrintingFlags().printGenericOpForm());
    const auto from_generic = mlir::parseSourceString<mlir::ModuleOp>(generic, mlir::ParserConfig(&context));
    ASSERT_TRUE(from_generic) << generic;
    EXPECT_EQ(print(*from_generic), printed);
  }
}

}  // namespace
}  // namespace xla::stablehlo
