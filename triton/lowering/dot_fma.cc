// Products by multiply-adds, where no matrix instruction fits.
#include "llvm/IR/MDBuilder.h"
#include "triton/lowering/dot.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// Both operands go to LDS K-major ([batch][k][m] and [batch][k][n]); a loop over K reads the few rows and columns of
// this thread's block, so that only they and the accumulators are live.
class MultiplyAdds {
 public:
  MultiplyAdds(Lowering& l, const Product& product, Layout layout)
      : l_(l),
        product_(product),
        layout_(layout),
        rank_(layout->rank()),
        m_bits_(layout->shape()[rank_ - 2]),
        n_bits_(layout->shape()[rank_ - 1]),
        k_bits_(product.k_bits()),
        result_(l.TypeOf(product.result_type())),
        accumulator_(AccumulatorOf(result_)) {}

  Status Emit() {
    auto& b = l_.b;
    RETURN_IF_ERROR(StoreOperands());
    Side rows = SideOf(0), columns = SideOf(1);
    if (!rows.from || !columns.from) return InternalError("a product's rows do not map to registers");
    Values acc;
    for (Value* value : l_.Get(product_.c, layout_).v) acc.push_back(Widen(value));
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
    for (Value* value : acc) out.v.push_back(accumulator_ == result_ ? value : CastFloat(b, value, result_));
    l_.Set(product_.op->getResult(0), layout_, std::move(out));
    return OkStatus();
  }

 private:
  static constexpr int kStep = 4;  // of K per iteration

  // What this thread needs of one operand: `layout` has one register per distinct row (column), `from` names it for
  // each accumulator.
  struct Side {
    Layout layout;
    std::optional<std::vector<int>> from;
    Type* type;
    int extent_bits;
    int begin;
  };
  Side SideOf(int operand) {
    int other = operand == 0 ? rank_ - 1 : rank_ - 2;
    LinearLayout squashed = layout_->SquashDim(other);
    auto from = layout_->ClearDim(other).RegistersFrom(squashed);
    return {l_.plan.Intern(std::move(squashed)), from, stored_types_[operand], operand == 0 ? m_bits_ : n_bits_,
            operand == 0 ? 0 : second_begin_};
  }

  Status StoreOperands() {
    ASSIGN_OR_RETURN(DotOperand a, NumbersOf(l_, product_, 0));
    ASSIGN_OR_RETURN(DotOperand b, NumbersOf(l_, product_, 1));
    stored_types_[0] = a.v[0]->getType();
    stored_types_[1] = b.v[0]->getType();
    std::vector<int> k_major = rank_ == 2 ? std::vector<int>{1, 0} : std::vector<int>{0, 2, 1};
    Layout a_stored = l_.plan.Intern(a.layout->Transpose(k_major));
    second_begin_ = (Lowering::SharedBytes(stored_types_[0], a_stored->shape()) + 15) & ~15;
    l_.SharedBarrier();
    l_.StoreShared(a.v, a_stored, 0);
    l_.StoreShared(b.v, b.layout, second_begin_);
    l_.SharedBarrier();
    return OkStatus();
  }

  Value* Widen(Value* value) {
    if (value->getType() == accumulator_) return value;
    return result_->isIntegerTy() ? l_.b.CreateSExt(value, accumulator_) : CastFloat(l_.b, value, accumulator_);
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
  const Product& product_;
  Layout layout_;
  int rank_;
  int m_bits_, n_bits_, k_bits_;
  Type* result_;
  Type* accumulator_;
  Type* stored_types_[2] = {};
  int second_begin_ = 0;  // where the right operand begins in LDS
};

}  // namespace

Status LowerMultiplyAdds(Lowering& l, const Product& product, Layout layout) {
  return MultiplyAdds(l, product, layout).Emit();
}

}  // namespace rocxla::triton
