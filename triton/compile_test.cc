#include "triton/compile.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace rocxla::triton {
namespace {

CompileOptions OptionsFor(std::string_view target, int num_warps = 4) {
  CompileOptions options;
  options.target = FindTarget(target).value();
  options.num_warps = num_warps;
  return options;
}

std::string ReadKernel(const std::string& name) {
  std::filesystem::path path = std::filesystem::path(ROCXLA_TEST_CASES) / name / "kernel.ttir";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

// A kernel that loads 256 elements, computes `body` from %v (and the index %i), and stores %r.
std::string Elementwise(const std::string& type, const std::string& body, const std::string& result_type) {
  return "tt.func public @kernel(%x: !tt.ptr<" + type + "> {tt.divisibility = 16 : i32}, %o: !tt.ptr<" + result_type +
         R"(> {tt.divisibility = 16 : i32}) {
  %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %px = tt.splat %x : !tt.ptr<)" +
         type + "> -> tensor<256x!tt.ptr<" + type + R"(>>
  %ax = tt.addptr %px, %i : tensor<256x!tt.ptr<)" +
         type + R"(>>, tensor<256xi32>
  %v = tt.load %ax : tensor<256x!tt.ptr<)" +
         type + R"(>>
  )" + body +
         R"(
  %po = tt.splat %o : !tt.ptr<)" +
         result_type + "> -> tensor<256x!tt.ptr<" + result_type + R"(>>
  %ao = tt.addptr %po, %i : tensor<256x!tt.ptr<)" +
         result_type + R"(>>, tensor<256xi32>
  tt.store %ao, %r : tensor<256x!tt.ptr<)" +
         result_type + R"(>>
  tt.return
})";
}

std::vector<std::string_view> FirstClassTargets() {
  std::vector<std::string_view> names;
  for (const GpuTarget& target : AllTargets())
    if (target.support == TargetSupport::kFirstClass) names.push_back(target.name);
  return names;
}

//===-- Errors
//--------------------------------------------------------------------------------------------------------===//

std::string ErrorOf(const std::string& ttir, const CompileOptions& options) {
  StatusOr<KernelObject> result = CompileToObject(ttir, "bad.ttir", options);
  return result.ok() ? "OK" : result.status().ToString();
}

TEST(CompileErrors, Syntax) {
  EXPECT_EQ(ErrorOf("tt.func public @k() {\n  %0 = tt.get_program_id q : i32\n  tt.return\n}", OptionsFor("gfx942")),
            "E3001 TritonSyntax: custom op 'tt.get_program_id' expected string or keyword containing one of the "
            "following enum values for "
            "attribute 'axis' [x, y, z]\n"
            "  where:    bad.ttir:2:26\n"
            "              %0 = tt.get_program_id q : i32\n"
            "                                     ^\n"
            "  next:     Correct the text there; `triton.compile` writes such text as kernel.ttir.");
}

TEST(CompileErrors, UndefinedValueHasNotes) {
  EXPECT_EQ(ErrorOf("tt.func public @k() {\n  %0 = arith.addi %a, %a : i32\n  tt.return\n}", OptionsFor("gfx942")),
            "E3001 TritonSyntax: use of undeclared SSA value name\n"
            "  where:    bad.ttir:2:19\n"
            "              %0 = arith.addi %a, %a : i32\n"
            "                              ^\n"
            "  next:     Correct the text there; `triton.compile` writes such text as kernel.ttir.");
}

TEST(CompileErrors, NoKernel) {
  EXPECT_EQ(ErrorOf("module {\n}", OptionsFor("gfx942")),
            "E3001 TritonSyntax: a module has one kernel\n"
            "  where:    bad.ttir\n"
            "  found:    0 public tt.func operations\n"
            "  expected: tt.func public @name(...) { ... }");
}

