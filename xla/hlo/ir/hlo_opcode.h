// Opcodes and what hlo_ops.def says about them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "xla/hlo/ir/hlo_attributes.h"
#include "xla/hlo/ir/status.h"

namespace xla {

enum class HloOpcode : uint8_t {
#define HLO_OP(id, ...) id,
#define HLO_LATER(text)
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP
#undef HLO_LATER
};
inline constexpr int kHloOpcodeCount = 0
#define HLO_OP(id, ...) +1
#define HLO_LATER(text)
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP
#undef HLO_LATER
    ;

inline constexpr int kVariadic = -1;

namespace op_trait {
inline constexpr uint32_t kElementwise = 1;  // operands and result have the same dimensions, element by element
inline constexpr uint32_t kCommutative = 2;
inline constexpr uint32_t kPred = 4;
inline constexpr uint32_t kInteger = 8;
inline constexpr uint32_t kFloating = 16;
inline constexpr uint32_t kComplex = 32;
inline constexpr uint32_t kAnyArray = kPred | kInteger | kFloating | kComplex;
inline constexpr uint32_t kAnyValue = 0;     // tuples and tokens too
inline constexpr uint32_t kSideEffect = 64;  // never removed, merged or reordered
}  // namespace op_trait

struct AttributeUse {
  AttributeId id;
  bool required;
};

class HloInstruction;
class ShapeRuleResult;
using ShapeRule = ShapeRuleResult (*)(const HloInstruction& instruction);

struct OpcodeInfo {
  HloOpcode opcode;
  std::string_view text;
  int arity;  // or kVariadic
  uint32_t traits;
  ShapeRule shape_rule;
  std::span<const AttributeUse> attributes;  // in printing order
};
const OpcodeInfo& InfoOf(HloOpcode opcode);
std::span<const OpcodeInfo> AllOpcodes();

std::string_view HloOpcodeString(HloOpcode opcode);  // "get-tuple-element"
std::optional<HloOpcode> HloOpcodeFromString(std::string_view text);
// True for the opcodes of HLO that rocXLA does not read yet.
bool IsKnownUnsupportedOpcode(std::string_view text);
// What to say of a text that HloOpcodeFromString does not know: HloUnsupportedOpcode or HloUnknownOpcode.
std::pair<ErrorId, ErrorText> OpcodeProblem(std::string_view text);
// Every opcode text of HLO, supported or not.
std::vector<std::string_view> AllOpcodeTexts();

inline bool HasTrait(HloOpcode opcode, uint32_t trait) { return (InfoOf(opcode).traits & trait) != 0; }

}  // namespace xla
