// The shape rules, each with texts that follow it and texts that break it. Elementwise opcodes are covered completely:
// every opcode with every element type.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error_ids.h"
#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

Status Verify(const std::string& text) { return ParseAndReturnVerifiedModule(text, "t").status(); }

bool Takes(const OpcodeInfo& info, PrimitiveType type) {
  switch (TypeClassOf(type)) {
    case TypeClass::kPred:
      return (info.traits & op_trait::kPred) != 0;
    case TypeClass::kSigned:
    case TypeClass::kUnsigned:
      return (info.traits & op_trait::kInteger) != 0;
    case TypeClass::kFloat:
      return (info.traits & op_trait::kFloating) != 0;
    case TypeClass::kComplex:
      return (info.traits & op_trait::kComplex) != 0;
    case TypeClass::kOther:
      return false;
  }
  return false;
}

PrimitiveType ResultType(HloOpcode opcode, PrimitiveType type) {
  switch (opcode) {
    case HloOpcode::kCompare:
    case HloOpcode::kIsFinite:
      return PRED;
    case HloOpcode::kAbs:
    case HloOpcode::kReal:
    case HloOpcode::kImag:
      return ComplexComponentType(type);
    case HloOpcode::kComplex:
      return type == F64 ? C128 : C64;
    default:
      return type;
  }
}

std::string ElementwiseModule(const OpcodeInfo& info, PrimitiveType type) {
  std::string attributes;
  if (info.opcode == HloOpcode::kCompare) attributes = ", direction=NE";
  if (info.opcode == HloOpcode::kReducePrecision) attributes = ", exponent_bits=5, mantissa_bits=3";
  const std::string_view name = PrimitiveTypeName(type);
  const std::string_view first = info.opcode == HloOpcode::kSelect ? "pred" : name;
  std::string operands = "a";
  for (int i = 1; i < info.arity; ++i) operands += ", b";
  return fmt::format(
      "ENTRY m {{\n  a = {}[2,3]{{1,0}} parameter(0)\n  b = {}[2,3]{{1,0}} parameter(1)\n  ROOT r = "
      "{}[2,3]{{1,0}} {}({}){}\n}}\n",
      first, name, PrimitiveTypeName(ResultType(info.opcode, type)), info.text, operands, attributes);
}

TEST(ShapeRules, EveryElementwiseOpcodeWithEveryType) {
  int accepted = 0;
  for (const OpcodeInfo& info : AllOpcodes()) {
    if ((info.traits & op_trait::kElementwise) == 0) continue;
    for (int t = 0; t < TUPLE; ++t) {
      const auto type = static_cast<PrimitiveType>(t);
      if (info.opcode == HloOpcode::kComplex && type != F32 && type != F64) continue;
      const std::string text = ElementwiseModule(info, type);
      const auto module = ParseAndReturnVerifiedModule(text, "t");
      if (!Takes(info, type)) {
        ASSERT_EQ(module.status().id(), ErrorId::kHloVerifier) << text;
        EXPECT_THAT(module.status().message(), HasSubstr("does not take this element type"));
        continue;
      }
      ASSERT_TRUE(module.ok()) << text << module.status().ToString();
      EXPECT_EQ((*module)->ToString(), "HloModule module\n\n" + text);
      ++accepted;
    }
  }
  EXPECT_GT(accepted, 700);
}

TEST(ShapeRules, ElementwiseOpcodesNeedEqualShapes) {
  for (const OpcodeInfo& info : AllOpcodes()) {
    if ((info.traits & op_trait::kElementwise) == 0 || !Takes(info, F32)) continue;
    std::string text = ElementwiseModule(info, F32);
    text.replace(text.find("ROOT r = ") + 9, text.find('[', text.find("ROOT r")) - text.find("ROOT r") - 9,
                 PrimitiveTypeName(ResultType(info.opcode, F32)));
    std::string wrong_result = text;
    wrong_result.replace(wrong_result.rfind("[2,3]"), 5, "[3,2]");
    EXPECT_EQ(Verify(wrong_result).id(), ErrorId::kHloVerifier) << wrong_result;
    if (info.arity < 2) continue;
    std::string wrong_operand = text;
    wrong_operand.replace(wrong_operand.find("[2,3]"), 5, "[3,2]");
    EXPECT_EQ(Verify(wrong_operand).id(), ErrorId::kHloVerifier) << wrong_operand;
  }
}

