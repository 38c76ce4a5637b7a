// Random bits as elementwise operations on counters. The algorithms, and where each word goes:
// xla/hlo/evaluator/eval_random.cc.
#include <algorithm>
#include <array>

#include "xla/hlo/ir/random.h"
#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

// Arrays of integers of one shape, with constants.
class Words {
 public:
  Words(GraphWriter& w, Dims dims) : w_(w), dims_(std::move(dims)) {}
  const Dims& dims() const { return dims_; }

  HloInstruction* Constant32(uint32_t x) { return w_.Splat(w_.Constant(Literal::Scalar<uint32_t>(U32, x)), dims_); }
  HloInstruction* Constant64(uint64_t x) { return w_.Splat(w_.Constant(Literal::Scalar<uint64_t>(U64, x)), dims_); }
  HloInstruction* Plus(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kAdd, x, y); }
  HloInstruction* Xor(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kXor, x, y); }
  HloInstruction* Low(HloInstruction* x) { return w_.Convert(x, U32); }
  HloInstruction* High(HloInstruction* x) {
    return w_.Convert(w_.Binary(HloOpcode::kShiftRightLogical, x, Constant64(32)), U32);
  }
  HloInstruction* Joined(HloInstruction* low, HloInstruction* high) {
    HloInstruction* upper = w_.Binary(HloOpcode::kShiftLeft, w_.Convert(high, U64), Constant64(32));
    return w_.Binary(HloOpcode::kOr, upper, w_.Convert(low, U64));
  }
  HloInstruction* Product(uint32_t constant, HloInstruction* x) {
    return w_.Binary(HloOpcode::kMultiply, Constant64(constant), w_.Convert(x, U64));
  }
  HloInstruction* RotatedLeft(HloInstruction* x, uint32_t bits) {
    HloInstruction* left = w_.Binary(HloOpcode::kShiftLeft, x, Constant32(bits));
    return w_.Binary(HloOpcode::kOr, left, w_.Binary(HloOpcode::kShiftRightLogical, x, Constant32(32 - bits)));
  }
  // The numbers of the elements in row-major order.
  HloInstruction* Numbers() {
    HloInstruction* sum = Constant64(0);
    uint64_t stride = 1;
    for (auto d = static_cast<int64_t>(dims_.size()); d-- > 0;) {
      HloInstruction* index = w_.Add(HloInstruction::CreateIota(Shape::Array(U64, dims_), d));
      sum = Plus(sum, w_.Binary(HloOpcode::kMultiply, index, Constant64(stride)));
      stride *= dims_[d];
    }
    return sum;
  }
  // A scalar u64 in every element.
  HloInstruction* Everywhere(HloInstruction* scalar) { return w_.Splat(scalar, dims_); }

 private:
  GraphWriter& w_;
  Dims dims_;
};

using Pair = std::array<HloInstruction*, 2>;
using Four = std::array<HloInstruction*, 4>;

Pair ThreeFry(Words& v, HloInstruction* counter, HloInstruction* key) {
  constexpr uint32_t kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  constexpr uint32_t kParity = 0x1bd11bda;
  HloInstruction *low = v.Low(key), *high = v.High(key);
  HloInstruction* const keys[] = {low, high, v.Xor(v.Xor(low, high), v.Constant32(kParity))};
  Pair x = {v.Plus(v.Low(counter), keys[0]), v.Plus(v.High(counter), keys[1])};
  for (uint32_t group = 0; group < 5; ++group) {
    for (const uint32_t rotation : kRotations[group % 2]) {
      x[0] = v.Plus(x[0], x[1]);
      x[1] = v.Xor(v.RotatedLeft(x[1], rotation), x[0]);
    }
    x[0] = v.Plus(x[0], keys[(group + 1) % 3]);
    x[1] = v.Plus(x[1], v.Plus(keys[(group + 2) % 3], v.Constant32(group + 1)));
  }
  return x;
}

Four Philox(Words& v, Four x, HloInstruction* key) {
  HloInstruction *key0 = v.Low(key), *key1 = v.High(key);
  for (int round = 0; round < 10; ++round) {
    HloInstruction *product0 = v.Product(0xd2511f53, x[0]), *product1 = v.Product(0xcd9e8d57, x[2]);
    x = {v.Xor(v.Xor(v.High(product1), x[1]), key0), v.Low(product1), v.Xor(v.Xor(v.High(product0), x[3]), key1),
         v.Low(product0)};
    key0 = v.Plus(key0, v.Constant32(0x9e3779b9));
    key1 = v.Plus(key1, v.Constant32(0xbb67ae85));
  }
  return x;
}

class RngExpansion {
 public:
  explicit RngExpansion(HloInstruction* rng)
      : rng_(rng), w_(*rng->parent()), shape_(rng->shape().tuple_shapes(1)), state_(rng->mutable_operand(0)) {}

