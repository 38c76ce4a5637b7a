// Matrix products: on matrix instructions where the plan chose one, else by multiply-adds from LDS.
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

constexpr llvm::Intrinsic::ID kIntrinsics[] = {
#define MATRIX_INSTRUCTION(element, kind, m, k, kw, intrinsic, from, to) Intrinsic::intrinsic,
#include "triton/layout/matrix_instructions.def"
#undef MATRIX_INSTRUCTION
};

//===-- Matrix instructions
//-------------------------------------------------------------------------------------------===//

// Which register of lane 0, warp 0 holds an element.
DenseMap<Bits, int> HoldersOf(Layout layout) {
  DenseMap<Bits, int> holders;
  for (int r = 0; r < layout->registers(); ++r) holders[layout->Apply(kRegister, r)] = r;
  return holders;
}

Value* Pack(IRBuilderBase& b, ValuesRef values) {
  if (values.size() == 1) return values[0];
  Value* vector = PoisonValue::get(FixedVectorType::get(values[0]->getType(), values.size()));
  for (auto [i, value] : enumerate(values)) vector = b.CreateInsertElement(vector, value, i);
  return vector;
}

// One matrix instruction: c + x * y.
Value* Multiply(IRBuilderBase& b, const MatrixChoice& choice, Value* x, Value* y, Value* c) {
  llvm::Intrinsic::ID id = kIntrinsics[choice.row];
  // bf16 operands travel as i16.
  auto operand = [&](Value* v) {
    auto* vector = dyn_cast<FixedVectorType>(v->getType());
    bool bf16 = vector && vector->getElementType()->isBFloatTy();
    return bf16 ? b.CreateBitCast(v, FixedVectorType::get(b.getInt16Ty(), vector->getNumElements())) : v;
  };
  x = operand(x);
  y = operand(y);
  Value* zero = b.getInt32(0);
  switch (choice.instruction.kind) {
    case MatrixInstruction::kMfma:
      return b.CreateIntrinsic(id, {}, {y, x, c, zero, zero, zero});  // transposed result
    case MatrixInstruction::kMfmaF64:
      return b.CreateIntrinsic(id, {}, {x, y, c, zero, zero, zero});
    case MatrixInstruction::kWmmaGfx11:
    case MatrixInstruction::kWmmaGfx12:
      return b.CreateIntrinsic(id, {c->getType(), x->getType()}, {x, y, c});
  }
  llvm_unreachable("every kind is listed");
}

Status LowerMatrixDot(Lowering& l, tt::DotOp dot, Layout layout, const MatrixChoice& choice) {
  auto& b = l.b;
  Layout a_layout = l.plan.OperandLayout(dot, 0, layout), b_layout = l.plan.OperandLayout(dot, 1, layout);
  const Regs &a = l.Get(dot.getA(), a_layout), &bb = l.Get(dot.getB(), b_layout), &acc = l.Get(dot.getC(), layout);
  DenseMap<Bits, int> at_a = HoldersOf(a_layout), at_b = HoldersOf(b_layout);
  int rank = layout->rank(), k_bits = a_layout->shape()[rank - 1];
  int m_bits = layout->shape()[rank - 2], n_bits = layout->shape()[rank - 1];
  int width = 1 << choice.instruction.k_width_bits, results = choice.instruction.result_registers();
  Regs out;
  for (int tile = 0; tile < acc.size(); tile += results) {
    Bits at = layout->Apply(kRegister, tile);
    Bits n = at & ((Bits(1) << n_bits) - 1), m = at >> n_bits & ((Bits(1) << m_bits) - 1),
         batch = at >> (n_bits + m_bits);
    Value* c = Pack(b, ValuesRef(acc.v).slice(tile, results));
    for (Bits k = 0; k < Bits(1) << k_bits; k += Bits(1) << choice.instruction.k_bits) {
      auto first_a = at_a.find(((batch << m_bits | m) << k_bits) | k),
           first_b = at_b.find(((batch << k_bits | k) << n_bits) | n);
      if (first_a == at_a.end() || first_b == at_b.end()) return InternalError("a matrix operand is in no register");
      Value* x = Pack(b, ValuesRef(a.v).slice(first_a->second, width));
      Value* y = Pack(b, ValuesRef(bb.v).slice(first_b->second, width));
      c = Multiply(b, choice, x, y, c);
    }
    for (int i = 0; i < results; ++i) out.v.push_back(b.CreateExtractElement(c, i));
  }
  l.Set(dot.getResult(), layout, std::move(out));
  return OkStatus();
}

