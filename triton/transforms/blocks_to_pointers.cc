// Descriptors and block pointers become what they stand for: a base pointer, extents, strides, offsets. A block that is
// read or written becomes a tensor of pointers with a mask.
//
//   descriptor       base, extents (i64), strides (i64), i1: what is out of bounds reads as NaN instead of 0
//   block pointer    base, extents (i64), strides (i64), offsets (i64)
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "triton/dialect/descriptor_reduce.h"
#include "triton/transforms/passes.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

// The tensor behind a block pointer; null for other types.
RankedTensorType BlockOf(Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type)) return dyn_cast<RankedTensorType>(pointer.getPointee());
  auto descriptor = dyn_cast<tt::TensorDescType>(type);
  return descriptor ? descriptor.getBlock() : RankedTensorType();
}

// In memory and in tensors integers have no signs.
Type Signless(Type element) {
  return isa<IntegerType>(element) ? IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth()) : element;
}

class Parts : public TypeConverter {
 public:
  Parts() {
    addConversion([](Type type) { return type; });
    addConversion([](Type type, SmallVectorImpl<Type>& parts) -> std::optional<LogicalResult> {
      RankedTensorType block = BlockOf(type);
      if (!block) return std::nullopt;
      const int64_t rank = block.getRank();
      Type number = IntegerType::get(type.getContext(), 64);
      parts.push_back(tt::PointerType::get(type.getContext(), Signless(block.getElementType()), 1));
      parts.append(2 * rank, number);
      if (isa<tt::PointerType>(type))
        parts.append(rank, number);
      else
        parts.push_back(IntegerType::get(type.getContext(), 1));
      return success();
    });
  }
};

// Emits the addresses and the mask of one block.
class Block {
 public:
  // `parts` of a descriptor or a block pointer over `shape`.
  Block(OpBuilder& b, Location loc, ValueRange parts, ArrayRef<int64_t> shape, Type element)
      : b_(b), loc_(loc), base_(parts[0]), shape_(shape), element_(Signless(element)) {
    const size_t rank = shape.size();
    extents_ = parts.slice(1, rank);
    strides_ = llvm::to_vector(parts.slice(1 + rank, rank));
    rest_ = parts.drop_front(1 + 2 * rank);
  }

  // The last dimension of a descriptor is dense, whatever its stride says.
  void LastIsDense() { strides_.back() = Number(1); }
  ValueRange rest() const { return rest_; }
  // Along `dim` the block begins at `offset` (i64).
  void BeginAt(int dim, Value offset) {
    base_ = tt::AddPtrOp::create(b_, loc_, base_.getType(), base_, Product(offset, strides_[dim]));
    auto range_type = RankedTensorType::get({shape_[dim]}, b_.getI32Type());
    Value range = tt::MakeRangeOp::create(b_, loc_, range_type, 0, static_cast<uint32_t>(shape_[dim]));
    Value steps = arith::ExtSIOp::create(b_, loc_, Along(b_.getI64Type(), dim), range);
    indices_.push_back({dim, steps, offset});
  }
  // Along `dim` the block is at `rows` (i32).
  void At(int dim, Value rows) {
    indices_.push_back({dim, arith::ExtSIOp::create(b_, loc_, Along(b_.getI64Type(), dim), rows), Number(0)});
  }

  Value Pointers() {
    Value offsets;
    for (const Index& index : indices_) {
      Value stride = Splat(strides_[index.dim], index.steps.getType());
      Value term = Whole(arith::MulIOp::create(b_, loc_, index.steps, stride), index.dim);
      offsets = offsets ? arith::AddIOp::create(b_, loc_, offsets, term) : term;
    }
    Value bases = Splat(base_, RankedTensorType::get(shape_, base_.getType()));
    return tt::AddPtrOp::create(b_, loc_, bases.getType(), bases, offsets);
  }

