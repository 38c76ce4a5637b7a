// The shape rules of windows, indexed places and whole algorithms: what follows each rule, and what breaks it with the
// exact words of the message.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error_ids.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

// `body` uses these parameters; its last line is the root.
Status Verify(const std::string& body) {
  const std::string text = R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
less { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=LT }
less2 {
  x = f32[] parameter(0)  y = f32[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)
  ROOT z = pred[] compare(x, y), direction=LT
}
both {
  x = f32[] parameter(0)  i = s32[] parameter(1)  y = f32[] parameter(2)  j = s32[] parameter(3)
  ROOT t = (f32[], s32[]) tuple(x, i)
}
ENTRY main {
  m = f32[4,3] parameter(0)
  k = s32[4,3] parameter(1)
  q = f32[5,4,3] parameter(2)
  f = f32[] parameter(3)
  i = s32[] parameter(4)
  i2 = s32[2] parameter(5)
  i42 = s32[4,2] parameter(6)
  u23 = f32[2,3] parameter(7)
  k23 = s32[2,3] parameter(8)
  image = f32[2,8,8,6] parameter(9)
  kernel = f32[3,3,6,4] parameter(10)
  e = f32[0,3] parameter(11)
  c = c64[5,4,4] parameter(12)
  b = c64[5,4,2] parameter(13)
  t = (f32[4,3], s32[]) parameter(14)
  big = s8[3000000000] parameter(15)
  )" + body + "\n}\n";
  return ParseAndReturnVerifiedModule(text, "t").status();
}

// Pieces of the texts below.
const std::string kRows = "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, ";
const std::string kPutRows =
    "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
    "to_apply=";
const std::string kLabels = ", dim_labels=b01f_01io->b01f";

