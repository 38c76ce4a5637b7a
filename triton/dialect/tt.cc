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
#include "triton/dialect/ttg.h"

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
  registry.insert<TTDialect, ttg::TTGDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                  cf::ControlFlowDialect, mlir::gpu::GPUDialect, ub::UBDialect, LLVM::LLVMDialect>();
}

namespace {
// "64x32xf16".
RankedTensorType ParseBlock(AsmParser& parser) {
  SmallVector<int64_t> shape;
  Type element;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element)) return {};
  return RankedTensorType::getChecked([&] { return parser.emitError(at); }, shape, element);
}

Type WithShapeOf(Type shaped, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(shaped);
  return tensor ? Type(RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding())) : element;
}
}  // namespace

Type TensorDescType::parse(AsmParser& parser) {
  if (parser.parseLess()) return {};
  llvm::SMLoc at = parser.getCurrentLocation();
  RankedTensorType block;
  if (succeeded(parser.parseOptionalKeyword("tensor"))) {
    if (parser.parseLess()) return {};
    block = ParseBlock(parser);
    if (!block || parser.parseGreater()) return {};
  } else {
    block = ParseBlock(parser);
    if (!block) return {};
    // How it would lie in LDS does not matter here.
    Attribute ignored;
    if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(ignored)) return {};
  }
  return parser.parseGreater() ? Type() : parser.getChecked<TensorDescType>(at, parser.getContext(), block);
}

void TensorDescType::print(AsmPrinter& printer) const {
  printer << "<";
  for (int64_t extent : getBlock().getShape()) printer << extent << "x";
  printer << getBlock().getElementType() << ">";
}

Type pointeeOf(Type pointer) {
  auto scalar = dyn_cast<PointerType>(getElementTypeOrSelf(pointer));
  return scalar ? WithShapeOf(pointer, scalar.getPointee()) : Type();
}

Type elementPointerOf(Type block_pointer) {
  auto pointer = dyn_cast<PointerType>(block_pointer);
  auto block = pointer ? dyn_cast<RankedTensorType>(pointer.getPointee()) : RankedTensorType();
  return block ? PointerType::get(pointer.getContext(), block.getElementType(), pointer.getSpace()) : block_pointer;
}

Type i1Like(Type type) { return WithShapeOf(type, IntegerType::get(type.getContext(), 1)); }

void LoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable());
  // What is to be fetched again each time is not fetched once instead.
  if (getIsVolatile() || getCache() == CacheModifier::CV) effects.emplace_back(MemoryEffects::Write::get());
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
