// Explicit graphs: nodes, order, execution, clones, child graphs, updates.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "emulator/hip/embedded_test.h"

namespace rocxla::emu {
namespace {

class EmbeddedGraphs : public EmbeddedTest {
 protected:
  EmbeddedGraphs() { EXPECT_EQ(hip.hipGraphCreate(&graph, 0), hipSuccess); }
  ~EmbeddedGraphs() override {
    hip.hipStreamDestroy(stream);
    hip.hipGraphDestroy(graph);
    hip.hipFree(device);
  }
  hipMemsetParams FillParams(uint32_t value, size_t word = 0) {
    return {.dst = static_cast<char*>(device) + word * 4,
            .elementSize = 4,
            .height = 1,
            .pitch = 0,
            .value = value,
            .width = 1};
  }
  hipGraphNode_t Fill(uint32_t value, std::vector<hipGraphNode_t> after = {}, size_t word = 0,
                      hipGraph_t where = nullptr) {
    hipGraphNode_t node = nullptr;
    const hipMemsetParams params = FillParams(value, word);
    EXPECT_EQ(hip.hipGraphAddMemsetNode(&node, where == nullptr ? graph : where, after.data(), after.size(), &params),
              hipSuccess)
        << Detail();
    return node;
  }
  // A node that notes when it ran.
  hipGraphNode_t Note(int& slot, std::vector<hipGraphNode_t> after = {}) {
    static int next = 0;
    const hipHostNodeParams params{[](void* slot) { *static_cast<int*>(slot) = ++next; }, &slot};
    hipGraphNode_t node = nullptr;
    EXPECT_EQ(hip.hipGraphAddHostNode(&node, graph, after.data(), after.size(), &params), hipSuccess) << Detail();
    return node;
  }
  hipGraphExec_t Instantiate(hipGraph_t which) {
    hipGraphExec_t exec = nullptr;
    EXPECT_EQ(hip.hipGraphInstantiate(&exec, which, nullptr, nullptr, 0), hipSuccess) << Detail();
    return exec;
  }
  void Run(hipGraphExec_t exec) {
    EXPECT_EQ(hip.hipGraphLaunch(exec, stream), hipSuccess) << Detail();
    EXPECT_EQ(hip.hipStreamSynchronize(stream), hipSuccess) << Detail();
  }
  uint32_t Word(size_t word = 0) { return Words(static_cast<char*>(device) + word * 4, 1)[0]; }
  // What an update with a graph says.
  hipGraphExecUpdateResult Update(hipGraphExec_t exec, hipGraph_t with, hipGraphNode_t* node = nullptr) {
    hipGraphNode_t error_node = nullptr;
    hipGraphExecUpdateResult result = hipGraphExecUpdateError;
    const hipError_t error = hip.hipGraphExecUpdate(exec, with, &error_node, &result);
    EXPECT_EQ(error, result == hipGraphExecUpdateSuccess ? hipSuccess : hipErrorGraphExecUpdateFailure);
    if (node != nullptr) *node = error_node;
    return result;
  }