TEST(CompileErrors, UnknownDialect) {
  EXPECT_EQ(ErrorOf("tt.func public @k() {\n  %0 = nope.op : i32\n  tt.return\n}", OptionsFor("gfx942")),
            "E3001 TritonSyntax: dialect 'nope' is not known here\n"
            "  where:    bad.ttir:2:8\n"
            "              %0 = nope.op : i32\n"
            "                   ^\n"
            "  next:     Correct the text there; `triton.compile` writes such text as kernel.ttir.");
}

TEST(CompileErrors, NegativeNumbersAreShownAsSuch) {
  EXPECT_THAT(ErrorOf("tt.func public @k() {\n"
                      "  %t = tt.make_range {end = -5 : i32, start = 0 : i32} : tensor<16xi32>\n"
                      "  tt.return\n}",
                      OptionsFor("gfx942")),
              testing::HasSubstr("range 0..-5 does not fill 'tensor<16xi32>'"));
}

TEST(CompileErrors, EndlessLoop) {
  EXPECT_EQ(ErrorOf("tt.func public @k() {\n"
                    "  %z = arith.constant 0 : i32\n"
                    "  %n = arith.constant 8 : i32\n"
                    "  scf.for %i = %z to %n step %z : i32 {\n"
                    "  }\n"
                    "  tt.return\n}",
                    OptionsFor("gfx942")),
            "E3001 TritonSyntax: the step of a loop is not positive\n"
            "  where:    bad.ttir:4:3\n"
            "  found:    scf.for with step 0\n"
            "  expected: a step of 1 or more");
}

TEST(CompileErrors, NameThatIsNoSymbol) {
  EXPECT_EQ(ErrorOf("tt.func public @\"a b\"() {\n  tt.return\n}", OptionsFor("gfx942")),
            "E3001 TritonSyntax: the kernel's name cannot be a symbol\n"
            "  where:    bad.ttir:1:1\n"
            "  found:    'a b'\n"
            "  expected: letters, digits, '_', '.' and '$'; no digit first");
}

TEST(CompileErrors, UnusableHint) {
  for (const char* hint : {"\"a\"", "0 : i32", "-16 : i32", "1.5 : f32"}) {
    EXPECT_THAT(
        ErrorOf(std::string("tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = ") + hint + "}) {\n  tt.return\n}",
                OptionsFor("gfx942")),
        testing::HasSubstr("argument 0 has an unusable hint"))
        << hint;
  }
}

TEST(CompileErrors, UnsupportedOperation) {
  EXPECT_EQ(ErrorOf("tt.func public @k() {\n"
                    "  %t = gpu.thread_id x\n"
                    "  gpu.printf \"%d\", %t : index\n"
                    "  tt.return\n}",
                    OptionsFor("gfx942")),
            "E3002 TritonUnsupportedOp: gpu.thread_id: no lowering for this operation, for gfx942\n"
            "  where:    bad.ttir:2:8\n"
            "  found:    gpu.thread_id : () -> (index)\n"
            "  next:     Write the kernel without it.");
}

TEST(CompileErrors, UnsupportedShape) {
  EXPECT_EQ(ErrorOf("tt.func public @k() {\n"
                    "  %t = tt.make_range {end = 96 : i32, start = 0 : i32} : tensor<96xi32>\n"
                    "  tt.return\n}",
                    OptionsFor("gfx1100")),
            "E3002 TritonUnsupportedOp: tt.make_range: extent 96 of tensor<96xi32> is no power of two, for gfx1100\n"
            "  where:    bad.ttir:2:8\n"
            "  found:    tt.make_range : () -> (tensor<96xi32>)\n"
            "  expected: i1, i8, i16, i32, i64, f16, bf16, f32, f64, pointers to them, and tensors of these with "
            "power-of-two "
            "extents and at most 1048576 elements\n"
            "  next:     Write the kernel without it.");
}

TEST(CompileErrors, UnsupportedArithmetic) {
  EXPECT_EQ(
      ErrorOf(Elementwise("f8E5M2", "%r = arith.addf %v, %v : tensor<256xf8E5M2>", "f8E5M2"), OptionsFor("gfx942")),
      "E3002 TritonUnsupportedOp: arith.addf: arithmetic on tensor<256xf8E5M2>, for gfx942\n"
      "  where:    bad.ttir:6:8\n"
      "  found:    arith.addf : (tensor<256xf8E5M2>, tensor<256xf8E5M2>) -> (tensor<256xf8E5M2>)\n"
      "  expected: 8-bit floats can be loaded, stored, selected, bitcast and converted only\n"
      "  next:     Write the kernel without it.");
}

