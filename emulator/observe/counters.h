// What a launch did, counted: instructions by class, lanes, bytes, bank conflicts.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "emulator/isa/types.h"

namespace rocxla::emu {

// Names as in AMD's profilers.
#define ROCXLA_INSTRUCTION_CLASSES(X) \
  X(kSalu, "scalar")                  \
  X(kSmem, "scalar memory")           \
  X(kValu, "vector")                  \
  X(kMatrix, "matrix")                \
  X(kGlobal, "global memory")         \
  X(kLds, "LDS")                      \
  X(kScratch, "scratch")              \
  X(kBranch, "branch")                \
  X(kOther, "barriers and others")
enum class InstructionClass : u8 {
#define X(name, text) name,
  ROCXLA_INSTRUCTION_CLASSES(X)
#undef X
      kCount
};
std::string_view InstructionClassName(InstructionClass c);

struct Counters {
  std::array<u64, static_cast<size_t>(InstructionClass::kCount)> instructions{};  // of waves
  u64 vector_lanes = 0;       // active lanes of vector, matrix and vector memory instructions, added up
  u64 vector_lane_slots = 0;  // the same, had all lanes been active
  u64 atomics = 0;            // instructions
  u64 barriers = 0;           // completed, of workgroups
  struct Bytes {
    u64 read = 0, written = 0;
  };
  Bytes global, lds, scratch;  // atomics count as both
  // LDS has 32 banks of 4 bytes. An access moves up to 128 bytes in each pass over its lanes; words of one bank that
  // differ need passes of their own. Hardware overlaps some of them; this is a model, not a measurement.
  u64 lds_passes = 0, lds_conflicts = 0;  // conflicts: passes beyond those that the bytes need

  Counters& operator+=(const Counters& other);
  // A table of several lines.
  std::string ToString() const;
};

}  // namespace rocxla::emu
