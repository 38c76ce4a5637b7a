#include "triton/dialect/ttg.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace rocxla::triton::ttg {
namespace {

constexpr llvm::StringLiteral kKinds[] = {"none",        "local",        "global_read", "global_write",
                                          "tensor_read", "tensor_write", "all"};

ParseResult parseBarrierKinds(OpAsmParser& parser, StringAttr& kinds) {
  std::string joined;
  do {
    llvm::StringRef kind;
    if (parser.parseKeyword(&kind)) return failure();
    if (!llvm::is_contained(kKinds, kind))
      return parser.emitError(parser.getNameLoc()) << "unknown kind '" << kind << "'";
    joined += (joined.empty() ? "" : "|") + kind.str();
  } while (succeeded(parser.parseOptionalVerticalBar()));
  kinds = parser.getBuilder().getStringAttr(joined);
  return success();
}

void printBarrierKinds(OpAsmPrinter& printer, Operation*, StringAttr kinds) { printer << kinds.getValue(); }

}  // namespace

bool BarrierOp::OrdersGlobalMemory() { return getKinds().contains("global") || getKinds().contains("all"); }

}  // namespace rocxla::triton::ttg

#include "triton/dialect/ttg_dialect.cpp.inc"
#define GET_OP_CLASSES
#include "triton/dialect/ttg_ops.cpp.inc"

namespace rocxla::triton::ttg {

void TTGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "triton/dialect/ttg_ops.cpp.inc"
      >();
}

}  // namespace rocxla::triton::ttg
