// For the evaluator's tests: programs without parameters, and their results as text.
#pragma once
#include <string>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {

// The text of the results (or of the error) of an entry with this body, whose last line is the root, behind these
// computations.
inline std::string ResultText(std::string_view computations, const std::string& body) {
  const auto module =
      ParseAndReturnVerifiedModule(std::string(computations) + "ENTRY main {\n  " + body + "\n}", "test");
  if (!module.ok()) return module.status().ToString();
  const auto results = Evaluate(**module, {});
  if (!results.ok()) return results.status().ToString();
  std::string text;
  for (const Literal& result : *results) text += (text.empty() ? "" : " ") + result.ToStringWithoutShape();
  return text;
}

}  // namespace xla
