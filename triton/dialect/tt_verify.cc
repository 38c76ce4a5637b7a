// The shape rules of tt operations. What these verifiers accept, the layout plan takes for granted.
#include "triton/dialect/tt.h"

using namespace mlir;
namespace rocxla::triton::tt {
namespace {

RankedTensorType TensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }
ArrayRef<int64_t> ShapeOf(Value v) { return TensorOf(v).getShape(); }

// `shape` without dimension `axis`.
SmallVector<int64_t> Without(ArrayRef<int64_t> shape, int64_t axis) {
  SmallVector<int64_t> rest(shape);
  rest.erase(rest.begin() + axis);
  return rest;
}

LogicalResult SameElements(Operation* op, Value from, Value to) {
  if (TensorOf(from).getElementType() == TensorOf(to).getElementType()) return success();
  return op->emitOpError("changes the element type from ")
         << TensorOf(from).getElementType() << " to " << TensorOf(to).getElementType();
}

LogicalResult ShapeIs(Operation* op, Value result, ArrayRef<int64_t> expected) {
  if (ShapeOf(result) == expected) return success();
  return op->emitOpError("result has shape [") << ShapeOf(result) << "], expected [" << expected << "]";
}

}  // namespace

//===-- Casts and atomics
//---------------------------------------------------------------------------------------------===//

namespace {

// A cast of what `from` and `to` hold, scalars or tensors of one shape. `fits` compares the elements.
template <class Fits>
LogicalResult VerifyCast(Operation* op, Fits fits) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  auto from_tensor = dyn_cast<RankedTensorType>(from), to_tensor = dyn_cast<RankedTensorType>(to);
  const bool one_shape =
      from_tensor && to_tensor ? from_tensor.getShape() == to_tensor.getShape() : !from_tensor && !to_tensor;
  if (one_shape && fits(getElementTypeOrSelf(from), getElementTypeOrSelf(to))) return success();
  return op->emitOpError("cannot give ") << to << " from " << from;
}

// What is exchanged with memory, and what comes back, are what the pointers point to.
LogicalResult VerifyAtomic(Operation* op, Type pointer, TypeRange values, Value mask) {
  Type pointee = pointeeOf(pointer);
  for (Type type : values)
    if (type != pointee) return op->emitOpError("on ") << pointer << " takes and gives " << pointee << ", got " << type;
  if (mask && mask.getType() != i1Like(pointer))
    return op->emitOpError("on ") << pointer << " takes a mask " << i1Like(pointer) << ", got " << mask.getType();
  return success();
}

}  // namespace

LogicalResult IntToPtrOp::verify() {
  return VerifyCast(*this, [](Type from, Type to) { return from.isInteger() && isa<PointerType>(to); });
}
LogicalResult PtrToIntOp::verify() {
  return VerifyCast(*this, [](Type from, Type to) { return isa<PointerType>(from) && to.isInteger(); });
}
LogicalResult BitcastOp::verify() {
  return VerifyCast(*this, [](Type from, Type to) {
    if (!from.isIntOrFloat() || !to.isIntOrFloat()) return isa<PointerType>(from) && isa<PointerType>(to);
    return from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth();
  });
}
LogicalResult AtomicRMWOp::verify() {
  return VerifyAtomic(*this, getPtr().getType(), {getVal().getType(), getType()}, getMask());
}
LogicalResult AtomicCASOp::verify() {
  return VerifyAtomic(*this, getPtr().getType(), {getCmp().getType(), getVal().getType(), getType()}, Value());
}

//===-- Shapes
//--------------------------------------------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  const bool fills = type.getRank() == 1 && int64_t(getEnd()) - int64_t(getStart()) == type.getDimSize(0);
  if (fills && type.getElementType().isInteger(32)) return success();
  return emitOpError("range ") << int32_t(getStart()) << ".." << int32_t(getEnd()) << " does not fill " << type;
}

LogicalResult SplatOp::verify() {
  if (getSrc().getType() == TensorOf(getResult()).getElementType()) return success();
  return emitOpError("of ") << getSrc().getType() << " cannot give " << getResult().getType();
}

