#include "xla/hlo/ir/hlo_attributes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>
#include <unordered_map>

#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

#define HLO_ENUM_BEGIN(type) constexpr std::string_view kTextsOf##type[] = {
#define HLO_ENUM_VALUE(id, text) text,
#define HLO_ENUM_END(type)                                                                     \
  }                                                                                            \
  ;                                                                                            \
  std::string_view EnumText(type value) { return kTextsOf##type[static_cast<size_t>(value)]; } \
  std::vector<std::string_view> AllTextsOf(type) { return {std::begin(kTextsOf##type), std::end(kTextsOf##type)}; }
#include "xla/hlo/ir/hlo_enums.def"
#undef HLO_ENUM_BEGIN
#undef HLO_ENUM_VALUE
#undef HLO_ENUM_END

namespace {

constexpr std::string_view kTexts[] = {
#define HLO_ATTRIBUTE(id, text, value) text,
#include "xla/hlo/ir/hlo_attributes.def"
#undef HLO_ATTRIBUTE
};

std::string SliceText(const SliceRange& range) {
  std::string text = fmt::format("[{}:{}", range.start, range.limit);
  if (range.stride != 1) text += fmt::format(":{}", range.stride);
  return text + "]";
}

// Interior padding is printed for all dimensions if any has some.
std::string PaddingText(const PaddingConfig& config) {
  const bool has_interior = std::any_of(config.begin(), config.end(),
                                        [](const PaddingDimension& padding) { return padding.interior_padding != 0; });
  std::string text;
  for (const auto& [low, high, interior] : config) {
    text += fmt::format("{}{}_{}", text.empty() ? "" : "x", low, high);
    if (has_interior) text += fmt::format("_{}", interior);
  }
  return text;
}

struct ValueText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(float value) const { return fmt::format("{}", value); }
  std::string operator()(const std::vector<int64_t>& list) const { return fmt::format("{{{}}}", fmt::join(list, ",")); }
  std::string operator()(const SliceRanges& ranges) const {
    std::string text = "{";
    for (const SliceRange& range : ranges) text += (text.size() > 1 ? ", " : "") + SliceText(range);
    return text + "}";
  }
  std::string operator()(const PaddingConfig& config) const { return PaddingText(config); }
  std::string operator()(const Window& window) const { return WindowToString(window); }
  std::string operator()(const ConvolutionDimensionNumbers& numbers) const {
    return ConvolutionDimensionNumbersToString(numbers);
  }
  std::string operator()(HloComputation* computation) const { return computation->name(); }
  std::string operator()(const std::vector<HloComputation*>& list) const {
    std::string text = "{";
    for (const HloComputation* computation : list) text += (text.size() > 1 ? ", " : "") + computation->name();
    return text + "}";
  }
  std::string operator()(const ReplicaGroups& groups) const { return groups.text; }
  std::string operator()(const SourceTargetPairs& pairs) const {
    std::string text = "{";
    for (const auto& [source, target] : pairs)
      text += fmt::format("{}{{{},{}}}", text.size() > 1 ? "," : "", source, target);
    return text + "}";
  }
  std::string operator()(const Shape& shape) const { return shape.ToStringWithLayout(); }
  std::string operator()(const Verbatim& verbatim) const { return verbatim.text; }
  template <class T>
    requires std::is_enum_v<T>
  std::string operator()(T value) const {
    return std::string(EnumText(value));
  }
};

}  // namespace

std::string_view AttributeText(AttributeId id) { return kTexts[static_cast<int>(id)]; }

std::optional<AttributeId> AttributeFromText(std::string_view text) {
  static const auto* const by_text = [] {
    auto* map = new std::unordered_map<std::string_view, AttributeId>;
    for (size_t i = 0; i < std::size(kTexts); ++i) map->emplace(kTexts[i], static_cast<AttributeId>(i));
    return map;
  }();
  const auto it = by_text->find(text);
  return it == by_text->end() ? std::nullopt : std::optional(it->second);
}

bool IsCommonAttribute(AttributeId id) {
  return id == AttributeId::kSharding || id == AttributeId::kFrontendAttributes || id == AttributeId::kStatistics ||
         id == AttributeId::kOrigin;
}

AttributeValue EmptyValueOf(AttributeId id) {
  switch (id) {
#define HLO_ATTRIBUTE(id, text, value) \
  case AttributeId::id:                \
    return attribute::value{};
#include "xla/hlo/ir/hlo_attributes.def"
#undef HLO_ATTRIBUTE
  }
  return Verbatim{};
}

bool IsDefault(AttributeId id, const AttributeValue& value) {
  const bool is_count = id == AttributeId::kFeatureGroupCount || id == AttributeId::kBatchGroupCount;
  if (const auto* number = std::get_if<int64_t>(&value)) return is_count && *number == 1;
  if (const auto* flag = std::get_if<bool>(&value)) return !*flag;
  if (const auto* window = std::get_if<Window>(&value)) return window->empty();
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) return list->empty();
  if (const auto* list = std::get_if<std::vector<HloComputation*>>(&value)) return list->empty();
  if (const auto* groups = std::get_if<ReplicaGroups>(&value)) return groups->groups.empty();
  return false;
}

std::string AttributeValueToString(const AttributeValue& value) { return std::visit(ValueText(), value); }

const AttributeValue* AttributeSet::FindValue(AttributeId id) const {
  for (const Entry& entry : entries_) {
    if (entry.first == id) return &entry.second;
  }
  return nullptr;
}

void AttributeSet::Set(AttributeId id, AttributeValue value) {
  auto at = std::lower_bound(entries_.begin(), entries_.end(), id,
                             [](const Entry& entry, AttributeId wanted) { return entry.first < wanted; });
  if (at != entries_.end() && at->first == id) {
    at->second = std::move(value);
  } else {
    entries_.emplace(at, id, std::move(value));
  }
}

void AttributeSet::Remove(AttributeId id) {
  std::erase_if(entries_, [id](const Entry& entry) { return entry.first == id; });
}

}  // namespace xla
