// The forms that HLO text may take, and what is kept of it.
#include "xla/hlo/parser/hlo_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/ir/hlo_equality.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::unique_ptr<HloModule> Parse(std::string_view text) {
  auto module = ParseAndReturnVerifiedModule(text, "test");
  if (!module.ok()) ADD_FAILURE() << module.status().ToString();
  return module.ok() ? std::move(module).value() : nullptr;
}

// Parses, prints, parses again, and gives the entry's text without its first and last line.
std::string EntryLines(std::string_view text) {
  auto module = Parse(text);
  if (module == nullptr) return "";
  EXPECT_TRUE(Equal(*module, *Parse(module->ToString()), CompareNames::kYes));
  const std::string printed = module->entry_computation()->ToString();
  return printed.substr(printed.find('\n') + 1, printed.size() - printed.find('\n') - 4);
}

TEST(HloParser, FormsOfOneProgram) {
  const char* const forms[] = {
      R"(HloModule m
ENTRY main {
  a = f32[2,3]{1,0} parameter(0)
  ROOT b = f32[2,3]{1,0} add(a, a)
})",
      R"(HloModule m
// a comment
ENTRY %main (a: f32[2,3]) -> f32[2,3] {
  %a = f32[2,3] parameter(0) /* another
  one */
  ROOT %b = f32[2,3] add(f32[2,3] %a, f32[2,3]{1,0} %a)
})",
      R"(HloModule m ENTRY main{a=f32[2,3]parameter(0) b=f32[2,3]add(a,a)})",
      R"(HloModule m
main {
  a = f32[2,3] parameter(0)
  b = f32[2,3] add(f32[2,3] a, a)
}, execution_thread="main")",
  };
  for (const char* form : forms) EXPECT_TRUE(Equal(*Parse(forms[0]), *Parse(form), CompareNames::kYes)) << form;
}

TEST(HloParser, HeaderIsKept) {
  auto module = Parse(R"(HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, )"
                      R"(entry_computation_layout={(f32[4]{0}, /*index=1*/s32[])->(f32[4]{0})}, )"
                      R"(frontend_attributes={a="x,y}",b={"q"}}, replica_count=2, num_partitions=8
ENTRY main {
  a = f32[4] parameter(0)
  b = s32[] parameter(1)
  ROOT t = (f32[4]) tuple(a)
})");
  EXPECT_EQ(module->name(), "jit_f");
  EXPECT_EQ(module->config().replica_count, 2);
  EXPECT_EQ(module->config().num_partitions, 8);
  EXPECT_THAT(module->config().other_attributes,
              ElementsAre(Pair("is_scheduled", "true"), Pair("input_output_alias", "{ {0}: (0, {}, may-alias) }"),
                          Pair("frontend_attributes", R"({a="x,y}",b={"q"}})")));
  EXPECT_EQ(module->config().entry_computation_layout->ToString(), "(f32[4]{0}, s32[])->(f32[4]{0})");
  EXPECT_THAT(module->ToString(),
              HasSubstr("HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, "
                        "entry_computation_layout={(f32[4]{0}, s32[])->(f32[4]{0})}, "
                        "frontend_attributes={a=\"x,y}\",b={\"q\"}}, replica_count=2, num_partitions=8\n"));
  EXPECT_TRUE(Equal(*module, *Parse(module->ToString()), CompareNames::kYes));
}

TEST(HloParser, StackFrameTablesAreKept) {
  auto module = Parse(R"(HloModule m

FileNames
1 "/a b/c.py"
2 "<frozen runpy>"

FunctionNames
1 "<module>"

FileLocations
1 {file_name_id=1 function_name_id=1 line=42 end_line=42 column=2 end_column=8}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY main { ROOT a = f32[] parameter(0), metadata={op_name="x" stack_frame_id=1} }
)");
  const std::string& tables = module->config().stack_frame_tables;
  EXPECT_TRUE(tables.starts_with("FileNames\n1 \"/a b/c.py\"\n"));
  EXPECT_TRUE(tables.ends_with("1 {file_location_id=1 parent_frame_id=1}"));
  EXPECT_EQ(module->entry_computation()->root_instruction()->metadata().other, "stack_frame_id=1");
  EXPECT_TRUE(Equal(*module, *Parse(module->ToString()), CompareNames::kYes));
}

