#include "base/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error_ids.h"

namespace rocxla {
namespace {

constexpr ErrorInfo kErrors[] = {
    {ErrorId::kNone, "", StatusCode::kUnknown, ""},
#define ERROR_CODE(number, name, code, summary) {ErrorId::k##name, #name, StatusCode::code, summary},
#include "base/error_codes.def"
#undef ERROR_CODE
};
static_assert(std::is_sorted(std::begin(kErrors), std::end(kErrors),
                             [](const ErrorInfo& a, const ErrorInfo& b) { return a.id < b.id; }),
              "error_codes.def is sorted by number");

void AppendAnswer(std::string& out, std::string_view label, std::string_view answer) {
  if (answer.empty()) return;
  constexpr int kIndent = 12;
  out += fmt::format("\n  {:<{}}", label, kIndent - 2);
  for (char c : answer) {
    out += c;
    if (c == '\n') out.append(kIndent, ' ');
  }
}

}  // namespace

std::string_view StatusCodeName(StatusCode code) {
  constexpr std::string_view kNames[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  static_assert(std::size(kNames) == static_cast<int>(StatusCode::kUnauthenticated) + 1);
  return kNames[static_cast<int>(code)];
}

const ErrorInfo& InfoOf(ErrorId id) {
  auto it = std::lower_bound(std::begin(kErrors), std::end(kErrors), id,
                             [](const ErrorInfo& info, ErrorId wanted) { return info.id < wanted; });
  return it != std::end(kErrors) && it->id == id ? *it : kErrors[0];
}

std::string Status::ToString() const {
  if (ok()) return "OK";
  if (id_ == ErrorId::kNone) return fmt::format("{}: {}", StatusCodeName(code_), message_);
  return fmt::format("E{} {}: {}", static_cast<int>(id_), InfoOf(id_).name, message_);
}

Status Error(ErrorId id, ErrorText text) {
  std::string message = std::move(text.what);
  AppendAnswer(message, "where:", text.where);
  AppendAnswer(message, "found:", text.found);
  AppendAnswer(message, "expected:", text.expected);
  AppendAnswer(message, "next:", text.next);
  return Status(InfoOf(id).code, std::move(message), id);
}

}  // namespace rocxla