LogicalResult UnsplatOp::verify() {
  if (TensorOf(getSrc()).getNumElements() == 1) return success();
  return emitOpError("needs a tensor of one element, got ") << getSrc().getType();
}

LogicalResult ExpandDimsOp::verify() {
  auto rank = TensorOf(getSrc()).getRank();
  const int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis > rank) return emitOpError("axis ") << axis << " is beyond rank " << rank;
  SmallVector<int64_t> expected(ShapeOf(getSrc()));
  expected.insert(expected.begin() + getAxis(), 1);
  return failed(SameElements(*this, getSrc(), getResult())) ? failure() : ShapeIs(*this, getResult(), expected);
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = ShapeOf(getSrc()), to = ShapeOf(getResult());
  bool fits = from.size() == to.size();
  for (size_t d = 0; fits && d < from.size(); ++d) fits = from[d] == to[d] || from[d] == 1;
  if (!fits) return emitOpError("cannot give ") << getResult().getType() << " from " << getSrc().getType();
  return SameElements(*this, getSrc(), getResult());
}

LogicalResult GatherOp::verify() {
  int64_t rank = TensorOf(getSrc()).getRank(), axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= rank) return emitOpError("axis ") << axis << " is beyond rank " << rank;
  if (TensorOf(getIndices()).getRank() != rank) return emitOpError("needs indices of the operand's rank");
  for (int64_t d = 0; d < rank; ++d)
    if (d != axis && ShapeOf(getIndices())[d] != ShapeOf(getSrc())[d])
      return emitOpError("indices may differ from the operand along the axis only");
  if (!TensorOf(getIndices()).getElementType().isInteger()) return emitOpError("needs integers as indices");
  if (failed(SameElements(*this, getSrc(), getResult()))) return failure();
  return ShapeIs(*this, getResult(), ShapeOf(getIndices()));
}

LogicalResult HistogramOp::verify() {
  auto counts = [](Value v, bool one_dimension) {
    return TensorOf(v).getElementType().isInteger() && (!one_dimension || TensorOf(v).getRank() == 1);
  };
  if (counts(getSrc(), false) && counts(getResult(), true)) return success();
  return emitOpError("counts integers into a tensor of rank 1, got ")
         << getSrc().getType() << " and " << getResult().getType();
}

LogicalResult TransOp::verify() {
  ArrayRef<int64_t> from = ShapeOf(getSrc());
  SmallVector<int64_t> expected;
  SmallVector<bool> seen(from.size(), false);
  for (int32_t d : getOrder()) {
    if (d < 0 || size_t(d) >= from.size() || seen[d]) return emitOpError("order is no permutation of the dimensions");
    seen[d] = true;
    expected.push_back(from[d]);
  }
  if (expected.size() != from.size()) return emitOpError("order is no permutation of the dimensions");
  return failed(SameElements(*this, getSrc(), getResult())) ? failure() : ShapeIs(*this, getResult(), expected);
}

LogicalResult ReshapeOp::verify() {
  if (TensorOf(getSrc()).getNumElements() != TensorOf(getResult()).getNumElements())
    return emitOpError("changes the number of elements: ") << getSrc().getType() << " to " << getResult().getType();
  return SameElements(*this, getSrc(), getResult());
}

LogicalResult JoinOp::verify() {
  SmallVector<int64_t> expected(ShapeOf(getLhs()));
  expected.push_back(2);
  return failed(SameElements(*this, getLhs(), getResult())) ? failure() : ShapeIs(*this, getResult(), expected);
}

LogicalResult CatOp::verify() {
  SmallVector<int64_t> expected(ShapeOf(getLhs()));
  if (expected.empty()) return emitOpError("needs tensors of rank 1 or more");
  expected[0] *= 2;
  return failed(SameElements(*this, getLhs(), getResult())) ? failure() : ShapeIs(*this, getResult(), expected);
}

