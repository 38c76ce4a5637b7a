// From an operation's name to its function, through the tables.
#include "xla/hlo/stablehlo/import_ops.h"

#include <fmt/format.h>

#include "mlir/IR/SymbolTable.h"
#include "xla/hlo/stablehlo/chlo_math.h"
#include "xla/hlo/stablehlo/dialect.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

using enum HloOpcode;
using Convert = Status (*)(OpImport& in);

// The opcode says all.
template <HloOpcode opcode>
Status To(OpImport& in) {
  return in.Emit(opcode, in.operands);
}
template <HloOpcode opcode>
Status ConvertRealOrImag(OpImport& in) {
  return stablehlo::ConvertRealOrImag(in, opcode);
}
template <HloOpcode opcode>
Status ConvertBatchNorm(OpImport& in) {
  return stablehlo::ConvertBatchNorm(in, opcode);
}
template <HloOpcode opcode>
Status BroadcastTo(OpImport& in) {
  return ConvertBroadcastBinary(in, opcode);
}

// Functions of chlo_math.h.
template <HloInstruction* (*expand)(GraphWriter& write, HloInstruction* x)>
Status Expand(OpImport& in) {
  if (!in.operands[0]->shape().IsArray()) return in.Invalid("the operand is no array");
  return in.Bind(expand(in.write, in.operands[0]));
}
template <HloInstruction* (*expand)(GraphWriter& write, HloInstruction* x, HloInstruction* y)>
Status Expand(OpImport& in) {
  if (in.operands[0]->shape() != in.operands[1]->shape() || !in.operands[0]->shape().IsArray())
    return in.Invalid("the operands have different types", in.operands[1]->shape().ToString(),
                      in.operands[0]->shape().ToString());
  return in.Bind(expand(in.write, in.operands[0], in.operands[1]));
}
template <HloInstruction* (*expand)(GraphWriter& write, HloInstruction* x, HloInstruction* y)>
Status ExpandBroadcast(OpImport& in) {
  RETURN_IF_ERROR(BroadcastOperands(in));
  return Expand<expand>(in);
}

// In the order of AllOps().
constexpr Convert kFunctions[] = {
#define MLIR_OP(name, operands, results, regions, attributes, form, ...) __VA_ARGS__,
// clang-format off: the order counts
#include "xla/hlo/stablehlo/stablehlo_ops.def"
#include "xla/hlo/stablehlo/chlo_ops.def"
#include "xla/hlo/stablehlo/sdy_ops.def"
// clang-format on
#undef MLIR_OP
};

// Every opcode with the function that an operation has whose meaning is just that opcode.
constexpr std::pair<HloOpcode, Convert> kDirect[] = {
#define HLO_OP(id, ...) {HloOpcode::id, &To<HloOpcode::id>},
#define HLO_LATER(text)
#include "xla/hlo/ir/hlo_ops.def"
#undef HLO_OP
#undef HLO_LATER
};

Status ConvertCall(OpImport& in) {
  auto call = cast<func::CallOp>(in.op);
  auto function = in.scope.importer.source().lookupSymbol<func::FuncOp>(call.getCallee());
  if (!function) return in.Invalid("no such function", fmt::format("@{}", std::string_view(call.getCallee())));
  ASSIGN_OR_RETURN(HloComputation * computation, in.scope.importer.ComputationOf(function, &in.op));
  return in.Emit(kCall, in.operands, [&] {
    AttributeSet attributes;
    attributes.Set(AttributeId::kToApply, computation);
    return attributes;
  }());
}

}  // namespace

StringRef DirectOperation(HloOpcode opcode) {
  static const auto* const names = [] {
    auto* const all = new std::vector<std::string>(kHloOpcodeCount);
    for (const auto& [direct, function] : kDirect)
      for (size_t i = 0; i < std::size(kFunctions); ++i)
        if (kFunctions[i] == function)
          (*all)[static_cast<size_t>(direct)] = fmt::format("{}.{}", AllOps()[i].dialect, AllOps()[i].name);
    // Their operands are not an instruction's values one by one.
    for (const HloOpcode other : {kTuple, kAfterAll}) (*all)[static_cast<size_t>(other)].clear();
    return all;
  }();
  return (*names)[static_cast<size_t>(opcode)];
}

Status ConvertOperation(OpImport& in) {
  if (isa<func::CallOp>(in.op)) return ConvertCall(in);
  const OpInfo* const info = FindOp(in.Name());
  if (info == nullptr) return in.Unsupported("HLO has nothing for this operation", "", DidYouMeanOp(in.Name()));
  return kFunctions[info - AllOps().data()](in);
}

}  // namespace xla::stablehlo
