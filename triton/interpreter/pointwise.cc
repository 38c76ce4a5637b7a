// Pointwise operations: pointwise.def element by element, and those few that do not fit its rows.
#include <cmath>

#include "llvm/ADT/APSInt.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/interpreter/machine.h"

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;
namespace rocxla::triton {
namespace {

bool HasSignedQuotient(const APInt& x, const APInt& y) {
  return !y.isZero() && !(x.isMinSignedValue() && y.isAllOnes() && x.getBitWidth() > 1);
}

// Whether the greater and the smaller number are fixed: which of two zeros it is, is not, nor what becomes of a
// signalling NaN.
bool IsOneOf(const APFloat& x, const APFloat& y) {
  return !x.isSignaling() && !y.isSignaling() && !(x.isZero() && y.isZero() && x.isNegative() != y.isNegative());
}

APFloat FloatOfInteger(const APInt& x, bool is_signed, Type to) {
  APFloat result(cast<FloatType>(to).getFloatSemantics());
  result.convertFromAPInt(x, is_signed, APFloat::rmNearestTiesToEven);
  return result;
}

// Towards zero; nothing when it does not fit.
std::optional<APInt> IntegerOfFloat(const APFloat& x, bool is_signed, Type to) {
  llvm::APSInt result(BitsOf(to), !is_signed);
  bool exact;
  if (x.convertToInteger(result, APFloat::rmTowardZero, &exact) == APFloat::opInvalidOp) return std::nullopt;
  return result;
}

bool Is8Bits(Type type) { return type.getIntOrFloatBitWidth() == 8; }

APFloat Converted(APFloat x, Type to, APFloat::roundingMode rounding) {
  const llvm::fltSemantics& semantics = cast<FloatType>(to).getFloatSemantics();
  const bool negative = x.isNegative(), number = !x.isNaN();
  bool loses_info;
  x.convert(semantics, rounding, &loses_info);
  if (Is8Bits(to) && number && !x.isFinite()) return APFloat::getLargest(semantics, negative);
  return x;
}

APFloat Remainder(APFloat x, const APFloat& y) {
  x.mod(y);
  return x;
}
APFloat Integral(APFloat x, APFloat::roundingMode rounding) {
  x.roundToIntegral(rounding);
  return x;
}
// No GPU has it for bf16, which LLVM computes in f32 and rounds again.
APFloat Fused(APFloat x, APFloat y, APFloat z) {
  const llvm::fltSemantics& semantics = x.getSemantics();
  bool loses_info;
  if (&semantics == &APFloat::BFloat())
    for (APFloat* number : {&x, &y, &z})
      number->convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses_info);
  x.fusedMultiplyAdd(y, z, APFloat::rmNearestTiesToEven);
  x.convert(semantics, APFloat::rmNearestTiesToEven, &loses_info);
  return x;
}
// Types of less than 53 bits: their root in double, rounded once more, is the root rounded once.
APFloat SquareRoot(APFloat x) {
  const llvm::fltSemantics& semantics = x.getSemantics();
  bool loses_info;
  x.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses_info);
  APFloat root(std::sqrt(x.convertToDouble()));
  root.convert(semantics, APFloat::rmNearestTiesToEven, &loses_info);
  return root;
}

bool IsClampDefined(tt::ClampFOp op, const APFloat& x, const APFloat& low, const APFloat& high) {
  // Without propagation a NaN gives a bound, it is not said which.
  if (x.isNaN()) return op.getPropagateNan() == tt::PropagateNan::All;
  return IsOneOf(x, low) && IsOneOf(x, high) && !low.isNaN() && !high.isNaN() && low <= high;
}
APFloat Clamped(const APFloat& x, const APFloat& low, const APFloat& high) {
  if (x.isNaN()) return x;
  return x < low ? low : x > high ? high : x;
}

Element ElementOfResult(const APInt& number) { return ElementOf(number); }
Element ElementOfResult(const APFloat& number) { return ElementOf(number); }
Element ElementOfResult(bool truth) { return {truth}; }

// An operand of any type as the table wants it.
template <class T>
T Operand(const Element& element, Type type);
template <>
APInt Operand<APInt>(const Element& element, Type type) {
  return IntegerOf(element, type);
}
template <>
APFloat Operand<APFloat>(const Element& element, Type type) {
  return FloatOf(element, type);
}

