#include "emulator/hip/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "emulator/hip/memory_table.h"

namespace rocxla::emu {
namespace {

constexpr const char* kTypeNames[] = {"Kernel", "Memcpy", "Memset",    "Host",
                                      "Graph",  "Empty",  "WaitEvent", "EventRecord"};
static_assert(std::size(kTypeNames) == std::variant_size_v<Operation>);

std::string Parameters(const Operation& operation) {
  if (const auto* kernel = std::get_if<KernelOperation>(&operation)) {
    const auto& [grid, block, lds, residency] = kernel->config;
    return fmt::format("{} <<<({},{},{}), ({},{},{}), {}>>>{}", kernel->function->kernel->name, grid[0], grid[1],
                       grid[2], block[0], block[1], block[2], lds,
                       residency == Residency::kWholeGrid ? " cooperative" : "");
  }
  if (const auto* copy = std::get_if<CopyOperation>(&operation)) {
    return fmt::format("{} from {}, {} x {} bytes", copy->dst, copy->src, copy->height, copy->width);
  }
  if (const auto* fill = std::get_if<FillOperation>(&operation)) {
    return fmt::format("{} with {:#x}, {} x {} elements of {} bytes", fill->dst, fill->value, fill->height, fill->width,
                       fill->element_bytes);
  }
  return "";
}

// The device whose memory an address is in; -1 for the host's.
int DeviceOf(const MemoryTable& memory, const void* pointer) {
  const std::optional<Block> block = memory.Find(pointer);
  return block && !block->is_host() ? block->device : -1;
}

std::vector<int> DependencyPositions(const Graph& graph, const GraphNode& node) {
  std::vector<int> positions;
  for (const GraphNode* dependency : node.dependencies) positions.push_back(graph.PositionOf(dependency));
  std::ranges::sort(positions);
  return positions;
}

}  // namespace

std::shared_ptr<Graph> Graph::Make(GraphHandles& handles) {
  std::shared_ptr<Graph> graph(new Graph(handles));
  graph->handle_ = handles.graphs.Add(graph);
  return graph;
}

std::shared_ptr<Graph> Graph::Clone() const {
  std::shared_ptr<Graph> clone = Make(handles_);
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : nodes_) {
    copies[node.get()] = clone->Add(node->operation, {});
    copies[node.get()]->original = node->handle;
  }
  for (const auto& node : nodes_) {
    for (const GraphNode* dependency : node->dependencies)
      copies[node.get()]->dependencies.push_back(copies[dependency]);
  }
  return clone;
}

void Graph::Forget() {
  for (const auto& node : nodes_) {
    (void)handles_.nodes.Remove(node->handle);
    if (auto* child = std::get_if<GraphOperation>(&node->operation)) child->graph->Forget();
  }
  (void)handles_.graphs.Remove(handle_);
}

GraphNode* Graph::Add(Operation operation, std::vector<GraphNode*> dependencies) {
  if (auto* child = std::get_if<GraphOperation>(&operation)) {
    child->graph = child->graph->Clone();
    child->graph->is_child_ = true;
  }
  auto node = std::make_shared<GraphNode>(std::move(operation), this, std::move(dependencies));
  node->handle = handles_.nodes.Add(node);
  nodes_.push_back(node);
  return node.get();
}

void Graph::Destroy(GraphNode* node) {
  for (const auto& other : nodes_) std::erase(other->dependencies, node);
  if (auto* child = std::get_if<GraphOperation>(&node->operation)) child->graph->Forget();
  (void)handles_.nodes.Remove(node->handle);
  std::erase_if(nodes_, [&](const auto& other) { return other.get() == node; });
}

bool Graph::DependsOn(const GraphNode* node, const GraphNode* other) {
  std::vector<const GraphNode*> open{node}, seen;
  while (!open.empty()) {
    const GraphNode* next = open.back();
    open.pop_back();
    if (next == other) return true;
    if (std::ranges::find(seen, next) != seen.end()) continue;
    seen.push_back(next);
    open.insert(open.end(), next->dependencies.begin(), next->dependencies.end());
  }
  return false;
}

int Graph::PositionOf(const GraphNode* node) const {
  const auto it = std::ranges::find(nodes_, node, [](const auto& owned) { return owned.get(); });
  return it == nodes_.end() ? -1 : static_cast<int>(it - nodes_.begin());
}

std::vector<int> Graph::Order() const {
  std::vector<int> order;
  std::vector<bool> done(nodes_.size());
  while (order.size() < nodes_.size()) {
    const size_t before = order.size();
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const std::vector<int> needs = DependencyPositions(*this, *nodes_[i]);
      if (done[i] || !std::ranges::all_of(needs, [&](int need) { return done[need]; })) continue;
      order.push_back(static_cast<int>(i));
      done[i] = true;
      break;
    }
    if (order.size() == before) return {};  // a cycle; AddDependencies refuses those
  }
  return order;
}

std::string Graph::ToDot(bool verbose) const {
  std::string dot = "digraph graph {\n";
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const std::string parameters = verbose ? Parameters(nodes_[i]->operation) : "";
    dot += fmt::format("  n{} [shape=box, label=\"{} {}{}{}\"];\n", i, i, kTypeNames[nodes_[i]->operation.index()],
                       parameters.empty() ? "" : "\\n", parameters);
    for (int from : DependencyPositions(*this, *nodes_[i])) dot += fmt::format("  n{} -> n{};\n", from, i);
  }
  return dot + "}\n";
}

