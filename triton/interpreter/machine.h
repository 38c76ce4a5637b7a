// One interpreted program of the grid: its values, and the table of what operations do with them.
#pragma once
#include <string>

#include "base/mlir/location.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "triton/dialect/tt.h"
#include "triton/interpreter/memory.h"
#include "triton/interpreter/values.h"

namespace rocxla::triton {

using Shape = llvm::ArrayRef<int64_t>;

// Of a tensor; a scalar has none.
Shape ExtentsOf(mlir::Value value);
inline mlir::Type ElementTypeOf(mlir::Value value) { return mlir::getElementTypeOrSelf(value.getType()); }
size_t ElementsOf(mlir::Value value);
// In registers: pointers have 64 bits.
unsigned BitsOf(mlir::Type element);
// In memory: i1 takes a byte.
int BytesOf(mlir::Type element);
llvm::APInt IntegerOf(const Element& element, mlir::Type type);
llvm::APFloat FloatOf(const Element& element, mlir::Type type);
Element ElementOf(const llvm::APInt& number);
Element ElementOf(const llvm::APFloat& number);
// Sign-extended.
int64_t SignedOf(const Element& element, mlir::Type type);
// `number`, rounded to nearest even to the float type.
Element Rounded(double number, mlir::Type type);

// The coordinates of a row-major place, and back.
llvm::SmallVector<int64_t, 4> CoordinatesOf(int64_t place, Shape shape);
int64_t PlaceOf(llvm::ArrayRef<int64_t> coordinates, Shape shape);

// FailedPrecondition: what went wrong in `op`. No user meets it, so it has no number.
Status ExecutionError(mlir::Operation* op, std::string what, std::string found = "", std::string expected = "");
// TritonUnsupportedOp: `op` has no meaning here.
Status NoMeaning(mlir::Operation* op, std::string why);

class Machine {
 public:
  Machine(mlir::ModuleOp module, Memory& memory, std::array<int32_t, 3> grid, uint64_t operation_limit)
      : memory(memory), grid(grid), module_(module), operations_left_(operation_limit) {}

  // Runs a function with a set of values of its own and gives what it returns.
  StatusOr<llvm::SmallVector<Data>> Call(tt::FuncOp function, llvm::SmallVector<Data> arguments);
  // Runs a region, through its branches, to the end; gives the terminator that ends it, whose operands are defined.
  StatusOr<mlir::Operation*> RunRegion(mlir::Region& region, llvm::SmallVector<Data> arguments);

  const Data& Get(mlir::Value value) const;
  const Element& Scalar(mlir::Value value) const { return Get(value)[0]; }
  llvm::SmallVector<Data> GetAll(mlir::ValueRange values) const;
  void Set(mlir::Value value, Data data) { values_[value] = std::move(data); }
  void SetAll(mlir::ValueRange values, llvm::SmallVector<Data> data);
  // A condition that decides what runs: an error when it is undefined.
  StatusOr<bool> Condition(mlir::Operation* op, mlir::Value value) const;

  mlir::ModuleOp module() const { return module_; }

  Memory& memory;
  const std::array<int32_t, 3> grid;
  std::array<int32_t, 3> program{};

 private:
  Status RunOp(mlir::Operation* op);

  mlir::ModuleOp module_;
  uint64_t operations_left_;
  llvm::DenseMap<mlir::Value, Data> values_;
};

// Defines the results of an operation.
using Meaning = Status (*)(Machine&, mlir::Operation*);

class Meanings {
 public:
  static const Meanings& All();

  template <class Op>
  void Add(Meaning meaning) {
    table_[mlir::TypeID::get<Op>()] = meaning;
  }
  // Null when the operation has none. Terminators have none: whoever runs their region reads them.
  Meaning Find(mlir::Operation* op) const { return table_.lookup(op->getName().getTypeID()); }

 private:
  llvm::DenseMap<mlir::TypeID, Meaning> table_;
};

// One per file of this folder.
void AddPointwise(Meanings& meanings);
void AddControl(Meanings& meanings);
void AddShapes(Meanings& meanings);
void AddCombining(Meanings& meanings);
void AddProducts(Meanings& meanings);
void AddAccesses(Meanings& meanings);
void AddBlocks(Meanings& meanings);

// tt.load and tt.store through block pointers.
Status RunBlockLoad(Machine& m, mlir::Operation* op);
Status RunBlockStore(Machine& m, mlir::Operation* op);
// `kind` applied to what memory holds and an operand.
Element AtomicResult(tt::RMWOp kind, const Element& held, const Element& operand, mlir::Type type);
// Where `op` may access an element of this type.
Status CheckAccess(Machine& m, mlir::Operation* op, const Element& address, mlir::Type element);

}  // namespace rocxla::triton
