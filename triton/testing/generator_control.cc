// Products, loops and branches.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "triton/testing/kernel_generator.h"

namespace rocxla::triton {

using Value = GeneratedValue;

//===-- Products
//------------------------------------------------------------------------------------------------------===//

namespace {
// Factors and sum of a product; of floats, whole numbers up to `most` are multiplied, so that every sum is exact.
struct ProductTypes {
  const char *a, *b, *c;
};
constexpr ProductTypes kProducts[] = {{"f16", "f16", "f32"},
                                      {"f16", "f16", "f32"},
                                      {"bf16", "bf16", "f32"},
                                      {"f32", "f32", "f32"},
                                      {"i8", "i8", "i32"},
                                      {"f64", "f64", "f64"},
                                      {"f16", "f16", "f16"},
                                      {"f8E4M3FN", "f8E4M3FN", "f32"},
                                      {"f8E5M2", "f8E5M2", "f32"},
                                      {"f8E5M2", "f8E4M3FN", "f32"},
                                      {"f8E4M3FNUZ", "f8E4M3FNUZ", "f32"},
                                      {"f8E5M2FNUZ", "f8E4M3FNUZ", "f32"},
                                      {"i32", "i32", "i32"},
                                      {"i16", "i16", "i32"}};
}  // namespace

Value KernelGenerator::Factor(const Dims& dims, const std::string& element) {
  return IsFloat(element) ? SmallNumbers(dims, element, 2) : Operand(dims, element);
}

void KernelGenerator::DotStep() {
  const ProductTypes types = kProducts[Below(std::size(kProducts))];
  const bool slow = types.c == std::string("f64") || types.a == std::string("i32") || types.a == std::string("i16");
  const int most = std::min(slow ? 1024 : 4096, kernel_.num_warps * 512);
  int m = 16 << Below(3), n = 16 << Below(3), k = 16 << Below(4);
  while (m * n > most) (m > n ? m : n) /= 2;
  while (k > 16 && (m * k > most || n * k > most || m * n * k > (slow ? 1 << 14 : 1 << 16))) k /= 2;
  const int batch = Chance(20) ? 2 : 0;
  auto with_batch = [&](Dims dims) {
    if (batch) dims.insert(dims.begin(), batch);
    return dims;
  };
  const Value a = Factor(with_batch({m, k}), types.a), b = Factor(with_batch({k, n}), types.b);
  const Dims dims = with_batch({m, n});
  const Value c = Chance(40)         ? Constant(dims, types.c, IsFloat(types.c) ? "0.0" : "0")
                  : IsFloat(types.c) ? SmallNumbers(dims, types.c, 4)
                                     : Operand(dims, types.c);
  const std::string precision =
      types.a == std::string("f32") ? OneOf({"", ", inputPrecision = tf32", ", inputPrecision = bf16x3"}) : "";
  Note(Line(fmt::format("tt.dot {}, {}, {}{} : {} * {} -> {}", a.name, b.name, c.name, precision, a.type(), b.type(),
                        c.type()),
            dims, types.c));
}

// Numbers of 8 and 4 bits with scales of 1 and 2: every sum is exact.
void KernelGenerator::ScaledDotStep() {
  const int m = 16 << Below(2), n = 16 << Below(2), k = 64 << Below(2);
  struct Side {
    std::string name, type, spelling;
  };
  auto side = [&](int lines, bool first) {
    const bool packed = Chance(50);
    const int stored = packed ? k / 2 : k;
    const Dims dims = first ? Dims{lines, stored} : Dims{stored, lines};
    const std::string format = packed ? "e2m1" : OneOf({"e4m3", "e5m2"});
    const Value numbers =
        packed ? Operand(dims, "i8") : SmallNumbers(dims, format == "e4m3" ? "f8E4M3FN" : "f8E5M2", 4);
    const Dims scales{lines, k / 32};
    const Value exponent = Binary("arith.addi", SmallIndex(scales, 2), Constant(scales, "i32", "127"));
    const Value scale = Convert(exponent, "i8");
    return Side{fmt::format("{} scale {}", numbers.name, scale.name), numbers.type() + ", " + scale.type(), format};
  };
  const Side a = side(m, true), b = side(n, false);
  const Value c = Constant({m, n}, "f32", "0.0");
  Note(Line(fmt::format("tt.dot_scaled {}, {}, {} lhs = {} rhs = {} {{fastMath = false}} : {} * {} -> {}", a.name,
                        b.name, c.name, a.spelling, b.spelling, a.type, b.type, c.type()),
            {m, n}, "f32"));
}

// The usual loop: pointers advance along K, the sum is carried.
void KernelGenerator::MatmulLoopStep() {
  if (depth_ > 0) return;
  const ProductTypes types = kProducts[Below(3)];
  const int m = 16 << Below(2), n = 16 << Below(2), k = 16 << Below(2), turns = 1 + Below(3);
  // [m, all of K] and [all of K, n], either of them transposed in memory.
  auto placed = [&](bool transposed, int rows, int columns) {
    return Placement{transposed ? Dims{1, rows} : Dims{columns, 1}, 0, 0};
  };
  const int all = k * turns;
  const Placement at_a = placed(Chance(50), m, all), at_b = placed(Chance(50), all, n);
  auto pointers = [&](const std::string& element, const Placement& placement, const Dims& dims, int64_t count) {
    const std::string buffer = NewBuffer(element, count, false);
    // Small whole numbers.
    KernelBuffer& made = kernel_.buffers.back();
    for (size_t i = 1; i < made.bytes.size(); i += 2) {
      static constexpr uint8_t kHalves[] = {0x00, 0x3c, 0xbc, 0x40}, kBfloats[] = {0x00, 0x40, 0xc0, 0x40};
      made.bytes[i] = (element == "f16" ? kHalves : kBfloats)[Below(4)];
      made.bytes[i - 1] = 0;
    }
    return Pointers(buffer, element, Index(dims, placement, false));
  };
  const Dims a_dims{m, k}, b_dims{k, n}, c_dims{m, n};
  const Value a = pointers(types.a, at_a, a_dims, int64_t{m} * all),
              b = pointers(types.b, at_b, b_dims, int64_t{all} * n);
  const Value zero = Constant(c_dims, "f32", "0.0");
  const Value low = Constant({}, "i32", "0"), high = Constant({}, "i32", std::to_string(turns)),
              one = Constant({}, "i32", "1");
  const Value a_step = Constant(a_dims, "i32", std::to_string(k * at_a.strides[1]));
  const Value b_step = Constant(b_dims, "i32", std::to_string(k * at_b.strides[0]));
  const std::string i = fmt::format("%v{}", names_++);
  const int first = names_;
  names_ += 4;
  auto name = [&](int n_th) { return fmt::format("%v{}", first + n_th); };
  Text(fmt::format("{}:3 = scf.for {} = {} to {} step {} iter_args({} = {}, {} = {}, {} = {}) -> ({}, {}, {}) : i32 {{",
                   name(0), i, low.name, high.name, one.name, name(1), zero.name, name(2), a.name, name(3), b.name,
                   zero.type(), a.type(), b.type()));
  ++depth_;
  const Value x = Line(fmt::format("tt.load {} : {}", name(2), a.type()), a_dims, types.a);
  const Value y = Line(fmt::format("tt.load {} : {}", name(3), b.type()), b_dims, types.b);
  const Value sum =
      Line(fmt::format("tt.dot {}, {}, {} : {} * {} -> {}", x.name, y.name, name(1), x.type(), y.type(), zero.type()),
           c_dims, "f32");
  const Value next_a =
      Line(fmt::format("tt.addptr {}, {} : {}, {}", name(2), a_step.name, a.type(), a_step.type()), a_dims, "");
  const Value next_b =
      Line(fmt::format("tt.addptr {}, {} : {}, {}", name(3), b_step.name, b.type(), b_step.type()), b_dims, "");
  Text(fmt::format("scf.yield {}, {}, {} : {}, {}, {}", sum.name, next_a.name, next_b.name, zero.type(), a.type(),
                   b.type()));
  --depth_;
  Text("}");
  Note({name(0) + "#0", c_dims, "f32"});
}

//===-- Loops and branches
//--------------------------------------------------------------------------------------------===//

std::vector<Value> KernelGenerator::CarriedValues(int most) {
  std::vector<Value> values;
  for (int i = 1 + Below(most); i > 0; --i)
    values.push_back(Chance(20) ? Operand({}, OneOf({"i32", "f32"})) : AnyTensor());
  return values;
}

std::vector<Value> KernelGenerator::YieldFor(const std::vector<Value>& like) {
  std::vector<Value> values;
  for (const Value& value : like) values.push_back(Operand(value.dims, value.element));
  return values;
}

namespace {
std::string Names(const std::vector<Value>& values) {
  std::vector<std::string> names;
  for (const Value& value : values) names.push_back(value.name);
  return fmt::format("{}", fmt::join(names, ", "));
}
std::string Types(const std::vector<Value>& values) {
  std::vector<std::string> types;
  for (const Value& value : values) types.push_back(value.type());
  return fmt::format("{}", fmt::join(types, ", "));
}
std::string Bindings(const std::vector<Value>& arguments, const std::vector<Value>& inits) {
  std::vector<std::string> bindings;
  for (size_t i = 0; i < inits.size(); ++i) bindings.push_back(arguments[i].name + " = " + inits[i].name);
  return fmt::format("{}", fmt::join(bindings, ", "));
}
}  // namespace

std::vector<Value> KernelGenerator::Renamed(const std::vector<Value>& values) {
  std::vector<Value> renamed = values;
  for (Value& value : renamed) value.name = fmt::format("%v{}", names_++);
  return renamed;
}

// The results of an operation with several, as later steps name them.
void KernelGenerator::NoteResults(const std::string& name, const std::vector<Value>& like) {
  for (size_t i = 0; i < like.size(); ++i)
    Note({like.size() == 1 ? name : fmt::format("{}#{}", name, i), like[i].dims, like[i].element});
}

void KernelGenerator::ForStep() {
  if (depth_ > 1) return;
  const std::vector<Value> inits = CarriedValues(3);
  const std::vector<Value> arguments = Renamed(inits);
  const std::string result = fmt::format("%v{}", names_++), i = fmt::format("%v{}", names_++);
  const std::string type = Chance(20) ? "i64" : "i32";
  const int start = Below(3), step = 1 + Below(3), end = start + Below(4) * step;
  // The end may be known, an argument, or depend on the program.
  Value high = Chance(60) ? Constant({}, "i32", std::to_string(end)) : Value{NewNumber(end), {}, "i32"};
  if (Chance(30)) high = Binary("arith.addi", high, Line("tt.get_program_id x : i32", {}, "i32"));
  high = Convert(high, type);
  const Value low = Constant({}, type, std::to_string(start)), by = Constant({}, type, std::to_string(step));
  Text(fmt::format("{}{} = scf.for {} = {} to {} step {} iter_args({}) -> ({}) {} {{", result,
                   inits.size() > 1 ? fmt::format(":{}", inits.size()) : "", i, low.name, high.name, by.name,
                   Bindings(arguments, inits), Types(inits), ": " + type));
  Body(arguments, {{i, {}, type}}, true);
  Text("}");
  NoteResults(result, inits);
}

// Steps in a region, and what it yields; its values end with it.
void KernelGenerator::Body(const std::vector<Value>& carried, const std::vector<Value>& others, bool is_loop) {
  const std::vector<Value> outside = pool_;
  ++depth_;
  in_loop_ += is_loop;
  for (const Value& value : others) Note(value);
  for (const Value& value : carried)
    if (is_loop) Note(value);
  Steps(1 + Below(3));
  const std::vector<Value> yields = YieldFor(carried);
  Text(fmt::format("scf.yield {}{} : {}", others.size() > 1 ? others[1].name + ", " : "", Names(yields),
                   (others.size() > 1 ? others[1].element + ", " : "") + Types(yields)));
  in_loop_ -= is_loop;
  --depth_;
  pool_ = outside;
}

void KernelGenerator::IfStep() {
  if (depth_ > 1) return;
  const std::vector<Value> like = CarriedValues(2);
  const Value condition = ScalarCondition();
  const std::string result = fmt::format("%v{}", names_++);
  Text(fmt::format("{}{} = scf.if {} -> ({}) {{", result, like.size() > 1 ? fmt::format(":{}", like.size()) : "",
                   condition.name, Types(like)));
  Body(like, {}, false);
  Text("} else {");
  Body(like, {}, false);
  Text("}");
  NoteResults(result, like);
}

// Counts down from a small number; what is carried passes through the condition, perhaps in another order.
void KernelGenerator::WhileStep() {
  if (depth_ > 0) return;
  const std::vector<Value> inits = CarriedValues(2);
  const Value counter = Binary("arith.andi", Operand({}, "i32"), Constant({}, "i32", "3"));
  std::vector<Value> all{counter};
  all.insert(all.end(), inits.begin(), inits.end());
  const std::vector<Value> before = Renamed(all), after = Renamed(all);
  const std::string result = fmt::format("%v{}", names_++);
  Text(fmt::format("{}:{} = scf.while ({}) : ({}) -> ({}) {{", result, all.size(), Bindings(before, all), Types(all),
                   Types(all)));
  ++depth_;
  const Value more = Compare("sgt", before[0], Constant({}, "i32", "0"));
  Text(fmt::format("scf.condition({}) {} : {}", more.name, Names(before), Types(before)));
  --depth_;
  std::vector<std::string> arguments;
  for (const Value& value : after) arguments.push_back(value.name + ": " + value.type());
  Text("} do {");
  Text(fmt::format("^bb0({}):", fmt::join(arguments, ", ")));
  ++depth_;
  const Value less = Binary("arith.subi", after[0], Constant({}, "i32", "1"));
  --depth_;
  Body({after.begin() + 1, after.end()}, {after[0], less}, true);
  Text("}");
  NoteResults(result, all);
}

}  // namespace rocxla::triton
