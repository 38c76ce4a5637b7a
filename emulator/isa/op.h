// The operations by number, and what the tables say about their operands.
#pragma once
#include <optional>
#include <string_view>

#include "emulator/isa/signature.h"

namespace rocxla::emu {

enum class Op : u16 {
#define EACH(name) name,
#include "emulator/isa/each.def"
  kCount
};

enum class Table : u8 {
#define TABLE(name) name,
#include "emulator/isa/tables.def"
#undef TABLE
};

enum class ElementKind : u8 { kInteger, kFloat, kMask, kRow, kBool };

// One operand as its signature describes it.
struct OperandInfo {
  ElementKind kind = ElementKind::kInteger;
  u8 words = 1;
  u8 bits = 32;
  i16 implicit = -1;  // scalar register, or -1 for an operand of the instruction
};

// Derived from the operation's table line.
struct OpInfo {
  std::string_view name;
  Table table{};
  Shape shape{};
  u8 sources = 0, results = 0;
  OperandInfo source[4], result[3];
  Space space{};  // memory and atomic operations
  Action action{};
  u8 element_bytes = 0, count = 0;
  u16 stride = 0;  // of offset0 and offset1; 0: one plain offset
  Half half{};
  u8 a_words = 0, b_words = 0, c_words = 0;  // matrix operations: registers per lane
  u8 blocks = 0;                             // products side by side
  u8 sparse_elements = 0;                    // of A per lane; 0: A is dense
};
const OpInfo& Info(Op op);

// The operation of an exact name of the tables.
std::optional<Op> FindOp(std::string_view name);

}  // namespace rocxla::emu
