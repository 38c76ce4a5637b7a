// StableHLO's attributes and types in the bytes of a portable artifact.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "xla/hlo/ir/status.h"
#include "xla/hlo/stablehlo/vhlo/rules.h"

namespace xla::vhlo {

// Bytes as ByteCursor reads them.
class ByteWriter {
 public:
  void Byte(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void VarInt(uint64_t value);
  void SignedVarInt(int64_t value);
  void Integers(llvm::ArrayRef<int64_t> values);
  void Append(std::string_view bytes) { bytes_ += bytes; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Numbers what it is asked for; equal attributes (types, strings) get the same number.
// Errors: VhloUnsupported for what VHLO has no encoding for.
class AttributeWriter {
 public:
  explicit AttributeWriter(Version version) : version_(version) {}

  enum class Form : uint8_t {
    kVhlo,
    kBuiltin,     // as MLIR itself writes it
    kDictionary,  // MLIR's dictionary with values of VHLO: an operation's attributes that VHLO does not know
    kApiVersion,  // an integer that is a custom call's api_version
  };
  StatusOr<size_t> Attribute(mlir::Attribute attribute, Form form);
  StatusOr<size_t> Type(mlir::Type type, Form form = Form::kVhlo);
  // Locations other than places in files and names are written as unknown.
  StatusOr<size_t> Location(mlir::Location location);
  size_t String(llvm::StringRef text);

  struct Entry {
    bool is_builtin;
    std::string bytes;
  };
  const std::vector<Entry>& attributes() const { return attributes_; }
  const std::vector<Entry>& types() const { return types_; }
  const std::vector<std::string>& strings() const { return strings_; }

 private:
  Status Encode(mlir::Attribute attribute, Form form, ByteWriter& out);
  Status EncodeBuiltin(mlir::Attribute attribute, ByteWriter& out);
  Status EncodeVhlo(mlir::Attribute attribute, ByteWriter& out);
  Status EncodeStruct(mlir::Attribute attribute, ByteWriter& out);
  Status EncodeTensor(mlir::DenseElementsAttr elements, ByteWriter& out);
  Status EncodeNumber(mlir::Type type, const llvm::APInt& bits, Form form, ByteWriter& out);
  Status EncodeList(llvm::ArrayRef<mlir::Attribute> list, Form form, ByteWriter& out);
  Status EncodeDictionary(mlir::DictionaryAttr dictionary, Form form, ByteWriter& out);
  Status EncodeType(mlir::Type type, ByteWriter& out);
  Status EncodeTypes(llvm::ArrayRef<mlir::Type> list, ByteWriter& out);
  size_t Add(bool is_builtin, std::string bytes);

  Version version_;
  std::vector<Entry> attributes_, types_;
  std::vector<std::string> strings_;
  llvm::DenseMap<std::pair<mlir::Attribute, int>, size_t> attribute_numbers_;
  llvm::DenseMap<std::pair<mlir::Type, int>, size_t> type_numbers_;
  llvm::StringMap<size_t> string_numbers_;
};

}  // namespace xla::vhlo
