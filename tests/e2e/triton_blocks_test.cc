// Block pointers and tensor descriptors on the embedded device.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/e2e/triton_kernel.h"

namespace rocxla::triton {
namespace {

std::vector<float> Counting(int count) {
  std::vector<float> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = static_cast<float>(i);
  return numbers;
}

constexpr int kRows = 21, kColumns = 50;

// Walks a 21 x 50 matrix in blocks of 16 x 32 and sums them; what is out of bounds counts as zero.
constexpr char kSumOfBlocks[] = R"(tt.func public @kernel(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %cm32 = arith.constant -32 : i32
  %c1_i64 = arith.constant 1 : i64
  %c16_i64 = arith.constant 16 : i64
  %c32_i64 = arith.constant 32 : i64
  %m = arith.constant 21 : i64
  %n = arith.constant 50 : i64
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %p = tt.make_tensor_ptr %x, [%m, %n], [%n, %c1_i64], [%c0, %cm32] {order = array<i32: 1, 0>} : <tensor<16x32xf32>>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%row = %p, %a = %zero) -> (!tt.ptr<tensor<16x32xf32>>, tensor<16x32xf32>) : i32 {
    %start = tt.advance %row, [%c0, %c32] : <tensor<16x32xf32>>
    %s:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%q = %start, %b = %a) -> (!tt.ptr<tensor<16x32xf32>>, tensor<16x32xf32>) : i32 {
      %v = tt.load %q {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf32>>
      %sum = arith.addf %b, %v : tensor<16x32xf32>
      %next = tt.advance %q, [%c0, %c32] : <tensor<16x32xf32>>
      scf.yield %next, %sum : !tt.ptr<tensor<16x32xf32>>, tensor<16x32xf32>
    }
    %down = tt.advance %row, [%c16, %c0] : <tensor<16x32xf32>>
    scf.yield %down, %s#1 : !tt.ptr<tensor<16x32xf32>>, tensor<16x32xf32>
  }
  %out = tt.make_tensor_ptr %o, [%c16_i64, %c32_i64], [%c32_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf32>>
  tt.store %out, %r#1 : !tt.ptr<tensor<16x32xf32>>
  tt.return
})";
TEST(TritonBlockPointers, SumOfBlocks) {
  std::vector<float> in = Counting(kRows * kColumns), want(16 * 32);
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) want[i % 16 * 32 + j % 32] += in[i * kColumns + j];
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<float>(kSumOfBlocks, launch, {BufferOf(in)}, want.size()), want) << ToString(launch);
}

// A transposed view, of which nothing is checked along the first dimension; NaN where columns are missing.
TEST(TritonBlockPointers, StridesAndPadding) {
  const char* text = R"(tt.func public @kernel(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c1_i64 = arith.constant 1 : i64
  %c32_i64 = arith.constant 32 : i64
  %m = arith.constant 50 : i64
  %n = arith.constant 21 : i64
  %p = tt.make_tensor_ptr %x, [%m, %n], [%c1_i64, %m], [%c16, %c0] {order = array<i32: 0, 1>} : <tensor<32x32xf32>>
  %v = tt.load %p {boundaryCheck = array<i32: 1>, padding = 2 : i32} : !tt.ptr<tensor<32x32xf32>>
  %out = tt.make_tensor_ptr %o, [%c32_i64, %c32_i64], [%c32_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf32>>
  tt.store %out, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xf32>>
  tt.return
})";
  std::vector<float> in = Counting(kRows * kColumns);
  for (const Launch& launch : Launches()) {
    SCOPED_TRACE(ToString(launch));
    std::vector<float> got = ResultOf<float>(text, launch, {BufferOf(in)}, 32 * 32);
    ASSERT_EQ(got.size(), 32u * 32);
    for (int i = 0; i < 32; ++i) {
      for (int j = 0; j < 32; ++j) {
        if (j < kRows) {
          EXPECT_EQ(got[i * 32 + j], in[j * kColumns + i + 16]);
        } else {
          EXPECT_TRUE(std::isnan(got[i * 32 + j]));
        }
      }
    }
  }
}

// `body` works on %d, a descriptor of 21 rows of 50 floats at %x, and %e, one of 8 x 64 at %o, both in blocks of 8
// x 16.
std::string DescriptorKernel(const std::string& body, const std::string& block = "8x16xf32") {
  return R"(tt.func public @kernel(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c48 = arith.constant 48 : i32
  %cm3 = arith.constant -3 : i32
  %m = arith.constant 21 : i32
  %n = arith.constant 50 : i32
  %n_i64 = arith.constant 50 : i64
  %c64 = arith.constant 64 : i32
  %c64_i64 = arith.constant 64 : i64
  %c1_i64 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %x, [%m, %n], [%n_i64, %c1_i64] : <f32>, <)" +
         block + R"(>
  %e = tt.make_tensor_descriptor %o, [%c8, %c64], [%c64_i64, %c1_i64] : <f32>, <)" +
         block + ">\n" + body + "  tt.return\n}";
}

// The element of the 21 x 50 matrix, or 0.
float At(int row, int column) {
  return row >= 0 && row < kRows && column >= 0 && column < kColumns ? static_cast<float>(row * kColumns + column) : 0;
}

