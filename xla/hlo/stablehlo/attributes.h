// StableHLO's attributes and types as MLIR classes: two kinds of attributes for the whole of attributes.def, so that
// whoever makes operations (the text's parser, the bytecode reader, the exporter) makes them by name.
//
//   EnumAttr::get(context, "precision", "HIGHEST")
//   StructAttr::get(context, "gather", {{"offset_dims", builder.getDenseI64ArrayAttr({1})}, ...})
#pragma once
#include <span>
#include <string_view>
#include <utility>

#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"

namespace xla::stablehlo {

// A kind and what it holds.
struct KindStorage : mlir::AttributeStorage {
  using KeyTy = std::pair<mlir::StringAttr, mlir::Attribute>;
  explicit KindStorage(KeyTy key) : key(key) {}
  bool operator==(const KeyTy& other) const { return key == other; }
  static KindStorage* construct(mlir::AttributeStorageAllocator& allocator, KeyTy key) {
    return new (allocator.allocate<KindStorage>()) KindStorage(key);
  }
  KeyTy key;
};

// A dimension without a bound in type_extensions.
inline constexpr int64_t kNoBound = mlir::ShapedType::kDynamic;

// #stablehlo<kind VALUE>.
class EnumAttr : public mlir::Attribute::AttrBase<EnumAttr, mlir::Attribute, KindStorage> {
 public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "stablehlo.enum";
  // `kind` and `value` are of attributes.def.
  static EnumAttr get(mlir::MLIRContext* context, llvm::StringRef kind, llvm::StringRef value);
  llvm::StringRef getKind() const;
  llvm::StringRef getValue() const;
};

// #stablehlo.name<field = value, ...>. Fields are kept as: Dims: DenseI64ArrayAttr; Int: IntegerAttr of i64; Bool:
// BoolAttr; Float: FloatAttr of f64; String: StringAttr; TypeOf: TypeAttr; Any: the attribute; Axes: ArrayAttr.
class StructAttr : public mlir::Attribute::AttrBase<StructAttr, mlir::Attribute, KindStorage> {
 public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "stablehlo.struct";
  // `kind` is a name of attributes.def and so are the fields' names.
  static StructAttr get(mlir::MLIRContext* context, llvm::StringRef kind, mlir::DictionaryAttr fields);
  static StructAttr get(mlir::MLIRContext* context, llvm::StringRef kind, llvm::ArrayRef<mlir::NamedAttribute> fields);
  llvm::StringRef getKind() const;
  mlir::DictionaryAttr getFields() const;
  // Absent: an empty list, 0.
  llvm::ArrayRef<int64_t> Dims(llvm::StringRef field) const;
  int64_t Int(llvm::StringRef field) const;
};

// !stablehlo.token: the order between effects.
class TokenType : public mlir::Type::TypeBase<TokenType, mlir::Type, mlir::TypeStorage> {
 public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "stablehlo.token";
};

// True if attributes.def has the value (the kind).
bool IsEnumValue(llvm::StringRef kind, llvm::StringRef value);
bool IsEnumKind(llvm::StringRef kind);

// What stands behind '#stablehlo.' or inside '#stablehlo<...>': "precision DEFAULT", "gather<...>". Null after an
// error.
mlir::Attribute ParseStablehloAttribute(mlir::DialectAsmParser& parser);
void PrintStablehloAttribute(mlir::Attribute attribute, mlir::DialectAsmPrinter& printer);

// Pieces of it that operations write without '#stablehlo'.
mlir::ParseResult ParseEnumValue(mlir::AsmParser& parser, llvm::StringRef kind, EnumAttr& result);
// "[1, 2]".
mlir::ParseResult ParseDims(mlir::AsmParser& parser, mlir::DenseI64ArrayAttr& result);
void PrintDims(mlir::AsmPrinter& printer, llvm::ArrayRef<int64_t> dims);
// "<field = value, ...>".
mlir::ParseResult ParseStruct(mlir::AsmParser& parser, llvm::StringRef kind, StructAttr& result);
void PrintStruct(mlir::AsmPrinter& printer, StructAttr attribute);
// "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]".
mlir::ParseResult ParseConvDimensions(mlir::AsmParser& parser, StructAttr& result);
void PrintConvDimensions(mlir::AsmPrinter& printer, StructAttr conv);

}  // namespace xla::stablehlo