LogicalResult SplitOp::verify() {
  ArrayRef<int64_t> from = ShapeOf(getSrc());
  if (from.empty() || from.back() != 2) return emitOpError("needs a last dimension of 2, got ") << getSrc().getType();
  return failed(SameElements(*this, getSrc(), getLhs())) ? failure() : ShapeIs(*this, getLhs(), from.drop_back());
}

LogicalResult DotOp::verify() {
  ArrayRef<int64_t> a = ShapeOf(getA()), b = ShapeOf(getB()), c = ShapeOf(getC());
  size_t rank = c.size();
  bool fits = (rank == 2 || rank == 3) && a.size() == rank && b.size() == rank;
  fits = fits && a[rank - 2] == c[rank - 2] && b[rank - 1] == c[rank - 1] && a[rank - 1] == b[rank - 2];
  fits = fits && (rank == 2 || (a[0] == c[0] && b[0] == c[0]));
  if (fits) return success();
  return emitOpError("shapes do not fit: ")
         << getA().getType() << " * " << getB().getType() << " -> " << getC().getType();
}

namespace {

// One factor of a scaled product: `rows` and `k` say which of its dimensions these are.
struct ScaledFactor {
  const char* name;
  Value value, scale;
  ScaledType type;
  bool k_pack;
  int64_t rows, k;
};

bool HoldsNumbersOf(ScaledType type, Type element) {
  switch (type) {
    case ScaledType::E4M3:
      return isa<Float8E4M3FNType>(element) || element.isInteger(8);
    case ScaledType::E5M2:
      return isa<Float8E5M2Type>(element) || element.isInteger(8);
    case ScaledType::E2M3:
    case ScaledType::E3M2:
    case ScaledType::E2M1:
      return element.isInteger(8);
    case ScaledType::BF16:
      return element.isBF16();
    case ScaledType::FP16:
      return element.isF16();
  }
  return false;
}

// The factor's rows and K in numbers, checked against its type and its scale.
FailureOr<std::pair<int64_t, int64_t>> VerifyScaledFactor(DotScaledOp op, const ScaledFactor& factor) {
  ArrayRef<int64_t> shape = ShapeOf(factor.value);
  Type element = TensorOf(factor.value).getElementType();
  if (!HoldsNumbersOf(factor.type, element))
    return op.emitOpError(factor.name) << " of " << stringifyScaledType(factor.type) << " is no tensor of " << element;
  bool packed = factor.type == ScaledType::E2M1;
  if (!packed && !factor.k_pack) return op.emitOpError(factor.name) << " is not packed: its k_pack must be true";
  int64_t rows = shape[factor.rows] * (packed && !factor.k_pack ? 2 : 1);
  int64_t k = shape[factor.k] * (packed && factor.k_pack ? 2 : 1);
  if (!factor.scale) return std::pair(rows, k);
  ArrayRef<int64_t> scale = ShapeOf(factor.scale);
  Type scale_type = TensorOf(factor.scale).getElementType();
  bool fits = scale.size() == shape.size() && scale[scale.size() - 2] == rows &&
              (scale.back() * 32 == k || scale.back() * 16 == k) && (shape.size() == 2 || scale[0] == shape[0]);
  bool known = scale_type.isInteger(8) || isa<Float8E4M3FNType>(scale_type);
  if (fits && known) return std::pair(rows, k);
  return op.emitOpError(factor.name) << "'s scale " << factor.scale.getType() << " does not fit " << rows << " x " << k
                                     << " numbers: one of i8 or f8E4M3FN for 32 or 16 along K is expected";
}

}  // namespace

