// What the recorded programs do not have: every attribute, every element type, headers; and protos that are wrong.
#include "xla/hlo/proto/hlo_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/proto/hlo.pb.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

std::string ThroughProto(const std::string& text) {
  const auto module = ParseAndReturnUnverifiedModule(text, "text");
  if (!module.ok()) return module.status().ToString();
  const auto bytes = SerializeHloProto(**module);
  if (!bytes.ok()) return bytes.status().ToString();
  const auto again = ParseHloProto(*bytes, "proto");
  return again.ok() ? (*again)->ToString() : again.status().ToString();
}

// The instruction's line comes back; `line` must be as printed.
void ExpectLineComesBack(const std::string& line, const std::string& before = "",
                         const std::string& computations = "") {
  const std::string text = "HloModule m\n\n" + computations + "ENTRY main {\n" + before + "  ROOT " + line + "\n}\n";
  EXPECT_EQ(ThroughProto(text), text);
}

constexpr char kParameter[] = "  p = f32[2,3]{1,0} parameter(0)\n";

TEST(HloProto, ShardingsComeBack) {
  for (const char* sharding : {"{replicated}",
                               "{manual}",
                               "{unknown}",
                               "{unreduced}",
                               "{maximal device=3}",
                               "{devices=[2,2]0,1,2,3}",
                               "{devices=[4,1,2]<=[8] last_tile_dim_replicate}",
                               "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}",
                               "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
                               "{replicated shard_as 3}",
                               "{devices=[2,1]<=[2] shard_like 4 metadata={op_name=\"a\"}}",
                               "{replicated metadata={{op_name=\"a\"}, {op_type=\"b\" stack_frame_id=2}}}",
                               "{mesh['d'=8], [{'d'}, {}]}",
                               "{mesh['a'=2,'b'=4], [{'b', 'a'}, {?}], replicated={'a'}}",
                               "{mesh['a'=8], [{'a':(2)4, ?}, {}], unreduced={'a':(1)2}}",
                               "{mesh['a'=2,'b'=2], device_ids=(3,2,1,0), [{'a'}, {}], manual={'b'}}",
                               "{mesh[], replicated}",
                               "{mesh['a'=2], unreduced}",
                               "{mesh['a'=2], manual, metadata={{op_name=\"a\"}}}",
                               "{maximal_mesh[device_id=3]}"}) {
    SCOPED_TRACE(sharding);
    ExpectLineComesBack("p = f32[2,3]{1,0} parameter(0), sharding=" + std::string(sharding));
  }
  ExpectLineComesBack(
      "p = (f32[], (s32[], f32[])) parameter(0), sharding={{replicated}, {maximal device=1}, {manual}}");
}

TEST(HloProto, WhatEveryInstructionMayHaveComesBack) {
  for (const char* attribute :
       {"frontend_attributes={a=\"x\\ny\",b={\"k\": [1, {}]}}", "statistics={visualizing_index=1,stat-1=33,stat-2=4.5}",
        "origin={{\"constant.3\"}}", "origin={{\"t\" {1,0}}}",
        "metadata={op_type=\"a\" op_name=\"b\\\"c\" source_file=\"d.py\" source_line=7 source_end_line=8 "
        "source_column=1 "
        "source_end_column=2 size_of_generated_code_in_bytes=4294967296 deduplicated_name=\"n\" "
        "scheduling_name=\"s\" stack_frame_id=5}",
        "backend_config={\"known_trip_count\":{\"n\":\"3\"}}", "backend_config=\"\\001\\000plain\""}) {
    SCOPED_TRACE(attribute);
    ExpectLineComesBack("n = f32[2,3]{1,0} negate(p), " + std::string(attribute), kParameter);
  }
  ExpectLineComesBack("n = f32[2,3]{1,0} negate(p), control-predecessors={a, b}",
                      std::string(kParameter) + "  a = f32[2,3]{1,0} abs(p)\n  b = f32[2,3]{1,0} sine(p)\n");
}

TEST(HloProto, LayoutsComeBack) {
  for (const char* layout : {"{0,1}", "{1,0:T(8,128)(2,1)}", "{1,0:T(8)L(4)E(4)S(5)}", "{0,1:SC(1:2)(0:1,2)M(8)}"})
    ExpectLineComesBack("p = f32[2,3]" + std::string(layout) + " parameter(0)");
  ExpectLineComesBack("p = (f32[4]{0}, (token[], opaque[]), ()) parameter(0)");
}

