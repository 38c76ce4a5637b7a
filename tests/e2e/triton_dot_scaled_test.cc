// tt.dot_scaled over types, scales, packings, shapes and warps, for every first-class GPU.
#include "tests/e2e/triton_products.h"

namespace rocxla::triton {
namespace {

//===-- tt.dot_scaled
//------------------------------------------------------------------------------------------------===//

constexpr Element kFp4{"i8", 1, FloatType::kF4E2M1FN};
enum class Scale { kNone, kE8m0, kE4m3 };

// Which numbers, how packed, with which scales.
struct ScaledFactor {
  const char* name;  // as tt.dot_scaled spells it
  Element element;
  Scale scale;
  bool k_pack = true;
  bool packed() const { return element.format == FloatType::kF4E2M1FN; }
};
struct ScaledTypes {
  const char* name;
  ScaledFactor a, b;
};
constexpr ScaledFactor kE4m3{"e4m3", kFp8, Scale::kE8m0}, kE5m2{"e5m2", kBf8, Scale::kE8m0},
    kE2m1{"e2m1", kFp4, Scale::kE8m0}, kPlainE4m3{"e4m3", kFp8, Scale::kNone}, kPlainBf16{"bf16", kBf16, Scale::kNone},
    kPlainFp16{"fp16", kF16, Scale::kNone}, kScaledBf16{"bf16", kBf16, Scale::kE8m0},
    kNvFp4{"e2m1", kFp4, Scale::kE4m3}, kSidewaysE2m1{"e2m1", kFp4, Scale::kE8m0, false};
constexpr ScaledTypes kScaledTypes[] = {
    {"e4m3", kE4m3, kE4m3},
    {"e5m2", kE5m2, kE5m2},
    {"e4m3_e5m2", kE4m3, kE5m2},
    {"e2m1", kE2m1, kE2m1},
    {"e2m1_e4m3", kE2m1, kE4m3},
    {"e5m2_e2m1", kE5m2, kE2m1},
    {"plain_e4m3_e2m1", kPlainE4m3, kE2m1},
    {"plain_e4m3", kPlainE4m3, kPlainE4m3},
    {"bf16_e2m1", kPlainBf16, kE2m1},
    {"e4m3_fp16", kE4m3, kPlainFp16},
    {"scaled_bf16", kScaledBf16, kE5m2},
    {"e2m1_by_e4m3", kNvFp4, kNvFp4},
    {"sideways_e2m1", kSidewaysE2m1, kSidewaysE2m1},
};
constexpr Size kScaledSizes[] = {{0, 32, 32, 64, 1},  {0, 16, 16, 128, 1}, {0, 64, 32, 128, 4}, {0, 16, 64, 64, 4},
                                 {0, 128, 64, 32, 8}, {0, 4, 8, 64, 2},    {2, 32, 16, 256, 4}};

// A factor's numbers and scales in memory, and its values as doubles [batch][rows][K].
struct ScaledData {
  Dims dims, scale_dims;
  std::vector<uint8_t> numbers, scales;
  std::vector<double> values;
};

double ScaleValue(Scale scale, uint8_t code) {
  return DecodeToDouble(scale == Scale::kE8m0 ? FloatType::kF8E8M0FNU : FloatType::kF8E4M3FN, code);
}

// `rows_last`: the right factor, which lies [.., K, rows].
ScaledData MakeScaled(const ScaledFactor& factor, int batch, int rows, int k, bool rows_last, std::mt19937_64& random) {
  ScaledData data;
  int group = factor.scale == Scale::kE4m3 ? 16 : 32;
  int stored_rows = factor.packed() && !factor.k_pack ? rows / 2 : rows,
      stored_k = factor.packed() && factor.k_pack ? k / 2 : k;
  data.dims = rows_last ? Dims{stored_k, stored_rows} : Dims{stored_rows, stored_k};
  data.scale_dims = {rows, k / group};
  if (batch)
    for (Dims* dims : {&data.dims, &data.scale_dims}) dims->insert(dims->begin(), batch);
  data.numbers.resize(Count(data.dims) * static_cast<size_t>(factor.element.bytes));
  for (size_t i = 0; i < Count(data.dims); ++i) {
    uint64_t code = factor.packed() ? random() & 0xff : RandomCode(factor.element, random);
    std::memcpy(data.numbers.data() + i * static_cast<size_t>(factor.element.bytes), &code,
                static_cast<size_t>(factor.element.bytes));
  }
  for (size_t i = 0; i < Count(data.scale_dims); ++i)
    data.scales.push_back(
        static_cast<uint8_t>(factor.scale == Scale::kE4m3 ? 1 + random() % 0x7e : 120 + random() % 14));
  for (int z = 0; z < std::max(1, batch); ++z) {
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < k; ++c) {
        int row = factor.packed() && !factor.k_pack ? r / 2 : r, column = factor.packed() && factor.k_pack ? c / 2 : c;
        size_t at = rows_last ? (static_cast<size_t>(z) * stored_k + column) * stored_rows + row
                              : (static_cast<size_t>(z) * stored_rows + row) * stored_k + column;
        uint64_t code = Load(data.numbers, at, factor.element.bytes);
        if (factor.packed()) code = code >> (4 * ((factor.k_pack ? c : r) % 2)) & 15;
        double value = DecodeToDouble(*factor.element.format, code);
        if (factor.scale != Scale::kNone)
          value *= ScaleValue(factor.scale, data.scales[(static_cast<size_t>(z) * rows + r) * (k / group) + c / group]);
        data.values.push_back(value);
      }
    }
  }
  return data;
}

