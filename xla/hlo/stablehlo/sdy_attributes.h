// Shardy's attributes: how tensors lie on a mesh of devices. rocXLA does not partition programs, so they are kept as
// the text that HLO's frontend attributes carry (xla.sdy.sharding), checked for their syntax.
#pragma once
#include <cstdint>
#include <string>

#include "mlir/IR/DialectImplementation.h"
#include "xla/hlo/stablehlo/attributes.h"

namespace xla::stablehlo {

// #sdy.kind<...>. The kinds: mesh, sharding, sharding_per_value, manual_axes.
class SdyAttr : public mlir::Attribute::AttrBase<SdyAttr, mlir::Attribute, KindStorage> {
 public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "sdy.attribute";
  // `body` with its brackets: "<@mesh, [{"x"}, {}]>"
  static SdyAttr get(mlir::MLIRContext* context, llvm::StringRef kind, llvm::StringRef body);
  llvm::StringRef getKind() const;
  llvm::StringRef getBody() const;
};

mlir::Attribute ParseSdyAttribute(mlir::DialectAsmParser& parser);
void PrintSdyAttribute(mlir::Attribute attribute, mlir::DialectAsmPrinter& printer);

// The bodies, as operations write them without '#sdy.kind'.
mlir::ParseResult ParseSdyBody(mlir::AsmParser& parser, llvm::StringRef kind, SdyAttr& result);

// Calls each(name, size) for the axes of a mesh's body.
void ForEachMeshAxis(llvm::StringRef mesh_body, llvm::function_ref<void(llvm::StringRef name, int64_t size)> each);
// The product of the sizes of the axes that `axes_body`, a manual_axes body, names.
int64_t DevicesOfAxes(llvm::StringRef mesh_body, llvm::StringRef axes_body);

}  // namespace xla::stablehlo