TEST(HloProto, AttributesOfSingleOpcodesComeBack) {
  const std::string add =
      "add {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] add(x, y)\n}\n\n";
  ExpectLineComesBack(
      "c = f32[2,3]{1,0} custom-call(p), custom_call_target=\"a\\\"b\", operand_layout_constraints={f32[2,3]{0,1}}, "
      "called_computations={add}, custom_call_has_side_effect=true, output_to_operand_aliasing={{}: (0, {})}, "
      "api_version=API_VERSION_TYPED_FFI",
      kParameter, add);
  ExpectLineComesBack(
      "d = f32[2,2]{1,0} dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
      "operand_precision={default,highest}, algorithm=dot_bf16_bf16_f32_x3",
      kParameter);
  ExpectLineComesBack("c = pred[2,3]{1,0} compare(p, p), direction=GE, type=TOTALORDER", kParameter);
  ExpectLineComesBack("c = pred[2,3]{1,0} compare(p, p), direction=GE, order=TOTAL", kParameter);
  ExpectLineComesBack("c = pred[2,3]{1,0} compare(p, p), direction=NE", kParameter);
  ExpectLineComesBack("n = f32[4,9]{1,0} pad(p, z), padding=-1_3_0x0_2_2",
                      std::string(kParameter) + "  z = f32[] constant(nan)\n");
  ExpectLineComesBack("s = f32[1,2]{1,0} slice(p), slice={[1:2], [0:3:2]}", kParameter);
  for (const char* groups : {"{}", "{{0,1},{2,3}}", "[2,2]<=[4]", "[2,2]<=[2,2]T(1,0)", "mesh['a'=2,'b'=2] {'b'}"}) {
    ExpectLineComesBack("r = f32[2,3]{1,0} all-reduce(p), channel_id=3" +
                            (std::string(groups) == "{}" ? "" : ", replica_groups=" + std::string(groups)) +
                            ", to_apply=add",
                        kParameter, add);
  }
  ExpectLineComesBack("r = f32[2,3]{1,0} collective-permute(p), source_target_pairs={{0,1},{1,0}}", kParameter);
  ExpectLineComesBack("s = (f32[2,3]{1,0}, f32[2,3]{1,0}, u32[]) copy-start(p), cross_program_prefetch_index=0",
                      kParameter);
}

// A token, and a computation of two scalars to two.
constexpr char kToken[] = "  t = token[] after-all()\n";
constexpr char kStep[] =
    "step {\n  x = f32[] parameter(0)\n  c = f32[] parameter(1)\n  s = f32[] add(x, c)\n"
    "  ROOT r = (f32[], f32[]) tuple(s, s)\n}\n\n";

TEST(HloProto, WhatComesFromAndGoesToOthersComesBack) {
  const std::string parameter = kParameter;
  ExpectLineComesBack("i = ((f32[2]{0}, s32[]), token[]) infeed(t), infeed_config=\"a\\\"b\"", kToken);
  ExpectLineComesBack("i = (f32[2]{0}, token[]) infeed(t)", kToken);
  ExpectLineComesBack("o = token[] outfeed(p, t), outfeed_shape=f32[2,3]{0,1}, outfeed_config=\"x\"",
                      parameter + kToken);
  ExpectLineComesBack("s = (f32[2,3]{1,0}, u32[], token[]) send(p, t), channel_id=3, is_host_transfer=true",
                      parameter + kToken);
  const std::string send = "  s = (f32[2,3]{1,0}, u32[], token[]) send(p, t), channel_id=3\n";
  ExpectLineComesBack("d = token[] send-done(s), channel_id=3", parameter + kToken + send);
  const std::string recv = "  s = (f32[2]{0}, u32[], token[]) recv(t), channel_id=3\n";
  ExpectLineComesBack("d = (f32[2]{0}, token[]) recv-done(s), channel_id=3", kToken + recv);
  ExpectLineComesBack(
      "d = f32[2,3]{1,0} domain(p), domain={kind=\"sharding\", entry={maximal device=1}, exit={devices=[2,1]<=[2]}}",
      kParameter);
  ExpectLineComesBack("u = u64[2]{0} rng-get-and-update-state(), delta=4096");
  for (const char* distribution : {"rng_uniform", "rng_normal"}) {
    ExpectLineComesBack("r = f32[7]{0} rng(a, a), distribution=" + std::string(distribution),
                        "  a = f32[] constant(1)\n");
  }
}