  // Which elements are within the extents of `dims`; null when none is asked for.
  Value Mask(ArrayRef<int32_t> dims) {
    Value mask;
    for (const Index& index : indices_) {
      if (!llvm::is_contained(dims, index.dim)) continue;
      Type type = index.steps.getType();
      Value at = arith::AddIOp::create(b_, loc_, index.steps, Splat(index.offset, type));
      // Negative indices are large as unsigned numbers.
      Value inside = arith::CmpIOp::create(b_, loc_, arith::CmpIPredicate::ult, at, Splat(extents_[index.dim], type));
      Value whole = Whole(inside, index.dim);
      mask = mask ? arith::AndIOp::create(b_, loc_, mask, whole) : whole;
    }
    return mask;
  }

  // A tensor of NaN where `nan` (i1), else of zeros; of zeros for integers. Null, which pads with zeros too, for
  // pointers.
  Value Padding(Value nan) {
    if (!element_.isIntOrFloat()) return {};
    Value zero = arith::ConstantOp::create(b_, loc_, b_.getZeroAttr(element_));
    if (auto type = dyn_cast<FloatType>(element_); type && nan) {
      auto value = b_.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics()));
      zero = arith::SelectOp::create(b_, loc_, nan, arith::ConstantOp::create(b_, loc_, value), zero);
    }
    return Splat(zero, RankedTensorType::get(shape_, element_));
  }

 private:
  struct Index {
    int dim;
    Value steps;   // along dim, i64, from the offset on
    Value offset;  // the part of the index that base_ holds already
  };

  RankedTensorType Along(Type element, int dim) { return RankedTensorType::get({shape_[dim]}, element); }
  Value Number(int64_t n) { return arith::ConstantOp::create(b_, loc_, b_.getI64IntegerAttr(n)); }
  Value Product(Value x, Value y) { return arith::MulIOp::create(b_, loc_, x, y); }
  Value Splat(Value scalar, Type type) { return tt::SplatOp::create(b_, loc_, type, scalar); }

  // From one dimension to all.
  Value Whole(Value along, int dim) {
    Type element = getElementTypeOrSelf(along.getType());
    SmallVector<int64_t> shape{shape_[dim]};
    for (int d = 0; d < static_cast<int>(shape_.size()); ++d) {
      if (d == dim) continue;
      shape.insert(shape.begin() + d, 1);
      along = tt::ExpandDimsOp::create(b_, loc_, RankedTensorType::get(shape, element), along, d);
    }
    auto whole = RankedTensorType::get(shape_, element);
    return along.getType() == whole ? along : tt::BroadcastOp::create(b_, loc_, whole, along);
  }

  OpBuilder& b_;
  Location loc_;
  Value base_;
  SmallVector<int64_t> shape_;
  Type element_;
  ValueRange extents_;
  SmallVector<Value> strides_;
  ValueRange rest_;
  SmallVector<Index> indices_;
};

SmallVector<int32_t> AllDims(size_t rank) { return llvm::to_vector(llvm::seq<int32_t>(0, int32_t(rank))); }

Value Extended(OpBuilder& b, Location loc, Value number) {
  return arith::ExtSIOp::create(b, loc, b.getI64Type(), number);
}

// Blocks may lack extents of 1 that the descriptor has.
Value Reshaped(OpBuilder& b, Location loc, Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape) return tensor;
  return tt::ReshapeOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()), tensor, false, false);
}

Value Load(OpBuilder& b, Location loc, Value pointers, Value mask, Value other, tt::CacheModifier cache,
           tt::EvictionPolicy evict, bool is_volatile) {
  return tt::LoadOp::create(b, loc, tt::pointeeOf(pointers.getType()), pointers, mask, mask ? other : Value(), cache,
                            evict, is_volatile, ArrayRef<int32_t>{}, tt::PaddingOptionAttr());
}
void Store(OpBuilder& b, Location loc, Value pointers, Value value, Value mask, tt::CacheModifier cache,
           tt::EvictionPolicy evict) {
  tt::StoreOp::create(b, loc, pointers, value, mask, cache, evict, false, ArrayRef<int32_t>{});
}

template <class Op>
class Pattern : public OpConversionPattern<Op> {
 public:
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;
  LogicalResult matchAndRewrite(Op op, Adaptor in, ConversionPatternRewriter& b) const override;
};

