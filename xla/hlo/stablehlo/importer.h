// The state of a conversion from StableHLO to HLO: Importer for the module, Scope for a computation that is being
// written, OpImport for one operation. The functions of import_ops.h use them.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/stablehlo_to_hlo.h"
#include "xla/hlo/transforms/expanders/graph_writer.h"

namespace xla::stablehlo {

using Dims = std::vector<int64_t>;
using Instructions = std::vector<HloInstruction*>;

class Scope;

class Importer {
 public:
  Importer(mlir::ModuleOp source, LocateOperation locate, std::string_view own_file)
      : source_(source), locate_(locate), own_file_(own_file) {}

  StatusOr<std::unique_ptr<HloModule>> Run();

  HloModule& module() { return *module_; }
  mlir::ModuleOp source() { return source_; }
  std::string Place(mlir::Location location) const;

  // The computation of a function; of the last call the same. A function that calls itself is an error.
  StatusOr<HloComputation*> ComputationOf(mlir::func::FuncOp function, mlir::Operation* caller);

  // The metadata of a location: op_name, source_file, source_line.
  OpMetadata MetadataOf(mlir::Location location) const;

  // Remembers that what `result` reaches, up to what is known already, comes from `op`.
  void MarkNew(HloInstruction* result, mlir::Operation* op);

 private:
  StatusOr<mlir::func::FuncOp> FindEntry();
  Status SetConfig(mlir::func::FuncOp entry);
  Status SetAliases(mlir::func::FuncOp entry);
  Status SetLayouts(mlir::func::FuncOp entry);
  StatusOr<std::unique_ptr<HloComputation>> Write(mlir::func::FuncOp function, std::string name);

  mlir::ModuleOp source_;
  LocateOperation locate_;
  std::string_view own_file_;
  std::unique_ptr<HloModule> module_;
  llvm::DenseMap<mlir::Operation*, HloComputation*> computations_;  // null while it is being written
  int call_depth_ = 0;
  std::unordered_map<const HloInstruction*, mlir::Operation*> origins_;
};

// A computation that is being written, and the values that are known in it.
class Scope {
 public:
  Scope(Importer& importer, HloComputation& computation) : importer(importer), computation(computation) {}

  // Constants from outside are written again; other values from outside are an error at `user`.
  StatusOr<HloInstruction*> Get(mlir::Value value, mlir::Operation* user);
  void Set(mlir::Value value, HloInstruction* instruction) { values_[value] = instruction; }
  // All but the last operation of a block; the values that the last one returns.
  StatusOr<Instructions> Write(mlir::Block& block);
  // One operation.
  Status Write(mlir::Operation& op);

  HloInstruction* Add(std::unique_ptr<HloInstruction> instruction) {
    return computation.AddInstruction(std::move(instruction));
  }

  Importer& importer;
  HloComputation& computation;

 private:
  llvm::DenseMap<mlir::Value, HloInstruction*> values_;
};

// One operation on its way to HLO. Operands are written already.
class OpImport {
 public:
  OpImport(Scope& scope, mlir::Operation& op) : scope(scope), op(op), write(scope.computation) {}
  // Finds the operands and checks the types of the results.
  Status Prepare();

  std::string_view Name() const { return std::string_view(op.getName().getStringRef()); }
  const Shape& Type(size_t result = 0) const { return types_[result]; }
  const std::vector<Shape>& Types() const { return types_; }
  // The only result's shape, or a tuple of all.
  Shape AllTypes() const;

  // --- Attributes; `or_absent` is what a missing one means, without it a missing one is an error. ---
  StatusOr<Dims> List(llvm::StringRef name, std::optional<Dims> or_absent = std::nullopt) const;
  StatusOr<int64_t> Int(llvm::StringRef name, std::optional<int64_t> or_absent = std::nullopt) const;
  StatusOr<bool> Bool(llvm::StringRef name, std::optional<bool> or_absent = std::nullopt) const;
  StatusOr<std::string> Text(llvm::StringRef name, std::optional<std::string> or_absent = std::nullopt) const;
  // A matrix of integers, row by row: dense<[[0, 1]]> : tensor<1x2xi64>.
  StatusOr<std::vector<Dims>> Rows(llvm::StringRef name) const;
  StatusOr<std::string> Enum(llvm::StringRef name, llvm::StringRef kind,
                             std::optional<std::string> or_absent = std::nullopt) const;
  StatusOr<StructAttr> Struct(llvm::StringRef name, llvm::StringRef kind) const;
  // The enumerator of HLO that is written like the enumeration's value.
  template <class T>
  StatusOr<T> HloEnum(llvm::StringRef name, llvm::StringRef kind) const {
    ASSIGN_OR_RETURN(const std::string text, Enum(name, kind));
    const std::vector<std::string_view> texts = AllTextsOf(T());
    for (size_t i = 0; i < texts.size(); ++i)
      if (texts[i] == text) return static_cast<T>(i);
    return Invalid("the attribute has a value that HLO does not have", text);
  }

  // --- Computations. ---

  // A region whose values come from its arguments and constants only. Several results become a tuple.
  StatusOr<HloComputation*> Region(unsigned index, std::string_view role);
  // `Region` with the parameters given as shapes: a tuple's elements are bound to `values` one by one, anything else to
  // the only one. `extra` results are returned behind the region's own (for loops); `as_tuple`: always a tuple.
  struct RegionPlan {
    std::vector<mlir::Value> values;
    bool tuple_parameter = false;
    bool tuple_result = false;
    size_t pass_through = 0;  // the last so many values are returned too
  };
  StatusOr<HloComputation*> Region(unsigned index, std::string_view role, const RegionPlan& plan);
  // The values, other than constants, that the regions use from outside.
  std::vector<mlir::Value> Captured();

  // --- Results. ---

  // Adds the instruction and binds it: to the only result, or its elements to all results.
  Status Emit(HloOpcode opcode, const Instructions& operands, AttributeSet attributes = {});
  Status Emit(std::unique_ptr<HloInstruction> instruction) { return Bind(scope.Add(std::move(instruction))); }
  // The same with an instruction that is there.
  Status Bind(HloInstruction* result);
  // One value for each result.
  Status BindEach(const Instructions& results);
  // The elements of a tuple, one for each result.
  Status BindElements(HloInstruction* tuple);

  // StablehloInvalid and StablehloUnsupported, at this operation.
  Status Invalid(std::string what, std::string found = "", std::string expected = "") const;
  Status Unsupported(std::string what, std::string found = "", std::string next = "") const;

  Scope& scope;
  mlir::Operation& op;
  GraphWriter write;
  Instructions operands;

 private:
  Status Missing(llvm::StringRef name) const;
  Status WrongKind(llvm::StringRef name, std::string expected) const;
  std::vector<Shape> types_;
};

// A constant or iota: an operation that a region may repeat instead of taking its value from outside.
bool CanBeRepeated(mlir::Value value);

// --- Types and constants (import_types.cc). ---

// Nullopt, with the reason in `problem`, for types that HLO or rocXLA does not have.
std::optional<Shape> ShapeOf(mlir::Type type, std::string& problem);
StatusOr<Literal> LiteralOf(mlir::ElementsAttr value, const Shape& shape);
// The numbers of a constant of integers that defines `value`; absent if it is no constant.
std::optional<Dims> ConstantIntegers(mlir::Value value);

// "attribute = value" of a dictionary as HLO's frontend_attributes: {name="value"}.
std::string FrontendAttributesText(mlir::DictionaryAttr attributes);
std::string QuotedText(std::string_view text);  // "..." with escapes

}  // namespace xla::stablehlo
