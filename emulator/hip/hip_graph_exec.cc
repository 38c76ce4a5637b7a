// The embedded HIP functions that make graphs executable, launch them and exchange their parameters.
#include <fmt/format.h>

#include "emulator/hip/graph_parameters.h"
#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t BadExecutable() { return NotLive("executable graph"); }

hipError_t Instantiate(hipGraphExec_t* exec, hipGraph_t graph_handle) {
  if (exec == nullptr) return NullPointer("the executable graph");
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  const std::shared_ptr<Graph> graph = runtime.graphs.graphs.Find(graph_handle);
  if (graph == nullptr) return NotLive("graph");
  return *exec = runtime.executables.Add(std::make_shared<ExecutableGraph>(*graph)), hipSuccess;
}

// Exchanges the parameters of one operation of an executable graph for others of the same type.
hipError_t Exchange(hipGraphExec_t handle, hipGraphNode_t node, Operation operation) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  const std::shared_ptr<ExecutableGraph> exec = runtime.executables.Find(handle);
  if (exec == nullptr) return BadExecutable();
  Operation* current = exec->FindOperation(node);
  if (current == nullptr || current->index() != operation.index()) {
    return Fail(hipErrorInvalidValue, "not a node of that type of the graph that was instantiated");
  }
  const std::string mismatch = ParameterMismatch(*current, operation, runtime.memory);
  if (!mismatch.empty()) return Fail(hipErrorInvalidValue, mismatch);
  return *current = std::move(operation), hipSuccess;
}

}  // namespace

namespace embedded {

// The log stays empty: a graph that exists can be executed.
hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* error_node, char* log,
                               size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes != 0) *log = '\0';
  return Instantiate(exec, graph);
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long flags) {
  constexpr unsigned long long kKnown =
      hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload | hipGraphInstantiateFlagUseNodePriority;
  if ((flags & hipGraphInstantiateFlagDeviceLaunch) != 0) {
    return Fail(hipErrorNotSupported, "kernels of the embedded device cannot launch graphs");
  }
  if ((flags & ~kKnown) != 0) return Fail(hipErrorInvalidValue, fmt::format("no instantiation flags {:#x}", flags));
  return Instantiate(exec, graph);
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return Runtime::Get().executables.Remove(exec) == nullptr ? BadExecutable() : hipSuccess;
}

hipError_t hipGraphLaunch(hipGraphExec_t handle, hipStream_t stream_handle) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(stream_handle);
  if (stream == nullptr) return NotLive("stream");
  std::lock_guard lock(runtime.graph_mutex);
  const std::shared_ptr<ExecutableGraph> exec = runtime.executables.Find(handle);
  if (exec == nullptr) return BadExecutable();
  WorkResult captured = Captures::CheckNotCapturing(*stream, "hipGraphLaunch");
  if (captured.ok() && stream->is_null) captured = runtime.captures.CheckNullStream(stream->device);
  if (!captured.ok()) return Report(captured);
  return runtime.Launch(*stream, *exec), hipSuccess;
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec_handle, hipGraph_t graph_handle, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* update_result) {
  if (error_node == nullptr || update_result == nullptr) return NullPointer("the node or the result");
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  const std::shared_ptr<ExecutableGraph> exec = runtime.executables.Find(exec_handle);
  if (exec == nullptr) return BadExecutable();
  const std::shared_ptr<Graph> graph = runtime.graphs.graphs.Find(graph_handle);
  if (graph == nullptr) return NotLive("graph");
  const ExecutableGraph::Mismatch mismatch = exec->Update(*graph, runtime.memory);
  *error_node = mismatch.node;
  *update_result = mismatch.result;
  return mismatch.result == hipGraphExecUpdateSuccess ? hipSuccess
                                                      : Fail(hipErrorGraphExecUpdateFailure, mismatch.detail);
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* params) {
  Operation operation;
  if (WorkResult result = MakeKernel(params, operation); !result.ok()) return Report(result);
  return Exchange(exec, node, std::move(operation));
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* dst, const void* src,
                                             size_t bytes, hipMemcpyKind kind) {
  Operation operation;
  if (WorkResult result = MakeCopy(dst, src, bytes, kind, operation); !result.ok()) return Report(result);
  return Exchange(exec, node, std::move(operation));
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipMemsetParams* params) {
  Operation operation;
  if (WorkResult result = MakeFill(params, operation); !result.ok()) return Report(result);
  return Exchange(exec, node, std::move(operation));
}

hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipHostNodeParams* params) {
  Operation operation;
  if (WorkResult result = MakeHost(params, operation); !result.ok()) return Report(result);
  return Exchange(exec, node, std::move(operation));
}

hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec_handle, hipGraphNode_t node, hipGraph_t child) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  const std::shared_ptr<ExecutableGraph> exec = runtime.executables.Find(exec_handle);
  if (exec == nullptr) return BadExecutable();
  const std::shared_ptr<Graph> graph = runtime.graphs.graphs.Find(child);
  if (graph == nullptr) return NotLive("graph");
  const ExecutableGraph::Mismatch mismatch = exec->UpdateChild(node, *graph, runtime.memory);
  return mismatch.result == hipGraphExecUpdateSuccess ? hipSuccess : Fail(hipErrorInvalidValue, mismatch.detail);
}

}  // namespace embedded
}  // namespace rocxla::emu
