// tt.print and tt.assert: printf of the ROCm device libraries, which reaches the host by hostcall.
//
// A line per element, as Triton prints it: "pid (0, 0, 0) idx ( 3) x: 7". Each element is printed once, by its owner.
#include <fmt/format.h>

#include "base/mlir/location.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/AMDGPUEmitPrintf.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

void Printf(Lowering& l, const std::string& format, ValuesRef arguments) {
  constexpr unsigned kConstant = 4, kGeneric = 0;
  auto& b = l.b;
  Value* text = b.CreateGlobalString(format, "", kConstant, &l.module);
  Values all{b.CreateAddrSpaceCast(text, PointerType::get(b.getContext(), kGeneric))};
  all.append(arguments.begin(), arguments.end());
  emitAMDGPUPrintfCall(b, all, /*isBuffered=*/false);
}

Values ProgramIds(Lowering& l) {
  Values ids;
  for (auto id : {Intrinsic::amdgcn_workgroup_id_x, Intrinsic::amdgcn_workgroup_id_y, Intrinsic::amdgcn_workgroup_id_z})
    ids.push_back(l.Intrinsic(id, {}, {}));
  return ids;
}

// '%' is printed, not read.
std::string Escaped(StringRef text) {
  std::string out;
  for (char c : text) out += c == '%' ? "%%" : std::string(1, c);
  return out;
}

// What printf reads for a value, and how it is told.
struct Printed {
  Value* value;
  std::string format;
};
Printed PrintedForm(IRBuilderBase& b, Value* x, bool hex, bool is_signed) {
  Type* type = x->getType();
  if (type->isPointerTy()) return {x, "%p"};
  if (type->isFloatingPointTy() && !hex) return {b.CreateFPExt(x, b.getDoubleTy()), "%f"};
  if (type->isFloatingPointTy()) x = b.CreateBitCast(x, b.getIntNTy(type->getScalarSizeInBits()));
  const unsigned bits = x->getType()->getIntegerBitWidth();
  const bool sign_extends = is_signed && !hex && bits > 1;
  Type* passed = bits > 32 ? b.getInt64Ty() : b.getInt32Ty();
  x = sign_extends ? b.CreateSExt(x, passed) : b.CreateZExt(x, passed);
  if (hex) return {x, fmt::format("0x%0{}{}", std::max(1u, bits / 4), bits > 32 ? "llx" : "x")};
  return {x, bits > 32 ? (sign_extends ? "%lli" : "%llu") : (sign_extends ? "%i" : "%u")};
}

// Appends " idx (i, j)", each as wide as the largest index, and the indices.
void AppendIndices(Lowering& l, Layout layout, int reg, std::string& format, Values& arguments) {
  auto& b = l.b;
  Value* element = l.Element(layout, reg);
  for (int d = 0; d < layout->rank(); ++d) {
    Field field = FieldOf(layout->shape(), d);
    const size_t digits = std::to_string((1 << field.width) - 1).size();
    format += fmt::format("{}%{}u", d ? ", " : " idx (", digits);
    arguments.push_back(b.CreateAnd(b.CreateLShr(element, field.shift), (1u << field.width) - 1));
  }
  if (layout->rank()) format += ")";
}

constexpr char kProgram[] = "pid (%u, %u, %u)";

// One operand, or none (`index` < 0).
void PrintOperand(Lowering& l, tt::PrintOp op, int index, Layout layout) {
  const std::string prefix = Escaped(op.getPrefix());
  if (index < 0) {
    l.Predicated(l.Owner(nullptr), {}, [&] {
      Printf(l, kProgram + prefix + "\n", ProgramIds(l));
      return Values();
    });
    return;
  }
  mlir::Value operand = op.getArgs()[index];
  Regs regs = l.Plain(l.Get(operand, layout), operand.getType());
  const bool is_signed = index < static_cast<int>(op.getIsSigned().size()) && op.getIsSigned()[index];
  const std::string which = op.getArgs().size() > 1 ? fmt::format("(operand {}) ", index) : "";
  const auto copies = static_cast<int>(layout ? layout->FreeMask(kRegister) : 0);
  for (int r = 0; r < regs.size(); ++r) {
    if (r & copies) continue;
    l.Predicated(l.Owner(layout), {}, [&] {
      std::string format = kProgram;
      Values arguments = ProgramIds(l);
      if (layout) AppendIndices(l, layout, r, format, arguments);
      Printed printed = PrintedForm(l.b, regs.v[r], op.getHex(), is_signed);
      arguments.push_back(printed.value);
      Printf(l, format + prefix + which + printed.format + "\n", arguments);
      return Values();
    });
  }
}

Status LowerPrint(Lowering& l, mlir::Operation* op, Layout) {
  auto print = mlir::cast<tt::PrintOp>(op);
  if (op->getNumOperands() == 0) PrintOperand(l, print, -1, nullptr);
  for (int i = 0; i < static_cast<int>(op->getNumOperands()); ++i)
    PrintOperand(l, print, i, l.plan.OperandLayout(op, i, nullptr));
  return OkStatus();
}

// The owner of a false element says so and traps, which ends the launch with an error.
Status LowerAssert(Lowering& l, mlir::Operation* op, Layout) {
  auto& b = l.b;
  auto assertion = mlir::cast<tt::AssertOp>(op);
  Layout layout = l.plan.OperandLayout(op, 0, nullptr);
  Value* holds = b.getTrue();
  for (Value* each : l.Get(assertion.getCondition(), layout).v) holds = b.CreateAnd(holds, each);
  const std::string at = LocationText(op->getLoc());
  const std::string message =
      Escaped(at + (at.empty() ? "" : ": ") + "assertion failed: " + assertion.getMessage().str());
  l.Predicated(b.CreateAnd(b.CreateNot(holds), l.Owner(layout)), {}, [&] {
    Printf(l, kProgram + (" " + message) + "\n", ProgramIds(l));
    l.Intrinsic(Intrinsic::trap, {}, {});
    return Values();
  });
  return OkStatus();
}

}  // namespace

void AddPrint(Handlers& h) {
  h.Add<tt::PrintOp>(LowerPrint);
  h.Add<tt::AssertOp>(LowerAssert);
}

}  // namespace rocxla::triton
