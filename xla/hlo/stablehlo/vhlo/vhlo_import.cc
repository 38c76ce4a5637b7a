#include "xla/hlo/stablehlo/vhlo/vhlo_import.h"

#include <fmt/format.h>

#include "mlir/IR/AttrTypeSubElements.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/stablehlo_to_hlo.h"
#include "xla/hlo/stablehlo/vhlo/container.h"
#include "xla/hlo/stablehlo/vhlo/exporter.h"
#include "xla/hlo/stablehlo/vhlo/importer.h"

namespace xla {
namespace {

// What StableHLO's tools call the text that they read from a pipe: places in it tell nobody anything.
constexpr char kStandardInput[] = "-";

template <class T>
std::string Printed(T value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << value;
  return text;
}

}  // namespace

bool IsMlirBytecode(std::string_view bytes) { return bytes.starts_with(vhlo::kMagic); }

StatusOr<std::unique_ptr<HloModule>> ConvertPortableArtifactToHlo(std::string_view bytes, std::string_view file_name) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  stablehlo::LoadDialects(context);
  ASSIGN_OR_RETURN(const auto module, vhlo::ReadPortableArtifact(bytes, file_name, context));
  const auto locate = [&](mlir::Location location) { return fmt::format("{}: {}", file_name, Printed(location)); };
  return ConvertStablehloToHlo(*module, locate, kStandardInput);
}

StatusOr<std::string> StablehloTextToPortableArtifact(std::string_view text, std::string_view file_name) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  stablehlo::LoadDialects(context);
  ASSIGN_OR_RETURN(auto module, ParseStablehloText(text, file_name, context));
  mlir::AttrTypeReplacer places;
  places.addReplacement([&](mlir::FileLineColLoc place) -> std::optional<mlir::Attribute> {
    if (place.getFilename().strref() != llvm::StringRef(file_name)) return std::nullopt;
    return mlir::FileLineColLoc::get(&context, kStandardInput, place.getLine(), place.getColumn());
  });
  places.recursivelyReplaceElementsIn(*module, /*replaceAttrs=*/false, /*replaceLocs=*/true);
  return vhlo::WritePortableArtifact(*module);
}

StatusOr<std::string> PortableArtifactToStablehloText(std::string_view bytes, std::string_view file_name) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  stablehlo::LoadDialects(context);
  ASSIGN_OR_RETURN(auto module, vhlo::ReadPortableArtifact(bytes, file_name, context));
  return Printed(module.get());
}

}  // namespace xla
