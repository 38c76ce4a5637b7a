// For tests of the lowering: a kernel and what its LLVM IR must be, in one text.
#pragma once
#include <string>
#include <vector>

namespace rocxla::triton {

// The kernel is compiled for each target, and the LLVM IR that is emitted for it, before LLVM's optimiser, compared
// with FileCheck's directives in the kernel's comments. Prefixes: CHECK; the generation, CDNA or RDNA; the target in
// capitals, GFX942.
struct LoweringCase {
  std::string name;
  std::string op;  // that it is about
  std::string ttir;
  std::vector<std::string> targets = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
  int num_warps = 1;
};

// One list per file lowering_*_test.cc of triton/lowering, or two.
std::vector<LoweringCase> PointwiseCases();
std::vector<LoweringCase> ConversionCases();
std::vector<LoweringCase> MemoryCases();
std::vector<LoweringCase> AtomicCases();
std::vector<LoweringCase> ShapeCases();
std::vector<LoweringCase> ControlCases();
std::vector<LoweringCase> CombiningCases();
std::vector<LoweringCase> CodeCases();
std::vector<LoweringCase> DotCases();
std::vector<LoweringCase> AllLoweringCases();

// tt.func public @k(`arguments`) { `body` tt.return }
std::string Kernel(const std::string& arguments, const std::string& body);
// A load of `count` elements of `type` from pointer %`from` on, as %`to`; a store likewise. Counts and types as in
// "64xf32". Indices are %i, which IndexRange defines.
std::string IndexRange(int count);
std::string LoadFrom(const std::string& to, const std::string& from, const std::string& tensor);
std::string StoreTo(const std::string& to, const std::string& value, const std::string& tensor);

}  // namespace rocxla::triton
