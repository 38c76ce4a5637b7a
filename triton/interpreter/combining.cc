// Operations whose region, or whose meaning, combines elements: reductions, scans, histograms, map_elementwise.
#include "triton/interpreter/machine.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

// The region of `op` on one scalar for each operand so far and as many of the next element.
StatusOr<SmallVector<Element>> Combine(Machine& m, Region& region, ArrayRef<Element> so_far, ArrayRef<Element> next) {
  SmallVector<Data> arguments;
  for (ArrayRef<Element> elements : {so_far, next})
    for (const Element& element : elements) arguments.push_back({element});
  ASSIGN_OR_RETURN(Operation * end, m.RunRegion(region, std::move(arguments)));
  SmallVector<Element> results;
  for (Value value : end->getOperands()) results.push_back(m.Scalar(value));
  return results;
}

// Goes along the axis at every place of the other dimensions. `visit`: (where in the operand, whether it is the last
// along the axis, what the elements up to there combine to).
template <class F>
Status AlongAxis(Machine& m, Operation* op, Region& region, int64_t axis, bool reverse, F visit) {
  const SmallVector<Data> sources = m.GetAll(op->getOperands());
  const Shape shape = ExtentsOf(op->getOperand(0));
  const int64_t extent = shape[axis];
  SmallVector<int64_t> others(shape);
  others[axis] = 1;
  const auto lines = static_cast<int64_t>(sources[0].size()) / extent;
  for (int64_t line = 0; line < lines; ++line) {
    auto at = CoordinatesOf(line, others);
    SmallVector<Element> so_far;
    for (int64_t step = 0; step < extent; ++step) {
      at[axis] = reverse ? extent - 1 - step : step;
      const int64_t place = PlaceOf(at, shape);
      SmallVector<Element> next;
      for (const Data& source : sources) next.push_back(source[place]);
      if (step == 0) {
        so_far = std::move(next);
      } else {
        ASSIGN_OR_RETURN(so_far, Combine(m, region, so_far, next));
      }
      visit(place, step + 1 == extent, so_far);
    }
  }
  return OkStatus();
}

Status RunReduce(Machine& m, Operation* operation) {
  auto op = cast<tt::ReduceOp>(operation);
  SmallVector<Data> results(op->getNumResults());
  RETURN_IF_ERROR(AlongAxis(m, operation, op.getCombine(), op.getAxis(), false,
                            [&](int64_t, bool last, ArrayRef<Element> combined) {
                              if (!last) return;
                              for (auto [result, element] : llvm::zip(results, combined)) result.push_back(element);
                            }));
  m.SetAll(op.getResults(), std::move(results));
  return OkStatus();
}

Status RunScan(Machine& m, Operation* operation) {
  auto op = cast<tt::ScanOp>(operation);
  SmallVector<Data> results(op->getNumResults(), Data(ElementsOf(op.getSrcs()[0])));
  RETURN_IF_ERROR(AlongAxis(m, operation, op.getCombine(), op.getAxis(), op.getReverse(),
                            [&](int64_t place, bool, ArrayRef<Element> combined) {
                              for (auto [result, element] : llvm::zip(results, combined)) result[place] = element;
                            }));
  m.SetAll(op.getResults(), std::move(results));
  return OkStatus();
}

// How often each of 0, 1, .. occurs among the elements that the mask does not hide. Other numbers are not counted.
Status RunHistogram(Machine& m, Operation* operation) {
  auto op = cast<tt::HistogramOp>(operation);
  const Data& source = m.Get(op.getSrc());
  const unsigned bits = BitsOf(ElementTypeOf(op.getResult()));
  Data counts(ElementsOf(op.getResult()));
  bool undefined = false;
  for (size_t i = 0; i < source.size(); ++i) {
    const Element counted = op.getMask() ? m.Get(op.getMask())[i] : Element{1};
    undefined |= counted.undefined || (counted.bits != 0 && source[i].undefined);
    if (counted.bits == 0 || source[i].bits >= counts.size()) continue;
    Element& count = counts[source[i].bits];
    count = ElementOf(llvm::APInt(bits, count.bits + 1, false, true));
  }
  for (Element& count : counts) count.undefined = undefined;
  m.Set(op.getResult(), std::move(counts));
  return OkStatus();
}

// The region takes `pack` neighbouring elements of each operand in turn, and returns as many of each result.
Status RunMapElementwise(Machine& m, Operation* operation) {
  auto op = cast<tt::MapElementwiseOp>(operation);
  const size_t pack = op.getPack();
  const SmallVector<Data> sources = m.GetAll(op.getSrcs());
  SmallVector<Data> results(op->getNumResults());
  for (size_t first = 0; first < sources[0].size(); first += pack) {
    SmallVector<Data> arguments;
    for (const Data& source : sources)
      for (size_t i = 0; i < pack; ++i) arguments.push_back({source[first + i]});
    ASSIGN_OR_RETURN(Operation * end, m.RunRegion(op.getScalarOp(), std::move(arguments)));
    for (auto [k, value] : llvm::enumerate(end->getOperands())) results[k / pack].push_back(m.Scalar(value));
  }
  m.SetAll(op.getResults(), std::move(results));
  return OkStatus();
}

}  // namespace

void AddCombining(Meanings& meanings) {
  meanings.Add<tt::ReduceOp>(RunReduce);
  meanings.Add<tt::ScanOp>(RunScan);
  meanings.Add<tt::HistogramOp>(RunHistogram);
  meanings.Add<tt::MapElementwiseOp>(RunMapElementwise);
}

}  // namespace rocxla::triton
