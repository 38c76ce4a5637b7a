#include "xla/stream_executor/rocm/rocm_command_buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"
#include "xla/stream_executor/rocm/rocm_executor.h"
#include "xla/stream_executor/rocm/rocm_kernel.h"
#include "xla/stream_executor/rocm/rocm_stream.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {
namespace {

using rocxla::hipGraphNode_t;

Status Misuse(std::string what, std::string found, std::string expected) {
  return Error(ErrorId::kCommandBufferMisuse,
               {.what = std::move(what), .found = std::move(found), .expected = std::move(expected)});
}

// HIP's description of a launch, and the pointers to the arguments' bytes that it needs.
class KernelNode {
 public:
  KernelNode(const RocmKernel& kernel, const LaunchDimensions& dims, const KernelArgs& args)
      : bytes_(args.packed().begin(), args.packed().end()) {
    for (const KernelArgs::Slot& slot : args.slots()) pointers_.push_back(bytes_.data() + slot.offset);
    pointers_.push_back(nullptr);  // not read; for kernels without arguments
    auto dim = [](const Dim3D& d) {
      return rocxla::dim3{static_cast<uint32_t>(d.x), static_cast<uint32_t>(d.y), static_cast<uint32_t>(d.z)};
    };
    params_.blockDim = dim(dims.threads);
    params_.gridDim = dim(dims.blocks);
    params_.func = kernel.handle();
    params_.kernelParams = pointers_.data();
    params_.extra = nullptr;
    params_.sharedMemBytes = args.number_of_shared_bytes();
  }
  KernelNode(const KernelNode&) = delete;
  const rocxla::hipKernelNodeParams* params() const { return &params_; }

 private:
  std::vector<std::byte> bytes_;
  std::vector<void*> pointers_;
  rocxla::hipKernelNodeParams params_{};
};

Status CheckCopy(const DeviceAddressBase& dst, const DeviceAddressBase& src, uint64_t size_bytes) {
  RETURN_IF_ERROR(CheckFits("a copy", dst, size_bytes));
  RETURN_IF_ERROR(CheckFits("a copy", src, size_bytes));
  if (size_bytes != 0) return OkStatus();
  return Error(ErrorId::kBadMemoryRequest, {.what = "a command that copies nothing", .expected = "at least 1 byte"});
}

StatusOr<rocxla::hipMemsetParams> FillOf(const DeviceAddressBase& dst, CommandBuffer::Pattern pattern, uint64_t count) {
  const bool aligned = reinterpret_cast<uintptr_t>(dst.opaque()) % pattern.bytes == 0;
  if (count == 0 || count > UINT64_MAX / pattern.bytes || !aligned) {
    return Error(ErrorId::kBadMemoryRequest,
                 {.what = "a command cannot fill memory in this way",
                  .found = fmt::format("{} patterns of {} bytes at {}", count, pattern.bytes, dst.opaque()),
                  .expected = "at least one pattern, and an address that is a multiple of its size"});
  }
  RETURN_IF_ERROR(CheckFits("a fill", dst, count * pattern.bytes));
  rocxla::hipMemsetParams params{};
  params.dst = dst.opaque();
  params.elementSize = pattern.bytes;
  params.height = 1;
  params.value = pattern.value;
  params.width = count;
  return params;
}

}  // namespace

std::string_view RocmCommandBuffer::TextOf(Kind kind) {
  switch (kind) {
    case Kind::kEmpty:
      return "an empty command";
    case Kind::kLaunch:
      return "a launch";
    case Kind::kMemcpy:
      return "a copy";
    case Kind::kMemset:
      return "a fill";
    case Kind::kChild:
      return "a nested buffer";
  }
  return "a command";
}

StatusOr<std::unique_ptr<RocmCommandBuffer>> RocmCommandBuffer::Create(RocmExecutor& executor, const HipApi& api) {
  rocxla::hipGraph_t graph = nullptr;
  RETURN_IF_HIP_ERROR(api, hipGraphCreate, &graph, 0);
  return std::unique_ptr<RocmCommandBuffer>(new RocmCommandBuffer(executor, api, graph));
}

RocmCommandBuffer::~RocmCommandBuffer() {
  if (executable_ != nullptr) (void)api_.hipGraphExecDestroy(executable_);
  (void)api_.hipGraphDestroy(graph_);
}

// --- Checks.

