#include "xla/hlo/stablehlo/sdy_attributes.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

// Reads the text and writes the same text with the usual spaces.
class BodyParser {
 public:
  explicit BodyParser(AsmParser& parser) : parser_(parser), out_(text) {}

  // "<["x"=4, "y"=2], device_ids=[0]>"
  ParseResult Mesh() {
    if (parser_.parseLess()) return failure();
    out_ << "<[";
    if (List(AsmParser::Delimiter::Square, [&] {
          int64_t size = 0;
          if (String() || parser_.parseEqual() || parser_.parseInteger(size)) return failure();
          out_ << "=" << size;
          return success();
        }))
      return failure();
    out_ << "]";
    if (succeeded(parser_.parseOptionalComma())) {
      out_ << ", device_ids=[";
      if (parser_.parseKeyword("device_ids") || parser_.parseEqual()) return failure();
      if (List(AsmParser::Delimiter::Square, [&] {
            int64_t id = 0;
            if (parser_.parseInteger(id)) return failure();
            out_ << id;
            return success();
          }))
        return failure();
      out_ << "]";
    }
    out_ << ">";
    return parser_.parseGreater();
  }

  // "<@mesh, [{"x", ?}p1, {}], replicated={"y"}, unreduced={"z"}>"
  ParseResult Sharding() {
    if (parser_.parseLess()) return failure();
    out_ << "<";
    StringAttr symbol;
    if (succeeded(parser_.parseOptionalSymbolName(symbol))) {
      out_ << "@" << symbol.getValue();
    } else {
      if (parser_.parseKeyword("mesh")) return failure();
      out_ << "mesh";
      if (Mesh()) return failure();
    }
    if (parser_.parseComma()) return failure();
    out_ << ", [";
    if (List(AsmParser::Delimiter::Square, [&] { return Dimension(); })) return failure();
    out_ << "]";
    while (succeeded(parser_.parseOptionalComma())) {
      StringRef word;
      const SMLoc at = parser_.getCurrentLocation();
      if (parser_.parseKeyword(&word)) return failure();
      if (word != "replicated" && word != "unreduced")
        return parser_.emitError(at) << "expected replicated or unreduced, found '" << word << "'";
      out_ << ", " << word << "=";
      if (parser_.parseEqual() || Axes()) return failure();
    }
    out_ << ">";
    return parser_.parseGreater();
  }

  // "[<...>, <...>]"
  ParseResult Shardings() {
    out_ << "[";
    if (List(AsmParser::Delimiter::Square, [&] { return Sharding(); })) return failure();
    out_ << "]";
    return success();
  }

  // "<[<...>]>"
  ParseResult ShardingPerValue() {
    if (parser_.parseLess()) return failure();
    out_ << "<";
    if (Shardings()) return failure();
    out_ << ">";
    return parser_.parseGreater();
  }

  // "{"x", "y":(1)2}"
  ParseResult Axes() {
    out_ << "{";
    if (List(AsmParser::Delimiter::Braces, [&] { return Axis(); })) return failure();
    out_ << "}";
    return success();
  }

  std::string text;

 private:
  template <class One>
  ParseResult List(AsmParser::Delimiter delimiter, One one) {
    bool first = true;
    return parser_.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
      if (!first) out_ << ", ";
      first = false;
      return one();
    });
  }

  ParseResult String() {
    std::string word;
    if (parser_.parseString(&word)) return failure();
    out_ << '"' << word << '"';
    return success();
  }

  ParseResult Axis() {
    if (String()) return failure();
    if (failed(parser_.parseOptionalColon())) return success();
    int64_t pre_size = 0, size = 0;
    if (parser_.parseLParen() || parser_.parseInteger(pre_size) || parser_.parseRParen() || parser_.parseInteger(size))
      return failure();
    out_ << ":(" << pre_size << ")" << size;
    return success();
  }

  ParseResult Dimension() {
    out_ << "{";
    if (List(AsmParser::Delimiter::Braces, [&]() -> ParseResult {
          if (failed(parser_.parseOptionalQuestion())) return Axis();
          out_ << "?";
          return success();
        }))
      return failure();
    out_ << "}";
    StringRef priority;
    const SMLoc at = parser_.getCurrentLocation();
    if (failed(parser_.parseOptionalKeyword(&priority))) return success();
    unsigned number = 0;
    if (!priority.starts_with("p") || priority.drop_front().getAsInteger(10, number))
      return parser_.emitError(at) << "expected a priority such as p1, found '" << priority << "'";
    out_ << priority;
    return success();
  }

  AsmParser& parser_;
  llvm::raw_string_ostream out_;
};

int64_t Times(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

}  // namespace

SdyAttr SdyAttr::get(MLIRContext* context, StringRef kind, StringRef body) {
  return Base::get(context, KindStorage::KeyTy(StringAttr::get(context, kind), StringAttr::get(context, body)));
}
StringRef SdyAttr::getKind() const { return getImpl()->key.first.getValue(); }
StringRef SdyAttr::getBody() const { return cast<StringAttr>(getImpl()->key.second).getValue(); }

ParseResult ParseSdyBody(AsmParser& parser, StringRef kind, SdyAttr& result) {
  BodyParser body(parser);
  const ParseResult parsed = kind == "mesh"                 ? body.Mesh()
                             : kind == "sharding"           ? body.Sharding()
                             : kind == "shardings"          ? body.Shardings()
                             : kind == "sharding_per_value" ? body.ShardingPerValue()
                                                            : body.Axes();
  if (failed(parsed)) return failure();
  result = SdyAttr::get(parser.getContext(), kind == "shardings" ? "sharding_per_value" : kind,
                        kind == "shardings" ? "<" + body.text + ">" : body.text);
  return success();
}

Attribute ParseSdyAttribute(DialectAsmParser& parser) {
  StringRef kind;
  const SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&kind)) return {};
  if (kind != "mesh" && kind != "sharding" && kind != "sharding_per_value" && kind != "manual_axes") {
    parser.emitError(at) << "sdy has no attribute '" << kind
                         << "' that rocXLA reads; expected mesh, sharding, sharding_per_value or manual_axes";
    return {};
  }
  SdyAttr result;
  if (ParseSdyBody(parser, kind, result)) return {};
  return result;
}

void PrintSdyAttribute(Attribute attribute, DialectAsmPrinter& printer) {
  const auto sdy = cast<SdyAttr>(attribute);
  printer << sdy.getKind() << sdy.getBody();
}

void ForEachMeshAxis(StringRef mesh_body, llvm::function_ref<void(StringRef name, int64_t size)> each) {
  StringRef axes = mesh_body.split('[').second.split(']').first;
  while (!axes.empty()) {
    const auto [axis, rest] = axes.split(',');
    const auto [quoted, size] = axis.rsplit('=');
    int64_t number = 1;
    if (!size.trim().getAsInteger(10, number)) each(quoted.trim().trim('"'), number);
    axes = rest;
  }
}

int64_t DevicesOfAxes(StringRef mesh_body, StringRef axes_body) {
  int64_t count = 1;
  ForEachMeshAxis(mesh_body, [&](StringRef name, int64_t size) {
    if (axes_body.contains(("\"" + name + "\"").str())) count = Times(count, size);
  });
  return count;
}

}  // namespace xla::stablehlo
