// Pointers as values: chosen, moved by operations on shapes, carried by loops.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "triton/testing/kernel_generator.h"

namespace rocxla::triton {

using Value = GeneratedValue;

namespace {
constexpr std::initializer_list<const char*> kElements = {"i32", "f32", "f16", "i8", "i64", "bf16"};
std::string PointerText(const std::string& element) { return "!tt.ptr<" + element + ">"; }
}  // namespace

// One of two buffers: by a scalar select, by a branch, or element by element.
void KernelGenerator::ChosenPointerStep() {
  const Dims dims = AnyTensor().dims;
  const std::string element = OneOf(kElements), pointer = PointerText(element);
  const auto count = static_cast<int>(Count(dims));
  const Value index = SmallIndex(dims, count);
  const Value first{NewBuffer(element, count, false), {}, pointer},
      second{NewBuffer(element, count, false), {}, pointer};
  Value pointers;
  const int kind = Below(3);
  if (kind == 2) {
    const Value x = Pointers(first.name, element, index), y = Pointers(second.name, element, index);
    const auto masks = Matching([&](const Value& v) { return v.dims == dims && v.element == "i1"; });
    const Value mask =
        masks.empty() ? Compare("slt", index, Constant(dims, "i32", std::to_string(count / 2))) : Pick(masks);
    pointers = Select(mask, x, y);
  } else {
    const Value condition = ScalarCondition();
    Value chosen;
    if (kind == 0) {
      chosen = Select(condition, first, second);
    } else {
      chosen = Value{fmt::format("%v{}", names_++), {}, pointer};
      Text(fmt::format("{} = scf.if {} -> ({}) {{", chosen.name, condition.name, pointer));
      Text(fmt::format("  scf.yield {} : {}", first.name, pointer));
      Text("} else {");
      Text(fmt::format("  scf.yield {} : {}", second.name, pointer));
      Text("}");
    }
    pointers = Pointers(chosen.name, element, index);
  }
  Note(Line(fmt::format("tt.load {} : {}", pointers.name, pointers.type()), dims, element));
}

// Addresses of one shape, read in another.
void KernelGenerator::MovedPointersStep() {
  Dims dims = RandomDims(options_.most_elements / 2);
  const std::string element = OneOf(kElements);
  const Placement placement = RandomPlacement(dims);
  int64_t last = placement.offset;
  for (size_t d = 0; d < dims.size(); ++d) last += int64_t{std::max(0, placement.strides[d])} * (dims[d] - 1);
  Value pointers = Pointers(NewBuffer(element, last + 1, false), element, Index(dims, placement, false));
  for (int moves = 1 + Below(2); moves > 0; --moves) {
    switch (Below(3)) {
      case 0: {
        Dims other(static_cast<size_t>(1 + Below(3)), 1);
        for (int64_t rest = Count(dims); rest > 1; rest /= 2)
          other[static_cast<size_t>(Below(static_cast<int>(other.size())))] *= 2;
        pointers = Reshape(pointers, other);
        break;
      }
      case 1: {
        const Dims order = Permutation(dims.size());
        Dims to;
        for (int from : order) to.push_back(dims[static_cast<size_t>(from)]);
        pointers = Line(fmt::format("tt.trans {} {{order = array<i32: {}>}} : {} -> {}", pointers.name,
                                    fmt::join(order, ", "), pointers.type(), TypeText(to, pointers.element)),
                        to, pointers.element);
        break;
      }
      default: {
        if (dims.size() > 3) break;
        Dims one = dims, two = dims;
        one.push_back(1);
        two.push_back(2);
        if (Count(two) > options_.most_elements) break;
        const Value wide = Line(fmt::format("tt.expand_dims {} {{axis = {} : i32}} : {} -> {}", pointers.name,
                                            dims.size(), pointers.type(), TypeText(one, pointers.element)),
                                one, pointers.element);
        pointers = Line(fmt::format("tt.broadcast {} : {} -> {}", wide.name, wide.type(), TypeText(two, wide.element)),
                        two, wide.element);
      }
    }
    dims = pointers.dims;
  }
  Note(Line(fmt::format("tt.load {} : {}", pointers.name, pointers.type()), dims, element));
}

// A loop that walks through a buffer, by a scalar pointer or a tensor of them, and adds up what it finds.
void KernelGenerator::CarriedPointerStep() {
  if (depth_ > 1) return;
  const bool scalar = Chance(40);
  const Dims dims = AnyTensor().dims;
  const std::string element = OneOf({"i32", "i64", "i8"});
  const auto count = static_cast<int>(Count(dims));
  const int turns = 1 + Below(4), stride = OneOf(std::vector<int>{1, 3, 16, count});
  const std::string buffer = NewBuffer(element, count + int64_t{turns} * stride, false);
  const Value index = SmallIndex(dims, count);
  const Value start = scalar ? Value{buffer, {}, PointerText(element)} : Pointers(buffer, element, index);
  const Value zero = Constant(dims, element, "0"), low = Constant({}, "i32", "0"), one = Constant({}, "i32", "1"),
              high = Chance(50) ? Constant({}, "i32", std::to_string(turns)) : Value{NewNumber(turns), {}, "i32"};
  const std::string result = fmt::format("%v{}", names_++), i = fmt::format("%v{}", names_++);
  const Value sum{fmt::format("%v{}", names_++), dims, element};
  const Value at{fmt::format("%v{}", names_++), start.dims, start.element};
  Text(fmt::format("{}:2 = scf.for {} = {} to {} step {} iter_args({} = {}, {} = {}) -> ({}, {}) : i32 {{", result, i,
                   low.name, high.name, one.name, sum.name, zero.name, at.name, start.name, sum.type(), at.type()));
  ++depth_;
  const Value pointers = scalar ? Pointers(at.name, element, index) : at;
  const Value loaded = Line(fmt::format("tt.load {} : {}", pointers.name, pointers.type()), dims, element);
  const Value next_sum = Binary("arith.addi", sum, loaded);
  const Value step = Constant(start.dims, "i32", std::to_string(stride));
  const Value next =
      Line(fmt::format("tt.addptr {}, {} : {}, {}", at.name, step.name, at.type(), step.type()), at.dims, at.element);
  Text(fmt::format("scf.yield {}, {} : {}, {}", next_sum.name, next.name, sum.type(), at.type()));
  --depth_;
  Text("}");
  Note({result + "#0", dims, element});
}

}  // namespace rocxla::triton