TEST(HloParser, AttributesThatEveryInstructionMayHave) {
  EXPECT_EQ(
      EntryLines(R"(ENTRY main {
  ROOT a = f32[2] parameter(0), backend_config={"x":{"y":[1,"}"]}}, metadata={op_type="t" op_name="jit(f)/\"q\"\\n\t\303\251" )"
                 R"(source_file="/a/b.py" source_line=3 stack_frame_id=6}, frontend_attributes={k="v"}, )"
                 R"(sharding={devices=[2,1]<=[2] /*axis*/ last_tile_dims={manual}}, statistics={visualizing_index=0}
})"),
      R"(  ROOT a = f32[2]{0} parameter(0), sharding={devices=[2,1]<=[2] /*axis*/ last_tile_dims={manual}}, )"
      R"(frontend_attributes={k="v"}, statistics={visualizing_index=0}, metadata={op_type="t" )"
      "op_name=\"jit(f)/\\\"q\\\"\\\\n\\t\303\251\" source_file=\"/a/b.py\" source_line=3 stack_frame_id=6}, "
      R"(backend_config={"x":{"y":[1,"}"]}})");
  auto module = Parse(R"(ENTRY main { ROOT a = f32[] parameter(0), backend_config="a \"quoted\" }" })");
  EXPECT_EQ(module->entry_computation()->root_instruction()->raw_backend_config(), R"("a \"quoted\" }")");
}

TEST(HloParser, OpcodesPrintTheirAttributes) {
  const char* const body = R"(  m = f32[2,3]{1,0} parameter(0)
  f = f32[] parameter(1)
  i = s32[] parameter(2)
  broadcast.1 = f32[2,3,4]{2,1,0} broadcast(m), dimensions={0,1}
  slice.1 = f32[1,2]{1,0} slice(m), slice={[1:2], [0:3:2]}
  pad.1 = f32[5,1]{1,0} pad(m, f), padding=1_1_1x-1_-1_0
  iota.1 = u32[4,2]{1,0} iota(), iota_dimension=1
  concatenate.1 = f32[4,3]{1,0} concatenate(m, m), dimensions={0}
  dot.1 = f32[2,2]{1,0} dot(m, m), lhs_contracting_dims={1}, rhs_contracting_dims={1}, operand_precision={highest,default}, algorithm=dot_f32_f32_f32
  compare.1 = pred[2,3]{1,0} compare(m, m), direction=GE, order=TOTAL
  dynamic-slice.1 = f32[1,3]{1,0} dynamic-slice(m, i, i), dynamic_slice_sizes={1,3}
  reduce-precision.1 = f32[2,3]{1,0} reduce-precision(m), exponent_bits=5, mantissa_bits=10
  constant.1 = bf16[2]{0} constant({1, -0.5})
  ROOT tuple.1 = (f32[], s32[]) tuple(f, i))";
  EXPECT_EQ(EntryLines("ENTRY main {\n" + std::string(body) + "\n}"), body);
}

