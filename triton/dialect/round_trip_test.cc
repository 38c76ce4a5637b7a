// Every operation of the dialects, as Triton prints it: printing gives the same line again, the generic form parses to
// the same, and older spellings are read.
#include <set>

#include "triton/testing/parse.h"
#include "triton/testing/random_kernel.h"

namespace rocxla::triton {
namespace {

std::string Print(mlir::ModuleOp module, bool generic = false) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  if (generic) flags.printGenericOpForm();
  module->print(os, flags);
  return text;
}

// The arguments that the lines below use: p pointers, t floats, h halves, i integers, b truth values, d descriptors.
constexpr char kArguments[] =
    "%p: !tt.ptr<f32>, %pt: tensor<8x4x!tt.ptr<f32>>, %t: tensor<8x4xf32>, %h: tensor<8x4xf16>, %i: tensor<8x4xi32>, "
    "%b: tensor<8x4xi1>, %s: f32, %n: i32, %l: i64, %one: tensor<1x1xf32>, %line: tensor<8xf32>, %pair: "
    "tensor<8x2xf32>, %d: !tt.tensordesc<8x4xf32>, %row: !tt.tensordesc<1x4xf32>, %rows: tensor<8xi32>, %k: "
    "tensor<4x8xf32>, %square: tensor<8x8xf32>, %column: tensor<8x1xf32>, %fp8: tensor<8x32xf8E4M3FN>, %fp8t: "
    "tensor<32x8xf8E4M3FN>, %scale: tensor<8x1xi8>, %block: !tt.ptr<tensor<8x4xf32>>, %counted: tensor<512xi32>, "
    "%c1: i1, %pi: tensor<8x4x!tt.ptr<i32>>, %packed: tensor<16x8xi8>";

// Lines of a function's body. `printed` is what they become where that differs.
struct Spelling {
  const char* text;
  const char* printed = "";
};

std::string FunctionOf(const std::string& body) {
  return "tt.func private @callee(%x: f32) -> f32 {\n  tt.return %x : f32\n}\ntt.func public @k(" +
         std::string(kArguments) + ") {\n" + body + "\ntt.return\n}";
}

// Without indentation.
std::string Flat(const std::string& text) {
  std::string flat;
  bool begins = true;
  for (char c : text) {
    if (begins && c == ' ') continue;
    begins = c == '\n';
    flat += c;
  }
  return flat;
}

// MLIR numbers values and arguments: %0, %1; %arg0, %arg1.
std::string Numbered(std::string text) {
  const std::string arguments = kArguments;
  int number = 0;
  for (size_t at = arguments.find('%'); at != std::string::npos; at = arguments.find('%', at + 1), ++number) {
    const std::string name = arguments.substr(at, arguments.find(':', at) - at);
    for (size_t use = text.find(name); use != std::string::npos; use = text.find(name, use + 1)) {
      const char next = text[use + name.size()];
      if (std::isalnum(static_cast<unsigned char>(next)) != 0) continue;
      text.replace(use, name.size(), "%arg" + std::to_string(number));
    }
  }
  return text;
}

constexpr Spelling kSpellings[] = {
    {"%0 = tt.int_to_ptr %l : i64 -> !tt.ptr<f32>"},
    {"%0 = tt.ptr_to_int %pt : tensor<8x4x!tt.ptr<f32>> -> tensor<8x4xi64>"},
    {"%0 = tt.bitcast %i : tensor<8x4xi32> -> tensor<8x4xf32>"},
    {"%0 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i32>"},
    {"%0 = tt.fp_to_fp %t, rounding = rtne : tensor<8x4xf32> -> tensor<8x4xf8E5M2>"},
    {"%0 = tt.fp_to_fp %h : tensor<8x4xf16> -> tensor<8x4xf32>"},
    {"%0 = tt.clampf %t, %t, %t, propagateNan = none : tensor<8x4xf32>"},
    {"%0 = tt.precise_sqrt %t : tensor<8x4xf32>"},
    {"%0 = tt.precise_divf %t, %t : tensor<8x4xf32>"},
    {"%0 = tt.mulhiui %n, %n : i32"},
    {"%0 = tt.addptr %pt, %i : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>"},
    {"%0 = tt.addptr %p, %l : !tt.ptr<f32>, i64"},
    {R"(%0 = tt.extern_elementwise %t {libname = "libdevice", libpath = "", pure = true, symbol = "__ocml_tanh_f32"} : (tensor<8x4xf32>) -> tensor<8x4xf32>)"},
    {R"(%0 = tt.elementwise_inline_asm "v_add_u32 $0, $1, $2" {constraints = "=v,v,v", packed_element = 1 : i32, pure = true} %i, %i : tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xi32>)"},
    {"%0 = tt.load %pt : tensor<8x4x!tt.ptr<f32>>"},
    {"%0 = tt.load %pt, %b : tensor<8x4x!tt.ptr<f32>>"},
    {"%0 = tt.load %pt, %b, %t cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : "
     "tensor<8x4x!tt.ptr<f32>>"},
    {"%0 = tt.load %pt evictionPolicy = evict_first cacheModifier = ca : tensor<8x4x!tt.ptr<f32>>",
     "%0 = tt.load %pt cacheModifier = ca evictionPolicy = evict_first : tensor<8x4x!tt.ptr<f32>>"},
    {"%0 = tt.load %pt, %b {operandSegmentSizes = array<i32: 1, 1, 0>} : tensor<8x4x!tt.ptr<f32>>",
     "%0 = tt.load %pt, %b : tensor<8x4x!tt.ptr<f32>>"},
    {"%0 = tt.load %block {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<8x4xf32>>"},
    {"tt.store %pt, %t : tensor<8x4x!tt.ptr<f32>>"},
    {"tt.store %pt, %t, %b cacheModifier = wt : tensor<8x4x!tt.ptr<f32>>"},
    {"tt.store %p, %s : !tt.ptr<f32>"},
    {"tt.store %block, %t {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8x4xf32>>"},
    {"%0 = tt.atomic_rmw fadd, acq_rel, gpu, %pt, %t, %b : (tensor<8x4x!tt.ptr<f32>>, tensor<8x4xf32>, tensor<8x4xi1>) "
     "-> tensor<8x4xf32>"},
    {"%0 = tt.atomic_rmw umax, relaxed, sys, %pi, %i : (tensor<8x4x!tt.ptr<i32>>, tensor<8x4xi32>) -> tensor<8x4xi32>"},
    {"%0 = tt.atomic_cas acq_rel, cta, %pi, %i, %i : (tensor<8x4x!tt.ptr<i32>>, tensor<8x4xi32>, tensor<8x4xi32>) -> "
     "tensor<8x4xi32>"},
    {"%0 = tt.make_tensor_ptr %p, [%l, %l], [%l, %l], [%n, %n] {order = array<i32: 1, 0>} : <tensor<8x4xf32>>"},
    {"%0 = tt.advance %block, [%n, %n] : <tensor<8x4xf32>>"},
    {"%0 = tt.make_tensor_descriptor %p, [%n, %n], [%l, %l] : <f32>, <8x4xf32>"},
    {"%0 = tt.make_tensor_descriptor %p, [%n, %n], [%l, %l] : <f32>, <tensor<8x4xf32>>",
     "%0 = tt.make_tensor_descriptor %p, [%n, %n], [%l, %l] : <f32>, <8x4xf32>"},
    {"%0 = tt.make_tensor_descriptor %p, [%n, %n], [%l, %l] {padding = 2 : i32} : <f32>, <8x4xf32>"},
    {"%0 = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<8x4xf32> -> tensor<8x4xf32>"},
    {"%0 = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<8x4xf32>> -> tensor<8x4xf32>",
     "%0 = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<8x4xf32> -> tensor<8x4xf32>"},
    {"tt.descriptor_store %d[%n, %n], %t : !tt.tensordesc<8x4xf32>, tensor<8x4xf32>"},
    {"tt.descriptor_reduce add, %d[%n, %n], %t : !tt.tensordesc<8x4xf32>, tensor<8x4xf32>"},
    {"%0 = tt.descriptor_gather %row[%rows, %n] : (!tt.tensordesc<1x4xf32>, tensor<8xi32>, i32) -> tensor<8x4xf32>"},
    {"tt.descriptor_scatter %row[%rows, %n], %t : !tt.tensordesc<1x4xf32>, tensor<8xi32>, i32, tensor<8x4xf32>"},
    {"%0 = tt.splat %s : f32 -> tensor<8x4xf32>"},
    {"%0 = tt.unsplat %one : tensor<1x1xf32>"},
    {"%0 = tt.expand_dims %line {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>"},
    {"%0 = tt.broadcast %column : tensor<8x1xf32> -> tensor<8x4xf32>"},
    {"%0 = tt.reshape %t : tensor<8x4xf32> -> tensor<32xf32>"},
    {"%0 = tt.reshape %t allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>"},
    {"%0 = tt.trans %t {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>"},
    {"%0 = tt.join %line, %line : tensor<8xf32> -> tensor<8x2xf32>"},
    {"%0 = tt.cat %line, %line : tensor<8xf32> -> tensor<16xf32>"},
    {"%outLHS, %outRHS = tt.split %pair : tensor<8x2xf32> -> tensor<8xf32>",
     "%lhs, %rhs = tt.split %pair : tensor<8x2xf32> -> tensor<8xf32>"},
    {"%0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>"},
    {"%0 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<8x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>"},
    {"%0 = tt.histogram %counted : tensor<512xi32> -> tensor<16xi32>"},
    {"%0 = tt.histogram %i, %b : tensor<8x4xi32> -> tensor<16xi32>"},
    {"%0 = tt.get_program_id x : i32"},
    {"%0 = tt.get_num_programs z : i32"},
    {"%0 = tt.dot %t, %k, %square : tensor<8x4xf32> * tensor<4x8xf32> -> tensor<8x8xf32>"},
    {"%0 = tt.dot %t, %k, %square, inputPrecision = tf32 : tensor<8x4xf32> * tensor<4x8xf32> -> tensor<8x8xf32>"},
    {"%0 = tt.dot %t, %k, %square, inputPrecision = ieee {maxNumImpreciseAcc = 0 : i32} : tensor<8x4xf32> * "
     "tensor<4x8xf32> -> tensor<8x8xf32>",
     "%0 = tt.dot %t, %k, %square : tensor<8x4xf32> * tensor<4x8xf32> -> tensor<8x8xf32>"},
    {"%0 = tt.dot_scaled %fp8 scale %scale, %packed scale %scale, %square lhs = e4m3 rhs = e2m1 {fastMath = false} : "
     "tensor<8x32xf8E4M3FN>, tensor<8x1xi8> * tensor<16x8xi8>, tensor<8x1xi8> -> tensor<8x8xf32>"},
    {"%0 = \"tt.reduce\"(%t) <{axis = 1 : i32}> ({\n^bb0(%arg26: f32, %arg27: f32):\n%1 = arith.addf %arg26, %arg27 : "
     "f32\ntt.reduce.return %1 : f32\n}) : (tensor<8x4xf32>) -> tensor<8xf32>"},
    {"%0 = \"tt.reduce\"(%t) ({\n^bb0(%a: f32, %c: f32):\n%1 = arith.addf %a, %c : f32\ntt.reduce.return %1 : f32\n}) "
     "{axis = 1 : i32} : (tensor<8x4xf32>) -> tensor<8xf32>",
     "%0 = \"tt.reduce\"(%t) <{axis = 1 : i32}> ({\n^bb0(%arg26: f32, %arg27: f32):\n%1 = arith.addf %arg26, %arg27 : "
     "f32\ntt.reduce.return %1 : f32\n}) : (tensor<8x4xf32>) -> tensor<8xf32>"},
    {"%0 = \"tt.scan\"(%t) <{axis = 0 : i32, reverse = true}> ({\n^bb0(%arg26: f32, %arg27: f32):\n%1 = arith.mulf "
     "%arg26, %arg27 : f32\ntt.scan.return %1 : f32\n}) : (tensor<8x4xf32>) -> tensor<8x4xf32>"},
    {"%0 = \"tt.map_elementwise\"(%t) <{pack = 1 : i32}> ({\n^bb0(%arg26: f32):\n%1 = arith.negf %arg26 : "
     "f32\ntt.map_elementwise.return %1 : f32\n}) : (tensor<8x4xf32>) -> tensor<8x4xf32>"},
    {"tt.assert %b, \"within bounds\" : tensor<8x4xi1>"},
    {"tt.print \" x: \" {hex = false, isSigned = array<i32: 1>} : %i : tensor<8x4xi32>"},
    {"tt.print \"here\" {hex = true, isSigned = array<i32>}"},
    {"%0 = tt.call @callee(%s) : (f32) -> f32"},
    {"ttg.barrier all"},
    {"ttg.barrier local|global_read"},
    {"gpu.barrier"},
    {"llvm.intr.assume %c1 : i1"},
};

class Spellings : public testing::TestWithParam<Spelling> {};

TEST_P(Spellings, AreReadAndPrinted) {
  const auto [text, printed] = GetParam();
  ParsedModule once(FunctionOf(text));
  ASSERT_TRUE(once.module);
  const std::string pretty = Print(*once.module);
  EXPECT_NE(Flat(pretty).find(Numbered(*printed ? printed : text) + "\n"), std::string::npos) << pretty;
  ParsedModule twice(pretty), from_generic(Print(*once.module, true));
  ASSERT_TRUE(twice.module && from_generic.module);
  EXPECT_EQ(Print(*twice.module), pretty);
  EXPECT_EQ(Print(*from_generic.module), pretty);
}
INSTANTIATE_TEST_SUITE_P(Operations, Spellings, testing::ValuesIn(kSpellings));

// Those that are not in the list above would not be tested.
TEST(AllOperations, HaveASpelling) {
  std::set<std::string> tested{"tt.func", "tt.return"};
  for (const Spelling& spelling : kSpellings) {
    ParsedModule parsed(FunctionOf(spelling.text));
    ASSERT_TRUE(parsed.module);
    parsed.module->walk([&](mlir::Operation* op) { tested.insert(op->getName().getStringRef().str()); });
  }
  mlir::MLIRContext context(ParsedModule::Registry(), mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  int operations = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "tt" && name.getDialectNamespace() != "ttg") continue;
    EXPECT_TRUE(tested.contains(name.getStringRef().str())) << name.getStringRef().str();
    ++operations;
  }
  EXPECT_GT(operations, 40);
}

TEST(RandomKernels, PrintAndParseToTheSame) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    ParsedModule once(MakeRandomKernel(seed).ttir);
    ASSERT_TRUE(once.module);
    const std::string pretty = Print(*once.module);
    ParsedModule twice(pretty), from_generic(Print(*once.module, true));
    ASSERT_TRUE(twice.module && from_generic.module);
    EXPECT_EQ(Print(*twice.module), pretty);
    EXPECT_EQ(Print(*from_generic.module), pretty);
  }
}

}  // namespace
}  // namespace rocxla::triton
