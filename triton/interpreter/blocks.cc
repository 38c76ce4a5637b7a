// Block pointers and tensor descriptors: blocks of a strided tensor in memory, of which parts may be out of bounds.
#include "triton/dialect/descriptor_reduce.h"
#include "triton/interpreter/machine.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

// A block pointer or a descriptor, taken apart.
struct Block {
  uint64_t base = 0;
  SmallVector<int64_t, 4> extents, strides;  // strides in elements
  ArrayRef<Element> rest;                    // offsets, or whether NaN pads
  Type element;
};

StatusOr<Block> BlockOf(Machine& m, Operation* op, Value value) {
  const Data& parts = m.Get(value);
  auto pointer = dyn_cast<tt::PointerType>(value.getType());
  auto type =
      pointer ? cast<RankedTensorType>(pointer.getPointee()) : cast<tt::TensorDescType>(value.getType()).getBlock();
  for (const Element& part : parts)
    if (part.undefined) return ExecutionError(op, "the block is an undefined value");
  const auto rank = static_cast<size_t>(type.getRank());
  Block block{parts[0].bits, {}, {}, ArrayRef(parts).drop_front(1 + 2 * rank), type.getElementType()};
  for (size_t d = 0; d < rank; ++d) {
    block.extents.push_back(static_cast<int64_t>(parts[1 + d].bits));
    block.strides.push_back(static_cast<int64_t>(parts[1 + rank + d].bits));
  }
  return block;
}

// Whether `at` is within the extents along `dims`.
bool IsInside(const Block& block, ArrayRef<int64_t> at, ArrayRef<int32_t> dims) {
  return llvm::all_of(dims, [&](int32_t d) { return at[d] >= 0 && at[d] < block.extents[d]; });
}
uint64_t AddressOf(const Block& block, ArrayRef<int64_t> at) {
  int64_t elements = 0;
  for (auto [index, stride] : llvm::zip(at, block.strides)) elements += index * stride;
  return block.base + static_cast<uint64_t>(elements) * static_cast<uint64_t>(BytesOf(block.element));
}

SmallVector<int32_t> AllDims(const Block& block) {
  return llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(block.extents.size())));
}

// Calls access(i, address) for the elements of a block of `shape` that are inside, outside(i) for the others.
// `place`: coordinates in the block -> coordinates in the tensor.
template <class P, class F, class G>
Status ForEachElement(Machine& m, Operation* op, const Block& block, Shape shape, ArrayRef<int32_t> checked, P place,
                      F access, G outside) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  for (int64_t i = 0; i < count; ++i) {
    const SmallVector<int64_t, 4> at = place(CoordinatesOf(i, shape));
    if (!IsInside(block, at, checked)) {
      outside(i);
      continue;
    }
    const uint64_t address = AddressOf(block, at);
    RETURN_IF_ERROR(CheckAccess(m, op, {address}, block.element));
    access(i, address);
  }
  return OkStatus();
}

Element Padding(bool nan, Type element) {
  auto type = dyn_cast<FloatType>(element);
  return nan && type ? ElementOf(llvm::APFloat::getNaN(type.getFloatSemantics())) : Element{0};
}

template <class P>
Status LoadBlock(Machine& m, Operation* op, const Block& block, Shape shape, ArrayRef<int32_t> checked, bool nan,
                 P place) {
  Data loaded(ElementsOf(op->getResult(0)));
  RETURN_IF_ERROR(ForEachElement(
      m, op, block, shape, checked, place,
      [&](int64_t i, uint64_t address) { loaded[i] = m.memory.Load(address, BytesOf(block.element)); },
      [&](int64_t i) { loaded[i] = Padding(nan, block.element); }));
  m.Set(op->getResult(0), std::move(loaded));
  return OkStatus();
}

template <class P>
Status StoreBlock(Machine& m, Operation* op, const Block& block, Shape shape, ArrayRef<int32_t> checked, Value value,
                  P place) {
  const Data& values = m.Get(value);
  return ForEachElement(
      m, op, block, shape, checked, place,
      [&](int64_t i, uint64_t address) { m.memory.Store(address, BytesOf(block.element), values[i]); }, [](int64_t) {});
}

