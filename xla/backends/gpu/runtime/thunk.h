// Thunks: the steps that a compiled module executes, in order, on one stream.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "xla/backends/gpu/runtime/buffer_assignment.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/stream.h"

namespace xla::gpu {

namespace se = ::stream_executor;

// The device memory of one execution.
struct BufferAllocations {
  std::vector<se::DeviceAddressBase> parameters, outputs, constants;
  se::DeviceAddressBase temp;

  se::DeviceAddressBase Resolve(const BufferSlice& slice) const;
};

struct ExecuteParams {
  se::Stream* stream = nullptr;
  const BufferAllocations* buffers = nullptr;
  const std::map<std::string, std::unique_ptr<se::Kernel>>* kernels = nullptr;  // by name
  int64_t max_loop_iterations = 0;                                              // of one loop; 0: no limit
};

// Immutable after construction: one thunk may be executed by several threads, each with its own ExecuteParams.
class Thunk {
 public:
  virtual ~Thunk() = default;
  // Queues the work; errors of the work itself appear when the stream is waited for.
  virtual Status Execute(const ExecuteParams& params) const = 0;
  // One line (or, for control flow, an indented block), ending in a newline.
  virtual std::string ToString(int indent) const = 0;
};
using ThunkSequence = std::vector<std::unique_ptr<Thunk>>;

class SequentialThunk : public Thunk {
 public:
  explicit SequentialThunk(ThunkSequence thunks) : thunks_(std::move(thunks)) {}
  Status Execute(const ExecuteParams& params) const override;
  std::string ToString(int indent) const override;
  const ThunkSequence& thunks() const { return thunks_; }

 private:
  ThunkSequence thunks_;
};

class KernelThunk : public Thunk {
 public:
  KernelThunk(std::string kernel, std::vector<BufferSlice> arguments, se::LaunchDimensions dims, uint32_t shared_bytes)
      : kernel_(std::move(kernel)), arguments_(std::move(arguments)), dims_(dims), shared_bytes_(shared_bytes) {}
  Status Execute(const ExecuteParams& params) const override;
  std::string ToString(int indent) const override;

 private:
  std::string kernel_;
  std::vector<BufferSlice> arguments_;
  se::LaunchDimensions dims_;
  uint32_t shared_bytes_;
};

class CopyThunk : public Thunk {
 public:
  CopyThunk(BufferSlice from, BufferSlice to) : from_(from), to_(to) {}
  Status Execute(const ExecuteParams& params) const override;
  std::string ToString(int indent) const override;

 private:
  BufferSlice from_, to_;
};

// Runs `condition`, reads its pred result back, and runs `body` while it is true. LoopLimitReached, with the loop's
// name, once it was true more often than ExecuteParams allow.
class WhileThunk : public Thunk {
 public:
  WhileThunk(std::string name, std::unique_ptr<Thunk> condition, BufferSlice predicate, std::unique_ptr<Thunk> body)
      : name_(std::move(name)), condition_(std::move(condition)), predicate_(predicate), body_(std::move(body)) {}
  Status Execute(const ExecuteParams& params) const override;
  std::string ToString(int indent) const override;

 private:
  Status LoopLimitReached(const ExecuteParams& params) const;

  std::string name_;
  std::unique_ptr<Thunk> condition_;
  BufferSlice predicate_;
  std::unique_ptr<Thunk> body_;
};

// Reads the branch index back (pred: true is branch 0; s32: out of range is the last) and runs that branch.
class ConditionalThunk : public Thunk {
 public:
  enum class IndexType { kPred, kS32 };
  ConditionalThunk(BufferSlice index, IndexType type, ThunkSequence branches)
      : index_(index), type_(type), branches_(std::move(branches)) {}
  Status Execute(const ExecuteParams& params) const override;
  std::string ToString(int indent) const override;

 private:
  BufferSlice index_;
  IndexType type_;
  ThunkSequence branches_;
};

}  // namespace xla::gpu
