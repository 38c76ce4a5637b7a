// The shape rules of transfers, random numbers with a state, dot's kin, scans and dynamic dimensions: what follows
// each, and what breaks it with the exact words of the message.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error_ids.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

Status Verify(const std::string& root) {
  const std::string text = R"(HloModule t, replica_count=2
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
step { x = f32[] parameter(0)  c = f32[] parameter(1)  s = f32[] add(x, c)  ROOT r = (f32[], f32[]) tuple(s, s) }
keep { x = f32[] parameter(0)  c = f32[] parameter(1)  s = f32[] add(x, c)  i = s32[] constant(0)  ROOT r = (f32[], s32[]) tuple(s, i) }
twice { v = f32[<=5] parameter(0)  ROOT d = f32[<=5] add(v, v) }
ENTRY main {
  m = f32[4,6] parameter(0)
  v = f32[<=5] parameter(1)
  w = f32[5] parameter(2)
  f = f32[] parameter(3)
  n = s32[] parameter(4)
  g = s64[3] parameter(5)
  q = f32[3,6,2] parameter(6)
  d = f32[<=4,6] parameter(7)
  i = s32[4] parameter(8)
  scale = bf16[2,3] parameter(9)
  h = f16[] parameter(10)
  t = token[] after-all()
  s = (f32[5], u32[], token[]) send(w, t), channel_id=1
  r = (f32[5], u32[], token[]) recv(t), channel_id=1
  ROOT )" + root + "\n}\n";
  return ParseAndReturnVerifiedModule(text, "t").status();
}

const std::string kRagged = "ragged-dot(m, q, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, ";

TEST(ShapeRulesOfTransfers, Accepted) {
  for (const std::string& root : std::vector<std::string>{
           "o = f32[4] rng(f, f), distribution=rng_normal", "o = s32[] rng(n, n), distribution=rng_uniform",
           "o = u64[2] rng-get-and-update-state(), delta=-3", "o = (f32[<=5], token[]) infeed(t)",
           "o = token[] outfeed(w, t)", "o = token[] send-done(s)", "o = (f32[5], token[]) recv-done(r)",
           "o = f32[5] domain(w), domain={kind=\"sharding\", entry={replicated}, exit={maximal device=0}}",
           "o = f32[4,2] " + kRagged + "lhs_ragged_dims={0}, rhs_group_dims={0}",
           "o = f32[4,4] scaled-dot(m, m, scale, scale), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
           "o = (f32[5], f32[]) scan(w, f), dimensions={0}, num_carries=1, to_apply=step",
           "o = f32[5] ragged-all-to-all(w, w, i, i, i, i)"}) {
    EXPECT_TRUE(Verify(root).ok()) << root << "\n" << Verify(root).ToString();
  }
}

// The problem, what was found, and what was expected.
struct Refusal {
  std::string root, what, found, expected;
};

void ExpectRefused(const std::vector<Refusal>& refusals) {
  for (const auto& [root, what, found, expected] : refusals) {
    const Status status = Verify(root);
    EXPECT_EQ(status.id(), ErrorId::kHloVerifier) << root << "\n" << status.ToString();
    EXPECT_THAT(status.ToString(), HasSubstr("E1004 HloVerifier: " + what + "\n")) << root;
    EXPECT_THAT(status.ToString(), HasSubstr("\n  found:    " + found + "\n  expected: " + expected)) << root;
  }
}

TEST(ShapeRulesOfTransfers, RandomNumbersRefused) {
  ExpectRefused({{"o = f32[4] rng(f, h), distribution=rng_uniform",
                  "the operands of rng are the least value and the one above all", "(f32[], f16[])",
                  "two scalars of the type of f32[4]"},
                 {"o = f32[4] rng(f), distribution=rng_normal", "the operands of rng are mean and standard deviation",
                  "(f32[])", "two scalars of the type of f32[4]"},
                 {"o = s32[4] rng(n, n), distribution=rng_normal", "a normal distribution is one of floats", "s32[4]",
                  "floating-point elements, or distribution=rng_uniform"},
                 {"o = u64[3] rng-get-and-update-state(), delta=1",
                  "the shape of this rng-get-and-update-state does not follow from its operands", "u64[3]", "u64[2]"}});
}

