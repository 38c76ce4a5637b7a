// MLIR's bytecode as a container: strings, names of dialects and operations, the bytes of attributes and types, and the
// program as a tree of operations. What the attributes mean is their dialect's business (attributes.h).
//
// A reader of our own and not MLIR's: that one trusts what it reads (its checks are assertions, which Debian's build
// leaves out), and artifacts come from anywhere. Versions 0 to 6 of the format are read, as far as portable artifacts
// use them. Source: MLIR's "Bytecode Format".
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xla/hlo/stablehlo/vhlo/byte_cursor.h"

namespace xla::vhlo {

inline constexpr std::string_view kMagic = "ML\xefR";
// The versions in which the format changed.
inline constexpr uint64_t kDialectVersions = 1;
inline constexpr uint64_t kLazyRegions = 2;
inline constexpr uint64_t kUseListOrders = 3;
inline constexpr uint64_t kCompactBlockArguments = 4;
inline constexpr uint64_t kProperties = 5;
inline constexpr uint64_t kNewestFormat = 6;

enum SectionId : uint8_t {
  kStringSection = 0,
  kDialectSection = 1,
  kAttrTypeSection = 2,
  kAttrTypeOffsetSection = 3,
  kIrSection = 4,
  kResourceSection = 5,
  kResourceOffsetSection = 6,
  kDialectVersionsSection = 7,
  kPropertiesSection = 8,
  kSectionCount = 9,
};

// What follows an operation's name.
enum OpMask : uint8_t {
  kHasAttributes = 1,
  kHasResults = 2,
  kHasOperands = 4,
  kHasSuccessors = 8,
  kHasRegions = 16,
  kHasUseListOrders = 32,
  kHasProperties = 64,
};

// Values are numbered over the whole program in the order of their definitions.
using ValueId = uint32_t;
struct Operation;
struct Block {
  std::vector<uint32_t> argument_types;  // places in Container::types
  ValueId first_argument = 0;
  std::vector<Operation> operations;
};
struct Region {
  std::vector<Block> blocks;
};
struct Operation {
  uint32_t name = 0;                   // a place in Container::operation_names
  uint32_t location = 0;               // in Container::attributes, as the next
  std::optional<uint32_t> attributes;  // a dictionary
  std::optional<uint32_t> properties;  // in Container::properties
  std::vector<uint32_t> result_types;
  ValueId first_result = 0;
  std::vector<ValueId> operands;  // each defined before
  std::vector<Region> regions;
};

struct OperationName {
  std::string_view dialect, name;
};
// The bytes of an attribute or type.
struct Entry {
  std::string_view dialect;
  bool is_text = false;  // as MLIR prints it; else in the dialect's own encoding
  std::span<const uint8_t> bytes;
};

// Points into the file's bytes.
struct Container {
  uint64_t format = 0;
  std::string_view producer;  // "StableHLO_v1.20.0"
  std::vector<std::string_view> strings;
  std::vector<OperationName> operation_names;
  std::vector<Entry> attributes, types;
  std::vector<std::span<const uint8_t>> properties;
  Operation top;
  ValueId value_count = 0;
};

// Errors: VhloBadArtifact; VhloUnsupported for a newer format.
StatusOr<Container> ReadContainer(std::span<const uint8_t> bytes, std::string_view file_name);

}  // namespace xla::vhlo
