// Arrays of exact values: what formulas compute with. Nothing here uses the conversions of Literal.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "xla/hlo/ir/literal.h"
#include "xla/hlo/testing/quad.h"

namespace xla::opcode_cases {

// One element: `integer` of integers and pred (0 or 1), `re` of floats, both parts of complex numbers.
struct Value {
  Integer integer = 0;
  Real re = 0, im = 0;

  static Value Int(Integer i) { return {.integer = i}; }
  static Value Float(Real x) { return {.re = x}; }
  static Value Of(Complex z) { return {.re = z.re, .im = z.im}; }
  Complex complex() const { return {re, im}; }
};

struct Array {
  PrimitiveType type = PRED;
  std::vector<int64_t> dims;
  std::vector<Value> values;  // row-major

  const Value& operator[](int64_t i) const { return values[i]; }
  Value& operator[](int64_t i) { return values[i]; }
  int64_t size() const { return static_cast<int64_t>(values.size()); }
};

using Dims = std::vector<int64_t>;

int64_t Product(const Dims& dims);
// An array with each value formula(its index).
Array MakeArray(PrimitiveType type, const Dims& dims, const std::function<Value(const Dims&)>& formula);
// The row-major number of an element.
int64_t Place(const Dims& dims, const Dims& index);
inline const Value& At(const Array& array, const Dims& index) { return array[Place(array.dims, index)]; }
// Calls f for every index, row-major.
void ForEachIndex(const Dims& dims, const std::function<void(const Dims&)>& f);

// The bits of one real element, and back. To a code: integers wrap, pred is value != 0, floats round to nearest, ties
// to even; for types of up to 16 bits by looking for the nearest of all values of the type.
Value ValueOfCode(PrimitiveType real_type, uint64_t code);
uint64_t CodeOf(PrimitiveType real_type, const Value& value);
// The value that `x` becomes when it is stored.
Value Rounded(PrimitiveType type, const Value& x);

Array Decode(const Literal& literal);
Literal Encode(const Array& array);
// Complex numbers take two codes each.
Literal FromCodes(PrimitiveType type, const Dims& dims, const std::vector<uint64_t>& codes);

// How far a result may be from the formula: in units in the last place of the type that the evaluator computes in (f64
// for f64 and c128, else f32), after which both ends are rounded to the result's type. 0: the same bits, any NaN for
// NaN.
struct Accuracy {
  double ulps = 0;
  // Units of the array's largest value (what sums are compared with) instead of the element's own.
  bool of_largest = false;
};

// Nothing if `got` is `want` up to `accuracy`; else the first difference.
std::optional<std::string> Difference(const Literal& got, const Array& want, const Accuracy& accuracy);

// --- inputs

// Codes of interest: all of them up to 8 bits; else zeros, ones, halves, the limits, infinities, NaNs, subnormals and
// their neighbours, and `random` more. Real types.
std::vector<uint64_t> InterestingCodes(PrimitiveType type, int random);
// Fewer of them, for all pairs.
std::vector<uint64_t> FewCodes(PrimitiveType type);
// A vector of a real type.
Literal VectorOf(PrimitiveType type, const std::vector<uint64_t>& codes);
// A vector of finite points of the complex plane, up to about 8 from zero; `off_axes`: none on an axis.
Literal ComplexPoints(PrimitiveType type, bool off_axes);
// The code of a small number, as near as the type has it; of complex types, of its parts.
uint64_t CodeOfNumber(PrimitiveType type, double number);
// Random values of moderate size (|x| about 1 to 8, as far as the type goes), also negative ones where there are.
// `seed` makes them.
Array ModerateArray(PrimitiveType type, const Dims& dims, uint64_t seed);
// Values for sums of a dozen that are exact in any order: few of them are 1 or -1, the others 0. Integers are random.
Array SparseOnes(PrimitiveType type, const Dims& dims, uint64_t seed);
// Not for the type without zero, which has no sum but of equal numbers.
inline bool HasExactSums(PrimitiveType type) { return type != F8E8M0FNU; }
// Values for exact products: 1 and -1 (powers of two where there is no sign). Integers are random.
Array Signs(PrimitiveType type, const Dims& dims, uint64_t seed);

}  // namespace xla::opcode_cases
