// sharding={...} and replica_groups=... <-> OpSharding and the lists of devices. The text forms are XLA's; instructions
// keep them as text, so both directions go through it.
#pragma once
#include <string>

#include "xla/hlo/ir/hlo_attributes.h"
#include "xla/hlo/parser/text_cursor.h"
#include "xla/hlo/proto/hlo.pb.h"
#include "xla/hlo/proto/place.h"

namespace xla {

// Behind "sharding=".
Status ShardingToProto(TextCursor& cursor, proto::OpSharding* out);
// HloBadProto if it names axes that its mesh does not have.
StatusOr<std::string> ShardingFromProto(const proto::OpSharding& sharding, const ProtoPlace& place);

// Behind "domain=": {kind="sharding", entry={...}, exit={...}}. The text's entry is how the users of the instruction
// are sharded, which protos call the exit of the domain, and the other way round.
Status DomainToProto(TextCursor& cursor, proto::OpSharding* entry, proto::OpSharding* exit);
StatusOr<std::string> DomainFromProto(const proto::OpSharding& entry, const proto::OpSharding& exit,
                                      const ProtoPlace& place);

// Behind "replica_groups=": lists, [groups,members]<=[dimensions], or mesh[...] {...}.
Status ReplicaGroupsToProto(TextCursor& cursor, proto::HloInstructionProto* out);
// From whichever of the fields for it is there; "{}" if none is.
StatusOr<std::string> ReplicaGroupsFromProto(const proto::HloInstructionProto& instruction, const ProtoPlace& place);

// Behind "metadata=", and what stands between its braces.
Status MetadataToProto(const OpMetadata& metadata, proto::OpMetadata* out);
OpMetadata MetadataFromProto(const proto::OpMetadata& metadata);

}  // namespace xla
