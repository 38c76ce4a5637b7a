// tt.scan and tt.histogram on the embedded device, over shapes, axes, directions, warps and wave sizes.
#include <random>

#include "tests/e2e/triton_kernel.h"

namespace rocxla::triton {
namespace {

struct ScanCase {
  std::vector<int> shape;
  int axis;
  bool reverse;
};

std::string ToString(const ScanCase& c) {
  return TensorType(c.shape, "u32") + ", axis " + std::to_string(c.axis) + (c.reverse ? ", reverse" : "");
}

int ElementsOf(const std::vector<int>& shape) {
  int count = 1;
  for (int extent : shape) count *= extent;
  return count;
}

// Calls visit(first element, stride) for each line along the axis, in the direction of the scan.
template <class F>
void ForEachLine(const ScanCase& c, F visit) {
  int inner = 1, length = c.shape[c.axis];
  for (size_t d = c.axis + 1; d < c.shape.size(); ++d) inner *= c.shape[d];
  for (int line = 0; line < ElementsOf(c.shape) / length; ++line) {
    int first = line / inner * inner * length + line % inner;
    visit(c.reverse ? first + (length - 1) * inner : first, c.reverse ? -inner : inner, length);
  }
}

const std::vector<ScanCase>& ScanCases() {
  static const std::vector<ScanCase> cases = [] {
    std::vector<ScanCase> all;
    for (bool reverse : {false, true}) {
      for (int length : {1, 2, 64, 512, 4096}) all.push_back({{length}, 0, reverse});
      for (int axis : {0, 1}) {
        all.push_back({{8, 64}, axis, reverse});
        all.push_back({{256, 4}, axis, reverse});
        all.push_back({{2, 1024}, axis, reverse});
      }
      for (int axis : {0, 1, 2}) all.push_back({{4, 16, 32}, axis, reverse});
    }
    return all;
  }();
  return cases;
}

std::string ScanText(const ScanCase& c, const std::string& operands, const std::string& types,
                     const std::string& region, int results) {
  return "%s" + (results > 1 ? ":" + std::to_string(results) : "") + " = \"tt.scan\"(" + operands +
         ") <{axis = " + std::to_string(c.axis) + " : i32, reverse = " + (c.reverse ? "true" : "false") + "}> ({\n" +
         region + "}) : (" + types + ") -> (" + types + ")\n";
}

std::string Reshaped(const std::string& name, const std::string& from, const std::string& from_type,
                     const std::string& to_type) {
  return name + " = tt.reshape " + from + " : " + from_type + " -> " + to_type + "\n";
}

// x -> a*x + b, composed: neither commutative nor of one operand.
std::string RecurrenceKernel(const ScanCase& c) {
  const int count = ElementsOf(c.shape);
  const std::string flat = TensorType({count}, "i32"), shaped = TensorType(c.shape, "i32");
  return "tt.func public @kernel(%a: !tt.ptr<i32>, %b: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" +
         LoadText("%va", "%a", count, "i32") + LoadText("%vb", "%b", count, "i32") +
         Reshaped("%ra", "%va", flat, shaped) + Reshaped("%rb", "%vb", flat, shaped) +
         ScanText(c, "%ra, %rb", shaped + ", " + shaped,
                  "^bb0(%a0: i32, %b0: i32, %a1: i32, %b1: i32):\n"
                  "%m = arith.muli %a0, %a1 : i32\n"
                  "%n = arith.muli %a1, %b0 : i32\n"
                  "%k = arith.addi %n, %b1 : i32\n"
                  "tt.scan.return %m, %k : i32, i32\n",
                  2) +
         Reshaped("%r", "%s#1", shaped, flat) + StoreText("%r", "%o", count, "i32") + "tt.return\n}";
}

TEST(TritonScan, LinearRecurrence) {
  std::mt19937 random(1);
  for (const ScanCase& c : ScanCases()) {
    std::vector<uint32_t> a(ElementsOf(c.shape)), b(a.size()), want(a.size());
    for (auto& x : a) x = random();
    for (auto& x : b) x = random();
    ForEachLine(c, [&](int at, int stride, int length) {
      uint32_t value = 0;
      for (int i = 0; i < length; ++i, at += stride) want[at] = value = value * a[at] + b[at];
    });
    for (const Launch& launch : Launches()) {
      SCOPED_TRACE(ToString(c) + " on " + ToString(launch));
      auto got = ResultOf<uint32_t>(RecurrenceKernel(c), launch, {BufferOf(a), BufferOf(b)}, a.size());
      ASSERT_EQ(got, want);
    }
  }
}

struct TypeCase {
  const char* element;
  const char* combine;
};
template <class T>
void CheckSum(const TypeCase& type) {
  const ScanCase c{{1024}, 0, false};
  std::vector<T> in(1024), want(1024);
  std::mt19937 random(2);
  for (T& x : in) x = static_cast<T>(random() % 3);
  T sum = 0;
  for (int i = 0; i < 1024; ++i) want[i] = sum = static_cast<T>(sum + in[i]);
  const std::string tensor = TensorType({1024}, type.element), element = type.element;
  std::string text = "tt.func public @kernel(%x: !tt.ptr<" + element + ">, %o: !tt.ptr<" + element + ">) {\n" +
                     LoadText("%v", "%x", 1024, element) +
                     ScanText(c, "%v", tensor,
                              "^bb0(%a: " + element + ", %b: " + element + "):\n%c = " + type.combine +
                                  " %a, %b : " + element + "\ntt.scan.return %c : " + element + "\n",
                              1) +
                     StoreText("%s", "%o", 1024, element) + "tt.return\n}";
  for (const Launch& launch : Launches()) {
    SCOPED_TRACE(element + " on " + ToString(launch));
    EXPECT_EQ(ResultOf<T>(text, launch, {BufferOf(in)}, 1024), want);
  }
}
TEST(TritonScan, Types) {
  CheckSum<uint8_t>({"i8", "arith.addi"});
  CheckSum<uint16_t>({"i16", "arith.addi"});
  CheckSum<uint64_t>({"i64", "arith.addi"});
  CheckSum<float>({"f32", "arith.addf"});
  CheckSum<double>({"f64", "arith.addf"});
}

// What lies outside the bins is not counted, nor what the mask leaves out.
TEST(TritonHistogram, CountsWhatIsInRange) {
  std::mt19937 random(3);
  for (int count : {1, 64, 2048}) {
    for (int bins : {1, 16, 512}) {
      for (bool masked : {false, true}) {
        std::vector<int32_t> in(count), want(bins);
        for (int32_t& x : in) x = static_cast<int32_t>(random() % 24) - 4;
        for (int32_t x : in)
          if (x >= 0 && x < bins && (!masked || x > 2)) ++want[x];
        const std::string values = TensorType({count}, "i32");
        std::string text = "tt.func public @kernel(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" +
                           LoadText("%v", "%x", count, "i32") + "%two = arith.constant dense<2> : " + values +
                           "\n%m = arith.cmpi sgt, %v, %two : " + values + "\n%h = tt.histogram %v" +
                           (masked ? ", %m" : "") + " : " + values + " -> " + TensorType({bins}, "i32") + "\n" +
                           StoreText("%h", "%o", bins, "i32") + "tt.return\n}";
        for (const Launch& launch : Launches()) {
          SCOPED_TRACE(std::to_string(count) + " into " + std::to_string(bins) + " on " + ToString(launch));
          EXPECT_EQ(ResultOf<int32_t>(text, launch, {BufferOf(in)}, bins), want);
        }
      }
    }
  }
}

}  // namespace
}  // namespace rocxla::triton
