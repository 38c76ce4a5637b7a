#include "triton/plan/axis_info.h"

#include <algorithm>
#include <numeric>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/plan/control_flow.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

constexpr int64_t kMaxPowerOfTwo = int64_t(1) << 30;

int64_t PowerOfTwoIn(int64_t n) { return n == 0 ? kMaxPowerOfTwo : std::min<int64_t>(n & -n, kMaxPowerOfTwo); }
int RankOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? static_cast<int>(tensor.getRank()) : 0;
}
int64_t Extent(Type type, int dim) { return RankOf(type) ? cast<RankedTensorType>(type).getDimSize(dim) : 1; }
AxisInfo Unknown(Type type) { return AxisInfo::Unknown(std::max(1, RankOf(type))); }

// A bound of a sum or a product of numbers with these bounds, which are not negative; none when there is none.
int64_t BoundOfSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  bool known = a != AxisInfo::kNoBound && b != AxisInfo::kNoBound && !__builtin_add_overflow(a, b, &sum);
  return known ? sum : AxisInfo::kNoBound;
}
int64_t BoundOfProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  bool known = a != AxisInfo::kNoBound && b != AxisInfo::kNoBound && !__builtin_mul_overflow(a, b, &product);
  return known ? product : AxisInfo::kNoBound;
}

AxisInfo ConstantInfo(Type type, int64_t value) {
  AxisInfo info = Unknown(type);
  for (int d = 0; d < info.rank(); ++d) {
    info.divisibility[d] = PowerOfTwoIn(value);
    info.constancy[d] = Extent(type, d);
  }
  info.constant = value;
  info.non_negative = value >= 0;
  info.upper = value;
  return info;
}

// What divides the first number of every run of length `run`, which may split the known runs.
int64_t DivisibilityOfRuns(const AxisInfo& info, int d, int64_t run) {
  return info.contiguity[d] > run ? std::gcd(info.divisibility[d], run) : info.divisibility[d];
}

// What holds for both.
AxisInfo Join(const AxisInfo& a, const AxisInfo& b) {
  AxisInfo joined = a;
  for (int d = 0; d < joined.rank(); ++d) {
    int64_t run = std::gcd(a.contiguity[d], b.contiguity[d]);
    joined.contiguity[d] = run;
    joined.divisibility[d] = std::gcd(DivisibilityOfRuns(a, d, run), DivisibilityOfRuns(b, d, run));
    joined.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
  }
  if (a.constant != b.constant) joined.constant.reset();
  joined.non_negative = a.non_negative && b.non_negative;
  joined.upper = std::max(a.upper, b.upper);
  return joined;
}

AxisInfo Sum(const AxisInfo& a, const AxisInfo& b, int64_t scale_of_b) {
  AxisInfo out = AxisInfo::Unknown(a.rank());
  for (int d = 0; d < out.rank(); ++d) {
    out.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    int64_t run = std::max(std::gcd(a.constancy[d], b.contiguity[d]), std::gcd(a.contiguity[d], b.constancy[d]));
    out.contiguity[d] = run;
    out.divisibility[d] = std::gcd(DivisibilityOfRuns(a, d, run), DivisibilityOfRuns(b, d, run) * scale_of_b);
  }
  if (a.constant && b.constant) out.constant = *a.constant + *b.constant * scale_of_b;
  out.non_negative = a.non_negative && b.non_negative;
  out.upper = BoundOfSum(a.upper, b.upper);
  return out;
}

AxisInfo Difference(const AxisInfo& a, const AxisInfo& b) {
  AxisInfo out = AxisInfo::Unknown(a.rank());
  for (int d = 0; d < out.rank(); ++d) {
    out.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    int64_t run = std::gcd(a.contiguity[d], b.constancy[d]);
    out.contiguity[d] = run;
    out.divisibility[d] = std::gcd(DivisibilityOfRuns(a, d, run), DivisibilityOfRuns(b, d, run));
  }
  if (b.non_negative) out.upper = a.upper;
  return out;
}

