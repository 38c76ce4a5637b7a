// Status and StatusOr: how errors travel across module borders. Names and codes are Abseil's.
//
// Two ways to make an error:
//   Error(ErrorId::kHloSyntax, {.what = ..., .where = ..., .found = ..., .expected = ..., .next = ...})
//       for whatever a user can meet (base/error_ids.h). The row in error_codes.def fixes the number, the name and
//       the status code.
//   InternalError("...") and its like, for our own broken invariants.
// Nothing here throws or aborts, except a StatusOr that is read although it holds an error (a bug of ours).
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace rocxla {

enum class StatusCode : int {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};
std::string_view StatusCodeName(StatusCode code);  // "INVALID_ARGUMENT"

enum class ErrorId : uint16_t;  // base/error_ids.h: one enumerator per row of error_codes.def; ErrorId{} is none
struct ErrorInfo {
  ErrorId id;
  std::string_view name;
  StatusCode code;
  std::string_view summary;  // one sentence for docs/errors
};
const ErrorInfo& InfoOf(ErrorId id);

class [[nodiscard]] Status {
 public:
  Status() = default;  // OK
  Status(StatusCode code, std::string message, ErrorId id = {}) : code_(code), id_(id), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  ErrorId id() const { return id_; }
  const std::string& message() const { return message_; }
  // "OK", or what a user should read: "E1001 HloSyntax: ..." or "INTERNAL: ...".
  std::string ToString() const;
  bool operator==(const Status&) const = default;

 private:
  StatusCode code_ = StatusCode::kOk;
  ErrorId id_ = {};
  std::string message_;
};
inline Status OkStatus() { return {}; }

// The five questions that a message answers; empty ones are left out, `what` never is.
struct ErrorText {
  std::string what;   // one sentence
  std::string where;  // "add.hlo:3:14", "kernel 'fusion' at pc 0x40 (...)"
  std::string found;
  std::string expected;
  std::string next;  // what the reader can do
};
// Renders as
//   E1001 HloSyntax: <what>
//     where:    <where>
//     found:    <found>
//     expected: <expected>
//     next:     <next>
// Further lines of a multi-line answer are indented under its first.
Status Error(ErrorId id, ErrorText text);

inline Status InvalidArgumentError(std::string m) { return {StatusCode::kInvalidArgument, std::move(m)}; }
inline Status NotFoundError(std::string m) { return {StatusCode::kNotFound, std::move(m)}; }
inline Status FailedPreconditionError(std::string m) { return {StatusCode::kFailedPrecondition, std::move(m)}; }
inline Status ResourceExhaustedError(std::string m) { return {StatusCode::kResourceExhausted, std::move(m)}; }
inline Status UnimplementedError(std::string m) { return {StatusCode::kUnimplemented, std::move(m)}; }
inline Status InternalError(std::string m) { return {StatusCode::kInternal, std::move(m)}; }
inline Status UnavailableError(std::string m) { return {StatusCode::kUnavailable, std::move(m)}; }
inline Status OutOfRangeError(std::string m) { return {StatusCode::kOutOfRange, std::move(m)}; }
inline Status AbortedError(std::string m) { return {StatusCode::kAborted, std::move(m)}; }

// A T or the error that prevented it.
template <class T>
class [[nodiscard]] StatusOr {
 public:
  StatusOr(Status status) : state_(std::in_place_index<0>, std::move(status)) {}  // NOLINT: conversions are the point
  StatusOr(T value) : state_(std::in_place_index<1>, std::move(value)) {}         // NOLINT
  template <class U>
    requires(std::is_convertible_v<U &&, T> && !std::is_same_v<std::remove_cvref_t<U>, StatusOr> &&
             !std::is_same_v<std::remove_cvref_t<U>, Status> && !std::is_same_v<std::remove_cvref_t<U>, T>)
  StatusOr(U&& value) : state_(std::in_place_index<1>, std::forward<U>(value)) {}  // NOLINT

  bool ok() const { return state_.index() == 1; }
  Status status() const { return ok() ? Status() : std::get<0>(state_); }
  T& value() & { return Checked(), std::get<1>(state_); }
  const T& value() const& { return Checked(), std::get<1>(state_); }
  T&& value() && { return Checked(), std::get<1>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  void Checked() const {
    if (ok()) return;
    std::fprintf(stderr, "bug: the value of a failed StatusOr was read: %s\n", std::get<0>(state_).ToString().c_str());
    std::abort();
  }
  std::variant<Status, T> state_;
};

}  // namespace rocxla

#define RETURN_IF_ERROR(expr)                                             \
  do {                                                                    \
    if (::rocxla::Status status_ = (expr); !status_.ok()) return status_; \
  } while (false)
#define ROCXLA_CONCAT_(a, b) a##b
#define ROCXLA_CONCAT(a, b) ROCXLA_CONCAT_(a, b)
// ASSIGN_OR_RETURN(auto x, F()): x is the value, or the function returns F's error.
#define ASSIGN_OR_RETURN(lhs, expr) ROCXLA_ASSIGN_OR_RETURN_(ROCXLA_CONCAT(status_or_, __LINE__), lhs, expr)
#define ROCXLA_ASSIGN_OR_RETURN_(tmp, lhs, expr) \
  auto tmp = (expr);                             \
  if (!tmp.ok()) return tmp.status();            \
  lhs = std::move(tmp).value()
