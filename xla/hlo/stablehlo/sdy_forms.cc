#include "xla/hlo/stablehlo/sdy_forms.h"

#include "xla/hlo/stablehlo/sdy_attributes.h"

using namespace mlir;
namespace xla::stablehlo {

ParseResult ParseMeshOp(OpAsmParser& parser, OperationState& state) {
  StringAttr name;
  SdyAttr mesh;
  if (parser.parseSymbolName(name) || parser.parseEqual() || ParseSdyBody(parser, "mesh", mesh) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  state.addAttribute("sym_name", name);
  state.addAttribute("mesh", mesh);
  return success();
}

void PrintMeshOp(Operation* op, OpAsmPrinter& printer) {
  printer << " ";
  printer.printSymbolName(op->getAttrOfType<StringAttr>("sym_name").getValue());
  printer << " = " << cast<SdyAttr>(op->getAttr("mesh")).getBody();
  printer.printOptionalAttrDict(op->getAttrs(), {"sym_name", "mesh"});
}

ParseResult ParseManualComputation(OpAsmParser& parser, OperationState& state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SdyAttr in, out, axes;
  SmallVector<OpAsmParser::Argument> arguments;
  FunctionType type;
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) || parser.parseKeyword("in_shardings") ||
      parser.parseEqual() || ParseSdyBody(parser, "shardings", in) || parser.parseKeyword("out_shardings") ||
      parser.parseEqual() || ParseSdyBody(parser, "shardings", out) || parser.parseKeyword("manual_axes") ||
      parser.parseEqual() || ParseSdyBody(parser, "manual_axes", axes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseRegion(*state.addRegion(), arguments) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.addAttribute("in_shardings", in);
  state.addAttribute("out_shardings", out);
  state.addAttribute("manual_axes", axes);
  state.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), parser.getNameLoc(), state.operands);
}

void PrintManualComputation(Operation* op, OpAsmPrinter& printer) {
  const auto body = [&](StringRef name) { return cast<SdyAttr>(op->getAttr(name)).getBody(); };
  printer << "(" << op->getOperands() << ") in_shardings=" << body("in_shardings").drop_front().drop_back()
          << " out_shardings=" << body("out_shardings").drop_front().drop_back()
          << " manual_axes=" << body("manual_axes") << " (";
  llvm::interleaveComma(op->getRegion(0).getArguments(), printer.getStream(),
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict(op->getAttrs(), {"in_shardings", "out_shardings", "manual_axes"});
  printer << " : ";
  printer.printFunctionalType(op);
}

}  // namespace xla::stablehlo