TEST(HloProto, RaggedAndScaledProductsAndScansComeBack) {
  const std::string operands =
      "  p = f32[4,6,8]{2,1,0} parameter(0)\n  q = f32[5,8,4,3]{3,2,1,0} parameter(1)\n  g = s64[5]{0} parameter(2)\n";
  ExpectLineComesBack(
      "r = f32[4,6,3]{2,1,0} ragged-dot(p, q, g), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={2}, "
      "rhs_contracting_dims={1}, lhs_ragged_dims={1}, rhs_group_dims={0}, operand_precision={high,default}",
      operands);
  ExpectLineComesBack(
      "r = f32[5,2,2]{2,1,0} ragged-dot(p, p, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
      "lhs_ragged_dims={1}",
      std::string(kParameter) + "  g = s64[5]{0} parameter(1)\n");
  ExpectLineComesBack("r = f32[2,2]{1,0} scaled-dot(p, p, s, s), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
                      std::string(kParameter) + "  s = f8e8m0fnu[2,1]{1,0} parameter(1)\n");
  for (const char* rest :
       {"", "is_reverse=true, ", "is_associative=true, ", "is_reverse=true, is_associative=false, "}) {
    ExpectLineComesBack(
        "r = (f32[4]{0}, f32[]) scan(a, c), dimensions={0}, num_carries=1, " + std::string(rest) + "to_apply=step",
        "  a = f32[4]{0} parameter(0)\n  c = f32[] parameter(1)\n", kStep);
  }
  ExpectLineComesBack("r = f32[9]{0} ragged-all-to-all(a, o, i, i, i, i), channel_id=2, replica_groups={{0,1},{2,3}}",
                      "  a = f32[4]{0} parameter(0)\n  o = f32[9]{0} parameter(1)\n  i = s32[2]{0} parameter(2)\n");
}

TEST(HloProto, DynamicDimensionsComeBack) {
  ExpectLineComesBack("p = (f32[<=5,3]{1,0}, (s8[2,<=7]{0,1}, u8[])) parameter(0)");
  ExpectLineComesBack("s = f32[2,<=3]{1,0} set-dimension-size(p, n), dimensions={1}",
                      std::string(kParameter) + "  n = s32[] parameter(1)\n");
  ExpectLineComesBack("s = f32[<=6]{0} dynamic-reshape(p, n)", std::string(kParameter) + "  n = s32[] parameter(1)\n");
}

TEST(HloProto, HeadersComeBack) {
  const std::string text =
      "HloModule m, is_scheduled=true, alias_passthrough_params=true, "
      "input_output_alias={ {0}: (1, {}, may-alias), {1}: (0, {}, must-alias) }, buffer_donor={ (0, {}) }, "
      "entry_computation_layout={(f32[2]{0}, f32[2]{0})->(f32[2]{0}, f32[2]{0})}, "
      "allow_spmd_sharding_propagation_to_parameters={true,false}, allow_spmd_sharding_propagation_to_output={true}, "
      "frontend_attributes={fingerprint=\"9e\"}, replica_count=2, num_partitions=4\n\n"
      "FileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n2 \"<module>\"\n\n"
      "FileLocations\n1 {file_name_id=1 function_name_id=2 line=3 end_line=4 column=5 end_column=6}\n\n"
      "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n2 {file_location_id=1 parent_frame_id=2}\n\n"
      "ENTRY main {\n  a = f32[2]{0} parameter(0)\n  b = f32[2]{0} parameter(1)\n"
      "  ROOT t = (f32[2]{0}, f32[2]{0}) tuple(b, a)\n}\n";
  EXPECT_EQ(ThroughProto(text), text);
}

// A schedule is the order of the text, which need not be that of printing.
TEST(HloProto, SchedulesKeepTheirOrder) {
  const auto module = ParseAndReturnVerifiedModule(
      "HloModule m, is_scheduled=true\nENTRY main {\n  a = f32[] parameter(0)\n  late = f32[] negate(a)\n"
      "  early = f32[] abs(a)\n  ROOT s = f32[] add(early, late)\n}\n");
  ASSERT_TRUE(module.ok());
  const auto again = ParseHloProto(*SerializeHloProto(**module), "proto");
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  std::string order;
  for (const HloInstruction* instruction : (*again)->entry_computation()->instructions())
    order += instruction->name() + " ";
  EXPECT_EQ(order, "a late early s ");
}