// Every opcode of windows, places and algorithms with every attribute that it may have.
TEST(HloParser, WindowsPlacesAndAlgorithmsPrintTheirAttributes) {
  const std::string computations = R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
less { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=LT }
)";
  const char* const body = R"(  m = f32[4,3]{1,0} parameter(0)
  i = s32[4,2]{1,0} parameter(1)
  f = f32[] parameter(2)
  q = f32[5,4,3]{2,1,0} parameter(3)
  u = f32[4]{0} parameter(4)
  v = f32[4,3]{1,0} parameter(5)
  image = bf16[2,8,8,6]{3,2,1,0} parameter(6)
  kernel = bf16[3,3,2,6]{3,2,1,0} parameter(7)
  c = c64[5,4,4]{2,1,0} parameter(8)
  gather.1 = f32[4,3]{1,0} gather(q, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0,2}, operand_batching_dims={1}, start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1,3}, indices_are_sorted=true
  scatter.1 = f32[5,4,3]{2,1,0} scatter(q, i, u), update_window_dims={}, inserted_window_dims={0,2}, scatter_dims_to_operand_dims={2,0}, input_batching_dims={1}, scatter_indices_batching_dims={0}, index_vector_dim=1, indices_are_sorted=true, unique_indices=true, to_apply=add
  sort.1 = f32[4,3]{1,0} sort(m), dimensions={1}, is_stable=true, to_apply=less
  topk.1 = (f32[4,2]{1,0}, s32[4,2]{1,0}) topk(m), k=2, largest=false, is_stable=true
  convolution.1 = f32[2,5,6,6]{3,2,1,0} convolution(image, kernel), window={size=3x3 stride=2x3 pad=2_1x-1_1 lhs_dilate=1x3 rhs_dilate=1x2 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f, feature_group_count=3, operand_precision={highest,default}
  convolution.2 = bf16[1,6,6,6]{3,2,1,0} convolution(image, k1), window={size=3x3}, dim_labels=b01f_01io->b01f, batch_group_count=2
  reduce-window.1 = f32[3,2]{1,0} reduce-window(m, f), window={size=2x2}, to_apply=add
  select-and-scatter.1 = f32[4,3]{1,0} select-and-scatter(m, v, f), window={size=2x1 pad=1_0x0_0}, select=less, scatter=add
  cholesky.1 = c64[5,4,4]{2,1,0} cholesky(c), lower=true
  triangular-solve.1 = c64[5,4,4]{2,1,0} triangular-solve(c, c), left_side=true, lower=true, unit_diagonal=true, transpose_a=ADJOINT
  fft.1 = f32[5,4,6]{2,1,0} fft(c), fft_type=IRFFT, fft_length={4,6}
  partition-id.1 = u32[] partition-id()
  replica-id.1 = u32[] replica-id()
  custom-call.1 = (f32[4,3]{1,0}, s32[]) custom-call(m, f), custom_call_target="a b, c", operand_layout_constraints={f32[4,3]{1,0}, f32[]}, to_apply=add, called_computations={add, less}, custom_call_has_side_effect=true, output_to_operand_aliasing={{0}: (0, {})}, api_version=API_VERSION_STATUS_RETURNING
  get-dimension-size.1 = s32[] get-dimension-size(m), dimensions={1}
  opt-barrier.1 = f32[4,3]{1,0} opt-barrier(m))";
  std::string text = body;
  text.insert(text.find("  gather.1"), "  k1 = bf16[3,3,6,6]{3,2,1,0} parameter(9)\n");
  text += "\n  ROOT tuple.1 = (f32[]) tuple(f)";
  auto module = Parse(computations + "ENTRY main {\n" + text + "\n}");
  ASSERT_NE(module, nullptr);
  std::string lines;
  for (const HloInstruction* instruction : module->entry_computation()->instructions()) {
    const bool is_root = instruction->IsRoot();
    lines += (lines.empty() ? "  " : "\n  ") + std::string(is_root ? "ROOT " : "") + instruction->ToString();
  }
  EXPECT_EQ(lines, text);
  EXPECT_TRUE(Equal(*module, *Parse(module->ToString()), CompareNames::kYes));
}

// Both ways of saying a default are one program.
TEST(HloParser, DefaultsAreNotKept) {
  const auto line = [](const std::string& instruction) {
    return EntryLines("ENTRY m {\n  a = f32[4,4]{1,0} parameter(0)\n  ROOT r = f32[4,4]{1,0} " + instruction + "\n}");
  };
  EXPECT_EQ(line("convolution(a, a), window={}, dim_labels=bf_io->bf, feature_group_count=1, batch_group_count=1"),
            line("convolution(a, a), dim_labels=bf_io->bf"));
  EXPECT_EQ(line("cholesky(a), lower=false"), line("cholesky(a)"));
  EXPECT_EQ(line("triangular-solve(a, a), left_side=false, lower=false, unit_diagonal=false, transpose_a=TRANSPOSE"),
            line("triangular-solve(a, a), transpose_a=TRANSPOSE"));
  EXPECT_NE(line("convolution(a, a), dim_labels=bf_io->bf"), line("convolution(a, a), dim_labels=bf_oi->bf"));
}

