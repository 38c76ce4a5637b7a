// What MLIR bytecode holds of tt.load and tt.store.
//
// The properties of an operation stand there one after the other in the order of their names, which are not said; one
// that came or went with a version of Triton moves the rest. Until March 2026 both operations began with boundaryCheck
// (of block pointers), and loads had a padding; stores may end with ignore_cta since. Which form it is shows in the
// kind of the first attribute. The other operations have the same properties in all versions that we know.
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Diagnostics.h"
#include "triton/dialect/tt.h"

using namespace mlir;
namespace rocxla::triton::tt {
namespace {

enum class Form : uint8_t { kWithBlockPointers, kWithout };

// Reads boundaryCheck, where it is, and cache.
template <class Properties>
LogicalResult ReadFirst(DialectBytecodeReader& reader, Properties& properties, Form& form) {
  Attribute first;
  if (failed(reader.readOptionalAttribute(first))) return failure();
  form = !first || isa<DenseI32ArrayAttr>(first) ? Form::kWithBlockPointers : Form::kWithout;
  if (form == Form::kWithBlockPointers) {
    properties.boundaryCheck = cast_if_present<DenseI32ArrayAttr>(first);
    return reader.readOptionalAttribute(properties.cache);
  }
  properties.cache = dyn_cast<CacheModifierAttr>(first);
  return properties.cache ? success() : reader.emitError("expected the cache modifier, but got: ") << first;
}

constexpr uint64_t kSparseSegments = 6;  // the version of bytecode that holds segment sizes as numbers

LogicalResult ReadSegmentAttribute(DialectBytecodeReader& reader, MutableArrayRef<int32_t> segments) {
  DenseI32ArrayAttr sizes;
  if (failed(reader.readAttribute(sizes))) return failure();
  if (sizes.size() != static_cast<int64_t>(segments.size()))
    return reader.emitError("wrong number of operand segments");
  llvm::copy(sizes.asArrayRef(), segments.begin());
  return success();
}

}  // namespace

LogicalResult LoadOp::readProperties(DialectBytecodeReader& reader, OperationState& state) {
  auto& properties = state.getOrAddProperties<Properties>();
  Form form = Form::kWithout;
  if (failed(ReadFirst(reader, properties, form)) || failed(reader.readOptionalAttribute(properties.evict)) ||
      failed(reader.readOptionalAttribute(properties.isVolatile)))
    return failure();
  const bool is_sparse = reader.getBytecodeVersion() >= kSparseSegments;
  if (!is_sparse && failed(ReadSegmentAttribute(reader, properties.operandSegmentSizes))) return failure();
  if (form == Form::kWithBlockPointers && failed(reader.readOptionalAttribute(properties.padding))) return failure();
  if (!is_sparse) return success();
  return reader.readSparseArray(MutableArrayRef<int32_t>(properties.operandSegmentSizes));
}

void LoadOp::writeProperties(DialectBytecodeWriter& writer) {
  auto& properties = getProperties();
  writer.writeOptionalAttribute(properties.boundaryCheck);
  writer.writeOptionalAttribute(properties.cache);
  writer.writeOptionalAttribute(properties.evict);
  writer.writeOptionalAttribute(properties.isVolatile);
  const bool is_sparse = writer.getBytecodeVersion() >= static_cast<int64_t>(kSparseSegments);
  if (!is_sparse) writer.writeAttribute(DenseI32ArrayAttr::get(getContext(), properties.operandSegmentSizes));
  writer.writeOptionalAttribute(properties.padding);
  if (is_sparse) writer.writeSparseArray(ArrayRef<int32_t>(properties.operandSegmentSizes));
}

LogicalResult StoreOp::readProperties(DialectBytecodeReader& reader, OperationState& state) {
  auto& properties = state.getOrAddProperties<Properties>();
  Form form = Form::kWithout;
  if (failed(ReadFirst(reader, properties, form)) || failed(reader.readOptionalAttribute(properties.evict)))
    return failure();
  if (form == Form::kWithBlockPointers) return success();
  // Absent in some versions: then the properties end here.
  ScopedDiagnosticHandler silence(reader.getContext(), [](Diagnostic&) { return success(); });
  if (failed(reader.readOptionalAttribute(properties.ignore_cta))) properties.ignore_cta = nullptr;
  return success();
}

void StoreOp::writeProperties(DialectBytecodeWriter& writer) {
  auto& properties = getProperties();
  writer.writeOptionalAttribute(properties.boundaryCheck);
  writer.writeOptionalAttribute(properties.cache);
  writer.writeOptionalAttribute(properties.evict);
}

}  // namespace rocxla::triton::tt
