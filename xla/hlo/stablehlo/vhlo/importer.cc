#include "xla/hlo/stablehlo/vhlo/importer.h"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "base/error_ids.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/vhlo/attribute_reader.h"
#include "xla/hlo/stablehlo/vhlo/rules.h"

namespace xla::vhlo {
namespace {

using mlir::Attribute;
using mlir::Builder;
using mlir::NamedAttribute;
using mlir::NamedAttrList;
using mlir::OperationState;
using mlir::StringAttr;
using rocxla::ErrorText;

// Of dimensions: one in which all elements are alike takes little room in a file.
constexpr int64_t kLongestList = 1 << 16;

// Lists of dimensions and of flags are tensors in VHLO and arrays in StableHLO.
Attribute AsList(Attribute value) {
  const auto elements = mlir::dyn_cast<mlir::DenseIntElementsAttr>(value);
  if (!elements || elements.getType().getRank() != 1 || elements.getNumElements() > kLongestList) return value;
  if (elements.getElementType().isInteger(64))
    return mlir::DenseI64ArrayAttr::get(value.getContext(), llvm::to_vector(elements.getValues<int64_t>()));
  if (elements.getElementType().isInteger(1))
    return mlir::DenseBoolArrayAttr::get(value.getContext(), llvm::to_vector(elements.getValues<bool>()));
  return value;
}

Attribute AsSymbol(Attribute value) {
  if (const auto name = mlir::dyn_cast<StringAttr>(value)) return mlir::FlatSymbolRefAttr::get(name);
  const auto names = mlir::dyn_cast<mlir::ArrayAttr>(value);
  if (!names) return value;
  llvm::SmallVector<Attribute> symbols;
  for (const Attribute name : names) symbols.push_back(AsSymbol(name));
  return mlir::ArrayAttr::get(value.getContext(), symbols);
}

// An operation's attributes as StableHLO has them; `defaults` of DefaultsOf.
void Translate(const OpRule& rule, NamedAttrList& attributes, const Defaults& defaults, Builder& builder) {
  const Defaults window = WindowDefaultsOf(rule.name, attributes, builder.getContext());
  for (const Defaults* list : {&defaults, &window})
    for (const auto& [name, value] : *list)
      if (attributes.get(name) == value) attributes.erase(name);
  for (const std::string_view name : rule.attributes) {
    const Attribute value = attributes.get(name);
    if (!value || rule.name == "constant") continue;
    attributes.set(name, IsSymbol(name) ? AsSymbol(value) : AsList(value));
  }
  for (const StructRule& structure : StructsOf(rule.name)) {
    llvm::SmallVector<NamedAttribute> fields;
    for (const auto& field : structure.fields)
      if (const Attribute value = attributes.erase(field.in_vhlo))
        fields.push_back(builder.getNamedAttr(field.name, value));
    if (!fields.empty())
      attributes.set(structure.attribute, stablehlo::StructAttr::get(builder.getContext(), structure.kind, fields));
  }
}

class Importer {
 public:
  Importer(const Container& container, mlir::MLIRContext& context, ByteCursor file, std::string_view file_name)
      : container_(container),
        attributes_(container, context, file),
        file_(file),
        file_name_(file_name),
        builder_(&context),
        values_(container.value_count) {}

  StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> Run() {
    ASSIGN_OR_RETURN(version_, VersionOfProducer(container_.producer, file_name_));
    const OperationName& name = container_.operation_names[container_.top.name];
    if (name.dialect != "builtin" || name.name != "module" || container_.top.regions.size() != 1 ||
        container_.top.regions[0].blocks.size() > 1)
      return Bad(container_.top, {.what = "the program is no module"});
    ASSIGN_OR_RETURN(const mlir::Location location, attributes_.LocationAt(container_.top.location));
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(location);
    RETURN_IF_ERROR(ReadModuleAttributes(*module));
    for (const Block& block : container_.top.regions[0].blocks)
      RETURN_IF_ERROR(ReadOperations(block, module->getBody(), /*function=*/false));
    return module;
  }

