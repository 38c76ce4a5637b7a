#include "emulator/decode/cracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error_ids.h"

namespace rocxla::emu {
namespace {

// The operation that a mnemonic names, through the aliases.
std::optional<Op> OpNamed(const std::string& key) {
  static const std::map<std::string_view, Op> aliases = {
#define ALIAS(text, name) {text, Op::name},
#include "emulator/isa/aliases.def"
#undef ALIAS
  };
  if (auto it = aliases.find(key); it != aliases.end()) return it->second;
  if (key.starts_with("x_")) return std::nullopt;
  return FindOp(key);
}

}  // namespace

std::optional<Op> SaturatingNamed(const std::string& key) {
  static const std::map<std::string_view, Op> names = {
#define SATURATING(text, name) {text, Op::name},
#include "emulator/isa/saturating.def"
#undef SATURATING
  };
  auto it = names.find(key);
  return it == names.end() ? std::nullopt : std::optional<Op>(it->second);
}

namespace {

bool IsNoOp(const std::string& key) {
  static const std::set<std::string_view> names = {
#define NO_OP(name) name,
#include "emulator/isa/no_ops.def"
#undef NO_OP
  };
  return names.contains(key);
}

enum class Packing { kHalves, kPair };
struct PackedOp {
  Op op;
  Packing packing;
};
std::optional<PackedOp> PackedNamed(const std::string& key) {
  static const std::map<std::string_view, PackedOp> names = {
#define PACKED16(text, name) {text, {Op::name, Packing::kHalves}},
#define PACKED32(text, name) {text, {Op::name, Packing::kPair}},
#include "emulator/isa/packed.def"
#undef PACKED16
#undef PACKED32
  };
  auto it = names.find(key);
  return it == names.end() ? std::nullopt : std::optional<PackedOp>(it->second);
}

bool MovesLanes(const Instruction& in) { return in.form == Form::kDpp || in.form == Form::kDpp8; }
// Instructions that are cracked into several operations, each of which would have to move the lanes of its operands.
bool IsCompound(const Instruction& in) {
  for (std::string_view prefix : {"v_pk_", "v_fma_mix", "v_dot", "v_cvt_pk_f32_", "v_cvt_f32_fp8", "v_cvt_f32_bf8",
                                  "v_cvt_sr_fp8_", "v_cvt_sr_bf8_"}) {
    if (in.Is(prefix)) return true;
  }
  return false;
}

bool HasUnknownOperand(const Instruction& in) {
  auto unknown = [](const Source& s) { return s.unknown; };
  return std::any_of(in.defs.begin(), in.defs.end(), unknown) ||
         std::any_of(in.sources.begin(), in.sources.end(), unknown);
}

}  // namespace

std::optional<std::string_view> RefusalOf(std::string_view key) {
  static constexpr std::pair<std::string_view, std::string_view> kRefused[] = {
#define REFUSED(prefix, why) {prefix, why},
#define REFUSED_FORM(prefix, piece, why)
#include "emulator/isa/refused.def"
#undef REFUSED
#undef REFUSED_FORM
  };
  for (auto [prefix, why] : kRefused) {
    if (key.starts_with(prefix)) return why;
  }
  return std::nullopt;
}

std::optional<std::string_view> RefusalOfForm(const Instruction& in) {
  struct RefusedForm {
    std::string_view prefix, piece, why;
  };
  static constexpr RefusedForm kRefused[] = {
#define REFUSED(prefix, why)
#define REFUSED_FORM(prefix, piece, why) {prefix, piece, why},
#include "emulator/isa/refused.def"
#undef REFUSED
#undef REFUSED_FORM
  };
  for (const RefusedForm& form : kRefused) {
    if (in.Is(form.prefix) && in.text.find(form.piece) != std::string::npos) return form.why;
  }
  return std::nullopt;
}

void Cracker::Reject(std::string why) {
  if (rejected_.empty()) rejected_ = std::move(why);
}

Micro& Cracker::Emit(Op op, std::vector<Operand> results, std::vector<Operand> sources) {
  op = InIeeeMode(op);
  if (program_.tracked_mode != 0) return EmitInMode(op, std::move(results), std::move(sources));
  return EmitAsIs(op, std::move(results), std::move(sources));
}

Micro& Cracker::EmitAsIs(Op op, std::vector<Operand> results, std::vector<Operand> sources) {
  Micro m;
  m.op = op;
  m.pc = pc_;
  m.weight = std::exchange(first_of_instruction_, false);
  for (size_t i = 0; i < results.size() && i < std::size(m.dst); i++) {
    bool thrown_away = results[i].kind == Operand::kNone || results[i] == ScalarAt(kNull);
    m.dst[i] = thrown_away ? ScalarAt(kSink) : results[i];
  }
  for (size_t i = 0; i < sources.size() && i < std::size(m.src); i++) {
    m.src[i] = sources[i] == ScalarAt(kNull) ? Literal(0, 2) : sources[i];
  }
  return program_.code.emplace_back(m);
}

Operand Cracker::Literal(u64 value, int words) {
  auto& pool = program_.literals;
  u32 low = static_cast<u32>(value), high = static_cast<u32>(value >> 32);
  for (size_t i = 0; i + words <= pool.size(); i++) {
    if (pool[i] == low && (words == 1 || pool[i + 1] == high)) return ScalarAt(kLiteral + i);
  }
  if (pool.size() + words > kMaxLiterals) {
    Reject("the kernel has too many distinct constants");
    return ScalarAt(kSink);
  }
  pool.push_back(low);
  if (words == 2) pool.push_back(high);
  return ScalarAt(kLiteral + pool.size() - words);
}

Operand Cracker::TempRow(int words) {
  temp_rows_ += words;
  if (temp_rows_ > kTempRows) Reject("the instruction needs too many temporaries");
  return RowAt(kTempRow + std::min(temp_rows_, kTempRows) - words);
}
Operand Cracker::TempScalar(int words) {
  temp_scalars_ += words;
  if (temp_scalars_ > kTempScalars) Reject("the instruction needs too many temporaries");
  return ScalarAt(kTempScalar + std::min(temp_scalars_, kTempScalars) - words);
}
Operand Cracker::OneResult(Op op, std::vector<Operand> sources, int words) {
  Operand result = TempRow(words);
  Emit(op, {result}, std::move(sources));
  return result;
}
Operand Cracker::Read(const Source& source, int words) {
  return source.at.kind == Operand::kNone ? Literal(source.literal, words) : source.at;
}

void Cracker::AddProblem(ErrorId id, std::string what, u32 pc) {
  pc_ = pc;
  first_of_instruction_ = true;
  Emit(Op::x_fault, {}, {}).target = program_.problems.size();
  program_.problems.push_back({id, std::move(what), pc});
}

void Cracker::AddJump(u32 pc, u32 target_pc) {
  pc_ = pc;
  first_of_instruction_ = false;
  branches_.emplace_back(size(), target_pc);
  Emit(Op::s_branch, {}, {});
}

void Cracker::Add(const Instruction& in) {
  size_t code_before = size(), branches_before = branches_.size();
  pc_ = in.pc;
  temp_rows_ = temp_scalars_ = 0;
  first_of_instruction_ = true;
  rejected_.clear();
  if (IsNoOp(in.key)) return;
  if (auto why = RefusalOf(in.key)) {
    Reject(std::string(*why));
  } else if (auto why_form = RefusalOfForm(in)) {
    Reject(std::string(*why_form));
  } else if (HasUnknownOperand(in)) {
    Reject("it names a register that the embedded GPU does not have");
  } else if (MovesLanes(in) && IsCompound(in)) {
    CrackMovedFirst(in);
  } else {
    Dispatch(in);
  }
  if (rejected_.empty()) return;
  program_.code.resize(code_before);
  branches_.resize(branches_before);
  AddProblem(ErrorId::kEmulatorUnsupportedInstruction, rejected_, in.pc);
}

void Cracker::Dispatch(const Instruction& in) {
  if (auto packed = PackedNamed(in.key)) {
    packed->packing == Packing::kHalves ? CrackPacked16(in, packed->op) : CrackPacked32(in, packed->op);
  } else if (!CrackSpecial(in)) {
    std::string key = in.key;
    if (in.Is("v_cmpx_")) key = "v_cmp_" + key.substr(7);
    if (in.Is("ds_") && key.ends_with("_rtn")) key.resize(key.size() - 4);
    if (size_t rtn = key.find("_rtn_"); in.Is("ds_") && rtn != key.npos) key.erase(rtn, 4);
    bool saturates = in.Get(Immediate::kClamp) != 0 && !in.Is("v_pk_");
    auto op = saturates ? SaturatingNamed(key) : std::nullopt;
    if (!op) op = OpNamed(key);
    op ? CrackByOp(in, *op) : Reject("it is not in the tables");
  }
}

void Cracker::CrackByOp(const Instruction& in, Op op) {
  const OpInfo& info = Info(op);
  switch (info.shape) {
    case Shape::kVector:
      return CrackVector(in, op);
    case Shape::kWave:
      return CrackWave(in, op);
    case Shape::kScalar:
      return CrackScalar(in, op);
    case Shape::kBranch:
      return CrackBranch(in, op);
    case Shape::kJump:
    case Shape::kControl:
      return static_cast<void>(Emit(op, {}, {}));
    case Shape::kMatrix:
      return info.sparse_elements != 0 ? CrackSparseMatrix(in, op) : CrackMatrix(in, op);
    case Shape::kMemory:
    case Shape::kAtomic:
      break;
  }
  switch (info.space) {
    case Space::kScalarMem:
    case Space::kScalarBuffer:
      return CrackScalarMemory(in, op);
    case Space::kBuffer:
      return CrackBuffer(in, op);
    case Space::kLds:
      return CrackLds(in, op);
    case Space::kGlobal:
    case Space::kFlat:
    case Space::kScratch:
      return CrackMemory(in, op);
  }
}

}  // namespace rocxla::emu
