#include "xla/hlo/stablehlo/vhlo/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error_ids.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
namespace xla::vhlo {
namespace {

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool Contains(std::string_view list, std::string_view word) { return llvm::is_contained(Words(list), word); }

const std::vector<OpRule>& AllOps() {
  static const std::vector<OpRule> ops = {
#define VHLO_OP(name, version, since, attributes) {name, version, since, Words(attributes)},
#define VHLO_STRUCT(...)
#define VHLO_DEFAULT(...)
#define VHLO_PER_DIMENSION(...)
#include "xla/hlo/stablehlo/vhlo/vhlo_ops.def"
#undef VHLO_OP
#undef VHLO_STRUCT
#undef VHLO_DEFAULT
#undef VHLO_PER_DIMENSION
  };
  return ops;
}

// More dimensions than this have no window.
constexpr int64_t kMostDimensions = 64;

int64_t WindowRank(const NamedAttrList& attributes) {
  for (const char* name : {"window_dimensions", "input_spatial_dimensions"}) {
    const auto elements = dyn_cast_or_null<DenseElementsAttr>(attributes.get(name));
    if (elements && elements.getNumElements() <= kMostDimensions) return elements.getNumElements();
  }
  return 0;
}

}  // namespace

std::string VersionName(Version version) { return fmt::format("{}.{}.0", version / 1000, version % 1000); }

StatusOr<Version> VersionOfProducer(std::string_view producer, std::string_view file_name) {
  constexpr std::string_view kPrefix = "StableHLO_v";
  int parts[3] = {};
  bool is_version = producer.starts_with(kPrefix);
  const char* at = producer.data() + std::min(kPrefix.size(), producer.size());
  const char* const end = producer.data() + producer.size();
  for (size_t i = 0; i < std::size(parts) && is_version; ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    is_version = error == std::errc() && parts[i] >= 0 && parts[i] < 1000;
    const bool is_last = i + 1 == std::size(parts);
    is_version = is_version && (is_last ? next == end : next != end && *next == '.');
    at = is_last ? next : next + 1;
  }
  if (is_version && parts[0] * 1000 + parts[1] <= kNewestVersion) return parts[0] * 1000 + parts[1];
  return Error(ErrorId::kVhloUnsupported,
               {.what = is_version ? "the artifact is of a newer version of VHLO than rocXLA knows"
                                   : "the bytecode is not a portable artifact of StableHLO",
                .where = std::string(file_name),
                .found = std::string(producer),
                .expected = fmt::format("{}{} or older", kPrefix, VersionName(kNewestVersion)),
                .next = is_version ? "Serialize the program for an older version (jax.export does, for version 1.20.0 "
                                     "and older); or give StableHLO text."
                                   : "Serialize the program as a portable artifact; or give StableHLO text."});
}

const OpRule* FindOp(std::string_view name, int version) {
  const auto& ops = AllOps();
  const auto it = std::ranges::find_if(ops, [&](const OpRule& op) { return op.name == name && op.version == version; });
  return it == ops.end() ? nullptr : &*it;
}

const OpRule* OpOfVersion(std::string_view name, Version version) {
  const OpRule* best = nullptr;
  for (const OpRule& op : AllOps())
    if (op.name == name && op.since <= version && (!best || op.version > best->version)) best = &op;
  return best;
}

std::vector<StructRule> StructsOf(std::string_view operation) {
  std::vector<StructRule> rules;
  const auto add = [&](std::string_view operations, std::string_view attribute, std::string_view kind,
                       std::string_view fields) {
    if (!Contains(operations, operation)) return;
    StructRule& rule = rules.emplace_back(StructRule{attribute, kind, {}});
    for (const std::string_view field : Words(fields)) {
      const size_t equals = field.find('=');
      rule.fields.push_back({field.substr(0, equals), equals == field.npos ? field : field.substr(equals + 1)});
    }
  };
#define VHLO_OP(...)
#define VHLO_STRUCT(operations, attribute, kind, fields) add(operations, attribute, kind, fields);
#define VHLO_DEFAULT(...)
#define VHLO_PER_DIMENSION(...)
#include "xla/hlo/stablehlo/vhlo/vhlo_ops.def"
#undef VHLO_OP
#undef VHLO_STRUCT
#undef VHLO_DEFAULT
#undef VHLO_PER_DIMENSION
  return rules;
}

Defaults DefaultsOf(std::string_view operation, MLIRContext* context) {
  Defaults defaults;
  const auto add = [&](std::string_view operations, std::string_view attribute, std::string_view value) {
    if (operations.empty() || Contains(operations, operation))
      defaults.emplace_back(attribute, parseAttribute(value, context));
  };
#define VHLO_OP(...)
#define VHLO_STRUCT(...)
#define VHLO_DEFAULT(operations, attribute, value) add(operations, attribute, value);
#define VHLO_PER_DIMENSION(...)
#include "xla/hlo/stablehlo/vhlo/vhlo_ops.def"
#undef VHLO_OP
#undef VHLO_STRUCT
#undef VHLO_DEFAULT
#undef VHLO_PER_DIMENSION
  return defaults;
}

Defaults WindowDefaultsOf(std::string_view operation, const NamedAttrList& attributes, MLIRContext* context) {
  Defaults defaults;
  Builder builder(context);
  const int64_t rank = WindowRank(attributes);
  const auto add = [&](std::string_view operations, std::string_view attribute, int64_t value) {
    if (!Contains(operations, operation)) return;
    Attribute elements = builder.getI64TensorAttr(llvm::SmallVector<int64_t>(rank, value));
    if (attribute == "padding") {
      elements = DenseElementsAttr::get(RankedTensorType::get({rank, 2}, builder.getI64Type()), value);
    } else if (attribute == "window_reversal") {
      elements = DenseElementsAttr::get(RankedTensorType::get({rank}, builder.getI1Type()), value != 0);
    }
    defaults.emplace_back(attribute, elements);
  };
#define VHLO_OP(...)
#define VHLO_STRUCT(...)
#define VHLO_DEFAULT(...)
#define VHLO_PER_DIMENSION(operations, attribute, value) add(operations, attribute, value);
#include "xla/hlo/stablehlo/vhlo/vhlo_ops.def"
#undef VHLO_OP
#undef VHLO_STRUCT
#undef VHLO_DEFAULT
#undef VHLO_PER_DIMENSION
  return defaults;
}

bool IsSymbol(std::string_view attribute) {
  return attribute == "callee" || attribute == "decomposition" || attribute == "called_computations";
}

}  // namespace xla::vhlo
