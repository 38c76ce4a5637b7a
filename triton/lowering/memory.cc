// Pointers, loads, stores.
//
// A vector of consecutive elements is one access. When the masks inside a vector may differ, the wide access is taken
// if all are set, and a vector that straddles the mask's edge goes element by element on a path that is seldom entered.
// A mask costs a branch, but where offsets are known to fit a buffer, for which what is masked out lies beyond its end:
// because they are bounded, or because an argument says that what lies behind it is small (tt.pointer_range = 32).
#include "llvm/IR/InlineAsm.h"
#include "triton/lowering/buffer.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

constexpr int kMaxVectorBytes = 16;

// How many consecutive registers one access covers, and the dimension they run along.
struct Width {
  int elements = 1;
  int dim = 0;
};
Width AccessWidth(Lowering& l, mlir::Value pointer, Layout layout) {
  if (!layout || layout->rank() == 0) return {};
  AxisInfo info = l.plan.axes().Of(pointer);
  int most = std::max(1, kMaxVectorBytes / PointeeBytes(pointer.getType()));
  Width best{1, info.rank() - 1};
  for (int d = 0; d < info.rank(); ++d) {
    auto elements = std::min<int64_t>({layout->ContiguousRegisters(d), info.contiguity[d], most});
    if (elements > best.elements) best = {static_cast<int>(elements), d};
  }
  return best;
}

// The masks of the vector that begins at register `first`.
struct VectorMask {
  Value* all;       // every element is accessed
  bool same;        // known to be equal across the vector
  ValuesRef masks;  // one per element
};
VectorMask MaskOf(Lowering& l, const Regs& mask, int first, Width width, bool constant) {
  ValuesRef masks = ValuesRef(mask.v).slice(first, width.elements);
  if (constant || all_equal(masks)) return {masks[0], true, masks};
  Value* all = masks[0];
  for (Value* each : masks.drop_front()) all = l.b.CreateAnd(all, each);
  return {all, false, masks};
}
Value* AnyOf(Lowering& l, ValuesRef masks) {
  Value* any = masks[0];
  for (Value* each : masks.drop_front()) any = l.b.CreateOr(any, each);
  return any;
}

// How an access treats caches. Source: Triton's language reference on cache modifiers; that .cg loads are not kept
// either is what Triton does on AMD GPUs.
struct Caching {
  bool is_volatile;   // memory itself is read or written
  bool non_temporal;  // used once: caches need not keep it
};
Caching CachingOf(tt::LoadOp load) {
  using Cache = tt::CacheModifier;
  const bool once = load.getCache() == Cache::CG || load.getCache() == Cache::CS;
  return {load.getIsVolatile() || load.getCache() == Cache::CV, once || load.getEvict() == tt::EvictionPolicy::First};
}
Caching CachingOf(tt::StoreOp store) {
  using Cache = tt::CacheModifier;
  return {store.getCache() == Cache::WT,
          store.getCache() == Cache::CS || store.getEvict() == tt::EvictionPolicy::First};
}

// A load or a store in one layout: what both need.
class Access {
 public:
  Access(Lowering& l, mlir::Value pointer, mlir::Value mask, Layout layout, Caching caching)
      : l_(l),
        caching_(caching),
        pointer_type_(pointer.getType()),
        pointers_(l.Get(pointer, layout)),
        mask_(mask ? &l.Get(mask, layout) : nullptr),
        width_(AccessWidth(l, pointer, layout)),
        type_(l.TypeOf(tt::pointeeOf(pointer.getType()))),
        stored_(l.MemoryTypeOf(tt::pointeeOf(pointer.getType()))),
        alignment_(PointeeBytes(pointer.getType())),
        constant_mask_(mask && l.plan.axes().VectorWidth(pointer, mask, width_.dim) >= width_.elements) {
    has_byte_offset_ = layout && l.plan.pointers().HasByteOffset(pointer);
    bool numbers = stored_->isIntegerTy() || stored_->isFloatingPointTy();
    if (mask_ && layout && numbers && !caching.is_volatile) ChooseBuffer(pointer);
  }

  int width() const { return width_.elements; }
  bool masked() const { return mask_; }
  bool through_buffer() const { return buffer_.has_value(); }
  Value* element_mask(int reg) const { return mask_->v[reg]; }
  VectorMask mask(int first) const { return MaskOf(l_, *mask_, first, width_, constant_mask_); }
  Value* address(int reg) const {
    auto& b = l_.b;
    if (!has_byte_offset_) return l_.Address(pointers_, reg, pointer_type_);
    return b.CreatePtrAdd(pointers_.base, b.CreateZExt(ByteOffset(reg), b.getInt64Ty()));
  }

