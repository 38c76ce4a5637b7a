// Literals as vectors of the few types that the evaluator computes in.
#pragma once
#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "xla/hlo/ir/literal.h"

namespace xla::evaluator {

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

// int64_t: the signed types; uint64_t: the unsigned ones and pred; float: f32 and all smaller floats; double: f64.
template <class T>
concept AnyInteger = std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t>;
template <class T>
concept AnyFloat = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
concept AnyComplex = kIsComplex<T>;

template <class T>
struct TypeTag {
  using type = T;
};

// Calls f(TypeTag<T>()) with the type in which elements of `type` are computed.
template <class F>
auto WithComputeType(PrimitiveType type, const F& f) {
  switch (TypeClassOf(type)) {
    case TypeClass::kSigned:
      return f(TypeTag<int64_t>());
    case TypeClass::kFloat:
      return type == F64 ? f(TypeTag<double>()) : f(TypeTag<float>());
    case TypeClass::kComplex:
      return type == C128 ? f(TypeTag<std::complex<double>>()) : f(TypeTag<std::complex<float>>());
    case TypeClass::kPred:
    case TypeClass::kUnsigned:
    case TypeClass::kOther:
      break;
  }
  return f(TypeTag<uint64_t>());
}

template <class T>
std::vector<T> ValuesOf(const Literal& literal) {
  const int64_t count = literal.element_count();
  std::vector<T> values(count);
  if (sizeof(T) == ByteWidth(literal.shape().element_type())) {  // f32, f64, s64, u64, c64, c128: the same bytes
    if (count > 0) std::memcpy(values.data(), literal.bytes().data(), count * sizeof(T));
    return values;
  }
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (AnyInteger<T>) {
      values[i] = static_cast<T>(literal.GetAsInt64(i));
    } else if constexpr (AnyFloat<T>) {
      values[i] = static_cast<T>(literal.GetAsDouble(i));
    }
  }
  return values;
}

// Rounds or wraps each value to the shape's element type.
template <class T>
Literal LiteralOf(const Shape& shape, const std::vector<T>& values) {
  Literal literal = Literal::Zeros(shape);
  if (sizeof(T) == ByteWidth(shape.element_type())) {
    if (!values.empty()) std::memcpy(literal.mutable_bytes().data(), values.data(), values.size() * sizeof(T));
    return literal;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if constexpr (AnyInteger<T>) {
      literal.SetFromInt64(static_cast<int64_t>(i), static_cast<int64_t>(values[i]));
    } else if constexpr (AnyFloat<T>) {
      literal.SetFromDouble(static_cast<int64_t>(i), values[i]);
    }
  }
  return literal;
}

// What sums of products of T are kept in: integers modulo 2^64, floats in double, complex numbers in complex<double>.
template <class T>
using SumOf =
    std::conditional_t<AnyInteger<T>, uint64_t, std::conditional_t<AnyComplex<T>, std::complex<double>, double>>;

// Such a sum as a value of type R.
template <class T, class R>
R FromSum(const SumOf<T>& sum) {
  if constexpr (std::is_same_v<T, int64_t>) {
    return static_cast<R>(static_cast<int64_t>(sum));  // its sign counts if R is a float
  } else {
    return static_cast<R>(sum);
  }
}

// Counts through all indices of an array in row-major order. Starts at zeros; Next() is false behind the last.
class IndexCounter {
 public:
  explicit IndexCounter(const std::vector<int64_t>& dimensions)
      : dimensions_(dimensions), index_(dimensions.size(), 0) {}
  const std::vector<int64_t>& index() const { return index_; }
  bool Next() {
    for (size_t d = dimensions_.size(); d-- > 0;) {
      if (++index_[d] < dimensions_[d]) return true;
      index_[d] = 0;
    }
    return false;
  }

 private:
  std::vector<int64_t> dimensions_;
  std::vector<int64_t> index_;
};

}  // namespace xla::evaluator
