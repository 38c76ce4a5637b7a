// Decides, before any code is emitted, in which layout(s) each tensor value exists. The IR stays untouched.
//
// A value has one native layout when something fixes it (a memory access, a product, a reduction), and none when it is
// cheap to recompute (ranges, constants, broadcasts, index arithmetic). Consumers state what they want; cheap values
// are computed once per wanted layout, others once natively and then converted.
#pragma once
#include <deque>
#include <optional>

#include "triton/plan/axis_info.h"
#include "triton/plan/pointer_info.h"
#include "triton/plan/product.h"

namespace rocxla::triton {

using Layout = const LinearLayout*;  // interned by the plan: equal layouts are the same pointer; null for scalars

bool IsTensor(mlir::Value value);
// Works element by element, all tensors in one layout.
bool IsPointwise(mlir::Operation* op);

class Plan {
 public:
  // The function must have passed the checks of CheckSupported (triton/lowering).
  Plan(tt::FuncOp function, const PlanTarget& target);

  Layout Native(mlir::Value value) const { return native_.lookup(value); }
  llvm::ArrayRef<Layout> Wanted(mlir::Value value) const;
  // Layouts in which `op` itself is evaluated; what else is wanted comes from conversions. {null} for scalar
  // operations.
  llvm::SmallVector<Layout, 2> EvaluatedIn(mlir::Operation* op) const;
  // The layouts in which block arguments and results of control flow pass: the native one, else all wanted; {null} for
  // scalars.
  llvm::SmallVector<Layout, 2> Carried(mlir::Value value) const;
  // What `op`, evaluated in `layout`, needs of operand `i`; null for scalars.
  Layout OperandLayout(mlir::Operation* op, int i, Layout layout);
  // Where a load, store, atomic, product, reduction, join, ... does its work.
  Layout AccessLayout(mlir::Operation* op) const { return access_.lookup(op); }
  // How a tt.dot or tt.dot_scaled is computed, and where the numbers of its factor `i` lie then.
  const ProductChoice& ProductChoiceOf(mlir::Operation* product) const { return products_.find(product)->second; }
  Layout FactorLayout(const Product& product, int i);

  const AxisAnalysis& axes() const { return axes_; }
  const PointerAnalysis& pointers() const { return pointers_; }
  const PlanTarget& target() const { return target_; }
  Layout Intern(LinearLayout layout);
  // The program's tensors, each with the layouts in which it exists:
  //     %8 : tensor<1024xf32>
  //         native       reg=[i1 i2] lane=[i4 i8 ...] warp=[i256 i512]
  std::string ToString(tt::FuncOp function) const;

 private:
  void Forward(mlir::Region& region);
  void ForwardStructured(mlir::Operation* op);
  bool FollowHomes(mlir::Operation* op);
  void ForwardOp(mlir::Operation* op);
  void ForwardStore(tt::StoreOp store);
  void ForwardProduct(const Product& product);
  Layout ProductOperandLayout(mlir::Operation* op, int i);
  void ForwardTwoTensors(mlir::Operation* op);
  void ForwardPointwise(mlir::Operation* op);
  void Backward(mlir::Region& region);
  void BackwardStructured(mlir::Operation* op);
  bool WantSources(mlir::Operation* op);
  bool Want(mlir::Value value, Layout layout);
  bool SetNative(mlir::Value value, Layout layout);
  Layout NativeOrDefault(mlir::Value value);
  Layout Coalesced(mlir::Type type, mlir::Value pointer);
  Layout Default(mlir::Type type);
  Layout Compact(Layout layout, mlir::Type type);

  PlanTarget target_;
  AxisAnalysis axes_;
  PointerAnalysis pointers_;
  std::deque<LinearLayout> pool_;
  llvm::DenseMap<size_t, llvm::SmallVector<Layout, 1>> by_hash_;
  llvm::DenseMap<mlir::Value, Layout> native_;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Layout, 1>> wanted_;
  llvm::DenseMap<mlir::Operation*, Layout> access_;
  llvm::DenseMap<mlir::Operation*, ProductChoice> products_;
  bool changed_ = false;
};

}  // namespace rocxla::triton