// tt.dot of 16x16 matrices, given their element types.
std::string ErrorOfDot(const std::string& a, const std::string& b, const std::string& c) {
  auto tensor = [](const std::string& element) { return "tensor<16x16x" + element + ">"; };
  auto pointers = [](const std::string& element) { return "tensor<16x16x!tt.ptr<" + element + ">>"; };
  auto load = [&](const std::string& name, const std::string& element) {
    return "  %p" + name + " = tt.splat %" + name + " : !tt.ptr<" + element + "> -> " + pointers(element) + "\n  %v" +
           name + " = tt.load %p" + name + " : " + pointers(element) + "\n";
  };
  std::string text = "tt.func public @k(%a: !tt.ptr<" + a + ">, %b: !tt.ptr<" + b + ">, %c: !tt.ptr<" + c + ">) {\n" +
                     load("a", a) + load("b", b) + load("c", c) + "  %d = tt.dot %va, %vb, %vc : " + tensor(a) + " * " +
                     tensor(b) + " -> " + tensor(c) + "\n  tt.return\n}";
  return ErrorOf(text, OptionsFor("gfx942"));
}

TEST(CompileErrors, ProductsOfOtherTypes) {
  const std::vector<std::vector<std::string>> refused = {
      {"i8", "i8", "f32"},   {"f16", "f16", "i32"}, {"i8", "f16", "f32"},    {"i16", "i16", "i8"},
      {"f64", "f64", "f32"}, {"f32", "f64", "f32"}, {"f16", "f16", "f8E5M2"}};
  for (const auto& types : refused) {
    EXPECT_THAT(ErrorOfDot(types[0], types[1], types[2]), testing::HasSubstr("tt.dot: these element types, for gfx942\n"
                                                                             "  where:    bad.ttir:8:8\n"))
        << types[0] << " " << types[1] << " " << types[2];
    EXPECT_THAT(ErrorOfDot(types[0], types[1], types[2]),
                testing::HasSubstr("  expected: integers accumulated as integers, floats as f16, bf16, f32 or f64, in "
                                   "no fewer bits than either operand has\n"));
  }
}

TEST(CompileErrors, UnknownLibraryFunction) {
  EXPECT_EQ(ErrorOf(Elementwise("f32",
                                "%r = tt.extern_elementwise %v {libname = \"\", libpath = \"\", pure = true, symbol = "
                                "\"__ocml_no_such_f32\"} : (tensor<256xf32>) -> tensor<256xf32>",
                                "f32"),
                    OptionsFor("gfx942")),
            "E3002 TritonUnsupportedOp: there is no device library function '__ocml_no_such_f32'\n"
            "  expected: a function of OCML or OCKL, such as __ocml_<name>_f32 or __ocml_<name>_f64");
}

TEST(CompileErrors, Options) {
  const std::string kernel = "tt.func public @k() {\n tt.return\n}";
  for (int warps : {-1, 0, 3, 64}) {
    EXPECT_EQ(ErrorOf(kernel, OptionsFor("gfx942", warps)),
              "E3006 TritonBadOption: num_warps does not fit gfx942\n"
              "  found:    num_warps = " +
                  std::to_string(warps) +
                  "\n"
                  "  expected: a power of two from 1 to 16");
  }
  CompileOptions options = OptionsFor("gfx1100");
  options.num_ctas = 2;
  EXPECT_EQ(ErrorOf(kernel, options),
            "E3006 TritonBadOption: num_ctas does not fit gfx1100\n"
            "  found:    num_ctas = 2\n"
            "  expected: 1: this GPU has no clusters of workgroups");
  options = OptionsFor("gfx942");
  options.num_stages = -1;
  EXPECT_EQ(ErrorOf(kernel, options),
            "E3006 TritonBadOption: num_stages does not fit gfx942\n"
            "  found:    num_stages = -1\n"
            "  expected: 0 or more");
  options = CompileOptions();
  options.target.name = "gfx000";
  EXPECT_EQ(CompileToObject(kernel, "k.ttir", options).status().id(), ErrorId::kTritonUnknownTarget);
}

