// Integers below 8 bits as bytes. Inside the program every such array has one element in each byte, sign- or
// zero-extended, and what an operation carries beyond its type's bits is cut off. Parameters and results of the entry
// stay packed, as XLA's buffers are: they are taken apart and put together by shifts.
#include <algorithm>
#include <unordered_map>

#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

bool IsNarrow(PrimitiveType type) { return IsInteger(type) && BitWidth(type) < 8; }
PrimitiveType ByteOf(PrimitiveType type) { return IsSigned(type) ? S8 : U8; }

bool HasNarrow(const Shape& shape) {
  return IsNarrow(shape.element_type()) || std::ranges::any_of(shape.tuple_shapes(), HasNarrow);
}

Shape Widened(Shape shape) {
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.tuple_shapes()) elements.push_back(Widened(element));
    return Shape::Tuple(std::move(elements));
  }
  if (IsNarrow(shape.element_type())) shape.set_element_type(ByteOf(shape.element_type()));
  return shape;
}

// Graphs on bytes that hold elements of a narrow type.
class Bytes {
 public:
  explicit Bytes(HloComputation& computation) : w_(computation) {}
  GraphWriter& writer() { return w_; }

  HloInstruction* Number(HloInstruction* like, int64_t value) {
    return w_.Splat(w_.Scalar(like->shape().element_type(), static_cast<double>(value)), like->shape().dimensions());
  }
  HloInstruction* As(HloInstruction* x, PrimitiveType type) {
    if (x->shape().element_type() == type) return x;
    Shape shape = x->shape();
    shape.set_element_type(type);
    return w_.Add(HloInstruction::CreateBitcastConvert(shape, x));
  }
  // The lowest bits, as `type` extends them.
  HloInstruction* Wrapped(HloInstruction* x, PrimitiveType type) {
    if (!IsSigned(type)) return LowBits(x, type);
    HloInstruction* up = Number(x, 8 - BitWidth(type));
    return w_.Binary(HloOpcode::kShiftRightArithmetic, w_.Binary(HloOpcode::kShiftLeft, x, up), up);
  }
  HloInstruction* LowBits(HloInstruction* x, PrimitiveType type) {
    return w_.Binary(HloOpcode::kAnd, x, Number(x, (1 << BitWidth(type)) - 1));
  }

  // A packed array, whatever tuple it stands in, with a byte for each element.
  HloInstruction* Unpacked(HloInstruction* packed) {
    const Shape& shape = packed->shape();
    if (!HasNarrow(shape)) return packed;
    if (!shape.IsTuple()) return UnpackedArray(packed);
    std::vector<HloInstruction*> elements;
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      elements.push_back(Unpacked(w_.Element(packed, static_cast<int64_t>(i))));
    }
    return w_.Add(HloInstruction::CreateTuple(elements));
  }
  // The inverse; `shape` is the packed one.
  HloInstruction* Packed(HloInstruction* bytes, const Shape& shape) {
    if (!HasNarrow(shape)) return bytes;
    if (!shape.IsTuple()) return PackedArray(bytes, shape);
    std::vector<HloInstruction*> elements;
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      elements.push_back(Packed(w_.Element(bytes, static_cast<int64_t>(i)), shape.tuple_shapes(i)));
    }
    return w_.Add(HloInstruction::CreateTuple(elements));
  }

 private:
  // How far up in its byte each element of u8[bytes, elements in a byte] stands: the first one is at the top.
  HloInstruction* Places(const Dims& dims, int bits) {
    HloInstruction* down =
        w_.Binary(HloOpcode::kMultiply, w_.Convert(w_.Iota(dims, 1), U8), w_.Splat(w_.Scalar(U8, bits), dims));
    return w_.Binary(HloOpcode::kSubtract, w_.Splat(w_.Scalar(U8, 8 - bits), dims), down);
  }
  HloInstruction* UnpackedArray(HloInstruction* packed) {
    const Shape shape = packed->shape();
    const PrimitiveType type = shape.element_type();
    const int64_t count = ShapeUtil::ElementsIn(shape), each = 8 / BitWidth(type);
    const Dims dims = {ShapeUtil::ByteSizeOf(shape), each};
    HloInstruction* bytes = w_.Add(HloInstruction::CreateBitcast(Shape::Array(U8, {dims[0]}), packed));
    HloInstruction* copies = w_.Broadcast(bytes, dims, {0});
    HloInstruction* shifted = w_.Binary(HloOpcode::kShiftRightLogical, copies, Places(dims, BitWidth(type)));
    HloInstruction* flat = w_.Slice(w_.Reshape(shifted, {dims[0] * each}), 0, 0, count);
    HloInstruction* elements = Wrapped(As(flat, ByteOf(type)), type);
    return w_.Add(HloInstruction::CreateBitcast(Widened(shape), elements));
  }
  HloInstruction* PackedArray(HloInstruction* elements, const Shape& shape) {
    const PrimitiveType type = shape.element_type();
    const int64_t count = ShapeUtil::ElementsIn(shape), each = 8 / BitWidth(type);
    const Dims dims = {ShapeUtil::ByteSizeOf(shape), each};
    if (elements->shape().layout() != shape.layout()) {
      elements = w_.Add(HloInstruction::CreateUnary(Widened(shape), HloOpcode::kCopy, elements));
    }
    HloInstruction* flat = w_.Add(HloInstruction::CreateBitcast(Shape::Array(ByteOf(type), {count}), elements));
    flat = LowBits(As(flat, U8), type);
    flat = w_.Pad(flat, w_.Scalar(U8, 0), {{0, dims[0] * each - count, 0}});
    HloInstruction* placed = w_.Binary(HloOpcode::kShiftLeft, w_.Reshape(flat, dims), Places(dims, BitWidth(type)));
    return w_.Add(HloInstruction::CreateBitcast(shape, w_.Reduce(placed, 1, HloOpcode::kAdd, 0)));
  }

  GraphWriter w_;
};

