#include "xla/hlo/ir/hlo_opcode.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "base/error_ids.h"
#include "base/flags.h"
#include "xla/hlo/ir/shape_rules.h"

namespace xla {
namespace table {

using namespace op_trait;     // NOLINT: the table's columns are written with bare names
using namespace shape_rules;  // NOLINT

constexpr AttributeUse Needs(AttributeId id) { return {id, true}; }
constexpr AttributeUse May(AttributeId id) { return {id, false}; }
using enum AttributeId;

// A last element that is not counted: arrays cannot be empty.
constexpr AttributeUse kEnd = May(kDimensions);
#define HLO_OP(id, text, arity, traits, rule, ...) \
  constexpr AttributeUse kAttributesOf_##id[] = {__VA_ARGS__ __VA_OPT__(, ) kEnd};
#define HLO_LATER(text)
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP

constexpr OpcodeInfo kOpcodes[] = {
#define HLO_OP(id, text, arity, traits, rule, ...) \
  {HloOpcode::id, text,  arity,                    \
   (traits),      &rule, std::span<const AttributeUse>(kAttributesOf_##id, std::size(kAttributesOf_##id) - 1)},
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP
#undef HLO_LATER
};

constexpr std::string_view kUnsupported[] = {
#define HLO_OP(...)
#define HLO_LATER(text) text,
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP
#undef HLO_LATER
};

}  // namespace table

const OpcodeInfo& InfoOf(HloOpcode opcode) { return table::kOpcodes[static_cast<int>(opcode)]; }

std::span<const OpcodeInfo> AllOpcodes() { return table::kOpcodes; }

std::string_view HloOpcodeString(HloOpcode opcode) { return InfoOf(opcode).text; }

std::optional<HloOpcode> HloOpcodeFromString(std::string_view text) {
  static const auto* const by_text = [] {
    auto* map = new std::unordered_map<std::string_view, HloOpcode>;
    for (const OpcodeInfo& info : table::kOpcodes) map->emplace(info.text, info.opcode);
    return map;
  }();
  auto it = by_text->find(text);
  if (it == by_text->end()) return std::nullopt;
  return it->second;
}

bool IsKnownUnsupportedOpcode(std::string_view text) {
  for (std::string_view name : table::kUnsupported) {
    if (name == text) return true;
  }
  return false;
}

std::pair<ErrorId, ErrorText> OpcodeProblem(std::string_view text) {
  if (IsKnownUnsupportedOpcode(text)) {
    return {ErrorId::kHloUnsupportedOpcode,
            {.what = fmt::format("the opcode '{}' cannot be read yet", text),
             .expected = "an opcode that rocXLA supports (see xla/hlo/ir/hlo_ops.def)",
             .next = fmt::format("Rewrite the program without '{}', or add it to the table.", text)}};
  }
  const std::string nearest = rocxla::NearestSpelling(text, AllOpcodeTexts());
  return {ErrorId::kHloUnknownOpcode,
          {.what = fmt::format("HLO has no opcode '{}'", text),
           .expected = "an HLO opcode, such as add",
           .next = nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)}};
}

std::vector<std::string_view> AllOpcodeTexts() {
  std::vector<std::string_view> texts(std::begin(table::kUnsupported), std::end(table::kUnsupported));
  for (const OpcodeInfo& info : table::kOpcodes) texts.push_back(info.text);
  return texts;
}

}  // namespace xla
