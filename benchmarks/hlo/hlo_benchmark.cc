// bin/hlo_benchmark [FILE...]: how fast HLO text is read, verified and printed, and how much memory it takes.
//
// Without files: a text of 20 MB as JAX writes it (layers of a transformer, with metadata), and a module of 200,000
// instructions. Every figure is the best of three, in CPU time; memory is that of the heap, while the text itself is
// not counted.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "base/file.h"
#include "xla/hlo/ir/hlo_verifier.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

// Writes numbered instructions with names, layouts and metadata in JAX's way.
class TransformerText {
 public:
  // At least `instructions` of them, and at least `bytes` of text.
  static std::string Write(int64_t instructions, size_t bytes) {
    TransformerText writer;
    writer.text_ =
        "HloModule jit_train_step, entry_computation_layout={(f32[8,128,512]{2,1,0})->f32[8,128,512]{2,1,0}}\n\n"
        "%region_0.1 (a.1: f32[], b.1: f32[]) -> f32[] {\n"
        "  %a.1 = f32[] parameter(0)\n  %b.1 = f32[] parameter(1)\n"
        "  ROOT %sum.1 = f32[] add(%a.1, %b.1)\n}\n\n"
        "ENTRY %main.2 (x.1: f32[8,128,512]) -> f32[8,128,512] {\n"
        "  %x.1 = f32[8,128,512]{2,1,0} parameter(0), metadata={op_name=\"x\"}\n";
    std::string x = "x.1";
    for (int64_t layer = 0; writer.count_ < instructions || writer.text_.size() < bytes; ++layer) {
      x = writer.Layer(layer, x);
    }
    writer.text_ += fmt::format("  ROOT %result.1 = f32[8,128,512]{{2,1,0}} negate(%{})\n}}\n", x);
    return std::move(writer.text_);
  }

 private:
  // "  %name.N = shape op, metadata={...}"; returns "name.N".
  std::string Line(const char* name, const char* shape, const std::string& operation) {
    const std::string full = fmt::format("{}.{}", name, ++count_);
    text_ +=
        fmt::format("  %{} = {} {}, metadata={{op_name=\"jit(train_step)/transformer/h/{}/{}\" stack_frame_id={}}}\n",
                    full, shape, operation, layer_, name, 1 + count_ % 500);
    return full;
  }

  std::string Layer(int64_t layer, const std::string& x) {
    constexpr const char* kWide = "f32[8,128,512]{2,1,0}";
    constexpr const char* kRows = "f32[8,128]{1,0}";
    layer_ = layer;
    const auto line = [this](const char* name, const char* shape, const std::string& op) {
      return Line(name, shape, op);
    };
    const auto zero = line("constant", "f32[]", "constant(0)");
    const auto eps = line("constant", "f32[]", "constant(1e-05)");
    const auto square = line("square", kWide, fmt::format("multiply(%{0}, %{0})", x));
    const auto sum = line("reduce_sum", kRows,
                          fmt::format("reduce(%{}, %{}), dimensions={{2}}, to_apply=%region_0.1", square, zero));
    const auto eps_wide = line("broadcast_in_dim", kRows, fmt::format("broadcast(%{}), dimensions={{}}", eps));
    const auto shifted = line("add", kRows, fmt::format("add(%{}, %{})", sum, eps_wide));
    const auto scale = line("rsqrt", kRows, fmt::format("rsqrt(%{})", shifted));
    const auto spread = line("broadcast_in_dim", kWide, fmt::format("broadcast(%{}), dimensions={{0,1}}", scale));
    const auto normal = line("mul", kWide, fmt::format("multiply(%{}, %{})", x, spread));
    const auto weights = line("iota", "f32[512,512]{1,0}", "iota(), iota_dimension=0");
    const auto product =
        line("dot_general", kWide,
             fmt::format("dot(%{}, %{}), lhs_contracting_dims={{2}}, rhs_contracting_dims={{0}}", normal, weights));
    const auto half =
        line("slice", "f32[8,128,256]{2,1,0}", fmt::format("slice(%{}), slice={{[0:8], [0:128], [0:256]}}", product));
    const auto doubled = line("concatenate", kWide, fmt::format("concatenate(%{0}, %{0}), dimensions={{2}}", half));
    const auto turned =
        line("transpose", "f32[128,8,512]{2,1,0}", fmt::format("transpose(%{}), dimensions={{1,0,2}}", doubled));
    const auto flat = line("reshape", kWide, fmt::format("reshape(%{})", turned));
    const auto active = line("tanh", kWide, fmt::format("tanh(%{})", flat));
    return line("add", kWide, fmt::format("add(%{}, %{})", x, active));
  }

  std::string text_;
  int64_t count_ = 1;
  int64_t layer_ = 0;
};

// CPU time of this process, which has one thread: other work on the machine does not count.
double Seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

size_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Figures {
  double parse = 1e9, verify = 1e9, print = 1e9, destroy = 1e9;  // seconds
  size_t module_bytes = 0;
  int64_t instructions = 0;
};

rocxla::StatusOr<Figures> Measure(const std::string& text, const std::string& name) {
  Figures best;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const size_t heap_before = HeapBytes();
    double begin = Seconds();
    ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ParseAndReturnUnverifiedModule(text, name));
    best.parse = std::min(best.parse, Seconds() - begin);
    best.module_bytes = HeapBytes() - heap_before;
    best.instructions = module->instruction_count();

    begin = Seconds();
    RETURN_IF_ERROR(VerifyHloModule(*module));
    best.verify = std::min(best.verify, Seconds() - begin);

    begin = Seconds();
    const std::string printed = module->ToString();
    best.print = std::min(best.print, Seconds() - begin);
    if (printed.empty()) return rocxla::InternalError("the module printed as nothing");

    begin = Seconds();
    module.reset();
    best.destroy = std::min(best.destroy, Seconds() - begin);
  }
  return best;
}

bool Report(const std::string& name, const std::string& text) {
  const auto figures = Measure(text, name);
  if (!figures.ok()) {
    std::fputs((figures.status().ToString() + "\n").c_str(), stderr);
    return false;
  }
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  fmt::print("| {} | {:.1f} | {} | {:.1f} | {:.1f} | {:.0f} | {:.0f} | {:.0f} |\n", name, megabytes,
             figures->instructions, megabytes / figures->parse,
             static_cast<double>(figures->module_bytes) / static_cast<double>(text.size()), figures->verify * 1e3,
             figures->print * 1e3, figures->destroy * 1e3);
  std::fflush(stdout);
  return true;
}

int Main(int argc, char** argv) {
  fmt::print(
      "| text | MB | instructions | parsed MB/s | heap of the module / text | verify ms | print ms | destroy ms |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  bool all_ok = true;
  for (int i = 1; i < argc; ++i) {
    const auto text = rocxla::ReadFile(argv[i]);
    if (!text.ok()) {
      std::fputs((text.status().ToString() + "\n").c_str(), stderr);
      all_ok = false;
      continue;
    }
    all_ok &= Report(argv[i], *text);
  }
  if (argc == 1) {
    all_ok &= Report("20 MB of transformer layers", TransformerText::Write(0, 20'000'000));
    all_ok &= Report("200,000 instructions", TransformerText::Write(200'000, 0));
  }
  return all_ok ? 0 : 1;
}

}  // namespace
}  // namespace xla

int main(int argc, char** argv) { return xla::Main(argc, argv); }
