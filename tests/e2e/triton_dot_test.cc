// tt.dot over types, shapes and warps, for every first-class GPU.
#include "tests/e2e/triton_products.h"

namespace rocxla::triton {
namespace {

//===-- tt.dot
//--------------------------------------------------------------------------------------------------------===//

struct Types {
  const char* name;
  Element a, b, c;
  double relative;
  const char* precision = nullptr;
};
constexpr Types kTypes[] = {
    {"f16", kF16, kF16, kF32, kSumOfF32},
    {"bf16", kBf16, kBf16, kF32, kSumOfF32},
    {"f32", kF32, kF32, kF32, kSumOfF32},
    {"f32_as_tf32", kF32, kF32, kF32, kTf32, "tf32"},
    {"f32_as_bf16x3", kF32, kF32, kF32, kSumOfF32, "bf16x3"},
    {"f64", kF64, kF64, kF64, kSumOfF64},
    {"i8", kI8, kI8, kI32, kExact},
    {"i8_to_i64", kI8, kI8, kI64, kExact},
    {"i16", kI16, kI16, kI32, kExact},
    {"i32", kI32, kI32, kI64, kExact},
    {"fp8", kFp8, kFp8, kF32, kSumOfF32},
    {"fp8_bf8", kFp8, kBf8, kF32, kSumOfF32},
    {"bf8_fp8", kBf8, kFp8, kF32, kSumOfF32},
    {"bf8", kBf8, kBf8, kF32, kSumOfF32},
    {"fp8fnuz", kFp8Fnuz, kFp8Fnuz, kF32, kSumOfF32},
    {"fp8fnuz_bf8fnuz", kFp8Fnuz, kBf8Fnuz, kF32, kSumOfF32},
    {"bf8fnuz_fp8fnuz", kBf8Fnuz, kFp8Fnuz, kF32, kSumOfF32},
    {"bf8fnuz", kBf8Fnuz, kBf8Fnuz, kF32, kSumOfF32},
    {"fp8_f16", kFp8, kF16, kF32, kSumOfF32},
    {"bf16_bf8fnuz", kBf16, kBf8Fnuz, kF32, kSumOfF32},
    {"f16_bf16", kF16, kBf16, kF32, kSumOfF32},
    {"f16_to_f16", kF16, kF16, kF16, kRoundedToF16},
    {"bf16_to_bf16", kBf16, kBf16, kBf16, kRoundedToBf16},
    {"f32_to_f64", kF32, kF32, kF64, kSumOfF64},
};

// Tiles of instructions, several of them, fewer than there are warps, short sides, short K, batches.
constexpr Size kSizes[] = {
    {0, 16, 16, 16, 1}, {0, 32, 32, 32, 4}, {0, 64, 64, 64, 4}, {0, 16, 32, 128, 4}, {0, 64, 16, 32, 8},
    {0, 8, 32, 64, 2},  {0, 32, 4, 32, 4},  {0, 1, 16, 16, 1},  {0, 32, 32, 8, 1},   {0, 16, 16, 4, 4},
    {0, 16, 32, 1, 2},  {0, 4, 4, 32, 4},   {4, 16, 16, 32, 4}, {2, 32, 16, 16, 8},  {8, 4, 8, 16, 2},
};

using DotParameter = std::tuple<std::string_view, Types>;
class Dot : public testing::TestWithParam<DotParameter> {};
INSTANTIATE_TEST_SUITE_P(AllTypes, Dot,
                         testing::Combine(testing::ValuesIn(FirstClassTargets()), testing::ValuesIn(kTypes)),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param), std::get<1>(info.param).name);
                         });

