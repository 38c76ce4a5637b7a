// Matrix programs: transposes, products by tiles, and products by the matrix instructions of each target.
#include <bit>

#include "tests/hip_programs/hip_program_test.h"

namespace rocxla::emu {
namespace {

using MatrixPrograms = HipProgramTest;

uint16_t BfloatOf(float x) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(x) >> 16); }  // small integers only

template <class T>
std::vector<T> Transposed(const std::vector<T>& in, int rows, int columns) {
  std::vector<T> out(in.size());
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) out[j * rows + i] = in[i * columns + j];
  }
  return out;
}

TEST_P(MatrixPrograms, Transpose) {
  Load("transpose");
  Sequence random(1);
  const int rows = 37, columns = 50;
  auto check = [&]<class T>(const char* kernel, std::vector<T> values) {
    auto in = Upload(values), out = Zeros<T>(values.size());
    Run(kernel, {4, 3}, {16, 16}, in.get(), out.get(), rows, columns);
    EXPECT_EQ(out.Values(), Transposed(values, rows, columns)) << kernel;
  };
  check("transpose_bytes", random.Many<unsigned char>(rows * columns, [&] { return random.Word(); }));
  check("transpose_floats", random.Many<float>(rows * columns, [&] { return random.Sixteenths(100); }));
  check("transpose_doubles", random.Many<double>(rows * columns, [&] { return random.Sixteenths(100); }));
}

// C = A B of small integers, which every type holds exactly; B transposed if the program wants it so.
struct Product {
  Product(int m, int n, int k) : m(m), n(n), k(k), a(m * k), b(k * n), c(m * n) {
    Sequence random(2);
    for (int& x : a) x = random.Between(-9, 9);
    for (int& x : b) x = random.Between(-9, 9);
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        for (int l = 0; l < k; l++) c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
    }
  }
  template <class T>
  static std::vector<T> As(const std::vector<int>& values) {
    return {values.begin(), values.end()};
  }
  static std::vector<uint16_t> AsBfloats(const std::vector<int>& values) {
    std::vector<uint16_t> out;
    for (int x : values) out.push_back(BfloatOf(static_cast<float>(x)));
    return out;
  }
  int m, n, k;
  std::vector<int> a, b, c;
};

class ProductPrograms : public HipProgramTest {
 protected:
  template <class T, class Sum>
  void CheckTiled(const char* kernel, const Product& p, const std::vector<T>& a_values,
                  const std::vector<T>& b_values) {
    auto a = Upload(a_values), b = Upload(b_values);
    auto c = Zeros<Sum>(p.c.size());
    Sizes grid = {static_cast<unsigned>((p.n + 15) / 16), static_cast<unsigned>((p.m + 15) / 16)};
    Run(kernel, grid, {16, 16}, a.get(), b.get(), c.get(), p.m, p.n, p.k);
    EXPECT_EQ(c.Values(), Product::As<Sum>(p.c)) << kernel;
  }
  template <class T, class Sum>
  void CheckTransposed(const char* kernel, const Product& p, const std::vector<T>& a_values,
                       const std::vector<T>& b_values) {
    auto a = Upload(a_values), b = Upload(Transposed(b_values, p.k, p.n));
    auto c = Zeros<Sum>(p.c.size());
    Sizes grid = {static_cast<unsigned>(p.n / 16), static_cast<unsigned>(p.m / 16)};
    Run(kernel, grid, {static_cast<unsigned>(wave_size())}, a.get(), b.get(), c.get(), p.n, p.k);
    EXPECT_EQ(c.Values(), Product::As<Sum>(p.c)) << kernel;
  }
};

TEST_P(ProductPrograms, ByTiles) {
  Load("matmul_tiled");
  Product p(33, 40, 50);
  CheckTiled<float, float>("product_f32", p, Product::As<float>(p.a), Product::As<float>(p.b));
  CheckTiled<double, double>("product_f64", p, Product::As<double>(p.a), Product::As<double>(p.b));
  CheckTiled<uint16_t, float>("product_bf16", p, Product::AsBfloats(p.a), Product::AsBfloats(p.b));
  CheckTiled<int8_t, int>("product_i8", p, Product::As<int8_t>(p.a), Product::As<int8_t>(p.b));
}

INSTANTIATE_TEST_SUITE_P(Targets, MatrixPrograms, ::testing::Values(HIP_BUILDS("O3")), NameOfBuild);
INSTANTIATE_TEST_SUITE_P(Targets, ProductPrograms, ::testing::Values(HIP_BUILDS("O3"), HIP_BUILDS("O0")), NameOfBuild);

class MatrixCorePrograms : public ProductPrograms {};

TEST_P(MatrixCorePrograms, HalvesBfloatsAndBytes) {
  Load("matmul_matrix_core");
  Product p(48, 32, 96);
  CheckTransposed<_Float16, float>("product_f16", p, Product::As<_Float16>(p.a), Product::As<_Float16>(p.b));
  CheckTransposed<uint16_t, float>("product_bf16", p, Product::AsBfloats(p.a), Product::AsBfloats(p.b));
  CheckTransposed<int8_t, int>("product_i8", p, Product::As<int8_t>(p.a), Product::As<int8_t>(p.b));
}
TEST_P(MatrixCorePrograms, Doubles) {
  Load("matmul_f64_matrix_core");
  Product p(32, 48, 20);
  CheckTransposed<double, double>("product_f64", p, Product::As<double>(p.a), Product::As<double>(p.b));
}

INSTANTIATE_TEST_SUITE_P(Targets, MatrixCorePrograms, ::testing::Values(HIP_BUILDS("O3")), NameOfBuild);

}  // namespace
}  // namespace rocxla::emu