// All bits of all types: counting patterns hold NaNs with payloads.
TEST(HloProto, LiteralsKeepTheirBits) {
  for (int i = 0; i < TUPLE; ++i) {
    const auto type = static_cast<PrimitiveType>(i);
    if (type == F6E2M3FN || type == F6E3M2FN) continue;
    SCOPED_TRACE(PrimitiveTypeName(type));
    const Shape shape = Shape::Array(type, {3, 5}, Layout({0, 1}));
    Literal literal = Literal::Zeros(shape);
    for (int64_t n = 0; n < literal.element_count(); ++n) {
      if (IsFloat(type) || IsComplex(type)) {
        for (int b = 0; b < ByteWidth(type); ++b)
          literal.mutable_bytes()[n * ByteWidth(type) + b] =
              BitWidth(type) < 8 ? n : static_cast<uint8_t>(n % 2 == 0 ? 0xff - (b == 0 ? n : 0) : 17 * n + b);
      } else {
        literal.SetFromInt64(n, type == PRED ? n % 2 : n * 0x0f1e2d3c4b5a6978 - 7);
      }
    }
    HloModule module("m");
    auto computation = std::make_unique<HloComputation>("main");
    computation->AddInstruction(HloInstruction::CreateConstant(literal), "c");
    module.AddEntryComputation(std::move(computation));
    const auto bytes = SerializeHloProto(module);
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    const auto again = ParseHloProto(*bytes, "proto");
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    EXPECT_EQ((*again)->entry_computation()->root_instruction()->literal(), literal);
  }
}

TEST(HloProto, SaysWhatHasNoPlaceInAProto) {
  EXPECT_THAT(ThroughProto("ENTRY main { ROOT p = f6e2m3fn[2] parameter(0) }"), HasSubstr("E1009 HloNotInProto"));
  EXPECT_THAT(ThroughProto("ENTRY main { ROOT c = f32[9] constant({...}) }"), HasSubstr("values are not known"));
  EXPECT_THAT(ThroughProto("ENTRY main { ROOT p = f32[2] parameter(0), metadata={op_name=\"\\377\"} }"),
              HasSubstr("not UTF-8"));
  EXPECT_THAT(ThroughProto("HloModule m, something_new=3\nENTRY main { ROOT p = f32[2] parameter(0) }"),
              HasSubstr("something_new has no place"));
  const auto module = ParseAndReturnVerifiedModule("ENTRY main { ROOT c = f32[] constant(nan(0x400001)) }");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  EXPECT_TRUE(SerializeHloProto(**module).ok());
  EXPECT_THAT(PrintHloProto(**module).status().ToString(), HasSubstr("cannot hold the bits of this NaN"));
}

// --- Protos that are wrong. ---

// A good one: negate(parameter).
proto::HloModuleProto Good() {
  const auto module =
      ParseAndReturnVerifiedModule("HloModule m\nENTRY main { p = f32[2] parameter(0)\n ROOT n = f32[2] negate(p) }");
  proto::HloModuleProtoWithConfig proto;
  proto.ParseFromString(*SerializeHloProto(**module));
  return proto.hlo_module();
}

template <class Change>
std::string ErrorAfter(const Change& change) {
  proto::HloModuleProto module = Good();
  change(module, *module.mutable_computations(0), *module.mutable_computations(0)->mutable_instructions(1));
  const auto read = ParseHloProto(module.SerializeAsString(), "bad.pb");
  return read.ok() ? "accepted" : read.status().ToString();
}
using M = proto::HloModuleProto&;
using C = proto::HloComputationProto&;
using I = proto::HloInstructionProto&;

// XLA refuses a program shape whose parameters have no names.
TEST(HloProto, ProgramShapesNameTheirParameters) {
  const auto module = ParseAndReturnVerifiedModule(
      "HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}\n"
      "ENTRY main {\n  x = f32[2]{0} parameter(0)\n  ROOT y = f32[2]{0} negate(x)\n}\n",
      "text");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto bytes = SerializeHloProto(**module);
  ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
  proto::HloModuleProtoWithConfig read;
  ASSERT_TRUE(read.ParseFromString(*bytes));
  for (const auto& shape :
       {read.hlo_module().host_program_shape(), read.hlo_module().computations(0).program_shape()}) {
    ASSERT_EQ(shape.parameter_names_size(), 1);
    EXPECT_EQ(shape.parameter_names(0), "x");
  }
}

