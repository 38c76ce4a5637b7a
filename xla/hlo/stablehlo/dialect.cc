#include "xla/hlo/stablehlo/dialect.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/flags.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/op_form.h"
#include "xla/hlo/stablehlo/sdy_attributes.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

constexpr OpInfo kOps[] = {
#define MLIR_OP(name, operands, results, regions, attributes, form, ...) \
  {"stablehlo", #name, operands, results, regions, attributes, form},
#include "xla/hlo/stablehlo/stablehlo_ops.def"
#undef MLIR_OP
#define MLIR_OP(name, operands, results, regions, attributes, form, ...) \
  {"chlo", #name, operands, results, regions, attributes, form},
#include "xla/hlo/stablehlo/chlo_ops.def"
#undef MLIR_OP
#define MLIR_OP(name, operands, results, regions, attributes, form, ...) \
  {"sdy", #name, operands, results, regions, attributes, form},
#include "xla/hlo/stablehlo/sdy_ops.def"
#undef MLIR_OP
};

std::vector<std::string_view> AttributeNames(const OpInfo& info) {
  std::vector<std::string_view> names = AttributesOfForm(info.form.starts_with('@') ? "" : info.form);
  std::string_view rest = info.attributes;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    names.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

// What MLIR asks of an operation's kind, answered from a row. Properties (`<{...}>`) are a dictionary.
class TableOp : public OperationName::Impl {
 public:
  TableOp(const OpInfo& info, Dialect* dialect, TypeID id)
      : Impl(fmt::format("{}.{}", info.dialect, info.name), dialect, id, mlir::detail::InterfaceMap()),
        info_(info),
        names_(AttributeNames(info)) {}

  LogicalResult foldHook(Operation*, ArrayRef<Attribute>, SmallVectorImpl<OpFoldResult>&) override { return failure(); }
  void getCanonicalizationPatterns(RewritePatternSet&, MLIRContext*) override {}
  bool hasTrait(TypeID trait) override {
    return info_.name == "return" && trait == TypeID::get<OpTrait::IsTerminator>();
  }
  OperationName::ParseAssemblyFn getParseAssemblyFn() override {
    return [this](OpAsmParser& parser, OperationState& state) -> ParseResult {
      if (!info_.form.empty()) return ParseOpForm(info_.form, parser, state);
      return parser.emitError(parser.getNameLoc())
             << "this operation has no short form; expected \"" << name.getValue() << "\"(...) : (...) -> ...";
    };
  }
  void populateDefaultAttrs(const OperationName&, NamedAttrList&) override {}
  void printAssembly(Operation* op, OpAsmPrinter& printer, StringRef) override {
    if (!FormFits(info_.form, op)) return printer.printGenericOp(op);
    printer << name.getValue();
    PrintOpForm(info_.form, op, printer);
  }

  LogicalResult verifyInvariants(Operation* op) override {
    return failure(CheckCount(op, "operand", info_.operands, op->getNumOperands()) ||
                   CheckCount(op, "result", info_.results, op->getNumResults()) ||
                   CheckCount(op, "region", info_.regions, op->getNumRegions()) || CheckAttributeNames(op) ||
                   CheckRegions(op));
  }
  LogicalResult verifyRegionInvariants(Operation*) override { return success(); }

  std::optional<Attribute> getInherentAttr(Operation* op, StringRef wanted) override {
    const auto dictionary = Dictionary(op);
    const Attribute value = dictionary ? dictionary.get(wanted) : Attribute();
    return value ? std::optional<Attribute>(value) : std::nullopt;
  }
  void setInherentAttr(Operation* op, StringAttr wanted, Attribute value) override {
    NamedAttrList attributes(Dictionary(op));
    attributes.set(wanted, value);
    Storage(op->getPropertiesStorage()) = attributes.getDictionary(op->getContext());
  }
  void populateInherentAttrs(Operation* op, NamedAttrList& attributes) override {
    if (const auto dictionary = Dictionary(op)) attributes.append(dictionary.begin(), dictionary.end());
  }
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList&, function_ref<InFlightDiagnostic()>) override {
    return success();
  }
  int getOpPropertyByteSize() override { return sizeof(Attribute); }
  void initProperties(OperationName, OpaqueProperties storage, OpaqueProperties init) override {
    new (storage.as<Attribute*>()) Attribute(init ? Storage(init) : Attribute());
  }
  void deleteProperties(OpaqueProperties) override {}
  void populateDefaultProperties(OperationName, OpaqueProperties) override {}
  LogicalResult setPropertiesFromAttr(OperationName, OpaqueProperties storage, Attribute value,
                                      function_ref<InFlightDiagnostic()> emit_error) override {
    if (!isa<DictionaryAttr>(value)) return emit_error() << "expected a dictionary of attributes between '<' and '>'";
    Storage(storage) = value;
    return success();
  }
  Attribute getPropertiesAsAttr(Operation* op) override { return Dictionary(op); }
  void copyProperties(OpaqueProperties to, OpaqueProperties from) override { Storage(to) = Storage(from); }
  bool compareProperties(OpaqueProperties a, OpaqueProperties b) override { return Storage(a) == Storage(b); }
  llvm::hash_code hashProperties(OpaqueProperties storage) override { return hash_value(Storage(storage)); }

 private:
  static Attribute& Storage(OpaqueProperties storage) { return *storage.as<Attribute*>(); }
  static DictionaryAttr Dictionary(Operation* op) {
    return dyn_cast_if_present<DictionaryAttr>(Storage(op->getPropertiesStorage()));
  }

  ParseResult CheckCount(Operation* op, StringRef what, int expected, unsigned found) const {
    if (expected == kAny || static_cast<unsigned>(expected) == found) return success();
    return op->emitError() << name.getValue() << " takes " << expected << " " << what << (expected == 1 ? "" : "s")
                           << ", found " << found;
  }

  ParseResult CheckAttributeNames(Operation* op) const {
    for (NamedAttribute attribute : op->getAttrs()) {
      const std::string_view given = attribute.getName().getValue();
      if (given.find('.') != given.npos || llvm::is_contained(names_, given)) continue;
      const std::string nearest = rocxla::NearestSpelling(given, names_);
      InFlightDiagnostic error = op->emitError()
                                 << name.getValue() << " has no attribute '" << attribute.getName().getValue() << "'";
      if (!nearest.empty()) error << "; did you mean '" << nearest << "'?";
      return error;
    }
    return success();
  }

  // All regions here are one block that ends in a return of their dialect.
  ParseResult CheckRegions(Operation* op) const {
    for (Region& region : op->getRegions()) {
      if (!region.hasOneBlock()) return op->emitError() << "a region of " << name.getValue() << " must be one block";
      if (region.front().empty() || !region.front().back().getName().getStringRef().ends_with(".return"))
        return op->emitError() << "a region of " << name.getValue() << " must end in a return";
    }
    return success();
  }

  const OpInfo& info_;
  std::vector<std::string_view> names_;
};

class TableDialect : public Dialect {
 protected:
  TableDialect(StringRef name, MLIRContext* context, TypeID id) : Dialect(name, context, id) {
    for (const OpInfo& info : kOps)
      if (StringRef(info.dialect) == name)
        RegisteredOperationName::insert(std::make_unique<TableOp>(info, this, ids_.allocate()), {});
  }

 private:
  TypeIDAllocator ids_;
};

class StablehloDialect : public TableDialect {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StablehloDialect)
  static constexpr StringLiteral getDialectNamespace() { return "stablehlo"; }
  explicit StablehloDialect(MLIRContext* context)
      : TableDialect(getDialectNamespace(), context, TypeID::get<StablehloDialect>()) {
    addAttributes<EnumAttr, StructAttr>();
    addTypes<TokenType>();
  }

  Attribute parseAttribute(DialectAsmParser& parser, Type) const override { return ParseStablehloAttribute(parser); }
  void printAttribute(Attribute attribute, DialectAsmPrinter& printer) const override {
    PrintStablehloAttribute(attribute, printer);
  }
  Type parseType(DialectAsmParser& parser) const override {
    StringRef word;
    const SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word)) return {};
    if (word == "token") return TokenType::get(getContext());
    parser.emitError(at) << "StableHLO has no type '" << word << "' that rocXLA reads; expected token";
    return {};
  }
  void printType(Type, DialectAsmPrinter& printer) const override { printer << "token"; }
};

