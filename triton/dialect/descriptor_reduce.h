// What tt.descriptor_reduce does to each element of the tensor behind the descriptor.
#pragma once
#include <optional>

#include "triton/dialect/tt.h"

namespace rocxla::triton {

// The atomic operation that `kind` is on elements of this type; none for INC and DEC, which have no tt.atomic_rmw.
inline std::optional<tt::RMWOp> AtomicOf(tt::DescriptorReduceKind kind, mlir::Type element) {
  const bool is_float = mlir::isa<mlir::FloatType>(element), is_unsigned = element.isUnsignedInteger();
  switch (kind) {
    case tt::DescriptorReduceKind::ADD:
      return is_float ? tt::RMWOp::FAdd : tt::RMWOp::Add;
    case tt::DescriptorReduceKind::MIN:
      return is_unsigned ? tt::RMWOp::UMin : tt::RMWOp::Min;
    case tt::DescriptorReduceKind::MAX:
      return is_unsigned ? tt::RMWOp::UMax : tt::RMWOp::Max;
    case tt::DescriptorReduceKind::AND:
      return tt::RMWOp::And;
    case tt::DescriptorReduceKind::OR:
      return tt::RMWOp::Or;
    case tt::DescriptorReduceKind::XOR:
      return tt::RMWOp::Xor;
    case tt::DescriptorReduceKind::INC:
    case tt::DescriptorReduceKind::DEC:
      return std::nullopt;
  }
  llvm_unreachable("every kind is listed");
}

}  // namespace rocxla::triton
