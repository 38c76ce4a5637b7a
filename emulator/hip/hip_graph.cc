// The embedded HIP functions that make graphs and look at them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <span>

#include "emulator/hip/graph_parameters.h"
#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t BadGraph() { return NotLive("graph"); }
hipError_t BadNode() { return NotLive("graph node"); }

// Adds a node, if graph and dependencies are what they should be.
hipError_t AddNode(hipGraphNode_t* out, hipGraph_t graph_handle, const hipGraphNode_t* dependencies, size_t count,
                   Operation operation) {
  if (out == nullptr) return NullPointer("the node");
  if (dependencies == nullptr && count != 0) return NullPointer("the dependencies");
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  const std::shared_ptr<Graph> graph = runtime.graphs.graphs.Find(graph_handle);
  if (graph == nullptr) return BadGraph();
  std::vector<GraphNode*> needs;
  for (hipGraphNode_t handle : std::span(dependencies, count)) {
    const std::shared_ptr<GraphNode> node = runtime.graphs.nodes.Find(handle);
    if (node == nullptr) return BadNode();
    if (node->graph != graph.get()) return Fail(hipErrorInvalidValue, "a dependency is a node of another graph");
    if (std::ranges::find(needs, node.get()) != needs.end()) {
      return Fail(hipErrorInvalidValue, "a dependency is named twice");
    }
    needs.push_back(node.get());
  }
  return *out = graph->Add(std::move(operation), std::move(needs))->handle, hipSuccess;
}

// HIP's way to give lists: a null array asks for the count; else at most `*count` entries, and the rest null.
hipError_t GiveList(const std::vector<hipGraphNode_t>& list, hipGraphNode_t* out, size_t* count) {
  if (count == nullptr) return NullPointer("the count");
  if (out == nullptr) return *count = list.size(), hipSuccess;
  for (size_t i = 0; i < *count; ++i) out[i] = i < list.size() ? list[i] : nullptr;
  return *count = std::min(*count, list.size()), hipSuccess;
}

std::vector<hipGraphNode_t> HandlesOf(std::span<GraphNode* const> nodes) {
  std::vector<hipGraphNode_t> handles;
  for (const GraphNode* node : nodes) handles.push_back(node->handle);
  return handles;
}

// Calls `use` with the live graph, under the lock.
template <class Use>
hipError_t WithGraph(hipGraph_t handle, Use use) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  const std::shared_ptr<Graph> graph = runtime.graphs.graphs.Find(handle);
  return graph == nullptr ? BadGraph() : use(*graph);
}
template <class Use>
hipError_t WithNode(hipGraphNode_t handle, Use use) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  const std::shared_ptr<GraphNode> node = runtime.graphs.nodes.Find(handle);
  return node == nullptr ? BadNode() : use(*node);
}

}  // namespace

namespace embedded {

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned flags) {
  if (graph == nullptr) return NullPointer("the graph");
  if (flags != 0) return Fail(hipErrorInvalidValue, "hipGraphCreate has no flags");
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  return *graph = Graph::Make(runtime.graphs)->handle(), hipSuccess;
}

hipError_t hipGraphDestroy(hipGraph_t handle) {
  return WithGraph(handle, [](Graph& graph) {
    if (graph.is_child()) return Fail(hipErrorInvalidValue, "a child graph goes away with its node");
    return graph.Forget(), hipSuccess;
  });
}

hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t original) {
  if (clone == nullptr) return NullPointer("the clone");
  return WithGraph(original, [&](Graph& graph) { return *clone = graph.Clone()->handle(), hipSuccess; });
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipKernelNodeParams* params) {
  Operation operation;
  if (WorkResult result = MakeKernel(params, operation); !result.ok()) return Report(result);
  return AddNode(node, graph, dependencies, count, std::move(operation));
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                   size_t count, void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  Operation operation;
  if (WorkResult result = MakeCopy(dst, src, bytes, kind, operation); !result.ok()) return Report(result);
  return AddNode(node, graph, dependencies, count, std::move(operation));
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipMemsetParams* params) {
  Operation operation;
  if (WorkResult result = MakeFill(params, operation); !result.ok()) return Report(result);
  return AddNode(node, graph, dependencies, count, std::move(operation));
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count,
                               const hipHostNodeParams* params) {
  Operation operation;
  if (WorkResult result = MakeHost(params, operation); !result.ok()) return Report(result);
  return AddNode(node, graph, dependencies, count, std::move(operation));
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                size_t count) {
  return AddNode(node, graph, dependencies, count, EmptyOperation{});
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                     size_t count, hipGraph_t child_handle) {
  std::shared_ptr<Graph> child;
  if (child_handle == graph) return Fail(hipErrorInvalidValue, "a graph cannot be its own child");
  hipError_t error =
      WithGraph(child_handle, [&](Graph& found) { return child = found.shared_from_this(), hipSuccess; });
  return error != hipSuccess ? error : AddNode(node, graph, dependencies, count, GraphOperation{std::move(child)});
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                      size_t count, hipEvent_t handle) {
  std::shared_ptr<Event> event = Runtime::Get().events.Find(handle);
  if (event == nullptr) return NotLive("event");
  return AddNode(node, graph, dependencies, count, RecordOperation{std::move(event)});
}

hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                    size_t count, hipEvent_t handle) {
  std::shared_ptr<Event> event = Runtime::Get().events.Find(handle);
  if (event == nullptr) return NotLive("event");
  return AddNode(node, graph, dependencies, count, WaitOperation{std::move(event)});
}

hipError_t hipGraphAddDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t count) {
  if ((from == nullptr || to == nullptr) && count != 0) return NullPointer("the nodes");
  return WithGraph(handle, [&](Graph& graph) {
    for (size_t i = 0; i < count; ++i) {
      const auto first = Runtime::Get().graphs.nodes.Find(from[i]), second = Runtime::Get().graphs.nodes.Find(to[i]);
      if (first == nullptr || second == nullptr) return BadNode();
      if (first->graph != &graph || second->graph != &graph) {
        return Fail(hipErrorInvalidValue, "a node belongs to another graph");
      }
      if (Graph::DependsOn(first.get(), second.get()))
        return Fail(hipErrorInvalidValue, "the edge would close a cycle");
      if (std::ranges::find(second->dependencies, first.get()) != second->dependencies.end()) {
        return Fail(hipErrorInvalidValue, "the edge is there already");
      }
      second->dependencies.push_back(first.get());
    }
    return hipSuccess;
  });
}

hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  return WithNode(handle, [](GraphNode& node) { return node.graph->Destroy(&node), hipSuccess; });
}

hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  return WithGraph(handle, [&](Graph& graph) {
    std::vector<hipGraphNode_t> all;
    for (const auto& node : graph.nodes()) all.push_back(node->handle);
    return GiveList(all, nodes, count);
  });
}

hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  return WithGraph(handle, [&](Graph& graph) {
    std::vector<hipGraphNode_t> roots;
    for (const auto& node : graph.nodes()) {
      if (node->dependencies.empty()) roots.push_back(node->handle);
    }
    return GiveList(roots, nodes, count);
  });
}

hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
  return WithGraph(handle, [&](Graph& graph) {
    std::vector<hipGraphNode_t> starts, ends;
    for (const auto& node : graph.nodes()) {
      for (const GraphNode* dependency : node->dependencies) {
        starts.push_back(dependency->handle);
        ends.push_back(node->handle);
      }
    }
    if (count == nullptr) return NullPointer("the count");
    size_t room = *count;
    const hipError_t error = GiveList(starts, from, count);
    return error != hipSuccess || from == nullptr ? error : GiveList(ends, to, &room);
  });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type) {
  if (type == nullptr) return NullPointer("the type");
  return WithNode(handle, [&](GraphNode& node) { return *type = TypeOf(node.operation), hipSuccess; });
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t* dependencies, size_t* count) {
  return WithNode(handle, [&](GraphNode& node) { return GiveList(HandlesOf(node.dependencies), dependencies, count); });
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t handle, hipGraph_t* child) {
  if (child == nullptr) return NullPointer("the graph");
  return WithNode(handle, [&](GraphNode& node) {
    const auto* operation = std::get_if<GraphOperation>(&node.operation);
    if (operation == nullptr) return Fail(hipErrorInvalidValue, "the node is no child graph");
    return *child = operation->graph->handle(), hipSuccess;
  });
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t* out, hipGraphNode_t original, hipGraph_t clone) {
  if (out == nullptr) return NullPointer("the node");
  return WithGraph(clone, [&](Graph& graph) {
    for (const auto& node : graph.nodes()) {
      if (node->original == original && original != nullptr) return *out = node->handle, hipSuccess;
    }
    return Fail(hipErrorInvalidValue, "the graph has no copy of this node");
  });
}

hipError_t hipGraphDebugDotPrint(hipGraph_t handle, const char* path, unsigned flags) {
  if (path == nullptr) return NullPointer("the path");
  std::string dot;
  hipError_t error = WithGraph(handle, [&](Graph& graph) { return dot = graph.ToDot(flags != 0), hipSuccess; });
  if (error != hipSuccess) return error;
  std::FILE* file = std::fopen(path, "w");
  const bool written = file != nullptr && std::fwrite(dot.data(), 1, dot.size(), file) == dot.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  return written && closed ? hipSuccess : Fail(hipErrorOperatingSystem, fmt::format("'{}' cannot be written", path));
}

}  // namespace embedded
}  // namespace rocxla::emu
