#include "xla/hlo/testing/opcode_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace xla::opcode_cases {
namespace {

std::string WithPrefix(std::string_view text, std::string_view prefix) {
  std::string result;
  for (const char c : text) {
    if (c == '@') {
      result += prefix;
    } else {
      result += c;
    }
  }
  return result;
}

// The shape that the text of `@r = shape opcode(...)` declares.
std::string ResultShape(const OpcodeCase& one) {
  const size_t line = one.body.rfind("@r = ") + 5;
  if (one.body[line] != '(') return one.body.substr(line, one.body.find(' ', line) - line);
  int depth = 0;
  size_t end = line;
  do {
    depth += one.body[end] == '(' ? 1 : one.body[end] == ')' ? -1 : 0;
    ++end;
  } while (depth > 0);
  return one.body.substr(line, end - line);
}

}  // namespace

std::string OpcodeCase::Name() const {
  return fmt::format("{} {}{}{}", HloOpcodeString(opcode), PrimitiveTypeName(type), variant.empty() ? "" : " ",
                     variant);
}

Accuracy ExpandedAccuracy(const OpcodeCase& one) {
  Accuracy accuracy = one.accuracy;
  accuracy.ulps *= 3;
  return accuracy;
}

std::string ModuleText(std::span<const OpcodeCase> cases) {
  std::string computations, entry, roots, shapes;
  int64_t parameter = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    const OpcodeCase& one = cases[i];
    const std::string prefix = fmt::format("c{}.", i);
    computations += WithPrefix(one.computations, prefix);
    const size_t parameters = one.inputs.size() / one.devices;
    for (size_t p = 0; p < parameters; ++p) {
      entry += fmt::format("  {}{} = {} parameter({})\n", prefix, p, one.inputs[p].shape().ToStringWithLayout(),
                           parameter++);
    }
    entry += WithPrefix(one.body, prefix) + "\n";
    roots += fmt::format("{}{}r", i == 0 ? "" : ", ", prefix);
    shapes += (i == 0 ? "" : ", ") + ResultShape(one);
  }
  const std::string devices = cases[0].devices == 1 ? "" : fmt::format(", replica_count={}", cases[0].devices);
  return fmt::format("HloModule cases{}\n{}ENTRY main {{\n{}  ROOT results = ({}) tuple({})\n}}\n", devices,
                     computations, entry, shapes, roots);
}

std::span<const PrimitiveType> ArrayTypes() {
  static const std::vector<PrimitiveType> types = [] {
    std::vector<PrimitiveType> arrays;
    for (const PrimitiveType type : {
#define PRIMITIVE_TYPE(id, ...) id,
#include "xla/hlo/ir/primitive_types.def"
#undef PRIMITIVE_TYPE
         }) {
      if (IsArrayType(type)) arrays.push_back(type);
    }
    return arrays;
  }();
  return types;
}

bool IsPermitted(HloOpcode opcode, PrimitiveType type) {
  const uint32_t any = InfoOf(opcode).traits & op_trait::kAnyArray;
  if (any == 0) return true;
  const uint32_t trait = type == PRED      ? op_trait::kPred
                         : IsInteger(type) ? op_trait::kInteger
                         : IsFloat(type)   ? op_trait::kFloating
                                           : op_trait::kComplex;
  return (any & trait) != 0;
}

std::set<PrimitiveType> RequiredTypes(HloOpcode opcode) {
  std::set<PrimitiveType> types;
  for (const PrimitiveType type : ArrayTypes()) {
    if (IsPermitted(opcode, type)) types.insert(type);
  }
#define OPCODE_GENERATOR(name)
#define OPCODE_CASES(id, generator)
#define OPCODE_TYPES(id, condition, reason)         \
  if (opcode == HloOpcode::id) {                    \
    types.clear();                                  \
    for (const PrimitiveType type : ArrayTypes()) { \
      if (condition) types.insert(type);            \
    }                                               \
  }
#include "xla/hlo/testing/opcode_cases.def"
#undef OPCODE_TYPES
#undef OPCODE_GENERATOR
#undef OPCODE_CASES
  return types;
}

std::vector<OpcodeCase> CasesOf(HloOpcode opcode) {
  Generator generator = nullptr;
  switch (opcode) {
#define OPCODE_GENERATOR(name)
#define OPCODE_CASES(id, name) \
  case HloOpcode::id:          \
    generator = name;          \
    break;
#include "xla/hlo/testing/opcode_cases.def"
#undef OPCODE_GENERATOR
#undef OPCODE_CASES
    default:
      break;
  }
  std::vector<OpcodeCase> cases;
  if (generator == nullptr) return cases;
  for (const PrimitiveType type : ArrayTypes()) generator(opcode, type, cases);
  return cases;
}

std::string ShapeText(PrimitiveType type, const Dims& dims) {
  return fmt::format("{}[{}]", PrimitiveTypeName(type), fmt::join(dims, ","));
}

std::string Call(HloOpcode opcode, int operands) {
  std::string text = std::string(HloOpcodeString(opcode)) + "(";
  for (int i = 0; i < operands; ++i) text += fmt::format("{}@{}", i == 0 ? "" : ", ", i);
  return text + ")";
}

OpcodeCase OneLine(HloOpcode opcode, PrimitiveType type, PrimitiveType result, const Dims& dims,
                   const std::string& operation) {
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  one.body = "  @r = " + ShapeText(result, dims) + " " + operation;
  return one;
}

Formula OneResult(std::function<Array(std::span<const Array>)> formula) {
  return [formula = std::move(formula)](std::span<const Array> inputs) {
    std::vector<Array> results;
    results.push_back(formula(inputs));
    return results;
  };
}

std::string BinaryComputation(const std::string& name, PrimitiveType type, const std::string& opcode) {
  const std::string_view t = PrimitiveTypeName(type);
  return fmt::format("@{0} {{ x = {1}[] parameter(0)  y = {1}[] parameter(1)  ROOT z = {1}[] {2}(x, y) }}\n", name, t,
                     opcode);
}

}  // namespace xla::opcode_cases
