// What shardings and replica groups share: meshes of devices with named axes, and numbers 0, 1, ... as an array.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "xla/hlo/ir/hlo_attributes.h"
#include "xla/hlo/parser/text_cursor.h"
#include "xla/hlo/proto/place.h"
#include "xla/hlo/proto/xla_data.pb.h"

namespace xla {

using AxisList = google::protobuf::RepeatedPtrField<proto::AxisRefProto>;

// "open 1,2,3 close": calls add(number).
template <class Add>
Status ReadIntegers(TextCursor& cursor, std::string_view open, std::string_view close, const Add& add) {
  RETURN_IF_ERROR(cursor.Expect(open, "a list is missing"));
  if (cursor.TryConsume(close)) return OkStatus();
  do {
    ASSIGN_OR_RETURN(const int64_t value, cursor.Integer());
    add(value);
  } while (cursor.TryConsume(","));
  return cursor.Expect(close, "the list is not closed");
}

// "mesh['a'=2,'b'=4]", "mesh['a'=2], device_ids=(1,0)" or "maximal_mesh[device_id=3]".
Status ReadMesh(TextCursor& cursor, proto::MeshProto* out);
// "'a'" or, for a factor of the axis, "'a':(2)4".
Status ReadAxis(TextCursor& cursor, const proto::MeshProto& mesh, proto::AxisRefProto* out);
// "{'a', 'b'}".
Status ReadAxes(TextCursor& cursor, const proto::MeshProto& mesh, AxisList* out);

// The inverses; HloBadProto for axes that the mesh does not have, and for names that no text can hold.
StatusOr<std::string> MeshText(const proto::MeshProto& mesh, const ProtoPlace& place);
StatusOr<std::string> AxesText(const proto::MeshProto& mesh, const AxisList& axes, std::string_view separator,
                               const ProtoPlace& place);
bool IsMaximalMesh(const proto::MeshProto& mesh);

// "[4,2]<=[2,4]T(1,0)".
template <class Counts, class Dimensions, class Permutation>
std::string IotaText(const Counts& counts, const Dimensions& dimensions, const Permutation& permutation) {
  std::string text = fmt::format("[{}]<=[{}]", fmt::join(counts, ","), fmt::join(dimensions, ","));
  int64_t next = 0;
  bool is_sorted = true;
  for (const auto d : permutation) is_sorted &= d == next++;
  return is_sorted ? text : text + fmt::format("T({})", fmt::join(permutation, ","));
}

}  // namespace xla
