// Pieces that combine elements or call computations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tests/e2e/random_module_writer.h"

namespace xla::testing {
namespace {

bool IsExactReal(const Value& value) { return value.exact() && !IsComplex(value.type); }

std::string Type(PrimitiveType type) { return std::string(PrimitiveTypeName(type)); }

}  // namespace

std::string ModuleWriter::Combiner(const std::string& opcode, PrimitiveType type) {
  const std::string scalar = ShapeText(type, {});
  return Computation(
      fmt::format("{}_{}", opcode, Type(type)),
      fmt::format("  x = {0} parameter(0)\n  y = {0} parameter(1)\n  ROOT z = {0} {1}(x, y)\n", scalar, opcode));
}

std::string ModuleWriter::Identity(const std::string& opcode, PrimitiveType type) {
  const bool is_max = opcode == "maximum";
  if (type == PRED) return opcode == "and" || opcode == "minimum" ? "true" : "false";
  if (opcode == "multiply") return "1";
  if (!is_max && opcode != "minimum" && opcode != "and") return "0";
  if (IsFloat(type)) return is_max ? "-inf" : "inf";
  const bool has_sign = TypeClassOf(type) == TypeClass::kSigned;
  if (opcode == "and") return has_sign ? "-1" : fmt::format("{}", ~uint64_t{0} >> (64 - BitWidth(type)));
  const uint64_t high = ~uint64_t{0} >> (64 - BitWidth(type) + (has_sign ? 1 : 0));
  if (!is_max) return fmt::format("{}", high);
  return has_sign ? fmt::format("{}", -static_cast<int64_t>(high) - 1) : "0";
}

std::optional<ModuleWriter::Combining> ModuleWriter::RandomCombining(const Value& value, int64_t count) {
  static const std::vector<std::string> of_pred = {"and", "or", "xor"};
  static const std::vector<std::string> of_integer = {"add", "multiply", "maximum", "minimum", "and", "or", "xor"};
  static const std::vector<std::string> of_float = {"add", "add", "maximum", "minimum"};
  if (value.type == PRED) return Combining{OneOf(of_pred), 0, 0};
  if (!IsFloat(value.type)) return Combining{OneOf(of_integer), 0, 0};
  const std::string opcode = OneOf(of_float);
  if (opcode != "add") return Combining{opcode, value.bound, value.error};
  const auto times = static_cast<double>(count);
  const double bound = value.bound * times;
  if (value.exact() && bound <= ExactLimit(value.type)) return Combining{opcode, bound, 0};
  if (value.type != F32 && value.type != F64) return Combining{"maximum", value.bound, value.error};
  return Combining{opcode, bound, times * value.error + times * UnitOf(value.type) * bound};
}

void ModuleWriter::Reduce() {
  const auto value = Any([](const Value& v) { return v.rank() > 0 && !IsComplex(v.type); });
  if (!value) return;
  const Dims reduced = SomeDimensions(value->rank());
  int64_t count = 1;
  for (int64_t d : reduced) count *= value->dims[d];
  const auto combining = RandomCombining(*value, count);
  if (!combining) return;
  Value result = *value;
  result.dims.clear();
  for (int64_t i = 0; i < value->rank(); ++i) {
    if (std::find(reduced.begin(), reduced.end(), i) == reduced.end()) result.dims.push_back(value->dims[i]);
  }
  result.bound = combining->bound;
  result.error = combining->error;
  const std::string initial = Constant(value->type, Identity(combining->opcode, value->type));
  Keep(result, fmt::format("reduce({}, {}), dimensions={{{}}}, to_apply={}", value->name, initial,
                           fmt::join(reduced, ","), Combiner(combining->opcode, value->type)));
}

void ModuleWriter::ArgMax() {
  const auto value = Any([](const Value& v) { return v.rank() > 0 && IsExactReal(v) && v.type != PRED; });
  if (!value) return;
  const int64_t d = Below(value->rank());
  const std::string type = Type(value->type);
  const std::string name = Computation(
      "argmax_" + type,
      fmt::format(
          "  x = {0}[] parameter(0)\n  i = s32[] parameter(1)\n  y = {0}[] parameter(2)\n  j = s32[] parameter(3)\n"
          "  above = pred[] compare(x, y), direction=GT\n  same = pred[] compare(x, y), direction=EQ\n"
          "  before = pred[] compare(i, j), direction=LT\n  tie = pred[] and(same, before)\n"
          "  first = pred[] or(above, tie)\n  v = {0}[] select(first, x, y)\n  k = s32[] select(first, i, j)\n"
          "  ROOT r = ({0}[], s32[]) tuple(v, k)\n",
          type));
  const std::string index = Line(S32, value->dims, fmt::format("iota(), iota_dimension={}", d));
  const std::string lowest = Constant(value->type, Identity("maximum", value->type));
  const std::string zero = Constant(S32, "0");
  Dims kept = value->dims;
  kept.erase(kept.begin() + d);
  const std::string both = fmt::format("v{}", lines_++);
  body_ += fmt::format("  {} = ({}, {}) reduce({}, {}, {}, {}), dimensions={{{}}}, to_apply={}\n", both,
                       ShapeText(value->type, kept), ShapeText(S32, kept), value->name, index, lowest, zero, d, name);
  Keep({"", value->type, kept, value->bound, 0}, fmt::format("get-tuple-element({}), index=0", both));
  Keep({"", S32, kept, 0, 0}, fmt::format("get-tuple-element({}), index=1", both));
}

void ModuleWriter::ReduceWindow() {
  const auto value = Any([](const Value& v) { return v.rank() > 0 && v.rank() < 4 && !IsComplex(v.type); });
  if (!value) return;
  std::vector<std::string> sizes, strides, pads, dilations;
  Value result = *value;
  int64_t count = 1;
  for (int64_t& size : result.dims) {
    const int64_t window = 1 + Below(std::min<int64_t>(size, 4));
    const int64_t stride = 1 + Below(2);
    const int64_t dilation = 1 + Below(2);
    const int64_t low = Below(window);
    const int64_t high = Below(window) + (window - 1) * (dilation - 1);
    size = (size + low + high - (window - 1) * dilation - 1) / stride + 1;
    count *= window;
    sizes.push_back(fmt::format("{}", window));
    strides.push_back(fmt::format("{}", stride));
    pads.push_back(fmt::format("{}_{}", low, high));
    dilations.push_back(fmt::format("{}", dilation));
  }
  const auto combining = RandomCombining(*value, count);
  if (!combining) return;
  result.bound = combining->bound;
  result.error = combining->error;
  const std::string initial = Constant(value->type, Identity(combining->opcode, value->type));
  Keep(result, fmt::format("reduce-window({}, {}), window={{size={} stride={} pad={} rhs_dilate={}}}, to_apply={}",
                           value->name, initial, fmt::join(sizes, "x"), fmt::join(strides, "x"), fmt::join(pads, "x"),
                           fmt::join(dilations, "x"), Combiner(combining->opcode, value->type)));
}

void ModuleWriter::CumulativeSum() {
  const auto value = Any([](const Value& v) { return v.rank() > 0 && IsExactReal(v) && v.type != PRED; });
  if (!value) return;
  const int64_t d = Below(value->rank());
  const int64_t n = value->dims[d];
  Value result = *value;
  result.bound *= static_cast<double>(n);
  if (IsFloat(value->type) && result.bound > ExactLimit(value->type)) return;
  std::vector<std::string> sizes(value->rank(), "1");
  std::vector<std::string> pads(value->rank(), "0_0");
  sizes[d] = fmt::format("{}", n);
  pads[d] = OneIn(3) ? fmt::format("0_{}", n - 1) : fmt::format("{}_0", n - 1);
  Keep(result, fmt::format("reduce-window({}, {}), window={{size={} pad={}}}, to_apply={}", value->name,
                           Constant(value->type, "0"), fmt::join(sizes, "x"), fmt::join(pads, "x"),
                           Combiner("add", value->type)));
}

// Operands [batch, m, k] and [batch, k, n], or with k last or first.
void ModuleWriter::Dot() {
  struct Types {
    PrimitiveType operand, result;
  };
  static const std::vector<Types> types = {{F32, F32},   {F32, F32}, {F16, F32}, {BF16, F32}, {F16, F16},
                                           {BF16, BF16}, {F64, F64}, {S32, S32}, {S8, S32}};
  const Types& type = OneOf(types);
  static const std::vector<int64_t> sizes = {1, 2, 5, 8, 16, 17, 32, 40};
  const int64_t m = OneOf(sizes), n = OneOf(sizes), k = OneOf(sizes);
  const Dims batch = OneIn(3) ? Dims{1 + Below(3)} : Dims{};
  const bool k_first_a = OneIn(2);
  const bool k_first_b = OneIn(2);
  const auto dims = [&](int64_t free, bool k_first) {
    Dims all = batch;
    all.push_back(k_first ? k : free);
    all.push_back(k_first ? free : k);
    return all;
  };
  const Value a = Matching(type.operand, dims(m, k_first_a));
  const Value b = Matching(type.operand, dims(n, k_first_b));
  Value result{"", type.result, batch, 0, 0};
  result.dims.push_back(m);
  result.dims.push_back(n);
  if (IsFloat(type.result)) {
    const auto times = static_cast<double>(k);
    result.bound = times * a.bound * b.bound;
    result.error = times * (a.error * b.bound + b.error * a.bound + a.error * b.error);
    const bool is_exact = a.exact() && b.exact() && result.bound <= ExactLimit(type.result);
    if (!is_exact) result.error += (times + 2) * UnitOf(type.result) * result.bound;
  }
  const int64_t rank = static_cast<int64_t>(batch.size());
  const std::string batches = batch.empty() ? "" : fmt::format("lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, ");
  Keep(result, fmt::format("dot({}, {}), {}lhs_contracting_dims={{{}}}, rhs_contracting_dims={{{}}}", a.name, b.name,
                           batches, k_first_a ? rank : rank + 1, k_first_b ? rank : rank + 1));
}

void ModuleWriter::Convolution() {
  static const std::vector<PrimitiveType> types = {F32, F32, F16, BF16};
  const PrimitiveType type = OneOf(types);
  const int64_t batch = 1 + Below(2), height = 3 + Below(6), width = 3 + Below(6), channels = 1 + Below(5),
                features = 1 + Below(6), window = 1 + Below(3), stride = 1 + Below(2), pad = Below(window);
  Value a = Small(Matching(type, {batch, height, width, channels}), 4);
  Value b = Small(Matching(type, {window, window, channels, features}), 4);
  if (!a.exact() || !b.exact()) return;
  const double bound = static_cast<double>(window * window * channels) * a.bound * b.bound;
  if (bound > ExactLimit(type)) return;
  const auto size = [&](int64_t n) { return (n + 2 * pad - window) / stride + 1; };
  Keep({"", type, {batch, size(height), size(width), features}, bound, 0},
       fmt::format("convolution({0}, {1}), window={{size={2}x{2} stride={3}x{3} pad={4}_{4}x{4}_{4}}}, "
                   "dim_labels=b01f_01io->b01f",
                   a.name, b.name, window, stride, pad));
}

void ModuleWriter::Sort() {
  const auto keys = Any([](const Value& v) { return v.rank() > 0 && IsExactReal(v) && v.type != PRED; });
  if (!keys) return;
  const int64_t d = Below(keys->rank());
  const std::string type = Type(keys->type);
  const bool has_values = OneIn(2);
  if (!has_values) {
    const std::string name = Computation(
        "less_" + type,
        fmt::format(
            "  x = {0}[] parameter(0)\n  y = {0}[] parameter(1)\n  ROOT p = pred[] compare(x, y), direction=LT\n",
            type));
    Keep(*keys, fmt::format("sort({}), dimensions={{{}}}, is_stable=true, to_apply={}", keys->name, d, name));
    return;
  }
  const Value values = Matching(S32, keys->dims);
  const std::string name = Computation(
      "more_" + type,
      fmt::format(
          "  x = {0}[] parameter(0)\n  y = {0}[] parameter(1)\n  i = s32[] parameter(2)\n  j = s32[] parameter(3)\n"
          "  ROOT p = pred[] compare(x, y), direction=GT\n",
          type));
  const std::string both = fmt::format("v{}", lines_++);
  body_ += fmt::format("  {} = ({}, {}) sort({}, {}), dimensions={{{}}}, is_stable=true, to_apply={}\n", both,
                       ShapeText(keys->type, keys->dims), ShapeText(S32, keys->dims), keys->name, values.name, d, name);
  Keep(*keys, fmt::format("get-tuple-element({}), index=0", both));
  Keep({"", S32, keys->dims, 0, 0}, fmt::format("get-tuple-element({}), index=1", both));
}

// x = 3 x + step over the steps of a counter.
void ModuleWriter::While() {
  const auto value = Any([](const Value& v) { return IsExactReal(v) && v.type != PRED && !IsFloat(v.type); });
  if (!value) return;
  const std::string shape = ShapeText(value->type, value->dims);
  const std::string state = fmt::format("(s32[], {})", shape);
  const int64_t steps = Below(5);
  const std::string suffix = fmt::format("{}", lines_);
  const std::string condition = Computation(
      "condition" + suffix,
      fmt::format("  s = {} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  n = s32[] constant({})\n"
                  "  ROOT p = pred[] compare(i, n), direction=LT\n",
                  state, steps));
  const std::string body = Computation(
      "body" + suffix,
      fmt::format(
          "  s = {0} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  x = {1} get-tuple-element(s), index=1\n"
          "  one = s32[] constant(1)\n  next = s32[] add(i, one)\n  three = {2}[] constant(3)\n"
          "  threes = {1} broadcast(three), dimensions={{}}\n  tripled = {1} multiply(x, threes)\n"
          "  step = {2}[] convert(i)\n  wide = {1} broadcast(step), dimensions={{}}\n  y = {1} add(tripled, wide)\n"
          "  ROOT t = {0} tuple(next, y)\n",
          state, shape, Type(value->type)));
  const std::string zero = Constant(S32, "0");
  const std::string initial = fmt::format("v{}", lines_++);
  const std::string result = fmt::format("v{}", lines_++);
  body_ += fmt::format("  {} = {} tuple({}, {})\n  {} = {} while({}), condition={}, body={}\n", initial, state, zero,
                       value->name, result, state, initial, condition, body);
  Keep(*value, fmt::format("get-tuple-element({}), index=1", result));
}

void ModuleWriter::Conditional() {
  const auto value = Any([](const Value& v) { return !IsComplex(v.type) && v.type != PRED; });
  if (!value) return;
  const std::string shape = ShapeText(value->type, value->dims);
  const std::string suffix = fmt::format("{}", lines_);
  const auto branch = [&](const char* name, const char* opcode) {
    return Computation(name + suffix, fmt::format("  x = {0} parameter(0)\n  ROOT y = {0} {1}(x)\n", shape, opcode));
  };
  const std::string first = branch("first", "negate");
  const std::string second = branch("second", "copy");
  if (OneIn(2)) {
    Keep(*value, fmt::format("conditional({0}, {1}, {1}), true_computation={2}, false_computation={3}",
                             Matching(PRED, {}).name, value->name, first, second));
  } else {
    const Value index = Small(Matching(S32, {}), 2);
    Keep(*value, fmt::format("conditional({0}, {1}, {1}), branch_computations={{{2}, {3}}}", index.name, value->name,
                             first, second));
  }
}

void ModuleWriter::Map() {
  const auto value = Any([](const Value& v) { return IsExactReal(v) && v.type != PRED && !IsFloat(v.type); });
  if (!value) return;
  const std::string type = Type(value->type);
  const std::string name =
      Computation("square_" + type, fmt::format("  x = {0}[] parameter(0)\n  ROOT y = {0}[] multiply(x, x)\n", type));
  Dims all;
  for (int64_t i = 0; i < value->rank(); ++i) all.push_back(i);
  Keep(*value, fmt::format("map({}), dimensions={{{}}}, to_apply={}", value->name, fmt::join(all, ","), name));
}

void ModuleWriter::RandomBits() {
  static const std::vector<PrimitiveType> types = {U32, U64, U16, U8};
  const PrimitiveType type = OneOf(types);
  const Dims dims = RandomDims();
  const std::string state = Line(U64, {2}, fmt::format("constant({{{}, {}}})", Below(1000), Below(1000)));
  const std::string both = fmt::format("v{}", lines_++);
  body_ += fmt::format("  {} = (u64[2], {}) rng-bit-generator({}), algorithm={}\n", both, ShapeText(type, dims), state,
                       OneIn(2) ? "rng_three_fry" : "rng_philox");
  Keep({"", type, dims, 0, 0}, fmt::format("get-tuple-element({}), index=1", both));
}

// A product of complex numbers, and one of its parts.
void ModuleWriter::Complex() {
  const auto re = Any([](const Value& v) { return v.type == F32; });
  if (!re) return;
  const Value a = Small(*re, 8);
  const Value b = Small(Matching(F32, re->dims), 8);
  const double bound = 2 * std::max(a.bound, b.bound) * std::max(a.bound, b.bound);
  const double error = std::max(a.error, b.error);
  const bool is_exact = error == 0;
  const std::string z = Line(C64, a.dims, fmt::format("complex({}, {})", a.name, b.name));
  Value product{"", C64, a.dims, bound, is_exact ? 0 : 64 * error + 4 * UnitOf(F32) * bound};
  Keep(product, fmt::format("multiply({0}, {0})", z));
  product.type = F32;
  product.bound = 2 * std::max(a.bound, b.bound);
  product.error = is_exact ? 0 : 4 * error + 4 * UnitOf(F32) * product.bound;
  const std::string sum = Line(C64, a.dims, fmt::format("add({0}, {0})", z));
  Keep(product, fmt::format("{}({})", OneIn(2) ? "real" : "imag", sum));
}

}  // namespace xla::testing
