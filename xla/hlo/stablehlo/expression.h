// Arithmetic on instructions that reads like arithmetic: Expression x; (x * x + 1.0) / Sqrt(x).
#pragma once
#include <limits>
#include <span>

#include "xla/hlo/transforms/expanders/graph_writer.h"

namespace xla::stablehlo {

// An array in a computation that is being written. Numbers beside it become splats of its shape and type.
struct Expression {
  GraphWriter* write;
  HloInstruction* value;

  PrimitiveType type() const { return value->shape().element_type(); }
  Expression Number(double number) const {
    return {write, write->Splat(write->Scalar(type(), number), value->shape().dimensions())};
  }
  Expression Unary(HloOpcode opcode) const { return {write, write->Unary(opcode, value)}; }
  Expression Binary(HloOpcode opcode, Expression y) const { return {write, write->Binary(opcode, value, y.value)}; }
  Expression Compare(ComparisonDirection direction, Expression y) const {
    return {write, write->Compare(direction, value, y.value)};
  }
  Expression To(PrimitiveType other) const { return {write, write->Convert(value, other)}; }
  Expression BitsTo(PrimitiveType other) const {
    const Shape shape = Shape::Array(other, value->shape().dimensions());
    return {write, write->Add(HloInstruction::CreateBitcastConvert(shape, value))};
  }
};

#define ROCXLA_BINARY(symbol, opcode)                                                                            \
  inline Expression operator symbol(Expression x, Expression y) { return x.Binary(HloOpcode::opcode, y); }       \
  inline Expression operator symbol(Expression x, double y) { return x.Binary(HloOpcode::opcode, x.Number(y)); } \
  inline Expression operator symbol(double x, Expression y) { return y.Number(x).Binary(HloOpcode::opcode, y); }
ROCXLA_BINARY(+, kAdd)
ROCXLA_BINARY(-, kSubtract)
ROCXLA_BINARY(*, kMultiply)
ROCXLA_BINARY(/, kDivide)
ROCXLA_BINARY(&, kAnd)
ROCXLA_BINARY(|, kOr)
#undef ROCXLA_BINARY
#define ROCXLA_COMPARE(symbol, direction)                         \
  inline Expression operator symbol(Expression x, Expression y) { \
    return x.Compare(ComparisonDirection::direction, y);          \
  }                                                               \
  inline Expression operator symbol(Expression x, double y) { return x symbol x.Number(y); }
ROCXLA_COMPARE(<, kLt)
ROCXLA_COMPARE(<=, kLe)
ROCXLA_COMPARE(>, kGt)
ROCXLA_COMPARE(>=, kGe)
ROCXLA_COMPARE(==, kEq)
ROCXLA_COMPARE(!=, kNe)
#undef ROCXLA_COMPARE

inline Expression operator-(Expression x) { return x.Unary(HloOpcode::kNegate); }
inline Expression Abs(Expression x) { return x.Unary(HloOpcode::kAbs); }
inline Expression Exp(Expression x) { return x.Unary(HloOpcode::kExp); }
inline Expression Floor(Expression x) { return x.Unary(HloOpcode::kFloor); }
inline Expression Log(Expression x) { return x.Unary(HloOpcode::kLog); }
inline Expression Log1p(Expression x) { return x.Unary(HloOpcode::kLog1p); }
inline Expression Sign(Expression x) { return x.Unary(HloOpcode::kSign); }
inline Expression Sin(Expression x) { return x.Unary(HloOpcode::kSin); }
inline Expression Cos(Expression x) { return x.Unary(HloOpcode::kCos); }
inline Expression Sqrt(Expression x) { return x.Unary(HloOpcode::kSqrt); }
inline Expression Pow(Expression x, Expression y) { return x.Binary(HloOpcode::kPower, y); }
inline Expression Min(Expression x, Expression y) { return x.Binary(HloOpcode::kMinimum, y); }
inline Expression Max(Expression x, Expression y) { return x.Binary(HloOpcode::kMaximum, y); }
inline Expression Select(Expression predicate, Expression on_true, Expression on_false) {
  return {predicate.write, predicate.write->Select(predicate.value, on_true.value, on_false.value)};
}
// By Horner's rule, the highest power's coefficient first.
inline Expression Polynomial(Expression x, std::span<const double> coefficients) {
  Expression sum = x.Number(coefficients[0]);
  for (const double coefficient : coefficients.subspan(1)) sum = sum * x + coefficient;
  return sum;
}

}  // namespace xla::stablehlo
