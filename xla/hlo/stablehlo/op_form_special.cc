// The short forms that no description of op_form.h fits.
#include <algorithm>

#include "base/flags.h"
#include "mlir/IR/Builders.h"
#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/op_form.h"
#include "xla/hlo/stablehlo/sdy_forms.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

using Operand = OpAsmParser::UnresolvedOperand;

bool Always(Operation*) { return true; }

// --- "dense<1> : tensor<f32>", or as in old texts "() {value = dense<1> : tensor<f32>} : () -> tensor<f32>". ---

ParseResult ParseConstant(OpAsmParser& parser, OperationState& state) {
  if (succeeded(parser.parseOptionalLParen())) {
    Type type;
    if (parser.parseRParen() || parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
        parser.parseLParen() || parser.parseRParen() || parser.parseArrow() || parser.parseType(type))
      return failure();
    state.addTypes(type);
    return success();
  }
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseAttribute(value)) return failure();
  state.addAttribute("value", value);
  state.addTypes(value.getType());
  return success();
}

void PrintConstant(Operation* op, OpAsmPrinter& printer) {
  printer.printOptionalAttrDict(op->getAttrs(), {"value"});
  printer << " " << op->getAttr("value");
}

bool ConstantFits(Operation* op) {
  const auto value = op->getAttrOfType<ElementsAttr>("value");
  return value && value.getType() == op->getResult(0).getType();
}

// --- "%a, %b : type, type", or "()". ---

ParseResult ParseBarrier(OpAsmParser& parser, OperationState& state) {
  SmallVector<Operand> operands;
  SmallVector<Type> types;
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parser.parseRParen() || parser.parseOptionalAttrDict(state.attributes));
  const SMLoc at = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseOptionalColonTypeList(types) || parser.resolveOperands(operands, types, at, state.operands))
    return failure();
  state.addTypes(types);
  return success();
}

void PrintBarrier(Operation* op, OpAsmPrinter& printer) {
  if (op->getNumOperands() == 0) printer << "()";
  if (op->getNumOperands() > 0) printer << " " << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  if (op->getNumOperands() > 0) printer << " : " << op->getOperandTypes();
}

bool BarrierFits(Operation* op) { return op->getOperandTypes() == op->getResultTypes(); }

// --- "(%a init: %b), (%c init: %d) applies stablehlo.add across dimensions = [0] : types", or with
//     "reducer(%x: type, %y: type) (%z: type, %w: type) { ... }" behind the types. ---

// One operation of two arguments as the region's whole.
ParseResult AddAppliedOperation(OpAsmParser& parser, StringRef name, Type scalar, Region& region) {
  const SMLoc at = parser.getCurrentLocation();
  const Location location = parser.getEncodedSourceLoc(at);
  if (!RegisteredOperationName::lookup(name, parser.getContext()))
    return parser.emitError(at) << "there is no operation '" << name << "' to apply";
  Block& block = region.emplaceBlock();
  block.addArguments({scalar, scalar}, {location, location});
  OpBuilder builder(parser.getContext());  // the region is no operation's yet: it knows no context
  builder.setInsertionPointToStart(&block);
  OperationState applied(location, name);
  applied.addOperands(block.getArguments());
  applied.addTypes(scalar);
  Operation* const result = builder.create(applied);
  OperationState end(location, "stablehlo.return");
  end.addOperands(result->getResults());
  builder.create(end);
  return success();
}

// "reducer(%x: type, %y: type) (%z: type, %w: type)": the accumulated ones come first in the block.
ParseResult ParseReducer(OpAsmParser& parser, Region& region) {
  SmallVector<OpAsmParser::Argument> accumulated, elements;
  if (parser.parseKeyword("reducer")) return failure();
  while (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseArgument(accumulated.emplace_back(), /*allowType=*/true) || parser.parseComma() ||
        parser.parseArgument(elements.emplace_back(), /*allowType=*/true) || parser.parseRParen())
      return failure();
  }
  accumulated.append(elements);
  return parser.parseRegion(region, accumulated);
}

ParseResult ParseReduce(OpAsmParser& parser, OperationState& state) {
  SmallVector<Operand> inputs, initial;
  do {
    if (parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) || parser.parseKeyword("init") ||
        parser.parseColon() || parser.parseOperand(initial.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  StringRef applied;
  std::string applied_name;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    const FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name)) return failure();
    applied_name = name->getStringRef().str();
    applied = applied_name;
  }
  DenseI64ArrayAttr dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual() ||
      ParseDims(parser, dimensions) || parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type))
    return failure();
  state.addAttribute("dimensions", dimensions);
  state.addTypes(type.getResults());
  inputs.append(initial);
  if (parser.resolveOperands(inputs, type.getInputs(), parser.getNameLoc(), state.operands)) return failure();
  Region& region = *state.addRegion();
  if (applied.empty()) return ParseReducer(parser, region);
  if (initial.size() != 1) return parser.emitError(parser.getNameLoc()) << "'applies' fits a single input";
  return AddAppliedOperation(parser, applied, type.getInput(1), region);
}