// CHLO's attributes are StableHLO's under another name.
class ChloDialect : public TableDialect {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ChloDialect)
  static constexpr StringLiteral getDialectNamespace() { return "chlo"; }
  explicit ChloDialect(MLIRContext* context)
      : TableDialect(getDialectNamespace(), context, TypeID::get<ChloDialect>()) {
    getContext()->getOrLoadDialect<StablehloDialect>();
  }
  Attribute parseAttribute(DialectAsmParser& parser, Type) const override { return ParseStablehloAttribute(parser); }
};

class SdyDialect : public TableDialect {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SdyDialect)
  static constexpr StringLiteral getDialectNamespace() { return "sdy"; }
  explicit SdyDialect(MLIRContext* context) : TableDialect(getDialectNamespace(), context, TypeID::get<SdyDialect>()) {
    addAttributes<SdyAttr>();
  }
  Attribute parseAttribute(DialectAsmParser& parser, Type) const override { return ParseSdyAttribute(parser); }
  void printAttribute(Attribute attribute, DialectAsmPrinter& printer) const override {
    PrintSdyAttribute(attribute, printer);
  }
};

// Stands where MLIR's quant dialect would, to say that HLO has nothing for it.
class QuantDialect : public Dialect {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(QuantDialect)
  static constexpr StringLiteral getDialectNamespace() { return "quant"; }
  explicit QuantDialect(MLIRContext* context) : Dialect(getDialectNamespace(), context, TypeID::get<QuantDialect>()) {}
  Type parseType(DialectAsmParser& parser) const override {
    parser.emitError(parser.getNameLoc()) << "the quantized type !quant." << parser.getFullSymbolSpec()
                                          << " cannot be read: HLO has no quantized types; lower them first "
                                             "(stablehlo-legalize-quant-to-math)";
    return {};
  }
};

}  // namespace

std::span<const OpInfo> AllOps() { return kOps; }

const OpInfo* FindOp(std::string_view name) {
  static const auto* const by_name = [] {
    auto* const map = new std::unordered_map<std::string, const OpInfo*>;
    for (const OpInfo& info : kOps) map->emplace(fmt::format("{}.{}", info.dialect, info.name), &info);
    return map;
  }();
  const auto it = by_name->find(std::string(name));
  return it == by_name->end() ? nullptr : it->second;
}

std::string DidYouMeanOp(std::string_view name) {
  std::vector<std::string> names;
  for (const OpInfo& info : kOps) names.push_back(fmt::format("{}.{}", info.dialect, info.name));
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string nearest = rocxla::NearestSpelling(name, candidates);
  return nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest);
}

void LoadDialects(MLIRContext& context) {
  context.loadDialect<func::FuncDialect, StablehloDialect, ChloDialect, SdyDialect, QuantDialect>();
}

}  // namespace xla::stablehlo
