// Pieces that move elements: their values and errors stay.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "tests/e2e/random_module_writer.h"

namespace xla::testing {
namespace {

bool HasDimensions(const Value& value) { return value.rank() > 0; }
bool IsEveryValue(const Value&) { return true; }

// Moves the same way in all dimensions but `special`: "usual, special, usual".
std::string PerDimension(int64_t rank, int64_t special, const std::function<std::string(int64_t)>& usual,
                         const std::string& at_special, const char* separator) {
  std::vector<std::string> parts;
  for (int64_t i = 0; i < rank; ++i) parts.push_back(i == special ? at_special : usual(i));
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace

std::string ModuleWriter::RandomLayout(int64_t rank) {
  Dims order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_);
  return rank == 0 ? "" : fmt::format("{{{}}}", fmt::join(order, ","));
}

std::string ModuleWriter::StartIndices(int64_t rank) {
  std::string indices;
  for (int64_t i = 0; i < rank; ++i) indices += ", " + Matching(S32, {}).name;
  return indices;
}

void ModuleWriter::Broadcast() {
  const auto value = Any(IsEveryValue);
  if (!value || value->rank() > 3) return;
  const int64_t place = Below(value->rank() + 1);
  Dims kept(value->rank());
  for (int64_t i = 0; i < value->rank(); ++i) kept[i] = i < place ? i : i + 1;
  Value result = *value;
  result.dims.insert(result.dims.begin() + place, 1 + Below(9));
  Keep(result, fmt::format("broadcast({}), dimensions={{{}}}", value->name, fmt::join(kept, ",")));
}

// Into random factors.
void ModuleWriter::Reshape() {
  const auto value = Any(IsEveryValue);
  if (!value) return;
  int64_t rest = ElementsOf(value->dims);
  Value result = *value;
  result.dims.clear();
  for (int64_t factor = 2; factor < rest && result.rank() < 3; ++factor) {
    if (rest % factor != 0 || OneIn(2)) continue;
    result.dims.push_back(factor);
    rest /= factor;
  }
  if (rest != 1 || OneIn(3)) result.dims.push_back(rest);
  std::shuffle(result.dims.begin(), result.dims.end(), random_);
  Keep(result, fmt::format("reshape({})", value->name));
}

void ModuleWriter::Transpose() {
  const auto value = Any([](const Value& v) { return v.rank() > 1; });
  if (!value) return;
  Dims order(value->rank());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_);
  Value result = *value;
  for (int64_t i = 0; i < value->rank(); ++i) result.dims[i] = value->dims[order[i]];
  Keep(result, fmt::format("transpose({}), dimensions={{{}}}", value->name, fmt::join(order, ",")));
}

void ModuleWriter::Slice() {
  const auto value = Any(HasDimensions);
  if (!value) return;
  const int64_t d = Below(value->rank());
  const int64_t start = Below(value->dims[d]);
  const int64_t limit = start + 1 + Below(value->dims[d] - start);
  const int64_t stride = 1 + Below(3);
  Value result = *value;
  result.dims[d] = (limit - start + stride - 1) / stride;
  Keep(result, fmt::format("slice({}), slice={{{}}}", value->name,
                           PerDimension(
                               value->rank(), d, [&](int64_t i) { return fmt::format("[0:{}]", value->dims[i]); },
                               fmt::format("[{}:{}:{}]", start, limit, stride), ", ")));
}

void ModuleWriter::Pad() {
  const auto value = Any([](const Value& v) { return v.rank() > 0 && !IsComplex(v.type); });
  if (!value) return;
  const int64_t d = Below(value->rank());
  const int64_t low = Below(5) - 1;
  const int64_t high = Below(5) - 1;
  const int64_t interior = Below(3);
  Value result = *value;
  result.dims[d] += low + high + (value->dims[d] - 1) * interior;
  if (result.dims[d] < 1) return;
  const std::string filler = Constant(value->type, value->type == PRED ? "true" : "2");
  result.bound = std::max(result.bound, 2.0);
  Keep(result, fmt::format("pad({}, {}), padding={}", value->name, filler,
                           PerDimension(
                               value->rank(), d, [](int64_t) { return std::string("0_0_0"); },
                               fmt::format("{}_{}_{}", low, high, interior), "x")));
}

void ModuleWriter::Concatenate() {
  const auto a = Any([](const Value& v) { return v.rank() > 0 && !IsComplex(v.type); });
  if (!a) return;
  const int64_t d = Below(a->rank());
  const auto fits = [&](const Value& v) {
    if (v.type != a->type || v.rank() != a->rank()) return false;
    for (int64_t i = 0; i < v.rank(); ++i) {
      if (i != d && v.dims[i] != a->dims[i]) return false;
    }
    return true;
  };
  const Value b = *Any(fits);
  const Value c = Matching(a->type, a->dims);
  Value result = *a;
  result.dims[d] += b.dims[d] + c.dims[d];
  result.bound = std::max({a->bound, b.bound, c.bound});
  result.error = std::max({a->error, b.error, c.error});
  Keep(result, fmt::format("concatenate({}, {}, {}), dimensions={{{}}}", a->name, b.name, c.name, d));
}

void ModuleWriter::Reverse() {
  const auto value = Any(HasDimensions);
  if (!value) return;
  Keep(*value,
       fmt::format("reverse({}), dimensions={{{}}}", value->name, fmt::join(SomeDimensions(value->rank()), ",")));
}

void ModuleWriter::CopyLayout() {
  const auto value = Any([](const Value& v) { return v.rank() > 1; });
  if (!value) return;
  const std::string name = fmt::format("v{}", lines_++);
  body_ += fmt::format("  {} = {}{} copy({})\n", name, ShapeText(value->type, value->dims), RandomLayout(value->rank()),
                       value->name);
  Value copy = *value;
  copy.name = name;
  values_.push_back(copy);
}

// Indices are any s32: they are clamped.
void ModuleWriter::DynamicSlice() {
  const auto value = Any(HasDimensions);
  if (!value) return;
  Value result = *value;
  for (int64_t& size : result.dims) size = 1 + Below(size);
  const std::string indices = StartIndices(value->rank());
  Keep(result, fmt::format("dynamic-slice({}{}), dynamic_slice_sizes={{{}}}", value->name, indices,
                           fmt::join(result.dims, ",")));
}

void ModuleWriter::DynamicUpdateSlice() {
  const auto value = Any([](const Value& v) { return v.rank() > 0 && !IsComplex(v.type); });
  if (!value) return;
  Dims sizes = value->dims;
  for (int64_t& size : sizes) size = 1 + Below(size);
  const Value update = Matching(value->type, sizes);
  const std::string indices = StartIndices(value->rank());
  Value result = *value;
  result.bound = std::max(value->bound, update.bound);
  result.error = std::max(value->error, update.error);
  Keep(result, fmt::format("dynamic-update-slice({}, {}{})", value->name, update.name, indices));
}

// Slices of one or more rows along a dimension.
void ModuleWriter::Gather() {
  const auto value = Any(HasDimensions);
  if (!value) return;
  const int64_t d = Below(value->rank());
  const int64_t count = 1 + Below(20);
  const bool drops = OneIn(2);  // the dimension, when slices are one row high
  Dims sizes = value->dims;
  sizes[d] = drops ? 1 : 1 + Below(value->dims[d]);
  Value result = *value;
  result.dims = {count};
  Dims offsets;
  for (int64_t i = 0; i < value->rank(); ++i) {
    if (drops && i == d) continue;
    result.dims.push_back(sizes[i]);
    offsets.push_back(static_cast<int64_t>(offsets.size()) + 1);
  }
  const Value indices = Matching(S32, {count});
  Keep(result, fmt::format("gather({}, {}), offset_dims={{{}}}, collapsed_slice_dims={{{}}}, start_index_map={{{}}}, "
                           "index_vector_dim=1, slice_sizes={{{}}}",
                           value->name, indices.name, fmt::join(offsets, ","), drops ? fmt::format("{}", d) : "", d,
                           fmt::join(sizes, ",")));
}

// Rows are added, or combined in another way that does not ask for an order; indices outside are left out.
void ModuleWriter::Scatter() {
  const auto value = Any([](const Value& v) { return v.rank() > 0 && v.exact() && !IsComplex(v.type); });
  if (!value) return;
  const int64_t count = 1 + Below(20);
  const int64_t d = Below(value->rank());
  Dims updates = {count};
  Dims window;
  for (int64_t i = 0; i < value->rank(); ++i) {
    if (i == d) continue;
    updates.push_back(value->dims[i]);
    window.push_back(static_cast<int64_t>(window.size()) + 1);
  }
  if (ElementsOf(updates) > options_.most_elements) return;
  Value update = Matching(value->type, updates);
  if (!update.exact()) return;
  const auto combining = RandomCombining({"", value->type, {}, std::max(value->bound, update.bound), 0}, count + 1);
  if (!combining) return;
  const Value indices = Small(Matching(S32, {count}), 20);
  Value result = *value;
  result.bound = combining->bound;
  Keep(result, fmt::format("scatter({}, {}, {}), update_window_dims={{{}}}, inserted_window_dims={{{}}}, "
                           "scatter_dims_to_operand_dims={{{}}}, index_vector_dim=1, to_apply={}",
                           value->name, indices.name, update.name, fmt::join(window, ","), d, d,
                           Combiner(combining->opcode, value->type)));
}

}  // namespace xla::testing