// `each`: (operands as elements) -> Element, at every place. Undefined operands give undefined results.
template <class F>
Status AtEveryPlace(Machine& m, Operation* op, F each) {
  Data result;
  SmallVector<Element, 4> x(op->getNumOperands());
  for (size_t i = 0, n = ElementsOf(op->getResult(0)); i < n; ++i) {
    bool undefined = false;
    for (auto [k, operand] : llvm::enumerate(op->getOperands())) {
      x[k] = m.Get(operand)[i];
      undefined |= x[k].undefined;
    }
    result.push_back(undefined ? Element{0, true} : each(x));
  }
  m.Set(op->getResult(0), std::move(result));
  return OkStatus();
}

// `compute`: (Op, x, y, z as T, element type of the result) -> Element.
template <class Op, class T, class F>
Status InNumbers(Machine& m, Operation* operation, F compute) {
  auto op = cast<Op>(operation);
  SmallVector<Type, 4> types;
  for (Value operand : operation->getOperands()) types.push_back(ElementTypeOf(operand));
  const Type to = ElementTypeOf(operation->getResult(0));
  const size_t last = types.size() - 1, second = std::min<size_t>(1, last), third = std::min<size_t>(2, last);
  return AtEveryPlace(m, operation, [&](ArrayRef<Element> x) {
    return compute(op, Operand<T>(x[0], types[0]), Operand<T>(x[second], types[second]),
                   Operand<T>(x[third], types[third]), to);
  });
}

using MathFunction = long double (*)(long double, long double);

Status InLongDouble(Machine& m, Operation* op, MathFunction function) {
  const Type to = ElementTypeOf(op->getResult(0));
  SmallVector<Type, 2> types;
  for (Value operand : op->getOperands()) types.push_back(ElementTypeOf(operand));
  return AtEveryPlace(m, op, [&](ArrayRef<Element> elements) {
    long double x[2] = {};
    for (size_t k = 0; k < elements.size(); ++k) {
      APFloat number = FloatOf(elements[k], types[k]);
      bool loses_info;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses_info);
      x[k] = number.convertToDouble();
    }
    return Rounded(static_cast<double>(function(x[0], x[1])), to);
  });
}

// The function that a device library symbol names: __ocml_<name>_f16, _f32 or _f64.
MathFunction LibraryFunction(StringRef symbol) {
  if (!symbol.consume_front("__ocml_")) return nullptr;
  if (!symbol.consume_back("_f64") && !symbol.consume_back("_f32") && !symbol.consume_back("_f16")) return nullptr;
#define INTEGER(...)
#define FLOATING(...)
#define MATH(OP, NAME, RESULT) \
  if (symbol == #NAME) return [](long double x, [[maybe_unused]] long double y) -> long double { return RESULT; };
#include "triton/interpreter/pointwise.def"
#undef INTEGER
#undef FLOATING
#undef MATH
  return nullptr;
}

Status RunExtern(Machine& m, Operation* operation) {
  auto op = cast<tt::ExternElementwiseOp>(operation);
  auto is_float = [](Value value) { return isa<FloatType>(ElementTypeOf(value)); };
  MathFunction function = LibraryFunction(op.getSymbol());
  if (function && llvm::all_of(op.getSrcs(), is_float) && op.getSrcs().size() <= 2 && !op.getSrcs().empty())
    return InLongDouble(m, operation, function);
  return NoMeaning(operation, "the interpreter does not know the function " + op.getSymbol().str());
}

// Bits as they are. What the bits of a NaN are is not fixed.
Status RunBitcast(Machine& m, Operation* op) {
  const Type from = ElementTypeOf(op->getOperand(0)), to = ElementTypeOf(op->getResult(0));
  return AtEveryPlace(m, op, [&](ArrayRef<Element> x) {
    const bool nan = isa<FloatType>(from) && from != to && FloatOf(x[0], from).isNaN();
    return Element{x[0].bits, nan};
  });
}

// A scalar condition chooses a whole value of any kind. What is not chosen may be undefined.
Status RunSelect(Machine& m, Operation* operation) {
  auto op = cast<arith::SelectOp>(operation);
  const Data &condition = m.Get(op.getCondition()), &yes = m.Get(op.getTrueValue()), &no = m.Get(op.getFalseValue());
  const bool one = !isa<RankedTensorType>(op.getCondition().getType());
  Data result;
  for (size_t i = 0; i < yes.size(); ++i) {
    const Element& choice = condition[one ? 0 : i];
    result.push_back(choice.undefined ? Element{0, true} : choice.bits ? yes[i] : no[i]);
  }
  m.Set(op.getResult(), std::move(result));
  return OkStatus();
}

Status RunAddPointer(Machine& m, Operation* operation) {
  auto op = cast<tt::AddPtrOp>(operation);
  const Type offset = ElementTypeOf(op.getOffset());
  const int bytes = BytesOf(cast<tt::PointerType>(ElementTypeOf(op.getPtr())).getPointee());
  return AtEveryPlace(m, operation, [&](ArrayRef<Element> x) {
    return Element{x[0].bits + static_cast<uint64_t>(SignedOf(x[1], offset)) * static_cast<uint64_t>(bytes)};
  });
}

// x^n for an integer n.
Status RunIntegerPower(Machine& m, Operation* op) {
  const Type type = ElementTypeOf(op->getOperand(0)), power = ElementTypeOf(op->getOperand(1));
  return AtEveryPlace(m, op, [&](ArrayRef<Element> x) {
    APFloat base = FloatOf(x[0], type);
    bool loses_info;
    base.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses_info);
    const auto exponent = static_cast<long double>(SignedOf(x[1], power));
    return Rounded(static_cast<double>(std::pow(static_cast<long double>(base.convertToDouble()), exponent)), type);
  });
}

