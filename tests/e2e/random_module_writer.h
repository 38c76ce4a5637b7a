// The pieces that random modules are made of; see random_module.h. Every piece takes values that are there, and adds
// one or nothing. Bounds and errors of floating-point values are known throughout.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/e2e/random_module.h"
#include "xla/hlo/ir/primitive_type.h"

namespace xla::testing {

using Dims = std::vector<int64_t>;

struct Value {
  std::string name;
  PrimitiveType type = F32;
  Dims dims;
  double bound = 0;  // of the magnitude; floating-point only
  double error = 0;  // of two right answers; 0: exact (floating-point numbers are integers then)

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  bool exact() const { return error == 0; }
};

int64_t ElementsOf(const Dims& dims);
std::string ShapeText(PrimitiveType type, const Dims& dims);
// Up to this magnitude every integer is a value of the floating-point type.
double ExactLimit(PrimitiveType type);
// The distance between 1 and the next value.
double UnitOf(PrimitiveType type);

class ModuleWriter {
 public:
  ModuleWriter(uint64_t seed, const RandomModuleOptions& options) : random_(seed), options_(options) {}
  RandomModule Write();

 private:
  using Predicate = std::function<bool(const Value&)>;

  // --- random_module.cc: choices, values, elementwise pieces ---
  int64_t Below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
  template <class T>
  const T& OneOf(const std::vector<T>& list) {
    return list[Below(static_cast<int64_t>(list.size()))];
  }
  PrimitiveType RandomType();
  Dims RandomDims();
  // Indices of a random non-empty subset of the dimensions, ascending.
  Dims SomeDimensions(int64_t rank);

  // "vN = shape operation" in the body; its name.
  std::string Line(PrimitiveType type, const Dims& dims, const std::string& operation);
  // The same for a value that later pieces may use; dropped where it is too inexact or too large.
  void Keep(Value like, const std::string& operation);
  Value Named(Value like, const std::string& operation);
  std::string Computation(const std::string& name, const std::string& text);
  Value Parameter(PrimitiveType type, const Dims& dims);
  std::string Constant(PrimitiveType type, const std::string& text);
  Value Splat(PrimitiveType type, const std::string& text, double number, const Dims& dims);
  std::optional<Value> Any(const Predicate& predicate);
  // A value of this type and these dimensions: one that is there, or a new one.
  Value Matching(PrimitiveType type, const Dims& dims);
  // Clamped to -limit..limit (0..limit).
  Value Small(const Value& value, int limit);
  Value ConvertExact(const Value& value, PrimitiveType type);

  void Unary();
  void Binary();
  void FloatBinary(const Value& a, const Value& b);
  void Smooth();
  void Compare();
  void Select();
  void Convert();
  void Softmax();

  // --- random_module_movement.cc ---
  void Broadcast();
  void Reshape();
  void Transpose();
  void Slice();
  void Pad();
  void Concatenate();
  void Reverse();
  void CopyLayout();
  void DynamicSlice();
  void DynamicUpdateSlice();
  void Gather();
  void Scatter();
  std::string RandomLayout(int64_t rank);
  std::string StartIndices(int64_t rank);

  // --- random_module_structure.cc ---
  void Reduce();
  void ArgMax();
  void ReduceWindow();
  void CumulativeSum();
  void Dot();
  void Convolution();
  void Sort();
  void While();
  void Conditional();
  void Map();
  void RandomBits();
  void Complex();
  std::string Combiner(const std::string& opcode, PrimitiveType type);
  std::string Identity(const std::string& opcode, PrimitiveType type);
  // A combining opcode, and the result's bound when `count` values of the operand meet; absent if none fits.
  struct Combining {
    std::string opcode;
    double bound, error;
  };
  std::optional<Combining> RandomCombining(const Value& value, int64_t count);

  std::mt19937_64 random_;
  RandomModuleOptions options_;
  std::map<std::string, std::string> computations_;
  std::string body_;
  std::vector<Value> values_;
  int lines_ = 0, parameters_ = 0;
};

}  // namespace xla::testing