TEST(CompileErrors, InlineAssemblyOfAnotherVendor) {
  EXPECT_THAT(
      ErrorOf("tt.func public @k(%p: !tt.ptr<i32>) {\n"
              "  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
              "  %x = tt.elementwise_inline_asm \"mov.b32 $0, $1;\" {constraints = \"=r,r\", packed_element = 1 : "
              "i32, pure = true} %r : tensor<64xi32> -> tensor<64xi32>\n"
              "  %q = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>\n"
              "  %a = tt.addptr %q, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>\n"
              "  tt.store %a, %x : tensor<64x!tt.ptr<i32>>\n"
              "  tt.return\n}",
              OptionsFor("gfx942", 1)),
      testing::AllOf(testing::HasSubstr("<inline asm>:1:2: invalid instruction"),
                     testing::EndsWith("\n  next:     Write the kernel's inline assembly for this AMD GPU.")));
}

TEST(CompileErrors, OutOfSharedMemory) {
  std::string error = ErrorOf(
      "tt.func public @big(%x: !tt.ptr<f32>) {\n"
      "  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>\n"
      "  %e = tt.expand_dims %r {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>\n"
      "  %f = tt.expand_dims %r {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>\n"
      "  %c = arith.constant dense<256> : tensor<256x1xi32>\n"
      "  %s = arith.muli %e, %c : tensor<256x1xi32>\n"
      "  %eb = tt.broadcast %s : tensor<256x1xi32> -> tensor<256x256xi32>\n"
      "  %fb = tt.broadcast %f : tensor<1x256xi32> -> tensor<256x256xi32>\n"
      "  %i = arith.addi %eb, %fb : tensor<256x256xi32>\n"
      "  %p = tt.splat %x : !tt.ptr<f32> -> tensor<256x256x!tt.ptr<f32>>\n"
      "  %a = tt.addptr %p, %i : tensor<256x256x!tt.ptr<f32>>, tensor<256x256xi32>\n"
      "  %v = tt.load %a : tensor<256x256x!tt.ptr<f32>>\n"
      "  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<256x256xf32> -> tensor<256x256xf32>\n"
      "  tt.store %a, %t : tensor<256x256x!tt.ptr<f32>>\n"
      "  tt.return\n}",
      OptionsFor("gfx942", 16));
  EXPECT_EQ(error,
            "E3005 TritonOutOfSharedMemory: kernel 'big' needs more LDS than gfx942 has\n"
            "  where:    bad.ttir:1:1\n"
            "  found:    262144 bytes\n"
            "  expected: at most 65536 bytes per workgroup\n"
            "  next:     make the tiles smaller");
}

//===-- What compiles
//-------------------------------------------------------------------------------------------------===//

class Target : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(FirstClass, Target, testing::ValuesIn(FirstClassTargets()),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Target, RecordedKernels) {
  for (const char* name : {"triton/vector_add_fp32", "triton/softmax_fp32"}) {
    SCOPED_TRACE(name);
    StatusOr<CompiledKernel> kernel = Compile(ReadKernel(name), "kernel.ttir", OptionsFor(GetParam()));
    ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
    EXPECT_EQ(kernel->info.vgpr_spills, 0);
    EXPECT_EQ(kernel->info.scratch_bytes, 0);
    EXPECT_EQ(kernel->info.threads_per_block, 4 * FindTarget(GetParam()).value().wave_size);
    EXPECT_GT(kernel->code_object.size(), 1000u);
  }
}

// Its pointers change their layout after they got a base.
TEST_P(Target, BasedPointersChangeTheirLayout) {
  const auto kernel = Compile(ReadKernel("tiles/dyn_gather_slices"), "kernel.ttir", OptionsFor(GetParam()));
  ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
}

