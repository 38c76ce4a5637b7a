#include "xla/hlo/stablehlo/op_form.h"

#include <map>

#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/sdy_attributes.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

// The attributes behind "$:kind".
const std::map<std::string_view, std::vector<std::string_view>>& GroupsOfAttributes() {
  static const auto* const all = new std::map<std::string_view, std::vector<std::string_view>>{
      {"float_format", {"exponent_bits", "mantissa_bits"}},
      {"slice", {"start_indices", "limit_indices", "strides"}},
      {"dot_dimensions", {"dot_dimension_numbers", "precision_config", "algorithm"}},
      {"window", {"window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"}}};
  return *all;
}

std::vector<std::string_view> Words(std::string_view form) {
  std::vector<std::string_view> words;
  while (!form.empty()) {
    const size_t end = std::min(form.find(' '), form.size());
    if (end > 0) words.push_back(form.substr(0, end));
    form.remove_prefix(std::min(end + 1, form.size()));
  }
  return words;
}

// "$name:kind" -> {name, kind}.
std::pair<std::string_view, std::string_view> AttributeWord(std::string_view word) {
  const size_t colon = word.find(':');
  return {word.substr(1, colon - 1), word.substr(colon + 1)};
}

class FormParser {
 public:
  FormParser(std::string_view form, OpAsmParser& parser, OperationState& state)
      : words_(Words(form)), parser_(parser), state_(state) {}

