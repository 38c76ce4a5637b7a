// TTIR + Plan -> LLVM IR, in one walk. A tensor in a layout is the list of its registers, one llvm::Value each.
#pragma once
#include <unordered_map>

#include "base/status.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "triton/lowering/debug_info.h"
#include "triton/plan/plan.h"

namespace rocxla::triton {

using Values = llvm::SmallVector<llvm::Value*, 4>;
using ValuesRef = llvm::ArrayRef<llvm::Value*>;

// One thread's part of a tensor (or one scalar). Pointers with a common base keep it apart: element = base[index], `v`
// being the indices, of PointerAnalysis::IndexBits bits.
struct Regs {
  Values v;
  llvm::Value* base = nullptr;
  Regs() = default;
  Regs(llvm::Value* scalar) : v{scalar} {}  // NOLINT: a scalar is its one register
  int size() const { return static_cast<int>(v.size()); }
};

class Lowering {
 public:
  Lowering(Plan& plan, llvm::Module& module) : plan(plan), b(module.getContext()), module(module) {}
  // Emits the kernel. Errors: TritonUnsupportedOp from a handler.
  StatusOr<llvm::Function*> Function(tt::FuncOp op);
  // LDS that the kernel uses, from offset 0.
  int shared_bytes() const { return shared_bytes_; }

  //===-- What handlers use
  //------------------------------------------------------------------------------------------===//
  Plan& plan;
  llvm::IRBuilder<> b;
  llvm::Module& module;

  // The registers of a value in a layout that the plan has it in (null for scalars). A value that is missing is a bug
  // of ours: the answer is poison and Function() fails.
  const Regs& Get(mlir::Value value, Layout layout = nullptr);
  llvm::Value* Scalar(mlir::Value value) { return Get(value).v[0]; }
  // Operand `i` as `op`, evaluated in `layout`, needs it.
  const Regs& Operand(mlir::Operation* op, int i, Layout layout) {
    return Get(op->getOperand(i), plan.OperandLayout(op, i, layout));
  }
  void Set(mlir::Value value, Layout layout, Regs regs);
  // Emits what other layouts want of a value that exists natively.
  void ConvertOthers(mlir::Value value);

  // LLVM's type of one element; 8-bit floats are i8. In memory i1 takes a byte.
  llvm::Type* TypeOf(mlir::Type type);
  llvm::Type* MemoryTypeOf(mlir::Type type);

  // Addresses instead of base and indices.
  Regs Plain(const Regs& regs, mlir::Type pointer_type);
  // In the form that a block argument of pointer type is carried in.
  Regs InFormOf(const Regs& regs, mlir::Value like);
  llvm::Value* Address(const Regs& pointers, int reg, mlir::Type pointer_type);

  llvm::Value* lane() const { return lane_; }
  llvm::Value* warp() const { return warp_; }
  // The row-major element number that a register of this thread holds, i32.
  llvm::Value* Element(Layout layout, int reg);
  // True in the one thread that holds each element when several do.
  llvm::Value* Owner(Layout layout);

  // LDS: a pointer to a byte, room for `bytes` from offset 0, and ordering.
  llvm::Value* Shared(llvm::Value* byte_offset);
  void ReserveShared(int bytes) { shared_bytes_ = std::max(shared_bytes_, bytes); }
  void SharedBarrier();  // orders LDS accesses of the workgroup
  void FullBarrier();    // orders LDS and global accesses of the workgroup
  // Registers of `layout` to or from LDS, elements in row-major order from `byte_offset`.
  void StoreShared(ValuesRef values, Layout layout, int byte_offset);
  Values LoadShared(llvm::Type* type, Layout layout, int byte_offset);
  // What the elements of a shape take there.
  static int SharedBytes(llvm::Type* type, const Shape& shape);

  // From one layout to another: renamed registers, or a trip through LDS.
  Regs Convert(const Regs& regs, Layout from, Layout to, llvm::Type* type);

  llvm::Value* Intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types, ValuesRef args) {
    return b.CreateIntrinsic(id, types, args);
  }
  // A call of the device libraries' `symbol` (linked later).
  llvm::Value* LibraryCall(llvm::StringRef symbol, llvm::Type* result, ValuesRef args);
  // A new block at the end of the function.
  llvm::BasicBlock* NewBlock(llvm::StringRef name);
  // if (condition) then(), its values merged with `otherwise`.
  Values Predicated(llvm::Value* condition, ValuesRef otherwise, llvm::function_ref<Values()> then);

  // Emits the operations of a block; the terminator included.
  Status Block(mlir::Block& block);
  // Runs a combine region (reduce, scan) on scalars and returns what it yields.
  StatusOr<Values> InlineRegion(mlir::Region& region, ValuesRef args);
  // TritonUnsupportedOp for an operation. `reason`: what about it; `supported`: what would compile.
  Status Unsupported(mlir::Operation* op, std::string reason, std::string supported) const;

  bool wave64() const { return plan.target().gpu.wave_size == 64; }

 private:
  Status Op(mlir::Operation* op);
  llvm::Function* Declare(tt::FuncOp op);
  llvm::Value* ThreadElement(Layout layout);
  llvm::Value* PartOfElement(llvm::Value* index, const std::vector<Bits>& bases);
  llvm::Value* SharedAddress(Layout layout, int reg, llvm::Type* stored, int byte_offset);
  void Fence(llvm::AtomicOrdering ordering, bool local_only);

  struct KeyHash {
    size_t operator()(const std::pair<mlir::Value, Layout>& key) const {
      return llvm::hash_combine(mlir::hash_value(key.first), key.second);
    }
  };
  std::unordered_map<std::pair<mlir::Value, Layout>, Regs, KeyHash> values_;  // references stay valid
  llvm::DenseMap<Layout, llvm::Value*> thread_element_;
  llvm::Value* lane_ = nullptr;
  llvm::Value* warp_ = nullptr;
  int shared_bytes_ = 0;
  std::optional<DebugInfo> debug_info_;
  Status status_;  // the first internal error
};

// Checks what plan and lowering take for granted: every operation has a handler, types and shapes are supported,
// control flow is structured. TritonUnsupportedOp names the first that does not fit.
Status CheckSupported(tt::FuncOp function, const PlanTarget& target);
// The part of it that concerns tt.dot and tt.dot_scaled.
Status CheckProduct(mlir::Operation* op, const PlanTarget& target);
// TritonUnsupportedOp for an operation.
Status UnsupportedOp(mlir::Operation* op, const PlanTarget& target, std::string reason, std::string supported);

}  // namespace rocxla::triton
