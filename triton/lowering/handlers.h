// The table from operation to the function that emits it.
#pragma once
#include <deque>

#include "triton/lowering/lowering.h"

namespace rocxla::triton {

// Computes the results of `op` in `layout` (null: scalars, or the operation's own access layout) and stores them with
// Lowering::Set.
using Handler = Status (*)(Lowering&, mlir::Operation*, Layout);

class Handlers {
 public:
  // All handlers; built on first use.
  static const Handlers& All();

  template <class Op>
  void Add(Handler handler) {
    table_[mlir::TypeID::get<Op>()] = handler;
  }
  // A pointwise operation with one result. F: captureless, (Lowering&, Op, ValuesRef operands) -> Value*, null when
  // these types are not supported. Equal operand tuples are computed once.
  template <class Op, class F>
  void Each(F) {
    Add<Op>([](Lowering& l, mlir::Operation* op, Layout layout) {
      return Pointwise(l, op, layout, [&](ValuesRef operands) { return F{}(l, mlir::cast<Op>(op), operands); });
    });
  }
  // What Each does, for operations with more to them.
  static Status Pointwise(Lowering& l, mlir::Operation* op, Layout layout,
                          llvm::function_ref<llvm::Value*(ValuesRef)> compute);
  // Null when there is none.
  Handler Find(mlir::Operation* op) const { return table_.lookup(op->getName().getTypeID()); }
  bool Has(mlir::TypeID op) const { return table_.contains(op); }

 private:
  llvm::DenseMap<mlir::TypeID, Handler> table_;
};

// One per file of this folder.
void AddArith(Handlers& handlers);
void AddConvertFloat(Handlers& handlers);
void AddMath(Handlers& handlers);
void AddMemory(Handlers& handlers);
void AddShapes(Handlers& handlers);
void AddControl(Handlers& handlers);
void AddReduce(Handlers& handlers);
void AddScan(Handlers& handlers);
void AddHistogram(Handlers& handlers);
void AddInlineAsm(Handlers& handlers);
void AddPrint(Handlers& handlers);
void AddDot(Handlers& handlers);
void AddAtomics(Handlers& handlers);

}  // namespace rocxla::triton
