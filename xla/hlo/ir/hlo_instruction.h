// HloInstruction: one node of the graph.
//
// Ownership: a computation owns its instructions; before AddInstruction the caller's unique_ptr does. Pointers are
// stable until the instruction is removed. Not thread-safe; reading through const from several threads is.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xla/hlo/ir/hlo_attributes.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/ir/literal.h"
#include "xla/hlo/ir/shape.h"
#include "xla/hlo/ir/status.h"

namespace xla {

class HloComputation;
class HloModule;

// The dimension lists of a dot.
struct DotDimensionNumbers {
  std::vector<int64_t> lhs_batch_dimensions;
  std::vector<int64_t> lhs_contracting_dimensions;
  std::vector<int64_t> rhs_batch_dimensions;
  std::vector<int64_t> rhs_contracting_dimensions;
};

// ragged-dot: one dimension of the left side is cut into groups, whose sizes are an operand.
enum class RaggedDotMode : uint8_t {
  kNonContracting,  // rows: each group has a right side of its own
  kContracting,     // each group has a result of its own: a first dimension
  kBatch,           // the groups make no difference
};
struct RaggedDotForm {
  RaggedDotMode mode = RaggedDotMode::kNonContracting;
  // The dimensions of the left side, in order, for each index of which there may be other groups.
  std::vector<int64_t> prefix_dims;
};

// gather and scatter say the same with different names. Gather's words: a *window* (slice) of the operand stands at
// each index vector. The result (scatter: the update) has the window's dimensions at `window_dims` and the indices'
// ones at the others.
struct IndexDimensionNumbers {
  std::vector<int64_t> window_dims;         // offset_dims, update_window_dims
  std::vector<int64_t> dropped_dims;        // collapsed_slice_dims, inserted_window_dims: of size 1 in the window
  std::vector<int64_t> index_map;           // start_index_map, scatter_dims_to_operand_dims
  std::vector<int64_t> operand_batch_dims;  // operand_batching_dims, input_batching_dims
  std::vector<int64_t> indices_batch_dims;  // start_indices_batching_dims, scatter_indices_batching_dims
  int64_t index_vector_dim = 0;             // the rank of the indices: every element is a vector of one
};

class HloInstruction {
 public:
  using OperandSpan = std::span<HloInstruction* const>;

  ~HloInstruction();
  HloInstruction(const HloInstruction&) = delete;
  HloInstruction& operator=(const HloInstruction&) = delete;

  // --- Making instructions. None checks its arguments: that is the verifier's work. ---

  // Any opcode, from its parts: what the parser, the importer and cloning use.
  static std::unique_ptr<HloInstruction> Create(HloOpcode opcode, Shape shape, OperandSpan operands,
                                                AttributeSet attributes = {});
  static std::unique_ptr<HloInstruction> CreateParameter(int64_t number, const Shape& shape, std::string_view name);
  static std::unique_ptr<HloInstruction> CreateConstant(Literal literal);
  static std::unique_ptr<HloInstruction> CreateIota(const Shape& shape, int64_t iota_dimension);
  static std::unique_ptr<HloInstruction> CreateUnary(const Shape& shape, HloOpcode opcode, HloInstruction* operand);
  static std::unique_ptr<HloInstruction> CreateBinary(const Shape& shape, HloOpcode opcode, HloInstruction* lhs,
                                                      HloInstruction* rhs);
  static std::unique_ptr<HloInstruction> CreateTernary(const Shape& shape, HloOpcode opcode, HloInstruction* a,
                                                       HloInstruction* b, HloInstruction* c);
  static std::unique_ptr<HloInstruction> CreateCompare(const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
                                                       ComparisonDirection direction);
  static std::unique_ptr<HloInstruction> CreateConvert(const Shape& shape, HloInstruction* operand);
  static std::unique_ptr<HloInstruction> CreateBitcastConvert(const Shape& shape, HloInstruction* operand);
  static std::unique_ptr<HloInstruction> CreateBitcast(const Shape& shape, HloInstruction* operand);
  static std::unique_ptr<HloInstruction> CreateBroadcast(const Shape& shape, HloInstruction* operand,
                                                         std::vector<int64_t> dimensions);
  static std::unique_ptr<HloInstruction> CreateReshape(const Shape& shape, HloInstruction* operand);
  static std::unique_ptr<HloInstruction> CreateTranspose(const Shape& shape, HloInstruction* operand,
                                                         std::vector<int64_t> dimensions);
  static std::unique_ptr<HloInstruction> CreateReverse(const Shape& shape, HloInstruction* operand,
                                                       std::vector<int64_t> dimensions);
  static std::unique_ptr<HloInstruction> CreateSlice(const Shape& shape, HloInstruction* operand, SliceRanges ranges);
  static std::unique_ptr<HloInstruction> CreateDynamicSlice(const Shape& shape, HloInstruction* operand,
                                                            OperandSpan start_indices,
                                                            std::vector<int64_t> slice_sizes);
  static std::unique_ptr<HloInstruction> CreateDynamicUpdateSlice(const Shape& shape, HloInstruction* operand,
                                                                  HloInstruction* update, OperandSpan start_indices);
  static std::unique_ptr<HloInstruction> CreatePad(const Shape& shape, HloInstruction* operand,
                                                   HloInstruction* padding_value, PaddingConfig config);
  static std::unique_ptr<HloInstruction> CreateConcatenate(const Shape& shape, OperandSpan operands, int64_t dimension);
  static std::unique_ptr<HloInstruction> CreateDot(const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
                                                   DotDimensionNumbers dimensions);
  // operands: the inputs, then as many initial values.
  static std::unique_ptr<HloInstruction> CreateReduce(const Shape& shape, OperandSpan operands,
                                                      std::vector<int64_t> dimensions, HloComputation* to_apply);
  static std::unique_ptr<HloInstruction> CreateMap(const Shape& shape, OperandSpan operands, HloComputation* to_apply);
  static std::unique_ptr<HloInstruction> CreateCall(const Shape& shape, OperandSpan operands, HloComputation* to_apply);
  static std::unique_ptr<HloInstruction> CreateFusion(const Shape& shape, FusionKind kind, OperandSpan operands,
                                                      HloComputation* fused);
  static std::unique_ptr<HloInstruction> CreateWhile(const Shape& shape, HloComputation* condition,
                                                     HloComputation* body, HloInstruction* init);
  // branch index (s32, or pred for two branches: true first), then one argument per branch.
  static std::unique_ptr<HloInstruction> CreateConditional(const Shape& shape, HloInstruction* branch_index,
                                                           std::vector<HloComputation*> branches,
                                                           OperandSpan arguments);
  // Their shapes follow from the operands.
  static std::unique_ptr<HloInstruction> CreateTuple(OperandSpan elements);
  static std::unique_ptr<HloInstruction> CreateGetTupleElement(HloInstruction* operand, int64_t index);

