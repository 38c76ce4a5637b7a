// The LLVM IR that each operation becomes (the cases stand in lowering_*_test.cc), and that no operation lacks a case.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "mlir/IR/MLIRContext.h"
#include "triton/dialect/tt.h"
#include "triton/lower.h"
#include "triton/lowering/handlers.h"
#include "triton/testing/file_check.h"
#include "triton/testing/lowering_case.h"

namespace rocxla::triton {

void PrintTo(const LoweringCase& c, std::ostream* os) { *os << c.op << " " << c.name; }

namespace {

std::vector<std::string> PrefixesFor(const GpuTarget& target) {
  std::string capitals(target.name);
  for (char& c : capitals) c = static_cast<char>(std::toupper(c));
  return {"CHECK", target.is_cdna() ? "CDNA" : "RDNA", capitals};
}

class LoweringOf : public testing::TestWithParam<LoweringCase> {};
TEST_P(LoweringOf, Operation) {
  const LoweringCase& c = GetParam();
  EXPECT_NE(c.ttir.find(c.op), std::string::npos) << "the kernel has no " << c.op;
  for (const std::string& name : c.targets) {
    const CompileOptions options{.target = FindTarget(name).value(), .num_warps = c.num_warps, .keep_stages = true};
    const auto kernel = Lower(c.ttir, "kernel.ttir", options);
    ASSERT_TRUE(kernel.ok()) << kernel.status().ToString();
    const std::string& llvm_ir = kernel->stages.llvm_ir;
    const std::string fault = FileCheckFault(c.ttir, PrefixesFor(options.target), llvm_ir);
    EXPECT_TRUE(fault.empty()) << name << ": " << fault << "\n" << llvm_ir;
  }
}
INSTANTIATE_TEST_SUITE_P(Triton, LoweringOf, testing::ValuesIn(AllLoweringCases()), [](const auto& info) {
  std::string name = info.param.op + info.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

// A misspelt prefix would demand nothing.
TEST(LoweringCases, EveryDirectiveIsRead) {
  const std::regex comment(R"(// ([A-Z0-9]+)(-[A-Z0-9-]+)?:)");
  for (const LoweringCase& c : AllLoweringCases()) {
    std::set<std::string> read;
    for (const std::string& name : c.targets)
      for (const std::string& prefix : PrefixesFor(FindTarget(name).value())) read.insert(prefix);
    for (std::sregex_iterator it(c.ttir.begin(), c.ttir.end(), comment), end; it != end; ++it)
      EXPECT_TRUE(read.contains((*it)[1])) << c.op << " " << c.name << ": " << it->str();
  }
}

// One exchange takes the place of another: LDS holds the larger, not both.
TEST(LoweringCases, ExchangesShareTheirSpace) {
  const std::string gather =
      "%g = tt.gather %v[%i] {axis = 0 : i32} : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>\n";
  const std::string again =
      "%h = tt.gather %g[%g] {axis = 0 : i32} : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>\n";
  const std::string arguments = "%x: !tt.ptr<i32>, %o: !tt.ptr<i32>",
                    load = IndexRange(256) + LoadFrom("v", "x", "256xi32");
  const CompileOptions options{.target = FindTarget("gfx942").value()};
  const auto once = Lower(Kernel(arguments, load + gather + StoreTo("o", "g", "256xi32")), "kernel.ttir", options);
  const auto twice =
      Lower(Kernel(arguments, load + gather + again + StoreTo("o", "h", "256xi32")), "kernel.ttir", options);
  ASSERT_TRUE(once.ok() && twice.ok());
  EXPECT_EQ(once->shared_bytes, 1024);
  EXPECT_EQ(twice->shared_bytes, 1024);
}

// Operations of Triton IR's dialects that the lowering does not know, and why. "cf." stands for all of a dialect.
struct NeverLowered {
  std::string_view op;
  const char* reason;
};
constexpr NeverLowered kNeverLowered[] = {
    {"tt.func", "is the kernel itself"},
    {"tt.call", "InlineCalls replaces it"},
    {"cf.", "StructureControlFlow replaces branches, Triton IR has no cf.assert"},
    {"tt.make_tensor_ptr", "BlocksToPointers replaces it"},
    {"tt.advance", "BlocksToPointers replaces it"},
    {"tt.make_tensor_descriptor", "BlocksToPointers replaces it"},
    {"tt.descriptor_load", "BlocksToPointers replaces it"},
    {"tt.descriptor_store", "BlocksToPointers replaces it"},
    {"tt.descriptor_reduce", "BlocksToPointers replaces it"},
    {"tt.descriptor_gather", "BlocksToPointers replaces it"},
    {"tt.descriptor_scatter", "BlocksToPointers replaces it"},
    {"arith.addui_extended", "Triton writes none"},
    {"arith.index_cast", "Triton has no index type"},
    {"arith.index_castui", "Triton has no index type"},
    {"arith.scaling_extf", "Triton writes tt.dot_scaled"},
    {"arith.scaling_truncf", "Triton writes none"},
    {"math.clampf", "Triton writes tt.clampf"},
    {"math.ipowi", "Triton writes none"},
    {"math.sincos", "Triton writes none"},
    {"scf.execute_region", "Triton writes none"},
    {"scf.forall", "Triton writes no parallel loops"},
    {"scf.forall.in_parallel", "Triton writes no parallel loops"},
    {"scf.index_switch", "Triton has no index type"},
    {"scf.parallel", "Triton writes no parallel loops"},
    {"scf.reduce", "Triton writes no parallel loops"},
    {"scf.reduce.return", "Triton writes no parallel loops"},
    {"ub.unreachable", "Triton writes none"},
};

TEST(LoweringCases, EveryOperationHasOne) {
  mlir::DialectRegistry registry;
  tt::RegisterDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::set<std::string> tested, known;
  for (const LoweringCase& c : AllLoweringCases()) tested.insert(c.op);
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations()) {
    const std::string name = op.getStringRef().str();
    known.insert(name);
    const bool lowered = Handlers::All().Has(op.getTypeID());
    EXPECT_EQ(lowered, tested.contains(name)) << name;
  }
  for (const std::string& name : tested) EXPECT_TRUE(known.contains(name)) << name;
}

// Of the dialects that Triton IR is made of, whatever is not lowered is not for a reason.
TEST(LoweringCases, WhatIsNotLoweredHasAReason) {
  mlir::DialectRegistry registry;
  tt::RegisterDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::set<std::string_view> used;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations()) {
    const llvm::StringRef dialect = op.getDialectNamespace();
    if (dialect == "gpu" || dialect == "llvm" || dialect == "builtin") continue;  // Triton takes an operation or two
    const std::string name = op.getStringRef().str();
    bool listed = false;
    for (const NeverLowered& row : kNeverLowered) {
      if (row.op != name && row.op != dialect.str() + ".") continue;
      listed = true;
      used.insert(row.op);
    }
    EXPECT_NE(Handlers::All().Has(op.getTypeID()), listed) << name;
  }
  EXPECT_EQ(used.size(), std::size(kNeverLowered)) << "a row names no operation";
}

}  // namespace
}  // namespace rocxla::triton