// A masked load at `offset` (a tensor<1024xi32>; %range counts from 0, %n is any number) from the argument's address.
std::string MaskedLoadIr(const std::string& target, const std::string& offset, const std::string& argument) {
  CompileOptions options = OptionsFor(target);
  options.keep_stages = true;
  const std::string kernel = "tt.func public @k(%p: !tt.ptr<f32>" + argument +
                             R"(, %q: !tt.ptr<f32>, %m: i32, %n: i32) {
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %s = tt.splat %n : i32 -> tensor<1024xi32>
    %t = tt.splat %m : i32 -> tensor<1024xi32>
    %mask = arith.cmpi slt, %range, %t : tensor<1024xi32>
    %offset = )" + offset + R"( : tensor<1024xi32>
    %a = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %b = tt.addptr %a, %offset : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %b, %mask : tensor<1024x!tt.ptr<f32>>
    %c = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %d = tt.addptr %c, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    tt.store %d, %v : tensor<1024x!tt.ptr<f32>>
    tt.return
  })";
  const auto compiled = Compile(kernel, "kernel.ttir", options);
  EXPECT_TRUE(compiled.ok()) << compiled.status().ToString();
  return compiled.ok() ? compiled->stages.llvm_ir : "";
}
TEST_P(Target, MasksGoThroughBuffersWhereOffsetsAreProvenToFit) {
  const std::string target(GetParam()), small = " {tt.pointer_range = 32 : i32}";
  const auto buffered = [&](const std::string& offset, const std::string& argument) {
    return MaskedLoadIr(target, offset, argument).find("raw.ptr.buffer.load") != std::string::npos;
  };
  EXPECT_TRUE(buffered("arith.addi %range, %range", ""));
  EXPECT_TRUE(buffered("arith.addi %range, %s", "")) << "what is uniform moves to the base";
  EXPECT_FALSE(buffered("arith.muli %range, %s", "")) << "may be negative, may be large";
  EXPECT_FALSE(buffered("arith.subi %range, %s", "")) << "may be negative";
  EXPECT_TRUE(buffered("arith.divsi %range, %s", "")) << "divisors are taken for positive";
  EXPECT_TRUE(buffered("arith.subi %range, %s", small)) << "what is accessed lies in the small argument all the same";
  EXPECT_TRUE(buffered("arith.divui %range, %s", small));
}

TEST_P(Target, KernelArgumentsAreThoseOfTheFunction) {
  std::string kernel =
      "tt.func public @k(%a: !tt.ptr<f32>, %b: i8, %c: i16, %d: i64, %e: f64, %f: i1) {\n tt.return\n}";
  StatusOr<KernelObject> object = CompileToObject(kernel, "k.ttir", OptionsFor(GetParam()));
  ASSERT_TRUE(object.ok()) << object.status().ToString();
  EXPECT_EQ(object->info.kernarg_bytes, 36);  // 8, 1 + 1, 2 + 4, 8, 8, 1 and padding to a dword
  EXPECT_EQ(object->info.shared_bytes, 0);
  EXPECT_EQ(object->info.name, "k");
}

