// Complex arithmetic as arithmetic on real and imaginary parts. Afterwards complex arrays are only passed around and
// taken apart: whatever computes one ends in complex(real part, imaginary part), and reads real(x) and imag(x).
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

struct Parts {
  HloInstruction* real = nullptr;
  HloInstruction* imag = nullptr;
};

bool IsComplexArray(const Shape& shape) { return shape.IsArray() && IsComplex(shape.element_type()); }

PrimitiveType PartType(PrimitiveType type) { return type == C128 ? F64 : F32; }

// Formulas on parts. Sources: the definitions; division and absolute value scale by the larger part, so that they do
// not overflow where the result does not.
class ComplexMath {
 public:
  explicit ComplexMath(HloComputation& computation) : w_(computation) {}
  GraphWriter& writer() { return w_; }

  HloInstruction* Add(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kAdd, x, y); }
  HloInstruction* Sub(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kSubtract, x, y); }
  HloInstruction* Mul(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kMultiply, x, y); }
  HloInstruction* Div(HloInstruction* x, HloInstruction* y) { return w_.Binary(HloOpcode::kDivide, x, y); }
  HloInstruction* Number(double value, HloInstruction* like) {
    return w_.Splat(w_.Scalar(like->shape().element_type(), value), like->shape().dimensions());
  }
  HloInstruction* IsEq(HloInstruction* x, HloInstruction* y) { return w_.Compare(ComparisonDirection::kEq, x, y); }

  Parts Multiply(Parts x, Parts y) {
    return {Sub(Mul(x.real, y.real), Mul(x.imag, y.imag)), Add(Mul(x.real, y.imag), Mul(x.imag, y.real))};
  }

  // Smith's method: with r = smaller / larger part of y, x / y has the denominator larger + smaller r.
  Parts Divide(Parts x, Parts y) {
    HloInstruction* real_is_larger =
        w_.Compare(ComparisonDirection::kGe, w_.Unary(HloOpcode::kAbs, y.real), w_.Unary(HloOpcode::kAbs, y.imag));
    HloInstruction* larger = w_.Select(real_is_larger, y.real, y.imag);
    HloInstruction* smaller = w_.Select(real_is_larger, y.imag, y.real);
    HloInstruction* ratio = Div(smaller, larger);
    HloInstruction* denominator = Add(larger, Mul(smaller, ratio));
    HloInstruction* real = w_.Select(real_is_larger, Add(x.real, Mul(x.imag, ratio)), Add(Mul(x.real, ratio), x.imag));
    HloInstruction* imag = w_.Select(real_is_larger, Sub(x.imag, Mul(x.real, ratio)), Sub(Mul(x.imag, ratio), x.real));
    return {Div(real, denominator), Div(imag, denominator)};
  }

  // larger * sqrt(1 + (smaller / larger)^2); equal parts (0 and infinity among them) need no quotient.
  HloInstruction* Abs(Parts x) {
    HloInstruction* a = w_.Unary(HloOpcode::kAbs, x.real);
    HloInstruction* b = w_.Unary(HloOpcode::kAbs, x.imag);
    HloInstruction* larger = w_.Binary(HloOpcode::kMaximum, a, b);
    HloInstruction* smaller = w_.Binary(HloOpcode::kMinimum, a, b);
    HloInstruction* ratio = w_.Select(IsEq(larger, smaller), Number(1, a), Div(smaller, larger));
    HloInstruction* scale = w_.Unary(HloOpcode::kSqrt, Add(Number(1, a), Mul(ratio, ratio)));
    return w_.Select(IsEq(larger, Number(0, a)), larger, Mul(larger, scale));
  }

  Parts Exp(Parts x) {
    HloInstruction* length = w_.Unary(HloOpcode::kExp, x.real);
    // exp(inf) * 0 must stay 0 for real arguments.
    HloInstruction* imag = Mul(length, w_.Unary(HloOpcode::kSin, x.imag));
    HloInstruction* is_real = IsEq(x.imag, Number(0, x.imag));
    return {Mul(length, w_.Unary(HloOpcode::kCos, x.imag)), w_.Select(is_real, x.imag, imag)};
  }

  Parts Log(Parts x) { return {w_.Unary(HloOpcode::kLog, Abs(x)), w_.Binary(HloOpcode::kAtan2, x.imag, x.real)}; }

  // With t = sqrt((|x| + |re x|) / 2): t + i im / 2t on the right half plane, |im| / 2t + i (sign of im) t on the left.
  Parts Sqrt(Parts x) {
    HloInstruction* zero = Number(0, x.real);
    HloInstruction* half = Number(0.5, x.real);
    HloInstruction* sum = Add(Abs(x), w_.Unary(HloOpcode::kAbs, x.real));
    HloInstruction* t = w_.Unary(HloOpcode::kSqrt, Mul(sum, half));
    HloInstruction* other = w_.Select(IsEq(t, zero), x.imag, Div(Mul(x.imag, half), t));
    HloInstruction* is_right = w_.Compare(ComparisonDirection::kGe, x.real, zero);
    HloInstruction* is_below = w_.Compare(ComparisonDirection::kLt, x.imag, zero);
    HloInstruction* signed_t = w_.Select(is_below, w_.Unary(HloOpcode::kNegate, t), t);
    return {w_.Select(is_right, t, w_.Unary(HloOpcode::kAbs, other)), w_.Select(is_right, other, signed_t)};
  }

  // tanh(a + ib) = (tanh a (1 + tan^2 b) + i tan b / cosh^2 a) / (1 + tanh^2 a tan^2 b), free of overflow in a.
  Parts Tanh(Parts x) {
    HloInstruction* one = Number(1, x.real);
    HloInstruction* t = w_.Unary(HloOpcode::kTanh, x.real);
    HloInstruction* u = Div(w_.Unary(HloOpcode::kSin, x.imag), w_.Unary(HloOpcode::kCos, x.imag));
    HloInstruction* t2 = Mul(t, t);
    HloInstruction* u2 = Mul(u, u);
    HloInstruction* denominator = Add(one, Mul(t2, u2));
    return {Div(Mul(t, Add(one, u2)), denominator), Div(Mul(u, Sub(one, t2)), denominator)};
  }

  // sin(a + ib) = sin a cosh b + i cos a sinh b; cos = cos a cosh b - i sin a sinh b.
  Parts Sin(Parts x) {
    return {Mul(w_.Unary(HloOpcode::kSin, x.real), w_.Unary(HloOpcode::kCosh, x.imag)),
            Mul(w_.Unary(HloOpcode::kCos, x.real), w_.Unary(HloOpcode::kSinh, x.imag))};
  }
  Parts Cos(Parts x) {
    HloInstruction* imag = Mul(w_.Unary(HloOpcode::kSin, x.real), w_.Unary(HloOpcode::kSinh, x.imag));
    return {Mul(w_.Unary(HloOpcode::kCos, x.real), w_.Unary(HloOpcode::kCosh, x.imag)),
            w_.Unary(HloOpcode::kNegate, imag)};
  }

  // exp(y log x); 0^0 = 1, 0^y = 0.
  Parts Power(Parts x, Parts y) {
    const Parts general = Exp(Multiply(y, Log(x)));
    HloInstruction* zero = Number(0, x.real);
    HloInstruction* base_is_zero = w_.Binary(HloOpcode::kAnd, IsEq(x.real, zero), IsEq(x.imag, zero));
    HloInstruction* exponent_is_zero = w_.Binary(HloOpcode::kAnd, IsEq(y.real, zero), IsEq(y.imag, zero));
    HloInstruction* real = w_.Select(exponent_is_zero, Number(1, zero), zero);
    return {w_.Select(base_is_zero, real, general.real), w_.Select(base_is_zero, zero, general.imag)};
  }

  // x / |x|, and 0 for 0.
  Parts Sign(Parts x) {
    HloInstruction* length = Abs(x);
    HloInstruction* is_zero = IsEq(length, Number(0, length));
    return {w_.Select(is_zero, length, Div(x.real, length)), w_.Select(is_zero, length, Div(x.imag, length))};
  }

 private:
  GraphWriter w_;
};

