#include "xla/hlo/proto/module_writer.h"

#include <fmt/format.h>
#include <google/protobuf/message.h>

#include <unordered_map>
#include <unordered_set>

#include "base/error_ids.h"
#include "xla/hlo/proto/attribute_proto.h"
#include "xla/hlo/proto/module_header_proto.h"
#include "xla/hlo/proto/shape_proto.h"
#include "xla/hlo/proto/sharding_proto.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

bool IsUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xc2 && lead < 0xe0 ? 1
                     : (lead & 0xf0) == 0xe0       ? 2
                     : (lead & 0xf8) == 0xf0       ? 3
                                                   : -1;
    if (more < 0 || i + more > text.size()) return false;
    uint32_t code = more == 0 ? lead : lead & (0x3f >> more);
    for (int k = 0; k < more; ++k, ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return false;
      code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
    }
    const bool is_too_long = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
    if (is_too_long || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  }
  return true;
}

// Strings of protos are UTF-8: readers refuse other bytes. (Fields of type `bytes` may hold any.)
Status CheckStrings(const Message& message, const ProtoPlace& place) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  const auto check = [&](const FieldDescriptor* field, const std::string& text) {
    if (IsUtf8(text)) return OkStatus();
    return place.Error(ErrorId::kHloNotInProto,
                       {.what = field->name() + " is not UTF-8, as the strings of protos must be",
                        .found = Quoted(text.substr(0, 100))});
  };
  for (const FieldDescriptor* field : fields) {
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      if (field->type() == FieldDescriptor::TYPE_STRING) {
        RETURN_IF_ERROR(check(field, field->is_repeated() ? reflection->GetRepeatedString(message, field, i)
                                                          : reflection->GetString(message, field)));
      } else if (field->type() == FieldDescriptor::TYPE_MESSAGE) {
        RETURN_IF_ERROR(CheckStrings(field->is_repeated() ? reflection->GetRepeatedMessage(message, field, i)
                                                          : reflection->GetMessage(message, field),
                                     place));
      }
    }
  }
  return OkStatus();
}

class ModuleWriter {
 public:
  explicit ModuleWriter(const HloModule& module) : module_(module), place_{.file = module.name()} {}

  StatusOr<proto::HloModuleProtoWithConfig> Write() {
    proto::HloModuleProtoWithConfig proto;
    RETURN_IF_ERROR(HeaderToProto(module_, place_, &proto));
    proto::HloModuleProto* out = proto.mutable_hlo_module();
    for (const HloComputation* computation : module_.MakeComputationSorted())
      RETURN_IF_ERROR(WriteComputation(*computation, out));
    if (module_.entry_computation() != nullptr) {
      out->set_entry_computation_name(module_.entry_computation()->name());
      out->set_entry_computation_id(computation_ids_.at(module_.entry_computation()));
    }
    place_.instruction.clear();
    place_.computation.clear();
    RETURN_IF_ERROR(CheckStrings(proto, place_));
    return proto;
  }

 private:
  Status WriteComputation(const HloComputation& computation, proto::HloModuleProto* module) {
    place_.computation = computation.name();
    proto::HloComputationProto* out = module->add_computations();
    const auto id = static_cast<int64_t>(computation_ids_.size()) + 1;
    computation_ids_.emplace(&computation, id);
    out->set_id(id);
    out->set_name(computation.name());
    out->set_execution_thread("main");
    for (const HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
      place_.instruction = instruction->name();
      RETURN_IF_ERROR(WriteInstruction(*instruction, out->add_instructions()));
    }
    place_.instruction.clear();
    out->set_root_id(ids_.at(computation.root_instruction()));
    RETURN_IF_ERROR(ProgramShapeToProto(computation.ComputeProgramShape(), place_, out->mutable_program_shape()));
    for (const HloInstruction* parameter : computation.parameter_instructions())
      out->mutable_program_shape()->add_parameter_names(parameter->name());
    if (IsScheduled(module_.config())) {
      auto& sequence = (*module->mutable_schedule()->mutable_sequences())[id];
      for (const HloInstruction* instruction : computation.instructions())
        sequence.add_instruction_ids(ids_.at(instruction));
    }
    return OkStatus();
  }

  Status WriteInstruction(const HloInstruction& instruction, proto::HloInstructionProto* out) {
    const auto id = static_cast<int64_t>(ids_.size()) + 1;
    ids_.emplace(&instruction, id);
    out->set_id(id);
    out->set_name(instruction.name());
    out->set_opcode(std::string(HloOpcodeString(instruction.opcode())));
    RETURN_IF_ERROR(ShapeToProto(instruction.shape(), place_, out->mutable_shape()));
    for (const HloInstruction* operand : instruction.operands()) out->add_operand_ids(ids_.at(operand));
    for (const HloInstruction* before : instruction.control_predecessors())
      out->add_control_predecessor_ids(ids_.at(before));
    for (const HloComputation* called : CalledInProtoOrder(instruction))
      out->add_called_computation_ids(computation_ids_.at(called));
    if (instruction.opcode() == HloOpcode::kParameter) out->set_parameter_number(instruction.parameter_number());
    if (instruction.opcode() == HloOpcode::kConstant)
      RETURN_IF_ERROR(LiteralToProto(instruction.literal(), place_, out->mutable_literal()));
    if (!instruction.metadata().empty())
      RETURN_IF_ERROR(MetadataToProto(instruction.metadata(), out->mutable_metadata()));
    if (!instruction.raw_backend_config().empty()) {
      ASSIGN_OR_RETURN(*out->mutable_backend_config(), UnquotedConfig(instruction.raw_backend_config(), place_));
    }
    return AttributesToProto(instruction, place_, out);
  }

  const HloModule& module_;
  ProtoPlace place_;
  std::unordered_map<const HloInstruction*, int64_t> ids_;
  std::unordered_map<const HloComputation*, int64_t> computation_ids_;
};

}  // namespace

StatusOr<proto::HloModuleProtoWithConfig> ModuleToProto(const HloModule& module) {
  return ModuleWriter(module).Write();
}

}  // namespace xla