  ParseResult Parse() {
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] == "(?") {
        if (failed(TryComma())) {
          while (words_[i] != "?)") ++i;
        } else {
          ++i;  // the comma
        }
        continue;
      }
      if (words_[i] == "?)") continue;
      if (ParseWord(words_[i])) return failure();
    }
    return success();
  }

 private:
  ParseResult TryComma() {
    if (comma_is_taken_) {
      comma_is_taken_ = false;
      return success();
    }
    return parser_.parseOptionalComma();
  }

  ParseResult ParseWord(std::string_view word) {
    if (word == "%") return parser_.parseOperand(operands_.emplace_back());
    if (word == "%*") return ParseOperands();
    if (word == "(%*)") return parser_.parseOperandList(operands_, OpAsmParser::Delimiter::Paren);
    if (word == "{}") return parser_.parseOptionalAttrDict(state_.attributes);
    if (word.front() == '$') return ParseAttributeWord(word);
    if (word.front() == ':') return ParseTypes(word.substr(1));
    if (word == ",") return failed(TryComma()) ? parser_.parseComma() : success();
    if (word == "=") return parser_.parseEqual();
    if (word == "[") return parser_.parseLSquare();
    if (word == "]") return parser_.parseRSquare();
    if (word == "(") return parser_.parseLParen();
    if (word == ")") return parser_.parseRParen();
    return parser_.parseKeyword(word);
  }

  // A comma that no operand follows belongs to what comes behind the operands.
  ParseResult ParseOperands() {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult one = parser_.parseOptionalOperand(operand);
    while (one.has_value()) {
      if (failed(*one)) return failure();
      operands_.push_back(operand);
      if (failed(parser_.parseOptionalComma())) return success();
      one = parser_.parseOptionalOperand(operand);
      comma_is_taken_ = !one.has_value();
    }
    return success();
  }

  ParseResult ParseAttributeWord(std::string_view word) {
    const auto [name, kind] = AttributeWord(word);
    if (kind == "slice") return ParseSlice(parser_, state_);
    if (kind == "dot_dimensions") return ParseDotDimensions(parser_, state_);
    if (kind == "window") return ParseWindow(parser_, state_);
    if (kind == "float_format") return ParseFloatFormat(parser_, state_);
    Attribute value;
    if (ParseValue(kind, value)) return failure();
    state_.addAttribute(name, value);
    return success();
  }

  ParseResult ParseValue(std::string_view kind, Attribute& value) {
    Builder& builder = parser_.getBuilder();
    if (kind == "dims") return Parsed(ParseDims, value);
    if (kind == "conv") return Parsed(ParseConvDimensions, value);
    if (kind == "precisions") {
      ArrayAttr precisions;
      if (ParsePrecisions(parser_, precisions)) return failure();
      value = precisions;
      return success();
    }
    if (kind == "i64" || kind == "i32") {
      const Type type = builder.getIntegerType(kind == "i64" ? 64 : 32);
      return parser_.parseAttribute(value, type);
    }
    if (kind == "bool") {
      const bool is_true = succeeded(parser_.parseOptionalKeyword("true"));
      if (!is_true && parser_.parseKeyword("false")) return failure();
      value = builder.getBoolAttr(is_true);
      return success();
    }
    if (kind == "string") {
      std::string text;
      if (parser_.parseString(&text)) return failure();
      value = builder.getStringAttr(text);
      return success();
    }
    if (kind == "symbol") {
      StringAttr symbol;
      if (parser_.parseSymbolName(symbol)) return failure();
      value = symbol;
      return success();
    }
    if (kind == "sharding") {
      SdyAttr sharding;
      if (ParseSdyBody(parser_, kind, sharding)) return failure();
      value = sharding;
      return success();
    }
    EnumAttr chosen;
    if (ParseEnumValue(parser_, kind, chosen)) return failure();
    value = chosen;
    return success();
  }

  template <class T>
  ParseResult Parsed(ParseResult (*parse)(AsmParser&, T&), Attribute& value) {
    T result;
    if (parse(parser_, result)) return failure();
    value = result;
    return success();
  }

  // ": type", ": (types) -> types", ": types -> types".
  ParseResult ParseTypes(std::string_view kind) {
    if (kind == "operands" && operands_.empty()) return success();
    const SMLoc at = parser_.getCurrentLocation();
    SmallVector<Type> types, results;
    bool has_arrow = false;
    if (parser_.parseColon()) return failure();
    if (succeeded(parser_.parseOptionalLParen())) {
      if (failed(parser_.parseOptionalRParen()) && (parser_.parseTypeList(types) || parser_.parseRParen()))
        return failure();
      if (parser_.parseArrowTypeList(results)) return failure();
      has_arrow = true;
    } else {
      if (parser_.parseTypeList(types)) return failure();
      has_arrow = succeeded(parser_.parseOptionalArrow());
      if (has_arrow && ParseResultTypes(results)) return failure();
    }
    if (!has_arrow && Complete(kind, at, types, results)) return failure();
    state_.addTypes(results);
    return parser_.resolveOperands(operands_, types, at, state_.operands);
  }

  ParseResult ParseResultTypes(SmallVectorImpl<Type>& results) {
    if (failed(parser_.parseOptionalLParen())) return parser_.parseType(results.emplace_back());
    if (succeeded(parser_.parseOptionalRParen())) return success();
    return failure(parser_.parseTypeList(results) || parser_.parseRParen());
  }

  // The types that the short way leaves out.
  ParseResult Complete(std::string_view kind, SMLoc at, SmallVectorImpl<Type>& types, SmallVectorImpl<Type>& results) {
    if (kind == "operands") return success();
    if (kind == "select") {
      if (types.size() != 2) return parser_.emitError(at) << "expected two types, the predicate's and the values'";
      results.push_back(types[1]);
      types.push_back(types[1]);
      return success();
    }
    if (types.size() != 1 || kind == "fn" || kind == "arrow")
      return parser_.emitError(at) << "expected the types of the operands and '->' the types of the results";
    const Type type = types[0];
    results.push_back(type);
    types.assign(operands_.size(), type);
    if (kind == "result") types.clear();
    if (kind == "complex") {
      const auto tensor = dyn_cast<TensorType>(type);
      const auto element = tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
      if (!element) return parser_.emitError(at) << "expected a tensor of complex elements";
      types.assign(operands_.size(), tensor.cloneWith(std::nullopt, element.getElementType()));
    }
    if (kind == "tuple") {
      const auto tuple = dyn_cast<TupleType>(type);
      if (!tuple) return parser_.emitError(at) << "expected a tuple type";
      types.assign(tuple.getTypes().begin(), tuple.getTypes().end());
    }
    return success();
  }

  std::vector<std::string_view> words_;
  OpAsmParser& parser_;
  OperationState& state_;
  SmallVector<OpAsmParser::UnresolvedOperand> operands_;
  bool comma_is_taken_ = false;
};

