// The pieces of short forms that stand for several attributes.
#include "mlir/IR/Builders.h"
#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/op_form.h"

using namespace mlir;
namespace xla::stablehlo {

DenseI64ArrayAttr AsDims(Attribute attribute) {
  if (const auto dims = dyn_cast_if_present<DenseI64ArrayAttr>(attribute)) return dims;
  const auto elements = dyn_cast_if_present<DenseIntElementsAttr>(attribute);
  if (!elements || elements.getType().getRank() != 1) return {};
  SmallVector<int64_t> numbers;
  for (const llvm::APInt& number : elements.getValues<llvm::APInt>()) numbers.push_back(number.getSExtValue());
  return DenseI64ArrayAttr::get(attribute.getContext(), numbers);
}

// "[0:4:2, 1:2]".
ParseResult ParseSlice(OpAsmParser& parser, OperationState& state) {
  SmallVector<int64_t> starts, limits, strides;
  const auto one = [&]() -> ParseResult {
    strides.push_back(1);
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() || parser.parseInteger(limits.emplace_back()))
      return failure();
    if (failed(parser.parseOptionalColon())) return success();
    return parser.parseInteger(strides.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one)) return failure();
  Builder& builder = parser.getBuilder();
  state.addAttribute("start_indices", builder.getDenseI64ArrayAttr(starts));
  state.addAttribute("limit_indices", builder.getDenseI64ArrayAttr(limits));
  state.addAttribute("strides", builder.getDenseI64ArrayAttr(strides));
  return success();
}

void PrintSlice(Operation* op, OpAsmPrinter& printer) {
  const auto starts = AsDims(op->getAttr("start_indices")), limits = AsDims(op->getAttr("limit_indices")),
             strides = AsDims(op->getAttr("strides"));
  printer << "[";
  const size_t count = starts && limits && strides ? std::min({starts.size(), limits.size(), strides.size()}) : 0;
  for (size_t i = 0; i < count; ++i) {
    printer << (i == 0 ? "" : ", ") << starts[i] << ":" << limits[i];
    if (strides[i] != 1) printer << ":" << strides[i];
  }
  printer << "]";
}

// "[HIGH, DEFAULT]".
ParseResult ParsePrecisions(OpAsmParser& parser, ArrayAttr& result) {
  SmallVector<Attribute> precisions;
  const auto one = [&]() -> ParseResult {
    EnumAttr precision;
    if (ParseEnumValue(parser, "precision", precision)) return failure();
    precisions.push_back(precision);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one)) return failure();
  result = parser.getBuilder().getArrayAttr(precisions);
  return success();
}

void PrintPrecisions(OpAsmPrinter& printer, ArrayAttr precisions) {
  printer << "[";
  llvm::interleaveComma(precisions, printer.getStream(),
                        [&](Attribute one) { printer << cast<EnumAttr>(one).getValue(); });
  printer << "]";
}

// "batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [...], algorithm = <...>"; all but the
// contracting dimensions may be absent.
ParseResult ParseDotDimensions(OpAsmParser& parser, OperationState& state) {
  Builder& builder = parser.getBuilder();
  DenseI64ArrayAttr lists[4];  // lhs and rhs batching, lhs and rhs contracting
  for (DenseI64ArrayAttr& list : lists) list = builder.getDenseI64ArrayAttr({});
  do {
    StringRef word;
    const SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word) || parser.parseEqual()) return failure();
    if (word == "batching_dims" || word == "contracting_dims") {
      DenseI64ArrayAttr* const pair = word == "batching_dims" ? lists : lists + 2;
      if (ParseDims(parser, pair[0]) || parser.parseKeyword("x") || ParseDims(parser, pair[1])) return failure();
    } else if (word == "precision") {
      ArrayAttr precisions;
      if (ParsePrecisions(parser, precisions)) return failure();
      state.addAttribute("precision_config", precisions);
    } else if (word == "algorithm") {
      StructAttr algorithm;
      if (ParseStruct(parser, "dot_algorithm", algorithm)) return failure();
      state.addAttribute("algorithm", algorithm);
    } else {
      return parser.emitError(at) << "expected batching_dims, contracting_dims, precision or algorithm, found '" << word
                                  << "'";
    }
  } while (succeeded(parser.parseOptionalComma()));
  constexpr StringRef kNames[] = {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                                  "rhs_contracting_dimensions"};
  NamedAttrList fields;
  for (int i = 0; i < 4; ++i) fields.append(kNames[i], lists[i]);
  state.addAttribute("dot_dimension_numbers", StructAttr::get(builder.getContext(), "dot", fields));
  return success();
}

void PrintDotDimensions(Operation* op, OpAsmPrinter& printer) {
  const auto dot = cast<StructAttr>(op->getAttr("dot_dimension_numbers"));
  const auto pair = [&](StringRef name, StringRef lhs, StringRef rhs) {
    printer << " " << name << " = ";
    PrintDims(printer, dot.Dims(lhs));
    printer << " x ";
    PrintDims(printer, dot.Dims(rhs));
  };
  if (!dot.Dims("lhs_batching_dimensions").empty() || !dot.Dims("rhs_batching_dimensions").empty()) {
    pair("batching_dims", "lhs_batching_dimensions", "rhs_batching_dimensions");
    printer << ",";
  }
  pair("contracting_dims", "lhs_contracting_dimensions", "rhs_contracting_dimensions");
  if (const auto precisions = op->getAttrOfType<ArrayAttr>("precision_config")) {
    printer << ", precision = ";
    PrintPrecisions(printer, precisions);
  }
  if (const auto algorithm = op->getAttrOfType<StructAttr>("algorithm")) {
    printer << ", algorithm = ";
    PrintStruct(printer, algorithm);
  }
}

