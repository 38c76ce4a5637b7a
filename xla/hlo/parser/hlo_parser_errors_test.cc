// The messages of the parser, whole.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "base/error_ids.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

std::string MessageFor(std::string_view text) {
  return ParseAndReturnUnverifiedModule(text, "add.hlo").status().ToString();
}

TEST(HloParserErrors, UnknownOpcode) {
  EXPECT_EQ(MessageFor("HloModule m\nENTRY main {\n  a = f32[2] parameter(0)\n  ROOT b = f32[2] mulitply(a, a)\n}\n"),
            R"(E1002 HloUnknownOpcode: HLO has no opcode 'mulitply'
  where:    add.hlo:4:19
              ROOT b = f32[2] mulitply(a, a)
                              ^
  found:    'mulitply'
  expected: an HLO opcode, such as add
  next:     Did you mean 'multiply'?)");
}

TEST(HloParserErrors, UnsupportedOpcode) {
  EXPECT_EQ(MessageFor("ENTRY main {\n  a = f32[2] parameter(0)\n  ROOT b = f32[2] shuffle(a), kind=x\n}"),
            R"(E1003 HloUnsupportedOpcode: the opcode 'shuffle' cannot be read yet
  where:    add.hlo:3:19
              ROOT b = f32[2] shuffle(a), kind=x
                              ^
  found:    'shuffle'
  expected: an opcode that rocXLA supports (see xla/hlo/ir/hlo_ops.def)
  next:     Rewrite the program without 'shuffle', or add it to the table.)");
}

TEST(HloParserErrors, EveryOpcodeIsKnown) {
  int supported = 0;
  for (std::string_view opcode : AllOpcodeTexts()) {
    const std::string text = "ENTRY m { a = f32[] parameter(0) ROOT b = f32[] " + std::string(opcode) + "(a) }";
    const Status status = ParseAndReturnUnverifiedModule(text).status();
    EXPECT_NE(status.id(), ErrorId::kHloUnknownOpcode) << opcode;
    EXPECT_EQ(status.id() == ErrorId::kHloUnsupportedOpcode, IsKnownUnsupportedOpcode(opcode)) << opcode;
    supported += IsKnownUnsupportedOpcode(opcode) ? 0 : 1;
  }
  EXPECT_EQ(AllOpcodeTexts().size(), 136u);
  EXPECT_EQ(supported, kHloOpcodeCount);
}

TEST(HloParserErrors, UndefinedOperand) {
  EXPECT_EQ(MessageFor("ENTRY main {\n  input = f32[2] parameter(0)\n  ROOT b = f32[2] negate(inputs)\n}"),
            R"(E1005 HloUndefinedName: no instruction 'inputs' is defined above in computation 'main'
  where:    add.hlo:3:26
              ROOT b = f32[2] negate(inputs)
                                     ^
  found:    'inputs'
  expected: the name of an instruction that stands before its use
  next:     Did you mean 'input'?)");
}

TEST(HloParserErrors, UndefinedComputation) {
  EXPECT_EQ(MessageFor("ENTRY main {\n  a = f32[2] parameter(0)\n  ROOT b = f32[2] call(a), to_apply=f\n}"),
            R"(E1005 HloUndefinedName: no computation 'f' is defined above
  where:    add.hlo:3:37
              ROOT b = f32[2] call(a), to_apply=f
                                                ^
  found:    'f'
  expected: the name of a computation that stands before its caller)");
}

TEST(HloParserErrors, SyntaxShowsTheEndOfTheText) {
  EXPECT_EQ(MessageFor("ENTRY main {\n  a = f32[2"),
            R"(E1001 HloSyntax: the dimensions are not closed
  where:    add.hlo:2:12
              a = f32[2
                       ^
  found:    the end of the text
  expected: ']'
  next:     Correct the text at the mark.)");
}

TEST(HloParserErrors, LongLinesAreCut) {
  const std::string wide(200, ' ');
  const std::string message = MessageFor("ENTRY main {" + wide + "a = f8e4m4fn[2] parameter(0)" + wide + "}");
  EXPECT_EQ(message, R"(E1001 HloSyntax: this is no element type
  where:    add.hlo:1:217
            ...)" + std::string(66, ' ') +
                         "a = f8e4m4fn[2] parameter(0)" + std::string(16, ' ') + R"(...
                                                                                     ^
  found:    'f8e4m4fn'
  expected: an element type, such as f32, bf16 or s32
  next:     Did you mean f8e4m3fn?)");
}

// The message for an instruction on f32[4,3] with this attribute text.
std::string MessageForAttribute(const std::string& instruction) {
  return MessageFor("ENTRY main {\n  a = f32[4,3] parameter(0)\n  b = " + instruction + "\n}");
}

