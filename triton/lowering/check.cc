// Rejects, before any work, what plan and lowering cannot handle.
#include <fmt/format.h>

#include "base/error_ids.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/lowering/handlers.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

constexpr char kSupportedTypes[] =
    "i1, i8, i16, i32, i64, f16, bf16, f32, f64, pointers to them, and tensors of these with power-of-two extents and "
    "at most "
    "1048576 elements";
constexpr int kMaxTensorBits = 20;
constexpr llvm::StringLiteral kTakenNames[] = {"llvm.", "__ocml_", "__ockl_", "__oclc_"};

std::string TypeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

bool IsSmallFloat(Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8; }

bool IsScalarSupported(Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    return pointer.getSpace() == 1 && IsScalarSupported(pointer.getPointee());
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() || IsSmallFloat(type);
}

// Empty when supported, else what is wrong.
std::string WhyTypeIsUnsupported(Type type) {
  if (!IsScalarSupported(getElementTypeOrSelf(type))) return fmt::format("element type of {}", TypeText(type));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) return isa<ShapedType>(type) ? fmt::format("type {}", TypeText(type)) : "";
  if (tensor.getEncoding()) return fmt::format("layout attribute of {}", TypeText(type));
  int bits = 0;
  for (int64_t extent : tensor.getShape()) {
    if (Log2Exact(extent) < 0) return fmt::format("extent {} of {} is no power of two", extent, TypeText(type));
    bits += Log2Exact(extent);
  }
  return bits > kMaxTensorBits ? fmt::format("{} has more than 1048576 elements", TypeText(type)) : "";
}

// 8-bit floats are moved as bytes and converted; there is no arithmetic on them.
bool TakesSmallFloats(Operation* op) {
  return isa<arith::SelectOp, arith::ConstantOp, arith::BitcastOp, arith::ExtFOp, arith::TruncFOp, tt::BitcastOp,
             tt::FpToFpOp, tt::InlineAsmOp>(op) ||
         !IsPointwise(op);
}

Status CheckTypes(Operation* op, const PlanTarget& target) {
  auto check = [&](Type type) {
    std::string wrong = WhyTypeIsUnsupported(type);
    if (!wrong.empty()) return UnsupportedOp(op, target, wrong, kSupportedTypes);
    if (IsSmallFloat(getElementTypeOrSelf(type)) && !TakesSmallFloats(op))
      return UnsupportedOp(op, target, fmt::format("arithmetic on {}", TypeText(type)),
                           "8-bit floats can be loaded, stored, selected, bitcast and converted only");
    return OkStatus();
  };
  for (Type type : op->getOperandTypes()) RETURN_IF_ERROR(check(type));
  for (Type type : op->getResultTypes()) RETURN_IF_ERROR(check(type));
  return OkStatus();
}

// Pointwise operations take either scalars or tensors of one shape.
Status CheckPointwiseShapes(Operation* op, const PlanTarget& target) {
  if (!IsPointwise(op) || op->getNumResults() == 0) return OkStatus();
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  for (Type type : op->getOperandTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    bool scalar_condition = !tensor && isa<arith::SelectOp>(op);
    if (scalar_condition) continue;
    bool fits = result ? tensor && tensor.getShape() == result.getShape() : !tensor;
    if (!fits)
      return UnsupportedOp(op, target, "operands and result differ in shape", "operands of the result's shape");
  }
  return OkStatus();
}

// A loop whose step is a constant below 1 would never end.
Status CheckStep(Operation* op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  APInt step;
  if (!loop || !matchPattern(loop.getStep(), m_ConstantInt(&step)) || step.isStrictlyPositive()) return OkStatus();
  return Error(ErrorId::kTritonSyntax, {.what = "the step of a loop is not positive",
                                        .where = LocationText(op->getLoc()),
                                        .found = fmt::format("scf.for with step {}", step.getSExtValue()),
                                        .expected = "a step of 1 or more"});
}

// Regions combine numbers.
Status CheckCombined(Operation* op, const PlanTarget& target) {
  if (!isa<tt::ReduceOp, tt::ScanOp>(op)) return OkStatus();
  for (Type type : op->getOperandTypes())
    if (isa<tt::PointerType>(getElementTypeOrSelf(type)))
      return UnsupportedOp(op, target, "of pointers", "integers and floats");
  return OkStatus();
}