//===-- Making them
//---------------------------------------------------------------------------------------------------===//

// One value each.
SmallVector<Value> Singles(ArrayRef<ValueRange> operands) {
  return llvm::map_to_vector(operands, [](ValueRange one) { return one[0]; });
}

template <>
LogicalResult Pattern<tt::MakeTensorPtrOp>::matchAndRewrite(tt::MakeTensorPtrOp op, Adaptor in,
                                                            ConversionPatternRewriter& b) const {
  SmallVector<Value> parts{in.getBase()[0]};
  parts.append(Singles(in.getShape()));
  parts.append(Singles(in.getStrides()));
  for (Value offset : Singles(in.getOffsets())) parts.push_back(Extended(b, op.getLoc(), offset));
  b.replaceOpWithMultiple(op, {parts});
  return success();
}

template <>
LogicalResult Pattern<tt::AdvanceOp>::matchAndRewrite(tt::AdvanceOp op, Adaptor in,
                                                      ConversionPatternRewriter& b) const {
  SmallVector<Value> parts(in.getPtr());
  const size_t first = parts.size() - op.getOffsets().size();
  for (auto [i, offset] : llvm::enumerate(Singles(in.getOffsets())))
    parts[first + i] = arith::AddIOp::create(b, op.getLoc(), parts[first + i], Extended(b, op.getLoc(), offset));
  b.replaceOpWithMultiple(op, {parts});
  return success();
}

template <>
LogicalResult Pattern<tt::MakeTensorDescOp>::matchAndRewrite(tt::MakeTensorDescOp op, Adaptor in,
                                                             ConversionPatternRewriter& b) const {
  SmallVector<Value> parts{in.getBase()[0]};
  for (Value extent : Singles(in.getShape())) parts.push_back(Extended(b, op.getLoc(), extent));
  parts.append(Singles(in.getStrides()));
  parts.push_back(arith::ConstantOp::create(b, op.getLoc(), b.getBoolAttr(op.getPadding() == tt::PaddingOption::NaN)));
  b.replaceOpWithMultiple(op, {parts});
  return success();
}

template <>
LogicalResult Pattern<ub::PoisonOp>::matchAndRewrite(ub::PoisonOp op, Adaptor, ConversionPatternRewriter& b) const {
  SmallVector<Type> types;
  if (failed(getTypeConverter()->convertType(op.getType(), types))) return failure();
  SmallVector<Value> parts;
  for (Type type : types) parts.push_back(ub::PoisonOp::create(b, op.getLoc(), type));
  b.replaceOpWithMultiple(op, {parts});
  return success();
}

template <>
LogicalResult Pattern<arith::SelectOp>::matchAndRewrite(arith::SelectOp op, Adaptor in,
                                                        ConversionPatternRewriter& b) const {
  SmallVector<Value> parts;
  for (auto [yes, no] : llvm::zip(in.getTrueValue(), in.getFalseValue()))
    parts.push_back(arith::SelectOp::create(b, op.getLoc(), in.getCondition()[0], yes, no));
  b.replaceOpWithMultiple(op, {parts});
  return success();
}

//===-- Block pointers
//------------------------------------------------------------------------------------------------===//

Block OfPointer(OpBuilder& b, Location loc, ValueRange parts, Type pointer) {
  RankedTensorType type = BlockOf(pointer);
  Block block(b, loc, parts, type.getShape(), type.getElementType());
  for (auto [d, offset] : llvm::enumerate(block.rest())) block.BeginAt(static_cast<int>(d), offset);
  return block;
}

template <>
LogicalResult Pattern<tt::LoadOp>::matchAndRewrite(tt::LoadOp op, Adaptor in, ConversionPatternRewriter& b) const {
  if (op.getMask()) return op.emitOpError("through a block pointer has boundaryCheck instead of a mask");
  Block block = OfPointer(b, op.getLoc(), in.getPtr(), op.getPtr().getType());
  Value mask = block.Mask(op.getBoundaryCheck());
  Value nan;
  if (op.getPadding() == tt::PaddingOption::NaN) nan = arith::ConstantOp::create(b, op.getLoc(), b.getBoolAttr(true));
  b.replaceOp(op, Load(b, op.getLoc(), block.Pointers(), mask, block.Padding(nan), op.getCache(), op.getEvict(),
                       op.getIsVolatile()));
  return success();
}