namespace {

constexpr std::pair<StringRef, StringRef> kWindowParts[] = {{"stride", "window_strides"},
                                                            {"pad", "padding"},
                                                            {"lhs_dilate", "lhs_dilation"},
                                                            {"rhs_dilate", "rhs_dilation"},
                                                            {"reverse", "window_reversal"}};

// "[[1, 1], [0, 2]]".
ParseResult ParsePadding(OpAsmParser& parser, Attribute& value) {
  SmallVector<int64_t> numbers;
  const auto one = [&]() -> ParseResult {
    return failure(parser.parseLSquare() || parser.parseInteger(numbers.emplace_back()) || parser.parseComma() ||
                   parser.parseInteger(numbers.emplace_back()) || parser.parseRSquare());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one)) return failure();
  const auto type =
      RankedTensorType::get({static_cast<int64_t>(numbers.size() / 2), 2}, parser.getBuilder().getI64Type());
  value = DenseIntElementsAttr::get(type, numbers);
  return success();
}

// "[true, false]", or numbers.
ParseResult ParseReversal(OpAsmParser& parser, Attribute& value) {
  SmallVector<bool> flags;
  const auto one = [&]() -> ParseResult {
    int64_t number = 0;
    if (const OptionalParseResult integer = parser.parseOptionalInteger(number); integer.has_value()) {
      flags.push_back(number != 0);
      return *integer;
    }
    flags.push_back(succeeded(parser.parseOptionalKeyword("true")));
    return flags.back() ? success() : parser.parseKeyword("false");
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one)) return failure();
  value = parser.getBuilder().getDenseBoolArrayAttr(flags);
  return success();
}

}  // namespace

// "{stride = [1, 1], pad = [[0, 0], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]}".
ParseResult ParseWindow(OpAsmParser& parser, OperationState& state) {
  if (parser.parseLBrace()) return failure();
  while (failed(parser.parseOptionalRBrace())) {
    StringRef word;
    const SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word) || parser.parseEqual()) return failure();
    const auto* const part = llvm::find_if(kWindowParts, [&](const auto& known) { return known.first == word; });
    if (part == std::end(kWindowParts))
      return parser.emitError(at) << "a window has no field '" << word
                                  << "'; expected stride, pad, lhs_dilate, rhs_dilate or reverse";
    if (state.attributes.get(part->second)) return parser.emitError(at) << "'" << word << "' is given twice";
    Attribute value;
    DenseI64ArrayAttr dims;
    if (word == "pad") {
      if (ParsePadding(parser, value)) return failure();
    } else if (word == "reverse") {
      if (ParseReversal(parser, value)) return failure();
    } else {
      if (ParseDims(parser, dims)) return failure();
      value = dims;
    }
    state.addAttribute(part->second, value);
    if (failed(parser.parseOptionalComma())) return parser.parseRBrace();
  }
  return success();
}

void PrintWindow(Operation* op, OpAsmPrinter& printer) {
  printer << "{";
  bool first = true;
  for (const auto& [word, name] : kWindowParts) {
    const Attribute value = op->getAttr(name);
    if (!value) continue;
    printer << (first ? "" : ", ") << word << " = ";
    first = false;
    if (const auto padding = dyn_cast<DenseIntElementsAttr>(value); padding && word == "pad") {
      SmallVector<int64_t> numbers;
      for (const llvm::APInt& number : padding.getValues<llvm::APInt>()) numbers.push_back(number.getSExtValue());
      printer << "[";
      for (size_t i = 0; i + 1 < numbers.size(); i += 2)
        printer << (i == 0 ? "" : ", ") << "[" << numbers[i] << ", " << numbers[i + 1] << "]";
      printer << "]";
    } else if (const auto flags = dyn_cast<DenseBoolArrayAttr>(value)) {
      printer << "[";
      llvm::interleaveComma(flags.asArrayRef(), printer.getStream(),
                            [&](bool flag) { printer << (flag ? "true" : "false"); });
      printer << "]";
    } else if (const auto dims = AsDims(value)) {
      PrintDims(printer, dims.asArrayRef());
    }
  }
  printer << "}";
}

// "e8m10".
ParseResult ParseFloatFormat(OpAsmParser& parser, OperationState& state) {
  StringRef word;
  const SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word)) return failure();
  int32_t exponent = 0, mantissa = 0;
  const auto [e, m] = word.split('m');
  if (!e.starts_with("e") || e.drop_front().getAsInteger(10, exponent) || m.getAsInteger(10, mantissa))
    return parser.emitError(at) << "expected a format such as e8m10 (bits of exponent and mantissa), found '" << word
                                << "'";
  state.addAttribute("exponent_bits", parser.getBuilder().getI32IntegerAttr(exponent));
  state.addAttribute("mantissa_bits", parser.getBuilder().getI32IntegerAttr(mantissa));
  return success();
}

}  // namespace xla::stablehlo