  // A copy with other operands (and shape); called computations, attributes and metadata are shared.
  std::unique_ptr<HloInstruction> CloneWithNewOperands(const Shape& shape, OperandSpan operands) const;

  // --- The node. ---

  HloOpcode opcode() const { return opcode_; }
  const std::string& name() const { return name_; }
  const Shape& shape() const { return shape_; }
  Shape* mutable_shape() { return &shape_; }
  // Null before AddInstruction and after RemoveInstruction.
  HloComputation* parent() const { return parent_; }
  // A number of its own within the computation, below instruction_index_limit(); constant until Cleanup.
  int64_t index() const { return index_; }
  // True once it has been removed from its computation.
  bool IsMarkedAsDead() const { return is_marked_as_dead_; }
  HloModule* GetModule() const;

  const std::vector<HloInstruction*>& operands() const { return operands_; }
  int64_t operand_count() const { return static_cast<int64_t>(operands_.size()); }
  const HloInstruction* operand(int64_t i) const { return operands_[i]; }
  HloInstruction* mutable_operand(int64_t i) { return operands_[i]; }
  // Each user once, in the order in which they began to use this.
  const std::vector<HloInstruction*>& users() const { return users_; }
  int64_t user_count() const { return static_cast<int64_t>(users_.size()); }
  bool IsDead() const;  // no users, no control successors, not the root, no side effect, not a parameter
  bool IsRoot() const;
  bool IsElementwise() const { return HasTrait(opcode_, op_trait::kElementwise); }
  bool HasSideEffect() const;  // its own, or one of a computation it calls
  bool IsConstantScalar() const { return opcode_ == HloOpcode::kConstant && shape_.IsScalar(); }

  const std::vector<HloInstruction*>& control_predecessors() const { return control_predecessors_; }
  const std::vector<HloInstruction*>& control_successors() const { return control_successors_; }
  // This must run before `successor`; both in one computation.
  void AddControlDependencyTo(HloInstruction* successor);
  void DropControlDependencies();

  // --- Changing edges. ---

  void ReplaceOperandWith(int64_t i, HloInstruction* new_operand);
  void ReplaceUseWith(HloInstruction* user, HloInstruction* replacement);
  // Also moves the computation's root.
  void ReplaceAllUsesWith(HloInstruction* replacement);

  // --- What single opcodes have; each is meaningful only for the opcodes named. ---

