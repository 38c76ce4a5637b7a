// Triton IR text up to LLVM IR: whatever is read is lowered to a module that LLVM accepts, or refused with an error for
// users. The first byte chooses target and warps, the rest is text.
#include <regex>
#include <set>

#include "base/file.h"
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "base/mlir/text_limits.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "triton/dialect/tt.h"
#include "triton/lower.h"
#include "triton/testing/lowering_case.h"

namespace rocxla {
namespace {

constexpr const char* kTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
constexpr size_t kLongest = 1 << 15;        // bytes of text
constexpr int64_t kMostElements = 1 << 16;  // of all tensors together

int64_t ElementsOf(mlir::Type type) {
  if (auto pointer = mlir::dyn_cast<triton::tt::PointerType>(type)) return ElementsOf(pointer.getPointee());
  if (auto descriptor = mlir::dyn_cast<triton::tt::TensorDescType>(type)) return ElementsOf(descriptor.getBlock());
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor) return 1;
  int64_t count = 1;
  for (int64_t extent : tensor.getShape())
    if (__builtin_mul_overflow(count, extent, &count)) return kMostElements + 1;
  return count;
}

// Large tensors take time and memory as they must; here they would hide what matters. Text that does not parse is
// small.
bool IsSmall(std::string_view text) {
  mlir::DialectRegistry registry;
  triton::tt::RegisterDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler silent(&context, [](mlir::Diagnostic&) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(std::string(text), &context);
  if (!module) return true;
  int64_t elements = 0;
  module->walk([&](mlir::Operation* op) {
    for (mlir::Type type : op->getResultTypes()) elements += ElementsOf(type);
    for (mlir::Type type : op->getOperandTypes()) elements += ElementsOf(type);
    return elements > kMostElements ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return elements <= kMostElements;
}

// Without positions and comments, which would be most of it.
std::string Bare(const std::string& text) {
  static const std::regex noise(R"(#loc[^\n]*\n| loc\((?:[^()]|\([^()]*\))*\)|\n *//[^\n]*)");
  return std::regex_replace(text, noise, "");
}

}  // namespace

std::vector<std::string> FuzzSeeds() {
  std::vector<std::string> seeds;
  auto add = [&](const std::string& text) {
    seeds.push_back(std::string(1, static_cast<char>(seeds.size())) + Bare(text));
  };
  for (const char* name : {"vector_add_fp16", "softmax_fp32", "cumsum_fp32", "while_collatz"}) {
    StatusOr<std::string> text = ReadFile(std::string(ROCXLA_TEST_CASES) + "/triton/" + name + "/kernel.ttir");
    CHECK(text.ok()) << text.status().ToString();
    add(*text);
  }
  std::set<std::string> seen;
  for (const triton::LoweringCase& c : triton::AllLoweringCases()) {
    const bool alike = c.op.starts_with("arith.") || c.op.starts_with("math.");
    if (seen.insert(alike ? "one of them" : c.op).second) add(c.ttir);
  }
  return seeds;
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  if (size == 0 || size > kLongest) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (TextLimitFault(text, kFuzzOrigin) || !IsSmall(text)) return 0;
  const triton::CompileOptions options{.target = *FindTarget(kTargets[data[0] % std::size(kTargets)]),
                                       .num_warps = 1 << data[0] / std::size(kTargets) % 4};
  const auto kernel = triton::Lower(text, kFuzzOrigin, options);
  CountOutcome(kernel.status());
  if (!kernel.ok()) return 0;
  std::string broken;
  llvm::raw_string_ostream os(broken);
  CHECK(!llvm::verifyModule(*kernel->module, &os)) << broken;
  return 0;
}