  Status Run() {
    is_wide_ = BitWidth(shape_.element_type()) == 64;
    const bool is_philox = *RandomAlgorithmOf(*rng_) == RandomAlgorithm::kPhilox;
    HloInstruction* bits = ShapeUtil::ElementsIn(shape_) == 0 ? Nothing() : is_philox ? PhiloxBits() : ThreeFryBits();
    HloInstruction* parts[] = {NextState(is_philox), w_.Convert(bits, shape_.element_type())};
    return ReplaceExpanded(rng_, w_.Add(HloInstruction::CreateTuple(parts)));
  }

 private:
  // Word i of the state, a scalar.
  HloInstruction* Word(int64_t i) { return w_.Reshape(w_.Slice(state_, 0, i, i + 1), {}); }
  HloInstruction* Nothing() { return w_.Splat(w_.Constant(Literal::Scalar<uint32_t>(U32, 0)), shape_.dimensions()); }
  int64_t StateWords() const { return state_->shape().dimensions(0); }

  HloInstruction* PhiloxBits() {
    const int64_t elements = ShapeUtil::ElementsIn(shape_), each = is_wide_ ? 2 : 4;
    steps_ = (elements + each - 1) / each;
    Words v(w_, {steps_});
    HloInstruction* first = v.Everywhere(Word(1));
    HloInstruction* low = v.Plus(first, v.Numbers());
    HloInstruction* carry = w_.Convert(w_.Compare(ComparisonDirection::kLt, low, first), U64);
    HloInstruction* high = v.Plus(v.Everywhere(Word(StateWords() > 2 ? 2 : 0)), carry);
    const Four x = Philox(v, {v.Low(low), v.High(low), v.Low(high), v.High(high)}, v.Everywhere(Word(0)));
    std::vector<HloInstruction*> columns(x.begin(), x.end());
    if (is_wide_) columns = {v.Joined(x[0], x[1]), v.Joined(x[2], x[3])};
    for (HloInstruction*& column : columns) column = w_.Reshape(column, {steps_, 1});
    HloInstruction* rows = w_.Reshape(w_.Concatenate(columns, 1), {steps_ * each});
    return w_.Reshape(w_.Slice(rows, 0, 0, elements), shape_.dimensions());
  }

  HloInstruction* ThreeFryBits() {
    if (is_wide_) {
      steps_ = ShapeUtil::ElementsIn(shape_);
      Words v(w_, shape_.dimensions());
      const Pair x = ThreeFry(v, v.Plus(v.Everywhere(Word(1)), v.Numbers()), v.Everywhere(Word(0)));
      return v.Joined(x[0], x[1]);
    }
    Dims halves = shape_.dimensions();
    if (halves.empty()) {
      steps_ = 1;
      Words v(w_, {});
      return ThreeFry(v, Word(1), Word(0))[0];
    }
    auto split = std::find_if(halves.begin(), halves.end(), [](int64_t size) { return size % 2 == 0; });
    if (split == halves.end()) split = std::max_element(halves.begin(), halves.end());
    const int64_t d = split - halves.begin();
    *split = (*split + 1) / 2;
    Words v(w_, halves);
    steps_ = ShapeUtil::ElementsIn(Shape::Array(U32, halves));
    Pair x = ThreeFry(v, v.Plus(v.Everywhere(Word(1)), v.Numbers()), v.Everywhere(Word(0)));
    Dims with_one = halves, merged = halves;
    with_one.insert(with_one.begin() + d + 1, 1);
    merged[d] *= 2;
    for (HloInstruction*& half : x) half = w_.Reshape(half, with_one);
    return w_.Slice(w_.Reshape(w_.Concatenate(x, d + 1), merged), d, 0, shape_.dimensions(d));
  }

  // The counter has moved on by the steps taken.
  HloInstruction* NextState(bool is_philox) {
    Words v(w_, {1});
    const auto part = [&](int64_t i) { return w_.Slice(state_, 0, i, i + 1); };
    std::vector<HloInstruction*> words = {part(0), v.Plus(part(1), v.Constant64(steps_))};
    if (is_philox && StateWords() > 2) {
      HloInstruction* carry = w_.Convert(w_.Compare(ComparisonDirection::kLt, words[1], part(1)), U64);
      words.push_back(v.Plus(part(2), carry));
    }
    return w_.Concatenate(words, 0);
  }

  HloInstruction* rng_;
  GraphWriter w_;
  const Shape shape_;
  HloInstruction* state_;
  bool is_wide_ = false;
  int64_t steps_ = 0;  // of the counter
};

}  // namespace

StatusOr<Changed> RngBitGeneratorExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kRngBitGenerator,
                    [](HloInstruction* instruction) { return RngExpansion(instruction).Run(); });
}

}  // namespace xla