class NarrowIntegers {
 public:
  explicit NarrowIntegers(HloModule& module) : module_(module) {}

  bool Run() {
    for (HloComputation* computation : module_.computations()) {
      for (HloInstruction* instruction : computation->instructions()) {
        if (HasNarrow(instruction->shape())) original_[instruction] = instruction->shape();
      }
    }
    if (original_.empty() || BitsOfNarrowFloats()) return false;
    const Shape result = module_.entry_computation()->root_instruction()->shape();
    for (const auto& [instruction, shape] : original_) {
      if (!IsPacked(*instruction)) *instruction->mutable_shape() = Widened(shape);
    }
    for (HloComputation* computation : module_.MakeComputationPostOrder()) {
      Bytes bytes(*computation);
      for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) Rewrite(bytes, instruction);
    }
    HloComputation& entry = *module_.entry_computation();
    if (HasNarrow(result)) entry.set_root_instruction(Bytes(entry).Packed(entry.root_instruction(), result));
    return true;
  }

 private:
  bool IsPacked(const HloInstruction& instruction) const {
    return instruction.opcode() == HloOpcode::kParameter && instruction.parent() == module_.entry_computation();
  }
  // Floats below 8 bits are not computed in kernels, nor are views of them.
  bool BitsOfNarrowFloats() const {
    return std::ranges::any_of(original_, [](const auto& entry) {
      const auto is_narrow_float = [](const HloInstruction* x) {
        const PrimitiveType type = x->shape().element_type();
        return IsFloat(type) && BitWidth(type) < 8;
      };
      const auto is_view_of_float = [&](const HloInstruction* x) {
        return x->opcode() == HloOpcode::kBitcastConvert && (is_narrow_float(x) || is_narrow_float(x->operand(0)));
      };
      return is_view_of_float(entry.first) || std::ranges::any_of(entry.first->users(), is_view_of_float);
    });
  }
  // The element type that the program says; of an array.
  PrimitiveType TypeOf(const HloInstruction* instruction) const {
    const auto it = original_.find(const_cast<HloInstruction*>(instruction));
    return (it == original_.end() ? instruction->shape() : it->second).element_type();
  }

  void Rewrite(Bytes& bytes, HloInstruction* instruction) {
    HloInstruction* replacement = nullptr;
    const bool is_root = instruction->IsRoot();
    if (IsPacked(*instruction)) {
      if (!original_.contains(instruction)) return;
      const std::vector<HloInstruction*> users = instruction->users();
      replacement = bytes.Unpacked(instruction);
      for (HloInstruction* user : users) ReplaceOperand(user, instruction, replacement);
    } else {
      replacement = Replacement(bytes, instruction);
      if (replacement == nullptr) return;
      instruction->ReplaceAllUsesWith(replacement);
    }
    if (is_root) instruction->parent()->set_root_instruction(replacement);
  }
  static void ReplaceOperand(HloInstruction* user, const HloInstruction* from, HloInstruction* to) {
    for (int64_t i = 0; i < user->operand_count(); ++i) {
      if (user->operand(i) == from) user->ReplaceOperandWith(i, to);
    }
  }

  static HloInstruction* Again(Bytes& bytes, HloInstruction* instruction, std::vector<HloInstruction*> operands) {
    return bytes.writer().Add(instruction->CloneWithNewOperands(instruction->shape(), operands));
  }

  // Null: on bytes the instruction means what it meant.
  HloInstruction* Replacement(Bytes& bytes, HloInstruction* instruction) {
    if (!instruction->shape().IsArray() || !original_.contains(instruction)) return nullptr;
    const PrimitiveType type = TypeOf(instruction);
    std::vector<HloInstruction*> x = instruction->operands();
    GraphWriter& w = bytes.writer();
    switch (instruction->opcode()) {
      case HloOpcode::kConstant:
        return w.Constant(Literal::FromBytes(instruction->shape(), instruction->literal().bytes()));
      case HloOpcode::kConvert:
        return Converted(bytes, instruction, type);
      case HloOpcode::kBitcastConvert:
        return bytes.Wrapped(bytes.As(x[0], ByteOf(type)), type);
      case HloOpcode::kClz: {
        HloInstruction* zeros = Again(bytes, instruction, {bytes.LowBits(x[0], type)});
        return bytes.Wrapped(w.Binary(HloOpcode::kSubtract, zeros, bytes.Number(zeros, 8 - BitWidth(type))), type);
      }
      case HloOpcode::kPopulationCount:
        return bytes.Wrapped(Again(bytes, instruction, {bytes.LowBits(x[0], type)}), type);
      case HloOpcode::kShiftRightLogical:
        return bytes.Wrapped(Again(bytes, instruction, {bytes.LowBits(x[0], type), x[1]}), type);
      case HloOpcode::kShiftRightArithmetic: {
        if (IsSigned(type)) return nullptr;
        // The sign is the narrow type's highest bit.
        HloInstruction* up = bytes.Number(x[0], 8 - BitWidth(type));
        HloInstruction* high = bytes.As(w.Binary(HloOpcode::kShiftLeft, x[0], up), S8);
        HloInstruction* value = w.Binary(HloOpcode::kShiftRightArithmetic, high, bytes.As(up, S8));
        HloInstruction* shifted = w.Binary(HloOpcode::kShiftRightArithmetic, value, bytes.As(x[1], S8));
        return bytes.LowBits(bytes.As(shifted, U8), type);
      }
      case HloOpcode::kMulhi: {  // a byte holds the whole product
        HloInstruction* product = w.Binary(HloOpcode::kMultiply, x[0], x[1]);
        return w.Binary(IsSigned(type) ? HloOpcode::kShiftRightArithmetic : HloOpcode::kShiftRightLogical, product,
                        bytes.Number(product, BitWidth(type)));
      }
      case HloOpcode::kAbs:
      case HloOpcode::kAdd:
      case HloOpcode::kDivide:
      case HloOpcode::kDot:
      case HloOpcode::kIota:
      case HloOpcode::kMultiply:
      case HloOpcode::kNegate:
      case HloOpcode::kNot:
      case HloOpcode::kPower:
      case HloOpcode::kShiftLeft:
      case HloOpcode::kSubtract:
        return bytes.Wrapped(Again(bytes, instruction, x), type);
      default:
        return nullptr;
    }
  }

  // Floats saturate at the narrow type's limits, integers wrap.
  HloInstruction* Converted(Bytes& bytes, HloInstruction* convert, PrimitiveType type) {
    HloInstruction* byte = Again(bytes, convert, convert->operands());
    if (!IsFloat(TypeOf(convert->operand(0)))) return bytes.Wrapped(byte, type);
    const int64_t highest = (1 << (BitWidth(type) - (IsSigned(type) ? 1 : 0))) - 1;
    const int64_t lowest = IsSigned(type) ? -highest - 1 : 0;
    GraphWriter& w = bytes.writer();
    HloInstruction* raised = w.Binary(HloOpcode::kMaximum, byte, bytes.Number(byte, lowest));
    return w.Binary(HloOpcode::kMinimum, raised, bytes.Number(byte, highest));
  }

  HloModule& module_;
  std::unordered_map<HloInstruction*, Shape> original_;
};

}  // namespace

StatusOr<Changed> NarrowIntegerExpander::Run(HloModule& module, const PassContext& context) {
  if (!NarrowIntegers(module).Run()) return Changed::kNo;
  RETURN_IF_ERROR(HloDce().Run(module, context).status());
  return Changed::kYes;
}

}  // namespace xla