TEST(HloProto, ReadsAllMessagesThatHoldAModule) {
  const proto::HloModuleProto module = Good();
  EXPECT_TRUE(ParseHloProto(module.SerializeAsString(), "bare").ok());
  proto::HloSnapshot snapshot;
  *snapshot.mutable_hlo()->mutable_hlo_module() = module;
  EXPECT_TRUE(ParseHloProto(snapshot.hlo().SerializeAsString(), "HloProto").ok());
  EXPECT_TRUE(ParseHloProto(snapshot.SerializeAsString(), "HloSnapshot").ok());
}

TEST(HloProto, WrongProtosAreErrorsThatNameTheInstruction) {
  EXPECT_EQ(ErrorAfter([](M, C, I) {}), "accepted");
  const std::string where = "bad.pb: computation 'main', instruction 'n'";
  const auto operand = ErrorAfter([](M, C, I n) { n.set_operand_ids(0, n.id()); });
  EXPECT_THAT(operand, HasSubstr("an operand does not stand before its use"));
  EXPECT_THAT(operand, HasSubstr(where));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.set_opcode("negat"); }), HasSubstr("Did you mean 'negate'?"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.set_opcode("shuffle"); }), HasSubstr("E1003"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.set_name("a b"); }), HasSubstr("the name of an instruction is none"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.set_name("p"); }), HasSubstr("the same name"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.set_id(n.operand_ids(0)); }), HasSubstr("the same id"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.clear_shape(); }), HasSubstr("no element type"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.mutable_shape()->set_dimensions(0, int64_t{1} << 62); }),
              HasSubstr("the array is too large"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.mutable_shape()->set_dimensions(0, 3); }), HasSubstr("E1004 HloVerifier"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.mutable_shape()->set_is_dynamic_dimension(0, true); }),
              HasSubstr("found:    f32[<=2]"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.mutable_shape()->set_dimensions(0, std::numeric_limits<int64_t>::min()); }),
              HasSubstr("dynamic dimensions without a bound"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.mutable_shape()->mutable_layout()->set_minor_to_major(0, 1); }),
              HasSubstr("name each dimension once"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.add_dimensions(1); }),
              HasSubstr("negate has no use for the field dimensions"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.GetReflection()->MutableUnknownFields(&n)->AddVarint(98, 1); }),
              HasSubstr("field 98"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.set_opcode("iota"); }), HasSubstr("must be one number"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.add_called_computation_ids(7); }),
              HasSubstr("does not stand before its caller"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.add_control_predecessor_ids(77); }), HasSubstr("a control predecessor"));
  EXPECT_THAT(ErrorAfter([](M, C c, I) { c.set_root_id(77); }), HasSubstr("root_id 77"));
  EXPECT_THAT(ErrorAfter([](M, C c, I) { c.clear_instructions(); }), HasSubstr("the computation is empty"));
  EXPECT_THAT(ErrorAfter([](M m, C, I) { m.set_entry_computation_id(77); }), HasSubstr("entry_computation_id 77"));
  EXPECT_THAT(
      ErrorAfter([](M m, C c, I) { (*m.mutable_schedule()->mutable_sequences())[c.id()].add_instruction_ids(77); }),
      HasSubstr("the schedule names an instruction that is not there"));
  EXPECT_THAT(ErrorAfter([](M m, C, I) { *m.add_computations() = m.computations(0); }), HasSubstr("the same name"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) {
                n.set_opcode("constant"), n.clear_operand_ids();
                *n.mutable_literal()->mutable_shape() = n.shape();
                n.mutable_literal()->add_f32s(1);
              }),
              HasSubstr("another number of values"));
  EXPECT_THAT(ErrorAfter([](M, C, I n) { n.mutable_sharding()->mutable_named_sharding()->add_replicated_axes(); }),
              HasSubstr("the mesh has no such axis"));
}

TEST(HloProto, OtherBytesAreErrors) {
  EXPECT_THAT(ParseHloProto("", "e").status().ToString(), HasSubstr("E1008 HloBadProto"));
  EXPECT_THAT(ParseHloProto("HloModule m", "e").status().ToString(), HasSubstr("no HLO proto"));
  EXPECT_THAT(ParseHloProtoText("hlo_module { name: 3 }", "e.pbtxt").status().ToString(), HasSubstr("e.pbtxt:1:20"));
  EXPECT_THAT(ParseHloProtoText("computations { instructions { new_field: 3 } }", "e").status().ToString(),
              HasSubstr("new_field"));
}

}  // namespace
}  // namespace xla