template <>
LogicalResult Pattern<tt::StoreOp>::matchAndRewrite(tt::StoreOp op, Adaptor in, ConversionPatternRewriter& b) const {
  if (op.getMask()) return op.emitOpError("through a block pointer has boundaryCheck instead of a mask");
  Block block = OfPointer(b, op.getLoc(), in.getPtr(), op.getPtr().getType());
  Value mask = block.Mask(op.getBoundaryCheck());
  Store(b, op.getLoc(), block.Pointers(), in.getValue()[0], mask, op.getCache(), op.getEvict());
  b.eraseOp(op);
  return success();
}

//===-- Descriptors
//---------------------------------------------------------------------------------------------------===//

Block OfDescriptor(OpBuilder& b, Location loc, ValueRange parts, Type descriptor, ArrayRef<ValueRange> indices) {
  RankedTensorType type = BlockOf(descriptor);
  Block block(b, loc, parts, type.getShape(), type.getElementType());
  block.LastIsDense();
  for (auto [d, index] : llvm::enumerate(Singles(indices))) block.BeginAt(static_cast<int>(d), Extended(b, loc, index));
  return block;
}

template <>
LogicalResult Pattern<tt::DescriptorLoadOp>::matchAndRewrite(tt::DescriptorLoadOp op, Adaptor in,
                                                             ConversionPatternRewriter& b) const {
  Block block = OfDescriptor(b, op.getLoc(), in.getDesc(), op.getDesc().getType(), in.getIndices());
  Value mask = block.Mask(AllDims(op.getIndices().size()));
  Value loaded =
      Load(b, op.getLoc(), block.Pointers(), mask, block.Padding(block.rest()[0]), op.getCache(), op.getEvict(), false);
  b.replaceOp(op, Reshaped(b, op.getLoc(), loaded, cast<RankedTensorType>(op.getType()).getShape()));
  return success();
}

template <>
LogicalResult Pattern<tt::DescriptorStoreOp>::matchAndRewrite(tt::DescriptorStoreOp op, Adaptor in,
                                                              ConversionPatternRewriter& b) const {
  Block block = OfDescriptor(b, op.getLoc(), in.getDesc(), op.getDesc().getType(), in.getIndices());
  Value value = Reshaped(b, op.getLoc(), in.getSrc()[0], BlockOf(op.getDesc().getType()).getShape());
  Value mask = block.Mask(AllDims(op.getIndices().size()));
  Store(b, op.getLoc(), block.Pointers(), value, mask, tt::CacheModifier::None, tt::EvictionPolicy::Normal);
  b.eraseOp(op);
  return success();
}

template <>
LogicalResult Pattern<tt::DescriptorReduceOp>::matchAndRewrite(tt::DescriptorReduceOp op, Adaptor in,
                                                               ConversionPatternRewriter& b) const {
  RankedTensorType type = BlockOf(op.getDesc().getType());
  auto kind = AtomicOf(op.getKind(), type.getElementType());
  if (!kind) return op.emitOpError("supports add, min, max, and, or, xor");
  Block block = OfDescriptor(b, op.getLoc(), in.getDesc(), op.getDesc().getType(), in.getIndices());
  Value value = Reshaped(b, op.getLoc(), in.getSrc()[0], type.getShape());
  Value mask = block.Mask(AllDims(op.getIndices().size()));
  tt::AtomicRMWOp::create(b, op.getLoc(), value.getType(), *kind, block.Pointers(), value, mask,
                          tt::MemSemantic::Relaxed, tt::MemSyncScope::Gpu);
  b.eraseOp(op);
  return success();
}

// Rows `rows`, columns from `column` on, of a descriptor: a block of as many rows.
Block OfRows(OpBuilder& b, Location loc, ValueRange parts, RankedTensorType type, Value rows, Value column) {
  Block block(b, loc, parts, type.getShape(), type.getElementType());
  block.LastIsDense();
  block.At(0, rows);
  block.BeginAt(1, Extended(b, loc, column));
  return block;
}