TEST_P(Dot, IsTheProduct) {
  const auto& [target, types] = GetParam();
  std::mt19937_64 random(1);
  for (const Size& size : kSizes) {
    SCOPED_TRACE(size.ToString());
    Dims a{size.m, size.k}, b{size.k, size.n}, c{size.m, size.n};
    if (size.batch)
      for (Dims* dims : {&a, &b, &c}) dims->insert(dims->begin(), size.batch);
    KernelWriter writer;
    std::string x = writer.LoadOf("a", a, types.a.name), y = writer.LoadOf("b", b, types.b.name);
    std::string z = writer.LoadOf("c", c, types.c.name);
    std::string precision = types.precision ? fmt::format(", inputPrecision = {}", types.precision) : "";
    std::string d = writer.Line(fmt::format("tt.dot {}, {}, {}{} : {} * {} -> {}", x, y, z, precision,
                                            Tensor(a, types.a.name), Tensor(b, types.b.name), Tensor(c, types.c.name)));
    writer.Store("d", d, c, types.c.name);
    auto left = RandomBuffer(types.a, Count(a), random), right = RandomBuffer(types.b, Count(b), random);
    auto added = RandomBuffer(types.c, Count(c), random);
    std::vector<uint8_t> got(added.size());
    Status status =
        RunKernel(writer.Kernel({{"a", types.a.name}, {"b", types.b.name}, {"c", types.c.name}, {"d", types.c.name}}),
                  target, size.warps, {&left, &right, &added, &got});
    ASSERT_TRUE(status.ok()) << status.ToString();
    Reference reference{std::max(1, size.batch),  size.m, size.n, size.k, DecodeAll(types.a, left),
                        DecodeAll(types.b, right)};
    ExpectProduct(reference, types.c, added, got, types.relative);
    if (HasFatalFailure()) return;
  }
}

//===-- Chains of products
//-------------------------------------------------------------------------------------------===//

// (a * b, rounded to 16 bits) * b2 with an accumulator of zero: the first result is the second's left operand.
class DotChain : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(FirstClass, DotChain, testing::ValuesIn(FirstClassTargets()),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(DotChain, FirstResultIsTheSecondsOperand) {
  std::mt19937_64 random(2);
  for (const Element& half : {kF16, kBf16}) {
    for (const Size& size : {Size{0, 64, 32, 64, 4}, Size{0, 128, 64, 32, 4}, Size{0, 16, 16, 16, 1}}) {
      SCOPED_TRACE(fmt::format("{}, {}x{}x{}", half.name, size.m, size.n, size.k));
      Dims a{size.m, size.k}, b{size.k, size.n}, p{size.m, size.n}, v{size.n, 32}, o{size.m, 32};
      KernelWriter writer;
      std::string x = writer.LoadOf("a", a, half.name), y = writer.LoadOf("b", b, half.name);
      std::string w = writer.LoadOf("v", v, half.name);
      std::string zero = writer.Line(fmt::format("arith.constant dense<0.0> : {}", Tensor(p, "f32")));
      std::string first = writer.Line(fmt::format("tt.dot {}, {}, {} : {} * {} -> {}", x, y, zero, Tensor(a, half.name),
                                                  Tensor(b, half.name), Tensor(p, "f32")));
      writer.Store("p", first, p, "f32");
      std::string rounded =
          writer.Line(fmt::format("arith.truncf {} : {} to {}", first, Tensor(p, "f32"), Tensor(p, half.name)));
      std::string zeros = writer.Line(fmt::format("arith.constant dense<0.0> : {}", Tensor(o, "f32")));
      std::string second = writer.Line(fmt::format("tt.dot {}, {}, {} : {} * {} -> {}", rounded, w, zeros,
                                                   Tensor(p, half.name), Tensor(v, half.name), Tensor(o, "f32")));
      writer.Store("o", second, o, "f32");
      auto left = RandomBuffer(half, Count(a), random), right = RandomBuffer(half, Count(b), random);
      auto values = RandomBuffer(half, Count(v), random);
      std::vector<uint8_t> between(Count(p) * 4), got(Count(o) * 4);
      Status status =
          RunKernel(writer.Kernel({{"a", half.name}, {"b", half.name}, {"v", half.name}, {"p", "f32"}, {"o", "f32"}}),
                    GetParam(), size.warps, {&left, &right, &values, &between, &got});
      ASSERT_TRUE(status.ok()) << status.ToString();
      ExpectProduct({1, size.m, size.n, size.k, DecodeAll(half, left), DecodeAll(half, right)}, kF32,
                    std::vector<uint8_t>(between.size()), between, kSumOfF32);
      std::vector<double> halves = DecodeAll(kF32, between);
      for (double& value : halves) value = DecodeToDouble(*half.format, EncodeFloat(*half.format, value));
      ExpectProduct({1, size.m, 32, size.n, halves, DecodeAll(half, values)}, kF32, std::vector<uint8_t>(got.size()),
                    got, kSumOfF32);
    }
  }
}

}  // namespace
}  // namespace rocxla::triton