// `body` uses these parameters; its last line is the root.
std::string Module(const std::string& body) {
  return R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
and { x = pred[] parameter(0)  y = pred[] parameter(1)  ROOT z = pred[] and(x, y) }
both {
  x = f32[] parameter(0)  i = s32[] parameter(1)  y = f32[] parameter(2)  j = s32[] parameter(3)
  ROOT t = (f32[], s32[]) tuple(x, i)
}
neg { x = f32[2,3] parameter(0)  ROOT y = f32[2,3] negate(x) }
cond { x = f32[2,3] parameter(0)  ROOT y = pred[] constant(false) }
one { x = f32[2,3] parameter(0)  ROOT y = f32[] constant(1) }
ENTRY main {
  m = f32[2,3] parameter(0)
  n = f32[3,4] parameter(1)
  q = f32[5,2,3] parameter(2)
  k = s32[2,3] parameter(3)
  f = f32[] parameter(4)
  i = s32[] parameter(5)
  p = pred[] parameter(6)
  b = bf16[2,3] parameter(7)
  t = (f32[2,3], s32[]) parameter(8)
  c = c64[2,3] parameter(9)
  )" + body +
         "\n}\n";
}

TEST(ShapeRules, Accepted) {
  for (const char* body : {
           "r = s32[4,5] iota(), iota_dimension=1",
           "r = f32[5,2,3] broadcast(m), dimensions={1,2}",
           "r = f32[7] broadcast(f), dimensions={}",
           "r = f32[3,2] reshape(m)",
           "r = f32[1,6,1] reshape(m)",
           "r = f32[3,2]{0,1} transpose(m), dimensions={1,0}",
           "r = f32[3,5,2] transpose(q), dimensions={2,0,1}",
           "r = s32[6] bitcast(m)",
           "r = f32[2,3] reverse(m), dimensions={1}",
           "r = f32[1,2] slice(m), slice={[1:2], [0:3:2]}",
           "r = f32[4,3] concatenate(m, m), dimensions={0}",
           "r = f32[6,4] pad(m, f), padding=1_2_1x-1_2_0",
           "r = f32[1,2] dynamic-slice(m, i, i), dynamic_slice_sizes={1,2}",
           "u = f32[1,2] constant({ {1, 2} })\n  r = f32[2,3] dynamic-update-slice(m, u, i, i)",
           "r = bf16[2,3] convert(m)",
           "r = c64[2,3] convert(m)",
           "r = s32[2,3] bitcast-convert(m)",
           "r = u8[2,3,4] bitcast-convert(m)",
           "u = u8[3,4] constant({ {1,2,3,4}, {1,2,3,4}, {1,2,3,4} })\n  r = f32[3] bitcast-convert(u)",
           "r = f32[2,4] dot(m, n), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
           "r = f32[2,3,3,4] dot(m, n)",
           "r = f32[5,2,2] dot(q, q), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
           "rhs_contracting_dims={2}",
           "r = f32[2,2] dot(b, b), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
           "r = f32[2] reduce(m, f), dimensions={1}, to_apply=add",
           "r = f32[] reduce(m, f), dimensions={0,1}, to_apply=add",
           "r = (f32[3], s32[3]) reduce(m, k, f, i), dimensions={0}, to_apply=both",
           "r = f32[2,3] map(m, m), dimensions={0,1}, to_apply=add",
           "r = f32[2,3] call(m), to_apply=neg",
           "r = f32[2,3] fusion(m), kind=kLoop, calls=neg",
           "r = f32[2,3] while(m), condition=cond, body=neg",
           "r = f32[2,3] conditional(p, m, m), true_computation=neg, false_computation=neg",
           "r = f32[2,3] conditional(i, m, m, m), branch_computations={neg, neg, neg}",
           "r = (f32[2,3], (f32[2,3], s32[])) tuple(m, t)",
           "r = s32[] get-tuple-element(t), index=1",
           "r = f32[2,3] clamp(f, m, f)",
           "r = f32[2,3] select(p, m, m)",
           "r = pred[2,3] compare(c, c), direction=EQ",
           "r = pred[2,3] compare(m, m), direction=LT, type=TOTALORDER",
           "r = pred[2,3] compare(m, m), direction=LT, order=TOTAL",
       }) {
    const Status status = Verify(Module(body));
    EXPECT_TRUE(status.ok()) << body << "\n" << status.ToString();
  }
}