Status CheckOp(Operation* op, const PlanTarget& target) {
  RETURN_IF_ERROR(CheckStep(op));
  if (!Handlers::All().Find(op)) return UnsupportedOp(op, target, "no lowering for this operation", "");
  for (Region& region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock())
      return UnsupportedOp(op, target, "a region with several blocks", "structured control flow: scf.for, scf.if");
  RETURN_IF_ERROR(CheckTypes(op, target));
  RETURN_IF_ERROR(CheckProduct(op, target));
  RETURN_IF_ERROR(CheckCombined(op, target));
  return CheckPointwiseShapes(op, target);
}

// A region that works on elements has scalars only. It may branch, but each thread runs it for several elements, and
// for some of them twice.
Status CheckElementRegion(Operation* op, const PlanTarget& target) {
  for (Operation* around = op->getParentOp(); around; around = around->getParentOp()) {
    if (!isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(around)) continue;
    auto is_tensor = [](Type type) { return isa<RankedTensorType>(type); };
    const bool scalar =
        llvm::none_of(op->getOperandTypes(), is_tensor) && llvm::none_of(op->getResultTypes(), is_tensor);
    if (scalar && isMemoryEffectFree(op)) return OkStatus();
    return UnsupportedOp(op, target, "not inside " + around->getName().getStringRef().str(),
                         "scalar operations without side effects");
  }
  return OkStatus();
}

}  // namespace

Status UnsupportedOp(Operation* op, const PlanTarget& target, std::string reason, std::string supported) {
  std::string signature;
  llvm::raw_string_ostream os(signature);
  os << op->getName() << " : (";
  llvm::interleaveComma(op->getOperandTypes(), os);
  os << ") -> (";
  llvm::interleaveComma(op->getResultTypes(), os);
  os << ")";
  return Error(ErrorId::kTritonUnsupportedOp,
               {.what = fmt::format("{}: {}, for {}", op->getName().getStringRef().str(), reason, target.gpu.name),
                .where = LocationText(op->getLoc()),
                .found = signature,
                .expected = std::move(supported),
                .next = "Write the kernel without it."});
}

// What metadata, assembly text and every tool that prints symbols can hold.
Status CheckName(tt::FuncOp function) {
  const llvm::StringRef name = function.getName();
  const bool usable = !name.empty() && !llvm::isDigit(name[0]) &&
                      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; });
  // LLVM's intrinsics and the device libraries have these.
  const bool taken = llvm::any_of(kTakenNames, [&](llvm::StringRef start) { return name.starts_with(start); });
  if (usable && !taken) return OkStatus();
  return Error(ErrorId::kTritonSyntax,
               {.what = taken ? "the kernel's name is one of LLVM or of the device libraries"
                              : "the kernel's name cannot be a symbol",
                .where = LocationText(function.getLoc()),
                .found = fmt::format("'{}'", name.str()),
                .expected = taken ? "a name that does not begin with llvm., __ocml_, __ockl_ or __oclc_"
                                  : "letters, digits, '_', '.' and '$'; no digit first"});
}

// The hints that Triton's launcher derives from arguments: the plan takes them for facts.
Status CheckHints(tt::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute hint = function.getArgAttr(i, "tt.divisibility");
    auto number = dyn_cast_or_null<IntegerAttr>(hint);
    if (!hint || (number && number.getType().isInteger() && number.getInt() > 0)) continue;
    std::string found;
    llvm::raw_string_ostream(found) << "tt.divisibility = " << hint;
    return Error(ErrorId::kTritonSyntax, {.what = fmt::format("argument {} has an unusable hint", i),
                                          .where = LocationText(function.getLoc()),
                                          .found = std::move(found),
                                          .expected = "a positive integer such as 16 : i32"});
  }
  return OkStatus();
}

Status CheckSupported(tt::FuncOp function, const PlanTarget& target) {
  RETURN_IF_ERROR(CheckName(function));
  RETURN_IF_ERROR(CheckHints(function));
  if (!function.getBody().hasOneBlock())
    return UnsupportedOp(function, target, "a body with several blocks", "structured control flow: scf.for, scf.if");
  if (!function.getResultTypes().empty()) return UnsupportedOp(function, target, "a kernel with results", "no results");
  for (Type type : function.getArgumentTypes()) {
    std::string wrong = isa<RankedTensorType>(type) ? "tensor argument" : WhyTypeIsUnsupported(type);
    if (!wrong.empty()) return UnsupportedOp(function, target, wrong, "scalar and pointer arguments");
  }
  Status status;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation* op) {
    status = CheckOp(op, target);
    if (status.ok()) status = CheckElementRegion(op, target);
    return status.ok() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return status;
}

}  // namespace rocxla::triton