Status RocmCommandBuffer::CheckState(State needed, std::string_view what) const {
  if (state_ == needed) return OkStatus();
  return Misuse(fmt::format("the command buffer is not in the state for {}", what),
                fmt::format("a buffer that is {}", StateText(state_)),
                fmt::format("a buffer that is {}", StateText(needed)));
}

StatusOr<std::vector<hipGraphNode_t>> RocmCommandBuffer::HandlesOf(Dependencies dependencies) const {
  std::vector<hipGraphNode_t> handles;
  for (const Command* command : dependencies) {
    const auto own = std::ranges::find_if(nodes_, [&](const auto& node) { return node.get() == command; });
    if (own == nodes_.end()) {
      return Misuse("a dependency is not a command of this buffer", "a command of another buffer, or null",
                    fmt::format("one of its {} commands", nodes_.size()));
    }
    handles.push_back((*own)->handle);
  }
  return handles;
}

StatusOr<const RocmCommandBuffer::Node*> RocmCommandBuffer::Own(const Command* command, Kind kind) const {
  const auto own = std::ranges::find_if(nodes_, [&](const auto& node) { return node.get() == command; });
  if (own != nodes_.end() && (*own)->kind == kind) return own->get();
  return Misuse("the command cannot be updated in this way",
                own == nodes_.end() ? "a command of another buffer, or null" : std::string(TextOf((*own)->kind)),
                fmt::format("{} of this buffer", TextOf(kind)));
}

StatusOr<const RocmKernel*> RocmCommandBuffer::OwnKernel(const Kernel& kernel) const {
  const auto* rocm_kernel = dynamic_cast<const RocmKernel*>(&kernel);
  if (rocm_kernel != nullptr && &rocm_kernel->executor() == &executor_) return rocm_kernel;
  return Error(ErrorId::kWrongDevice, {.what = "the kernel was loaded on another device than the command buffer's",
                                       .where = fmt::format("kernel '{}'", kernel.name()),
                                       .expected = fmt::format("a kernel of {}", DeviceText(executor_))});
}

StatusOr<const RocmCommandBuffer*> RocmCommandBuffer::OwnNested(const CommandBuffer& nested) const {
  const auto* buffer = dynamic_cast<const RocmCommandBuffer*>(&nested);
  if (buffer == nullptr || &buffer->executor_ != &executor_) {
    return Error(ErrorId::kWrongDevice, {.what = "the nested command buffer is another device's",
                                         .expected = fmt::format("a buffer of {}", DeviceText(executor_))});
  }
  if (buffer == this) return Misuse("a command buffer cannot contain itself", "the buffer itself", "another one");
  return buffer;
}

const CommandBuffer::Command* RocmCommandBuffer::Add(Kind kind, hipGraphNode_t handle) {
  return nodes_.emplace_back(std::make_unique<Node>(kind, handle)).get();
}

void RocmCommandBuffer::Keep(const std::vector<std::shared_ptr<RocmModule>>& modules) {
  for (const std::shared_ptr<RocmModule>& module : modules) {
    if (std::ranges::find(modules_, module) == modules_.end()) modules_.push_back(module);
  }
}

// --- Filling.

StatusOr<const CommandBuffer::Command*> RocmCommandBuffer::CreateEmpty(Dependencies dependencies) {
  RETURN_IF_ERROR(CheckState(State::kCreate, "new commands"));
  ASSIGN_OR_RETURN(const std::vector<hipGraphNode_t> after, HandlesOf(dependencies));
  hipGraphNode_t node = nullptr;
  RETURN_IF_HIP_ERROR(api_, hipGraphAddEmptyNode, &node, graph_, after.data(), after.size());
  return Add(Kind::kEmpty, node);
}

StatusOr<const CommandBuffer::Command*> RocmCommandBuffer::CreateLaunch(const Kernel& kernel,
                                                                        const LaunchDimensions& dims,
                                                                        const KernelArgs& args,
                                                                        Dependencies dependencies) {
  RETURN_IF_ERROR(CheckState(State::kCreate, "new commands"));
  ASSIGN_OR_RETURN(const std::vector<hipGraphNode_t> after, HandlesOf(dependencies));
  ASSIGN_OR_RETURN(const RocmKernel* own, OwnKernel(kernel));
  RETURN_IF_ERROR(own->Check(dims, args));
  const KernelNode launch(*own, dims, args);
  hipGraphNode_t node = nullptr;
  RETURN_IF_HIP_ERROR(api_, hipGraphAddKernelNode, &node, graph_, after.data(), after.size(), launch.params());
  Keep({own->module()});
  return Add(Kind::kLaunch, node);
}