// All operations that take and give one type, in one kernel.
TEST_P(Target, EveryFloatOperation) {
  const char* unary[] = {"arith.negf", "math.absf",  "math.ceil",  "math.floor", "math.round", "math.roundeven",
                         "math.sqrt",  "math.trunc", "math.exp",   "math.exp2",  "math.log",   "math.log10",
                         "math.log2",  "math.acos",  "math.acosh", "math.asin",  "math.asinh", "math.atan",
                         "math.atanh", "math.cbrt",  "math.cos",   "math.cosh",  "math.erf",   "math.erfc",
                         "math.expm1", "math.log1p", "math.rsqrt", "math.sin",   "math.sinh",  "math.tan",
                         "math.tanh"};
  const char* binary[] = {"arith.addf",     "arith.subf",     "arith.mulf",     "arith.divf",    "arith.remf",
                          "arith.maximumf", "arith.minimumf", "arith.maxnumf",  "arith.minnumf", "math.copysign",
                          "math.atan2",     "math.powf",      "tt.precise_divf"};
  for (std::string type : {"f16", "bf16", "f32", "f64"}) {
    SCOPED_TRACE(type);
    std::string tensor = "tensor<256x" + type + ">", body = "%r0 = arith.addf %v, %v : " + tensor + "\n";
    int n = 0;
    auto name = [&](int i) { return "%r" + std::to_string(i); };
    for (const char* op : unary) {
      body += name(n + 1) + " = " + op + " " + name(n) + " : " + tensor + "\n";
      ++n;
    }
    for (const char* op : binary) {
      body += name(n + 1) + " = " + op + " " + name(n) + ", %v : " + tensor + "\n";
      ++n;
    }
    body += "%r = math.fma " + name(n) + ", %v, %v : " + tensor;
    StatusOr<KernelObject> object = CompileToObject(Elementwise(type, body, type), "k.ttir", OptionsFor(GetParam()));
    EXPECT_TRUE(object.ok()) << object.status().ToString();
  }
}

TEST_P(Target, EveryIntegerOperation) {
  const char* unary[] = {"math.absi", "math.ctpop", "math.ctlz", "math.cttz"};
  const char* binary[] = {"arith.addi",  "arith.subi",  "arith.muli",       "arith.divsi",     "arith.divui",
                          "arith.remsi", "arith.remui", "arith.andi",       "arith.ori",       "arith.xori",
                          "arith.shli",  "arith.shrsi", "arith.shrui",      "arith.minsi",     "arith.maxsi",
                          "arith.minui", "arith.maxui", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"};
  for (std::string type : {"i8", "i16", "i32", "i64"}) {
    SCOPED_TRACE(type);
    std::string tensor = "tensor<256x" + type + ">", body, last = "%v";
    int n = 0;
    auto next = [&] { return "%r" + std::to_string(n++); };
    for (const char* op : unary) {
      std::string name = next();
      body += name + " = " + op + " " + last + " : " + tensor + "\n";
      last = name;
    }
    for (const char* op : binary) {
      std::string name = next();
      body += name + " = " + op + " " + last + ", %v : " + tensor + "\n";
      last = name;
    }
    body += "%r = arith.addi " + last + ", %v : " + tensor;
    StatusOr<KernelObject> object = CompileToObject(Elementwise(type, body, type), "k.ttir", OptionsFor(GetParam()));
    EXPECT_TRUE(object.ok()) << object.status().ToString();
  }
}

// Only the second of two results is wanted, and nothing fixes a layout before the store does.
TEST_P(Target, HighHalfOfAProduct) {
  std::string body =
      "%low, %high = arith.mului_extended %i, %i : tensor<256xi32>\n"
      "%sum = arith.addi %v, %high : tensor<256xi32>\n"
      "%r = arith.addi %sum, %i : tensor<256xi32>";
  StatusOr<KernelObject> object = CompileToObject(Elementwise("i32", body, "i32"), "k.ttir", OptionsFor(GetParam()));
  EXPECT_TRUE(object.ok()) << object.status().ToString();
}

// Every conversion from each type to each other.
TEST_P(Target, EveryConversion) {
  const std::vector<std::string> floats{"f16", "bf16", "f32", "f64"}, integers{"i1", "i8", "i16", "i32", "i64"};
  auto bits = [](const std::string& type) { return std::stoi(type.substr(type.find_first_of("0123456789"))); };
  auto compile = [&](const std::string& from, const std::string& op, const std::string& to) {
    SCOPED_TRACE(op + " " + from + " " + to);
    std::string body = "%r = " + op + " %v : tensor<256x" + from + "> to tensor<256x" + to + ">";
    StatusOr<KernelObject> object = CompileToObject(Elementwise(from, body, to), "k.ttir", OptionsFor(GetParam()));
    EXPECT_TRUE(object.ok()) << object.status().ToString();
  };
  for (const std::string& from : floats)
    for (const std::string& to : floats)
      if (bits(from) != bits(to)) compile(from, bits(from) < bits(to) ? "arith.extf" : "arith.truncf", to);
  for (const std::string& from : integers) {
    for (const std::string& to : integers) {
      if (bits(from) < bits(to)) compile(from, "arith.extsi", to), compile(from, "arith.extui", to);
      if (bits(from) > bits(to)) compile(from, "arith.trunci", to);
    }
    for (const std::string& other : floats) {
      compile(from, "arith.sitofp", other), compile(from, "arith.uitofp", other);
      if (from != "i1") compile(other, "arith.fptosi", from), compile(other, "arith.fptoui", from);
    }
  }
}

//===-- Determinism and linking
//---------------------------------------------------------------------------------------===//

TEST(Compile, EqualInputGivesEqualBytesInParallel) {
  std::string ttir = ReadKernel("triton/softmax_fp32");
  StatusOr<CompiledKernel> first = Compile(ttir, "kernel.ttir", OptionsFor("gfx942"));
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  std::vector<std::vector<uint8_t>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] {
      StatusOr<CompiledKernel> again = Compile(ttir, "kernel.ttir", OptionsFor("gfx942"));
      if (again.ok()) result = again->code_object;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, first->code_object);
}

