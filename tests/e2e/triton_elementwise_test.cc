// Inline assembly, regions on elements and library functions on the embedded device.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "tests/e2e/triton_kernel.h"

namespace rocxla::triton {
namespace {

// A kernel that loads `count` elements %v of `in`, computes %r of `out`, and stores that.
std::string Kernel(int count, const std::string& in, const std::string& body, const std::string& out) {
  return "tt.func public @kernel(%x: !tt.ptr<" + in + ">, %o: !tt.ptr<" + out + ">) {\n" +
         LoadText("%v", "%x", count, in) + body + "\n" + StoreText("%r", "%o", count, out) + "tt.return\n}";
}

template <class T>
std::vector<T> RandomNumbers(int count) {
  std::mt19937 random(1);
  std::vector<T> numbers(count);
  for (T& x : numbers) x = static_cast<T>(random());
  return numbers;
}

TEST(TritonInlineAsm, OneElement) {
  const std::string body =
      "%r = tt.elementwise_inline_asm \"v_add_u32 $0, $1, $2\" {constraints = \"=v,v,v\", packed_element = 1 : i32, "
      "pure = true} %v, %v : tensor<256xi32>, tensor<256xi32> -> tensor<256xi32>";
  std::string gfx1100 = body;
  gfx1100.replace(gfx1100.find("v_add_u32"), 9, "v_add_nc_u32");
  std::vector<uint32_t> in = RandomNumbers<uint32_t>(256), want;
  for (uint32_t x : in) want.push_back(2 * x);
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<uint32_t>(Kernel(256, "i32", launch.target == "gfx942" ? body : gfx1100, "i32"), launch,
                                 {BufferOf(in)}, 256),
              want)
        << ToString(launch);
}

// Four bytes are one register.
TEST(TritonInlineAsm, PackedElements) {
  const std::string text = Kernel(512, "i8",
                                  "%r = tt.elementwise_inline_asm \"v_not_b32 $0, $1\" {constraints = \"=v,v\", "
                                  "packed_element = 4 : i32, pure = true} %v : tensor<512xi8> -> tensor<512xi8>",
                                  "i8");
  std::vector<uint8_t> in = RandomNumbers<uint8_t>(512), want;
  for (uint8_t x : in) want.push_back(static_cast<uint8_t>(~x));
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<uint8_t>(text, launch, {BufferOf(in)}, 512), want) << ToString(launch);
}

// Two results, of which the first is written before all operands are read.
TEST(TritonInlineAsm, SeveralResults) {
  const std::string text =
      Kernel(256, "i32",
             "%a, %b = tt.elementwise_inline_asm \"v_lshlrev_b32 $0, 1, $2\\0A v_not_b32 $1, $2\" {constraints = "
             "\"=&v,=v,v\", packed_element = 1 : i32, pure = false} %v : tensor<256xi32> -> tensor<256xi32>, "
             "tensor<256xi32>\n%r = arith.xori %a, %b : tensor<256xi32>",
             "i32");
  std::vector<uint32_t> in = RandomNumbers<uint32_t>(256), want;
  for (uint32_t x : in) want.push_back((x << 1) ^ ~x);
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<uint32_t>(text, launch, {BufferOf(in)}, 256), want) << ToString(launch);
}

std::string ErrorOf(const std::string& text) {
  CompileOptions options;
  options.target = FindTarget("gfx942").value();
  StatusOr<KernelObject> object = CompileToObject(text, "bad.ttir", options);
  return object.ok() ? "OK" : object.status().ToString();
}

TEST(TritonInlineAsm, ErrorsAreStatuses) {
  auto with = [](const std::string& code, const std::string& constraints) {
    return ErrorOf(Kernel(256, "i32",
                          "%r = tt.elementwise_inline_asm \"" + code + "\" {constraints = \"" + constraints +
                              "\", packed_element = 1 : i32, pure = true} %v : tensor<256xi32> -> tensor<256xi32>",
                          "i32"));
  };
  EXPECT_THAT(with("v_not_b32 $0, $1", "=v"),
              testing::HasSubstr("E3002 TritonUnsupportedOp: tt.elementwise_inline_asm: "
                                 "constraints: "));
  EXPECT_THAT(with("v_no_such_thing $0, $1", "=v,v"), testing::HasSubstr("TritonCodegen"));
}

