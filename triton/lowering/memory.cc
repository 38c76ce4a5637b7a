// Pointers, loads, stores.
//
// A vector of consecutive elements is one access. When the masks inside a vector may differ, the wide access is taken
// if all are set, and a vector that straddles the mask's edge goes element by element on a path that is seldom entered.
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

// A load or a store in one layout: what both need.
class Access {
 public:
  Access(Lowering& l, mlir::Value pointer, mlir::Value mask, Layout layout)
      : l_(l),
        pointer_type_(pointer.getType()),
        pointers_(l.Get(pointer, layout)),
        mask_(mask ? &l.Get(mask, layout) : nullptr),
        width_(AccessWidth(l, pointer, layout)),
        type_(l.TypeOf(tt::pointeeOf(pointer.getType()))),
        stored_(l.MemoryTypeOf(tt::pointeeOf(pointer.getType()))),
        alignment_(PointeeBytes(pointer.getType())),
        constant_mask_(mask && l.plan.axes().VectorWidth(pointer, mask, width_.dim) >= width_.elements) {}

  int width() const { return width_.elements; }
  bool masked() const { return mask_; }
  VectorMask mask(int first) const { return MaskOf(l_, *mask_, first, width_, constant_mask_); }
  Value* address(int reg) const { return l_.Address(pointers_, reg, pointer_type_); }

  Values Load(int first, int count, bool is_volatile) const {
    auto& b = l_.b;
    Type* type = count == 1 ? stored_ : FixedVectorType::get(stored_, count);
    Value* loaded = b.CreateAlignedLoad(type, address(first), Align(alignment_), is_volatile);
    Values values;
    for (int i = 0; i < count; ++i) {
      Value* value = count == 1 ? loaded : b.CreateExtractElement(loaded, i);
      values.push_back(stored_ == type_ ? value : b.CreateICmpNE(value, Constant::getNullValue(stored_)));
    }
    return values;
  }
  void Store(ValuesRef values, int first) const {
    auto& b = l_.b;
    auto in_memory = [&](Value* value) { return stored_ == type_ ? value : b.CreateZExt(value, stored_); };
    int count = static_cast<int>(values.size());
    Value* stored = count == 1 ? in_memory(values[0]) : PoisonValue::get(FixedVectorType::get(stored_, count));
    for (int i = 0; count > 1 && i < count; ++i) stored = b.CreateInsertElement(stored, in_memory(values[i]), i);
    b.CreateAlignedStore(stored, address(first), Align(alignment_));
  }

 private:
  Lowering& l_;
  mlir::Type pointer_type_;
  const Regs& pointers_;
  const Regs* mask_;
  Width width_;
  Type* type_;
  Type* stored_;
  int alignment_;
  bool constant_mask_;
};

Values LoadMasked(Lowering& l, const Access& access, int first, ValuesRef other, bool is_volatile) {
  VectorMask mask = access.mask(first);
  int width = access.width();
  Values loaded = l.Predicated(mask.all, other, [&] { return access.Load(first, width, is_volatile); });
  if (mask.same) return loaded;
  Value* partial = l.b.CreateAnd(AnyOf(l, mask.masks), l.b.CreateNot(mask.all));
  return l.Predicated(partial, loaded, [&] {
    Values each;
    for (int i = 0; i < width; ++i)
      each.append(l.Predicated(mask.masks[i], other[i], [&] { return access.Load(first + i, 1, is_volatile); }));
    return each;
  });
}

Status LowerLoad(Lowering& l, mlir::Operation* op, Layout layout) {
  auto load = mlir::cast<tt::LoadOp>(op);
  Access access(l, load.getPtr(), load.getMask(), layout);
  const Regs* other = load.getOther() ? &l.Get(load.getOther(), layout) : nullptr;
  Value* zero = Constant::getNullValue(l.TypeOf(load.getType()));
  Regs out;
  for (int first = 0, n = layout ? layout->registers() : 1; first < n; first += access.width()) {
    if (!access.masked()) {
      out.v.append(access.Load(first, access.width(), load.getIsVolatile()));
      continue;
    }
    Values otherwise;
    for (int i = 0; i < access.width(); ++i) otherwise.push_back(other ? other->v[first + i] : zero);
    out.v.append(LoadMasked(l, access, first, otherwise, load.getIsVolatile()));
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
  Access access(l, store.getPtr(), store.getMask(), layout);
  Regs values = l.Plain(l.Get(store.getValue(), layout), store.getValue().getType());
  Value* owner = l.Owner(layout);
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

// The scalar that all elements of `value` equal, if its definition says so.
Value* UniformScalar(Lowering& l, mlir::Value value) {
  if (auto splat = value.getDefiningOp<tt::SplatOp>()) return l.Scalar(splat.getSrc());
  auto constant = value.getDefiningOp<mlir::arith::ConstantOp>();
  if (!constant) return nullptr;
  auto splat = mlir::dyn_cast<mlir::SplatElementsAttr>(constant.getValue());
  return splat ? l.b.getInt(splat.getSplatValue<APInt>()) : nullptr;
}

// The uniform part of an offset moves to the scalar base, so that what stays in vector registers is small and, in
// loops, does not change. Returns the scalar part, or null; leaves in `offset` what varies (null when nothing does).
Value* TakeUniform(Lowering& l, mlir::Value& offset) {
  if (Value* scalar = UniformScalar(l, offset)) {
    offset = {};
    return scalar;
  }
  auto add = offset.getDefiningOp<mlir::arith::AddIOp>();
  for (int i = 0; add && i < 2; ++i) {
    Value* scalar = UniformScalar(l, add->getOperand(i));
    if (!scalar) continue;
    offset = add->getOperand(1 - i);
    return scalar;
  }
  return nullptr;
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
  if (Value* scalar = TakeUniform(l, offset)) out.base = Advance(l, out.base, scalar, type);
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

}  // namespace

void AddMemory(Handlers& h) {
  h.Add<tt::AddPtrOp>(LowerAddPtr);
  h.Add<tt::LoadOp>(LowerLoad);
  h.Add<tt::StoreOp>(LowerStore);
}

}  // namespace rocxla::triton
