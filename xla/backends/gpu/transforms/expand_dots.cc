// ExpandDots: a dot with one row, one column or one product per element, or of a type without matrix instructions,
// becomes
//   reduce(multiply(broadcast(lhs), broadcast(rhs)), 0), dimensions={contracting}
// which one reduction kernel computes. f16 and bf16 products are summed in f32.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "xla/backends/gpu/transforms/control_flow.h"
#include "xla/backends/gpu/transforms/passes.h"

namespace xla::gpu {
namespace {

bool Contains(const std::vector<int64_t>& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool HasMatrixForm(PrimitiveType type) { return type == F16 || type == BF16 || type == F32 || type == S8; }

// The number of elements of `shape` over the dimensions that are neither in a nor in b.
int64_t FreeElements(const Shape& shape, const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  int64_t n = 1;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (!Contains(a, d) && !Contains(b, d)) n *= shape.dimensions(d);
  }
  return n;
}

bool ShouldExpand(const HloInstruction& dot) {
  const Shape &lhs = dot.operand(0)->shape(), &rhs = dot.operand(1)->shape();
  if (!HasMatrixForm(lhs.element_type()) || lhs.element_type() != rhs.element_type()) return true;
  DotDimensionNumbers numbers = dot.dot_dimension_numbers();
  int64_t rows = FreeElements(lhs, numbers.lhs_batch_dimensions, numbers.lhs_contracting_dimensions);
  int64_t columns = FreeElements(rhs, numbers.rhs_batch_dimensions, numbers.rhs_contracting_dimensions);
  int64_t products = 1;
  for (int64_t d : numbers.lhs_contracting_dimensions) products *= lhs.dimensions(d);
  return rows == 1 || columns == 1 || products == 1;
}

PrimitiveType SumType(PrimitiveType result) { return IsFloat(result) && BitWidth(result) < 32 ? F32 : result; }

HloComputation* AddAddition(HloModule& module, PrimitiveType type) {
  auto computation = std::make_unique<HloComputation>("add");
  Shape scalar = Shape::Scalar(type);
  HloInstruction* x = computation->AddInstruction(HloInstruction::CreateParameter(0, scalar, "x"));
  HloInstruction* y = computation->AddInstruction(HloInstruction::CreateParameter(1, scalar, "y"));
  computation->AddInstruction(HloInstruction::CreateBinary(scalar, HloOpcode::kAdd, x, y));
  return module.AddEmbeddedComputation(std::move(computation));
}

// All index space of a dot: batch, rows, columns, products.
struct FullSpace {
  std::vector<int64_t> dimensions;
  std::vector<int64_t> of_operand[2];  // where each operand dimension stands in it
  std::vector<int64_t> products;
};

FullSpace FullSpaceOf(const HloInstruction& dot) {
  DotDimensionNumbers numbers = dot.dot_dimension_numbers();
  FullSpace space;
  for (int side = 0; side < 2; ++side) space.of_operand[side].resize(dot.operand(side)->shape().rank());
  auto append = [&](int64_t extent) {
    space.dimensions.push_back(extent);
    return static_cast<int64_t>(space.dimensions.size()) - 1;
  };
  const Shape &lhs = dot.operand(0)->shape(), &rhs = dot.operand(1)->shape();
  for (size_t i = 0; i < numbers.lhs_batch_dimensions.size(); ++i) {
    int64_t d = append(lhs.dimensions(numbers.lhs_batch_dimensions[i]));
    space.of_operand[0][numbers.lhs_batch_dimensions[i]] = d;
    space.of_operand[1][numbers.rhs_batch_dimensions[i]] = d;
  }
  for (int64_t d = 0; d < lhs.rank(); ++d) {
    if (Contains(numbers.lhs_batch_dimensions, d) || Contains(numbers.lhs_contracting_dimensions, d)) continue;
    space.of_operand[0][d] = append(lhs.dimensions(d));
  }
  for (int64_t d = 0; d < rhs.rank(); ++d) {
    if (Contains(numbers.rhs_batch_dimensions, d) || Contains(numbers.rhs_contracting_dimensions, d)) continue;
    space.of_operand[1][d] = append(rhs.dimensions(d));
  }
  for (size_t i = 0; i < numbers.lhs_contracting_dimensions.size(); ++i) {
    int64_t d = append(lhs.dimensions(numbers.lhs_contracting_dimensions[i]));
    space.of_operand[0][numbers.lhs_contracting_dimensions[i]] = d;
    space.of_operand[1][numbers.rhs_contracting_dimensions[i]] = d;
    space.products.push_back(d);
  }
  return space;
}

Literal Zero(PrimitiveType type) { return Literal::Zeros(Shape::Scalar(type)); }

// Operand dimension i becomes dimension `dimensions[i]`; a broadcast wants them ascending, hence the transpose.
HloInstruction* BroadcastTo(HloComputation& computation, HloInstruction* operand, const Shape& shape,
                            std::vector<int64_t> dimensions) {
  if (!std::is_sorted(dimensions.begin(), dimensions.end())) {
    std::vector<int64_t> order(dimensions.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return dimensions[a] < dimensions[b]; });
    std::vector<int64_t> transposed;
    for (int64_t d : order) transposed.push_back(operand->shape().dimensions(d));
    operand = computation.AddInstruction(
        HloInstruction::CreateTranspose(Shape::Array(shape.element_type(), transposed), operand, order));
    std::sort(dimensions.begin(), dimensions.end());
  }
  return computation.AddInstruction(HloInstruction::CreateBroadcast(shape, operand, dimensions));
}

Status Expand(HloComputation& computation, HloInstruction* dot) {
  FullSpace space = FullSpaceOf(*dot);
  PrimitiveType type = SumType(dot->shape().element_type());
  HloInstruction* factors[2];
  for (int side = 0; side < 2; ++side) {
    HloInstruction* operand = dot->mutable_operand(side);
    if (operand->shape().element_type() != type) {
      Shape converted = operand->shape();
      converted.set_element_type(type);
      operand = computation.AddInstruction(HloInstruction::CreateConvert(converted, operand));
    }
    factors[side] = BroadcastTo(computation, operand, Shape::Array(type, space.dimensions), space.of_operand[side]);
  }
  HloInstruction* result = computation.AddInstruction(
      HloInstruction::CreateBinary(Shape::Array(type, space.dimensions), HloOpcode::kMultiply, factors[0], factors[1]));
  Shape shape = dot->shape();
  shape.set_element_type(type);
  if (!space.products.empty()) {
    HloInstruction* zero = computation.AddInstruction(HloInstruction::CreateConstant(Zero(type)));
    HloInstruction* operands[] = {result, zero};
    result = computation.AddInstruction(
        HloInstruction::CreateReduce(shape, operands, space.products, AddAddition(*computation.parent(), type)));
  }
  if (type != dot->shape().element_type()) {
    result = computation.AddInstruction(HloInstruction::CreateConvert(dot->shape(), result));
  }
  return computation.ReplaceInstruction(dot, result);
}

}  // namespace

StatusOr<Changed> ExpandDots::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : ControlFlowComputations(module)) {
    for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
      if (instruction->opcode() != HloOpcode::kDot || !ShouldExpand(*instruction)) continue;
      RETURN_IF_ERROR(Expand(*computation, instruction));
      changed = Changed::kYes;
    }
  }
  return changed;
}

}  // namespace xla::gpu