TEST(ShapeRulesOfTransfers, TransfersRefused) {
  ExpectRefused({{"o = (f32[5], token[]) infeed(w)", "operand 0 of infeed must be a token", "f32[5]", "token[]"},
                 {"o = f32[5] infeed(t)", "infeed gives a value and a token", "f32[5]", "(value, token[])"},
                 {"o = token[] outfeed(w, w)", "operand 1 of outfeed must be a token", "f32[5]", "token[]"},
                 {"o = token[] outfeed(w, t), outfeed_shape=f32[4]", "outfeed_shape is not the shape of the value",
                  "f32[4]", "f32[5]"},
                 {"o = (f32[5], token[]) send(w, t)", "the shape of this send does not follow from its operands",
                  "(f32[5], token[])", "(f32[5], u32[], token[])"},
                 {"o = f32[5] recv(t)", "recv gives a value on its way, a context and a token", "f32[5]",
                  "(value, u32[], token[])"},
                 {"o = token[] send-done(t)", "send-done waits for a send", "token[]",
                  "what send gives: (value, u32[], token[])"},
                 {"o = (f32[5], token[]) recv-done(s)", "recv-done waits for a recv", "send",
                  "what recv gives: (value, u32[], token[])"},
                 {"o = f32[5] domain(w), domain={x}", "a domain has a kind, an entry and an exit", "domain={x}",
                  "domain={kind=\"sharding\", entry={...}, exit={...}}"}});
}

TEST(ShapeRulesOfTransfers, ProductsRefused) {
  ExpectRefused(
      {{"o = f32[4,2] " + kRagged + "lhs_ragged_dims={0}",
        "the right side of ragged-dot has the groups as a dimension where rows are ragged, and only there",
        "rhs_group_dims={} of f32[3,6,2]", "rhs_group_dims={d}, neither batch nor contracting"},
       {"o = f32[4,2] " + kRagged + "lhs_ragged_dims={0}, rhs_group_dims={1}",
        "the right side of ragged-dot has the groups as a dimension where rows are ragged, and only there",
        "rhs_group_dims={1} of f32[3,6,2]", "rhs_group_dims={d}, neither batch nor contracting"},
       {"o = f32[4,2] " + kRagged + "lhs_ragged_dims={0,1}, rhs_group_dims={0}",
        "ragged-dot has one ragged dimension of its left side", "lhs_ragged_dims={0,1} of f32[4,6]",
        "lhs_ragged_dims={d}"},
       {"o = f32[4,2] ragged-dot(m, q, i), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, "
        "rhs_group_dims={0}",
        "operand 2 of ragged-dot must be the sizes of the groups", "s32[4]", "[3] or [3]"},
       {"o = f32[4,4] scaled-dot(m, m, scale, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
        "operand 3 of scaled-dot must be the scales of operand 1", "f32[5] for f32[4,6]",
        "floats, and in each dimension a number of scales that divides the number of values"}});
}

TEST(ShapeRulesOfTransfers, ScansAndRaggedExchangesRefused) {
  ExpectRefused({{"o = (f32[5], f32[]) scan(w, f), dimensions={0}, num_carries=2, to_apply=step",
                  "scan takes inputs, then the first carries, and goes along one dimension",
                  "2 operands, num_carries=2, dimensions={0}", "at least one input, and one dimension"},
                 {"o = (f32[5], s32[]) scan(w, f), dimensions={0}, num_carries=1, to_apply=keep",
                  "to_apply of scan must give slices of the results, then the next carries", "(f32[], s32[])",
                  "arrays, then (f32[])"},
                 {"o = (f32[5], f32[]) scan(w, n), dimensions={0}, num_carries=1, to_apply=step",
                  "the parameters of to_apply 'step' do not fit what it is given", "parameters (f32[], f32[])",
                  "parameters (f32[], s32[])"},
                 {"o = f32[5] ragged-all-to-all(w, m, i, i, i, i)",
                  "the input and the output of ragged-all-to-all do not fit together", "(f32[5], f32[4,6])",
                  "arrays of one type that differ in dimension 0 only"},
                 {"o = f32[5] ragged-all-to-all(w, w, i, i, g, i)",
                  "operand 4 of ragged-all-to-all must be a list of offsets or sizes", "s64[3]",
                  "integers, as many as operand 2 has: a multiple of 2, the devices of a group"}});
}