ExecutableGraph::ExecutableGraph(const Graph& graph) : order_(graph.Order()) {
  for (const auto& node : graph.nodes()) {
    const auto* child = std::get_if<GraphOperation>(&node->operation);
    nodes_.push_back({child != nullptr ? Operation(EmptyOperation{}) : node->operation,
                      DependencyPositions(graph, *node), node->handle,
                      child != nullptr ? std::make_shared<ExecutableGraph>(*child->graph) : nullptr});
  }
}

void ExecutableGraph::Append(std::vector<const Operation*>& out) const {
  for (int position : order_) {
    const Node& node = nodes_[position];
    if (node.child != nullptr) {
      node.child->Append(out);
    } else {
      out.push_back(&node.operation);
    }
  }
}

std::vector<const Operation*> ExecutableGraph::Operations() const {
  std::vector<const Operation*> operations;
  Append(operations);
  return operations;
}

Operation* ExecutableGraph::FindOperation(hipGraphNode_t source) {
  for (Node& node : nodes_) {
    if (node.source == source && node.child == nullptr) return &node.operation;
    Operation* inside = node.child == nullptr ? nullptr : node.child->FindOperation(source);
    if (inside != nullptr) return inside;
  }
  return nullptr;
}

std::string ParameterMismatch(const Operation& from, const Operation& to, const MemoryTable& memory) {
  auto moved = [&](const char* what, const void* old_pointer, const void* new_pointer) -> std::string {
    const int old_device = DeviceOf(memory, old_pointer), new_device = DeviceOf(memory, new_pointer);
    if (old_device == new_device) return "";
    return fmt::format("the {} moved from device {} to device {} (-1: the host)", what, old_device, new_device);
  };
  if (const auto* copy = std::get_if<CopyOperation>(&from)) {
    const auto& other = std::get<CopyOperation>(to);
    const std::string destination = moved("destination", copy->dst, other.dst);
    return destination.empty() ? moved("source", copy->src, other.src) : destination;
  }
  if (const auto* fill = std::get_if<FillOperation>(&from)) {
    return moved("destination", fill->dst, std::get<FillOperation>(to).dst);
  }
  return "";
}

ExecutableGraph::Mismatch ExecutableGraph::Compare(const Graph& graph, const MemoryTable& memory) const {
  if (graph.nodes().size() != nodes_.size()) {
    return {hipGraphExecUpdateErrorTopologyChanged, nullptr,
            fmt::format("the graph has {} nodes, the executable {}", graph.nodes().size(), nodes_.size())};
  }
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const GraphNode& node = *graph.nodes()[i];
    const auto* child = std::get_if<GraphOperation>(&node.operation);
    if ((child != nullptr) != (nodes_[i].child != nullptr) ||
        (child == nullptr && node.operation.index() != nodes_[i].operation.index())) {
      const int was = nodes_[i].child != nullptr ? hipGraphNodeTypeGraph : TypeOf(nodes_[i].operation);
      return {hipGraphExecUpdateErrorNodeTypeChanged, node.handle,
              fmt::format("node {} was of type {} and is of type {}", i, kTypeNames[was],
                          kTypeNames[node.operation.index()])};
    }
    if (DependencyPositions(graph, node) != nodes_[i].dependencies) {
      return {hipGraphExecUpdateErrorTopologyChanged, node.handle, fmt::format("node {} has other dependencies", i)};
    }
    if (child != nullptr) {
      Mismatch inside = nodes_[i].child->Compare(*child->graph, memory);
      if (inside.result != hipGraphExecUpdateSuccess) return inside;
      continue;
    }
    if (const auto* kernel = std::get_if<KernelOperation>(&nodes_[i].operation)) {
      if (std::get<KernelOperation>(node.operation).function->device != kernel->function->device) {
        return {hipGraphExecUpdateErrorUnsupportedFunctionChange, node.handle,
                fmt::format("node {} has a function of another device", i)};
      }
    }
    const std::string parameters = ParameterMismatch(nodes_[i].operation, node.operation, memory);
    if (!parameters.empty()) {
      return {hipGraphExecUpdateErrorParametersChanged, node.handle, fmt::format("node {}: {}", i, parameters)};
    }
  }
  return {};
}

void ExecutableGraph::Replace(const Graph& graph) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Operation& operation = graph.nodes()[i]->operation;
    if (const auto* child = std::get_if<GraphOperation>(&operation)) {
      nodes_[i].child->Replace(*child->graph);
    } else {
      nodes_[i].operation = operation;
    }
  }
}

ExecutableGraph::Mismatch ExecutableGraph::Update(const Graph& graph, const MemoryTable& memory) {
  Mismatch mismatch = Compare(graph, memory);
  if (mismatch.result == hipGraphExecUpdateSuccess) Replace(graph);
  return mismatch;
}

ExecutableGraph::Mismatch ExecutableGraph::UpdateChild(hipGraphNode_t source, const Graph& graph,
                                                       const MemoryTable& memory) {
  for (Node& node : nodes_) {
    if (node.source == source && node.child != nullptr) return node.child->Update(graph, memory);
  }
  return {hipGraphExecUpdateError, source, "not the child graph node of the graph that was instantiated"};
}

}  // namespace rocxla::emu