AxisInfo Product(const AxisInfo& a, const AxisInfo& b) {
  AxisInfo out = AxisInfo::Unknown(a.rank());
  for (int d = 0; d < out.rank(); ++d) {
    out.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    if (b.constant == 1) {
      out.contiguity[d] = a.contiguity[d];
      out.divisibility[d] = a.divisibility[d];
    } else {
      out.divisibility[d] = std::min(DivisibilityOfRuns(a, d, 1) * DivisibilityOfRuns(b, d, 1), kMaxPowerOfTwo);
    }
  }
  if (a.constant && b.constant) out.constant = *a.constant * *b.constant;
  out.non_negative = a.non_negative && b.non_negative;
  if (out.non_negative) out.upper = BoundOfProduct(a.upper, b.upper);
  return out;
}

enum class Quotient { kDivision, kRemainder };

// A run of a survives (as a run of remainders) or becomes constant (as quotients) up to the next multiple of the
// divisor. Truncating division breaks runs below zero, so that a must not be negative; divisors that are not constants
// are taken to be positive.
AxisInfo Divide(const AxisInfo& a, const AxisInfo& b, Quotient which, bool is_signed) {
  AxisInfo out = AxisInfo::Unknown(a.rank());
  bool divisor_positive = !b.constant || *b.constant > 0;
  out.non_negative = a.non_negative && divisor_positive;
  if (out.non_negative && a.upper != AxisInfo::kNoBound)
    out.upper = which == Quotient::kDivision && b.constant ? a.upper / *b.constant : a.upper;
  if (out.non_negative && which == Quotient::kRemainder)
    out.upper = std::min(out.upper, std::max<int64_t>(b.upper, 1) - 1);
  for (int d = 0; d < out.rank(); ++d) {
    out.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    if (is_signed && !out.non_negative) continue;
    int64_t run = std::gcd(std::gcd(a.contiguity[d], a.divisibility[d]), std::gcd(b.divisibility[d], b.constancy[d]));
    if (which == Quotient::kDivision) {
      out.constancy[d] = std::max(out.constancy[d], run);
    } else {
      out.contiguity[d] = run;
      out.divisibility[d] = std::gcd(DivisibilityOfRuns(a, d, run), b.divisibility[d]);
    }
  }
  return out;
}

// a < b is the same along a run of a that starts at a multiple of its length, if b is a multiple too and constant.
int64_t OrderedRun(const AxisInfo& smaller, const AxisInfo& larger, int d) {
  return std::gcd(std::gcd(smaller.contiguity[d], smaller.divisibility[d]),
                  std::gcd(larger.divisibility[d], larger.constancy[d]));
}

AxisInfo Compare(arith::CmpIPredicate predicate, const AxisInfo& a, const AxisInfo& b) {
  AxisInfo out = AxisInfo::Unknown(a.rank());
  for (int d = 0; d < out.rank(); ++d) {
    out.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    using P = arith::CmpIPredicate;
    int64_t run = 1;
    if (predicate == P::slt || predicate == P::sge || predicate == P::ult || predicate == P::uge)
      run = OrderedRun(a, b, d);
    if (predicate == P::sgt || predicate == P::sle || predicate == P::ugt || predicate == P::ule)
      run = OrderedRun(b, a, d);
    out.constancy[d] = std::max(out.constancy[d], run);
  }
  return out;
}

AxisInfo OfConstant(arith::ConstantOp op) {
  Type type = op.getType();
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue())) return ConstantInfo(type, integer.getInt());
  AxisInfo info = Unknown(type);
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat) return info;
  if (isa<IntegerType>(splat.getElementType())) return ConstantInfo(type, splat.getSplatValue<APInt>().getSExtValue());
  for (int d = 0; d < info.rank(); ++d) info.constancy[d] = Extent(type, d);
  return info;
}

