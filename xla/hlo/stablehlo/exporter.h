// The state of a conversion from HLO to StableHLO: Exporter for the module, InstructionExport for one instruction.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/hlo_to_stablehlo.h"

namespace xla::stablehlo {

// The values of an instruction: one of an array or token, one for each leaf of a tuple, depth first.
using Values = llvm::SmallVector<mlir::Value>;
using ValueMap = std::unordered_map<const HloInstruction*, Values>;

class Exporter {
 public:
  Exporter(const HloModule& module, mlir::MLIRContext& context) : module_(module), context_(context) {}

  StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> Run();

  const HloModule& module() const { return module_; }
  mlir::MLIRContext& context() { return context_; }
  // The function of a computation that calls name.
  mlir::func::FuncOp FunctionOf(const HloComputation* computation) const { return functions_.at(computation); }
  // Writes a computation's instructions where the builder stands; the values of its root.
  StatusOr<Values> Write(const HloComputation& computation, mlir::OpBuilder& builder,
                         const std::vector<Values>& parameters);
  mlir::Location LocationOf(const HloInstruction& instruction);
  bool has_locations() const { return has_locations_; }
  // One more operation: an error when there are too many.
  Status Count(const HloInstruction& instruction);
  int depth = 0;  // of regions

 private:
  StatusOr<mlir::func::FuncOp> WriteFunction(const HloComputation& computation, std::string_view name);
  Status SetLayouts(mlir::func::FuncOp entry);

  const HloModule& module_;
  mlir::MLIRContext& context_;
  mlir::ModuleOp result_;
  std::unordered_map<const HloComputation*, mlir::func::FuncOp> functions_;
  int64_t operation_count_ = 0;
  bool has_locations_ = false;
};

class InstructionExport {
 public:
  InstructionExport(Exporter& exporter, mlir::OpBuilder& builder, ValueMap& values, const HloInstruction& instruction)
      : exporter(exporter), builder(builder), instruction(instruction), values_(values) {}

  // The values of one operand, and of all (or those from number `first` on).
  const Values& Operand(int64_t i) const { return values_.at(instruction.operand(i)); }
  Values Operands(int64_t first = 0) const;
  Status Set(Values result);

  // An operation whose results are the leaves of the instruction's shape.
  mlir::OperationState State(llvm::StringRef name, mlir::ValueRange operands) const;
  Status Emit(mlir::OperationState& state);
  Status Emit(llvm::StringRef name, llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  // A region with a block that takes the parameters of the computation, or that sees `known` as their values.
  Status AddRegion(mlir::OperationState& state, const HloComputation& computation);
  Status AddRegionOf(mlir::OperationState& state, const HloComputation& computation, const std::vector<Values>& known);

  mlir::NamedAttribute Dims(llvm::StringRef name, llvm::ArrayRef<int64_t> dims) const {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(dims));
  }
  mlir::NamedAttribute Int(llvm::StringRef name, int64_t number) const {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(number));
  }
  mlir::NamedAttribute Bool(llvm::StringRef name, bool flag) const {
    return builder.getNamedAttr(name, builder.getBoolAttr(flag));
  }
  mlir::NamedAttribute Text(llvm::StringRef name, llvm::StringRef text) const {
    return builder.getNamedAttr(name, builder.getStringAttr(text));
  }
  mlir::NamedAttribute Enum(llvm::StringRef name, llvm::StringRef kind, llvm::StringRef value) const {
    return builder.getNamedAttr(name, EnumAttr::get(builder.getContext(), kind, value));
  }
  mlir::NamedAttribute Struct(llvm::StringRef name, llvm::StringRef kind,
                              llvm::ArrayRef<mlir::NamedAttribute> fields) const {
    return builder.getNamedAttr(name, StructAttr::get(builder.getContext(), kind, fields));
  }
  // dense<[[...], ...]> : tensor<NxMxi64>
  mlir::NamedAttribute Rows(llvm::StringRef name, const std::vector<std::vector<int64_t>>& rows, int64_t columns) const;

  Status Unsupported(std::string what, std::string found = "") const;

  Exporter& exporter;
  mlir::OpBuilder& builder;
  const HloInstruction& instruction;

 private:
  ValueMap& values_;
};

// --- export_types.cc ---

// The types of the leaves of a shape; StableHLO has no opaque values. Leaves of element types that MLIR lacks (none
// today) are null.
void AppendLeafTypes(mlir::MLIRContext& context, const Shape& shape, llvm::SmallVectorImpl<mlir::Type>& types);
int64_t LeafCount(const Shape& shape);
bool HasOpaque(const Shape& shape);
mlir::DenseElementsAttr ElementsOf(mlir::MLIRContext& context, const Literal& literal);

// --- export_ops.cc, export_calls.cc ---

Status ExportInstruction(InstructionExport& out);
Status ExportCollective(InstructionExport& out);
Status ExportCustomCall(InstructionExport& out);
Status ExportTransfer(InstructionExport& out);

}  // namespace xla::stablehlo
