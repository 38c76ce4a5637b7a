#include "triton/testing/lowering_case.h"

namespace rocxla::triton {

std::string Kernel(const std::string& arguments, const std::string& body) {
  return "tt.func public @k(" + arguments + ") {\n" + body + "\ntt.return\n}\n";
}

std::string IndexRange(int count) {
  const std::string n = std::to_string(count);
  return "%i = tt.make_range {end = " + n + " : i32, start = 0 : i32} : tensor<" + n + "xi32>\n";
}

namespace {

// tensor<64x!tt.ptr<f32>> of "64xf32", and the pointers to %i's elements from %`base` on, as %`name`.
std::string PointersFrom(const std::string& name, const std::string& base, const std::string& tensor,
                         std::string& type) {
  const size_t x = tensor.find('x');
  const std::string count = tensor.substr(0, x), pointer = "!tt.ptr<" + tensor.substr(x + 1) + ">";
  type = "tensor<" + count + "x" + pointer + ">";
  return "%" + name + "_base = tt.splat %" + base + " : " + pointer + " -> " + type + "\n%" + name + " = tt.addptr %" +
         name + "_base, %i : " + type + ", tensor<" + count + "xi32>\n";
}

}  // namespace

std::string LoadFrom(const std::string& to, const std::string& from, const std::string& tensor) {
  std::string type, text = PointersFrom(to + "_at", from, tensor, type);
  return text + "%" + to + " = tt.load %" + to + "_at : " + type + "\n";
}
std::string StoreTo(const std::string& to, const std::string& value, const std::string& tensor) {
  std::string type, text = PointersFrom(to + "_at", to, tensor, type);
  return text + "tt.store %" + to + "_at, %" + value + " : " + type + "\n";
}

std::vector<LoweringCase> AllLoweringCases() {
  std::vector<LoweringCase> all;
  for (auto cases : {PointwiseCases, ConversionCases, MemoryCases, AtomicCases, ShapeCases, ControlCases,
                     CombiningCases, CodeCases, DotCases})
    for (LoweringCase& each : cases()) all.push_back(std::move(each));
  return all;
}

}  // namespace rocxla::triton
