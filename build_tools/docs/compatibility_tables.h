// The generated part of docs/compatibility.md.
#pragma once
#include <filesystem>
#include <string>

#include "base/status.h"

namespace rocxla {

// Two tables in Markdown: every target with its facts (base/target/targets.def), and how many recorded programs pass on
// each (tests/e2e/*.txt below `root`, the project's folder). BadUsage for a line there that is no NAME TARGET OUTCOME.
StatusOr<std::string> CompatibilityTables(const std::filesystem::path& root);

// `page` with what stands between the lines "<!-- generated -->" and "<!-- end of generated -->" replaced by `tables`.
// BadUsage when the page has no such lines.
StatusOr<std::string> WithTables(std::string_view page, std::string_view tables);

}  // namespace rocxla
