// The short forms of operations ("stablehlo.add %a, %b : tensor<4xf32>"), as data: one description of a form parses and
// prints it. It is a string of words separated by spaces:
//
//   %            an operand
//   %*           any number of operands, separated by commas; (%*): in parentheses
//   $name:kind   an attribute. Kinds: dims [1, 2]; i64, i32; bool; string; symbol @name (kept as a string); an
//   enumeration
//                of attributes.def; precisions [HIGH, HIGH]; conv; sharding
//   $:kind       several attributes: float_format e8m10; slice [0:4:2, 1:2]; dot_dimensions; window {stride = ...}
//   (? ... ?)    may be absent; begins with a comma; there if its last attribute is there
//   {}           the other attributes
//   :types       same: one type for all, or a function's type; fn: a function's type; arrow: operand types -> result
//   types;
//                result: the result's type; operands: the operands' types, no results; tokens: one type, of any number
//                of operands; complex, select, tuple: what these operations write
//   @name        the whole is parsed and printed by functions of its own (op_form_special.cc)
//   others       themselves: , = [ ] and keywords
#pragma once
#include <string_view>
#include <vector>

#include "mlir/IR/OpImplementation.h"

namespace xla::stablehlo {

mlir::ParseResult ParseOpForm(std::string_view form, mlir::OpAsmParser& parser, mlir::OperationState& state);
// Behind the operation's name.
void PrintOpForm(std::string_view form, mlir::Operation* op, mlir::OpAsmPrinter& printer);
// The names of the attributes that a form mentions.
std::vector<std::string_view> AttributesOfForm(std::string_view form);
// False where the form cannot say it all (an attribute of another kind, ...): such operations are printed generically.
bool FormFits(std::string_view form, mlir::Operation* op);

// --- Pieces that several forms share (op_form_pieces.cc). ---

mlir::ParseResult ParseSlice(mlir::OpAsmParser& parser, mlir::OperationState& state);
void PrintSlice(mlir::Operation* op, mlir::OpAsmPrinter& printer);
mlir::ParseResult ParseDotDimensions(mlir::OpAsmParser& parser, mlir::OperationState& state);
void PrintDotDimensions(mlir::Operation* op, mlir::OpAsmPrinter& printer);
mlir::ParseResult ParsePrecisions(mlir::OpAsmParser& parser, mlir::ArrayAttr& result);
void PrintPrecisions(mlir::OpAsmPrinter& printer, mlir::ArrayAttr precisions);
mlir::ParseResult ParseWindow(mlir::OpAsmParser& parser, mlir::OperationState& state);
void PrintWindow(mlir::Operation* op, mlir::OpAsmPrinter& printer);
mlir::ParseResult ParseFloatFormat(mlir::OpAsmParser& parser, mlir::OperationState& state);

// --- Whole forms (op_form_special.cc, sdy_forms.cc). ---

struct SpecialForm {
  std::string_view name;  // "@reduce"
  mlir::ParseResult (*parse)(mlir::OpAsmParser& parser, mlir::OperationState& state);
  void (*print)(mlir::Operation* op, mlir::OpAsmPrinter& printer);
  bool (*fits)(mlir::Operation* op);
};
const SpecialForm& FindSpecialForm(std::string_view name);

// The integers of a list attribute: DenseI64ArrayAttr, or a one-dimensional dense<...>. Null: neither.
mlir::DenseI64ArrayAttr AsDims(mlir::Attribute attribute);

}  // namespace xla::stablehlo
