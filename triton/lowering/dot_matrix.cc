// Products by matrix instructions: tile by tile, along K within a tile.
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "triton/lowering/dot.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

constexpr llvm::Intrinsic::ID kIntrinsics[] = {
#define MATRIX_INSTRUCTION(first, second, kind, m, k, intrinsic, from, to) Intrinsic::intrinsic,
#include "triton/layout/matrix_instructions.def"
#undef MATRIX_INSTRUCTION
};

// Which register of lane 0, warp 0 holds an element.
DenseMap<Bits, int> HoldersOf(Layout layout) {
  DenseMap<Bits, int> holders;
  for (int r = 0; r < layout->registers(); ++r) holders[layout->Apply(kRegister, r)] = r;
  return holders;
}

Value* Pack(IRBuilderBase& b, ValuesRef values) {
  Value* vector = PoisonValue::get(FixedVectorType::get(values[0]->getType(), values.size()));
  for (auto [i, value] : enumerate(values)) vector = b.CreateInsertElement(vector, value, i);
  return vector;
}

// Coordinates of a tile's first element.
struct TilePlace {
  Bits batch, row, column;
};

// One factor, cut into what single instructions take.
class Fragments {
 public:
  Fragments(Lowering& l, const MatrixInstruction& instruction, DotOperand operand)
      : l_(l),
        operand_(std::move(operand)),
        holders_(HoldersOf(operand_.layout)),
        count_(1 << (instruction.operand_bits() - operand_.packed_bits)),
        present_(1 << std::min(Log2Exact(count_), RegisterBitsAlongK())),
        inside_(InsideOfK(instruction)) {}

  // The numbers of row (column) `outer` from K = k on.
  StatusOr<Value*> At(Bits batch, Bits outer, Bits k) const {
    auto found = holders_.find(Element(batch, outer, k >> operand_.packed_bits));
    if (found == holders_.end()) return InternalError("a matrix operand is in no register");
    Values values(ValuesRef(operand_.v).slice(found->second, present_));
    Constant* zero = Constant::getNullValue(values[0]->getType());
    if (inside_)
      for (Value*& value : values) value = l_.b.CreateSelect(inside_, value, zero);
    values.resize(count_, zero);
    return Pack(l_.b, values);
  }

 private:
  Field KField() const { return FieldOf(operand_.layout->shape(), operand_.k_dim); }

  int RegisterBitsAlongK() const {
    return static_cast<int>(
        count_if(operand_.layout->bases(kRegister), [&](Bits basis) { return basis & KField().mask(); }));
  }

  // Lanes beyond a K that is shorter than the instruction's repeat others: they must multiply zeros. Null if all count.
  Value* InsideOfK(const MatrixInstruction& instruction) const {
    if (instruction.kind == MatrixInstruction::kWmmaGfx11) return nullptr;
    const std::vector<Bits>& lanes = operand_.layout->bases(kLane);
    uint32_t beyond = 0;
    for (int bit = instruction.m_bits; bit < instruction.lane_bits(); ++bit)
      if (!lanes[bit]) beyond |= 1u << bit;
    if (!beyond) return nullptr;
    return l_.b.CreateICmpEQ(l_.b.CreateAnd(l_.lane(), beyond), l_.b.getInt32(0));
  }

  Bits Element(Bits batch, Bits outer, Bits k) const {
    const Shape& shape = operand_.layout->shape();
    int rank = operand_.layout->rank();
    bool k_is_last = operand_.k_dim == rank - 1;
    Bits last = k_is_last ? k : outer, before = k_is_last ? outer : k;
    return (batch << shape[rank - 2] | before) << shape[rank - 1] | last;
  }

  Lowering& l_;
  DotOperand operand_;
  DenseMap<Bits, int> holders_;
  int count_;    // of registers that an instruction takes
  int present_;  // of those that there are; zeros follow
  Value* inside_;
};

// The scales that an instruction takes itself.
class Scales {
 public:
  Scales(Lowering& l, const Product& product, const MatrixChoice& choice, int i) : l_(l) {
    const Factor& factor = product.factors[i];
    if (!factor.scale || choice.instruction.kind != MatrixInstruction::kMfmaScaled) return;
    layout_ = l.plan.Intern(MatrixScale(choice.instruction, i, ShapeOf(factor.scale.getType()), choice.warps));
    codes_ = l.Get(factor.scale, layout_).v;
    holders_ = HoldersOf(layout_);
    group_bits_ = factor.scale_group_bits;
  }
  // Null: none.
  StatusOr<Value*> At(Bits batch, Bits outer, Bits k) const {
    if (!layout_) return static_cast<Value*>(nullptr);
    const Shape& shape = layout_->shape();
    Bits element = (batch << shape[shape.size() - 2] | outer) << shape.back() | k >> group_bits_;
    auto found = holders_.find(element);
    if (found == holders_.end()) return InternalError("a scale is in no register");
    return l_.b.CreateZExt(codes_[found->second], l_.b.getInt32Ty());
  }

