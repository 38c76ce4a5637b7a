#include "xla/hlo/parser/computation_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"
#include "base/flags.h"
#include "xla/hlo/parser/shape_parser.h"

namespace xla {
namespace {

std::string DidYouMean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string nearest = rocxla::NearestSpelling(word, candidates);
  return nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest);
}

}  // namespace

StatusOr<std::unique_ptr<HloComputation>> ComputationParser::Parse() {
  const size_t name_offset = cursor_.offset();
  ASSIGN_OR_RETURN(const std::string_view name, cursor_.Word("a computation's name"));
  computation_ = std::make_unique<HloComputation>(std::string(name));
  const bool has_signature = cursor_.Peek() == '(';
  Signature signature;
  if (has_signature) {
    ASSIGN_OR_RETURN(signature, ParseSignature());
  }
  RETURN_IF_ERROR(cursor_.Expect("{", "the computation's body is missing"));
  RETURN_IF_ERROR(ParseInstructions());
  if (computation_->instruction_count() == 0) {
    return cursor_.ErrorAt(name_offset, ErrorId::kHloSyntax,
                           {.what = "the computation is empty", .expected = "at least one instruction"});
  }
  if (root_ != nullptr) computation_->set_root_instruction(root_);
  computation_->set_root_instruction(computation_->root_instruction());
  if (has_signature) RETURN_IF_ERROR(CheckSignature(signature));
  return std::move(computation_);
}

StatusOr<ComputationParser::Signature> ComputationParser::ParseSignature() {
  Signature signature;
  signature.offset = cursor_.offset();
  RETURN_IF_ERROR(cursor_.Expect("(", "the signature is missing"));
  while (!cursor_.TryConsume(")")) {
    if (!signature.parameters.empty()) RETURN_IF_ERROR(cursor_.Expect(",", "the signature is not closed"));
    ASSIGN_OR_RETURN(const std::string_view name, cursor_.Word("a parameter's name"));
    RETURN_IF_ERROR(cursor_.Expect(":", "the parameter's shape is missing"));
    ASSIGN_OR_RETURN(Shape shape, ParseShape(cursor_));
    signature.parameters.emplace_back(name, std::move(shape));
  }
  RETURN_IF_ERROR(cursor_.Expect("->", "the signature's result is missing"));
  ASSIGN_OR_RETURN(signature.result, ParseShape(cursor_));
  return signature;
}

Status ComputationParser::CheckSignature(const Signature& signature) const {
  ProgramShape declared;
  for (const auto& [name, shape] : signature.parameters) declared.parameters.push_back(shape);
  declared.result = signature.result;
  const ProgramShape actual = computation_->ComputeProgramShape();
  if (ShapeUtil::SameValues(declared.result, actual.result) &&
      ShapeUtil::SameValues(Shape::Tuple(declared.parameters), Shape::Tuple(actual.parameters))) {
    return OkStatus();
  }
  return cursor_.ErrorAt(signature.offset, ErrorId::kHloSyntax,
                         {.what = fmt::format("the signature of '{}' does not fit its body", computation_->name()),
                          .found = declared.ToString(),
                          .expected = actual.ToString()});
}

Status ComputationParser::ParseInstructions() {
  while (!cursor_.TryConsume("}")) {
    if (cursor_.AtEnd()) {
      return cursor_.SyntaxError(fmt::format("the computation '{}' is not closed", computation_->name()),
                                 "an instruction, or '}'");
    }
    RETURN_IF_ERROR(ParseInstruction());
  }
  return OkStatus();
}