TEST(HloParserErrors, UnknownFieldOfAWindow) {
  EXPECT_EQ(MessageForAttribute("f32[4] reduce-window(a, a), window={size=2x2 strides=1x1}"),
            R"(E1001 HloSyntax: a window has no such field
  where:    add.hlo:3:52
              b = f32[4] reduce-window(a, a), window={size=2x2 strides=1x1}
                                                               ^
  found:    'strides'
  expected: one of size, stride, pad, lhs_dilate, rhs_dilate, rhs_reversal
  next:     Correct the text at the mark.)");
}

TEST(HloParserErrors, WindowFieldsOfDifferentLengths) {
  for (const auto& [field, value, found] :
       {std::tuple("stride", "2", "2"), {"pad", "1_1x1_1x1_1", "1_1x1_1x1_1"}, {"rhs_reversal", "1", "1"}}) {
    const std::string line = fmt::format("b = f32[4] reduce-window(a, a), window={{size=2x2 {}={}}}", field, value);
    EXPECT_EQ(MessageForAttribute(line.substr(4)),
              fmt::format(R"(E1001 HloSyntax: the window's {0} has another number of dimensions than its size
  where:    add.hlo:3:{1}
              {2}
              {3}^
  found:    '{4}'
  expected: 2 dimensions
  next:     Correct the text at the mark.)",
                          field, line.rfind('=') + 4, line, std::string(line.rfind('=') + 1, ' '), found));
  }
}

TEST(HloParserErrors, WindowFieldsGivenTwice) {
  EXPECT_EQ(MessageForAttribute("f32[4] reduce-window(a, a), window={size=2 size=3x3}"),
            R"(E1001 HloSyntax: the window's size is given twice
  where:    add.hlo:3:50
              b = f32[4] reduce-window(a, a), window={size=2 size=3x3}
                                                             ^
  found:    'size'
  next:     Correct the text at the mark.)");
}

TEST(HloParserErrors, DimensionLabels) {
  EXPECT_EQ(MessageForAttribute("f32[4] convolution(a, a), dim_labels=b0f_0ik->b0f"),
            R"(E1001 HloSyntax: these are no dimension labels of a convolution
  where:    add.hlo:3:44
              b = f32[4] convolution(a, a), dim_labels=b0f_0ik->b0f
                                                       ^
  found:    'b0f_0ik-'
  expected: input_kernel->output such as b01f_01io->b01f: b, f, i, o and each spatial digit once
  next:     Correct the text at the mark.)");
}

TEST(HloParserErrors, TruthValues) {
  EXPECT_EQ(MessageForAttribute("f32[4] cholesky(a), lower=yes"), R"(E1001 HloSyntax: the attribute has no such value
  where:    add.hlo:3:33
              b = f32[4] cholesky(a), lower=yes
                                            ^
  found:    'yes'
  expected: true or false
  next:     Correct the text at the mark.)");
}

struct Case {
  const char* text;
  ErrorId id;
  const char* what;
};