AxisInfo OfRange(tt::MakeRangeOp op) {
  AxisInfo info = Unknown(op.getType());
  info.contiguity[0] = Extent(op.getType(), 0);
  info.divisibility[0] = PowerOfTwoIn(op.getStart());
  info.non_negative = static_cast<int32_t>(op.getStart()) >= 0;
  info.upper = static_cast<int64_t>(static_cast<int32_t>(op.getEnd())) - 1;
  return info;
}

AxisInfo OfSplat(tt::SplatOp op, const AxisInfo& scalar) {
  AxisInfo info = Unknown(op.getType());
  for (int d = 0; d < info.rank(); ++d) {
    info.divisibility[d] = scalar.divisibility[0];
    info.constancy[d] = Extent(op.getType(), d);
  }
  info.constant = scalar.constant;
  info.non_negative = scalar.non_negative;
  info.upper = scalar.upper;
  return info;
}

AxisInfo OfExpandDims(tt::ExpandDimsOp op, AxisInfo info) {
  int64_t every_element = kMaxPowerOfTwo;  // along the new axis each element is a run of its own
  for (int d = 0; d < info.rank(); ++d) every_element = std::gcd(every_element, DivisibilityOfRuns(info, d, 1));
  info.contiguity.insert(info.contiguity.begin() + op.getAxis(), 1);
  info.divisibility.insert(info.divisibility.begin() + op.getAxis(), every_element);
  info.constancy.insert(info.constancy.begin() + op.getAxis(), 1);
  return info;
}

AxisInfo OfBroadcast(tt::BroadcastOp op, AxisInfo info) {
  for (int d = 0; d < info.rank(); ++d) {
    if (Extent(op.getSrc().getType(), d) == Extent(op.getType(), d)) continue;
    info.contiguity[d] = 1;
    info.constancy[d] = Extent(op.getType(), d);
  }
  return info;
}

AxisInfo OfTrans(tt::TransOp op, const AxisInfo& source) {
  AxisInfo info = source;
  for (auto [to, from] : llvm::enumerate(op.getOrder())) {
    info.contiguity[to] = source.contiguity[from];
    info.divisibility[to] = source.divisibility[from];
    info.constancy[to] = source.constancy[from];
  }
  return info;
}

// Equal operands give equal results: true of everything that works element by element.
AxisInfo OfPointwise(Operation* op, llvm::ArrayRef<AxisInfo> operands) {
  AxisInfo info = Unknown(op->getResult(0).getType());
  for (int d = 0; d < info.rank() && !operands.empty(); ++d) {
    int64_t run = 0;
    for (const AxisInfo& operand : operands) run = std::gcd(run, operand.rank() > d ? operand.constancy[d] : 0);
    info.constancy[d] = std::max<int64_t>(1, run);
  }
  return info;
}

// Bounds of what has no other facts.
AxisInfo WithBounds(AxisInfo info, bool non_negative, int64_t upper) {
  info.non_negative = non_negative;
  info.upper = upper;
  return info;
}

// Of the bits of a, those stay that b has too.
AxisInfo OfAnd(Operation* op, const AxisInfo& a, const AxisInfo& b) {
  int64_t upper =
      std::min(a.non_negative ? a.upper : AxisInfo::kNoBound, b.non_negative ? b.upper : AxisInfo::kNoBound);
  return WithBounds(OfPointwise(op, {a, b}), a.non_negative || b.non_negative, upper);
}

AxisInfo OfShiftRight(Operation* op, const AxisInfo& a, const AxisInfo& b) {
  int64_t upper = a.upper;
  if (upper != AxisInfo::kNoBound && b.constant && *b.constant >= 0 && *b.constant < 63) upper >>= *b.constant;
  return WithBounds(OfPointwise(op, {a, b}), a.non_negative, upper);
}

