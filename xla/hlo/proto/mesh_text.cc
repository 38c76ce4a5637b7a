#include "xla/hlo/proto/mesh_text.h"

#include <algorithm>

#include "base/error_ids.h"

namespace xla {
namespace {

constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

StatusOr<std::string> QuotedName(TextCursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("'", "an axis of a mesh is a name in quotes"));
  const std::string name(cursor.RunOf(kNameCharacters));
  RETURN_IF_ERROR(cursor.Expect("'", "the name of the axis is not closed"));
  return name;
}

}  // namespace

Status ReadMesh(TextCursor& cursor, proto::MeshProto* out) {
  if (cursor.TryConsume("maximal_mesh")) {
    RETURN_IF_ERROR(cursor.Expect("[device_id=", "a mesh of one device is maximal_mesh[device_id=N]"));
    ASSIGN_OR_RETURN(const int64_t device, cursor.Integer());
    out->add_device_ids(device);
    return cursor.Expect("]", "the mesh is not closed");
  }
  RETURN_IF_ERROR(cursor.Expect("mesh", "a mesh is missing"));
  RETURN_IF_ERROR(cursor.Expect("[", "the axes of the mesh are missing"));
  while (!cursor.TryConsume("]")) {
    if (out->axes_size() > 0) RETURN_IF_ERROR(cursor.Expect(",", "the mesh is not closed"));
    proto::MeshProto::MeshAxis* axis = out->add_axes();
    ASSIGN_OR_RETURN(*axis->mutable_name(), QuotedName(cursor));
    RETURN_IF_ERROR(cursor.Expect("=", "the size of the axis is missing"));
    ASSIGN_OR_RETURN(const int64_t size, cursor.Integer());
    axis->set_size(size);
  }
  const size_t behind = cursor.consumed();
  if (cursor.TryConsume(",") && cursor.TryConsume("device_ids="))
    return ReadIntegers(cursor, "(", ")", [&](int64_t value) { out->add_device_ids(value); });
  cursor.set_offset(behind);
  return OkStatus();
}

Status ReadAxis(TextCursor& cursor, const proto::MeshProto& mesh, proto::AxisRefProto* out) {
  const size_t at = cursor.offset();
  ASSIGN_OR_RETURN(const std::string name, QuotedName(cursor));
  const auto found =
      std::find_if(mesh.axes().begin(), mesh.axes().end(), [&](const auto& a) { return a.name() == name; });
  if (found == mesh.axes().end()) {
    std::vector<std::string> names;
    for (const auto& axis : mesh.axes()) names.push_back("'" + axis.name() + "'");
    return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                          {.what = "the mesh has no such axis", .expected = fmt::format("{}", fmt::join(names, ", "))});
  }
  out->set_mesh_axis_index(found - mesh.axes().begin());
  if (!cursor.TryConsume(":")) return OkStatus();
  RETURN_IF_ERROR(cursor.Expect("(", "a factor of an axis is 'name':(factors before it)size"));
  ASSIGN_OR_RETURN(const int64_t before, cursor.Integer());
  RETURN_IF_ERROR(cursor.Expect(")", "the factors before it are not closed"));
  ASSIGN_OR_RETURN(const int64_t size, cursor.Integer());
  out->mutable_sub_axis_info()->set_pre_size(before);
  out->mutable_sub_axis_info()->set_size(size);
  return OkStatus();
}

Status ReadAxes(TextCursor& cursor, const proto::MeshProto& mesh, AxisList* out) {
  RETURN_IF_ERROR(cursor.Expect("{", "a list of axes is missing"));
  if (cursor.TryConsume("}")) return OkStatus();
  do {
    RETURN_IF_ERROR(ReadAxis(cursor, mesh, out->Add()));
  } while (cursor.TryConsume(","));
  return cursor.Expect("}", "the list of axes is not closed");
}

bool IsMaximalMesh(const proto::MeshProto& mesh) { return mesh.axes_size() == 0 && mesh.device_ids_size() == 1; }

StatusOr<std::string> MeshText(const proto::MeshProto& mesh, const ProtoPlace& place) {
  if (IsMaximalMesh(mesh)) return fmt::format("maximal_mesh[device_id={}]", mesh.device_ids(0));
  std::string text;
  for (const auto& axis : mesh.axes()) {
    if (axis.name().find_first_not_of(kNameCharacters) != std::string::npos || axis.name().empty()) {
      return place.Bad({.what = "an axis of a mesh has a name that is none",
                        .found = Quoted(axis.name()),
                        .expected = "letters, digits, '_', '.' and '-'"});
    }
    text += fmt::format("{}'{}'={}", text.empty() ? "" : ",", axis.name(), axis.size());
  }
  text = "mesh[" + text + "]";
  if (mesh.device_ids_size() > 0) text += fmt::format(", device_ids=({})", fmt::join(mesh.device_ids(), ","));
  return text;
}

StatusOr<std::string> AxesText(const proto::MeshProto& mesh, const AxisList& axes, std::string_view separator,
                               const ProtoPlace& place) {
  std::string text;
  for (const proto::AxisRefProto& axis : axes) {
    const int64_t index = axis.mesh_axis_index();
    if (index < 0 || index >= mesh.axes_size()) {
      return place.Bad({.what = "the mesh has no such axis",
                        .found = fmt::format("mesh_axis_index {}", index),
                        .expected = fmt::format("one of {} axes", mesh.axes_size())});
    }
    if (!text.empty()) text += separator;
    text += fmt::format("'{}'", mesh.axes(static_cast<int>(index)).name());
    if (axis.has_sub_axis_info())
      text += fmt::format(":({}){}", axis.sub_axis_info().pre_size(), axis.sub_axis_info().size());
  }
  return text;
}

}  // namespace xla
