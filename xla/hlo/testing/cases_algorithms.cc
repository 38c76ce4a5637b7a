// Whole algorithms, by their definitions.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/ir/float_format.h"
#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

Value Real0(PrimitiveType type, Complex z) { return {.re = z.re, .im = IsComplex(type) ? z.im : 0}; }

// n x n: `diagonal` on the diagonal; elsewhere 1, or 1, -1, i, -i where the type has them. Hermitian if asked for.
Array MatrixWithDiagonal(PrimitiveType type, int64_t n, double diagonal, bool hermitian) {
  const bool has_sign = !IsFloat(type) || FloatFormatOf(type).HasSign();
  const auto off_diagonal = [=](int64_t i, int64_t j) -> Complex {
    if ((i + j) % 3 == 0 || !has_sign) return {1, 0};
    if (IsComplex(type) && (i + j) % 3 == 1) return {0, 1};
    return {-1, 0};
  };
  return MakeArray(type, {n, n}, [&](const Dims& i) {
    if (i[0] == i[1]) return Value::Float(diagonal);
    if (hermitian && i[0] < i[1]) return Value::Of(Conjugate(off_diagonal(i[1], i[0])));
    return Value::Of(off_diagonal(i[0], i[1]));
  });
}

}  // namespace

// Column by column, each subtracted from what is left of the matrix.
void CholeskyCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  constexpr int64_t n = 4;
  for (const bool lower : {true, false}) {
    OpcodeCase one = OneLine(opcode, type, type, {n, n}, Call(opcode, 1) + fmt::format(", lower={}", lower));
    one.variant = fmt::format("lower={}", lower);
    one.accuracy = {.ulps = 4, .of_largest = true};
    one.inputs = {Encode(MatrixWithDiagonal(type, n, 4, true))};
    one.formula = OneResult([=](std::span<const Array> x) {
      Array rest = x[0];
      Array factor = MakeArray(type, {n, n}, [](const Dims&) { return Value{}; });
      for (int64_t j = 0; j < n; ++j) {
        const Real root = sqrtf128(At(rest, {j, j}).re);
        std::vector<Complex> column(n);
        for (int64_t i = j; i < n; ++i) column[i] = At(rest, {i, j}).complex() / Complex{root, 0};
        for (int64_t i = j; i < n; ++i) {
          for (int64_t k = j; k < n; ++k) {
            Value& left = rest[i * n + k];
            left = Value::Of(left.complex() - column[i] * Conjugate(column[k]));
          }
          factor[lower ? i * n + j : j * n + i] = Real0(type, lower ? column[i] : Conjugate(column[i]));
        }
      }
      return factor;
    });
    out.push_back(std::move(one));
  }
}

namespace {

struct Solve {
  bool left, lower, unit;
  std::string_view transpose;
};

// op(a)[i][j], with only the triangle that the attributes name.
Complex TriangleAt(const Array& a, const Solve& solve, int64_t i, int64_t j) {
  const bool transposed = solve.transpose != "NO_TRANSPOSE";
  const int64_t row = transposed ? j : i, column = transposed ? i : j;
  if (row == column && solve.unit) return {1, 0};
  if (solve.lower ? row < column : row > column) return {};
  const Complex value = At(a, {row, column}).complex();
  return solve.transpose == "ADJOINT" ? Conjugate(value) : value;
}

// The inverse of an n x n triangle, by Gauss and Jordan.
std::vector<std::vector<Complex>> Inverse(const Array& a, const Solve& solve, int64_t n) {
  std::vector<std::vector<Complex>> left(n, std::vector<Complex>(n)), inverse = left;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) left[i][j] = TriangleAt(a, solve, i, j);
    inverse[i][i] = {1, 0};
  }
  for (int64_t pivot = 0; pivot < n; ++pivot) {
    const Complex scale = left[pivot][pivot];
    for (int64_t j = 0; j < n; ++j) {
      left[pivot][j] = left[pivot][j] / scale;
      inverse[pivot][j] = inverse[pivot][j] / scale;
    }
    for (int64_t i = 0; i < n; ++i) {
      const Complex factor = left[i][pivot];
      for (int64_t j = 0; j < n && i != pivot; ++j) {
        left[i][j] = left[i][j] - factor * left[pivot][j];
        inverse[i][j] = inverse[i][j] - factor * inverse[pivot][j];
      }
    }
  }
  return inverse;
}

}  // namespace

void TriangularSolveCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  constexpr int64_t n = 4, others = 3;
  static constexpr Solve kSolves[] = {{true, true, false, "NO_TRANSPOSE"},
                                      {true, false, true, "NO_TRANSPOSE"},
                                      {false, true, false, "TRANSPOSE"},
                                      {false, false, false, "ADJOINT"}};
  for (const Solve& solve : kSolves) {
    const Dims dims = solve.left ? Dims{n, others} : Dims{others, n};
    const std::string attributes = fmt::format("left_side={}, lower={}, unit_diagonal={}, transpose_a={}", solve.left,
                                               solve.lower, solve.unit, solve.transpose);
    OpcodeCase one = OneLine(opcode, type, type, dims, Call(opcode, 2) + ", " + attributes);
    one.variant = attributes;
    one.accuracy = {.ulps = 4, .of_largest = true};
    one.inputs = {Encode(MatrixWithDiagonal(type, n, 4, false)), Encode(ModerateArray(type, dims, 2))};
    one.formula = OneResult([=, &solve](std::span<const Array> x) {
      const auto inverse = Inverse(x[0], solve, n);
      return MakeArray(type, dims, [&](const Dims& i) {
        Complex sum;
        for (int64_t k = 0; k < n; ++k) {
          sum = sum + (solve.left ? inverse[i[0]][k] * At(x[1], {k, i[1]}).complex()
                                  : At(x[1], {i[0], k}).complex() * inverse[k][i[1]]);
        }
        return Real0(type, sum);
      });
    });
    out.push_back(std::move(one));
  }
}

namespace {

Complex Root(int64_t power, int64_t n, int sign) {
  const Real angle = sign * 8 * atan2f128(1, 1) * static_cast<Real>(power % n) / static_cast<Real>(n);
  return {cosf128(angle), sinf128(angle)};
}

// Sum over j0, j1 of x[j0, j1] exp(sign 2 pi i (j0 k0 / n0 + j1 k1 / n1)).
Complex Transformed(const std::function<Complex(int64_t, int64_t)>& x, const Dims& n, const Dims& k, int sign) {
  Complex sum;
  ForEachIndex(n, [&](const Dims& j) {
    sum = sum + x(j[0], j[1]) * Root(j[0] * k[0], n[0], sign) * Root(j[1] * k[1], n[1], sign);
  });
  return sum;
}

}  // namespace

// Over {3, 10}, in two dimensions.
void FftCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  const bool wide = type == F64 || type == C128;
  const PrimitiveType complex = wide ? C128 : C64, real = wide ? F64 : F32;
  const Dims n = {3, 10};
  for (const std::string fft : {"FFT", "IFFT", "RFFT", "IRFFT"}) {
    const bool from_real = fft == "RFFT", to_real = fft == "IRFFT", inverse = fft == "IFFT" || to_real;
    if (IsComplex(type) == from_real) continue;
    const PrimitiveType result = to_real ? real : complex;
    const Dims operand = to_real ? Dims{3, 6} : n, result_dims = from_real ? Dims{3, 6} : n;
    OpcodeCase one =
        OneLine(opcode, type, result, result_dims, fmt::format("fft(@0), fft_type={}, fft_length={{3,10}}", fft));
    one.variant = fft;
    one.accuracy = {.ulps = 4, .of_largest = true};
    if (IsFloat(type) && type != F32 && type != F64) one.refused = "a transform is of f32, f64, c64 or c128";
    Array input = ModerateArray(type, operand, 1);
    one.inputs = {Encode(input)};
    one.formula = OneResult([=](std::span<const Array> x) {
      const auto element = [&](int64_t i, int64_t j) {
        if (!to_real || j < 6) return At(x[0], {i, j}).complex();
        return Conjugate(At(x[0], {(3 - i) % 3, 10 - j}).complex());  // the half that a real result makes redundant
      };
      return MakeArray(result, result_dims, [&](const Dims& k) {
        Complex sum = Transformed(element, n, k, inverse ? 1 : -1);
        if (inverse) sum = sum / Complex{30, 0};
        return Real0(result, sum);
      });
    });
    out.push_back(std::move(one));
  }
}

// --- batch normalisation of {2, 3, 4} with 3 features