Status ComputationParser::ParseInstruction() {
  size_t at = cursor_.offset();
  ASSIGN_OR_RETURN(std::string_view name, cursor_.Word("an instruction's name"));
  const bool is_root = name == "ROOT" && cursor_.Peek() != '=';
  if (is_root) {
    if (root_ != nullptr) {
      return cursor_.ErrorAt(
          at, ErrorId::kHloSyntax,
          {.what = "the computation has a second ROOT", .expected = fmt::format("only '{}' as ROOT", root_->name())});
    }
    at = cursor_.offset();
    ASSIGN_OR_RETURN(name, cursor_.Word("an instruction's name"));
  }
  if (by_name_.contains(name)) {
    return cursor_.ErrorAt(
        at, ErrorId::kHloSyntax,
        {.what = "two instructions of the computation have the same name", .expected = "a name that is not used yet"});
  }
  RETURN_IF_ERROR(cursor_.Expect("=", "the instruction's definition is missing"));
  ASSIGN_OR_RETURN(Shape shape, ParseShape(cursor_));
  ASSIGN_OR_RETURN(const HloOpcode opcode, ParseOpcode());
  ASSIGN_OR_RETURN(std::unique_ptr<HloInstruction> instruction, ParseOperandsOf(opcode, std::move(shape)));
  ParsedAttributes parsed;
  RETURN_IF_ERROR(ParseAttributes(opcode, &parsed));

  instruction->SetAttributes(std::move(parsed.attributes));
  instruction->set_metadata(std::move(parsed.metadata));
  instruction->set_raw_backend_config(std::move(parsed.backend_config));
  HloInstruction* added = computation_->AddInstruction(std::move(instruction), name);
  for (HloInstruction* before : parsed.control_predecessors) before->AddControlDependencyTo(added);
  by_name_.emplace(name, added);
  offsets_.emplace_back(added, at);
  if (is_root) root_ = added;
  return OkStatus();
}

StatusOr<HloOpcode> ComputationParser::ParseOpcode() {
  const size_t at = cursor_.offset();
  ASSIGN_OR_RETURN(const std::string_view word, cursor_.Word("an opcode"));
  if (const std::optional<HloOpcode> opcode = HloOpcodeFromString(word)) return *opcode;
  auto [id, text] = OpcodeProblem(word);
  return cursor_.ErrorAt(at, id, std::move(text));
}

StatusOr<std::unique_ptr<HloInstruction>> ComputationParser::ParseOperandsOf(HloOpcode opcode, Shape shape) {
  RETURN_IF_ERROR(cursor_.Expect("(", "the operand list is missing"));
  std::unique_ptr<HloInstruction> instruction;
  if (opcode == HloOpcode::kParameter) {
    ASSIGN_OR_RETURN(const int64_t number, cursor_.Integer());
    instruction = HloInstruction::CreateParameter(number, shape, "");
  } else if (opcode == HloOpcode::kConstant) {
    ASSIGN_OR_RETURN(Literal literal, ParseLiteral(cursor_, shape));
    // A tuple literal has lost the layouts of its parts; the declared shape has them.
    literal.set_shape(shape);
    instruction = HloInstruction::CreateConstant(std::move(literal));
  } else {
    ASSIGN_OR_RETURN(const std::vector<HloInstruction*> operands, ParseOperandList());
    instruction = HloInstruction::Create(opcode, std::move(shape), operands);
  }
  RETURN_IF_ERROR(cursor_.Expect(")", "the operand list is not closed"));
  return instruction;
}

StatusOr<std::vector<HloInstruction*>> ComputationParser::ParseOperandList() {
  std::vector<HloInstruction*> operands;
  if (cursor_.Peek() == ')') return operands;
  do {
    ASSIGN_OR_RETURN(HloInstruction * operand, ParseOperand());
    operands.push_back(operand);
  } while (cursor_.TryConsume(","));
  return operands;
}

StatusOr<HloInstruction*> ComputationParser::ParseOperand() {
  const size_t at = cursor_.offset();
  // "f32[2]{0} x" or "x": only a type is followed by '[', only a tuple type begins with '('.
  bool has_shape = cursor_.Peek() == '(';
  if (!has_shape && cursor_.Peek() != '%') {
    ASSIGN_OR_RETURN([[maybe_unused]] const std::string_view word, cursor_.Word("an operand's name"));
    has_shape = cursor_.RawPeek() == '[';
    if (cursor_.Peek() == '(') {
      return cursor_.ErrorAt(at, ErrorId::kHloUnsupportedFeature,
                             {.what = "an instruction inside an operand list cannot be read yet",
                              .expected = "the name of an instruction defined above",
                              .next = "Give the operand a line and a name of its own."});
    }
    cursor_.set_offset(at);
  }
  if (!has_shape) return ParseInstructionName();
  ASSIGN_OR_RETURN(const Shape shape, ParseShape(cursor_));
  ASSIGN_OR_RETURN(HloInstruction * operand, ParseInstructionName());
  if (!ShapeUtil::SameValues(shape, operand->shape())) {
    return cursor_.ErrorAt(at, ErrorId::kHloSyntax,
                           {.what = fmt::format("operand '{}' has another shape", operand->name()),
                            .found = shape.ToString(),
                            .expected = operand->shape().ToString()});
  }
  return operand;
}