// The block begins at these coordinates of the tensor.
struct From {
  SmallVector<int64_t, 4> begin;
  SmallVector<int64_t, 4> operator()(SmallVector<int64_t, 4> at) const {
    for (size_t d = 0; d < at.size(); ++d) at[d] += begin[d];
    return at;
  }
};
// The block's rows are these rows of the tensor, its columns begin at one.
struct AtRows {
  SmallVector<int64_t> rows;
  int64_t column;
  SmallVector<int64_t, 4> operator()(const SmallVector<int64_t, 4>& at) const { return {rows[at[0]], column + at[1]}; }
};

StatusOr<SmallVector<int64_t, 4>> Numbers(Machine& m, Operation* op, ValueRange values) {
  SmallVector<int64_t, 4> numbers;
  for (Value value : values) {
    if (m.Scalar(value).undefined) return ExecutionError(op, "an index is an undefined value");
    numbers.push_back(SignedOf(m.Scalar(value), value.getType()));
  }
  return numbers;
}

//===-- Making them
//---------------------------------------------------------------------------------------------------===//

Element Widened(Machine& m, Value number) {
  const Element& element = m.Scalar(number);
  return {static_cast<uint64_t>(SignedOf(element, number.getType())), element.undefined};
}

Status RunMakeTensorPtr(Machine& m, Operation* operation) {
  auto op = cast<tt::MakeTensorPtrOp>(operation);
  Data parts{m.Scalar(op.getBase())};
  for (ValueRange values : {ValueRange(op.getShape()), ValueRange(op.getStrides()), ValueRange(op.getOffsets())})
    for (Value value : values) parts.push_back(Widened(m, value));
  m.Set(op.getResult(), std::move(parts));
  return OkStatus();
}

Status RunAdvance(Machine& m, Operation* operation) {
  auto op = cast<tt::AdvanceOp>(operation);
  Data parts = m.Get(op.getPtr());
  const size_t first = parts.size() - op.getOffsets().size();
  for (auto [d, offset] : llvm::enumerate(op.getOffsets())) {
    parts[first + d].bits += Widened(m, offset).bits;
    parts[first + d].undefined |= m.Scalar(offset).undefined;
  }
  m.Set(op.getResult(), std::move(parts));
  return OkStatus();
}

// The last dimension is dense, whatever its stride says.
Status RunMakeTensorDesc(Machine& m, Operation* operation) {
  auto op = cast<tt::MakeTensorDescOp>(operation);
  Data parts{m.Scalar(op.getBase())};
  for (Value extent : op.getShape()) parts.push_back(Widened(m, extent));
  for (Value stride : op.getStrides().drop_back()) parts.push_back(Widened(m, stride));
  parts.push_back({1});
  parts.push_back({op.getPadding() == tt::PaddingOption::NaN});
  m.Set(op.getResult(), std::move(parts));
  return OkStatus();
}

//===-- Descriptors
//---------------------------------------------------------------------------------------------------===//

Shape BlockShape(Value descriptor) { return cast<tt::TensorDescType>(descriptor.getType()).getBlock().getShape(); }

Status RunDescriptorLoad(Machine& m, Operation* operation) {
  auto op = cast<tt::DescriptorLoadOp>(operation);
  ASSIGN_OR_RETURN(const Block block, BlockOf(m, operation, op.getDesc()));
  ASSIGN_OR_RETURN(auto begin, Numbers(m, operation, op.getIndices()));
  return LoadBlock(m, operation, block, BlockShape(op.getDesc()), AllDims(block), block.rest[0].bits != 0,
                   From{std::move(begin)});
}

Status RunDescriptorStore(Machine& m, Operation* operation) {
  auto op = cast<tt::DescriptorStoreOp>(operation);
  ASSIGN_OR_RETURN(const Block block, BlockOf(m, operation, op.getDesc()));
  ASSIGN_OR_RETURN(auto begin, Numbers(m, operation, op.getIndices()));
  return StoreBlock(m, operation, block, BlockShape(op.getDesc()), AllDims(block), op.getSrc(), From{std::move(begin)});
}