TEST(HloParserErrors, Others) {
  constexpr ErrorId kSyntax = ErrorId::kHloSyntax;
  constexpr ErrorId kFeature = ErrorId::kHloUnsupportedFeature;
  for (const auto& [text, id, what] : std::vector<Case>{
           {"", kSyntax, "this is no HLO text"},
           {"\x01\x02", kSyntax, "found:    '\\x01'"},
           {"HloModule", kSyntax, "a word is missing"},
           {"HloModule m", kSyntax, "the module has no computation"},
           {"HloModule m, x", kSyntax, "the value of x is missing"},
           {"HloModule m, x={", kSyntax, "the value is not closed"},
           {"HloModule m, x={(}", kSyntax, "the brackets do not match"},
           {"HloModule m, x=\"abc", kSyntax, "the value is not closed"},
           {"ENTRY m { }", kSyntax, "the computation is empty"},
           {"ENTRY m { a = f32[] parameter(0)", kSyntax, "the computation 'm' is not closed"},
           {"ENTRY m { a = f32[] parameter(0) a = f32[] negate(a) }", kSyntax, "have the same name"},
           {"ENTRY m { ROOT a = f32[] parameter(0) ROOT b = f32[] negate(a) }", kSyntax, "a second ROOT"},
           {"ENTRY m { a = f32[] parameter(0) } ENTRY n { a = f32[] parameter(0) }", kSyntax, "a second ENTRY"},
           {"m { a = f32[] parameter(0) } m { a = f32[] parameter(0) }", kSyntax, "two computations have the same"},
           {"ENTRY m (a: f32[3]) -> f32[] { a = f32[] parameter(0) }", kSyntax, "the signature of 'm' does not fit"},
           {"ENTRY m { a = f32 parameter(0) }", kSyntax, "the dimensions are missing"},
           {"ENTRY m { a = f32[-1] parameter(0) }", kSyntax, "a dimension cannot be negative"},
           {"ENTRY m { a = f32[99999999999999999999] parameter(0) }", kSyntax, "the number is too large"},
           {"ENTRY m { a = f32[4294967296,4294967296] parameter(0) }", kSyntax, "the array is too large"},
           {"ENTRY m { a = f32[2]{1} parameter(0) }", kSyntax, "the layout must name each dimension once"},
           {"ENTRY m { a = token[2] parameter(0) }", kSyntax, "this type has no dimensions"},
           {"ENTRY m { a = f32[?] parameter(0) }", kFeature, "dynamic dimensions without a bound cannot be read yet"},
           {"ENTRY m { a = f32[] parameter(x) }", kSyntax, "a number is missing"},
           {"ENTRY m { a = s8[] constant(200) }", kSyntax, "expected: an integer from -128 to 127"},
           {"ENTRY m { a = u64[] constant(-1) }", kSyntax, "expected: an integer from 0 to 18446744073709551615"},
           {"ENTRY m { a = f32[2] constant({1}) }", kSyntax, "dimension 0 of f32[2] has 2 entries"},
           {"ENTRY m { a = f32[1] constant({1, 2}) }", kSyntax, "dimension 0 of f32[1] has 1 entries"},
           {"ENTRY m { a = f32[2] constant(1) }", kSyntax, "the values are not nested as the shape says"},
           {"ENTRY m { a = f32[] constant(abc) }", kSyntax, "this is no value of f32"},
           {"ENTRY m { a = token[] constant(1) }", kSyntax, "a constant of this type has no values"},
           {"ENTRY m { a = f32[] parameter(0), foo=1 }", kSyntax, "parameter has no attribute 'foo'"},
           {"ENTRY m { a = f32[] parameter(0), dimensions={} }", kSyntax, "parameter has no attribute 'dimensions'"},
           {"ENTRY m { a = f32[] parameter(0) b = f32[2] broadcast(a), dimension={} }", kSyntax,
            "Did you mean 'dimensions'?"},
           {"ENTRY m { a = f32[] parameter(0) b = f32[2] broadcast(a) }", kSyntax, "broadcast lacks an attribute"},
           {"ENTRY m { a = f32[] parameter(0) b = f32[2] broadcast(a), dimensions={}, dimensions={} }", kSyntax,
            "dimensions is given twice"},
           {"ENTRY m { a = f32[] parameter(0) b = pred[] compare(a, a), direction=XX }", kSyntax,
            "expected: one of EQ, NE, GE, GT, LE, LT"},
           {"ENTRY m { a = f32[] parameter(0) b = f32[] negate(f32[2] a) }", kSyntax, "operand 'a' has another shape"},
           {"ENTRY m { a = f32[] parameter(0) b = f32[] negate(negate(a)) }", kFeature, "inside an operand list"},
           {"ENTRY m { a = f32[] parameter(0) }, execution_thread=\"host\"", kFeature, "on another execution thread"},
           {"ENTRY m { a = f32[] parameter(0), metadata={op_name=\"x }", kSyntax, "the string is not closed"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] slice(a), slice={[0-1]} }", kSyntax,
            "a slice is [start:limit]"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] reduce-window(a), window=3 }", kSyntax,
            "a window stands in braces"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] reduce-window(a), window={size} }", kSyntax,
            "the field's value is missing"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] reduce-window(a), window={size=x} }", kSyntax,
            "a number is missing"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] reduce-window(a), window={size=2 pad=1x1} }", kSyntax,
            "padding is low_high for each dimension"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] reduce-window(a), window={size=2 rhs_reversal=2} }", kSyntax,
            "expected: 1 or 0 for each dimension"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] reduce-window(a), window={size=2", kSyntax,
            "found:    the end of the text"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] reduce-window(a), window={size=2} }", kSyntax,
            "reduce-window lacks an attribute"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] fft(a), fft_type=DFT, fft_length={2} }", kSyntax,
            "expected: one of FFT, IFFT, RFFT, IRFFT"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] triangular-solve(a, a), transpose_a=NO }", kSyntax,
            "expected: one of NO_TRANSPOSE, TRANSPOSE, ADJOINT"},
           {"ENTRY m { a = f32[2] parameter(0) b = f32[1] custom-call(a) }", kSyntax, "custom-call lacks an attribute"},
       }) {
    const Status status = ParseAndReturnUnverifiedModule(text, "t").status();
    EXPECT_EQ(status.id(), id) << text << "\n" << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(what)) << text;
  }
}

TEST(HloParserErrors, DeepNestingIsRefused) {
  const std::string open(100000, '(');
  EXPECT_THAT(MessageFor("ENTRY m { a = " + open), HasSubstr("the tuple is nested too deep"));
  const std::string braces(100000, '{');
  EXPECT_THAT(MessageFor("HloModule m, x=" + braces), HasSubstr("the value is not closed"));
}

}  // namespace
}  // namespace xla
