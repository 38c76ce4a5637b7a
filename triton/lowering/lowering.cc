#include "triton/lowering/lowering.h"

#include <fmt/format.h>

#include <bit>

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {

const Handlers& Handlers::All() {
  static const Handlers handlers = [] {
    Handlers all;
    for (auto add : {AddArith, AddConvertFloat, AddMath, AddMemory, AddShapes, AddControl, AddReduce, AddScan,
                     AddHistogram, AddInlineAsm, AddPrint, AddDot, AddAtomics})
      add(all);
    return all;
  }();
  return handlers;
}

Status Handlers::Pointwise(Lowering& l, mlir::Operation* op, Layout layout, function_ref<Value*(ValuesRef)> compute) {
  std::deque<Regs> plain;  // keeps what Plain makes
  SmallVector<const Regs*, 3> in;
  for (mlir::Value operand : op->getOperands()) {
    const Regs& regs = l.Get(operand, IsTensor(operand) ? layout : nullptr);
    in.push_back(regs.base ? &plain.emplace_back(l.Plain(regs, operand.getType())) : &regs);
  }
  Regs out;
  Values operands, last;
  for (int r = 0, n = layout ? layout->registers() : 1; r < n; ++r) {
    operands.clear();
    for (const Regs* regs : in) operands.push_back(regs->v[regs->size() == 1 ? 0 : r]);
    Value* result = r && operands == last ? out.v.back() : compute(operands);
    if (!result) return l.Unsupported(op, "not for these element types", "i1, i8, i16, i32, i64, f16, bf16, f32, f64");
    out.v.push_back(result);
    last = operands;
  }
  l.Set(op->getResult(0), layout, std::move(out));
  return OkStatus();
}

Type* Lowering::TypeOf(mlir::Type type) {
  type = mlir::getElementTypeOrSelf(type);
  LLVMContext& context = b.getContext();
  if (auto pointer = mlir::dyn_cast<tt::PointerType>(type)) return PointerType::get(context, pointer.getSpace());
  if (type.isF32()) return Type::getFloatTy(context);
  if (type.isF16()) return Type::getHalfTy(context);
  if (type.isBF16()) return Type::getBFloatTy(context);
  if (type.isF64()) return Type::getDoubleTy(context);
  return IntegerType::get(context, type.getIntOrFloatBitWidth());
}

Type* Lowering::MemoryTypeOf(mlir::Type type) {
  Type* element = TypeOf(type);
  return element->isIntegerTy(1) ? b.getInt8Ty() : element;
}

const Regs& Lowering::Get(mlir::Value value, Layout layout) {
  auto found = values_.find({value, layout});
  if (found != values_.end()) return found->second;
  if (status_.ok()) {
    std::string text;
    raw_string_ostream(text) << value;
    status_ = InternalError(
        fmt::format("no code for a value in layout {}: {}", layout ? layout->ToString() : "(scalar)", text));
  }
  Regs poison;
  poison.v.assign(layout ? layout->registers() : 1, PoisonValue::get(TypeOf(value.getType())));
  return values_[{value, layout}] = std::move(poison);
}

void Lowering::Set(mlir::Value value, Layout layout, Regs regs) { values_[{value, layout}] = std::move(regs); }

void Lowering::ConvertOthers(mlir::Value value) {
  Layout native = plan.Native(value);
  if (!native) return;
  for (Layout layout : plan.Wanted(value)) {
    if (layout == native) continue;
    const Regs regs = Get(value, native);  // of based pointers, the indices move
    Regs converted = Convert(regs, native, layout, regs.v[0]->getType());
    converted.base = regs.base;
    Set(value, layout, std::move(converted));
  }
}

//===-- Pointers
//------------------------------------------------------------------------------------------------------===//

Value* Lowering::Address(const Regs& pointers, int reg, mlir::Type pointer_type) {
  if (!pointers.base) return pointers.v[reg];
  Type* element = MemoryTypeOf(tt::pointeeOf(mlir::getElementTypeOrSelf(pointer_type)));
  return b.CreateGEP(element, pointers.base, b.CreateSExt(pointers.v[reg], b.getInt64Ty()));
}

Regs Lowering::Plain(const Regs& regs, mlir::Type pointer_type) {
  if (!regs.base) return regs;
  Regs plain;
  for (int r = 0; r < regs.size(); ++r) plain.v.push_back(Address(regs, r, pointer_type));
  return plain;
}

Regs Lowering::InFormOf(const Regs& regs, mlir::Value like) {
  if (!TypeOf(like.getType())->isPointerTy() || !IsTensor(like)) return regs;
  if (!plan.pointers().Of(like).has_base) return Plain(regs, like.getType());
  Regs cast;
  cast.base = regs.base;
  for (Value* index : regs.v)
    cast.v.push_back(b.CreateSExtOrTrunc(index, b.getIntNTy(plan.pointers().IndexBits(like))));
  return cast;
}

//===-- Elements and threads
//------------------------------------------------------------------------------------------===//

// The element bits that the set bits of `index` contribute. Runs of neighbouring bits move together.
Value* Lowering::PartOfElement(Value* index, const std::vector<Bits>& bases) {
  Value* part = b.getInt32(0);
  for (size_t i = 0; i < bases.size();) {
    if (!bases[i]) {
      ++i;
      continue;
    }
    bool one_bit = std::has_single_bit(bases[i]);
    size_t run = 1;
    while (one_bit && i + run < bases.size() && bases[i + run] == bases[i] << run) ++run;
    Value* bits = b.CreateAnd(b.CreateLShr(index, i), (1u << run) - 1);
    Value* moved = one_bit ? b.CreateShl(bits, Log2Exact(bases[i])) : b.CreateMul(bits, b.getInt32(bases[i]));
    part = b.CreateXor(part, moved);  // disjoint bits: LLVM turns it into or
    i += run;
  }
  return part;
}

// What lane and warp contribute to Element: computed once, in the entry block.
Value* Lowering::ThreadElement(Layout layout) {
  Value*& element = thread_element_[layout];
  if (element) return element;
  IRBuilder<>::InsertPointGuard guard(b);
  b.SetInsertPoint(b.GetInsertBlock()->getParent()->getEntryBlock().getTerminator());
  element = b.CreateXor(PartOfElement(lane_, layout->bases(kLane)), PartOfElement(warp_, layout->bases(kWarp)));
  return element;
}

Value* Lowering::Element(Layout layout, int reg) {
  Bits own = layout->Apply(kRegister, reg), moving = 0;
  Value* thread = ThreadElement(layout);
  if (!own) return thread;
  for (HwDim hw : {kLane, kWarp})
    for (Bits basis : layout->bases(hw)) moving |= basis;
  return moving & own ? b.CreateXor(thread, own) : b.CreateAdd(thread, b.getInt32(own), "", true, true);
}

Value* Lowering::Owner(Layout layout) {
  Value* owner = b.getTrue();
  auto clear = [&](Value* index, uint32_t mask) {
    if (mask) owner = b.CreateAnd(b.CreateICmpEQ(b.CreateAnd(index, mask), b.getInt32(0)), owner);
  };
  clear(lane_, layout ? layout->FreeMask(kLane) : ~0u);
  clear(warp_, layout ? layout->FreeMask(kWarp) : ~0u);
  return owner;
}

//===-- Ordering and control
//------------------------------------------------------------------------------------------===//

void Lowering::Fence(AtomicOrdering ordering, bool local_only) {
  FenceInst* fence = b.CreateFence(ordering, b.getContext().getOrInsertSyncScopeID("workgroup"));
  if (!local_only) return;
  fence->setMetadata(LLVMContext::MD_mmra, MMRAMetadata::getTagMD(b.getContext(), "amdgpu-synchronize-as", "local"));
}

void Lowering::SharedBarrier() {
  Fence(AtomicOrdering::Release, true);
  Intrinsic(Intrinsic::amdgcn_s_barrier, {}, {});
  Fence(AtomicOrdering::Acquire, true);
}

void Lowering::FullBarrier() {
  Fence(AtomicOrdering::Release, false);
  Intrinsic(Intrinsic::amdgcn_s_barrier, {}, {});
  Fence(AtomicOrdering::Acquire, false);
}

Value* Lowering::LibraryCall(StringRef symbol, Type* result, ValuesRef args) {
  SmallVector<Type*, 3> types;
  for (Value* arg : args) types.push_back(arg->getType());
  FunctionCallee callee = module.getOrInsertFunction(symbol, FunctionType::get(result, types, false));
  return b.CreateCall(callee, args);
}

BasicBlock* Lowering::NewBlock(StringRef name) {
  return BasicBlock::Create(b.getContext(), name, b.GetInsertBlock()->getParent());
}

Values Lowering::Predicated(Value* condition, ValuesRef otherwise, function_ref<Values()> then) {
  if (auto* constant = dyn_cast<ConstantInt>(condition)) return constant->isOne() ? then() : Values(otherwise);
  BasicBlock *from = b.GetInsertBlock(), *yes = NewBlock("then"), *join = NewBlock("join");
  b.CreateCondBr(condition, yes, join);
  b.SetInsertPoint(yes);
  Values values = then();
  BasicBlock* end = b.GetInsertBlock();
  b.CreateBr(join);
  b.SetInsertPoint(join);
  Values merged;
  for (auto [value, other] : zip(values, otherwise)) {
    PHINode* phi = b.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, end);
    phi->addIncoming(other, from);
    merged.push_back(phi);
  }
  return merged;
}

