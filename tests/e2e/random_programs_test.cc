// Random chains of operations that move elements, compiled and run on the embedded device, against the evaluator, bit
// for bit: what the composition of index maps makes of reverses, reshapes, slices, pads and their like in any order.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/stream_executor/rocm/device_selection.h"
#include "xla/tools/hlo_runner.h"
#include "xla/tools/literal_tensors.h"

namespace xla::tools {
namespace {

using Dims = std::vector<int64_t>;

class ProgramWriter {
 public:
  explicit ProgramWriter(uint64_t seed) : random_(seed) {}

  std::string Write(int length) {
    static const Dims starts[] = {{3, 67}, {5, 4, 6}, {201}, {2, 3, 1, 7}, {16, 16}};
    shape_ = starts[random_() % std::size(starts)];
    Line("parameter(0)");
    for (int i = 0; i < length; ++i) Step();
    return "HloModule random\nENTRY main {\n" + body_ + fmt::format("  ROOT r = {} negate({})\n}}\n", Type(), value_);
  }

 private:
  int64_t Below(int64_t n) { return n <= 0 ? 0 : static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  std::string Type() const { return fmt::format("f32[{}]", fmt::join(shape_, ",")); }
  int64_t Elements() const { return std::accumulate(shape_.begin(), shape_.end(), int64_t{1}, std::multiplies<>()); }

  // Defines the next value; shape_ is its shape.
  void Line(const std::string& operation) {
    value_ = fmt::format("v{}", count_++);
    body_ += fmt::format("  {} = {} {}\n", value_, Type(), operation);
  }

  void Step() {
    const auto rank = static_cast<int64_t>(shape_.size());
    const int64_t d = Below(rank);
    switch (Below(9)) {
      case 0:
        return Line(fmt::format("reverse({}), dimensions={{{}}}", value_, d));
      case 1:
        return Transpose();
      case 2:
      case 3:
        return Reshape();
      case 4:
        return Slice(d);
      case 5:
        return Pad(d);
      case 6:
        return Broadcast();
      case 7:
        if (Elements() > 4000) return;
        shape_[d] *= 2;
        return Line(fmt::format("concatenate({0}, {0}), dimensions={{{1}}}", value_, d));
      default:
        return Line(fmt::format("add({0}, {0})", value_));
    }
  }

  void Transpose() {
    Dims order(shape_.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    Dims shape;
    for (int64_t from : order) shape.push_back(shape_[from]);
    shape_ = shape;
    Line(fmt::format("transpose({}), dimensions={{{}}}", value_, fmt::join(order, ",")));
  }

  // Into random factors.
  void Reshape() {
    int64_t rest = Elements();
    Dims shape;
    for (int64_t factor = 2; rest > 1 && shape.size() < 3; ++factor) {
      if (rest % factor != 0 || Below(2) != 0) {
        if (factor >= rest) break;
        continue;
      }
      shape.push_back(factor);
      rest /= factor;
    }
    shape.push_back(rest);
    std::shuffle(shape.begin(), shape.end(), random_);
    shape_ = shape;
    Line(fmt::format("reshape({})", value_));
  }

  void Slice(int64_t d) {
    const int64_t start = Below(shape_[d]);
    const int64_t limit = start + 1 + Below(shape_[d] - start);
    const int64_t stride = 1 + Below(3);
    std::string ranges;
    for (size_t i = 0; i < shape_.size(); ++i) {
      const bool here = static_cast<int64_t>(i) == d;
      ranges += fmt::format("{}[{}:{}:{}]", i == 0 ? "" : ", ", here ? start : 0, here ? limit : shape_[i],
                            here ? stride : 1);
    }
    shape_[d] = (limit - start + stride - 1) / stride;
    Line(fmt::format("slice({}), slice={{{}}}", value_, ranges));
  }

  void Pad(int64_t d) {
    const int64_t low = Below(4) - 1;
    const int64_t high = Below(4) - 1;
    const int64_t interior = Below(3);
    const int64_t size = shape_[d] + low + high + (shape_[d] - 1) * interior;
    if (size < 1 || Elements() > 4000) return;
    std::string config;
    for (size_t i = 0; i < shape_.size(); ++i) {
      const bool here = static_cast<int64_t>(i) == d;
      config += fmt::format("{}{}_{}_{}", i == 0 ? "" : "x", here ? low : 0, here ? high : 0, here ? interior : 0);
    }
    const std::string operand = value_;
    body_ += fmt::format("  c{} = f32[] constant({})\n", count_, count_);
    const std::string constant = fmt::format("c{}", count_);
    shape_[d] = size;
    Line(fmt::format("pad({}, {}), padding={}", operand, constant, config));
  }

  void Broadcast() {
    if (Elements() > 4000 || shape_.size() > 3) return;
    const int64_t place = Below(static_cast<int64_t>(shape_.size()) + 1);
    Dims places;
    for (int64_t i = 0; i < static_cast<int64_t>(shape_.size()); ++i) places.push_back(i < place ? i : i + 1);
    shape_.insert(shape_.begin() + place, 2 + Below(2));
    Line(fmt::format("broadcast({}), dimensions={{{}}}", value_, fmt::join(places, ",")));
  }

  std::mt19937_64 random_;
  Dims shape_;
  std::string value_, body_;
  int count_ = 0;
};

class RandomPrograms : public testing::TestWithParam<int> {};

void ExpectAgreement(const std::string& text, int seed) {
  SCOPED_TRACE(text);
  auto module = ParseAndReturnVerifiedModule(text, "random.hlo");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto inputs = RandomInputs(**module, seed);
  ASSERT_TRUE(inputs.ok());
  const auto wanted = Evaluate(**module, *inputs);
  ASSERT_TRUE(wanted.ok()) << wanted.status().ToString();
  const auto device = stream_executor::gpu::SelectDevice(seed % 2 ? "embedded:gfx942" : "embedded:gfx1100");
  ASSERT_TRUE(device.ok()) << device.status().ToString();
  auto executable = CompileForDevice(std::move(*module), *device->executor, rocxla::DebugOptions());
  ASSERT_TRUE(executable.ok()) << executable.status().ToString();
  const auto got = gpu::RunWithLiterals(**executable, *device->executor, *inputs);
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  EXPECT_EQ((*got)[0].bytes(), (*wanted)[0].bytes());
}

TEST_P(RandomPrograms, AgreeWithTheEvaluator) {
  ExpectAgreement(ProgramWriter(GetParam()).Write(4 + GetParam() % 5), GetParam());
}

// Index expressions that divide a negative number.
TEST(MovingPrograms, ReverseOverAReshape) {
  for (int seed : {0, 1}) {
    ExpectAgreement(
        "ENTRY main { a = f32[3] parameter(0)  t = f32[3,2] broadcast(a), dimensions={0}  r = f32[6] "
        "reshape(t)  ROOT v = f32[6] reverse(r), dimensions={0} }",
        seed);
    ExpectAgreement(
        "ENTRY main { a = f32[3,67] parameter(0)  r = f32[201] reshape(a)  v = f32[201] reverse(r), "
        "dimensions={0}  s = f32[67] slice(v), slice={[1:200:3]}  ROOT w = f32[67] negate(s) }",
        seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0, 60));

}  // namespace
}  // namespace xla::tools