TEST(HloParser, Accessors) {
  auto module = Parse(R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
ENTRY main {
  q = f32[5,2,3] parameter(0)
  f = f32[] constant(1.5)
  r = f32[5] reduce(q, f), dimensions={1,2}, to_apply=add
  d = f32[5,2,2] dot(q, q), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={2}
  s = f32[1,2,3] slice(q), slice={[1:5:4], [0:2], [0:3]}
  p = f32[6,2,3] pad(q, f), padding=0_1x0_0x0_0
  c = pred[5,2,3] compare(q, q), direction=LT
  ROOT t = (f32[5], f32[5,2,2]) tuple(r, d)
})");
  const HloInstruction* root = module->entry_computation()->root_instruction();
  const HloInstruction* r = root->operand(0);
  EXPECT_THAT(r->dimensions(), ElementsAre(1, 2));
  EXPECT_EQ(r->to_apply(), module->FindComputation("add"));
  EXPECT_EQ(r->input_count(), 1);
  EXPECT_EQ(r->operand(1)->literal().Get<float>(0), 1.5f);
  EXPECT_THAT(root->operand(1)->dot_dimension_numbers().rhs_contracting_dimensions, ElementsAre(2));
  EXPECT_THAT(root->operand(1)->dot_dimension_numbers().lhs_batch_dimensions, ElementsAre(0));
  const auto instructions = module->entry_computation()->instructions();
  EXPECT_EQ(instructions[4]->slice_strides(0), 4);
  EXPECT_EQ(instructions[5]->padding_config()[0].edge_padding_high, 1);
  EXPECT_EQ(instructions[6]->comparison_direction(), ComparisonDirection::kLt);
  EXPECT_EQ(instructions[6]->comparison_type(), ComparisonType::kFloat);
}

TEST(HloParser, Literals) {
  const char* const body = R"(  a = f32[2,2]{1,0} constant({ {1, nan}, {-inf, 1e-05} })
  b = c64[2]{0} constant({(1, -2), (0, 3)})
  c = pred[2]{0} constant({1, 0})
  d = s4[3]{0} constant({-8, 7, 0})
  e = f8e4m3fn[2]{0} constant({448, nan})
  f = (s32[], f32[2]{0}) constant((7, {1, 2}))
  g = f32[0]{0} constant({})
  h = f32[1000,1000]{1,0} constant({...})
  i = f32[2,1,1]{2,1,0} constant({ { {1} }, { {2} } })
  ROOT z = f32[] constant(nan(0x400001)))";
  EXPECT_EQ(EntryLines("ENTRY main {\n" + std::string(body) + "\n}"), body);
  auto module = Parse("ENTRY main { ROOT a = f32[2,2]{0,1} constant({ /*i0=0*/ { 1, 2 }, /*i0=1*/ { 3, 4 } }) }");
  // Logical order, whatever the layout.
  EXPECT_EQ(module->entry_computation()->root_instruction()->literal().Get<float>(1), 2.0f);
}

TEST(HloParser, RootMayStandAnywhere) {
  auto module = Parse("ENTRY m { a = f32[] parameter(0) ROOT b = f32[] negate(a) c = f32[] sine(b) }");
  EXPECT_EQ(module->entry_computation()->root_instruction()->name(), "b");
  EXPECT_EQ(module->instruction_count(), 3);
}

TEST(HloParser, WithoutEntryTheLastComputationIsIt) {
  EXPECT_EQ(Parse("f { ROOT a = f32[] parameter(0) } g { ROOT a = f32[] parameter(0) }")->entry_computation()->name(),
            "g");
}

}  // namespace
}  // namespace xla
