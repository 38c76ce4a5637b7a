// Turns instructions into micro-ops. Whatever an encoding can do to an operand (negate, select a half, move across
// lanes) becomes micro-ops of its own on temporaries, so that executors see plain rows and scalars only.
#pragma once
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/target/target.h"
#include "emulator/decode/float_mode.h"
#include "emulator/decode/machine_code.h"
#include "emulator/decode/program.h"

namespace rocxla::emu {

// What of the target and of the kernel's descriptor decoding depends on.
struct DecodeContext {
  Generation generation{};
  int lanes = 64;
  u64 code_begin = 0;  // device address of pc 0
  u32 float_mode = 0;  // MODE at the start of a wave: float_mode.h

  bool gfx9() const { return generation <= Generation::kCdna4; }
  bool gfx12() const { return generation == Generation::kRdna4; }
};

// Which kept bits of MODE the instruction may change from what they are at a wave's start.
u32 ChangedFloatMode(const Instruction& in, const DecodeContext& context);

// Integer operations that saturate if their clamp bit is set.
std::optional<Op> SaturatingNamed(const std::string& key);
// Why the embedded GPU refuses an instruction on purpose (isa/refused.def), whatever its form, or in this form; nothing
// if it does not.
std::optional<std::string_view> RefusalOf(std::string_view key);
std::optional<std::string_view> RefusalOfForm(const Instruction& in);

class Cracker {
 public:
  explicit Cracker(const DecodeContext& context) : context_(context) {
    program_.lanes = context.lanes;
    TrackMode((context.float_mode ^ UsualFloatMode(context.generation)) & ~(kDx10ClampBit | kIeeeBit));
  }
  // Appends to a program that was made in the same context.
  Cracker(const DecodeContext& context, Program program) : context_(context), program_(std::move(program)) {}

  // These bits of MODE are taken from the wave when an operation runs; others are what the context says, and writes
  // that would change them are refused. Without effect once there is code.
  void TrackMode(u32 bits) { program_.tracked_mode |= program_.code.empty() ? bits : 0; }
  // Appends the instruction's micro-ops.
  void Add(const Instruction& instruction);
  // Appends a micro-op that reports the problem if a wave reaches it.
  void AddProblem(ErrorId id, std::string what, u32 pc);
  // Appends a jump, for code that does not follow its predecessor.
  void AddJump(u32 pc, u32 target_pc);

  size_t size() const { return program_.code.size(); }
  // Branches: (index of micro-op, pc of target), to be resolved by the caller.
  const std::vector<std::pair<u32, u32>>& branches() const { return branches_; }
  Program& program() { return program_; }

 private:
  // One method per family of encodings.
  void CrackVector(const Instruction& in, Op op);
  void CrackWave(const Instruction& in, Op op);
  void CrackScalar(const Instruction& in, Op op);
  void CrackBranch(const Instruction& in, Op op);
  void CrackMemory(const Instruction& in, Op op);
  void CrackScalarMemory(const Instruction& in, Op op);
  void CrackBuffer(const Instruction& in, Op op);
  void CrackLds(const Instruction& in, Op op);
  void CrackMatrix(const Instruction& in, Op op);
  void CrackSparseMatrix(const Instruction& in, Op op);
  void CrackPacked16(const Instruction& in, Op half);
  void CrackPacked32(const Instruction& in, Op half);
  void CrackDual(const Instruction& in);
  void CrackMix(const Instruction& in);
  void CrackByOp(const Instruction& in, Op op);
  // Everything but DPP on instructions that consist of several operations.
  void Dispatch(const Instruction& in);
  void CrackMovedFirst(const Instruction& in);
  // Instructions without a line in the tables. False if `in` is none of them.
  bool CrackSpecial(const Instruction& in);
  bool CrackMode(const Instruction& in);
  bool CrackIntegerWmma(const Instruction& in);
  bool CrackScaledMfma(const Instruction& in);
  bool CrackTransposedRead(const Instruction& in);
  void CrackSwapHalves(const Instruction& in);
  bool CrackJump(const Instruction& in);
  bool CrackTrap(const Instruction& in);
  bool CrackSplitBarrier(const Instruction& in);
  bool CrackLoadToLds(const Instruction& in);
  bool CrackStoreFromLds(const Instruction& in);
  bool CrackExchange2(const Instruction& in);
  bool CrackLaneAddressed(const Instruction& in);
  bool CrackLaneAddressedLds(const Instruction& in);
  bool CrackBlock(const Instruction& in);
  bool CrackMovrel(const Instruction& in);
  bool CrackGprIndex(const Instruction& in);
  bool CrackQuadSums(const Instruction& in);
  bool CrackDot(const Instruction& in);
  bool CrackScalarTranscendental(const Instruction& in);
  bool CrackNarrow(const Instruction& in);
  bool CrackScaled(const Instruction& in);

