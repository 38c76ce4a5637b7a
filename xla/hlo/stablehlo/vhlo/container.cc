#include "xla/hlo/stablehlo/vhlo/container.h"

#include <fmt/format.h>

#include <array>

#include "base/error_ids.h"

namespace xla::vhlo {
namespace {

// Regions of regions: reading them recurses.
constexpr int kDeepestRegions = 64;

std::string_view Text(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The tree of operations.
class ProgramReader {
 public:
  explicit ProgramReader(Container& container) : container_(container) {}

  Status Read(ByteCursor cursor) {
    ASSIGN_OR_RETURN(const uint64_t count, cursor.VarInt());
    if (count >> 1 != 1 || (count & 1) != 0)
      return cursor.Error({.what = "the program is one operation, a module", .found = fmt::format("{}", count >> 1)});
    scopes_.emplace_back();
    RETURN_IF_ERROR(ReadOperation(cursor, 0, &container_.top));
    container_.value_count = next_value_;
    return cursor.AtEnd() ? OkStatus() : cursor.Error({.what = "something follows the program"});
  }

 private:
  static constexpr ValueId kUndefined = UINT32_MAX;
  // The values that operations of one isolated region see, by their number there.
  struct Scope {
    std::vector<ValueId> values;
    std::vector<size_t> next;  // of each region that is being read: the number of its next value
  };

  Status ReadOperation(ByteCursor& cursor, int depth, Operation* out) {
    ASSIGN_OR_RETURN(out->name, cursor.Index(container_.operation_names.size(), "names of operations"));
    ASSIGN_OR_RETURN(const uint8_t mask, cursor.Byte());
    ASSIGN_OR_RETURN(out->location, AttributeIndex(cursor));
    if (mask & kHasAttributes) {
      ASSIGN_OR_RETURN(out->attributes, AttributeIndex(cursor));
    }
    if (mask & kHasProperties) {
      ASSIGN_OR_RETURN(out->properties, cursor.Index(container_.properties.size(), "properties"));
    }
    if (mask & kHasResults) {
      ASSIGN_OR_RETURN(const size_t count, cursor.Count("results"));
      for (size_t i = 0; i < count; ++i) {
        ASSIGN_OR_RETURN(const uint32_t type, cursor.Index(container_.types.size(), "types"));
        out->result_types.push_back(type);
      }
    }
    if (mask & kHasOperands) RETURN_IF_ERROR(ReadOperands(cursor, out));
    if (mask & kHasSuccessors)
      return cursor.Error({.what = "the operation jumps to blocks, which StableHLO does not have"});
    if (mask & kHasUseListOrders) RETURN_IF_ERROR(SkipUseListOrders(cursor, out->result_types.size()));
    // In the order of the definitions: an operation's results come after what its regions define.
    if (mask & kHasRegions) RETURN_IF_ERROR(ReadRegions(cursor, depth, out));
    return OkStatus();
  }

  StatusOr<uint32_t> AttributeIndex(ByteCursor& cursor) {
    ASSIGN_OR_RETURN(const size_t index, cursor.Index(container_.attributes.size(), "attributes"));
    return static_cast<uint32_t>(index);
  }

  Status ReadOperands(ByteCursor& cursor, Operation* out) {
    ASSIGN_OR_RETURN(const size_t count, cursor.Count("operands"));
    const std::vector<ValueId>& values = scopes_.back().values;
    for (size_t i = 0; i < count; ++i) {
      const ByteCursor before = cursor;
      ASSIGN_OR_RETURN(const size_t number, cursor.Index(values.size(), "values"));
      if (values[number] == kUndefined) {
        return before.Error(
            {.what = "an operand is not defined before its use", .found = fmt::format("value {}", number)});
      }
      out->operands.push_back(values[number]);
    }
    return OkStatus();
  }

  // In which order a value's uses are listed: nothing that a program means.
  Status SkipUseListOrders(ByteCursor& cursor, size_t value_count) {
    ASSIGN_OR_RETURN(const size_t count, value_count == 1 ? StatusOr<size_t>(size_t{1}) : cursor.Count("use lists"));
    for (size_t i = 0; i < count; ++i) {
      if (value_count > 1) RETURN_IF_ERROR(cursor.VarInt().status());
      ASSIGN_OR_RETURN(const uint64_t flagged, cursor.VarInt());
      for (uint64_t n = flagged >> 1; n > 0; --n) RETURN_IF_ERROR(cursor.VarInt().status());
    }
    return OkStatus();
  }

  Status ReadRegions(ByteCursor& cursor, int depth, Operation* out) {
    if (depth == kDeepestRegions) return cursor.Error({.what = "regions are nested too deep"});
    ASSIGN_OR_RETURN(const uint64_t flagged, cursor.VarInt());
    const bool is_isolated = flagged & 1;
    const uint64_t count = flagged >> 1;
    if (count > cursor.left()) return cursor.Error({.what = "the artifact has not so many regions"});
    if (!is_isolated) return ReadRegionList(cursor, count, depth, out);
    scopes_.emplace_back();
    if (container_.format >= kLazyRegions) {
      ASSIGN_OR_RETURN(ByteCursor part, ReadRegionSection(cursor));
      RETURN_IF_ERROR(ReadRegionList(part, count, depth, out));
    } else {
      RETURN_IF_ERROR(ReadRegionList(cursor, count, depth, out));
    }
    scopes_.pop_back();
    return OkStatus();
  }

  Status ReadRegionList(ByteCursor& cursor, uint64_t count, int depth, Operation* out) {
    for (uint64_t i = 0; i < count; ++i) RETURN_IF_ERROR(ReadRegion(cursor, depth + 1, &out->regions.emplace_back()));
    return OkStatus();
  }

  StatusOr<ByteCursor> ReadRegionSection(ByteCursor& cursor) {
    ASSIGN_OR_RETURN(const uint8_t id, cursor.Byte());
    if ((id & 0x7f) != kIrSection) return cursor.Error({.what = "a region's section has another kind"});
    ASSIGN_OR_RETURN(const uint64_t length, cursor.VarInt());
    if (id & 0x80) {
      ASSIGN_OR_RETURN(const uint64_t alignment, cursor.VarInt());
      RETURN_IF_ERROR(cursor.AlignTo(alignment));
    }
    ASSIGN_OR_RETURN(const auto part, cursor.Bytes(length));
    return cursor.At(part);
  }

  Status ReadRegion(ByteCursor& cursor, int depth, Region* out) {
    ASSIGN_OR_RETURN(const size_t block_count, cursor.Count("blocks"));
    if (block_count == 0) return OkStatus();
    ASSIGN_OR_RETURN(const size_t value_count, cursor.Count("values"));
    Scope& scope = scopes_.back();
    const size_t before = scope.values.size();
    scope.next.push_back(before);
    scope.values.resize(before + value_count, kUndefined);
    const size_t scope_index = scopes_.size() - 1;
    for (size_t i = 0; i < block_count; ++i) RETURN_IF_ERROR(ReadBlock(cursor, depth, &out->blocks.emplace_back()));
    scopes_[scope_index].values.resize(before);
    scopes_[scope_index].next.pop_back();
    return OkStatus();
  }

  Status Define(const ByteCursor& cursor, size_t count, ValueId* first) {
    *first = next_value_;
    Scope& scope = scopes_.back();
    if (scope.next.empty()) return count == 0 ? OkStatus() : cursor.Error({.what = "the module has results"});
    for (size_t i = 0; i < count; ++i) {
      size_t& number = scope.next.back();
      if (number >= scope.values.size()) return cursor.Error({.what = "the region defines more values than it says"});
      scope.values[number++] = next_value_++;
    }
    return OkStatus();
  }

  Status ReadBlock(ByteCursor& cursor, int depth, Block* out) {
    ASSIGN_OR_RETURN(const uint64_t flagged, cursor.VarInt());
    if (flagged & 1) RETURN_IF_ERROR(ReadBlockArguments(cursor, out));
    if (flagged >> 1 > cursor.left()) return cursor.Error({.what = "the artifact has not so many operations"});
    for (uint64_t i = 0; i < flagged >> 1; ++i) {
      Operation operation;
      RETURN_IF_ERROR(ReadOperation(cursor, depth, &operation));
      RETURN_IF_ERROR(Define(cursor, operation.result_types.size(), &operation.first_result));
      out->operations.push_back(std::move(operation));
    }
    return OkStatus();
  }

  Status ReadBlockArguments(ByteCursor& cursor, Block* out) {
    ASSIGN_OR_RETURN(const size_t count, cursor.Count("block arguments"));
    for (size_t i = 0; i < count; ++i) {
      const ByteCursor before = cursor;
      ASSIGN_OR_RETURN(uint64_t type, cursor.VarInt());
      bool has_location = true;
      if (container_.format >= kCompactBlockArguments) {
        has_location = type & 1;
        type >>= 1;
      }
      if (type >= container_.types.size())
        return before.Error({.what = "there is no such one of the types", .found = fmt::format("number {}", type)});
      if (has_location) RETURN_IF_ERROR(AttributeIndex(cursor).status());
      out->argument_types.push_back(type);
    }
    if (container_.format >= kUseListOrders) {
      ASSIGN_OR_RETURN(const uint8_t has_orders, cursor.Byte());
      if (has_orders) RETURN_IF_ERROR(SkipUseListOrders(cursor, count));
    }
    return Define(cursor, count, &out->first_argument);
  }

  Container& container_;
  std::vector<Scope> scopes_;
  ValueId next_value_ = 0;
};

class ContainerReader {
 public:
  ContainerReader(std::span<const uint8_t> bytes, std::string_view file_name) : cursor_(bytes, file_name) {}

  StatusOr<Container> Read() {
    RETURN_IF_ERROR(ReadHeader());
    RETURN_IF_ERROR(ReadSections());
    RETURN_IF_ERROR(ReadStrings(Section(kStringSection)));
    RETURN_IF_ERROR(ReadDialects(Section(kDialectSection)));
    RETURN_IF_ERROR(ReadEntries(Section(kAttrTypeOffsetSection)));
    if (sections_[kPropertiesSection]) RETURN_IF_ERROR(ReadProperties(Section(kPropertiesSection)));
    RETURN_IF_ERROR(ProgramReader(container_).Read(Section(kIrSection)));
    return std::move(container_);
  }

 private:
  Status ReadHeader() {
    const ByteCursor begin = cursor_;
    const auto magic = cursor_.Bytes(kMagic.size());
    if (!magic.ok() || Text(*magic) != kMagic) {
      return begin.Error({.what = "this is no portable artifact",
                          .expected = "MLIR bytecode, which begins with 4d 4c ef 52",
                          .next = "jax.export writes such files (.mlir_module_serialized)."});
    }
    ASSIGN_OR_RETURN(container_.format, cursor_.VarInt());
    ASSIGN_OR_RETURN(container_.producer, cursor_.CString());
    if (container_.format <= kNewestFormat) return OkStatus();
    return rocxla::Error(
        ErrorId::kVhloUnsupported,
        {.what = "the artifact has a newer format than rocXLA reads",
         .where = begin.Where(),
         .found = fmt::format("MLIR bytecode {}, written by {}", container_.format, container_.producer),
         .expected = fmt::format("at most {}", kNewestFormat),
         .next = "Serialize the program for an older version of StableHLO."});
  }

  Status ReadSections() {
    while (!cursor_.AtEnd()) {
      ASSIGN_OR_RETURN(const uint8_t id, cursor_.Byte());
      const size_t kind = id & 0x7f;
      ASSIGN_OR_RETURN(const uint64_t length, cursor_.VarInt());
      if (id & 0x80) {
        ASSIGN_OR_RETURN(const uint64_t alignment, cursor_.VarInt());
        RETURN_IF_ERROR(cursor_.AlignTo(alignment));
      }
      ASSIGN_OR_RETURN(const auto bytes, cursor_.Bytes(length));
      if (kind >= kSectionCount || sections_[kind])
        return cursor_.Error(
            {.what = "the section is unknown, or there twice", .found = fmt::format("section {}", kind)});
      sections_[kind] = bytes;
    }
    for (const SectionId needed :
         {kStringSection, kDialectSection, kAttrTypeSection, kAttrTypeOffsetSection, kIrSection}) {
      if (!sections_[needed])
        return cursor_.Error({.what = "a section is missing", .expected = fmt::format("section {}", int{needed})});
    }
    return OkStatus();
  }

  ByteCursor Section(SectionId id) const { return cursor_.At(*sections_[id]); }

  // Their lengths come first, the last string's before the others'.
  Status ReadStrings(ByteCursor cursor) {
    ASSIGN_OR_RETURN(const size_t count, cursor.Count("strings"));
    std::vector<uint64_t> lengths;
    for (size_t i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(const uint64_t length, cursor.VarInt());
      lengths.push_back(length);
    }
    for (size_t i = count; i-- > 0;) {
      ASSIGN_OR_RETURN(const auto bytes, cursor.Bytes(lengths[i]));
      if (bytes.empty() || bytes.back() != 0) return cursor.Error({.what = "a string does not end with a zero byte"});
      container_.strings.push_back(Text(bytes.first(bytes.size() - 1)));
    }
    return cursor.AtEnd() ? OkStatus() : cursor.Error({.what = "the strings' lengths do not fit their section"});
  }

  StatusOr<std::string_view> String(ByteCursor& cursor, int flag_bits) {
    const ByteCursor before = cursor;
    ASSIGN_OR_RETURN(const uint64_t number, cursor.VarInt());
    if (number >> flag_bits >= container_.strings.size())
      return before.Error({.what = "there is no such string", .found = fmt::format("number {}", number >> flag_bits)});
    return container_.strings[number >> flag_bits];
  }

  Status ReadDialects(ByteCursor cursor) {
    ASSIGN_OR_RETURN(const size_t count, cursor.Count("dialects"));
    for (size_t i = 0; i < count; ++i) {
      ByteCursor again = cursor;
      ASSIGN_OR_RETURN(const std::string_view name, String(cursor, container_.format >= kDialectVersions ? 1 : 0));
      ASSIGN_OR_RETURN(const uint64_t flagged, again.VarInt());
      dialects_.push_back(name);
      if (container_.format < kDialectVersions || (flagged & 1) == 0) continue;
      RETURN_IF_ERROR(cursor.Byte().status());
      ASSIGN_OR_RETURN(const uint64_t length, cursor.VarInt());
      RETURN_IF_ERROR(cursor.Bytes(length).status());
    }
    if (container_.format >= kCompactBlockArguments) RETURN_IF_ERROR(cursor.VarInt().status());
    while (!cursor.AtEnd()) {
      ASSIGN_OR_RETURN(const size_t dialect, cursor.Index(dialects_.size(), "dialects"));
      ASSIGN_OR_RETURN(const size_t names, cursor.Count("operations"));
      for (size_t i = 0; i < names; ++i) {
        ASSIGN_OR_RETURN(const std::string_view name, String(cursor, container_.format >= kProperties ? 1 : 0));
        container_.operation_names.push_back({dialects_[dialect], name});
      }
    }
    return OkStatus();
  }

  // Attributes, then types, in groups of the same dialect; their bytes lie one behind the other.
  Status ReadEntries(ByteCursor cursor) {
    ASSIGN_OR_RETURN(const size_t attribute_count, cursor.Count("attributes"));
    ASSIGN_OR_RETURN(const size_t type_count, cursor.Count("types"));
    ByteCursor data = Section(kAttrTypeSection);
    for (const auto& [list, wanted] :
         {std::pair(&container_.attributes, attribute_count), std::pair(&container_.types, type_count)}) {
      while (list->size() < wanted) {
        ASSIGN_OR_RETURN(const size_t dialect, cursor.Index(dialects_.size(), "dialects"));
        ASSIGN_OR_RETURN(const size_t count, cursor.Count("entries"));
        for (size_t i = 0; i < count; ++i) {
          ASSIGN_OR_RETURN(const uint64_t flagged, cursor.VarInt());
          ASSIGN_OR_RETURN(const auto bytes, data.Bytes(flagged >> 1));
          list->push_back({dialects_[dialect], (flagged & 1) == 0, bytes});
        }
      }
    }
    return OkStatus();
  }

  Status ReadProperties(ByteCursor cursor) {
    if (cursor.AtEnd()) return OkStatus();
    ASSIGN_OR_RETURN(const size_t count, cursor.Count("properties"));
    for (size_t i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(const uint64_t length, cursor.VarInt());
      ASSIGN_OR_RETURN(const auto bytes, cursor.Bytes(length));
      container_.properties.push_back(bytes);
    }
    return OkStatus();
  }

  ByteCursor cursor_;
  std::array<std::optional<std::span<const uint8_t>>, kSectionCount> sections_;
  std::vector<std::string_view> dialects_;
  Container container_;
};

}  // namespace

StatusOr<Container> ReadContainer(std::span<const uint8_t> bytes, std::string_view file_name) {
  return ContainerReader(bytes, file_name).Read();
}

}  // namespace xla::vhlo