TEST(ShapeRulesOfPlaces, Accepted) {
  for (const std::string& body : std::vector<std::string>{
           "r = f32[2,3] gather(m, i2), " + kRows + "slice_sizes={1,3}",
           "r = f32[0,3] gather(e, i2), offset_dims={0,1}, collapsed_slice_dims={}, start_index_map={0,1}, "
           "index_vector_dim=0, slice_sizes={0,3}",
           "r = f32[2] gather(e, i2), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0}, "
           "index_vector_dim=1, slice_sizes={0,1}",
           "r = f32[3] gather(m, i), offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, "
           "index_vector_dim=0, slice_sizes={1,3}",
           "r = f32[2,1,4,2] gather(m, i42), offset_dims={0,1}, collapsed_slice_dims={}, start_index_map={1}, "
           "index_vector_dim=2, slice_sizes={2,1}, indices_are_sorted=true",
           "r = f32[4,3] gather(q, i42), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0,2}, "
           "operand_batching_dims={1}, start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1,3}",
           "r = f32[4,3] scatter(m, i2, u23), " + kPutRows + "add",
           "r = (f32[4,3], s32[4,3]) scatter(m, k, i2, u23, k23), " + kPutRows + "both",
           "u = f32[4] parameter(16)\n  r = f32[5,4,3] scatter(q, i42, u), update_window_dims={}, "
           "inserted_window_dims={0,2}, scatter_dims_to_operand_dims={2,0}, input_batching_dims={1}, "
           "scatter_indices_batching_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=add",
           "r = f32[4,3] sort(m), dimensions={1}, to_apply=less",
           "r = (f32[4,3], s32[4,3]) sort(m, k), dimensions={0}, is_stable=true, to_apply=less2",
           "r = f32[0,3] sort(e), dimensions={0}, to_apply=less",
           "r = (f32[4,2], s32[4,2]) topk(m), k=2, largest=true",
           "r = (s32[4,0], s32[4,0]) topk(k), k=0, largest=false",
           "r = f32[2,6,6,4] convolution(image, kernel), window={size=3x3}" + kLabels,
           "r = f32[2,8,3,4] convolution(image, kernel), window={size=3x3 stride=1x3 pad=1_1x1_1}" + kLabels,
           "r = f32[2,6,6,4] convolution(image, kernel), window={size=3x3}, feature_group_count=1" + kLabels,
           "w = f32[3,3,2,9] parameter(16)\n  r = f32[2,6,6,9] convolution(image, w), window={size=3x3}, "
           "feature_group_count=3" +
               kLabels,
           "r = f32[1,6,6,4] convolution(image, kernel), window={size=3x3}, batch_group_count=2" + kLabels,
           "r = f32[4,4] convolution(m, m), dim_labels=bf_oi->bf",
           "w = f32[3,0,3,3] parameter(16)\n  x = f32[0,6,4,3] parameter(17)\n"
           "  r = f32[0,4,2,0] convolution(x, w), window={size=3x3}, dim_labels=b01f_0o1i->b01f",
           "r = f32[3,2] reduce-window(m, f), window={size=2x2}, to_apply=add",
           "r = (f32[2,3], s32[2,3]) reduce-window(m, k, f, i), window={size=3x1 rhs_dilate=1x2 lhs_dilate=1x1}, "
           "to_apply=both",
           "r = f32[] reduce-window(f, f), window={}, to_apply=add",
           "r = f32[4,3] select-and-scatter(m, u23, f), window={size=2x1 stride=2x1}, select=less, scatter=add",
           "r = c64[5,4,4] cholesky(c), lower=true",
           "r = c64[5,4,2] triangular-solve(c, b), left_side=true, transpose_a=NO_TRANSPOSE",
           "r = c64[5,4,4] triangular-solve(c, c), transpose_a=ADJOINT",
           "r = c64[5,4,4] fft(c), fft_type=FFT, fft_length={4}",
           "r = c64[5,4,4] fft(c), fft_type=IFFT, fft_length={5,4,4}",
           "r = f32[5,4,6] fft(c), fft_type=IRFFT, fft_length={4,6}",
           "r = f32[5,4,7] fft(c), fft_type=IRFFT, fft_length={7}",
           "r = c64[4,2] fft(m), fft_type=RFFT, fft_length={3}",
           "r = c64[5,4,2] fft(q), fft_type=RFFT, fft_length={4,3}",
           "x = f32[4,0] parameter(16)\n  r = c64[4,0] fft(x), fft_type=RFFT, fft_length={0}",
           "r = (f32[7], (s32[])) custom-call(m, t), custom_call_target=\"x\"",
           "r = u32[] partition-id()",
           "r = u32[] replica-id()",
           "r = s32[] get-dimension-size(m), dimensions={1}",
           "r = (f32[4,3], s32[]) opt-barrier(t)",
       }) {
    const Status status = Verify(body);
    EXPECT_TRUE(status.ok()) << body << "\n" << status.ToString();
  }
}

struct Broken {
  std::string body;
  std::string what, found, expected;
};

void ExpectBroken(const std::vector<Broken>& all) {
  for (const Broken& broken : all) {
    const Status status = Verify(broken.body);
    ASSERT_EQ(status.id(), ErrorId::kHloVerifier) << broken.body << "\n" << status.ToString();
    EXPECT_THAT(status.ToString(), HasSubstr(" HloVerifier: " + broken.what + "\n")) << broken.body;
    EXPECT_THAT(status.ToString(), HasSubstr("\n  found:    " + broken.found + "\n  expected: " + broken.expected))
        << broken.body;
  }
}

std::string Gather(const std::string& offset, const std::string& collapsed, const std::string& map,
                   const std::string& vector_dim, const std::string& sizes, const std::string& more = "") {
  return fmt::format(
      "r = f32[2,3] gather(m, i2), offset_dims={{{}}}, collapsed_slice_dims={{{}}}, start_index_map={{{}}}, "
      "index_vector_dim={}, slice_sizes={{{}}}{}",
      offset, collapsed, map, vector_dim, sizes, more);
}