 private:
  std::string Name(const Operation& operation) const {
    const OperationName& name = container_.operation_names[operation.name];
    return fmt::format("{}.{}", name.dialect, name.name);
  }
  Status Bad(const Operation& operation, ErrorText text, ErrorId id = ErrorId::kVhloBadArtifact) const {
    text.where = fmt::format("{}: {}, operation {} of the program", file_name_, Name(operation), count_);
    return Error(id, std::move(text));
  }

  // sym_name and sym_visibility, and what has names with a dialect's prefix.
  Status ReadModuleAttributes(mlir::ModuleOp module) {
    ASSIGN_OR_RETURN(const NamedAttrList attributes, ReadDictionary(container_.top));
    for (const NamedAttribute& attribute : attributes) module->setAttr(attribute.getName(), attribute.getValue());
    if (!container_.top.properties) return OkStatus();
    ByteCursor cursor = file_.At(container_.properties[*container_.top.properties]);
    for (const char* name : {"sym_name", "sym_visibility"}) {
      const ByteCursor before = cursor;
      ASSIGN_OR_RETURN(const uint64_t flagged, cursor.VarInt());
      if ((flagged & 1) == 0) continue;
      if (flagged >> 1 >= container_.attributes.size()) return before.Error({.what = "the module's name is missing"});
      ASSIGN_OR_RETURN(const Attribute value, attributes_.AttributeAt(flagged >> 1));
      if (!mlir::isa<StringAttr>(value)) return before.Error({.what = "the module's name is no string"});
      module->setAttr(name, value);
    }
    return OkStatus();
  }

  StatusOr<NamedAttrList> ReadDictionary(const Operation& operation) {
    if (!operation.attributes) return NamedAttrList();
    ASSIGN_OR_RETURN(const Attribute attribute, attributes_.AttributeAt(*operation.attributes));
    const auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(attribute);
    if (!dictionary) return Bad(operation, {.what = "the attributes are no dictionary"});
    return NamedAttrList(dictionary);
  }

  StatusOr<NamedAttrList> ReadAttributes(const Operation& operation, const OpRule& rule) {
    ASSIGN_OR_RETURN(NamedAttrList attributes, ReadDictionary(operation));
    if (operation.properties) {
      ByteCursor cursor = file_.At(container_.properties[*operation.properties]);
      for (const std::string_view name : rule.attributes) {
        ASSIGN_OR_RETURN(const Attribute value, attributes_.ReadAttribute(cursor));
        attributes.set(name, value);
      }
      if (!cursor.AtEnd())
        return cursor.Error({.what = fmt::format("{} has more attributes than it should", Name(operation))});
    }
    for (const std::string_view name : rule.attributes)
      if (!attributes.get(name))
        return Bad(operation, {.what = "an attribute is missing", .expected = std::string(name)});
    return attributes;
  }

  // The row for "dot_general_v2".
  StatusOr<const OpRule*> FindRule(const Operation& operation) const {
    const OperationName& full = container_.operation_names[operation.name];
    const size_t suffix = full.name.rfind("_v");
    int number = 0;
    if (suffix != full.name.npos) {
      const char* end = full.name.data() + full.name.size();
      if (std::from_chars(full.name.data() + suffix + 2, end, number).ptr != end) number = 0;
    }
    const OpRule* rule = full.dialect == "vhlo" ? FindOp(full.name.substr(0, suffix), number) : nullptr;
    if (rule && rule->since <= version_) return rule;
    return Bad(
        operation,
        {.what = rule ? "the operation is newer than the artifact's version"
                      : "the operation is unknown, or not part of VHLO",
         .expected = rule ? fmt::format("version {} or newer", VersionName(rule->since)) : "an operation of vhlo",
         .next = "Serialize the program again; other dialects must be legalized first."},
        rule ? ErrorId::kVhloBadArtifact : ErrorId::kVhloUnsupported);
  }

