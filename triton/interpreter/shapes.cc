// Operations that move elements: the result's element at each place is a certain element of an operand.
#include <numeric>

#include "triton/interpreter/machine.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

using Coordinates = SmallVector<int64_t, 4>;

// `source`: coordinates of the result -> coordinates in the operand.
template <class F>
Status Moved(Machine& m, Operation* op, F source) {
  Value from = op->getOperand(0), to = op->getResult(0);
  const Data& in = m.Get(from);
  Data out;
  for (size_t i = 0; i < ElementsOf(to); ++i)
    out.push_back(in[PlaceOf(source(CoordinatesOf(static_cast<int64_t>(i), ExtentsOf(to))), ExtentsOf(from))]);
  m.Set(to, std::move(out));
  return OkStatus();
}

// The same elements in the same order.
Status Unmoved(Machine& m, Operation* op) {
  Data same = m.Get(op->getOperand(0));
  m.Set(op->getResult(0), std::move(same));
  return OkStatus();
}

Status RunRange(Machine& m, Operation* operation) {
  auto op = cast<tt::MakeRangeOp>(operation);
  Data data;
  for (uint32_t i = op.getStart(); i != op.getEnd(); ++i) data.push_back({i});
  m.Set(op.getResult(), std::move(data));
  return OkStatus();
}

Status RunSplat(Machine& m, Operation* op) {
  m.Set(op->getResult(0), Data(ElementsOf(op->getResult(0)), m.Scalar(op->getOperand(0))));
  return OkStatus();
}

Status RunBroadcast(Machine& m, Operation* op) {
  const Shape from = ExtentsOf(op->getOperand(0));
  return Moved(m, op, [&](Coordinates at) {
    for (size_t d = 0; d < from.size(); ++d)
      if (from[d] == 1) at[d] = 0;
    return at;
  });
}

Status RunTrans(Machine& m, Operation* operation) {
  auto op = cast<tt::TransOp>(operation);
  return Moved(m, operation, [&](const Coordinates& at) {
    Coordinates source(at.size());
    for (auto [d, from] : llvm::enumerate(op.getOrder())) source[from] = at[d];
    return source;
  });
}

// The last dimension says which operand.
Status RunJoin(Machine& m, Operation* op) {
  const Data &even = m.Get(op->getOperand(0)), &odd = m.Get(op->getOperand(1));
  Data out;
  for (size_t i = 0; i < even.size(); ++i) out.append({even[i], odd[i]});
  m.Set(op->getResult(0), std::move(out));
  return OkStatus();
}
Status RunSplit(Machine& m, Operation* op) {
  SmallVector<Data> halves(2);
  for (auto [i, element] : llvm::enumerate(m.Get(op->getOperand(0)))) halves[i % 2].push_back(element);
  m.SetAll(op->getResults(), std::move(halves));
  return OkStatus();
}
// One after the other along the first dimension.
Status RunCat(Machine& m, Operation* op) {
  Data out = m.Get(op->getOperand(0));
  const Data& second = m.Get(op->getOperand(1));
  out.append(second.begin(), second.end());
  m.Set(op->getResult(0), std::move(out));
  return OkStatus();
}

// The coordinate along the axis is replaced by an index; what lies outside is undefined.
Status RunGather(Machine& m, Operation* operation) {
  auto op = cast<tt::GatherOp>(operation);
  const Data &source = m.Get(op.getSrc()), &indices = m.Get(op.getIndices());
  const Shape from = ExtentsOf(op.getSrc()), to = ExtentsOf(op.getResult());
  Data out;
  for (size_t i = 0; i < indices.size(); ++i) {
    Coordinates at = CoordinatesOf(static_cast<int64_t>(i), to);
    const int64_t index = SignedOf(indices[i], ElementTypeOf(op.getIndices()));
    const bool inside = index >= 0 && index < from[op.getAxis()] && !indices[i].undefined;
    at[op.getAxis()] = index;
    out.push_back(inside ? source[PlaceOf(at, from)] : Element{0, true});
  }
  m.Set(op.getResult(), std::move(out));
  return OkStatus();
}

}  // namespace

void AddShapes(Meanings& meanings) {
  meanings.Add<tt::MakeRangeOp>(RunRange);
  meanings.Add<tt::SplatOp>(RunSplat);
  meanings.Add<tt::UnsplatOp>(Unmoved);
  meanings.Add<tt::ExpandDimsOp>(Unmoved);
  meanings.Add<tt::ReshapeOp>(Unmoved);
  meanings.Add<tt::BroadcastOp>(RunBroadcast);
  meanings.Add<tt::TransOp>(RunTrans);
  meanings.Add<tt::JoinOp>(RunJoin);
  meanings.Add<tt::SplitOp>(RunSplit);
  meanings.Add<tt::CatOp>(RunCat);
  meanings.Add<tt::GatherOp>(RunGather);
}

}  // namespace rocxla::triton