  int64_t parameter_number() const { return parameter_number_; }  // parameter
  const Literal& literal() const { return *literal_; }            // constant
  const std::vector<int64_t>& dimensions() const;  // broadcast, transpose, reverse, concatenate, reduce, map
  int64_t concatenate_dimension() const { return dimensions().at(0); }
  int64_t iota_dimension() const { return attributes_.Get<int64_t>(AttributeId::kIotaDimension); }
  int64_t tuple_index() const { return attributes_.Get<int64_t>(AttributeId::kIndex); }
  const SliceRanges& slice_ranges() const;
  int64_t slice_starts(int64_t i) const { return slice_ranges()[i].start; }
  int64_t slice_limits(int64_t i) const { return slice_ranges()[i].limit; }
  int64_t slice_strides(int64_t i) const { return slice_ranges()[i].stride; }
  const std::vector<int64_t>& dynamic_slice_sizes() const;
  // The index operands of dynamic-slice and dynamic-update-slice begin here: 1 or 2.
  int64_t first_index_operand_number() const { return opcode_ == HloOpcode::kDynamicSlice ? 1 : 2; }
  const PaddingConfig& padding_config() const;
  ComparisonDirection comparison_direction() const;
  // As written (`order=TOTAL` of floats is kFloatTotalOrder), or what the operands' element type implies.
  ComparisonType comparison_type() const;
  int64_t exponent_bits() const { return attributes_.Get<int64_t>(AttributeId::kExponentBits); }
  int64_t mantissa_bits() const { return attributes_.Get<int64_t>(AttributeId::kMantissaBits); }
  DotDimensionNumbers dot_dimension_numbers() const;
  RaggedDotForm ragged_dot_form() const;  // ragged-dot
  const Window& window() const;           // convolution, reduce-window, select-and-scatter
  ConvolutionDimensionNumbers convolution_dimension_numbers() const {
    return attributes_.Get<ConvolutionDimensionNumbers>(AttributeId::kDimLabels);
  }
  int64_t feature_group_count() const { return IntOr(AttributeId::kFeatureGroupCount, 1); }
  int64_t batch_group_count() const { return IntOr(AttributeId::kBatchGroupCount, 1); }
  IndexDimensionNumbers index_dimension_numbers() const;                                         // gather, scatter
  const std::vector<int64_t>& slice_sizes() const { return IntList(AttributeId::kSliceSizes); }  // gather
  HloComputation* select() const { return attributes_.Get<HloComputation*>(AttributeId::kSelect); }
  HloComputation* scatter() const { return attributes_.Get<HloComputation*>(AttributeId::kScatter); }
  FftType fft_type() const { return attributes_.Get<FftType>(AttributeId::kFftType); }
  const std::vector<int64_t>& fft_length() const { return IntList(AttributeId::kFftLength); }
  std::string custom_call_target() const;  // without the quotes

  // In the attributes' order: while has {condition, body}.
  const std::vector<HloComputation*>& called_computations() const { return called_computations_; }
  HloComputation* to_apply() const { return attributes_.Get<HloComputation*>(AttributeId::kToApply); }
  HloComputation* while_condition() const { return attributes_.Get<HloComputation*>(AttributeId::kCondition); }
  HloComputation* while_body() const { return attributes_.Get<HloComputation*>(AttributeId::kBody); }
  int64_t branch_count() const { return static_cast<int64_t>(called_computations_.size()); }
  HloComputation* branch_computation(int64_t i) const { return called_computations_[i]; }
  FusionKind fusion_kind() const;
  HloComputation* fused_instructions_computation() const {
    return attributes_.Get<HloComputation*>(AttributeId::kCalls);
  }
  HloInstruction* fused_expression_root() const;
  HloInstruction* fused_parameter(int64_t i) const;
  // reduce, reduce-window: half of the operands are inputs, half initial values. scatter: inputs, indices, updates.
  int64_t input_count() const { return operand_count() / 2; }

  // --- Attributes as data. ---

  const AttributeSet& attributes() const { return attributes_; }
  // A default (see IsDefault) removes an attribute that the opcode does not need.
  void SetAttribute(AttributeId id, AttributeValue value);
  // All of them at once, in place of those there are.
  void SetAttributes(AttributeSet attributes);
  const OpMetadata& metadata() const { return metadata_; }
  void set_metadata(OpMetadata metadata) { metadata_ = std::move(metadata); }
  // As written after `backend_config=`: a quoted string or a bare {...}; empty if absent.
  const std::string& raw_backend_config() const { return backend_config_; }
  void set_raw_backend_config(std::string text) { backend_config_ = std::move(text); }

  // "add.3 = f32[2]{0} add(a, b), metadata={...}", without ROOT.
  std::string ToString() const;

 private:
  friend class HloComputation;
  const std::vector<int64_t>& IntList(AttributeId id) const;
  int64_t IntOr(AttributeId id, int64_t if_absent) const {
    const int64_t* value = attributes_.Find<int64_t>(id);
    return value == nullptr ? if_absent : *value;
  }
  HloInstruction(HloOpcode opcode, Shape shape) : opcode_(opcode), shape_(std::move(shape)) {}
  void AppendOperand(HloInstruction* operand);
  void RemoveUser(HloInstruction* user);
  void DetachFromOperands();
  void ForgetNeighbours();  // before all of a computation's instructions go
  void RefreshCalledComputations();
  bool IsLeftOut(AttributeId id, const AttributeValue& value) const;  // it says no more than its absence

  HloOpcode opcode_;
  Shape shape_;
  std::string name_;
  HloComputation* parent_ = nullptr;
  int64_t index_ = -1;
  bool is_marked_as_dead_ = false;
  std::vector<HloInstruction*> operands_;
  std::vector<HloInstruction*> users_;
  std::vector<HloInstruction*> control_predecessors_;
  std::vector<HloInstruction*> control_successors_;
  AttributeSet attributes_;
  std::vector<HloComputation*> called_computations_;
  int64_t parameter_number_ = -1;
  std::shared_ptr<const Literal> literal_;
  OpMetadata metadata_;
  std::string backend_config_;
};

}  // namespace xla
