#include "triton/plan/product.h"

#include <algorithm>

#include "llvm/ADT/TypeSwitch.h"
#include "triton/plan/plan.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

constexpr int kTallTileBits = 5, kTileBits = 4;

struct MatrixRow {
  Number first, second;
  MatrixInstruction instruction;
  std::string_view name;
  Generation from, to;
};
constexpr MatrixRow kMatrixRows[] = {
#define MATRIX_INSTRUCTION(first, second, kind, m, k, intrinsic, from, to) \
  {Number::first, Number::second, {MatrixInstruction::kind, m, k}, #intrinsic, Generation::from, Generation::to},
#include "triton/layout/matrix_instructions.def"
#undef MATRIX_INSTRUCTION
};

bool IsFloat8(Number n) {
  return n == Number::kFp8 || n == Number::kBf8 || n == Number::kFp8Fnuz || n == Number::kBf8Fnuz;
}
bool IsNarrow(Number n) { return n == Number::kFp8 || n == Number::kBf8 || n == Number::kFp4; }
bool IsInteger(Number n) { return n == Number::kI8 || n == Number::kInteger; }

std::optional<Number> NumberOf(Type element) {
  return llvm::TypeSwitch<Type, std::optional<Number>>(element)
      .Case([](Float16Type) { return Number::kF16; })
      .Case([](BFloat16Type) { return Number::kBf16; })
      .Case([](Float32Type) { return Number::kF32; })
      .Case([](Float64Type) { return Number::kF64; })
      .Case([](Float8E4M3FNType) { return Number::kFp8; })
      .Case([](Float8E5M2Type) { return Number::kBf8; })
      .Case([](Float8E4M3FNUZType) { return Number::kFp8Fnuz; })
      .Case([](Float8E5M2FNUZType) { return Number::kBf8Fnuz; })
      .Case([](IntegerType type) { return type.getWidth() == 8 ? Number::kI8 : Number::kInteger; })
      .Default([](Type) { return std::nullopt; });
}

std::optional<Number> NumberOf(tt::ScaledType type) {
  switch (type) {
    case tt::ScaledType::E4M3:
      return Number::kFp8;
    case tt::ScaledType::E5M2:
      return Number::kBf8;
    case tt::ScaledType::E2M1:
      return Number::kFp4;
    case tt::ScaledType::BF16:
      return Number::kBf16;
    case tt::ScaledType::FP16:
      return Number::kF16;
    case tt::ScaledType::E2M3:
    case tt::ScaledType::E3M2:
      break;
  }
  return std::nullopt;
}

std::optional<Product> ProductOfDot(tt::DotOp dot) {
  std::optional<Number> a = NumberOf(getElementTypeOrSelf(dot.getA())), b = NumberOf(getElementTypeOrSelf(dot.getB()));
  if (!a || !b) return std::nullopt;
  Shape a_shape = ShapeOf(dot.getA().getType()), b_shape = ShapeOf(dot.getB().getType());
  int k = static_cast<int>(a_shape.size()) - 1;
  return Product{.op = dot,
                 .factors = {{.value = dot.getA(), .scale = {}, .number = *a, .shape = a_shape, .k_dim = k},
                             {.value = dot.getB(), .scale = {}, .number = *b, .shape = b_shape, .k_dim = k - 1}},
                 .c = dot.getC(),
                 .reduced_precision = dot.getInputPrecision() == tt::InputPrecision::TF32};
}

Factor ScaledFactor(Value value, Value scale, Number number, int k_dim, int packed_dim) {
  Factor factor{.value = value, .scale = scale, .number = number, .shape = ShapeOf(value.getType()), .k_dim = k_dim};
  if (number == Number::kFp4) {
    factor.packed_dim = packed_dim;
    ++factor.shape[packed_dim];
  }
  if (scale) factor.scale_group_bits = factor.shape[k_dim] - ShapeOf(scale.getType()).back();
  return factor;
}

std::optional<Product> ProductOfScaledDot(tt::DotScaledOp dot) {
  std::optional<Number> a = NumberOf(dot.getAElemType()), b = NumberOf(dot.getBElemType());
  if (!a || !b) return std::nullopt;
  int n = static_cast<int>(ShapeOf(dot.getC().getType()).size()) - 1, m = n - 1;
  return Product{.op = dot,
                 .factors = {ScaledFactor(dot.getA(), dot.getAScale(), *a, n, dot.getLhsKPack() ? n : m),
                             ScaledFactor(dot.getB(), dot.getBScale(), *b, m, dot.getRhsKPack() ? m : n)},
                 .c = dot.getC(),
                 .ignore_nan_scales = dot.getFastMath()};
}

//===-- Which numbers are multiplied
//----------------------------------------------------------------------------------===//

// The 16-bit type that holds every 8-bit float. In f16 those of e5m2 may be subnormal, and MI200's matrix instructions
// flush such operands to zero; in bf16 none is. Source: PyTorch, "Numerical accuracy", on MI200.
Number HalfFor(const PlanTarget& target) {
  return target.gpu.generation == Generation::kCdna2 ? Number::kBf16 : Number::kF16;
}

// A type that holds the numbers of both factors exactly.
Number Common(Number a, Number b, const PlanTarget& target) {
  if (IsFloat8(a) && IsFloat8(b)) return HalfFor(target);
  if (IsFloat8(a)) return b;
  if (IsFloat8(b) || a == b) return a;
  return a == Number::kF64 || b == Number::kF64 ? Number::kF64 : Number::kF32;
}

using Pair = std::pair<Number, Number>;
Pair Converted(const Product& product, const PlanTarget& target) {
  Number a = product.factors[0].number, b = product.factors[1].number;
  if (IsInteger(a) || IsInteger(b)) return {a, b};
  if (isa<tt::DotScaledOp>(product.op)) {  // as Triton: the exponents of scales need bf16
    Number half = a == Number::kF16 || b == Number::kF16 ? Number::kF16 : Number::kBf16;
    return {half, half};
  }
  Number common = Common(a, b, target);
  return {common, common};
}

// In order of preference; the last is also what multiply-adds take.
SmallVector<Pair, 3> Candidates(const Product& product, const PlanTarget& target) {
  Pair own{product.factors[0].number, product.factors[1].number}, converted = Converted(product, target);
  SmallVector<Pair, 3> all;
  if (product.reduced_precision && own == Pair{Number::kF32, Number::kF32})
    all.push_back({Number::kXf32, Number::kXf32});
  if (own != converted) all.push_back(own);
  all.push_back(converted);
  return all;
}

//===-- Which instruction
//---------------------------------------------------------------------------------------------===//

// The side that is spread over registers cannot be shorter than the tile, the other may.
ResultForm FormFor(MatrixInstruction::Kind kind, int m, int n) {
  bool straight = kind == MatrixInstruction::kMfmaF64 || kind == MatrixInstruction::kWmmaGfx11;
  if (straight ? m < kTileBits && n >= kTileBits : n < kTileBits && m >= kTileBits) straight = !straight;
  return straight ? ResultForm::kStraight : ResultForm::kTransposed;
}

bool Accepts(Number row, Number number) { return row == number || (row == Number::kNarrow && IsNarrow(number)); }

bool ResultFits(Number number, Type result) {
  if (number == Number::kI8) return result.isInteger(32);
  if (number == Number::kF64) return result.isF64();
  return result.isF32() || result.isF16() || result.isBF16();
}

// The instructions with scales take e8m0 for groups of 32, and pairs packed along K.
bool InstructionTakesFactor(const Factor& factor) {
  bool scale = !factor.scale || (factor.scale_group_bits == 5 && getElementTypeOrSelf(factor.scale).isInteger(8));
  return scale && (factor.packed_dim < 0 || factor.packed_dim == factor.k_dim);
}

// Whether a row multiplies these numbers in a tile of `form`. Scales are applied before, unless numbers are narrow.
bool RowMultiplies(const MatrixRow& row, const Product& product, Pair as, ResultForm form) {
  if (form == ResultForm::kTransposed) std::swap(as.first, as.second);
  if (!Accepts(row.first, as.first) || !Accepts(row.second, as.second)) return false;
  if (!ResultFits(row.first, product.result_type())) return false;
  if (!IsNarrow(as.first)) return true;
  if (row.instruction.kind != MatrixInstruction::kMfmaScaled) return !product.scaled();
  return InstructionTakesFactor(product.factors[0]) && InstructionTakesFactor(product.factors[1]);
}

// What is less good about a row: a later one is taken only if nothing fits with less.
enum class Waste { kNone, kIdleWarps, kPaddedK };

// The values that follow `op` element by element.
template <class Visit>
bool AnyUser(Operation* op, Visit visit) {
  SmallVector<Operation*> open{op};
  llvm::DenseSet<Operation*> seen;
  while (!open.empty()) {
    Operation* next = open.pop_back_val();
    for (OpOperand& use : next->getUses()) {
      if (visit(use)) return true;
      if (IsPointwise(use.getOwner()) && seen.insert(use.getOwner()).second) open.push_back(use.getOwner());
    }
  }
  return false;
}

bool IsProduct(Operation* op) { return isa_and_nonnull<tt::DotOp, tt::DotScaledOp>(op); }

bool FeedsProduct(Operation* op) {
  return AnyUser(op, [](OpOperand& use) { return IsProduct(use.getOwner()) && use.getOperandNumber() == 0; });
}

bool ComesFromProduct(Value value) {
  SmallVector<Value> open{value};
  llvm::DenseSet<Operation*> seen;
  while (!open.empty()) {
    Operation* from = open.pop_back_val().getDefiningOp();
    if (IsProduct(from)) return true;
    if (from && IsPointwise(from) && seen.insert(from).second) llvm::append_range(open, from->getOperands());
  }
  return false;
}

class Chooser {
 public:
  Chooser(const Product& product, const PlanTarget& target)
      : product_(product),
        target_(target),
        shape_(product.shape()),
        m_(shape_[shape_.size() - 2]),
        n_(shape_.back()),
        batch_(shape_.size() > 2 ? shape_[0] : 0),
        warp_bits_(target.machine().warp_bits),
        second_of_chain_(ComesFromProduct(product.factors[0].value)),
        chained_(second_of_chain_ || FeedsProduct(product.op)) {}

  std::optional<MatrixChoice> Choose(Pair as) const {
    for (Waste waste : {Waste::kNone, Waste::kIdleWarps, Waste::kPaddedK}) {
      for (int row = 0; row < int(std::size(kMatrixRows)); ++row)
        if (auto choice = Try(row, as, waste)) return choice;
    }
    return std::nullopt;
  }

 private:
  std::optional<MatrixChoice> Try(int number, Pair as, Waste waste) const {
    const MatrixRow& row = kMatrixRows[number];
    const MatrixInstruction& instruction = row.instruction;
    if (target_.gpu.generation < row.from || target_.gpu.generation > row.to) return std::nullopt;
    ResultForm form = FormFor(instruction.kind, m_, n_);
    if (!Fits(instruction, form, waste) || !RowMultiplies(row, product_, as, form)) return std::nullopt;
    MatrixChoice choice{instruction, number, row.name, form, Warps(instruction), {}};
    choice.chunk_bits[0] = ChunkBits(instruction, as.first);
    choice.chunk_bits[1] = ChunkBits(instruction, as.second);
    return choice;
  }

  // Tiles of each dimension, log2.
  int TilesAlong(int bits, const MatrixInstruction& instruction) const {
    return std::max(0, bits - instruction.m_bits);
  }

  bool Fits(const MatrixInstruction& instruction, ResultForm form, Waste waste) const {
    int in_registers = form == ResultForm::kTransposed ? n_ : m_, in_lanes = form == ResultForm::kTransposed ? m_ : n_;
    if (in_registers < instruction.m_bits) return false;
    if (instruction.m_bits == kTallTileBits && in_lanes < kTallTileBits) return false;
    int m_tiles = TilesAlong(m_, instruction), n_tiles = TilesAlong(n_, instruction);
    bool busy = chained_ ? m_tiles >= warp_bits_ : batch_ + m_tiles + n_tiles >= warp_bits_;
    if (waste == Waste::kPaddedK) return product_.k_bits() == instruction.k_bits - 1;
    bool smallest = instruction.m_bits == kTileBits;
    return product_.k_bits() >= instruction.k_bits && (busy || smallest || waste == Waste::kIdleWarps);
  }

  // Matrices of a batch go to different warps first. Of a chain (attention) rows do, so that nothing crosses warps
  // between the products; else warps go where each of them would have more tiles.
  WarpPlacement Warps(const MatrixInstruction& instruction) const {
    WarpPlacement warps;
    warps.batch_bits = std::min(batch_, warp_bits_);
    int left = warp_bits_ - warps.batch_bits;
    int m_tiles = TilesAlong(m_, instruction), n_tiles = TilesAlong(n_, instruction);
    if (chained_) warps.m_bits = std::min(left, m_tiles);
    if (chained_) warps.n_bits = left - warps.m_bits;
    while (warps.m_bits + warps.n_bits < left)
      (m_tiles - warps.m_bits >= n_tiles - warps.n_bits ? warps.m_bits : warps.n_bits)++;
    return warps;
  }

  // Where the left operand is the result of another MFMA, its runs of four are taken as they lie.
  int ChunkBits(const MatrixInstruction& instruction, Number number) const {
    constexpr int kResultRun = 2, kScaledRun = 4;
    bool mfma = instruction.kind == MatrixInstruction::kMfma || instruction.kind == MatrixInstruction::kMfmaScaled;
    int bits = instruction.operand_bits();
    if (mfma && second_of_chain_ && !product_.scaled()) return std::min(bits, kResultRun);
    bool bytes_with_scale = instruction.kind == MatrixInstruction::kMfmaScaled && number != Number::kFp4;
    return bytes_with_scale ? kScaledRun : bits;
  }

  const Product& product_;
  const PlanTarget& target_;
  const Shape shape_;
  const int m_, n_, batch_, warp_bits_;
  const bool second_of_chain_, chained_;
};

}  // namespace

