#include "xla/backends/gpu/runtime/thunk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"

namespace xla::gpu {
namespace {

std::string Line(int indent, std::string_view text) { return fmt::format("{:{}}{}\n", "", 2 * indent, text); }

// Waits for what is queued, then reads a scalar.
template <class T>
StatusOr<T> ReadBack(const ExecuteParams& params, const BufferSlice& slice) {
  T value{};
  RETURN_IF_ERROR(params.stream->Memcpy(&value, params.buffers->Resolve(slice), sizeof(T)));
  RETURN_IF_ERROR(params.stream->BlockHostUntilDone());
  return value;
}

}  // namespace

se::DeviceAddressBase BufferAllocations::Resolve(const BufferSlice& slice) const {
  switch (slice.kind) {
    case AllocationKind::kParameter:
      return parameters[slice.number];
    case AllocationKind::kOutput:
      return outputs[slice.number];
    case AllocationKind::kConstant:
      return constants[slice.number];
    case AllocationKind::kTemp:
      break;
  }
  return temp.GetByteSlice(slice.offset, slice.size);
}

Status SequentialThunk::Execute(const ExecuteParams& params) const {
  for (const auto& thunk : thunks_) RETURN_IF_ERROR(thunk->Execute(params));
  return OkStatus();
}

std::string SequentialThunk::ToString(int indent) const {
  std::string out;
  for (const auto& thunk : thunks_) out += thunk->ToString(indent);
  return out;
}

Status KernelThunk::Execute(const ExecuteParams& params) const {
  auto kernel = params.kernels->find(kernel_);
  if (kernel == params.kernels->end()) return rocxla::InternalError("kernel '" + kernel_ + "' was not loaded");
  se::KernelArgs args(shared_bytes_);
  for (const BufferSlice& slice : arguments_) args.Add(params.buffers->Resolve(slice));
  return kernel->second->Launch(dims_, *params.stream, args);
}

std::string KernelThunk::ToString(int indent) const {
  std::string arguments;
  for (const BufferSlice& slice : arguments_) arguments += (arguments.empty() ? "" : ", ") + slice.ToString();
  return Line(indent, fmt::format("kernel {} <<<({}, {}, {}), {}, {} bytes of LDS>>> ({})", kernel_, dims_.blocks.x,
                                  dims_.blocks.y, dims_.blocks.z, dims_.threads.x, shared_bytes_, arguments));
}

Status CopyThunk::Execute(const ExecuteParams& params) const {
  if (to_.size == 0) return OkStatus();
  return params.stream->MemcpyD2D(params.buffers->Resolve(to_), params.buffers->Resolve(from_), to_.size);
}

std::string CopyThunk::ToString(int indent) const {
  return Line(indent, fmt::format("copy {} -> {}", from_.ToString(), to_.ToString()));
}

Status WhileThunk::Execute(const ExecuteParams& params) const {
  for (int64_t iteration = 0;; ++iteration) {
    RETURN_IF_ERROR(condition_->Execute(params));
    ASSIGN_OR_RETURN(uint8_t more, ReadBack<uint8_t>(params, predicate_));
    if (!more) return OkStatus();
    if (params.max_loop_iterations > 0 && iteration >= params.max_loop_iterations) return LoopLimitReached(params);
    RETURN_IF_ERROR(body_->Execute(params));
  }
}

Status WhileThunk::LoopLimitReached(const ExecuteParams& params) const {
  return Error(
      rocxla::ErrorId::kLoopLimitReached,
      {.what = fmt::format("the loop '{}' has not ended after {} iterations", name_, params.max_loop_iterations),
       .next = "If it is not endless, allow more: --rocxla_max_loop_iterations=N (0: no limit)."});
}

std::string WhileThunk::ToString(int indent) const {
  return Line(indent, "while " + predicate_.ToString()) + condition_->ToString(indent + 1) + Line(indent, "do") +
         body_->ToString(indent + 1);
}

Status ConditionalThunk::Execute(const ExecuteParams& params) const {
  int64_t branch;
  if (type_ == IndexType::kPred) {
    ASSIGN_OR_RETURN(uint8_t is_true, ReadBack<uint8_t>(params, index_));
    branch = is_true ? 0 : 1;
  } else {
    ASSIGN_OR_RETURN(int32_t index, ReadBack<int32_t>(params, index_));
    branch = index;
  }
  int64_t last = static_cast<int64_t>(branches_.size()) - 1;
  if (branch < 0 || branch > last) branch = last;
  return branches_[branch]->Execute(params);
}

std::string ConditionalThunk::ToString(int indent) const {
  std::string out = Line(indent, "switch " + index_.ToString());
  for (size_t i = 0; i < branches_.size(); ++i) {
    out += Line(indent, fmt::format("branch {}", i)) + branches_[i]->ToString(indent + 1);
  }
  return out;
}

}  // namespace xla::gpu