//===-- Multiply-adds
//-------------------------------------------------------------------------------------------------===//

// Both operands go to LDS K-major ([batch][k][m] and [batch][k][n]); a loop over K reads the few rows and columns of
// this thread's block, so that only they and the accumulators are live.
class MultiplyAddDot {
 public:
  MultiplyAddDot(Lowering& l, tt::DotOp dot, Layout layout)
      : l_(l),
        dot_(dot),
        layout_(layout),
        rank_(layout->rank()),
        m_bits_(layout->shape()[rank_ - 2]),
        n_bits_(layout->shape()[rank_ - 1]),
        k_bits_(ShapeOf(dot.getA().getType())[rank_ - 1]),
        result_(l.TypeOf(dot.getType())),
        accumulator_(result_->isHalfTy() || result_->isBFloatTy() ? l.b.getFloatTy() : result_) {}

  Status Emit() {
    RETURN_IF_ERROR(CheckTypes());
    auto& b = l_.b;
    int b_begin = StoreOperands();
    Side rows = SideOf(0, 0), columns = SideOf(1, b_begin);
    if (!rows.from || !columns.from) return InternalError("a product's rows do not map to registers");
    Values acc;
    for (Value* value : l_.Get(dot_.getC(), layout_).v) acc.push_back(Widen(value));
    BasicBlock *before = b.GetInsertBlock(), *body = l_.NewBlock("k"), *done = l_.NewBlock("k.done");
    b.CreateBr(body);
    b.SetInsertPoint(body);
    PHINode* k = b.CreatePHI(b.getInt32Ty(), 2);
    k->addIncoming(b.getInt32(0), before);
    SmallVector<PHINode*> phis;
    for (Value*& value : acc) {
      phis.push_back(b.CreatePHI(accumulator_, 2));
      phis.back()->addIncoming(value, before);
      value = phis.back();
    }
    int step = std::min(1 << k_bits_, kStep);
    for (int i = 0; i < step; ++i) OneStep(rows, columns, b.CreateAdd(k, b.getInt32(i)), acc);
    Value* next = b.CreateAdd(k, b.getInt32(step));
    k->addIncoming(next, body);
    for (auto [phi, value] : zip(phis, acc)) phi->addIncoming(value, body);
    BranchInst* back = b.CreateCondBr(b.CreateICmpULT(next, b.getInt32(1u << k_bits_)), body, done);
    KeepRolled(back);
    b.SetInsertPoint(done);
    Regs out;
    for (Value* value : acc) out.v.push_back(accumulator_ == result_ ? value : b.CreateFPTrunc(value, result_));
    l_.Set(dot_.getResult(), layout_, std::move(out));
    return OkStatus();
  }

 private:
  static constexpr int kStep = 4;  // of K per iteration

  Status CheckTypes() {
    Type *a = l_.TypeOf(dot_.getA().getType()), *b = l_.TypeOf(dot_.getB().getType());
    bool small_floats = false;
    for (mlir::Value operand : {dot_.getA(), dot_.getB()}) {
      mlir::Type element = mlir::getElementTypeOrSelf(operand);
      small_floats |= mlir::isa<mlir::FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
    }
    bool floats = a->isFloatingPointTy() && b->isFloatingPointTy() && result_->isFloatingPointTy();
    bool integers = a->isIntegerTy() && b->isIntegerTy() && result_->isIntegerTy();
    bool widens = a->getScalarSizeInBits() <= accumulator_->getScalarSizeInBits() &&
                  b->getScalarSizeInBits() <= accumulator_->getScalarSizeInBits();
    if (!small_floats && widens && (floats || integers)) return OkStatus();
    return l_.Unsupported(dot_, "these element types",
                          "f16, bf16, f32, f64 or integers, accumulated in no narrower a type");
  }

  // What this thread needs of one operand: `layout` has one register per distinct row (column), `from` names it for
  // each accumulator.
  struct Side {
    Layout layout;
    std::optional<std::vector<int>> from;
    Type* type;
    int extent_bits;
    int begin;
  };
  Side SideOf(int operand, int begin) {
    int other = operand == 0 ? rank_ - 1 : rank_ - 2;
    LinearLayout squashed = layout_->SquashDim(other);
    auto from = layout_->ClearDim(other).RegistersFrom(squashed);
    mlir::Value value = operand == 0 ? dot_.getA() : dot_.getB();
    return {l_.plan.Intern(std::move(squashed)), from, l_.TypeOf(value.getType()), operand == 0 ? m_bits_ : n_bits_,
            begin};
  }

