#include "xla/hlo/proto/module_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error_ids.h"
#include "xla/hlo/ir/hlo_verifier.h"
#include "xla/hlo/parser/text_cursor.h"
#include "xla/hlo/proto/attribute_proto.h"
#include "xla/hlo/proto/module_header_proto.h"
#include "xla/hlo/proto/shape_proto.h"
#include "xla/hlo/proto/sharding_proto.h"

namespace xla {
namespace {

bool IsName(const std::string& text) {
  TextCursor cursor(text, "");
  return !text.empty() && text[0] != '%' && cursor.PeekWord() == text;
}

Status CheckName(const std::string& name, std::string_view whose, const ProtoPlace& place) {
  if (IsName(name)) return OkStatus();
  return place.Bad({.what = fmt::format("the name of {} is none", whose),
                    .found = Quoted(name.substr(0, 100)),
                    .expected = "letters, digits, '_', '.' and '-', beginning with a letter or '_'"});
}

class ComputationReader {
 public:
  using Computations = std::unordered_map<int64_t, HloComputation*>;
  ComputationReader(const proto::HloComputationProto& proto, const Computations& computations,
                    const proto::HloModuleProto& module, ProtoPlace place)
      : proto_(proto), computations_(computations), module_(module), place_(std::move(place)) {}

  StatusOr<std::unique_ptr<HloComputation>> Read() {
    computation_ = std::make_unique<HloComputation>(proto_.name());
    ASSIGN_OR_RETURN(const std::vector<const proto::HloInstructionProto*> order, Order());
    for (const proto::HloInstructionProto* instruction : order) RETURN_IF_ERROR(ReadInstruction(*instruction));
    place_.instruction.clear();
    if (order.empty()) {
      return place_.Bad({.what = "the computation is empty", .expected = "at least one instruction"});
    }
    const auto root = by_id_.find(proto_.root_id());
    if (root == by_id_.end()) {
      return place_.Bad({.what = "the computation's root is none of its instructions",
                         .found = fmt::format("root_id {}", proto_.root_id()),
                         .expected = "the id of an instruction"});
    }
    computation_->set_root_instruction(root->second);
    if (!proto_.execution_thread().empty() && proto_.execution_thread() != "main") {
      return place_.Error(ErrorId::kHloUnsupportedFeature,
                          {.what = "a computation on another execution thread cannot be read yet",
                           .found = Quoted(proto_.execution_thread()),
                           .expected = "main"});
    }
    return std::move(computation_);
  }

 private:
  // The instructions in the order of the schedule if there is one, else as they stand.
  StatusOr<std::vector<const proto::HloInstructionProto*>> Order() const {
    std::vector<const proto::HloInstructionProto*> order;
    const auto& sequences = module_.schedule().sequences();
    const auto sequence = sequences.find(proto_.id());
    if (sequence == sequences.end()) {
      for (const auto& instruction : proto_.instructions()) order.push_back(&instruction);
      return order;
    }
    std::unordered_map<int64_t, const proto::HloInstructionProto*> left;
    for (const auto& instruction : proto_.instructions()) left.emplace(instruction.id(), &instruction);
    for (const int64_t id : sequence->second.instruction_ids()) {
      const auto found = left.find(id);
      if (found == left.end()) {
        return place_.Bad({.what = "the schedule names an instruction that is not there, or one twice",
                           .found = fmt::format("id {}", id)});
      }
      order.push_back(found->second);
      left.erase(found);
    }
    if (order.size() != static_cast<size_t>(proto_.instructions_size())) {
      return place_.Bad({.what = "the schedule leaves out instructions",
                         .found = fmt::format("{} instructions", order.size()),
                         .expected = fmt::format("{}", proto_.instructions_size())});
    }
    return order;
  }

  StatusOr<HloInstruction*> Find(int64_t id, std::string_view what) const {
    const auto found = by_id_.find(id);
    if (found != by_id_.end()) return found->second;
    return place_.Bad({.what = fmt::format("{} does not stand before its use", what),
                       .found = fmt::format("id {}", id),
                       .expected = "the id of an instruction of the same computation, defined above"});
  }

  StatusOr<std::unique_ptr<HloInstruction>> Create(const proto::HloInstructionProto& proto, HloOpcode opcode,
                                                   const Shape& shape) {
    std::vector<HloInstruction*> operands;
    for (const int64_t id : proto.operand_ids()) {
      ASSIGN_OR_RETURN(HloInstruction * operand, Find(id, "an operand"));
      operands.push_back(operand);
    }
    if (opcode == HloOpcode::kParameter) return HloInstruction::CreateParameter(proto.parameter_number(), shape, "");
    if (opcode != HloOpcode::kConstant) return HloInstruction::Create(opcode, shape, operands);
    if (!proto.has_literal()) return HloInstruction::CreateConstant(Literal::Elided(shape));
    ASSIGN_OR_RETURN(Literal literal, LiteralFromProto(proto.literal(), shape, place_));
    return HloInstruction::CreateConstant(std::move(literal));
  }

