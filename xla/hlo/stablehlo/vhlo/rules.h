// vhlo_ops.def as lists, for both directions.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "xla/hlo/ir/status.h"

namespace xla::vhlo {

// A version of VHLO as one number: 1.9.0 is 1009, 0.16.0 is 16.
using Version = int;
inline constexpr Version kNewestVersion = 1020;
std::string VersionName(Version version);  // "1.9.0"
// Of an artifact's producer, "StableHLO_v1.9.0". Errors: VhloUnsupported for other producers and newer versions.
StatusOr<Version> VersionOfProducer(std::string_view producer, std::string_view file_name);

// A row VHLO_OP.
struct OpRule {
  std::string_view name;  // "dot_general"
  int version;
  Version since;
  std::vector<std::string_view> attributes;
};
// Null if there is none.
const OpRule* FindOp(std::string_view name, int version);
// The one that is valid in `version`.
const OpRule* OpOfVersion(std::string_view name, Version version);

// A row VHLO_STRUCT that concerns an operation.
struct StructRule {
  std::string_view attribute, kind;
  struct Field {
    std::string_view name, in_vhlo;
  };
  std::vector<Field> fields;
};
std::vector<StructRule> StructsOf(std::string_view operation);

// The rows VHLO_DEFAULT that concern an operation: attributes and their values.
using Defaults = std::vector<std::pair<std::string_view, mlir::Attribute>>;
Defaults DefaultsOf(std::string_view operation, mlir::MLIRContext* context);
// The same for VHLO_PER_DIMENSION; `attributes`, in VHLO's form, say how many dimensions the window has.
Defaults WindowDefaultsOf(std::string_view operation, const mlir::NamedAttrList& attributes,
                          mlir::MLIRContext* context);

// Attributes of operations that name functions, which VHLO writes as strings.
bool IsSymbol(std::string_view attribute);

}  // namespace xla::vhlo
