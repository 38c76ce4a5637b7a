#include "xla/hlo/stablehlo/vhlo/exporter.h"

#include <fmt/format.h>

#include <map>

#include "base/error_ids.h"
#include "mlir/IR/Builders.h"
#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/vhlo/attribute_writer.h"
#include "xla/hlo/stablehlo/vhlo/container.h"

namespace xla::vhlo {
namespace {

using mlir::Attribute;
using mlir::Builder;
using mlir::NamedAttribute;
using mlir::NamedAttrList;
using rocxla::ErrorText;

// The forms that an attribute may have in StableHLO as the one that VHLO has for them.
Attribute Normalized(Attribute value) {
  Builder builder(value.getContext());
  if (const auto integers = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(value))
    return builder.getI64TensorAttr(integers.asArrayRef());
  if (const auto flags = mlir::dyn_cast<mlir::DenseBoolArrayAttr>(value)) {
    return mlir::DenseElementsAttr::get(mlir::RankedTensorType::get({flags.size()}, builder.getI1Type()),
                                        flags.asArrayRef());
  }
  if (mlir::isa<mlir::UnitAttr>(value)) return builder.getBoolAttr(true);
  if (const auto symbol = mlir::dyn_cast<mlir::FlatSymbolRefAttr>(value)) return symbol.getAttr();
  if (const auto list = mlir::dyn_cast<mlir::ArrayAttr>(value)) {
    llvm::SmallVector<Attribute> elements;
    for (const Attribute element : list) elements.push_back(Normalized(element));
    return builder.getArrayAttr(elements);
  }
  if (const auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(value)) {
    NamedAttrList entries;
    for (const NamedAttribute& entry : dictionary) entries.set(entry.getName(), Normalized(entry.getValue()));
    return entries.getDictionary(value.getContext());
  }
  return value;
}

// Where the structures' fields are attributes of their own.
NamedAttrList Flattened(std::string_view operation, NamedAttrList attributes) {
  for (const StructRule& rule : StructsOf(operation)) {
    const auto value = mlir::dyn_cast_or_null<stablehlo::StructAttr>(attributes.erase(rule.attribute));
    if (!value) continue;
    Builder builder(value.getContext());
    for (const auto& field : rule.fields) {
      if (const Attribute part = value.getFields().get(field.name)) attributes.set(field.in_vhlo, part);
    }
    // An absent list is an empty one, and an absent number 0.
    if (rule.kind == "dot_algorithm") continue;
    for (const auto& field : rule.fields) {
      if (attributes.get(field.in_vhlo)) continue;
      const bool is_number = field.in_vhlo.ends_with("_dimension") || field.in_vhlo.ends_with("_dim") ||
                             field.in_vhlo.starts_with("channel_");
      attributes.set(field.in_vhlo,
                     is_number ? Attribute(builder.getI64IntegerAttr(0)) : Attribute(builder.getDenseI64ArrayAttr({})));
    }
  }
  for (const NamedAttribute& attribute : llvm::to_vector(attributes.getAttrs()))
    attributes.set(attribute.getName(), Normalized(attribute.getValue()));
  return attributes;
}

class Exporter {
 public:
  explicit Exporter(Version version) : version_(version), writer_(version) {}

  StatusOr<std::string> Run(mlir::ModuleOp module) {
    ByteWriter program;
    program.VarInt(1 << 1);  // one operation, no arguments
    RETURN_IF_ERROR(WriteModule(module, program));
    return File(program);
  }

 private:
  Status Unsupported(mlir::Operation* operation, ErrorText text) const {
    text.where = operation->getName().getStringRef().str();
    return Error(ErrorId::kVhloUnsupported, std::move(text));
  }

  size_t OperationNumber(std::string_view dialect, std::string_view name) {
    const auto [it, is_new] = names_.try_emplace({dialect == "vhlo", std::string(name)}, name_list_.size());
    if (is_new) name_list_.emplace_back(dialect == "vhlo", writer_.String(name));
    return it->second;
  }

  Status WriteModule(mlir::ModuleOp module, ByteWriter& out) {
    NamedAttrList others;
    ByteWriter properties;
    for (const char* name : {"sym_name", "sym_visibility"}) {
      const Attribute value = module->getAttr(name);
      if (!value) {
        properties.VarInt(0);
        continue;
      }
      ASSIGN_OR_RETURN(const size_t index, writer_.Attribute(value, AttributeWriter::Form::kBuiltin));
      properties.VarInt(index << 1 | 1);
    }
    for (const NamedAttribute& attribute : module->getDiscardableAttrs()) others.push_back(attribute);
    ASSIGN_OR_RETURN(const size_t location, writer_.Location(module.getLoc()));
    out.VarInt(OperationNumber("builtin", "module"));
    out.Byte(kHasRegions | kHasProperties | (others.empty() ? 0 : kHasAttributes));
    out.VarInt(location);
    if (!others.empty()) {
      ASSIGN_OR_RETURN(const size_t index,
                       writer_.Attribute(others.getDictionary(module.getContext()), AttributeWriter::Form::kBuiltin));
      out.VarInt(index);
    }
    out.VarInt(PropertiesNumber(properties.bytes()));
    return WriteRegions(module, /*isolated=*/true, out);
  }

