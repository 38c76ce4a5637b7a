#include "triton/lowering/buffer.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// The buffer ends here; what is masked out goes there. More than the 2^31 bytes that offsets reach.
constexpr uint32_t kEnd = 0xc0000000;

// Word 3 of a raw buffer's resource. Sources: AMD's instruction set manuals ("Buffer Resource Descriptor"): before RDNA
// the data format must be a valid one (32); since RDNA 3 format 32_FLOAT, and offsets are checked against the size in
// bytes (OOB_SELECT 3).
uint32_t ResourceFlags(const GpuTarget& gpu) {
  constexpr uint32_t kDataFormat32 = 4u << 15, kFormat32Float = 22u << 12, kCheckBytes = 3u << 28;
  return gpu.is_cdna() ? kDataFormat32 : kFormat32Float | kCheckBytes;
}

// The cache policy of data that is used once. Source: LLVM's "User Guide for AMDGPU Backend", memory models: what
// non-temporal accesses are marked with.
uint32_t NonTemporalPolicy(const GpuTarget& gpu) {
  constexpr uint32_t kGlc = 1, kSlc = 2, kNt = 2, kDlc = 4, kTemporalHintNt = 1;
  switch (gpu.generation) {
    case Generation::kCdna1:
    case Generation::kCdna2:
      return kGlc | kSlc;
    case Generation::kCdna3:
    case Generation::kCdna4:
      return kNt;
    case Generation::kRdna2:
      return kSlc;
    case Generation::kRdna3:
      return kSlc | kDlc;
    case Generation::kRdna4:
      return kTemporalHintNt;
  }
  llvm_unreachable("every generation is listed");
}

// What one instruction moves: bytes, halves, words, or several words.
Type* Container(IRBuilderBase& b, unsigned bits) {
  constexpr unsigned kWord = 32;
  if (bits <= kWord) return b.getIntNTy(bits);
  return FixedVectorType::get(b.getInt32Ty(), bits / kWord);
}

}  // namespace

Buffer::Buffer(Lowering& l, Value* base, bool non_temporal)
    : l_(l), cache_policy_(non_temporal ? NonTemporalPolicy(l.plan.target().gpu) : 0) {
  constexpr unsigned kResource = 8;
  auto& b = l.b;
  resource_ =
      l.Intrinsic(Intrinsic::amdgcn_make_buffer_rsrc, {PointerType::get(b.getContext(), kResource), base->getType()},
                  {base, b.getInt16(0), b.getInt64(kEnd), b.getInt32(ResourceFlags(l.plan.target().gpu))});
}

Value* Buffer::Place(Value* offset, Value* condition) const {
  auto* constant = dyn_cast<ConstantInt>(condition);
  return constant && constant->isOne() ? offset : l_.b.CreateSelect(condition, offset, l_.b.getInt32(kEnd));
}

Values Buffer::Load(Type* type, int count, Value* offset, Value* condition) const {
  auto& b = l_.b;
  unsigned bits = type->getScalarSizeInBits();
  Value* raw = l_.Intrinsic(Intrinsic::amdgcn_raw_ptr_buffer_load, {Container(b, bits * count)},
                            {resource_, Place(offset, condition), b.getInt32(0), b.getInt32(cache_policy_)});
  if (count == 1) return {b.CreateBitCast(raw, type)};
  Value* vector = b.CreateBitCast(raw, FixedVectorType::get(type, count));
  Values values;
  for (int i = 0; i < count; ++i) values.push_back(b.CreateExtractElement(vector, i));
  return values;
}

void Buffer::Store(ValuesRef values, Value* offset, Value* condition) const {
  auto& b = l_.b;
  Type* type = values[0]->getType();
  Value* whole = values[0];
  if (values.size() > 1) {
    whole = PoisonValue::get(FixedVectorType::get(type, values.size()));
    for (auto [i, value] : enumerate(values)) whole = b.CreateInsertElement(whole, value, i);
  }
  Type* container = Container(b, type->getScalarSizeInBits() * static_cast<unsigned>(values.size()));
  l_.Intrinsic(Intrinsic::amdgcn_raw_ptr_buffer_store, {container},
               {b.CreateBitCast(whole, container), resource_, Place(offset, condition), b.getInt32(0),
                b.getInt32(cache_policy_)});
}

}  // namespace rocxla::triton