// --- Which dimensions are dynamic.

TEST(DynamicDimensions, FollowFromTheOperands) {
  for (const char* root : {"o = f32[<=5] negate(v)",
                           "o = f32[<=5] add(w, v)",
                           "o = pred[<=5] compare(v, w), direction=LT",
                           "o = s32[<=5] convert(v)",
                           "o = f32[6,<=4] transpose(d), dimensions={1,0}",
                           "o = f32[2,<=5] broadcast(v), dimensions={1}",
                           "o = f32[<=10] concatenate(w, v), dimensions={0}",
                           "o = f32[<=8] pad(v, f), padding=1_2",
                           "o = f32[<=4,2] slice(d), slice={[0:4], [1:3]}",
                           "o = f32[2,6] slice(d), slice={[0:2], [0:6]}",
                           "o = f32[<=4,1] dynamic-slice(d, n, n), dynamic_slice_sizes={4,1}",
                           "o = f32[<=5] dynamic-update-slice(v, w, n)",
                           "o = f32[6] reduce(d, f), dimensions={0}, to_apply=add",
                           "o = f32[<=4] reduce(d, f), dimensions={1}, to_apply=add",
                           "o = f32[<=4,<=4] dot(d, d), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
                           "o = f32[6,6] dot(d, m), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
                           "o = f32[<=4] reduce-window(v, f), window={size=2}, to_apply=add",
                           "o = f32[<=24] reshape(d)",
                           "o = f32[<=4] dynamic-reshape(v, n)",
                           "o = f32[<=5] set-dimension-size(w, n), dimensions={0}",
                           "o = f32[5] set-dimension-size(v, n), dimensions={0}",
                           "o = s32[] get-dimension-size(v), dimensions={0}",
                           "o = f32[<=5] call(v), to_apply=twice"}) {
    EXPECT_TRUE(Verify(root).ok()) << root << "\n" << Verify(root).ToString();
  }
}

TEST(DynamicDimensions, Refused) {
  ExpectRefused(
      {{"o = f32[5] negate(v)", "the shape of this negate does not follow from its operands", "f32[5]", "f32[<=5]"},
       {"o = f32[<=5] negate(w)", "the shape of this negate does not follow from its operands", "f32[<=5]", "f32[5]"},
       {"o = f32[<=6] reduce(d, f), dimensions={0}, to_apply=add",
        "the shape of this reduce does not follow from its operands", "f32[<=6]", "f32[6]"},
       {"o = s32[<=3] iota(), iota_dimension=0", "the shape of this iota does not follow from its operands", "s32[<=3]",
        "s32[3]"},
       {"o = s32[<=2] constant({1, 2})", "the shape of this constant does not follow from its operands", "s32[<=2]",
        "s32[2]"},
       {"o = f32[24] reshape(d)", "a reshape of an array with dynamic dimensions has some too", "f32[<=4,6] to f32[24]",
        "a bound, such as <=5"},
       {"o = f32[<=5] call(w), to_apply=twice", "the parameters of to_apply 'twice' do not fit what it is given",
        "parameters (f32[<=5])", "parameters (f32[5])"},
       {"o = f32[<=5] set-dimension-size(w, f), dimensions={0}", "set-dimension-size does not take this element type",
        "f32[]", "integer elements"},
       {"o = f32[<=5] set-dimension-size(w, n), dimensions={1}",
        "dimensions must name different dimensions of the array", "dimensions={1}", "different numbers from 0 to 0"},
       {"o = f32[<=4,2] dynamic-reshape(v, n)", "dynamic-reshape takes a size for each dimension of its result",
        "1 sizes for f32[<=4,2]", "2 sizes"},
       {"o = f16[<=4] dynamic-reshape(v, n)", "dynamic-reshape keeps the element type", "f16[<=4]", "f32 elements"}});
}

}  // namespace
}  // namespace xla
