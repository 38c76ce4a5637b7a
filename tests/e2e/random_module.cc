#include "tests/e2e/random_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/e2e/random_module_writer.h"
#include "xla/hlo/ir/float_format.h"

namespace xla::testing {
namespace {

// Larger values than this are not kept, so that no type overflows.
constexpr double kLargestBound = 2000;
// How far a function of the device may be off, in units of the result's type.
constexpr double kUnitsOfAFunction = 8;

bool IsFloatValue(const Value& value) { return IsFloat(value.type); }

}  // namespace

int64_t ElementsOf(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}
std::string ShapeText(PrimitiveType type, const Dims& dims) {
  return fmt::format("{}[{}]", PrimitiveTypeName(type), fmt::join(dims, ","));
}
double ExactLimit(PrimitiveType type) { return std::ldexp(1.0, FloatFormatOf(type).mantissa_bits + 1); }
double UnitOf(PrimitiveType type) { return std::ldexp(1.0, -FloatFormatOf(type).mantissa_bits); }

PrimitiveType ModuleWriter::RandomType() {
  static const std::vector<PrimitiveType> types = {F32, F32, F32, F32, F16, F16, BF16, BF16, F64, S32,
                                                   S32, S32, S64, S16, S8,  U8,  U16,  U32,  U64, PRED};
  return OneOf(types);
}

Dims ModuleWriter::RandomDims() {
  static const std::vector<int64_t> sizes = {1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 64, 100};
  Dims dims;
  for (int64_t rank = Below(5); rank > 0; --rank) {
    const int64_t size = OneOf(sizes);
    if (ElementsOf(dims) * size <= options_.most_elements) dims.push_back(size);
  }
  return dims;
}

Dims ModuleWriter::SomeDimensions(int64_t rank) {
  Dims some;
  for (int64_t i = 0; i < rank; ++i) {
    if (OneIn(2)) some.push_back(i);
  }
  if (some.empty()) some.push_back(Below(rank));
  return some;
}

std::string ModuleWriter::Line(PrimitiveType type, const Dims& dims, const std::string& operation) {
  std::string name = fmt::format("v{}", lines_++);
  body_ += fmt::format("  {} = {} {}\n", name, ShapeText(type, dims), operation);
  return name;
}

Value ModuleWriter::Named(Value like, const std::string& operation) {
  like.name = Line(like.type, like.dims, operation);
  return like;
}

void ModuleWriter::Keep(Value like, const std::string& operation) {
  like = Named(std::move(like), operation);
  const bool is_fine =
      !IsFloatValue(like) || (like.bound <= std::max(kLargestBound, like.exact() ? ExactLimit(like.type) : 0) &&
                              like.error <= 0.05 * std::max(1.0, like.bound));
  if (is_fine && ElementsOf(like.dims) <= options_.most_elements) values_.push_back(std::move(like));
}

std::string ModuleWriter::Computation(const std::string& name, const std::string& text) {
  computations_.emplace(name, name + " {\n" + text + "}\n");
  return name;
}

std::string ModuleWriter::Constant(PrimitiveType type, const std::string& text) {
  return Line(type, {}, fmt::format("constant({})", text));
}

Value ModuleWriter::Splat(PrimitiveType type, const std::string& text, double number, const Dims& dims) {
  return Named({"", type, dims, std::abs(number), 0},
               fmt::format("broadcast({}), dimensions={{}}", Constant(type, text)));
}

Value ModuleWriter::Parameter(PrimitiveType type, const Dims& dims) {
  Value value{"", type, dims, 4, 0};
  const std::string shape = ShapeText(type, dims) + (OneIn(3) ? RandomLayout(value.rank()) : "");
  value.name = fmt::format("v{}", lines_++);
  body_ += fmt::format("  {} = {} parameter({})\n", value.name, shape, parameters_++);
  values_.push_back(value);
  return value;
}

std::optional<Value> ModuleWriter::Any(const Predicate& predicate) {
  std::vector<Value> fitting;
  for (const Value& value : values_) {
    if (predicate(value)) fitting.push_back(value);
  }
  if (fitting.empty()) return std::nullopt;
  // Mostly one of the latest, so that long chains come about.
  const auto count = static_cast<int64_t>(fitting.size());
  const int64_t from = OneIn(3) ? 0 : std::max<int64_t>(0, count - 3);
  return fitting[from + Below(count - from)];
}

Value ModuleWriter::Matching(PrimitiveType type, const Dims& dims) {
  const auto same = Any([&](const Value& value) { return value.type == type && value.dims == dims; });
  if (same && !OneIn(3)) return *same;
  const auto other =
      Any([&](const Value& value) { return value.exact() && value.dims == dims && !IsComplex(value.type); });
  if (other && OneIn(2)) return ConvertExact(*other, type);
  const auto scalar = Any([&](const Value& value) { return value.type == type && value.dims.empty(); });
  if (scalar && OneIn(2)) {
    Value wide = *scalar;
    wide.dims = dims;
    return Named(wide, fmt::format("broadcast({}), dimensions={{}}", scalar->name));
  }
  if (parameters_ < 5) return Parameter(type, dims);
  if (type == PRED) return Splat(type, OneIn(2) ? "true" : "false", 1, dims);
  if (dims.empty() || ElementsOf(dims) > 100 || OneIn(3)) return Splat(type, "3", 3, dims);
  return Named({"", type, dims, 100, 0},
               fmt::format("iota(), iota_dimension={}", Below(static_cast<int64_t>(dims.size()))));
}

Value ModuleWriter::Small(const Value& value, int limit) {
  if (value.type == PRED || (IsFloatValue(value) && value.bound <= limit)) return value;
  const bool has_sign = TypeClassOf(value.type) != TypeClass::kUnsigned;
  Value small = value;
  const std::string low = Constant(value.type, fmt::format("{}", has_sign ? -limit : 0));
  const std::string high = Constant(value.type, fmt::format("{}", limit));
  small.bound = limit;
  return Named(small, fmt::format("clamp({}, {}, {})", low, value.name, high));
}

Value ModuleWriter::ConvertExact(const Value& value, PrimitiveType type) {
  if (value.type == type) return value;
  Value from = value;
  const bool to_float = IsFloat(type);
  if (to_float || IsFloatValue(value)) from = Small(value, 8);
  if (IsFloatValue(from) && TypeClassOf(type) == TypeClass::kUnsigned) {
    from = Named(from, fmt::format("abs({})", from.name));
  }
  const double bound = value.type == PRED ? 1 : 8;
  return Named({"", type, value.dims, to_float ? bound : 0, 0}, fmt::format("convert({})", from.name));
}

void ModuleWriter::Unary() {
  const auto value = Any([](const Value& v) { return !IsComplex(v.type); });
  if (!value) return;
  static const std::vector<std::string> of_pred = {"not"};
  static const std::vector<std::string> of_signed = {"negate", "abs", "not", "sign", "popcnt", "count-leading-zeros"};
  static const std::vector<std::string> of_unsigned = {"negate", "not", "popcnt", "count-leading-zeros"};
  static const std::vector<std::string> of_exact = {
      "negate", "abs", "sign", "floor", "ceil", "round-nearest-even", "round-nearest-afz"};
  static const std::vector<std::string> of_float = {"negate", "abs"};
  const TypeClass type_class = TypeClassOf(value->type);
  const auto& opcodes = type_class == TypeClass::kPred       ? of_pred
                        : type_class == TypeClass::kSigned   ? of_signed
                        : type_class == TypeClass::kUnsigned ? of_unsigned
                        : value->exact()                     ? of_exact
                                                             : of_float;
  Keep(*value, fmt::format("{}({})", OneOf(opcodes), value->name));
}

void ModuleWriter::Binary() {
  const auto a = Any([](const Value& v) { return !IsComplex(v.type); });
  if (!a) return;
  const Value b = Matching(a->type, a->dims);
  if (IsFloatValue(*a)) return FloatBinary(*a, b);
  static const std::vector<std::string> of_pred = {"and", "or", "xor", "maximum", "minimum"};
  static const std::vector<std::string> of_integer = {"add",
                                                      "subtract",
                                                      "multiply",
                                                      "maximum",
                                                      "minimum",
                                                      "divide",
                                                      "remainder",
                                                      "and",
                                                      "or",
                                                      "xor",
                                                      "shift-left",
                                                      "shift-right-arithmetic",
                                                      "shift-right-logical"};
  const std::string& opcode = OneOf(a->type == PRED ? of_pred : of_integer);
  Keep({"", a->type, a->dims, 0, 0}, fmt::format("{}({}, {})", opcode, a->name, b.name));
}

void ModuleWriter::FloatBinary(const Value& left, const Value& right) {
  static const std::vector<std::string> opcodes = {"add", "subtract", "multiply", "maximum", "minimum", "divide"};
  const std::string& opcode = OneOf(opcodes);
  Value a = left;
  Value b = right;
  if (opcode == "multiply" && a.bound * b.bound > 200) {
    a = Small(a, 8);
    b = Small(b, 8);
  }
  Value result = a;
  if (opcode == "maximum" || opcode == "minimum") {
    result.bound = std::max(a.bound, b.bound);
    result.error = std::max(a.error, b.error);
  } else if (opcode == "divide") {  // by 1 or more
    b = Named(b, fmt::format("abs({})", b.name));
    const Value one = Splat(b.type, "1", 1, b.dims);
    b = Named(b, fmt::format("maximum({}, {})", b.name, one.name));
    result.error = a.error + b.error * a.bound + kUnitsOfAFunction * UnitOf(a.type) * a.bound;
    result.error = std::max(result.error, UnitOf(a.type));
  } else {
    const bool is_product = opcode == "multiply";
    result.bound = is_product ? a.bound * b.bound : a.bound + b.bound;
    result.error = is_product ? a.error * b.bound + b.error * a.bound + a.error * b.error : a.error + b.error;
    const bool is_exact = a.exact() && b.exact() && result.bound <= ExactLimit(a.type);
    if (!is_exact) result.error += 2 * UnitOf(a.type) * result.bound;
  }
  Keep(result, fmt::format("{}({}, {})", opcode, a.name, b.name));
}

namespace {

// A function on an interval, by how much it stretches distances there, and its largest magnitude.
struct SmoothFunction {
  const char* opcode;
  enum { kAll, kNotNegative, kFromOne } domain;  // of -4..4: as it is, its magnitude, that plus one
  double stretch, bound;
};
constexpr SmoothFunction kSmooth[] = {
    {"tanh", SmoothFunction::kAll, 1, 1},
    {"exponential", SmoothFunction::kAll, 54.6, 54.6},
    {"exponential-minus-one", SmoothFunction::kAll, 54.6, 54.6},
    {"logistic", SmoothFunction::kAll, 0.25, 1},
    {"sine", SmoothFunction::kAll, 1, 1},
    {"cosine", SmoothFunction::kAll, 1, 1},
    {"erf", SmoothFunction::kAll, 1.13, 1},
    {"log-plus-one", SmoothFunction::kNotNegative, 1, 1.61},
    {"log", SmoothFunction::kFromOne, 1, 1.61},
    {"sqrt", SmoothFunction::kFromOne, 0.5, 2.24},
    {"rsqrt", SmoothFunction::kFromOne, 0.5, 1},
    {"cbrt", SmoothFunction::kFromOne, 0.34, 1.71},
};

}  // namespace

void ModuleWriter::Smooth() {
  const auto value = Any(IsFloatValue);
  if (!value) return;
  const SmoothFunction& f = kSmooth[Below(std::size(kSmooth))];
  Value x = Small(*value, 4);
  if (f.domain != SmoothFunction::kAll) x = Named(x, fmt::format("abs({})", x.name));
  if (f.domain == SmoothFunction::kFromOne) {
    const Value one = Splat(x.type, "1", 1, x.dims);
    x = Named(x, fmt::format("add({}, {})", x.name, one.name));
    if (!x.exact()) x.error += 5 * UnitOf(x.type);
  }
  x.error = x.error * f.stretch + kUnitsOfAFunction * UnitOf(x.type) * f.bound;
  x.bound = f.bound + x.error;
  Keep(x, fmt::format("{}({})", f.opcode, x.name));
}

void ModuleWriter::Compare() {
  const auto a = Any([](const Value& v) { return v.exact() && !IsComplex(v.type); });
  if (!a) return;
  Value b = Matching(a->type, a->dims);
  if (!b.exact()) b = Splat(a->type, "1", 1, a->dims);
  static const std::vector<std::string> directions = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  Keep({"", PRED, a->dims, 0, 0}, fmt::format("compare({}, {}), direction={}", a->name, b.name, OneOf(directions)));
}

void ModuleWriter::Select() {
  const auto a = Any([](const Value&) { return true; });
  if (!a) return;
  const Value p = Matching(PRED, a->dims);
  const Value b = IsComplex(a->type) ? *a : Matching(a->type, a->dims);
  Value result = *a;
  result.bound = std::max(a->bound, b.bound);
  result.error = std::max(a->error, b.error);
  Keep(result, fmt::format("select({}, {}, {})", p.name, a->name, b.name));
}

void ModuleWriter::Convert() {
  const auto value = Any([](const Value& v) { return !IsComplex(v.type); });
  if (!value) return;
  const PrimitiveType type = RandomType();
  if (value->exact()) {
    values_.push_back(ConvertExact(*value, type));
  } else if (IsFloat(type)) {
    Value result = *value;
    result.type = type;
    result.error += UnitOf(type) * result.bound;
    Keep(result, fmt::format("convert({})", value->name));
  }
}

void ModuleWriter::Softmax() {
  const auto value = Any([](const Value& v) { return (v.type == F32 || v.type == F64) && v.rank() > 0; });
  if (!value) return;
  const Value x = Small(*value, 4);
  const int64_t last = x.rank() - 1;
  const int64_t n = x.dims[last];
  Dims rows(x.dims.begin(), x.dims.end() - 1);
  Dims kept(last);
  std::iota(kept.begin(), kept.end(), 0);
  const auto reduce = [&](const std::string& opcode, const std::string& operand) {
    const std::string reduced =
        Line(x.type, rows,
             fmt::format("reduce({}, {}), dimensions={{{}}}, to_apply={}", operand,
                         Constant(x.type, Identity(opcode, x.type)), last, Combiner(opcode, x.type)));
    return Line(x.type, x.dims, fmt::format("broadcast({}), dimensions={{{}}}", reduced, fmt::join(kept, ",")));
  };
  const std::string shifted = Line(x.type, x.dims, fmt::format("subtract({}, {})", x.name, reduce("maximum", x.name)));
  const std::string power = Line(x.type, x.dims, fmt::format("exponential({})", shifted));
  const std::string sum = reduce("add", power);
  Value result = x;
  result.bound = 1;
  result.error = 2 * (2 * x.error + kUnitsOfAFunction * UnitOf(x.type)) + static_cast<double>(n + 4) * UnitOf(x.type);
  Keep(result, fmt::format("divide({}, {})", power, sum));
}

RandomModule ModuleWriter::Write() {
  using Piece = void (ModuleWriter::*)();
  using M = ModuleWriter;
  static const std::vector<Piece> pieces = {
      &M::Unary,         &M::Binary,      &M::Binary,      &M::Smooth,     &M::Compare,      &M::Select,
      &M::Convert,       &M::Softmax,     &M::Broadcast,   &M::Reshape,    &M::Transpose,    &M::Slice,
      &M::Pad,           &M::Concatenate, &M::Reverse,     &M::CopyLayout, &M::DynamicSlice, &M::DynamicUpdateSlice,
      &M::Gather,        &M::Scatter,     &M::Reduce,      &M::Reduce,     &M::ArgMax,       &M::ReduceWindow,
      &M::CumulativeSum, &M::Dot,         &M::Convolution, &M::Sort,       &M::While,        &M::Conditional,
      &M::Map,           &M::RandomBits,  &M::Complex};
  for (int64_t i = 1 + Below(3); i > 0; --i) Parameter(RandomType(), RandomDims());
  for (int64_t i = 3 + Below(options_.most_steps - 2); i > 0; --i) (this->*OneOf(pieces))();

  RandomModule module;
  for (const auto& [name, text] : computations_) module.computations += text + "\n";
  module.body = body_;
  for (const Value& value : values_)
    module.values.push_back({value.name, ShapeText(value.type, value.dims), value.error});
  const size_t results = std::min<size_t>(values_.size(), 1 + Below(4));
  module.results.assign(module.values.end() - static_cast<ptrdiff_t>(results), module.values.end());
  return module;
}

std::string RandomModule::text() const {
  std::vector<std::string> names, shapes;
  for (const RandomResult& result : results) {
    names.push_back(result.name);
    shapes.push_back(result.shape);
  }
  return fmt::format("HloModule random\n\n{}ENTRY main {{\n{}  ROOT result = ({}) tuple({})\n}}\n", computations, body,
                     fmt::join(shapes, ", "), fmt::join(names, ", "));
}

RandomModule MakeRandomModule(uint64_t seed, const RandomModuleOptions& options) {
  return ModuleWriter(seed, options).Write();
}

std::vector<Literal> RandomModuleInputs(const HloModule& module, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Literal> inputs;
  for (const HloInstruction* parameter : module.entry_computation()->parameter_instructions()) {
    const PrimitiveType type = parameter->shape().element_type();
    std::vector<uint8_t> bytes(ShapeUtil::ByteSizeOf(parameter->shape()));
    const int width = ByteWidth(type);
    for (size_t at = 0; at < bytes.size(); at += width) {
      uint64_t bits = random();
      if (type == PRED) bits &= 1;
      if (IsFloat(type)) bits = EncodeFloat(type, static_cast<double>(static_cast<int64_t>(bits % 9) - 4));
      // Small integers are more interesting than those in the middle of nowhere.
      if (IsInteger(type) && random() % 2 == 0) bits = static_cast<uint64_t>(static_cast<int64_t>(bits % 41) - 20);
      std::memcpy(bytes.data() + at, &bits, width);
    }
    inputs.push_back(Literal::FromBytes(parameter->shape(), std::move(bytes)));
  }
  return inputs;
}

std::string Difference(const RandomModule& module, const std::vector<Literal>& got, const std::vector<Literal>& want) {
  if (got.size() != want.size()) return fmt::format("{} results instead of {}", got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const PrimitiveType type = want[i].shape().element_type();
    if (got[i].shape().ToString() != want[i].shape().ToString())
      return fmt::format("result {} is {} instead of {}", i, got[i].shape().ToString(), want[i].shape().ToString());
    const PrimitiveType part = ComplexComponentType(type);
    const int width = ByteWidth(part);
    for (size_t at = 0; at < want[i].bytes().size(); at += width) {
      uint64_t a = 0, b = 0;
      std::memcpy(&a, got[i].bytes().data() + at, width);
      std::memcpy(&b, want[i].bytes().data() + at, width);
      if (a == b) continue;
      const bool is_float = IsFloat(part);
      const double x = is_float ? DecodeFloat(part, a) : static_cast<double>(a);
      const double y = is_float ? DecodeFloat(part, b) : static_cast<double>(b);
      if (is_float && std::abs(x - y) <= module.results[i].error) continue;  // zeros of two signs are equal
      return fmt::format("result {}, number {}: got {}, want {} within {}", i, at / width, x, y,
                         module.results[i].error);
    }
  }
  return "";
}

}  // namespace xla::testing
