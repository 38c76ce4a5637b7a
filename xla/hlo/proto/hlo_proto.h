// HloModule <-> XLA's protos: binary files (.pb, .hlo.pb) and their text form (.pbtxt).
//
// Written is an HloProto, which may also be read as HloModuleProtoWithConfig. Read is also a bare HloModuleProto, an
// HloSnapshot or an HloUnoptimizedSnapshot (of which only the program is read). Nothing is lost on the way, except that
// text forms which mean the same become the one that XLA prints.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// Errors: HloNotInProto for what has no place in a proto (constants that the text leaves out, 6-bit floats, ...);
// HloSyntax where text that an instruction only carries, such as its sharding, is not what XLA's parser would take.
StatusOr<std::string> SerializeHloProto(const HloModule& module);
// The text form cannot hold the bits of a NaN other than the usual one: HloNotInProto for constants that have others.
StatusOr<std::string> PrintHloProto(const HloModule& module);

// Reads and verifies. `file_name` appears in messages only. Errors: HloBadProto; HloUnknownOpcode,
// HloUnsupportedOpcode, HloUnsupportedFeature; HloVerifier. Memory is bounded by a small multiple of the input.
StatusOr<std::unique_ptr<HloModule>> ParseHloProto(std::string_view bytes, std::string_view file_name);
StatusOr<std::unique_ptr<HloModule>> ParseHloProtoText(std::string_view text, std::string_view file_name);

}  // namespace xla