  Values Load(int first, int count) const {
    auto& b = l_.b;
    Type* type = count == 1 ? stored_ : FixedVectorType::get(stored_, count);
    LoadInst* loaded = b.CreateAlignedLoad(type, address(first), Align(alignment_), caching_.is_volatile);
    MarkTemporality(loaded);
    Values values;
    for (int i = 0; i < count; ++i)
      values.push_back(FromMemory(count == 1 ? static_cast<Value*>(loaded) : b.CreateExtractElement(loaded, i)));
    return values;
  }
  Values BufferLoad(int first, int count, Value* condition) const {
    Values values;
    for (Value* value : buffer_->Load(stored_, count, BufferOffset(first), condition))
      values.push_back(FromMemory(value));
    return values;
  }
  void BufferStore(ValuesRef values, int first, Value* condition) const {
    Values stored;
    for (Value* value : values) stored.push_back(ToMemory(value));
    buffer_->Store(stored, BufferOffset(first), condition);
  }
  void Store(ValuesRef values, int first) const {
    auto& b = l_.b;
    int count = static_cast<int>(values.size());
    Value* stored = count == 1 ? ToMemory(values[0]) : PoisonValue::get(FixedVectorType::get(stored_, count));
    for (int i = 0; count > 1 && i < count; ++i) stored = b.CreateInsertElement(stored, ToMemory(values[i]), i);
    MarkTemporality(b.CreateAlignedStore(stored, address(first), Align(alignment_), caching_.is_volatile));
  }

 private:
  // From the base on; from the argument that it was made of where offsets may be negative or large, but that is small.
  void ChooseBuffer(mlir::Value pointer) {
    mlir::Value root = l_.plan.pointers().SmallRoot(pointer);
    if (!has_byte_offset_ && !root) return;
    Value* begin = has_byte_offset_ ? pointers_.base : l_.Scalar(root);
    auto& b = l_.b;
    if (!has_byte_offset_) {
      Type* i64 = b.getInt64Ty();
      Value* distance = b.CreateSub(b.CreatePtrToInt(pointers_.base, i64), b.CreatePtrToInt(begin, i64));
      begin_to_base_ = b.CreateTrunc(distance, b.getInt32Ty());
    }
    buffer_.emplace(l_, begin, caching_.non_temporal);
  }
  // Modulo 2^32; what is masked out may lie anywhere. LLVM must not see the sum: it would move a constant part into the
  // instruction, and the hardware's bounds check adds that without wrapping.
  Value* BufferOffset(int reg) const {
    if (has_byte_offset_) return ByteOffset(reg);
    auto& b = l_.b;
    Value* sum = b.CreateAdd(begin_to_base_, b.CreateMul(pointers_.v[reg], b.getInt32(alignment_)));
    auto* type = FunctionType::get(b.getInt32Ty(), {b.getInt32Ty()}, /*isVarArg=*/false);
    return b.CreateCall(type, InlineAsm::get(type, "", "=v,0", /*hasSideEffects=*/false), {sum});
  }

  Value* FromMemory(Value* value) const {
    return stored_ == type_ ? value : l_.b.CreateICmpNE(value, Constant::getNullValue(stored_));
  }
  Value* ToMemory(Value* value) const { return stored_ == type_ ? value : l_.b.CreateZExt(value, stored_); }
  void MarkTemporality(Instruction* access) const {
    if (!caching_.non_temporal) return;
    auto* one = ConstantAsMetadata::get(l_.b.getInt32(1));
    access->setMetadata(LLVMContext::MD_nontemporal, MDNode::get(l_.b.getContext(), {one}));
  }
  Value* ByteOffset(int reg) const {
    return l_.b.CreateMul(pointers_.v[reg], l_.b.getInt32(alignment_), "", true, true);
  }

  Lowering& l_;
  Caching caching_;
  mlir::Type pointer_type_;
  const Regs& pointers_;
  const Regs* mask_;
  Width width_;
  Type* type_;
  Type* stored_;
  int alignment_;
  bool constant_mask_;
  bool has_byte_offset_;
  std::optional<Buffer> buffer_;
  Value* begin_to_base_ = nullptr;  // bytes, from where the buffer begins
};