//===-- The walk
//------------------------------------------------------------------------------------------------------===//

Status Lowering::Op(mlir::Operation* op) {
  Handler handler = Handlers::All().Find(op);
  if (!handler) return Unsupported(op, "no lowering", "");
  DebugLoc outer = b.getCurrentDebugLocation();
  b.SetCurrentDebugLocation(debug_info_->Of(op->getLoc()));
  for (Layout layout : plan.EvaluatedIn(op)) RETURN_IF_ERROR(handler(*this, op, layout));
  for (mlir::Value result : op->getResults())
    if (values_.contains({result, plan.Native(result)})) ConvertOthers(result);
  b.SetCurrentDebugLocation(outer);
  return status_;
}

Status Lowering::Block(mlir::Block& block) {
  for (mlir::Operation& op : block) RETURN_IF_ERROR(Op(&op));
  return OkStatus();
}

StatusOr<Values> Lowering::InlineRegion(mlir::Region& region, ValuesRef args) {
  mlir::Block& block = region.front();
  for (auto [argument, value] : zip(block.getArguments(), args)) Set(argument, nullptr, value);
  for (mlir::Operation& op : block.without_terminator()) RETURN_IF_ERROR(Op(&op));
  Values yielded;
  for (mlir::Value value : block.getTerminator()->getOperands()) yielded.push_back(Scalar(value));
  return yielded;
}