TEST(TritonDescriptors, LoadsAndStoresAreClipped) {
  const std::string text = DescriptorKernel(R"(
  %v = tt.descriptor_load %d[%c16, %cm3] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  tt.descriptor_store %e[%cm3, %c0], %v : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
  %w = tt.descriptor_load %d[%c8, %c48] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  tt.descriptor_store %e[%c0, %c48], %w : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
)");
  std::vector<float> want(8 * 64);
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 16; ++j) {
      if (i >= 3) want[(i - 3) * 64 + j] = At(16 + i, j - 3);
      want[i * 64 + 48 + j] = At(8 + i, 48 + j);
    }
  }
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<float>(text, launch, {BufferOf(Counting(kRows * kColumns))}, want.size()), want)
        << ToString(launch);
}

// Descriptors pass through branches and loops like other values.
TEST(TritonDescriptors, ChosenAtRunTime) {
  const std::string text = DescriptorKernel(R"(
  %pid = tt.get_program_id x : i32
  %first = arith.cmpi eq, %pid, %c0 : i32
  %half = arith.constant 10 : i32
  %picked = scf.if %first -> (!tt.tensordesc<8x16xf32>) {
    scf.yield %d : !tt.tensordesc<8x16xf32>
  } else {
    %short = tt.make_tensor_descriptor %x, [%half, %n], [%n_i64, %c1_i64] : <f32>, <8x16xf32>
    scf.yield %short : !tt.tensordesc<8x16xf32>
  }
  %column = arith.muli %pid, %c16 : i32
  %v = tt.descriptor_load %picked[%c8, %c0] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  tt.descriptor_store %e[%c0, %column], %v : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
)");
  std::vector<float> want(8 * 64);
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 16; ++j) {
      want[i * 64 + j] = At(8 + i, j);
      want[i * 64 + 16 + j] = 8 + i < 10 ? At(8 + i, j) : 0;
    }
  }
  for (Launch launch : Launches()) {
    launch.programs = 2;
    EXPECT_EQ(ResultOf<float>(text, launch, {BufferOf(Counting(kRows * kColumns))}, want.size()), want)
        << ToString(launch);
  }
}

// The older spelling of the type; rows in any order, some of them out of bounds.
TEST(TritonDescriptors, GatherScatterReduce) {
  const std::string rows = R"(
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %c5 = arith.constant dense<5> : tensor<8xi32>
  %seven = arith.constant dense<7> : tensor<8xi32>
  %rows = arith.muli %i, %c5 : tensor<8xi32>
  %back = arith.subi %seven, %i : tensor<8xi32>
  %v = tt.descriptor_gather %d[%rows, %c8] : (!tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32) -> tensor<8x16xf32>
)";
  const std::string scatter = DescriptorKernel(
      rows +
          "tt.descriptor_scatter %e[%back, %c16], %v : !tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32, "
          "tensor<8x16xf32>\n",
      "tensor<1x16xf32>");
  const std::string reduce = DescriptorKernel(R"(
  %v = tt.descriptor_load %d[%c8, %c8] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  tt.descriptor_reduce add, %e[%c0, %c16], %v : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
  %w = tt.descriptor_load %d[%c8, %c8] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  tt.descriptor_reduce add, %e[%c0, %c16], %w : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
)");
  std::vector<float> scattered(8 * 64), added(8 * 64);
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 16; ++j) {
      scattered[(7 - i) * 64 + 16 + j] = At(5 * i, 8 + j);
      added[i * 64 + 16 + j] = 2 * At(8 + i, 8 + j);
    }
  }
  for (const Launch& launch : Launches()) {
    SCOPED_TRACE(ToString(launch));
    std::vector<rocxla::Tensor> in{BufferOf(Counting(kRows * kColumns))};
    EXPECT_EQ(ResultOf<float>(scatter, launch, in, scattered.size()), scattered);
    EXPECT_EQ(ResultOf<float>(reduce, launch, in, added.size()), added);
  }
}

std::string ErrorOf(const std::string& text) {
  CompileOptions options;
  options.target = FindTarget("gfx942").value();
  StatusOr<KernelObject> object = CompileToObject(text, "bad.ttir", options);
  return object.ok() ? "OK" : object.status().ToString();
}

TEST(TritonDescriptors, KindsWithoutAnAtomicOperation) {
  EXPECT_THAT(ErrorOf(DescriptorKernel(
                  "%v = tt.descriptor_load %d[%c8, %c8] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>\n"
                  "tt.descriptor_reduce inc, %e[%c0, %c16], %v : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>\n")),
              testing::HasSubstr("E3001 TritonSyntax: 'tt.descriptor_reduce' op supports add, min, max, and, or, xor"));
}

// A descriptor among the arguments: base, two extents and two strides of eight bytes, and a flag; hints stay where they
// were.
TEST(TritonDescriptors, AsArguments) {
  CompileOptions options;
  options.target = FindTarget("gfx942").value();
  StatusOr<KernelObject> object = CompileToObject(
      "tt.func public @kernel(%d: !tt.tensordesc<8x16xf16>, %o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {\n"
      "  %v = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>\n"
      "  tt.descriptor_store %d[%n, %n], %v : !tt.tensordesc<8x16xf16>, tensor<8x16xf16>\n"
      "  tt.return\n}",
      "k.ttir", options);
  ASSERT_TRUE(object.ok()) << object.status().ToString();
  EXPECT_EQ(object->info.kernarg_bytes, 5 * 8 + 8 + 8 + 4);  // the flag is padded to the pointer
}

}  // namespace
}  // namespace rocxla::triton