TEST(ShapeRulesOfPlaces, GatherRefused) {
  const std::string pairs = "pairs of equal sizes that are neither indexed nor dropped";
  ExpectBroken({
      {Gather("1", "0", "0", "2", "1,3"), "index_vector_dim is no dimension of the indices", "2", "0 to 1"},
      {Gather("1", "0", "0", "-1", "1,3"), "index_vector_dim is no dimension of the indices", "-1", "0 to 1"},
      {Gather("1", "0", "2", "1", "1,3"), "the index map must name different dimensions of the array",
       "the index map={2}", "different numbers from 0 to 1"},
      {Gather("1", "1,0", "0", "1", "1,1"), "the dropped dimensions must ascend", "{1,0}", "ascending numbers"},
      {Gather("1", "0", "0,1", "1", "1,3"),
       "the index map must name one operand dimension per element of an index vector", "2 entries for vectors of 1",
       "1 entries"},
      {Gather("1", "0", "0", "1", "1"), "slice_sizes must have one entry per dimension of the operand",
       "1 entries for f32[4,3]", "2 entries"},
      {Gather("1", "0", "0", "1", "2,3"), "the slice does not fit dimension 0 of the operand",
       "slice_sizes={2,3} of f32[4,3]", "0 to 1"},
      {Gather("1", "0", "0", "1", "1,4"), "the slice does not fit dimension 1 of the operand",
       "slice_sizes={1,4} of f32[4,3]", "0 to 3"},
      {Gather("1", "0", "0", "1", "1,-1"), "the slice does not fit dimension 1 of the operand",
       "slice_sizes={1,-1} of f32[4,3]", "0 to 3"},
      {Gather("0,1", "0", "0", "1", "1,3"),
       "offset_dims must name one dimension of the result per dimension of a slice", "2 entries", "1 entries"},
      {Gather("2", "0", "0", "1", "1,3"), "offset_dims must name different dimensions of the array", "offset_dims={2}",
       "different numbers from 0 to 1"},
      {Gather("1", "0", "0", "1", "1,3", ", operand_batching_dims={1}"), "the batching dimensions do not fit together",
       "{1} of f32[4,3] and {} of s32[2]", pairs},
      {Gather("1", "0", "0", "1", "1,3", ", operand_batching_dims={1}, start_indices_batching_dims={0}"),
       "the batching dimensions do not fit together", "{1} of f32[4,3] and {0} of s32[2]", pairs},
      {Gather("1", "0", "0", "1", "1,3", ", operand_batching_dims={2}, start_indices_batching_dims={0}"),
       "the operand's batching dimensions must name different dimensions of the array",
       "the operand's batching dimensions={2}", "different numbers from 0 to 1"},
      {"r = f32[2,3] gather(m, u23), " + kRows + "slice_sizes={1,3}", "gather does not take this element type",
       "f32[2,3]", "integer elements"},
  });
}

TEST(ShapeRulesOfPlaces, ScatterRefused) {
  ExpectBroken({
      {"r = f32[4,3] scatter(m, u23), " + kPutRows + "add",
       "scatter takes operands, indices, and as many updates as operands", "2 operands", "an odd number, at least 3"},
      {"r = f32[4,3] scatter(m, u23, u23), " + kPutRows + "add", "the indices of scatter must be integers", "f32[2,3]",
       "an integer array"},
      {"r = f32[4,3] scatter(m, i2, k23), " + kPutRows + "add",
       "operand 0 of scatter and its updates do not fit the others", "f32[4,3] with updates s32[2,3]",
       "dimensions of f32[4,3] and equal element types"},
      {"r = (f32[4,3], f32[5,4,3]) scatter(m, q, i2, u23, u23), " + kPutRows + "add",
       "operand 1 of scatter and its updates do not fit the others", "f32[5,4,3] with updates f32[2,3]",
       "dimensions of f32[4,3] and equal element types"},
      {"r = f32[4,3] scatter(m, i2, q), " + kPutRows + "add",
       "the updates have another rank than indices and windows give", "f32[5,4,3], update_window_dims={1}",
       "rank 2 with 1 window dimensions"},
      {"r = f32[4,3] scatter(m, i2, m), " + kPutRows + "add", "dimension 0 of the updates does not fit", "4", "2"},
      {"u = f32[2,4] parameter(16)\n  r = f32[4,3] scatter(m, i2, u), " + kPutRows + "add",
       "dimension 1 of the updates does not fit", "4", "at most 3"},
      {"r = f32[4,3] scatter(m, i2, u23), " + kPutRows + "less", "to_apply 'less' gives the wrong shape", "pred[]",
       "f32[]"},
  });
}