Status Lowering::Unsupported(mlir::Operation* op, std::string reason, std::string supported) const {
  return UnsupportedOp(op, plan.target(), std::move(reason), std::move(supported));
}

llvm::Function* Lowering::Declare(tt::FuncOp op) {
  SmallVector<Type*> args;
  for (mlir::Type type : op.getArgumentTypes()) args.push_back(MemoryTypeOf(type));
  auto* type = FunctionType::get(b.getVoidTy(), args, false);
  auto* function = llvm::Function::Create(type, GlobalValue::ExternalLinkage, op.getName(), module);
  function->setCallingConv(CallingConv::AMDGPU_KERNEL);
  int threads = plan.target().num_warps << plan.target().machine().lane_bits;
  function->addFnAttr("amdgpu-flat-work-group-size", fmt::format("{},{}", threads, threads));
  function->addFnAttr("uniform-work-group-size", "true");
  for (mlir::BlockArgument argument : op.getArguments()) {
    unsigned i = argument.getArgNumber();
    function->getArg(i)->setName(fmt::format("arg{}", i));
    if (!args[i]->isPointerTy()) continue;
    int64_t alignment = std::max<int64_t>(1, plan.axes().Of(argument).divisibility[0]);
    function->addParamAttr(i, Attribute::NoUndef);
    function->addParamAttr(i, Attribute::getWithAlignment(b.getContext(), Align(std::min<int64_t>(alignment, 256))));
  }
  return function;
}

StatusOr<llvm::Function*> Lowering::Function(tt::FuncOp op) {
  llvm::Function* function = Declare(op);
  debug_info_.emplace(*function, op.getLoc());
  auto* entry = BasicBlock::Create(b.getContext(), "entry", function);
  auto* body = BasicBlock::Create(b.getContext(), "body", function);
  b.SetInsertPoint(entry);
  Value* thread = Intrinsic(Intrinsic::amdgcn_workitem_id_x, {}, {});
  int lane_bits = plan.target().machine().lane_bits;
  lane_ = b.CreateAnd(thread, (1 << lane_bits) - 1, "lane");
  warp_ = b.CreateLShr(thread, lane_bits, "warp");
  b.CreateBr(body);
  b.SetInsertPoint(body);
  for (mlir::BlockArgument argument : op.getArguments()) {
    Value* value = function->getArg(argument.getArgNumber());
    Type* wanted = TypeOf(argument.getType());
    Set(argument, nullptr, wanted->isIntegerTy(1) ? b.CreateTrunc(value, wanted) : value);
  }
  RETURN_IF_ERROR(Block(op.getBody().front()));
  debug_info_->Finish();
  return function;
}

}  // namespace rocxla::triton