class ComplexExpansion {
 public:
  explicit ComplexExpansion(HloComputation& computation) : math_(computation), w_(math_.writer()) {}

  StatusOr<Changed> Run() {
    Changed changed = Changed::kNo;
    for (HloInstruction* instruction : w_.computation().MakeInstructionPostOrder()) {
      if (instruction->IsMarkedAsDead()) continue;
      if (instruction->opcode() == HloOpcode::kComplex) {
        parts_[instruction] = {instruction->mutable_operand(0), instruction->mutable_operand(1)};
        continue;
      }
      HloInstruction* replacement = Replacement(instruction);
      if (replacement == nullptr) continue;
      // The old one stays for now: parts that nobody uses yet must not go with it.
      if (replacement->shape() != instruction->shape()) {
        replacement = w_.Add(HloInstruction::CreateUnary(instruction->shape(), HloOpcode::kCopy, replacement));
      }
      instruction->ReplaceAllUsesWith(replacement);
      changed = Changed::kYes;
    }
    return changed;
  }

 private:
  // Null: the instruction stays.
  HloInstruction* Replacement(HloInstruction* instruction) {
    if (IsComplexArray(instruction->shape())) {
      const std::optional<Parts> parts = PartsOfResult(instruction);
      if (!parts) return nullptr;
      HloInstruction* complex = w_.Add(HloInstruction::CreateBinary(
          Shape::Array(instruction->shape().element_type(), instruction->shape().dimensions()), HloOpcode::kComplex,
          parts->real, parts->imag));
      parts_[complex] = *parts;
      return complex;
    }
    if (instruction->operand_count() == 0 || !IsComplexArray(instruction->operand(0)->shape())) return nullptr;
    return RealResult(instruction);
  }

