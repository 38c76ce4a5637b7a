// statistics={...} and origin={...} <-> StatisticsViz and OriginalValueProto.
#pragma once
#include <string>

#include "xla/hlo/ir/shape.h"
#include "xla/hlo/parser/text_cursor.h"
#include "xla/hlo/proto/hlo.pb.h"

namespace xla {

// Behind "statistics=".
Status StatisticsToProto(TextCursor& cursor, proto::StatisticsViz* out);
std::string StatisticsFromProto(const proto::StatisticsViz& viz);

// Behind "origin="; `shape` is the instruction's.
Status OriginToProto(TextCursor& cursor, proto::OriginalValueProto* out);
std::string OriginFromProto(const proto::OriginalValueProto& value, const Shape& shape);

}  // namespace xla