  Status ReadInstruction(const proto::HloInstructionProto& proto) {
    place_.instruction = proto.name().empty() ? fmt::format("id {}", proto.id()) : proto.name();
    RETURN_IF_ERROR(CheckName(proto.name(), "an instruction", place_));
    if (computation_->HasInstructionNamed(proto.name()))
      return place_.Bad({.what = "two instructions of the computation have the same name"});
    const std::optional<HloOpcode> opcode = HloOpcodeFromString(proto.opcode());
    if (!opcode) {
      auto [id, text] = OpcodeProblem(proto.opcode());
      return place_.Error(id, std::move(text));
    }
    ASSIGN_OR_RETURN(const Shape shape, ShapeFromProto(proto.shape(), place_));
    ASSIGN_OR_RETURN(std::unique_ptr<HloInstruction> instruction, Create(proto, *opcode, shape));
    RETURN_IF_ERROR(AttributesFromProto(proto, place_, instruction.get()));
    RETURN_IF_ERROR(ReadCalled(proto, instruction.get()));
    instruction->set_metadata(MetadataFromProto(proto.metadata()));
    if (!proto.backend_config().empty()) instruction->set_raw_backend_config(QuotedConfig(proto.backend_config()));
    std::vector<HloInstruction*> before;
    for (const int64_t id : proto.control_predecessor_ids()) {
      ASSIGN_OR_RETURN(HloInstruction * predecessor, Find(id, "a control predecessor"));
      before.push_back(predecessor);
    }
    HloInstruction* added = computation_->AddInstruction(std::move(instruction), proto.name());
    for (HloInstruction* predecessor : before) predecessor->AddControlDependencyTo(added);
    if (!by_id_.emplace(proto.id(), added).second) {
      return place_.Bad(
          {.what = "two instructions of the computation have the same id", .found = fmt::format("{}", proto.id())});
    }
    return OkStatus();
  }

  Status ReadCalled(const proto::HloInstructionProto& proto, HloInstruction* instruction) {
    std::vector<HloComputation*> called;
    for (const int64_t id : proto.called_computation_ids()) {
      const auto found = computations_.find(id);
      if (found == computations_.end()) {
        return place_.Bad({.what = "a called computation does not stand before its caller",
                           .found = fmt::format("id {}", id),
                           .expected = "the id of a computation defined above"});
      }
      called.push_back(found->second);
    }
    return SetCalledFromProto(called, place_, instruction);
  }

  const proto::HloComputationProto& proto_;
  const Computations& computations_;
  const proto::HloModuleProto& module_;
  ProtoPlace place_;
  std::unique_ptr<HloComputation> computation_;
  std::unordered_map<int64_t, HloInstruction*> by_id_;
};

}  // namespace

StatusOr<std::unique_ptr<HloModule>> ModuleFromProto(const proto::HloModuleProtoWithConfig& proto,
                                                     std::string_view file_name) {
  ProtoPlace place{.file = std::string(file_name)};
  const proto::HloModuleProto& from = proto.hlo_module();
  RETURN_IF_ERROR(CheckName(from.name(), "the module", place));
  auto module = std::make_unique<HloModule>(from.name());
  ASSIGN_OR_RETURN(module->mutable_config(), HeaderFromProto(proto, place));
  ComputationReader::Computations computations;
  for (const proto::HloComputationProto& one : from.computations()) {
    place.computation = one.name();
    RETURN_IF_ERROR(CheckName(one.name(), "a computation", place));
    if (module->FindComputation(one.name()) != nullptr)
      return place.Bad({.what = "two computations have the same name"});
    ASSIGN_OR_RETURN(std::unique_ptr<HloComputation> computation,
                     ComputationReader(one, computations, from, place).Read());
    HloComputation* added = one.id() == from.entry_computation_id()
                                ? module->AddEntryComputation(std::move(computation))
                                : module->AddEmbeddedComputation(std::move(computation));
    if (!computations.emplace(one.id(), added).second)
      return place.Bad({.what = "two computations have the same id", .found = fmt::format("{}", one.id())});
  }
  place.computation.clear();
  if (module->entry_computation() == nullptr) {
    return place.Bad({.what = "the module's entry is none of its computations",
                      .found = fmt::format("entry_computation_id {}", from.entry_computation_id()),
                      .expected = "the id of a computation"});
  }
  RETURN_IF_ERROR(VerifyHloModule(*module, [&](const HloInstruction* at) {
    return at == nullptr ? place.Text() : ProtoPlace{place.file, at->parent()->name(), at->name()}.Text();
  }));
  return module;
}

}  // namespace xla
