// Shapes and literals <-> ShapeProto, ProgramShapeProto, LiteralProto.
#pragma once
#include "xla/hlo/ir/literal.h"
#include "xla/hlo/ir/shape.h"
#include "xla/hlo/proto/place.h"
#include "xla/hlo/proto/xla_data.pb.h"

namespace xla {

// HloNotInProto for element types that upstream has no number for (the 6-bit floats) and annotations of layouts that it
// does not know.
Status ShapeToProto(const Shape& shape, const ProtoPlace& place, proto::ShapeProto* out);
Status ProgramShapeToProto(const ProgramShape& shape, const ProtoPlace& place, proto::ProgramShapeProto* out);
// HloBadProto, or HloUnsupportedFeature for dynamic dimensions without a bound.
StatusOr<Shape> ShapeFromProto(const proto::ShapeProto& shape, const ProtoPlace& place);
StatusOr<ProgramShape> ProgramShapeFromProto(const proto::ProgramShapeProto& shape, const ProtoPlace& place);

// The literal must not be elided.
Status LiteralToProto(const Literal& literal, const ProtoPlace& place, proto::LiteralProto* out);
// The value of an instruction of this shape; takes no more memory than the proto.
StatusOr<Literal> LiteralFromProto(const proto::LiteralProto& literal, const Shape& shape, const ProtoPlace& place);

}  // namespace xla