LogicalResult DotScaledOp::verify() {
  size_t rank = ShapeOf(getC()).size();
  if ((rank != 2 && rank != 3) || ShapeOf(getA()).size() != rank || ShapeOf(getB()).size() != rank)
    return emitOpError("needs tensors of rank 2 or of rank 3");
  auto m = static_cast<int64_t>(rank) - 2, n = m + 1;
  auto a = VerifyScaledFactor(*this, {"lhs", getA(), getAScale(), getAElemType(), getLhsKPack(), m, n});
  if (failed(a)) return failure();
  auto b = VerifyScaledFactor(*this, {"rhs", getB(), getBScale(), getBElemType(), getRhsKPack(), n, m});
  if (failed(b)) return failure();
  ArrayRef<int64_t> c = ShapeOf(getC());
  bool batches = rank == 2 || (ShapeOf(getA())[0] == c[0] && ShapeOf(getB())[0] == c[0]);
  if (batches && a->first == c[m] && b->first == c[n] && a->second == b->second) return success();
  return emitOpError("shapes do not fit: ")
         << getA().getType() << " * " << getB().getType() << " -> " << getC().getType();
}

namespace {

// Operands of one shape, an axis within it, and a region from two scalars per operand to one.
template <class Combine>
LogicalResult VerifyCombine(Combine op) {
  if (op.getSrcs().empty()) return op.emitOpError("needs an operand");
  int64_t rank = TensorOf(op.getSrcs()[0]).getRank();
  if (int64_t(op.getAxis()) >= rank) return op.emitOpError("axis ") << op.getAxis() << " is beyond rank " << rank;
  size_t count = op.getSrcs().size();
  Block& body = op.getCombine().front();
  if (op->getNumResults() != count || body.getNumArguments() != 2 * count)
    return op.emitOpError("needs one result and two region arguments per operand");
  if (body.empty() || body.back().getNumOperands() != count)
    return op.emitOpError("region must return one value per operand");
  for (size_t i = 0; i < count; ++i) {
    Type element = TensorOf(op.getSrcs()[i]).getElementType();
    for (Type got : {body.getArgument(i).getType(), body.getArgument(i + count).getType(),
                     body.back().getOperand(i).getType(), getElementTypeOrSelf(op->getResult(i).getType())})
      if (got != element) return op.emitOpError("expected ") << element << " for operand " << i << ", got " << got;
  }
  return success();
}

}  // namespace

//===-- Blocks of tensors in memory
//-----------------------------------------------------------------------------------===//

namespace {

LogicalResult HasRank(Operation* op, size_t count, const char* what, int64_t rank) {
  if (count == size_t(rank)) return success();
  return op->emitOpError("has ") << count << " " << what << " for a tensor of rank " << rank;
}

LogicalResult PointsTo(Operation* op, Value base, Type element) {
  if (cast<PointerType>(base.getType()).getPointee() == element) return success();
  return op->emitOpError("base ") << base.getType() << " does not point to " << element;
}

// Blocks may lack extents of 1 that the descriptor has, and signs.
LogicalResult BlockFits(Operation* op, Value desc, Value tensor, size_t indices) {
  RankedTensorType block = cast<TensorDescType>(desc.getType()).getBlock(), type = TensorOf(tensor);
  Type element = block.getElementType();
  const bool same_element = element == type.getElementType() ||
                            (element.isInteger() && type.getElementType().isInteger(element.getIntOrFloatBitWidth()));
  if (block.getNumElements() != type.getNumElements() || !same_element)
    return op->emitOpError("tensor ") << type << " is no block of " << desc.getType();
  return HasRank(op, indices, "indices", block.getRank());
}

// Rows of a descriptor whose blocks have one.
LogicalResult RowsFit(Operation* op, Value desc, Value rows, Value tensor) {
  RankedTensorType block = cast<TensorDescType>(desc.getType()).getBlock(), type = TensorOf(tensor);
  const bool fits = block.getRank() == 2 && block.getDimSize(0) == 1 && TensorOf(rows).getRank() == 1 &&
                    type.getRank() == 2 && type.getDimSize(0) == TensorOf(rows).getDimSize(0) &&
                    type.getDimSize(1) == block.getDimSize(1) && type.getElementType() == block.getElementType();
  if (fits) return success();
  return op->emitOpError("tensor ") << type << " does not hold the rows " << rows.getType() << " of " << desc.getType();
}

}  // namespace

LogicalResult TensorDescType::verify(function_ref<InFlightDiagnostic()> error, RankedTensorType block) {
  if (block.getRank() && block.getElementType().isIntOrFloat()) return success();
  return error() << "a descriptor has blocks of one dimension or more, of numbers; got " << block;
}