// Whether a vector of this thread straddles the mask's edge.
Value* AnyStraddles(Lowering& l, const Access& access, int registers) {
  auto& b = l.b;
  Value* any = b.getFalse();
  for (int first = 0; first < registers; first += access.width()) {
    VectorMask mask = access.mask(first);
    if (!mask.same) any = b.CreateOr(any, b.CreateAnd(AnyOf(l, mask.masks), b.CreateNot(mask.all)));
  }
  return any;
}

// `other`: what masked elements hold; without it they are zero, as buffers give them.
Values LoadThroughBuffer(Lowering& l, const Access& access, int registers, const Regs* other) {
  Values values;
  for (int first = 0; first < registers; first += access.width())
    values.append(access.BufferLoad(first, access.width(), access.mask(first).all));
  values = l.Predicated(AnyStraddles(l, access, registers), values, [&] {
    Values each;
    for (int r = 0; r < registers; ++r) each.append(access.BufferLoad(r, 1, access.element_mask(r)));
    return each;
  });
  for (int r = 0; other && r < registers; ++r)
    values[r] = l.b.CreateSelect(access.element_mask(r), values[r], other->v[r]);
  return values;
}

void StoreThroughBuffer(Lowering& l, const Access& access, ValuesRef values, Value* owner) {
  auto& b = l.b;
  const auto registers = static_cast<int>(values.size());
  for (int first = 0; first < registers; first += access.width())
    access.BufferStore(values.slice(first, access.width()), first, b.CreateAnd(access.mask(first).all, owner));
  l.Predicated(AnyStraddles(l, access, registers), {}, [&] {
    for (int r = 0; r < registers; ++r)
      access.BufferStore(values.slice(r, 1), r, b.CreateAnd(access.element_mask(r), owner));
    return Values();
  });
}

Values LoadMasked(Lowering& l, const Access& access, int first, ValuesRef other) {
  VectorMask mask = access.mask(first);
  int width = access.width();
  Values loaded = l.Predicated(mask.all, other, [&] { return access.Load(first, width); });
  if (mask.same) return loaded;
  Value* partial = l.b.CreateAnd(AnyOf(l, mask.masks), l.b.CreateNot(mask.all));
  return l.Predicated(partial, loaded, [&] {
    Values each;
    for (int i = 0; i < width; ++i)
      each.append(l.Predicated(mask.masks[i], other[i], [&] { return access.Load(first + i, 1); }));
    return each;
  });
}

bool IsZero(const Regs* values) {
  return !values || llvm::all_of(values->v, [](Value* value) {
    auto* constant = dyn_cast<Constant>(value);
    return constant && constant->isNullValue();
  });
}

Status LowerLoad(Lowering& l, mlir::Operation* op, Layout layout) {
  auto load = mlir::cast<tt::LoadOp>(op);
  Access access(l, load.getPtr(), load.getMask(), layout, CachingOf(load));
  const Regs* other = load.getOther() ? &l.Get(load.getOther(), layout) : nullptr;
  Value* zero = Constant::getNullValue(l.TypeOf(load.getType()));
  Regs out;
  if (access.through_buffer()) {
    out.v = LoadThroughBuffer(l, access, layout->registers(), IsZero(other) ? nullptr : other);
    l.Set(load.getResult(), layout, std::move(out));
    return OkStatus();
  }
  for (int first = 0, n = layout ? layout->registers() : 1; first < n; first += access.width()) {
    if (!access.masked()) {
      out.v.append(access.Load(first, access.width()));
      continue;
    }
    Values otherwise;
    for (int i = 0; i < access.width(); ++i) otherwise.push_back(other ? other->v[first + i] : zero);
    out.v.append(LoadMasked(l, access, first, otherwise));
  }
  l.Set(load.getResult(), layout, std::move(out));
  return OkStatus();
}

void StoreMasked(Lowering& l, const Access& access, int first, ValuesRef values, Value* owner) {
  VectorMask mask = access.mask(first);
  auto store = [&](int i, int count) {
    access.Store(values.slice(i, count), first + i);
    return Values();
  };
  l.Predicated(l.b.CreateAnd(mask.all, owner), {}, [&] { return store(0, access.width()); });
  if (mask.same) return;
  l.Predicated(l.b.CreateAnd(l.b.CreateNot(mask.all), owner), {}, [&] {
    for (int i = 0; i < access.width(); ++i) l.Predicated(mask.masks[i], {}, [&] { return store(i, 1); });
    return Values();
  });
}

