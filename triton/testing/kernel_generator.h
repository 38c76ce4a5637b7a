// How random kernels are written: step after step, each of which takes values that exist and defines new ones.
#pragma once
#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "triton/testing/random_kernel.h"

namespace rocxla::triton {

using Dims = std::vector<int>;

int64_t Count(const Dims& dims);
// "tensor<4x8xi32>"; "i32" without dimensions.
std::string TypeText(const Dims& dims, const std::string& element);
bool IsFloat(const std::string& element);
bool IsFloat8(const std::string& element);
int BitsOf(const std::string& element);

struct GeneratedValue {
  std::string name;
  Dims dims;  // empty: a scalar
  std::string element;
  std::string type() const { return TypeText(dims, element); }
};

// Where the elements of a tensor lie in a buffer: a stride for every dimension, and what the programs add.
struct Placement {
  std::vector<int> strides;
  int offset = 0;       // of the first element
  int per_program = 0;  // elements from one program to the next
};

class KernelGenerator {
 public:
  KernelGenerator(uint64_t seed, const RandomKernelOptions& options);
  RandomKernel Generate();

 private:
  using Value = GeneratedValue;
  using Step = void (KernelGenerator::*)();

  //===-- kernel_generator.cc: chance, text, values that exist
  //------------------------------------------------------===//
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool Chance(int percent) { return Below(100) < percent; }
  template <class T>
  const T& OneOf(const std::vector<T>& items) {
    return items[static_cast<size_t>(Below(static_cast<int>(items.size())))];
  }
  std::string OneOf(std::initializer_list<const char*> items) {
    return OneOf(std::vector<std::string>(items.begin(), items.end()));
  }
  Dims RandomDims(int most);
  Dims Permutation(size_t rank);
  int Programs() const { return kernel_.grid[0] * kernel_.grid[1]; }
  // Elements of a thread; what is costly to compile is for small tensors.
  int64_t PerThread(const Dims& dims) const { return std::max<int64_t>(1, Count(dims) / (kernel_.num_warps * 32)); }

  // Appends an operation with one result. `Note` makes the result available to later steps.
  Value Line(const std::string& operation, const Dims& dims, const std::string& element);
  void Text(const std::string& line);
  void Note(const Value& value) { pool_.push_back(value); }
  Value Pick(const std::vector<Value>& from) { return OneOf(from); }
  std::vector<Value> Matching(const std::function<bool(const Value&)>& wanted) const;
  Value AnyTensor();

  //===-- generator_values.cc: values of a wanted type
  //----------------------------------------------------------------===//
  Value Constant(const Dims& dims, const std::string& element, const std::string& number);
  Value RandomConstant(const Dims& dims, const std::string& element);
  Value SplatOf(const Value& scalar, const Dims& dims);
  Value Convert(const Value& value, const std::string& element);
  Value Reshape(const Value& value, const Dims& dims);
  // Any value of that type.
  Value Operand(const Dims& dims, const std::string& element);
  // Whole numbers from -most to most, most a power of two.
  Value SmallNumbers(const Dims& dims, const std::string& element, int most);
  // Integers from 0 to below - 1, a power of two.
  Value SmallIndex(const Dims& dims, int below, const std::string& element = "i32");
  Value Coordinate(const Dims& dims, size_t d);
  Value Binary(const std::string& op, const Value& x, const Value& y);
  Value Unary(const std::string& op, const Value& x);
  Value Compare(const std::string& predicate, const Value& x, const Value& y);
  Value Select(const Value& condition, const Value& x, const Value& y);

  //===-- generator_memory.cc
  //-----------------------------------------------------------------------------------------===//
  Placement RandomPlacement(const Dims& dims);
  std::string NewBuffer(const std::string& element, int64_t count, bool is_output, int ulps = 0);
  std::string NewNumber(int value);
  Value Index(const Dims& dims, const Placement& placement, bool per_program);
  Value Pointers(const std::string& buffer, const std::string& element, const Value& index);
  std::string AtomicText(const std::string& kind, const Value& pointers, const Value& values, const std::string& mask);
  Value ProgramNumber();
  Value Load(const Dims& dims, const std::string& element);
  void Store(const Value& value, int ulps = 0);
  // A block of a strided tensor, parts of which may be outside.
  struct StridedBlock {
    std::string buffer;
    Dims dims, extents, strides, offsets;
  };
  StridedBlock RandomBlock(const std::string& element, bool dense_last);
  void LoadStep();
  void StoreStep();
  void IndirectLoadStep();
  void AtomicStep();
  void OwnedAtomicStep();
  void ScratchStep();
  void BlockStep();
  void DescriptorStep();

  //===-- generator_pointers.cc: pointers that are chosen, moved and carried
  //------------------------------------------===//
  void ChosenPointerStep();
  void MovedPointersStep();
  void CarriedPointerStep();

  //===-- generator_pointwise.cc
  //--------------------------------------------------------------------------------------===//
  void IntegerStep();
  void FloatStep();
  void CompareStep();
  void ConvertStep();
  void ScalarStep();
  void MathStep();
  void MapStep();
  void CallStep();

  //===-- generator_shapes.cc
  //-----------------------------------------------------------------------------------------===//
  void TransStep();
  void ReshapeStep();
  void JoinStep();
  void SplitStep();
  void CatStep();
  void BroadcastStep();
  void GatherStep();
  void HistogramStep();
  void ReduceStep();
  void ScanStep();
  void Combine(bool scan, size_t axis, const std::vector<Value>& operands, const std::string& body,
               const std::string& returned);
  void CombineOne(bool scan);
  void ArgStep();
  void RecurrenceStep();

  //===-- generator_control.cc
  //----------------------------------------------------------------------------------------===//
  void DotStep();
  void ScaledDotStep();
  void MatmulLoopStep();
  void ForStep();
  void IfStep();
  void WhileStep();
  void Steps(int count);
  std::vector<Value> CarriedValues(int most);
  std::vector<Value> YieldFor(const std::vector<Value>& like);
  std::vector<Value> Renamed(const std::vector<Value>& values);
  void NoteResults(const std::string& name, const std::vector<Value>& like);
  void Body(const std::vector<Value>& carried, const std::vector<Value>& others, bool is_loop);
  Value Factor(const Dims& dims, const std::string& element);
  Value ScalarCondition();

  RandomKernelOptions options_;
  std::mt19937_64 random_;
  RandomKernel kernel_;
  std::string body_, functions_, signature_;
  std::vector<Value> pool_;
  int names_ = 0, depth_ = 0, function_count_ = 0;
  int in_loop_ = 0;  // loops around what is being written
};

}  // namespace rocxla::triton