  Parts Of(HloInstruction* value) {
    const auto known = parts_.find(value);
    if (known != parts_.end()) return known->second;
    const Shape part = Shape::Array(PartType(value->shape().element_type()), value->shape().dimensions());
    Parts parts{w_.Add(HloInstruction::CreateUnary(part, HloOpcode::kReal, value)),
                w_.Add(HloInstruction::CreateUnary(part, HloOpcode::kImag, value))};
    return parts_[value] = parts;
  }

  // Of real arrays computed from complex ones.
  HloInstruction* RealResult(HloInstruction* instruction) {
    HloInstruction* x = instruction->mutable_operand(0);
    switch (instruction->opcode()) {
      // Of a value that nothing has taken apart yet they stay as they are.
      case HloOpcode::kReal:
        return parts_.contains(x) ? Of(x).real : nullptr;
      case HloOpcode::kImag:
        return parts_.contains(x) ? Of(x).imag : nullptr;
      case HloOpcode::kAbs:
        return math_.Abs(Of(x));
      case HloOpcode::kCompare: {
        const Parts a = Of(x);
        const Parts b = Of(instruction->mutable_operand(1));
        const ComparisonDirection direction = instruction->comparison_direction();
        if (direction == ComparisonDirection::kEq)
          return w_.Binary(HloOpcode::kAnd, math_.IsEq(a.real, b.real), math_.IsEq(a.imag, b.imag));
        if (direction != ComparisonDirection::kNe) return nullptr;
        return w_.Binary(HloOpcode::kOr, w_.Compare(direction, a.real, b.real), w_.Compare(direction, a.imag, b.imag));
      }
      default:
        return nullptr;
    }
  }

  std::optional<Parts> PartsOfResult(HloInstruction* instruction) {
    const auto x = [&](int64_t i) { return Of(instruction->mutable_operand(i)); };
    switch (instruction->opcode()) {
      case HloOpcode::kConstant:
        return ConstantParts(instruction);
      case HloOpcode::kConvert:
        return ConvertedParts(instruction);
      case HloOpcode::kAdd:
        return Parts{math_.Add(x(0).real, x(1).real), math_.Add(x(0).imag, x(1).imag)};
      case HloOpcode::kSubtract:
        return Parts{math_.Sub(x(0).real, x(1).real), math_.Sub(x(0).imag, x(1).imag)};
      case HloOpcode::kNegate:
        return Parts{w_.Unary(HloOpcode::kNegate, x(0).real), w_.Unary(HloOpcode::kNegate, x(0).imag)};
      case HloOpcode::kMultiply:
        return math_.Multiply(x(0), x(1));
      case HloOpcode::kDivide:
        return math_.Divide(x(0), x(1));
      case HloOpcode::kPower:
        return math_.Power(x(0), x(1));
      case HloOpcode::kExp:
        return math_.Exp(x(0));
      case HloOpcode::kLog:
        return math_.Log(x(0));
      case HloOpcode::kSqrt:
        return math_.Sqrt(x(0));
      case HloOpcode::kRsqrt: {
        const Parts root = math_.Sqrt(x(0));
        return math_.Divide({math_.Number(1, root.real), math_.Number(0, root.real)}, root);
      }
      case HloOpcode::kTanh:
        return math_.Tanh(x(0));
      case HloOpcode::kSin:
        return math_.Sin(x(0));
      case HloOpcode::kCos:
        return math_.Cos(x(0));
      case HloOpcode::kSign:
        return math_.Sign(x(0));
      case HloOpcode::kDot:
        return DotParts(instruction);
      case HloOpcode::kReduce:
        return ReducedParts(instruction);
      case HloOpcode::kBroadcast:
      case HloOpcode::kConcatenate:
      case HloOpcode::kCopy:
      case HloOpcode::kDynamicSlice:
      case HloOpcode::kDynamicUpdateSlice:
      case HloOpcode::kGather:
      case HloOpcode::kPad:
      case HloOpcode::kReshape:
      case HloOpcode::kReverse:
      case HloOpcode::kSelect:
      case HloOpcode::kSlice:
      case HloOpcode::kTranspose:
        return Parts{MovedPart(instruction, &Parts::real), MovedPart(instruction, &Parts::imag)};
      default:
        return std::nullopt;
    }
  }