class FormPrinter {
 public:
  FormPrinter(std::string_view form, Operation* op, OpAsmPrinter& printer)
      : form_(form), words_(Words(form)), op_(op), printer_(printer) {}

  void Print() {
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] == "(?") {
        const size_t end = std::find(words_.begin() + i, words_.end(), "?)") - words_.begin();
        if (!op_->hasAttr(AttributeWord(words_[end - 1]).first)) i = end;
        continue;
      }
      if (words_[i] != "?)") PrintWord(words_[i]);
    }
  }

 private:
  void Space() {
    if (!glued_) printer_ << " ";
    glued_ = false;
  }

  void PrintWord(std::string_view word) {
    if (word == "%") {
      Space();
      printer_ << op_->getOperand(next_operand_++);
    } else if (word == "%*") {
      if (op_->getNumOperands() > 0) Space();
      printer_ << op_->getOperands();
    } else if (word == "(%*)") {
      printer_ << "(" << op_->getOperands() << ")";
    } else if (word == "{}") {
      const auto names = AttributesOfForm(form_);
      printer_.printOptionalAttrDict(op_->getAttrs(), SmallVector<StringRef>(names.begin(), names.end()));
    } else if (word.front() == '$') {
      const auto [name, kind] = AttributeWord(word);
      if (kind != "dot_dimensions") Space();
      PrintValue(name, kind);
    } else if (word.front() == ':') {
      PrintTypes(word.substr(1));
    } else {
      const bool is_tight = word == "," || word == "]" || word == ")" || word == "[" || word == "(";
      if (!is_tight) Space();
      printer_ << StringRef(word);
      glued_ = word == "[" || word == "(";
    }
  }

  void PrintValue(std::string_view name, std::string_view kind) {
    const Attribute value = op_->getAttr(name);
    if (kind == "slice") return PrintSlice(op_, printer_);
    if (kind == "dot_dimensions") return PrintDotDimensions(op_, printer_);
    if (kind == "window") return PrintWindow(op_, printer_);
    if (kind == "float_format") {
      printer_ << "e" << cast<IntegerAttr>(op_->getAttr("exponent_bits")).getInt() << "m"
               << cast<IntegerAttr>(op_->getAttr("mantissa_bits")).getInt();
      return;
    }
    if (kind == "dims") return PrintDims(printer_, AsDims(value).asArrayRef());
    if (kind == "conv") return PrintConvDimensions(printer_, cast<StructAttr>(value));
    if (kind == "precisions") return PrintPrecisions(printer_, cast<ArrayAttr>(value));
    if (kind == "sharding") {
      printer_ << cast<SdyAttr>(value).getBody();
      return;
    }
    if (kind == "symbol") return printer_.printSymbolName(cast<StringAttr>(value).getValue());
    if (const auto chosen = dyn_cast<EnumAttr>(value)) {
      printer_ << chosen.getValue();
      return;
    }
    printer_.printAttributeWithoutType(value);
  }

  void PrintTypes(std::string_view kind) {
    const TypeRange operands = op_->getOperandTypes();
    const TypeRange results = op_->getResultTypes();
    if (kind == "operands") {
      if (!operands.empty()) printer_ << " : " << operands;
      return;
    }
    printer_ << " : ";
    if (kind == "arrow") {
      printer_ << operands;
      printer_.printArrowTypeList(results);
      return;
    }
    if (kind == "select" && operands[1] == operands[2] && results[0] == operands[1]) {
      printer_ << operands[0] << ", " << operands[1];
      return;
    }
    const bool all_same = llvm::all_of(operands, [&](Type type) { return type == results[0]; });
    const bool is_short = kind == "result" || kind == "tuple" || ((kind == "same" || kind == "tokens") && all_same) ||
                          (kind == "complex" && IsPlainComplex());
    if (is_short) {
      printer_ << results[0];
    } else {
      printer_.printFunctionalType(operands, results);
    }
  }

  bool IsPlainComplex() const {
    const auto tensor = dyn_cast<TensorType>(op_->getResult(0).getType());
    const auto element = tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
    if (!element) return false;
    const Type part = tensor.cloneWith(std::nullopt, element.getElementType());
    return op_->getOperand(0).getType() == part && op_->getOperand(1).getType() == part;
  }

  std::string_view form_;
  std::vector<std::string_view> words_;
  Operation* op_;
  OpAsmPrinter& printer_;
  unsigned next_operand_ = 0;
  bool glued_ = false;
};

