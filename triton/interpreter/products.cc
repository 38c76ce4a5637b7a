// tt.dot and tt.dot_scaled: sums of products in double, rounded once.
#include "base/numerics/float_convert.h"
#include "triton/interpreter/machine.h"

using namespace mlir;
using llvm::APInt;
namespace rocxla::triton {
namespace {

// A factor or a sum as numbers, row-major.
struct Numbers {
  std::vector<double> values;
  std::vector<bool> undefined;
};

double DoubleOf(const Element& element, Type type) {
  llvm::APFloat number = FloatOf(element, type);
  bool loses_info;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses_info);
  return number.convertToDouble();
}

Numbers NumbersOf(const Data& data, Type type) {
  Numbers numbers;
  for (const Element& element : data) {
    numbers.values.push_back(DoubleOf(element, type));
    numbers.undefined.push_back(element.undefined);
  }
  return numbers;
}

struct ProductShape {
  int64_t batches, m, n, k;
};
ProductShape ShapeOf(Value c, int64_t k) {
  const Shape shape = ExtentsOf(c);
  const size_t rank = shape.size();
  return {rank == 3 ? shape[0] : 1, shape[rank - 2], shape[rank - 1], k};
}

// Calls visit(place in c, batch, row, column).
template <class F>
void ForEachResult(const ProductShape& s, F visit) {
  for (int64_t place = 0; place < s.batches * s.m * s.n; ++place)
    visit(place, place / (s.m * s.n), place / s.n % s.m, place % s.n);
}

Data FloatProduct(const ProductShape& s, const Numbers& a, const Numbers& b, const Numbers& c, Type type) {
  Data out(c.values.size());
  ForEachResult(s, [&](int64_t place, int64_t batch, int64_t row, int64_t column) {
    double sum = c.values[place];
    bool undefined = c.undefined[place];
    for (int64_t k = 0; k < s.k; ++k) {
      const int64_t left = (batch * s.m + row) * s.k + k, right = (batch * s.k + k) * s.n + column;
      sum += a.values[left] * b.values[right];
      undefined |= a.undefined[left] || b.undefined[right];
    }
    out[place] = undefined ? Element{0, true} : Rounded(sum, type);
  });
  return out;
}

Data IntegerProduct(Machine& m, tt::DotOp op, const ProductShape& s) {
  const Data &a = m.Get(op.getA()), &b = m.Get(op.getB());
  const Type a_type = ElementTypeOf(op.getA()), b_type = ElementTypeOf(op.getB());
  Data out = m.Get(op.getC());
  ForEachResult(s, [&](int64_t place, int64_t batch, int64_t row, int64_t column) {
    uint64_t sum = out[place].bits;
    bool undefined = out[place].undefined;
    for (int64_t k = 0; k < s.k; ++k) {
      const Element &x = a[(batch * s.m + row) * s.k + k], &y = b[(batch * s.k + k) * s.n + column];
      sum += static_cast<uint64_t>(SignedOf(x, a_type)) * static_cast<uint64_t>(SignedOf(y, b_type));
      undefined |= x.undefined || y.undefined;
    }
    out[place] = {APInt(BitsOf(ElementTypeOf(op.getC())), sum, false, true).getZExtValue(), undefined};
  });
  return out;
}

Status RunDot(Machine& m, Operation* operation) {
  auto op = cast<tt::DotOp>(operation);
  const ProductShape shape = ShapeOf(op.getC(), ExtentsOf(op.getA()).back());
  const Type type = ElementTypeOf(op.getC());
  const bool integers = isa<IntegerType>(type);
  if (integers != isa<IntegerType>(ElementTypeOf(op.getA())) || integers != isa<IntegerType>(ElementTypeOf(op.getB())))
    return NoMeaning(operation, "integers and floats are mixed");
  Data product = integers ? IntegerProduct(m, op, shape)
                          : FloatProduct(shape, NumbersOf(m.Get(op.getA()), ElementTypeOf(op.getA())),
                                         NumbersOf(m.Get(op.getB()), ElementTypeOf(op.getB())),
                                         NumbersOf(m.Get(op.getC()), type), type);
  m.Set(op.getResult(), std::move(product));
  return OkStatus();
}

//===-- Scaled products
//-----------------------------------------------------------------------------------------------===//

// One factor of tt.dot_scaled. `lines` are the rows of the left, the columns of the right one.
struct ScaledFactor {
  Value numbers, scale;
  tt::ScaledType type;
  bool k_pack;
  bool lines_first;  // [.., lines, k], else [.., k, lines]
};

std::optional<FloatType> FormatOfScaled(tt::ScaledType type) {
  switch (type) {
    case tt::ScaledType::E4M3:
      return FloatType::kF8E4M3FN;
    case tt::ScaledType::E5M2:
      return FloatType::kF8E5M2;
    case tt::ScaledType::E2M1:
      return FloatType::kF4E2M1FN;
    case tt::ScaledType::BF16:
      return FloatType::kBF16;
    case tt::ScaledType::FP16:
      return FloatType::kF16;
    case tt::ScaledType::E2M3:
    case tt::ScaledType::E3M2:
      return std::nullopt;  // how these lie in memory is not said
  }
  return std::nullopt;
}

// Numbers times scales, unpacked, as the factor of an ordinary product lies. The scale of a line is for as many
// numbers along K as K has more than the scales.
StatusOr<Numbers> ScaledNumbers(Machine& m, Operation* op, const ScaledFactor& factor, const ProductShape& s) {
  auto format = FormatOfScaled(factor.type);
  if (!format) return NoMeaning(op, "numbers of six bits");
  const bool packed = factor.type == tt::ScaledType::E2M1;
  const int64_t lines = factor.lines_first ? s.m : s.n;
  const Data& codes = m.Get(factor.numbers);
  Numbers out;
  for (int64_t place = 0; place < s.batches * lines * s.k; ++place) {
    const int64_t batch = place / (lines * s.k), rest = place % (lines * s.k);
    const int64_t line = factor.lines_first ? rest / s.k : rest % lines,
                  k = factor.lines_first ? rest % s.k : rest / lines;
    // Two neighbours along K, or else along the lines, share a byte, the first in its low half.
    const int64_t stored_k = packed && factor.k_pack ? k / 2 : k,
                  stored_line = packed && !factor.k_pack ? line / 2 : line;
    const int64_t all_k = packed && factor.k_pack ? s.k / 2 : s.k,
                  all_lines = packed && !factor.k_pack ? lines / 2 : lines;
    const Element& code = codes[factor.lines_first ? (batch * all_lines + stored_line) * all_k + stored_k
                                                   : (batch * all_k + stored_k) * all_lines + stored_line];
    const bool high = packed && (factor.k_pack ? k : line) % 2 != 0;
    double number = DecodeToDouble(*format, packed ? code.bits >> (high ? 4 : 0) & 15 : code.bits);
    bool undefined = code.undefined;
    if (factor.scale) {
      const int64_t scales = ExtentsOf(factor.scale).back();
      const Element& scale = m.Get(factor.scale)[(batch * lines + line) * scales + k / (s.k / scales)];
      const bool exponent = isa<IntegerType>(ElementTypeOf(factor.scale));
      number *= DecodeToDouble(exponent ? FloatType::kF8E8M0FNU : FloatType::kF8E4M3FN, scale.bits);
      undefined |= scale.undefined;
    }
    out.values.push_back(number);
    out.undefined.push_back(undefined);
  }
  return out;
}

Status RunScaledDot(Machine& m, Operation* operation) {
  auto op = cast<tt::DotScaledOp>(operation);
  const bool packed = op.getAElemType() == tt::ScaledType::E2M1 && op.getLhsKPack();
  const ProductShape shape = ShapeOf(op.getC(), ExtentsOf(op.getA()).back() * (packed ? 2 : 1));
  ASSIGN_OR_RETURN(
      const Numbers a,
      ScaledNumbers(m, operation, {op.getA(), op.getAScale(), op.getAElemType(), op.getLhsKPack(), true}, shape));
  ASSIGN_OR_RETURN(
      const Numbers b,
      ScaledNumbers(m, operation, {op.getB(), op.getBScale(), op.getBElemType(), op.getRhsKPack(), false}, shape));
  const Type type = ElementTypeOf(op.getC());
  m.Set(op.getResult(), FloatProduct(shape, a, b, NumbersOf(m.Get(op.getC()), type), type));
  return OkStatus();
}

}  // namespace

void AddProducts(Meanings& meanings) {
  meanings.Add<tt::DotOp>(RunDot);
  meanings.Add<tt::DotScaledOp>(RunScaledDot);
}

}  // namespace rocxla::triton
