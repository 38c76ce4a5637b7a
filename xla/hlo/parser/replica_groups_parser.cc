#include "xla/hlo/parser/replica_groups_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/error_ids.h"

namespace xla {
namespace {

constexpr int64_t kMostDevices = 1 << 20;

// "open item, item close".
template <class ParseItem>
Status ParseList(TextCursor& cursor, std::string_view open, std::string_view close, const ParseItem& parse_item) {
  RETURN_IF_ERROR(cursor.Expect(open, "a list is missing"));
  if (cursor.TryConsume(close)) return OkStatus();
  do {
    RETURN_IF_ERROR(parse_item());
  } while (cursor.TryConsume(","));
  return cursor.Expect(close, "the list is not closed");
}
StatusOr<std::vector<int64_t>> Integers(TextCursor& cursor, std::string_view open, std::string_view close) {
  std::vector<int64_t> values;
  RETURN_IF_ERROR(ParseList(cursor, open, close, [&]() -> Status {
    ASSIGN_OR_RETURN(const int64_t value, cursor.Integer());
    values.push_back(value);
    return OkStatus();
  }));
  return values;
}

// The product of positive counts; error at `at` if one is not positive or there are too many.
StatusOr<int64_t> ProductOf(const TextCursor& cursor, size_t at, const std::vector<int64_t>& counts) {
  int64_t product = 1;
  for (const int64_t count : counts) {
    if (count > 0 && !__builtin_mul_overflow(product, count, &product) && product <= kMostDevices) continue;
    return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                          {.what = "these are no counts of devices",
                           .found = fmt::format("[{}]", fmt::join(counts, ",")),
                           .expected = fmt::format("positive numbers, and at most {} devices", kMostDevices)});
  }
  return product;
}

// The numbers 0, 1, ... as an array of these dimensions, read in row-major order of its transpose.
std::vector<int64_t> TransposedIota(const std::vector<int64_t>& dimensions, const std::vector<int64_t>& permutation) {
  const size_t rank = dimensions.size();
  std::vector<int64_t> strides(rank, 1), index(rank, 0);
  for (size_t d = rank; d-- > 1;) strides[d - 1] = strides[d] * dimensions[d];
  std::vector<int64_t> numbers;
  const int64_t count = std::accumulate(dimensions.begin(), dimensions.end(), int64_t{1}, std::multiplies<>());
  for (int64_t i = 0; i < count; ++i) {
    int64_t number = 0;
    for (size_t d = 0; d < rank; ++d) number += index[d] * strides[permutation[d]];
    numbers.push_back(number);
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < dimensions[permutation[d]]) break;
      index[d] = 0;
    }
  }
  return numbers;
}

std::vector<std::vector<int64_t>> InRows(const std::vector<int64_t>& numbers, int64_t row) {
  std::vector<std::vector<int64_t>> rows;
  for (size_t i = 0; i < numbers.size(); i += row) rows.emplace_back(&numbers[i], &numbers[i] + row);
  return rows;
}

StatusOr<std::vector<std::vector<int64_t>>> ParseLists(TextCursor& cursor) {
  std::vector<std::vector<int64_t>> groups;
  RETURN_IF_ERROR(ParseList(cursor, "{", "}", [&]() -> Status {
    ASSIGN_OR_RETURN(std::vector<int64_t> group, Integers(cursor, "{", "}"));
    groups.push_back(std::move(group));
    return OkStatus();
  }));
  return groups;
}

StatusOr<std::vector<std::vector<int64_t>>> ParseIota(TextCursor& cursor) {
  const size_t at = cursor.offset();
  ASSIGN_OR_RETURN(const std::vector<int64_t> shape, Integers(cursor, "[", "]"));
  RETURN_IF_ERROR(cursor.Expect("<=", "groups in short form are [groups,members]<=[dimensions]"));
  const size_t at_dimensions = cursor.offset();
  ASSIGN_OR_RETURN(const std::vector<int64_t> dimensions, Integers(cursor, "[", "]"));
  std::vector<int64_t> permutation(dimensions.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  const size_t at_permutation = cursor.offset();
  if (cursor.TryConsume("T")) {
    const std::vector<int64_t> sorted = permutation;
    ASSIGN_OR_RETURN(permutation, Integers(cursor, "(", ")"));
    if (!std::is_permutation(sorted.begin(), sorted.end(), permutation.begin(), permutation.end())) {
      return cursor.ErrorAt(at_permutation, ErrorId::kHloSyntax,
                            {.what = "this is no permutation of the dimensions",
                             .expected = fmt::format("each of 0 to {} once", dimensions.size() - 1)});
    }
  }
  ASSIGN_OR_RETURN(const int64_t members, ProductOf(cursor, at, shape));
  ASSIGN_OR_RETURN(const int64_t devices, ProductOf(cursor, at_dimensions, dimensions));
  if (shape.size() != 2 || members != devices) {
    return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                          {.what = "the groups do not hold the devices that they are made of",
                           .expected = fmt::format("[groups,members] with groups * members = {}", devices)});
  }
  return InRows(TransposedIota(dimensions, permutation), shape[1]);
}