Status LowerStore(Lowering& l, mlir::Operation* op, Layout) {
  auto store = mlir::cast<tt::StoreOp>(op);
  Layout layout = l.plan.AccessLayout(op);
  Access access(l, store.getPtr(), store.getMask(), layout, CachingOf(store));
  Regs values = l.Plain(l.Get(store.getValue(), layout), store.getValue().getType());
  Value* owner = l.Owner(layout);
  if (access.through_buffer()) {
    StoreThroughBuffer(l, access, values.v, owner);
    return OkStatus();
  }
  for (int first = 0, n = layout ? layout->registers() : 1; first < n; first += access.width()) {
    ValuesRef vector = ValuesRef(values.v).slice(first, access.width());
    if (access.masked()) {
      StoreMasked(l, access, first, vector, owner);
      continue;
    }
    l.Predicated(owner, {}, [&] {
      access.Store(vector, first);
      return Values();
    });
  }
  return OkStatus();
}

// The scalar that all elements of a uniform part equal.
Value* UniformScalar(Lowering& l, mlir::Value value) {
  if (auto splat = value.getDefiningOp<tt::SplatOp>()) return l.Scalar(splat.getSrc());
  auto constant = mlir::cast<mlir::arith::ConstantOp>(value.getDefiningOp());
  return l.b.getInt(mlir::cast<mlir::SplatElementsAttr>(constant.getValue()).getSplatValue<APInt>());
}

Value* Advance(Lowering& l, Value* pointer, Value* elements, mlir::Type pointer_type) {
  Type* element = l.MemoryTypeOf(tt::pointeeOf(mlir::getElementTypeOrSelf(pointer_type)));
  return l.b.CreateGEP(element, pointer, l.b.CreateSExt(elements, l.b.getInt64Ty()));
}

Status LowerAddPtr(Lowering& l, mlir::Operation* op, Layout layout) {
  auto& b = l.b;
  auto add = mlir::cast<tt::AddPtrOp>(op);
  mlir::Type type = add.getType();
  Regs out = l.Get(add.getPtr(), layout);
  mlir::Value offset = add.getOffset();
  if (!out.base) {
    const Regs& offsets = l.Get(offset, layout);
    for (int r = 0; r < out.size(); ++r) out.v[r] = Advance(l, out.v[r], offsets.v[r], type);
    l.Set(add.getResult(), layout, std::move(out));
    return OkStatus();
  }
  // What stays in vector registers is small then and, in loops, does not change.
  OffsetParts parts = SplitOffset(offset);
  if (parts.uniform) out.base = Advance(l, out.base, UniformScalar(l, parts.uniform), type);
  offset = parts.varying;
  Type* index_type = b.getIntNTy(l.plan.pointers().IndexBits(add.getResult()));
  for (int r = 0; r < out.size(); ++r) {
    out.v[r] = b.CreateSExtOrTrunc(out.v[r], index_type);
    if (!offset) continue;
    Value* more = b.CreateSExtOrTrunc(l.Get(offset, layout).v[r], index_type);
    auto* zero = dyn_cast<ConstantInt>(out.v[r]);
    out.v[r] = zero && zero->isZero() ? more : b.CreateAdd(out.v[r], more, "", false, true);
  }
  l.Set(add.getResult(), layout, std::move(out));
  return OkStatus();
}

// A base stays a base: only the type of what lies behind it changes.
Status LowerBitcast(Lowering& l, mlir::Operation* op, Layout layout) {
  mlir::Value result = op->getResult(0);
  if (IsTensor(result) && l.plan.pointers().Of(result).has_base) {
    l.Set(result, layout, l.Operand(op, 0, layout));
    return OkStatus();
  }
  return Handlers::Pointwise(l, op, layout, [&](ValuesRef x) -> Value* {
    Type* to = l.TypeOf(result.getType());
    bool pointers = x[0]->getType()->isPointerTy() && to->isPointerTy();
    return pointers ? l.b.CreateAddrSpaceCast(x[0], to) : l.b.CreateBitCast(x[0], to);
  });
}

}  // namespace

void AddMemory(Handlers& h) {
  h.Add<tt::BitcastOp>(LowerBitcast);
  h.Add<tt::AddPtrOp>(LowerAddPtr);
  h.Add<tt::LoadOp>(LowerLoad);
  h.Add<tt::StoreOp>(LowerStore);
}

}  // namespace rocxla::triton