template <>
LogicalResult Pattern<tt::DescriptorGatherOp>::matchAndRewrite(tt::DescriptorGatherOp op, Adaptor in,
                                                               ConversionPatternRewriter& b) const {
  auto type = cast<RankedTensorType>(op.getType());
  Block block = OfRows(b, op.getLoc(), in.getDesc(), type, in.getXOffsets()[0], in.getYOffset()[0]);
  Value mask = block.Mask({0, 1});
  b.replaceOp(op, Load(b, op.getLoc(), block.Pointers(), mask, block.Padding(block.rest()[0]), tt::CacheModifier::None,
                       tt::EvictionPolicy::Normal, false));
  return success();
}

template <>
LogicalResult Pattern<tt::DescriptorScatterOp>::matchAndRewrite(tt::DescriptorScatterOp op, Adaptor in,
                                                                ConversionPatternRewriter& b) const {
  auto type = cast<RankedTensorType>(op.getSrc().getType());
  Block block = OfRows(b, op.getLoc(), in.getDesc(), type, in.getXOffsets()[0], in.getYOffset()[0]);
  Value mask = block.Mask({0, 1});
  Store(b, op.getLoc(), block.Pointers(), in.getSrc()[0], mask, tt::CacheModifier::None, tt::EvictionPolicy::Normal);
  b.eraseOp(op);
  return success();
}

//===-- The pass
//------------------------------------------------------------------------------------------------------===//

// The hints of arguments, once each block among them is several: its parts get none.
ArrayAttr SpreadHints(tt::FuncOp function, const Parts& parts) {
  Builder b(function.getContext());
  SmallVector<Attribute> hints;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    SmallVector<Type> types;
    (void)parts.convertType(type, types);
    DictionaryAttr own = function.getArgAttrDict(static_cast<unsigned>(i));
    hints.push_back(own && !BlockOf(type) ? own : b.getDictionaryAttr({}));
    hints.append(types.size() - 1, b.getDictionaryAttr({}));
  }
  return b.getArrayAttr(hints);
}

bool HasBlocks(Operation* op) {
  auto is_block = [](Type type) { return bool(BlockOf(type)); };
  bool found = llvm::any_of(op->getOperandTypes(), is_block) || llvm::any_of(op->getResultTypes(), is_block);
  for (Region& region : op->getRegions())
    for (mlir::Block& block : region) found |= llvm::any_of(block.getArgumentTypes(), is_block);
  return found;
}

}  // namespace

LogicalResult BlocksToPointers(tt::FuncOp kernel) {
  bool any = false;
  kernel.walk([&](Operation* op) { any |= HasBlocks(op); });
  if (!any) return success();
  MLIRContext* context = kernel.getContext();
  Parts parts;
  ArrayAttr hints = SpreadHints(kernel, parts);
  RewritePatternSet patterns(context);
  patterns.add<Pattern<tt::MakeTensorPtrOp>, Pattern<tt::AdvanceOp>, Pattern<tt::MakeTensorDescOp>, Pattern<tt::LoadOp>,
               Pattern<tt::StoreOp>, Pattern<tt::DescriptorLoadOp>, Pattern<tt::DescriptorStoreOp>,
               Pattern<tt::DescriptorReduceOp>, Pattern<tt::DescriptorGatherOp>, Pattern<tt::DescriptorScatterOp>,
               Pattern<arith::SelectOp>, Pattern<ub::PoisonOp>>(parts, context);
  populateFunctionOpInterfaceTypeConversionPattern<tt::FuncOp>(patterns, parts);
  ConversionTarget target(*context);
  scf::populateSCFStructuralTypeConversionsAndLegality(parts, patterns, target);
  target.markUnknownOpDynamicallyLegal([](Operation* op) { return !HasBlocks(op); });
  if (failed(applyPartialConversion(kernel, target, std::move(patterns)))) return failure();
  kernel.setArgAttrsAttr(hints);
  return success();
}

}  // namespace rocxla::triton
