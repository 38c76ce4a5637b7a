// Programs that calculate: the device libraries' functions in three precisions, 16-bit floats, wide integers.
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <set>

#include "tests/hip_programs/hip_program_test.h"

namespace rocxla::emu {
namespace {

using MathPrograms = HipProgramTest;

// --- functions of the device libraries, against the host's in long double

namespace reference {
using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh, std::exp,
    std::exp2, std::expm1, std::log, std::log2, std::log10, std::log1p, std::sqrt, std::cbrt, std::erf, std::erfc,
    std::tgamma, std::floor, std::ceil, std::rint, std::trunc, std::atan2, std::pow, std::fmod, std::remainder,
    std::hypot, std::copysign, std::fdim;
long double rsqrt(long double x) { return 1 / std::sqrt(x); }
}  // namespace reference

struct MathFunction {
  const char* name;
  long double (*value)(long double x, long double y);
};
const MathFunction kFunctions[] = {
#define FUNCTION1(name) {#name, [](long double x, long double) -> long double { return reference::name(x); }},
#define FUNCTION2(name) {#name, [](long double x, long double y) -> long double { return reference::name(x, y); }},
#include "tests/hip_programs/math_functions.def"
};
bool IsExact(const std::string& name) {
  static const std::set<std::string> exact = {"floor", "ceil",      "rint",     "trunc",
                                              "fmod",  "remainder", "copysign", "sqrt"};
  return exact.contains(name);
}

// rocm-device-libs 5.2.3: __ocml_sin_f16 is NaN for every finite number; its test for infinities is the wrong way
// round.
template <class T>
bool IsBrokenInTheLibrary(const std::string& name) {
  return sizeof(T) == 2 && name == "sin";
}

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, int64_t, std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;
// How many numbers of the type lie between; huge if just one of them is none.
template <class T>
double Steps(T a, T b) {
  if (a != a || b != b) return a != a && b != b ? 0 : std::numeric_limits<double>::infinity();
  auto ordered = [](T x) {
    auto bits = std::bit_cast<BitsOf<T>>(x);
    double magnitude = static_cast<double>(bits & std::numeric_limits<BitsOf<T>>::max());
    return bits < 0 ? -magnitude : magnitude;
  };
  return std::fabs(ordered(a) - ordered(b));
}

template <class T>
std::vector<T> MathInputs(uint64_t seed, int specials_first) {
  Sequence random(seed);
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<T> values;
  for (double x : {0.0, 1.0, -1.0, 0.5, -0.0, 2.0, infinity, -infinity, std::nan(""), 1e-3, 3.0, 10.0}) {
    values.push_back(static_cast<T>(x));
  }
  std::rotate(values.begin(), values.begin() + specials_first, values.end());
  auto add = [&](int count, double low, double high) {
    for (int i = 0; i < count; i++)
      values.push_back(static_cast<T>(low + (high - low) * (random.Word() / 4294967296.0)));
  };
  add(30, -1, 1);
  add(30, -6, 6);
  add(24, 0, 30);
  return values;
}

class FunctionPrograms : public HipProgramTest {
 protected:
  // `allowed`: steps between numbers of the type, for functions that are not exact.
  template <class T>
  void Check(const char* program, double allowed) {
    Load(program);
    std::vector<T> x = MathInputs<T>(1, 0), y = MathInputs<T>(2, 5);
    int n = static_cast<int>(x.size());
    auto device_x = Upload(x), device_y = Upload(y), out = Zeros<T>(n * std::size(kFunctions));
    Run(program, {1}, {128}, device_x.get(), device_y.get(), out.get(), n);
    std::vector<T> found = out.Values();
    for (size_t f = 0; f < std::size(kFunctions); f++) {
      if (IsBrokenInTheLibrary<T>(kFunctions[f].name)) continue;
      for (int i = 0; i < n; i++) {
        T expected = static_cast<T>(kFunctions[f].value(x[i], y[i])), got = found[f * n + i];
        EXPECT_LE(Steps(got, expected), IsExact(kFunctions[f].name) ? 0 : allowed)
            << kFunctions[f].name << "(" << static_cast<double>(x[i]) << ", " << static_cast<double>(y[i]) << ") is "
            << static_cast<double>(got) << " and not " << static_cast<double>(expected);
      }
    }
  }
};
// What OpenCL allows its functions is 16 steps at most; 16-bit ones round once.
TEST_P(FunctionPrograms, Singles) { Check<float>("math_f32", 16); }
TEST_P(FunctionPrograms, Doubles) { Check<double>("math_f64", 16); }
TEST_P(FunctionPrograms, Halves) { Check<_Float16>("math_f16", 2); }

INSTANTIATE_TEST_SUITE_P(Targets, FunctionPrograms, ::testing::Values(HIP_BUILDS("O3")), NameOfBuild);

// --- 16-bit floats

uint16_t BfloatOf(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if (x != x) return static_cast<uint16_t>(bits >> 16 | 64);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
float FloatOf(uint16_t bfloat) { return std::bit_cast<float>(uint32_t{bfloat} << 16); }

// Of sums, products and quotients that are rounded to float first, none here lies halfway between two results.
std::vector<double> Arithmetic(double a, double b) {
  return {a + b, a - b, a * b, a / b, -a, std::fmin(a, b), static_cast<double>(static_cast<int>(a))};
}

TEST_P(MathPrograms, HalfArithmetic) {
  Load("half_and_bfloat");
  Sequence random(3);
  const int n = 200;
  auto x = random.Many<_Float16>(n, [&] { return random.Sixteenths(40); });
  auto y = random.Many<_Float16>(n, [&] { return random.Between(1, 40) / 8.0; });
  auto device_x = Upload(x), device_y = Upload(y), out = Zeros<_Float16>(7 * n);
  Run("half_arithmetic", {2}, {128}, device_x.get(), device_y.get(), out.get(), n);
  std::vector<_Float16> found = out.Values();
  for (int i = 0; i < n; i++) {
    std::vector<double> expected = Arithmetic(x[i], y[i]);
    for (int op = 0; op < 7; op++) {
      EXPECT_EQ(static_cast<float>(found[op * n + i]), static_cast<float>(static_cast<_Float16>(expected[op])))
          << "operation " << op << " of " << static_cast<double>(x[i]) << " and " << static_cast<double>(y[i]);
    }
  }
}

TEST_P(MathPrograms, BfloatArithmetic) {
  Load("half_and_bfloat");
  Sequence random(4);
  const int n = 200;
  auto x = random.Many<uint16_t>(n, [&] { return BfloatOf(static_cast<float>(random.Sixteenths(40))); });
  auto y = random.Many<uint16_t>(n, [&] { return BfloatOf(random.Between(1, 40) / 8.0f); });
  auto device_x = Upload(x), device_y = Upload(y), out = Zeros<uint16_t>(7 * n);
  Run("bfloat_arithmetic", {2}, {128}, device_x.get(), device_y.get(), out.get(), n);
  std::vector<uint16_t> found = out.Values();
  for (int i = 0; i < n; i++) {
    std::vector<double> expected = Arithmetic(FloatOf(x[i]), FloatOf(y[i]));
    for (int op = 0; op < 7; op++) {
      EXPECT_EQ(FloatOf(found[op * n + i]), FloatOf(BfloatOf(static_cast<float>(expected[op]))))
          << "operation " << op << " of " << FloatOf(x[i]) << " and " << FloatOf(y[i]);
    }
  }
}

TEST_P(MathPrograms, Conversions) {
  Load("half_and_bfloat");
  Sequence random(5);
  int n = 300;
  auto values =
      random.Many<float>(n, [&] { return std::ldexp(random.Between(-1000000, 1000000), random.Between(-40, -4)); });
  auto in = Upload(values);
  auto halves = Zeros<_Float16>(n);
  auto bfloats = Zeros<uint16_t>(n);
  auto back = Zeros<float>(n);
  Run("convert", {3}, {128}, in.get(), halves.get(), bfloats.get(), back.get(), n);
  auto found_halves = halves.Values();
  auto found_bfloats = bfloats.Values();
  auto found_back = back.Values();
  for (int i = 0; i < n; i++) {
    EXPECT_EQ(static_cast<float>(found_halves[i]), static_cast<float>(static_cast<_Float16>(values[i])));
    EXPECT_EQ(found_bfloats[i], BfloatOf(values[i])) << values[i];
    EXPECT_EQ(found_back[i], static_cast<float>(found_halves[i]) + FloatOf(found_bfloats[i]));
  }
}

TEST_P(MathPrograms, PackedHalves) {
  Load("half_and_bfloat");
  Sequence random(6);
  const int n = 100;  // pairs
  auto a = random.Many<_Float16>(2 * n, [&] { return random.Sixteenths(4); });
  auto b = random.Many<_Float16>(2 * n, [&] { return random.Sixteenths(4); });
  auto c = random.Many<_Float16>(2 * n, [&] { return random.Sixteenths(4); });
  auto device_a = Upload(a), device_b = Upload(b), device_c = Upload(c);
  Run("half2_fma", {1}, {128}, device_a.get(), device_b.get(), device_c.get(), n);
  std::vector<_Float16> found = device_c.Values();
  for (int i = 0; i < 2 * n; i++) {
    double exact = static_cast<double>(a[i]) * static_cast<double>(b[i]) + static_cast<double>(c[i]);
    EXPECT_EQ(static_cast<float>(found[i]), static_cast<float>(static_cast<_Float16>(exact))) << i;
  }
}

// --- algorithms

class TransformPrograms : public HipProgramTest {};
TEST_P(TransformPrograms, FourierTransform) {
  Load("fourier_transform");
  Sequence random(7);
  constexpr int kCount = 256;
  using Complex = std::complex<float>;
  std::vector<Complex> values(2 * kCount);
  for (Complex& x : values) x = {static_cast<float>(random.Sixteenths(1)), static_cast<float>(random.Sixteenths(1))};
  auto in = Upload(values), out = Zeros<Complex>(2 * kCount);
  Run("fourier_transform", {2}, {kCount / 2}, in.get(), out.get());
  std::vector<Complex> found = out.Values();
  for (int block : {0, kCount}) {
    for (int k = 0; k < kCount; k += 5) {
      std::complex<double> sum = 0;
      for (int j = 0; j < kCount; j++) {
        sum += std::complex<double>(values[block + j]) * std::polar(1.0, -2 * std::numbers::pi * j * k / kCount);
      }
      EXPECT_NEAR(found[block + k].real(), sum.real(), 1e-3) << k;
      EXPECT_NEAR(found[block + k].imag(), sum.imag(), 1e-3) << k;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Targets, TransformPrograms, ::testing::Values(HIP_BUILDS("O3"), HIP_BUILDS("O0")),
                         NameOfBuild);

template <class T>
void ExpectAccelerations(const std::vector<T>& position, const std::vector<T>& found, double tolerance) {
  size_t n = position.size() / 3;
  for (size_t i = 0; i < n; i++) {
    double sum[3] = {};
    for (size_t j = 0; j < n; j++) {
      double d[3], square = 0.01;
      for (int k = 0; k < 3; k++) d[k] = double{position[3 * j + k]} - position[3 * i + k], square += d[k] * d[k];
      for (int k = 0; k < 3; k++) sum[k] += d[k] * std::pow(square, -1.5);
    }
    for (int k = 0; k < 3; k++) EXPECT_NEAR(found[3 * i + k], sum[k], tolerance) << "body " << i;
  }
}
TEST_P(MathPrograms, Bodies) {
  Load("nbody");
  Sequence random(8);
  constexpr int kBodies = 128;
  auto check = [&]<class T>(const char* kernel, T tolerance) {
    auto position = random.Many<T>(3 * kBodies, [&] { return random.Sixteenths(8); });
    auto in = Upload(position), out = Zeros<T>(3 * kBodies);
    Run(kernel, {2}, {64}, in.get(), out.get(), kBodies);
    ExpectAccelerations(position, out.Values(), tolerance);
  };
  check("nbody_f32", 1e-3f);
  check("nbody_f64", 1e-10);
}

// Known answers of the paper's authors: counter zero with key zero.
TEST_P(MathPrograms, RandomNumbers) {
  Load("random_numbers");
  auto out = Zeros<uint32_t>(4 * 256);
  Run("philox", {2}, {128}, out.get(), 0u, 0u);
  std::vector<uint32_t> found = out.Values();
  EXPECT_EQ(found[0], 0x6627e8d5u);
  EXPECT_EQ(found[1], 0xe169c58du);
  EXPECT_EQ(found[2], 0xbc57ac4cu);
  EXPECT_EQ(found[3], 0x9b00dbd8u);
  for (uint32_t thread = 1; thread < 256; thread++) {
    uint32_t c[4] = {thread, 0, 0, 0}, key[2] = {0, 0};
    for (int round = 0; round < 10; round++) {
      auto high = [](uint64_t x) { return static_cast<uint32_t>(x >> 32); };
      uint64_t a = uint64_t{0xd2511f53} * c[0], b = uint64_t{0xcd9e8d57} * c[2];
      uint32_t next[4] = {high(b) ^ c[1] ^ key[0], static_cast<uint32_t>(b), high(a) ^ c[3] ^ key[1],
                          static_cast<uint32_t>(a)};
      std::copy(next, next + 4, c);
      key[0] += 0x9e3779b9, key[1] += 0xbb67ae85;
    }
    for (int i = 0; i < 4; i++) EXPECT_EQ(found[4 * thread + i], c[i]) << "thread " << thread;
  }
}

TEST_P(MathPrograms, WideIntegers) {
  Load("wide_integers");
  Sequence random(9);
  const int n = 128;
  auto wide = [&] {
    int64_t x = static_cast<int64_t>(uint64_t{random.Word()} << 32 | random.Word()) >> random.Between(0, 60);
    return x == 0 ? int64_t{1} : x;
  };
  auto a = random.Many<int64_t>(n, wide), b = random.Many<int64_t>(n, wide);
  auto device_a = Upload(a), device_b = Upload(b), out = Zeros<int64_t>(9 * n);
  Run("divide", {1}, {n}, device_a.get(), device_b.get(), out.get(), n);
  std::vector<int64_t> found = out.Values();
  for (int i = 0; i < n; i++) {
    int64_t x = a[i], y = b[i];
    uint64_t ux = x, uy = y;
    const int64_t expected[] = {x / y,
                                x % y,
                                static_cast<int64_t>(ux / uy),
                                static_cast<int64_t>(ux % uy),
                                int64_t{static_cast<int32_t>(x)} / (static_cast<int32_t>(y) | 1),
                                static_cast<int64_t>(static_cast<unsigned __int128>(ux) * uy >> 64),
                                static_cast<int64_t>(static_cast<__int128>(x) * y >> 64),
                                static_cast<int64_t>(ux << (y & 63)),
                                x >> (y & 63)};
    for (int op = 0; op < 9; op++) EXPECT_EQ(found[op * n + i], expected[op]) << op << " of " << x << ", " << y;
  }
}
TEST_P(MathPrograms, CountedBits) {
  Load("wide_integers");
  Sequence random(10);
  const int n = 128;
  auto values = random.Many<uint64_t>(
      n, [&] { return (uint64_t{random.Word()} << 32 | random.Word()) >> random.Between(0, 63); });
  values[0] = 0, values[1] = ~uint64_t{0}, values[2] = uint64_t{1} << 32;
  auto in = Upload(values);
  auto out = Zeros<int>(8 * n);
  Run("count_bits", {1}, {n}, in.get(), out.get(), n);
  std::vector<int> found = out.Values();
  for (int i = 0; i < n; i++) {
    uint64_t x = values[i];
    uint32_t low = static_cast<uint32_t>(x), reversed = 0;
    for (int bit = 0; bit < 32; bit++) reversed |= (low >> bit & 1) << (31 - bit);
    uint32_t swapped = low >> 24 | (low >> 8 & 0xff00) | (low << 8 & 0xff0000) | low << 24;
    const int expected[] = {std::popcount(x),
                            std::countl_zero(x),
                            std::countr_zero(x),
                            std::countl_zero(low),
                            x == 0 ? 0 : std::countr_zero(x) + 1,
                            static_cast<int>(reversed),
                            static_cast<int>(swapped),
                            static_cast<int>(low >> 5 & 127)};
    for (int op = 0; op < 8; op++) EXPECT_EQ(found[op * n + i], expected[op]) << op << " of " << x;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, MathPrograms, ::testing::Values(HIP_BUILDS("O3")), NameOfBuild);

}  // namespace
}  // namespace rocxla::emu