  // Returns where B begins.
  int StoreOperands() {
    using Padding = Lowering::Padding;
    Layout a_layout = l_.plan.OperandLayout(dot_, 0, layout_), b_layout = l_.plan.OperandLayout(dot_, 1, layout_);
    std::vector<int> k_major = rank_ == 2 ? std::vector<int>{1, 0} : std::vector<int>{0, 2, 1};
    Layout a_stored = l_.plan.Intern(a_layout->Transpose(k_major));
    const Regs &a = l_.Get(dot_.getA(), a_layout), &b = l_.Get(dot_.getB(), b_layout);
    int begin = (Lowering::SharedBytes(a.v[0]->getType(), a_stored->shape(), Padding::kNone) + 15) & ~15;
    l_.SharedBarrier();
    l_.StoreShared(a.v, a_stored, 0, Padding::kNone);
    l_.StoreShared(b.v, b_layout, begin, Padding::kNone);
    l_.SharedBarrier();
    return begin;
  }

  Value* Widen(Value* value) {
    if (value->getType() == accumulator_) return value;
    return result_->isIntegerTy() ? l_.b.CreateSExt(value, accumulator_) : l_.b.CreateFPExt(value, accumulator_);
  }

  // This thread's rows (or columns) at one k, widened.
  Values Fragment(const Side& side, Value* k) {
    auto& b = l_.b;
    int bytes = std::max(1u, side.type->getScalarSizeInBits() / 8);
    int width = std::min(side.layout->ContiguousRegisters(), 16 / bytes);
    Values values;
    for (int first = 0; first < side.layout->registers(); first += width) {
      // side.layout numbers elements batch * extent + row; LDS holds (batch * K + k) * extent + row.
      Value* element = l_.Element(side.layout, first);
      Value* row = b.CreateAnd(element, (1u << side.extent_bits) - 1);
      Value* batch = b.CreateLShr(element, side.extent_bits);
      Value* line = rank_ == 2 ? k : b.CreateAdd(b.CreateShl(batch, k_bits_), k);
      Value* at = b.CreateAdd(b.CreateShl(line, side.extent_bits), row, "", true, true);
      Value* offset =
          b.CreateAdd(b.CreateMul(at, b.getInt32(bytes), "", true, true), b.getInt32(side.begin), "", true, true);
      Value* vector =
          b.CreateAlignedLoad(FixedVectorType::get(side.type, width), l_.Shared(offset), Align(width * bytes));
      for (int i = 0; i < width; ++i) values.push_back(Widen(b.CreateExtractElement(vector, i)));
    }
    return values;
  }

  void OneStep(const Side& rows, const Side& columns, Value* k, Values& acc) {
    auto& b = l_.b;
    Values x = Fragment(rows, k), y = Fragment(columns, k);
    for (size_t r = 0; r < acc.size(); ++r) {
      Value *left = x[(*rows.from)[r]], *right = y[(*columns.from)[r]];
      acc[r] = result_->isIntegerTy() ? b.CreateAdd(acc[r], b.CreateMul(left, right))
                                      : b.CreateIntrinsic(accumulator_, llvm::Intrinsic::fma, {left, right, acc[r]});
    }
  }

  // Unrolling would bring all fragments into registers at once.
  void KeepRolled(BranchInst* back) {
    LLVMContext& context = l_.b.getContext();
    MDNode* no_unroll = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
    MDNode* loop = MDNode::getDistinct(context, {nullptr, no_unroll});
    loop->replaceOperandWith(0, loop);
    back->setMetadata(LLVMContext::MD_loop, loop);
  }

  Lowering& l_;
  tt::DotOp dot_;
  Layout layout_;
  int rank_;
  int m_bits_, n_bits_, k_bits_;
  Type* result_;
  Type* accumulator_;
};

}  // namespace

void AddDot(Handlers& h) {
  h.Add<tt::DotOp>([](Lowering& l, mlir::Operation* op, Layout layout) {
    auto dot = mlir::cast<tt::DotOp>(op);
    if (auto choice = ChooseMatrixInstruction(dot, l.plan.target())) return LowerMatrixDot(l, dot, layout, *choice);
    return MultiplyAddDot(l, dot, layout).Emit();
  });
}

}  // namespace rocxla::triton