// 'name', without its quotes.
StatusOr<std::string> AxisName(TextCursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("'", "an axis of a mesh is a name in quotes"));
  ASSIGN_OR_RETURN(const std::string_view name, cursor.Word("the name of an axis"));
  RETURN_IF_ERROR(cursor.Expect("'", "the name of the axis is not closed"));
  return std::string(name);
}

StatusOr<std::vector<std::vector<int64_t>>> ParseMesh(TextCursor& cursor) {
  std::vector<std::string> axes;
  std::vector<int64_t> sizes;
  const size_t at = cursor.offset();
  RETURN_IF_ERROR(ParseList(cursor, "[", "]", [&]() -> Status {
    ASSIGN_OR_RETURN(std::string axis, AxisName(cursor));
    RETURN_IF_ERROR(cursor.Expect("=", "the size of the axis is missing"));
    ASSIGN_OR_RETURN(const int64_t size, cursor.Integer());
    axes.push_back(std::move(axis));
    sizes.push_back(size);
    return OkStatus();
  }));
  std::vector<int64_t> grouped;
  RETURN_IF_ERROR(ParseList(cursor, "{", "}", [&]() -> Status {
    const size_t at_axis = cursor.offset();
    ASSIGN_OR_RETURN(const std::string axis, AxisName(cursor));
    const auto number = std::find(axes.begin(), axes.end(), axis) - axes.begin();
    const bool is_known = number < static_cast<int64_t>(axes.size());
    if (!is_known || std::find(grouped.begin(), grouped.end(), number) != grouped.end()) {
      return cursor.ErrorAt(at_axis, ErrorId::kHloSyntax,
                            {.what = is_known ? "the axis is named twice" : "the mesh has no such axis",
                             .expected = fmt::format("some of '{}'", fmt::join(axes, "', '"))});
    }
    grouped.push_back(number);
    return OkStatus();
  }));
  RETURN_IF_ERROR(ProductOf(cursor, at, sizes).status());
  // Rows along the grouped axes: those come last.
  std::vector<int64_t> permutation;
  int64_t members = 1;
  for (int64_t axis = 0; axis < static_cast<int64_t>(axes.size()); ++axis) {
    if (std::find(grouped.begin(), grouped.end(), axis) == grouped.end()) permutation.push_back(axis);
  }
  for (const int64_t axis : grouped) {
    permutation.push_back(axis);
    members *= sizes[axis];
  }
  return InRows(TransposedIota(sizes, permutation), members);
}

}  // namespace

StatusOr<ReplicaGroups> ParseReplicaGroups(TextCursor& cursor) {
  ReplicaGroups groups;
  const size_t begin = cursor.offset();
  if (cursor.Peek() == '[') {
    ASSIGN_OR_RETURN(groups.groups, ParseIota(cursor));
  } else if (cursor.TryConsume("mesh")) {
    ASSIGN_OR_RETURN(groups.groups, ParseMesh(cursor));
  } else {
    ASSIGN_OR_RETURN(groups.groups, ParseLists(cursor));
  }
  groups.text = cursor.TextBetween(begin, cursor.consumed());
  return groups;
}

StatusOr<SourceTargetPairs> ParseSourceTargetPairs(TextCursor& cursor) {
  SourceTargetPairs pairs;
  RETURN_IF_ERROR(ParseList(cursor, "{", "}", [&]() -> Status {
    const size_t at = cursor.offset();
    ASSIGN_OR_RETURN(const std::vector<int64_t> pair, Integers(cursor, "{", "}"));
    if (pair.size() != 2) {
      return cursor.ErrorAt(at, ErrorId::kHloSyntax, {.what = "a pair has two numbers", .expected = "{source,target}"});
    }
    pairs.emplace_back(pair[0], pair[1]);
    return OkStatus();
  }));
  return pairs;
}

}  // namespace xla