// Whether an attribute of this kind can be printed as the form does.
bool ValueFits(Attribute value, std::string_view kind) {
  if (!value) return false;
  if (kind == "dims") return AsDims(value) != nullptr;
  if (kind == "conv") return isa<StructAttr>(value) && cast<StructAttr>(value).getKind() == "conv";
  if (kind == "precisions")
    return isa<ArrayAttr>(value) &&
           llvm::all_of(cast<ArrayAttr>(value), [](Attribute one) { return isa<EnumAttr>(one); });
  if (kind == "i64" || kind == "i32")
    return isa<IntegerAttr>(value) && cast<IntegerAttr>(value).getType().isSignlessInteger(kind == "i64" ? 64 : 32);
  if (kind == "bool") return isa<BoolAttr>(value);
  if (kind == "string" || kind == "symbol") return isa<StringAttr>(value);
  if (kind == "sharding") return isa<SdyAttr>(value);
  return isa<EnumAttr>(value) && cast<EnumAttr>(value).getKind() == StringRef(kind);
}

}  // namespace

ParseResult ParseOpForm(std::string_view form, OpAsmParser& parser, OperationState& state) {
  if (form.front() == '@') return FindSpecialForm(form).parse(parser, state);
  return FormParser(form, parser, state).Parse();
}

void PrintOpForm(std::string_view form, Operation* op, OpAsmPrinter& printer) {
  if (form.front() == '@') return FindSpecialForm(form).print(op, printer);
  FormPrinter(form, op, printer).Print();
}

std::vector<std::string_view> AttributesOfForm(std::string_view form) {
  std::vector<std::string_view> names;
  for (std::string_view word : Words(form)) {
    if (word.front() != '$') continue;
    const auto [name, kind] = AttributeWord(word);
    if (!name.empty()) {
      names.push_back(name);
    } else {
      const auto& group = GroupsOfAttributes().at(kind);
      names.insert(names.end(), group.begin(), group.end());
    }
  }
  return names;
}

bool FormFits(std::string_view form, Operation* op) {
  if (form.empty()) return false;
  if (form.front() == '@') return FindSpecialForm(form).fits(op);
  bool is_optional = false;
  for (std::string_view word : Words(form)) {
    if (word == "(?") is_optional = true;
    if (word == "?)") is_optional = false;
    if (word == ":result" || word == ":same" || word == ":tokens" || word == ":select" || word == ":tuple")
      if (op->getNumResults() != 1) return false;
    if (word.front() != '$') continue;
    const auto [name, kind] = AttributeWord(word);
    if (!name.empty()) {
      const Attribute value = op->getAttr(name);
      if (!(is_optional && !value) && !ValueFits(value, kind)) return false;
    } else if (kind == "slice" || kind == "float_format") {
      for (std::string_view part : GroupsOfAttributes().at(kind))
        if (!op->hasAttr(part)) return false;
    } else if (kind == "dot_dimensions") {
      const Attribute precisions = op->getAttr("precision_config");
      if (!isa_and_nonnull<StructAttr>(op->getAttr("dot_dimension_numbers"))) return false;
      if (precisions && !ValueFits(precisions, "precisions")) return false;
      if (op->hasAttr("algorithm") && !isa<StructAttr>(op->getAttr("algorithm"))) return false;
    }
  }
  return true;
}

}  // namespace xla::stablehlo