  size_t PropertiesNumber(const std::string& bytes) {
    const auto [it, is_new] = property_numbers_.try_emplace(bytes, properties_.size());
    if (is_new) properties_.push_back(bytes);
    return it->second;
  }

  // The operation's attributes in VHLO, those of `rule` first and in its order.
  StatusOr<std::vector<NamedAttribute>> Attributes(mlir::Operation* operation, const OpRule& rule) {
    Builder builder(operation->getContext());
    NamedAttrList attributes = Flattened(rule.name, NamedAttrList(operation->getAttrDictionary()));
    auto& fixed = defaults_.try_emplace(rule.name, DefaultsOf(rule.name, operation->getContext())).first->second;
    Defaults defaults = WindowDefaultsOf(rule.name, attributes, operation->getContext());
    defaults.insert(defaults.end(), fixed.begin(), fixed.end());
    std::vector<NamedAttribute> result;
    for (const std::string_view name : rule.attributes) {
      Attribute value = attributes.erase(name);
      for (const auto& [defaulted, otherwise] : defaults)
        if (!value && defaulted == name) value = otherwise;
      if (!value) return Unsupported(operation, {.what = "an attribute is missing", .expected = std::string(name)});
      result.push_back(builder.getNamedAttr(name, value));
    }
    for (const NamedAttribute& left : attributes) {
      const std::string_view name = left.getName().strref();
      const bool is_default = llvm::any_of(
          defaults, [&](const auto& entry) { return entry.first == name && entry.second == left.getValue(); });
      if (is_default) continue;
      if (name.find('.') == name.npos) {
        return Unsupported(operation,
                           {.what = fmt::format("VHLO {} has no place for an attribute", VersionName(version_)),
                            .found = std::string(name)});
      }
      result.push_back(left);
    }
    return result;
  }

  Status WriteOperation(mlir::Operation* operation, ByteWriter& out) {
    const std::string_view dialect = operation->getName().getDialectNamespace();
    const std::string_view name = operation->getName().stripDialect();
    const bool is_function = dialect == "func" && name == "func";
    const bool is_known =
        dialect == "stablehlo" || (dialect == "func" && (name == "call" || name == "return")) || is_function;
    const OpRule* rule = is_known ? OpOfVersion(name, version_) : nullptr;
    if (!rule) {
      return Unsupported(operation, {.what = fmt::format("VHLO {} does not have the operation", VersionName(version_)),
                                     .next = "Write the program as StableHLO text (.mlir) or HLO."});
    }
    ASSIGN_OR_RETURN(const std::vector<NamedAttribute> attributes, Attributes(operation, *rule));
    ByteWriter properties;
    NamedAttrList others;
    for (const NamedAttribute& attribute : attributes) {
      if (&attribute - attributes.data() >= static_cast<int64_t>(rule->attributes.size())) {
        others.push_back(attribute);
        continue;
      }
      const auto form =
          attribute.getName() == "api_version" ? AttributeWriter::Form::kApiVersion : AttributeWriter::Form::kVhlo;
      ASSIGN_OR_RETURN(const size_t index, writer_.Attribute(attribute.getValue(), form));
      properties.VarInt(index);
    }
    const bool has_properties = !rule->attributes.empty();
    ASSIGN_OR_RETURN(const size_t location, writer_.Location(operation->getLoc()));
    out.VarInt(OperationNumber("vhlo", fmt::format("{}_v{}", rule->name, rule->version)));
    out.Byte((others.empty() ? 0 : kHasAttributes) | (has_properties ? kHasProperties : 0) |
             (operation->getNumResults() ? kHasResults : 0) | (operation->getNumOperands() ? kHasOperands : 0) |
             (operation->getNumRegions() ? kHasRegions : 0));
    out.VarInt(location);
    if (!others.empty()) {
      ASSIGN_OR_RETURN(const size_t index, writer_.Attribute(others.getDictionary(operation->getContext()),
                                                             AttributeWriter::Form::kDictionary));
      out.VarInt(index);
    }
    if (has_properties) out.VarInt(PropertiesNumber(properties.bytes()));
    if (operation->getNumResults()) RETURN_IF_ERROR(WriteTypes(operation->getResultTypes(), out));
    if (operation->getNumOperands()) {
      out.VarInt(operation->getNumOperands());
      for (const mlir::Value operand : operation->getOperands()) out.VarInt(values_.lookup(operand));
    }
    return operation->getNumRegions() ? WriteRegions(operation, is_function, out) : OkStatus();
  }

  template <class Types>
  Status WriteTypes(const Types& types, ByteWriter& out) {
    out.VarInt(types.size());
    for (const mlir::Type type : types) {
      ASSIGN_OR_RETURN(const size_t index, writer_.Type(type));
      out.VarInt(index);
    }
    return OkStatus();
  }

