#include "triton/dialect/tt.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
#include "triton/dialect/tt_dialect.cpp.inc"
#include "triton/dialect/tt_enums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "triton/dialect/tt_types.cpp.inc"
#define GET_OP_CLASSES
#include "triton/dialect/tt_ops.cpp.inc"

namespace rocxla::triton::tt {

void TTDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton/dialect/tt_types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "triton/dialect/tt_ops.cpp.inc"
      >();
}

void RegisterDialects(DialectRegistry& registry) {
  registry.insert<TTDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect, cf::ControlFlowDialect,
                  mlir::gpu::GPUDialect, ub::UBDialect, LLVM::LLVMDialect>();
}

namespace {
Type WithShapeOf(Type shaped, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(shaped);
  return tensor ? Type(RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding())) : element;
}
}  // namespace

Type pointeeOf(Type pointer) {
  auto scalar = dyn_cast<PointerType>(getElementTypeOrSelf(pointer));
  return scalar ? WithShapeOf(pointer, scalar.getPointee()) : Type();
}

Type i1Like(Type type) { return WithShapeOf(type, IntegerType::get(type.getContext(), 1)); }

void LoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable());
  if (getIsVolatile()) effects.emplace_back(MemoryEffects::Write::get());
}
void ExternElementwiseOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  if (!getPure()) effects.emplace_back(MemoryEffects::Write::get());
}
Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}
void InlineAsmOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  if (!getPure()) effects.emplace_back(MemoryEffects::Write::get());
}

ParseResult FuncOp::parse(OpAsmParser& parser, OperationState& state) {
  auto build = [](Builder& b, ArrayRef<Type> in, ArrayRef<Type> out, function_interface_impl::VariadicFlag,
                  std::string&) { return b.getFunctionType(in, out); };
  return function_interface_impl::parseFunctionOp(parser, state, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(state.name), build,
                                                  getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}
void FuncOp::print(OpAsmPrinter& printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

}  // namespace rocxla::triton::tt
