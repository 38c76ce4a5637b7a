// Fourier transforms as products with the matrix of roots of unity, on real and imaginary parts. A length that factors
// is transformed in two steps (Cooley and Tukey): with n = a b, j = j1 b + j2, k = k1 + a k2,
//   y[k1 + a k2] = sum over j2 of W_b^(j2 k2) W_n^(j2 k1) sum over j1 of W_a^(j1 k1) x[j1 b + j2],
// so the work is n (a + b + ..) products instead of n^2.
#include <cmath>
#include <numbers>
#include <optional>

#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

// The transformed dimension is the last. No imaginary part: the values are real.
struct Signal {
  HloInstruction* real = nullptr;
  HloInstruction* imag = nullptr;
};

// The factor of n next below its square root; 1 for primes, and for lengths that one product serves best.
int64_t FactorOf(int64_t n) {
  constexpr int64_t kDirect = 64;
  if (n <= kDirect) return 1;
  auto factor = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
  while (n % factor != 0) --factor;
  return factor;
}

class FftExpansion {
 public:
  explicit FftExpansion(HloInstruction* fft)
      : fft_(fft),
        w_(*fft->parent()),
        type_(fft->fft_type()),
        part_type_(fft->shape().element_type() == F64 || fft->shape().element_type() == C128 ? F64 : F32),
        sign_(type_ == FftType::kIfft || type_ == FftType::kIrfft ? 1 : -1) {}

  Status Run() {
    if (ShapeUtil::ElementsIn(fft_->shape()) == 0) {
      HloInstruction* zero = w_.Constant(Literal::Zeros(Shape::Scalar(fft_->shape().element_type())));
      return ReplaceExpanded(fft_, w_.Splat(zero, fft_->shape().dimensions()));
    }
    Signal signal = PartsOf(fft_->mutable_operand(0));
    const Dims& length = fft_->fft_length();
    const int64_t first = fft_->shape().rank() - static_cast<int64_t>(length.size());
    // The last dimension, which may be half a spectrum, is the first of a forward and the last of an inverse transform.
    for (size_t count = 0; count < length.size(); ++count) {
      const size_t i = sign_ > 0 ? count : length.size() - 1 - count;
      signal = AlongDimension(signal, first + static_cast<int64_t>(i), length[i], i == length.size() - 1);
    }
    if (type_ == FftType::kIrfft) return ReplaceExpanded(fft_, signal.real);
    const Shape shape = Shape::Array(fft_->shape().element_type(), fft_->shape().dimensions());
    return ReplaceExpanded(fft_,
                           w_.Add(HloInstruction::CreateBinary(shape, HloOpcode::kComplex, signal.real, signal.imag)));
  }

 private:
  Signal PartsOf(HloInstruction* value) {
    if (!IsComplex(value->shape().element_type())) return {value, nullptr};
    const Shape part = Shape::Array(part_type_, value->shape().dimensions());
    return {w_.Add(HloInstruction::CreateUnary(part, HloOpcode::kReal, value)),
            w_.Add(HloInstruction::CreateUnary(part, HloOpcode::kImag, value))};
  }

  Signal AlongDimension(Signal signal, int64_t dimension, int64_t n, bool is_last) {
    Dims order;
    for (int64_t d = 0; d < signal.real->shape().rank(); ++d) order.push_back(d);
    std::swap(order[dimension], order.back());  // its own inverse
    const auto swapped = [&](Signal s) -> Signal {
      return {w_.Transpose(s.real, order), s.imag == nullptr ? nullptr : w_.Transpose(s.imag, order)};
    };
    signal = swapped(signal);
    if (is_last && type_ == FftType::kIrfft) {
      signal = FromHalfSpectrum(signal, n);
    } else {
      const int64_t kept = is_last && type_ == FftType::kRfft ? n / 2 + 1 : n;
      signal = Transformed(signal, n);
      const auto cut = [&](HloInstruction* x) { return w_.Slice(x, x->shape().rank() - 1, 0, kept); };
      signal = {cut(signal.real), cut(signal.imag)};
      if (sign_ > 0) signal = {Scaled(signal.real, n), Scaled(signal.imag, n)};
    }
    return swapped(signal);
  }

  HloInstruction* Scaled(HloInstruction* x, int64_t n) {
    HloInstruction* factor = w_.Scalar(part_type_, 1.0 / static_cast<double>(n));
    return w_.Binary(HloOpcode::kMultiply, x, w_.Splat(factor, x->shape().dimensions()));
  }

