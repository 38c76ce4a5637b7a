// The interpreter against the recorded results of Triton's own kernels, and operation by operation against plain C++.
#include "triton/interpreter/interpreter.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "base/json.h"
#include "base/numerics/float_convert.h"
#include "base/safetensors.h"

namespace rocxla::triton {
namespace {

namespace fs = std::filesystem;

//===-- Recorded kernels
//----------------------------------------------------------------------------------------------===//

std::vector<fs::path> Kernels(const char* folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(ROCXLA_TEST_CASES) / folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}
// Those of cases/triton that end here within seconds: programs run one after the other, so that a stream-K product
// waits for ever for the next one, and attention takes minutes. recorded_cases_test holds all of them to their results.
std::vector<fs::path> InterpretableKernels() {
  std::vector<fs::path> kernels = Kernels("triton");
  std::erase_if(kernels, [](const fs::path& folder) {
    const std::string name = folder.filename().string();
    const bool attention = name.starts_with("flash_") && !name.starts_with("flash_fwd_");
    return attention || name.starts_with("matmul_streamk_");
  });
  return kernels;
}
std::string NameOf(const testing::TestParamInfo<fs::path>& info) { return info.param.filename().string(); }

// launch.json, with the buffers that it names.
struct Recorded {
  InterpretedLaunch launch;
  std::vector<InterpretedBuffer> buffers;
  std::vector<std::string> argument_names;
  TensorMap tensors;
  Json outputs;
};

uint64_t BitsOf(const Json& argument) {
  if (argument["kind"] == "fp32") return std::bit_cast<uint32_t>(argument["value"].get<float>());
  return static_cast<uint64_t>(argument["value"].get<int64_t>());
}

StatusOr<Recorded> Read(const fs::path& folder) {
  Recorded recorded;
  ASSIGN_OR_RETURN(const Json json, ReadJson(folder / "launch.json"));
  ASSIGN_OR_RETURN(recorded.tensors, ReadSafetensors(folder / "io.safetensors"));
  recorded.launch.grid = json["grid"].get<std::array<int32_t, 3>>();
  for (const Json& argument : json["args"]) {
    recorded.argument_names.push_back(argument["name"]);
    const bool is_buffer = argument["kind"] == "buffer";
    recorded.launch.arguments.push_back(
        {is_buffer ? InterpretedArgument::Kind::kBuffer : InterpretedArgument::Kind::kNumber,
         is_buffer ? recorded.buffers.size() : BitsOf(argument)});
    if (is_buffer) recorded.buffers.push_back({recorded.tensors.at(argument["tensor"].get<std::string>()).bytes});
  }
  recorded.outputs = json["outputs"];
  return recorded;
}

// Elements as numbers.
std::vector<double> Numbers(const std::string& dtype, const std::vector<uint8_t>& bytes) {
  const int size = DtypeBits(dtype) / 8;
  std::vector<double> numbers;
  for (size_t at = 0; at < bytes.size(); at += static_cast<size_t>(size)) {
    uint64_t code = 0;
    std::memcpy(&code, bytes.data() + at, static_cast<size_t>(size));
    if (dtype == "F32") numbers.push_back(DecodeToDouble(FloatType::kF32, code));
    if (dtype == "F16") numbers.push_back(DecodeToDouble(FloatType::kF16, code));
    if (dtype == "BF16") numbers.push_back(DecodeToDouble(FloatType::kBF16, code));
    if (dtype == "I32") numbers.push_back(static_cast<int32_t>(code));
  }
  return numbers;
}

class RecordedKernel : public testing::TestWithParam<fs::path> {};

TEST_P(RecordedKernel, HasTheRecordedResults) {
  auto text = ReadFile(GetParam() / "kernel.ttir");
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  auto recorded = Read(GetParam());
  ASSERT_TRUE(recorded.ok()) << recorded.status().ToString();
  const Status status = Interpret(*text, "kernel.ttir", recorded->launch, recorded->buffers);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ASSERT_FALSE(recorded->outputs.empty());
  for (const Json& output : recorded->outputs) {
    const auto argument = std::ranges::find(recorded->argument_names, output["arg"].get<std::string>());
    const auto at = static_cast<size_t>(argument - recorded->argument_names.begin());
    const InterpretedBuffer& buffer = recorded->buffers[recorded->launch.arguments[at].value];
    const Tensor& tensor = recorded->tensors.at(output["tensor"].get<std::string>());
    const std::vector<double> want = Numbers(tensor.dtype, tensor.bytes), got = Numbers(tensor.dtype, buffer.bytes);
    ASSERT_EQ(want.size(), static_cast<size_t>(tensor.elements())) << tensor.dtype;
    for (size_t i = 0; i < want.size(); ++i) {
      const double bound = output.value("atol", 0.0) + output.value("rtol", 0.0) * std::fabs(want[i]);
      ASSERT_TRUE(std::fabs(got[i] - want[i]) <= bound || got[i] == want[i] ||
                  (std::isnan(got[i]) && std::isnan(want[i])))
          << "at " << i << ": got " << got[i] << ", want " << want[i];
    }
    EXPECT_THAT(buffer.undefined, testing::Each(0));
  }
}
INSTANTIATE_TEST_SUITE_P(Triton, RecordedKernel, testing::ValuesIn(InterpretableKernels()), NameOf);

// Of these there are no results, but every operation has a meaning.
class RecordedTile : public testing::TestWithParam<fs::path> {};
TEST_P(RecordedTile, IsKnown) {
  auto text = ReadFile(GetParam() / "kernel.ttir");
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  EXPECT_EQ(CheckInterpretable(*text, "kernel.ttir").ToString(), "OK");
}
INSTANTIATE_TEST_SUITE_P(Tiles, RecordedTile, testing::ValuesIn(Kernels("tiles")), NameOf);

//===-- Operations
//----------------------------------------------------------------------------------------------------===//

// Runs `body` with pointers %x and %o to `in` and `out` bytes, and returns the second buffer.
StatusOr<InterpretedBuffer> RunBody(const std::string& types, const std::string& body, std::vector<uint8_t> in,
                                    size_t out) {
  std::vector<InterpretedBuffer> buffers{{std::move(in)}, {std::vector<uint8_t>(out)}};
  InterpretedLaunch launch;
  for (uint64_t i : {0, 1}) launch.arguments.push_back({InterpretedArgument::Kind::kBuffer, i});
  RETURN_IF_ERROR(
      Interpret("tt.func public @k(" + types + ") {\n" + body + "\ntt.return\n}", "k.ttir", launch, buffers));
  return std::move(buffers[1]);
}

struct Narrow {
  const char* name;
  FloatType type;
};
constexpr Narrow kNarrow[] = {{"f8E4M3FN", FloatType::kF8E4M3FN},
                              {"f8E4M3FNUZ", FloatType::kF8E4M3FNUZ},
                              {"f8E5M2", FloatType::kF8E5M2},
                              {"f8E5M2FNUZ", FloatType::kF8E5M2FNUZ},
                              {"bf16", FloatType::kBF16}};

// Every half, rounded to nearest, against the converter of base, which knows nothing of LLVM's.
TEST(InterpretedConversions, RoundHalves) {
  constexpr int kBlock = 4096;
  for (const Narrow& narrow : kNarrow) {
    const FloatFormat half = FormatOf(FloatType::kF16), to = FormatOf(narrow.type);
    const size_t bytes = narrow.type == FloatType::kBF16 ? 2 : 1;
    for (int first = 0; first < 0x10000; first += 4 * kBlock) {
      std::vector<uint8_t> in(2 * kBlock);
      for (int i = 0; i < kBlock; ++i) {
        const auto code = static_cast<uint16_t>(first + i);
        std::memcpy(in.data() + 2 * i, &code, 2);
      }
      const std::string t = narrow.name;
      auto got = RunBody("%x: !tt.ptr<f16>, %o: !tt.ptr<" + t + ">",
                         "%i = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>\n"
                         "%xs = tt.splat %x : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>\n"
                         "%xp = tt.addptr %xs, %i : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>\n"
                         "%v = tt.load %xp : tensor<4096x!tt.ptr<f16>>\n"
                         "%w = tt.fp_to_fp %v, rounding = rtne : tensor<4096xf16> -> tensor<4096x" +
                             t +
                             ">\n"
                             "%os = tt.splat %o : !tt.ptr<" +
                             t + "> -> tensor<4096x!tt.ptr<" + t +
                             ">>\n"
                             "%op = tt.addptr %os, %i : tensor<4096x!tt.ptr<" +
                             t +
                             ">>, tensor<4096xi32>\n"
                             "tt.store %op, %w : tensor<4096x!tt.ptr<" +
                             t + ">>",
                         in, bytes * kBlock);
      ASSERT_TRUE(got.ok()) << got.status().ToString();
      for (int i = 0; i < kBlock; ++i) {
        uint64_t code = 0;
        std::memcpy(&code, got->bytes.data() + bytes * i, bytes);
        const auto from = static_cast<uint64_t>(first + i);
        uint64_t want = ConvertFloatBits(half, to, from);
        if (bytes == 1 && !half.IsNan(from) && (to.IsNan(want) || to.IsInfinity(want)))
          want = (from >> 15 ? to.SignBit() : 0) | to.MaxFiniteBits();
        ASSERT_TRUE(code == want || (to.IsNan(code) && to.IsNan(want))) << t << " of " << from << ": " << code;
      }
    }
  }
}

// Quotients and shifts that nothing defines are marked, and no more than they.
TEST(InterpretedErrors, UndefinedIsMarked) {
  auto got = RunBody("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", R"(
    %a = tt.load %x : !tt.ptr<i32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %q = arith.divsi %a, %zero : i32
    %yes = arith.cmpi eq, %a, %a : i32
    %s = arith.select %yes, %a, %q : i32
    tt.store %o, %s : !tt.ptr<i32>
    %p = tt.addptr %o, %one : !tt.ptr<i32>, i32
    tt.store %p, %q : !tt.ptr<i32>)",
                     {7, 0, 0, 0}, 8);
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  EXPECT_EQ(got->bytes[0], 7);
  EXPECT_THAT(got->undefined, testing::ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
}

std::string ErrorOf(const std::string& body) {
  auto got = RunBody("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", body, std::vector<uint8_t>(4), 4);
  return got.ok() ? "OK" : got.status().ToString();
}

TEST(InterpretedErrors, OutOfBounds) {
  for (const char* index : {"1", "-1", "100000"}) {
    EXPECT_THAT(ErrorOf(std::string("%i = arith.constant ") + index + R"( : i32
      %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
      %a = tt.load %p : !tt.ptr<i32>)"),
                testing::AllOf(testing::HasSubstr("tt.load: an access outside every buffer\n  where: k.ttir:4:12"),
                               testing::HasSubstr("in program 0, 0, 0")));
  }
}

TEST(InterpretedErrors, UndefinedDecisions) {
  const std::string undefined = "%u = ub.poison : i1\n";
  EXPECT_THAT(ErrorOf(undefined + "scf.if %u {\n}"),
              testing::HasSubstr("scf.if: what runs next depends on an undefined"));
  EXPECT_THAT(ErrorOf(undefined + "%a = tt.load %x, %u : !tt.ptr<i32>"),
              testing::HasSubstr("tt.load: the mask is an undefined value"));
  EXPECT_THAT(ErrorOf("%p = ub.poison : !tt.ptr<i32>\n%a = tt.load %p : !tt.ptr<i32>"),
              testing::HasSubstr("tt.load: the address is an undefined value"));
}

TEST(InterpretedErrors, NoMeaning) {
  EXPECT_THAT(
      ErrorOf(
          R"(%a = tt.elementwise_inline_asm "nop" {constraints = "=v", packed_element = 1 : i32, pure = true} -> i32)"),
      testing::HasSubstr("tt.elementwise_inline_asm: the interpreter does not know this operation"));
  EXPECT_THAT(
      ErrorOf(R"(%a = tt.extern_elementwise {libname = "", libpath = "", pure = true, symbol = "f"} : () -> i32)"),
      testing::HasSubstr("the interpreter does not know the function f"));
}

TEST(InterpretedErrors, EndlessLoopsAndAssertions) {
  std::vector<InterpretedBuffer> none;
  InterpretedLaunch launch;
  launch.operation_limit = 1000;
  const char* endless =
      "tt.func public @k() {\n%t = arith.constant true\nscf.while : () -> () {\nscf.condition(%t)\n} do {\n"
      "scf.yield\n}\ntt.return\n}";
  EXPECT_NE(Interpret(endless, "k.ttir", launch, none).ToString().find("does not seem to end"), std::string::npos);
  EXPECT_THAT(ErrorOf("%f = arith.constant false\ntt.assert %f, \"never\" : i1"), testing::HasSubstr("failed: never"));
}

}  // namespace
}  // namespace rocxla::triton