// Each element goes its own way, for two neighbours at a time.
TEST(TritonMapElementwise, BranchesPerElement) {
  const std::string text = Kernel(512, "i32",
                                  R"(%r = "tt.map_elementwise"(%v) <{pack = 2 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %less = arith.cmpi slt, %a, %b : i32
    cf.cond_br %less, ^swap, ^loop(%a, %c0 : i32, i32)
  ^swap:
    tt.map_elementwise.return %b, %a : i32, i32
  ^loop(%w: i32, %n: i32):
    %y = arith.divsi %w, %c3 : i32
    %m = arith.addi %n, %c3 : i32
    %done = arith.cmpi eq, %y, %c0 : i32
    cf.cond_br %done, ^end, ^loop(%y, %m : i32, i32)
  ^end:
    tt.map_elementwise.return %m, %b : i32, i32
  }) : (tensor<512xi32>) -> tensor<512xi32>)",
                                  "i32");
  std::vector<int32_t> in = RandomNumbers<int32_t>(512), want;
  for (size_t i = 0; i < in.size(); i += 2) {
    if (in[i] < in[i + 1]) {
      want.insert(want.end(), {in[i + 1], in[i]});
      continue;
    }
    int steps = 0, x = in[i];
    do {
      x /= 3;
      steps += 3;
    } while (x);
    want.insert(want.end(), {steps, in[i + 1]});
  }
  for (const Launch& launch : Launches())
    EXPECT_EQ(ResultOf<int32_t>(text, launch, {BufferOf(in)}, 512), want) << ToString(launch);
}

TEST(TritonMapElementwise, SideEffectsAreRefused) {
  EXPECT_THAT(ErrorOf(Kernel(256, "i32",
                             "%r = \"tt.map_elementwise\"(%v) <{pack = 1 : i32}> ({\n^bb0(%a: i32):\n"
                             "tt.store %o, %a : !tt.ptr<i32>\n"
                             "tt.map_elementwise.return %a : i32\n"
                             "}) : (tensor<256xi32>) -> tensor<256xi32>",
                             "i32")),
              testing::HasSubstr("E3002 TritonUnsupportedOp: tt.store: not inside tt.map_elementwise, for gfx942"));
}

struct Function {
  const char* symbol;
  float (*reference)(float);
};
TEST(TritonLibrary, FunctionsOfTritonsOwn) {
  const Function functions[] = {{"__triton_hip_fabs", [](float x) { return std::fabs(x); }},
                                {"__triton_hip_rint", [](float x) { return std::rint(x); }},
                                {"__triton_hip_fast_expf", [](float x) { return std::exp(x); }},
                                {"__triton_hip_fast_tanhf", [](float x) { return std::tanh(x); }},
                                {"__ocml_tanh_f32", [](float x) { return std::tanh(x); }}};
  std::vector<float> in;
  for (int i = 0; i < 256; ++i) in.push_back(static_cast<float>(i - 128) / 16);
  for (const Function& function : functions) {
    const std::string text = Kernel(256, "f32",
                                    std::string("%r = tt.extern_elementwise %v {libname = \"\", libpath = \"\", pure = "
                                                "true, symbol = \"") +
                                        function.symbol + "\"} : (tensor<256xf32>) -> tensor<256xf32>",
                                    "f32");
    for (const Launch& launch : Launches()) {
      std::vector<float> got = ResultOf<float>(text, launch, {BufferOf(in)}, 256);
      ASSERT_EQ(got.size(), in.size());
      for (size_t i = 0; i < in.size(); ++i) {
        float want = function.reference(in[i]);
        EXPECT_NEAR(got[i], want, 1e-5f * std::max(1.0f, std::fabs(want))) << function.symbol << " of " << in[i];
      }
    }
  }
}

}  // namespace
}  // namespace rocxla::triton