  Status ReadOperations(const Block& block, mlir::Block* out, bool function) {
    for (const Operation& operation : block.operations) RETURN_IF_ERROR(ReadOperation(operation, out, function));
    return OkStatus();
  }

  Status ReadOperation(const Operation& operation, mlir::Block* block, bool in_function) {
    ++count_;
    ASSIGN_OR_RETURN(const OpRule* const rule, FindRule(operation));
    ASSIGN_OR_RETURN(NamedAttrList attributes, ReadAttributes(operation, *rule));
    // Its padding is an operand; the first version had it as an attribute too.
    if (rule->name == "dynamic_conv") attributes.erase("padding");
    const auto defaults = defaults_.try_emplace(rule->name, DefaultsOf(rule->name, builder_.getContext())).first;
    Translate(*rule, attributes, defaults->second, builder_);

    const bool is_function = rule->name == "func";
    const bool is_func_dialect = is_function || rule->name == "call" || (rule->name == "return" && in_function);
    ASSIGN_OR_RETURN(const mlir::Location location, attributes_.LocationAt(operation.location));
    OperationState state(location, fmt::format("{}.{}", is_func_dialect ? "func" : "stablehlo", rule->name));
    state.attributes = std::move(attributes);
    for (const ValueId operand : operation.operands) state.operands.push_back(values_[operand]);
    for (const uint32_t type : operation.result_types) {
      ASSIGN_OR_RETURN(const mlir::Type result, attributes_.TypeAt(type));
      state.addTypes(result);
    }
    for (size_t i = 0; i < operation.regions.size(); ++i) state.addRegion();
    builder_.setInsertionPointToEnd(block);
    mlir::Operation* const made = builder_.create(state);
    for (size_t i = 0; i < made->getNumResults(); ++i) values_[operation.first_result + i] = made->getResult(i);
    for (size_t i = 0; i < operation.regions.size(); ++i)
      RETURN_IF_ERROR(ReadRegion(operation.regions[i], made->getRegion(i), is_function));
    return OkStatus();
  }

  Status ReadRegion(const Region& region, mlir::Region& out, bool function) {
    for (const Block& block : region.blocks) {
      mlir::Block& made = out.emplaceBlock();
      for (size_t i = 0; i < block.argument_types.size(); ++i) {
        ASSIGN_OR_RETURN(const mlir::Type type, attributes_.TypeAt(block.argument_types[i]));
        values_[block.first_argument + i] = made.addArgument(type, builder_.getUnknownLoc());
      }
      RETURN_IF_ERROR(ReadOperations(block, &made, function));
    }
    return OkStatus();
  }

  const Container& container_;
  AttributeReader attributes_;
  ByteCursor file_;
  std::string_view file_name_;
  mlir::OpBuilder builder_;
  std::vector<mlir::Value> values_;
  std::map<std::string_view, Defaults> defaults_;
  Version version_ = 0;
  int count_ = 0;
};

std::span<const uint8_t> AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> ReadPortableArtifact(std::string_view bytes, std::string_view file_name,
                                                                 mlir::MLIRContext& context) {
  ASSIGN_OR_RETURN(const Container container, ReadContainer(AsBytes(bytes), file_name));
  std::string complaint;
  const mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
    if (complaint.empty()) complaint = diagnostic.str();
  });
  ASSIGN_OR_RETURN(auto module, Importer(container, context, ByteCursor(AsBytes(bytes), file_name), file_name).Run());
  if (mlir::succeeded(mlir::verify(*module))) return module;
  return Error(ErrorId::kStablehloInvalid,
               {.what = complaint.empty() ? "the artifact's operations are not well formed" : complaint,
                .where = std::string(file_name),
                .next = "Serialize the program again; the file may be damaged."});
}

}  // namespace xla::vhlo