 private:
  Lowering& l_;
  Layout layout_ = nullptr;
  Values codes_;
  DenseMap<Bits, int> holders_;
  int group_bits_ = 0;
};

class MatrixProduct {
 public:
  MatrixProduct(Lowering& l, const Product& product, const ProductChoice& choice, Layout layout, DotOperand a,
                DotOperand b)
      : l_(l),
        product_(product),
        choice_(*choice.matrix),
        layout_(layout),
        fragments_{{l, choice_.instruction, std::move(a)}, {l, choice_.instruction, std::move(b)}},
        scales_{{l, product, choice_, 0}, {l, product, choice_, 1}},
        numbers_{choice.as[0], choice.as[1]} {}

  Status Emit() {
    auto& b = l_.b;
    Type *result = l_.TypeOf(product_.result_type()), *sum = AccumulatorOf(result);
    Values values = l_.Get(product_.c, layout_).v;
    if (sum != result)
      for (Value*& value : values) value = CastFloat(b, value, sum);
    int per_tile = choice_.instruction.result_registers();
    Regs out;
    for (int tile = 0; tile < static_cast<int>(values.size()); tile += per_tile) {
      ASSIGN_OR_RETURN(Value * c, Tile(PlaceOf(tile), Pack(b, ValuesRef(values).slice(tile, per_tile))));
      for (int i = 0; i < per_tile; ++i) {
        Value* value = b.CreateExtractElement(c, i);
        out.v.push_back(sum == result ? value : CastFloat(b, value, result));
      }
    }
    l_.Set(product_.op->getResult(0), layout_, std::move(out));
    return OkStatus();
  }

 private:
  TilePlace PlaceOf(int reg) const {
    const Shape& shape = layout_->shape();
    int m_bits = shape[shape.size() - 2], n_bits = shape.back();
    Bits at = layout_->Apply(kRegister, reg);
    return {at >> (n_bits + m_bits), at >> n_bits & ((Bits(1) << m_bits) - 1), at & ((Bits(1) << n_bits) - 1)};
  }

  StatusOr<Value*> Tile(TilePlace at, Value* c) {
    const Bits outer[2] = {at.row, at.column};
    bool transposed = choice_.form == ResultForm::kTransposed;
    for (Bits k = 0; k < Bits(1) << product_.k_bits(); k += Bits(1) << choice_.instruction.k_bits) {
      MatrixCall call{.id = kIntrinsics[choice_.row], .kind = choice_.instruction.kind, .c = c};
      for (int i : {0, 1}) {
        int place = transposed ? 1 - i : i;
        call.numbers[place] = numbers_[i];
        ASSIGN_OR_RETURN(call.operands[place], fragments_[i].At(at.batch, outer[i], k));
        ASSIGN_OR_RETURN(call.scales[place], scales_[i].At(at.batch, outer[i], k));
      }
      c = Multiply(call);
    }
    return choice_.instruction.kind == MatrixInstruction::kWmmaGfx11 ? KeepInBlock(l_.b, c) : c;
  }

  Value* Multiply(const MatrixCall& call) {
    switch (call.kind) {
      case MatrixInstruction::kMfma:
      case MatrixInstruction::kMfmaF64:
        return EmitMfma(l_.b, call);
      case MatrixInstruction::kMfmaScaled:
        return EmitScaledMfma(l_.b, call);
      case MatrixInstruction::kWmmaGfx11:
      case MatrixInstruction::kWmmaGfx12:
        return EmitWmma(l_.b, call);
    }
    llvm_unreachable("every kind is listed");
  }

  Lowering& l_;
  const Product& product_;
  const MatrixChoice& choice_;
  Layout layout_;
  Fragments fragments_[2];
  Scales scales_[2];
  Number numbers_[2];
};

}  // namespace

Status LowerMatrixProduct(Lowering& l, const Product& product, Layout layout) {
  ASSIGN_OR_RETURN(DotOperand a, NumbersOf(l, product, 0));
  ASSIGN_OR_RETURN(DotOperand b, NumbersOf(l, product, 1));
  return MatrixProduct(l, product, l.plan.ProductChoiceOf(product.op), layout, std::move(a), std::move(b)).Emit();
}

}  // namespace rocxla::triton