TEST(ShapeRulesOfPlaces, SortAndTopKRefused) {
  const std::string topk = "an array with at least k elements in its last dimension";
  ExpectBroken({
      {"r = f32[4,3] sort(), dimensions={0}, to_apply=less", "sort needs operands", "none", "at least one"},
      {"r = f32[4,3] sort(m), dimensions={2}, to_apply=less", "dimensions must name different dimensions of the array",
       "dimensions={2}", "different numbers from 0 to 1"},
      {"r = f32[4,3] sort(m), dimensions={0,1}, to_apply=less", "sort works along one dimension", "2", "1"},
      {"r = (f32[4,3], s32[2,3]) sort(m, k23), dimensions={0}, to_apply=less2",
       "all operands of sort must have the same dimensions", "(f32[4,3], s32[2,3])", "the dimensions of f32[4,3]"},
      {"r = s32[4,3] sort(k), dimensions={0}, to_apply=less",
       "the parameters of to_apply 'less' do not fit what it is given", "parameters (f32[], f32[])",
       "parameters (s32[], s32[])"},
      {"r = f32[4,3] sort(m), dimensions={0}, to_apply=add", "to_apply 'add' gives the wrong shape", "f32[]", "pred[]"},
      {"r = (f32[4,4], s32[4,4]) topk(m), k=4, largest=true", "topk takes k elements of the last dimension",
       "k=4 of f32[4,3]", topk},
      {"r = (f32[4,4], s32[4,4]) topk(m), k=-1, largest=true", "topk takes k elements of the last dimension",
       "k=-1 of f32[4,3]", topk},
      {"r = (f32[], s32[]) topk(f), k=0, largest=true", "topk takes k elements of the last dimension", "k=0 of f32[]",
       topk},
      {"r = (c64[5,4,1], s32[5,4,1]) topk(c), k=1, largest=true", "topk does not take this element type", "c64[5,4,4]",
       "integer, floating-point elements"},
  });
}

std::string Convolution(const std::string& window, const std::string& more = "",
                        const std::string& operands = "image, kernel") {
  return fmt::format("r = f32[2,6,6,4] convolution({}), window={}{}{}", operands, window, more, kLabels);
}

