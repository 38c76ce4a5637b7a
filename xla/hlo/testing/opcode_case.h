// Test cases of single HLO instructions, for every opcode and element type, each with a formula of its own: what the
// reference evaluator is judged by, and what the devices run.
#pragma once
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/testing/reference_value.h"

namespace xla::opcode_cases {

// From the inputs, device by device, to the results, device by device.
using Formula = std::function<std::vector<Array>(std::span<const Array> inputs)>;

struct OpcodeCase {
  HloOpcode opcode = HloOpcode::kParameter;
  PrimitiveType type = PRED;  // the type that the case counts for
  std::string variant;        // what tells it from the opcode's other cases of the type: "direction=LT", "to s8"

  // Text of the module, in which `@` is a prefix of the case's own: the lines of the entry computation, which take
  // parameters @0, @1, ... (the inputs) and define the result, @r; and the computations that it calls.
  std::string body;
  std::string computations;
  std::vector<Literal> inputs;  // of a program for several devices: those of device 0, then of device 1, ...
  int devices = 1;

  Formula formula;
  Accuracy accuracy;
  // Not empty: HLO does not permit this, says the verifier; the reason.
  std::string refused;

  std::string Name() const;  // "add s32", "compare f32 direction=LT"
};

// The accuracy of the result where other operations than the evaluator's take part: expanders, device libraries.
Accuracy ExpandedAccuracy(const OpcodeCase& one);

// One module that computes all of `cases` (of one device), with their inputs as parameters in order; its result is a
// tuple of all results, leaf by leaf if there are several.
std::string ModuleText(std::span<const OpcodeCase> cases);

// Puts cases for one opcode and element type into `out`; none if the opcode does not permit the type.
using Generator = void (*)(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out);

// Every array type, in the order of primitive_types.def.
std::span<const PrimitiveType> ArrayTypes();
// The types that must have a case: those that the opcode's traits allow, every array type where the traits do not say.
std::set<PrimitiveType> RequiredTypes(HloOpcode opcode);
// All cases of an opcode, over all types; empty if opcode_cases.def does not have it.
std::vector<OpcodeCase> CasesOf(HloOpcode opcode);

// --- for the generators

// "f32[2,3]".
std::string ShapeText(PrimitiveType type, const Dims& dims);
// An instruction's type in HLO's words: `opcode(@0, @1, ...)` with that many operands.
std::string Call(HloOpcode opcode, int operands);
// A case whose body is one line, `@r = type[dims] operation`.
OpcodeCase OneLine(HloOpcode opcode, PrimitiveType type, PrimitiveType result, const Dims& dims,
                   const std::string& operation);
// A formula with one result on one device.
Formula OneResult(std::function<Array(std::span<const Array>)> formula);
// Whether the verifier's traits allow it.
bool IsPermitted(HloOpcode opcode, PrimitiveType type);

// The text of a computation of two scalars `@name`, with one instruction: "add", "maximum", ...
std::string BinaryComputation(const std::string& name, PrimitiveType type, const std::string& opcode);

#define OPCODE_GENERATOR(name) void name(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out);
#define OPCODE_CASES(id, generator)
#include "xla/hlo/testing/opcode_cases.def"
#undef OPCODE_GENERATOR
#undef OPCODE_CASES

}  // namespace xla::opcode_cases
