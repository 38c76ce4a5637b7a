// Constants, the place in the grid, structured control flow, calls, assertions.
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/dialect/ttg.h"
#include "triton/interpreter/machine.h"

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;
namespace rocxla::triton {
namespace {

Element ElementOfAttribute(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) return ElementOf(integer.getValue());
  return ElementOf(cast<FloatAttr>(attribute).getValue());
}

Status RunConstant(Machine& m, Operation* operation) {
  auto op = cast<arith::ConstantOp>(operation);
  Data data;
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue())) {
    for (Attribute element : dense.getValues<Attribute>()) data.push_back(ElementOfAttribute(element));
  } else {
    data.push_back(ElementOfAttribute(op.getValue()));
  }
  m.Set(op.getResult(), std::move(data));
  return OkStatus();
}

Status RunPoison(Machine& m, Operation* op) {
  Value result = op->getResult(0);
  auto pointer = dyn_cast<tt::PointerType>(result.getType());
  if (isa<tt::TensorDescType>(result.getType()) || (pointer && isa<RankedTensorType>(pointer.getPointee())))
    return NoMeaning(op, "an undefined block");
  m.Set(result, Data(ElementsOf(result), {0, true}));
  return OkStatus();
}

Status RunProgramId(Machine& m, Operation* op) {
  const auto axis = static_cast<size_t>(cast<tt::ProgramIdOp>(op).getAxis());
  m.Set(op->getResult(0), {{static_cast<uint32_t>(m.program[axis])}});
  return OkStatus();
}
Status RunNumPrograms(Machine& m, Operation* op) {
  const auto axis = static_cast<size_t>(cast<tt::NumProgramsOp>(op).getAxis());
  m.Set(op->getResult(0), {{static_cast<uint32_t>(m.grid[axis])}});
  return OkStatus();
}

Status RunFor(Machine& m, Operation* operation) {
  auto op = cast<scf::ForOp>(operation);
  const Type type = op.getInductionVar().getType();
  for (Value bound : {op.getLowerBound(), op.getUpperBound(), op.getStep()})
    if (m.Scalar(bound).undefined) return ExecutionError(op, "how often the loop runs depends on an undefined value");
  APInt at = IntegerOf(m.Scalar(op.getLowerBound()), type);
  const APInt end = IntegerOf(m.Scalar(op.getUpperBound()), type), step = IntegerOf(m.Scalar(op.getStep()), type);
  SmallVector<Data> carried = m.GetAll(op.getInitArgs());
  while (op.getUnsignedCmp() ? at.ult(end) : at.slt(end)) {
    SmallVector<Data> arguments{{ElementOf(at)}};
    arguments.append(std::move(carried));
    ASSIGN_OR_RETURN(Operation * yield, m.RunRegion(op.getRegion(), std::move(arguments)));
    carried = m.GetAll(yield->getOperands());
    at += step;
  }
  m.SetAll(op.getResults(), std::move(carried));
  return OkStatus();
}

Status RunWhile(Machine& m, Operation* operation) {
  auto op = cast<scf::WhileOp>(operation);
  SmallVector<Data> carried = m.GetAll(op.getInits());
  for (;;) {
    ASSIGN_OR_RETURN(Operation * end, m.RunRegion(op.getBefore(), std::move(carried)));
    auto condition = cast<scf::ConditionOp>(end);
    ASSIGN_OR_RETURN(const bool again, m.Condition(end, condition.getCondition()));
    SmallVector<Data> passed = m.GetAll(condition.getArgs());
    if (!again) {
      m.SetAll(op.getResults(), std::move(passed));
      return OkStatus();
    }
    ASSIGN_OR_RETURN(Operation * yield, m.RunRegion(op.getAfter(), std::move(passed)));
    carried = m.GetAll(yield->getOperands());
  }
}

Status RunIf(Machine& m, Operation* operation) {
  auto op = cast<scf::IfOp>(operation);
  ASSIGN_OR_RETURN(const bool yes, m.Condition(operation, op.getCondition()));
  Region& region = yes ? op.getThenRegion() : op.getElseRegion();
  if (region.empty()) return OkStatus();
  ASSIGN_OR_RETURN(Operation * yield, m.RunRegion(region, {}));
  m.SetAll(op.getResults(), m.GetAll(yield->getOperands()));
  return OkStatus();
}

Status RunCall(Machine& m, Operation* operation) {
  auto op = cast<tt::CallOp>(operation);
  auto callee = m.module().lookupSymbol<tt::FuncOp>(op.getCallee());
  const bool fits = callee && !callee.isExternal() &&
                    callee.getArgumentTypes() == ArrayRef<Type>(llvm::to_vector(op.getOperandTypes())) &&
                    callee.getResultTypes() == ArrayRef<Type>(llvm::to_vector(op.getResultTypes()));
  if (!fits) return NoMeaning(operation, "there is no function of that name and type");
  ASSIGN_OR_RETURN(SmallVector<Data> results, m.Call(callee, m.GetAll(op.getOperands())));
  m.SetAll(op.getResults(), std::move(results));
  return OkStatus();
}

Status RunAssert(Machine& m, Operation* operation) {
  auto op = cast<tt::AssertOp>(operation);
  for (const Element& element : m.Get(op.getCondition()))
    if (element.undefined || element.bits == 0) return ExecutionError(operation, "failed: " + op.getMessage().str());
  return OkStatus();
}
Status RunAssume(Machine& m, Operation* operation) {
  ASSIGN_OR_RETURN(const bool holds, m.Condition(operation, cast<LLVM::AssumeOp>(operation).getCond()));
  return holds ? OkStatus() : ExecutionError(operation, "the assumption does not hold");
}

Status Nothing(Machine&, Operation*) { return OkStatus(); }

}  // namespace

void AddControl(Meanings& meanings) {
  meanings.Add<arith::ConstantOp>(RunConstant);
  meanings.Add<ub::PoisonOp>(RunPoison);
  meanings.Add<tt::ProgramIdOp>(RunProgramId);
  meanings.Add<tt::NumProgramsOp>(RunNumPrograms);
  meanings.Add<scf::ForOp>(RunFor);
  meanings.Add<scf::WhileOp>(RunWhile);
  meanings.Add<scf::IfOp>(RunIf);
  meanings.Add<tt::CallOp>(RunCall);
  meanings.Add<tt::AssertOp>(RunAssert);
  meanings.Add<LLVM::AssumeOp>(RunAssume);
  // What threads would wait for has happened: a program's operations run one after the other.
  meanings.Add<mlir::gpu::BarrierOp>(Nothing);
  meanings.Add<ttg::BarrierOp>(Nothing);
  meanings.Add<tt::PrintOp>(Nothing);
}

}  // namespace rocxla::triton