namespace {

constexpr double kEpsilon = 0.125;

struct Statistics {
  std::vector<Real> mean, variance;
};
const Dims kBatch = {2, 3, 4};

Statistics StatisticsOf(const Array& x) {
  Statistics s{std::vector<Real>(3), std::vector<Real>(3)};
  ForEachIndex(kBatch, [&](const Dims& i) { s.mean[i[1]] += At(x, i).re / 8; });
  ForEachIndex(kBatch, [&](const Dims& i) {
    const Real distance = At(x, i).re - s.mean[i[1]];
    s.variance[i[1]] += distance * distance / 8;
  });
  return s;
}

Array Vector(PrimitiveType type, const std::vector<Real>& values) {
  Array array{type, {3}, {}};
  for (const Real value : values) array.values.push_back(Value::Float(value));
  return array;
}

std::vector<Real> Reals(const Array& array) {
  std::vector<Real> values;
  for (const Value& value : array.values) values.push_back(value.re);
  return values;
}

Array Normalized(const Array& x, const std::vector<Real>& scale, const std::vector<Real>& offset, const Statistics& s) {
  return MakeArray(x.type, kBatch, [&](const Dims& i) {
    const int64_t f = i[1];
    return Value::Float((At(x, i).re - s.mean[f]) / sqrtf128(s.variance[f] + kEpsilon) * scale[f] + offset[f]);
  });
}

// The derivatives of sum(g * Normalized(x)) by x, scale and offset, where mean and variance depend on x.
std::vector<Array> Gradients(std::span<const Array> in) {
  const PrimitiveType type = in[0].type;
  const Array &x = in[0], &g = in[4];
  const std::vector<Real> scale = Reals(in[1]), mean = Reals(in[2]), variance = Reals(in[3]);
  std::vector<Real> by_scale(3), by_offset(3), by_variance(3), by_mean(3);
  ForEachIndex(kBatch, [&](const Dims& i) {
    const int64_t f = i[1];
    const Real deviation = sqrtf128(variance[f] + kEpsilon), centred = At(x, i).re - mean[f];
    by_scale[f] += At(g, i).re * centred / deviation;
    by_offset[f] += At(g, i).re;
    by_variance[f] += At(g, i).re * scale[f] * centred * Real{-0.5} / (deviation * deviation * deviation);
    by_mean[f] -= At(g, i).re * scale[f] / deviation;
  });
  // y by x directly, by way of the variance (2 (x - mean) / n) and of the mean (1 / n).
  const Array by_x = MakeArray(type, kBatch, [&](const Dims& i) {
    const int64_t f = i[1];
    return Value::Float(At(g, i).re * scale[f] / sqrtf128(variance[f] + kEpsilon) +
                        by_variance[f] * 2 * (At(x, i).re - mean[f]) / 8 + by_mean[f] / 8);
  });
  return {by_x, Vector(type, by_scale), Vector(type, by_offset)};
}

}  // namespace

void BatchNormCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  const std::string batch = ShapeText(type, kBatch), vector = ShapeText(type, {3});
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  one.accuracy = {.ulps = 8, .of_largest = true};
  one.inputs = {Encode(ModerateArray(type, kBatch, 1)), Encode(ModerateArray(type, {3}, 2))};
  const Array variances = MakeArray(type, {3}, [&](const Dims& i) { return Value::Float(i[0] == 1 ? 4 : 2); });
  const bool inference = opcode == HloOpcode::kBatchNormInference, grad = opcode == HloOpcode::kBatchNormGrad;
  if (!grad) one.inputs.push_back(Encode(ModerateArray(type, {3}, 3)));
  if (inference || grad) {
    one.inputs.push_back(Encode(ModerateArray(type, {3}, 4)));
    one.inputs.push_back(Encode(variances));
  }
  if (grad) one.inputs.push_back(Encode(ModerateArray(type, kBatch, 5)));
  one.body = fmt::format("  @r = {} {}, epsilon={}, feature_index=1",
                         inference ? batch : fmt::format("({0}, {1}, {1})", batch, vector),
                         Call(opcode, static_cast<int>(one.inputs.size())), kEpsilon);
  if (grad) {
    one.formula = Gradients;
  } else if (inference) {
    one.formula = OneResult([](std::span<const Array> x) {
      return Normalized(x[0], Reals(x[1]), Reals(x[2]), {Reals(x[3]), Reals(x[4])});
    });
  } else {
    one.formula = [type](std::span<const Array> x) {
      const Statistics s = StatisticsOf(x[0]);
      return std::vector<Array>{Normalized(x[0], Reals(x[1]), Reals(x[2]), s), Vector(type, s.mean),
                                Vector(type, s.variance)};
    };
  }
  out.push_back(std::move(one));
}

}  // namespace xla::opcode_cases
