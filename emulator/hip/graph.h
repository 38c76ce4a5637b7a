// Graphs of operations: what hipGraph_t, hipGraphNode_t and hipGraphExec_t stand for.
//
// Not thread-safe: everything here is used under Runtime::graph_mutex.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/hip/hip_types.h"
#include "emulator/hip/handle_table.h"
#include "emulator/hip/operation.h"
#include "emulator/hip/work_queue.h"

namespace rocxla::emu {

class MemoryTable;

struct GraphNode {
  Operation operation;
  Graph* graph;                          // that owns it
  std::vector<GraphNode*> dependencies;  // of the same graph
  hipGraphNode_t handle = nullptr;
  hipGraphNode_t original = nullptr;  // in a clone: the node that this one was made from
};

// Live graphs and nodes by handle.
struct GraphHandles {
  HandleTable<hipGraph_t, Graph> graphs;
  HandleTable<hipGraphNode_t, GraphNode> nodes;
};

// Owns its nodes, and those of its child graphs.
class Graph : public std::enable_shared_from_this<Graph> {
 public:
  // A new graph with a handle.
  static std::shared_ptr<Graph> Make(GraphHandles& handles);
  // A copy with nodes, and child graphs, of its own.
  std::shared_ptr<Graph> Clone() const;
  // Takes its handle and those of its nodes and child graphs away.
  void Forget();

  hipGraph_t handle() const { return handle_; }
  // A child graph belongs to its node and cannot be destroyed.
  bool is_child() const { return is_child_; }
  const std::vector<std::shared_ptr<GraphNode>>& nodes() const { return nodes_; }
  // `dependencies` are nodes of this graph. A child graph is copied.
  GraphNode* Add(Operation operation, std::vector<GraphNode*> dependencies);
  void Destroy(GraphNode* node);
  // True when `node` is `other` or must run after it.
  static bool DependsOn(const GraphNode* node, const GraphNode* other);
  // Positions of the nodes in an order in which each comes after what it depends on; of those that could come next,
  // the one that was added first.
  std::vector<int> Order() const;
  int PositionOf(const GraphNode* node) const;
  // As a drawing for Graphviz. `verbose`: with the parameters of every node.
  std::string ToDot(bool verbose) const;

 private:
  explicit Graph(GraphHandles& handles) : handles_(handles) {}

  GraphHandles& handles_;
  hipGraph_t handle_ = nullptr;
  bool is_child_ = false;
  std::vector<std::shared_ptr<GraphNode>> nodes_;  // in the order of addition
};

// A graph that is ready to be launched; later changes of the graph do not change it.
class ExecutableGraph {
 public:
  explicit ExecutableGraph(const Graph& graph);

  // The operations in the order of their execution, child graphs in place.
  std::vector<const Operation*> Operations() const;
  // The operation that came from this node; null when none did.
  Operation* FindOperation(hipGraphNode_t source);
  // Replaces the parameters of one operation, of the same type.
  struct Mismatch {
    hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
    hipGraphNode_t node = nullptr;  // of the graph that the update came from
    std::string detail;
  };
  // Replaces all parameters with those of `graph`, if that has the same nodes and edges; else changes nothing.
  Mismatch Update(const Graph& graph, const MemoryTable& memory);
  // The same for one child graph.
  Mismatch UpdateChild(hipGraphNode_t source, const Graph& graph, const MemoryTable& memory);

  Fence last_launch;  // launches follow one another

 private:
  struct Node {
    Operation operation;
    std::vector<int> dependencies;
    hipGraphNode_t source;
    std::shared_ptr<ExecutableGraph> child;
  };
  Mismatch Compare(const Graph& graph, const MemoryTable& memory) const;
  void Replace(const Graph& graph);
  void Append(std::vector<const Operation*>& out) const;

  std::vector<Node> nodes_;
  std::vector<int> order_;
};

// What keeps an operation's parameters from being exchanged for others': "" when nothing does.
std::string ParameterMismatch(const Operation& from, const Operation& to, const MemoryTable& memory);

}  // namespace rocxla::emu