TEST(Compile, StagesDoNotChangeTheObject) {
  std::string ttir = ReadKernel("triton/vector_add_fp32");
  CompileOptions options = OptionsFor("gfx1100");
  StatusOr<KernelObject> without = CompileToObject(ttir, "kernel.ttir", options);
  options.keep_stages = true;
  StatusOr<KernelObject> with = CompileToObject(ttir, "kernel.ttir", options);
  ASSERT_TRUE(without.ok() && with.ok());
  EXPECT_EQ(without->object, with->object);
  EXPECT_TRUE(without->stages.isa.empty());
  EXPECT_NE(with->stages.ttir.find("tt.func public @vector_add"), std::string::npos);
  EXPECT_NE(with->stages.plan.find("native       reg=[i1 i2 "), std::string::npos);
  EXPECT_NE(with->stages.llvm_ir.find("define amdgpu_kernel void @vector_add"), std::string::npos);
  EXPECT_NE(with->stages.isa.find("buffer_load_b128"), std::string::npos);
}

TEST(Link, SeveralKernelsInOneCodeObject) {
  std::vector<KernelObject> objects;
  for (const char* name : {"triton/vector_add_fp32", "triton/softmax_fp32"}) {
    StatusOr<KernelObject> object = CompileToObject(ReadKernel(name), "kernel.ttir", OptionsFor("gfx942"));
    ASSERT_TRUE(object.ok()) << object.status().ToString();
    objects.push_back(std::move(*object));
  }
  std::span<const uint8_t> spans[] = {objects[0].object, objects[1].object, objects[0].object};
  StatusOr<std::vector<uint8_t>> linked = LinkCodeObject(std::span(spans).first(2));
  ASSERT_TRUE(linked.ok()) << linked.status().ToString();
  std::string bytes(linked->begin(), linked->end());
  EXPECT_NE(bytes.find("vector_add.kd"), std::string::npos);
  EXPECT_NE(bytes.find("softmax_rows.kd"), std::string::npos);
  // One note describes both kernels: HIP reads no second one.
  EXPECT_EQ(bytes.find("amdhsa.kernels"), bytes.rfind("amdhsa.kernels"));

  StatusOr<std::vector<uint8_t>> twice = LinkCodeObject(spans);
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.status().id(), ErrorId::kTritonCodegen);
  EXPECT_NE(twice.status().message().find("duplicate symbol: vector_add"), std::string::npos);
}

TEST(Link, BrokenObject) {
  std::vector<uint8_t> bytes{1, 2, 3, 4};
  std::span<const uint8_t> spans[] = {bytes};
  EXPECT_EQ(LinkCodeObject(spans).status().id(), ErrorId::kTritonCodegen);
}

}  // namespace
}  // namespace rocxla::triton
