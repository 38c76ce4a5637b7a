// Whole algorithms (fft, cholesky, triangular-solve), custom calls, and facts about shapes and devices.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"

namespace xla::evaluator {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> ComplexValuesOf(const Literal& literal) {
  std::vector<Complex> values;
  WithComputeType(literal.shape().element_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (const T& value : ValuesOf<T>(literal)) values.push_back(static_cast<Complex>(value));
  });
  return values;
}

Literal LiteralOfComplex(const Shape& shape, const std::vector<Complex>& values) {
  return WithComputeType(shape.element_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::vector<T> narrowed;
    for (const Complex& value : values) {
      if constexpr (AnyComplex<T>) {
        narrowed.push_back(static_cast<T>(value));
      } else {
        narrowed.push_back(static_cast<T>(value.real()));
      }
    }
    return LiteralOf(shape, narrowed);
  });
}

// The discrete Fourier transform by its definition: y[k] = sum of x[j] exp(sign 2 pi i j k / n).
std::vector<Complex> Transformed(const std::vector<Complex>& x, int sign) {
  const auto n = static_cast<int64_t>(x.size());
  std::vector<Complex> roots(x.size());
  for (int64_t i = 0; i < n; ++i) {
    const double angle = sign * 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    roots[i] = {std::cos(angle), std::sin(angle)};
  }
  std::vector<Complex> y(x.size());
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t j = 0; j < n; ++j) y[k] += x[j] * roots[j * k % n];
  }
  return y;
}

// A dense array of complex numbers that is transformed one dimension at a time.
struct ComplexArray {
  std::vector<int64_t> dimensions;
  std::vector<Complex> values;

  int64_t StrideOf(size_t dimension) const {
    int64_t stride = 1;
    for (size_t d = dimension + 1; d < dimensions.size(); ++d) stride *= dimensions[d];
    return stride;
  }

  // Replaces each line along `dimension` by f(line), which may be of another length, `new_size`.
  template <class F>
  void MapLines(size_t dimension, int64_t new_size, const F& f) {
    const int64_t stride = StrideOf(dimension);
    const int64_t size = dimensions[dimension];
    const int64_t lines = static_cast<int64_t>(values.size()) / std::max<int64_t>(size, 1);
    std::vector<Complex> mapped(lines * new_size);
    for (int64_t line = 0; line < lines; ++line) {
      const int64_t outer = line / stride;
      const int64_t inner = line % stride;
      std::vector<Complex> x(size);
      for (int64_t i = 0; i < size; ++i) x[i] = values[(outer * size + i) * stride + inner];
      const std::vector<Complex> y = f(x);
      for (int64_t i = 0; i < new_size; ++i) mapped[(outer * new_size + i) * stride + inner] = y[i];
    }
    dimensions[dimension] = new_size;
    values = std::move(mapped);
  }
};

// The n values of a real signal's spectrum from its first n/2+1: the others are their conjugates.
std::vector<Complex> FullSpectrum(const std::vector<Complex>& half, int64_t n) {
  std::vector<Complex> full(n);
  for (int64_t i = 0; i < n; ++i) full[i] = i <= n / 2 ? half[i] : std::conj(half[n - i]);
  return full;
}

// Calls f(the number of the first element of a matrix) for each n x n (rows x columns) matrix of a stack.
template <class F>
void ForEachMatrix(const Shape& shape, const F& f) {
  const int64_t elements = shape.dimensions(shape.rank() - 1) * shape.dimensions(shape.rank() - 2);
  for (int64_t first = 0; elements > 0 && first < ShapeUtil::ElementsIn(shape); first += elements) f(first);
}

// In place: the lower factor L of a = L L^H, from a's lower triangle; the rest becomes 0. NaN where there is none.
void FactorCholesky(Complex* a, int64_t n) {
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = j; i < n; ++i) {
      Complex sum = a[i * n + j];
      for (int64_t k = 0; k < j; ++k) sum -= a[i * n + k] * std::conj(a[j * n + k]);
      a[i * n + j] = i == j ? Complex(std::sqrt(sum.real())) : sum / a[j * n + j];
    }
    for (int64_t i = 0; i < j; ++i) a[i * n + j] = 0;
  }
}

// The conjugate transpose, in place.
void Adjoin(Complex* a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      std::swap(a[i * n + j], a[j * n + i]);
      a[i * n + j] = std::conj(a[i * n + j]);
      a[j * n + i] = std::conj(a[j * n + i]);
    }
    a[i * n + i] = std::conj(a[i * n + i]);
  }
}

struct Triangle {
  bool lower, unit_diagonal;
  TriangularSolveTranspose transpose;
};

// Element (i, j) of op(a).
Complex ElementOf(const Complex* a, int64_t n, const Triangle& triangle, int64_t i, int64_t j) {
  if (i == j && triangle.unit_diagonal) return 1;
  if (triangle.transpose == TriangularSolveTranspose::kNoTranspose) return a[i * n + j];
  const Complex value = a[j * n + i];
  return triangle.transpose == TriangularSolveTranspose::kAdjoint ? std::conj(value) : value;
}

// x with op(a) x = x's old value (is_left), or x op(a) = it, for one vector with the given step between its elements.
void SolveOne(const Complex* a, int64_t n, const Triangle& triangle, bool is_left, Complex* x, int64_t step) {
  // A right-hand system is a left-hand one of the transposed matrix. Forward substitution if that is lower.
  const bool op_is_lower = triangle.lower == (triangle.transpose == TriangularSolveTranspose::kNoTranspose);
  const bool forward = op_is_lower == is_left;
  for (int64_t count = 0; count < n; ++count) {
    const int64_t i = forward ? count : n - 1 - count;
    Complex sum = x[i * step];
    for (int64_t done = 0; done < count; ++done) {
      const int64_t j = forward ? done : n - 1 - done;
      sum -= (is_left ? ElementOf(a, n, triangle, i, j) : ElementOf(a, n, triangle, j, i)) * x[j * step];
    }
    x[i * step] = sum / ElementOf(a, n, triangle, i, i);
  }
}