  // Values are numbered anew in an isolated region; in others, behind all those of the region around it.
  Status WriteRegions(mlir::Operation* operation, bool isolated, ByteWriter& out) {
    out.VarInt(uint64_t{operation->getNumRegions()} << 1 | (isolated ? 1 : 0));
    const size_t before = std::exchange(next_value_, isolated ? 0 : next_value_);
    ByteWriter part;
    for (mlir::Region& region : operation->getRegions()) {
      const size_t first = next_value_;
      RETURN_IF_ERROR(WriteRegion(region, part));
      next_value_ = first;
    }
    next_value_ = before;
    if (isolated) {
      WriteSection(kIrSection, part.bytes(), out);
    } else {
      out.Append(part.bytes());
    }
    return OkStatus();
  }

  Status WriteRegion(mlir::Region& region, ByteWriter& out) {
    out.VarInt(region.getBlocks().size());
    if (region.empty()) return OkStatus();
    const size_t first = next_value_;
    for (mlir::Block& block : region) {
      for (const mlir::Value argument : block.getArguments()) values_[argument] = next_value_++;
      for (mlir::Operation& operation : block)
        for (const mlir::Value result : operation.getResults()) values_[result] = next_value_++;
    }
    out.VarInt(next_value_ - first);
    for (mlir::Block& block : region) RETURN_IF_ERROR(WriteBlock(block, out));
    return OkStatus();
  }

  Status WriteBlock(mlir::Block& block, ByteWriter& out) {
    out.VarInt(uint64_t{block.getOperations().size()} << 1 | (block.getNumArguments() > 0 ? 1 : 0));
    if (block.getNumArguments() > 0) {
      out.VarInt(block.getNumArguments());
      for (const mlir::BlockArgument argument : block.getArguments()) {
        ASSIGN_OR_RETURN(const size_t type, writer_.Type(argument.getType()));
        ASSIGN_OR_RETURN(const size_t location, writer_.Location(argument.getLoc()));
        out.VarInt(type << 1 | 1);
        out.VarInt(location);
      }
      out.Byte(0);  // no orders of uses
    }
    for (mlir::Operation& operation : block) RETURN_IF_ERROR(WriteOperation(&operation, out));
    return OkStatus();
  }

  static void WriteSection(SectionId id, const std::string& bytes, ByteWriter& out) {
    out.Byte(id);
    out.VarInt(bytes.size());
    out.Append(bytes);
  }

  std::string File(const ByteWriter& program) {
    ByteWriter dialects, offsets, data, properties, strings, file;
    constexpr std::string_view kDialects[] = {"builtin", "vhlo"};
    dialects.VarInt(std::size(kDialects));
    for (const std::string_view dialect : kDialects) dialects.VarInt(writer_.String(dialect) << 1);
    dialects.VarInt(name_list_.size());
    for (const auto& [is_vhlo, name] : name_list_) {
      dialects.VarInt(is_vhlo);
      dialects.VarInt(1);
      dialects.VarInt(name << 1 | 1);
    }
    offsets.VarInt(writer_.attributes().size());
    offsets.VarInt(writer_.types().size());
    for (const auto* entries : {&writer_.attributes(), &writer_.types()}) {
      for (const AttributeWriter::Entry& entry : *entries) {
        offsets.VarInt(!entry.is_builtin);
        offsets.VarInt(1);
        offsets.VarInt(uint64_t{entry.bytes.size()} << 1 | 1);
        data.Append(entry.bytes);
      }
    }
    properties.VarInt(properties_.size());
    for (const std::string& bytes : properties_) {
      properties.VarInt(bytes.size());
      properties.Append(bytes);
    }
    const std::vector<std::string>& texts = writer_.strings();
    strings.VarInt(texts.size());
    for (auto text = texts.rbegin(); text != texts.rend(); ++text) strings.VarInt(text->size() + 1);
    for (const std::string& text : texts) strings.Append(std::string_view(text.c_str(), text.size() + 1));

    file.Append(kMagic);
    file.VarInt(kNewestFormat);
    file.Append(fmt::format("StableHLO_v{}", VersionName(version_)));
    file.Byte(0);
    WriteSection(kStringSection, strings.bytes(), file);
    WriteSection(kDialectSection, dialects.bytes(), file);
    WriteSection(kAttrTypeSection, data.bytes(), file);
    WriteSection(kAttrTypeOffsetSection, offsets.bytes(), file);
    WriteSection(kIrSection, program.bytes(), file);
    WriteSection(kPropertiesSection, properties.bytes(), file);
    return file.bytes();
  }

  Version version_;
  AttributeWriter writer_;
  std::map<std::pair<bool, std::string>, size_t> names_;  // of operations: whether of vhlo, and the name
  std::vector<std::pair<bool, size_t>> name_list_;        // the same by number; the name's string
  std::map<std::string, size_t> property_numbers_;
  std::vector<std::string> properties_;
  std::map<std::string_view, Defaults> defaults_;
  llvm::DenseMap<mlir::Value, size_t> values_;
  size_t next_value_ = 0;
};

}  // namespace

StatusOr<std::string> WritePortableArtifact(mlir::ModuleOp module, Version version) {
  return Exporter(version).Run(module);
}

}  // namespace xla::vhlo