// Numbers that a narrower type may not hold become any.
AxisInfo OfTruncation(arith::TruncIOp op, const AxisInfo& info) {
  unsigned bits = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
  bool fits = info.non_negative && info.upper < int64_t(1) << std::min(bits - 1, 62u);
  return fits ? info : WithBounds(info, false, AxisInfo::kNoBound);
}

AxisInfo OfUnsignedExtension(arith::ExtUIOp op, const AxisInfo& info) {
  unsigned bits = getElementTypeOrSelf(op.getIn().getType()).getIntOrFloatBitWidth();
  int64_t most = bits < 63 ? (int64_t(1) << bits) - 1 : AxisInfo::kNoBound;
  return WithBounds(info, true, info.non_negative ? std::min(info.upper, most) : most);
}

}  // namespace

int PointeeBytes(Type pointer) {
  Type pointee = cast<tt::PointerType>(getElementTypeOrSelf(pointer)).getPointee();
  return std::max(1u, pointee.isIntOrFloat() ? pointee.getIntOrFloatBitWidth() / 8 : 8u);
}

AxisInfo AxisInfo::Unknown(int rank) {
  AxisInfo info;
  for (auto* list : {&info.contiguity, &info.divisibility, &info.constancy}) list->assign(rank, 1);
  return info;
}

AxisAnalysis::AxisAnalysis(tt::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    AxisInfo info = Unknown(argument.getType());
    if (auto known = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tt.divisibility"))
      info.divisibility[0] = PowerOfTwoIn(known.getInt());
    info_[argument] = info;
  }
  Visit(function.getBody());
}

AxisInfo AxisAnalysis::Of(Value value) const {
  auto found = info_.find(value);
  return found == info_.end() ? Unknown(value.getType()) : found->second;
}

bool AxisAnalysis::Set(Value value, AxisInfo info) {
  auto [entry, fresh] = info_.try_emplace(value, info);
  if (fresh) return true;
  if (entry->second == info) return false;
  entry->second = std::move(info);
  return true;
}

// Weakens what each receiver is known to be by what its sources are known to be. True if a loop must be visited again.
bool AxisAnalysis::Follow(Operation* op) {
  bool changed = false;
  for (const Flow& flow : FlowsOf(op)) {
    for (Value source : flow.sources) {
      auto known = info_.find(source);
      if (known == info_.end()) continue;  // not visited yet
      AxisInfo info = known->second;
      auto before = info_.find(flow.receiver);
      // A bound that grows may grow each time.
      if (before != info_.end() && info.upper > before->second.upper) info.upper = AxisInfo::kNoBound;
      changed |= Set(flow.receiver, before == info_.end() ? info : Join(before->second, info)) && flow.IsCarried();
    }
  }
  return changed;
}

void AxisAnalysis::VisitStructured(Operation* op) {
  do {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      AxisInfo step = Of(loop.getStep());
      step.non_negative = true;
      int64_t end = Of(loop.getUpperBound()).upper;
      step.upper = end == AxisInfo::kNoBound ? end : end - 1;
      Set(loop.getInductionVar(), Join(Of(loop.getLowerBound()), step));
    }
    for (Region& region : op->getRegions()) {
      Follow(op);
      Visit(region);
    }
  } while (Follow(op));
}

void AxisAnalysis::Visit(Region& region) {
  for (Operation& op : region.getOps()) {
    if (IsStructured(&op)) {
      VisitStructured(&op);
      continue;
    }
    for (Region& inner : op.getRegions()) Visit(inner);
    if (op.getNumResults() == 1) Set(op.getResult(0), Transfer(&op));
  }
}