std::optional<Product> ProductOf(Operation* op) {
  if (auto dot = dyn_cast<tt::DotOp>(op)) return ProductOfDot(dot);
  if (auto dot = dyn_cast<tt::DotScaledOp>(op)) return ProductOfScaledDot(dot);
  return std::nullopt;
}

ProductChoice ChooseProduct(const Product& product, const PlanTarget& target) {
  Chooser chooser(product, target);
  SmallVector<Pair, 3> candidates = Candidates(product, target);
  for (Pair as : candidates)
    if (auto matrix = chooser.Choose(as)) return {{as.first, as.second}, matrix};
  return {{candidates.back().first, candidates.back().second}, std::nullopt};
}

LinearLayout FactorLayout(const Product& product, const MatrixChoice& choice, int i) {
  return MatrixOperand(choice.instruction, i, product.factors[i].shape, choice.chunk_bits[i], choice.warps);
}

LinearLayout StoredLayout(const Factor& factor, const LinearLayout& numbers) {
  if (factor.packed_dim < 0) return numbers;
  return numbers.DropLowBits(factor.packed_dim, 1).WithoutDuplicates();
}

LinearLayout ScaleOfEach(const Factor& factor, const LinearLayout& numbers) {
  int rank = numbers.rank();
  std::vector<int> order(rank);
  for (int d = 0; d < rank; ++d) order[d] = d;
  if (factor.k_dim == rank - 2) std::swap(order[rank - 2], order[rank - 1]);
  return numbers.Transpose(order).DropLowBits(rank - 1, factor.scale_group_bits);
}

LinearLayout ScaleLayout(const Factor& factor, const LinearLayout& numbers) {
  return ScaleOfEach(factor, numbers).WithoutDuplicates();
}

}  // namespace rocxla::triton