  hipStream_t stream = Stream();
  hipGraph_t graph = nullptr;
  void* device = Malloc(64);
};

TEST_F(EmbeddedGraphs, RunsAsOftenAsItIsLaunched) {
  uint32_t host = 0;
  hipGraphNode_t fill = Fill(7), copy = nullptr;
  ASSERT_EQ(hip.hipGraphAddMemcpyNode1D(&copy, graph, &fill, 1, &host, device, 4, hipMemcpyDeviceToHost), hipSuccess)
      << Detail();
  hipGraphExec_t exec = Instantiate(graph);
  EXPECT_EQ(host, 0u);
  for (int i = 0; i < 3; ++i) {
    host = 0;
    Run(exec);
    EXPECT_EQ(host, 7u);
  }
  EXPECT_EQ(hip.hipGraphExecDestroy(exec), hipSuccess);
  EXPECT_EQ(hip.hipGraphExecDestroy(exec), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipGraphLaunch(exec, stream), hipErrorInvalidHandle);
}

// The order of addition is not the order of execution.
TEST_F(EmbeddedGraphs, DependenciesGiveTheOrder) {
  int last = 0, first = 0, middle = 0;
  hipGraphNode_t last_node = Note(last), first_node = Note(first), middle_node = Note(middle, {first_node});
  EXPECT_EQ(hip.hipGraphAddDependencies(graph, &middle_node, &last_node, 1), hipSuccess) << Detail();
  hipGraphExec_t exec = Instantiate(graph);
  Run(exec);
  EXPECT_LT(first, middle);
  EXPECT_LT(middle, last);
  hip.hipGraphExecDestroy(exec);
}

TEST_F(EmbeddedGraphs, TellsItsNodesAndEdges) {
  hipGraphNode_t a = Fill(1), b = Fill(2, {a}), c = Fill(3, {a, b});
  size_t count = 0;
  EXPECT_EQ(hip.hipGraphGetNodes(graph, nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 3u);
  std::vector<hipGraphNode_t> nodes(4);
  count = 4;
  EXPECT_EQ(hip.hipGraphGetNodes(graph, nodes.data(), &count), hipSuccess);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(nodes, (std::vector<hipGraphNode_t>{a, b, c, nullptr}));
  count = 4;
  EXPECT_EQ(hip.hipGraphGetRootNodes(graph, nodes.data(), &count), hipSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(nodes[0], a);
  std::vector<hipGraphNode_t> from(3), to(3);
  count = 3;
  EXPECT_EQ(hip.hipGraphGetEdges(graph, from.data(), to.data(), &count), hipSuccess);
  EXPECT_EQ(from, (std::vector<hipGraphNode_t>{a, a, b}));
  EXPECT_EQ(to, (std::vector<hipGraphNode_t>{b, c, c}));
  count = 2;
  EXPECT_EQ(hip.hipGraphNodeGetDependencies(c, nodes.data(), &count), hipSuccess);
  EXPECT_EQ(count, 2u);
  hipGraphNodeType type = hipGraphNodeTypeEmpty;
  EXPECT_EQ(hip.hipGraphNodeGetType(c, &type), hipSuccess);
  EXPECT_EQ(type, hipGraphNodeTypeMemset);
  EXPECT_EQ(hip.hipGraphDestroyNode(b), hipSuccess);
  hip.hipGraphGetEdges(graph, nullptr, nullptr, &count);
  EXPECT_EQ(count, 1u);
}

TEST_F(EmbeddedGraphs, MistakesInEdges) {
  hipGraphNode_t a = Fill(1), b = Fill(2, {a}), node = nullptr;
  EXPECT_EQ(hip.hipGraphAddDependencies(graph, &b, &a, 1), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("the edge would close a cycle"));
  EXPECT_EQ(hip.hipGraphAddDependencies(graph, &a, &a, 1), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipGraphAddDependencies(graph, &a, &b, 1), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("there already"));
  hipGraph_t other = nullptr;
  hip.hipGraphCreate(&other, 0);
  EXPECT_EQ(hip.hipGraphAddEmptyNode(&node, other, &a, 1), hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("node of another graph"));
  EXPECT_EQ(hip.hipGraphDestroy(other), hipSuccess);
  EXPECT_EQ(hip.hipGraphDestroy(other), hipErrorInvalidHandle);
  EXPECT_EQ(hip.hipGraphAddEmptyNode(&node, other, nullptr, 0), hipErrorInvalidHandle);
}

TEST_F(EmbeddedGraphs, NodesAreCheckedWhenTheyAreAdded) {
  hipGraphNode_t node = nullptr;
  hipMemsetParams params = FillParams(1);
  params.width = 17;
  EXPECT_EQ(hip.hipGraphAddMemsetNode(&node, graph, nullptr, 0, &params), hipErrorInvalidValue);
  params.elementSize = 3;
  EXPECT_EQ(hip.hipGraphAddMemsetNode(&node, graph, nullptr, 0, &params), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, device, 65, hipMemcpyDeviceToDevice),
            hipErrorInvalidValue);
  hipKernelNodeParams kernel{};
  EXPECT_EQ(hip.hipGraphAddKernelNode(&node, graph, nullptr, 0, &kernel), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(hip.hipGraphAddHostNode(&node, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
}

TEST_F(EmbeddedGraphs, ExecutableDoesNotFollowTheGraph) {
  Fill(1);
  hipGraphExec_t exec = Instantiate(graph);
  Fill(2);
  EXPECT_EQ(hip.hipGraphDestroy(graph), hipSuccess);
  Run(exec);
  EXPECT_EQ(Word(), 1u);
  hip.hipGraphExecDestroy(exec);
}

TEST_F(EmbeddedGraphs, Clones) {
  hipGraphNode_t a = Fill(1), b = Fill(2, {a}), found = nullptr;
  hipGraph_t clone = nullptr;
  ASSERT_EQ(hip.hipGraphClone(&clone, graph), hipSuccess);
  EXPECT_EQ(hip.hipGraphNodeFindInClone(&found, b, clone), hipSuccess);
  EXPECT_NE(found, b);
  hipGraphNode_t dependency = nullptr;
  size_t count = 1;
  EXPECT_EQ(hip.hipGraphNodeGetDependencies(found, &dependency, &count), hipSuccess);
  hip.hipGraphNodeFindInClone(&found, a, clone);
  EXPECT_EQ(dependency, found);
  EXPECT_EQ(hip.hipGraphNodeFindInClone(&found, a, graph), hipErrorInvalidValue);
  hipGraphExec_t exec = Instantiate(clone);
  EXPECT_EQ(hip.hipGraphDestroy(clone), hipSuccess);
  Run(exec);
  EXPECT_EQ(Word(), 2u);
  hip.hipGraphExecDestroy(exec);
}

TEST_F(EmbeddedGraphs, ChildGraphs) {
  hipGraph_t child = nullptr, inside = nullptr;
  hip.hipGraphCreate(&child, 0);
  hipGraphNode_t inner = Fill(5, {}, 1, child), before = Fill(1), node = nullptr;
  ASSERT_EQ(hip.hipGraphAddChildGraphNode(&node, graph, &before, 1, child), hipSuccess) << Detail();
  Fill(9, {node}, 2);
  EXPECT_EQ(hip.hipGraphChildGraphNodeGetGraph(node, &inside), hipSuccess);
  EXPECT_NE(inside, child) << "a copy";
  EXPECT_EQ(hip.hipGraphDestroy(inside), hipErrorInvalidValue) << "it belongs to the node";
  EXPECT_EQ(hip.hipGraphAddChildGraphNode(&node, graph, nullptr, 0, graph), hipErrorInvalidValue);
  hipGraphExec_t exec = Instantiate(graph);
  Run(exec);
  EXPECT_EQ(Words(device, 3), (std::vector<uint32_t>{1, 5, 9}));

  const hipMemsetParams other = FillParams(6, 1);
  hipGraph_t changed = nullptr;
  hip.hipGraphCreate(&changed, 0);
  hipGraphNode_t changed_node = nullptr;
  hip.hipGraphAddMemsetNode(&changed_node, changed, nullptr, 0, &other);
  EXPECT_EQ(hip.hipGraphExecChildGraphNodeSetParams(exec, node, changed), hipSuccess) << Detail();
  Run(exec);
  EXPECT_EQ(Word(1), 6u);
  hip.hipGraphAddEmptyNode(&changed_node, changed, nullptr, 0);
  EXPECT_EQ(hip.hipGraphExecChildGraphNodeSetParams(exec, node, changed), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipGraphExecChildGraphNodeSetParams(exec, inner, changed), hipErrorInvalidValue);
  hip.hipGraphExecDestroy(exec);
  hip.hipGraphDestroy(child);
  hip.hipGraphDestroy(changed);
}

TEST_F(EmbeddedGraphs, ParametersOfOneNode) {
  uint32_t source = 11;
  hipGraphNode_t fill = Fill(1), copy = nullptr;
  hip.hipGraphAddMemcpyNode1D(&copy, graph, &fill, 1, static_cast<char*>(device) + 4, &source, 4,
                              hipMemcpyHostToDevice);
  hipGraphExec_t exec = Instantiate(graph);
  const hipMemsetParams params = FillParams(3);
  EXPECT_EQ(hip.hipGraphExecMemsetNodeSetParams(exec, fill, &params), hipSuccess) << Detail();
  EXPECT_EQ(hip.hipGraphExecMemcpyNodeSetParams1D(exec, copy, static_cast<char*>(device) + 8, &source, 4,
                                                  hipMemcpyHostToDevice),
            hipSuccess);
  Run(exec);
  EXPECT_EQ(Word(0), 3u);
  EXPECT_EQ(Word(2), 11u);
  EXPECT_EQ(hip.hipGraphExecMemsetNodeSetParams(exec, copy, &params), hipErrorInvalidValue) << "another type";
  hip.hipSetDevice(1);
  void* elsewhere = Malloc(4);
  EXPECT_EQ(hip.hipGraphExecMemcpyNodeSetParams1D(exec, copy, elsewhere, &source, 4, hipMemcpyHostToDevice),
            hipErrorInvalidValue);
  EXPECT_TRUE(DetailHas("the destination moved from device 0 to device 1")) << Detail();
  hip.hipFree(elsewhere);
  hip.hipGraphExecDestroy(exec);
}

TEST_F(EmbeddedGraphs, UpdatesReportWhatDiffers) {
  hipGraphNode_t a = Fill(1), error_node = nullptr;
  Fill(2, {a}, 1);
  hipGraphExec_t exec = Instantiate(graph);
  hipGraph_t same = nullptr, edges = nullptr, types = nullptr, fewer = nullptr;
  for (hipGraph_t* each : {&same, &edges, &types, &fewer}) hip.hipGraphCreate(each, 0);
  hipGraphNode_t first = Fill(8, {}, 0, same);
  Fill(9, {first}, 1, same);
  Fill(8, {}, 0, edges);
  hipGraphNode_t unlinked = Fill(9, {}, 1, edges);
  first = Fill(8, {}, 0, types);
  hipGraphNode_t empty = nullptr;
  hip.hipGraphAddEmptyNode(&empty, types, &first, 1);
  Fill(8, {}, 0, fewer);
  EXPECT_EQ(Update(exec, edges, &error_node), hipGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(error_node, unlinked);
  EXPECT_EQ(Update(exec, types, &error_node), hipGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(error_node, empty);
  EXPECT_TRUE(DetailHas("node 1 was of type Memset and is of type Empty")) << Detail();
  EXPECT_EQ(Update(exec, fewer), hipGraphExecUpdateErrorTopologyChanged);
  Run(exec);
  EXPECT_EQ(Words(device, 2), (std::vector<uint32_t>{1, 2})) << "a failed update changes nothing";
  EXPECT_EQ(Update(exec, same), hipGraphExecUpdateSuccess);
  Run(exec);
  EXPECT_EQ(Words(device, 2), (std::vector<uint32_t>{8, 9}));
  for (hipGraph_t each : {same, edges, types, fewer}) hip.hipGraphDestroy(each);
  hip.hipGraphExecDestroy(exec);
}

TEST_F(EmbeddedGraphs, EventNodes) {
  hipEvent_t event = Event();
  Gate gate;
  hipStream_t other = Stream();
  hipGraphNode_t fill = Fill(4), record = nullptr;
  ASSERT_EQ(hip.hipGraphAddEventRecordNode(&record, graph, &fill, 1, event), hipSuccess);
  hipGraphExec_t exec = Instantiate(graph);
  gate.Close(hip, stream);
  EXPECT_EQ(hip.hipGraphLaunch(exec, stream), hipSuccess);
  EXPECT_EQ(hip.hipEventQuery(event), hipErrorNotReady);
  uint32_t value = 0;
  hip.hipStreamWaitEvent(other, event, 0);
  hip.hipMemcpyAsync(&value, device, 4, hipMemcpyDeviceToHost, other);
  gate.Open();
  EXPECT_EQ(hip.hipStreamSynchronize(other), hipSuccess);
  EXPECT_EQ(value, 4u);
  hip.hipGraphExecDestroy(exec);
  hip.hipEventDestroy(event);
  hip.hipStreamDestroy(other);
}

TEST_F(EmbeddedGraphs, Drawing) {
  hipGraphNode_t a = Fill(1);
  Fill(2, {a});
  const std::string path = ::testing::TempDir() + "graph.dot";
  ASSERT_EQ(hip.hipGraphDebugDotPrint(graph, path.c_str(), 0), hipSuccess);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(),
            "digraph graph {\n"
            "  n0 [shape=box, label=\"0 Memset\"];\n"
            "  n1 [shape=box, label=\"1 Memset\"];\n"
            "  n0 -> n1;\n"
            "}\n");
  EXPECT_EQ(hip.hipGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0), hipErrorOperatingSystem);
}

TEST_F(EmbeddedGraphs, InstantiationFlags) {
  hipGraphExec_t exec = nullptr;
  EXPECT_EQ(hip.hipGraphInstantiateWithFlags(&exec, graph, hipGraphInstantiateFlagDeviceLaunch), hipErrorNotSupported);
  EXPECT_EQ(hip.hipGraphInstantiateWithFlags(&exec, graph, 64), hipErrorInvalidValue);
  EXPECT_EQ(hip.hipGraphInstantiateWithFlags(&exec, graph, hipGraphInstantiateFlagAutoFreeOnLaunch), hipSuccess);
  Run(exec);
  hip.hipGraphExecDestroy(exec);
}

}  // namespace
}  // namespace rocxla::emu
