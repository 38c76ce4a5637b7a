// How the value of a debug option is read and written, by type: bool, int32_t, int64_t, float, double, std::string, an
// enumeration by name, and std::vector of these (a repeated option: the values of one text are separated by commas, and
// each further text adds to them, as upstream has it).
//
// An enumeration takes part by a function beside it, found by its argument:
//   std::span<const FlagEnumName<Color>> FlagEnumNames(Color);     // every name and value, in the order to show them
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocxla {

template <class E>
struct FlagEnumName {
  std::string_view name;
  E value;
};
template <class E>
concept FlagEnum = std::is_enum_v<E> && requires(E e) { std::span<const FlagEnumName<E>>(FlagEnumNames(e)); };

// Reads all of `text`; false, and `out` as before, when it is no such value. Floating-point values are finite.
bool ParseFlagValue(std::string_view text, bool& out);
bool ParseFlagValue(std::string_view text, int32_t& out);
bool ParseFlagValue(std::string_view text, int64_t& out);
bool ParseFlagValue(std::string_view text, float& out);
bool ParseFlagValue(std::string_view text, double& out);
bool ParseFlagValue(std::string_view text, std::string& out);

// What ParseFlagValue reads back.
std::string FlagValueText(bool value);
std::string FlagValueText(int32_t value);
std::string FlagValueText(int64_t value);
std::string FlagValueText(float value);
std::string FlagValueText(double value);
std::string FlagValueText(const std::string& value);

// The type's name in messages and docs, and what its texts look like. Only the argument's type counts.
std::string FlagTypeName(bool);
std::string FlagTypeName(int32_t);
std::string FlagTypeName(int64_t);
std::string FlagTypeName(float);
std::string FlagTypeName(double);
std::string FlagTypeName(const std::string&);
std::string FlagValueAccepted(bool);
std::string FlagValueAccepted(int32_t);
std::string FlagValueAccepted(int64_t);
std::string FlagValueAccepted(float);
std::string FlagValueAccepted(double);
std::string FlagValueAccepted(const std::string&);

template <FlagEnum E>
bool ParseFlagValue(std::string_view text, E& out) {
  for (const FlagEnumName<E>& row : FlagEnumNames(E()))
    if (row.name == text) return out = row.value, true;
  return false;
}
template <FlagEnum E>
std::string FlagValueText(E value) {
  for (const FlagEnumName<E>& row : FlagEnumNames(value))
    if (row.value == value) return std::string(row.name);
  return "";
}
template <FlagEnum E>
std::string FlagTypeName(E) {
  return "name";
}
template <FlagEnum E>
std::string FlagValueAccepted(E) {
  std::vector<std::string_view> names;
  for (const FlagEnumName<E>& row : FlagEnumNames(E())) names.push_back(row.name);
  return fmt::format("one of {}", fmt::join(names, ", "));
}

// Empty pieces, as between two commas, are left out.
template <class T>
bool ParseFlagValue(std::string_view text, std::vector<T>& out) {
  std::vector<T> all = out;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    T value = T();
    if (comma > 0 && !ParseFlagValue(text.substr(0, comma), value)) return false;
    if (comma > 0) all.push_back(std::move(value));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  out = std::move(all);
  return true;
}
template <class T>
std::string FlagValueText(const std::vector<T>& values) {
  std::vector<std::string> texts;
  for (const T& value : values) texts.push_back(FlagValueText(value));
  return fmt::format("{}", fmt::join(texts, ","));
}
template <class T>
std::string FlagTypeName(const std::vector<T>&) {
  return fmt::format("repeated {}", FlagTypeName(T()));
}
template <class T>
std::string FlagValueAccepted(const std::vector<T>&) {
  return fmt::format("{}, or several separated by commas", FlagValueAccepted(T()));
}

}  // namespace rocxla
