// The attributes and types of a portable artifact, as those that StableHLO has for them.
#pragma once
#include <string_view>
#include <vector>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "xla/hlo/stablehlo/vhlo/container.h"

namespace xla::vhlo {

// Makes each one when it is asked for, and keeps it.
class AttributeReader {
 public:
  AttributeReader(const Container& container, mlir::MLIRContext& context, ByteCursor file)
      : container_(container),
        context_(&context),
        file_(file),
        attributes_(container.attributes.size()),
        types_(container.types.size()) {}

  // Errors: VhloBadArtifact; VhloUnsupported for encodings that are not in encoding.def.
  StatusOr<mlir::Attribute> AttributeAt(size_t index);
  StatusOr<mlir::Type> TypeAt(size_t index);
  // What an operation's location attribute says; unknown if it says nothing that is understood.
  StatusOr<mlir::Location> LocationAt(size_t index);

  // The place of an attribute, read from its user's bytes.
  StatusOr<mlir::Attribute> ReadAttribute(ByteCursor& cursor);

 private:
  enum class State : uint8_t { kUnread, kReading, kRead };
  template <class T>
  struct Slot {
    State state = State::kUnread;
    T value;
    size_t size = 0;  // of itself and all that it holds, each counted as often as it is there
  };
  template <class T, class Decode>
  StatusOr<T> Get(std::vector<Slot<T>>& slots, const std::vector<Entry>& entries, size_t index, const Decode& decode);

  StatusOr<mlir::Type> ReadType(ByteCursor& cursor);
  StatusOr<std::vector<mlir::Type>> ReadTypes(ByteCursor& cursor);
  StatusOr<std::vector<mlir::Attribute>> ReadAttributes(ByteCursor& cursor);
  StatusOr<std::vector<int64_t>> ReadIntegers(ByteCursor& cursor);
  StatusOr<mlir::StringAttr> ReadString(ByteCursor& cursor);
  StatusOr<llvm::APInt> ReadInteger(ByteCursor& cursor, unsigned bits);
  StatusOr<llvm::APFloat> ReadFloat(ByteCursor& cursor, const llvm::fltSemantics& semantics);

  StatusOr<mlir::Attribute> DecodeAttribute(const Entry& entry, ByteCursor cursor);
  StatusOr<mlir::Attribute> DecodeBuiltin(uint64_t code, ByteCursor& cursor);
  StatusOr<mlir::Attribute> DecodeVhlo(uint64_t code, ByteCursor& cursor);
  StatusOr<mlir::Attribute> DecodeEnum(llvm::StringRef kind, ByteCursor& cursor);
  StatusOr<mlir::Attribute> DecodeDictionary(ByteCursor& cursor);
  StatusOr<mlir::Attribute> DecodeNumber(ByteCursor& cursor);
  StatusOr<mlir::Attribute> DecodeTensor(ByteCursor& cursor);
  StatusOr<mlir::Attribute> DecodeAlias(ByteCursor& cursor);
  StatusOr<mlir::Attribute> DecodeAccuracy(ByteCursor& cursor);
  StatusOr<mlir::Type> DecodeType(const Entry& entry, ByteCursor cursor);
  StatusOr<mlir::Type> DecodeTensorType(ByteCursor& cursor, bool has_encoding);
  StatusOr<mlir::Location> DecodeLocation(const Entry& entry, ByteCursor cursor);

  const Container& container_;
  mlir::MLIRContext* context_;
  ByteCursor file_;
  std::vector<Slot<mlir::Attribute>> attributes_;
  std::vector<Slot<mlir::Type>> types_;
  int depth_ = 0;
  size_t size_ = 0;  // of what is being read
};

// The values of an enumeration of stablehlo/attributes.def in the order of their numbers, which begin with the second.
std::pair<llvm::ArrayRef<llvm::StringRef>, uint64_t> EnumValues(llvm::StringRef kind);
// Bytes of one element of a tensor of this type in an artifact; 0 if it has none.
int64_t ElementBytes(mlir::Type element);

// The codes of encoding.def.
namespace type_code {
#define VHLO_SCALAR(...)
#define VHLO_TYPE(code, name) inline constexpr uint64_t name = code;
#define VHLO_ENUM(...)
#define VHLO_ATTRIBUTE(...)
#include "xla/hlo/stablehlo/vhlo/encoding.def"
#undef VHLO_TYPE
#undef VHLO_ATTRIBUTE
}  // namespace type_code
namespace attribute_code {
#define VHLO_TYPE(...)
#define VHLO_ATTRIBUTE(code, name) inline constexpr uint64_t name = code;
#include "xla/hlo/stablehlo/vhlo/encoding.def"
#undef VHLO_SCALAR
#undef VHLO_TYPE
#undef VHLO_ENUM
#undef VHLO_ATTRIBUTE
}  // namespace attribute_code
// MLIR's own, of the builtin dialect.
namespace builtin_code {
inline constexpr uint64_t kArray = 0, kDictionary = 1, kString = 2, kFlatSymbolRef = 4, kType = 6, kUnit = 7,
                          kInteger = 8, kCallSiteLoc = 10, kFileLineColLoc = 11, kFusedLoc = 12, kNameLoc = 14,
                          kUnknownLoc = 15;
inline constexpr uint64_t kIntegerType = 0, kIndexType = 1, kNoneType = 12;
}  // namespace builtin_code

}  // namespace xla::vhlo
