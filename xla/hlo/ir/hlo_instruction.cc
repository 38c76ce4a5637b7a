#include "xla/hlo/ir/hlo_instruction.h"

#include <algorithm>

#include "xla/hlo/ir/hlo_module.h"

namespace xla {

HloInstruction::~HloInstruction() {
  DetachFromOperands();
  DropControlDependencies();
}

std::unique_ptr<HloInstruction> HloInstruction::Create(HloOpcode opcode, Shape shape, OperandSpan operands,
                                                       AttributeSet attributes) {
  auto instruction = std::unique_ptr<HloInstruction>(new HloInstruction(opcode, std::move(shape)));
  instruction->operands_.reserve(operands.size());
  for (HloInstruction* operand : operands) instruction->AppendOperand(operand);
  instruction->SetAttributes(std::move(attributes));
  return instruction;
}

std::unique_ptr<HloInstruction> HloInstruction::CloneWithNewOperands(const Shape& shape, OperandSpan operands) const {
  auto clone = Create(opcode_, shape, operands, attributes_);
  clone->name_ = name_;
  clone->parameter_number_ = parameter_number_;
  clone->literal_ = literal_;
  clone->metadata_ = metadata_;
  clone->backend_config_ = backend_config_;
  return clone;
}

HloModule* HloInstruction::GetModule() const { return parent_ == nullptr ? nullptr : parent_->parent(); }

bool HloInstruction::IsRoot() const { return parent_ != nullptr && parent_->root_instruction() == this; }

bool HloInstruction::IsDead() const {
  return users_.empty() && control_successors_.empty() && !IsRoot() && opcode_ != HloOpcode::kParameter &&
         !HasSideEffect();
}

bool HloInstruction::HasSideEffect() const {
  if (HasTrait(opcode_, op_trait::kSideEffect)) return true;
  if (attributes_.Get<bool>(AttributeId::kCustomCallHasSideEffect)) return true;
  for (const HloComputation* computation : called_computations_) {
    for (const HloInstruction* instruction : computation->instructions()) {
      if (instruction->HasSideEffect()) return true;
    }
  }
  return false;
}

void HloInstruction::AppendOperand(HloInstruction* operand) {
  operands_.push_back(operand);
  // Only Create comes here: if this is a user already, it is the latest.
  auto& users = operand->users_;
  if (users.empty() || users.back() != this) users.push_back(this);
}

void HloInstruction::RemoveUser(HloInstruction* user) { std::erase(users_, user); }

void HloInstruction::DetachFromOperands() {
  for (HloInstruction* operand : operands_) operand->RemoveUser(this);
  operands_.clear();
}

void HloInstruction::ForgetNeighbours() {
  operands_.clear();
  users_.clear();
  control_predecessors_.clear();
  control_successors_.clear();
}

void HloInstruction::AddControlDependencyTo(HloInstruction* successor) {
  if (std::find(control_successors_.begin(), control_successors_.end(), successor) != control_successors_.end()) return;
  control_successors_.push_back(successor);
  successor->control_predecessors_.push_back(this);
}

void HloInstruction::DropControlDependencies() {
  for (HloInstruction* predecessor : control_predecessors_) std::erase(predecessor->control_successors_, this);
  for (HloInstruction* successor : control_successors_) std::erase(successor->control_predecessors_, this);
  control_predecessors_.clear();
  control_successors_.clear();
}

void HloInstruction::ReplaceOperandWith(int64_t i, HloInstruction* new_operand) {
  HloInstruction* old_operand = operands_[i];
  if (old_operand == new_operand) return;
  operands_[i] = new_operand;
  if (std::find(operands_.begin(), operands_.end(), old_operand) == operands_.end()) old_operand->RemoveUser(this);
  auto& users = new_operand->users_;
  if (std::find(users.begin(), users.end(), this) == users.end()) users.push_back(this);
}

void HloInstruction::ReplaceUseWith(HloInstruction* user, HloInstruction* replacement) {
  for (int64_t i = 0; i < user->operand_count(); ++i) {
    if (user->operand(i) == this) user->ReplaceOperandWith(i, replacement);
  }
}

void HloInstruction::ReplaceAllUsesWith(HloInstruction* replacement) {
  const std::vector<HloInstruction*> users = users_;
  for (HloInstruction* user : users) {
    if (user != replacement) ReplaceUseWith(user, replacement);
  }
  if (IsRoot()) parent_->set_root_instruction(replacement);
}

bool HloInstruction::IsLeftOut(AttributeId id, const AttributeValue& value) const {
  if (!IsDefault(id, value)) return false;
  const auto& uses = InfoOf(opcode_).attributes;
  return std::none_of(uses.begin(), uses.end(), [id](const AttributeUse& use) { return use.id == id && use.required; });
}

void HloInstruction::SetAttributes(AttributeSet attributes) {
  attributes.RemoveIf([this](AttributeId id, const AttributeValue& value) { return IsLeftOut(id, value); });
  attributes_ = std::move(attributes);
  RefreshCalledComputations();
}

void HloInstruction::SetAttribute(AttributeId id, AttributeValue value) {
  if (IsLeftOut(id, value)) {
    attributes_.Remove(id);
  } else {
    attributes_.Set(id, std::move(value));
  }
  RefreshCalledComputations();
}

void HloInstruction::RefreshCalledComputations() {
  called_computations_.clear();
  for (const auto& [id, value] : attributes_.entries()) {
    if (auto* const* one = std::get_if<HloComputation*>(&value)) called_computations_.push_back(*one);
    if (const auto* list = std::get_if<std::vector<HloComputation*>>(&value)) {
      called_computations_.insert(called_computations_.end(), list->begin(), list->end());
    }
  }
}

namespace {

// The list that an attribute holds, or an empty one that lives for ever.
template <class T>
const T& ListOf(const AttributeSet& attributes, AttributeId id) {
  static const T* const empty = new T();
  const T* list = attributes.Find<T>(id);
  return list == nullptr ? *empty : *list;
}

}  // namespace

const std::vector<int64_t>& HloInstruction::IntList(AttributeId id) const {
  return ListOf<std::vector<int64_t>>(attributes_, id);
}

const Window& HloInstruction::window() const { return ListOf<Window>(attributes_, AttributeId::kWindow); }

std::string HloInstruction::custom_call_target() const {
  std::string text = attributes_.Get<Verbatim>(AttributeId::kCustomCallTarget).text;
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

IndexDimensionNumbers HloInstruction::index_dimension_numbers() const {
  const bool is_gather = opcode_ == HloOpcode::kGather;
  const auto list = [&](AttributeId of_gather, AttributeId of_scatter) {
    return IntList(is_gather ? of_gather : of_scatter);
  };
  return {.window_dims = list(AttributeId::kOffsetDims, AttributeId::kUpdateWindowDims),
          .dropped_dims = list(AttributeId::kCollapsedSliceDims, AttributeId::kInsertedWindowDims),
          .index_map = list(AttributeId::kStartIndexMap, AttributeId::kScatterDimsToOperandDims),
          .operand_batch_dims = list(AttributeId::kOperandBatchingDims, AttributeId::kInputBatchingDims),
          .indices_batch_dims = list(AttributeId::kStartIndicesBatchingDims, AttributeId::kScatterIndicesBatchingDims),
          .index_vector_dim = attributes_.Get<int64_t>(AttributeId::kIndexVectorDim)};
}

const std::vector<int64_t>& HloInstruction::dimensions() const {
  return ListOf<std::vector<int64_t>>(attributes_, AttributeId::kDimensions);
}

const SliceRanges& HloInstruction::slice_ranges() const {
  return ListOf<SliceRanges>(attributes_, AttributeId::kSlice);
}

const std::vector<int64_t>& HloInstruction::dynamic_slice_sizes() const {
  return ListOf<std::vector<int64_t>>(attributes_, AttributeId::kDynamicSliceSizes);
}

const PaddingConfig& HloInstruction::padding_config() const {
  return ListOf<PaddingConfig>(attributes_, AttributeId::kPadding);
}

ComparisonDirection HloInstruction::comparison_direction() const {
  return attributes_.Get<ComparisonDirection>(AttributeId::kDirection);
}

ComparisonType HloInstruction::comparison_type() const {
  if (const auto* written = attributes_.Find<ComparisonType>(AttributeId::kType)) return *written;
  const PrimitiveType type = operand(0)->shape().element_type();
  if (IsFloat(type) && attributes_.Get<ComparisonOrder>(AttributeId::kOrder) == ComparisonOrder::kTotal) {
    return ComparisonType::kFloatTotalOrder;
  }
  if (IsFloat(type) || IsComplex(type)) return ComparisonType::kFloat;
  return IsSigned(type) ? ComparisonType::kSigned : ComparisonType::kUnsigned;
}

DotDimensionNumbers HloInstruction::dot_dimension_numbers() const {
  const auto list = [&](AttributeId id) { return attributes_.Get<std::vector<int64_t>>(id); };
  return {list(AttributeId::kLhsBatchDims), list(AttributeId::kLhsContractingDims), list(AttributeId::kRhsBatchDims),
          list(AttributeId::kRhsContractingDims)};
}

RaggedDotForm HloInstruction::ragged_dot_form() const {
  const DotDimensionNumbers numbers = dot_dimension_numbers();
  const std::vector<int64_t>& ragged = IntList(AttributeId::kLhsRaggedDims);
  RaggedDotForm form;
  if (ragged.empty()) return form;
  const auto contains = [](const std::vector<int64_t>& list, int64_t dimension) {
    return std::find(list.begin(), list.end(), dimension) != list.end();
  };
  // Up to the ragged dimension.
  const auto append = [&](const std::vector<int64_t>& dimensions) {
    for (int64_t dimension : dimensions) {
      if (dimension == ragged[0]) return;
      form.prefix_dims.push_back(dimension);
    }
  };
  append(numbers.lhs_batch_dimensions);
  if (contains(numbers.lhs_batch_dimensions, ragged[0])) {
    form.mode = RaggedDotMode::kBatch;
  } else if (contains(numbers.lhs_contracting_dimensions, ragged[0])) {
    form.mode = RaggedDotMode::kContracting;
    append(numbers.lhs_contracting_dimensions);
  } else {
    std::vector<int64_t> free;
    for (int64_t i = 0; i < operand(0)->shape().rank(); ++i) {
      if (!contains(numbers.lhs_batch_dimensions, i) && !contains(numbers.lhs_contracting_dimensions, i))
        free.push_back(i);
    }
    append(free);
  }
  return form;
}

FusionKind HloInstruction::fusion_kind() const { return attributes_.Get<FusionKind>(AttributeId::kKind); }

HloInstruction* HloInstruction::fused_expression_root() const {
  return fused_instructions_computation()->root_instruction();
}

HloInstruction* HloInstruction::fused_parameter(int64_t i) const {
  return fused_instructions_computation()->parameter_instruction(i);
}

}  // namespace xla
