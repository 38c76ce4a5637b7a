// HloModule, HloComputation, HloInstruction -> text, in the form that JAX prints: no '%', no operand shapes, layouts
// given.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/ir/hlo_module.h"

namespace xla {

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  const auto is_plain = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '"' && c != '\\';
  };
  if (std::all_of(text.begin(), text.end(), is_plain)) return out.append(text) + '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

std::string OpMetadataToString(const OpMetadata& metadata) {
  std::string text;
  const auto append = [&](const std::string& field) { text += (text.empty() ? "" : " ") + field; };
  if (!metadata.op_type.empty()) append("op_type=" + Quoted(metadata.op_type));
  if (!metadata.op_name.empty()) append("op_name=" + Quoted(metadata.op_name));
  if (!metadata.source_file.empty()) append("source_file=" + Quoted(metadata.source_file));
  if (metadata.source_line != 0) append(fmt::format("source_line={}", metadata.source_line));
  if (!metadata.other.empty()) append(metadata.other);
  return text;
}

namespace {

void AppendArguments(const HloInstruction& instruction, std::string* out) {
  if (instruction.opcode() == HloOpcode::kParameter) *out += fmt::format("{}", instruction.parameter_number());
  if (instruction.opcode() == HloOpcode::kConstant) *out += instruction.literal().ToStringWithoutShape();
  for (int64_t i = 0; i < instruction.operand_count(); ++i) {
    if (i > 0) *out += ", ";
    *out += instruction.operand(i)->name();
  }
}

void AppendAttributes(const HloInstruction& instruction, std::string* out) {
  const auto append = [&](AttributeId id) {
    const AttributeValue* value = instruction.attributes().FindValue(id);
    if (value == nullptr) return;
    out->append(", ").append(AttributeText(id)).append("=").append(AttributeValueToString(*value));
  };
  for (const AttributeUse& use : InfoOf(instruction.opcode()).attributes) append(use.id);
  append(AttributeId::kSharding);
  append(AttributeId::kFrontendAttributes);
  if (!instruction.control_predecessors().empty()) {
    std::string names;
    for (const HloInstruction* before : instruction.control_predecessors()) {
      names += (names.empty() ? "" : ", ") + before->name();
    }
    *out += fmt::format(", control-predecessors={{{}}}", names);
  }
  append(AttributeId::kStatistics);
  append(AttributeId::kOrigin);
  if (!instruction.metadata().empty()) {
    out->append(", metadata={").append(OpMetadataToString(instruction.metadata())).append("}");
  }
  if (!instruction.raw_backend_config().empty()) {
    *out += ", backend_config=" + instruction.raw_backend_config();
  }
}

std::string HeaderText(const HloModule& module) {
  const HloModuleConfig& config = module.config();
  std::string text = "HloModule " + module.name();
  const auto append_others = [&](bool first) {
    for (const auto& [name, value] : config.other_attributes) {
      if (HloModuleConfig::IsPrintedBeforeLayout(name) == first) text += fmt::format(", {}={}", name, value);
    }
  };
  append_others(true);
  if (config.entry_computation_layout) {
    text += fmt::format(", entry_computation_layout={{{}}}", config.entry_computation_layout->ToString());
  }
  append_others(false);
  if (config.replica_count != 1) text += fmt::format(", replica_count={}", config.replica_count);
  if (config.num_partitions != 1) text += fmt::format(", num_partitions={}", config.num_partitions);
  return text + "\n\n";
}

}  // namespace

std::string HloInstruction::ToString() const {
  std::string text = name_;
  text.append(" = ").append(shape_.ToStringWithLayout()).append(" ").append(HloOpcodeString(opcode_)).append("(");
  AppendArguments(*this, &text);
  text += ')';
  AppendAttributes(*this, &text);
  return text;
}

std::string HloComputation::ToString() const {
  std::string text = fmt::format("{}{} {{\n", IsEntryComputation() ? "ENTRY " : "", name_);
  for (const HloInstruction* instruction : MakeInstructionPostOrder()) {
    text.append(instruction == root_ ? "  ROOT " : "  ").append(instruction->ToString()).append("\n");
  }
  return text + "}\n";
}

std::string HloModule::ToString() const {
  std::string text = HeaderText(*this);
  if (!config_.stack_frame_tables.empty()) text += config_.stack_frame_tables + "\n\n";
  bool first = true;
  for (const HloComputation* computation : MakeComputationSorted()) {
    text += (first ? "" : "\n") + computation->ToString();
    first = false;
  }
  return text;
}

}  // namespace xla
