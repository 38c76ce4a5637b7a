#include "base/flag_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocxla {
namespace {

using testing::ElementsAre;

enum class Color { kRed, kGreen };
std::span<const FlagEnumName<Color>> FlagEnumNames(Color) {
  static constexpr FlagEnumName<Color> kNames[] = {{"red", Color::kRed}, {"green", Color::kGreen}};
  return kNames;
}

// What `text` is as a T, as text again; "?" when it is none.
template <class T>
std::string Read(std::string_view text) {
  T value = T();
  return ParseFlagValue(text, value) ? FlagValueText(value) : "?";
}

TEST(FlagValue, Booleans) {
  for (const char* yes : {"true", "True", "1", "yes"}) EXPECT_EQ(Read<bool>(yes), "true");
  for (const char* no : {"false", "False", "0", "no"}) EXPECT_EQ(Read<bool>(no), "false");
  for (const char* bad : {"", "2", "truex", " true", "on"}) EXPECT_EQ(Read<bool>(bad), "?") << bad;
}

TEST(FlagValue, WholeNumbersHaveTheirRange) {
  EXPECT_EQ(Read<int32_t>("-2147483648"), "-2147483648");
  EXPECT_EQ(Read<int32_t>("2147483648"), "?");
  EXPECT_EQ(Read<int64_t>("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(Read<int64_t>("9223372036854775808"), "?");
  for (const char* bad : {"", "-", "1.0", "0x1", "1 ", " 1", "1e3", "--1"}) EXPECT_EQ(Read<int64_t>(bad), "?") << bad;
}

TEST(FlagValue, FloatsAreFiniteAndReadBack) {
  EXPECT_EQ(Read<double>("0.1"), "0.1");
  EXPECT_EQ(Read<double>("-1e-300"), "-1e-300");
  EXPECT_EQ(Read<float>("16777217"), "16777216");
  for (const char* bad : {"", "nan", "inf", "-inf", "1e999", "0.5x", "."}) {
    EXPECT_EQ(Read<double>(bad), "?") << bad;
    EXPECT_EQ(Read<float>(bad), "?") << bad;
  }
  EXPECT_EQ(Read<float>("1e39"), "?");
}

TEST(FlagValue, EnumerationsGoByName) {
  EXPECT_EQ(Read<Color>("green"), "green");
  EXPECT_EQ(Read<Color>("Green"), "?");
  EXPECT_EQ(Read<Color>("1"), "?");
  EXPECT_EQ(FlagValueAccepted(Color()), "one of red, green");
}

TEST(FlagValue, RepeatedValuesAddUp) {
  std::vector<std::string> names;
  EXPECT_TRUE(ParseFlagValue("a,b", names));
  EXPECT_TRUE(ParseFlagValue(",c,,", names));
  EXPECT_TRUE(ParseFlagValue("", names));
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  std::vector<Color> colors = {Color::kRed};
  EXPECT_FALSE(ParseFlagValue("green,blue", colors));
  EXPECT_THAT(colors, ElementsAre(Color::kRed));  // as before
  EXPECT_TRUE(ParseFlagValue("green", colors));
  EXPECT_EQ(FlagValueText(colors), "red,green");
}

TEST(FlagValue, TypesSayWhatTheyAre) {
  EXPECT_EQ(FlagTypeName(int32_t()), "int32");
  EXPECT_EQ(FlagTypeName(std::vector<std::string>()), "repeated string");
  EXPECT_EQ(FlagValueAccepted(int32_t()), "a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(FlagValueAccepted(std::vector<Color>()), "one of red, green, or several separated by commas");
}

}  // namespace
}  // namespace rocxla