StatusOr<const CommandBuffer::Command*> RocmCommandBuffer::CreateMemcpyD2D(const DeviceAddressBase& dst,
                                                                           const DeviceAddressBase& src,
                                                                           uint64_t size_bytes,
                                                                           Dependencies dependencies) {
  RETURN_IF_ERROR(CheckState(State::kCreate, "new commands"));
  ASSIGN_OR_RETURN(const std::vector<hipGraphNode_t> after, HandlesOf(dependencies));
  RETURN_IF_ERROR(CheckCopy(dst, src, size_bytes));
  hipGraphNode_t node = nullptr;
  RETURN_IF_HIP_ERROR(api_, hipGraphAddMemcpyNode1D, &node, graph_, after.data(), after.size(), dst.opaque(),
                      src.opaque(), size_bytes, rocxla::hipMemcpyDeviceToDevice);
  return Add(Kind::kMemcpy, node);
}

StatusOr<const CommandBuffer::Command*> RocmCommandBuffer::CreateMemset(const DeviceAddressBase& dst, Pattern pattern,
                                                                        uint64_t count, Dependencies dependencies) {
  RETURN_IF_ERROR(CheckState(State::kCreate, "new commands"));
  ASSIGN_OR_RETURN(const std::vector<hipGraphNode_t> after, HandlesOf(dependencies));
  ASSIGN_OR_RETURN(const rocxla::hipMemsetParams params, FillOf(dst, pattern, count));
  hipGraphNode_t node = nullptr;
  RETURN_IF_HIP_ERROR(api_, hipGraphAddMemsetNode, &node, graph_, after.data(), after.size(), &params);
  return Add(Kind::kMemset, node);
}

StatusOr<const CommandBuffer::Command*> RocmCommandBuffer::CreateChild(const CommandBuffer& nested,
                                                                       Dependencies dependencies) {
  RETURN_IF_ERROR(CheckState(State::kCreate, "new commands"));
  ASSIGN_OR_RETURN(const std::vector<hipGraphNode_t> after, HandlesOf(dependencies));
  ASSIGN_OR_RETURN(const RocmCommandBuffer* own, OwnNested(nested));
  hipGraphNode_t node = nullptr;
  RETURN_IF_HIP_ERROR(api_, hipGraphAddChildGraphNode, &node, graph_, after.data(), after.size(), own->graph_);
  Keep(own->modules_);
  return Add(Kind::kChild, node);
}

StatusOr<rocxla::hipGraph_t> RocmCommandBuffer::Capture(Stream& stream,
                                                        const std::function<Status(Stream&)>& function) {
  auto& rocm_stream = static_cast<RocmStream&>(stream);
  RETURN_IF_ERROR(rocm_stream.known_failure());
  RETURN_IF_HIP_ERROR(api_, hipStreamBeginCapture, rocm_stream.handle(), rocxla::hipStreamCaptureModeThreadLocal);
  rocm_stream.SetCapture(&modules_);
  const Status queued = function(stream);
  rocm_stream.SetCapture(nullptr);
  rocxla::hipGraph_t captured = nullptr;
  const Status ended = ToStatus(api_.hipStreamEndCapture(rocm_stream.handle(), &captured), api_, "hipStreamEndCapture");
  if (queued.ok() && ended.ok()) return captured;
  if (captured != nullptr) (void)api_.hipGraphDestroy(captured);
  return queued.ok() ? ended : queued;
}

Status RocmCommandBuffer::Trace(Stream& stream, const std::function<Status(Stream&)>& function) {
  RETURN_IF_ERROR(CheckState(State::kCreate, "a trace"));
  if (!nodes_.empty()) {
    return Misuse("only an empty command buffer can be traced into", fmt::format("{} commands", nodes_.size()), "none");
  }
  RETURN_IF_ERROR(executor_.CheckOwn(stream, "a trace"));
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  ASSIGN_OR_RETURN(const rocxla::hipGraph_t captured, Capture(stream, function));
  (void)api_.hipGraphDestroy(graph_);
  graph_ = captured;
  traced_ = true;
  size_t count = 0;
  RETURN_IF_HIP_ERROR(api_, hipGraphGetNodes, graph_, nullptr, &count);
  if (count == 0) {  // releases of HIP 5 and 6 do not launch a graph without nodes
    hipGraphNode_t node = nullptr;
    RETURN_IF_HIP_ERROR(api_, hipGraphAddEmptyNode, &node, graph_, nullptr, 0);
  }
  return Finalize();
}