StatusOr<HloInstruction*> ComputationParser::ParseInstructionName() {
  const size_t at = cursor_.offset();
  ASSIGN_OR_RETURN(const std::string_view name, cursor_.Word("an instruction's name"));
  const auto it = by_name_.find(name);
  if (it != by_name_.end()) return it->second;
  std::vector<std::string_view> names;
  for (const auto& [known, instruction] : by_name_) names.push_back(known);
  return cursor_.ErrorAt(
      at, ErrorId::kHloUndefinedName,
      {.what = fmt::format("no instruction '{}' is defined above in computation '{}'", name, computation_->name()),
       .expected = "the name of an instruction that stands before its use",
       .next = DidYouMean(name, names)});
}

Status ComputationParser::ParseAttributes(HloOpcode opcode, ParsedAttributes* parsed) {
  while (cursor_.TryConsume(",")) RETURN_IF_ERROR(ParseAttribute(opcode, parsed));
  for (const AttributeUse& use : InfoOf(opcode).attributes) {
    if (!use.required || parsed->attributes.Has(use.id)) continue;
    return cursor_.SyntaxError(fmt::format("{} lacks an attribute", HloOpcodeString(opcode)),
                               fmt::format(", {}=...", AttributeText(use.id)));
  }
  return OkStatus();
}

Status ComputationParser::ParseAttribute(HloOpcode opcode, ParsedAttributes* parsed) {
  const size_t at = cursor_.offset();
  ASSIGN_OR_RETURN(const std::string_view name, cursor_.Word("an attribute, such as metadata={...}"));
  const std::optional<AttributeId> id = AttributeFromText(name);
  const auto& uses = InfoOf(opcode).attributes;
  const bool is_own =
      id && std::any_of(uses.begin(), uses.end(), [&](const AttributeUse& use) { return use.id == *id; });
  const bool is_special = name == "metadata" || name == "backend_config" || name == "control-predecessors";
  if (!is_own && !is_special && !(id && IsCommonAttribute(*id))) return UnknownAttribute(opcode, name, at);
  if (!cursor_.TryConsume("=")) return cursor_.SyntaxError(fmt::format("the value of {} is missing", name), "'='");
  if (name == "metadata") {
    ASSIGN_OR_RETURN(parsed->metadata, ParseMetadata(cursor_));
    return OkStatus();
  }
  if (name == "backend_config") {
    ASSIGN_OR_RETURN(parsed->backend_config, cursor_.BalancedValue());
    return OkStatus();
  }
  if (name == "control-predecessors") {
    RETURN_IF_ERROR(cursor_.Expect("{", "a list is missing"));
    while (!cursor_.TryConsume("}")) {
      if (!parsed->control_predecessors.empty()) RETURN_IF_ERROR(cursor_.Expect(",", "the list is not closed"));
      ASSIGN_OR_RETURN(HloInstruction * before, ParseInstructionName());
      parsed->control_predecessors.push_back(before);
    }
    return OkStatus();
  }
  if (parsed->attributes.Has(*id)) {
    return cursor_.ErrorAt(at, ErrorId::kHloSyntax, {.what = fmt::format("{} is given twice", name)});
  }
  ASSIGN_OR_RETURN(AttributeValue value, ParseAttributeValue(cursor_, *id, find_));
  parsed->attributes.Set(*id, std::move(value));
  return OkStatus();
}

Status ComputationParser::UnknownAttribute(HloOpcode opcode, std::string_view name, size_t offset) const {
  std::vector<std::string_view> names;
  for (const AttributeUse& use : InfoOf(opcode).attributes) names.push_back(AttributeText(use.id));
  std::string own;
  for (std::string_view text : names) own += std::string(text) + ", ";
  names.insert(names.end(), {"metadata", "backend_config", "sharding", "frontend_attributes"});
  return cursor_.ErrorAt(offset, ErrorId::kHloSyntax,
                         {.what = fmt::format("{} has no attribute '{}'", HloOpcodeString(opcode), name),
                          .expected = own + "or one that every instruction has (metadata, sharding, ...)",
                          .next = DidYouMean(name, names)});
}

}  // namespace xla
