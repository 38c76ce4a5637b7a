// Target ids: a processor with what is known of its features, "gfx90a:sramecc+:xnack-".
// Source: LLVM, "User Guide for AMDGPU Backend", "Target ID" and "Generic Processors".
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rocxla {

struct TargetId {
  std::string processor;
  std::map<std::string, bool, std::less<>> features;  // those that are named
};
// Nothing when the text is no target id.
std::optional<TargetId> ParseTargetId(std::string_view text);

// How well code for `code` suits `device`; more is better, nothing: it cannot run there. Where both name a feature they
// must agree; a device that does not name one (the embedded one) runs code either way. The processor itself is better
// than a generic target that includes it.
std::optional<int> TargetMatch(const TargetId& code, const TargetId& device);

}  // namespace rocxla