// Both halves of the product.
template <bool is_signed>
Status RunWideProduct(Machine& m, Operation* op) {
  const Type type = ElementTypeOf(op->getOperand(0));
  const unsigned bits = BitsOf(type);
  const Data x = m.Get(op->getOperand(0)), y = m.Get(op->getOperand(1));
  Data low, high;
  for (size_t i = 0; i < x.size(); ++i) {
    const APInt a = IntegerOf(x[i], type), b = IntegerOf(y[i], type);
    const APInt product = is_signed ? a.sext(2 * bits) * b.sext(2 * bits) : a.zext(2 * bits) * b.zext(2 * bits);
    const bool undefined = x[i].undefined || y[i].undefined;
    low.push_back({product.trunc(bits).getZExtValue(), undefined});
    high.push_back({product.lshr(bits).trunc(bits).getZExtValue(), undefined});
  }
  m.SetAll(op->getResults(), {std::move(low), std::move(high)});
  return OkStatus();
}

// The sum, and whether it wrapped.
Status RunSumWithCarry(Machine& m, Operation* op) {
  const Type type = ElementTypeOf(op->getOperand(0));
  const Data x = m.Get(op->getOperand(0)), y = m.Get(op->getOperand(1));
  Data sum, carry;
  for (size_t i = 0; i < x.size(); ++i) {
    bool overflow;
    const APInt total = IntegerOf(x[i], type).uadd_ov(IntegerOf(y[i], type), overflow);
    const bool undefined = x[i].undefined || y[i].undefined;
    sum.push_back({total.getZExtValue(), undefined});
    carry.push_back({overflow, undefined});
  }
  m.SetAll(op->getResults(), {std::move(sum), std::move(carry)});
  return OkStatus();
}

}  // namespace

#define NUMBERS(OP, T, DEFINED, RESULT)                                                         \
  meanings.Add<OP>([](Machine& m, Operation* operation) {                                       \
    return InNumbers<OP, T>(m, operation,                                                       \
                            []([[maybe_unused]] OP op, const T& x, [[maybe_unused]] const T& y, \
                               [[maybe_unused]] const T& z, [[maybe_unused]] Type to) {         \
                              if (!(DEFINED)) return Element{0, true};                          \
                              return ElementOfResult(RESULT);                                   \
                            });                                                                 \
  });
#define INTEGER(OP, DEFINED, RESULT) NUMBERS(OP, APInt, DEFINED, RESULT)
#define FLOATING(OP, DEFINED, RESULT) NUMBERS(OP, APFloat, DEFINED, RESULT)
#define MATH(OP, NAME, RESULT)                                                                                       \
  meanings.Add<OP>([](Machine& m, Operation* op) {                                                                   \
    return InLongDouble(m, op, [](long double x, [[maybe_unused]] long double y) -> long double { return RESULT; }); \
  });

void AddPointwise(Meanings& meanings) {
#include "triton/interpreter/pointwise.def"
  meanings.Add<arith::BitcastOp>(RunBitcast);
  meanings.Add<tt::BitcastOp>(RunBitcast);
  meanings.Add<arith::SelectOp>(RunSelect);
  meanings.Add<tt::AddPtrOp>(RunAddPointer);
  meanings.Add<tt::ExternElementwiseOp>(RunExtern);
  meanings.Add<math::FPowIOp>(RunIntegerPower);
  meanings.Add<arith::MulSIExtendedOp>(RunWideProduct<true>);
  meanings.Add<arith::MulUIExtendedOp>(RunWideProduct<false>);
  meanings.Add<arith::AddUIExtendedOp>(RunSumWithCarry);
}
#undef NUMBERS
#undef INTEGER
#undef FLOATING
#undef MATH

}  // namespace rocxla::triton
