// Operations on elements: arithmetic, comparisons, conversions, functions.
#include <fmt/format.h>

#include "triton/testing/kernel_generator.h"

namespace rocxla::triton {

using Value = GeneratedValue;

void KernelGenerator::IntegerStep() {
  const Dims dims = AnyTensor().dims;
  const std::string element = OneOf({"i32", "i32", "i32", "i64", "i16", "i8", "i1"});
  const Value x = Operand(dims, element);
  if (element == "i1") return Note(Binary(OneOf({"arith.andi", "arith.ori", "arith.xori"}), x, Operand(dims, element)));
  const int bits = BitsOf(element);
  const bool cheap = PerThread(dims) <= (bits == 64 ? 2 : 8);
  switch (Below(12)) {
    case 0:  // shifts stay below the width
      return Note(Binary(OneOf({"arith.shli", "arith.shrsi", "arith.shrui"}), x, SmallIndex(dims, bits, element)));
    case 1:
    case 2: {  // divisors from 1 to 8, or their negatives
      if (!cheap) break;
      Value divisor = Binary("arith.addi", SmallIndex(dims, 8, element), Constant(dims, element, "1"));
      if (Chance(20)) divisor = Binary("arith.subi", Constant(dims, element, "0"), divisor);
      if (Chance(30)) divisor = Constant(dims, element, OneOf({"3", "8", "7", "-2", "64"}));
      return Note(Binary(OneOf({"arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi",
                                "arith.ceildivsi", "arith.ceildivui"}),
                         x, divisor));
    }
    case 3:
      return Note(Unary(OneOf({"math.absi", "math.ctpop", "math.ctlz", "math.cttz"}), x));
    case 4:
      if (!cheap) break;
      return Note(Binary("tt.mulhiui", x, Operand(dims, element)));
    case 5: {
      if (!cheap) break;
      const std::string op = OneOf({"arith.mulsi_extended", "arith.mului_extended"});
      const Value y = Operand(dims, element);
      const std::string low = fmt::format("%v{}", names_++), high = fmt::format("%v{}", names_++);
      Text(fmt::format("{}, {} = {} {}, {} : {}", low, high, op, x.name, y.name, x.type()));
      Note({low, dims, element});
      return Note({high, dims, element});
    }
    case 6:
      return Note(Select(Chance(15) ? ScalarCondition() : Operand(dims, "i1"), x, Operand(dims, element)));
    case 7: {
      if (bits < 16) break;
      const std::string to = bits == 16 ? OneOf({"f16", "bf16"}) : bits == 32 ? "f32" : "f64";
      return Note(Line(fmt::format("tt.bitcast {} : {} -> {}", x.name, x.type(), TypeText(dims, to)), dims, to));
    }
    default:
      break;
  }
  Note(Binary(OneOf({"arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori", "arith.minsi",
                     "arith.maxsi", "arith.minui", "arith.maxui"}),
              x, Operand(dims, element)));
}

void KernelGenerator::FloatStep() {
  const Dims dims = AnyTensor().dims;
  const std::string element = OneOf({"f32", "f32", "f32", "f16", "f16", "bf16", "f64"});
  const Value x = Operand(dims, element);
  const bool cheap = PerThread(dims) <= (element == "f64" ? 2 : 8);
  switch (Below(12)) {
    case 0:
      return Note(Unary(
          OneOf({"arith.negf", "math.absf", "math.floor", "math.ceil", "math.trunc", "math.roundeven", "math.round"}),
          x));
    case 1:
      if (!cheap) break;
      return Note(Binary("arith.divf", x, Operand(dims, element)));
    case 2:
      if (!cheap) break;
      return Note(Unary("math.sqrt", Unary("math.absf", x)));
    case 3: {
      const Value y = Operand(dims, element), z = Operand(dims, element);
      return Note(Line(fmt::format("math.fma {}, {}, {} : {}", x.name, y.name, z.name, x.type()), dims, element));
    }
    case 4:
      return Note(Select(Chance(15) ? ScalarCondition() : Operand(dims, "i1"), x, Operand(dims, element)));
    case 5:
      return Note(Binary("math.copysign", x, Operand(dims, element)));
    case 6: {
      const std::string propagate = OneOf({"all", "none"});
      const Value low = Constant(dims, element, OneOf({"-2.0", "0.5", "-8.0"})),
                  high = Constant(dims, element, OneOf({"0.5", "4.0", "30.0"}));
      return Note(Line(
          fmt::format("tt.clampf {}, {}, {}, propagateNan = {} : {}", x.name, low.name, high.name, propagate, x.type()),
          dims, element));
    }
    case 7: {
      const int bits = BitsOf(element);
      const std::string to = "i" + std::to_string(bits);
      return Note(Line(fmt::format("tt.bitcast {} : {} -> {}", x.name, x.type(), TypeText(dims, to)), dims, to));
    }
    case 8: {
      if (!cheap || element != "f32") break;
      if (Chance(50)) return Note(Unary("tt.precise_sqrt", Unary("math.absf", x)));
      return Note(Binary("tt.precise_divf", x, Operand(dims, element)));
    }
    default:
      break;
  }
  Note(Binary(OneOf({"arith.addf", "arith.subf", "arith.mulf", "arith.maxnumf", "arith.minnumf", "arith.maximumf",
                     "arith.minimumf"}),
              x, Operand(dims, element)));
}

void KernelGenerator::CompareStep() {
  const Dims dims = AnyTensor().dims;
  const std::string element = OneOf({"i32", "i32", "f32", "f16", "bf16", "f64", "i8", "i16", "i64"});
  const std::string predicate =
      IsFloat(element)
          ? OneOf({"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"})
          : OneOf({"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"});
  const Value x = Operand(dims, element), y = Operand(dims, element);
  Note(Compare(predicate, x, y));
}

void KernelGenerator::ConvertStep() {
  Note(Convert(AnyTensor(), OneOf({"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2",
                                   "f8E4M3FNUZ", "f8E5M2FNUZ"})));
}

Value KernelGenerator::ScalarCondition() {
  const Value x = Operand({}, "i32");
  return Compare(OneOf({"slt", "sgt", "eq", "ne"}), x, Constant({}, "i32", std::to_string(Below(4))));
}

void KernelGenerator::ScalarStep() {
  switch (Below(5)) {
    case 0: {
      const Value x = Operand({}, "i32");
      return Note(Binary(OneOf({"arith.addi", "arith.muli", "arith.xori", "arith.maxsi"}), x, Operand({}, "i32")));
    }
    case 1: {
      const Value x = Operand({}, "f32");
      return Note(Binary(OneOf({"arith.addf", "arith.mulf", "arith.maximumf"}), x, Operand({}, "f32")));
    }
    case 2:
      return Note(ScalarCondition());
    case 3: {
      const Value condition = ScalarCondition(), x = Operand({}, "i32");
      return Note(Select(condition, x, Operand({}, "i32")));
    }
    default:
      return Note(Load({}, OneOf({"i32", "f32", "i64", "f16", "i8", "f64", "i1"})));
  }
}

// Functions that are not exactly rounded: what they give goes to a buffer with a tolerance, and nowhere else.
void KernelGenerator::MathStep() {
  const Dims dims = AnyTensor().dims;
  const std::string element = OneOf({"f32", "f32", "f32", "f16", "bf16", "f64"});
  if (in_loop_ > 0 || PerThread(dims) > (element == "f64" ? 1 : 4)) return;
  // Numbers of a quarter from -4 to 4; from 1/4 to 8 for those who need it.
  const std::string name =
      OneOf({"exp",  "exp2", "log", "log2", "log10", "log1p", "expm1", "sin",   "cos",   "tan", "tanh",
             "sinh", "cosh", "erf", "erfc", "rsqrt", "cbrt",  "atan",  "asinh", "atan2", "powf"});
  const bool positive = name.starts_with("log") || name == "rsqrt" || name == "powf";
  auto numbers = [&] {
    Value value = SmallNumbers(dims, element, 16);
    if (positive) value = Binary("arith.addf", Unary("math.absf", value), Constant(dims, element, "1.0"));
    return Binary("arith.mulf", value, Constant(dims, element, "0.25"));
  };
  const Value x = numbers();
  constexpr int kUlps = 4;
  Store(name == "atan2" || name == "powf" ? Binary("math." + name, x, numbers()) : Unary("math." + name, x), kUlps);
}

// Scalar code with a branch, on one or two elements at a time.
void KernelGenerator::MapStep() {
  const Value x = Convert(AnyTensor(), "i32");
  const int pack = Count(x.dims) % 2 == 0 && PerThread(x.dims) >= 2 && Chance(40) ? 2 : 1;
  const Value y = Operand(x.dims, "i32");
  std::string arguments, results, types;
  std::string code;
  for (int i = 0; i < pack; ++i) {
    code += fmt::format(
        "    %c{0} = arith.cmpi slt, %x{0}, %y{0} : i32\n    %r{0} = scf.if %c{0} -> (i32) {{\n"
        "      %s{0} = arith.subi %y{0}, %x{0} : i32\n      scf.yield %s{0} : i32\n    }} else {{\n"
        "      %m{0} = arith.muli %y{1}, %x{0} : i32\n      scf.yield %m{0} : i32\n    }}\n",
        i, pack - 1 - i);
    results += fmt::format("{}%r{}", i ? ", " : "", i);
    types += i ? ", i32" : "i32";
  }
  for (const char* name : {"x", "y"})
    for (int i = 0; i < pack; ++i) arguments += fmt::format("{}%{}{}: i32", arguments.empty() ? "" : ", ", name, i);
  const std::string type = x.type();
  Note(Line(fmt::format("\"tt.map_elementwise\"({}, {}) <{{pack = {} : i32}}> ({{\n  ^bb0({}):\n{}"
                        "    tt.map_elementwise.return {} : {}\n  }}) : ({}, {}) -> {}",
                        x.name, y.name, pack, arguments, code, results, types, type, type, type),
            x.dims, "i32"));
}

// A function with an early return.
void KernelGenerator::CallStep() {
  const Value x = AnyTensor();
  if (IsFloat8(x.element)) return;
  const std::string name = fmt::format("@f{}", function_count_++), type = x.type();
  const std::string op = x.element == "i1" ? "arith.xori" : IsFloat(x.element) ? "arith.addf" : "arith.addi";
  const bool early = Chance(60);
  functions_ +=
      fmt::format("tt.func private {}(%x: {}, %n: i32) -> {} attributes {{noinline = false}} {{\n", name, type, type);
  if (early)
    functions_ += fmt::format(
        "  %c = arith.constant {} : i32\n  %few = arith.cmpi slt, %n, %c : i32\n"
        "  cf.cond_br %few, ^bb1, ^bb2\n^bb1:\n  tt.return %x : {}\n^bb2:\n",
        Below(3), type);
  functions_ += fmt::format("  %y = {} %x, %x : {}\n  tt.return %y : {}\n}}\n", op, type, type);
  const Value number = Operand({}, "i32");
  Note(Line(fmt::format("tt.call {}({}, {}) : ({}, i32) -> {}", name, x.name, number.name, type, type), x.dims,
            x.element));
}

}  // namespace rocxla::triton