// [batch][rows][K] to [batch][K][rows].
std::vector<double> Transposed(const std::vector<double>& values, int batch, int rows, int k) {
  std::vector<double> out(values.size());
  for (int z = 0; z < batch; ++z)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < k; ++c)
        out[(static_cast<size_t>(z) * k + c) * rows + r] = values[(static_cast<size_t>(z) * rows + r) * k + c];
  return out;
}

const char* ScaleElement(const ScaledFactor& factor) { return factor.scale == Scale::kE4m3 ? "f8E4M3FN" : "i8"; }

using ScaledParameter = std::tuple<std::string_view, ScaledTypes>;
class DotScaled : public testing::TestWithParam<ScaledParameter> {
 protected:
  // The kernel, with arguments a, b, sa, sb, c, d.
  static std::string Kernel(const ScaledTypes& types, const ScaledData& a, const ScaledData& b, const Dims& c) {
    KernelWriter writer;
    auto factor = [&](const std::string& name, const ScaledFactor& what, const ScaledData& data) {
      std::string type = Tensor(data.dims, what.element.name),
                  value = writer.LoadOf(name, data.dims, what.element.name);
      if (what.scale == Scale::kNone) return std::pair(value, type);
      std::string scale = writer.LoadOf("s" + name, data.scale_dims, ScaleElement(what));
      return std::pair(value + " scale " + scale, type + ", " + Tensor(data.scale_dims, ScaleElement(what)));
    };
    auto [x, x_type] = factor("a", types.a, a);
    auto [y, y_type] = factor("b", types.b, b);
    std::string z = writer.LoadOf("c", c, "f32");
    std::string d = writer.Line(fmt::format(
        "tt.dot_scaled {}, {}, {} lhs = {} rhs = {} {{fastMath = false, lhs_k_pack = {}, rhs_k_pack = {}}} : {} * {} "
        "-> {}",
        x, y, z, types.a.name, types.b.name, types.a.k_pack, types.b.k_pack, x_type, y_type, Tensor(c, "f32")));
    writer.Store("d", d, c, "f32");
    return writer.Kernel({{"a", types.a.element.name},
                          {"b", types.b.element.name},
                          {"sa", ScaleElement(types.a)},
                          {"sb", ScaleElement(types.b)},
                          {"c", "f32"},
                          {"d", "f32"}});
  }
};
INSTANTIATE_TEST_SUITE_P(AllTypes, DotScaled,
                         testing::Combine(testing::ValuesIn(FirstClassTargets()), testing::ValuesIn(kScaledTypes)),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param), std::get<1>(info.param).name);
                         });

TEST_P(DotScaled, IsTheProductOfScaledNumbers) {
  const auto& [target, types] = GetParam();
  std::mt19937_64 random(3);
  for (const Size& size : kScaledSizes) {
    SCOPED_TRACE(size.ToString());
    ScaledData a = MakeScaled(types.a, size.batch, size.m, size.k, false, random);
    ScaledData b = MakeScaled(types.b, size.batch, size.n, size.k, true, random);
    Dims c{size.m, size.n};
    if (size.batch) c.insert(c.begin(), size.batch);
    std::vector<uint8_t> added = RandomBuffer(kF32, Count(c), random), got(added.size());
    Status status = RunKernel(Kernel(types, a, b, c), target, size.warps,
                              {&a.numbers, &b.numbers, &a.scales, &b.scales, &added, &got});
    ASSERT_TRUE(status.ok()) << status.ToString();
    int batch = std::max(1, size.batch);
    ExpectProduct({batch, size.m, size.n, size.k, a.values, Transposed(b.values, batch, size.n, size.k)}, kF32, added,
                  got, kSumOfF32);
    if (HasFatalFailure()) return;
  }
}

// Scales at the ends of their range: 2^-127 is no zero, code 255 makes its row NaN.
class DotWithExtremeScales : public DotScaled {};
INSTANTIATE_TEST_SUITE_P(ScaledNumbers, DotWithExtremeScales,
                         testing::Combine(testing::ValuesIn(FirstClassTargets()),
                                          testing::ValuesIn(kScaledTypes, kScaledTypes + 6)),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param), std::get<1>(info.param).name);
                         });
TEST_P(DotWithExtremeScales, AreScales) {
  const auto& [target, types] = GetParam();
  std::mt19937_64 random(4);
  ScaledData a = MakeScaled(types.a, 0, 32, 64, false, random), b = MakeScaled(types.b, 0, 32, 64, true, random);
  constexpr int kNanRow = 3;
  std::fill(a.scales.begin(), a.scales.end(), 0);
  a.scales[2 * kNanRow + 1] = 255;
  std::vector<uint8_t> added(32 * 32 * 4), got(added.size());
  Status status =
      RunKernel(Kernel(types, a, b, {32, 32}), target, 2, {&a.numbers, &b.numbers, &a.scales, &b.scales, &added, &got});
  ASSERT_TRUE(status.ok()) << status.ToString();
  std::vector<double> values = DecodeAll(kF32, got);
  int zeros = 0;
  for (int i = 0; i < 32 * 32; ++i) {
    EXPECT_EQ(std::isnan(values[i]), i / 32 == kNanRow) << i;
    zeros += values[i] == 0;
  }
  EXPECT_LT(zeros, 32);
}

}  // namespace
}  // namespace rocxla::triton
