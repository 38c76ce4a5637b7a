// Complex arithmetic as arithmetic on real and imaginary parts. Afterwards complex arrays are only passed around and
// taken apart: whatever computes one ends in complex(real part, imaginary part), and reads real(x) and imag(x).
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "xla/hlo/transforms/expanders/complex_math.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

bool IsComplexArray(const Shape& shape) { return shape.IsArray() && IsComplex(shape.element_type()); }

PrimitiveType PartType(PrimitiveType type) { return type == C128 ? F64 : F32; }

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
      case HloOpcode::kAcos:
        return math_.Acos(x(0));
      case HloOpcode::kAcosh:
        return math_.Acosh(x(0));
      case HloOpcode::kAsin:
        return math_.Asin(x(0));
      case HloOpcode::kAsinh:
        return math_.Asinh(x(0));
      case HloOpcode::kAtan2:
        return math_.Atan2(x(0), x(1));
      case HloOpcode::kAtanh:
        return math_.Atanh(x(0));
      case HloOpcode::kCbrt:
        return math_.Cbrt(x(0));
      case HloOpcode::kCosh:
        return math_.Cosh(x(0));
      case HloOpcode::kExpm1:
        return math_.Expm1(x(0));
      case HloOpcode::kLog1p:
        return math_.Log1p(x(0));
      case HloOpcode::kLogistic:
        return math_.Logistic(x(0));
      case HloOpcode::kSinh:
        return math_.Sinh(x(0));
      case HloOpcode::kTan:
        return math_.Tan(x(0));
      case HloOpcode::kDot:
        return DotParts(instruction);
      case HloOpcode::kReduce:
        return ReducedParts(instruction);
      case HloOpcode::kIota: {
        HloInstruction* numbers = MovedPart(instruction, &Parts::real);
        return Parts{numbers, math_.Number(0, numbers)};
      }
      case HloOpcode::kBitcastConvert:
        // Between c64 and c128: its own expander's.
        if (instruction->shape().element_type() != instruction->operand(0)->shape().element_type()) return std::nullopt;
        [[fallthrough]];
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

  // The parts of a sum are sums; any other reduction combines pairs of real numbers.
  std::optional<Parts> ReducedParts(HloInstruction* reduce) {
    const HloInstruction* root = reduce->to_apply()->root_instruction();
    const bool is_sum = root->opcode() == HloOpcode::kAdd && root->operand(0)->opcode() == HloOpcode::kParameter &&
                        root->operand(1)->opcode() == HloOpcode::kParameter && root->operand(0) != root->operand(1);
    if (reduce->input_count() != 1) return std::nullopt;
    const PrimitiveType type = PartType(reduce->shape().element_type());
    const Shape shape = Shape::Array(type, reduce->shape().dimensions());
    if (!is_sum) return ReducedPairs(reduce, shape);
    HloComputation* add = AddBinaryComputation(*reduce->GetModule(), HloOpcode::kAdd, type);
    const auto sum = [&](HloInstruction* Parts::* part) {
      HloInstruction* const operands[] = {Of(reduce->mutable_operand(0)).*part, Of(reduce->mutable_operand(1)).*part};
      return w_.Add(HloInstruction::CreateReduce(shape, operands, reduce->dimensions(), add));
    };
    return Parts{sum(&Parts::real), sum(&Parts::imag)};
  }

  std::optional<Parts> ReducedPairs(HloInstruction* reduce, const Shape& part) {
    HloComputation* combiner = PairCombiner(*reduce->GetModule(), *reduce->to_apply(), part.element_type());
    if (combiner == nullptr) return std::nullopt;
    const Parts x = Of(reduce->mutable_operand(0)), initial = Of(reduce->mutable_operand(1));
    HloInstruction* const operands[] = {x.real, x.imag, initial.real, initial.imag};
    HloInstruction* pairs =
        w_.Add(HloInstruction::CreateReduce(Shape::Tuple({part, part}), operands, reduce->dimensions(), combiner));
    return Parts{w_.Element(pairs, 0), w_.Element(pairs, 1)};
  }

  // (re, im, re', im') -> the parts of what `complex` makes of both numbers; null if that is more than elementwise.
  static HloComputation* PairCombiner(HloModule& module, const HloComputation& complex, PrimitiveType part) {
    auto owned = std::make_unique<HloComputation>(complex.name() + ".parts");
    GraphWriter w(*owned);
    std::vector<HloInstruction*> numbers, parts;
    for (int64_t i = 0; i < 4; ++i) {
      parts.push_back(w.Add(HloInstruction::CreateParameter(i, Shape::Scalar(part), "p" + std::to_string(i))));
      if (i % 2 == 0) continue;
      numbers.push_back(w.Add(HloInstruction::CreateBinary(Shape::Scalar(part == F64 ? C128 : C64), HloOpcode::kComplex,
                                                           parts[i - 1], parts[i])));
    }
    const auto combined = w.Apply(complex, numbers);
    if (!combined.ok()) return nullptr;
    HloInstruction* const results[] = {
        w.Add(HloInstruction::CreateUnary(Shape::Scalar(part), HloOpcode::kReal, (*combined)[0])),
        w.Add(HloInstruction::CreateUnary(Shape::Scalar(part), HloOpcode::kImag, (*combined)[0]))};
    owned->set_root_instruction(w.Add(HloInstruction::CreateTuple(results)));
    if (!ComplexExpansion(*owned).Run().ok()) return nullptr;
    return module.AddEmbeddedComputation(std::move(owned));
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
