// The attributes of an instruction <-> the fields of HloInstructionProto (hlo_proto_fields.def).
#pragma once
#include <string>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/proto/hlo.pb.h"
#include "xla/hlo/proto/place.h"

namespace xla {

// All attributes but called computations. HloNotInProto, or HloSyntax where the text that an attribute holds is not
// what XLA's parser would take.
Status AttributesToProto(const HloInstruction& instruction, const ProtoPlace& place, proto::HloInstructionProto* out);
// Sets them on an instruction that has its opcode, shape and operands. HloBadProto; HloUnsupportedFeature where the
// proto has fields set that the opcode does not take.
Status AttributesFromProto(const proto::HloInstructionProto& proto, const ProtoPlace& place,
                           HloInstruction* instruction);

// Called computations in the order of called_computation_ids.
std::vector<HloComputation*> CalledInProtoOrder(const HloInstruction& instruction);
Status SetCalledFromProto(const std::vector<HloComputation*>& called, const ProtoPlace& place,
                          HloInstruction* instruction);

// --- What attribute_codecs.cc has for the attributes that are no plain field. ---

Status EncodeAttribute(AttributeId id, const AttributeValue& value, const HloInstruction& instruction,
                       const ProtoPlace& place, proto::HloInstructionProto* out);
// Absent if the proto says nothing, or only what is meant without the attribute.
StatusOr<std::optional<AttributeValue>> DecodeAttribute(AttributeId id, const proto::HloInstructionProto& proto,
                                                        const HloInstruction& instruction, const ProtoPlace& place);

// comparison_type and comparison_order of a compare, which upstream writes whatever the text says.
void EncodeComparison(const HloInstruction& compare, proto::HloInstructionProto* out);

// {key="value",...}, of instructions and of the module.
Status FrontendAttributesToProto(const std::string& text, const ProtoPlace& place, proto::FrontendAttributes* out);
std::string FrontendAttributesFromProto(const proto::FrontendAttributes& attributes);
// A quoted string, or what stands in braces as it is: the text of a backend configuration.
StatusOr<std::string> UnquotedConfig(const std::string& text, const ProtoPlace& place);
// The inverse: braces where the text reads back as they stand.
std::string QuotedConfig(const std::string& config);
// True if the parser would take `text` as one value.
bool IsOneValue(std::string_view text);

}  // namespace xla