TEST(ShapeRulesOfPlaces, ConvolutionRefused) {
  const std::string fit = "the kernel's size, at least 1, and strides and dilations of at least 1";
  const std::string counts = "the group counts of the convolution make no sense";
  ExpectBroken({
      {Convolution("{size=3}"),
       "dim_labels, window and operands of the convolution differ in their numbers of dimensions",
       "dim_labels=b01f_01io->b01f, window={size=3}, operands (f32[2,8,8,6], f32[3,3,6,4])",
       "operands of 4 dimensions and a window of 2"},
      {Convolution("{size=3x3}", "", "image, m"),
       "dim_labels, window and operands of the convolution differ in their numbers of dimensions",
       "dim_labels=b01f_01io->b01f, window={size=3x3}, operands (f32[2,8,8,6], f32[4,3])",
       "operands of 4 dimensions and a window of 2"},
      {Convolution("{size=3x2}"), "the window does not fit the kernel's spatial dimension 1",
       "window={size=3x2} and 3 kernel elements", fit},
      {Convolution("{size=3x3 stride=0x1}"), "the window does not fit the kernel's spatial dimension 0",
       "window={size=3x3 stride=0x1} and 3 kernel elements", fit},
      {"w = f32[0,3,6,4] parameter(16)\n  " + Convolution("{size=0x3}", "", "image, w"),
       "the window does not fit the kernel's spatial dimension 0", "window={size=0x3} and 0 kernel elements", fit},
      {Convolution("{size=3x3}", ", feature_group_count=0"), counts, "feature_group_count=0, batch_group_count=1",
       "positive counts, one of them 1"},
      {Convolution("{size=3x3}", ", feature_group_count=2, batch_group_count=2"), counts,
       "feature_group_count=2, batch_group_count=2", "positive counts, one of them 1"},
      {Convolution("{size=3x3}", ", feature_group_count=2"),
       "the input's features are not the kernel's times feature_group_count", "6 and 6 x 2", "equal numbers"},
      {"w = f32[3,3,4,4] parameter(16)\n  x = f32[2,8,8,0] parameter(17)\n  " +
           Convolution("{size=3x3}", ", feature_group_count=4611686018427387904", "x, w"),
       "the input's features are not the kernel's times feature_group_count", "0 and 4 x 4611686018427387904",
       "equal numbers"},
      {Convolution("{size=3x3}", ", batch_group_count=4"), "the groups do not divide the convolution's sizes",
       "4 output features, batch 2, 1 feature groups, 4 batch groups", "multiples"},
      {"w = f32[3,3,2,4] parameter(16)\n  " + Convolution("{size=3x3}", ", feature_group_count=3", "image, w"),
       "the groups do not divide the convolution's sizes",
       "4 output features, batch 2, 3 feature groups, 1 batch groups", "multiples"},
      {"w = s32[3,3,6,4] parameter(16)\n  " + Convolution("{size=3x3}", "", "image, w"),
       "the element types of the convolution do not fit together", "f32 x s32 -> f32",
       "operands of one kind and width, and a result of their kind or a wider real type"},
      {"r = s32[4,4] convolution(m, m), dim_labels=bf_oi->bf",
       "the element types of the convolution do not fit together", "f32 x f32 -> s32",
       "operands of one kind and width, and a result of their kind or a wider real type"},
  });
}

TEST(ShapeRulesOfPlaces, ReduceWindowAndSelectAndScatterRefused) {
  const std::string sizes = "sizes, strides and dilations of at least 1";
  ExpectBroken({
      {"r = f32[3,2] reduce-window(m), window={size=2x2}, to_apply=add",
       "reduce-window takes inputs, then as many initial values", "1 operands", "an even number, at least 2"},
      {"r = f32[3,2] reduce-window(m, f), window={size=2}, to_apply=add",
       "the window must have one entry per dimension of the operand", "window={size=2} for f32[4,3]", "2 entries"},
      {"r = f32[3,2] reduce-window(m, f), to_apply=add", "the window must have one entry per dimension of the operand",
       "window={} for f32[4,3]", "2 entries"},
      {"r = f32[3,2] reduce-window(m, f), window={size=2x0}, to_apply=add", "the window gives no array in dimension 1",
       "{size=2x0}", sizes},
      {"r = f32[3,2] reduce-window(m, f), window={size=2x2 rhs_dilate=-1x1}, to_apply=add",
       "the window gives no array in dimension 0", "{size=2x2 rhs_dilate=-1x1}", sizes},
      {"r = (f32[3,2], s32[3,2]) reduce-window(m, k23, f, i), window={size=2x2}, to_apply=both",
       "all inputs of reduce-window must have the same dimensions", "(f32[4,3], s32[2,3], f32[], s32[])",
       "the dimensions of f32[4,3]"},
      {"r = f32[3,2] reduce-window(m, i), window={size=2x2}, to_apply=add", "operand 1 must be an initial value",
       "s32[]", "f32[]"},
      {"r = f32[3,2] reduce-window(m, f), window={size=2x2}, to_apply=less", "to_apply 'less' gives the wrong shape",
       "pred[]", "f32[]"},
      {"r = f32[4,3] select-and-scatter(m, m, f), window={size=2x1}, select=less, scatter=add",
       "operand 1 of select-and-scatter must have one element per window", "f32[4,3]", "f32[3,3]"},
      {"r = f32[4,3] select-and-scatter(m, u23, i), window={size=2x1 stride=2x1}, select=less, scatter=add",
       "operand 2 must be the initial value", "s32[]", "f32[]"},
      {"r = f32[4,3] select-and-scatter(m, u23, f), window={size=2x1 stride=2x1}, select=add, scatter=add",
       "select 'add' gives the wrong shape", "f32[]", "pred[]"},
      {"r = f32[4,3] select-and-scatter(m, u23, f), window={size=2x1 stride=2x1}, select=less, scatter=less",
       "scatter 'less' gives the wrong shape", "pred[]", "f32[]"},
  });
}

