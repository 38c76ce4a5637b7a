// The attributes of instructions as data: what can be parsed, printed, compared and cloned without knowing the opcode.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "xla/hlo/ir/collectives.h"
#include "xla/hlo/ir/shape.h"
#include "xla/hlo/ir/window.h"

namespace xla {

class HloComputation;

enum class AttributeId : uint8_t {
#define HLO_ATTRIBUTE(id, text, value) id,
#include "xla/hlo/ir/hlo_attributes.def"
#undef HLO_ATTRIBUTE
};

#define HLO_ENUM_BEGIN(type) enum class type : uint8_t {
#define HLO_ENUM_VALUE(id, text) id,
#define HLO_ENUM_END(type)               \
  }                                      \
  ;                                      \
  std::string_view EnumText(type value); \
  std::vector<std::string_view> AllTextsOf(type);
#include "xla/hlo/ir/hlo_enums.def"
#undef HLO_ENUM_BEGIN
#undef HLO_ENUM_VALUE
#undef HLO_ENUM_END

// [start:limit:stride] of one dimension.
struct SliceRange {
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;
  bool operator==(const SliceRange&) const = default;
};
// low_high_interior of one dimension; low and high may be negative.
struct PaddingDimension {
  int64_t edge_padding_low = 0;
  int64_t edge_padding_high = 0;
  int64_t interior_padding = 0;
  bool operator==(const PaddingDimension&) const = default;
};

using SliceRanges = std::vector<SliceRange>;
using PaddingConfig = std::vector<PaddingDimension>;
struct Verbatim {  // the text after '=', as written
  std::string text;
  bool operator==(const Verbatim&) const = default;
};

// The alternatives of AttributeValue by the names that hlo_attributes.def uses.
namespace attribute {
using Bool = bool;
using Int64 = int64_t;
using Float = float;
using Int64List = std::vector<int64_t>;
using Computation = HloComputation*;
using ComputationList = std::vector<HloComputation*>;
using xla::ComparisonDirection;
using xla::ComparisonOrder;
using xla::ComparisonType;
using xla::ConvolutionDimensionNumbers;
using xla::FftType;
using xla::FusionKind;
using xla::KnownTruth;
using xla::PaddingConfig;
using xla::RandomDistribution;
using xla::ReplicaGroups;
using xla::Shape;
using xla::SliceRanges;
using xla::SourceTargetPairs;
using xla::TriangularSolveTranspose;
using xla::Verbatim;
using xla::Window;
}  // namespace attribute
using AttributeValue =
    std::variant<attribute::Bool, attribute::Int64, attribute::Float, attribute::Int64List, SliceRanges, PaddingConfig,
                 Window, ConvolutionDimensionNumbers, ComparisonDirection, ComparisonOrder, ComparisonType, FusionKind,
                 FftType, TriangularSolveTranspose, RandomDistribution, KnownTruth, attribute::Computation,
                 attribute::ComputationList, ReplicaGroups, SourceTargetPairs, Shape, Verbatim>;

std::string_view AttributeText(AttributeId id);  // "iota_dimension"
std::optional<AttributeId> AttributeFromText(std::string_view text);
// True for the attributes that every instruction may have.
bool IsCommonAttribute(AttributeId id);
// A value of the alternative that `id` takes, empty: says how to parse it.
AttributeValue EmptyValueOf(AttributeId id);
// What an absent attribute means: false, an empty list of numbers, window dimensions or computations, a count of one
// group, all devices in one group. HloInstruction does not keep such a value for an attribute that may be absent, so
// that both ways of saying it are equal.
bool IsDefault(AttributeId id, const AttributeValue& value);
// As printed after '=': "{0,1}", "[0:4]", "LT", "%add" is printed as the computation's name.
std::string AttributeValueToString(const AttributeValue& value);

// In double quotes, with escapes: what TextCursor::String reads.
std::string Quoted(std::string_view text);

// The attributes of one instruction.
class AttributeSet {
 public:
  using Entry = std::pair<AttributeId, AttributeValue>;

  bool Has(AttributeId id) const { return FindValue(id) != nullptr; }
  // Null if absent.
  const AttributeValue* FindValue(AttributeId id) const;
  template <class T>
  const T* Find(AttributeId id) const {
    const AttributeValue* value = FindValue(id);
    return value == nullptr ? nullptr : std::get_if<T>(value);
  }
  // The value, or a default-constructed one if absent.
  template <class T>
  T Get(AttributeId id) const {
    const T* value = Find<T>(id);
    return value == nullptr ? T{} : *value;
  }
  // Adds or replaces.
  void Set(AttributeId id, AttributeValue value);
  void Remove(AttributeId id);
  template <class Predicate>  // bool (AttributeId, const AttributeValue&)
  void RemoveIf(const Predicate& predicate) {
    std::erase_if(entries_, [&](const Entry& entry) { return predicate(entry.first, entry.second); });
  }
  const std::vector<Entry>& entries() const { return entries_; }  // sorted by id
  bool operator==(const AttributeSet&) const = default;

 private:
  std::vector<Entry> entries_;
};

// metadata={...}: where an instruction comes from.
struct OpMetadata {
  std::string op_type;
  std::string op_name;
  std::string source_file;
  int64_t source_line = 0;
  std::string other;  // the other fields, verbatim: "stack_frame_id=6"
  bool empty() const { return *this == OpMetadata(); }
  bool operator==(const OpMetadata&) const = default;
};
// What stands between the braces: "op_name=\"add\" source_line=3".
std::string OpMetadataToString(const OpMetadata& metadata);

}  // namespace xla