  // Parts of CrackMovrel and CrackGprIndex.
  Operand IndexedRow(Operand first, Operand index);
  void SetIndexedRow(Operand first, Operand index, Operand value);
  Operand PartOfM0(int first);
  void MoveIndexedScalars(const Instruction& in, bool indexes_source, bool indexes_destination, Operand source_index,
                          Operand destination_index);

  // Parts of CrackMatrix.
  Op FormatsOf(const Instruction& in, Op op) const;
  Op WaveSizeOf(Op op) const;

  // Parts of CrackDot.
  Operand PackedSource(const Source& source, bool may_negate);
  std::string SignedNames(const Instruction& in, const std::string& key);

  // Parts of CrackScaled.
  Operand Element(Operand packed, int index, int bits);
  void PutElement(Operand packed, int index, int bits, Operand value);
  Operand AsF32(Operand element, std::string_view format, Operand scale);
  void NarrowScaled(const Instruction& in, std::string_view to, std::string_view from, int count, bool stochastic,
                    bool two_inputs, Operand scale);
  void WidenScaled(const Instruction& in, std::string_view to, std::string_view from, int count, Operand scale);

  // Parts of CrackVector.
  std::vector<Operand> VectorSources(const Instruction& in, const OpInfo& info);
  Operand Modified(const Instruction& in, const Source& source, const OperandInfo& info, int index);
  Operand CrossLane(const Instruction& in, Operand at, int words);
  void StoreModified(const Instruction& in, const OpInfo& info, Operand value, Operand final);
  void StoreNarrow(const Instruction& in, const OpInfo& info, Operand value, Operand final);
  void MergeLanes(Operand value, Operand final, int words);
  void DropOtherLanes(Operand mask);
  bool KeepsHighHalf(const Instruction& in) const;

  // Operands.
  Operand Read(const Source& source, int words);
  Operand Literal(u64 value, int words = 1);
  Operand FloatLiteral(float x, int bits);
  Operand TempRow(int words = 1);
  Operand TempScalar(int words = 1);
  Operand OneResult(Op op, std::vector<Operand> sources, int words = 1);
  static Operand Word(Operand pair, int word) { return {pair.kind, static_cast<u16>(pair.index + word)}; }
  Micro& Emit(Op op, std::vector<Operand> results, std::vector<Operand> sources);
  Micro& EmitAsIs(Op op, std::vector<Operand> results, std::vector<Operand> sources);
  Micro& EmitInMode(Op op, std::vector<Operand> results, std::vector<Operand> sources);
  Micro& EmitRounded(Op op, std::vector<Operand> results, std::vector<Operand> sources);
  void EmitRounding(int first_bit);
  void EmitClamp(Operand value, int bits);
  bool TracksMode(u32 bits) const { return (program_.tracked_mode & bits) != 0; }
  // The operation that a minimum or maximum is in the kernel's mode.
  Op InIeeeMode(Op op) const;
  // Parts of EmitInMode, for FP16_OVFL.
  Operand AnyInfinite(const OpInfo& info, const std::vector<Operand>& sources);
  void LimitToNarrow(Op op, std::vector<Operand>& sources);

  // Rejects the current instruction: what is emitted for it will be withdrawn. The first reason counts.
  void Reject(std::string why);

  DecodeContext context_;
  Program program_;
  std::vector<std::pair<u32, u32>> branches_;
  std::string rejected_;  // why the current instruction cannot be executed; empty: it can
  // gfx9's register indexing: whether it is on, for which operands, at which instructions; and where branches lead.
  bool indexing_ = false;
  u32 indexed_operands_ = 0;
  std::set<u32> indexed_pcs_, targets_;
  int temp_rows_ = 0, temp_scalars_ = 0;
  bool first_of_instruction_ = true;
  u32 pc_ = 0;
};

}  // namespace rocxla::emu
