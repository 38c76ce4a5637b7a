// Operations on shapes, and those that combine elements along an axis.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "triton/testing/kernel_generator.h"

namespace rocxla::triton {

using Value = GeneratedValue;

void KernelGenerator::TransStep() {
  const Value x = AnyTensor();
  const Dims order = Permutation(x.dims.size());
  Dims dims;
  for (int from : order) dims.push_back(x.dims[static_cast<size_t>(from)]);
  Note(Line(fmt::format("tt.trans {} {{order = array<i32: {}>}} : {} -> {}", x.name, fmt::join(order, ", "), x.type(),
                        TypeText(dims, x.element)),
            dims, x.element));
}

void KernelGenerator::ReshapeStep() {
  const Value x = AnyTensor();
  if (Count(x.dims) == 1 && Chance(50))
    return Note(Line(fmt::format("tt.unsplat {} : {}", x.name, x.type()), {}, x.element));
  Dims dims(static_cast<size_t>(1 + Below(4)), 1);
  for (int64_t rest = Count(x.dims); rest > 1; rest /= 2)
    dims[static_cast<size_t>(Below(static_cast<int>(dims.size())))] *= 2;
  if (dims == x.dims) return;
  Note(Reshape(x, dims));
}

void KernelGenerator::JoinStep() {
  const Value x = AnyTensor();
  if (x.dims.size() > 3 || Count(x.dims) * 2 > options_.most_elements) return;
  const Value y = Operand(x.dims, x.element);
  Dims dims = x.dims;
  dims.push_back(2);
  Note(Line(fmt::format("tt.join {}, {} : {} -> {}", x.name, y.name, x.type(), TypeText(dims, x.element)), dims,
            x.element));
}

void KernelGenerator::SplitStep() {
  Value x = AnyTensor();
  if (Count(x.dims) < 4) return;
  if (x.dims.back() != 2 || x.dims.size() < 2) {
    const auto half = static_cast<int>(Count(x.dims) / 2);
    Dims dims = half >= 16 && Chance(50) ? Dims{half / 8, 8, 2} : Dims{half, 2};
    x = Reshape(x, dims);
  }
  const Dims dims(x.dims.begin(), x.dims.end() - 1);
  const std::string low = fmt::format("%v{}", names_++), high = fmt::format("%v{}", names_++);
  Text(fmt::format("{}, {} = tt.split {} : {} -> {}", low, high, x.name, x.type(), TypeText(dims, x.element)));
  Note({low, dims, x.element});
  Note({high, dims, x.element});
}

// The order of a concatenation is not specified: only what does not depend on it is used.
void KernelGenerator::CatStep() {
  const Value any = AnyTensor();
  const Dims dims{static_cast<int>(Count(any.dims))}, twice{2 * dims[0]};
  if (twice[0] > options_.most_elements) return;
  const Value x = Operand(dims, "i32"), y = Operand(dims, "i32");
  const Value both =
      Line(fmt::format("tt.cat {}, {} : {} -> {}", x.name, y.name, x.type(), TypeText(twice, "i32")), twice, "i32");
  Combine(false, 0, {both}, "    %r = arith.addi %a0, %b0 : i32\n", "%r");
}

void KernelGenerator::BroadcastStep() {
  Value x = AnyTensor();
  if (x.dims.size() > 3 || Count(x.dims) * 2 > options_.most_elements) return;
  const auto axis = static_cast<size_t>(Below(static_cast<int>(x.dims.size()) + 1));
  Dims dims = x.dims;
  dims.insert(dims.begin() + static_cast<int>(axis), 1);
  x = Line(fmt::format("tt.expand_dims {} {{axis = {} : i32}} : {} -> {}", x.name, axis, x.type(),
                       TypeText(dims, x.element)),
           dims, x.element);
  if (Chance(15)) return Note(x);
  int most = 2;
  while (Count(x.dims) * most * 2 <= options_.most_elements && Chance(65)) most *= 2;
  dims[axis] = most;
  Note(Line(fmt::format("tt.broadcast {} : {} -> {}", x.name, x.type(), TypeText(dims, x.element)), dims, x.element));
}

void KernelGenerator::GatherStep() {
  const Value x = AnyTensor();
  const auto axis = static_cast<size_t>(Below(static_cast<int>(x.dims.size())));
  Dims dims = x.dims;
  const int extent = dims[axis];
  if (Chance(40)) dims[axis] = std::max(1, extent / 2);
  const Value index = SmallIndex(dims, extent);
  Note(Line(fmt::format("tt.gather {}[{}] {{axis = {} : i32}} : ({}, {}) -> {}", x.name, index.name, axis, x.type(),
                        index.type(), TypeText(dims, x.element)),
            dims, x.element));
}

void KernelGenerator::HistogramStep() {
  const Value any = AnyTensor();
  const Dims dims{static_cast<int>(Count(any.dims))}, bins{2 << Below(7)};
  const Value numbers = SmallIndex(dims, bins[0] * (Chance(30) ? 2 : 1));
  const std::string mask = Chance(40) ? ", " + Operand(dims, "i1").name : "";
  Note(Line(fmt::format("tt.histogram {}{} : {} -> {}", numbers.name, mask, numbers.type(), TypeText(bins, "i32")),
            bins, "i32"));
}

//===-- Reductions and scans
//------------------------------------------------------------------------------------------===//

namespace {
Dims Without(Dims dims, size_t axis) {
  dims.erase(dims.begin() + static_cast<int>(axis));
  return dims;
}
}  // namespace

// `body` combines %a0, %a1.. (so far) and %b0, %b1.. (next).
void KernelGenerator::Combine(bool scan, size_t axis, const std::vector<Value>& operands, const std::string& body,
                              const std::string& returned) {
  std::string names, sources, results, arguments, elements;
  const Dims dims = scan ? operands[0].dims : Without(operands[0].dims, axis);
  for (const char* side : {"a", "b"})
    for (size_t i = 0; i < operands.size(); ++i)
      arguments += fmt::format("{}%{}{}: {}", arguments.empty() ? "" : ", ", side, i, operands[i].element);
  std::vector<Value> made;
  std::string defined;
  for (const Value& operand : operands) {
    const std::string comma = names.empty() ? "" : ", ";
    names += comma + operand.name;
    sources += comma + operand.type();
    results += comma + TypeText(dims, operand.element);
    elements += comma + operand.element;
    made.push_back({fmt::format("%v{}", names_++), dims, operand.element});
    defined += comma + made.back().name;
  }
  const std::string op = scan ? "tt.scan" : "tt.reduce";
  const std::string reverse = scan ? fmt::format(", reverse = {}", Chance(35)) : "";
  Text(fmt::format(
      "{} = \"{}\"({}) <{{axis = {} : i32{}}}> ({{\n  ^bb0({}):\n{}    {}.return {} : {}\n  }}) : ({}) -> {}", defined,
      op, names, axis, reverse, arguments, body, op, returned, elements, sources,
      operands.size() == 1 ? results : "(" + results + ")"));
  for (const Value& value : made) Note(value);
}

// One operand, an operation that takes its operands in any order.
void KernelGenerator::CombineOne(bool scan) {
  const Value any = AnyTensor();
  const auto axis = static_cast<size_t>(Below(static_cast<int>(any.dims.size())));
  const std::string element = OneOf({"i32", "i32", "i64", "i16", "i8", "i1", "f32", "f32", "f16", "bf16", "f64"});
  std::string op;
  Value x;
  if (element == "i1") {
    op = OneOf({"arith.andi", "arith.ori", "arith.xori"});
    x = Operand(any.dims, element);
  } else if (!IsFloat(element)) {
    op = OneOf({"arith.addi", "arith.addi", "arith.muli", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui",
                "arith.andi", "arith.ori", "arith.xori"});
    x = Operand(any.dims, element);
  } else if (Chance(50)) {
    // Sums of whole numbers, which the type holds exactly: bf16 up to 256, f16 up to 2048.
    const int most = element == "bf16" ? 1 : 4;
    const int64_t held = element == "bf16" ? 256 : element == "f16" ? 2048 : 1 << 24;
    if (any.dims[axis] * int64_t{most} > held) return;
    op = "arith.addf";
    x = SmallNumbers(any.dims, element, most);
  } else {
    op = OneOf({"arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"});
    x = Operand(any.dims, element);
  }
  std::string body = fmt::format("    %r = {} %a0, %b0 : {}\n", op, element);
  if (!IsFloat(element) && Chance(10))  // the smaller one, by a branch
    body = fmt::format(
        "    %c = arith.cmpi slt, %a0, %b0 : {0}\n    %r = scf.if %c -> ({0}) {{\n      scf.yield %a0 : {0}\n"
        "    }} else {{\n      scf.yield %b0 : {0}\n    }}\n",
        element);
  Combine(scan, axis, {x}, body, "%r");
}

void KernelGenerator::ReduceStep() { CombineOne(false); }
void KernelGenerator::ScanStep() { CombineOne(true); }

// The greatest and where it is, the first of equals; as reduction or scan.
void KernelGenerator::ArgStep() {
  const Value any = AnyTensor();
  const auto axis = static_cast<size_t>(Below(static_cast<int>(any.dims.size())));
  const std::string element = OneOf({"i32", "f32", "f16", "i16"});
  const bool is_float = IsFloat(element);
  const Value x = is_float ? SmallNumbers(any.dims, element, 32) : Operand(any.dims, element);
  const Value index = Coordinate(any.dims, axis);
  const std::string compare = is_float ? "arith.cmpf" : "arith.cmpi";
  const std::string body = fmt::format(
      "    %gt = {0} {1}, %a0, %b0 : {2}\n    %eq = {0} {3}, %a0, %b0 : {2}\n    %lt = arith.cmpi slt, %a1, %b1 : i32\n"
      "    %tie = arith.andi %eq, %lt : i1\n    %first = arith.ori %gt, %tie : i1\n"
      "    %r0 = arith.select %first, %a0, %b0 : {2}\n    %r1 = arith.select %first, %a1, %b1 : i32\n",
      compare, is_float ? "ogt" : "sgt", element, is_float ? "oeq" : "eq");
  Combine(Chance(30), axis, {x, index}, body, "%r0, %r1");
}

// y = a y + b: associative, but not commutative.
void KernelGenerator::RecurrenceStep() {
  const Value any = AnyTensor();
  const auto axis = static_cast<size_t>(Below(static_cast<int>(any.dims.size())));
  const Value a = Operand(any.dims, "i32"), b = Operand(any.dims, "i32");
  Combine(true, axis, {a, b},
          "    %r0 = arith.muli %a0, %b0 : i32\n    %m = arith.muli %b0, %a1 : i32\n"
          "    %r1 = arith.addi %m, %b1 : i32\n",
          "%r0, %r1");
}

}  // namespace rocxla::triton
