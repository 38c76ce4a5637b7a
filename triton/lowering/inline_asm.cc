// tt.elementwise_inline_asm and tt.map_elementwise: code of the user's own, on one or several neighbouring elements at
// a time.
#include "llvm/IR/InlineAsm.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// How elements go into the registers that assembly sees: up to a dword of them in one.
struct Packing {
  int elements;  // per register
  Type* element;
  Type* passed;  // what LLVM is told that the register holds
};

Packing PackingOf(IRBuilderBase& b, Type* element, int pack) {
  if (element->isPointerTy()) return {1, element, element};
  int bits = static_cast<int>(element->getScalarSizeInBits());
  int elements = bits < 32 ? std::min(32 / bits, pack) : 1;
  if (elements > 1) return {elements, element, b.getIntNTy(bits * elements)};
  return {1, element, bits < 16 ? b.getInt32Ty() : element};
}

Value* Pack(IRBuilderBase& b, ValuesRef elements, const Packing& packing) {
  if (packing.elements == 1)
    return elements[0]->getType() == packing.passed ? elements[0] : b.CreateZExt(elements[0], packing.passed);
  Value* vector = PoisonValue::get(FixedVectorType::get(packing.element, packing.elements));
  for (int i = 0; i < packing.elements; ++i) vector = b.CreateInsertElement(vector, elements[i], i);
  return b.CreateBitCast(vector, packing.passed);
}

void Unpack(IRBuilderBase& b, Value* packed, const Packing& packing, Values& out) {
  if (packing.elements == 1) {
    out.push_back(packing.passed == packing.element ? packed : b.CreateTrunc(packed, packing.element));
    return;
  }
  Value* vector = b.CreateBitCast(packed, FixedVectorType::get(packing.element, packing.elements));
  for (int i = 0; i < packing.elements; ++i) out.push_back(b.CreateExtractElement(vector, i));
}

// Elements first .. first + count - 1; what the thread does not have is poison.
Values Neighbours(const Regs& regs, int first, int count) {
  Values out;
  for (int i = first; i < first + count; ++i)
    out.push_back(i < regs.size() ? regs.v[i] : PoisonValue::get(regs.v[0]->getType()));
  return out;
}

class Assembly {
 public:
  Assembly(Lowering& l, tt::InlineAsmOp op) : b_(l.b), op_(op), pack_(static_cast<int>(op.getPackedElement())) {
    for (mlir::Type type : op->getOperandTypes()) in_.push_back(PackingOf(b_, l.TypeOf(type), pack_));
    for (mlir::Type type : op->getResultTypes()) out_.push_back(PackingOf(b_, l.TypeOf(type), pack_));
    SmallVector<Type*> args, results;
    for (const Packing& packing : in_) args.append(pack_ / packing.elements, packing.passed);
    for (const Packing& packing : out_) results.append(pack_ / packing.elements, packing.passed);
    Type* result = results.empty()       ? b_.getVoidTy()
                   : results.size() == 1 ? results[0]
                                         : StructType::get(b_.getContext(), results);
    type_ = FunctionType::get(result, args, false);
  }

  // Empty, or what is wrong with the operation.
  std::string Fault() const {
    for (const auto* list : {&in_, &out_})
      for (const Packing& packing : *list)
        if (pack_ % packing.elements) return "packed_element does not fill dwords";
    std::string fault;
    llvm::Error error = InlineAsm::verify(type_, constraints());
    if (error) fault = "constraints: " + toString(std::move(error));
    return fault;
  }

  // Runs it on the elements first .. first + pack - 1 and appends the results, one list per result.
  void Call(ArrayRef<Regs> operands, int first, std::vector<Values>& results) {
    Values args;
    for (auto [regs, packing] : zip(operands, in_)) {
      Values elements = Neighbours(regs, first, pack_);
      for (int i = 0; i < pack_; i += packing.elements)
        args.push_back(Pack(b_, ValuesRef(elements).slice(i, packing.elements), packing));
    }
    auto* code = InlineAsm::get(type_, op_.getAsmString(), constraints(), /*hasSideEffects=*/!op_.getPure());
    Value* call = b_.CreateCall(type_, code, args);
    unsigned next = 0;
    for (auto [i, packing] : enumerate(out_))
      for (int k = 0; k < pack_; k += packing.elements)
        Unpack(b_, type_->getReturnType()->isStructTy() ? b_.CreateExtractValue(call, next++) : call, packing,
               results[i]);
  }

 private:
  std::string constraints() const { return const_cast<tt::InlineAsmOp&>(op_).getConstraints().str(); }

  IRBuilder<>& b_;
  tt::InlineAsmOp op_;
  int pack_;
  SmallVector<Packing> in_, out_;
  FunctionType* type_;
};

Status LowerInlineAsm(Lowering& l, mlir::Operation* op, Layout layout) {
  auto inline_asm = mlir::cast<tt::InlineAsmOp>(op);
  const auto pack = static_cast<int>(inline_asm.getPackedElement());
  if (pack < 1 || pack > 32) return l.Unsupported(op, "this packed_element", "1 to 32");
  Assembly assembly(l, inline_asm);
  if (std::string fault = assembly.Fault(); !fault.empty())
    return l.Unsupported(op, fault, "one constraint per register: \"=v,v,v\"");
  std::vector<Regs> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(l.Plain(l.Get(operand, IsTensor(operand) ? layout : nullptr), operand.getType()));
  std::vector<Values> results(op->getNumResults());
  const int registers = layout ? layout->registers() : 1;
  for (int first = 0; first < registers; first += pack) assembly.Call(operands, first, results);
  for (auto [result, values] : zip(op->getResults(), results)) {
    values.resize(registers);
    Regs regs;
    regs.v = std::move(values);
    l.Set(result, layout, std::move(regs));
  }
  return OkStatus();
}

Status LowerMap(Lowering& l, mlir::Operation* op, Layout layout) {
  auto map = mlir::cast<tt::MapElementwiseOp>(op);
  const auto pack = static_cast<int>(map.getPack());
  std::vector<Regs> results(op->getNumResults());
  for (int first = 0; first < layout->registers(); first += pack) {
    Values args;
    for (mlir::Value operand : op->getOperands())
      args.append(Neighbours(l.Plain(l.Get(operand, layout), operand.getType()), first, pack));
    ASSIGN_OR_RETURN(Values returned, l.InlineRegion(map.getScalarOp(), args));
    for (auto [i, value] : enumerate(returned)) results[i / pack].v.push_back(value);
  }
  for (auto [result, regs] : zip(op->getResults(), results)) l.Set(result, layout, std::move(regs));
  return OkStatus();
}

}  // namespace

void AddInlineAsm(Handlers& h) {
  h.Add<tt::InlineAsmOp>(LowerInlineAsm);
  h.Add<tt::MapElementwiseOp>(LowerMap);
}

}  // namespace rocxla::triton
