// What of a GPU's instruction set the embedded device executes: LLVM's opcode table against ours.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"
#include "base/target/target.h"

namespace rocxla::emu {

enum class Support { kCovered, kRefused, kMissing };

struct InstructionSupport {
  std::string name;  // the assembler's, without suffixes of encodings
  Support support = Support::kMissing;
  std::string reason;  // unless all forms are covered: why not
  // Encodings of it that the target has: e32, e64, dpp, sdwa, with and without literals, for waves of 32 and of 64
  // lanes.
  int forms = 0;
  int covered_forms = 0;
  // Further forms, which isa/refused.def names; instructions that are refused as a whole have none.
  int refused_forms = 0;
};

// Every instruction that LLVM's decoder knows on the target, in every wave size that it has, sorted by name. Covered:
// at least one of its forms can be executed; refused: isa/refused.def names it. Takes about a second.
StatusOr<std::vector<InstructionSupport>> IsaCoverage(const GpuTarget& target);

}  // namespace rocxla::emu