Status RunDescriptorReduce(Machine& m, Operation* operation) {
  auto op = cast<tt::DescriptorReduceOp>(operation);
  ASSIGN_OR_RETURN(const Block block, BlockOf(m, operation, op.getDesc()));
  ASSIGN_OR_RETURN(auto begin, Numbers(m, operation, op.getIndices()));
  const auto kind = AtomicOf(op.getKind(), block.element);
  if (!kind) return NoMeaning(operation, "this kind");
  const Data& values = m.Get(op.getSrc());
  const int bytes = BytesOf(block.element);
  return ForEachElement(
      m, operation, block, BlockShape(op.getDesc()), AllDims(block), From{std::move(begin)},
      [&](int64_t i, uint64_t address) {
        const Element result =
            AtomicResult(*kind, m.memory.Load(address, bytes), values[i], ElementTypeOf(op.getSrc()));
        m.memory.Store(address, bytes, result);
      },
      [](int64_t) {});
}

StatusOr<AtRows> RowsOf(Machine& m, Operation* op, Value rows, Value column) {
  AtRows place{{}, SignedOf(m.Scalar(column), column.getType())};
  bool undefined = m.Scalar(column).undefined;
  for (const Element& row : m.Get(rows)) {
    place.rows.push_back(SignedOf(row, ElementTypeOf(rows)));
    undefined |= row.undefined;
  }
  if (undefined) return ExecutionError(op, "an index is an undefined value");
  return place;
}

Status RunDescriptorGather(Machine& m, Operation* operation) {
  auto op = cast<tt::DescriptorGatherOp>(operation);
  ASSIGN_OR_RETURN(const Block block, BlockOf(m, operation, op.getDesc()));
  ASSIGN_OR_RETURN(const AtRows place, RowsOf(m, operation, op.getXOffsets(), op.getYOffset()));
  return LoadBlock(m, operation, block, ExtentsOf(op.getResult()), {0, 1}, block.rest[0].bits != 0, place);
}

Status RunDescriptorScatter(Machine& m, Operation* operation) {
  auto op = cast<tt::DescriptorScatterOp>(operation);
  ASSIGN_OR_RETURN(const Block block, BlockOf(m, operation, op.getDesc()));
  ASSIGN_OR_RETURN(const AtRows place, RowsOf(m, operation, op.getXOffsets(), op.getYOffset()));
  return StoreBlock(m, operation, block, ExtentsOf(op.getSrc()), {0, 1}, op.getSrc(), place);
}

}  // namespace

//===-- Block pointers
//------------------------------------------------------------------------------------------------===//

namespace {
From OffsetsOf(const Block& block) {
  From from;
  for (const Element& offset : block.rest) from.begin.push_back(static_cast<int64_t>(offset.bits));
  return from;
}
Status NoMask(Operation* op, Value mask) { return mask ? NoMeaning(op, "a mask with a block pointer") : OkStatus(); }
}  // namespace

Status RunBlockLoad(Machine& m, Operation* operation) {
  auto op = cast<tt::LoadOp>(operation);
  RETURN_IF_ERROR(NoMask(operation, op.getMask()));
  ASSIGN_OR_RETURN(const Block block, BlockOf(m, operation, op.getPtr()));
  return LoadBlock(m, operation, block, ExtentsOf(op.getResult()), op.getBoundaryCheck(),
                   op.getPadding() == tt::PaddingOption::NaN, OffsetsOf(block));
}

Status RunBlockStore(Machine& m, Operation* operation) {
  auto op = cast<tt::StoreOp>(operation);
  RETURN_IF_ERROR(NoMask(operation, op.getMask()));
  ASSIGN_OR_RETURN(const Block block, BlockOf(m, operation, op.getPtr()));
  return StoreBlock(m, operation, block, ExtentsOf(op.getValue()), op.getBoundaryCheck(), op.getValue(),
                    OffsetsOf(block));
}

void AddBlocks(Meanings& meanings) {
  meanings.Add<tt::MakeTensorPtrOp>(RunMakeTensorPtr);
  meanings.Add<tt::AdvanceOp>(RunAdvance);
  meanings.Add<tt::MakeTensorDescOp>(RunMakeTensorDesc);
  meanings.Add<tt::DescriptorLoadOp>(RunDescriptorLoad);
  meanings.Add<tt::DescriptorStoreOp>(RunDescriptorStore);
  meanings.Add<tt::DescriptorReduceOp>(RunDescriptorReduce);
  meanings.Add<tt::DescriptorGatherOp>(RunDescriptorGather);
  meanings.Add<tt::DescriptorScatterOp>(RunDescriptorScatter);
}

}  // namespace rocxla::triton