// --- Updates.

Status RocmCommandBuffer::UpdateLaunch(const Command* command, const Kernel& kernel, const LaunchDimensions& dims,
                                       const KernelArgs& args) {
  RETURN_IF_ERROR(CheckState(State::kUpdate, "new parameters"));
  ASSIGN_OR_RETURN(const Node* node, Own(command, Kind::kLaunch));
  ASSIGN_OR_RETURN(const RocmKernel* own, OwnKernel(kernel));
  RETURN_IF_ERROR(own->Check(dims, args));
  const KernelNode launch(*own, dims, args);
  RETURN_IF_HIP_ERROR(api_, hipGraphExecKernelNodeSetParams, executable_, node->handle, launch.params());
  Keep({own->module()});
  return OkStatus();
}

Status RocmCommandBuffer::UpdateMemcpyD2D(const Command* command, const DeviceAddressBase& dst,
                                          const DeviceAddressBase& src, uint64_t size_bytes) {
  RETURN_IF_ERROR(CheckState(State::kUpdate, "new parameters"));
  ASSIGN_OR_RETURN(const Node* node, Own(command, Kind::kMemcpy));
  RETURN_IF_ERROR(CheckCopy(dst, src, size_bytes));
  RETURN_IF_HIP_ERROR(api_, hipGraphExecMemcpyNodeSetParams1D, executable_, node->handle, dst.opaque(), src.opaque(),
                      size_bytes, rocxla::hipMemcpyDeviceToDevice);
  return OkStatus();
}

Status RocmCommandBuffer::UpdateMemset(const Command* command, const DeviceAddressBase& dst, Pattern pattern,
                                       uint64_t count) {
  RETURN_IF_ERROR(CheckState(State::kUpdate, "new parameters"));
  ASSIGN_OR_RETURN(const Node* node, Own(command, Kind::kMemset));
  ASSIGN_OR_RETURN(const rocxla::hipMemsetParams params, FillOf(dst, pattern, count));
  RETURN_IF_HIP_ERROR(api_, hipGraphExecMemsetNodeSetParams, executable_, node->handle, &params);
  return OkStatus();
}

Status RocmCommandBuffer::UpdateChild(const Command* command, const CommandBuffer& nested) {
  RETURN_IF_ERROR(CheckState(State::kUpdate, "new parameters"));
  ASSIGN_OR_RETURN(const Node* node, Own(command, Kind::kChild));
  ASSIGN_OR_RETURN(const RocmCommandBuffer* own, OwnNested(nested));
  RETURN_IF_HIP_ERROR(api_, hipGraphExecChildGraphNodeSetParams, executable_, node->handle, own->graph_);
  Keep(own->modules_);
  return OkStatus();
}

// --- Running.

Status RocmCommandBuffer::Finalize() {
  if (state_ == State::kFinalized) return CheckState(State::kUpdate, "being finalized");
  if (executable_ == nullptr) {
    ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
    RETURN_IF_HIP_ERROR(api_, hipGraphInstantiate, &executable_, graph_, nullptr, nullptr, 0);
  }
  state_ = State::kFinalized;
  return OkStatus();
}

Status RocmCommandBuffer::Update() {
  RETURN_IF_ERROR(CheckState(State::kFinalized, "an update"));
  if (traced_) return Misuse("a traced command buffer has no commands to update", "a traced buffer", "a created one");
  state_ = State::kUpdate;
  return OkStatus();
}

Status RocmCommandBuffer::Submit(Stream& stream) {
  RETURN_IF_ERROR(CheckState(State::kFinalized, "being submitted"));
  RETURN_IF_ERROR(executor_.CheckOwn(stream, "a command buffer"));
  auto& rocm_stream = static_cast<RocmStream&>(stream);
  RETURN_IF_ERROR(rocm_stream.known_failure());
  RETURN_IF_HIP_ERROR(api_, hipGraphLaunch, executable_, rocm_stream.handle());
  for (const std::shared_ptr<RocmModule>& module : modules_) rocm_stream.NoteLaunch(module);
  return OkStatus();
}

}  // namespace stream_executor::gpu
