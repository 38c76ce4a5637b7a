// Reading the attributes of operations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "xla/hlo/stablehlo/importer.h"
#include "xla/hlo/stablehlo/op_form.h"

using namespace mlir;
namespace xla::stablehlo {

Status OpImport::Missing(StringRef name) const {
  return Invalid(fmt::format("the attribute '{}' is missing", std::string_view(name)));
}

Status OpImport::WrongKind(StringRef name, std::string expected) const {
  std::string found;
  llvm::raw_string_ostream(found) << op.getAttr(name);
  constexpr size_t kLongest = 100;
  if (found.size() > kLongest) found = found.substr(0, kLongest) + "...";
  return Invalid(fmt::format("the attribute '{}' is of another kind", std::string_view(name)), found,
                 std::move(expected));
}

StatusOr<Dims> OpImport::List(StringRef name, std::optional<Dims> or_absent) const {
  const Attribute value = op.getAttr(name);
  if (!value) return or_absent ? StatusOr<Dims>(*or_absent) : Missing(name);
  if (const auto dims = AsDims(value)) return Dims(dims.asArrayRef().begin(), dims.asArrayRef().end());
  // Flags as numbers: window_reversal.
  if (const auto flags = dyn_cast<DenseBoolArrayAttr>(value))
    return Dims(flags.asArrayRef().begin(), flags.asArrayRef().end());
  return WrongKind(name, "a list of integers: array<i64: 1, 2>");
}

StatusOr<int64_t> OpImport::Int(StringRef name, std::optional<int64_t> or_absent) const {
  const Attribute value = op.getAttr(name);
  if (!value) return or_absent ? StatusOr<int64_t>(*or_absent) : Missing(name);
  const auto number = dyn_cast<IntegerAttr>(value);
  if (!number || number.getValue().getSignificantBits() > 64) return WrongKind(name, "an integer: 1 : i64");
  return number.getValue().getSExtValue();
}

StatusOr<bool> OpImport::Bool(StringRef name, std::optional<bool> or_absent) const {
  const Attribute value = op.getAttr(name);
  if (!value) return or_absent ? StatusOr<bool>(*or_absent) : Missing(name);
  if (isa<UnitAttr>(value)) return true;
  const auto flag = dyn_cast<BoolAttr>(value);
  if (!flag) return WrongKind(name, "true or false");
  return flag.getValue();
}

StatusOr<std::string> OpImport::Text(StringRef name, std::optional<std::string> or_absent) const {
  const Attribute value = op.getAttr(name);
  if (!value) return or_absent ? StatusOr<std::string>(*or_absent) : Missing(name);
  const auto text = dyn_cast<StringAttr>(value);
  if (!text) return WrongKind(name, "a string");
  return text.getValue().str();
}

StatusOr<std::vector<Dims>> OpImport::Rows(StringRef name) const {
  const Attribute value = op.getAttr(name);
  if (!value) return Missing(name);
  const auto matrix = dyn_cast<DenseIntElementsAttr>(value);
  constexpr int64_t kMostElements = 1 << 20;
  if (!matrix || matrix.getType().getRank() != 2 || matrix.getNumElements() > kMostElements)
    return WrongKind(name, "a matrix of integers: dense<[[0, 1]]> : tensor<1x2xi64>");
  std::vector<Dims> rows(matrix.getNumElements() == 0 ? 0 : matrix.getType().getDimSize(0));
  const int64_t columns = matrix.getType().getDimSize(1);
  int64_t i = 0;
  for (const llvm::APInt& number : matrix.getValues<llvm::APInt>())
    rows[static_cast<size_t>(i++ / columns)].push_back(number.getSExtValue());
  return rows;
}

StatusOr<std::string> OpImport::Enum(StringRef name, StringRef kind, std::optional<std::string> or_absent) const {
  const Attribute value = op.getAttr(name);
  if (!value) return or_absent ? StatusOr<std::string>(*or_absent) : Missing(name);
  const auto chosen = dyn_cast<EnumAttr>(value);
  if (!chosen || chosen.getKind() != kind)
    return WrongKind(name, fmt::format("#stablehlo<{} ...>", std::string_view(kind)));
  return chosen.getValue().str();
}

StatusOr<StructAttr> OpImport::Struct(StringRef name, StringRef kind) const {
  const Attribute value = op.getAttr(name);
  if (!value) return Missing(name);
  const auto fields = dyn_cast<StructAttr>(value);
  if (!fields || fields.getKind() != kind)
    return WrongKind(name, fmt::format("#stablehlo.{}<...>", std::string_view(kind)));
  return fields;
}

}  // namespace xla::stablehlo