  // A matrix [rows, columns] of f(row, column).
  template <class F>
  HloInstruction* Matrix(int64_t rows, int64_t columns, const F& f) {
    Literal matrix = Literal::Zeros(Shape::Array(part_type_, {rows, columns}));
    for (int64_t i = 0; i < rows * columns; ++i) matrix.SetFromDouble(i, f(i / columns, i % columns));
    return w_.Constant(std::move(matrix));
  }
  // cos and sin of 2 pi j k / n, with the argument reduced in integers.
  static double Cos(int64_t j, int64_t k, int64_t n) {
    return std::cos(2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
  }
  static double Sin(int64_t j, int64_t k, int64_t n) {
    return std::sin(2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
  }

  // [.., n] x [n, m] -> [.., m].
  HloInstruction* Product(HloInstruction* x, HloInstruction* matrix) {
    Dims dimensions = x->shape().dimensions();
    dimensions.back() = matrix->shape().dimensions(1);
    DotDimensionNumbers numbers;
    numbers.lhs_contracting_dimensions = {x->shape().rank() - 1};
    numbers.rhs_contracting_dimensions = {0};
    HloInstruction* dot =
        w_.Add(HloInstruction::CreateDot(Shape::Array(part_type_, dimensions), x, matrix, std::move(numbers)));
    dot->SetAttribute(AttributeId::kOperandPrecision, Verbatim{"{highest,highest}"});
    return dot;
  }
  HloInstruction* Sum(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kAdd, x, y); }
  HloInstruction* Difference(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kSubtract, x, y); }

  // y[k] = sum of x[j] exp(sign 2 pi i j k / n).
  Signal Transformed(Signal x, int64_t n) {
    if (const int64_t factor = FactorOf(n); factor > 1) return InTwoSteps(x, factor, n / factor);
    HloInstruction* cosines = Matrix(n, n, [&](int64_t j, int64_t k) { return Cos(j, k, n); });
    HloInstruction* sines = Matrix(n, n, [&](int64_t j, int64_t k) { return sign_ * Sin(j, k, n); });
    if (x.imag == nullptr) return {Product(x.real, cosines), Product(x.real, sines)};
    return {Difference(Product(x.real, cosines), Product(x.imag, sines)),
            Sum(Product(x.real, sines), Product(x.imag, cosines))};
  }

  // `f` on each part that there is.
  template <class F>
  static Signal Mapped(Signal x, const F& f) {
    return {f(x.real), x.imag == nullptr ? nullptr : f(x.imag)};
  }

  Signal InTwoSteps(Signal x, int64_t a, int64_t b) {
    const Dims outer(x.real->shape().dimensions().begin(), x.real->shape().dimensions().end() - 1);
    const auto rank = static_cast<int64_t>(outer.size());
    Dims flip;  // exchanges the last two dimensions
    for (int64_t d = 0; d < rank; ++d) flip.push_back(d);
    flip.insert(flip.end(), {rank + 1, rank});
    Dims split = outer;
    split.insert(split.end(), {a, b});
    // [j1, j2] -> [j2, j1] -> [j2, k1] -> twiddled -> [k1, j2] -> [k1, k2] -> [k2, k1]
    x = Mapped(x, [&](HloInstruction* part) { return w_.Transpose(w_.Reshape(part, split), flip); });
    x = Twiddled(Transformed(x, a), a, b);
    x = Mapped(x, [&](HloInstruction* part) { return w_.Transpose(part, flip); });
    x = Transformed(x, b);
    Dims joined = outer;
    joined.push_back(a * b);
    return Mapped(x, [&](HloInstruction* part) { return w_.Reshape(w_.Transpose(part, flip), joined); });
  }

  // [.., j2, k1] times exp(sign 2 pi i j2 k1 / (a b)).
  Signal Twiddled(Signal x, int64_t a, int64_t b) {
    const int64_t rank = x.real->shape().rank();
    const auto spread = [&](HloInstruction* matrix) {
      return w_.Broadcast(matrix, x.real->shape().dimensions(), {rank - 2, rank - 1});
    };
    HloInstruction* cosines = spread(Matrix(b, a, [&](int64_t j, int64_t k) { return Cos(j, k, a * b); }));
    HloInstruction* sines = spread(Matrix(b, a, [&](int64_t j, int64_t k) { return sign_ * Sin(j, k, a * b); }));
    const auto times = [&](HloInstruction* p, HloInstruction* q) { return w_.Binary(HloOpcode::kMultiply, p, q); };
    return {Difference(times(x.real, cosines), times(x.imag, sines)),
            Sum(times(x.real, sines), times(x.imag, cosines))};
  }

  // The n real values whose spectrum begins with these n / 2 + 1 numbers; each but the first (and, for an even n, the
  // last) stands for its conjugate too.
  Signal FromHalfSpectrum(Signal x, int64_t n) {
    const int64_t half = n / 2 + 1;
    const auto weight = [&](int64_t k) { return (k == 0 || 2 * k == n ? 1.0 : 2.0) / static_cast<double>(n); };
    HloInstruction* cosines = Matrix(half, n, [&](int64_t k, int64_t j) { return weight(k) * Cos(j, k, n); });
    HloInstruction* sines = Matrix(half, n, [&](int64_t k, int64_t j) { return weight(k) * Sin(j, k, n); });
    return {Difference(Product(x.real, cosines), Product(x.imag, sines)), nullptr};
  }

  HloInstruction* fft_;
  GraphWriter w_;
  FftType type_;
  PrimitiveType part_type_;
  int sign_;  // of the exponent
};

Status Expand(HloInstruction* fft) { return FftExpansion(fft).Run(); }

}  // namespace

StatusOr<Changed> FftExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kFft, &Expand);
}

}  // namespace xla
