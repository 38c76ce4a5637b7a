// Registers to LDS and back, and changes of layout.
#include "triton/layout/shared_order.h"
#include "triton/lowering/lowering.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

constexpr int kMaxVectorBytes = 16;

int BytesOf(Type* type) {  // pointers are 8 bytes in every address space that tensors hold
  return type->isPointerTy() ? 8 : std::max(1u, type->getScalarSizeInBits() / 8);
}

}  // namespace

// All LDS is dynamic and begins at address 0. An external array, as others use, would say so too, but LLVM's constant
// expressions on it cost time quadratic in their number.
Value* Lowering::Shared(Value* byte_offset) {
  constexpr unsigned kLds = 3;
  return b.CreateIntToPtr(byte_offset, PointerType::get(b.getContext(), kLds));
}

int Lowering::SharedBytes(Type* type, const Shape& shape) { return BytesOf(type) << TotalBits(shape); }

// What a register adds in bits that no lane or warp moves is a constant, which LDS instructions take as an immediate.
Value* Lowering::SharedAddress(Layout layout, int reg, Type* stored, int byte_offset) {
  int bytes = BytesOf(stored);
  Bits own = layout->Apply(kRegister, reg), moving = 0;
  for (HwDim hw : {kLane, kWarp})
    for (Bits basis : layout->bases(hw)) moving |= basis;
  Value* element = ThreadElement(layout);
  if (own & moving) element = b.CreateXor(element, own & moving);
  Value* address = b.CreateMul(element, b.getInt32(bytes), "", true, true);
  int constant = static_cast<int>(own & ~moving) * bytes + byte_offset;
  return Shared(b.CreateAdd(address, b.getInt32(constant), "", true, true));
}

void Lowering::StoreShared(ValuesRef values, Layout layout, int byte_offset) {
  Type* type = values[0]->getType();
  Type* stored = type->isIntegerTy(1) ? b.getInt8Ty() : type;
  int bytes = BytesOf(stored), width = std::min(layout->AlignedRegisters(), kMaxVectorBytes / bytes);
  for (int first = 0; first < layout->registers(); first += width) {
    Value* vector = PoisonValue::get(FixedVectorType::get(stored, width));
    for (int i = 0; i < width; ++i) {
      Value* value = values[first + i];
      vector = b.CreateInsertElement(vector, stored == type ? value : b.CreateZExt(value, stored), i);
    }
    b.CreateAlignedStore(vector, SharedAddress(layout, first, stored, byte_offset), Align(width * bytes));
  }
  ReserveShared(byte_offset + SharedBytes(stored, layout->shape()));
}

Values Lowering::LoadShared(Type* type, Layout layout, int byte_offset) {
  Type* stored = type->isIntegerTy(1) ? b.getInt8Ty() : type;
  int bytes = BytesOf(stored), width = std::min(layout->AlignedRegisters(), kMaxVectorBytes / bytes);
  Values values;
  for (int first = 0; first < layout->registers(); first += width) {
    Value* address = SharedAddress(layout, first, stored, byte_offset);
    Value* vector = b.CreateAlignedLoad(FixedVectorType::get(stored, width), address, Align(width * bytes));
    for (int i = 0; i < width; ++i) {
      Value* value = b.CreateExtractElement(vector, i);
      values.push_back(stored == type ? value : b.CreateTrunc(value, type));
    }
  }
  return values;
}

Regs Lowering::Convert(const Regs& regs, Layout from, Layout to, Type* type) {
  Regs out;
  if (auto source = to->RegistersFrom(*from)) {
    for (int r : *source) out.v.push_back(regs.v[r]);
    return out;
  }
  SharedOrder order = OrderInShared(*from, *to, BytesOf(type));
  Values written;
  for (int r : order.writer.registers) written.push_back(regs.v[r]);
  SharedBarrier();
  StoreShared(written, plan.Intern(std::move(order.writer.places)), 0);
  SharedBarrier();
  Values read = LoadShared(type, plan.Intern(std::move(order.reader.places)), 0);
  out.v.resize(read.size());
  for (size_t i = 0; i < read.size(); ++i) out.v[order.reader.registers[i]] = read[i];
  return out;
}

}  // namespace rocxla::triton
