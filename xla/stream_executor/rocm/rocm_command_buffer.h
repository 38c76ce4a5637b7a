// RocmCommandBuffer: a HIP graph.
//
// While it is filled, its commands are nodes of a graph; Finalize makes an executable graph of it once. Updates change
// the executable graph alone: the first graph keeps the order of the work and names the nodes.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "xla/stream_executor/command_buffer.h"
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

class RocmExecutor;
class RocmKernel;
class RocmModule;

class RocmCommandBuffer : public CommandBuffer {
 public:
  // On the thread's current device, which is `executor`'s.
  static StatusOr<std::unique_ptr<RocmCommandBuffer>> Create(RocmExecutor& executor, const HipApi& api);
  ~RocmCommandBuffer() override;

  State state() const override { return state_; }
  StatusOr<const Command*> CreateEmpty(Dependencies dependencies) override;
  StatusOr<const Command*> CreateLaunch(const Kernel& kernel, const LaunchDimensions& dims, const KernelArgs& args,
                                        Dependencies dependencies) override;
  StatusOr<const Command*> CreateMemcpyD2D(const DeviceAddressBase& dst, const DeviceAddressBase& src,
                                           uint64_t size_bytes, Dependencies dependencies) override;
  StatusOr<const Command*> CreateMemset(const DeviceAddressBase& dst, Pattern pattern, uint64_t count,
                                        Dependencies dependencies) override;
  StatusOr<const Command*> CreateChild(const CommandBuffer& nested, Dependencies dependencies) override;
  Status Trace(Stream& stream, const std::function<Status(Stream&)>& function) override;
  Status UpdateLaunch(const Command* command, const Kernel& kernel, const LaunchDimensions& dims,
                      const KernelArgs& args) override;
  Status UpdateMemcpyD2D(const Command* command, const DeviceAddressBase& dst, const DeviceAddressBase& src,
                         uint64_t size_bytes) override;
  Status UpdateMemset(const Command* command, const DeviceAddressBase& dst, Pattern pattern, uint64_t count) override;
  Status UpdateChild(const Command* command, const CommandBuffer& nested) override;
  Status Finalize() override;
  Status Update() override;
  Status Submit(Stream& stream) override;

 private:
  enum class Kind { kEmpty, kLaunch, kMemcpy, kMemset, kChild };
  struct Node : Command {
    Node(Kind kind, rocxla::hipGraphNode_t handle) : kind(kind), handle(handle) {}
    const Kind kind;
    const rocxla::hipGraphNode_t handle;
  };
  static std::string_view TextOf(Kind kind);

  RocmCommandBuffer(RocmExecutor& executor, const HipApi& api, rocxla::hipGraph_t graph)
      : executor_(executor), api_(api), graph_(graph) {}

  Status CheckState(State needed, std::string_view what) const;
  StatusOr<std::vector<rocxla::hipGraphNode_t>> HandlesOf(Dependencies dependencies) const;
  // The command as one of this buffer and of that kind.
  StatusOr<const Node*> Own(const Command* command, Kind kind) const;
  StatusOr<const RocmKernel*> OwnKernel(const Kernel& kernel) const;
  StatusOr<const RocmCommandBuffer*> OwnNested(const CommandBuffer& nested) const;
  const Command* Add(Kind kind, rocxla::hipGraphNode_t handle);
  // Adds those to modules_ that are not there yet: updates may bring the same ones again and again.
  void Keep(const std::vector<std::shared_ptr<RocmModule>>& modules);
  // What the function has queued, as a graph that the caller owns.
  StatusOr<rocxla::hipGraph_t> Capture(Stream& stream, const std::function<Status(Stream&)>& function);

  RocmExecutor& executor_;
  const HipApi& api_;
  State state_ = State::kCreate;
  rocxla::hipGraph_t graph_;
  rocxla::hipGraphExec_t executable_ = nullptr;
  bool traced_ = false;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::shared_ptr<RocmModule>> modules_;  // of the kernels; they only grow, since old submissions may run
};

}  // namespace stream_executor::gpu
