#include "triton/testing/kernel_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace rocxla::triton {

int64_t Count(const Dims& dims) { return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()); }

std::string TypeText(const Dims& dims, const std::string& element) {
  if (dims.empty()) return element;
  std::string text = "tensor<";
  for (int extent : dims) text += std::to_string(extent) + "x";
  return text + element + ">";
}

bool IsFloat8(const std::string& element) { return element.starts_with("f8"); }
bool IsFloat(const std::string& element) { return element[0] == 'f' || element == "bf16"; }
int BitsOf(const std::string& element) {
  if (IsFloat8(element)) return 8;
  return std::stoi(element.substr(element.find_first_of("0123456789")));
}

KernelGenerator::KernelGenerator(uint64_t seed, const RandomKernelOptions& options)
    : options_(options), random_(seed * 0x9e3779b97f4a7c15 + 1) {}

Dims KernelGenerator::Permutation(size_t rank) {
  Dims order(rank);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[static_cast<size_t>(Below(static_cast<int>(i)))]);
  return order;
}

// One to four extents, powers of two, of at most so many elements.
Dims KernelGenerator::RandomDims(int most) {
  int bits = 0;
  while ((2 << bits) <= most) ++bits;
  bits = std::max(Below(bits + 1), Below(bits + 1));
  Dims dims(static_cast<size_t>(1 + Below(4)), 1);
  for (; bits > 0; --bits) dims[static_cast<size_t>(Below(static_cast<int>(dims.size())))] *= 2;
  return dims;
}

void KernelGenerator::Text(const std::string& line) { body_ += std::string(2 * depth_ + 2, ' ') + line + "\n"; }

KernelGenerator::Value KernelGenerator::Line(const std::string& operation, const Dims& dims,
                                             const std::string& element) {
  Value value{fmt::format("%v{}", names_++), dims, element};
  Text(value.name + " = " + operation);
  return value;
}

std::vector<KernelGenerator::Value> KernelGenerator::Matching(const std::function<bool(const Value&)>& wanted) const {
  std::vector<Value> found;
  std::ranges::copy_if(pool_, std::back_inserter(found), wanted);
  return found;
}

// Recent ones more often, so that operations follow one another.
KernelGenerator::Value KernelGenerator::AnyTensor() {
  const std::vector<Value> tensors = Matching([](const Value& value) { return !value.dims.empty(); });
  if (tensors.empty()) {
    const Value loaded = Load(RandomDims(options_.most_elements), OneOf({"i32", "f32", "f16", "i8"}));
    Note(loaded);
    return loaded;
  }
  const auto n = static_cast<int>(tensors.size());
  return tensors[static_cast<size_t>(std::max(Below(n), Below(n)))];
}

void KernelGenerator::Steps(int count) {
  // How often each is taken.
  static const std::vector<std::pair<Step, int>> kinds = {{&KernelGenerator::LoadStep, 6},
                                                          {&KernelGenerator::StoreStep, 2},
                                                          {&KernelGenerator::IndirectLoadStep, 2},
                                                          {&KernelGenerator::AtomicStep, 2},
                                                          {&KernelGenerator::OwnedAtomicStep, 2},
                                                          {&KernelGenerator::ScratchStep, 1},
                                                          {&KernelGenerator::BlockStep, 2},
                                                          {&KernelGenerator::DescriptorStep, 2},
                                                          {&KernelGenerator::IntegerStep, 12},
                                                          {&KernelGenerator::FloatStep, 12},
                                                          {&KernelGenerator::CompareStep, 4},
                                                          {&KernelGenerator::ConvertStep, 6},
                                                          {&KernelGenerator::ScalarStep, 3},
                                                          {&KernelGenerator::MathStep, 2},
                                                          {&KernelGenerator::MapStep, 1},
                                                          {&KernelGenerator::CallStep, 2},
                                                          {&KernelGenerator::TransStep, 5},
                                                          {&KernelGenerator::ReshapeStep, 5},
                                                          {&KernelGenerator::JoinStep, 3},
                                                          {&KernelGenerator::SplitStep, 3},
                                                          {&KernelGenerator::CatStep, 1},
                                                          {&KernelGenerator::BroadcastStep, 5},
                                                          {&KernelGenerator::GatherStep, 3},
                                                          {&KernelGenerator::HistogramStep, 2},
                                                          {&KernelGenerator::ReduceStep, 7},
                                                          {&KernelGenerator::ScanStep, 4},
                                                          {&KernelGenerator::ArgStep, 2},
                                                          {&KernelGenerator::RecurrenceStep, 1},
                                                          {&KernelGenerator::DotStep, 4},
                                                          {&KernelGenerator::ScaledDotStep, 1},
                                                          {&KernelGenerator::ChosenPointerStep, 2},
                                                          {&KernelGenerator::MovedPointersStep, 3},
                                                          {&KernelGenerator::CarriedPointerStep, 2},
                                                          {&KernelGenerator::MatmulLoopStep, 1},
                                                          {&KernelGenerator::ForStep, 4},
                                                          {&KernelGenerator::IfStep, 3},
                                                          {&KernelGenerator::WhileStep, 2}};
  static const int total =
      std::accumulate(kinds.begin(), kinds.end(), 0, [](int sum, const auto& kind) { return sum + kind.second; });
  for (int i = 0; i < count; ++i) {
    int chosen = Below(total);
    for (const auto& [step, weight] : kinds) {
      chosen -= weight;
      if (chosen >= 0) continue;
      (this->*step)();
      break;
    }
  }
}

// Whether the text names a value more than once: where it is defined, and elsewhere. A result of several is taken for
// used.
static bool IsUsed(const std::string& text, const std::string& name) {
  int found = 0;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const char next = text[at + name.size()];
    found += next < '0' || next > '9';
  }
  return found != 1;
}

RandomKernel KernelGenerator::Generate() {
  kernel_.num_warps = 1 << Below(4);
  kernel_.grid = {1 + Below(3), Chance(20) ? 2 : 1, 1};
  if (Chance(10)) options_.most_elements *= 4;
  // Tensors of one warp are small: it is one thread's registers that cost time.
  options_.most_elements = std::min(options_.most_elements, kernel_.num_warps * 32 * 16);
  Note(Line("tt.get_program_id x : i32", {}, "i32"));
  Note({NewNumber(1 + Below(100)), {}, "i32"});
  LoadStep();
  Steps(2 + Below(options_.most_steps - 1));
  // What nothing has used yet is what the kernel gives.
  int stored = 0;
  for (auto value = pool_.rbegin(); value != pool_.rend() && stored < 6; ++value) {
    if (IsUsed(body_, value->name) && stored > 0) continue;
    Store(*value);
    ++stored;
  }
  for (size_t i = 0; i < kernel_.numbers.size(); ++i)
    signature_ += fmt::format("{}%n{}: i32{}", signature_.empty() ? "" : ", ", i,
                              kernel_.numbers[i] % 16 == 0 && Chance(70) ? " {tt.divisibility = 16 : i32}" : "");
  kernel_.ttir = functions_ + "tt.func public @kernel(" + signature_ + ") {\n" + body_ + "  tt.return\n}\n";
  return std::move(kernel_);
}

RandomKernel MakeRandomKernel(uint64_t seed, const RandomKernelOptions& options) {
  return KernelGenerator(seed, options).Generate();
}

}  // namespace rocxla::triton