// The same values with the layout that the instruction declares.
Literal WithShapeOf(const HloInstruction& instruction, Literal value) {
  if (ShapeUtil::Compatible(value.shape(), instruction.shape())) value.set_shape(instruction.shape());
  return value;
}

}  // namespace

StatusOr<Literal> Eval_kFft(const HloInstruction& instruction, Operands operands) {
  const FftType type = instruction.fft_type();
  const std::vector<int64_t>& length = instruction.fft_length();
  if (ShapeUtil::ElementsIn(instruction.shape()) == 0) return Literal::Zeros(instruction.shape());
  const int64_t elements = std::max(operands[0]->element_count(), ShapeUtil::ElementsIn(instruction.shape()));
  for (const int64_t n : length) RETURN_IF_ERROR(CheckSteps(instruction, std::array{elements, n}));
  ComplexArray array{operands[0]->shape().dimensions(), ComplexValuesOf(*operands[0])};
  const size_t first = array.dimensions.size() - length.size();
  const bool is_inverse = type == FftType::kIfft || type == FftType::kIrfft;
  // The last dimension, which may be half a spectrum, is the first of a forward and the last of an inverse transform.
  for (size_t count = 0; count < length.size(); ++count) {
    const size_t i = is_inverse ? count : length.size() - 1 - count;
    const bool is_last = i == length.size() - 1;
    const int64_t n = length[i];
    const int64_t new_size = instruction.shape().dimensions(static_cast<int64_t>(first + i));
    array.MapLines(first + i, new_size, [&](const std::vector<Complex>& line) {
      std::vector<Complex> y =
          Transformed(type == FftType::kIrfft && is_last ? FullSpectrum(line, n) : line, is_inverse ? 1 : -1);
      if (is_inverse) {
        for (Complex& value : y) value /= static_cast<double>(n);
      }
      return y;
    });
  }
  return LiteralOfComplex(instruction.shape(), array.values);
}

StatusOr<Literal> Eval_kCholesky(const HloInstruction& instruction, Operands operands) {
  const int64_t n = instruction.shape().dimensions().back();
  RETURN_IF_ERROR(CheckSteps(instruction, std::array{ShapeUtil::ElementsIn(instruction.shape()), n}));
  std::vector<Complex> values = ComplexValuesOf(*operands[0]);
  const bool lower = instruction.attributes().Get<bool>(AttributeId::kLower);
  ForEachMatrix(instruction.shape(), [&](int64_t matrix) {
    if (!lower) Adjoin(&values[matrix], n);
    FactorCholesky(&values[matrix], n);
    if (!lower) Adjoin(&values[matrix], n);
  });
  return LiteralOfComplex(instruction.shape(), values);
}

StatusOr<Literal> Eval_kTriangularSolve(const HloInstruction& instruction, Operands operands) {
  const AttributeSet& attributes = instruction.attributes();
  const int64_t unknowns = operands[0]->shape().dimensions().back();
  RETURN_IF_ERROR(CheckSteps(instruction, std::array{operands[1]->element_count(), unknowns}));
  const std::vector<Complex> a = ComplexValuesOf(*operands[0]);
  std::vector<Complex> x = ComplexValuesOf(*operands[1]);
  const bool is_left = attributes.Get<bool>(AttributeId::kLeftSide);
  const Triangle triangle{.lower = attributes.Get<bool>(AttributeId::kLower),
                          .unit_diagonal = attributes.Get<bool>(AttributeId::kUnitDiagonal),
                          .transpose = attributes.Get<TriangularSolveTranspose>(AttributeId::kTransposeA)};
  const Shape& shape = instruction.shape();
  const int64_t rows = shape.dimensions(shape.rank() - 2);
  const int64_t columns = shape.dimensions(shape.rank() - 1);
  const int64_t n = is_left ? rows : columns;
  ForEachMatrix(shape, [&](int64_t matrix) {
    const Complex* triangle_matrix = a.data() + matrix / (rows * columns) * n * n;
    for (int64_t i = 0; i < (is_left ? columns : rows); ++i) {
      Complex* const first = &x[matrix + (is_left ? i : i * columns)];
      SolveOne(triangle_matrix, n, triangle, is_left, first, is_left ? columns : 1);
    }
  });
  return LiteralOfComplex(shape, x);
}

StatusOr<Literal> Eval_kGetDimensionSize(const HloInstruction& instruction, Operands operands) {
  Literal size = Literal::Zeros(instruction.shape());
  size.SetFromInt64(0, operands[0]->shape().dimensions(instruction.dimensions()[0]));
  return size;
}

StatusOr<Literal> Eval_kOptimizationBarrier(const HloInstruction& instruction, Operands operands) {
  return WithShapeOf(instruction, *operands[0]);
}

StatusOr<Literal> Eval_kCustomCall(const HloInstruction& instruction, Operands operands) {
  const std::string target = instruction.custom_call_target();
  const bool only_annotates = target == "Sharding" && operands.size() == 1;
  if (only_annotates && ShapeUtil::Compatible(operands[0]->shape(), instruction.shape())) {
    return WithShapeOf(instruction, *operands[0]);
  }
  return NotEvaluable(instruction, fmt::format("the evaluator does not know the custom call '{}'", target));
}

}  // namespace xla::evaluator