  // The same operation on one part of each complex operand.
  HloInstruction* MovedPart(HloInstruction* instruction, HloInstruction* Parts::* part) {
    std::vector<HloInstruction*> operands;
    for (HloInstruction* operand : instruction->operands()) {
      operands.push_back(IsComplexArray(operand->shape()) ? Of(operand).*part : operand);
    }
    const Shape shape = Shape::Array(PartType(instruction->shape().element_type()), instruction->shape().dimensions());
    return w_.Add(instruction->CloneWithNewOperands(shape, operands));
  }

  std::optional<Parts> ConstantParts(HloInstruction* constant) {
    const Literal& literal = constant->literal();
    if (literal.is_elided()) return std::nullopt;
    const PrimitiveType type = PartType(literal.shape().element_type());
    const size_t width = type == F64 ? 8 : 4;
    std::array<std::vector<uint8_t>, 2> bytes;
    for (size_t at = 0; at < literal.bytes().size(); at += width) {
      const auto begin = literal.bytes().begin() + static_cast<int64_t>(at);
      std::vector<uint8_t>& part = bytes[at / width % 2];
      part.insert(part.end(), begin, begin + static_cast<int64_t>(width));
    }
    const Shape shape = Shape::Array(type, literal.shape().dimensions());
    return Parts{w_.Constant(Literal::FromBytes(shape, std::move(bytes[0]))),
                 w_.Constant(Literal::FromBytes(shape, std::move(bytes[1])))};
  }

  std::optional<Parts> ConvertedParts(HloInstruction* convert) {
    HloInstruction* operand = convert->mutable_operand(0);
    const PrimitiveType type = PartType(convert->shape().element_type());
    if (IsComplexArray(operand->shape())) {
      return Parts{w_.Convert(Of(operand).real, type), w_.Convert(Of(operand).imag, type)};
    }
    HloInstruction* real = w_.Convert(operand, type);
    return Parts{real, math_.Number(0, real)};
  }

  std::optional<Parts> DotParts(HloInstruction* dot) {
    const auto product = [&](HloInstruction* a, HloInstruction* b) {
      HloInstruction* const operands[] = {a, b};
      const Shape shape = Shape::Array(PartType(dot->shape().element_type()), dot->shape().dimensions());
      return w_.Add(dot->CloneWithNewOperands(shape, operands));
    };
    const Parts x = Of(dot->mutable_operand(0));
    const Parts y = Of(dot->mutable_operand(1));
    return Parts{math_.Sub(product(x.real, y.real), product(x.imag, y.imag)),
                 math_.Add(product(x.real, y.imag), product(x.imag, y.real))};
  }

  // Sums only: their parts are sums.
  std::optional<Parts> ReducedParts(HloInstruction* reduce) {
    const HloInstruction* root = reduce->to_apply()->root_instruction();
    const bool is_sum = root->opcode() == HloOpcode::kAdd && root->operand(0)->opcode() == HloOpcode::kParameter &&
                        root->operand(1)->opcode() == HloOpcode::kParameter && root->operand(0) != root->operand(1);
    if (!is_sum || reduce->input_count() != 1) return std::nullopt;
    const PrimitiveType type = PartType(reduce->shape().element_type());
    HloComputation* add = AddBinaryComputation(*reduce->GetModule(), HloOpcode::kAdd, type);
    const auto sum = [&](HloInstruction* Parts::* part) {
      HloInstruction* const operands[] = {Of(reduce->mutable_operand(0)).*part, Of(reduce->mutable_operand(1)).*part};
      return w_.Add(HloInstruction::CreateReduce(Shape::Array(type, reduce->shape().dimensions()), operands,
                                                 reduce->dimensions(), add));
    };
    return Parts{sum(&Parts::real), sum(&Parts::imag)};
  }

  ComplexMath math_;
  GraphWriter& w_;
  std::unordered_map<const HloInstruction*, Parts> parts_;
};

}  // namespace

StatusOr<Changed> ComplexExpander::Run(HloModule& module, const PassContext& context) {
  Changed changed = Changed::kNo;
  // Callers first: a reduction is recognised as a sum by its computation's addition, which is then needed no more.
  std::vector<HloComputation*> computations = module.MakeComputationPostOrder();
  std::reverse(computations.begin(), computations.end());
  for (HloComputation* computation : computations) {
    ASSIGN_OR_RETURN(const Changed one, ComplexExpansion(*computation).Run());
    changed |= one;
  }
  if (changed == Changed::kYes) RETURN_IF_ERROR(HloDce().Run(module, context).status());
  return changed;
}

}  // namespace xla