AxisInfo AxisAnalysis::Transfer(Operation* op) const {
  llvm::SmallVector<AxisInfo, 3> in;
  for (Value operand : op->getOperands()) in.push_back(Of(operand));
  using Info = AxisInfo;
  return TypeSwitch<Operation*, AxisInfo>(op)
      .Case([&](arith::ConstantOp c) { return OfConstant(c); })
      .Case([&](tt::MakeRangeOp range) { return OfRange(range); })
      .Case([&](tt::SplatOp splat) { return OfSplat(splat, in[0]); })
      .Case([&](tt::ExpandDimsOp expand) { return OfExpandDims(expand, in[0]); })
      .Case([&](tt::BroadcastOp broadcast) { return OfBroadcast(broadcast, in[0]); })
      .Case([&](tt::TransOp trans) { return OfTrans(trans, in[0]); })
      .Case<tt::ProgramIdOp, tt::NumProgramsOp>([&](auto id) {
        Info info = Unknown(id.getType());
        info.non_negative = true;
        return info;
      })
      .Case([&](tt::AddPtrOp add) { return Sum(in[0], in[1], PointeeBytes(add.getType())); })
      .Case([&](tt::BitcastOp cast) {
        bool pointers = isa<tt::PointerType>(getElementTypeOrSelf(cast.getSrc().getType())) &&
                        isa<tt::PointerType>(getElementTypeOrSelf(cast.getType()));
        bool same_size = pointers && PointeeBytes(cast.getSrc().getType()) == PointeeBytes(cast.getType());
        return same_size ? in[0] : OfPointwise(op, in);
      })
      .Case([&](arith::AddIOp) { return Sum(in[0], in[1], 1); })
      .Case([&](arith::SubIOp) { return Difference(in[0], in[1]); })
      .Case([&](arith::MulIOp) { return Product(in[0], in[1]); })
      .Case([&](arith::DivSIOp) { return Divide(in[0], in[1], Quotient::kDivision, true); })
      .Case([&](arith::DivUIOp) { return Divide(in[0], in[1], Quotient::kDivision, false); })
      .Case([&](arith::RemSIOp) { return Divide(in[0], in[1], Quotient::kRemainder, true); })
      .Case([&](arith::RemUIOp) { return Divide(in[0], in[1], Quotient::kRemainder, false); })
      .Case([&](arith::CmpIOp compare) { return Compare(compare.getPredicate(), in[0], in[1]); })
      .Case([&](arith::AndIOp) { return OfAnd(op, in[0], in[1]); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return OfShiftRight(op, in[0], in[1]); })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) {
        return WithBounds(OfPointwise(op, in), in[0].non_negative && in[1].non_negative,
                          std::min(in[0].upper, in[1].upper));
      })
      .Case([&](arith::MaxSIOp) {
        return WithBounds(OfPointwise(op, in), in[0].non_negative || in[1].non_negative,
                          std::max(in[0].upper, in[1].upper));
      })
      .Case([&](arith::SelectOp) {
        return WithBounds(OfPointwise(op, in), in[1].non_negative && in[2].non_negative,
                          std::max(in[1].upper, in[2].upper));
      })
      .Case([&](arith::ExtSIOp) { return in[0]; })
      .Case([&](arith::ExtUIOp extension) { return OfUnsignedExtension(extension, in[0]); })
      .Case([&](arith::TruncIOp truncation) { return OfTruncation(truncation, in[0]); })
      .Default([&](Operation* other) {
        bool pointwise = other->hasTrait<OpTrait::Elementwise>() || isa<arith::SelectOp>(other);
        return pointwise ? OfPointwise(other, in) : Unknown(other->getResult(0).getType());
      });
}

int AxisAnalysis::VectorWidth(Value pointer, Value mask, int dim) const {
  if (!RankOf(pointer.getType())) return 1;
  int64_t width = std::min<int64_t>(Of(pointer).contiguity[dim], std::max(1, 16 / PointeeBytes(pointer.getType())));
  if (mask) width = std::min<int64_t>(width, Of(mask).constancy[dim]);
  return static_cast<int>(PowerOfTwoIn(width));
}

}  // namespace rocxla::triton
