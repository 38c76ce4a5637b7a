// Memory: loads, stores and atomic operations through tensors of pointers.
#include <fmt/format.h>

#include "triton/interpreter/machine.h"

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;
namespace rocxla::triton {

Status CheckAccess(Machine& m, Operation* op, const Element& address, Type element) {
  if (address.undefined) return ExecutionError(op, "the address is an undefined value");
  const int bytes = BytesOf(element);
  if (m.memory.Holds(address.bits, bytes)) return OkStatus();
  return ExecutionError(op, "an access outside every buffer",
                        fmt::format("{} bytes at {:#x} in program {}, {}, {}", bytes, address.bits, m.program[0],
                                    m.program[1], m.program[2]));
}

Element AtomicResult(tt::RMWOp kind, const Element& held, const Element& operand, Type type) {
  const bool undefined = held.undefined || operand.undefined;
  auto result = [&](const auto& number) {
    Element element = ElementOf(number);
    element.undefined = undefined;
    return element;
  };
  if (kind == tt::RMWOp::Xchg) return operand;
  if (isa<FloatType>(type)) {
    const APFloat x = FloatOf(held, type), y = FloatOf(operand, type);
    return result(kind == tt::RMWOp::FAdd ? x + y : kind == tt::RMWOp::Max ? llvm::maxnum(x, y) : llvm::minnum(x, y));
  }
  const APInt x = IntegerOf(held, type), y = IntegerOf(operand, type);
  switch (kind) {
    case tt::RMWOp::And:
      return result(x & y);
    case tt::RMWOp::Or:
      return result(x | y);
    case tt::RMWOp::Xor:
      return result(x ^ y);
    case tt::RMWOp::Add:
      return result(x + y);
    case tt::RMWOp::Max:
      return result(x.sgt(y) ? x : y);
    case tt::RMWOp::Min:
      return result(x.slt(y) ? x : y);
    case tt::RMWOp::UMax:
      return result(x.ugt(y) ? x : y);
    case tt::RMWOp::UMin:
      return result(x.ult(y) ? x : y);
    case tt::RMWOp::FAdd:
    case tt::RMWOp::Xchg:
      break;
  }
  return {0, true};
}

namespace {

// Calls access(i, address) for each element that the mask lets through, and skipped(i) for the others.
template <class F, class G>
Status ForEachElement(Machine& m, Operation* op, Value pointers, Value mask, F access, G skipped) {
  const Data& addresses = m.Get(pointers);
  const Type element = cast<tt::PointerType>(ElementTypeOf(pointers)).getPointee();
  for (size_t i = 0; i < addresses.size(); ++i) {
    const Element allowed = mask ? m.Get(mask)[i] : Element{1};
    if (allowed.undefined) return ExecutionError(op, "the mask is an undefined value");
    if (allowed.bits == 0) {
      skipped(i);
      continue;
    }
    RETURN_IF_ERROR(CheckAccess(m, op, addresses[i], element));
    access(i, addresses[i].bits);
  }
  return OkStatus();
}

bool IsBlockPointer(Value value) {
  auto pointer = dyn_cast<tt::PointerType>(value.getType());
  return pointer && isa<RankedTensorType>(pointer.getPointee());
}

Status RunLoad(Machine& m, Operation* operation) {
  auto op = cast<tt::LoadOp>(operation);
  if (IsBlockPointer(op.getPtr())) return RunBlockLoad(m, operation);
  const int bytes = BytesOf(ElementTypeOf(op.getResult()));
  Data loaded(ElementsOf(op.getResult()));
  RETURN_IF_ERROR(ForEachElement(
      m, operation, op.getPtr(), op.getMask(),
      [&](size_t i, uint64_t address) { loaded[i] = m.memory.Load(address, bytes); },
      [&](size_t i) { loaded[i] = op.getOther() ? m.Get(op.getOther())[i] : Element{0}; }));
  m.Set(op.getResult(), std::move(loaded));
  return OkStatus();
}

Status RunStore(Machine& m, Operation* operation) {
  auto op = cast<tt::StoreOp>(operation);
  if (IsBlockPointer(op.getPtr())) return RunBlockStore(m, operation);
  const Data& values = m.Get(op.getValue());
  const int bytes = BytesOf(ElementTypeOf(op.getValue()));
  return ForEachElement(
      m, operation, op.getPtr(), op.getMask(),
      [&](size_t i, uint64_t address) { m.memory.Store(address, bytes, values[i]); }, [](size_t) {});
}

Status RunAtomicRmw(Machine& m, Operation* operation) {
  auto op = cast<tt::AtomicRMWOp>(operation);
  const Type type = ElementTypeOf(op.getVal());
  const bool is_float = isa<FloatType>(type);
  const bool float_kind = op.getKind() == tt::RMWOp::FAdd;
  const bool either =
      op.getKind() == tt::RMWOp::Max || op.getKind() == tt::RMWOp::Min || op.getKind() == tt::RMWOp::Xchg;
  if (!either && is_float != float_kind) return NoMeaning(operation, "this kind on this type");
  const Data& values = m.Get(op.getVal());
  Data old(values.size());
  RETURN_IF_ERROR(ForEachElement(
      m, operation, op.getPtr(), op.getMask(),
      [&](size_t i, uint64_t address) {
        old[i] = m.memory.Load(address, BytesOf(type));
        m.memory.Store(address, BytesOf(type), AtomicResult(op.getKind(), old[i], values[i], type));
      },
      [&](size_t i) { old[i] = {0, true}; }));
  m.Set(op.getResult(), std::move(old));
  return OkStatus();
}

// Bits are compared, also of floats.
Status RunAtomicCas(Machine& m, Operation* operation) {
  auto op = cast<tt::AtomicCASOp>(operation);
  const int bytes = BytesOf(ElementTypeOf(op.getVal()));
  const Data &wanted = m.Get(op.getCmp()), &values = m.Get(op.getVal());
  Data old(values.size());
  bool undefined = false;
  RETURN_IF_ERROR(ForEachElement(
      m, operation, op.getPtr(), Value(),
      [&](size_t i, uint64_t address) {
        old[i] = m.memory.Load(address, bytes);
        undefined |= old[i].undefined || wanted[i].undefined;
        if (old[i].bits == wanted[i].bits) m.memory.Store(address, bytes, values[i]);
      },
      [](size_t) {}));
  if (undefined) return ExecutionError(operation, "whether it exchanges depends on an undefined value");
  m.Set(op.getResult(), std::move(old));
  return OkStatus();
}

}  // namespace

void AddAccesses(Meanings& meanings) {
  meanings.Add<tt::LoadOp>(RunLoad);
  meanings.Add<tt::StoreOp>(RunStore);
  meanings.Add<tt::AtomicRMWOp>(RunAtomicRmw);
  meanings.Add<tt::AtomicCASOp>(RunAtomicCas);
}

}  // namespace rocxla::triton