struct Broken {
  const char* body;
  const char* what;
};

TEST(ShapeRules, Refused) {
  for (const auto& [body, what] : std::vector<Broken>{
           {"r = s32[] iota(), iota_dimension=0", "iota must give an array with at least one dimension"},
           {"r = s32[4] iota(), iota_dimension=1", "iota_dimension must name different dimensions"},
           {"r = pred[4] iota(), iota_dimension=0", "iota does not take this element type"},
           {"r = f32[5,2,3] broadcast(m), dimensions={1}", "dimensions must have one entry per dimension"},
           {"r = f32[3,2] broadcast(m), dimensions={1,0}", "the dimensions of a broadcast must ascend"},
           {"r = f32[5,2,4] broadcast(m), dimensions={1,2}",
            "dimension 1 of the operand and dimension 2 of the result"},
           {"r = s32[5,2,3] broadcast(m), dimensions={1,2}", "the shape of this broadcast does not follow"},
           {"r = f32[2,3] broadcast(m), dimensions={0,2}", "dimensions must name different dimensions"},
           {"r = f32[7] reshape(m)", "reshape must keep the number of elements"},
           {"r = s32[6] reshape(m)", "the shape of this reshape does not follow"},
           {"r = f32[2,3] transpose(m), dimensions={1,0}", "the shape of this transpose does not follow"},
           {"r = f32[2,2] transpose(m), dimensions={0,0}", "dimensions must name different dimensions"},
           {"r = bf16[6] bitcast(m)", "bitcast must keep the number of bytes"},
           {"r = f32[2,3] reverse(m), dimensions={2}", "dimensions must name different dimensions"},
           {"r = f32[1,3] slice(m), slice={[1:3], [0:3]}", "the slice of dimension 0 is out of range"},
           {"r = f32[1,3] slice(m), slice={[1:2:0], [0:3]}", "the slice of dimension 0 is out of range"},
           {"r = f32[1] slice(m), slice={[1:2]}", "slice must have one entry per dimension"},
           {"r = f32[5,3] concatenate(m, n), dimensions={0}", "may differ in dimension 0 only"},
           {"r = f32[] concatenate(f, f), dimensions={0}", "dimensions must name different dimensions"},
           {"r = f32[2,3] pad(m, i), padding=0_0x0_0", "operand 1 of pad must be the padding value"},
           {"r = f32[0,3] pad(m, f), padding=-3_0x0_0", "the padding of dimension 0 gives no array"},
           {"r = f32[2,3] pad(m, f), padding=0_0", "padding must have one entry per dimension"},
           {"r = f32[3,3] dynamic-slice(m, i, i), dynamic_slice_sizes={3,3}", "a slice cannot be larger"},
           {"r = f32[1,3] dynamic-slice(m, i), dynamic_slice_sizes={1,3}", "the list of start indices must have one"},
           {"r = f32[1,3] dynamic-slice(m, i, f), dynamic_slice_sizes={1,3}", "must be a scalar integer"},
           {"r = f32[2,3] dynamic-update-slice(m, q, i, i)", "the update must fit into the operand"},
           {"r = f32[2,3] convert(c)", "convert cannot give this element type"},
           {"r = bf16[2,3] bitcast-convert(m)", "bitcast-convert must keep all bits"},
           {"r = f32[2,4] dot(m, n), lhs_contracting_dims={0}, rhs_contracting_dims={0}", "must have the same size"},
           {"r = f32[2,4] dot(m, n), lhs_contracting_dims={1}", "as many lhs as rhs contracting"},
           {"r = f32[2,4] dot(m, n), lhs_contracting_dims={5}, rhs_contracting_dims={0}", "must name different"},
           {"r = s32[2,4] dot(m, k), lhs_contracting_dims={1}, rhs_contracting_dims={1}", "element types of the dot"},
           {"r = f32[2] reduce(m, i), dimensions={1}, to_apply=add", "must be the initial value of operand 0"},
           {"r = f32[2] reduce(m), dimensions={1}, to_apply=add", "reduce takes inputs, then as many"},
           {"r = f32[2] reduce(m, f), dimensions={1}, to_apply=and", "the parameters of to_apply 'and' do not fit"},
           {"r = f32[3] reduce(m, f), dimensions={1}, to_apply=add", "the shape of this reduce does not follow"},
           {"r = f32[2] reduce(m, f), dimensions={2}, to_apply=add", "dimensions must name different"},
           {"r = f32[2,3] map(m), dimensions={0,1}, to_apply=add", "the parameters of to_apply 'add' do not fit"},
           {"r = f32[3,4] call(n), to_apply=neg", "the parameters of to_apply 'neg' do not fit"},
           {"r = f32[] call(m), to_apply=neg", "the shape of this call does not follow"},
           {"r = f32[2,3] fusion(f), kind=kLoop, calls=neg", "the parameters of calls 'neg' do not fit"},
           {"r = f32[2,3] while(m), condition=neg, body=neg", "condition 'neg' gives the wrong shape"},
           {"r = f32[2,3] while(m), condition=cond, body=one", "body 'one' gives the wrong shape"},
           {"r = f32[2,3] conditional(p, m, m), branch_computations={neg, neg}", "do not fit its index"},
           {"r = f32[2,3] conditional(i, m), branch_computations={neg, neg}", "one argument per branch"},
           {"r = f32[2,3] conditional(i, m, m), branch_computations={neg, one}", "branch 1 'one' gives the wrong"},
           {"r = f32[2,3] conditional(f, m, m), branch_computations={neg, neg}", "must be the branch index"},
           {"r = s32[] get-tuple-element(t), index=2", "must name an element of a tuple"},
           {"r = f32[] get-tuple-element(m), index=0", "must name an element of a tuple"},
           {"r = f32[2,3] clamp(i, m, f)", "the operands of clamp must have one element type"},
           {"r = f32[2,3] clamp(f, m, n)", "operand 2 of clamp does not fit the others"},
           {"r = f32[2,3] select(k, m, m)", "operand 0 of select must be the condition"},
           {"r = f32[2,3] select(p, m, n)", "must have the same shape"},
           {"r = pred[2,3] compare(c, c), direction=LT", "complex numbers have no order"},
           {"r = pred[2,3] compare(m, m), direction=LT, type=SIGNED", "comparison's type does not fit"},
           {"r = c128[2,3] complex(m, m)", "the shape of this complex does not follow"},
           {"r = c64[2,3] complex(b, b)", "complex needs two f32 or two f64"},
           {"r = f32[2,3] add(m, t)", "must be an array"},
           {"r = (f32[2,3], s32[]) copy(t)", "must be an array"},
           {"r = f32[2,3] add(m, m, m)", "wrong number of operands for add"},
           {"r = f32[2,3] reduce-precision(m), exponent_bits=0, mantissa_bits=3", "at least 1 exponent bit"},
       }) {
    const Status status = Verify(Module(body));
    EXPECT_EQ(status.id(), ErrorId::kHloVerifier) << body << "\n" << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(what)) << body;
  }
}

}  // namespace
}  // namespace xla
