// Registers to LDS and back, and changes of layout.
#include <numeric>

#include "triton/lowering/lowering.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

constexpr int kMaxVectorBytes = 16, kPaddedRowBytes = 256, kPaddingBytes = 16;

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

int Lowering::SharedBytes(Type* type, const Shape& shape, Padding pad) {
  int bytes = BytesOf(type) << TotalBits(shape);
  return pad == Padding::kNone ? bytes : bytes + bytes / kPaddedRowBytes * kPaddingBytes;
}

// Padding follows each row of kPaddedRowBytes, so it is linear over disjoint bits: what the register adds to an address
// is a constant, which LDS instructions take as an immediate.
Value* Lowering::SharedAddress(Layout layout, int reg, Type* stored, int byte_offset, Padding pad) {
  int bytes = BytesOf(stored), row_bits = Log2Exact(kPaddedRowBytes);
  auto padded = [&](Value* element) {
    Value* offset = b.CreateMul(element, b.getInt32(bytes), "", true, true);
    if (pad == Padding::kNone) return offset;
    Value* padding = b.CreateMul(b.CreateLShr(offset, row_bits), b.getInt32(kPaddingBytes));
    return b.CreateAdd(offset, padding, "", true, true);
  };
  Bits own = layout->Apply(kRegister, reg), moving = 0;
  for (HwDim hw : {kLane, kWarp})
    for (Bits basis : layout->bases(hw)) moving |= basis;
  bool disjoint = (own & moving) == 0;
  Value* address = padded(disjoint ? ThreadElement(layout) : Element(layout, reg));
  if (disjoint) address = b.CreateAdd(address, padded(b.getInt32(own)), "", true, true);
  return Shared(b.CreateAdd(address, b.getInt32(byte_offset), "", true, true));
}

void Lowering::StoreShared(ValuesRef values, Layout layout, int byte_offset, Padding pad) {
  Type* type = values[0]->getType();
  Type* stored = type->isIntegerTy(1) ? b.getInt8Ty() : type;
  int bytes = BytesOf(stored), width = std::min(layout->ContiguousRegisters(), kMaxVectorBytes / bytes);
  for (int first = 0; first < layout->registers(); first += width) {
    Value* vector = PoisonValue::get(FixedVectorType::get(stored, width));
    for (int i = 0; i < width; ++i) {
      Value* value = values[first + i];
      vector = b.CreateInsertElement(vector, stored == type ? value : b.CreateZExt(value, stored), i);
    }
    b.CreateAlignedStore(vector, SharedAddress(layout, first, stored, byte_offset, pad), Align(width * bytes));
  }
  ReserveShared(byte_offset + SharedBytes(stored, layout->shape(), pad));
}

Values Lowering::LoadShared(Type* type, Layout layout, int byte_offset, Padding pad) {
  Type* stored = type->isIntegerTy(1) ? b.getInt8Ty() : type;
  int bytes = BytesOf(stored), width = std::min(layout->ContiguousRegisters(), kMaxVectorBytes / bytes);
  Values values;
  for (int first = 0; first < layout->registers(); first += width) {
    Value* address = SharedAddress(layout, first, stored, byte_offset, pad);
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
  // The last two dimensions swap in LDS when that makes the accesses wider; the reader's count double.
  LinearLayout writer = *from, reader = *to;
  if (from->rank() >= 2) {
    std::vector<int> order(from->rank()), swapped;
    std::iota(order.begin(), order.end(), 0);
    swapped = order;
    std::swap(swapped[order.size() - 1], swapped[order.size() - 2]);
    auto score = [&](const std::vector<int>& o) {
      return from->Transpose(o).ContiguousRegisters() + 2 * to->Transpose(o).ContiguousRegisters();
    };
    if (score(swapped) > score(order)) {
      writer = from->Transpose(swapped);
      reader = to->Transpose(swapped);
    }
  }
  SharedBarrier();
  StoreShared(regs.v, plan.Intern(std::move(writer)), 0, Padding::kRows);
  SharedBarrier();
  out.v = LoadShared(type, plan.Intern(std::move(reader)), 0, Padding::kRows);
  return out;
}

}  // namespace rocxla::triton