// The name of the one operation that the reducer applies to its arguments in order; empty if it does more.
StringRef AppliedOperation(Operation* op) {
  Block& block = op->getRegion(0).front();
  if (op->getNumOperands() != 2 || block.getNumArguments() != 2 || std::distance(block.begin(), block.end()) != 2)
    return {};
  Operation& applied = block.front();
  const bool is_plain = applied.getNumOperands() == 2 && applied.getNumResults() == 1 && applied.getAttrs().empty() &&
                        applied.getOperand(0) == block.getArgument(0) &&
                        applied.getOperand(1) == block.getArgument(1) &&
                        applied.getResult(0).getType() == op->getOperand(1).getType() &&
                        block.getArgument(0).getType() == op->getOperand(1).getType() &&
                        block.getArgument(1).getType() == op->getOperand(1).getType() &&
                        block.back().getOperands() == applied.getResults() && block.back().getAttrs().empty();
  return is_plain ? applied.getName().getStringRef() : StringRef();
}

void PrintReduce(Operation* op, OpAsmPrinter& printer) {
  const unsigned count = op->getNumOperands() / 2;
  for (unsigned i = 0; i < count; ++i)
    printer << (i == 0 ? "(" : ", (") << op->getOperand(i) << " init: " << op->getOperand(count + i) << ")";
  const StringRef applied = AppliedOperation(op);
  if (!applied.empty()) printer << " applies " << applied;
  printer << " across dimensions = ";
  PrintDims(printer, AsDims(op->getAttr("dimensions")).asArrayRef());
  printer.printOptionalAttrDict(op->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(op);
  if (!applied.empty()) return;
  Block& block = op->getRegion(0).front();
  printer.printNewline();
  printer << " reducer";
  for (unsigned i = 0; i < count; ++i) {
    printer << (i == 0 ? "(" : " (");
    printer.printRegionArgument(block.getArgument(i));
    printer << ", ";
    printer.printRegionArgument(block.getArgument(count + i));
    printer << ")";
  }
  printer << " ";
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
}

bool ReduceFits(Operation* op) {
  Region& region = op->getRegion(0);
  return op->getNumOperands() > 0 && op->getNumOperands() % 2 == 0 && region.hasOneBlock() &&
         region.front().getNumArguments() == op->getNumOperands() && AsDims(op->getAttr("dimensions"));
}

// --- "(%x = %a, %y = %b) : type, type attributes {...} cond { ... } do { ... }". ---

ParseResult ParseWhile(OpAsmParser& parser, OperationState& state) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Operand> operands;
  const SMLoc at = parser.getCurrentLocation();
  if (parser.parseAssignmentList(arguments, operands)) return failure();
  if (!operands.empty() && parser.parseColonTypeList(state.types)) return failure();
  if (operands.empty() && succeeded(parser.parseOptionalColon())) {
    // Nothing has a type.
  }
  if (parser.resolveOperands(operands, state.types, at, state.operands)) return failure();
  for (auto [argument, type] : llvm::zip_equal(arguments, state.types)) argument.type = type;
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes)) return failure();
  Region& condition = *state.addRegion();
  Region& body = *state.addRegion();
  return failure(parser.parseKeyword("cond") || parser.parseRegion(condition, arguments) || parser.parseKeyword("do") ||
                 parser.parseRegion(body, arguments));
}

void PrintWhile(Operation* op, OpAsmPrinter& printer) {
  Region& condition = op->getRegion(0);
  Region& body = op->getRegion(1);
  printer << "(";
  llvm::interleaveComma(llvm::zip(condition.getArguments(), op->getOperands()), printer.getStream(), [&](auto pair) {
    printer.printOperand(std::get<0>(pair));
    printer << " = ";
    printer.printOperand(std::get<1>(pair));
  });
  printer << ")";
  if (op->getNumOperands() > 0) printer << " : " << op->getOperandTypes();
  printer.printOptionalAttrDictWithKeyword(op->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(condition, /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.shadowRegionArgs(body, condition.getArguments());
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

bool WhileFits(Operation* op) {
  return op->getOperandTypes() == op->getResultTypes() && op->getRegion(0).hasOneBlock() &&
         op->getRegion(1).hasOneBlock() && op->getRegion(0).getArgumentTypes() == op->getOperandTypes() &&
         op->getRegion(1).getArgumentTypes() == op->getOperandTypes();
}

constexpr SpecialForm kForms[] = {{"@constant", ParseConstant, PrintConstant, ConstantFits},
                                  {"@optimization_barrier", ParseBarrier, PrintBarrier, BarrierFits},
                                  {"@reduce", ParseReduce, PrintReduce, ReduceFits},
                                  {"@while", ParseWhile, PrintWhile, WhileFits},
                                  {"@mesh", ParseMeshOp, PrintMeshOp, Always},
                                  {"@manual_computation", ParseManualComputation, PrintManualComputation, Always}};

}  // namespace

const SpecialForm& FindSpecialForm(std::string_view name) {
  return *std::find_if(std::begin(kForms), std::end(kForms),
                       [&](const SpecialForm& form) { return form.name == name; });
}

}  // namespace xla::stablehlo
