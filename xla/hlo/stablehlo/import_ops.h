// What each operation becomes in HLO: the functions that the last column of the operations' tables names.
#pragma once
#include "xla/hlo/stablehlo/importer.h"

namespace xla::stablehlo {

// Through the tables; func.call too.
Status ConvertOperation(OpImport& in);

// The operation whose meaning is the opcode's, with its operands and without attributes; empty if there is none.
llvm::StringRef DirectOperation(HloOpcode opcode);

// In import_elementwise.cc, import_movement.cc, import_contractions.cc, import_indexed.cc, import_algorithms.cc,
// import_control.cc, import_dynamic.cc, import_collectives.cc, import_chlo.cc.
Status ConvertConstant(OpImport& in);
Status ConvertIota(OpImport& in);
Status ConvertReducePrecision(OpImport& in);
Status RefuseQuantized(OpImport& in);
Status ConvertCompare(OpImport& in);
Status ConvertClamp(OpImport& in);
Status ConvertSelect(OpImport& in);
Status ConvertBroadcast(OpImport& in);
Status ConvertBroadcastInDim(OpImport& in);
Status ConvertConcatenate(OpImport& in);
Status ConvertDynamicSlice(OpImport& in);
Status ConvertPad(OpImport& in);
Status ConvertReverse(OpImport& in);
Status ConvertSlice(OpImport& in);
Status ConvertTranspose(OpImport& in);
Status ConvertDot(OpImport& in);
Status ConvertDotGeneral(OpImport& in);
Status ConvertEinsum(OpImport& in);
Status ConvertUnaryEinsum(OpImport& in);
Status ConvertConvolution(OpImport& in);
Status ConvertReduce(OpImport& in);
Status ConvertMap(OpImport& in);
Status ConvertReduceWindow(OpImport& in);
Status ConvertSelectAndScatter(OpImport& in);
Status ConvertGather(OpImport& in);
Status ConvertScatter(OpImport& in);
Status ConvertSort(OpImport& in);
Status ConvertTorchIndexSelect(OpImport& in);
Status ConvertCholesky(OpImport& in);
Status ConvertFft(OpImport& in);
Status ConvertRng(OpImport& in);
Status ConvertRngBitGenerator(OpImport& in);
Status ConvertTriangularSolve(OpImport& in);
Status ConvertCase(OpImport& in);
Status ConvertIf(OpImport& in);
Status ConvertWhile(OpImport& in);
Status ConvertGetTupleElement(OpImport& in);
Status ConvertOptimizationBarrier(OpImport& in);
Status ConvertComposite(OpImport& in);
Status ConvertCustomCall(OpImport& in);
Status RefuseOutOfPlace(OpImport& in);
Status ConvertTrace(OpImport& in);
Status ConvertDynamicBroadcastInDim(OpImport& in);
Status ConvertDynamicConv(OpImport& in);
Status ConvertDynamicGather(OpImport& in);
Status ConvertDynamicIota(OpImport& in);
Status ConvertDynamicPad(OpImport& in);
Status ConvertDynamicReshape(OpImport& in);
Status ConvertRealDynamicSlice(OpImport& in);
Status ConvertGetDimensionSize(OpImport& in);
Status ConvertSetDimensionSize(OpImport& in);
Status ConvertAllGather(OpImport& in);
Status ConvertAllReduce(OpImport& in);
Status ConvertAllToAll(OpImport& in);
Status ConvertCollectiveBroadcast(OpImport& in);
Status ConvertCollectivePermute(OpImport& in);
Status ConvertCrossReplicaSum(OpImport& in);
Status ConvertReduceScatter(OpImport& in);
Status ConvertInfeed(OpImport& in);
Status ConvertOutfeed(OpImport& in);
Status ConvertRecv(OpImport& in);
Status ConvertSend(OpImport& in);
Status ConvertBroadcastSelect(OpImport& in);
Status ConvertConstantLike(OpImport& in);
Status ConvertRaggedDot(OpImport& in);
Status ConvertTopK(OpImport& in);
Status ConvertManualComputation(OpImport& in);
Status ConvertShardingConstraint(OpImport& in);
Status ConvertShardingGroup(OpImport& in);
// Several operations of one kind.
Status ConvertBatchNorm(OpImport& in, HloOpcode opcode);
Status ConvertRealOrImag(OpImport& in, HloOpcode opcode);
Status ConvertBroadcastBinary(OpImport& in, HloOpcode opcode);
// Brings the operands of a chlo.broadcast_ operation to the result's dimensions.
Status BroadcastOperands(OpImport& in);

// --- Shared by several of them. ---

// As broadcast_in_dim does: dimension i of x becomes dimension places[i]; of size 1 it may grow. `places` is checked.
StatusOr<HloInstruction*> BroadcastInDim(OpImport& in, HloInstruction* x, const Dims& dimensions, const Dims& places);
// operand_precision, absent if all are DEFAULT.
Status SetPrecision(OpImport& in, AttributeSet& attributes);
Status SetConvolution(OpImport& in, const std::vector<Dims>& padding, AttributeSet& attributes);
Status SetGather(OpImport& in, const Dims& slice_sizes, AttributeSet& attributes);

}  // namespace xla::stablehlo