TEST(ShapeRulesOfPlaces, AlgorithmsRefused) {
  const std::string fit = "equal batches and element types, and as many equations as unknowns";
  ExpectBroken({
      {"r = f32[4,3] cholesky(m)", "cholesky needs square matrices", "f32[4,3]", "two equal last dimensions"},
      {"r = f32[] cholesky(f)", "cholesky needs square matrices", "f32[]", "two equal last dimensions"},
      {"r = f32[4,3] triangular-solve(m, m), transpose_a=TRANSPOSE", "triangular-solve needs square matrices",
       "f32[4,3]", "two equal last dimensions"},
      {"r = c64[5,4,2] triangular-solve(c, b), transpose_a=TRANSPOSE",
       "the operands of triangular-solve do not fit together", "(c64[5,4,4], c64[5,4,2]), right side", fit},
      {"x = c64[5,3,4] parameter(16)\n  r = c64[5,3,4] triangular-solve(c, x), left_side=true, transpose_a=TRANSPOSE",
       "the operands of triangular-solve do not fit together", "(c64[5,4,4], c64[5,3,4]), left_side", fit},
      {"r = f32[5,4,3] triangular-solve(c, q), left_side=true, transpose_a=TRANSPOSE",
       "the operands of triangular-solve do not fit together", "(c64[5,4,4], f32[5,4,3]), left_side", fit},
      {"r = c64[5,4,3] fft(q), fft_type=FFT, fft_length={3}", "FFT does not take this element type", "f32",
       "c64 or c128"},
      {"r = c64[5,4,3] fft(c), fft_type=RFFT, fft_length={4}", "RFFT does not take this element type", "c64",
       "f32 or f64"},
      {"r = c64[5,4,4] fft(c), fft_type=FFT, fft_length={}", "fft transforms the last one to three dimensions",
       "fft_length={} of c64[5,4,4]", "one to three lengths, not more than the operand has dimensions"},
      {"r = c64[4,2] fft(m), fft_type=RFFT, fft_length={1,4,3}", "fft transforms the last one to three dimensions",
       "fft_length={1,4,3} of f32[4,3]", "one to three lengths, not more than the operand has dimensions"},
      {"r = c64[5,4,4] fft(c), fft_type=FFT, fft_length={4,5}",
       "dimension 2 of the operand does not have the length of the transform", "4", "5"},
      {"r = f32[5,4,5] fft(c), fft_type=IRFFT, fft_length={5}",
       "dimension 2 of the operand does not have the length of the transform", "4", "3"},
      {"r = s32[] get-dimension-size(m), dimensions={2}", "dimensions must name different dimensions of the array",
       "dimensions={2}", "different numbers from 0 to 1"},
      {"r = s32[] get-dimension-size(m), dimensions={}", "get-dimension-size asks for one dimension", "0", "1"},
      {"r = s32[] get-dimension-size(big), dimensions={0}",
       "the size of the dimension does not fit get-dimension-size's s32", "3000000000", "at most 2147483647"},
      {"r = s32[] replica-id()", "the shape of this replica-id does not follow from its operands", "s32[]", "u32[]"},
  });
}

}  // namespace
}  // namespace xla
