// Infeeds, outfeeds, sends and recvs; domains.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/evaluator/evaluator_test_util.h"

namespace xla {
namespace {

using testing::HasSubstr;

StatusOr<std::vector<Literal>> ResultsOf(const std::string& body, const EvaluationOptions& options = {}) {
  ASSIGN_OR_RETURN(const auto module, ParseAndReturnVerifiedModule("ENTRY main {\n" + body + "}\n", "test"));
  return Evaluate(*module, {}, options);
}

Literal Numbers(std::vector<int32_t> values) {
  return Literal::Array<int32_t>(Shape::Array(S32, {static_cast<int64_t>(values.size())}), values);
}

TEST(EvaluatorTransfersTest, InfeedsTakeTheQueueInOrder) {
  const std::string body =
      "  t = token[] after-all()\n"
      "  a = (s32[2], token[]) infeed(t), infeed_config=\"x\"\n"
      "  t1 = token[] get-tuple-element(a), index=1\n"
      "  b = ((s32[1], s32[3]), token[]) infeed(t1)\n"
      "  v = s32[2] get-tuple-element(a), index=0\n  w = (s32[1], s32[3]) get-tuple-element(b), index=0\n"
      "  ROOT r = (s32[2], (s32[1], s32[3])) tuple(v, w)\n";
  std::vector<Literal> queue = {Numbers({1, 2}), Literal::Tuple({Numbers({3}), Numbers({4, 5, 6})})};
  const auto results = ResultsOf(body, {.infeed = queue});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  ASSERT_EQ(results->size(), 3u);
  EXPECT_EQ((*results)[0], Numbers({1, 2}));
  EXPECT_EQ((*results)[1], Numbers({3}));
  EXPECT_EQ((*results)[2], Numbers({4, 5, 6}));

  queue.pop_back();
  EXPECT_EQ(ResultsOf(body, {.infeed = queue}).status().ToString(),
            "E1007 HloNotEvaluable: the queue of the infeeds is empty: the caller gave 1 values\n"
            "  where:    instruction 'b' of computation 'main'\n"
            "  found:    b = ((s32[1]{0}, s32[3]{0}), token[]) infeed(t1)");
  queue.push_back(Numbers({7}));
  EXPECT_THAT(ResultsOf(body, {.infeed = queue}).status().ToString(),
              HasSubstr("value 1 of the queue of the infeeds is s32[1]"));
}

TEST(EvaluatorTransfersTest, OutfeedsAppendInOrder) {
  const std::string body =
      "  t = token[] after-all()\n  a = s32[2] constant({1, 2})\n  b = s32[1] constant({3})\n"
      "  p = (s32[2], s32[1]) tuple(a, b)\n"
      "  o = token[] outfeed(a, t), outfeed_shape=s32[2]{0}, outfeed_config=\"x\"\n"
      "  ROOT q = token[] outfeed(p, o), outfeed_shape=(s32[2]{0}, s32[1]{0})\n";
  std::vector<Literal> sink;
  const auto results = ResultsOf(body, {.outfeed = &sink});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  ASSERT_EQ(sink.size(), 2u);
  EXPECT_EQ(sink[0], Numbers({1, 2}));
  EXPECT_EQ(sink[1], Literal::Tuple({Numbers({1, 2}), Numbers({3})}));
  EXPECT_THAT(ResultsOf(body).status().ToString(), HasSubstr("the caller takes no values of outfeeds"));
}

constexpr char kSend[] =
    "  t = token[] after-all()\n  a = s32[2] constant({5, 6})\n"
    "  s = (s32[2], u32[], token[]) send(a, t), channel_id=4\n  d = token[] send-done(s), channel_id=4\n";

TEST(EvaluatorTransfersTest, ADeviceAloneSendsToItself) {
  const auto results = ResultsOf(std::string(kSend) +
                                 "  r = (s32[2], u32[], token[]) recv(t), channel_id=4\n"
                                 "  v = (s32[2], token[]) recv-done(r), channel_id=4, control-predecessors={d}\n"
                                 "  ROOT x = s32[2] get-tuple-element(v), index=0\n");
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ((*results)[0], Numbers({5, 6}));
}

TEST(EvaluatorTransfersTest, SaysWhatNobodySends) {
  const std::string recv =
      "  r = ({}[2], u32[], token[]) recv(t), channel_id={}\n  ROOT v = ({}[2], token[]) recv-done(r)\n";
  EXPECT_THAT(ResultsOf(kSend + fmt::format(fmt::runtime(recv), "s32", 5, "s32")).status().ToString(),
              HasSubstr("no send on channel 5 has run before"));
  EXPECT_THAT(ResultsOf(kSend + fmt::format(fmt::runtime(recv), "f32", 4, "f32")).status().ToString(),
              HasSubstr("what was sent on channel 4 is s32[2]"));
  EXPECT_EQ(ResultsOf("  t = token[] after-all()\n  ROOT r = (s32[2], u32[], token[]) recv(t), channel_id=1, "
                      "is_host_transfer=true\n")
                .status()
                .ToString(),
            "E1007 HloNotEvaluable: the evaluator has no host that a recv could reach (is_host_transfer)\n"
            "  where:    instruction 'r' of computation 'main'\n"
            "  found:    r = (s32[2]{0}, u32[], token[]) recv(t), channel_id=1, is_host_transfer=true");
}

// Device d holds {d}, and gets what the device before it holds; the first gets zeros.
std::string Pipeline(std::string_view counts, std::string_view pairs) {
  const std::string attributes =
      fmt::format("channel_id=1, frontend_attributes={{_xla_send_recv_source_target_pairs=\"{}\"}}", pairs);
  return fmt::format(
      "HloModule m, {0}\nENTRY main {{\n  p = s32[1] parameter(0)\n  t = token[] after-all()\n"
      "  r = (s32[1], u32[], token[]) recv(t), {1}\n  s = (s32[1], u32[], token[]) send(p, t), {1}\n"
      "  v = (s32[1], token[]) recv-done(r), channel_id=1, control-predecessors={{s}}\n"
      "  d = token[] send-done(s), channel_id=1\n  ROOT x = s32[1] get-tuple-element(v), index=0\n}}\n",
      counts, attributes);
}

StatusOr<std::vector<int64_t>> OnDevices(const std::string& text, int64_t devices) {
  ASSIGN_OR_RETURN(const auto module, ParseAndReturnVerifiedModule(text, "test"));
  std::vector<std::vector<Literal>> arguments;
  for (int32_t d = 0; d < devices; ++d) arguments.push_back({Numbers({d + 10})});
  ASSIGN_OR_RETURN(const auto results, EvaluateOnDevices(*module, arguments));
  std::vector<int64_t> values;
  for (const std::vector<Literal>& of_device : results) values.push_back(of_device[0].GetAsInt64(0));
  return values;
}

TEST(EvaluatorTransfersTest, DevicesSendToEachOther) {
  const auto replicas = OnDevices(Pipeline("replica_count=3", "{{0,1},{1,2}}"), 3);
  ASSERT_TRUE(replicas.ok()) << replicas.status().ToString();
  EXPECT_EQ(*replicas, (std::vector<int64_t>{0, 10, 11}));
  const auto ring = OnDevices(Pipeline("num_partitions=3", "{{0,1}, {1,2}, {2,0}}"), 3);
  ASSERT_TRUE(ring.ok()) << ring.status().ToString();
  EXPECT_EQ(*ring, (std::vector<int64_t>{12, 10, 11}));
  // Partitions of one replica; device = 2 * replica + partition.
  const auto both = OnDevices(Pipeline("replica_count=2, num_partitions=2", "{{0,1},{1,0}}"), 4);
  ASSERT_TRUE(both.ok()) << both.status().ToString();
  EXPECT_EQ(*both, (std::vector<int64_t>{11, 10, 13, 12}));
}

TEST(EvaluatorTransfersTest, ARecvWithoutASendEndsWithAnError) {
  std::string text = Pipeline("replica_count=2", "{{0,1}}");
  text.replace(text.find(") send(p, t), channel_id=1"), 26, ") send(p, t), channel_id=2");
  EXPECT_THAT(OnDevices(text, 2).status().ToString(),
              HasSubstr("device 0 sends nothing on channel 1: it has ended, failed, or waits"));
  EXPECT_THAT(OnDevices(Pipeline("replica_count=2", "no pairs"), 2).status().ToString(),
              HasSubstr("_xla_send_recv_source_target_pairs of frontend_attributes does not say which"));
  EXPECT_THAT(OnDevices(Pipeline("replica_count=2", "{{0,7},{7,1}}"), 2).status().ToString(),
              HasSubstr("device 7 takes part, but the run has 2"));
}

TEST(EvaluatorTransfersTest, ADomainKeepsItsValue) {
  EXPECT_EQ(ResultText("",
                       "a = s32[2] constant({1, 2})\n  ROOT d = s32[2] domain(a), domain={kind=\"sharding\", "
                       "entry={maximal device=0}, exit={replicated}}"),
            "{1, 2}");
}

}  // namespace
}  // namespace xla
