// One computation from text.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/attribute_parser.h"
#include "xla/hlo/parser/text_cursor.h"

namespace xla {

// Where each instruction stands in the text, as offsets; only looked up for errors.
using InstructionOffsets = std::vector<std::pair<const HloInstruction*, size_t>>;

// Reads "name (signature) { instructions }", which the cursor stands before (and behind ENTRY). Instructions must be
// defined before they are used, and so must computations, which `find` looks up.
class ComputationParser {
 public:
  ComputationParser(TextCursor& cursor, const FindComputation& find, InstructionOffsets& offsets)
      : cursor_(cursor), find_(find), offsets_(offsets) {}

  StatusOr<std::unique_ptr<HloComputation>> Parse();

 private:
  struct Signature {
    std::vector<std::pair<std::string, Shape>> parameters;
    Shape result;
    size_t offset = 0;
  };
  // What stands behind an instruction's operands.
  struct ParsedAttributes {
    AttributeSet attributes;
    OpMetadata metadata;
    std::string backend_config;
    std::vector<HloInstruction*> control_predecessors;
  };

  StatusOr<Signature> ParseSignature();
  Status CheckSignature(const Signature& signature) const;
  Status ParseInstructions();
  Status ParseInstruction();
  StatusOr<HloOpcode> ParseOpcode();
  StatusOr<std::unique_ptr<HloInstruction>> ParseOperandsOf(HloOpcode opcode, Shape shape);
  StatusOr<std::vector<HloInstruction*>> ParseOperandList();
  StatusOr<HloInstruction*> ParseOperand();
  StatusOr<HloInstruction*> ParseInstructionName();
  Status ParseAttributes(HloOpcode opcode, ParsedAttributes* parsed);
  Status ParseAttribute(HloOpcode opcode, ParsedAttributes* parsed);
  Status UnknownAttribute(HloOpcode opcode, std::string_view name, size_t offset) const;

  TextCursor& cursor_;
  const FindComputation& find_;
  InstructionOffsets& offsets_;
  std::unique_ptr<HloComputation> computation_;
  std::unordered_map<std::string_view, HloInstruction*> by_name_;  // names are parts of the text
  HloInstruction* root_ = nullptr;
};

}  // namespace xla
