#include "xla/backends/gpu/codegen/ttir_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace xla::gpu {
namespace {

enum class ElementClass : uint8_t { Int, Float };
struct ElementInfo {
  std::string_view text;
  int bits;
  ElementClass cls;
};
constexpr ElementInfo kElements[] = {
#define TTIR_TYPE(id, text, bits, cls) {text, bits, ElementClass::cls},
#include "xla/backends/gpu/codegen/ttir_types.def"
#undef TTIR_TYPE
};
const ElementInfo& InfoOf(TtirElement element) { return kElements[static_cast<int>(element)]; }

// The bits of `value` rounded to `element`, for literals that no short decimal gives exactly. bf16 is the upper half of
// f32.
std::string HexLiteral(double value, TtirElement element) {
  switch (element) {
    case TtirElement::kF64:
      return fmt::format("0x{:016X}", std::bit_cast<uint64_t>(value));
    case TtirElement::kF16:
      return fmt::format("0x{:04X}", std::bit_cast<uint16_t>(static_cast<_Float16>(value)));
    case TtirElement::kBF16: {
      uint32_t bits = std::bit_cast<uint32_t>(static_cast<float>(value));
      if (!std::isnan(value)) bits += 0x7FFF + ((bits >> 16) & 1);  // round to nearest even
      return fmt::format("0x{:04X}", bits >> 16);
    }
    default:
      return fmt::format("0x{:08X}", std::bit_cast<uint32_t>(static_cast<float>(value)));
  }
}

std::string FloatLiteral(double value, TtirElement element) {
  if (std::isfinite(value)) {
    std::string text = fmt::format("{:.6e}", value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return HexLiteral(value, element);
}

std::string Joined(std::span<const TtirValue> values) {
  std::string out;
  for (const TtirValue& value : values) out += (out.empty() ? "" : ", ") + value.name;
  return out;
}

std::string JoinedTypes(std::span<const TtirValue> values) {
  std::string out;
  for (const TtirValue& value : values) out += (out.empty() ? "" : ", ") + value.type.ToString();
  return out;
}

}  // namespace

std::string_view TextOf(TtirElement element) { return InfoOf(element).text; }
int BitsOf(TtirElement element) { return InfoOf(element).bits; }
bool IsFloat(TtirElement element) { return InfoOf(element).cls == ElementClass::Float; }

std::string TtirType::ToString() const {
  std::string scalar = pointer ? fmt::format("!tt.ptr<{}>", TextOf(element)) : std::string(TextOf(element));
  return shape.empty() ? scalar : fmt::format("tensor<{}x{}>", fmt::join(shape, "x"), scalar);
}

TileShape BroadcastShape(const TileShape& a, const TileShape& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  TileShape out = a;
  for (size_t i = 0; i < out.size(); ++i) out[i] = std::max(a[i], b[i]);
  return out;
}

TtirValue TtirBuilder::PointerArgument(TtirElement pointee, uint64_t bytes) {
  constexpr uint64_t kPointerRange32Limit = uint64_t{1} << 31;
  TtirValue argument{fmt::format("%arg{}", arguments_.size()), {pointee, {}, true}};
  arguments_.push_back(fmt::format("{}: {} {{tt.divisibility = 16 : i32{}}}", argument.name, argument.type.ToString(),
                                   bytes < kPointerRange32Limit ? ", tt.pointer_range = 32 : i32" : ""));
  return argument;
}

TtirValue TtirBuilder::NewValue(TtirType type) { return {fmt::format("%{}", next_id_++), std::move(type)}; }

void TtirBuilder::Line(std::string_view text) {
  body_.append(2 * depth_, ' ');
  body_ += text;
  body_ += '\n';
}

TtirValue TtirBuilder::Pure(const std::string& text, TtirType type) {
  for (const auto& scope : scopes_) {
    if (auto it = scope.find(text); it != scope.end()) return it->second;
  }
  TtirValue value = NewValue(std::move(type));
  Line(fmt::format("{} = {}", value.name, text));
  return scopes_.back()[text] = value;
}

void TtirBuilder::PushScope() {
  scopes_.emplace_back();
  ++depth_;
}
void TtirBuilder::PopScope() {
  scopes_.pop_back();
  --depth_;
}

// Named as MLIR's printer would name them: %c64_i32, %cst_3.
TtirValue TtirBuilder::ConstantOf(const std::string& literal, TtirType type) {
  auto [it, is_new] = constant_by_text_.try_emplace(literal + type.ToString(), constants_.size());
  if (!is_new) return constants_[it->second].value;
  std::string name = fmt::format("%cst_{}", constants_.size());
  if (type.shape.empty() && !IsFloat(type.element) && type.element != TtirElement::kI1) {
    std::string digits = literal[0] == '-' ? "n" + literal.substr(1) : literal;
    name = fmt::format("%c{}_{}", digits, TextOf(type.element));
  }
  constants_.push_back({{name, std::move(type)}, literal});
  return constants_.back().value;
}

TtirValue TtirBuilder::IntConstant(int64_t value, TtirType type) {
  if (type.element == TtirElement::kI1) return ConstantOf(value ? "true" : "false", std::move(type));
  return ConstantOf(fmt::format("{}", value), std::move(type));
}

TtirValue TtirBuilder::FloatConstant(double value, TtirType type) {
  std::string literal = FloatLiteral(value, type.element);
  return ConstantOf(literal, std::move(type));
}

TtirValue TtirBuilder::Unary(std::string_view op, const TtirValue& x) {
  return Pure(fmt::format("{} {} : {}", op, x.name, x.type.ToString()), x.type);
}

TtirValue TtirBuilder::Binary(std::string_view op, const TtirValue& a, const TtirValue& b) {
  TileShape shape = BroadcastShape(a.type.shape, b.type.shape);
  bool zero_neutral = op == "arith.addi" || op == "arith.subi";
  bool keeps_a = (zero_neutral && b.name.starts_with("%c0_")) || (op == "arith.muli" && b.name.starts_with("%c1_"));
  keeps_a = keeps_a || ((op == "arith.andi" || op == "arith.ori") && a.name == b.name);
  if (keeps_a) return BroadcastTo(a, shape);
  if ((op == "arith.addi" && a.name.starts_with("%c0_")) || (op == "arith.muli" && a.name.starts_with("%c1_"))) {
    return BroadcastTo(b, shape);
  }
  TtirValue x = BroadcastTo(a, shape), y = BroadcastTo(b, shape);
  return Pure(fmt::format("{} {}, {} : {}", op, x.name, y.name, x.type.ToString()), x.type);
}

TtirValue TtirBuilder::Compare(std::string_view op, std::string_view predicate, const TtirValue& a,
                               const TtirValue& b) {
  TileShape shape = BroadcastShape(a.type.shape, b.type.shape);
  TtirValue x = BroadcastTo(a, shape), y = BroadcastTo(b, shape);
  return Pure(fmt::format("{} {}, {}, {} : {}", op, predicate, x.name, y.name, x.type.ToString()),
              x.type.WithElement(TtirElement::kI1));
}

TtirValue TtirBuilder::Select(const TtirValue& condition, const TtirValue& on_true, const TtirValue& on_false) {
  TileShape shape = BroadcastShape(on_true.type.shape, on_false.type.shape);
  if (!condition.type.shape.empty()) shape = BroadcastShape(shape, condition.type.shape);
  TtirValue c = condition.type.shape.empty() ? condition : BroadcastTo(condition, shape);
  TtirValue x = BroadcastTo(on_true, shape), y = BroadcastTo(on_false, shape);
  std::string types = c.type.shape.empty() && !shape.empty() ? c.type.ToString() + ", " + x.type.ToString()
                      : shape.empty()                        ? x.type.ToString()
                                                             : c.type.ToString() + ", " + x.type.ToString();
  return Pure(fmt::format("arith.select {}, {}, {} : {}", c.name, x.name, y.name, types), x.type);
}

TtirValue TtirBuilder::Cast(std::string_view op, const TtirValue& x, TtirElement to) {
  TtirType type = x.type.WithElement(to);
  std::string_view arrow = op.starts_with("tt.") ? "->" : "to";
  return Pure(fmt::format("{} {} : {} {} {}", op, x.name, x.type.ToString(), arrow, type.ToString()), type);
}

TtirValue TtirBuilder::ProgramId(int axis) {
  return Pure(fmt::format("tt.get_program_id {} : i32", "xyz"[axis]), {TtirElement::kI32, {}});
}

TtirValue TtirBuilder::Iota(int64_t size, int dim, int rank) {
  TtirType flat{TtirElement::kI32, {size}};
  TtirValue value =
      Pure(fmt::format("tt.make_range {{end = {} : i32, start = 0 : i32}} : {}", size, flat.ToString()), flat);
  for (int d = 0; d < rank; ++d) {
    if (d != dim) value = ExpandDims(value, d);
  }
  return value;
}

TtirValue TtirBuilder::ExpandDims(const TtirValue& x, int dim) {
  TtirType type = x.type;
  type.shape.insert(type.shape.begin() + dim, 1);
  return Pure(
      fmt::format("tt.expand_dims {} {{axis = {} : i32}} : {} -> {}", x.name, dim, x.type.ToString(), type.ToString()),
      type);
}

TtirValue TtirBuilder::Splat(const TtirValue& scalar, TileShape shape) {
  TtirType type = scalar.type.WithShape(std::move(shape));
  return Pure(fmt::format("tt.splat {} : {} -> {}", scalar.name, scalar.type.ToString(), type.ToString()), type);
}

TtirValue TtirBuilder::BroadcastTo(const TtirValue& x, const TileShape& shape) {
  if (x.type.shape == shape) return x;
  for (const Constant& constant : constants_) {
    if (constant.value.name == x.name) return ConstantOf(std::string(constant.literal), x.type.WithShape(shape));
  }
  if (x.type.shape.empty()) return Splat(x, shape);
  TtirType type = x.type.WithShape(shape);
  return Pure(fmt::format("tt.broadcast {} : {} -> {}", x.name, x.type.ToString(), type.ToString()), type);
}

TtirValue TtirBuilder::AddPtr(const TtirValue& pointer, const TtirValue& offset) {
  if (offset.name.starts_with("%c0_")) return pointer;
  TileShape shape = BroadcastShape(pointer.type.shape, offset.type.shape);
  TtirValue p = BroadcastTo(pointer, shape), o = BroadcastTo(offset, shape);
  return Pure(fmt::format("tt.addptr {}, {} : {}, {}", p.name, o.name, p.type.ToString(), o.type.ToString()), p.type);
}

TtirValue TtirBuilder::Load(const TtirValue& pointer, const TtirValue& mask, const TtirValue& other) {
  const TileShape& shape = pointer.type.shape;
  TtirType type{pointer.type.element, shape};
  std::string operands = pointer.name;
  if (mask) operands += ", " + BroadcastTo(mask, shape).name;
  if (other) operands += ", " + BroadcastTo(other, shape).name;
  TtirValue value = NewValue(type);
  Line(fmt::format("{} = tt.load {} : {}", value.name, operands, pointer.type.ToString()));
  return value;
}

void TtirBuilder::Store(const TtirValue& pointer, const TtirValue& value, const TtirValue& mask) {
  std::string operands = pointer.name + ", " + BroadcastTo(value, pointer.type.shape).name;
  if (mask) operands += ", " + BroadcastTo(mask, pointer.type.shape).name;
  Line(fmt::format("tt.store {} : {}", operands, pointer.type.ToString()));
}

TtirValue TtirBuilder::Dot(const TtirValue& a, const TtirValue& b, const TtirValue& accumulator) {
  return Pure(fmt::format("tt.dot {}, {}, {} : {} * {} -> {}", a.name, b.name, accumulator.name, a.type.ToString(),
                          b.type.ToString(), accumulator.type.ToString()),
              accumulator.type);
}

TtirBuilder::Values TtirBuilder::Reduce(std::span<const TtirValue> operands, int dim, const ReducerFn& reducer) {
  Values results, lhs, rhs;
  std::string block, result_types;
  int base = next_id_;
  next_id_ += 1 + 2 * static_cast<int>(operands.size());
  for (const TtirValue& operand : operands) {
    TtirType type = operand.type;
    type.shape.erase(type.shape.begin() + dim);
    size_t i = results.size();
    results.push_back({operands.size() == 1 ? fmt::format("%{}", base) : fmt::format("%{}#{}", base, i), type});
    result_types += (i ? ", " : "") + type.ToString();
    TtirType scalar{type.element, {}};
    lhs.push_back({fmt::format("%{}", base + 1 + i), scalar});
    rhs.push_back({fmt::format("%{}", base + 1 + operands.size() + i), scalar});
  }
  for (const Values* side : {&lhs, &rhs}) {
    for (const TtirValue& v : *side)
      block += fmt::format("{}{}: {}", block.empty() ? "" : ", ", v.name, v.type.ToString());
  }
  std::string count = operands.size() == 1 ? "" : fmt::format(":{}", operands.size());
  Line(fmt::format("%{}{} = \"tt.reduce\"({}) <{{axis = {} : i32}}> ({{", base, count, Joined(operands), dim));
  Line(fmt::format("^bb0({}):", block));
  PushScope();
  Values combined = reducer(lhs, rhs);
  Line(fmt::format("tt.reduce.return {} : {}", Joined(combined), JoinedTypes(combined)));
  PopScope();
  std::string arrow = operands.size() == 1 ? result_types : "(" + result_types + ")";
  Line(fmt::format("}}) : ({}) -> {}", JoinedTypes(operands), arrow));
  return results;
}

TtirBuilder::Values TtirBuilder::For(const TtirValue& begin, const TtirValue& end, const TtirValue& step,
                                     const Values& init, const BodyFn& body) {
  int base = next_id_;
  next_id_ += 2 + static_cast<int>(init.size());
  Values results, carried;
  std::string bindings;
  for (size_t i = 0; i < init.size(); ++i) {
    results.push_back({init.size() == 1 ? fmt::format("%{}", base) : fmt::format("%{}#{}", base, i), init[i].type});
    carried.push_back({fmt::format("%{}", base + 2 + i), init[i].type});
    bindings += fmt::format("{}{} = {}", i ? ", " : "", carried[i].name, init[i].name);
  }
  TtirValue iv{fmt::format("%{}", base + 1), begin.type};
  std::string count = init.size() == 1 ? "" : fmt::format(":{}", init.size());
  Line(fmt::format("%{}{} = scf.for {} = {} to {} step {} iter_args({}) -> ({})  : {} {{", base, count, iv.name,
                   begin.name, end.name, step.name, bindings, JoinedTypes(init), begin.type.ToString()));
  PushScope();
  Values next = body(iv, carried);
  Line(fmt::format("scf.yield {} : {}", Joined(next), JoinedTypes(next)));
  PopScope();
  Line("}");
  return results;
}

namespace {

bool Mentions(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    char next = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    if (!std::isalnum(static_cast<unsigned char>(next)) && next != '_') return true;
  }
  return false;
}

}  // namespace

std::string TtirBuilder::Finish(std::string_view kernel_name) {
  Line("tt.return");
  std::string constants;
  for (const auto& [value, literal] : constants_) {
    if (!Mentions(body_, value.name)) continue;
    bool is_bool = value.type.element == TtirElement::kI1;
    std::string attribute = !value.type.shape.empty() ? fmt::format("dense<{}> : {}", literal, value.type.ToString())
                            : is_bool                 ? literal
                                                      : fmt::format("{} : {}", literal, value.type.ToString());
    constants += fmt::format("    {} = arith.constant {}\n", value.name, attribute);
  }
  return fmt::format("module {{\n  tt.func public @{}({}) attributes {{noinline = false}} {{\n{}{}  }}\n}}\n",
                     kernel_name, fmt::join(arguments_, ", "), constants, body_);
}

}  // namespace xla::gpu