LogicalResult MakeTensorPtrOp::verify() {
  auto block = dyn_cast<RankedTensorType>(getResult().getType().getPointee());
  if (!block || !block.getRank()) return emitOpError("gives no pointer to a tensor: ") << getResult().getType();
  return HasRank(*this, getShape().size(), "extents", block.getRank());
}

LogicalResult AdvanceOp::verify() {
  auto block = dyn_cast<RankedTensorType>(getPtr().getType().getPointee());
  if (!block) return emitOpError("of no pointer to a tensor: ") << getPtr().getType();
  return HasRank(*this, getOffsets().size(), "offsets", block.getRank());
}

LogicalResult MakeTensorDescOp::verify() {
  RankedTensorType block = getResult().getType().getBlock();
  Type pointee = getBase().getType().getPointee(), element = block.getElementType();
  const bool signs_differ = element.isInteger() && pointee.isInteger(element.getIntOrFloatBitWidth());
  if (!signs_differ && failed(PointsTo(*this, getBase(), element))) return failure();
  return HasRank(*this, getShape().size(), "extents", block.getRank());
}

LogicalResult DescriptorLoadOp::verify() { return BlockFits(*this, getDesc(), getResult(), getIndices().size()); }
LogicalResult DescriptorStoreOp::verify() { return BlockFits(*this, getDesc(), getSrc(), getIndices().size()); }
LogicalResult DescriptorReduceOp::verify() { return BlockFits(*this, getDesc(), getSrc(), getIndices().size()); }
LogicalResult DescriptorGatherOp::verify() { return RowsFit(*this, getDesc(), getXOffsets(), getResult()); }
LogicalResult DescriptorScatterOp::verify() { return RowsFit(*this, getDesc(), getXOffsets(), getSrc()); }

LogicalResult ReturnOp::verify() {
  ArrayRef<Type> results = cast<FuncOp>((*this)->getParentOp()).getResultTypes();
  if (TypeRange(results) == TypeRange(getOperandTypes())) return success();
  return emitOpError("returns (") << getOperandTypes() << "), the function's results are (" << results << ")";
}

// The region takes `pack` elements of each operand in turn and returns as many of each result.
LogicalResult MapElementwiseOp::verify() {
  const auto pack = int64_t(int32_t(getPack()));
  if (getSrcs().empty() || pack < 1) return emitOpError("needs an operand, and a pack of 1 or more");
  if (TensorOf(getSrcs()[0]).getNumElements() % pack) return emitOpError("pack does not divide the elements");
  Region& region = getScalarOp();
  auto check = [&](TypeRange got, ValueRange tensors, const char* what) -> LogicalResult {
    bool fits = int64_t(got.size()) == pack * int64_t(tensors.size());
    for (size_t i = 0; fits && i < got.size(); ++i) fits = got[i] == TensorOf(tensors[i / pack]).getElementType();
    return fits ? success() : emitOpError("region's ") << what << " are not " << pack << " elements of each tensor";
  };
  if (failed(check(region.getArgumentTypes(), getSrcs(), "arguments"))) return failure();
  for (Block& block : region)
    if (!block.empty() && isa<MapElementwiseReturnOp>(block.back()))
      if (failed(check(block.back().getOperandTypes(), getResults(), "results"))) return failure();
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(VerifyCombine(*this))) return failure();
  SmallVector<int64_t> expected = Without(ShapeOf(getSrcs()[0]), getAxis());
  for (Value result : getResults()) {
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    if (tensor ? tensor.getShape() != ArrayRef(expected) : !expected.empty())
      return emitOpError("result ") << result.getType() << " is not the operand without axis " << getAxis();
  }
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(VerifyCombine(*this))) return failure();
  for (auto [source, result] : llvm::zip(getSrcs(), getResults()))
    if (source.getType() != result.getType()) return emitOpError("result type differs from the operand's");
  return success();
}

}  // namespace rocxla::triton::tt
